"""Nobody learns what is hidden: two games that differ only in cards nobody has seen but their owner
send the same bytes to the other seat and to a spectator, whatever anybody tries.

The server runs in a thread here, on a real socket, so that the test can exchange the cards, drive the
clock, and have the same ids and secrets in both games.
"""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.games.duel.game import Duel
from coyote.games.madness.cards import NAMES
from coyote.table.hall import Hall
from coyote.table.limits import Limits
from coyote.table.room import Room
from coyote.table.run import make_server
from coyote.table.server import make_app
from coyote.table.store import Store
from table.kit_table import PATIENCE, Guest, Seat, sqlite_in

OPEN = Limits(messages_per_second=1e6, requests_per_second=1e6, makes_per_minute=1e6)


class Inside:
    """A server in this process: its time stands still unless the test moves it."""

    def __init__(self, database: str) -> None:
        self.at, self.count = 1_700_000_000_000, 0
        self.hall = Hall(Store(database), 1, lambda: self.at, self.token)
        self.host = ""
        self.listening = threading.Event()
        self.server = make_server(make_app(self.hall, OPEN), "127.0.0.1", 0, self.note)
        self.thread = threading.Thread(target=self.server.run)

    def token(self, n: int) -> bytes:
        self.count += 1
        return hashlib.shake_128(str(self.count).encode()).digest(n)

    def note(self, address: str) -> None:
        self.host = address.removeprefix("http://").rstrip("/")
        self.listening.set()

    @contextmanager
    def running(self) -> Iterator["Inside"]:
        self.thread.start()
        try:
            assert self.listening.wait(PATIENCE)
            yield self
        finally:
            self.server.should_exit = True
            self.thread.join(PATIENCE)


def exchange(room: Room, really: bool) -> tuple[str, str]:
    """A card in the hand of seat 1 and one at the bottom of the deck: their names; exchanged where asked."""
    assert room.match is not None
    game, state = room.match.game, room.match._state
    if isinstance(game, Duel):
        held = plain_cards(game, state["hand"][1, : state["in_hand"][1]])
        deep = plain_cards(game, state["deck"][1, : state["in_deck"][1]])
        place, depth = next((p, d) for p in held for d in deep if held[p] != deep[d])
        names = held[place], deep[depth]
    else:
        place = next(card for card in range(54) if int(state["hands"][1]) >> card & 1)
        names = NAMES[place], NAMES[state["deck"][0]]
    for match in (room.match, room.start) if really else ():
        s = match._state
        if isinstance(game, Duel):
            s["hand"][1, place], s["deck"][1, depth] = int(s["deck"][1, depth]), int(s["hand"][1, place])
        else:
            s["hands"][1] = np.uint64(int(s["hands"][1]) & ~(1 << place) | 1 << int(s["deck"][0]))
            s["deck"][0] = place
        match._legal.clear()
    return names


def plain_cards(game: Duel, kinds: Any) -> dict[int, str]:
    """Those that do not come into play by themselves, by their places."""
    ids = {place: game.ids[kind] for place, kind in enumerate(kinds)}
    return {place: id for place, id in ids.items() if not game.card_set.by_id[id].program.auto}


class Evening:
    """One game with everything that can be tried in it. `script` is made up or followed."""

    def __init__(self, server: Any, game: str, exchanged: bool, script: list[Any] | None) -> None:
        self.server, self.dice, self.follows = server, Random(11), script
        self.script: list[Any] = []
        anna, boris, vera = (Guest(server, name) for name in ("Anna", "Boris", "Vera"))
        made = anna.make(game=game, begins="host", clock={"minutes": 50, "increment": 3})
        boris.join(made)
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
            self.request(anna, type="move", move=f"a1 {card}" if len(card) == 2 else f"play {card}")
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
        if number % 4 == 1:
            self.request(boris, type="offer", what="undo")
            self.request(anna, type="answer", what="undo", yes=number % 8 == 1)
        if number % 5 == 2:
            self.come_back(anna)
            self.come_back(boris)

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


@pytest.mark.parametrize("game", ["madness", "duel"])
def test_hidden_cards_make_no_difference_to_any_byte(game: str, tmp_path: Path) -> None:
    script, told = None, []
    for exchanged in (False, True):
        folder = tmp_path / str(exchanged)
        folder.mkdir()
        with Inside(sqlite_in(folder)).running() as server:
            evening = Evening(server, game, exchanged, script)
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


def test_no_byte_tells_whether_the_other_has_chosen(tmp_path: Path) -> None:
    told = []
    for busy in (False, True):
        folder = tmp_path / str(busy)
        folder.mkdir()
        with Inside(sqlite_in(folder)).running() as server:
            evening = Evening(server, "duel", False, None)
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
            evening.calm()
            told.append(
                [*boris.raw, *evening.vera.raw, str(boris.guest.ask("GET", f"/api/rooms/{boris.room}"))]
            )
            for seat in (*evening.seats, evening.vera):
                seat.close()
    assert told[0] == told[1]


def test_no_clock_strikes_for_the_time_without_a_server(tmp_path: Path) -> None:
    with Inside(sqlite_in(tmp_path)).running() as server:
        evening = Evening(server, "madness", False, None)
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
