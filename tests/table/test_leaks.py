"""Nobody learns what is hidden: two games that differ only in cards nobody has seen but their owner
send the same bytes to the other seat and to a spectator, whatever anybody tries.

The server runs in a thread here, on a real socket, so that the test can exchange the cards, drive the
clock, and have the same ids and secrets in both games.
"""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.games.duel.game import Duel
from coyote.games.madness.cards import NAMES
from coyote.table.room import Room
from table.kit_inside import Inside
from table.kit_table import Guest, Json, Seat, sqlite_in

WAYS: list[tuple[str, Json]] = [
    ("madness", {}),
    ("madness", {"fields": 4, "jokers": 0, "goal": 12, "extra": 2}),
    ("madness", {"edition": "classic", "fields": 1, "hand": 9, "chance": "no"}),
    ("duel", {}),
    ("duel", {"open-lists": "yes", "hand": 5, "health": 300}),
]
IDS = [" ".join([game, *(f"{name}={value}" for name, value in options.items())]) for game, options in WAYS]


def exchange(room: Room, really: bool) -> tuple[str, str]:
    """A card in the hand of seat 1 and one at the bottom of the deck: their names; exchanged where asked."""
    assert room.table is not None
    game, state = room.game, room.table.match._state
    if isinstance(game, Duel):
        held = plain_cards(game, state, "hand", "in_hand")
        deep = plain_cards(game, state, "deck", "in_deck")
        place, depth = next((p, d) for p in held for d in deep if held[p] != deep[d])
        names = held[place], deep[depth]
    else:
        place = next(card for card in range(54) if int(state["hands"][1]) >> card & 1)
        names = NAMES[place], NAMES[state["deck"][0]]
    for match in (room.table.match, room.table.start) if really else ():
        s = match._state
        if isinstance(game, Duel):
            s["hand"][1, place], s["deck"][1, depth] = int(s["deck"][1, depth]), int(s["hand"][1, place])
        else:
            s["hands"][1] = np.uint64(int(s["hands"][1]) & ~(1 << place) | 1 << int(s["deck"][0]))
            s["deck"][0] = place
        match._changed()
    room.table._legal.clear()
    return names


def plain_cards(game: Duel, state: Any, zone: str, count: str) -> dict[int, str]:
    """Those of seat 1, by their places, that do not come into play by themselves; seat 0 has none such."""
    ids = {place: game.ids[kind] for place, kind in enumerate(state[zone][1, : state[count][1]])}
    others = {game.ids[kind] for kind in state["listed"][0] if kind >= 0}
    autos = {card.id for card in game.card_set.cards if card.program.auto}
    return {place: id for place, id in ids.items() if id not in others | autos}


class Evening:
    """One game with everything that can be tried in it. `script` is made up or followed."""

    def __init__(
        self, server: Any, game: str, options: Json, exchanged: bool = False, script: list[Any] | None = None
    ) -> None:
        self.server, self.dice, self.follows = server, Random(11), script
        self.script: list[Any] = []
        anna, boris, vera = (Guest(server, name) for name in ("Anna", "Boris", "Vera"))
        clock = {"minutes": 50, "increment": 3}
        # Decks without a card that has one of the own hand named: it might have to be one of the two.
        mine, theirs = ({"deck": "pack"}, {"deck": "thunderhead"}) if game == "duel" else ({}, {})
        made = anna.make(game=game, options=options, begins="host", clock=clock, **mine)
        boris.join(made, **theirs)
        self.seats = anna.sit(made["room"]), boris.sit(made["room"])
        for number, seat in enumerate(self.seats):
            seat.do("ready", id=f"r{number}", nonce=f"{number}" * 32)
        self.calm()
        self.cards = exchange(server.hall.rooms[made["room"]].room, exchanged)
        self.vera = vera.sit(made["room"], want=["view", "legal", "events", "story"])
        self.numbers = 0

    def calm(self) -> None:
        for seat in self.seats:
            seat.catch_up()
        if hasattr(self, "vera"):
            self.vera.catch_up()

    def told(self) -> list[str]:
        return [*self.seats[0].raw, "---", *self.vera.raw]

    def request(self, seat: Seat, **message: Any) -> None:
        self.numbers += 1
        seat.request(**{"id": f"n{self.numbers}", **message})
        self.calm()

    def hidden(self, text: str) -> bool:
        return not any(card in text.split() for card in self.cards)

    def choose(self, seat: Seat) -> str:
        """Never one of the two cards: that would show it."""
        if self.follows is not None:
            return str(self.follows[len(self.script)])
        if seat is self.seats[0]:
            return str(self.dice.choice(seat.state["legal"]))
        return str(self.dice.choice([move for move in seat.state["legal"] if self.hidden(move)]))

    def turn(self, number: int) -> None:
        """A choice of each who owes one, among all sorts of other things."""
        anna, boris = self.seats
        self.server.at += 700
        for card in self.cards:  # Anna asks for what she does not hold; Boris for what he may or may not
            move = f"a1 {card}" if len(card) == 2 else f"play {card}"
            for seat, type in ((anna, "move"), (anna, "why"), (boris, "why")):
                self.request(seat, type=type, move=move)
        self.request(boris, type="move", move="castle")
        self.request(anna, type="undo")
        for seat in [seat for seat in self.seats if seat.seat in anna.state["actors"]]:
            move = self.choose(seat)
            self.script.append(move)
            self.request(seat, type="move", move=move)
            if number % 3 == 0:
                self.request(seat, type="undo")
                self.request(seat, type="move", move=move)
            if seat is anna and len(anna.state["actors"]) == 2:
                self.request(seat, type="move", move="hold")
                self.request(seat, type="move", move=move)
        self.request(self.dice_seat(number), type="emote", what="oops")
        self.request(boris, type="claim")
        if "abort" not in anna.state:
            self.request(anna, type="abort")
        if number % 4 == 1:
            self.request(boris, type="offer", what="undo")
            self.request(anna, type="answer", what="undo", yes=number % 8 == 1)
        if number % 5 == 2:
            self.come_back(anna)
            self.come_back(boris)

    def dice_seat(self, number: int) -> Seat:
        return self.seats[number % 2]

    def come_back(self, seat: Seat) -> None:
        others = [other for other in (*self.seats, self.vera) if other is not seat]
        for here, act in ((False, seat.close), (True, lambda: seat.open({"seen": {}}))):
            act()
            for other in others:
                while other.presence[seat.viewer] != here:
                    other.receive()
        self.calm()


def shown(evening: Evening) -> bool:
    """Whether one of the two cards has come to light."""
    seen = [*evening.seats[0].events[0], *evening.vera.events[-1]]
    return any(value in evening.cards for event in seen for value in event.values())


@pytest.mark.parametrize(("game", "options"), WAYS, ids=IDS)
def test_hidden_cards_make_no_difference_to_any_byte(game: str, options: Json, tmp_path: Path) -> None:
    script, told = None, []
    for exchanged in (False, True):
        folder = tmp_path / str(exchanged)
        folder.mkdir()
        with Inside(sqlite_in(folder)).running() as server:
            evening = Evening(server, game, options, exchanged, script)
            said = [evening.told()]
            turns = 0
            while turns < 24 and evening.seats[0].state["phase"] == "playing" and not shown(evening):
                evening.turn(turns)
                turns += 1
                if not shown(evening):
                    said.append(evening.told())
            told.append(said)
            script = evening.script
            for seat in (*evening.seats, evening.vera):
                seat.close()
    first, second = told
    assert len(first) == len(second) > 5
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        assert one == other, f"turn {number}"


@pytest.mark.parametrize("options", [options for game, options in WAYS if game == "duel"], ids=str)
@pytest.mark.parametrize("ends", ["resign", "abort", "claim"])
def test_no_byte_tells_whether_the_other_has_chosen(options: Json, ends: str, tmp_path: Path) -> None:
    """Nor at the end, what the clocks say and what was played."""
    told = []
    for busy in (False, True):
        folder = tmp_path / str(busy)
        folder.mkdir()
        with Inside(sqlite_in(folder)).running() as server:
            evening = Evening(server, "duel", options)
            anna, boris = evening.seats
            for move in anna.state["legal"] if busy else ():
                anna.do("move", move=move)
                anna.do("undo")
                anna.do("move", move=move)
            server.at += 5_000
            boris.catch_up()
            evening.come_back(boris)
            boris.request("offer", id="o", what="draw")
            boris.request("undo", id="u")
            boris.request("claim", id="c")
            boris.request("emote", id="e", what="hello")
            for number, move in enumerate([*boris.state["legal"], "castle", f"play {evening.cards[1]}"]):
                boris.request("why", id=f"y{number}", move=move)
            evening.calm()
            lists = ("/api/me/games", "/api/playing", f"/api/rooms/{boris.room}")
            heard = [str(boris.guest.ask("GET", path)) for path in lists]
            anna.close()
            while boris.presence[0]:
                boris.receive()
            server.at += 60_000
            boris.request(ends, id="end")
            boris.catch_up()
            evening.vera.catch_up()
            assert boris.state["phase"] == "over"
            told.append([*boris.raw, *evening.vera.raw, *heard, str(boris.guest.ask("GET", lists[-1]))])
            for seat in (*evening.seats, evening.vera):
                seat.close()
    assert told[0] == told[1]


def test_no_clock_strikes_for_the_time_without_a_server(tmp_path: Path) -> None:
    with Inside(sqlite_in(tmp_path)).running() as server:
        evening = Evening(server, "madness", {})
        anna, at = evening.seats[0], server.at + 60_000
        server.at = at
        anna.do("move", id="m", move="pass")
        left = anna.state["clocks"]
        for seat in (*evening.seats, evening.vera):
            seat.close()
    again = Inside(sqlite_in(tmp_path))
    again.at = at + 86_400_000
    with again.running():
        anna.guest.server = again  # type: ignore[assignment]
        anna.open()
        anna.catch_up()
        assert (anna.state["phase"], anna.state["clocks"]) == ("playing", left)
        anna.close()
