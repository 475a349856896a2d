"""How fast whole games between bots are, beside random play in the same run, on one thread.

    python benchmarks/bots_games.py

A ratio is the middle of several rounds, each of which measures both. What in a game of searches is no search
is taken to be what a decision of `random` takes, which is given the same view and rolls the same dice.
"""

import statistics
import time

import numpy as np

from coyote.cli.bench import measure
from coyote.games.game import Game, Setup
from coyote.games.registry import make_game
from coyote.lab.play import Rows, Table

ROUNDS, SECONDS = 5, 1.0
LOOKS = 100


def timed(table: Table, seconds: float) -> tuple[Rows, float]:
    """Deals of a table for about so long, and how long it was."""
    table.play(0, 1)
    n, start = 0, time.perf_counter()
    found = []
    while (passed := time.perf_counter() - start) < seconds:
        found.append(table.play(n, table.at_once))
        n += table.at_once
    return np.concatenate(found), passed


def ratio(game: Game, setup: Setup, bots: tuple[str, str]) -> tuple[float, float]:
    """Decisions a second as a part of those of random play, and games a second."""
    rows, passed = timed(Table(game, setup, bots, "bench", twice=True), SECONDS)
    decisions = int(rows["decisions"].sum()) / passed
    return decisions / measure(game, [setup], SECONDS)["decisions_per_s"], rows.size / passed


def searching(game: Game, setup: Setup) -> float:
    """The part of the time of games of `search:100` that is the search."""

    def cost(bot: str) -> float:
        """Seconds for a decision that is one."""
        rows, passed = timed(Table(game, setup, (bot, bot), "bench", twice=True), SECONDS)
        return passed / int((rows["decisions"] - rows["forced"]).sum())

    return 1 - cost("random") / cost(f"search:{LOOKS}")


if __name__ == "__main__":
    for name in ("madness", "duel"):
        game = make_game(name)
        setup = game.settle()
        for bots in (("greedy", "greedy"), ("random", "random")):
            found = [ratio(game, setup, bots) for _ in range(ROUNDS)]
            share, speed = (statistics.median(part) for part in zip(*found, strict=True))
            print(f"{name:8} {bots[0]}: {speed:,.0f} games a second, {100 * share:.1f} % of random choices")
        part = statistics.median(searching(game, setup) for _ in range(ROUNDS))
        print(f"{name:8} search:{LOOKS}: {100 * part:.0f} % of the time is the search")
