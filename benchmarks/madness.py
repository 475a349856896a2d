"""The numbers of docs/performance.md, as ratios to a yardstick measured in the same run.

The yardstick is Fisher-Yates shuffles of 54 bytes in C (benchmarks/yardstick.c), on one thread; it
needs a C compiler. Each round measures both, so that a busy machine slows both.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from coyote.cli.bench import measure
from coyote.games.game import NO_SETUP
from coyote.games.madness.game import Madness
from coyote.lab import simulate
from coyote.lab.series import AT_RANDOM
from coyote.records import record_line

ROUNDS = 5


def yardstick(program: Path) -> float:
    found = subprocess.run([program], capture_output=True, check=True, text=True).stdout
    return float(json.loads(found)["shuffles_per_s"])


def speed(program: Path) -> None:
    for edition in ("standard", "classic"):
        game = Madness(edition=edition)
        measure(game, [NO_SETUP], 0.1)
        ratios, decisions = [], []
        for _ in range(ROUNDS):
            decisions.append(measure(game, [NO_SETUP], 2.0)["decisions_per_s"])
            ratios.append(decisions[-1] / yardstick(program))
        print(
            f"{edition}: {statistics.median(decisions):,.0f} decisions a second, "
            f"{statistics.median(ratios):.2f} in the time of one shuffle "
            f"({min(ratios):.2f} to {max(ratios):.2f})"
        )


def million() -> None:
    game = Madness()
    seconds = []
    for number in range(3):
        start = time.perf_counter()
        simulate.count(game, NO_SETUP, 1_000_000, f"bench {number}", lambda done: None)
        seconds.append(time.perf_counter() - start)
    print(f"a million games on all cores: {statistics.median(seconds):.2f} s")


def traced() -> None:
    start = time.perf_counter()
    records = simulate.records(Madness(), NO_SETUP, AT_RANDOM, 3000, "bench", True)
    size = sum(len(record_line(record)) for record in records)
    seconds = time.perf_counter() - start
    print(f"3,000 traced games: {3000 / seconds:,.0f} a second, {size / 1e6:.0f} MB")


def starts() -> None:
    """From the command to the first prompt, with the rules compiled before and in an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        base = {"PATH": "/usr/bin:/bin", "COYOTE_DATA": f"{folder}/data", "LANG": "C.UTF-8"}
        fresh = {**base, "COYOTE_CACHE": f"{folder}/cache"}
        print(f"very first start, not compiled: {to_prompt(fresh):.1f} s; compiled: ", end="")
        warm = "from coyote.cli.warm import warm; warm('madness')"
        subprocess.run([sys.executable, "-c", warm], env=fresh, check=True)
        print(f"{statistics.median(to_prompt(fresh) for _ in range(ROUNDS)):.2f} s")


def to_prompt(environment: dict[str, str]) -> float:
    command = [sys.executable, "-m", "coyote", "play", "madness", "--seed", "bench"]
    start = time.perf_counter()
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as play:
        assert play.stdout and play.stdin
        while play.stdout.read(1) not in (b">", b""):
            pass
        seconds = time.perf_counter() - start
        play.stdin.close()
    return seconds


def main() -> None:
    source = Path(__file__).with_name("yardstick.c")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "yardstick"
        subprocess.run(["cc", "-O3", "-march=native", source, "-o", program], check=True)
        print(f"NumPy {np.__version__}; the yardstick: {yardstick(program):,.0f} shuffles a second")
        speed(program)
    million()
    traced()
    starts()


if __name__ == "__main__":
    main()
