"""A second round of attacks on the table, by ways that the first had not thought of: the framework's own
readers, games as long as house rules allow, rubbish that nobody looks for, bounds that tell what is sealed.

A guest with an address of their own, a server with the usual limits, where no line says otherwise.
"""

import gc
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from socket import create_connection
from typing import Any, cast

import pytest

from coyote.match import Match
from coyote.table import inputs, wire
from coyote.table.games import Games
from coyote.table.guests import signed_in
from coyote.table.hall import Hall, Live
from coyote.table.identity import clean_name
from coyote.table.limits import Limits
from coyote.table.pages import LONGEST_WAYS, takes_gzip
from coyote.table.parts import core_written
from coyote.table.room import APART, Room
from coyote.table.sockets import Client
from coyote.table.store import Write
from table.kit_attack import PLAIN, Visitor, limits, memory, unharmed, wait_prepared
from table.kit_inside import OPEN, Inside
from table.kit_raw import CLOSE, PING, TEXT, frame, upgrade
from table.kit_table import PATIENCE, Seat, Server, sqlite_in

LONG = {"health": 500, "wear": 1, "wear-from": 9, "super-deck": 9}  # a duel of hundreds of turns


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("again")), *PLAIN) as running:
        wait_prepared(running)
        yield running
        logged = running.stop()
    assert running.process.returncode == 0
    assert '"level": "error"' not in logged, logged[-3000:]


# ---------------------------------------------------------------- what is read before anybody is asked


@pytest.mark.parametrize("path", ["/api/me", "/healthz", "/", "/api/rooms/none"])
def test_a2_a_cookie_that_is_dear_to_read(server: Server, path: str) -> None:
    """Python's reader of quoted cookies needs the square of their length, and reads all of them."""
    eve = Visitor(server, "Eve")
    quoted = "\\a" * 15_000
    with unharmed(server):
        for cookie in (f'coyote_guest="{quoted}"', f'other="{quoted}"', f'a=1; coyote_guest="{quoted}'):
            status, _ = eve.try_to("GET", path, Cookie=cookie)
            assert status in (200, 401, 404)


def test_a2_other_cookies_do_not_hide_ours(server: Server) -> None:
    anna = Visitor(server, "Anna")
    for others in ("a=1; {}; b=2", 'x="y; z"; {}', "  {}", "=; ;{};", "coyote_guest_=7; {}"):
        assert anna.ask("GET", "/api/me", Cookie=others.format(anna.cookie))["name"] == "Anna"
    assert signed_in({"cookie": "coyote_guest=first; coyote_guest=second"}) == "first"


def test_a2_queries_are_short(server: Server) -> None:
    eve = Visitor(server, "Eve")
    for path in ("/", "/api/games", "/static/x/y.js", "/api/rooms/none/replay"):
        status, answer = eve.try_to("GET", f"{path}?{'%61&' * 2000}")
        assert (status, answer["code"]) == (414, "room.too_long")
    assert eve.try_to("GET", "/decks?code=" + "A" * 400)[0] == 200


def test_a2_nobody_reads_all_ways_to_pack_an_answer() -> None:
    assert takes_gzip("br, gzip") and not takes_gzip("," * LONGEST_WAYS + "gzip")


BODIES: list[tuple[str, Any]] = [
    ("/api/rooms", {"game": "duel", "options": {str(n): [] for n in range(13_000)}}),
    ("/api/rooms", {str(n): 1 for n in range(14_000)}),
    ("/api/rooms", [{}] * 40_000),
    ("/api/guest", {str(n): 1 for n in range(1700)}),
    ("/api/decks/check", {"cards": [1] * 6000}),
    ("/api/decks/check", {str(n): 1 for n in range(1600)}),
]


def test_a2_of_a_thousand_faults_one_is_told(server: Server) -> None:
    with unharmed(server):
        for path, body in BODIES:
            eve = Visitor(server, "Eve")
            for _ in range(8):
                status, answer = eve.try_to("POST", path, body)
                assert (status, answer["code"]) == (422, "room.malformed"), answer
                assert "more than 60" in answer["text"]


# ---------------------------------------------------------------- what nobody looks for


class Rubbish:
    """What holds itself, and stays until somebody looks for it. The table seldom does."""

    def __enter__(self) -> "Rubbish":
        gc.collect()
        gc.disable()
        return self

    def __exit__(self, *_: object) -> None:
        gc.enable()
        gc.garbage.clear()

    def left(self) -> int:
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            gc.collect()
        finally:
            gc.set_debug(0)
        ours = ("coyote", "uvicorn", "websockets")
        return sum(type(one).__module__.partition(".")[0] in ours for one in gc.garbage)


NO_FRAMES = (
    frame(0xC1, b"{}"),  # a reserved bit
    frame(0x83, b""),  # a kind that there is not
    frame(0x80, b"more"),  # more of nothing
    frame(PING, b"x" * 126),
    bytes([TEXT, 0xFF]) + b"\x7f" * 12,  # far too long
    bytes([TEXT, 2]) + b"{}",  # without a mask
    frame(CLOSE, b"\x00"),
)


def test_a2_a_connection_leaves_nothing_behind(tmp_path: Path) -> None:
    """With its request went what that brought: 200 kB of a body, and all that was made of it."""
    with Inside(sqlite_in(tmp_path)).running() as inside:
        eve = inside.guest("Eve")
        room = eve.make(game="madness", opponent="self")["room"]
        eve.sit(room).close()
        name, _, port = inside.host.partition(":")
        address = name, int(port)
        with Rubbish() as rubbish:
            for _ in range(5):
                eve.try_to("GET", "/api/me")
                eve.try_to("GET", "/nothing")
                eve.try_to("POST", "/api/rooms", {"game": "duel", "options": {"x": [1]}})
                eve.try_to("POST", "/api/rooms", b'{"game":')
                seat = eve.sit(room)
                seat.refused("move", move="nonsense")
                seat.close()
                for nonsense in NO_FRAMES:
                    with create_connection(address, timeout=PATIENCE) as line:
                        line.sendall(upgrade(inside.host, f"/api/rooms/{room}/socket", eve.cookie))
                        assert line.recv(65536).startswith(b"HTTP/1.1 101")
                        line.sendall(nonsense)
                        while line.recv(65536):
                            pass
            wait_gone(inside)
            assert rubbish.left() == 0


def wait_gone(inside: Inside) -> None:
    while inside.server.server_state.connections or inside.server.server_state.tasks:
        time.sleep(0.01)
    time.sleep(0.1)


def test_a2_refused_bodies_do_not_pile_up(server: Server) -> None:
    body = json.dumps({"game": "duel", "options": {str(n): [] for n in range(16_000)}}).encode()
    for eve in (Visitor(server, "Eve"), Visitor(server, "Eve")):
        before = memory(server)
        for _ in range(60):
            eve.try_to("POST", "/api/rooms", body)
            eve.try_to("POST", "/api/rooms", body[:-1])
    assert memory(server) - before < 40


# ---------------------------------------------------------------- games without end


def long_duel(turns: int) -> Room:
    """At one device, with house rules under which nobody falls for long."""
    games = Games(dict([core_written()]))
    rules = 2
    terms = inputs.Terms("duel", LONG, core_written()[0], begins="host", opponent="self", rules=rules)
    game = games.get(terms)
    deck = game.settle(("random", "random"), Random(1)).for_seat(0)["deck"]
    host, other = inputs.Player("anna", "Anna"), inputs.Player("anna", "Boris")
    room = Room(inputs.Make(1, "room", terms, host, "7" * 64, other, (deck, deck), "", True), games)
    room.apply(inputs.Ready(2, 0, "", "0" * 32))
    while room.table and len(room.table.steps) < turns:
        for seat in room.thinking():
            room.apply(inputs.Move(3, room.party(seat), "", room.legal(seat)[0]))
    return room


def test_b7_taking_back_costs_the_same_in_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand of them were half a minute for whoever loads the room, and everybody else."""
    room, plays = long_duel(150), Counter[str]()
    play = Match.play

    def counted(match: Match, *given: Any) -> None:
        plays["made"] += 1
        play(match, *given)

    monkeypatch.setattr(Match, "play", counted)
    room.apply(inputs.Offer(4, 0, "", "undo"))
    room.apply(inputs.Answer(4, 1, "", "undo", True))
    assert plays["made"] <= 2 * APART


@pytest.mark.parametrize("turns", [APART - 1, APART, APART + 1, 2 * APART, 2 * APART + 5])
def test_b7_taken_back_is_as_it_was(turns: int) -> None:
    """However far, and again, and on other ways from there; beside the room that goes on without it."""
    room = long_duel(turns)
    before = [view_of(long_duel(n)) for n in range(turns - 3, turns)]
    twin = room.copy()
    for wanted in reversed(before):
        room.apply(inputs.Offer(4, 0, "", "undo"))
        room.apply(inputs.Answer(4, 1, "", "undo", True))
        assert view_of(room) == wanted
    assert view_of(twin) == view_of(long_duel(turns))
    for _ in range(3):
        for seat in room.thinking():
            room.apply(inputs.Move(5, room.party(seat), "", room.legal(seat)[0]))
    assert view_of(room) == view_of(twin)


def view_of(room: Room) -> Any:
    assert room.match
    return [room.match.view_json(seat) for seat in (0, 1, -1)], list(room.match.moves), room.events


class Wall:
    """A connection that says nothing."""

    def write(self, messages: list[bytes]) -> None: ...

    def can_write(self) -> bool:
        return True

    def end(self, code: int) -> None: ...


class Ear:
    """As much of a hall as a client asks for when it is greeted."""

    metrics = type("Metrics", (), {"count": lambda *_, **__: None})()

    def time_of(self, live: Live) -> int:
        return live.room.at

    def note_presence(self, live: Live) -> None:
        for client in live.clients:
            client.send_news()


def test_b7_what_is_told_in_many_ways_is_not_kept_in_all() -> None:
    """Each order of wishes, and each number that somebody says to have seen, was a whole story in memory."""
    live, often = Live(long_duel(40)), replace(Limits(), hellos_per_minute=1e6, messages_per_second=1e6)
    client = Client(Wall(), cast(Hall, Ear()), live, [], often)
    for n in range(60):
        want = ["view", "story", "events", "legal", *["story", "view"][: n % 3]][n % 4 :]
        client.hear(json.dumps({"type": "hello", "version": 1, "want": want, "seen": {"-1": n}}).encode())
    assert 0 < len(live.room.told_to) <= wire.MOST_TOLD
    assert client.hello and client.hello.want == tuple(what for what in wire.ALL if what in client.hello.want)


def test_b7_a_long_game_counts_for_several_to_tell() -> None:
    short, long = long_duel(2), long_duel(60)
    assert 1 <= wire.length(short, [-1]) < 2 < wire.length(long, [-1])
    newest = long.updates[-1]
    assert wire.length(long, [-1], {-1: newest}) == 1  # whoever comes back has heard it


def test_b7_who_comes_or_looks_again_and_again_is_told_to_wait(tmp_path: Path) -> None:
    """However many sockets it takes: they share one allowance, with those who only look."""
    few = replace(OPEN, tellings_per_minute=6)
    with Inside(sqlite_in(tmp_path), few).running() as inside:
        eve = inside.guest("Eve")
        room = eve.make(game="madness", opponent="self")["room"]
        seats = [eve.sit(room) for _ in range(2)]  # for two parties
        codes = [hello_again(seat) for seat in seats * 3]
        assert codes[-1] == "room.too_fast" and "" in codes
        assert eve.try_to("GET", f"/api/rooms/{room}")[0] == 429
        for seat in seats:
            seat.close()


def hello_again(seat: Seat) -> str:
    seat.send(type="hello", version=1)
    return str(seat.until(lambda message: message["type"] in ("welcome", "error")).get("code", ""))


def test_b7_a_long_replay_counts_for_several(tmp_path: Path) -> None:
    """And nothing of it is written by the thread that answers everybody."""
    with Inside(sqlite_in(tmp_path), replace(OPEN, replays_per_minute=60)).running() as inside:
        eve = inside.guest("Eve")
        room = eve.make(game="madness", opponent="self")["room"]
        seat = eve.sit(room)
        seat.ready()
        seat.do("resign", party=0)
        record = eve.ask("GET", f"/api/rooms/{room}/record")
        shown = eve.ask("GET", f"/api/rooms/{room}/replay")
        assert shown["steps"][0]["view"] and shown["result"]["reason"] == "resignation"
        longer = json.dumps(record) + " " * 300_000
        inside.hall.store.keep_now(Write(records=[{"room": room, "body": longer}]))
        statuses = [eve.try_to("GET", f"/api/rooms/{room}/replay")[0] for _ in range(3)]
        assert statuses[-1] == 429
        seat.close()


# ---------------------------------------------------------------- what bounds tell


def test_b4_what_is_left_to_ask_for_tells_nothing(tmp_path: Path) -> None:
    """A room took so many inputs of both together: the last of them told whether the other had chosen."""
    few = limits(inputs_per_room=20, messages_per_second=1000)
    answers = []
    with Server(sqlite_in(tmp_path), *PLAIN, *few) as server:
        for chooses in (True, False):
            anna, boris = Visitor(server, "Anna"), Visitor(server, "Boris")
            made = anna.make(game="duel")
            boris.join(made)
            first, second = anna.sit(made["room"]), boris.sit(made["room"])
            for seat in (first, second):
                seat.ready()
            first.wait(lambda update: update["phase"] == "playing")
            second.wait(lambda update: update["phase"] == "playing")
            if chooses:
                for _ in range(4):
                    second.do("move", move="hold")
                    second.do("undo")
            told = []
            for _ in range(12):
                told.append(first.request("move", move="hold").get("code"))
                told.append(first.request("undo").get("code"))
            answers.append(told)
            for seat in (first, second):
                seat.close()
    assert answers[0] == answers[1]
    assert "room.too_long_game" in answers[0] and answers[0][0] is None


# ---------------------------------------------------------------- D: names


def test_d_names_that_are_towers_or_bots_with_something_unseen(server: Server) -> None:
    eve = Visitor(server, "Eve")
    for name in ("level:5\ufe0f", "Greedy\u034f", "Койот\u180b", "Койо\u0301т", "gree\u0301dy"):
        assert eve.try_to("POST", "/api/guest", {"name": name})[1]["code"] == "room.bot_name", name
    assert clean_name("a" + "\u0301" * 39) == "a" + "\u0301" * 3
    assert clean_name("Сергей ❤\ufe0f") == "Сергей ❤\ufe0f"
