"""A game that only the tests know, in rooms: over a real socket, with people and bots, and nothing leaks."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coyote.fairness import check_fair
from coyote.records import follow
from table.kit_inside import Inside
from table.kit_table import Guest, Json, Seat, Server, play_on, seat_two, sqlite_in

pytestmark = pytest.mark.usefixtures("third_game")

GAME = {"game": "goofspiel", "options": {"cards": 4}}


class WithGoofspiel(Server):
    module = "kit.with_goofspiel"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with WithGoofspiel(sqlite_in(tmp_path_factory.mktemp("table"))) as started:
        yield started


def test_the_list_of_games_has_it_with_its_options(server: Server) -> None:
    games = server.guest("Anna").ask("GET", "/api/games")["games"]
    assert [game["name"] for game in games] == ["madness", "duel", "goofspiel"]
    shown = games[-1]
    assert shown["title"] == {"en": "Goofspiel", "ru": "Гуфшпиль"} and shown["letter"] == "G"
    assert (shown["needs_decks"], shown["lot"], shown["rulebook"], shown["lesson"]) == (False,) * 4
    (cards,) = shown["options"]
    assert (cards["name"], cards["kind"], cards["least"], cards["most"]) == ("cards", "number", 3, 7)
    assert cards["values"] == {"": 5} and cards["title"]["ru"] == "Карты"


@pytest.mark.parametrize("path", ["/api/rules/goofspiel", "/api/lessons/goofspiel"])
def test_what_it_does_not_bring_is_not_there(server: Server, path: str) -> None:
    assert server.guest("Anna").try_to("GET", path)[0] == 404


def test_options_that_cannot_be_are_refused_with_their_reasons(server: Server) -> None:
    wanted = {"game": "goofspiel", "options": {"cards": 8, "jokers": 1}}
    status, problem = server.guest("Anna").try_to("POST", "/api/rooms", wanted)
    assert 400 <= status < 500 and len(problem["reasons"]) == 2, problem


def test_two_people_play_it_to_the_end(server: Server) -> None:
    first, second = seat_two(server, **GAME)
    assert first.welcome["title"] == {"en": "Goofspiel · 4 cards", "ru": "Гуфшпиль · 4 карты"}
    assert play_on((first, second), Random(1)) == 8
    assert first.state["result"] == second.state["result"] is not None
    record = checked_record(first)
    assert record["options"] == {"cards": 4} and record["result"] == first.state["result"]
    shown = first.guest.ask("GET", f"/api/rooms/{first.room}/replay?lang=ru")
    assert "Приз — " in json.dumps(shown, ensure_ascii=False)
    for seat in (first, second):
        seat.close()


def checked_record(seat: Seat) -> Json:
    """The record of the finished game, after nothing was found wrong with its moves and its deal."""
    address = f"http://{seat.guest.server.host}/api/rooms/{seat.room}/record"
    with urllib.request.urlopen(address) as answer:
        record: Json = json.loads(answer.read())
    check_fair(record)
    follow(record)
    return record


@pytest.mark.parametrize("bot", ["random", "level:2"])
def test_somebody_plays_it_against_a_bot_with_a_hint(server: Server, bot: str) -> None:
    anna = server.guest("Anna")
    seat = anna.sit(anna.make(**GAME, opponent="bot", bot=bot)["room"], want=["view", "legal", "story"])
    seat.ready()
    seat.wait(lambda update: update["phase"] == "playing")
    hint = anna.ask("POST", f"/api/rooms/{seat.room}/hint")
    assert hint["move"] in seat.state["legal"] and hint["text"]
    while seat.state["phase"] == "playing":
        before = seat.state["view"]["turn"]
        assert seat.state["prompt"] == "Bid for the prize."
        seat.do("move", move=seat.state["legal"][0])
        seat.wait(lambda update: update["phase"] == "over" or update["view"]["turn"] > before)  # noqa: B023
    assert checked_record(seat)["result"]["reason"] == "points"
    seat.close()


def test_a_choice_may_be_changed_until_both_are_in(server: Server) -> None:
    first, second = seat_two(server, **GAME)
    first.do("move", move="bid 2")
    assert first.state["view"]["chosen"] == "bid 2" and "bid 3" in first.state["legal"]
    first.do("move", move="bid 3")
    first.do("undo")
    assert first.state["view"]["chosen"] is None
    first.do("move", move="bid 1")
    assert second.refused("move", move="bid 9") == "goofspiel.no_bid"
    second.do("move", move="bid 4")
    for seat in (first, second):
        seat.catch_up()
        assert seat.state["view"]["bids"] == [[1], [4]] if first.seat == 0 else [[4], [1]]
        seat.close()


# ---------------------------------------------------------------- nothing leaks


class Evening:
    """A game in a server whose time, ids and secrets are the same each time."""

    def __init__(self, server: Any, turned_round: bool = False, undecided: bool = False) -> None:
        self.server, self.undecided, self.numbers = server, undecided, 0
        anna, boris, vera = (Guest(server, name) for name in ("Anna", "Boris", "Vera"))
        made = anna.make(game="goofspiel", options={"cards": 7}, begins="host", clock={"minutes": 50})
        boris.join(made)
        self.anna, self.boris = anna.sit(made["room"]), boris.sit(made["room"])
        for number, seat in enumerate((self.anna, self.boris)):
            seat.do("ready", id=f"r{number}", nonce=f"{number}" * 32)
        self.vera = vera.sit(made["room"], want=["view", "legal", "events", "story"])
        self.calm()
        if turned_round:  # the prizes that nobody has seen, and will not see tonight
            table = server.hall.rooms[made["room"]].room.table
            for match in (table.start, table.match):
                match._state["prizes"][5:] = match._state["prizes"][5:][::-1].copy()

    def calm(self) -> None:
        for seat in (self.anna, self.boris, self.vera):
            seat.catch_up()

    def request(self, seat: Seat, **message: Any) -> None:
        self.numbers += 1
        seat.request(**{"id": f"n{self.numbers}", **message})
        self.calm()

    def turn(self, number: int) -> None:
        """Boris seals a choice, after some others or at once; Anna tries this and that, and chooses."""
        self.server.at += 700
        self.request(self.anna, type="move", move="bid 7")
        self.request(self.anna, type="undo")
        if self.undecided:
            for bid in self.boris.state["legal"]:
                self.boris.request("move", move=bid)
                self.boris.request("undo")
        self.boris.request("move", id=f"b{number}", move=f"bid {number + 1}")
        self.calm()
        for move in ("bid 9", "castle", f"bid {number + 1}" if number else "bid"):
            for type in ("move", "why"):
                self.request(self.anna, type=type, move=move)
        self.told_before = [*self.anna.raw, "---", *self.vera.raw]
        self.request(self.anna, type="move", move=f"bid {number + 2}")
        assert self.anna.state["view"]["turn"] == number + 2

    def spend(self) -> list[list[str]]:
        said = []
        for number in range(4):
            self.turn(number)
            said += [self.told_before, [*self.anna.raw, "---", *self.vera.raw]]
        for seat in (self.anna, self.boris, self.vera):
            seat.close()
        return said


@pytest.mark.parametrize("secret", ["turned_round", "undecided"])
def test_what_is_hidden_makes_no_difference_to_any_byte(secret: str, tmp_path: Path) -> None:
    """The order of prizes to come; what the other sealed and took back."""
    told = []
    for really in (False, True):
        folder = tmp_path / str(really)
        folder.mkdir()
        with Inside(sqlite_in(folder)).running() as server:
            told.append(Evening(server, **{secret: really}).spend())
    assert told[0] == told[1]


def test_no_byte_tells_what_is_sealed(tmp_path: Path) -> None:
    """Until Anna has chosen, she hears the same whatever Boris chose."""
    told = []
    for bid in ("bid 1", "bid 5"):
        folder = tmp_path / bid
        folder.mkdir()
        with Inside(sqlite_in(folder)).running() as server:
            evening = Evening(server)
            evening.boris.request("move", id="b", move=bid)
            evening.calm()
            for type in ("move", "why", "undo"):
                evening.request(evening.anna, type=type, **({} if type == "undo" else {"move": "bid 9"}))
            looked = str(evening.anna.guest.ask("GET", f"/api/rooms/{evening.anna.room}"))
            told.append([*evening.anna.raw, *evening.vera.raw, looked])
            for seat in (evening.anna, evening.boris, evening.vera):
                seat.close()
    assert told[0] == told[1]
