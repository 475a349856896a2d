"""Why a move is not allowed, in the order in which a friend would say it.

The kernel alone decides what is legal; this only finds the words afterwards, from what the seat sees.
"""

from typing import Any

from coyote.games.game import Refusal
from coyote.games.madness import actions
from coyote.games.madness.cards import NAMES, equal, is_joker
from coyote.games.madness.notation import read_move
from coyote.games.madness.state import COYOTE, MAIN, OVER, TUT
from coyote.kernel.bits import has
from coyote.kernel.seats import NONE

PHASE_RULES = {MAIN: "M14", TUT: "M15", COYOTE: "M18"}
PHASE_CODES = {MAIN: "refusal.main_now", TUT: "refusal.tut_now", COYOTE: "refusal.coyote_now"}


def why_not(v: Any, seat: int, text: str) -> Refusal:
    if v.phase == OVER:
        return Refusal("refusal.over", "")
    if seat != (1 - v.mover if v.phase == COYOTE else v.mover):
        return Refusal("refusal.not_your_turn", PHASE_RULES[int(v.phase)])
    action = read_move(text)
    if action is None:
        return Refusal("refusal.no_move", PHASE_RULES[int(v.phase)], {"text": text.strip()[:40]})
    if _phase_of(action) != v.phase:
        return Refusal(PHASE_CODES[int(v.phase)], PHASE_RULES[int(v.phase)])
    if action == actions.DROP_NOTHING:
        return Refusal("refusal.drop_what", "M15")
    card = _card_of(action)
    if not has(v.hands[seat], card):
        return Refusal("refusal.not_in_hand", "M5", {"card": NAMES[card]})
    if action < actions.BEAT:
        return _field_refusal(v, action)
    return _too_weak(v, action, card)


def _phase_of(action: int) -> int:
    if action <= actions.PASS:
        return MAIN
    return TUT if action <= actions.PUSH else COYOTE


def _card_of(action: int) -> int:
    if action < actions.PASS:
        return int(actions.laid_card(action))
    return action - (actions.DROP if action < actions.STEAL else actions.STEAL)


def _field_refusal(v: Any, action: int) -> Refusal:
    field = int(actions.laid_field(action))
    if v.marker[field] != NONE:
        return Refusal("refusal.field_closed", "M6", {"field": field + 1})
    return Refusal("refusal.field_not_empty", "M14", {"field": field + 1})


def _too_weak(v: Any, action: int, card: int) -> Refusal:
    """A card that does not beat the Boss, or the card that closed the round."""
    stealing = action >= actions.STEAL
    laid = int(v.marker[v.closing] if stealing else v.boss)
    values = {"card": NAMES[card], "laid": NAMES[laid]}
    if stealing:
        return Refusal("refusal.steal_too_weak", "M18", values)
    if equal(card, laid):
        return Refusal("refusal.boss_equal", "M4", values)
    return Refusal("refusal.boss_too_strong", "M3" if is_joker(laid) else "M2", values)
