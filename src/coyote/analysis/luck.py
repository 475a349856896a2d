"""Luck: what chance did in a game that is over, told apart from what the players decided.

luck of the deal + luck of all that came later + decisions of seat 0 + decisions of seat 1 + rest = result

`rest` is what a game is worth to seat 0 before it is dealt. Everything is in chances to win, from 0 to 1, and
seen from seat 0. However well or badly it is judged how a game stands: luck is nothing on average, because it
is compared with the mean over all that chance might have done. So a result less its luck has the same mean
as the result, and less of the noise.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from coyote.bots.minds import per_thread
from coyote.games.game import Game, Json
from coyote.match import Match
from coyote.records import follow
from coyote.text import Refused


@dataclass(frozen=True)
class Moment:
    """How a game stood for seat 0: before a choice, after it, and after what chance did then."""

    before: float
    decided: float
    after: float

    @property
    def luck(self) -> float:
        return self.after - self.decided


@dataclass(frozen=True)
class Luck:
    """One game, seen from seat 0."""

    deal: float
    later: float  # draws and all else that chance did after the deal
    decisions: tuple[float, float]  # by seat
    rest: float
    result: float
    error: float = 0.0  # the standard error of the luck, where it was sampled
    moments: Sequence[Moment] = ()

    @property
    def total(self) -> float:
        return self.deal + self.later

    def as_json(self) -> Json:
        return {
            "deal": self.deal,
            "later": self.later,
            "decisions": list(self.decisions),
            "rest": self.rest,
            "result": self.result,
            "error": self.error,
        }


class Fate(ABC):
    """Who tells the luck of the games of one game, in one thread."""

    EXACT: bool

    @abstractmethod
    def __init__(self, game: Game) -> None: ...

    @abstractmethod
    def of(self, match: Match) -> Luck:
        """The luck of a match that was dealt, and played on from there."""


def madness_fate(game: Game) -> Fate:
    from coyote.analysis.madness.fate import MadnessFate

    return MadnessFate(game)


def duel_fate(game: Game) -> Fate:
    from coyote.analysis.duel.fate import DuelFate

    return DuelFate(game)


FATES: dict[str, Callable[[Game], Fate]] = {"madness": madness_fate, "duel": duel_fate}
MOST_FATES = 16

_fates: Callable[[], dict[Any, Fate]] = per_thread(dict)


def luck_of(match: Match) -> Luck:
    return fate_of(match.game).of(match)


def luck_of_record(record: Json) -> float:
    """What chance did for seat 0 in a game that is over, in chances to win: its result less this is as high
    on average, and less of it is noise. Refused, or Difference, where the record is none of the rules'."""
    return luck_of(follow(record)).total


def fate_of(game: Game) -> Fate:
    """In this thread; Refused where the game has nobody who tells it."""
    if game.name not in FATES:
        raise Refused("analysis.no_luck", game=game.name)
    found = _fates()
    if game not in found:
        if len(found) >= MOST_FATES:
            found.clear()
        found[game] = FATES[game.name](game)
    return found[game]
