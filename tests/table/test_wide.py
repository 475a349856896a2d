"""Several processes on one PostgreSQL: each room has one owner, and nothing that was acknowledged is lost."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.datastructures import Headers
from websockets.exceptions import WebSocketException

from coyote.fairness import check_fair, seal
from coyote.table import ladder
from coyote.table.gate import Caller, Gate
from coyote.table.limits import Limits
from coyote.table.passing import MOVED, PASSED, Gone, Lines, Word, pass_socket, socket_request
from coyote.table.store import (
    FREE,
    LEASE,
    NOW,
    TAKE,
    Claim,
    Fence,
    Held,
    Lost,
    Store,
    StoreError,
    Write,
    expire,
    room_inputs,
)
from coyote.table.tournaments import MOST_ROUNDS
from table import kit_wide
from table.kit_raw import upgrade
from table.kit_table import Guest, Json, Seat, Server, play_on
from table.kit_wide import Postgres, Trial, Workers, lost_and_found, running
from table.test_store import renumbered

SLOW = 60.0  # seconds after which something does not happen any more


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    if not kit_wide.BIN.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("the tests need PostgreSQL 15: apt-get install postgresql-15")
        pytest.skip("PostgreSQL 15 is not installed")
    with Postgres() as running:
        yield running


@pytest.fixture(scope="module")
def workers(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    with Workers(postgres.url, 3, tmp_path_factory.mktemp("workers")) as started:
        yield started
        assert started.stop() == 0


class At(Server):
    """A server that somebody else has started."""

    def __init__(self, host: str) -> None:
        self.host = host


def guest_at(guest: Guest, host: str) -> Guest:
    """The same person, who comes to another process."""
    moved = Guest.__new__(Guest)
    moved.__dict__.update(guest.__dict__)
    moved.server = At(host)
    return moved


def until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + SLOW
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.05)


# ---------------------------------------------------------------- passing on


def test_whoever_comes_anywhere_is_in_the_same_room(workers: Workers, postgres: Postgres) -> None:
    """A player, the other one and a spectator, each at another process; and all requests about a room."""
    one, two, three = (At(host) for host in workers.inner)
    anna, boris = one.guest("Anna"), two.guest("Boris")
    made = anna.make(game="madness", opponent="open")
    anna_there = guest_at(anna, three.host)
    assert made["room"] in [row["room"] for row in three.guest("Vera").ask("GET", "/api/waiting")]
    boris.join(made)
    seats = anna.sit(made["room"]), boris.sit(made["room"])
    watching = three.guest("Vera").sit(made["room"])
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.wait(lambda update: update["phase"] == "playing")
    play_on(seats, Random(1), 6)
    looks = [server.guest("Zoe").ask("GET", f"/api/rooms/{made['room']}") for server in (one, two, three)]
    assert looks[0]["update"]["n"] == looks[1]["update"]["n"] == looks[2]["update"]["n"]
    presence = {"type": "presence", "here": [True, True], "watching": 1, "claim": None}
    assert looks[0]["presence"] == presence
    again = anna_there.sit(made["room"])  # the same player at two processes at once
    assert again.state["view"] == seats[0].state["view"]
    store = Store(postgres.url)
    held = store.whereabouts(made["room"])
    store.close()
    assert held is not None  # who has the room has all sockets, and each process those that came to it
    assert workers.sockets() == [
        4 if workers.inner[k] == held.address else n for k, n in enumerate((1, 1, 2))
    ]
    play_on(seats, Random(2))
    for seat in (*seats, watching, again):
        seat.wait(lambda update: update["phase"] == "over")
    records = {json.dumps(server.guest("Zoe").ask("GET", f"/api/rooms/{made['room']}/record"))
               for server in (one, two, three)}  # fmt: skip
    assert len(records) == 1
    for seat in (*seats, watching, again):
        seat.close()
    until(lambda: workers.sockets() == [0, 0, 0])


def test_what_is_refused_is_refused_in_the_same_words(workers: Workers) -> None:
    one, two, three = (At(host) for host in workers.inner)
    anna = one.guest("Anna")
    made = anna.make(game="madness", opponent="link")
    anna.sit(made["room"]).close()  # from now on the first process has it, or another: somebody has
    for server in (one, two, three):
        boris = server.guest("Boris")
        assert boris.try_to("POST", f"/api/rooms/{made['room']}/join", {"invite": "no"})[0] == 403
        status, body = boris.try_to("POST", f"/api/rooms/{made['room']}/join", b"{")
        assert (status, body["code"]) == (422, "room.malformed")
        assert boris.try_to("GET", f"/api/rooms/{made['room']}/record")[1]["code"] == "room.not_over"
        assert boris.try_to("GET", "/api/rooms/nothing-there")[0] == 404


def test_only_a_process_of_the_table_is_believed() -> None:
    word, other = Word(), Word()
    word.derive(b"key")
    other.derive(b"another key")
    gate = Gate(lambda *_: None, Limits())  # type: ignore[arg-type]
    gate.word = word
    path, caller = "/api/rooms/abc/socket", ("192.0.2.7", "https")
    for said, expected in (
        (word.give("abc", caller), Caller(*caller)),
        (word.give("abd", caller), None),  # for another room
        (word.give("abc", caller, time.time() - 3600), None),  # long ago
        (other.give("abc", caller), None),  # of another table
        (word.give("abc", caller).replace("192.0.2.7", "192.0.2.8"), None),
        ("0" * 64, None), ("", None), ("ü x y z", None),
    ):  # fmt: skip
        headers = Headers(raw=[(PASSED.encode(), said.encode("latin-1"))])
        assert gate.caller(("198.51.100.1", 5), headers, path=path) == (
            expected or Caller("198.51.100.1", "http")
        ), said
    assert Word().take(path, {PASSED: Word().give("abc", caller)}) is None  # nobody is, without a key


def test_what_a_client_says_of_who_it_is_is_not_passed_on() -> None:
    request = upgrade("h", "/api/rooms/abc/socket", "", f"{PASSED}: forged", "X-Coyote-Passed: twice")
    sent = socket_request(request, "ours")
    assert sent.lower().count(PASSED.encode()) == 1
    assert sent.endswith(f"\r\n{PASSED}: ours\r\n\r\n".encode())
    assert b"Sec-WebSocket-Key" in sent


def test_what_was_passed_on_is_not_passed_on_again(workers: Workers, postgres: Postgres) -> None:
    """It is told that the room has moved, for a request and for a socket."""
    anna = At(workers.inner[0]).guest("Anna")
    room = anna.make(game="madness", opponent="link")["room"]
    seat = anna.sit(room)
    store, word = Store(postgres.url), Word()
    word.derive(store.signing_key())
    held = store.whereabouts(room)
    store.close()
    assert held is not None
    other = next(host for host in workers.inner if host != held.address)
    said = word.give(room, ("192.0.2.7", "http"))

    async def ask(request: bytes) -> bytes:
        host, _, port = other.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(request)
        found = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), SLOW)
        writer.close()
        return found.lower()

    look = f"GET /api/rooms/{room} HTTP/1.1\r\nHost: {other}\r\n{PASSED}: {said}\r\n\r\n".encode()
    for request in (look, upgrade(other, f"/api/rooms/{room}/socket", "", f"{PASSED}: {said}")):
        head = asyncio.run(ask(request))
        assert head.startswith(b"http/1.1 503 ") and MOVED.encode() in head
    seat.close()


def test_a_passed_socket_goes_no_faster_than_it_is_read(tmp_path: Path) -> None:
    """Nothing piles up between the two; all of it comes, in order; and the end is passed on, too."""
    part, parts = bytes(range(256)) * 256, 400  # 26 MB
    written = 0

    async def owner(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal written
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        for _ in range(parts):
            writer.write(part)
            written += len(part)
            await writer.drain()
        assert await reader.read() == b"bye"
        writer.close()

    async def course() -> None:
        store = Store(f"sqlite:///{tmp_path / 'x.sqlite3'}")
        lines, ended = Lines(10, store), asyncio.Event()
        far = await asyncio.start_server(owner, "127.0.0.1", 0)
        address = f"127.0.0.1:{far.sockets[0].getsockname()[1]}"

        class Opening(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                assert isinstance(transport, asyncio.Transport)
                self.task = asyncio.ensure_future(
                    pass_socket(lines, transport, lambda _: ended.set(), "r", address, b"GET\r\n\r\n")
                )

        near = await asyncio.get_running_loop().create_server(Opening, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*near.sockets[0].getsockname()[:2], limit=1000)
        before = -1
        while not 0 < written == before:  # until it stands still
            before = written
            await asyncio.sleep(0.5)
        assert lines.open == 1
        assert written < 20_000_000, "it was read though nobody wanted it"
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        for _ in range(parts):
            assert await reader.readexactly(len(part)) == part
        writer.write(b"bye")
        writer.write_eof()
        assert await asyncio.wait_for(reader.read(), SLOW) == b""
        writer.close()
        await asyncio.wait_for(ended.wait(), SLOW)
        while lines.open:
            await asyncio.sleep(0.01)
        far.close()
        near.close()
        with pytest.raises(Gone):  # nobody there
            await lines.connect(address, asyncio.Protocol)
        store.close()

    asyncio.run(asyncio.wait_for(course(), SLOW))


# ---------------------------------------------------------------- owners, as the database has them


@pytest.fixture(scope="module")
def quiet(postgres: Postgres) -> str:
    """A database where no table runs, which would take the rooms of processes that do not live."""
    return postgres.another("quiet")


def test_the_five_levels_of_before_have_their_new_numbers(postgres: Postgres) -> None:
    renumbered(postgres.another("levels"))


@pytest.fixture
def two(quiet: str) -> Iterator[tuple[Store, Store]]:
    """Two processes, as the store sees them, and a room."""
    first, second = Store(quiet, "first"), Store(quiet, "second")
    for store in (first, second):
        store._do("DELETE FROM rooms WHERE id = 'room'")
        store._do("DELETE FROM inputs WHERE room = 'room'")
        store.say_alive(f"{store.hall}:1", 1000)
    first.keep_now(Write(rooms=[a_room()]))
    yield first, second
    for store in (first, second):
        store._do("DELETE FROM halls WHERE id IN ('first', 'second')")
        store.close()


def a_room(phase: str = "playing") -> dict[str, object]:
    return {"id": "room", "made_at": 1, "phase": phase, "listed": False, "watched": True, "about": "{}",
            "touched_at": 1, "owner": FREE, "epoch": 0, "fell_at": 0}  # fmt: skip


def an_input(fence: Fence, number: int) -> Write:
    row = {"room": "room", "number": number, "at": 1, "body": f"{fence.epoch}"}
    return Write(inputs=[row], fence=fence)


def test_a_room_has_one_owner_and_no_other_writes(two: tuple[Store, Store]) -> None:
    first, second = two
    claim = first.claim("room")
    assert isinstance(claim, Claim) and claim.epoch == 1
    assert second.claim("room") == Held("first:1") == second.whereabouts("room")
    assert first.whereabouts("room") is None and first.claim("nothing") is None
    first.keep_now(an_input(Fence("room", 1), 0))
    expire(str(first.engine.url), "first")
    taken = second.claim("room")
    assert isinstance(taken, Claim) and taken.epoch == 2
    with pytest.raises(Lost):  # it stood, and wakes up
        first.keep_now(an_input(Fence("room", 1), 1))
    second.keep_now(an_input(Fence("room", 2), 1))
    with pytest.raises(Lost):
        second.keep_now(an_input(Fence("room", 1), 2))  # an epoch of long ago, though the room is its own
    assert first.say_alive("first:1", 3000) and not first.say_alive("first:1", 4000)
    assert first.ours([Fence("room", 1)]) == set() and second.ours([Fence("room", 2)]) == {Fence("room", 2)}
    assert first.claim("room") == Held("second:1")


def test_who_is_taken_for_dead_notices_it_even_at_the_last_moment(two: tuple[Store, Store]) -> None:
    """A claim and a sign of life at the same time: one comes first, and the other knows."""
    first, second = two
    for _ in range(20):
        second._do("UPDATE rooms SET owner = 'first' WHERE id = 'room'")
        first._do("UPDATE halls SET until = {now} + 2 WHERE id = 'first'")

        async def both() -> tuple[bool, object]:
            return await asyncio.gather(
                asyncio.to_thread(first.say_alive, "first:1", 1000), asyncio.to_thread(second.claim, "room")
            )

        late, claim = asyncio.run(both())
        if isinstance(claim, Claim):
            assert late, "it lost a room, and believes that it was in time"
        second._do("UPDATE rooms SET owner = '-' WHERE id = 'room'")


def test_of_all_that_live_one_does_what_one_has_to_do(two: tuple[Store, Store]) -> None:
    first, second = two
    assert first.is_first() and not second.is_first()
    expire(str(first.engine.url), "first")
    assert second.is_first() and not first.is_first()
    first.say_alive("first:1", 2000)
    assert first.is_first() and not second.is_first()


def test_whoever_takes_a_room_over_waits_for_what_is_being_kept(two: tuple[Store, Store]) -> None:
    first, second = two
    first._do("UPDATE rooms SET watched = false WHERE id = 'room'")  # the real workers leave it alone
    claim = first.claim("room")
    assert isinstance(claim, Claim)
    first.keep_now(an_input(Fence("room", claim.epoch), 0))
    expire(str(first.engine.url), "first")
    connection = first._connect()
    assert first._keep_fenced(connection.cursor(), [an_input(Fence("room", claim.epoch), 1)]) == []
    with ThreadPoolExecutor() as pool:
        taking = pool.submit(second.claim, "room")
        wait([taking], timeout=0.5)
        assert not taking.done()
        connection.commit()
        assert isinstance(taking.result(), Claim)
    connection.close()
    assert len(second.rows(sa.select(room_inputs).where(room_inputs.c.room == "room"))) == 2


def test_whoever_writes_while_a_room_is_being_taken_is_told(two: tuple[Store, Store]) -> None:
    first, second = two
    first._do("UPDATE rooms SET watched = false WHERE id = 'room'")  # the real workers leave it alone
    claim = first.claim("room")
    assert isinstance(claim, Claim)
    first.keep_now(an_input(Fence("room", claim.epoch), 0))
    expire(str(first.engine.url), "first")
    with ThreadPoolExecutor() as pool, second.engine.connect() as connection:
        take = TAKE.replace("{now}", NOW["postgresql"]).replace("{free}", FREE)
        connection.execute(sa.text(take), {"me": "second", "room": "room"})
        writing = pool.submit(first.keep_now, an_input(Fence("room", claim.epoch), 1))
        wait([writing], timeout=0.5)
        assert not writing.done()
        connection.commit()
        with pytest.raises(Lost):
            writing.result()


def test_of_many_rooms_only_the_one_that_was_taken_is_lost(two: tuple[Store, Store]) -> None:
    """What a process writes at once may have rooms of both kinds in it."""
    first, second = two
    first._do("UPDATE rooms SET watched = false WHERE id = 'room'")  # the real workers leave it alone
    first._do("DELETE FROM rooms WHERE id = 'other'")
    first._do("DELETE FROM inputs WHERE room = 'other'")
    first.keep_now(Write(rooms=[a_room() | {"id": "other", "watched": False}]))
    fences = []
    for room in ("room", "other"):
        claim = first.claim(room)
        assert isinstance(claim, Claim)
        fences.append(Fence(room, claim.epoch))
    first.keep_now(an_input(fences[0], 0))
    expire(str(first.engine.url), "first")
    assert isinstance(second.claim("room"), Claim)
    first.say_alive("first:1", 2000)
    row = {"room": "other", "number": 0, "at": 1, "body": "kept"}
    told: dict[str, StoreError | None] = {}
    group = [an_input(fences[0], 1), Write(inputs=[row], fence=fences[1])]
    for name, write in zip(("room", "other"), group, strict=True):
        write.told = partial(told.__setitem__, name)
    connection = first._connect()
    first._commit(connection, group)
    connection.close()
    assert isinstance(told["room"], Lost) and told["other"] is None


def test_rooms_that_nobody_needs_are_left_alone(two: tuple[Store, Store]) -> None:
    """Those of a dead process are looked for; those that were let go are not, until somebody comes."""
    first, second = two
    claim = first.claim("room")
    assert isinstance(claim, Claim)
    assert "room" not in second.going_on()
    expire(str(first.engine.url), "first")
    assert "room" in second.going_on()
    first.say_alive("first:1", 2000)
    first.let_go([Fence("room", claim.epoch - 1)])  # no longer true
    assert second.whereabouts("room") == Held("first:1")
    first.let_go([Fence("room", claim.epoch)])
    assert "room" not in second.going_on() and isinstance(second.claim("room"), Claim)


def test_when_a_process_fell_is_known_until_the_clocks_know_it(two: tuple[Store, Store]) -> None:
    """Whoever takes a room over may fall before it has told the room: the time does not begin anew."""
    first, second = two
    assert isinstance(first.claim("room"), Claim)
    first.keep_now(Write(rooms=[a_room()]))  # its clocks run here
    first.say_alive("first:1", 5000)
    expire(str(first.engine.url), "first")
    assert second.claim("room") == Claim(2, 5000)
    second.say_alive("second:1", 9000)
    assert second.claim("room") == Claim(3, 5000)  # once more, for something went wrong
    expire(str(first.engine.url), "second")
    first.say_alive("first:1", 11_000)
    assert first.claim("room") == Claim(4, 5000)
    first.keep_now(Write(rooms=[a_room()], fence=Fence("room", 4)))
    first.say_alive("first:1", 13_000)
    expire(str(first.engine.url), "first")
    second.say_alive("second:1", 14_000)
    assert second.claim("room") == Claim(5, 13_000)


def test_a_process_that_stops_within_a_transaction_holds_nobody_up(two: tuple[Store, Store]) -> None:
    first, second = two
    assert isinstance(first.claim("room"), Claim)
    expire(str(second.engine.url), "first")
    with first.engine.connect() as connection:  # so far it had come
        connection.execute(sa.text("SELECT id FROM halls WHERE id = 'first' FOR SHARE"))
        assert isinstance(second.claim("room"), Claim)  # though nobody ends the transaction but the database
        with pytest.raises(sa.exc.DBAPIError):
            connection.execute(sa.text("SELECT 1"))
        connection.invalidate()


def test_processes_that_start_together_have_one_key(postgres: Postgres) -> None:
    stores = [Store(postgres.url) for _ in range(4)]
    stores[0]._do("DELETE FROM settings WHERE name = 'signing_key'")

    async def course() -> list[bytes]:
        return await asyncio.gather(*(asyncio.to_thread(store.signing_key) for store in stores))

    before = stores[0]._do("SELECT value FROM settings WHERE name = 'signing_key'")
    assert not before
    assert len(set(asyncio.run(course()))) == 1
    for store in stores:
        store.close()


# ---------------------------------------------------------------- the supervisor


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "coyote", "table", "--workers", "2", "--lang", "en"]
    command += ["--db", f"sqlite:///{tmp_path / 'x.sqlite3'}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode != 0 and "PostgreSQL" in found.stderr and "Traceback" not in found.stderr
    assert not (tmp_path / "x.sqlite3").exists()


def test_a_worker_that_dies_is_started_again_and_none_outlives_its_supervisor(
    postgres: Postgres, tmp_path: Path
) -> None:
    with Workers(postgres.url, 2, tmp_path) as table:
        before = table.pids()
        os.kill(before[0], signal.SIGKILL)
        until(lambda: table.pids()[0] != before[0])
        assert table.pids()[1] == before[1]
        assert table.lines("worker died")[0]["code"] == -signal.SIGKILL
        until(lambda: At(table.inner[0]).guest("Anna").ask("GET", "/api/me")["name"] == "Anna"
              if can_connect(table.inner[0]) else False)  # fmt: skip
        pids = table.pids()
        table.process.kill()
        table.close()
        until(lambda: not any(is_running(pid) for pid in pids))


def can_connect(address: str) -> bool:
    import socket

    host, _, port = address.partition(":")
    try:
        socket.create_connection((host, int(port))).close()
    except OSError:
        return False
    return True


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# ---------------------------------------------------------------- the club


def patiently(wanted: Callable[[], Any]) -> Any:
    """What comes of it, once whoever has died is replaced, or their rooms are taken over."""
    end = time.monotonic() + SLOW
    while True:
        try:
            return wanted()
        except (OSError, AssertionError, WebSocketException):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def sit_at(guest: Guest, room: str) -> Seat:
    """Where the cards are dealt."""

    def sit() -> Seat:
        seat = guest.sit(room)
        assert seat.state["phase"] in ("playing", "over")
        return seat

    seat: Seat = patiently(sit)
    return seat


class Club:
    """Four people, each at one of two processes, who play a tournament and a board."""

    def __init__(self, hosts: list[str]) -> None:
        self.people = [
            At(hosts[n % 2]).guest(name) for n, name in enumerate(("Anna", "Boris", "Vera", "Gleb"))
        ]
        self.nonces = [[f"{n:x}{k:x}" * 16 for k in range(1, MOST_ROUNDS + 1)] for n in range(4)]

    def move_to(self, hosts: list[str]) -> None:
        self.people = [guest_at(guest, hosts[n % len(hosts)]) for n, guest in enumerate(self.people)]

    def ask(self, n: int, path: str, **body: Any) -> Json:
        found: Json = patiently(lambda: self.people[n].ask("POST" if body else "GET", path, body or None))
        return found

    def begin(self) -> None:
        clock = {"minutes": 10}
        terms = {"game": "madness", "options": {"edition": "classic"}, "clock": clock, "rated": True}
        made = self.ask(0, "/api/tournaments", name="Friday", duplicate=True, **terms)
        self.tournament = f"/api/tournaments/{made['tournament']}"
        self.board = f"/api/boards/{self.ask(1, '/api/boards', game='madness')['board']}"
        for n, own in enumerate(self.nonces):
            self.ask(n, f"{self.tournament}/join", seals=list(map(seal, own)))
        for n in (0, 2, 3):
            self.people[n].ask("POST", f"{self.board}/join", {})
        self.people[0].ask("POST", f"{self.tournament}/start", {})
        for n in range(4):
            self.ask(n, f"{self.board}/seal", seal=seal(f"{n}a" * 16))
        for n in range(4):
            self.ask(n, f"{self.board}/ready", nonce=f"{n}a" * 16)

    def open_round(self) -> list[Json]:
        """Its games, once the cards are dealt."""
        number = len(self.ask(0, self.tournament)["rounds"]) - 1
        for n, own in enumerate(self.nonces):
            opening = self.ask(n, self.tournament)["opening"]
            if opening and opening["place"] is not None and not opening["ready"][opening["place"]]:
                self.ask(n, f"{self.tournament}/ready", nonce=own[number])
        found = self.ask(3, self.tournament)
        assert found["opening"] is None
        games: list[Json] = found["rounds"][-1]
        return games

    def is_past(self, number: int) -> bool:
        found = self.ask(1, self.tournament)
        return found["phase"] == "over" or len(found["rounds"]) > number + 1

    def board_rooms(self) -> list[str]:
        places = {self.ask(n, self.board)["mine"]: n for n in range(4)}
        return [self.ask(places[2 * t], self.board)["tables"][t]["room"] for t in range(2)]


def test_a_tournament_and_a_board_outlive_a_process(postgres: Postgres, tmp_path: Path) -> None:
    """Through two processes, one of which is killed while all tables play; ratings follow from the games."""
    url = postgres.another("club")
    with Workers(url, 2, tmp_path) as table:
        club = Club(table.inner)
        club.begin()
        games = club.open_round()
        for game in games:  # both have moved when it happens
            play_on(both(club, game), Random(game["room"]), 4)
        killed = table.pids()[0]
        os.kill(killed, signal.SIGKILL)
        club.move_to(table.inner[1:])
        for number in range(3):
            games = club.open_round()
            rooms = [game["room"] for game in games]
            for game in games:
                first, second = both(club, game)
                assert first.seat == 0 and second.seat == 1
                first.do("resign")
            until(lambda: table.pids()[0] != killed and can_connect(table.inner[0]))
            club.move_to(table.inner)  # it is there again
            until(partial(club.is_past, number))
            records = [club.ask(n, f"/api/rooms/{room}/record") for n, room in enumerate(rooms)]
            assert records[0]["deck"] == records[1]["deck"]
            for record in records:
                check_fair(record)
        found = club.ask(2, club.tournament)
        assert found["phase"] == "over" and sum(player["points"] for player in found["players"]) == 6
        for n, room in enumerate(club.board_rooms()):
            seats = [seat for seat in map(partial(try_to_sit, room=room), club.people) if seat]
            next(seat for seat in seats if seat.seat == n).do("resign")  # A1, then A2
        until(lambda: club.ask(0, club.board)["phase"] == "over")
        assert club.ask(3, club.board)["points"] == [-1.0, 1.0]
        store = Store(url)
        until(lambda: ladder.fold(store) == 0)
        recomputed = ladder.recompute(store)
        assert (recomputed.games, recomputed.players, recomputed.changed) == (6, 4, 0)
        store.close()


def both(club: Club, game: Json) -> tuple[Seat, Seat]:
    first, second = (sit_at(club.people[game[who]], game["room"]) for who in ("first", "second"))
    return first, second


def try_to_sit(guest: Guest, room: str) -> Seat | None:
    """At a table of a board sit those who have a place there."""
    try:
        return guest.sit(room)
    except Exception:
        return None


# ---------------------------------------------------------------- all of it


def test_nothing_is_lost_whatever_dies_or_stands_still() -> None:
    """A small version of tools/table_chaos.py: two kills, a process that stands still for longer than its
    lease and then goes on, PostgreSQL and nginx restarted."""
    if not Path(kit_wide.NGINX).exists():
        if os.environ.get("CI") == "true":
            pytest.fail("the tests need nginx: apt-get install nginx")
        pytest.skip("nginx is not installed")
    with running(3, nginx=True, think=0.3) as trial:
        asyncio.run(course(trial))
        found = trial.report()
        assert not any(found[name] for name in ("stuck", "lost", "twice", "strange", "disordered", "illegal"))
        assert not found["faults"] and found["acknowledged"] > 50
        assert found["take_over_seconds"].get("max", 0) < 30
        assert lost_and_found(trial.postgres.url, trial.games)["lost"] == 0
        assert trial.workers.stop() == 0


async def course(trial: Trial) -> None:
    await trial.greet()
    tables = asyncio.create_task(trial.tables(6))
    await asyncio.sleep(2)
    await trial.kill()
    await asyncio.gather(trial.stall(LEASE / 1000 + 0.5), trial.restart_postgres())
    await asyncio.sleep(1)
    await trial.kill()
    await trial.restart_nginx()
    trial.ending = True
    await asyncio.wait_for(tables, 4 * SLOW)
