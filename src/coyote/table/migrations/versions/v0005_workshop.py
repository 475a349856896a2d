"""Sets of guests with their versions, house rules with a name, weighings."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

TABLES: dict[str, list[sa.Column[Any]]] = {
    "sets": [
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("sight", sa.String(10), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("decks", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
    ],
    "set_versions": [
        sa.Column("set", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String(40), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("cards", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
    ],
    "variants": [
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
    ],
    "weighings": [
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False, unique=True),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("progress", sa.Float, nullable=False),
        sa.Column("found", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("hall", sa.String(40), nullable=False),
        sa.Column("alive", sa.BigInteger, nullable=False),
    ],
}
INDEXES = {
    "sets_by_guest": ("sets", ["guest", "changed_at"]),
    "sets_listed": ("sets", ["sight", "changed_at"]),
    "versions_by_digest": ("set_versions", ["digest"]),
    "variants_by_guest": ("variants", ["guest", "changed_at"]),
    "variants_listed": ("variants", ["listed", "changed_at"]),
    "weighings_by_state": ("weighings", ["state", "made_at"]),
}


def upgrade() -> None:
    for name, columns in TABLES.items():
        op.create_table(name, *columns)
    for name, (table, on) in INDEXES.items():
        op.create_index(name, table, on)
    op.create_index("versions_once", "set_versions", ["set", "digest"], unique=True)


def downgrade() -> None:
    for name in reversed(TABLES):
        op.drop_table(name)
