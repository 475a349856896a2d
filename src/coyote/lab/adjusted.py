"""The score of a contest less the luck of its games: the same mean, and less noise."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from coyote.analysis.luck import Luck
from coyote.games.game import Json
from coyote.lab import stats
from coyote.lab.games import Played


@dataclass
class Adjusted:
    """What each pair of games was worth to the first bot, and how much of that was luck."""

    points: list[tuple[float, float]] = field(default_factory=list)  # by pair, its two games
    luck: list[tuple[float, float]] = field(default_factory=list)
    doubt: float = 0.0  # the sum of the squared standard errors of the luck, where it was sampled

    def add(self, pair: Sequence[Played], lucks: Sequence[Luck]) -> None:
        """In the second game the first bot has seat 1, and what was luck for seat 0 was bad luck for it."""
        first, second = pair
        self.points.append((first.points(0), second.points(1)))
        self.luck.append((lucks[0].total, -lucks[1].total))
        self.doubt += lucks[0].error ** 2 + lucks[1].error ** 2

    @property
    def games(self) -> int:
        return 2 * len(self.points)

    def as_json(self) -> Json:
        points, luck = np.array(self.points), np.array(self.luck)
        games, pairs = points - luck, (points - luck).mean(axis=1)
        spread = {
            "game": deviation(points.ravel()),
            "game_adjusted": deviation(games.ravel()),
            "pair": sqrt(2) * deviation(points.mean(axis=1)),
            "pair_adjusted": sqrt(2) * deviation(pairs),
        }
        return {
            "score": as_score(stats.smooth_mean(pairs)),
            "single": {
                "plain": as_score(stats.mean(points.ravel())),
                "adjusted": as_score(stats.smooth_mean(games.ravel())),
            },
            "luck": stats.smooth_mean(luck.mean(axis=1)).as_json(),
            "deviation": spread,
            "error": sqrt(self.doubt / self.games),
        }


def deviation(values: stats.Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def as_score(found: stats.Interval) -> Json:
    return {"share": found.mean, "low": found.low, "high": found.high}
