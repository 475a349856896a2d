"""What every game offers, in five parts: rules, notation, what is shown, setup and records, series.

A `Game` is its rules with all options settled. It is public and never changes, so that everybody may
have it, on any thread. What is secret is elsewhere: what players bring is a `Setup`, the table is a
record of the dtype `STATE`, and chance that is known beforehand is a `Chance`; a `Match` owns all three.
`docs/adding-a-game.md` tells what a new game must bring.
"""

import json
from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
import numpy.typing as npt

from coyote.games import options
from coyote.games.events import Event, Kinds
from coyote.games.options import Option, Value, Values
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.events import USUAL_CAPACITY, new_log, silent_log
from coyote.kernel.luck import REAL_CHANCE, left_over, misfits
from coyote.kernel.record import new
from coyote.kernel.rows import row_dtype
from coyote.kernel.seats import NONE
from coyote.kernel.tally import count_game
from coyote.text.refusals import Refusal as Refusal
from coyote.text.refusals import Refused

Record = Any  # a NumPy record: a state, a view or a log
Words64 = npt.NDArray[np.uint64]  # two words: a 128-bit seed
Json = dict[str, Any]


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


class Setup:
    """What is settled before a deal and is not everybody's business. Most games have nothing to settle."""

    def sealed(self) -> Json:
        """All of it, for a save and for the digest that a fair deal is committed to."""
        return {}

    @property
    def is_drawn(self) -> bool:
        """Whether nothing of it is left to chance any more."""
        return True

    def for_seat(self, seat: int) -> Json:
        """What that seat may be told."""
        return {}

    def names(self) -> list[str]:
        """What each seat brought, in a word; nothing where nothing is brought."""
        return []


NO_SETUP = Setup()


class Chance:
    """Chance after the deal: real, from the state's own key, or known, as a record tells it."""

    def __init__(self, luck: npt.NDArray[np.int16] = REAL_CHANCE) -> None:
        self.luck = luck

    def copy(self) -> "Chance":
        return self if self.luck is REAL_CHANCE else Chance(self.luck.copy())

    def check(self, rule: str, over: bool) -> None:
        """RecordError where a record's chance is not what the rules asked for, and no more is said."""
        if misfits(self.luck):
            raise RecordError("record.chance", rule)
        if over and left_over(self.luck):
            raise RecordError("record.chance_left", rule)


# ---------------------------------------------------------------- the five parts


class Rules(ABC):
    """The rules, as the kernel has them."""

    STATE: ClassVar[np.dtype[Any]]
    EVENTS: ClassVar[int] = USUAL_CAPACITY  # that one choice may cause
    REASONS: ClassVar[tuple[str, ...]]  # why a game ends by the rules
    SIMULTANEOUS: ClassVar[bool] = False  # both seats choose at once
    REMEMBERED: ClassVar[int] = 0  # the other's last decisions that a bot is told; none that was sealed

    @abstractmethod
    def deal(self, setup: Setup, seed: Words64, log: Record | None = None) -> Record:
        """A new game; all its chance follows from the seed."""

    @abstractmethod
    def actors(self, s: Record) -> int:
        """Bit mask of the seats that owe a choice; 0 when the game is over."""

    @abstractmethod
    def legal(self, s: Record, seat: int) -> list[int]:
        """The seat's legal actions; none where it owes no choice."""

    @abstractmethod
    def act(self, s: Record, seat: int, action: int, log: Record, chance: Chance) -> None:
        """Make a choice that is legal."""

    @abstractmethod
    def view(self, s: Record, seat: int) -> Record:
        """What the seat may know; seat -1 is a bystander."""

    @abstractmethod
    def imagine(self, v: Record, seat: int, seed: Words64) -> Record:
        """A state that the seat cannot tell from the real one."""

    @abstractmethod
    def result(self, s: Record) -> Result | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def score(self, s: Record) -> Any:
        """The score as records have it, also while the game goes on."""

    def turn(self, s: Record) -> int:
        return int(s["turn"])

    def sealed(self, s: Record) -> dict[int, int]:
        """By seat, the choices that were made and wait for another seat's."""
        return {}

    def unseal(self, s: Record, seat: int) -> None:
        """Take a sealed choice back."""
        raise ValueError("nothing is sealed in this game")


class Notation(ABC):
    """Moves and situations as text, both ways."""

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
    def position(self, s: Record) -> str:
        """The state in one line of text, which begins with the game's name."""

    @classmethod
    @abstractmethod
    def at_position(cls, text: str) -> "tuple[Game, Setup, Record]":
        """The game, setup and state of a line of text; raises PositionError with every reason."""


class Shown(ABC):
    """What people and programs are shown, and may be."""

    KINDS: ClassVar[Kinds]  # of events
    WANTED: ClassVar[Mapping[str, str]]  # the kinds of choices, each with its rule
    TRACE_RULES: ClassVar[Mapping[str, str]]  # the rule behind each part of a trace

    def wanted(self, s: Record) -> str:
        """What kind of choice is to be made now, as far as everybody knows: here, the only one there is."""
        return next(iter(self.WANTED))

    @abstractmethod
    def open_json(self, v: Record) -> Json:
        """What everybody may know: the same from anybody's view."""

    @abstractmethod
    def own_json(self, v: Record, seat: int) -> Json:
        """What the seat knows besides; a bystander knows nothing more."""

    def view_json(self, v: Record, seat: int) -> Json:
        """A view for programs and drawing: everything in it may be shown or told to the seat."""
        return {**self.open_json(v), **self.own_json(v, seat)}

    def open_text(self, v: Record) -> str:
        """What `open_json` tells, written; a game may have a quicker way to it."""
        return msgspec.json.encode(self.open_json(v)).decode()

    def own_text(self, v: Record, seat: int) -> str:
        return msgspec.json.encode(self.own_json(v, seat)).decode()

    @abstractmethod
    def read_view(self, shown: Json, seat: int) -> Record:
        """The view that this is the JSON of; for what is none, whatever Python says of wrong data:
        LookupError, TypeError, ValueError or OverflowError."""

    @abstractmethod
    def hands(self, s: Record) -> list[list[str]]:
        """Both hands by names: for when the game is over, or for who may see all."""

    @abstractmethod
    def event(self, row: Sequence[int], viewer: int | None) -> Event:
        """A row of the log as a seat may know it; None sees all."""

    def event_rule(self, event: Event) -> str:
        """The rule by which it happened."""
        return self.KINDS.rule_of(event)

    def end_rule(self, result: Result) -> str:
        """The rule behind an end."""
        return self.KINDS.end_rule(result.reason)

    @abstractmethod
    def situation(self, s: Record, seat: int, legal: list[str]) -> Json:
        """An entry of a record's trace; `legal` are the seat's moves, sorted."""

    def trace_rule(self, key: str, situation: Json) -> str:
        """The rule behind a part of the trace, to be named where a record has it wrong."""
        return self.TRACE_RULES.get(key, "")

    def title(self, card_id: str, lang: str) -> str:
        """The name of a card, where cards have names of their own."""
        return card_id

    def told(self, events: Sequence[Event]) -> Iterable[Event]:
        """The same events with what else their sentences say."""
        return events


class Kept(ABC):
    """What is settled before a deal, and what files say of it."""

    DEAL_KEYS: ClassVar[tuple[str, ...]]  # what `record_deal` adds to a record
    DEAL_RULE: ClassVar[str]
    CHANCE_RULE: ClassVar[str] = ""  # the rule behind chance after the deal
    NEEDS_DECKS: ClassVar[bool] = False
    DRAWS_LOT: ClassVar[bool] = True  # whether it matters who sits in seat 0

    def settle(self, wanted: Sequence[Any] = (), dice: Random | None = None) -> Setup:
        """What the seats bring; OptionError tells what is wrong. `wanted` is by seat, None is the usual.

        With dice, what is left to chance is drawn at once; without, anew for each deal.
        """
        if any(wanted):
            raise OptionError("fault.no_decks", name=self.name)  # type: ignore[attr-defined]
        return NO_SETUP

    def samples(self) -> list[Setup]:
        """Setups to measure with, one after the other."""
        return [self.settle()]

    def read_setup(self, sealed: Json) -> Setup:
        """The setup whose `sealed` this is."""
        return NO_SETUP

    def brought(self, v: Record, seat: int) -> Json:
        """What a seat knows of its own part of the setup, from its view."""
        return {}

    def public(self) -> Json:
        """What besides the options makes this game; everybody may know it."""
        return {}

    @classmethod
    def from_public(cls, given: Json, public: Json, rules: int | None = None) -> Self:
        return cls(rules=rules, **cls.known(given))  # type: ignore[call-arg,attr-defined]

    @classmethod
    @abstractmethod
    def from_record(cls, record: Json) -> "tuple[Game, Setup, Chance]":
        """The game that a record was played in; raises RecordError or OptionError."""

    @classmethod
    def altered(cls, record: Json, given: Json, public: Json) -> Json:
        """A record of the same deal under other options, and where `public` says so with other cards.

        RecordError where the deal has no place for them. The seed would deal otherwise, so it goes.
        """
        kept = {key: value for key, value in record.items() if key not in ("seed", "trace", "fair")}
        return {**kept, "options": {**record["options"], **given}}

    @abstractmethod
    def record_deal(self, s: Record) -> Json:
        """What a record says of a fresh deal."""

    @abstractmethod
    def read_deal(self, record: Json, setup: Setup, chance: Chance, log: Record) -> Record:
        """The fresh deal that a record describes; raises RecordError."""

    def record_chance(self, rows: list[list[int]]) -> Json:
        """What a record says of chance after the deal, from all that happened."""
        return {}


class Series(ABC):
    """Many games in one compiled loop, and counting."""

    SOURCES: ClassVar[tuple[str, ...]] = ()  # what points are for
    TALLY: ClassVar[np.dtype[Any]]
    MOVE_KINDS: ClassVar[tuple[str, ...]] = ("move",)
    KIND_OF: ClassVar[npt.NDArray[np.int8]] = np.zeros(1, np.int8)  # by action, its place in MOVE_KINDS
    ROW: ClassVar[np.dtype[Any]] = np.dtype([])  # one finished game (`kernel.rows`); follows from the others

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.ROW = row_dtype(cls.SOURCES, cls.MOVE_KINDS)  # type: ignore[no-untyped-call]

    @abstractmethod
    def random_games(self, setup: Setup, source: Words64, first: int, n: int, points: bool = True) -> Record:
        """Games first, first + 1, … of a series by uniform random play, counted in a tally record.

        Runs without Python's lock, so several threads may share a series. Without `points` nothing
        is noted of where points came from, which is quicker.
        """

    def count_points(self, log: Record, tally: Record) -> None:  # noqa: B027 - most games have none
        """Add to a tally what the points in a log were for."""

    def lead(self, s: Record) -> int:
        """How far seat 0 is ahead, below 0 where seat 1 is; here the score has a number for each seat."""
        mine, yours = self.score(s)  # type: ignore[attr-defined]
        return int(mine - yours)

    def count_log(self, s: Record, log: Record, row: Record) -> None:
        """Add to a row what a log tells of: what points were for, and cards drawn and played."""
        self.count_points(log, row)


class Unchanging(ABCMeta):
    """Once it is made, nothing of it can be set any more."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        made.__dict__["_made"] = True
        return made


class Game(Rules, Notation, Shown, Kept, Series, metaclass=Unchanging):
    """A game with its options settled."""

    name: ClassVar[str]
    LETTER: ClassVar[str]  # that its rules' numbers begin with
    RULES: ClassVar[tuple[int, ...]] = (1,)  # the versions that can be played, the newest last
    OPTIONS: ClassVar[tuple[Option, ...]] = ()
    EDITIONS: ClassVar[Mapping[str, Values]] = {"": {}}  # a game without editions has one without a name

    def __init__(self, *, rules: int | None = None, **given: Any) -> None:
        self.rules_version = self.RULES[-1] if rules is None else rules
        if self.rules_version not in self.RULES:
            raise OptionError("option.rules", found=str(rules)[:20], known=", ".join(map(str, self.RULES)))
        self.edition, self.values, refusals = options.settle(
            self.OPTIONS, self.EDITIONS, given, self.contradictions
        )
        if refusals:
            raise OptionError(refusals)
        self.differences = {
            name: v for name, v in self.values.items() if self.EDITIONS[self.edition][name] != v
        }
        self.options: Json = {**({"edition": self.edition} if self.edition else {}), **self.differences}
        self.row = options.make_row(self.OPTIONS, self.values, self.rules_version)

    def __setattr__(self, name: str, value: Any) -> None:
        if "_made" in self.__dict__:
            raise AttributeError(f"a game never changes; make another one with another {name}")
        super().__setattr__(name, value)

    @classmethod
    def contradictions(cls, values: Mapping[str, Value]) -> list[Refusal]:
        """Why these options cannot stand together."""
        return []

    @classmethod
    def known(cls, given: Json) -> Json:
        """Options from elsewhere; OptionError for a name that is none, even if it is an argument's."""
        names = [*(["edition"] if "" not in cls.EDITIONS else []), *(option.name for option in cls.OPTIONS)]
        if any(name not in names for name in given):
            raise OptionError(options.settle(cls.OPTIONS, cls.EDITIONS, given, cls.contradictions)[-1])
        return given

    # ------------------------------------------------------------ as most games have it

    def event(self, row: Sequence[int], viewer: int | None) -> Event:
        return self.KINDS.event(row, viewer, {"reason": self.REASONS.__getitem__})

    @classmethod
    def from_record(cls, record: Json) -> "tuple[Game, Setup, Chance]":
        return cls.from_public(record["options"], {}, record.get("rules", 1)), NO_SETUP, Chance()

    def random_games(self, setup: Setup, source: Words64, first: int, n: int, points: bool = True) -> Record:
        """In Python; where many games are played, a compiled loop is worth writing."""
        tally, seed, dice = new(self.TALLY), np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        log = new_log(self.EVENTS) if points else silent_log(self.EVENTS)
        for number in range(first, first + n):
            game_words(source, number, seed, dice)
            s = self._random_game(setup, seed, dice, log, tally)
            result = self.result(s)
            assert result is not None
            winner = NONE if result.winner is None else result.winner
            count_game(tally, winner, self.REASONS.index(result.reason), self.turn(s))
        return tally

    def _random_game(self, setup: Setup, seed: Words64, dice: Words64, log: Record, tally: Record) -> Record:
        """One game to its end: every choice evenly from the full list of legal moves."""
        s = self.deal(setup, seed, log)
        while self.actors(s):
            for seat in range(2):
                if legal := self.legal(s, seat):
                    choice = legal[int(roll(dice, np.int64(seat), len(legal)))]
                    self.act(s, seat, choice, log, Chance())
                    tally.decisions += 1
            self.count_points(log, tally)
            log.n = 0
        return s

    # ------------------------------------------------------------ which game this is

    @cached_property
    def key(self) -> str:
        """Two games with one key are the same game."""
        return json.dumps([self.name, self.rules_version, self.options, self.public_key()], sort_keys=True)

    def public_key(self) -> str:
        """What tells this game from others besides its options: a digest of `public`."""
        return ""

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Game) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)
