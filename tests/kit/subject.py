"""A game as the conformance suite sees it, and games of it: any house rules, any choices.

What a `Subject` does not say is asked of every game in the same way.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, ClassVar

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from coyote.games.events import Event
from coyote.games.game import Chance, Game, Json, OptionError, Record, Setup
from coyote.kernel.events import LogFull, blank, new_log, take_rows
from coyote.match import Match
from coyote.seeds import seed_from, seed_words

SEATS = (0, 1, -1)
Player = Callable[[Game, Record, int, list[int]], int]  # who chooses one of the legal actions of a seat
Table = tuple[Game, Setup]


class Subject:
    """What the suite has to know of one game."""

    kind: ClassVar[type[Game]]
    most_decisions: ClassVar[int] = 600  # no game comes near it
    secret_slots: ClassVar[Mapping[tuple[str, str], str]] = {}  # of events: `owner` or `nobody` may know it
    buried: ClassVar[tuple[str, ...]] = ()  # events after which something seen before is out of sight again
    nonsense: ClassVar[tuple[str, ...]] = ("", "castle", "  ", "7")  # that no move of the game is
    trace_keys: ClassVar[tuple[str, ...]]
    free_text: ClassVar[tuple[str, ...]] = ("players",)  # places of a record where any text may stand
    vectors: ClassVar[Mapping[str, int]] = {}  # files of traced games, and how many games they have
    slow_games: ClassVar[int] = 0  # that the slow reading plays, apart from the laws
    slow_least: ClassVar[Mapping[str, int]] = {}  # what has to happen in a quarter of them, and how often

    @property
    def name(self) -> str:
        return self.kind.name

    def table(self, dice: Random, rules: int | None = None, **given: Any) -> Table:
        """A game with these options, and what the seats bring; OptionError where that cannot be."""
        game = self.kind(rules=rules, **given)
        return game, game.settle()

    def player(self, dice: Random) -> Player:
        """Somebody who plays on, in some style."""
        return lambda game, s, seat, legal: dice.choice(legal)

    def actions(self, game: Game) -> Sequence[int]:
        """Every move that there is."""
        raise NotImplementedError

    def check(self, game: Game, s: Record) -> None:
        """No card is lost or there twice, and all numbers fit each other."""
        raise NotImplementedError

    def check_step(self, game: Game, before: Record, after: Record) -> None:
        """What every choice does, if there is such a thing."""

    def check_hidden(self, game: Game, s: Record, v: Record, seat: int) -> None:
        """What the seat may not know is blank in its view."""
        raise NotImplementedError

    def check_imagined(self, game: Game, s: Record) -> None:
        """What else is true of an imagined table."""

    def check_deal(self, record: Json) -> None:
        """What a record says of the deal has the form of the format."""

    def check_situation(self, entry: Json) -> None:
        """An entry of a trace has the form of the format."""

    def secrets(self, game: Game, s: Record, seat: int) -> list[Any]:
        """Lists and numbers that nobody in that seat may find anywhere."""
        raise NotImplementedError

    def points(self, game: Game, events: Sequence[Event]) -> dict[str, list[int]]:
        """What `simulate` counts, from what happened."""
        return {}

    def good_record(self) -> Json:
        """A traced game in which much happens, and somebody wins."""
        for number in range(1000):
            match = play_match(self, *self.table(Random(number)), number)
            if match.result and match.result.winner is not None:
                return match.record()
        raise AssertionError("nobody ever wins")

    def at_position(self, game: Game, line: str) -> tuple[Game, Setup, Record]:
        """A line of text as a table of the same cards."""
        return type(game).at_position(line)

    def not_told(self, s: Record) -> Record:
        """The table without what a position does not tell: where chance comes from."""
        twin = copy_state(s)
        twin.key[:] = 0
        twin.counter = 0
        return twin

    def known_chance(self, game: Game, rows: list[list[int]]) -> Chance:
        """Chance that will decide as it did here."""
        return Chance()

    def slow_reading(self, play: "Play") -> None:
        """Compare with a second reading of the rules, where there is one."""

    def slow_series(self, number: int) -> Counter[str]:
        """One game by both readings; what happened in it, counted."""
        raise NotImplementedError

    def follow_slowly(self, record: Json) -> None:
        """A traced game by the slow reading."""
        raise NotImplementedError

    def series(self) -> list[Table]:
        """Games to be counted in the loop of many games."""
        return [(game, game.settle()) for game in each_edition(self.kind)]


def each_edition(kind: type[Game]) -> list[Game]:
    return [kind() if not name else kind(edition=name) for name in kind.EDITIONS]


# ---------------------------------------------------------------- one game, played


@dataclass
class Step:
    """One choice: the table before it, what was chosen, the table and the rows after it."""

    before: Record
    seat: int
    legal: list[int]
    action: int
    after: Record
    rows: list[list[int]]


@dataclass
class Play:
    """A whole game: choices by numbers, and when they are used up by somebody's style."""

    subject: Subject
    game: Game
    setup: Setup
    number: int  # that deal and style follow from
    picks: Sequence[int] = ()

    @cached_property
    def seed(self) -> str:
        return seed_from(f"play {self.number}")

    @property
    def words(self) -> Any:
        return seed_words(self.seed)

    def other_words(self, *what: Any) -> Any:
        """Chance for something else."""
        return seed_words(seed_from(f"{self.number} {what}"))

    def deal(self) -> Record:
        return self.game.deal(self.setup, self.words)

    @cached_property
    def steps(self) -> list[Step]:
        return list(self._steps())

    def _steps(self) -> Iterator[Step]:
        dice, s, number = Random(f"style {self.number}"), self.deal(), 0
        player = self.subject.player(dice)
        while mask := self.game.actors(s):
            seat = dice.choice([seat for seat in range(2) if mask >> seat & 1])
            legal = self.game.legal(s, seat)
            if number < len(self.picks):
                action = legal[self.picks[number] % len(legal)]
            else:
                action = player(self.game, s, seat, legal)
            before, number = copy_state(s), number + 1
            rows = act(self.game, s, seat, action, Chance())
            yield Step(before, seat, legal, action, copy_state(s), rows)
            assert number < self.subject.most_decisions, "the game does not end"

    @property
    def turns(self) -> list[list[Step]]:
        """Choices that were settled together."""
        found: list[list[Step]] = []
        for step in self.steps:
            if self.game.sealed(step.before):
                found[-1].append(step)
            else:
                found.append([step])
        return found

    @property
    def states(self) -> list[Record]:
        return [self.deal(), *(step.after for step in self.steps)]

    @property
    def end(self) -> Record:
        return self.steps[-1].after

    def match(self, trace: bool = False) -> Match:
        """The same game, not played yet."""
        match = Match(self.game, self.setup, seed=self.seed, players=["a", "b"])
        if trace:
            match.trace()
        return match

    def played_match(self, trace: bool = True) -> Match:
        match = self.match(trace)
        for step in self.steps:
            match.play(self.game.move_text(step.action), step.seat)
        return match

    def __repr__(self) -> str:
        """What a failing example is told as: all that is needed to play it again."""
        return f"{self.game!r} {self.game.key} {self.number} {list(self.picks)}"


def act(game: Game, s: Record, seat: int, action: int, chance: Chance) -> list[list[int]]:
    """What happened, done as often as it takes to have noted everything."""
    rows: list[list[int]] = []
    while True:
        log = blank(new_log(game.EVENTS), len(rows))
        try:
            game.act(s, seat, action, log, chance)
        except LogFull:
            rows += take_rows(log)
        else:
            return rows + take_rows(log)


def play_match(subject: Subject, game: Game, setup: Setup, number: int, trace: bool = True) -> Match:
    return Play(subject, game, setup, number).played_match(trace)


def copy_state(s: Record) -> Record:
    """The same table, every byte of it, to be changed separately."""
    twin = np.zeros(1, s.dtype)
    twin[0] = s
    return twin[0]


def state_bytes(s: Record) -> bytes:
    """Every field of a record; what the compiler puts between fields is nobody's business."""
    return b"".join(np.asarray(s[name]).tobytes() for name in s.dtype.names)


# ---------------------------------------------------------------- what Hypothesis draws


def is_possible(kind: type[Game], given: Json) -> bool:
    try:
        kind(**given)
    except OptionError:
        return False
    return True


def variants(kind: type[Game], most: int = 5) -> st.SearchStrategy[Json]:
    """Any edition with some house rules within their bounds (M25, D26)."""
    options = st.lists(st.sampled_from(kind.OPTIONS), max_size=most, unique_by=lambda option: option.name)
    changed = options.flatmap(
        lambda chosen: st.fixed_dictionaries(
            {option.name: st.sampled_from(list(option.allowed)) for option in chosen}
        )
    )
    edition = st.sampled_from([{"edition": name} if name else {} for name in kind.EDITIONS])
    return st.builds(lambda *parts: {**parts[0], **parts[1]}, edition, changed).filter(
        lambda given: is_possible(kind, given)
    )


@st.composite
def plays(draw: st.DrawFn, subject: Subject) -> Play:
    """Any game of any variant, by any version of the rules that can be followed."""
    kind = subject.kind
    given = draw(variants(kind))
    rules = draw(st.sampled_from(kind.RULES[::-1]))
    number = draw(st.integers(0, 2**32))
    try:
        game, setup = subject.table(Random(number), rules, **given)
    except OptionError:  # no such deck is to be had from these cards
        reject()
    return Play(subject, game, setup, number, draw(st.lists(st.integers(0, 10_000), max_size=100)))
