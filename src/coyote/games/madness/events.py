"""What can happen in Madness, and which of it is secret.

kind      seat              a                b
--------  ----------------  ---------------  ---------------------
TURN      whose             its number
ATTACK    who               field            card
CLOSE     who               field            card
BEAT      who               card             the beaten Boss
PASS      who
DRAW      who               card (secret)
NO_DRAW   who
DROP      who               card
PUSH      who               the new Boss
NO_PUSH   who
FIELD     winner or NONE    field            the closing card
POINT     who               what for         the lead after it
ROUND     winner or NONE    last field       the closing card
STEAL     who               card             the closing card
DECLINE   who
CLEAR     nobody            top of discard
END       winner or NONE    reason           the lead
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from coyote.games.madness.cards import NAMES
from coyote.games.madness.state import REASONS

KINDS = (
    "turn", "attack", "close", "beat", "pass", "draw", "no_draw", "drop", "push", "no_push",
    "field", "point", "round", "steal", "decline", "clear", "end",
)  # fmt: skip
(TURN, ATTACK, CLOSE, BEAT, PASS, DRAW, NO_DRAW, DROP, PUSH, NO_PUSH,
 FIELD, POINT, ROUND, STEAL, DECLINE, CLEAR, END) = np.arange(len(KINDS))  # fmt: skip

FOR_FIELD, FOR_BOSS, FOR_ROUND, FOR_HAND = np.arange(4)
SOURCES = ("field", "boss", "round", "hand")

SECRET = frozenset({DRAW})  # kinds whose `a` only the event's own seat may know

# What the numbers a and b of each kind are called, and how each is read.
SLOTS: dict[Any, tuple[str, ...]] = {
    TURN: ("turn",), ATTACK: ("field", "card"), CLOSE: ("field", "card"), BEAT: ("card", "laid"),
    PASS: (), DRAW: ("card",), NO_DRAW: (), DROP: ("card",), PUSH: ("card",), NO_PUSH: (),
    FIELD: ("field", "card"), POINT: ("source", "lead"), ROUND: ("field", "card"),
    STEAL: ("card", "laid"), DECLINE: (), CLEAR: ("card",), END: ("reason", "lead"),
}  # fmt: skip
# The rule behind each kind; of a point and of an end it depends on what for.
RULES = {
    "turn": "M12", "attack": "M14", "close": "M14", "beat": "M14", "pass": "M14",
    "draw": "M15", "no_draw": "M23", "drop": "M15", "push": "M15", "no_push": "M23",
    "field": "M12", "round": "M17", "steal": "M18", "decline": "M18", "clear": "M21",
    "point.field": "M12", "point.boss": "M14", "point.round": "M19", "point.hand": "M20",
    "end.lead": "M10", "end.starvation": "M13", "end.endurance": "M22", "end.stall": "M24",
}  # fmt: skip
READ: dict[str, Callable[[int], Any]] = {
    "card": lambda card: NAMES[card],
    "laid": lambda card: NAMES[card],
    "field": lambda field: field + 1,
    "lead": int,
    "reason": lambda reason: REASONS[reason],
    "source": lambda source: SOURCES[source],
    "turn": int,
}
