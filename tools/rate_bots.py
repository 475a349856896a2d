"""Ratings from a round robin: every bot plays every other, each deal twice with the seats swapped.

    python tools/rate_bots.py madness --edition classic --games 1000
    python tools/rate_bots.py duel --bots greedy,search:100,search:1000 --games 400

Ratings are Elo's: 400 points more make one expect ten points for one. They are fitted to all results at
once and counted from the first bot, which gets 1000. Intervals are 95 %, from pairs of games drawn again
and again. In the duel both sides have the same deck, each of the ready decks in turn. Prints a table for
`docs/bots.md`.
"""

import argparse
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt
from rich.progress import track

from coyote.bots.names import LEVEL_NAMES
from coyote.games.duel.decks import ready_decks
from coyote.games.game import NO_SETUP, Game, Setup
from coyote.games.registry import make_game
from coyote.lab.contest import Contest, Standing
from coyote.lab.stats import PAIR_SCORES, mean_score, pair_interval

FIRST = 1000.0
DRAWN_AGAIN = 300
Floats = npt.NDArray[np.float64]
Table = tuple[Game, Setup]


def tables(name: str, edition: str | None) -> list[Table]:
    """What is played: an edition, or a duel with equal decks, for each ready deck one."""
    if name == "madness":
        return [(make_game(name, edition=edition or "standard"), NO_SETUP)]
    game = make_game(name)
    return [(game, game.settle((deck, deck))) for deck in ready_decks()]


def pairs_of(
    games: list[Table], names: tuple[str, str], pairs: int, seed: str, standing: Standing
) -> Iterator[int]:
    """Shared out evenly between the tables; a number for each pair that is played."""
    for number, (game, setup) in enumerate(games):
        share = pairs // len(games) + (number < pairs % len(games))
        for more in Contest(game, setup, names, share, f"{seed} {number} {names}").count(standing):
            yield from range(more)


def play(tables: list[Table], bots: list[str], games: int, seed: str) -> dict[tuple[int, int], Standing]:
    found = {}
    for pair in combinations(range(len(bots)), 2):
        names, standing = (bots[pair[0]], bots[pair[1]]), Standing()
        played = pairs_of(tables, names, games // 2, seed, standing)
        for _ in track(played, " – ".join(names), total=games // 2, transient=True):
            pass
        found[pair] = standing
        low, high = pair_interval(standing.scores)
        share = f"{100 * mean_score(standing.scores):.1f} % [{100 * low:.1f} – {100 * high:.1f}]"
        print(f"{names[0]} against {names[1]}: {share}, {standing.games} games", flush=True)
    return found


def ratings(n: int, shares: dict[tuple[int, int], float], games: float) -> Floats:
    """The ratings that make the shares likeliest; a game drawn with everybody keeps them finite."""
    r = np.zeros(n)
    for _ in range(300):
        slope, bend = np.zeros(n), np.full(n, 1e-9)
        for (a, b), share in shares.items():
            share = (share * games + 0.5) / (games + 1)
            expected = 1 / (1 + np.exp(r[b] - r[a]))
            for bot, sign in ((a, 1), (b, -1)):
                slope[bot] += sign * (share - expected)
                bend[bot] += expected * (1 - expected)
        r += 0.5 * slope / bend
    return np.asarray(FIRST + (r - r[0]) * 400 / np.log(10), np.float64)


def table(bots: list[str], played: dict[tuple[int, int], Standing]) -> str:
    games = min(standing.games for standing in played.values())
    middle = ratings(len(bots), {pair: mean_score(s.scores) for pair, s in played.items()}, games)
    rng, drawn = np.random.default_rng(1), []
    for _ in range(DRAWN_AGAIN):
        again = {
            pair: float(rng.multinomial(s.pairs, np.array(s.scores) / s.pairs) @ PAIR_SCORES) / s.pairs
            for pair, s in played.items()
        }
        drawn.append(ratings(len(bots), again, games))
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    lines = ["| bot | rating | " + " | ".join(bots) + " |", "|---|---" + "|---" * len(bots) + "|"]
    for i, bot in enumerate(bots):
        cells = " | ".join(cell(played, i, j) for j in range(len(bots)))
        lines.append(f"| {bot} | {middle[i]:.0f} [{low[i]:.0f} – {high[i]:.0f}] | {cells} |")
    return "\n".join(lines)


def cell(played: dict[tuple[int, int], Standing], i: int, j: int) -> str:
    if i == j:
        return "–"
    share = mean_score(played[min(i, j), max(i, j)].scores)
    return f"{100 * (share if i < j else 1 - share):.1f}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("game", choices=["madness", "duel"])
    arguments.add_argument("--edition", choices=["standard", "classic"])
    arguments.add_argument("--bots", default=",".join(LEVEL_NAMES))
    arguments.add_argument("--games", type=int, default=1000)
    arguments.add_argument("--seed", default="ratings")
    asked = arguments.parse_args()
    bots = asked.bots.split(",")
    played = play(tables(asked.game, asked.edition), bots, asked.games, asked.seed)
    print(table(bots, played))


if __name__ == "__main__":
    main()
