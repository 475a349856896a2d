"""Chance as OpenSpiel asks for it: one question after the other, each with its outcomes.

The rules draw cards when they need them and ask nobody. So a `Dealer` makes a choice as often as it takes:
where the rules need more of chance than is decided, the question is open, and nothing has happened yet.
`Sampled` asks only for the number of the deal, from which all else follows, as in every series of games.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from coyote.games.game import Chance, Game, Json, Record, Setup
from coyote.kernel.chance import game_words
from coyote.kernel.events import take_rows
from coyote.kernel.record import over
from coyote.match import LOGS, noted
from coyote.seeds import seed_from, seed_words

Rows = list[list[int]]  # what happened, as the kernel notes it
Choices = tuple[tuple[int, int], ...]  # seat and the game's own number of a move, in the order of the seats

DEALS = 1000  # in each of two questions: a million deals of a series


@dataclass(frozen=True)
class Settled:
    """The table after all that chance did, and what happened."""

    table: Record
    rows: Rows


@dataclass(frozen=True)
class Open:
    """What chance must decide next: outcomes, each with its probability."""

    outcomes: list[tuple[int, float]]


class Dealer(Protocol):
    """All three follow from their arguments alone. `decided` is how chance answered so far."""

    most_outcomes: int
    most_questions: int  # in one game

    def deal(self, decided: Sequence[int]) -> Settled | Open: ...

    def act(self, table: bytes, choices: Choices, decided: Sequence[int]) -> Settled | Open: ...

    def outcome_text(self, outcome: int) -> str: ...


class Part(ABC):
    """A game as its parameters make it, and what of it OpenSpiel must know beforehand."""

    PARAMETERS: ClassVar[Json]  # besides the options, each with what it is where it is not given
    STORY: ClassVar[tuple[str, ...]]  # the kinds of events that information states tell

    game: Game
    setup: Setup
    most_choices: int  # in one game, by both seats
    most_steps: int  # of a story

    @abstractmethod
    def __init__(self, options: Json, given: Json) -> None:
        """OptionError tells what is wrong with the options, or with the other parameters."""

    @abstractmethod
    def dealer(self) -> Dealer:
        """For chance that is asked card by card."""

    def opening(self, s: Record) -> Rows:
        """What the story of a deal begins with, where the rules note nothing of it."""
        return []


def table_from(game: Game, kept: bytes) -> Record:
    """A table to play on."""
    return over(bytearray(kept), game.STATE)


def evenly(outcomes: Sequence[int]) -> Open:
    return Open([(outcome, 1 / len(outcomes)) for outcome in outcomes])


NUMBERED = evenly(range(DEALS))


class Sampled:
    """Game number k of a series: first its thousands are asked for, then the rest."""

    most_outcomes = DEALS
    most_questions = 2

    def __init__(self, game: Game, setup: Setup, seed: int) -> None:
        self.game, self.setup = game, setup
        self.source = seed_words(seed_from(f"series {seed}"))

    def deal(self, decided: Sequence[int]) -> Settled | Open:
        if len(decided) < self.most_questions:
            return NUMBERED
        key, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        game_words(self.source, decided[0] * DEALS + decided[1], key, dice)
        log = LOGS.of(self.game.EVENTS)
        return Settled(self.game.deal(self.setup, key, log), take_rows(log))

    def act(self, table: bytes, choices: Choices, decided: Sequence[int]) -> Settled | Open:
        s, rows = table_from(self.game, table), Rows()
        for seat, action in choices:
            rows += noted(self.game, s, seat, action, Chance())
        return Settled(s, rows)

    def outcome_text(self, outcome: int) -> str:
        return f"deal {outcome}"
