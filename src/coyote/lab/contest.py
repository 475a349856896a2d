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

from coyote.bots.bot import BotFailure, Budget
from coyote.bots.names import make_bot
from coyote.games.game import Game, Json, Setup, Words64
from coyote.lab import stats
from coyote.lab.games import Crew, Played, play_out, say_goodbye
from coyote.lab.simulate import bot_seed, series, words_of
from coyote.match import Match

Pair = tuple[Played, Played]  # the first bot in seat 0, then in seat 1


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

    def play(self, standing: "Standing") -> Generator[Pair, None, None]:
        """The pairs in the order of the deals, each counted before it is given out."""
        crew, source = Crew(), series(self.seed)

        def work(number: int) -> Pair:
            return self.play_deal(crew, *words_of(source, number))

        with closing(crew.in_order(work, self.pairs)) as pairs:
            for pair in pairs:
                standing.add(pair)
                yield pair
                if self.until is not None and standing.stronger(self.until) is not None:
                    return

    def play_deal(self, crew: Crew, seed: str, dice: Words64) -> Pair:
        return (
            self.play_game(crew, seed, dice, (0, 1)),
            self.play_game(crew, seed, dice, (1, 0)),
        )

    def play_game(self, crew: Crew, seed: str, dice: Words64, seats: tuple[int, int]) -> Played:
        """One game; `seats` says which bot sits in which seat. The decks of a duel stay where they are."""
        match = Match(self.game, self.setup, seed=seed, players=[self.bots[bot] for bot in seats])
        players = [
            make_bot(self.bots[bot], self.game, bot_seed(dice, f"bot {bot} seat {seat}"), crew.programs)
            for seat, bot in enumerate(seats)
        ]
        played = None
        try:
            played = play_out(match, players, self.budget, crew.stop)
        finally:
            say_goodbye(players, played.result.as_json() if played else None)
        return played


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
        }


def quarters(*points: float) -> int:
    """The place of a pair's score among `stats.PAIR_SCORES`."""
    return round(2 * sum(points))


def finite(number: float) -> float | None:
    """JSON has no infinity."""
    return number if isfinite(number) else None
