"""Are the ratings right? Made-up players whose strength is known play games whose chances are known.

The players of a club come and go, get better and worse, and meet each other by chance; the first seat has its
edge, some games are drawn. Each way to rate sees the results alone, game by game, and says before each game
what it expects. A game is won by strength, luck and the rest, added up; skill is told the luck, too, as it
would count between equals, where it leaves `noises` (table/parts.py) of the variance. Reported are, on the
later half of the games: the log-loss (less is better), how far off the expectation is in each tenth of the
games; for how many games a rating is provisional, and after 10 and 20 games of a player, how many have a
deviation below 75, and how far ratings are from the true strengths (standard deviation, in points).

    python tools/simulate_ratings.py --games 400000
"""

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import NormalDist, median, pstdev
from typing import NamedTuple

from coyote.table.glicko import DAY, SCALE, Strength, expected, settle
from coyote.table.parts import PARTS

KINDS = {"duel": ("duel", ""), "madness standard": ("madness", "standard")}
KINDS["madness classic"] = ("madness", "classic")
SPREAD = 350.0  # of strengths, in points
DRIFT = 8.0  # points that a strength wanders in a day, about
DRAWN = 0.06  # of even games
GAMES_A_DAY = 1.5  # of a player
LIFE = 120.0  # games after which a player is gone, about
ELO_K = 24.0
AFTER = (10, 20)  # games of a player
SURE = 75.0  # a deviation
NORMAL = NormalDist()


class Played(NamedTuple):
    first: int
    second: int
    score: float
    at: int
    strengths: tuple[float, float]
    luck: float


class Model(NamedTuple):
    """One way to rate."""

    name: str
    new: Callable[[], Strength]
    expects: Callable[[Strength, Strength, int], float]
    settle: Callable[[Strength, Strength, Played], tuple[Strength, Strength]]


def chance(first: float, second: float, edge: float) -> float:
    return 1 / (1 + math.exp((second - first - edge) / SCALE))


def play_all(
    games: int, people: int, edge: float, dice: Random, spread: float = SPREAD, noise: float = 1.0
) -> Iterator[Played]:
    """Who met whom and what came of it. A number is one player for good; a seat in the club is taken anew."""
    fate, part = Random(f"luck {dice.getstate()[1][0]}"), math.sin(math.pi * (1 - noise) / 2)
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
        luck = luck_in(chances(x, drawn, share), part, fate)
        yield Played(numbers[one], numbers[other], score, at, (strengths[one], strengths[other]), luck)


def chances(x: float, drawn: float, share: float) -> float:
    """All that happened to the first seat as one number from 0 to 1: the worst are lost, the best are won."""
    won = share - drawn / 2
    if x < drawn:
        return 1 - won - drawn + x
    return 1 - (x - drawn) if x - drawn < won else x - drawn - won


def luck_in(happened: float, part: float, dice: Random) -> float:
    """What of it was luck (`part` of the variance, as a normal variable), in chances between equals.

    The variance of that is arcsin(part) / 2π, so that of their results less it is 1 - 2 arcsin(part) / π of
    what it was.
    """
    if part == 0:
        return 0.0
    total = NORMAL.inv_cdf(min(max(happened, 1e-12), 1 - 1e-12))
    lucky = part * total + math.sqrt(part * (1 - part)) * dice.gauss(0, 1)
    return NORMAL.cdf(lucky / math.sqrt(1 - part)) - 0.5


# ---------------------------------------------------------------- ways to rate


def glicko_model(name: str, edge: float) -> Model:
    return Model(
        name,
        Strength,
        lambda one, other, at: expected(one.at_time(at), other.at_time(at), edge),
        lambda one, other, game: settle(one, other, game.score, game.at, edge),
    )


def skill_model(edge: float, noise: float) -> Model:
    return Model(
        "Skill",
        Strength,
        lambda one, other, at: expected(one.at_time(at), other.at_time(at), edge),
        lambda one, other, game: settle(one, other, game.score, game.at, edge, game.luck, noise),
    )


def elo_model(edge: float = 0.0) -> Model:
    def after(one: Strength, other: Strength, game: Played) -> tuple[Strength, Strength]:
        change = ELO_K * (game.score - chance(one.rating, other.rating, edge))
        return Strength(one.rating + change), Strength(other.rating - change)

    return Model("Elo", Strength, lambda one, other, at: chance(one.rating, other.rating, edge), after)


def models(edge: float, noise: float) -> list[Model]:
    return [
        glicko_model("Glicko-2 with the seat", edge),
        skill_model(edge, noise),
        glicko_model("Glicko-2", 0.0),
        elo_model(),
    ]


# ---------------------------------------------------------------- how right they are


class Report(NamedTuple):
    name: str
    loss: float  # per game
    deciles: list[tuple[float, float, int]]  # expected and scored, in tenths of the games; and how many
    sure: float  # games until a rating was not provisional any more: the median
    after: dict[
        int, tuple[float, float]
    ]  # so many games: who is sure, and how far ratings are from the truth


def examine(model: Model, games: Sequence[Played], after: int) -> Report:
    """What it said of the games from number `after` on, having seen all before each."""
    known: dict[int, Strength] = {}
    played: dict[int, int] = {}
    said: list[tuple[float, float]] = []
    sure: dict[int, int] = {}  # after how many games
    then: dict[int, list[tuple[bool, float]]] = {n: [] for n in AFTER}
    for number, game in enumerate(games):
        one, other = (known.get(who) or model.new() for who in (game.first, game.second))
        if number >= after:
            said.append((model.expects(one, other, game.at), game.score))
        known[game.first], known[game.second] = model.settle(one, other, game)
        for who, true in zip((game.first, game.second), game.strengths, strict=True):
            played[who] = played.get(who, 0) + 1
            if played[who] in then:
                then[played[who]].append((known[who].deviation < SURE, known[who].rating - true))
            if who not in sure and not known[who].provisional:
                sure[who] = played[who]
    loss = sum(log_loss(share, score) for share, score in said) / len(said)
    after_so_many = {
        n: (sum(is_sure for is_sure, _ in some) / len(some), pstdev(far for _, far in some))
        for n, some in then.items()
    }
    settled = median(sure.values()) if sure else math.inf
    return Report(model.name, loss, list(deciles(said)), settled, after_so_many)


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
    asked.add_argument("--only", choices=list(KINDS))
    asked.add_argument("--noise", type=float, help="variance that is left of a result less its luck")
    asked.add_argument("--short", action="store_true", help="rating and skill alone")
    given = asked.parse_args()
    for title, (name, edition) in KINDS.items():
        if given.only not in (None, title):
            continue
        edge = PARTS[name].edges.get(edition, 0.0)
        noise = given.noise or PARTS[name].noises[edition]
        dice = Random(f"{given.seed} {title}")
        games = list(play_all(given.games, given.people, edge, dice, given.spread, noise))
        print(
            f"{title}, edge {edge:g}, noise {noise:g}, {len(games)} games, half of them foretold", flush=True
        )
        for model in models(edge, noise)[: 2 if given.short else None]:
            found = examine(model, games, len(games) // 2)
            print(
                f"  {found.name}: log-loss {found.loss:.5f}, worst tenth {worst(found):.2f} points off,",
                end="",
            )
            print(f" provisional for {found.sure:g} games", end="")
            for n, (are_sure, far) in found.after.items():
                print(f"; after {n}: {100 * are_sure:.1f} % below {SURE:g}, {far:.0f} points off", end="")
            print(flush=True)
            print("    " + "  ".join(f"{100 * s:.1f}/{100 * r:.1f}" for s, r, _ in found.deciles), flush=True)


if __name__ == "__main__":
    main()
