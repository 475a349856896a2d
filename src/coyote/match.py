"""`Match`: one game from the deal to the end, checked, with everything said in words.

This is the face that the rest of the program and other people's programs use. The kernel trusts
its caller; a match checks every move first and refuses with the reason.
"""

import threading
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from coyote.games.counting import Count
from coyote.games.events import Event
from coyote.games.game import Chance, Game, Json, Record, RecordError, Refusal, Result, Setup
from coyote.games.registry import GAMES, game_at, make_game
from coyote.kernel.events import LogFull, blank, new_log, silent_log, take_rows
from coyote.kernel.growing import Growing
from coyote.kernel.record import same
from coyote.kernel.seats import NONE, SPECTATOR
from coyote.questions import Budget, Page, Question
from coyote.seeds import new_seed, seed_from, seed_words
from coyote.text import Refused, Words

FORMAT = "coyote-record/1"
GUESSES = 8  # imagined tables on which a choice must look the same, if it shows its maker nothing


class Logs(threading.local):
    """Where the kernel notes what a choice causes until the match has taken it: one of each size a thread."""

    def __init__(self) -> None:
        self._found: dict[int, Record] = {}

    def of(self, capacity: int, first: int = 0) -> Record:
        """For the events from number `first` on."""
        if capacity not in self._found:
            self._found[capacity] = new_log(capacity)
        return blank(self._found[capacity], first)  # whoever used it last may have been stopped half-way


LOGS = Logs()


def noted(game: Game, state: Record, seat: int, action: int, chance: Chance) -> list[list[int]]:
    """Let the kernel make a choice, as often as it takes to have noted everything. What it noted."""
    rows: list[list[int]] = []
    while True:
        log = LOGS.of(game.EVENTS, len(rows))
        try:
            game.act(state, seat, action, log, chance)
        except LogFull:
            rows += take_rows(log)
        else:
            return rows + take_rows(log)


class IllegalMove(Refused):
    """A move that the rules do not allow; nothing has changed."""


class Match:
    """One game between two seats.

    >>> match = Match("madness", seed="friday", edition="standard", goal=7)
    >>> match.legal()[:3]
    ['a1 3C', 'a1 5H', 'a1 7C']
    >>> match.play("a2 7C")
    >>> match.play("a2 3C")
    Traceback (most recent call last):
    coyote.match.IllegalMove: the main action is done, now it is TUT: draw, drop or push (M15)
    """

    def __init__(
        self,
        game: str | Game = "madness",
        setup: Setup | None = None,
        *,
        seed: str | None = None,
        players: Sequence[str] = ("?", "?"),
        decks: Sequence[Any] = (),
        **options: Any,
    ) -> None:
        """Dealt anew. What the seats bring is a `setup`, or `decks` from which one is made."""
        settled = make_game(game, **options) if isinstance(game, str) else game
        brought = settled.settle(decks) if setup is None else setup
        digits = new_seed() if seed is None else seed_from(seed)
        log = LOGS.of(settled.EVENTS)
        state = settled.deal(brought, seed_words(digits), log)
        deal = settled.record_deal(state)
        self._take_up(settled, brought, Chance(), state, take_rows(log), digits, players, deal)

    @classmethod
    def from_position(cls, text: str) -> "Match":
        """A match that goes on from a position; PositionError tells every fault of the text."""
        game, setup, state = game_at(text)
        match = cls.__new__(cls)
        match._take_up(game, setup, Chance(), state, [], None, ("?", "?"), None)
        return match

    @classmethod
    def from_record(cls, record: Json) -> "Match":
        """A match dealt as a record says; its moves are not made yet."""
        game, setup, chance = GAMES[record["game"]].from_record(record)
        log = LOGS.of(game.EVENTS)
        state = game.read_deal(record, setup, chance, log)
        deal = {key: record[key] for key in game.DEAL_KEYS}
        match = cls.__new__(cls)
        match._take_up(
            game, setup, chance, state, take_rows(log), record.get("seed"), record["players"], deal
        )
        return match

    def _take_up(
        self,
        game: Game,
        setup: Setup,
        chance: Chance,
        state: Record,
        rows: list[list[int]],
        seed: str | None,
        players: Sequence[str],
        deal: Json | None,
    ) -> None:
        """Everything that a match is made of, however it begins."""
        self.game, self.setup, self.seed, self.players = game, setup, seed, list(players)
        self._chance, self._state, self._deal = chance, state, deal
        self.rows = Growing(rows)  # all that happened, as the kernel notes it
        self.moves: Growing[tuple[int, str]] = Growing()
        self._pages: list[deque[Page]] = [deque(maxlen=game.REMEMBERED) for _ in range(2)]  # by who decided
        self._traced: list[Json] | None = None
        self._counted: Count | None = None
        self._situations: dict[int, Json] = {}  # where moves are traced: before choices that are sealed
        self._changed()

    def _changed(self) -> None:
        """What is known of the situation, each once somebody has asked, until the next move."""
        self._actors: list[int] | None = None
        self._sealed: dict[int, int] | None = None
        self._legal: dict[int, list[int]] = {}
        self._open: str | None = None  # what everybody may know, written

    def copy(self) -> "Match":
        """The same match, to be played on separately; what happens there is not traced."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin._chance, twin._state = self._chance.copy(), same(self._state)
        twin.rows, twin.moves = self.rows.copy(), self.moves.copy()
        twin._pages = [pages.copy() for pages in self._pages]
        twin._traced, twin._situations, twin._counted = None, {}, None
        return twin

    def trace(self) -> None:
        """From now on keep the situation before every move, for `record`."""
        self._traced = []

    def count(self) -> None:
        """From the deal on count what is told of a game that is over, for `row`."""
        self._counted = Count(self.game, self._state, self.rows)

    # ------------------------------------------------------------ asking

    @property
    def actors(self) -> list[int]:
        """The seats that owe a choice; none when the game is over."""
        if self._actors is None:
            mask = self.game.actors(self._state)
            self._actors = [seat for seat in (0, 1) if mask >> seat & 1]
        return self._actors

    @property
    def deciders(self) -> list[int]:
        """The same with those whose choice is sealed: what everybody may know of who is to choose."""
        return sorted({*self.actors, *self.choices}) if self.choices else self.actors

    @property
    def choices(self) -> dict[int, int]:
        """By seat, the choices that wait for the other seat's, as numbers."""
        if self._sealed is None:
            self._sealed = self.game.sealed(self._state) if self.game.SIMULTANEOUS else {}
        return self._sealed

    @property
    def sealed(self) -> dict[int, str]:
        """The same in notation."""
        return {seat: self.game.move_text(move) for seat, move in self.choices.items()}

    @property
    def wanted(self) -> str:
        """What kind of choice is to be made now: a phase of Madness, or `choose`."""
        return self.game.wanted(self._state)

    @property
    def over(self) -> bool:
        return not self.actors

    @property
    def result(self) -> Result | None:
        return self.game.result(self._state)

    @property
    def score(self) -> Any:
        """As records have it, also while the game goes on."""
        return self.game.score(self._state)

    @property
    def turn(self) -> int:
        return self.game.turn(self._state)

    @property
    def hands(self) -> list[list[str]]:
        """Both hands: for when the game is over, or for who may see all."""
        return self.game.hands(self._state)

    def _seat(self, seat: int | None) -> int:
        """The seat meant: the one that owes a choice, where none is named."""
        if seat is not None:
            return seat
        actors = self.actors
        return actors[0] if actors else 0

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal moves of a seat, in notation."""
        return sorted(map(self.game.move_text, self.legal_actions(self._seat(seat))))

    def legal_actions(self, seat: int) -> list[int]:
        """The same as numbers, for bots."""
        if seat not in self._legal:
            self._legal[seat] = self.game.legal(self._state, seat)
        return self._legal[seat]

    def refuses(self, move: str, seat: int) -> Refusal | None:
        """Why the seat may not make this move now; None where it may."""
        action = self.game.read_move(move)
        if action is not None and action in self.legal_actions(seat):
            return None
        return self.game.why_not(self.view(seat), seat, move)

    def view(self, seat: int) -> Record:
        """All that the seat may know; -1 is a bystander."""
        return self.game.view(self._state, seat)

    def view_json(self, seat: int) -> Json:
        """The same for programs and drawing."""
        return self.game.view_json(self.view(seat), seat)

    def view_text(self, seat: int) -> bytes:
        """The same, written; what everybody may know is written once for all."""
        view = self.view(seat)
        if self._open is None:
            self._open = self.game.open_text(view)
        return f"{self._open[:-1]},{self.game.own_text(view, seat)[1:]}".encode()

    def question(self, seat: int, since: int = 0, budget: Budget = Budget()) -> Question:  # noqa: B008
        """What a bot in that seat is asked; `since` is how many events it has heard of."""
        events, past = self.events(seat, since), tuple(self._pages[1 - seat])
        return Question(self.view(seat), seat, self.legal_actions(seat), events, budget, past)

    def showed(self, move: str, seat: int) -> bool:
        """Whether this move, made now, would tell its maker anything.

        It would if on other tables, which the seat cannot tell from this one, things looked different
        afterwards.
        """
        after, seen = self.copy(), self.view(seat)
        after.play(move, seat)
        action, now = self.game.read_move(move), after.view(seat).tobytes()
        assert action is not None
        silent = silent_log(self.game.EVENTS)
        for guess in range(GUESSES):
            table = self.game.imagine(seen, seat, np.array([guess, guess + 1], np.uint64))
            self.game.act(table, seat, action, silent, Chance())
            if self.game.view(table, seat).tobytes() != now:
                return True
        return False

    def situation(self, seat: int | None = None) -> Json:
        """Everything, hidden cards too, as a record's trace has it."""
        seat = self._seat(seat)
        return self.game.situation(self._state, seat, self.legal(seat))

    def table(self) -> Record:
        """A copy of the state, hidden cards too: for who looks back on a game that is over."""
        return same(self._state)

    def position(self) -> str:
        """The whole situation in one line."""
        return self.game.position(self._state)

    def events(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """What happened, from event number `since` on, as a seat may know it; None sees all."""
        return [event_of(self.game, tuple(row), seat) for row in self.rows[since:]]

    def story(self, viewer: int | None, names: Sequence[str], lang: str, since: int = 0) -> list[str]:
        """What happened in sentences, said to the viewer (None: to nobody in particular)."""
        return [sentence for sentence, _ in self.lines(viewer, names, lang, since)]

    def lines(
        self, viewer: int | None, names: Sequence[str], lang: str, since: int = 0
    ) -> list[tuple[str, Event]]:
        """The same, each sentence with its event."""
        return self.sentences(self.events(viewer, since), viewer, names, lang)

    def sentences(
        self, events: Sequence[Event], viewer: int | None, names: Sequence[str], lang: str
    ) -> list[tuple[str, Event]]:
        """For events that are there already."""
        words, game = Words(lang), self.game
        told = game.told(events)
        lines = [(words.event(game.name, event, viewer, names, game.title), event) for event in told]
        return [(sentence, event) for sentence, event in lines if sentence]

    # ------------------------------------------------------------ moving

    def play(self, move: str, seat: int | None = None) -> None:
        """Make a move in notation; IllegalMove says why not, and then nothing has changed."""
        seat, action = self._seat(seat), self.game.read_move(move)
        if action is None or action not in self.legal_actions(seat):
            raise IllegalMove(self.game.why_not(self.view(seat), seat, move))
        self.play_action(action, seat)

    def play_action(self, action: int, seat: int) -> None:
        """Make a move that is known to be legal."""
        made = {**self.choices, seat: action}
        if self._traced is not None:
            self._situations[seat] = self.situation(seat)
        if self._counted:
            self._counted.choose(seat, self.legal_actions(seat), action)
        if self.game.REMEMBERED:
            self._pages[seat].append(Page(self.view(SPECTATOR), action))
        turn, events = self.turn, noted(self.game, self._state, seat, action, self._chance)
        self.rows += events
        if self._counted:
            self._counted.settle(self._state, turn, events)
        self._changed()
        if not self.choices:
            self._write_down(made)

    def unseal(self, seat: int) -> None:
        """Take back a choice that is sealed; nobody has seen it."""
        self.game.unseal(self._state, seat)
        self._situations.pop(seat, None)
        self._changed()

    def _write_down(self, made: dict[int, int]) -> None:
        """Choices come into the record in the order of the seats, once all are open."""
        for seat, action in sorted(made.items()):
            self.moves.append((seat, self.game.move_text(action)))
        if self._traced is not None:
            self._traced += [self._situations[seat] for seat in sorted(made)]
            self._situations.clear()

    # ------------------------------------------------------------ keeping

    def row(self, winner: int | None, reason: str) -> Record:
        """What was counted (`kernel.rows`) of a game that ended so, by the rules or otherwise."""
        assert self._counted, "nothing was counted"
        known = self.game.REASONS.index(reason) if reason in self.game.REASONS else int(NONE)
        return self._counted.end(int(NONE) if winner is None else winner, known, self.turn)

    def record(self) -> Json:
        """The game so far as one JSON object (`docs/records.md`)."""
        if self._deal is None:
            raise ValueError("a match from a position has no deal, so it has no record")
        record: Json = {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.game.rules_version,
            "options": self.game.options,
            **({"seed": self.seed} if self.seed else {}),
            "players": self.players,
            **self._deal,
            **self.game.record_chance(list(self.rows)),
            "moves": [list(move) for move in self.moves],
            "result": self.result.as_json() if self.result else None,
        }
        if self._traced is not None:
            record["trace"] = self._traced
        return record

    def check_chance(self, at_end: bool = False) -> None:
        """RecordError where a record's chance is not what the rules asked for; at the end none is left."""
        self._chance.check(self.game.CHANCE_RULE, at_end)

    def check_seed(self) -> None:
        """RecordError where deal or chance do not come from the seed that is named."""
        if self.seed is None or self._deal is None:
            return
        again = Match(self.game, self.setup, seed=self.seed)
        assert again._deal is not None
        for key in self.game.DEAL_KEYS:
            if again._deal[key] != self._deal[key]:
                raise RecordError(
                    "record.seed_deck", self.game.DEAL_RULE, place=_first(again._deal[key], self._deal[key])
                )
        for seat, move in self.moves:
            again.play(move, seat)
        if self.game.record_chance(list(again.rows)) != self.game.record_chance(list(self.rows)):
            raise RecordError("record.seed_chance", self.game.CHANCE_RULE)


@lru_cache(maxsize=20_000)
def event_of(game: Game, row: tuple[int, ...], seat: int | None) -> Event:
    """The same things happen again and again; an event is never changed."""
    return game.event(row, seat)


def _first(ours: Any, theirs: Any) -> int:
    """Where two lists within lists differ first, from 1."""
    pairs = enumerate(zip(flat(ours), flat(theirs), strict=False), 1)
    return next((place for place, (mine, other) in pairs if mine != other), 1)


def flat(value: Any) -> list[Any]:
    """The items of lists within lists, in order."""
    return [item for part in value for item in flat(part)] if isinstance(value, list) else [value]
