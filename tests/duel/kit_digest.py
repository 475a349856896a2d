"""Plays duels with the kernel and prints one digest of everything in the first k of them, for each k asked.

    cd tests && python -m duel.kit_digest 4 40

The three modes (compiled, with bounds checks, uncompiled) must print the same; `test_modes` runs them.
"""

import hashlib
import sys
import warnings
from random import Random
from typing import Any

import numpy as np

from coyote.games.duel.game import Duel
from coyote.games.duel.records import read_chance
from coyote.games.game import Setup
from duel.kit_duel import FLAVOURS, random_duel, steps, words
from kit.play import state_bytes


def play(game: Duel, setup: Setup, number: int, rng: Random, digest: Any) -> None:
    """One duel: every state, view, imagined state, row and result goes into the digest."""
    seed = words(str(number))
    s = game.deal(setup, seed)
    digest.update(state_bytes(s))
    for step in steps(game, s, rng):
        digest.update(repr((step.legal, step.rows)).encode())
        digest.update(state_bytes(step.after))
        watcher = (0, 1, -1)[int(s.turn) % 3]
        view = game.view(s, watcher)
        digest.update(state_bytes(view))
        digest.update(state_bytes(game.imagine(view, watcher, seed)))
        digest.update(repr((game.view_json(view, watcher), game.position(s))).encode())
    digest.update(repr((game.result(s), game.record_deal(s))).encode())


def known_chance(game: Duel, digest: Any) -> None:
    """What a record says of chance: a pick that fits, one that does not, and a shuffle."""
    for entries in (
        [["shuffle", 0, game.ids[:2]]],
        [["discard", 1, "hand", game.ids[0]], ["aside", 0, "play", game.ids[1]]],
    ):
        digest.update(read_chance({"chance": entries}, game.kinds).tobytes())


def series(game: Duel, setup: Setup, number: int, digest: Any) -> None:
    """The loop of many duels."""
    digest.update(state_bytes(game.random_games(setup, np.array([number, 3], np.uint64), number, 2)))


def main(stops: list[int]) -> None:
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # the hash wraps around
    digest = hashlib.sha256()
    for number in range(max(stops)):
        rng = Random(f"digest {number}")
        game, setup = random_duel(rng, list(FLAVOURS)[number % len(FLAVOURS)])
        play(game, setup, number, rng, digest)
        known_chance(game, digest)
        core = Duel()
        for duel, decks in ((game, setup), (core, core.settle()), (core, core.settle(("random", "random")))):
            series(duel, decks, number, digest)
        if number + 1 in stops:
            print(number + 1, digest.hexdigest())


if __name__ == "__main__":
    main([int(stop) for stop in sys.argv[1:]])
