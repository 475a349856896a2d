"""Numbers about numbers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, inf, log, log10, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

NORMAL_95 = 1.959963984540054

Floats = NDArray[np.float64]


def interval(hits: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share, after Wilson: honest for small numbers too.

    >>> [round(edge, 3) for edge in interval(50, 100)]
    [0.404, 0.596]
    """
    if trials == 0:
        return 0.0, 1.0
    z2 = NORMAL_95**2
    share = hits / trials
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    reach = NORMAL_95 * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return (middle - reach if hits else 0.0), (middle + reach if hits < trials else 1.0)


def quantile(counts: Sequence[int], share: float) -> int:
    """The value below which this share of a histogram lies; counts[value] is how often it came."""
    wanted, so_far = share * sum(counts), 0
    for value, count in enumerate(counts):
        so_far += count
        if count and so_far >= wanted:
            return value
    return 0


# ---------------------------------------------------------------- deals that are played twice
#
# Two bots play every deal twice, with the seats swapped. The two games share their luck, so they are
# no two trials: the trial is the pair, and its score for the first bot is 0, ¼, ½, ¾ or 1. A series is
# the list of how often each of these came.

PAIR_SCORES = np.arange(5) / 4
BETS = np.geomspace(0.01, 0.9, 20)  # parts of what may be lost that are put on the next pair


def mean_score(counts: Sequence[int]) -> float:
    """The share of points, from the counts of the five scores.

    >>> mean_score([0, 0, 10, 0, 10])
    0.75
    """
    pairs = sum(counts)
    return float(np.dot(counts, PAIR_SCORES)) / pairs if pairs else 0.5


def pair_interval(counts: Sequence[int]) -> tuple[float, float]:
    """The 95 % interval of the mean score of pairs.

    Two pairs that nobody played are counted in, one lost and one won: as Wilson's rule does for shares,
    this keeps the interval honest where few pairs were played or all ended alike.

    >>> [round(edge, 3) for edge in pair_interval([10, 20, 40, 20, 10])]
    [0.445, 0.555]
    >>> [round(edge, 3) for edge in pair_interval([0, 0, 0, 0, 10])]
    [0.753, 1.0]
    >>> pair_interval([0, 0, 0, 0, 0])
    (0.0, 1.0)
    """
    padded = np.array(counts, float)
    padded[[0, -1]] += 1
    n = padded.sum()
    middle = float(padded @ PAIR_SCORES / n)
    variance = float(padded @ (PAIR_SCORES - middle) ** 2 / (n - 1))
    reach = NORMAL_95 * sqrt(variance / n)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def elo(share: float) -> float:
    """The difference in rating that makes one expect this share of points; infinite for all or nothing.

    >>> round(elo(0.64)), elo(1.0), elo(0.0)
    (100, inf, -inf)
    """
    if share <= 0 or share >= 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / (1 - share))


def fortunes(counts: Sequence[int], mean: float) -> tuple[float, float]:
    """What two gamblers have made of 1, as logarithms: they bet that the mean score is higher, or lower.

    Each splits the money over many strategies, and each strategy always puts the same part of what it
    could lose on the next pair. If the mean is truly what is said here, no gambler has an edge; that the
    two together ever have 1 / α on average happens with a chance of at most α, however often one looks
    (Ville). So there is no harm in looking after every pair.
    """
    up = np.log1p(np.outer(BETS / mean, PAIR_SCORES - mean)) @ np.asarray(counts)
    down = np.log1p(np.outer(BETS / (1 - mean), mean - PAIR_SCORES)) @ np.asarray(counts)
    return log_mean(up), log_mean(down)


def log_mean(logs: Sequence[float]) -> float:
    """The logarithm of the mean of numbers given as logarithms."""
    return float(np.logaddexp.reduce(logs)) - log(len(logs))


def stronger(counts: Sequence[int], confidence: float) -> int | None:
    """Which bot is the stronger one, 0 or 1, once that is settled. May be asked after every pair.

    >>> stronger([10, 20, 40, 20, 10], 0.95) is None, stronger([0, 0, 10, 10, 20], 0.95)
    (True, 0)
    """
    up, down = fortunes(counts, 0.5)
    if log_mean([up, down]) < -log(1 - confidence):
        return None
    return 0 if up > down else 1


def steady_interval(counts: Sequence[int], confidence: float) -> tuple[float, float]:
    """An interval for the mean score that may be looked at after every pair, and stopped at any.

    It is wider than `pair_interval`: the price of looking. It leaves out ½ just when `stronger` decides.

    >>> [round(edge, 3) for edge in steady_interval([10, 20, 40, 20, 10], 0.95)]
    [0.409, 0.591]
    """
    limit = -log(1 - confidence)
    means = np.arange(1, 1000) / 1000
    likely = [mean for mean in means if log_mean(fortunes(counts, mean)) < limit]
    if not likely:
        return 0.0, 1.0
    low, high = min(likely), max(likely)
    return (0.0 if low == means[0] else float(low)), (1.0 if high == means[-1] else float(high))


# ---------------------------------------------------------------- means and differences of any numbers
#
# Two variants play the same deals, so their numbers are compared deal by deal: luck that both had falls out.
# The interval of a mean holds each value that what was seen does not speak against: of all distributions
# with that mean the one is taken under which it was likeliest, and what was seen must be within 1.96 of its
# standard errors. For a share this is Wilson's interval, for differences of wins and losses Tango's. Values
# that may come and never did have their part in it, so that even equal numbers leave room for doubt.

UNSEEN = 1e-6  # how often a value that may come is said to have come
STEPS = 40  # of halving, for an end of an interval


@dataclass(frozen=True)
class Interval:
    """A mean and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """How far the farther end is from the mean: the ± of this number."""
        return max(self.high - self.mean, self.mean - self.low)

    def times(self, factor: float) -> "Interval":
        """In other units, which are the smaller ones: percent instead of shares, say."""
        return Interval(self.mean * factor, self.low * factor, self.high * factor)

    def as_json(self) -> dict[str, float]:
        return {"mean": self.mean, "low": self.low, "high": self.high}


Bounds = tuple[float, float]  # the least and the greatest value that can come
SHARES: Bounds = (0.0, 1.0)
DIFFERENCES: Bounds = (-1.0, 1.0)  # of shares


def mean(values: ArrayLike, bounds: Bounds | None = SHARES) -> Interval:
    """The mean of independent numbers within these bounds; None: one less and one more than was seen.

    >>> wins = mean([1] * 50 + [0] * 50)
    >>> wins.mean, round(wins.low, 3), round(wins.high, 3)
    (0.5, 0.404, 0.596)
    >>> mean([1] * 10).high, round(mean([1] * 10).low, 2)
    (1.0, 0.72)
    """
    seen, counts = np.unique(np.asarray(values, float), return_counts=True)
    if not len(seen):
        low, high = bounds or (-inf, inf)
        return Interval((low + high) / 2 if bounds else 0.0, low, high)
    least, most = bounds or (seen[0] - 1, seen[-1] + 1)
    ends = mean_intervals(np.array([least, *seen, most]), np.array([0, *counts, 0]))
    return Interval(float(seen @ counts / counts.sum()), *map(float, ends))


def smooth_mean(values: ArrayLike) -> Interval:
    """The mean of independent numbers that are hardly ever the same twice, by the normal distribution.

    Two numbers that nobody saw are counted in, one half above the mean and one half below it: this keeps the
    interval honest where there are few.

    >>> found = smooth_mean([0.4, 0.6] * 50)
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.5, 0.476, 0.524)
    """
    seen = np.asarray(values, float)
    middle, n = float(seen.mean()), len(seen) + 2
    variance = (float(((seen - middle) ** 2).sum()) + 0.5) / (n - 1)
    reach = NORMAL_95 * sqrt(variance / n)
    return Interval(middle, middle - reach, middle + reach)


def difference(first: ArrayLike, second: ArrayLike, bounds: Bounds | None = DIFFERENCES) -> Interval:
    """How much more the first one has, on average, where number k of both is from the same deal.

    >>> difference([1, 1, 0, 1], [1, 0, 0, 1]).mean
    0.25
    """
    return mean(np.asarray(first, float) - np.asarray(second, float), bounds)


def mean_intervals(values: Floats, counts: NDArray[Any]) -> tuple[Floats, Floats]:
    """The intervals of the means of many series at once: counts[…, k] is how often values[k] came.

    The first value is the least that can come, and the last one the greatest.
    """
    seen = counts @ values / counts.sum(axis=-1)
    low, high = (_farthest_mean(values, counts, seen, end) for end in (values[0], values[-1]))
    return np.minimum(low, seen), np.maximum(high, seen)


def _farthest_mean(values: Floats, counts: NDArray[Any], seen: Floats, end: float) -> Floats:
    """The mean nearest to this end that may be the true one.

    The likeliest distributions with means from what was seen to the end have the weights
    count / (pull + (1 - pull) * distance from the end), as the pull goes from 1 to 0.
    """
    n, span = counts.sum(axis=-1), values[-1] - values[0]
    distance = np.abs(values - end) / np.maximum(np.abs(seen - end), 1e-9 * span)[..., None]
    strong, weak = np.full(seen.shape, -60.0), np.zeros(seen.shape)  # logarithms of the pull
    for _ in range(STEPS):
        middle = (strong + weak) / 2
        pull = np.exp(middle)[..., None]
        weights = (counts + UNSEEN) / (pull + (1 - pull) * distance)
        weights /= weights.sum(axis=-1, keepdims=True)
        means: Floats = weights @ values
        variance = (weights * (values - means[..., None]) ** 2).sum(axis=-1)
        too_far = n * (means - seen) ** 2 > NORMAL_95**2 * variance
        strong, weak = np.where(too_far, middle, strong), np.where(too_far, weak, middle)
    return means


# ---------------------------------------------------------------- when to stop
#
# A series goes on until its intervals are narrow enough. One looks now and then, at numbers of deals that
# are settled beforehand, and asks for the width alone, never for what it would be nice to hear: so the
# interval at the end is as honest as if the number of deals had been settled, too.

FIRST_LOOK = 400  # deals: below that a width says little
LOOK_AGAIN = 1.2  # times as many


def looks(most: int) -> Iterator[int]:
    """The numbers of deals after which to look; the last one is `most`.

    >>> list(looks(1000))
    [400, 480, 576, 692, 831, 998, 1000]
    """
    deals = FIRST_LOOK
    while deals < most:
        yield deals
        deals = ceil(deals * LOOK_AGAIN)
    yield most


def ranges(most: int, size: int) -> Iterator[tuple[int, int]]:
    """The deals from 0 to most - 1 in ranges (first, last) of at most this size; each look is the end of one.

    So what is seen at a look does not depend on the size.

    >>> list(ranges(600, 250))
    [(0, 249), (250, 399), (400, 479), (480, 575), (576, 599)]
    """
    first = 0
    for look in looks(most):
        while first < look:
            last = min(first + size, look) - 1
            yield first, last
            first = last + 1


def narrow_enough(intervals: Iterable[Interval], reach: float) -> bool:
    """Whether all these are as narrow as ± reach; to be asked at the looks only.

    >>> narrow_enough([mean([0, 1] * 5000)], 0.01), narrow_enough([mean([0, 1] * 4000)], 0.01)
    (True, False)
    """
    return all(interval.reach <= reach for interval in intervals)
