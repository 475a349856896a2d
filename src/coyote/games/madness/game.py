"""Madness as a `Game`: the compiled rules with their words and numbers for people and files."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from coyote.games.game import (
    Event,
    Game,
    Json,
    OptionError,
    Record,
    RecordError,
    Refusal,
    Result,
    Words64,
)
from coyote.games.madness import events as ev
from coyote.games.madness import many, position, refusals, rules, sight, unsight
from coyote.games.madness.actions import MOST_LEGAL
from coyote.games.madness.cards import N_CARDS, NAMES, NUMBERS
from coyote.games.madness.editions import EDITIONS
from coyote.games.madness.notation import MOVES, card_name, card_names, read_move
from coyote.games.madness.state import COYOTE, N_FIELDS, OVER, PHASES, REASONS, STATE
from coyote.kernel.events import new_log, silent_log
from coyote.kernel.record import new, plain
from coyote.kernel.seats import NONE

VERDICTS = ("open", "won", "drawn")
LEGAL_RULES = {"main": "M14", "tut": "M15", "coyote": "M18"}
TRACE_RULES = {
    "seat": "M12", "phase": "M16", "turn": "M15", "lead": "M9", "hands": "M15",
    "deck": "M15", "boss": "M14", "discard": "M21", "fields": "M12",
}  # fmt: skip


class Madness(Game):
    """
    >>> game = Madness()
    >>> s = game.deal(np.array([1, 2], np.uint64))
    >>> game.actors(s), len(game.legal(s, 0))
    (1, 35)
    """

    name = "madness"
    rules_version = 1
    STATE = STATE
    DEAL_KEYS = ("deck",)
    DEAL_RULE = "M11"
    REASONS = REASONS
    SOURCES = ev.SOURCES
    OPTIONS = ("edition",)

    def __init__(self, **options: Any) -> None:
        edition = options.pop("edition", "standard")
        if options:
            raise OptionError("option.unknown", name=min(options), known="edition")
        if not isinstance(edition, str) or edition not in EDITIONS:
            raise OptionError("option.value", name="edition", value=str(edition), known=", ".join(EDITIONS))
        self.edition: str = edition
        self.options = {"edition": edition}
        self.row = EDITIONS[edition]
        self._legal = np.zeros(MOST_LEGAL, np.int16)
        self._outlook = np.zeros((N_FIELDS, 2), np.int64)

    # ------------------------------------------------------------ the rules

    def deal(self, seed: Words64, log: Record | None = None) -> Record:
        s = new(STATE)
        rules.deal(s, self.row, seed)
        return s

    def actors(self, s: Record) -> int:
        return int(rules.actors(s))

    def legal(self, s: Record, seat: int) -> list[int]:
        n = rules.legal(s, self.row, seat, self._legal)
        return self._legal[:n].tolist()  # type: ignore[no-any-return]

    def act(self, s: Record, seat: int, action: int, log: Record) -> None:
        rules.act(s, self.row, log, seat, action)

    def view(self, s: Record, seat: int) -> Record:
        out = np.zeros(1, STATE)
        sight.view(s, seat, out)
        return out[0]

    def imagine(self, v: Record, seat: int, seed: Words64) -> Record:
        out = np.zeros(1, STATE)
        sight.imagine(v, seat, seed, out)
        return out[0]

    def result(self, s: Record) -> Result | None:
        winner, reason, lead = rules.result(s)
        if reason == NONE:
            return None
        return Result(None if winner == NONE else int(winner), REASONS[reason], int(lead))

    def random_games(self, source: Words64, first: int, n: int, points: bool = True) -> Record:
        tally = new(many.TALLY)
        log = new_log() if points else silent_log()
        out = np.zeros(MOST_LEGAL, np.int16)
        seed, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        many.random_games(new(STATE), self.row, log, out, source, seed, dice, first, n, tally)
        return tally

    def score(self, s: Record) -> int:
        return int(s.lead)

    # ------------------------------------------------------------ words and numbers

    def move_text(self, action: int) -> str:
        return MOVES[action]

    def read_move(self, text: str) -> int | None:
        return read_move(text)

    def why_not(self, v: Record, seat: int, text: str) -> Refusal:
        return refusals.why_not(v, seat, text)

    def event(self, row: Any, viewer: int | None) -> Event:
        kind, seat, *pair = (int(number) for number in row)
        hidden = kind in ev.SECRET and viewer is not None and viewer != seat
        values = {
            slot: None if hidden else ev.READ[slot](number)
            for slot, number in zip(ev.SLOTS[kind], pair, strict=False)
        }
        return Event(ev.KINDS[kind], None if seat == NONE else seat, values)

    def wanted(self, s: Record) -> str:
        return PHASES[s.phase]

    def event_rule(self, event: Event) -> str:
        return ev.RULES[event.key]

    def situation(self, s: Record, seat: int, legal: list[str]) -> Json:
        p = plain(s)
        return {
            "seat": seat,
            "phase": PHASES[p.phase],
            "turn": p.turn,
            "legal": legal,
            "lead": p.lead,
            "hands": [card_names(hand) for hand in p.hands],
            **_public(p),
        }

    def own_sight(self, v: Record, seat: int) -> Json:
        return {"seat": seat, "hand": card_names(int(v["hands"][seat])) if seat >= 0 else []}

    def open_sight(self, v: Record) -> Json:
        """All that may be known (M8), so that `view_from_sight` is the way back.

        `outlook` tells for each field and seat what settling will do when a turn of that seat
        begins, if nothing changes; `memory` is for bots: the cards that were shown and are covered.
        """
        p = plain(v)
        sight.outlook(v, self._outlook)
        return {
            "game": self.name,
            "options": self.options,
            "phase": PHASES[p.phase],
            "turn": p.turn,
            "mover": p.mover,
            "lead": p.lead,
            "held": p.held,
            **_public(p, closed_by=True),
            "closing": p.closing + 1 if p.phase == COYOTE else None,
            "back_to": PHASES[p.back_to] if p.phase == COYOTE else None,
            "began_dry": bool(p.began_dry),
            "moved": bool(p.moved),
            "idle": p.idle,
            "outlook": [[VERDICTS[found] for found in pair] for pair in self._outlook.tolist()],
            "memory": card_names(p.gone),
            "over": p.phase == OVER,
            "reason": None if p.reason == NONE else REASONS[p.reason],
        }

    def view_from_sight(self, shown: Json, seat: int) -> Record:
        return unsight.view_from_sight(shown, seat)

    def position(self, s: Record) -> str:
        return position.write_position(s, self.edition)

    @classmethod
    def at_position(cls, text: str) -> tuple[Game, Record]:
        edition, s = position.read_position(text)
        return cls(edition=edition), s

    def trace_rule(self, key: str, situation: Json) -> str:
        if key == "legal":
            return LEGAL_RULES[situation["phase"]]
        return TRACE_RULES.get(key, "")

    def end_rule(self, result: Result) -> str:
        return ev.RULES[f"end.{result.reason}"]

    # ------------------------------------------------------------ records

    def record_deal(self, s: Record) -> Json:
        """The deck before the deal, top first: chance is spent once it is shuffled."""
        fresh = new(STATE)
        rules.shuffle_deck(fresh, s.key)
        return {"deck": [NAMES[card] for card in fresh.deck[::-1]]}

    def read_deal(self, record: Json, log: Record | None = None) -> Record:
        names = record.get("deck")
        if not isinstance(names, list) or sorted(map(str, names)) != sorted(NAMES):
            raise RecordError("record.deck", "M1", count=N_CARDS)
        s = new(STATE)
        s.left = N_CARDS
        s.deck[:] = [NUMBERS[name] for name in reversed(names)]
        rules.lay_out(s, self.row)
        return s


def _public(p: SimpleNamespace, closed_by: bool = False) -> Json:
    """What lies open on the table; `closed_by` adds how the closed fields were closed."""
    fields = []
    for field in range(N_FIELDS):
        shown: Json = {
            "tops": [card_name(card) for card in p.tops[field]],
            "heights": p.heights[field],
            "last": None if p.last[field] == NONE else p.last[field],
            "closed": bool(p.marker[field] != NONE),
        }
        if closed_by:
            shown["marker"] = card_name(p.marker[field])
            shown["winner"] = None if p.winner[field] == NONE else p.winner[field]
        fields.append(shown)
    return {"deck": p.left, "boss": card_name(p.boss), "discard": card_name(p.discard), "fields": fields}
