"""`Match`: one game from the deal to the end, checked, with everything said in words.

This is the face that the rest of the program and other people's programs use. The kernel trusts
its caller; a match checks every move first and refuses with the reason.
"""

from collections.abc import Sequence
from typing import Any

from coyote.games.game import Event, Game, Json, Record, Result
from coyote.games.registry import GAMES, game_at, make_game
from coyote.kernel.events import LogFull, new_log, take_rows
from coyote.seeds import new_seed, seed_from, seed_words
from coyote.text import Refused, Words

FORMAT = "coyote-record/1"


class IllegalMove(Refused):
    """A move that the rules do not allow; nothing has changed."""


class Match:
    """One game between two seats.

    >>> match = Match("madness", seed="friday", edition="standard")
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
        *,
        seed: str | None = None,
        players: Sequence[str] = ("?", "?"),
        **options: Any,
    ) -> None:
        self.game = make_game(game, **options) if isinstance(game, str) else game
        self.seed: str | None = new_seed() if seed is None else seed_from(seed)
        self.players = list(players)
        self._log = new_log(self.game.ROOM)
        self._begin(self.game.deal(seed_words(self.seed), self._log))
        self._deal: Json | None = self.game.record_deal(self._state)

    def _begin(self, state: Record) -> None:
        self._state = state
        self._rows: list[list[int]] = take_rows(self._log)
        self._legal: dict[int, list[int]] = {}
        self._pending: dict[int, tuple[str, Json | None]] = {}
        self.moves: list[tuple[int, str]] = []
        self._open: Json | None = None  # what everybody may know, until the next move
        self._traced: list[Json] | None = None

    @classmethod
    def from_position(cls, text: str) -> "Match":
        """A match that goes on from a position; PositionError tells every fault of the text."""
        match = cls.__new__(cls)
        match.game, state = game_at(text)
        match.seed, match.players, match._deal = None, ["?", "?"], None
        match._log = new_log(match.game.ROOM)
        match._begin(state)
        return match

    @classmethod
    def from_record(cls, record: Json) -> "Match":
        """A match dealt as a record says; its moves are not made yet."""
        match = cls.__new__(cls)
        match.game = GAMES[record["game"]].from_record(record)
        match.seed, match.players = record.get("seed"), list(record["players"])
        match._log = new_log(match.game.ROOM)
        match._begin(match.game.read_deal(record, match._log))
        match._deal = {key: record[key] for key in match.game.DEAL_KEYS}
        return match

    def trace(self) -> None:
        """From now on keep the situation before every move, for `record`."""
        self._traced = []

    # ------------------------------------------------------------ asking

    @property
    def actors(self) -> list[int]:
        """The seats that owe a choice; none when the game is over."""
        mask = self.game.actors(self._state)
        return [seat for seat in range(2) if mask >> seat & 1]

    @property
    def wanted(self) -> str:
        """What kind of choice is to be made now: a phase of Madness, or `choose`."""
        return self.game.wanted(self._state)

    @property
    def over(self) -> bool:
        return not self.actors

    def _seat(self, seat: int | None) -> int:
        """The seat meant: the one that owes a choice, where none is named."""
        if seat is not None:
            return seat
        actors = self.actors
        return actors[0] if actors else 0

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal moves of a seat, in notation."""
        return sorted(self.game.move_text(action) for action in self.legal_actions(self._seat(seat)))

    def legal_actions(self, seat: int) -> list[int]:
        """The same as numbers, for bots."""
        if seat not in self._legal:
            self._legal[seat] = self.game.legal(self._state, seat)
        return self._legal[seat]

    def view(self, seat: int) -> Json:
        """All that the seat may know; -1 is a bystander."""
        view = self.game.view(self._state, seat)
        if self._open is None:
            self._open = self.game.open_sight(view)
        return {**self._open, **self.game.own_sight(view, seat)}

    def view_record(self, seat: int) -> Record:
        """The same as a record, for bots."""
        return self.game.view(self._state, seat)

    def situation(self, seat: int | None = None) -> Json:
        """Everything, hidden cards too, as a record's trace has it."""
        seat = self._seat(seat)
        return self.game.situation(self._state, seat, self.legal(seat))

    def position(self) -> str:
        """The whole situation in one line."""
        return self.game.position(self._state)

    @property
    def result(self) -> Result | None:
        return self.game.result(self._state)

    def events(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """What happened, from event number `since` on, as a seat may know it; None sees all."""
        return [self.game.event(row, seat) for row in self._rows[since:]]

    def story(self, viewer: int | None, names: Sequence[str], lang: str, since: int = 0) -> list[str]:
        """What happened in sentences, said to the viewer (None: to nobody in particular)."""
        return [sentence for sentence, _ in self.told(viewer, names, lang, since)]

    def told(
        self, viewer: int | None, names: Sequence[str], lang: str, since: int = 0
    ) -> list[tuple[str, Event]]:
        """The same, each sentence with its event."""
        words, game = Words(lang), self.game
        found = [
            (words.event(game.name, event, viewer, names, game.title), event)
            for event in self.events(viewer, since)
        ]
        return [(sentence, event) for sentence, event in found if sentence]

    @property
    def pending(self) -> list[tuple[int, str]]:
        """Choices that are sealed and wait for the other seat's."""
        return [(seat, move) for seat, (move, _) in sorted(self._pending.items())]

    # ------------------------------------------------------------ moving

    def play(self, move: str, seat: int | None = None) -> None:
        """Make a move in notation; IllegalMove says why not, and then nothing has changed."""
        seat = self._seat(seat)
        action = self.game.read_move(move)
        if action is None or action not in self.legal_actions(seat):
            raise IllegalMove(self.game.why_not(self.game.view(self._state, seat), seat, move))
        self.play_action(action, seat)

    def play_action(self, action: int, seat: int) -> None:
        """Make a move that is known to be legal."""
        traced = self.situation(seat) if self._traced is not None else None
        self._pending[seat] = (self.game.move_text(action), traced)
        self._act(action, seat)
        self._rows += take_rows(self._log)
        self._legal.clear()
        self._open = None
        if not self.game.sealed(self._state):
            self._write_down()

    def _act(self, action: int, seat: int) -> None:
        """Let the kernel do it, with as much room for events as it takes."""
        while True:
            try:
                return self.game.act(self._state, seat, action, self._log)
            except LogFull:
                self._log = new_log(8 * int(self._log["room"]))

    def _write_down(self) -> None:
        """Choices come into the record in the order of the seats, once all are open."""
        for seat, (move, traced) in sorted(self._pending.items()):
            self.moves.append((seat, move))
            if self._traced is not None and traced is not None:
                self._traced.append(traced)
        self._pending.clear()

    # ------------------------------------------------------------ keeping

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
            **self.game.record_chance(self._rows),
            "moves": [list(move) for move in self.moves],
            "result": self.result.as_json() if self.result else None,
        }
        if self._traced is not None:
            record["trace"] = self._traced
        return record

    def copy(self) -> "Match":
        """The same match, to be played on separately."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.game = self.game.branch()
        twin._state = self._state.copy()
        twin._log = new_log(self.game.ROOM)
        twin._rows, twin.moves = list(self._rows), list(self.moves)
        twin._pending, twin._traced, twin._legal = dict(self._pending), None, {}
        return twin
