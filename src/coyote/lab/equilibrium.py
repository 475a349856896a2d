"""What two players who know each other's chances would choose: mixed strategies in equilibrium."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coyote.games.game import Json
from coyote.lab.stats import Floats, Interval

TINY = 1e-9  # less than this is a rounding error
PLAYED = 1e-6  # a part of a mix that counts as being played
ENDS_95 = (0.025, 0.975)


@dataclass(frozen=True)
class Equilibrium:
    """How often one chooses each row and the other each column, and what the first one gets."""

    mix: Floats
    against: Floats
    value: float


def solve(matrix: ArrayLike) -> Equilibrium:
    """The equilibrium of a game in which the row player gets matrix[row, column] and the other one loses it.

    >>> rock_paper_scissors = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    >>> solve(rock_paper_scissors).mix.round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    gains = np.asarray(matrix, float)
    shift = 1 - gains.min()  # all gains are at least 1 then, and so is the value
    rows, columns = _simplex(gains + shift)
    value = 1 / columns.sum()
    return Equilibrium(rows * value, columns * value, value - shift)


def _simplex(gains: Floats) -> tuple[Floats, Floats]:
    """Most of sum(y) with gains @ y <= 1 and y >= 0, and the prices of the rows: Dantzig's tableau.

    Of the columns that help, and of the rows that are the first to be used up, those with the lowest number
    are taken (Bland): so it never runs in a circle.
    """
    n, m = gains.shape
    table = np.block([[gains, np.eye(n), np.ones((n, 1))], [-np.ones(m), np.zeros(n + 1)]])
    basis = np.arange(m, m + n)
    while (helpful := np.flatnonzero(table[-1, :-1] < -TINY)).size:
        column = helpful[0]
        usable = np.flatnonzero(table[:-1, column] > TINY)
        room = table[usable, -1] / table[usable, column]
        first = usable[room <= room.min() + TINY]
        row = first[np.argmin(basis[first])]
        basis[row] = column
        table[row] /= table[row, column]
        others = np.arange(n + 1) != row
        table[others] -= np.outer(table[others, column], table[row])
    found = np.zeros(m + n)
    found[basis] = table[:-1, -1]
    return table[-1, m:-1], found[:m]


# ---------------------------------------------------------------- tables that are not known exactly


@dataclass(frozen=True)
class Mixes:
    """The equilibria of many tables, each as likely as what was played says."""

    weights: list[Interval]  # of each deck in the mix
    support: list[float]  # the share of the tables in which it is played at all
    scores: list[Interval]  # what each gets against the mean mix; 0.5 is even
    exploitability: Interval  # what the best answer to the mean mix gets above 0.5
    variety: Interval  # how many decks there are in the mix, by their entropy

    @property
    def mix(self) -> list[float]:
        """The mean mix."""
        return [weight.mean for weight in self.weights]

    def as_json(self) -> Json:
        return {
            "weights": [weight.as_json() for weight in self.weights],
            "support": self.support,
            "scores": [score.as_json() for score in self.scores],
            "exploitability": self.exploitability.as_json(),
            "variety": self.variety.as_json(),
        }


def sampled(wins: ArrayLike, draws: ArrayLike, losses: ArrayLike, samples: int, seed: int) -> Mixes:
    """From games that know nothing of each other: wins[i, j] is how often deck i won against deck j."""
    return sampled_scores(np.stack([losses, draws, wins], axis=-1), samples, seed)


def sampled_scores(counts: ArrayLike, samples: int, seed: int) -> Mixes:
    """From any scores: counts[i, j, k] is how often i got k / (K - 1) of the points against j.

    So a deal that was played twice counts once, with one of five scores. Only i < j is looked at.
    """
    tables = likely_tables(np.asarray(counts, float), samples, np.random.default_rng(seed))
    mixes = np.array([solve(table).mix for table in tables])
    mean_mix = mixes.mean(axis=0)
    scores = tables @ mean_mix
    parts = np.where(mixes > PLAYED, mixes, 1.0)
    return Mixes(
        weights=_intervals(mixes),
        support=(mixes > PLAYED).mean(axis=0).tolist(),
        scores=_intervals(scores),
        exploitability=_intervals(scores.max(axis=1, keepdims=True) - 0.5)[0],
        variety=_intervals(np.exp(-(parts * np.log(parts)).sum(axis=1, keepdims=True)))[0],
    )


def likely_tables(counts: Floats, samples: int, random: np.random.Generator) -> Floats:
    """Tables of mean scores, drawn as likely as they are after what was seen; one score more is unknown."""
    decks, _, kinds = counts.shape
    points = np.arange(kinds) / (kinds - 1)
    tables = np.full((samples, decks, decks), 0.5)
    for i in range(decks):
        for j in range(i + 1, decks):
            scores = random.dirichlet(counts[i, j] + 1 / kinds, size=samples) @ points
            tables[:, i, j], tables[:, j, i] = scores, 1 - scores
    return tables


def _intervals(found: NDArray[np.float64]) -> list[Interval]:
    """Of each column."""
    low, high = np.quantile(found, ENDS_95, axis=0)
    rows = zip(found.mean(axis=0).tolist(), low.tolist(), high.tolist(), strict=True)
    return [Interval(*row) for row in rows]
