"""A view from its JSON form: the exact way back from `Madness.sight`, for bots that are other programs."""

from coyote.games.game import Json, Record
from coyote.games.madness.cards import NUMBERS
from coyote.games.madness.sight import hide
from coyote.games.madness.state import MAIN, PHASES, REASONS, STATE
from coyote.kernel.record import new
from coyote.kernel.seats import NONE


def view_from_sight(shown: Json, seat: int) -> Record:
    """The record whose sight this is; KeyError, ValueError or TypeError where it is none."""
    v = new(STATE)
    hide(v, shown["deck"])
    v.left = shown["deck"]
    if seat >= 0:
        v.hands[seat] = set_of(shown["hand"])
    v.held[:] = shown["held"]
    v.gone = set_of(shown["memory"])
    v.boss = number(shown["boss"])
    v.discard = number(shown["discard"])
    for field, lies in enumerate(shown["fields"]):
        _field(v, field, lies)
    _course(v, shown)
    return v


def _field(v: Record, field: int, lies: Json) -> None:
    v.tops[field, :] = [number(card) for card in lies["tops"]]
    v.heights[field, :] = lies["heights"]
    v.last[field] = seat_number(lies["last"])
    v.marker[field] = number(lies["marker"])
    v.winner[field] = seat_number(lies["winner"])


def _course(v: Record, shown: Json) -> None:
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
