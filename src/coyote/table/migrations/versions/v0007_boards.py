"""Deals that several tables play, and what a strong bot makes of a deal."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "boards",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("boards_by_phase", "boards", ["phase", "made_at"])
    op.create_table(
        "board_rooms",
        sa.Column("room", sa.String(40), primary_key=True),
        sa.Column("board", sa.String(40), nullable=False),
    )
    op.create_index("board_rooms_by_board", "board_rooms", ["board"])
    op.create_table(
        "pars",
        sa.Column("room", sa.String(40), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )


def downgrade() -> None:
    for name in ("pars", "board_rooms", "boards"):
        op.drop_table(name)
