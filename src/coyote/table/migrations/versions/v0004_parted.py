"""A room goes from a process only together with a change of that process's row."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("halls", sa.Column("parted", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("halls", "parted")
