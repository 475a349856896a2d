"""Mines puzzles from self-played games and proves each of them exhaustively.

    python tools/make_puzzles.py madness-standard    writes madness-standard.jsonl in analysis/puzzles
    python tools/make_puzzles.py --check             proves all that are there once more

Of each kind as many are kept as there is room for; harder ones, which rules of thumb or a short search get
wrong, before easier ones. Everything follows from the seed, so the same command writes the same file.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from coyote.analysis.puzzles import FILES, Puzzle, prove_again, read_file
from coyote.analysis.puzzles.mining import MINERS, Mined

FOLDER = Path(__file__).resolve().parent.parent / "src" / "coyote" / "analysis" / "puzzles"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", nargs="?", choices=list(FILES))
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", default="puzzles")
    parser.add_argument(
        "--most", type=int, default=0, help="how many to keep; 0: as many as the file is to have"
    )
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.check:
        return check()
    if not given.name:
        parser.error("which file?")
    write(given.name, given.games, given.seed, given.most or FILES[given.name])
    return 0


def write(name: str, games: int, seed: str, most: int) -> None:
    mined = list(MINERS[name](games, seed))
    kept = picked(mined, most)
    lines = [
        json.dumps({"id": f"{name}-{number:03}", **one.as_json()}, separators=(",", ":"))
        for number, one in enumerate(kept, 1)
    ]
    (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{name}: {len(kept)} of {len(mined)}", Counter((one.kind, one.level) for one in kept))


def picked(mined: list[Mined], most: int) -> list[Mined]:
    """In turn of each kind and level, so that there are some of all."""
    groups: dict[tuple[str, int], list[Mined]] = {}
    for one in mined:
        groups.setdefault((one.kind, one.level), []).append(one)
    kept: list[Mined] = []
    while len(kept) < most and any(groups.values()):
        for key in sorted(groups, key=lambda key: (-key[1], key[0])):
            if groups[key] and len(kept) < most:
                kept.append(groups[key].pop(0))
    return sorted(kept, key=lambda one: one.level)


def check() -> int:
    wrong = [puzzle.id for puzzle in everything() if not prove_again(puzzle)]
    print(f"{sum(1 for _ in everything())} puzzles, wrong: {wrong or 'none'}")
    return 1 if wrong else 0


def everything() -> Iterator[Puzzle]:
    for name in FILES:
        yield from read_file(name)


if __name__ == "__main__":
    sys.exit(main())
