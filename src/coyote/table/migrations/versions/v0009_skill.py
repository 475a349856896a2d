"""How strong somebody is with the luck taken out of their results, and whether luck was looked for."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

POOL = ("game", "edition", "clock")


def upgrade() -> None:
    looked = sa.Column("looked", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("rated_games", looked)
    op.create_index("rated_by_looked", "rated_games", ["counts", "looked", "number"])
    op.create_table(
        "skills",
        sa.Column("who", sa.String(50), primary_key=True),
        *(sa.Column(name, sa.String(40), primary_key=True) for name in POOL),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
    )
    op.create_index("skills_by_pool", "skills", [*POOL, "number"])


def downgrade() -> None:
    op.drop_table("skills")
    op.drop_index("rated_by_looked", "rated_games")
    op.drop_column("rated_games", "looked")
