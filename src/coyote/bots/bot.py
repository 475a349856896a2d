"""What every player is: somebody who is asked a question and gives an answer.

A bot never sees a state. Its answer follows from its seed, the question and its budget alone, so the
same question asked twice gets the same answer, as long as the budget is counted in simulations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from coyote.games.game import Event, Record
from coyote.text import Refused


@dataclass(frozen=True)
class Budget:
    """How long a bot may think: until either limit is reached; None is no limit.

    >>> Budget(simulations=2000), Budget(seconds=0.1)
    (Budget(simulations=2000, seconds=None), Budget(simulations=None, seconds=0.1))
    """

    simulations: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        """As the names of bots have it: `2000`, `100ms`."""
        return f"{round(self.seconds * 1000)}ms" if self.seconds is not None else str(self.simulations)


@dataclass(frozen=True)
class Question:
    """All that a bot is told."""

    view: Record  # what its seat may know
    seat: int
    legal: Sequence[int]  # its legal actions, never empty
    events: Sequence[Event] = ()  # what its seat saw since it was asked last
    budget: Budget = field(default_factory=Budget)  # what whoever asks allows


@dataclass(frozen=True)
class Thought:
    """What a bot thinks of one move."""

    action: int
    chance: float | None  # of winning with it, a draw counted half; None where it was not examined
    examined: int  # in how many simulations


@dataclass(frozen=True)
class Answer:
    action: int
    thoughts: Sequence[Thought] = ()  # one for each legal move, or none at all


class Bot(Protocol):
    """A player in one seat of one game."""

    name: str

    def answer(self, question: Question) -> Answer:
        """One of the legal actions, and what the bot thinks of each."""

    def close(self) -> None:
        """The game is over: give back what was taken."""


class BotFailure(Refused):
    """A bot that does not play on: it crashed, answered nonsense or was late. Its game is lost.

    One that is late (`bot.late`) ends its game as a timeout.
    """
