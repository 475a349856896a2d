"""What a game's analyst tells of one decision, and who that is for each game."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from coyote.analysis.values import Values
from coyote.games.game import Json
from coyote.match import Match

Said = tuple[str, dict[str, Any]]  # a key of the words, and what to fill in


@dataclass(frozen=True)
class Judged:
    """What the moves of one decision are worth to whoever decides."""

    known: Values | None = None  # by what the seat could know; None where there was nothing to decide
    real: Values | None = None  # by what was
    mixture: Mapping[int, float] = field(default_factory=dict)  # where a good player mixes choices
    habit: Values | None = None  # against how the other has played so far, where that can be told


class Analyst(ABC):
    """Looks at the decisions of one record, in one thread."""

    @abstractmethod
    def __init__(self, record: Json, simulations: int) -> None: ...

    @property
    @abstractmethod
    def match(self) -> Match:
        """The record, dealt and not yet played; the game is as wide as its players knew it."""

    @abstractmethod
    def judge(self, match: Match, number: int, seat: int, made: int) -> Judged:
        """Before move `number` is made."""

    @abstractmethod
    def rule(self, move: str) -> str:
        """The rule that a move is made by."""

    @abstractmethod
    def fault(self, match: Match, seat: int, made: str, best: str) -> tuple[Said, str]:
        """What is wrong with a move beside the best one, in a clause, and the rule behind that."""

    @abstractmethod
    def hidden(self, match: Match, seat: int, number: int) -> Json:
        """What the other hand could hold, from what the seat could know."""

    def habit(self, seat: int) -> Json:
        """What a seat was used to choose, over the game, and what a good player would have; {} where nobody
        can tell."""
        return {}


def madness_analyst(record: Json, simulations: int) -> Analyst:
    from coyote.analysis.madness.analyst import MadnessAnalyst

    return MadnessAnalyst(record, simulations)


def duel_analyst(record: Json, simulations: int) -> Analyst:
    from coyote.analysis.duel.analyst import DuelAnalyst

    return DuelAnalyst(record, simulations)


ANALYSTS: dict[str, Callable[[Json, int], Analyst]] = {"madness": madness_analyst, "duel": duel_analyst}
