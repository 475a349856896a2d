"""What every player is: somebody who is asked a question and gives an answer.

A bot never sees a state. Its answer follows from its seed, the question and its budget alone, so the
same question asked twice gets the same answer, as long as the budget is counted in simulations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from coyote.games.game import Json
from coyote.questions import Budget as Budget
from coyote.questions import Question
from coyote.text import Refused


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

    def close(self, result: Json | None = None) -> None:
        """The game is over, and how it ended where it did: give back what was taken."""


class BotFailure(Refused):
    """A bot that does not play on: it crashed, answered nonsense or was late. Its game is lost.

    One that is late (`bot.late`) ends its game as a timeout.
    """
