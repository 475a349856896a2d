"""A view of Madness as JSON and back. Everything in it may be shown or told to the seat (M8)."""

from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Literal, TypedDict

import numpy as np

from coyote.games.madness import view
from coyote.games.madness.cards import NAMES, NUMBERS
from coyote.games.madness.editions import MOST_FIELDS
from coyote.games.madness.notation import card_name, card_names, hand_names
from coyote.games.madness.state import MAIN, PHASES, REASONS, STATE
from coyote.games.shape import BOOL, NUMBER, Shape, texts
from coyote.kernel.record import new
from coyote.kernel.seats import NONE

VERDICTS = ("open", "won", "drawn")
Verdict = Literal["open", "won", "drawn"]


class Field(TypedDict):
    tops: list[str | None]  # by seat, as everything here that is a pair
    heights: list[int]
    last: int | None  # the seat that last laid a card on a side
    closed: bool
    marker: str | None
    winner: int | None


class View(TypedDict):
    game: Literal["madness"]
    options: dict[str, int | str]
    goal: int  # M10
    phase: Literal["main", "tut", "coyote", "over"]
    turn: int
    mover: int
    decider: int | None  # the seat that owes a choice
    lead: int
    held: list[int]  # cards in hand
    deck: int
    boss: str | None
    discard: str | None
    fields: list[Field]
    closing: int | None  # M18  the field that closed last
    back_to: str | None  # M16  the phase that the turn goes on with
    began_dry: bool
    moved: bool
    idle: int
    outlook: list[list[Verdict]]  # M12  by field and seat: what settling does when that seat's turn begins
    can_answer: list[bool]  # M14  whether the seat has a main action before that
    memory: list[str]  # for bots: cards that were shown and are covered
    over: bool
    reason: str | None
    seat: int
    hand: list[str]  # the weakest first


# ---------------------------------------------------------------- there


class _Sets:
    """The names of a set of cards as JSON, by the set."""

    def __getitem__(self, cards: int) -> str:
        return _names_text(cards)


def _list_text(names: list[str]) -> str:
    return '["' + '","'.join(names) + '"]' if names else "[]"


@lru_cache(maxsize=10_000)
def _names_text(cards: int) -> str:
    """The memory has no order: it tells nothing by it (M8)."""
    return _list_text(card_names(cards))


@lru_cache(maxsize=10_000)
def hand_text(cards: int) -> str:
    """A hand is told again and again until it changes."""
    return _list_text(hand_names(cards))


CARD, PHASE, REASON, VERDICT = texts(NAMES), texts(PHASES), texts(REASONS), texts(VERDICTS)
SEAT, CARDS = ["0", "1", "null"], _Sets()
CLOSED = [*["true"] * len(NAMES), "false"]  # by the card that closes a field
FIELD = {
    "tops": (CARD, CARD), "heights": (NUMBER, NUMBER), "last": SEAT, "closed": CLOSED, "marker": CARD,
    "winner": SEAT,
}  # fmt: skip


def shape_of(ed: Any, options: dict[str, Any]) -> Shape:
    """All that everybody may know, so that `read_view` is the way back; `view.told` has the numbers."""
    n = int(ed.fields)
    return Shape({
        "game": "madness",
        "options": options,
        "goal": int(ed.goal),
        "phase": PHASE,
        "turn": NUMBER,
        "mover": NUMBER,
        "decider": SEAT,
        "lead": NUMBER,
        "held": (NUMBER, NUMBER),
        "deck": NUMBER,
        "boss": CARD,
        "discard": CARD,
        "closing": [*NUMBER[: MOST_FIELDS + 1], "null"],
        "back_to": PHASE,
        "began_dry": BOOL,
        "moved": BOOL,
        "idle": NUMBER,
        "can_answer": (BOOL, BOOL),
        "over": BOOL,
        "reason": REASON,
        "memory": CARDS,
        "fields": (FIELD,) * n,
        "outlook": ((VERDICT, VERDICT),) * n,
    })  # fmt: skip


def open_text(v: Any, ed: Any, shape: Shape) -> str:
    numbers = np.empty(view.TOLD, np.int64)
    view.told(v, ed, numbers)
    return shape.write(numbers.tolist())


def own_text(v: Any, seat: int) -> str:
    return f'{{"seat":{seat},"hand":{hand_text(int(v["hands"][seat])) if seat >= 0 else "[]"}}}'


def on_the_table(p: SimpleNamespace, n: int) -> dict[str, Any]:
    """What lies open, as a record's trace has it."""
    fields = [
        {
            "tops": [card_name(card) for card in p.tops[field]],
            "heights": p.heights[field],
            "last": None if p.last[field] == NONE else p.last[field],
            "closed": bool(p.marker[field] != NONE),
        }
        for field in range(n)
    ]
    return {"deck": p.left, "boss": card_name(p.boss), "discard": card_name(p.discard), "fields": fields}


# ---------------------------------------------------------------- and back


def read_view(shown: dict[str, Any], seat: int) -> Any:
    v = new(STATE)
    v.left = shown["deck"]
    view.hide(v, int(v.left))
    if seat >= 0:
        v.hands[seat] = set_of(shown["hand"])
    v.held[:] = shown["held"]
    v.gone = set_of(shown["memory"])
    v.boss = number(shown["boss"])
    v.discard = number(shown["discard"])
    v.tops[:] = v.last[:] = v.marker[:] = v.winner[:] = NONE
    for field, lies in enumerate(shown["fields"]):
        _read_field(v, field, lies)
    _read_course(v, shown)
    return v


def _read_field(v: Any, field: int, lies: dict[str, Any]) -> None:
    v.tops[field, :] = [number(card) for card in lies["tops"]]
    v.heights[field, :] = lies["heights"]
    v.last[field] = seat_number(lies["last"])
    v.marker[field] = number(lies["marker"])
    v.winner[field] = seat_number(lies["winner"])


def _read_course(v: Any, shown: dict[str, Any]) -> None:
    """How far the game has come."""
    v.lead, v.mover, v.turn = shown["lead"], shown["mover"], shown["turn"]
    v.phase = PHASES.index(shown["phase"])
    v.back_to = MAIN if shown["back_to"] is None else PHASES.index(shown["back_to"])
    v.closing = NONE if shown["closing"] is None else shown["closing"] - 1
    v.began_dry, v.moved, v.idle = shown["began_dry"], shown["moved"], shown["idle"]
    v.reason = NONE if shown["reason"] is None else REASONS.index(shown["reason"])


def number(card: str | None) -> int:
    return NONE if card is None else NUMBERS[card]


def seat_number(seat: int | None) -> int:
    return NONE if seat is None else seat


def set_of(cards: list[str]) -> int:
    return sum(1 << NUMBERS[card] for card in cards)
