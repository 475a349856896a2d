"""What can happen in Madness, and who may know it."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from coyote.games.events import Kind, Kinds
from coyote.games.madness.cards import NAMES
from coyote.games.madness.state import REASONS

SOURCES = ("field", "boss", "round", "hand")  # what a point is for
FOR_FIELD, FOR_BOSS, FOR_ROUND, FOR_HAND = np.arange(4)

KINDS = Kinds(
    #    what       rule   seat: whose or who, else the winner or nobody; then a and b
    Kind("turn", "M12", "turn:all"),
    Kind("attack", "M14", "field:all", "card:all"),
    Kind("close", "M14", "field:all", "card:all"),
    Kind("beat", "M14", "card:all", "laid:all"),
    Kind("pass", "M14"),
    Kind("draw", "M15", "card:owner"),
    Kind("no_draw", "M23"),
    Kind("drop", "M15", "card:all"),
    Kind("push", "M15", "card:all"),
    Kind("no_push", "M23"),
    Kind("field", "M12", "field:all", "card:all"),  # the winner, and the closing card
    Kind(
        "point",
        {"field": "M12", "boss": "M14", "round": "M19", "hand": "M20"},
        "source:all",
        "lead:all",
    ),
    Kind("round", "M17", "field:all", "card:all"),  # the winner, the last field and its closing card
    Kind("steal", "M18", "card:all", "laid:all"),
    Kind("decline", "M18"),
    Kind("clear", "M21", "card:all"),  # the card that lies on top of the discard then
    Kind(
        "end",
        {"lead": "M10", "starvation": "M13", "endurance": "M22", "stall": "M24"},
        "reason:all",
        "lead:all",
    ),
)
(TURN, ATTACK, CLOSE, BEAT, PASS, DRAW, NO_DRAW, DROP, PUSH, NO_PUSH,
 FIELD, POINT, ROUND, STEAL, DECLINE, CLEAR, END) = KINDS.numbers  # fmt: skip

READ: Mapping[str, Callable[[int], Any]] = {
    "card": lambda card: NAMES[card],
    "laid": lambda card: NAMES[card],
    "field": lambda field: field + 1,
    "reason": lambda reason: REASONS[reason],
    "source": lambda source: SOURCES[source],
}
