"""Plays games that Hypothesis draws and prints one digest of all that happens, for each number of them.

    cd tests && python -m kit.modes madness 5 30

The three modes (compiled, with bounds checks, uncompiled) must print the same; `test_conformance` runs them.
Where the rules are not simply compiled, as they are for the tests themselves, every law is tried on a game.
"""

import hashlib
import sys
import warnings
from typing import Any

import numba
import numpy as np
from hypothesis import HealthCheck, given, settings

from coyote.kernel import jit
from coyote.kernel.chance import below
from coyote.kernel.dice import roll
from kit.conformance import COSTLY, LAWS
from kit.goofspiel import register
from kit.subject import SEATS, Play, Subject, plays, state_bytes
from kit.subjects import SUBJECTS

LAWFUL = range(6, 60)  # so many choices has the game on which every law is tried, and it has house rules
IN_DISGUISE = not jit.COMPILED or bool(numba.config.BOUNDSCHECK)


def note_play(play: Play, digest: Any) -> None:
    """Every state, view, imagined state, row and result."""
    game, seed = play.game, play.words
    digest.update(repr((game.key, play.setup.sealed())).encode())
    digest.update(state_bytes(play.deal()))
    for number, step in enumerate(play.steps):
        digest.update(repr((step.legal, step.rows)).encode())
        digest.update(state_bytes(step.after))
        watcher = SEATS[number % 3]
        view = game.view(step.after, watcher)
        digest.update(state_bytes(view))
        digest.update(state_bytes(game.imagine(view, watcher, seed)))
        digest.update(repr((game.view_json(view, watcher), game.position(step.after))).encode())
        known = play.subject.known_chance(game, step.rows)
        digest.update(known.luck.tobytes())
    digest.update(repr((game.result(play.end), game.record_deal(play.end))).encode())


def note_chance(play: Play, digest: Any) -> None:
    """Rolls of both kinds of dice."""
    s, dice = play.deal(), np.array([play.number, ~play.number & 255], np.uint64)
    rolls = [int(below(s, n)) for n in range(1, 60)] + [int(roll(dice, n % 2, n)) for n in range(1, 60)]
    digest.update(repr(rolls).encode())


def note_series(play: Play, digest: Any) -> None:
    """The loop of many games, with and without points."""
    tables = [(play.game, play.setup), *(play.subject.series() if play.number % 5 == 0 else [])]
    for game, setup in tables:
        source = np.array([play.number, 3], np.uint64)
        digest.update(state_bytes(game.random_games(setup, source, play.number % 99, 2, play.number % 2 > 0)))


def digest_of(subject: Subject, n: int) -> str:
    """The digest of n games; the same n in every mode."""
    digest = hashlib.sha256()
    played: list[Play] = []
    tried: list[Play] = []

    @settings(deadline=None, derandomize=True, max_examples=n, suppress_health_check=list(HealthCheck))
    @given(play=plays(subject))
    def note(play: Play) -> None:
        played.append(play)
        for part in (note_play, note_chance, note_series):
            part(play, digest)
        if IN_DISGUISE and not tried and play.game.differences and len(play.steps) in LAWFUL:
            tried.append(play)
            for law in (*LAWS, *COSTLY):
                law(play)

    note()
    assert tried or not IN_DISGUISE, "no game was tried by the laws"
    return f"{len(played)} {digest.hexdigest()}"


def main(name: str, numbers: list[int]) -> None:
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # the hash wraps around
    register()
    for n in numbers:
        print(n, digest_of(SUBJECTS[name], n))


if __name__ == "__main__":
    main(sys.argv[1], [int(number) for number in sys.argv[2:]])
