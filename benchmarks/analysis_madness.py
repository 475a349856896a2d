"""How good the analysis of Madness is at what it tells: luck that is nothing on average, and what they hold.

python benchmarks/analysis_madness.py luck --games 100000
python benchmarks/analysis_madness.py belief level:6 level:6 --games 100
"""

import argparse
import time
from math import log, sqrt

import numpy as np

from coyote.analysis.analyst import ANALYSTS
from coyote.analysis.madness.fate import MadnessFate
from coyote.games.game import Json
from coyote.games.madness.game import Madness
from coyote.lab.games import Crew
from coyote.lab.series import play_one, series
from coyote.seeds import seed_from, seed_words

AT_ONCE = 2000
SURE = 1e-4


def tell(name: str, values: list[float]) -> None:
    found = np.array(values)
    print(
        f"{name}: {found.mean():+.5f}, standard error {found.std(ddof=1) / sqrt(len(found)):.5f}", flush=True
    )


def luck(asked: argparse.Namespace) -> None:
    """Games between two who go by rules of thumb."""
    fate = MadnessFate(Madness(edition=asked.edition))
    source = seed_words(seed_from(asked.seed))
    usual, error = fate.usual()
    parts: dict[str, list[float]] = {
        "deal": [],
        "draws": [],
        "together": [],
        "result": [],
        "less its luck": [],
    }
    for first in range(0, asked.games, AT_ONCE):
        found = fate.by_thumb(source, first, min(AT_ONCE, asked.games - first))
        deal, weighed = found["dealt"] - usual, found["dealt"] - usual + found["draws"]
        columns = (deal, found["draws"], weighed, found["result"], found["result"] - weighed)
        for part, column in zip(parts.values(), columns, strict=True):
            part += column.tolist()
    for name, values in parts.items():
        tell(name, values)
    before, after = np.std(parts["result"]), np.std(parts["less its luck"])
    print(f"standard deviation {before:.4f}, less its luck {after:.4f}: {1 - after / before:.1%} less")
    print(f"standard error of what a deal is worth: {error:.5f}")


def belief(asked: argparse.Namespace) -> None:
    """The logarithm of the chance that was told of each rank, there or not, summed over the ranks."""
    game, crew, gains, exact = Madness(edition=asked.edition), Crew(), [], []
    spent = 0.0
    for number in range(asked.games):
        record = play_one(game, game.settle(), asked.bots, series(asked.seed), number, crew).record()
        analyst = ANALYSTS["madness"](record, 1000)
        match = analyst.match
        for move, (seat, made) in enumerate(record["moves"], 1):
            start = time.thread_time()
            found = analyst.hidden(match, seat, move)
            spent += time.thread_time() - start
            if "believed" in found:
                there = {card[0] for card in match.hands[1 - seat]}
                exact.append(fit(found["ranks"], there))
                gains.append(fit(found["believed"], there) - exact[-1])
            match.play(made, seat)
    tell("exact", exact)
    tell("believed, more than that", gains)
    print(f"{len(gains)} decisions, {1000 * spent / len(gains):.1f} ms each")


def fit(ranks: Json, there: set[str]) -> float:
    return sum(log(max(ranks[rank] if rank in there else 1.0 - ranks[rank], SURE)) for rank in ranks)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("what", choices=("luck", "belief"))
    arguments.add_argument("bots", nargs="*", default=["level:6", "level:6"])
    arguments.add_argument("--edition", default="standard")
    arguments.add_argument("--games", type=int, default=100)
    arguments.add_argument("--seed", default="analysis")
    asked = arguments.parse_args()
    luck(asked) if asked.what == "luck" else belief(asked)


if __name__ == "__main__":
    main()
