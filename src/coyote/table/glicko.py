"""Glicko-2 by hand (Glickman 2012): how strong somebody is, and how surely that is known. No I/O.

Besides what Glickman has: the seat counts (whoever begins may have an edge, in points), periods may be
fractions, so that every game is settled at once, a strength that never changes has volatility 0, and luck may
be taken off a score, which then weighs more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

SCALE = 173.7178  # points in one unit of Glickman's own scale
MIDDLE = 1500.0
START_DEVIATION, LEAST_DEVIATION, MOST_DEVIATION = 500.0, 45.0, 500.0
START_VOLATILITY, MOST_VOLATILITY = 0.09, 0.1
TAU = 0.75  # how much volatility itself may change
PROVISIONAL = 110.0  # a deviation from which on a rating is not to be relied on
LOWEST, HIGHEST = 400.0, 4000.0
MOST_AT_ONCE = 700.0  # points that one game may change
PERIODS_A_DAY = 0.21436  # so that a deviation of 60 is one of 110 after a year
NEAR = 1e-6  # how exactly the volatility is found
DAY = 24 * 3600 * 1000  # milliseconds


@dataclass(frozen=True)
class Strength:
    """`at`: when it was last changed, in milliseconds; 0 is never."""

    rating: float = MIDDLE
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY
    at: int = 0

    @property
    def provisional(self) -> bool:
        return self.deviation >= PROVISIONAL

    def at_time(self, at: int) -> "Strength":
        """The same some time later: nobody knows what has become of it meanwhile."""
        grown = math.hypot(self.deviation, SCALE * self.volatility * math.sqrt(periods(self.at, at)))
        return replace(self, deviation=min(grown, max(MOST_DEVIATION, self.deviation)))


class Met(NamedTuple):
    """One game: against whom, with how many points of advantage from the seat, and the score from 0 to 1.

    `luck` is how much of that score was luck, as it would be between equals; `noise` is what is left of the
    variance of their results when it is taken off.
    """

    other: Strength
    score: float
    edge: float = 0.0
    luck: float = 0.0
    noise: float = 1.0


def periods(since: int, at: int) -> float:
    return max(0, at - since) / DAY * PERIODS_A_DAY if since else 0.0


# ---------------------------------------------------------------- Glickman's steps


def weight(phi: float) -> float:
    """How much a result against somebody tells of whom so much is known."""
    return 1 / math.sqrt(1 + 3 * phi * phi / math.pi**2)


def expected(one: Strength, other: Strength, edge: float = 0.0) -> float:
    """The score that the first is expected to make, with both not known exactly.

    >>> even, better = Strength(1500, 0), Strength(1570, 0)
    >>> expected(even, even), round(expected(better, even), 3)
    (0.5, 0.599)
    """
    phi = math.hypot(one.deviation, other.deviation) / SCALE
    return logistic(weight(phi) * (one.rating + edge - other.rating) / SCALE)


def worth_of_luck(one: Strength, other: Strength, edge: float = 0.0) -> float:
    """Of what luck is worth between equals: the more certain a game is, the less a card changes it. It is the
    slope of the chance to win, on average over all that the two may be.

    >>> sure, new = Strength(1500, 0), Strength()
    >>> [round(worth_of_luck(sure, other), 2) for other in (sure, Strength(1200, 0), new)]
    [1.0, 0.51, 0.53]
    """
    phi = math.hypot(one.deviation, other.deviation) / SCALE
    chance = expected(one, other, edge)
    return 4 * weight(phi) * chance * (1 - chance)


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def step(one: Strength, games: Sequence[Met], elapsed: float) -> Strength:
    """Steps 2 to 8 of Glickman's paper: what these games say, `elapsed` periods after the last ones.

    Without bounds; a volatility of 0 stays 0.
    """
    phi, mu = one.deviation / SCALE, (one.rating - MIDDLE) / SCALE
    precision = surprise = 0.0  # 1 / v, and delta / v
    for other, score, edge, luck, noise in games:
        g = weight(other.deviation / SCALE)
        chance = logistic(g * (mu - (other.rating - edge - MIDDLE) / SCALE))
        worth = worth_of_luck(one, other, edge)
        left = 1 - (1 - noise) * worth  # of the variance of the score
        precision += g * g * chance * (1 - chance) / left
        surprise += g * (score - worth * luck - chance) / left
    sigma = one.volatility
    if sigma and games:
        sigma = new_volatility(phi, sigma, 1 / precision, surprise / precision)
    before = math.sqrt(phi * phi + elapsed * sigma * sigma)
    after = 1 / math.sqrt(1 / (before * before) + precision)
    rating = MIDDLE + SCALE * (mu + after * after * surprise)
    return replace(one, rating=rating, deviation=SCALE * after, volatility=sigma)


def new_volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Step 5: the zero of f, between two bounds that close in on it (the Illinois way)."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        grown = phi * phi + variance + math.exp(x)
        pull = math.exp(x) * (delta * delta - grown) / (2 * grown * grown)
        return pull - (x - start) / (TAU * TAU)

    low, high = start, start
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        high = start - TAU
        while f(high) < 0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > NEAR:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


# ---------------------------------------------------------------- a game of two


def settle(
    first: Strength,
    second: Strength,
    score: float,
    at: int,
    edge: float,
    luck: float = 0.0,
    noise: float = 1.0,
) -> tuple[Strength, Strength]:
    """Both after a game; `score`, `edge` and `luck` are of the first seat, `at` is when it ended."""
    met = first.at_time(at), second.at_time(at)
    return (
        after_game(first, Met(met[1], score, edge, luck, noise), at),
        after_game(second, Met(met[0], 1 - score, -edge, -luck, noise), at),
    )


def after_game(one: Strength, game: Met, at: int) -> Strength:
    """Within bounds, and rounded: the same numbers on every machine. What is fixed has no least deviation."""
    found = step(one, [game], periods(one.at, at))
    change = between(-MOST_AT_ONCE, found.rating - one.rating, MOST_AT_ONCE)
    fixed = one.volatility == 0
    return Strength(
        rating=round(between(LOWEST, one.rating + change, HIGHEST), 6),
        deviation=round(between(0 if fixed else LEAST_DEVIATION, found.deviation, MOST_DEVIATION), 6),
        volatility=round(min(found.volatility, MOST_VOLATILITY), 9),
        at=max(at, one.at),
    )


def between(low: float, value: float, high: float) -> float:
    return max(low, min(value, high))
