"""Owners of rooms, records as text, codes for another device, bans."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ADDED: dict[str, dict[str, tuple[sa.types.TypeEngine[Any], Any]]] = {
    "rooms": {
        "touched_at": (sa.BigInteger(), "0"),
        "owner": (sa.String(40), ""),
        "epoch": (sa.Integer(), "0"),
        "fell_at": (sa.BigInteger(), "0"),
    },
    "guests": {
        "seen_at": (sa.BigInteger(), "0"),
        "valid_from": (sa.BigInteger(), "0"),
        "banned": (sa.Boolean(), sa.false()),
    },
}


def upgrade() -> None:
    for table, columns in ADDED.items():
        for name, (kind, usual) in columns.items():
            op.add_column(table, sa.Column(name, kind, nullable=False, server_default=usual))
    op.execute("UPDATE rooms SET touched_at = made_at")
    op.execute("UPDATE guests SET seen_at = made_at")
    op.create_table(
        "records",
        sa.Column("room", sa.String(40), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "transfers",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "halls",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("address", sa.String(100), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("alive", sa.BigInteger, nullable=False),
    )
    op.create_index("players_by_room", "players", ["room"])


def downgrade() -> None:
    op.drop_index("players_by_room", "players")
    for name in ("halls", "transfers", "records"):
        op.drop_table(name)
    for table, columns in ADDED.items():
        for name in columns:
            op.drop_column(table, name)
