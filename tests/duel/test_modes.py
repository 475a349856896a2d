"""The same sources compiled, compiled with bounds checks, and as plain Python: the same duels."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
FEW, MANY = 4, 40

MODES = {
    "compiled": ({}, [FEW, MANY]),
    "bounds checked": ({"NUMBA_BOUNDSCHECK": "1"}, [FEW, MANY]),
    "uncompiled": ({"NUMBA_DISABLE_JIT": "1"}, [FEW]),
}


@cache
def digests(mode: str) -> dict[int, str]:
    """The digest of the first k duels, by k."""
    switches, stops = MODES[mode]
    plain = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    command = [sys.executable, "-W", "error", "-m", "duel.kit_digest", *map(str, stops)]
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
        assert digest == compiled[games], f"{mode}: other states, events or results in {games} duels"


def test_bounds_checks_are_on_in_their_mode() -> None:
    """There is no twenty-first card in a zone: there the look-up is refused."""
    script = (
        "from coyote.games.duel.rules import put; from coyote.games.duel.state import STATE;"
        "from coyote.kernel.record import new;"
        "s = new(STATE); s.in_discard[0] = 20; put(s.discard, s.in_discard, 0, 1)"
    )
    env = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "IndexError" in done.stderr
