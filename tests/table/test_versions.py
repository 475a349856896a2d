"""A database that an older server has left: today's starts on it, and every game in it stays what it was.

`data/table-819caa6.sqlite3.gz` was made by the server of that commit, with games of every kind that were
waited for, went on or were over, all of rules version 1; `data/table-819caa6.json.gz` is what that server
told of them. `tools/make_old_database.py` made both.
"""

import gzip
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from websockets.sync.client import connect

from coyote.fairness import check_fair
from coyote.games.game import OptionError, RecordError
from coyote.games.registry import GAMES
from coyote.records import follow
from coyote.table import inputs, wire
from coyote.table.games import Games
from coyote.table.room import Room, replay
from table.kit_inside import Inside
from table.kit_table import PATIENCE, Guest, Json, Seat, Server, play_on, sqlite_in

DATA = Path(__file__).parent / "data"
TOLD: Json = json.loads(gzip.decompress((DATA / "table-819caa6.json.gz").read_bytes()))
ROOMS: dict[str, Json] = TOLD["rooms"]
OVER = [name for name in ROOMS if name.startswith("over")]
BETWEEN_TWO = [name for name in ROOMS if name.startswith("running") and len(ROOMS[name]["updates"]) == 3]
ALONE = [name for name in BETWEEN_TWO if name.endswith("self")]
UNFINISHED = [name for name in ROOMS if name.startswith(("running", "seated", "waiting"))]
AGAINST_BOT = [name for name in ROOMS if name.startswith("running") and name.endswith("bot")]
TOLD_SINCE = ("strike", "guard", "guard_all", "mend", "work")  # what each card of a duel does


def unpack(folder: Path) -> str:
    (folder / "table.sqlite3").write_bytes(gzip.decompress((DATA / "table-819caa6.sqlite3.gz").read_bytes()))
    return sqlite_in(folder)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file as it was left; nobody changes it."""
    folder = tmp_path_factory.mktemp("old")
    unpack(folder)
    yield folder / "table.sqlite3"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real one, that has found the file."""
    with Server(unpack(tmp_path_factory.mktemp("table"))) as running:
        yield running
        for line in running.stop().splitlines():
            assert json.loads(line)["level"] != "error", line


def guests(server: Server | Inside) -> dict[str, Guest]:
    """Those who have the cookies and the token of then."""
    found = {"Robot": Guest(server, "Robot", TOLD["token"])}  # type: ignore[arg-type]
    for name, cookie in TOLD["cookies"].items():
        found[name] = Guest(server, name, "none")  # type: ignore[arg-type]
        found[name].token, found[name].cookie = "", cookie
    return found


def seats_of(server: Server, name: str) -> tuple[Seat, Seat]:
    known = guests(server)
    other = known["Robot" if "Robot" in next(iter(ROOMS[name]["updates"].values()))["names"] else "Boris"]
    return known["Anna"].sit(ROOMS[name]["room"]), other.sit(ROOMS[name]["room"])


def checked_record(guest: Guest, name: str) -> Json:
    record: Json = guest.ask("GET", f"/api/rooms/{ROOMS[name]['room']}/record")
    assert record["rules"] == 1
    follow(record)
    check_fair(record)
    return record


# ---------------------------------------------------------------- what is in the file


def rooms_in(old: Path) -> tuple[dict[str, list[inputs.AnyInput]], Games]:
    with sqlite3.connect(old) as connection:
        rows = connection.execute("SELECT room, body FROM inputs ORDER BY room, number").fetchall()
        sets = dict(connection.execute("SELECT digest, body FROM card_sets").fetchall())
    connection.close()
    found: dict[str, list[inputs.AnyInput]] = {}
    for room, body in rows:
        found.setdefault(room, []).append(inputs.read_input(body))
    return found, Games({digest: json.loads(body) for digest, body in sets.items()})


@pytest.fixture(scope="module")
def replayed(old: Path) -> dict[str, Room]:
    found, games = rooms_in(old)
    return {name: replay(found[room["room"]], games) for name, room in ROOMS.items()}


@pytest.mark.parametrize("name", ROOMS)
def test_an_old_room_stands_as_it_was_told(name: str, replayed: dict[str, Room]) -> None:
    """The same deal, moves and updates; a view may tell more than it did, and writes options its own way."""
    room = replayed[name]
    assert room.game.rules_version == room.terms.rules == 1 and not room.made.seals
    for viewer, told in ROOMS[name]["updates"].items():
        now: Json = json.loads(wire.write_message(wire.update(room, int(viewer), 0, room.at)))
        for shown in (now, told):
            by_code(shown.get("open"), shown["view"])
        assert [kind for event in now["events"] if (kind := event["kind"]) not in TOLD_SINCE] == [
            event["kind"] for event in told["events"]
        ]
        assert same_view(now["view"], told["view"])
        for key in told.keys() - {"type", "events", "view", "clocks", "done"}:
            assert now[key] == told[key], key


def by_code(opened: Json | None, view: Json | None) -> None:
    """Hands were sorted by their codes, and are by strength."""
    if opened:
        opened["hands"] = [sorted(hand) for hand in opened["hands"]]
    if view and view.get("hand"):
        view["hand"].sort()


def same_view(now: Json | None, told: Json | None) -> bool:
    if now is None or told is None:
        return now is told
    return all(now[key] == told[key] for key in told if key != "options")


@pytest.mark.parametrize("name", OVER)
def test_a_finished_room_gives_the_record_that_it_gave(name: str, replayed: dict[str, Room]) -> None:
    assert replayed[name].record() == ROOMS[name]["record"]


def test_version_1_is_followed_where_version_2_differs() -> None:
    """D10: in version 1 a player without health draws on, and some of these games show it."""
    differ = [name for name in OVER if name.startswith("over duel") and not follows_version_2(name)]
    assert len(differ) >= 2 and all(name.startswith("over duel own") for name in differ)


def follows_version_2(name: str) -> bool:
    try:
        follow({**ROOMS[name]["record"], "rules": 2})
    except RecordError:
        return False
    return True


# ---------------------------------------------------------------- today's server


def test_who_they_were_they_are(server: Server) -> None:
    known = guests(server)
    assert known["Anna"].ask("GET", "/api/me")["name"] == "Anna"
    assert known["Boris"].ask("GET", "/api/me")["name"] == "Борис"
    assert known["Robot"].ask("GET", "/api/me")["bot"]
    listed = {row["room"]: row for row in known["Anna"].ask("GET", "/api/mine")}
    assert set(listed) == {room["room"] for room in ROOMS.values()}
    assert {row["rules"] for row in listed.values()} == {1}
    for name in OVER:
        assert listed[ROOMS[name]["room"]]["phase"] == "over"


@pytest.mark.parametrize("name", OVER)
def test_what_was_finished_is_readable(name: str, server: Server) -> None:
    anna, room = guests(server)["Anna"], ROOMS[name]["room"]
    assert checked_record(anna, name) == ROOMS[name]["record"]
    assert anna.ask("GET", f"/api/rooms/{room}")["update"]["phase"] == "over"
    steps = anna.ask("GET", f"/api/rooms/{room}/replay?viewer=0&lang=ru")["steps"]
    assert len(steps) > len(ROOMS[name]["record"]["moves"]) / 2


def test_records_are_kept_as_text_by_and_by_and_verified(server: Server, tmp_path: Path) -> None:
    """Nobody has to ask for them."""
    database, end = server.database.removeprefix("sqlite:///"), time.monotonic() + PATIENCE
    found: dict[str, str] = {}
    while len(found) < len(OVER):
        assert time.monotonic() < end, f"{len(found)} records of {len(OVER)}"
        time.sleep(0.1)
        with sqlite3.connect(database) as connection:
            found = dict(connection.execute("SELECT room, body FROM records").fetchall())
        connection.close()
    for name in OVER:
        assert json.loads(found[ROOMS[name]["room"]]) == ROOMS[name]["record"]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(found.values()), encoding="utf-8")
    verified = subprocess.run(
        [sys.executable, "-m", "coyote", "verify", str(file), "--json"], capture_output=True, text=True
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert json.loads(verified.stdout)["verified"] == len(found)


def test_years_without_a_server_cost_nobody_anything(server: Server) -> None:
    for name in ("running madness clock", "running madness days", "running duel clock"):
        seats = seats_of(server, name)
        told = [ROOMS[name]["updates"][str(party)]["clocks"] for party in range(2)]
        for party, seat in enumerate(seats):
            now = seat.state["clocks"]
            for was, left in zip(told[party], now, strict=True):
                assert -2000 < was - left < 60_000, name  # that server said once a second that it lives
            seat.close()


@pytest.mark.parametrize("name", sorted(set(BETWEEN_TWO) - set(ALONE)))
def test_what_went_on_goes_on_by_its_own_rules(name: str, server: Server) -> None:
    first, second = seats_of(server, name)
    assert first.welcome["rules"] == second.welcome["rules"] == 1
    assert first.state["context"] == ROOMS[name]["updates"]["0"]["context"]
    if name == "running duel sealed":
        second.do("move", move=second.state["legal"][0])  # the choice of then counts
        first.wait(lambda update: update["n"] > ROOMS[name]["updates"]["0"]["n"])
    play_on((first, second), Random(1))
    record = checked_record(first.guest, name)
    first.do("offer", what="rematch")
    second.catch_up()
    second.do("answer", what="rematch", yes=True)
    again = second.guest.sit(second.state["next"])
    assert again.welcome["rules"] == GAMES[record["game"]].RULES[-1], "a rematch is a new room"


@pytest.mark.parametrize("name", ALONE)
def test_two_at_one_device_go_on(name: str, server: Server) -> None:
    seat, dice = guests(server)["Anna"].sit(ROOMS[name]["room"]), Random(2)
    while not seat.state["result"]:
        for party in [party for party in seat.updates if seat.updates[party]["legal"]]:
            seat.do("move", party=party, move=dice.choice(seat.updates[party]["legal"]))
        seat.catch_up()
    checked_record(seat.guest, name)


@pytest.mark.parametrize("name", AGAINST_BOT)
def test_a_bot_goes_on(name: str, server: Server) -> None:
    seat, dice = guests(server)["Anna"].sit(ROOMS[name]["room"]), Random(3)
    while not seat.state["result"]:
        known = len(seat.events[0])
        if seat.state["legal"]:
            seat.do("move", move=dice.choice(seat.state["legal"]))
        while len(seat.events[0]) == known and not seat.state["result"]:
            seat.receive()
    checked_record(seat.guest, name)


@pytest.mark.parametrize("name", [name for name in ROOMS if name.startswith(("seated", "waiting"))])
def test_what_had_not_begun_begins_by_the_rules_of_then(name: str, server: Server) -> None:
    """Its context was told already, or would have been: without seals, and with version 1."""
    known, room = guests(server), ROOMS[name]["room"]
    if name.startswith("waiting"):
        known["Boris"].join({"room": room, "invite": TOLD["invites"][name]})
    seats = [known["Anna"].sit(room)] + ([] if "bot" in name else [known["Boris"].sit(room)])
    for party, seat in enumerate(seats):
        assert seat.state["context"] and json.loads(seat.state["context"])["seals"] == ["", ""]
        assert seat.state["sealed"] == [True, True]
        if not seat.state["ready"][party]:
            seat.ready()
    for seat in seats:
        seat.wait(lambda update: update["phase"] == "playing")
    seats[0].do("resign")
    checked_record(known["Anna"], name)


# ---------------------------------------------------------------- versions that are not followed any more


def test_what_became_of_old_games_is_found_out(server: Server) -> None:
    anna = guests(server)["Anna"]
    found: dict[str, Json] = {}
    end = time.monotonic() + PATIENCE
    while not found or any(row["party"] is None for row in found.values() if row["opponent"] != "self"):
        assert time.monotonic() < end
        page = anna.ask("GET", "/api/me/games?most=100")
        assert page["next"] is None
        found = {row["room"]: row for row in page["games"]}
    for name in OVER:
        told = ROOMS[name]["updates"]
        row, result = found[ROOMS[name]["room"]], next(iter(told.values()))["result"]
        winner = result["winner"]
        mine = next(iter(told.values()))["seats"].index(0)
        wanted = "drawn" if winner is None else "won" if winner == mine else "lost"
        assert row["outcome"] == (None if row["opponent"] == "self" else wanted), name
        assert row["reason"] == result["reason"] and row["turns"] and row["ended_at"] >= row["made_at"]
    sums = anna.ask("GET", "/api/me/statistics")
    assert sum(row["games"] for row in sums["games"] + sums["alone"]) >= len(OVER)


@pytest.fixture
def without_version_1(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in GAMES.values():
        monkeypatch.setattr(kind, "RULES", (2,))


def phases(guest: Guest) -> dict[str, str]:
    return {row["room"]: row["phase"] for row in guest.ask("GET", "/api/mine")}


def test_what_cannot_go_on_is_ended_by_name_and_what_is_finished_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The records were written before the rules went."""
    database = unpack(tmp_path)
    with Inside(database).running() as server:
        anna = guests(server)["Anna"]
        for name in OVER:
            anna.ask("GET", f"/api/rooms/{ROOMS[name]['room']}/record")
    for kind in GAMES.values():
        monkeypatch.setattr(kind, "RULES", (2,))
    with Inside(database).running() as server:
        anna = guests(server)["Anna"]
        for name in OVER:
            room = ROOMS[name]["room"]
            assert anna.ask("GET", f"/api/rooms/{room}/record") == ROOMS[name]["record"]
        for name in UNFINISHED:
            is_ended(server, anna, name)
        now = phases(anna)
        assert {now[ROOMS[name]["room"]] for name in UNFINISHED} == {"ended"}
        assert {now[ROOMS[name]["room"]] for name in OVER} == {"over"}
        assert now[ROOMS["closed"]["room"]] == "closed" and not anna.ask("GET", "/api/waiting")
        assert anna.try_to("GET", "/healthz")[1]["broken"] == 0
        made = anna.make(game="duel", opponent="self")
        assert anna.sit(made["room"]).welcome["rules"] == 2, "the newest go on"


def is_ended(server: Inside, anna: Guest, name: str) -> None:
    room = ROOMS[name]["room"]
    for _ in range(2):  # whoever asks again is told the same
        status, answer = anna.try_to("GET", f"/api/rooms/{room}", **{"Accept-Language": "en"})
        assert (status, answer["code"]) == (410, "room.ended"), name
        assert answer["text"].endswith("there is no version 1 of these rules; there is: 2"), answer
    address = f"ws://{server.host}/api/rooms/{room}/socket"
    with connect(address, additional_headers=anna.headers) as socket:
        assert json.loads(socket.recv())["code"] == "room.ended"


def test_games_with_a_clock_or_a_bot_are_ended_though_nobody_asks(
    tmp_path: Path, without_version_1: None
) -> None:
    with Inside(unpack(tmp_path)).running() as server:
        anna = guests(server)["Anna"]
        watched = [ROOMS[name]["room"] for name in ROOMS if name.startswith("running") and "clock" in name]
        end = time.monotonic() + PATIENCE
        while {phases(anna)[room] for room in watched} != {"ended"}:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_an_ended_game_does_not_count_against_its_guest(tmp_path: Path, without_version_1: None) -> None:
    """Nobody could close it."""
    with Inside(unpack(tmp_path)).running() as server:
        anna = guests(server)["Anna"]
        guest = TOLD["cookies"]["Anna"].partition("=")[2].partition(".")[0]
        before = server.hall.store.unfinished(guest)[0]
        anna.try_to("GET", f"/api/rooms/{ROOMS['running madness']['room']}")
        assert server.hall.store.unfinished(guest)[0] < before


def test_a_game_that_cannot_go_on_holds_no_other_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that go on with nobody there, some are refused; the others run."""
    monkeypatch.setattr(GAMES["madness"], "RULES", (2,))
    with Inside(unpack(tmp_path)).running() as server:
        wanted = {ROOMS[name]["room"] for name in ("running duel clock", "running duel bot")}
        end = time.monotonic() + PATIENCE
        while not wanted <= set(server.hall.rooms):
            assert time.monotonic() < end
            time.sleep(0.05)
        assert ROOMS["running madness clock"]["room"] not in server.hall.rooms


def test_rules_and_options_of_a_later_server_are_refused_by_name() -> None:
    anna, secret = inputs.Player("a", "Anna"), "5a" * 32
    for terms, why in (
        (inputs.Terms("duel", rules=99), "there is no version 99 of these rules; there is: 1, 2"),
        (inputs.Terms("madness", {"moons": 2}), "there is no option moons"),
        (inputs.Terms("chess"), "chess"),
    ):
        with pytest.raises(OptionError, match=why):
            Room(inputs.Make(0, "room", terms, anna, secret), Games())
