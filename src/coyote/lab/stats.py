"""Numbers about numbers."""

from collections.abc import Sequence
from math import sqrt

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
