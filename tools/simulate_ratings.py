"""Are the ratings right? Made-up players whose strength is known play games whose chances are known.

The players of a club come and go, get better and worse, and meet each other by chance; the first seat has its
edge, some games are drawn. Each way to rate sees the results alone, game by game, and says before each game
what it expects. Reported are, on the later half of the games: the log-loss (less is better), how far off the
expectation is in each tenth of the games, and for how many games a rating is provisional.

    python tools/simulate_ratings.py --games 400000
"""

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median
from typing import NamedTuple

from coyote.table.glicko import DAY, SCALE, Strength, expected, settle

EDGES = {"duel": 0.0, "madness standard": 47.0, "madness classic": 73.0}
SPREAD = 350.0  # of strengths, in points
DRIFT = 8.0  # points that a strength wanders in a day, about
DRAWN = 0.06  # of even games
GAMES_A_DAY = 1.5  # of a player
LIFE = 120.0  # games after which a player is gone, about
ELO_K = 24.0


class Played(NamedTuple):
    first: int
    second: int
    score: float
    at: int


class Model(NamedTuple):
    """One way to rate."""

    name: str
    new: Callable[[], Strength]
    expects: Callable[[Strength, Strength, int], float]
    settle: Callable[[Strength, Strength, Played], tuple[Strength, Strength]]


def chance(first: float, second: float, edge: float) -> float:
    return 1 / (1 + math.exp((second - first - edge) / SCALE))


def play_all(games: int, people: int, edge: float, dice: Random, spread: float = SPREAD) -> Iterator[Played]:
    """Who met whom and what came of it. A number is one player for good; a seat in the club is taken anew."""
    numbers, newest = list(range(people)), people
    strengths = [dice.gauss(1500, spread) for _ in numbers]
    at, apart = DAY, DAY / (GAMES_A_DAY * people / 2)
    wander = DRIFT * math.sqrt(1 / (GAMES_A_DAY * people / 2))  # of everybody between two games would be slow
    for _ in range(games):
        at += round(dice.expovariate(1 / apart))
        one, other = dice.sample(range(people), 2)
        for seat in (one, other):
            strengths[seat] += dice.gauss(0, wander * math.sqrt(people / 2))
            if dice.random() < 1 / LIFE:
                numbers[seat], strengths[seat] = newest, dice.gauss(1500, spread)
                newest += 1
        share = chance(strengths[one], strengths[other], edge)
        drawn = DRAWN * 4 * share * (1 - share)
        x = dice.random()
        score = 0.5 if x < drawn else float((x - drawn) / (1 - drawn) < (share - drawn / 2) / (1 - drawn))
        yield Played(numbers[one], numbers[other], score, at)


# ---------------------------------------------------------------- ways to rate


def glicko_model(name: str, edge: float) -> Model:
    return Model(
        name,
        Strength,
        lambda one, other, at: expected(one.at_time(at), other.at_time(at), edge),
        lambda one, other, game: settle(one, other, game.score, game.at, edge),
    )


def elo_model(edge: float = 0.0) -> Model:
    def after(one: Strength, other: Strength, game: Played) -> tuple[Strength, Strength]:
        change = ELO_K * (game.score - chance(one.rating, other.rating, edge))
        return Strength(one.rating + change), Strength(other.rating - change)

    return Model("Elo", Strength, lambda one, other, at: chance(one.rating, other.rating, edge), after)


def models(edge: float) -> list[Model]:
    return [glicko_model("Glicko-2 with the seat", edge), glicko_model("Glicko-2", 0.0), elo_model()]


# ---------------------------------------------------------------- how right they are


class Report(NamedTuple):
    name: str
    loss: float  # per game
    deciles: list[tuple[float, float, int]]  # expected and scored, in tenths of the games; and how many
    sure: float  # games until a rating was not provisional any more: the median


def examine(model: Model, games: Sequence[Played], after: int) -> Report:
    """What it said of the games from number `after` on, having seen all before each."""
    known: dict[int, Strength] = {}
    played: dict[int, int] = {}
    said: list[tuple[float, float]] = []
    sure: dict[int, int] = {}  # after how many games
    for number, game in enumerate(games):
        one, other = (known.get(who) or model.new() for who in (game.first, game.second))
        if number >= after:
            said.append((model.expects(one, other, game.at), game.score))
        known[game.first], known[game.second] = model.settle(one, other, game)
        for who in (game.first, game.second):
            played[who] = played.get(who, 0) + 1
            if who not in sure and not known[who].provisional:
                sure[who] = played[who]
    loss = sum(log_loss(share, score) for share, score in said) / len(said)
    return Report(model.name, loss, list(deciles(said)), median(sure.values()) if sure else math.inf)


def log_loss(share: float, score: float) -> float:
    return -(score * math.log(share) + (1 - score) * math.log(1 - share))


def deciles(said: list[tuple[float, float]]) -> Iterator[tuple[float, float, int]]:
    said = sorted(said)
    for n in range(10):
        some = said[n * len(said) // 10 : (n + 1) * len(said) // 10]
        yield sum(s for s, _ in some) / len(some), sum(s for _, s in some) / len(some), len(some)


def worst(report: Report) -> float:
    """The decile that is furthest off, in percentage points."""
    return max(100 * abs(said - scored) for said, scored, _ in report.deciles)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=400_000)
    asked.add_argument("--people", type=int, default=400)
    asked.add_argument("--seed", default="ratings")
    asked.add_argument("--spread", type=float, default=SPREAD, help="of strengths, in points")
    asked.add_argument("--only", choices=list(EDGES))
    given = asked.parse_args()
    for title, edge in EDGES.items():
        if given.only not in (None, title):
            continue
        games = list(play_all(given.games, given.people, edge, Random(f"{given.seed} {title}"), given.spread))
        print(f"{title}, edge {edge:g}, {len(games)} games, of them {len(games) // 2} foretold", flush=True)
        for model in models(edge):
            found = examine(model, games, len(games) // 2)
            print(
                f"  {found.name}: log-loss {found.loss:.5f}, worst tenth {worst(found):.2f} points off,",
                end="",
            )
            print(f" provisional for {found.sure:g} games", flush=True)
            print("    " + "  ".join(f"{100 * s:.1f}/{100 * r:.1f}" for s, r, _ in found.deciles), flush=True)


if __name__ == "__main__":
    main()
