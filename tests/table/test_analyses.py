"""The analysis of finished rooms at a real server, and games that are gone on with otherwise."""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from coyote.table import view_types
from coyote.table.analyses import MOST_KEPT, Analyses, Job
from coyote.table.tries import Try, tried
from table.kit_table import PATIENCE, QUICK, Guest, Server, play_on, seat_two, sqlite_in

Json = dict[str, Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(sqlite_in(tmp_path_factory.mktemp("analyses"))) as server:
        yield server


@pytest.fixture(scope="module")
def rooms(server: Server) -> dict[str, str]:
    """A finished room of each game."""
    found = {}
    for name in ("madness", "duel"):
        seats = seat_two(server, game=name)
        play_on(seats, Random(name))
        found[name] = seats[0].room
        for seat in seats:
            seat.close()
    return found


def finished(guest: Guest, room: str) -> Json:
    until = time.monotonic() + PATIENCE
    told: Json = {}
    while time.monotonic() < until:
        told = guest.ask("GET", f"/api/rooms/{room}/analysis")
        if told["state"] in ("done", "failed"):
            return told
        assert told["analysis"] is None and 0.0 <= told["progress"] <= 1.0
        time.sleep(0.2)
    return told


def test_a_finished_room_is_analysed_once_for_everybody(server: Server, rooms: dict[str, str]) -> None:
    anna, boris = server.guest("Anna"), server.guest("Boris")
    told = finished(anna, rooms["madness"])
    assert told["state"] == "done" and told["problem"] is None, told
    found = told["analysis"]
    record = anna.ask("GET", f"/api/rooms/{rooms['madness']}/record")
    assert [[one["seat"], one["made"]] for one in found["decisions"]] == record["moves"]
    assert "players" not in found, "names are the room's, and may be taken away"
    msgspec.convert(told, view_types.AnalysisTold)
    assert boris.ask("GET", f"/api/rooms/{rooms['madness']}/analysis") == told


def test_a_room_that_is_played_is_not_analysed(server: Server) -> None:
    seats = seat_two(server, game="madness")
    status, why = server.guest("Clara").try_to("GET", f"/api/rooms/{seats[0].room}/analysis")
    assert status == 422 and why["code"] == "room.not_over" and "not over" in why["text"]
    status, why = server.guest("Clara").try_to(
        "POST", f"/api/rooms/{seats[0].room}/try", {"at": 0, "seat": 0}
    )
    assert status == 422 and why["code"] == "room.not_over"
    for seat in seats:
        seat.close()


def test_new_analyses_are_limited(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Looking at what is there, or how far it is, is not."""
    few = ("--limit", "analyses_per_minute=1")
    with Server(sqlite_in(tmp_path_factory.mktemp("few")), *QUICK, *few) as server:
        anna, rooms = server.guest("Anna"), []
        for seed in range(2):
            seats = seat_two(server, game="madness")
            play_on(seats, Random(seed))
            rooms.append(seats[0].room)
        for _ in range(3):
            anna.ask("GET", f"/api/rooms/{rooms[0]}/analysis")
        status, why = anna.try_to("GET", f"/api/rooms/{rooms[1]}/analysis")
        assert status == 429 and why["code"] == "room.too_many_requests"


def test_what_nobody_asked_for_longest_is_forgotten_first() -> None:
    analyses = Analyses.__new__(Analyses)
    analyses.jobs = {}  # type: ignore[assignment]
    for number in range(MOST_KEPT + 5):
        analyses.jobs[str(number)] = Job("", "waiting" if number < 2 else "done")
    analyses.forget()
    assert list(analyses.jobs)[:4] == ["0", "1", "7", "8"] and len(analyses.jobs) == MOST_KEPT


# ---------------------------------------------------------------- trying it from here


@pytest.mark.parametrize("name", ["madness", "duel"])
def test_a_game_is_gone_on_with_from_any_move(server: Server, rooms: dict[str, str], name: str) -> None:
    anna, moves = server.guest("Anna"), list[str]()
    asked = {"at": 4, "seat": 0, "bot": "level:1", "seed": "again"}
    for _ in range(6):
        told = anna.ask("POST", f"/api/rooms/{rooms[name]}/try", {**asked, "moves": moves})
        if told["result"]:
            break
        assert told["legal"] and told["names"][1] == "Pup"
        again = anna.ask("POST", f"/api/rooms/{rooms[name]}/try", {**asked, "moves": moves})
        assert again == told, "nothing is kept, so the same is told"
        moves.append(told["legal"][0])
    assert len(moves) > 1
    status, why = anna.try_to("POST", f"/api/rooms/{rooms[name]}/try", {**asked, "moves": ["nonsense"]})
    assert status == 422 and why["text"]
    status, _ = anna.try_to("POST", f"/api/rooms/{rooms[name]}/try", {**asked, "bot": "cmd:sh"})
    assert status == 422


def test_the_seat_sees_what_it_saw_and_the_rest_is_others(server: Server, rooms: dict[str, str]) -> None:
    anna = server.guest("Anna")
    record = anna.ask("GET", f"/api/rooms/{rooms['madness']}/record")
    tries = [Try(at=0, seat=0, bot="level:3", seed=str(seed)) for seed in range(5)]
    hands = {str(tried(record, one, "en")["view"]["hand"]) for one in tries}
    assert len(hands) == 1, "one's own cards are those of the game"
