"""Tasks for the tests of the lab's engines; workers import them from here."""

import hashlib
import os
import time
from collections.abc import Iterable, Iterator

from coyote.games.game import Json
from coyote.games.registry import make_game
from coyote.lab.play import play_games
from coyote.text import Refused

GAMES = 60
SIZES = (7, 20)  # games in a piece
QUESTION: Json = {"game": "madness", "bots": ["greedy", "random"], "seed": "engines"}


def pieces(size: int, pause: float = 0.0) -> Iterator[Json]:
    for first in range(0, GAMES, size):
        yield {**QUESTION, "first": first, "last": min(first + size, GAMES) - 1, "pause": pause}


def play(piece: Json) -> Json:
    """Real games, one row of numbers each; the pause gives a test the time to disturb."""
    time.sleep(piece["pause"])
    game, n = make_game(piece["game"]), piece["last"] - piece["first"] + 1
    rows = play_games(game, game.samples()[0], piece["bots"], piece["seed"], piece["first"], n)
    return {"rows": [row.tobytes().hex() for row in rows]}


def digest(found: Iterable[Json]) -> str:
    """Of all games in order, however they were cut into pieces."""
    rows = [row for part in found for row in part["rows"]]
    assert len(rows) == GAMES
    return hashlib.sha256("".join(rows).encode()).hexdigest()


def double(piece: Json) -> Json:
    time.sleep(piece.get("pause", 0))
    return {"n": 2 * piece["n"], "process": os.getpid()}


def refuse(piece: Json) -> Json:
    raise Refused("engine.unknown", name=str(piece["n"]), known="")


def die(piece: Json) -> Json:
    os.kill(os.getpid(), 9)
    return piece
