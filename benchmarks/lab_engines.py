"""What an engine costs: the same pieces on threads and on Ray, in turn; and the cost of a piece without work.

The cluster of Ray is begun once for each round, and beginning and ending it counts.
"""

import statistics
import sys
import time
from collections.abc import Callable

from coyote.games.game import Json
from coyote.games.registry import make_game
from coyote.lab.engines import Engine, engine_named
from coyote.lab.play import play_games

BOTS = ["search:30", "search:30"]
NOTHING = 2000


def play(piece: Json) -> Json:
    game = make_game("madness")
    rows = play_games(game, game.samples()[0], BOTS, "bench", piece["first"], piece["games"])
    return {"won": int((rows["winner"] == 0).sum())}


def nothing(piece: Json) -> Json:
    return piece


def timed(make: Callable[[], Engine], pieces: list[Json]) -> tuple[float, int]:
    start = time.perf_counter()
    with make() as engine:
        won = sum(found["won"] for found in engine.map(play, pieces))
    return time.perf_counter() - start, won


def games_in(seconds: float) -> int:
    """How many games one thread plays in so much time."""
    play({"first": 0, "games": 1})
    start = time.perf_counter()
    play({"first": 0, "games": 20})
    return max(1, round(20 * seconds / (time.perf_counter() - start)))


def main(work: float = 60.0, rounds: int = 1) -> None:
    games = games_in(1.0)
    pieces = [{"first": k * games, "games": games} for k in range(round(2 * work))]
    print(f"{len(pieces)} pieces of {games} games, about a second each")
    found: dict[str, list[float]] = {"local": [], "ray": []}
    answers = set()
    for _ in range(rounds):
        for name, seconds in found.items():
            took, won = timed(lambda name=name: engine_named(name), pieces)  # type: ignore[misc]
            seconds.append(took)
            answers.add(won)
            print(f"{name}: {took:.1f} s", flush=True)
    assert len(answers) == 1
    ratio = statistics.median(found["ray"]) / statistics.median(found["local"])
    print(f"Ray takes {100 * (ratio - 1):+.1f} % of the time of threads more")
    for name in found:
        start = time.perf_counter()
        with engine_named(name) as engine:
            list(engine.map(nothing, [{"n": 0}]))
            begun = time.perf_counter()
            list(engine.map(nothing, ({"n": n} for n in range(NOTHING))))
            took = time.perf_counter() - begun
        print(
            f"{name}: begun in {begun - start:.1f} s, {1e3 * took / NOTHING:.2f} ms for a piece without work"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))  # seconds of work on two cores, rounds
