"""Two bots against each other: every deal is played twice, with the seats swapped.

All follows from the series' seed: deal number k is that of `simulate`, and the bots' own seeds come
from its dice. So the same contest gives the same result on any number of cores, as long as budgets
are counted in simulations.
"""

from collections import Counter
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from coyote.analysis.luck import Luck, luck_of
from coyote.bots.bot import BotFailure, Budget
from coyote.games.game import Game, Json, Setup
from coyote.lab import stats
from coyote.lab.adjusted import Adjusted
from coyote.lab.games import Crew, Played
from coyote.lab.play import Rows, Table, scores
from coyote.lab.series import Pair, play_twice, series


@dataclass(frozen=True)
class Contest:
    """Who plays whom at what, how often and from which seed."""

    game: Game
    setup: Setup
    bots: tuple[str, str]
    pairs: int
    seed: str
    budget: Budget = field(default_factory=Budget)  # for bots that have none of their own
    until: float | None = None  # the confidence at which it may end early
    luck: bool = False  # whether it is told what was luck

    def play(self, standing: "Standing") -> Generator[Pair, None, None]:
        """The pairs in the order of the deals, each counted before it is given out."""
        crew, source = Crew(), series(self.seed)

        def work(number: int) -> tuple[Pair, list[Luck]]:
            pair = play_twice(self.game, self.setup, self.bots, source, number, crew, self.budget)
            return pair, [luck_of(played.match) for played in pair] if self.luck else []

        with closing(crew.in_order(work, self.pairs)) as pairs:
            for pair, lucks in pairs:
                standing.add(pair)
                if lucks:
                    standing.adjusted.add(pair, lucks)
                yield pair
                if self.is_settled(standing):
                    return

    def count(self, standing: "Standing") -> Generator[int, None, None]:
        """The same where nobody asks for the games themselves: how many more deals are counted, each time."""
        table = Table(self.game, self.setup, self.bots, self.seed, twice=True, budget=self.budget)
        if table.plans is None or self.luck:
            with closing(self.play(standing)) as pairs:
                yield from (1 for _ in pairs)
            return
        with closing(table.in_pieces(self.pairs)) as pieces:
            for rows in pieces:
                for part in np.split(rows, len(rows)) if self.until else [rows]:
                    standing.add_rows(self.game, part)
                    yield len(part)
                    if self.is_settled(standing):
                        return

    def is_settled(self, standing: "Standing") -> bool:
        return self.until is not None and standing.stronger(self.until) is not None


@dataclass
class Standing:
    """The score so far."""

    won: list[int] = field(default_factory=lambda: [0, 0])  # by bot
    drawn: int = 0
    scores: list[int] = field(default_factory=lambda: [0] * 5)  # of the first bot, in pairs
    seat_scores: list[int] = field(default_factory=lambda: [0] * 5)  # of seat 0, in pairs
    ends: Counter[str] = field(default_factory=Counter)
    failures: Counter[tuple[int, str]] = field(default_factory=Counter)  # by bot and code
    examples: dict[tuple[int, str], BotFailure] = field(default_factory=dict)
    turns: int = 0
    decisions: int = 0
    adjusted: Adjusted = field(default_factory=Adjusted)  # where luck is told

    @property
    def pairs(self) -> int:
        return sum(self.scores)

    @property
    def games(self) -> int:
        return 2 * self.pairs

    def points(self, bot: int) -> float:
        return self.won[bot] + self.drawn / 2

    def add(self, pair: Pair) -> None:
        for swapped, played in enumerate(pair):
            self._add_game(played, swapped)
        first, second = pair
        self.scores[quarters(first.points(0), second.points(1))] += 1
        self.seat_scores[quarters(first.points(0), second.points(0))] += 1

    def add_rows(self, game: Game, rows: Rows) -> None:
        """Pairs of games as `play.play_pairs` has them, none of which ended by a bot's failure."""
        of_first = scores(rows.ravel()).reshape(rows.shape)  # in halves, by seat 0
        of_bot = np.stack([of_first[:, 0], 2 - of_first[:, 1]], axis=1)
        self.won[0] += int((of_bot == 2).sum())
        self.won[1] += int((of_bot == 0).sum())
        self.drawn += int((of_bot == 1).sum())
        for counts, found in ((self.scores, of_bot), (self.seat_scores, of_first)):
            for score, number in enumerate(np.bincount(found.sum(axis=1), minlength=5).tolist()):
                counts[score] += number
        for reason in rows["reason"].ravel().tolist():
            self.ends[game.REASONS[reason]] += 1
        self.turns += int(rows["turns"].sum())
        self.decisions += int(rows["decisions"].sum())

    def _add_game(self, played: Played, swapped: int) -> None:
        """In the second game of a pair bot 0 sits in seat 1."""
        result = played.result
        if result.winner is None:
            self.drawn += 1
        else:
            self.won[result.winner ^ swapped] += 1
        self.ends[result.reason] += 1
        self.turns += played.turns
        self.decisions += len(played.match.moves)
        if played.failed is not None and played.failure is not None:
            kind = (played.failed ^ swapped, played.failure.code)
            self.failures[kind] += 1
            self.examples.setdefault(kind, played.failure)

    def stronger(self, confidence: float) -> int | None:
        return stats.stronger(self.scores, confidence)

    def interval(self, until: float | None) -> tuple[float, float]:
        """The interval of the score; where the end depended on the score, one that allows for that."""
        if until is None:
            return stats.pair_interval(self.scores)
        return stats.steady_interval(self.scores, until)

    def as_json(self, until: float | None) -> Json:
        low, high = self.interval(until)
        score = stats.mean_score(self.scores)
        seat_low, seat_high = stats.pair_interval(self.seat_scores)
        games = max(1, self.games)
        return {
            "games": self.games,
            "wins": self.won[0],
            "draws": self.drawn,
            "losses": self.won[1],
            "score": {"share": score, "low": low, "high": high},
            "elo": {
                "difference": finite(stats.elo(score)),
                "low": finite(stats.elo(low)),
                "high": finite(stats.elo(high)),
            },
            "pairs": list(self.scores),
            "first_seat": {"share": stats.mean_score(self.seat_scores), "low": seat_low, "high": seat_high},
            "ends": dict(self.ends.most_common()),
            "failures": [
                {"bot": bot, "reason": code, "games": number}
                for (bot, code), number in sorted(self.failures.items())
            ],
            "turns": self.turns / games,
            "decisions": self.decisions / games,
            **({"luck": self.adjusted.as_json()} if self.adjusted.points else {}),
        }


def quarters(*points: float) -> int:
    """The place of a pair's score among `stats.PAIR_SCORES`."""
    return round(2 * sum(points))


def finite(number: float) -> float | None:
    """JSON has no infinity."""
    return number if isfinite(number) else None
