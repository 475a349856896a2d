"""Numbers about numbers."""

from collections.abc import Sequence
from math import inf, log, log10, sqrt

import numpy as np

NORMAL_95 = 1.959963984540054


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
