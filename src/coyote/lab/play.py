"""Many games of two bots, each as a row of numbers (`kernel.rows`).

Games of our own bots are compiled from the deal to the end and run without Python's lock; those of other
people's programs, or by the clock, are asked for move by move. The rows are the same either way.
"""

from collections.abc import Generator, Sequence
from contextlib import closing, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.bots.deciding import PLAN, SERIES_DICE
from coyote.bots.minds import mind_of
from coyote.bots.names import plan, plan_of
from coyote.games.game import Game, Setup
from coyote.kernel.rows import UNTOLD
from coyote.lab.games import Crew, Stopped
from coyote.lab.series import RANDOM, play_one, play_twice, series
from coyote.questions import Budget

LOOKS_AT_ONCE = 1000  # simulations a decision of all games in one compiled call: a tenth of a second or so
MOST_LOOKS = 2000  # a decision; a search of more takes its time anyway, and may be stopped between decisions

Rows = npt.NDArray[Any]


def play_games(
    game: Game, setup: Setup, bots: Sequence[str], seed: str, first: int, n: int, crew: Crew | None = None
) -> Rows:
    """Games first … first + n - 1 of the series that `simulate` plays from this seed: n rows."""
    return Table(game, setup, bots, seed, twice=False).play(first, n, crew)[:, 0]


def play_pairs(
    game: Game,
    setup: Setup,
    bots: Sequence[str],
    seed: str,
    first: int,
    n: int,
    budget: Budget = Budget(),  # noqa: B008 - it is frozen
    crew: Crew | None = None,
) -> Rows:
    """Deals first … first + n - 1 as `match` plays them, n by 2 rows.

    In [k, 0] bot 0 has seat 0, in [k, 1] the seats are swapped; the decks of a duel stay where they are.
    `budget` is for bots that have none of their own.
    """
    return Table(game, setup, bots, seed, twice=True, budget=budget).play(first, n, crew)


def scores(rows: Rows) -> npt.NDArray[np.int8]:
    """What the games were worth, in whole numbers.

    For games one by one what seat 0 has of each, in halves: 0, 1 or 2. For pairs what bot 0 has of each,
    in quarters: 0 … 4.
    """
    of_first = np.where(rows["winner"] < 0, 1, 2 - 2 * rows["winner"]).astype(np.int8)
    if rows.ndim == 1:
        return of_first
    return of_first[:, 0] + 2 - of_first[:, 1]


class Table:
    """Where two bots play a series: each game once, or each deal twice with the seats swapped."""

    def __init__(
        self,
        game: Game,
        setup: Setup,
        bots: Sequence[str],
        seed: str,
        twice: bool,
        budget: Budget = Budget(),  # noqa: B008 - it is frozen
    ) -> None:
        self.game, self.setup, self.bots, self.source = game, setup, bots, series(seed)
        self.twice, self.budget = twice, budget
        self.plans = plans_of(game, bots, twice, budget)

    @property
    def at_once(self) -> int:
        """How many games, or deals, are a piece of work: as many as take no time worth mentioning."""
        if self.plans is None:
            return 1
        return max(1, LOOKS_AT_ONCE // (2 + int(self.plans["simulations"].sum())))

    def play(self, first: int, n: int, crew: Crew | None = None) -> Rows:
        """Games or deals first … first + n - 1; Stopped when the crew is."""
        rows = np.zeros((n, 1 + self.twice), self.game.ROW)
        with nullcontext(crew) if crew else closing(Crew()) as crew:
            for start in range(0, n, self.at_once):
                if crew.stop.is_set():
                    raise Stopped
                self._play(first + start, rows[start : start + self.at_once], crew)
        return rows

    def in_pieces(self, n: int) -> Generator[Rows, None, None]:
        """The first n games or deals on all cores, piece by piece in their order."""
        crew, size = Crew(), self.at_once

        def work(piece: int) -> Rows:
            first = piece * size
            return self.play(first, min(size, n - first), crew)

        with closing(crew.in_order(work, -(-n // size))) as pieces:
            yield from pieces

    def _play(self, first: int, rows: Rows, crew: Crew) -> None:
        if self.plans is None:
            todo = np.arange(len(rows))
        else:
            mind_of(self.game).play(self.setup, self.plans, self.source, first, rows)
            todo = np.flatnonzero((rows["reason"] == UNTOLD).any(axis=1))
        for k in todo.tolist():
            rows[k] = self.play_slowly(first + k, crew)

    def play_slowly(self, number: int, crew: Crew) -> list[Any]:
        """The rows of one game or deal, asked for move by move."""
        if self.twice:
            pair = play_twice(
                self.game, self.setup, self.bots, self.source, number, crew, self.budget, count=True
            )
            return [played.row for played in pair]
        return [play_one(self.game, self.setup, self.bots, self.source, number, crew, count=True).row]


def plans_of(game: Game, bots: Sequence[str], twice: bool, budget: Budget) -> Rows | None:
    """How both decide in compiled games; None where one of them cannot."""
    if not mind_of(game).PLAYS:
        return None
    plans = np.zeros(2, PLAN)
    for k, name in enumerate(bots):
        found = plan(SERIES_DICE) if name == RANDOM and not twice else plan_of(name, game, budget)
        if found is None or found.simulations > MOST_LOOKS:
            return None
        plans[k] = found
    return plans
