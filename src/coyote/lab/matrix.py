"""Every deck against every other: what is known of each pairing, and the mix of decks in equilibrium.

A pairing is a series of games with the first deck in seat 0: a duel treats both seats alike. Its seed comes
from the two lists of cards, so that further decks in a matrix change none of its games.
"""

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from coyote.games.duel.decks import Deck
from coyote.games.duel.game import Duel
from coyote.games.game import Json
from coyote.lab.equilibrium import Mixes, sampled
from coyote.lab.play import play_games
from coyote.lab.stats import Interval, looks, mean_intervals, narrow_enough
from coyote.lab.variants import described, made
from coyote.seeds import seed_from, seed_words

Task = Callable[[Json], Json]
Run = Callable[[Task, Iterable[Json]], Generator[tuple[Json, Json], None, None]]
Tell = Callable[[str, int, int], None]
Pair = tuple[str, str]  # the names of two decks
Counts = npt.NDArray[np.int64]  # of games: won, drawn, lost

CHUNK = 100  # games of a piece
SAMPLES = 1000  # of what the matrix may truly be
MOST_GAMES = 20_000  # of a pairing, where it is to be played until its interval is narrow
WON, DRAWN, LOST = range(3)
USUAL_REACH = 0.9  # of the share of one game: an interval of n games reaches this, divided by the root of n
POINTS = np.array([0.0, 0.5, 1.0])  # of a game lost, drawn, won


# ---------------------------------------------------------------- pieces


def no_games() -> Counts:
    return np.zeros(3, np.int64)


def spans(first: int, last: int) -> Iterator[tuple[int, int]]:
    """These games in pieces.

    >>> list(spans(50, 250))
    [(50, 150), (150, 250)]
    """
    return ((start, min(start + CHUNK, last)) for start in range(first, last, CHUNK))


class Meeting(NamedTuple):
    """Games first … last - 1 of a series against a deck."""

    deck: Sequence[str]
    seed: str
    first: int
    last: int


def play_meetings(piece: Json) -> Json:
    """The task: how many games a deck won, drew and lost in its meetings."""
    game = made(piece["game"])[0]
    assert isinstance(game, Duel)
    counts = no_games()
    for deck, seed, first, last in piece["against"]:
        setup = game.settle([piece["deck"], deck])
        rows = play_games(game, setup, (piece["bot"],) * 2, seed, first, last - first)
        counts += [np.sum(rows["winner"] == seat) for seat in (0, -1, 1)]
    return {"counts": counts.tolist()}


@dataclass(frozen=True)
class Players:
    """Who plays what: the same bot with either deck."""

    game: Duel
    bot: str
    seed: str

    def piece(self, deck: Deck, against: Iterable[Meeting]) -> Json:
        return {
            "game": described(self.game, self.game.settle()),
            "bot": self.bot,
            "deck": deck.ids(),
            "against": [list(meeting) for meeting in against],
        }

    def meeting(self, deck: Deck, theirs: Deck, first: int, last: int) -> Meeting:
        seed = f"{self.seed} {','.join(deck.ids())} {','.join(theirs.ids())}"
        return Meeting(theirs.ids(), seed, first, last)


@dataclass(frozen=True)
class Wanted:
    """How many games of a pairing: so many, or until its interval is no wider than ± `within`."""

    games: int
    within: float | None = None

    @property
    def most(self) -> int:
        return self.games if self.within is None else MOST_GAMES

    def goal(self, games: int) -> int:
        """How many games there are when one looks again after so many."""
        return next(look for look in looks(self.most) if look > games) if self.within else self.games

    def is_enough(self, counts: Counts) -> bool:
        games = int(counts.sum())
        if games == 0 or self.within is None:
            return games >= self.games
        return games >= self.most or narrow_enough([share_of(counts)], self.within)

    def expected(self, counts: Counts) -> int:
        """About how many games there will be."""
        games = int(counts.sum())
        if self.within is None or games >= self.most:
            return max(games, self.games)
        reach = share_of(counts).reach * sqrt(games) if games else USUAL_REACH
        return min(self.most, max(games, round((reach / self.within) ** 2)))


def share_of(counts: Counts) -> Interval:
    """The share of points, a draw being half a win."""
    low, high = mean_intervals(POINTS, counts[::-1])
    return Interval(float(counts[::-1] @ POINTS / counts.sum()), float(low), float(high))


# ---------------------------------------------------------------- the matrix


@dataclass
class Matrix:
    """Decks by their names, and what each has got against each other."""

    players: Players
    wanted: Wanted
    decks: dict[str, Deck]
    counts: defaultdict[Pair, Counts] = field(default_factory=lambda: defaultdict(no_games))

    def play(self, run: Run, tell: Tell) -> None:
        """Every pairing until it is known well enough; those that are not yet go on together."""
        while wide := [pair for pair in combinations(self.decks, 2) if not self.is_known(pair)]:
            parts = [(pair, *part) for pair in wide for part in self.parts(pair)]
            pieces = [self.piece(*part) for part in parts]
            total = sum(self.wanted.expected(self.counts[pair]) for pair in combinations(self.decks, 2))
            for (pair, *_), (_, found) in zip(parts, run(play_meetings, pieces), strict=True):
                self.add(pair, found["counts"])
                tell("lab.decks.matrix", self.games, total)

    def is_known(self, pair: Pair) -> bool:
        return self.wanted.is_enough(self.counts[pair])

    def parts(self, pair: Pair) -> Iterator[tuple[int, int]]:
        """The games up to the next look."""
        first = int(self.counts[pair].sum())
        return spans(first, self.wanted.goal(first))

    def piece(self, pair: Pair, first: int, last: int) -> Json:
        mine, theirs = (self.decks[name] for name in pair)
        return self.players.piece(mine, [self.players.meeting(mine, theirs, first, last)])

    def add(self, pair: Pair, counts: Sequence[int]) -> None:
        self.counts[pair] = self.counts[pair] + counts
        self.counts[pair[::-1]] = self.counts[pair][::-1]

    @property
    def games(self) -> int:
        return sum(int(counts.sum()) for counts in self.counts.values()) // 2

    def share(self, name: str, other: str) -> Interval:
        return share_of(self.counts[name, other])

    def draws(self, name: str, other: str) -> float:
        counts = self.counts[name, other]
        return float(counts[DRAWN] / counts.sum())

    def field(self, name: str) -> Interval:
        """The share against all others, each of them as likely."""
        shares = [self.share(name, other) for other in self.decks if other != name]
        mean = float(np.mean([share.mean for share in shares]))
        reach = float(np.sqrt(np.sum([((one.high - one.low) / 2) ** 2 for one in shares]))) / len(shares)
        return Interval(mean, max(0.0, mean - reach), min(1.0, mean + reach))

    def mixes(self) -> Mixes:
        """The mixes in equilibrium of the matrices that the games allow for."""
        none = no_games()
        table = [[none if a == b else self.counts[a, b] for b in self.decks] for a in self.decks]
        won, drawn, lost = np.moveaxis(np.array(table), -1, 0)
        return sampled(won, drawn, lost, SAMPLES, int(seed_words(seed_from(self.players.seed))[0]))
