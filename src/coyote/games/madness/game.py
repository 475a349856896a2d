"""Madness as a `Game`: the compiled rules with their words and numbers for people and files."""

from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np

from coyote.games.events import Event
from coyote.games.game import (
    Chance,
    Game,
    Json,
    Record,
    RecordError,
    Result,
    Setup,
    Words64,
)
from coyote.games.madness import editions, many, position, refusals, rules, view, view_json
from coyote.games.madness import events as ev
from coyote.games.madness.actions import KIND_OF, MOST_LEGAL, MOVE_KINDS
from coyote.games.madness.cards import N_PLAIN, NAMES, NUMBERS
from coyote.games.madness.notation import MOVES, card_names, hand_names, read_move
from coyote.games.madness.state import PHASES, REASONS, STATE
from coyote.games.options import Value
from coyote.games.shape import Shape
from coyote.kernel.events import new_log, silent_log
from coyote.kernel.record import blank, new, plain
from coyote.kernel.seats import NONE
from coyote.text.refusals import Refusal


class Madness(Game):
    """
    >>> game = Madness(edition="standard", goal=7)
    >>> s = game.deal(game.settle(), np.array([1, 2], np.uint64))
    >>> game.actors(s), len(game.legal(s, 0)), game.options
    (1, 35, {'edition': 'standard', 'goal': 7})
    """

    name = "madness"
    LETTER = "M"
    OPTIONS = editions.OPTIONS
    EDITIONS = editions.EDITIONS
    STATE = STATE
    REMEMBERED = 8
    REASONS = REASONS
    KINDS = ev.KINDS
    DEAL_KEYS = ("deck",)
    DEAL_RULE = "M11"
    SOURCES = ev.SOURCES
    TALLY = many.TALLY
    MOVE_KINDS = MOVE_KINDS
    KIND_OF = KIND_OF
    WANTED = {"main": "M14", "tut": "M15", "coyote": "M18"}
    TRACE_RULES = {
        "seat": "M12", "phase": "M16", "turn": "M15", "lead": "M9", "hands": "M15",
        "deck": "M15", "boss": "M14", "discard": "M21", "fields": "M12",
    }  # fmt: skip

    @classmethod
    def contradictions(cls, values: dict[str, Value]) -> list[Refusal]:  # type: ignore[override]
        return editions.contradictions(values)

    # ------------------------------------------------------------ the rules

    def deal(self, setup: Setup, seed: Words64, log: Record | None = None) -> Record:
        s = new(STATE)
        rules.deal(s, self.row, seed)
        return s

    def actors(self, s: Record) -> int:
        return int(rules.actors(s))

    def legal(self, s: Record, seat: int) -> list[int]:
        out = np.empty(MOST_LEGAL, np.int16)
        return out[: rules.legal(s, self.row, seat, out)].tolist()  # type: ignore[no-any-return]

    def act(self, s: Record, seat: int, action: int, log: Record, chance: Chance) -> None:
        rules.act(s, self.row, log, seat, action)

    def view(self, s: Record, seat: int) -> Record:
        out, record = blank(STATE)
        view.view(s, seat, out)
        return record

    def imagine(self, v: Record, seat: int, seed: Words64) -> Record:
        out, record = blank(STATE)
        view.imagine(v, self.row, seat, seed, out)
        return record

    def result(self, s: Record) -> Result | None:
        winner, reason, lead = rules.result(s)
        if reason == NONE:
            return None
        return Result(None if winner == NONE else int(winner), REASONS[reason], int(lead))

    def score(self, s: Record) -> int:
        return int(s.lead)

    # ------------------------------------------------------------ notation

    def move_text(self, action: int) -> str:
        return MOVES[action]

    def read_move(self, text: str) -> int | None:
        return read_move(text)

    def why_not(self, v: Record, seat: int, text: str) -> Refusal:
        return refusals.why_not(v, self.row, seat, text)

    def position(self, s: Record) -> str:
        return position.write_position(s, self)

    @classmethod
    def at_position(cls, text: str) -> tuple[Game, Setup, Record]:
        return position.read_position(text, cls)

    # ------------------------------------------------------------ what is shown

    def wanted(self, s: Record) -> str:
        return PHASES[s.phase]

    @cached_property
    def shape(self) -> Shape:
        return view_json.shape_of(self.row, self.options)

    def open_json(self, v: Record) -> Json:
        return msgspec.json.decode(self.open_text(v))  # type: ignore[no-any-return]

    def own_json(self, v: Record, seat: int) -> Json:
        return msgspec.json.decode(self.own_text(v, seat))  # type: ignore[no-any-return]

    def open_text(self, v: Record) -> str:
        return view_json.open_text(v, self.row, self.shape)

    def own_text(self, v: Record, seat: int) -> str:
        return view_json.own_text(v, seat)

    def read_view(self, shown: Json, seat: int) -> Record:
        return view_json.read_view(shown, seat)

    def hands(self, s: Record) -> list[list[str]]:
        return [hand_names(int(hand)) for hand in s["hands"]]

    def event(self, row: Sequence[int], viewer: int | None) -> Event:
        return ev.KINDS.event(row, viewer, ev.READ)

    def situation(self, s: Record, seat: int, legal: list[str]) -> Json:
        p = plain(s)
        return {
            "seat": seat,
            "phase": PHASES[p.phase],
            "turn": p.turn,
            "legal": legal,
            "lead": p.lead,
            "hands": [card_names(hand) for hand in p.hands],
            **view_json.on_the_table(p, int(self.row.fields)),
        }

    def trace_rule(self, key: str, situation: Json) -> str:
        return self.WANTED[situation["phase"]] if key == "legal" else super().trace_rule(key, situation)

    # ------------------------------------------------------------ records

    @classmethod
    def altered(cls, record: Json, given: Json, public: Json) -> Json:
        """Jokers that are not played with any more leave the deck."""
        made = super().altered(record, given, public)
        in_play = NAMES[: N_PLAIN + int(cls.from_public(made["options"], {}).row.jokers)]
        return {**made, "deck": [name for name in record["deck"] if name in in_play]}

    def record_deal(self, s: Record) -> Json:
        """The deck before the deal, top first: chance is spent once it is shuffled."""
        fresh = new(STATE)
        rules.shuffle_deck(fresh, self.row, s.key)
        return {"deck": [NAMES[card] for card in fresh.deck[: fresh.left][::-1]]}

    def read_deal(self, record: Json, setup: Setup, chance: Chance, log: Record) -> Record:
        names, count = record.get("deck"), N_PLAIN + int(self.row.jokers)
        if not isinstance(names, list) or sorted(map(str, names)) != sorted(NAMES[:count]):
            raise RecordError("record.deck", "M1", count=count)
        s = new(STATE)
        s.left = count
        s.deck[:] = NONE
        s.deck[:count] = [NUMBERS[name] for name in reversed(names)]
        rules.lay_out(s, self.row)
        return s

    # ------------------------------------------------------------ series

    def random_games(self, setup: Setup, source: Words64, first: int, n: int, points: bool = True) -> Record:
        tally = new(many.TALLY)
        log = new_log() if points else silent_log()
        out = np.zeros(MOST_LEGAL, np.int16)
        seed, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        many.random_games(new(STATE), self.row, log, out, source, seed, dice, first, n, tally)
        return tally

    def count_points(self, log: Record, tally: Record) -> None:
        many.count_points(log, tally)

    def lead(self, s: Record) -> int:
        return self.score(s)
