"""Why a move is not allowed, in the order in which a friend would say it.

The kernel alone decides what is legal; this only finds the words afterwards, from what the seat sees.
"""

from typing import Any

from coyote.games.madness import actions
from coyote.games.madness.cards import N_PLAIN, NAMES, equal, is_joker
from coyote.games.madness.editions import NO_FIELD
from coyote.games.madness.notation import read_move
from coyote.games.madness.rules import decider
from coyote.games.madness.state import COYOTE, MAIN, OVER, TUT
from coyote.kernel.bits import has
from coyote.kernel.seats import NONE
from coyote.text.refusals import Refusal

PHASE_RULES = {MAIN: "M14", TUT: "M15", COYOTE: "M18"}
PHASE_CODES = {MAIN: "refusal.main_now", TUT: "refusal.tut_now", COYOTE: "refusal.coyote_now"}


def why_not(v: Any, ed: Any, seat: int, text: str) -> Refusal:
    if v.phase == OVER:
        return Refusal("refusal.over", "")
    if seat != decider(v):
        return Refusal("refusal.not_your_turn", PHASE_RULES[int(v.phase)])
    action = read_move(text)
    if action is None:
        return Refusal("refusal.no_move", PHASE_RULES[int(v.phase)], {"text": text.strip()[:40]})
    if _phase_of(action) != v.phase:
        return Refusal(PHASE_CODES[int(v.phase)], PHASE_RULES[int(v.phase)])
    if action == actions.DROP_NOTHING:
        return Refusal("refusal.drop_what", "M15")
    card = _card_of(action)
    if card >= N_PLAIN + ed.jokers:
        return Refusal("refusal.no_such_card", "M1", {"card": NAMES[card]})
    if not has(v.hands[seat], card):
        return Refusal("refusal.not_in_hand", "M5", {"card": NAMES[card]})
    if action < actions.BEAT:
        return _field_refusal(v, ed, action)
    return _too_weak(v, action, card)


def _phase_of(action: int) -> int:
    if action <= actions.PASS:
        return MAIN
    return TUT if action <= actions.PUSH else COYOTE


def _card_of(action: int) -> int:
    if action < actions.PASS:
        return int(actions.laid_card(action))
    return action - (actions.DROP if action < actions.STEAL else actions.STEAL)


def _field_refusal(v: Any, ed: Any, action: int) -> Refusal:
    field = int(actions.laid_field(action))
    if field >= ed.fields:
        return Refusal("refusal.no_such_field", "M5", {"field": field + 1, "most": int(ed.fields)})
    if v.marker[field] != NONE:
        return Refusal("refusal.field_closed", "M6", {"field": field + 1})
    if ed.close == NO_FIELD:
        return Refusal("refusal.no_closing", "M14")
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
