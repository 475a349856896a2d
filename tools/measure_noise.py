"""How much noise is left in a result less its luck? Measured on recorded games, for skill (docs/ratings.md).

    coyote match madness level:5 level:3 --games 400 --seed noise --records games.jsonl
    python tools/measure_noise.py games.jsonl

Games of the same two players in the same seats are one group. In each: how often the first seat scores, the
variance of the score, and what is left of it when luck is taken off whole, times 4 E (1 - E) as skill does
it, and times what fits these games best.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean, pvariance
from typing import NamedTuple

from coyote.analysis.luck import luck_of
from coyote.records import follow, parse_record


class Game(NamedTuple):
    score: float
    luck: float


def read(path: Path) -> list[tuple[str, Game]]:
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        record = parse_record(line, number)
        winner = record["result"]["winner"]
        score = 0.5 if winner is None else 1.0 - winner
        options = " ".join(str(value) for value in record["options"].values())
        name = f"{record['game']} {options} {' - '.join(record['players'])}"
        found.append((name, Game(score, luck_of(follow(record)).total)))
    return found


def left(games: Sequence[Game], share: float) -> float:
    """Of the variance, with that much of the luck taken off."""
    return pvariance(game.score - share * game.luck for game in games) / pvariance(g.score for g in games)


def best(games: Sequence[Game]) -> float:
    mean, luck = fmean(game.score for game in games), fmean(game.luck for game in games)
    both = fmean((game.score - mean) * (game.luck - luck) for game in games)
    return both / pvariance(game.luck for game in games)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("files", nargs="+", type=Path)
    groups = defaultdict(list)
    for name, game in chain.from_iterable(map(read, asked.parse_args().files)):
        groups[name].append(game)
    for name, games in groups.items():
        chance = fmean(game.score for game in games)
        ways = {"whole": 1.0, "4E(1-E)": 4 * chance * (1 - chance), "best": best(games)}
        told = ", ".join(f"{way} ({share:.2f}) {left(games, share):.2f}" for way, share in ways.items())
        luck = fmean(game.luck for game in games)
        print(
            f"{name}: {len(games)} games, score {chance:.3f}, luck {luck:+.3f}; left of the variance: {told}"
        )


if __name__ == "__main__":
    main()
