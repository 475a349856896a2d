"""What became of each guest's games, whose turn it is; names and open games are found quickly.

The new columns of older rows are filled in by the server, room by room: only the rules know them.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ADDED: dict[str, tuple[sa.types.TypeEngine[Any], str]] = {
    "made_at": (sa.BigInteger(), "0"),
    "game": (sa.String(40), ""),
    "edition": (sa.String(40), ""),
    "against": (sa.String(40), ""),
    "other": (sa.String(40), ""),
    "party": (sa.Integer(), "0"),
    "deck": (sa.Text(), ""),
    "their_deck": (sa.Text(), ""),
    "outcome": (sa.String(10), ""),
    "turns": (sa.Integer(), "0"),
    "lasted": (sa.BigInteger(), "0"),
    "ended_at": (sa.BigInteger(), "0"),
}


def upgrade() -> None:
    for name, (kind, usual) in ADDED.items():
        op.add_column("players", sa.Column(name, kind, nullable=False, server_default=usual))
    op.execute(
        "UPDATE players SET made_at = COALESCE((SELECT made_at FROM rooms WHERE rooms.id = players.room), 0)"
    )
    op.add_column("inputs", sa.Column("turn", sa.SmallInteger(), nullable=True))
    op.create_index("players_by_time", "players", ["guest", "made_at"])
    op.create_index("players_unknown", "players", ["game", "room"])
    op.create_index("rooms_listed", "rooms", ["listed", "phase", "touched_at"])
    op.create_index("guests_by_name", "guests", ["name"])


def downgrade() -> None:
    for name, table in (
        ("guests_by_name", "guests"),
        ("rooms_listed", "rooms"),
        ("players_unknown", "players"),
        ("players_by_time", "players"),
    ):
        op.drop_index(name, table)
    op.drop_column("inputs", "turn")
    for name in ADDED:
        op.drop_column("players", name)
