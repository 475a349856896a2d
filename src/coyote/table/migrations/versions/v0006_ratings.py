"""Finished games that are rated, what became of everybody's rating by them, and who may be listed."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

POOL = ("game", "edition", "clock")


def pool() -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.String(40), nullable=False) for name in POOL]


def upgrade() -> None:
    named = sa.Column("named", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("guests", named)
    op.create_table(
        "rated_games",
        sa.Column("room", sa.String(40), primary_key=True),
        *pool(),
        sa.Column("first", sa.String(50), nullable=False),
        sa.Column("second", sa.String(50), nullable=False),
        sa.Column("score", sa.Double, nullable=False),
        sa.Column("aborted_by", sa.String(50), nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("luck", sa.Double),
        sa.Column("number", sa.Integer, unique=True),
        sa.Column("counts", sa.String(10)),
    )
    op.create_index("rated_by_first", "rated_games", ["first", "ended_at"])
    op.create_index("rated_by_aborted", "rated_games", ["aborted_by", "ended_at"])
    op.create_table(
        "rating_steps",
        sa.Column("room", sa.String(40), primary_key=True),
        sa.Column("who", sa.String(50), primary_key=True),
        *pool(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("before", sa.Double, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
    )
    op.create_index("steps_by_who", "rating_steps", ["who", *POOL, "number"])
    op.create_table(
        "ratings",
        sa.Column("who", sa.String(50), primary_key=True),
        *(sa.Column(name, sa.String(40), primary_key=True) for name in POOL),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("shown", sa.String(20), nullable=False),
    )
    op.create_index("ratings_by_pool", "ratings", [*POOL, "rating"])
    op.create_index("ratings_shown", "ratings", ["shown"])


def downgrade() -> None:
    for name in ("ratings", "rating_steps", "rated_games"):
        op.drop_table(name)
    op.drop_column("guests", "named")
