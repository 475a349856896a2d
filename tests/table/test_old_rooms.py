"""Rooms keep the version and the options that they were made with.

`data/rooms-819caa6.json` has what the server of that commit kept and told: rooms from before versions and
house rules, in games that were made, played on, sealed or over. Whoever cannot follow a room says so.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.sync.client import connect

from coyote.fairness import check_fair
from coyote.games.game import OptionError, RecordError
from coyote.records import follow
from coyote.table import inputs, wire
from coyote.table.games import Games
from coyote.table.identity import sign
from coyote.table.room import Room, replay
from coyote.table.store import Store, Write
from table.kit_inside import Inside
from table.kit_table import Guest, Json, play_on, sqlite_in

KEPT: Json = json.loads((Path(__file__).parent / "data" / "rooms-819caa6.json").read_text(encoding="utf-8"))
ROOMS: dict[str, Json] = {room["name"]: room for room in KEPT["rooms"]}
GAMES = Games({row["digest"]: json.loads(row["body"]) for row in KEPT["card_sets"]})
KEY = bytes.fromhex(next(row["value"] for row in KEPT["settings"] if row["name"] == "signing_key"))


def inputs_of(room: Json) -> list[inputs.AnyInput]:
    return [inputs.read_input(body) for body in room["inputs"]]


def make_of(room: Json) -> inputs.Make:
    made = inputs.read_input(room["inputs"][0])
    assert isinstance(made, inputs.Make)
    return made


@pytest.mark.parametrize("name", ROOMS)
def test_an_old_room_stands_as_it_was_told(name: str) -> None:
    """The same deal, moves and updates; a view may tell more than it did, and writes options its own way."""
    room = replay(inputs_of(ROOMS[name]), GAMES)
    assert room.game.rules_version == 1
    for viewer, told in ROOMS[name]["told"].items():
        now: Json = msgspec.to_builtins(wire.update(room, int(viewer), 0, room.at))
        assert [event["kind"] for event in now["events"]] == told["kinds"]
        assert same_view(now.pop("view"), told["view"])
        assert {key: now[key] for key in told if key in now} == {
            key: value for key, value in told.items() if key in now
        }


def same_view(now: Json | None, told: Json | None) -> bool:
    if now is None or told is None:
        return now is told
    return all(now[key] == told[key] for key in told if key != "options")


def test_version_1_is_followed_where_version_2_differs() -> None:
    """D10: in version 1 a player without health draws on."""
    record = ROOMS["over"]["record"]
    assert replay(inputs_of(ROOMS["over"]), GAMES).record() == record
    check_fair(record)
    follow(record)
    with pytest.raises(RecordError):
        follow({**record, "rules": 2})


def test_inputs_from_before_have_version_1() -> None:
    assert "rules" not in ROOMS["waiting"]["inputs"][0]
    assert make_of(ROOMS["waiting"]).terms.rules == 1


# ---------------------------------------------------------------- on a server


def keep(database: str, rooms: list[Json]) -> None:
    """As the old server left it."""
    write = Write(**{name: KEPT[name] for name in ("card_sets", "guests", "settings")})
    write.rooms = [room["row"] for room in rooms]
    write.players = [row for room in rooms for row in room["players"]]
    for room in rooms:
        for number, given in enumerate(inputs_of(room)):
            write.add_input(room["row"]["id"], number, given)
    store = Store(database)
    store.keep_now(write)
    store.close()


def guest(server: Inside, id: str) -> Guest:
    """Somebody who has the cookie of then."""
    return Guest(server, "", token=sign(id, KEY))  # type: ignore[arg-type]


def both(server: Inside, room: Json) -> list[Guest]:
    made, joined = inputs_of(room)[:2]
    assert isinstance(made, inputs.Make) and isinstance(joined, inputs.Join)
    return [guest(server, player.guest) for player in (made.host, joined.player)]


@pytest.mark.parametrize("name", ["madness", "a sealed choice", "open lists"])
def test_an_old_room_goes_on_to_its_end(name: str, tmp_path: Path) -> None:
    keep(sqlite_in(tmp_path), KEPT["rooms"])
    with Inside(sqlite_in(tmp_path)).running() as server:
        id = ROOMS[name]["row"]["id"]
        first, second = (one.sit(id) for one in both(server, ROOMS[name]))
        assert first.welcome["rules"] == 1 and first.welcome["title"]["en"]
        assert json.loads(first.state["context"])["options"] == first.welcome["options"]
        play_on((first, second), Random(1))
        record = first.guest.ask("GET", f"/api/rooms/{id}/record")
        assert record["rules"] == 1
        follow(record)
        check_fair(record)
        first.do("offer", what="rematch")
        second.do("answer", what="rematch", yes=True)
        assert (
            second.guest.sit(second.state["next"]).welcome["rules"]
            == replay(inputs_of(ROOMS[name]), GAMES).game.RULES[-1]
        ), "a rematch is a new room"


def test_an_old_room_that_waits_is_listed_and_joined(tmp_path: Path) -> None:
    keep(sqlite_in(tmp_path), KEPT["rooms"])
    with Inside(sqlite_in(tmp_path)).running() as server:
        vera, id = Guest(server, "Vera"), ROOMS["waiting"]["row"]["id"]  # type: ignore[arg-type]
        (listed,) = vera.ask("GET", "/api/waiting")
        assert (listed["room"], listed["rules"]) == (id, 1)
        assert listed["title"] == {"en": "Duel", "ru": "Дуэль"}
        vera.join({"room": id})
        assert vera.sit(id).welcome["rules"] == 1


# ---------------------------------------------------------------- versions that nobody knows here


def of_version(room: Json, rules: int) -> Json:
    """A room that a later server has made."""
    made = make_of(room)
    newer = msgspec.structs.replace(made, terms=msgspec.structs.replace(made.terms, rules=rules))
    return {**room, "inputs": [inputs.write_input(newer), *room["inputs"][1:]]}


@pytest.mark.parametrize("name", ["waiting", "a sealed choice", "over"])
def test_a_room_of_unknown_rules_is_refused_by_name(name: str) -> None:
    with pytest.raises(OptionError) as refused:
        replay(inputs_of(of_version(ROOMS[name], 99)), GAMES)
    assert refused.value.message("en") == "there is no version 99 of these rules; there is: 1, 2"


def test_a_room_of_unknown_options_is_refused_by_name() -> None:
    terms = inputs.Terms("madness", {"edition": "standard", "moons": 2})
    made = inputs.Make(0, "room", terms, inputs.Player("a", "Anna"), "5a" * 32)
    with pytest.raises(OptionError, match="there is no option moons"):
        Room(made, GAMES)


def test_a_server_says_which_rules_it_does_not_know_and_goes_on_with_all_others(tmp_path: Path) -> None:
    """The strange room comes first, with a clock that would run: those after it go on all the same."""
    strange = of_version(ROOMS["madness"], 99)
    strange["row"] = {**strange["row"], "made_at": 0}
    keep(sqlite_in(tmp_path), [strange, ROOMS["a sealed choice"], ROOMS["waiting"]])
    with Inside(sqlite_in(tmp_path)).running() as server:
        anna, id = both(server, strange)[0], strange["row"]["id"]
        for _ in range(2):  # whoever asks again is told the same
            status, answer = anna.try_to("GET", f"/api/rooms/{id}")
            assert (status, answer["code"]) == (422, "option.rules")
            assert answer["text"] == "there is no version 99 of these rules; there is: 1"
        address = f"ws://{server.host}/api/rooms/{id}/socket"
        with connect(address, additional_headers=anna.headers) as socket:
            assert json.loads(socket.recv())["code"] == "option.rules"
        assert [row["room"] for row in anna.ask("GET", "/api/mine")] == [id]
        others = both(server, ROOMS["a sealed choice"])
        assert others[0].sit(ROOMS["a sealed choice"]["row"]["id"]).state["phase"] == "playing"


def test_a_room_with_a_clock_goes_on_though_one_before_it_is_refused(tmp_path: Path) -> None:
    rows: list[Any] = []
    for number, room in enumerate([of_version(ROOMS["madness"], 99), ROOMS["madness"]]):
        id = f"room{number}"
        made, *rest = inputs_of(room)
        assert isinstance(made, inputs.Make)
        texts = [inputs.write_input(one) for one in [msgspec.structs.replace(made, room=id), *rest]]
        rows.append({**room, "row": {**room["row"], "id": id}, "inputs": texts, "players": []})
    rows[1]["inputs"] = rows[1]["inputs"][:4]  # another room is another deal: its moves would be others
    keep(sqlite_in(tmp_path), rows)
    with Inside(sqlite_in(tmp_path)).running() as server:
        while "room1" not in server.hall.rooms:
            Guest(server, "Vera").ask("GET", "/healthz")  # type: ignore[arg-type]
        assert "room0" not in server.hall.rooms
