"""What moves are worth, with how sure that is: by batches that all moves share.

Every move is looked at in the same batches, from the same dice. So what two moves differ by is known better
than what either is worth: what the batches have in common falls out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

BATCHES = 6
STUDENT_95 = 2.571  # for five degrees of freedom
EXACTLY = 1e-9

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A number and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float

    def as_json(self) -> dict[str, float]:
        return {"mean": rounded(self.mean), "low": rounded(self.low), "high": rounded(self.high)}


@dataclass(frozen=True)
class Values:
    """Chances to win by move, one number for each batch."""

    batches: Mapping[int, Floats]

    def mean(self, action: int) -> float:
        return float(self.batches[action].mean())

    def best(self) -> int:
        return max(self.batches, key=self.mean)

    def loss(self, action: int) -> Estimate:
        """What a move costs beside the best one; nothing where it is that."""
        return estimate(self.batches[self.best()] - self.batches[action])

    def in_order(self) -> list[int]:
        return sorted(self.batches, key=self.mean, reverse=True)


def estimate(batches: Floats) -> Estimate:
    """
    >>> found = estimate(np.array([0.10, 0.12, 0.08, 0.10, 0.12, 0.08]))
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.1, 0.081, 0.119)
    """
    mean, n = float(batches.mean()), len(batches)
    reach = STUDENT_95 * float(batches.std(ddof=1)) / sqrt(n) if n > 1 else 0.0
    return Estimate(mean, mean - reach, mean + reach)


def rounded(chance: float) -> float:
    """To a hundredth of a point: more is noise."""
    return round(float(chance), 4)
