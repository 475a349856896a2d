"""Seven levels of the computer instead of five: those of before keep their names, and have new numbers.

Records that people have taken away with them tell the old numbers.
"""

from hashlib import sha256

from alembic import op

revision = "0010"
down_revision = "0009"

# In this order nobody is renamed twice; backwards the new ones, 2 and 4, become their neighbours below.
NOW = (("5", "7"), ("4", "6"), ("3", "5"), ("2", "3"))
BEFORE = (("2", "1"), ("3", "2"), ("4", "2"), ("5", "3"), ("6", "4"), ("7", "5"))
JSON = (("rooms", "about"), ("inputs", "body"), ("records", "body"), ("boards", "body"))
RATED = (
    ("rated_games", "first"),
    ("rated_games", "second"),
    ("rated_games", "aborted_by"),
    ("rating_steps", "who"),
    ("ratings", "who"),
    ("skills", "who"),
)


def upgrade() -> None:
    for old, new in NOW:
        rename(old, new)


def downgrade() -> None:
    for name in ("2", "4"):  # what is known of those that there were not; ratings can be computed anew
        for table in ("rating_steps", "ratings", "skills"):
            op.execute(f"DELETE FROM {table} WHERE who = 'bot:level:{name}'")
    for new, old in BEFORE:
        rename(new, old)


def rename(old: str, new: str) -> None:
    op.execute(f"UPDATE players SET against = 'level:{new}' WHERE against = 'level:{old}'")
    for table, column in RATED:
        op.execute(f"UPDATE {table} SET {column} = 'bot:level:{new}' WHERE {column} = 'bot:level:{old}'")
    for table, column in JSON:
        op.execute(
            f"UPDATE {table} SET {column} = REPLACE({column}, '\"level:{old}\"', '\"level:{new}\"')"
            f" WHERE {column} LIKE '%\"level:{old}\"%'"
        )
    who = f"bot:level:{new}"
    shown = sha256(f"ladder {who}".encode()).hexdigest()[:16]
    op.execute(f"UPDATE ratings SET shown = '{shown}' WHERE who = '{who}'")
