"""What is kept: the inputs of every room, and who the guests are. SQLite or PostgreSQL, one schema.

One thread writes. It takes everything that waits, of all rooms, makes one transaction of it and says
so to everybody in it, so that a flush to the disk is shared by all who move at that moment.
"""

import asyncio
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from coyote.table.inputs import AnyInput, read_input, write_input
from coyote.text import Refused

MOST_AT_ONCE = 2000  # writes in one transaction
APART = 0.008  # seconds between the beginnings of two transactions; one that comes alone does not wait
MIGRATIONS = Path(__file__).parent / "migrations"
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
)
sa.Index("rooms_by_phase", rooms.c.phase, rooms.c.made_at)
room_inputs = sa.Table(
    "inputs",
    metadata,
    sa.Column("room", sa.String(40), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
players = sa.Table(
    "players",
    metadata,
    sa.Column("guest", sa.String(40), primary_key=True),
    sa.Column("room", sa.String(40), primary_key=True),
)
guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("owner", sa.String(40), nullable=False),  # of a bot: the guest who asked for its token
    sa.Column("made_at", sa.BigInteger, nullable=False),
)
card_sets = sa.Table(
    "card_sets",
    metadata,
    sa.Column("digest", sa.String(40), primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)
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


@dataclass
class Write:
    """Rows that are kept together or not at all."""

    inputs: Sequence[Row] = ()
    rooms: Sequence[Row] = ()  # whole rows, new or changed
    players: Sequence[Row] = ()
    guests: Sequence[Row] = ()
    card_sets: Sequence[Row] = ()
    settings: Sequence[Row] = ()
    told: Callable[["StoreError | None"], None] = lambda error: None
    loop: asyncio.AbstractEventLoop | None = None  # where it is told; None is the writing thread itself

    def add_input(self, room: str, number: int, given: AnyInput) -> None:
        row = {"room": room, "number": number, "at": given.at, "body": write_input(given)}
        self.inputs = (*self.inputs, row)


def _settle(done: "Future[None] | asyncio.Future[None]", error: StoreError | None) -> None:
    if done.done():
        return  # whoever waited has gone
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _call_all(told: Iterable[Callable[[StoreError | None], None]], error: StoreError | None) -> None:
    for tell in told:
        tell(error)


# All inputs of a group in one statement: between two statements the writing thread would have to wait
# for its turn with the event loop's thread, which has much to do just when many moves are made.
ADD_INPUTS = {
    "sqlite": sa.text(
        "INSERT INTO inputs (room, number, at, body) SELECT value ->> 'room', value ->> 'number', "
        "value ->> 'at', value ->> 'body' FROM json_each(:rows)"
    ),
    "postgresql": sa.text(
        "INSERT INTO inputs (room, number, at, body) SELECT room, number, at, body "
        "FROM json_to_recordset(:rows) AS given (room text, number integer, at bigint, body text)"
    ),
}

# Inputs are only ever added. Of the other tables a row that is there already is written anew.
REPLACED: dict[str, tuple[sa.Table, str]] = {
    "rooms": (rooms, "id"),
    "guests": (guests, "id"),
    "card_sets": (card_sets, "digest"),
    "settings": (settings, "name"),
}


def make_engine(url: str) -> sa.Engine:
    engine = sa.create_engine(url, pool_pre_ping=True, pool_size=8)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _durable_sqlite)
    return engine


def _durable_sqlite(connection: Any, _record: Any) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")


def migrate(engine: sa.Engine) -> None:
    """Bring the schema to this version."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    head = ScriptDirectory.from_config(config).get_current_head()
    with engine.begin() as connection:
        if MigrationContext.configure(connection).get_current_revision() == head:
            return
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


class Store:
    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        migrate(self.engine)
        self._add_inputs = ADD_INPUTS[self.engine.dialect.name]
        self._queue: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._alone: deque[Write] = deque()  # to be tried one by one
        self.commits = self.kept = self.refused = 0
        self._next = 0.0  # when the next transaction may begin
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """After everything that waits is kept."""
        self._queue.put(None)
        self._thread.join()
        self.engine.dispose()

    # ------------------------------------------------------------ writing

    async def keep(self, write: Write) -> None:
        """Returns when it is durable; StoreError when it is not and never will be."""
        write.loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = write.loop.create_future()
        write.told = partial(_settle, done)
        self._queue.put(write)
        await done

    def keep_now(self, write: Write) -> None:
        """The same for a thread that may wait."""
        done: Future[None] = Future()
        write.told = partial(_settle, done)
        self._queue.put(write)
        done.result()

    def _write_all(self) -> None:
        connection: sa.Connection | None = None
        while (group := self._next_group()) is not None:
            try:
                connection = connection or self.engine.connect()
                self._commit(connection, group)
            except sa.exc.IntegrityError as error:
                self._undo(connection)
                connection = None
                if len(group) > 1:  # one of them is wrong: the others shall not suffer for it
                    self._alone.extend(group)
                else:
                    self._fail(group, error)
            except (sa.exc.SQLAlchemyError, OSError) as error:
                self._undo(connection)
                connection = None
                self._fail(group, error)
        if connection:
            connection.close()

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
        """Transactions that follow each other too closely have few writes in them, and each has its price."""
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + APART

    def _commit(self, connection: sa.Connection, group: list[Write]) -> None:
        with connection.begin():
            for name, (table, key) in REPLACED.items():
                for rows in (getattr(write, name) for write in group):
                    for row in rows:
                        self._replace(connection, table, key, row)
            if found := [row for write in group for row in write.inputs]:
                connection.execute(self._add_inputs, {"rows": msgspec.json.encode(found).decode()})
            for row in (row for write in group for row in write.players):
                connection.execute(sa.insert(players), row)
        self.commits += 1
        self.kept += len(group)
        self._tell(group, None)

    def _tell(self, group: list[Write], error: "StoreError | None") -> None:
        """A loop is woken once for all of them."""
        for loop in {write.loop for write in group}:
            ours = [write.told for write in group if write.loop is loop]
            if loop is None:
                _call_all(ours, error)
            elif not loop.is_closed():
                loop.call_soon_threadsafe(_call_all, ours, error)

    def _replace(self, connection: sa.Connection, table: sa.Table, key: str, row: Row) -> None:
        column = table.c[key]
        rest = {name: value for name, value in row.items() if name != key}
        if not connection.execute(sa.update(table).where(column == row[key]).values(rest)).rowcount:
            connection.execute(sa.insert(table), row)

    def _undo(self, connection: sa.Connection | None) -> None:
        """Begin with a new connection: nobody knows what state the old one is in."""
        if connection is not None:
            connection.invalidate()
            connection.close()

    def _fail(self, group: list[Write], error: Exception) -> None:
        self.refused += len(group)
        self._tell(group, StoreError(type(error).__name__))

    # ------------------------------------------------------------ reading; each in a thread of its own

    def _rows(self, query: sa.Select[Any]) -> Sequence[Row]:
        try:
            with self.engine.connect() as connection:
                return [dict(row) for row in connection.execute(query).mappings()]
        except (sa.exc.SQLAlchemyError, OSError) as error:
            raise StoreError(type(error).__name__) from None

    def inputs_of(self, room: str) -> list[AnyInput]:
        query = sa.select(room_inputs.c.body).where(room_inputs.c.room == room)
        return [read_input(row["body"]) for row in self._rows(query.order_by(room_inputs.c.number))]

    def card_set(self, digest: str) -> str | None:
        found = self._rows(sa.select(card_sets.c.body).where(card_sets.c.digest == digest))
        return str(found[0]["body"]) if found else None

    def waiting(self, most: int = 100) -> Sequence[Row]:
        query = sa.select(rooms).where(rooms.c.phase == "waiting", rooms.c.listed)
        return self._rows(query.order_by(rooms.c.made_at.desc()).limit(most))

    def rooms_of(self, guest: str, most: int = 200) -> Sequence[Row]:
        query = sa.select(rooms).join(players, players.c.room == rooms.c.id).where(players.c.guest == guest)
        return self._rows(query.order_by(rooms.c.made_at.desc()).limit(most))

    def going_on(self) -> list[str]:
        """Rooms that need the server though nobody is connected."""
        query = sa.select(rooms.c.id).where(rooms.c.phase.in_(("seated", "playing")), rooms.c.watched)
        return [str(row["id"]) for row in self._rows(query)]

    def unfinished(self, guest: str) -> int:
        query = (
            sa.select(sa.func.count().label("n"))
            .select_from(rooms.join(players, players.c.room == rooms.c.id))
            .where(players.c.guest == guest, rooms.c.phase.in_(("waiting", "seated", "playing")))
        )
        return int(self._rows(query)[0]["n"])

    def guest(self, id: str) -> Row | None:
        found = self._rows(sa.select(guests).where(guests.c.id == id))
        return found[0] if found else None

    def setting(self, name: str) -> str | None:
        found = self._rows(sa.select(settings.c.value).where(settings.c.name == name))
        return str(found[0]["value"]) if found else None

    def signing_key(self) -> bytes:
        """Made once; cookies and tokens are signed with it."""
        found = self.setting("signing_key")
        if found is None:
            found = secrets.token_hex(32)
            self.keep_now(Write(settings=[{"name": "signing_key", "value": found}]))
        return bytes.fromhex(found)

    def last_alive(self) -> int | None:
        """When the server last said that it runs."""
        found = self.setting("alive")
        return None if found is None else int(found)
