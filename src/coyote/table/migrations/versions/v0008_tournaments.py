"""Tournaments of friends."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("host", sa.String(40), nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("tournaments_by_phase", "tournaments", ["phase", "made_at"])
    op.create_index("tournaments_by_host", "tournaments", ["host", "phase"])


def downgrade() -> None:
    op.drop_table("tournaments")
