"""Write a database as an older server leaves it, with games of every kind, and what that server told of them.

    git archive 819caa6 | tar x -C OLD
    PYTHONPATH=OLD/src:OLD/tests python tools/make_old_database.py tests/table/data/table-819caa6

Server and clients are those of the checkout; Python and its packages may be today's. Two files come of it:
`….sqlite3.gz`, the database, and `….json.gz` with the cookies, the room of each game by its name, and what
its viewers were told last. The tests start today's server on a copy of the first.
"""

import argparse
import gzip
import json
import sqlite3
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from table.kit_table import Guest, Seat, Server, play_on, sqlite_in

HARBOUR = 'name = "harbour"\n' + "".join(
    f'[[card]]\nid = "c{n}"\nname = {{ ru = "Карта {n}", en = "Card {n}" }}\nrarity = "common"\n'
    f'text = "Attack {n % 4 + 5}, draw 5 cards."\n'
    for n in range(12)
)
CLASSIC = {"edition": "classic"}
TIMED = {"minutes": 600, "increment": 3}


class Maker:
    def __init__(self, server: Server) -> None:
        self.server, self.dice = server, Random(819)
        self.anna, self.boris = server.guest("Anna"), server.guest("Борис")
        made = self.anna.ask("POST", "/api/tokens", {"name": "Robot"})
        self.robot = Guest(server, "Robot", made["token"])
        self.rooms: dict[str, str] = {}

    # ------------------------------------------------------------ ways to sit

    def two(self, name: str, second: Guest | None = None, **terms: Any) -> tuple[Seat, Seat]:
        """At a fresh deal."""
        second, deck = second or self.boris, terms.pop("second_deck", None)
        made = self.anna.make(**terms)
        second.join(made, **({"deck": deck} if deck else {}))
        self.rooms[name] = made["room"]
        return self.dealt(made["room"], second)

    def dealt(self, room: str, second: Guest) -> tuple[Seat, Seat]:
        seats = self.anna.sit(room), second.sit(room)
        for seat in seats:
            seat.ready()
        for seat in seats:
            seat.wait(lambda update: update["phase"] == "playing")
        return seats

    def alone(self, name: str, **terms: Any) -> Seat:
        made = self.anna.make(**terms)
        self.rooms[name] = made["room"]
        seat = self.anna.sit(made["room"])
        seat.ready()
        for viewer in list(seat.updates):
            seat.wait(lambda update: update["phase"] == "playing", viewer)
        return seat

    # ------------------------------------------------------------ ways to go on

    def play(self, seats: tuple[Seat, Seat], most: int = 10_000) -> tuple[Seat, Seat]:
        play_on(seats, self.dice, most)
        return seats

    def against_bot(self, seat: Seat, most: int = 10_000) -> None:
        for _ in range(most):
            seat.wait(lambda update: update["result"] or update["legal"])
            if seat.state["result"]:
                return
            known = len(seat.events[seat.viewer])
            seat.do("move", move=self.dice.choice(seat.state["legal"]))
            while len(seat.events[seat.viewer]) == known:  # a bot that has not chosen yet
                seat.receive()

    def at_one_device(self, seat: Seat, most: int = 10_000) -> None:
        for _ in range(most):
            seat.catch_up()
            if seat.state["result"]:
                return
            for party in [party for party in seat.updates if seat.updates[party]["legal"]]:
                seat.do("move", party=party, move=self.dice.choice(seat.updates[party]["legal"]))

    # ------------------------------------------------------------ all games

    def finished(self) -> None:
        self.play(self.two("over madness standard", game="madness"))
        self.play(self.two("over madness classic", game="madness", options=CLASSIC, begins="other"))
        self.play(self.two("over madness open", game="madness", opponent="open", clock=TIMED))
        self.play(self.two("over madness robot", self.robot, game="madness"), 20)[1].do("resign")
        first, second = self.play(self.two("over madness agreement", game="madness"), 12)
        first.do("offer", what="draw")
        second.do("answer", what="draw", yes=True)
        first, _ = self.two("over madness timeout", game="madness", clock={"minutes": 0.01})
        first.wait(lambda update: update["result"])
        for n in range(4):
            self.play(self.two(f"over duel {n}", game="duel", deck="pack", second_deck="oasis"))
        self.play(self.two("over duel lists", game="duel", options={"open-lists": True}, deck="magpies"))
        for n in range(6):
            self.play(self.two(f"over duel own {n}", game="duel", set=HARBOUR))
        first, _ = self.play(self.two("over duel resignation", game="duel", clock=TIMED), 5)
        first.do("resign")
        first, second = self.two("over duel timeout", game="duel", clock={"minutes": 0.01})
        first.wait(lambda update: update["result"])
        self.against_bot(self.alone("over madness bot", game="madness", opponent="bot", bot="greedy"))
        self.against_bot(self.alone("over duel bot", game="duel", opponent="bot", bot="level:1"))
        self.at_one_device(
            self.alone("over madness self", game="madness", opponent="self", other_name="Вера")
        )
        self.at_one_device(self.alone("over duel self", game="duel", opponent="self"))
        made = self.anna.make(game="madness")
        self.rooms["closed"] = made["room"]
        self.anna.sit(made["room"]).do("close")

    def rematches(self) -> None:
        for name in ("madness", "duel"):
            first, second = self.play(self.two(f"over {name} rematch", game=name), 8)
            second.do("resign")
            first.do("offer", what="rematch")
            second.do("answer", what="rematch", yes=True)
            self.rooms[f"running {name} rematch"] = room = second.state["next"]
            self.play(self.dealt(room, self.boris), 6)
        first, second = self.play(self.two("over madness asked", game="madness"), 6)
        second.do("resign")
        first.do("offer", what="rematch")

    def running(self) -> None:
        self.play(self.two("running madness", game="madness"), 20)
        self.play(self.two("running madness classic", game="madness", options=CLASSIC), 12)
        self.play(self.two("running madness clock", game="madness", clock=TIMED), 16)
        self.play(self.two("running madness days", game="madness", clock={"days": 2}), 9)
        first, second = self.play(self.two("running madness draw offer", game="madness"), 7)
        first.do("offer", what="draw")
        first, second = self.play(self.two("running madness taken back", game="madness"), 10)
        first.do("offer", what="undo")
        second.wait(lambda update: update["offers"])
        second.do("answer", what="undo", yes=True)
        first.catch_up()
        first.do("offer", what="draw")
        first, second = self.play(self.two("running duel sealed", game="duel", deck="pack"), 6)
        first.do("move", move=first.state["legal"][0])
        first, _ = self.play(self.two("running duel clock", game="duel", clock=TIMED), 8)
        first.do("move", move=first.state["legal"][-1])
        self.play(self.two("running duel lists", game="duel", options={"open-lists": True}), 4)
        self.play(self.two("running duel own", game="duel", set=HARBOUR), 4)
        self.play(self.two("running duel open", self.robot, game="duel", opponent="open"), 4)
        self.against_bot(self.alone("running madness bot", game="madness", opponent="bot", bot="greedy"), 3)
        self.against_bot(self.alone("running duel bot", game="duel", opponent="bot", bot="level:1"), 2)
        self.at_one_device(self.alone("running madness self", game="madness", opponent="self"), 9)
        self.at_one_device(self.alone("running duel self", game="duel", opponent="self", set=HARBOUR), 3)

    def seated(self) -> None:
        for name, terms in {"seated madness": {"game": "madness"}, "seated duel": {"game": "duel"}}.items():
            for ready in range(2):
                made = self.anna.make(**terms)
                self.boris.join(made)
                self.rooms[f"{name} {ready} ready"] = made["room"]
                if ready:
                    self.boris.sit(made["room"]).ready()
        made = self.anna.make(game="madness", opponent="bot", bot="greedy")
        self.rooms["seated madness bot"] = made["room"]

    def waiting(self) -> dict[str, str]:
        """The invitation of each; none for those on the open list."""
        invites = {}
        wanted: dict[str, dict[str, Any]] = {
            "waiting madness link": {"game": "madness"},
            "waiting duel link": {"game": "duel", "deck": "pack"},
            "waiting madness open": {"game": "madness", "opponent": "open", "clock": TIMED},
            "waiting duel own": {"game": "duel", "opponent": "open", "set": HARBOUR},
        }
        for name, terms in wanted.items():
            made = self.anna.make(**terms)
            self.rooms[name], invites[name] = made["room"], made["invite"] or ""
        return invites

    # ------------------------------------------------------------ what was told

    def told(self, name: str) -> dict[str, Any]:
        """By viewer the last update, and the record of a finished game."""
        room = self.rooms[name]
        found: dict[str, Any] = {"room": room, "updates": {}}
        for guest in (self.anna, self.boris, self.robot):
            seat = guest.sit(room)
            found["updates"].update({str(viewer): update for viewer, update in seat.updates.items()})
            seat.close()
        if name.startswith("over"):
            found["record"] = guest.ask("GET", f"/api/rooms/{room}/record")
        return found


def make(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with Server(sqlite_in(Path(folder))) as server:
            maker = Maker(server)
            maker.finished()
            maker.rematches()
            maker.running()
            maker.seated()
            told = {
                "invites": maker.waiting(),
                "cookies": {"Anna": maker.anna.cookie, "Boris": maker.boris.cookie},
                "token": maker.robot.token,
                "rooms": {name: maker.told(name) for name in maker.rooms},
            }
            server.stop()
        database = Path(folder) / "table.sqlite3"
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("VACUUM")
        connection.close()
        write(target.with_name(f"{target.name}.sqlite3.gz"), database.read_bytes())
    text = json.dumps(told, ensure_ascii=False, sort_keys=True)
    write(target.with_name(f"{target.name}.json.gz"), text.encode())


def write(path: Path, body: bytes) -> None:
    path.write_bytes(gzip.compress(body, 9, mtime=0))
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", type=Path)
    make(parser.parse_args().target)
