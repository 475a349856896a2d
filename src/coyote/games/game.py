"""What every game offers. `Match` and the commands know games only through this."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from coyote.kernel.events import ROOM
from coyote.text.refusals import Refusal as Refusal
from coyote.text.refusals import Refused

Record = Any  # a NumPy record: a state, a view or a log
Words64 = npt.NDArray[np.uint64]  # two words: a 128-bit seed
Json = dict[str, Any]


@dataclass(frozen=True)
class Event:
    """Something that happened, as one seat may know it. A hidden value is None."""

    kind: str
    seat: int | None
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The kind, and what for: `point.boss`, `end.lead`."""
        chosen = [self.values[slot] for slot in ("source", "reason") if slot in self.values]
        return ".".join([self.kind, *map(str, chosen)])

    def as_json(self) -> Json:
        return {"kind": self.kind, "seat": self.seat, **self.values}


@dataclass(frozen=True)
class Result:
    """How a game ended: the winner (None: a draw), why, and the score as records have it."""

    winner: int | None
    reason: str
    score: Any

    def as_json(self) -> Json:
        return {"winner": self.winner, "reason": self.reason, "score": self.score}


class OptionError(Refused):
    """An option that the game does not have, or not with this value."""


class PositionError(Refused):
    """A position that cannot be."""


class RecordError(Refused):
    """A record that says what cannot be."""


class Game(ABC):
    """A game with its options settled. States and views are records of the dtype `STATE`."""

    name: ClassVar[str]
    rules_version: ClassVar[int]
    STATE: ClassVar[np.dtype[Any]]
    DEAL_KEYS: ClassVar[tuple[str, ...]]  # what `record_deal` adds to a record
    DEAL_RULE: ClassVar[str]
    ROOM: ClassVar[int] = ROOM  # events that one choice may cause
    REASONS: ClassVar[tuple[str, ...]]  # why a game ends by the rules
    SOURCES: ClassVar[tuple[str, ...]]  # what points are for
    OPTIONS: ClassVar[tuple[str, ...]]  # what `options` may set
    options: Json

    # The rules, as the kernel has them.

    @abstractmethod
    def deal(self, seed: Words64, log: Record | None = None) -> Record:
        """A new game; all its chance follows from the seed."""

    @abstractmethod
    def actors(self, s: Record) -> int:
        """Bit mask of the seats that owe a choice; 0 when the game is over."""

    @abstractmethod
    def legal(self, s: Record, seat: int) -> list[int]:
        """The seat's legal actions; none where it owes no choice."""

    @abstractmethod
    def act(self, s: Record, seat: int, action: int, log: Record) -> None:
        """Make a choice that is legal."""

    @abstractmethod
    def view(self, s: Record, seat: int) -> Record:
        """What the seat may know; seat -1 is a bystander."""

    @abstractmethod
    def imagine(self, v: Record, seat: int, seed: Words64) -> Record:
        """A state that the seat cannot tell from the real one."""

    def sealed(self, s: Record) -> bool:
        """Whether a choice has been made that waits for another seat's."""
        return False

    @abstractmethod
    def result(self, s: Record) -> Result | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def random_games(self, source: Words64, first: int, n: int, points: bool = True) -> Record:
        """Games first, first + 1, … of a series by uniform random play, counted in a tally record.

        Runs without Python's lock, so several threads may share a series. Without `points` nothing
        is noted of where points came from, which is quicker.
        """

    @abstractmethod
    def score(self, s: Record) -> Any:
        """The score as records have it, also while the game goes on."""

    # Their words and numbers for people and files.

    @abstractmethod
    def move_text(self, action: int) -> str:
        """The move in notation."""

    @abstractmethod
    def read_move(self, text: str) -> int | None:
        """The action of a move in notation, or None where the text is no move of this game."""

    @abstractmethod
    def why_not(self, v: Record, seat: int, text: str) -> Refusal:
        """Why the seat may not make this move. Takes a view, so it cannot tell a secret."""

    @abstractmethod
    def event(self, row: Any, viewer: int | None) -> Event:
        """A row of the log as a seat may know it; None sees all."""

    @abstractmethod
    def wanted(self, s: Record) -> str:
        """What kind of choice is to be made now, as far as everybody knows."""

    @abstractmethod
    def event_rule(self, event: Event) -> str:
        """The rule by which it happened."""

    @abstractmethod
    def situation(self, s: Record, seat: int, legal: list[str]) -> Json:
        """An entry of a record's trace; `legal` are the seat's moves, sorted."""

    def sight(self, v: Record, seat: int) -> Json:
        """A view for programs and drawing: everything in it may be shown or told to the seat."""
        return {**self.open_sight(v), **self.own_sight(v, seat)}

    @abstractmethod
    def open_sight(self, v: Record) -> Json:
        """What everybody may know: the same from anybody's view."""

    @abstractmethod
    def own_sight(self, v: Record, seat: int) -> Json:
        """What the seat knows besides; a bystander knows nothing more."""

    @abstractmethod
    def view_from_sight(self, shown: Json, seat: int) -> Record:
        """The view whose sight this is, byte for byte."""

    @abstractmethod
    def position(self, s: Record) -> str:
        """The state in one line of text."""

    @classmethod
    @abstractmethod
    def at_position(cls, text: str) -> "tuple[Game, Record]":
        """The game and the state of a line of text; raises PositionError with every reason."""

    @abstractmethod
    def trace_rule(self, key: str, situation: Json) -> str:
        """The rule behind a part of the trace, to be named where a record has it wrong."""

    @abstractmethod
    def end_rule(self, result: Result) -> str:
        """The rule behind an end."""

    def title(self, card_id: str, lang: str) -> str:
        """The name of a card, where cards have names of their own."""
        return card_id

    def setup(self) -> Json:
        """What besides the options makes this game, for a saved match."""
        return {}

    @classmethod
    def known(cls, options: Json) -> Json:
        """Options from elsewhere; OptionError for a name that is none, even if it is an argument's."""
        if unknown := [name for name in options if name not in cls.OPTIONS]:
            raise OptionError("option.unknown", name=min(unknown), known=", ".join(cls.OPTIONS))
        return options

    @classmethod
    def from_setup(cls, options: Json, setup: Json) -> "Game":
        return cls(**cls.known(options))

    @abstractmethod
    def record_deal(self, s: Record) -> Json:
        """What a record says of a fresh deal."""

    def record_chance(self, rows: list[list[int]]) -> Json:
        """What a record says of chance after the deal, from all that happened."""
        return {}

    @classmethod
    def from_record(cls, record: Json) -> "Game":
        """The game that a record was played in; raises RecordError or OptionError."""
        return cls(**cls.known(record["options"]))

    @abstractmethod
    def read_deal(self, record: Json, log: Record | None = None) -> Record:
        """The fresh deal that a record describes; raises RecordError."""

    def fresh(self) -> "Game":
        """The same game with real chance."""
        return self

    def branch(self) -> "Game":
        """The same game for a match that goes on separately."""
        return self

    def check_chance(self, over: bool) -> None:
        """RecordError where a record's chance is not what the rules asked for."""
        return None
