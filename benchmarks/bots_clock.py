"""How late a search answers that may think for 100 ms: the worst and the middle of many answers.

python benchmarks/bots_clock.py
"""

import statistics
import time
from random import Random

from coyote import Match
from coyote.bots.minds import mind_of
from coyote.bots.seed import dice_for
from coyote.games.registry import make_game
from coyote.questions import Budget

ANSWERS, ALLOWED = 100, 0.1


def overruns(name: str) -> list[float]:
    """Milliseconds beyond the budget, over decisions of random games."""
    game, rng, late, deal = make_game(name), Random(1), list[float](), 0
    while len(late) <= ANSWERS:
        match = Match(game, seed=f"clock {deal}")
        deal += 1
        while actors := match.actors:
            for seat in actors:
                legal = match.legal_actions(seat)
                question = match.question(seat)
                if len(legal) > 1 and rng.random() < 0.2:
                    start = time.perf_counter()
                    mind_of(game).search(question, dice_for("clock", question), Budget(seconds=ALLOWED))
                    late.append(1000 * (time.perf_counter() - start - ALLOWED))
                match.play_action(rng.choice(legal), seat)
    return late[1 : ANSWERS + 1]  # the first one may have compiled


if __name__ == "__main__":
    for name in ("madness", "duel"):
        found = overruns(name)
        print(
            f"{name:8} late by {max(found):.1f} ms at worst, {statistics.median(found):.1f} ms in the middle"
        )
