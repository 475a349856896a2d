"""Plays games with the kernel and prints one digest of everything in the first k games, for each k asked.

    cd tests && python -m kit.digest 10 100

The three modes (compiled, with bounds checks, uncompiled) must print the same; `test_modes` runs them.
"""

import hashlib
import sys
import warnings
from random import Random
from typing import Any

import numpy as np

from coyote.games.game import NO_SETUP
from coyote.games.madness.game import Madness
from coyote.kernel.chance import below
from coyote.kernel.dice import roll
from kit.play import EDITIONS, STYLES, state_bytes, steps


def play(game: Madness, number: int, digest: Any) -> None:
    """One game, each time in another style: every state, view, row and result goes into the digest."""
    style = sorted(STYLES)[number % len(STYLES)]
    seed = np.array([number, 7 * number + 1], np.uint64)
    s = game.deal(NO_SETUP, seed)
    digest.update(state_bytes(s))
    for step in steps(game, s, [], style, Random(number)):
        digest.update(repr((step.legal, step.rows)).encode())
        digest.update(state_bytes(step.after))
        watcher = (0, 1, -1)[int(s.turn) % 3]
        view = game.view(s, watcher)
        digest.update(state_bytes(view))
        digest.update(state_bytes(game.imagine(view, watcher, seed)))
        digest.update(repr(game.view_json(view, watcher)).encode())
    digest.update(repr((game.result(s), game.record_deal(s))).encode())


def chance(game: Madness, number: int, digest: Any) -> None:
    """Rolls of both kinds of dice."""
    s = game.deal(NO_SETUP, np.array([number, number], np.uint64))
    dice = np.array([number, ~number & 255], np.uint64)
    rolls = [int(below(s, n)) for n in range(1, 60)] + [int(roll(dice, n % 2, n)) for n in range(1, 60)]
    digest.update(repr(rolls).encode())


def series(game: Madness, number: int, digest: Any) -> None:
    """The loop of many games."""
    digest.update(state_bytes(game.random_games(NO_SETUP, np.array([number, 3], np.uint64), number, 2)))


def main(stops: list[int]) -> None:
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # the hash wraps around
    digest = hashlib.sha256()
    games = [Madness(edition=edition) for edition in EDITIONS]
    for number in range(max(stops)):
        for game in games:
            for part in (play, chance, series):
                part(game, number, digest)
        if number + 1 in stops:
            print(number + 1, digest.hexdigest())


if __name__ == "__main__":
    main([int(stop) for stop in sys.argv[1:]])
