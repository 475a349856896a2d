"""The same sources compiled, compiled with bounds checks, and as plain Python: the same everything."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FEW, MANY = 10, 100

MODES = {
    "compiled": ({}, [FEW, MANY]),
    "bounds checked": ({"NUMBA_BOUNDSCHECK": "1"}, [FEW, MANY]),
    "uncompiled": ({"NUMBA_DISABLE_JIT": "1"}, [FEW]),
}


@cache
def digests(mode: str) -> dict[int, str]:
    """The digest of the first k games, by k."""
    switches, stops = MODES[mode]
    plain = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    command = [sys.executable, "-W", "error", "-m", "kit.digest", *map(str, stops)]
    done = subprocess.run(command, env={**plain, **switches}, capture_output=True, text=True, cwd=TESTS)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    pairs = (line.split() for line in done.stdout.splitlines())
    return {int(games): digest for games, digest in pairs}


@pytest.mark.parametrize("mode", ["bounds checked", "uncompiled"])
def test_every_mode_gives_the_digest_of_the_compiled_one(mode: str) -> None:
    compiled = digests("compiled")
    assert sorted(compiled) == [FEW, MANY]
    assert compiled[FEW] != compiled[MANY]
    for games, digest in digests(mode).items():
        assert digest == compiled[games], f"{mode}: other states, events or results in {games} games"


def test_bounds_checks_are_on_in_their_mode() -> None:
    """There is no card 54: there the look-up is refused, so a silent read of a neighbour cannot hide."""
    script = "from coyote.games.madness.cards import beats; beats(0, 54)"
    env = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "IndexError" in done.stderr
