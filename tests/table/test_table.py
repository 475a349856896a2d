"""The server over real sockets: whole games, coming back, faults of every kind."""

import json
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.sync.client import connect

from coyote.fairness import check_fair
from coyote.records import follow
from coyote.text import Words
from table.kit_table import QUICK, Guest, Server, play_on, seat_two, sqlite_in, well

Start = Callable[..., Server]
POSTGRES = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A cluster of our own, run by the user `postgres`, reached through a socket in its folder."""
    if not POSTGRES.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("the tests need PostgreSQL 15: apt-get install postgresql-15")
        pytest.skip("PostgreSQL 15 is not installed")
    folder = Path(tempfile.mkdtemp(prefix="coyote-pg-"))
    as_user: list[str | Path] = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres")
    data = folder / "data"
    run = {"check": True, "capture_output": True, "cwd": folder}
    subprocess.run([*as_user, POSTGRES / "initdb", "-D", data, "-A", "trust", "-U", "postgres"], **run)  # type: ignore[call-overload]
    options = f"-k {folder} -c listen_addresses='' -c fsync=on"
    start = [*as_user, POSTGRES / "pg_ctl", "-D", data, "-w", "-o", options, "-l", folder / "log", "start"]
    subprocess.run(start, check=True, cwd=folder, stdout=subprocess.DEVNULL)
    yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
    subprocess.run([*as_user, POSTGRES / "pg_ctl", "-D", data, "-w", "-m", "fast", "stop"], **run)  # type: ignore[call-overload]
    shutil.rmtree(folder)


@pytest.fixture
def starting() -> Iterator[Start]:
    """Servers of one test's own; none outlives it."""
    with ExitStack() as stack:
        yield lambda *given: stack.enter_context(Server(*given))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("table"))) as running:
        yield running
        logged = running.stop()
    assert running.process.returncode == 0
    for line in logged.splitlines():
        assert json.loads(line)["level"] != "error", line


def record_of(guest: Guest, room: str) -> dict[str, Any]:
    found: dict[str, Any] = guest.ask("GET", f"/api/rooms/{room}/record")
    return found


def test_who_asks_twice_to_sit_down_is_let_in_twice(server: Server) -> None:
    """The answer to the first request may be lost, or late."""
    anna, boris = Guest(server, "Anna"), Guest(server, "Boris")
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            made = anna.make(game="madness", opponent="open")
            path = f"/api/rooms/{made['room']}/join"
            answers = list(pool.map(lambda _, path=path: boris.try_to("POST", path, {}), range(4)))
            assert [status for status, _ in answers] == [200] * 4, answers
            assert anna.try_to("POST", f"/api/rooms/{made['room']}/leave")[0] == 200


# ---------------------------------------------------------------- whole games


WAYS = [("madness", {}), ("madness", {"edition": "classic"}), ("duel", {})]  # more in test_house_rules.py


@pytest.mark.parametrize(("game", "options"), WAYS)
def test_two_people_play_a_whole_game(server: Server, game: str, options: dict[str, str]) -> None:
    seats = seat_two(server, game=game, options=options)
    spectator = server.guest("Vera").sit(seats[0].room)
    play_on(seats, Random(1))
    for seat in (*seats, spectator):
        assert seat.wait(lambda update: update["phase"] == "over")["open"]["hands"]
    record = record_of(seats[0].guest, seats[0].room)
    assert len(follow(record).events(-1)) == len(spectator.events[-1])
    check_fair(record)
    assert record["fair"]["commitment"] == seats[1].welcome["commitment"]
    assert record["fair"]["context"] == seats[1].state["context"]
    assert sorted(record["players"]) == ["Anna", "Boris"]


def test_postgresql_keeps_games_too(postgres: str, starting: Start) -> None:
    running = starting(postgres)
    seats = seat_two(running, game="madness")
    play_on(seats, Random(2), 20)
    n, view = seats[0].state["n"], seats[0].state["view"]
    running.kill()
    running.start()
    again = seats[0].guest.sit(seats[0].room)
    assert (again.state["n"], again.state["view"]) == (n, view)
    running.stop()


def test_a_game_against_a_bot(server: Server) -> None:
    anna, dice = server.guest("Anna"), Random(3)
    for game in ("madness", "duel"):
        seat = anna.sit(anna.make(game=game, opponent="bot", bot="level:1")["room"])
        seat.ready()
        while seat.wait(lambda update: update["legal"] or update["phase"] == "over")["phase"] != "over":
            seat.do("move", move=dice.choice(seat.state["legal"]))
            seat.wait(lambda update: not update["view"].get("chosen"))
        follow(record_of(anna, seat.room))


def test_a_bot_lets_people_take_back(server: Server) -> None:
    anna = server.guest("Anna")
    made = anna.make(game="madness", opponent="bot", bot="greedy", begins="host")
    seat = anna.sit(made["room"])
    seat.ready()
    seat.wait(lambda update: update["phase"] == "playing")
    for move in ("pass", "draw"):
        seat.wait(lambda update, move=move: move in update["legal"])  # type: ignore[misc]
        seat.do("move", move=move)
    seat.wait(lambda update: update["view"]["turn"] > 2)
    seat.do("offer", what="undo")
    seat.wait(lambda update: update["view"]["turn"] == 1 and update["view"]["phase"] == "tut")


def test_two_at_one_device(server: Server) -> None:
    anna, dice = server.guest("Anna"), Random(4)
    for game in ("madness", "duel"):
        seat = anna.sit(anna.make(game=game, opponent="self", other_name="Boris")["room"])
        assert seat.welcome["parties"] == [0, 1]
        seat.do("ready", nonce="0" * 32)
        seat.wait(lambda update: update["phase"] == "playing", 1)
        for _ in range(400):
            state = seat.updates[1]
            if state["phase"] == "over":
                break
            for party in [state["seats"][who] for who in state["actors"]]:
                seat.do("move", party=party, move=dice.choice(seat.updates[party]["legal"]))
            seat.catch_up()
        seat.close()


def test_a_bot_of_somebody_else_plays_by_token(server: Server) -> None:
    anna = server.guest("Anna")
    token = anna.ask("POST", "/api/tokens", {"name": "Robot"})["token"]
    robot = Guest(server, "Robot", token)
    assert robot.ask("GET", "/api/me") == {"name": "Robot", "bot": True, "token": None}
    made = anna.make(game="madness", opponent="open")
    assert made["room"] in [row["room"] for row in robot.ask("GET", "/api/waiting")]
    robot.join({"room": made["room"]})
    seats = anna.sit(made["room"]), robot.sit(made["room"])
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.wait(lambda update: update["phase"] == "playing")
    assert play_on(seats, Random(5), 6) == 6


# ---------------------------------------------------------------- around the game


def test_my_games_and_rematch_with_seats_swapped(server: Server) -> None:
    first, second = seat_two(server, game="duel", begins="other")
    first.do("resign")
    second.wait(lambda update: update["result"])
    assert second.state["result"]["reason"] == "resignation"
    first.do("offer", what="rematch")
    second.wait(lambda update: update["offers"] == [[0, "rematch"]])
    second.do("answer", what="rematch", yes=True)
    room = first.wait(lambda update: update["next"])["next"]
    again = first.guest.sit(room), second.guest.sit(room)
    for seat in again:
        seat.ready()
    for seat in again:
        seat.wait(lambda update: update["phase"] == "playing")
    assert again[0].state["seats"] == first.state["seats"][::-1]
    assert again[0].welcome["commitment"] != first.welcome["commitment"]
    mine = {row["room"]: row["phase"] for row in first.guest.ask("GET", "/api/mine")}
    assert set(mine) == {first.room, room}


def test_a_draw_and_a_refused_one(server: Server) -> None:
    first, second = seat_two(server, game="madness")
    first.do("offer", what="draw")
    second.wait(lambda update: update["offers"])
    second.do("answer", what="draw", yes=False)
    assert second.refused("answer", what="draw", yes=True) == "room.no_offer"
    second.do("offer", what="draw")
    first.wait(lambda update: update["offers"])
    first.do("answer", what="draw", yes=True)
    assert second.wait(lambda update: update["result"])["result"]["reason"] == "agreement"


def test_decks_by_name_code_and_set(server: Server) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(game="duel", deck="magpies")
    boris.join(made, deck="random")
    assert anna.try_to("POST", "/api/rooms", {"game": "duel", "deck": "no-such"})[1]["code"] == "room.no_deck"
    status, answer = anna.try_to("POST", "/api/rooms", {"game": "duel", "set": "[[card]]\nid = 3"})
    assert (status, answer["code"]) == (422, "room.set")
    core = Path(__file__).parents[2] / "src" / "coyote" / "games" / "duel" / "core.toml"
    own = 'name = "Ours"\n' + core.read_text(encoding="utf-8").replace('name = "', '# name = "', 1)
    status, answer = anna.try_to("POST", "/api/rooms", {"game": "duel", "set": own, "opponent": "self"})
    assert status == 201, answer


def test_a_link_is_needed_where_a_friend_is_waited_for(server: Server) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(game="madness")
    assert boris.try_to("POST", f"/api/rooms/{made['room']}/join", {})[0] == 403
    assert boris.try_to("POST", f"/api/rooms/{made['room']}/join", {"invite": made["invite"]})[0] == 200
    vera = server.guest("Vera")
    status, answer = vera.try_to("POST", f"/api/rooms/{made['room']}/join", {"invite": made["invite"]})
    assert (status, answer["code"]) == (409, "room.full")


def test_the_host_stops_waiting(server: Server) -> None:
    anna = server.guest("Anna")
    made = anna.make(game="madness", opponent="open")
    seat = anna.sit(made["room"])
    seat.do("close")
    assert seat.wait(lambda update: update["phase"] == "closed")


def test_a_lost_connection_is_shown(server: Server) -> None:
    first, second = seat_two(server, game="madness")
    while first.presence != [True, True]:
        first.receive()
    second.close()
    while first.presence != [True, False]:
        first.receive()
    second.open()
    while first.presence != [True, True]:
        first.receive()


# ---------------------------------------------------------------- coming back


def test_a_client_resumes_where_it_was(server: Server) -> None:
    seats = seat_two(server, game="madness")
    play_on(seats, Random(6), 10)
    events = list(seats[0].events[0])
    seats[0].socket.close()
    mover = next(seat for seat in seats if seat.seat in seat.state["actors"])
    if mover is seats[1]:
        mover.do("move", move=mover.state["legal"][0])
    seats[0].reopen()
    assert seats[0].events[0][: len(events)] == events
    fresh = seats[0].guest.sit(seats[0].room)
    assert fresh.events[0] == seats[0].events[0]
    assert fresh.state["view"] == seats[0].state["view"]


def test_a_move_that_comes_twice_counts_once(server: Server) -> None:
    first, second = seat_two(server, game="madness", begins="host")
    n = first.state["n"]
    for answer in ("update", "done", "done"):
        assert first.request("move", id="one", move="pass")["type"] == answer
    first.reopen()
    assert first.request("move", id="one", move="pass")["type"] == "done"
    assert first.state["n"] == n + 1
    assert first.refused("move", move="pass") == "refusal.tut_now"


def test_kill_and_restart_lose_no_move_that_was_acknowledged(tmp_path: Path, starting: Start) -> None:
    running, dice = starting(sqlite_in(tmp_path)), Random(7)
    games = [seat_two(running, game=game, clock={"minutes": 60}) for game in ("madness", "duel")]
    bot = running.guest("Anna")
    against = bot.sit(bot.make(game="madness", opponent="bot", bot="greedy", begins="other")["room"])
    against.ready()
    for round in range(2):
        for seats in games:
            play_on(seats, dice, 6)
        if round:  # a sealed choice is kept too, and nobody else learns of it
            games[1][0].do("move", id="sealed", move="hold")
        running.kill()
        running.start()
        for seats in games:
            for seat in seats:
                before = {viewer: dict(update) for viewer, update in seat.updates.items()}
                seat.reopen()
                for viewer, update in before.items():
                    now = seat.updates[viewer]
                    assert now["n"] >= update["n"]
                    if not (round and seats is games[1]):
                        assert (now["view"], now["legal"]) == (update["view"], update["legal"])
    assert games[1][0].state["view"]["chosen"] == "hold"
    assert games[1][1].state["view"]["chosen"] is None
    assert games[1][0].request("move", id="sealed", move="hold")["type"] == "done"
    against.reopen()
    against.wait(lambda update: update["legal"])
    running.stop()


# ---------------------------------------------------------------- faults


def test_a_disk_that_refuses(tmp_path: Path, starting: Start) -> None:
    """Players are told, nothing is acknowledged, play goes on when it recovers."""
    running = starting(sqlite_in(tmp_path))
    first, second = seat_two(running, game="madness", begins="host", clock={"minutes": 5})
    limit = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (0, limit[1]))
    before = first.state
    assert first.refused("move", id="stay", move="pass") == "room.not_kept"
    assert first.guest.try_to("POST", "/api/rooms", {"game": "madness"})[0] == 503
    assert first.guest.sit(first.room).state["view"] == before["view"]
    resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, limit)
    first.do("move", id="stay", move="pass")
    second.wait(lambda update: update["view"]["phase"] == "tut")
    assert well(first.guest)["ok"]
    running.stop()


def test_messages_that_are_wrong_change_nothing(server: Server) -> None:
    first, second = seat_two(server, game="madness", begins="host")
    before = first.guest.ask("GET", f"/api/rooms/{first.room}")
    assert second.refused("move", move="pass") == "refusal.not_your_turn"
    assert first.refused("move", move="a1 XX") == "refusal.no_move"
    answer = first.request("move", move="draw")
    assert (answer["code"], answer["rule"]) == ("refusal.main_now", "M14")
    assert first.refused("move", move="pass", party=1) == "room.not_yours"
    assert first.refused("ready", nonce="0" * 32) == "room.not_seated"
    assert second.refused("undo") == "room.nothing_to_undo"
    wrong = [
        *("", "{", "null", "[]", "\0", "[" * 3000),
        *('{"type":"castle"}', '{"type":"move"}', '{"type":"move","id":7}', '{"type":"hello","version":"1"}'),
        *('{"type":"move","id":"","move":"pass"}', '{"type":"move","id":"x","extra":1}'),
        json.dumps({"type": "move", "id": "x", "move": "7" * 300}),
    ]
    for text in wrong:
        first.socket.send(text)
        assert first.until(lambda message: message["type"] == "error")["code"] == "room.malformed"
    first.socket.send(b"\xff\xfe\x00")
    assert first.until(lambda message: message["type"] == "error")["code"] == "room.malformed"
    first.socket.send("x" * 5000)
    assert first.until(lambda message: message["type"] == "error")["code"] == "room.too_long"
    first.send(type="hello", version=99)
    assert first.until(lambda message: message["type"] == "error")["code"] == "room.version"
    assert first.guest.ask("GET", f"/api/rooms/{first.room}") == before
    first.do("move", move="pass")


def test_why_a_move_is_not_allowed(server: Server) -> None:
    """The same reason as the move would be refused with, and the move is not made, even if it may be."""
    first, second = seat_two(server, game="madness", begins="host")
    before = first.guest.ask("GET", f"/api/rooms/{first.room}"), first.state["n"]
    for seat, move in ((first, "draw"), (first, "a1 XX"), (second, "pass")):
        asked, refused = seat.request("why", move=move), seat.request("move", move=move)
        assert asked["type"] == "reason" and asked["code"]
        assert all(asked[key] == refused[key] for key in ("code", "text", "rule"))
    legal = first.request("why", id="again", move="pass")
    assert legal == {"type": "reason", "id": "again", "code": None, "text": None, "rule": None}
    first.catch_up()
    assert (first.guest.ask("GET", f"/api/rooms/{first.room}"), first.state["n"]) == before
    first.do("move", id="again", move="pass")  # an id that was asked with is not used up


def test_why_is_bounded_as_every_request_is(server: Server) -> None:
    anna = server.guest("Anna")
    seat = anna.sit(anna.make(game="duel", opponent="open")["room"])
    assert seat.request("why", move="hold")["code"] == "room.not_begun"
    assert seat.refused("why", move="hold", party=1) == "room.not_yours"
    assert server.guest("Vera").sit(seat.room).refused("why", move="hold") == "room.not_yours"
    for text in (
        '{"type":"why","id":"","move":"hold"}',
        json.dumps({"type": "why", "id": "x", "move": "7" * 300}),
    ):
        seat.socket.send(text)
        assert seat.until(lambda message: message["type"] == "error")["code"] == "room.malformed"
    address = f"ws://{server.host}/api/rooms/{seat.room}/socket"
    with connect(address, additional_headers=anna.headers) as early:
        early.send(json.dumps({"type": "why", "id": "x", "move": "hold"}))
        assert json.loads(early.recv())["code"] == "room.hello_first"


def test_why_at_one_device_is_asked_by_whoever_is_to_move(server: Server) -> None:
    anna = server.guest("Anna")
    seat = anna.sit(anna.make(game="duel", opponent="self")["room"])
    seat.ready()
    seat.wait(lambda update: update["phase"] == "playing", 1)
    hands = [seat.updates[party]["view"]["hand"] for party in range(2)]
    for party, card in [(0, card) for card in hands[0]] + [(1, card) for card in hands[1]]:
        assert seat.request("why", party=party, move=f"play {card}")["code"] is None
        other = seat.request("why", party=1 - party, move=f"play {card}")
        assert other["code"] == (None if card in hands[1 - party] else "refusal.not_held")
    seat.do("move", party=0, move="hold")
    assert seat.request("why", party=0, move="hold")["code"] is None, "a sealed choice may be changed"
    seat.send(type="why", id="usual", move=f"play {hands[1][0]}")
    assert seat.until(lambda message: message.get("id") == "usual")["code"] is None


def test_two_at_one_device_are_told_what_a_bystander_may_know_where_they_ask_for_it(server: Server) -> None:
    anna = server.guest("Anna")
    room = anna.make(game="duel", opponent="self")["room"]
    seat = anna.sit(room, public=True, want=["view", "story"])
    seat.ready()
    seat.do("move", party=0, move="hold")
    seat.do("move", party=1, move="hold")
    seen = seat.wait(lambda update: update["view"] is not None and update["view"]["turn"] == 2, -1)
    assert not seen["view"]["hand"] and "You" not in " ".join(line["text"] for line in seen["story"])
    assert -1 not in anna.sit(room).updates
    made = anna.make(game="duel", opponent="bot")
    alone = anna.sit(made["room"], public=True)
    alone.ready()
    alone.do("move", move="hold")
    assert set(alone.updates) == {0}, "whoever plays one side learns nothing by it"


def test_an_endless_message_ends_its_connection_and_nothing_else(server: Server) -> None:
    first, _ = seat_two(server, game="madness", begins="host")
    first.socket.send("x" * 100_000)
    with pytest.raises(Exception, match="1009"):
        while True:
            first.receive()
    first.open()
    first.do("move", move="pass")


def test_a_spectator_may_only_look(server: Server) -> None:
    first, _ = seat_two(server, game="madness")
    vera = server.guest("Vera").sit(first.room)
    assert vera.welcome["parties"] == [] and vera.state["legal"] == []
    assert vera.state["view"]["hand"] == []
    for type in ("move", "resign", "undo", "close"):
        assert vera.refused(type) == "room.not_yours"


def test_hosts_and_origins(server: Server) -> None:
    anna = server.guest("Anna")
    assert anna.try_to("GET", "/api/me", Host="evil.example")[0] == 421
    assert anna.try_to("POST", "/api/rooms", {"game": "madness"}, Origin="http://evil.example")[0] == 403
    assert anna.try_to("GET", "/api/me", Origin=f"http://{server.host}")[0] == 200


def test_faults_of_the_api_have_codes(server: Server) -> None:
    anna, nobody = server.guest("Anna"), Guest(server, "", token="x.y")
    madness = {"game": "madness"}
    faults: list[tuple[Guest, str, str, Any, int, str]] = [
        (nobody, "GET", "/api/me", None, 401, "room.who"),
        (nobody, "POST", "/api/rooms", {"game": "madness"}, 401, "room.who"),
        (anna, "GET", "/api/rooms/none", None, 404, "room.none"),
        (anna, "GET", "/nowhere", None, 404, "room.none"),
        (anna, "GET", "/api/tournaments/x", None, 404, "room.none"),
        (anna, "GET", "/api/players/x", None, 404, "room.none"),
        (anna, "PUT", "/api/me", None, 405, "room.no_method"),
        (anna, "POST", "/api/rooms", {"game": "chess"}, 422, "record.game"),
        (anna, "POST", "/api/rooms", {**madness, "options": {"x": "y"}}, 422, "option.unknown"),
        (anna, "POST", "/api/rooms", {**madness, "deck": "pack"}, 422, "fault.no_decks"),
        (anna, "POST", "/api/rooms", {**madness, "opponent": "bot", "bot": "cmd:sh"}, 422, "option.value"),
        (anna, "POST", "/api/rooms", {**madness, "clock": {"days": -1}}, 422, "room.malformed"),
        (anna, "POST", "/api/rooms", b"{", 422, "room.malformed"),
        (anna, "POST", "/api/guest", {"name": "\u202e"}, 422, "room.name"),
        (anna, "POST", "/api/guest", b"x" * 400_000, 413, "room.too_long"),
    ]  # fmt: skip
    for guest, method, path, body, status, code in faults:
        found, answer = guest.try_to(method, path, body)
        assert (found, answer["code"]) == (status, code), (path, body)
        assert answer["text"]


def test_limits(tmp_path: Path, starting: Start) -> None:
    options = [*QUICK[2:], "--limit", "messages_per_second=5", "--limit", "sockets_per_guest=2"]
    running = starting(sqlite_in(tmp_path), *options, "--limit", "rooms_per_guest=2")
    anna = running.guest("Anna")
    made = anna.make(game="madness")
    seats = [anna.sit(made["room"]) for _ in range(2)]
    address = f"ws://{running.host}/api/rooms/{made['room']}/socket"
    with connect(address, additional_headers=anna.headers) as third:
        assert json.loads(third.recv())["code"] == "room.sockets"
    anna.make(game="madness")
    assert anna.try_to("POST", "/api/rooms", {"game": "madness"})[1]["code"] == "room.too_many_rooms"
    for _ in range(20):
        seats[0].send(type="ping")
    assert seats[0].until(lambda message: message["type"] == "error")["code"] == "room.too_fast"
    running.stop()


def test_a_silent_client_holds_nobody_up(server: Server) -> None:
    seats = seat_two(server, game="madness")
    host, _, port = server.host.partition(":")
    key = secrets.token_urlsafe(16)
    with socket.create_connection((host, int(port))) as silent:
        silent.sendall(
            f"GET /api/rooms/{seats[0].room}/socket HTTP/1.1\r\nHost: {server.host}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        play_on(seats, Random(8), 30)


def test_a_stopped_server_says_goodbye_and_exits_in_order(tmp_path: Path, starting: Start) -> None:
    running = starting(sqlite_in(tmp_path))
    first, _ = seat_two(running, game="madness")
    running.process.send_signal(signal.SIGTERM)
    with pytest.raises(Exception, match="1012"):
        while True:
            first.receive()
    logged = running._collect()
    assert running.process.returncode == 0
    assert first.guest.cookie.partition("=")[2] not in logged


def test_a_hint_is_for_games_against_bots(server: Server) -> None:
    anna = server.guest("Anna")
    seat = anna.sit(anna.make(game="madness", opponent="bot", bot="level:1", begins="host")["room"])
    seat.ready()
    seat.wait(lambda update: bool(update["legal"]))
    room = seat.room
    status, hint = anna.try_to("POST", f"/api/rooms/{room}/hint", {})
    assert status == 200 and hint["move"] in seat.state["legal"] and hint["text"]
    first, _ = seat_two(server, game="madness")
    status, error = first.guest.try_to("POST", f"/api/rooms/{first.room}/hint", {})
    assert (status, error["code"]) == (409, "room.no_hint")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_story_has_rules_and_the_prompt_says_what_is_wanted(server: Server, lang: str) -> None:
    first, second = seat_two(server, game="madness", begins="host")
    for seat in (first, second):
        seat.close()
        seat.open({"want": ["story", "legal"], "lang": lang})
        seat.catch_up()
    words = Words(lang)
    assert first.state["prompt"] == words("madness.prompt.main")
    assert second.state["prompt"] == words("madness.prompt.main_other", name="Anna")
    first.do("move", move="pass")
    assert [line["rule"] for line in first.state["story"]] == ["M14"]
    assert first.state["prompt"] == words("madness.prompt.tut")
    first.do("resign")
    second.wait(lambda update: update["phase"] == "over")
    assert "Anna" in second.state["prompt"] and first.state["prompt"] != second.state["prompt"]


def test_a_clock_that_runs_out_ends_the_game(server: Server) -> None:
    """Nobody has to ask for it, and nobody has to be there."""
    first, second = seat_two(server, game="madness", begins="host", clock={"minutes": 0.01})
    second.close()
    over = first.wait(lambda update: update["phase"] == "over")
    assert over["result"]["reason"] == "timeout" and over["result"]["winner"] == 1
    assert first.refused("move", move="pass") == "refusal.over"


@pytest.mark.parametrize("name", ["level:5", "greedy"])
def test_nobody_is_called_like_a_bot(server: Server, name: str) -> None:
    anna = server.guest("Anna")
    for path, body in (("/api/guest", {"name": name}), ("/api/tokens", {"name": name})):
        assert anna.try_to("POST", path, body)[1]["code"] == "room.bot_name"
    status, _ = anna.try_to("POST", "/api/rooms", {"game": "duel", "opponent": "self", "other_name": name})
    assert status == 422
