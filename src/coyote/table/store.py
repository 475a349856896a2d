"""What is kept: the inputs of every room, and who the guests are. SQLite or PostgreSQL, one schema.

One thread writes. It takes everything that waits, of all rooms, makes one transaction of it and says
so to everybody in it, so that a flush to the disk is shared by all who move at that moment.

A SQLite file belongs to one process. With PostgreSQL several may run; each room has one owner, and every
write shows the room's epoch, which grows when another process takes the room over: what a former owner
still wants to write is not kept, and it is told `Lost`.
"""

import asyncio
import logging
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from coyote.table.inputs import AnyInput, read_input, write_input
from coyote.table.metrics import Metrics
from coyote.text import Refused

log = logging.getLogger("coyote.table")

MOST_AT_ONCE = 2000  # writes in one transaction
APART = 0.003  # seconds at least between the beginnings of two transactions; a lone one does not wait
LONG = 0.05  # seconds that a transaction takes; the next does not wait for one that took longer
LEASE = 6_000  # milliseconds after which a process that says nothing is taken for dead
FREE = "-"  # the owner of a room that nobody needs now: whoever asks for it has it
HELD = LEASE // 2  # milliseconds that a stopped process may keep others from a room that it was writing to
IN_TIME = {  # what becomes of a connection to a machine that does not answer any more: seconds, or ms
    "connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}  # fmt: skip
MIGRATIONS = Path(__file__).parent / "migrations"
SCHEMA = "0010"  # the last of them
POSTGRESQL: sa.Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
Row = dict[str, Any]

metadata = sa.MetaData()
rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("phase", sa.String(10), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),  # on the open list, while it waits
    sa.Column("watched", sa.Boolean, nullable=False),  # has a clock or a bot: goes on with nobody there
    sa.Column("about", sa.Text, nullable=False),  # JSON for lists: game, options, clock, names
    sa.Column("touched_at", sa.BigInteger, nullable=False, server_default="0"),  # when its phase last changed
    sa.Column("owner", sa.String(40), nullable=False, server_default=""),  # the hall that has it
    sa.Column("epoch", sa.Integer, nullable=False, server_default="0"),  # how often it got a new owner
    sa.Column("fell_at", sa.BigInteger, nullable=False, server_default="0"),  # until its clocks know of it
)
sa.Index("rooms_by_phase", rooms.c.phase, rooms.c.made_at)
sa.Index("rooms_listed", rooms.c.listed, rooms.c.phase, rooms.c.touched_at)
room_inputs = sa.Table(
    "inputs",
    metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("turn", sa.SmallInteger),  # who owes a choice after it (`played.turn_mask`)
)
players = sa.Table(
    "players",
    metadata,
    sa.Column("guest", sa.String(40), primary_key=True),
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("made_at", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("game", sa.String(40), nullable=False, server_default=""),  # "": not filled in yet
    sa.Column("edition", sa.String(40), nullable=False, server_default=""),
    sa.Column("against", sa.String(40), nullable=False, server_default=""),  # a bot, `person` or `self`
    sa.Column("other", sa.String(40), nullable=False, server_default=""),  # which guest
    sa.Column("party", sa.Integer, nullable=False, server_default="0"),
    sa.Column("deck", sa.Text, nullable=False, server_default=""),  # a ready one's name, or a code
    sa.Column("their_deck", sa.Text, nullable=False, server_default=""),
    sa.Column("outcome", sa.String(10), nullable=False, server_default=""),  # "": not over
    sa.Column("turns", sa.Integer, nullable=False, server_default="0"),
    sa.Column("lasted", sa.BigInteger, nullable=False, server_default="0"),  # milliseconds
    sa.Column("ended_at", sa.BigInteger, nullable=False, server_default="0"),
)
sa.Index("players_by_room", players.c.room)
sa.Index("players_by_time", players.c.guest, players.c.made_at)
sa.Index("players_unknown", players.c.game, players.c.room)
guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("owner", sa.String(40), nullable=False),  # of a bot: the guest who asked for its token
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("seen_at", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("valid_from", sa.BigInteger, nullable=False, server_default="0"),  # older cookies do not count
    sa.Column("banned", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column(
        "named", sa.Boolean, nullable=False, server_default=sa.false()
    ),  # chose the name: may be listed
)
sa.Index("guests_by_name", guests.c.name)
records = sa.Table(  # of finished games, as text: whatever becomes of the rules, they stay readable
    "records",
    metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)
transfers = sa.Table(  # one-time codes by which a guest comes to another device
    "transfers",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),  # SHA-256 of the code
    sa.Column("guest", sa.String(40), nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)
halls = sa.Table(  # the processes that have rooms; times are milliseconds of the database's own clock
    "halls",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("address", sa.String(100), nullable=False),  # where the others reach it
    sa.Column("until", sa.BigInteger, nullable=False),  # it is alive until then, if it does not say so again
    sa.Column("alive", sa.BigInteger, nullable=False),  # its game time when it last said so
    sa.Column("parted", sa.Integer, nullable=False, server_default="0"),  # how often a room went from it
)
card_sets = sa.Table(
    "card_sets",
    metadata,
    sa.Column("digest", sa.String(40), primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)
sets = sa.Table(  # of guests: a draft, and what they have published of it
    "sets",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("guest", sa.String(40), nullable=False),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("sight", sa.String(10), nullable=False),  # `private`, `link` or `listed`
    sa.Column("text", sa.Text, nullable=False),  # the draft: a TOML file, as it was written
    sa.Column("decks", sa.Text, nullable=False),  # JSON: names and cards
    sa.Column("revision", sa.Integer, nullable=False),  # grows with every change
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("changed_at", sa.BigInteger, nullable=False),
)
sa.Index("sets_by_guest", sets.c.guest, sets.c.changed_at)
sa.Index("sets_listed", sets.c.sight, sets.c.changed_at)
set_versions = sa.Table(  # never changed; their cards are in `card_sets`
    "set_versions",
    metadata,
    sa.Column("set", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("digest", sa.String(40), nullable=False),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("cards", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
)
sa.Index("versions_by_digest", set_versions.c.digest)
sa.Index("versions_once", set_versions.c.set, set_versions.c.digest, unique=True)
variants = sa.Table(  # house rules with a name
    "variants",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("guest", sa.String(40), nullable=False),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON, as the game writes them
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("changed_at", sa.BigInteger, nullable=False),
)
sa.Index("variants_by_guest", variants.c.guest, variants.c.changed_at)
sa.Index("variants_listed", variants.c.listed, variants.c.changed_at)
weighings = sa.Table(  # what guests want to know of cards and decks: one of each guest's at a time
    "weighings",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("guest", sa.String(40), nullable=False, unique=True),
    sa.Column("asked", sa.Text, nullable=False),  # JSON
    sa.Column("state", sa.String(10), nullable=False),  # `waiting`, `playing`, `done`, `failed`
    sa.Column("progress", sa.Float, nullable=False),  # from 0 to 1
    sa.Column("found", sa.Text, nullable=False),  # JSON; "": nothing yet
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("hall", sa.String(40), nullable=False),  # the process that plays it
    sa.Column("alive", sa.BigInteger, nullable=False),  # when that one last said so
)
sa.Index("weighings_by_state", weighings.c.state, weighings.c.made_at)
rated_games = sa.Table(  # the inputs of all ratings: one row for each finished game that is rated
    "rated_games",
    metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("edition", sa.String(40), nullable=False),
    sa.Column("clock", sa.String(40), nullable=False),  # its class
    sa.Column("first", sa.String(50), nullable=False),  # in seat 0: a guest, or `bot:` and its name
    sa.Column("second", sa.String(50), nullable=False),
    sa.Column("score", sa.Double, nullable=False),  # of seat 0: 1, 0.5 or 0
    sa.Column("aborted_by", sa.String(50), nullable=False),  # "": played to an end
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("luck", sa.Double),  # how much of the score was seat 0's luck; null: not known
    sa.Column("looked", sa.Boolean, nullable=False, server_default=sa.false()),  # whether that was looked for
    sa.Column("number", sa.Integer, unique=True),  # the order in which they counted; null: not yet
    sa.Column("counts", sa.String(10)),  # as what it did; follows from the others
)
sa.Index("rated_by_first", rated_games.c.first, rated_games.c.ended_at)
sa.Index("rated_by_aborted", rated_games.c.aborted_by, rated_games.c.ended_at)
sa.Index("rated_by_looked", rated_games.c.counts, rated_games.c.looked, rated_games.c.number)
rating_steps = sa.Table(  # what a game made of a rating; follows from `rated_games`
    "rating_steps",
    metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("who", sa.String(50), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("edition", sa.String(40), nullable=False),
    sa.Column("clock", sa.String(40), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("before", sa.Double, nullable=False),  # the rating; the rest is after it
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
)
_POOL = ("game", "edition", "clock")
sa.Index("steps_by_who", rating_steps.c.who, *(rating_steps.c[name] for name in _POOL), rating_steps.c.number)
ratings = sa.Table(  # the last step of each; follows from `rated_games`
    "ratings",
    metadata,
    sa.Column("who", sa.String(50), primary_key=True),
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("edition", sa.String(40), primary_key=True),
    sa.Column("clock", sa.String(40), primary_key=True),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column(
        "shown", sa.String(20), nullable=False
    ),  # by what a page names a player: it tells no guest's id
)
sa.Index("ratings_by_pool", *(ratings.c[name] for name in _POOL), ratings.c.rating)
sa.Index("ratings_shown", ratings.c.shown)
skills = sa.Table(  # the same from results less their luck; follows from `rated_games`
    "skills",
    metadata,
    sa.Column("who", sa.String(50), primary_key=True),
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("edition", sa.String(40), primary_key=True),
    sa.Column("clock", sa.String(40), primary_key=True),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),  # of the last game that is in it
)
sa.Index("skills_by_pool", *(skills.c[name] for name in _POOL), skills.c.number)
boards = sa.Table(  # deals that several tables play
    "boards",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("phase", sa.String(10), nullable=False),
    sa.Column("body", sa.Text, nullable=False),  # JSON (`boards.Board`)
)
sa.Index("boards_by_phase", boards.c.phase, boards.c.made_at)
board_rooms = sa.Table(
    "board_rooms",
    metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("board", sa.String(40), nullable=False),
)
sa.Index("board_rooms_by_board", board_rooms.c.board)
pars = sa.Table(  # what a strong bot makes of the deal of a finished game
    "pars",
    metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("body", sa.Text, nullable=False),  # JSON (`par.Par`)
)
tournaments = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("host", sa.String(40), nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("phase", sa.String(10), nullable=False),
    sa.Column("body", sa.Text, nullable=False),  # JSON (`tournaments.Tournament`)
)
sa.Index("tournaments_by_phase", tournaments.c.phase, tournaments.c.made_at)
sa.Index("tournaments_by_host", tournaments.c.host, tournaments.c.phase)
settings = sa.Table(
    "settings",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)


class StoreError(Refused):
    """Nothing of this was kept: the disk or the database refuses. `why` is for the log."""

    def __init__(self, why: str) -> None:
        super().__init__("room.not_kept")
        self.why = why


class Unsure(StoreError):
    """Nobody knows whether it was kept: the database went away with the answer, and stays away."""


class Stale(StoreError):
    """The store has gone on without this room: it is to be loaded anew."""


class Lost(Stale):
    """The room belongs to another process now."""

    def __init__(self) -> None:
        super().__init__("Lost")


class Fence(NamedTuple):
    """A room, and the epoch in which it is written to."""

    room: str
    epoch: int


class Claim(NamedTuple):
    """A room that is ours now; `since`: when the last owner was known to live that its clocks ran at."""

    epoch: int
    since: int


class Held(NamedTuple):
    """A room that another process has, and where that is reached."""

    address: str


class Write(msgspec.Struct):
    """Rows that are kept together or not at all."""

    inputs: Sequence[Row] = ()
    rooms: Sequence[Row] = ()  # whole rows, new or changed
    players: Sequence[Row] = ()
    guests: Sequence[Row] = ()
    card_sets: Sequence[Row] = ()
    records: Sequence[Row] = ()
    rated_games: Sequence[Row] = ()
    settings: Sequence[Row] = ()
    seen: Sequence[Row] = ()  # guests by `id` who were here `at` that time
    fence: Fence | None = None  # the room that must still be ours
    told: Callable[["StoreError | None"], None] = lambda error: None
    loop: asyncio.AbstractEventLoop | None = None  # where it is told; None is the writing thread itself
    since: float = 0.0  # when it came

    def add_input(self, room: str, number: int, given: AnyInput, turn: int | None = None) -> None:
        row = {"room": room, "number": number, "at": given.at, "body": write_input(given), "turn": turn}
        self.inputs = [*self.inputs, row]


def _settle(done: "Future[None] | asyncio.Future[None]", error: StoreError | None) -> None:
    if done.done():
        return  # whoever waited has gone
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _call_all(told: Iterable[Callable[[StoreError | None], None]], error: StoreError | None) -> None:
    for tell in told:
        try:
            tell(error)
        except Exception as fault:  # whoever comes after it has nothing to do with it
            log.error("was kept, and could not be told", exc_info=fault)


# ---------------------------------------------------------------- statements

# Inputs are only ever added. Of the other tables a row that is there already is written anew.
TABLES: dict[str, tuple[sa.Table, bool]] = {
    "rooms": (rooms, True),
    "guests": (guests, True),
    "card_sets": (card_sets, True),
    "records": (records, True),
    "rated_games": (rated_games, True),
    "settings": (settings, True),
    "inputs": (room_inputs, False),
    "players": (players, True),
}
STAYS = {  # when a row is written anew
    "rooms": ("made_at", "owner", "epoch"),
    "guests": ("made_at",),
}
DEFAULTS = {  # that no such row tells
    "guests": ("valid_from", "banned"),
    "rated_games": ("luck", "looked", "number", "counts"),
}
SEEN = {
    "sqlite": "UPDATE guests SET seen_at = given.at FROM (SELECT value ->> 'id' AS id, value ->> 'at' AS at "
    "FROM json_each(:rows)) AS given WHERE guests.id = given.id",
    "postgresql": "UPDATE guests SET seen_at = given.at FROM json_to_recordset(%(rows)s::json) "
    "AS given (id text, at bigint) WHERE guests.id = given.id",
}
# Inputs of rooms that are still this process's. No room goes from a process without a change of that
# process's own row, which is locked here until the end of the transaction: one row, however many rooms are
# written to. If it is as it was when somebody last looked, then the rooms are as this statement sees them.
FENCED = (
    "WITH given AS MATERIALIZED (SELECT * FROM json_to_recordset(%(rows)s::json) AS given "
    "(fence text, epoch integer, room text, number integer, at bigint, body text, turn smallint)), "
    "unchanged AS MATERIALIZED "
    "(SELECT id FROM halls WHERE id = %(hall)s AND parted = %(parted)s FOR SHARE), "
    "ours AS MATERIALIZED (SELECT rooms.id, rooms.epoch FROM unchanged, rooms "
    "WHERE (rooms.id, rooms.epoch) IN (SELECT fence, epoch FROM given) AND owner = %(hall)s), "
    "kept AS (INSERT INTO inputs (room, number, at, body, turn) "
    "SELECT room, number, at, body, turn FROM given "
    "JOIN ours ON ours.id = fence AND ours.epoch = given.epoch WHERE number IS NOT NULL) "
    "SELECT id, epoch FROM ours UNION ALL SELECT id, NULL FROM unchanged"
)
NOW = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    "postgresql": "CAST(extract(epoch from clock_timestamp()) * 1000 AS bigint)",
}
# Each of these is one statement and so a transaction by itself: a process that is stopped in between holds
# nobody up. A room goes from a process only together with a change of that process's row, which waits for
# what the process is just writing, and which a process that says that it is alive notices.
ALIVE = (
    "UPDATE halls SET address = :address, until = {now} + :lease, alive = :alive "
    "FROM (SELECT id AS me, until AS was FROM halls WHERE id = :id FOR UPDATE) AS before "
    "WHERE id = me RETURNING was > {now}"
)
ARRIVED = (
    "INSERT INTO halls (id, address, until, alive) VALUES (:id, :address, {now} + :lease, :alive) "
    "ON CONFLICT (id) DO UPDATE SET address = excluded.address, until = excluded.until, "
    "alive = excluded.alive"
)
TAKE = (
    "WITH before AS MATERIALIZED "
    "(SELECT id AS room, owner AS was, epoch AS old FROM rooms WHERE id = :room), "
    "parting AS (INSERT INTO halls (id, address, until, alive, parted) "
    "SELECT was, '', 0, 0, 1 FROM before WHERE was NOT IN ('', '{free}') "
    "ON CONFLICT (id) DO UPDATE SET parted = halls.parted + 1 WHERE halls.until <= {now} OR halls.id = :me "
    "RETURNING id) "
    "UPDATE rooms SET owner = :me, epoch = epoch + 1, fell_at = CASE WHEN fell_at > 0 THEN fell_at ELSE "
    "COALESCE((SELECT alive FROM halls WHERE halls.id = was), "
    "(SELECT CAST(value AS bigint) FROM settings WHERE name = 'alive'), 1) END "
    "FROM before WHERE id = room AND owner = was AND epoch = old "
    "AND (was IN ('', '{free}') OR EXISTS (SELECT FROM parting)) "
    "RETURNING epoch, fell_at"
)
PARTED = (
    "INSERT INTO halls (id, address, until, alive) VALUES (%(hall)s, '', 0, 0) "
    "ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING parted"
)
LET_GO = (
    "WITH parting AS (UPDATE halls SET parted = parted + 1 WHERE id = :me RETURNING id) "
    "UPDATE rooms SET owner = '{free}' FROM json_to_recordset(CAST(:fences AS json)) "
    "AS given (room text, epoch integer) "
    "WHERE id = given.room AND rooms.epoch = given.epoch AND owner = :me AND EXISTS (SELECT FROM parting)"
)


def add_rows(table: sa.Table, replaces: bool, dialect: str) -> str:
    """All rows of a group in one statement: between two statements the writing thread would have to wait
    for its turn with the event loop's thread, which has much to do just when many moves are made."""
    columns = [column for column in table.columns if column.name not in DEFAULTS.get(table.name, ())]
    names = ", ".join(column.name for column in columns)
    if dialect == "sqlite":
        values = ", ".join(f"value ->> '{column.name}'" for column in columns)
        source = f"SELECT {values} FROM json_each(:rows) WHERE true"
    else:
        kinds = ", ".join(f"{c.name} {c.type.compile(dialect=POSTGRESQL)}" for c in columns)
        source = f"SELECT {names} FROM json_to_recordset(%(rows)s::json) AS given ({kinds})"
    statement = f"INSERT INTO {table.name} ({names}) {source}"
    if not replaces:
        return statement
    key = key_of(table)
    changed = [c.name for c in columns if c.name not in key and c.name not in STAYS.get(table.name, ())]
    sets = ", ".join(f"{name} = excluded.{name}" for name in changed)
    return f"{statement} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {sets}"


def key_of(table: sa.Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.primary_key)


def make_engine(url: str) -> sa.Engine:
    """Refused where a program that it needs is not installed."""
    read = sa.make_url(url)
    if read.drivername in ("postgresql", "postgres"):
        read = read.set(drivername="postgresql+psycopg")
    local = read.get_backend_name() == "sqlite"
    in_time = {} if local else {name: value for name, value in IN_TIME.items() if name not in read.query}
    try:
        engine = sa.create_engine(read, pool_pre_ping=not local, pool_size=8, connect_args=in_time)
    except ModuleNotFoundError as error:
        raise Refused("room.no_driver", name=error.name) from None
    if local:
        sa.event.listen(engine, "connect", _durable_sqlite)
    return engine


def _durable_sqlite(connection: Any, _record: Any) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")


def _hold_nobody_up(connection: Any, _record: Any) -> None:
    """A process that is stopped in the middle of a transaction loses it, before it is taken for dead."""
    connection.execute(f"SET idle_in_transaction_session_timeout = {HELD}")
    connection.execute(f"SET lock_timeout = {LEASE}")
    connection.commit()


def expire(url: str, hall: str) -> None:
    """That process is dead: nobody need wait for it."""
    engine = make_engine(url)
    try:
        with engine.begin() as connection:
            connection.execute(sa.update(halls).where(halls.c.id == hall).values(until=0))
    except (sa.exc.SQLAlchemyError, OSError) as error:
        raise StoreError(type(error).__name__) from None
    finally:
        engine.dispose()


def migrate(engine: sa.Engine, upto: str = "head") -> None:
    """Bring the schema to this version, or to an earlier one. Alembic is large, and seldom needed."""
    found = schema_of(engine)
    if found == SCHEMA:
        return
    if found is not None and found > SCHEMA:
        raise Refused("room.newer_database")
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # of several processes that begin at once, one does it
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(hashtext('coyote migrations'))"))
        config.attributes["connection"] = connection
        command.upgrade(config, upto)


def schema_of(engine: sa.Engine) -> str | None:
    """The last step of the schema that was taken; None where there is nothing yet."""
    if not sa.inspect(engine).has_table("alembic_version"):
        return None
    with engine.connect() as connection:
        return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


class Store:
    def __init__(self, url: str, hall: str = "") -> None:
        """`hall`: this process, among those that share the database."""
        self.engine = make_engine(url)
        self.dialect = self.engine.dialect.name
        self.shared = self.dialect == "postgresql"
        self.hall = (hall or secrets.token_hex(8)) if self.shared else "alone"
        if self.shared:
            sa.event.listen(self.engine, "connect", _hold_nobody_up)
        driver: Any = self.engine.dialect.loaded_dbapi
        self._integrity: type[Exception] = driver.IntegrityError
        self._errors = (driver.Error, sa.exc.SQLAlchemyError, OSError)
        migrate(self.engine)
        self._add = {name: add_rows(table, new, self.dialect) for name, (table, new) in TABLES.items()}
        self._queue: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._alone: deque[Write] = deque()  # to be tried one by one
        self.commits = self.kept = self.refused = 0
        self.metrics: Metrics | None = None  # those of the hall
        self._next = 0.0  # when the next transaction may begin
        self._parted = -1  # how often a room went from this process, when somebody last looked
        self.busy_since: float | None = None  # when those came that are being kept now
        # On a disk that refuses, nobody could open a connection to see what it has kept.
        self._looking = None if self.shared else self.engine.connect()
        self._look(sa.select(settings.c.value).limit(1))
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """After everything that waits is kept."""
        self._queue.put(None)
        self._thread.join()
        if self._looking is not None:
            self._looking.close()
        self.engine.dispose()

    # ------------------------------------------------------------ writing

    def put(self, write: Write, told: Callable[[StoreError | None], None]) -> None:
        """Tells the loop when it is durable, or that it is not and never will be."""
        write.loop, write.told, write.since = asyncio.get_running_loop(), told, time.monotonic()
        self._queue.put(write)

    async def keep(self, write: Write) -> None:
        """Returns when it is durable; StoreError when it is not and never will be."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.put(write, partial(_settle, done))
        await done

    def keep_now(self, write: Write) -> None:
        """The same for a thread that may wait."""
        done: Future[None] = Future()
        write.told, write.since = partial(_settle, done), time.monotonic()
        self._queue.put(write)
        done.result()

    def _write_all(self) -> None:
        connection: Any = None
        while (group := self._next_group()) is not None:
            self.busy_since, began = group[0].since, time.monotonic()
            try:
                connection = connection or self._connect()
                self._commit(connection, group)
            except self._errors as error:
                self._drop(connection)
                connection = None
                self._not_kept(group, error)
            self.busy_since = None
            self._next = began + max(APART, 2 * min(time.monotonic() - began, LONG))
        if connection:
            connection.close()

    def _connect(self) -> Any:
        """For the one thread that writes. SQLite's driver shall begin and end nothing by itself."""
        connection: Any = self.engine.raw_connection()
        if not self.shared:
            connection.driver_connection.isolation_level = None
        return connection

    def _next_group(self) -> list[Write] | None:
        if self._alone:
            return [self._alone.popleft()]
        first = self._queue.get()
        if first is None:
            return None
        self._let_others_come()
        group = [first]
        while len(group) < MOST_AT_ONCE:
            try:
                write = self._queue.get_nowait()
            except queue.Empty:
                break
            if write is None:
                self._queue.put(None)
                break
            group.append(write)
        return group

    def _let_others_come(self) -> None:
        """Transactions that follow each other too closely have few writes in them, and each has its price: so
        they take half of the time at most."""
        if (wait := self._next - time.monotonic()) > 0:
            time.sleep(wait)

    def _commit(self, connection: Any, group: list[Write]) -> None:
        began = time.monotonic()
        cursor = connection.cursor()
        fenced = [write for write in group if write.fence] if self.shared else []
        lost = self._keep_fenced(cursor, fenced) if fenced else []
        gone = {id(write) for write in lost}
        ours = [write for write in group if id(write) not in gone]
        statements = self._statements(ours, bool(fenced))
        if self.shared:
            self._execute(cursor, statements)
            connection.commit()
        elif len(statements) == 1:  # it is a transaction by itself: once there and back for the thread
            self._execute(cursor, statements)
        else:
            cursor.execute("BEGIN IMMEDIATE")
            self._execute(cursor, statements)
            cursor.execute("COMMIT")
        cursor.close()
        if self.metrics:
            self.metrics.time("store_wait_seconds", began - group[0].since)
            self.metrics.time("store_commit_seconds", time.monotonic() - began)
        self.commits += 1
        self.kept += len(ours)
        self._tell(ours, None)
        self._tell(lost, Lost())

    def _statements(self, group: list[Write], inputs_are_kept: bool) -> list[tuple[str, list[Row]]]:
        """What is to be executed, with all rows of a kind in one."""
        found = []
        for name, (table, replaces) in TABLES.items():
            these = [w for w in group if not w.fence] if inputs_are_kept and name == "inputs" else group
            rows = [row for write in these for row in getattr(write, name)]
            if replaces:
                key = key_of(table)
                rows = list({tuple(row[name] for name in key): row for row in rows}.values())
            found.append((self._add[name], rows))
        found.append((SEEN[self.dialect], [row for write in group for row in write.seen]))
        return [(statement, rows) for statement, rows in found if rows]

    def _execute(self, cursor: Any, statements: list[tuple[str, list[Row]]]) -> None:
        for statement, rows in statements:
            cursor.execute(statement, {"rows": msgspec.json.encode(rows).decode()})

    def _keep_fenced(self, cursor: Any, group: list[Write]) -> list[Write]:
        """The inputs of rooms that are still ours; those writes whose room another process has taken."""
        rows = []
        for write in group:
            assert write.fence is not None
            fence = {"fence": write.fence.room, "epoch": write.fence.epoch}
            rows += [{**fence, **row} for row in write.inputs] or [fence]
        given = msgspec.json.encode(rows).decode()
        found: set[Any] = set()
        while (self.hall, None) not in found:
            cursor.execute(FENCED, {"rows": given, "hall": self.hall, "parted": self._parted})
            found = set(cursor.fetchall())
            if not found:  # a room went from us meanwhile, or nobody has looked yet
                cursor.execute(PARTED, {"hall": self.hall})
                self._parted = cursor.fetchone()[0]
        return [write for write in group if write.fence not in found]

    def _tell(self, group: list[Write], error: StoreError | None) -> None:
        """A loop is woken once for all of them."""
        for loop in {write.loop for write in group}:
            ours = [write.told for write in group if write.loop is loop]
            if loop is None:
                _call_all(ours, error)
            elif not loop.is_closed():
                loop.call_soon_threadsafe(_call_all, ours, error)

    def _drop(self, connection: Any) -> None:
        """Begin with a new connection: nobody knows what state the old one is in."""
        if connection is not None:
            connection.invalidate()

    # ------------------------------------------------------------ what was not kept, or may have been

    def _not_kept(self, group: list[Write], error: Exception) -> None:
        """One wrong write shall not harm the others; and a lost answer does not say that nothing was kept."""
        if isinstance(error, self._integrity):
            if len(group) > 1:
                self._alone.extend(group)
            else:
                self._fail(group, Stale(type(error).__name__))
            return
        for write in group:
            kept = self._was_kept(write)
            if kept:
                self._tell([write], None)
            else:
                why = type(error).__name__
                self._fail([write], Unsure(why) if kept is None else StoreError(why))

    def _was_kept(self, write: Write) -> bool | None:
        """By its inputs, which nobody else can have written; None where the database does not answer."""
        if not write.inputs:
            return False  # a row that may be written again
        row = write.inputs[0]
        there = sa.select(room_inputs.c.body).where(
            room_inputs.c.room == row["room"], room_inputs.c.number == row["number"]
        )
        try:
            if self.shared:  # the transaction may go on without us: it has locked our row until its end
                self._do("SELECT id FROM halls WHERE id = :me FOR UPDATE", me=self.hall)
            found = self._look(there)
        except StoreError:
            return None
        return bool(found == row["body"])

    def _look(self, query: sa.Select[Any]) -> Any:
        """One value, whatever state the disk is in."""
        if self._looking is None:
            return next((next(iter(row.values())) for row in self.rows(query)), None)
        try:
            return self._looking.execute(query).scalar()
        except (sa.exc.SQLAlchemyError, OSError) as error:
            raise StoreError(type(error).__name__) from None
        finally:
            self._looking.rollback()

    def _fail(self, group: list[Write], error: StoreError) -> None:
        self.refused += len(group)
        self._tell(group, error)

    # ------------------------------------------------------------ owners

    def now(self) -> int:
        """The database's time, which all processes share."""
        with self.engine.connect() as connection:
            return int(connection.execute(sa.text(f"SELECT {NOW[self.dialect]}")).scalar_one())

    def say_alive(self, address: str, alive: int) -> bool:
        """This process lives for another while. Whether it has been taken for dead meanwhile."""
        values = {"id": self.hall, "address": address, "lease": LEASE, "alive": alive}
        in_time = self._do(ALIVE, **values) if self.shared else []
        if not in_time:
            self._do(ARRIVED, **values)
        return self.shared and not (in_time and in_time[0][0])

    def say_goodbye(self, alive: int) -> None:
        """The others need not wait for this process any longer."""
        self._do("UPDATE halls SET until = 0, alive = :alive WHERE id = :id", id=self.hall, alive=alive)

    def is_first(self) -> bool:
        """Whether this is the one of all living processes that does what one of them has to do."""
        query = "SELECT min(id) FROM halls WHERE until > {now}"
        return not self.shared or self._do(query)[0][0] == self.hall

    def bury(self, address: str) -> None:
        """Nobody is at that address any more: whoever was may be taken for dead at once."""
        self._do("UPDATE halls SET until = 0 WHERE address = :address AND until > 0", address=address)

    def claim(self, room: str) -> Claim | Held | None:
        """Have the room, unless a living process has it; None where there is none of that id."""
        if not self.shared:
            return Claim(0, self.last_alive())
        while True:
            if held := self.whereabouts(room):
                return held
            if taken := self._do(TAKE, me=self.hall, room=room):
                return Claim(*map(int, taken[0]))
            if self.room(room) is None:
                return None

    def whereabouts(self, room: str) -> Held | None:
        """The living process that has a room, if it is another one."""
        query = (
            sa.select(halls.c.address)
            .select_from(rooms.join(halls, halls.c.id == rooms.c.owner))
            .where(rooms.c.id == room, halls.c.until > sa.text(NOW[self.dialect]), halls.c.id != self.hall)
        )
        found = self.rows(query)
        return Held(str(found[0]["address"])) if found else None

    def ours(self, fences: Collection[Fence]) -> set[Fence]:
        """Those of the rooms that no other process has taken."""
        mine = self.rows(sa.select(rooms.c.id, rooms.c.epoch).where(rooms.c.owner == self.hall))
        return {Fence(row["id"], row["epoch"]) for row in mine} & set(fences)

    def let_go(self, fences: Sequence[Fence]) -> None:
        """Rooms that this process does not need any more are anybody's."""
        given = msgspec.json.encode([fence._asdict() for fence in fences]).decode()
        self._do(LET_GO, fences=given, me=self.hall)

    def last_alive(self, hall: str = "alone") -> int:
        """When a process last said that it runs, by its own game time; 0 where it never did."""
        found = self.rows(sa.select(halls.c.alive).where(halls.c.id == hall))
        return int(found[0]["alive"]) if found else int(self.setting("alive") or 0)

    def _do(self, statement: str, **values: Any) -> Sequence[Any]:
        """One statement that is a transaction by itself, and the rows that it tells."""
        asked = sa.text(statement.replace("{now}", NOW[self.dialect]).replace("{free}", FREE))
        try:
            with self.engine.connect() as connection:
                alone = connection.execution_options(isolation_level="AUTOCOMMIT")
                done = alone.execute(asked, values)
                return done.all() if done.returns_rows else []
        except (sa.exc.SQLAlchemyError, OSError) as error:
            raise StoreError(type(error).__name__) from None

    # ------------------------------------------------------------ reading; each in a thread of its own

    def rows(self, query: sa.Select[Any]) -> Sequence[Row]:
        try:
            with self.engine.connect() as connection:
                return [dict(row) for row in connection.execute(query).mappings()]
        except (sa.exc.SQLAlchemyError, OSError) as error:
            raise StoreError(type(error).__name__) from None

    def inputs_of(self, room: str) -> list[AnyInput]:
        """All of them, in order; ValueError where some are missing or cannot be read."""
        query = sa.select(room_inputs.c.number, room_inputs.c.body).where(room_inputs.c.room == room)
        found = self.rows(query.order_by(room_inputs.c.number))
        if found and found[-1]["number"] != len(found) - 1:
            raise ValueError("inputs are missing")
        return [read_input(row["body"]) for row in found]

    def card_set(self, digest: str) -> str | None:
        found = self.rows(sa.select(card_sets.c.body).where(card_sets.c.digest == digest))
        return str(found[0]["body"]) if found else None

    def listed(self, phase: str, most: int = 100, since: int = 0) -> Sequence[Row]:
        """Rooms that are open to everybody, those first that have come to that phase last."""
        query = sa.select(rooms).where(rooms.c.listed, rooms.c.phase == phase, rooms.c.touched_at >= since)
        return self.rows(query.order_by(rooms.c.touched_at.desc()).limit(most))

    def rooms_of(self, guest: str, most: int = 200) -> Sequence[Row]:
        query = sa.select(rooms).join(players, players.c.room == rooms.c.id).where(players.c.guest == guest)
        return self.rows(query.order_by(rooms.c.made_at.desc()).limit(most))

    def going_on(self) -> list[str]:
        """Rooms that need a server though nobody is connected, and that no living process has."""
        query = sa.select(rooms.c.id).where(rooms.c.phase.in_(("seated", "playing")), rooms.c.watched)
        if self.shared:
            living = sa.select(halls.c.id).where(halls.c.until > sa.text(NOW[self.dialect]))
            query = query.where(rooms.c.owner.not_in(living), rooms.c.owner != FREE)
        return [str(row["id"]) for row in self.rows(query)]

    def record(self, room: str) -> str | None:
        found = self.rows(sa.select(records.c.body).where(records.c.room == room))
        return str(found[0]["body"]) if found else None

    def room(self, id: str) -> Row | None:
        found = self.rows(sa.select(rooms).where(rooms.c.id == id))
        return found[0] if found else None

    def unfinished(self, guest: str) -> tuple[int, int]:
        """How many rooms of a guest are not finished, and how many of them wait on the open list."""
        open_list = sa.case((sa.and_(rooms.c.phase == "waiting", rooms.c.listed), 1), else_=0)
        query = (
            sa.select(sa.func.count().label("n"), sa.func.coalesce(sa.func.sum(open_list), 0).label("open"))
            .select_from(rooms.join(players, players.c.room == rooms.c.id))
            .where(players.c.guest == guest, rooms.c.phase.in_(("waiting", "seated", "playing")))
        )
        found = self.rows(query)[0]
        return int(found["n"]), int(found["open"])

    def unknown_games(self, after: str, most: int = 50) -> list[str]:
        """Rooms of an older server, of which is not noted yet what was played there, in the order of ids."""
        query = sa.select(players.c.room).where(players.c.game == "", players.c.room > after).distinct()
        return [str(row["room"]) for row in self.rows(query.order_by(players.c.room).limit(most))]

    def without_record(self, after: str, most: int = 50) -> list[str]:
        """Finished games whose record is not kept yet, in the order of their ids."""
        query = sa.select(rooms.c.id).where(
            rooms.c.phase == "over", rooms.c.id > after, rooms.c.id.not_in(sa.select(records.c.room))
        )
        return [str(row["id"]) for row in self.rows(query.order_by(rooms.c.id).limit(most))]

    def guest(self, id: str) -> Row | None:
        found = self.rows(sa.select(guests).where(guests.c.id == id))
        return found[0] if found else None

    def has_name(self, name: str) -> bool:
        return bool(self.rows(sa.select(guests.c.id).where(guests.c.name == name).limit(1)))

    def setting(self, name: str) -> str | None:
        found = self.rows(sa.select(settings.c.value).where(settings.c.name == name))
        return str(found[0]["value"]) if found else None

    def signing_key(self) -> bytes:
        """Made once, by whichever process comes first; cookies and tokens are signed with it."""
        found = self.setting("signing_key")
        if found is None:
            self._do(
                "INSERT INTO settings (name, value) VALUES ('signing_key', :new) ON CONFLICT DO NOTHING",
                new=secrets.token_hex(32),
            )
            found = self.setting("signing_key")
            assert found is not None
        return bytes.fromhex(found)


# ---------------------------------------------------------------- for whoever can wait


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


@contextmanager
def changing(store: Store, isolation: str = "") -> Iterator[sa.Connection]:
    """One transaction; StoreError where it cannot be kept."""
    engine = store.engine.execution_options(isolation_level=isolation) if isolation else store.engine
    try:
        with engine.begin() as connection:
            yield connection
    except (sa.exc.SQLAlchemyError, OSError) as error:
        raise StoreError(type(error).__name__) from None


def rows(store: Store, query: sa.Select[Any]) -> list[Row]:
    try:
        with store.engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]
    except (sa.exc.SQLAlchemyError, OSError) as error:
        raise StoreError(type(error).__name__) from None
