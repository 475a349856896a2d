"""Plays duels with random legal sets and decks by two readings of the rules, and compares them at every turn.

    python tools/duel_soak.py --games 100000 --seed soak

Both readings must agree on the whole table after every turn, every duel must end, and no card may get lost.
Every second set is played by house rules (D26), every third by the first version of the rules. What
`tests/test_conformance.py` does for some duels, on all cores for many.
"""

import argparse
import os
import sys
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from coyote.games.duel.game import Duel
from duel.kit_duel import FLAVOURS, random_list, random_set
from duel.kit_readings import play_both, slow_cards

GAMES_OF_A_SET = 10
HOUSE: dict[str, Any] = {
    "health": range(1, 151), "hand": range(6), "hand-limit": range(5, 11), "wear": range(3, 51),
    "wear-from": range(2, 7), "super-deck": range(2, 6),
}  # fmt: skip


def one_set(work: tuple[str, int, int]) -> tuple[Counter[str], list[str]]:
    """Some duels of one random set, each with decks of its own; what happened, and what differed."""
    seed, number, games = work
    rng = Random(f"{seed} {number}")
    card_set = random_set(rng, list(FLAVOURS)[number % len(FLAVOURS)])
    house = {name: rng.choice(values) for name, values in HOUSE.items()} if number % 2 else {}
    duel = Duel(card_set=card_set, rules=1 if number % 3 == 0 else None, **house)
    seen: Counter[str] = Counter()
    wrong = []
    cards = slow_cards(duel)
    for game in range(games):
        setup = duel.settle([random_list(card_set, rng) for _ in range(2)])
        place = f"{seed} {number} {game}"
        try:
            seen += play_both(duel, setup, cards, place, Random(place))
        except Exception as error:
            wrong.append(f"{place}: {type(error).__name__}: {error}")
    return seen, wrong


def works(seed: str, games: int) -> list[tuple[str, int, int]]:
    return [
        (seed, number, min(GAMES_OF_A_SET, games - first))
        for number, first in enumerate(range(0, games, GAMES_OF_A_SET))
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", default="soak")
    given = parser.parse_args()
    one_set((given.seed, 0, 1))  # compiles, before there are several processes
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    done, start = 0, time.monotonic()
    jobs = works(given.seed, given.games)
    with Pool(os.cpu_count()) as pool:
        for number, (more, faults) in enumerate(pool.imap_unordered(one_set, jobs, chunksize=8), 1):
            seen += more
            wrong += faults
            done += more["games"] + len(faults)
            if number % 200 == 0 or number == len(jobs):
                speed = done / (time.monotonic() - start)
                print(
                    f"{done:,} duels, {seen['games']:,} agreed, {len(wrong)} differed, {speed:.0f}/s",
                    flush=True,
                )
    for fault in wrong[:20]:
        print(fault)
    print(", ".join(f"{name}: {seen[name]:,}" for name in sorted(seen)))
    print(f"{seen['games']:,} of {done:,} duels agreed at every turn ({seen['turns']:,} turns).")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
