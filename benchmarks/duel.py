"""The duel's numbers of docs/performance.md: turns a second, and how long sets take to read."""

import statistics
import subprocess
import sys
import time

from coyote.cli.bench import measure
from coyote.games.duel.cards import card_table
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import core_set, parse_set

ROUNDS = 5
COLD = """
import time
import coyote.games.duel.sets, coyote.games.duel.cards
start = time.perf_counter()
coyote.games.duel.cards.card_table(coyote.games.duel.sets.core_set())
print(time.perf_counter() - start)
"""


def speed() -> None:
    game = Duel()
    measure(game, game.samples(), 0.1)
    turns = [measure(game, game.samples(), 2.0)["turns_per_s"] for _ in range(ROUNDS)]
    print(f"{statistics.median(turns):,.0f} turns a second ({min(turns):,.0f} to {max(turns):,.0f})")


def sets() -> None:
    cold = [
        float(subprocess.run([sys.executable, "-c", COLD], capture_output=True, check=True, text=True).stdout)
        for _ in range(ROUNDS)
    ]
    print(f"the core set, read and compiled in a new process: {1000 * statistics.median(cold):.0f} ms")
    cards = core_set().cards
    text = "\n".join(
        f'[[card]]\nid = "c{i}"\nname = {{ ru = "к{i}", en = "c{i}" }}\nrarity = "common"\n'
        f'text = "{cards[i % len(cards)].text("en" if i % 2 else "ru")}"\n'
        for i in range(2000)
    )
    start = time.perf_counter()
    card_table(parse_set(text))
    print(f"a set of 2,000 cards: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    speed()
    sets()
