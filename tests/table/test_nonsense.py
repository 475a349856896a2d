"""Messages that are cut, mixed, repeated and out of order: typed answers, no crash, no changed game.

COYOTE_FUZZ=50000 sends so many in each test instead of a few.
"""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

from table.kit_table import Seat, Server, play_on, seat_two, sqlite_in

ROUNDS = int(os.environ.get("COYOTE_FUZZ", "1500"))
REQUEST = ("id", "party")
FIELDS = {
    "hello": ("version", "seen", "want", "lang"), "ready": (*REQUEST, "nonce"), "move": (*REQUEST, "move"),
    "undo": REQUEST, "offer": (*REQUEST, "what"), "answer": (*REQUEST, "what", "yes"), "close": REQUEST,
    "why": (*REQUEST, "move"),
    "ping": ("id",), "castle": REQUEST, "welcome": ("version",), "update": ("n", "view"),
}  # fmt: skip
RIGHT: dict[str, Any] = {
    "id": "again", "party": None, "nonce": "0" * 32, "move": "draw", "what": "draw", "yes": True,
    "version": 1, "seen": {"1": 3}, "want": ["view"], "lang": "ru",
}  # fmt: skip
WRONG: list[Any] = [None, True, -1, 0, 2**70, 1.5, "", "pass", [], {}, "\u0000", "é" * 40, {"1": -9}]


def nonsense(dice: Random) -> str:
    """A message of somebody who is not to move, right or nearly so, or cut somewhere."""
    type = dice.choice(list(FIELDS))
    message: dict[str, Any] = {"type": type}
    for key in FIELDS[type]:
        right = key in RIGHT and dice.random() < 0.8
        message[key] = RIGHT[key] if right else dice.choice(WRONG)
    text = json.dumps(message, ensure_ascii=dice.random() < 0.5)
    if dice.random() < 0.2:
        cut = dice.randrange(len(text))
        text = text[:cut] + dice.choice(["", "}", '"', "\x7f", "[[[["]) + text[cut + 1 :]
    return text


def answers(seat: Seat, dice: Random, n: int) -> set[str]:
    for _ in range(n):
        seat.socket.send(nonsense(dice))
    seat.socket.send(json.dumps({"type": "hello", "version": 1}))
    seat.send(type="ping", id="end")
    found = set()
    while (message := seat.receive()) != {"type": "pong", "id": "end", "time": message.get("time")}:
        found.add(message["type"] + ":" + (message.get("code") or ""))
    return found


def test_nonsense_changes_nothing(tmp_path: Path) -> None:
    dice = Random(9)
    with Server(sqlite_in(tmp_path)) as running:
        first, second = seat_two(running, game="madness", begins="host")
        bystander = running.guest("Vera").sit(first.room)
        before = first.guest.ask("GET", f"/api/rooms/{first.room}")["update"]["view"]
        found: set[str] = set()
        for seat in (second, bystander):  # neither is to move, so nothing that they say may do anything
            found |= answers(seat, dice, ROUNDS)
        expected = {"malformed", "not_yours", "not_seated"}
        assert {f"error:room.{code}" for code in expected} <= found
        assert first.guest.ask("GET", f"/api/rooms/{first.room}")["update"]["view"] == before
        first.do("move", move="pass")
        logged = running.stop()
        assert running.process.returncode == 0
        assert "error" not in [json.loads(line)["level"] for line in logged.splitlines()]


def test_replayed_and_reordered_messages_change_nothing(tmp_path: Path) -> None:
    """All that both players said in a game, said again in any order by either of them and by others."""
    dice = Random(6)
    with Server(sqlite_in(tmp_path)) as running:
        seats = seat_two(running, game="madness", begins="host")
        play_on(seats, dice, 12)
        said = [
            text for seat in seats for text in seat.said if '"hello"' not in text and '"ping"' not in text
        ]
        bystander = running.guest("Vera").sit(seats[0].room)
        before = seats[0].guest.ask("GET", f"/api/rooms/{seats[0].room}")["update"]
        for seat in (*seats, bystander):
            own = [text for text in seat.said if text in said]
            for _ in range(ROUNDS // 3):
                text = dice.choice(own or said)
                seat.socket.send(text if dice.random() < 0.9 else text[: dice.randrange(1, len(text))])
            seat.catch_up()
        assert seats[0].guest.ask("GET", f"/api/rooms/{seats[0].room}")["update"] == before
        assert play_on(seats, dice) > 0
        assert "error" not in [json.loads(line)["level"] for line in running.stop().splitlines()]
