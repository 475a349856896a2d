"""Writes tests/perft/*.perft: counts of legal continuations by the slow reading of the rules.

    .venv/bin/python tools/make_perft.py

The engine has no part in it; `tests/test_perft.py` compares the engine with these numbers.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from kit.perft import Count, path_of, slow_count, slow_start

HEAD = """\
# Counts of legal continuations, madness {edition}. How to read a line: tests/kit/perft.py
# Origin: the slow, independent reading tests/kit/slow_madness.py, written by tools/make_perft.py
"""
DEALS = ("perft one", "perft two", "perft three")
MOST = 60_000  # continuations counted from one start
STARTS = [(0, skip) for skip in (0, 1, 6, 11, 16, 21, 24, 27, 30, 35, 40, 50, 60, 70, 80, 90)]
STARTS += [(70, 0), (84, 2), (86, 0), (86, 1), (86, 4), (86, 9), (86, 14), (86, 19)]


def count(edition: str, seed: str, sit: int, skip: int) -> Count | None:
    """Counts to the depth that MOST allows; None where the game is over before the start."""
    game = slow_start(edition, seed, sit, skip)
    if game.over:
        return None
    counts = [slow_count(game, 1)]
    while len(counts) < 6 and 0 < counts[-1] < MOST / 12:
        counts.append(slow_count(game, len(counts) + 1))
    return Count(edition, seed, sit, skip, tuple(counts))


def main() -> None:
    for edition in ("standard", "classic"):
        lines = [
            found.line()
            for seed in DEALS
            for sit, skip in STARTS
            if (found := count(edition, seed, sit, skip)) is not None
        ]
        path_of(edition).write_text(HEAD.format(edition=edition) + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
