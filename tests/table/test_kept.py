"""Kept but not done cannot be, nor done but not kept; and whatever goes wrong in one room harms no other."""

import json
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from coyote.match import Match
from coyote.table import inputs, wire
from coyote.table.store import Store, StoreError, Write, _call_all
from table.kit_inside import Inside
from table.kit_table import PATIENCE, Guest, Json, Seat, Server, seat_two, sqlite_in, well
from table.test_table import POSTGRES, postgres  # noqa: F401 - a fixture

TIMED = {"game": "madness", "begins": "host", "clock": {"minutes": 5}}


def rows(folder: Path, query: str, *values: Any) -> list[Any]:
    connection = sqlite3.connect(folder / "table.sqlite3", timeout=PATIENCE)
    with connection:
        found = connection.execute(query, values).fetchall()
    connection.close()
    return found


def kept(folder: Path, room: str) -> list[Json]:
    query = "SELECT body FROM inputs WHERE room = ? ORDER BY number"
    return [json.loads(body) for (body,) in rows(folder, query, room)]


def closed_with(seat: Seat) -> int:
    """The code that the server ends the connection with."""
    try:
        while True:
            seat.receive()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Inside]:
    with Inside(sqlite_in(tmp_path)).running() as running:
        yield running


@pytest.fixture
def two(server: Inside) -> tuple[tuple[Seat, Seat], tuple[Seat, Seat]]:
    """Two games with clocks; the first one will have its troubles."""
    return seat_two(server, **TIMED), seat_two(server, **TIMED)  # type: ignore[arg-type]


@contextmanager
def untouched(folder: Path, seats: tuple[Seat, Seat]) -> Iterator[None]:
    """Of a game: nothing is written into it, nobody is sent away, and its clocks are as they were."""
    before = kept(folder, seats[0].room)
    updates = [seat.state for seat in seats]
    yield
    for seat, update in zip(seats, updates, strict=True):
        seat.catch_up()
        assert seat.state == update
    assert kept(folder, seats[0].room) == before
    seats[0].do("move", move="pass")
    assert len(kept(folder, seats[0].room)) == len(before) + 1


# ---------------------------------------------------------------- what cannot be done is not kept


def test_an_input_that_fails_changes_nothing_and_is_not_kept(
    tmp_path: Path, two: Any, server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in the rules: whoever moved is told, and the room goes on."""
    (first, second), others = two
    live = server.hall.rooms[first.room]
    assert live.room.match is not None
    bad, play = live.room.match.seed, Match.play

    def raising(self: Match, move: str, seat: int) -> Any:
        result = play(self, move, seat)
        if self.seed == bad:
            raise ZeroDivisionError
        return result

    with untouched(tmp_path, others):
        before, told = kept(tmp_path, first.room), [first.state, second.state]
        monkeypatch.setattr(Match, "play", raising)
        for _ in range(2):
            assert first.refused("move", id="bad", move="pass") == "room.failed"
        assert kept(tmp_path, first.room) == before
        second.catch_up()
        assert [first.state, second.state] == told
        first.do("offer", what="draw")  # whatever works goes on
        monkeypatch.undo()
        first.do("move", id="bad", move="pass")
        second.wait(lambda update: update["view"]["phase"] == "tut")
    assert len(kept(tmp_path, first.room)) == len(before) + 2


def test_a_view_that_fails_ends_one_connection_alone(
    two: Any, server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, second), others = two
    vera = Guest(server, "Vera").sit(first.room)  # type: ignore[arg-type]
    update = wire.update

    def raising(room: Any, viewer: int, *rest: Any) -> wire.Update:
        if viewer == -1:
            raise ZeroDivisionError
        return update(room, viewer, *rest)

    monkeypatch.setattr(wire, "update", raising)
    first.do("move", move="pass")
    second.wait(lambda update: update["view"]["phase"] == "tut")
    assert closed_with(vera) == 1011
    others[0].do("move", move="pass")


def test_one_who_cannot_be_told_does_not_keep_others_from_it() -> None:
    told: list[int] = []

    def fails(_error: Any) -> None:
        raise ZeroDivisionError

    _call_all([lambda _: told.append(1), fails, lambda _: told.append(2)], None)
    assert told == [1, 2]


# ---------------------------------------------------------------- what is there already


def test_a_room_that_the_store_has_gone_on_without_is_loaded_anew(
    tmp_path: Path, two: Any, server: Inside
) -> None:
    """Somebody else has written into it. Its clients come again, and nobody else's clock moves (B1)."""
    (first, second), others = two
    with untouched(tmp_path, others):
        room = server.hall.rooms[first.room].room
        foreign = inputs.Offer(room.at, 1, "foreign", "draw")
        rows(
            tmp_path,
            "INSERT INTO inputs (room, number, at, body) VALUES (?, ?, ?, ?)",
            first.room,
            room.number,
            foreign.at,
            inputs.write_input(foreign),
        )
        first.send(type="move", id="mine", move="pass")
        assert closed_with(first) == closed_with(second) == 1012
        for seat in (first, second):
            seat.reopen()
        assert first.state["offers"] == [[1, "draw"]], "it is as the store has it"
        first.do("move", id="mine", move="pass")
        second.wait(lambda update: update["view"]["phase"] == "tut")
        assert server.hall.failing_since is None, "the store is well"
        assert [one.get("id") for one in kept(tmp_path, first.room)].count("mine") == 1


def test_whoever_had_not_said_hello_comes_again_too(tmp_path: Path, two: Any, server: Inside) -> None:
    (first, _), _ = two
    address = f"ws://{server.host}/api/rooms/{first.room}/socket"
    with connect(address, additional_headers=first.guest.headers) as silent:
        room = server.hall.rooms[first.room].room
        foreign = inputs.write_input(inputs.Offer(room.at, 1, "foreign", "draw"))
        insert = "INSERT INTO inputs (room, number, at, body) VALUES (?, ?, 1, ?)"
        rows(tmp_path, insert, first.room, room.number, foreign)
        first.send(type="move", id="mine", move="pass")
        assert closed_with(first) == 1012
        with pytest.raises(ConnectionClosed) as closed:
            silent.send('{"type": "hello", "version": 1}')
            while True:
                silent.recv(timeout=PATIENCE)
        assert closed.value.rcvd and closed.value.rcvd.code == 1012


# ---------------------------------------------------------------- an answer that is lost


class Losing:
    """A connection to the database: when it is armed, it does what it is told and the answer is lost."""

    def __init__(self, inner: Any, armed: threading.Event) -> None:
        self.inner, self.armed = inner, armed

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def cursor(self) -> "LosingCursor":
        return LosingCursor(self.inner.cursor(), self.armed)


class LosingCursor:
    def __init__(self, inner: sqlite3.Cursor, armed: threading.Event) -> None:
        self.inner, self.armed = inner, armed

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def execute(self, *statement: Any) -> None:
        """What ends a transaction, or is one by itself, has its answer lost."""
        self.inner.execute(*statement)
        if self.armed.is_set() and not self.inner.connection.in_transaction:
            self.armed.clear()
            raise sqlite3.OperationalError("the server closed the connection unexpectedly")


@pytest.fixture
def losing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Inside, threading.Event]]:
    armed, made = threading.Event(), Inside(sqlite_in(tmp_path))
    engine = made.hall.store.engine
    connection: Callable[[], Any] = engine.raw_connection
    monkeypatch.setattr(engine, "raw_connection", lambda: Losing(connection(), armed))
    with made.running() as running:
        yield running, armed


def test_a_commit_whose_answer_is_lost_counts_once(tmp_path: Path, losing: Any) -> None:
    """It is found out by reading back (B3): the mover never learns that anything went wrong."""
    server, armed = losing
    first, second = seat_two(server, **TIMED)
    others = seat_two(server, **TIMED)
    with untouched(tmp_path, others):
        armed.set()
        first.do("move", id="lost", move="pass")
        assert not armed.is_set()
        second.wait(lambda update: update["view"]["phase"] == "tut")
        assert first.request("move", id="lost", move="pass")["type"] == "done"
        first.do("move", move="draw")
        assert [one.get("id") for one in kept(tmp_path, first.room)].count("lost") == 1


def test_where_nobody_knows_whether_it_was_kept_the_room_is_loaded_anew(
    tmp_path: Path, losing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database stays away: whoever comes back asks again, and it counted."""
    server, armed = losing
    first, second = seat_two(server, **TIMED)
    others = seat_two(server, **TIMED)
    away = threading.Event()

    def failing(way: Callable[[Store, Any], Any]) -> Callable[[Store, Any], Any]:
        def ask(self: Store, query: Any) -> Any:
            if away.is_set():
                raise StoreError("away")
            return way(self, query)

        return ask

    for name in ("rows", "_look"):
        monkeypatch.setattr(Store, name, failing(getattr(Store, name)))
    with untouched(tmp_path, others):
        away.set()
        armed.set()
        first.send(type="move", id="lost", move="pass")
        assert closed_with(first) == closed_with(second) == 1012
        assert first.guest.try_to("GET", "/healthz")[0] == 503
        away.clear()
        for seat in (first, second):
            seat.reopen()
        assert first.request("move", id="lost", move="pass")["type"] == "done"
        assert second.state["view"]["phase"] == "tut"
        assert [one.get("id") for one in kept(tmp_path, first.room)].count("lost") == 1


def test_a_new_room_and_its_rematch_outlive_a_lost_answer(tmp_path: Path, losing: Any) -> None:
    server, armed = losing
    anna = Guest(server, "Anna")
    armed.set()
    made = anna.make(game="madness", opponent="self")
    seat = anna.sit(made["room"])
    seat.ready()
    seat.do("resign")
    armed.set()
    seat.do("offer", what="rematch")
    following = anna.sit(seat.state["next"])
    assert following.state["phase"] == "seated"
    assert len(anna.ask("GET", "/api/mine")) == 2


# ---------------------------------------------------------------- a database that goes away


def test_a_database_that_goes_away_and_comes_back(postgres: str) -> None:  # noqa: F811
    """Games go on, each request counts once, and nobody pays for the time."""
    folder = Path(parse_qs(urlsplit(postgres).query)["host"][0])

    def control(*what: str) -> None:
        user = ["runuser", "-u", "postgres", "--"] if folder.owner() == "postgres" else []
        options = ["-o", f"-k {folder} -c listen_addresses=''", "-l", str(folder / "log")]
        command = [*user, str(POSTGRES / "pg_ctl"), "-D", str(folder / "data"), "-w", *options, *what]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)

    with Server(postgres) as running:
        first, second = seat_two(running, **TIMED)
        start = time.monotonic()
        control("-m", "immediate", "stop")
        stopped = time.monotonic()
        first.send(type="move", id="meanwhile", move="pass")
        time.sleep(3)
        control("start")
        away = time.monotonic() - stopped
        end = time.monotonic() + PATIENCE
        while not is_done(first, "meanwhile", "pass"):
            assert time.monotonic() < end
            time.sleep(0.2)
        second.reopen()
        assert second.state["view"]["phase"] == "tut"
        spent = sum(300_000 - left for left in second.state["clocks"]) / 1000
        assert 0 <= spent < time.monotonic() - start - away + 3, (spent, away)
        assert is_done(first, "meanwhile", "pass"), "and it counts once"
        first.do("move", move="draw")


def is_done(seat: Seat, id: str, move: str) -> bool:
    """As a client does: it asks again with the same id, over a new connection where it must."""
    try:
        return seat.request("move", id=id, move=move)["type"] in ("update", "done")
    except ConnectionClosed:
        pass
    try:
        seat.reopen()
    except (ConnectionClosed, OSError):
        return False
    return False


# ---------------------------------------------------------------- rooms that cannot be read


def spoil(folder: Path, room: str, how: str) -> None:
    number = len(kept(folder, room)) - 2
    where = "WHERE room = ? AND number = ?"
    if how == "a row is missing":
        rows(folder, f"DELETE FROM inputs {where}", room, number)
        return
    body = {
        "no JSON": "{",
        "another kind": '{"kind": "magic", "at": 1}',
        "an illegal move": '{"kind": "move", "at": 1, "by": 0, "move": "a1 XX"}',
        "made twice": kept_text(folder, room, 0),
    }[how]
    rows(folder, f"UPDATE inputs SET body = ? {where}", body, room, number)


def kept_text(folder: Path, room: str, number: int) -> str:
    query = "SELECT body FROM inputs WHERE room = ? AND number = ?"
    return str(rows(folder, query, room, number)[0][0])


WAYS = ["no JSON", "another kind", "an illegal move", "made twice", "a row is missing"]


def test_rooms_that_cannot_be_read_harm_no_other(tmp_path: Path) -> None:
    """They are told by name, known to whoever watches, and kept as they are; all others go on at a start."""
    with Inside(sqlite_in(tmp_path)).running() as server:
        games = [seat_two(server, **TIMED) for _ in range(len(WAYS) + 1)]  # type: ignore[arg-type]
        for first, _ in games:
            for move in ("pass", "draw"):
                first.do("move", move=move)
    broken = [first.room for first, _ in games[:-1]]
    for room, how in zip(broken, WAYS, strict=True):
        spoil(tmp_path, room, how)
    before = [kept_count(tmp_path, room) for room in broken]
    with Inside(sqlite_in(tmp_path)).running() as server:
        first, second = games[-1]
        first.guest.server = second.guest.server = server  # type: ignore[assignment]
        end = time.monotonic() + PATIENCE
        while first.room not in server.hall.rooms or len(server.hall.broken) < len(WAYS):
            assert time.monotonic() < end, server.hall.broken
            time.sleep(0.05)
        for seat, room in zip([one for one, _ in games], broken, strict=False):
            seat.guest.server = server  # type: ignore[assignment]
            status, answer = seat.guest.try_to("GET", f"/api/rooms/{room}")
            assert (status, answer["code"]) == (503, "room.broken")
            address = f"ws://{server.host}/api/rooms/{room}/socket"
            with connect(address, additional_headers=seat.guest.headers) as socket:
                assert json.loads(socket.recv(timeout=PATIENCE))["code"] == "room.broken"
            assert seat.guest.ask("GET", "/api/mine")[0]["phase"] == "playing"
        health = well(first.guest)
        assert (health["ok"], health["broken"]) == (True, len(WAYS))
        for seat in (first, second):
            seat.reopen()
        second.do("move", move="pass")
    assert [kept_count(tmp_path, room) for room in broken] == before


def kept_count(folder: Path, room: str) -> int:
    return int(rows(folder, "SELECT count(*) FROM inputs WHERE room = ?", room)[0][0])


# ---------------------------------------------------------------- what is kept together


def test_lists_and_records_come_with_the_input_that_changes_them(
    tmp_path: Path, server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one transaction (C7): there is no moment at which a fall would leave one without the other."""
    writes: list[Write] = []
    put = Store.put

    def noted(self: Store, write: Write, told: Any) -> None:
        writes.append(write)
        put(self, write, told)

    monkeypatch.setattr(Store, "put", noted)
    first, second = seat_two(server, game="madness")  # type: ignore[arg-type]
    second.do("resign")
    first.do("offer", what="rematch")
    second.catch_up()
    second.do("answer", what="rematch", yes=True)
    found = {}
    for write in writes:
        for row in write.inputs:
            kind = json.loads(row["body"])["kind"]
            found[kind, row["room"] == first.room] = (
                [(one["id"], one["phase"]) for one in write.rooms],
                len(write.players),
                len(write.records),
            )
    room, following = first.room, second.state["next"]
    assert found["make", True] == ([(room, "waiting")], 1, 0)
    assert found["join", True] == ([(room, "seated")], 2, 0)
    assert found["ready", True] == ([(room, "playing")], 2, 0)
    assert found["resign", True] == ([(room, "over")], 2, 1)
    assert found["next", True] == found["make", False] == ([(following, "seated"), (room, "over")], 2, 0)
