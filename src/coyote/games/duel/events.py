"""What can happen in a duel, and which of it is secret.

kind       seat             a                     b
---------  ---------------  --------------------  ----------------------
TURN       nobody           its number
DRAW       who              card (secret)         number of the deck
NO_DRAW    who
BURN       who              card drawn into a full hand
WEAR       who              the new maximum
NEW_DECK   who              how many cards        number of the deck
ORDER      who              card (secret to all)  place, top first
AUTO       who              card
REVEAL     who              card
HOLD       who
DAMAGE     who suffers      damage                blocked
HEAL       who              amount
HEALTH     who              health after it       maximum
DISCARD    who              card                  zone
ASIDE      who              card                  zone
LEAVE      who              card                  1 if set aside
END        winner or NONE   reason
"""

from typing import Any

import numpy as np

KINDS = (
    "turn", "draw", "no_draw", "burn", "wear", "new_deck", "order", "auto", "reveal", "hold",
    "damage", "heal", "health", "discard", "aside", "leave", "end",
)  # fmt: skip
(TURN, DRAW, NO_DRAW, BURN, WEAR, NEW_DECK, ORDER, AUTO, REVEAL, HOLD,
 DAMAGE, HEAL, HEALTH, DISCARD, ASIDE, LEAVE, END) = np.arange(len(KINDS))  # fmt: skip

SLOTS: dict[Any, tuple[str, ...]] = {
    TURN: ("turn",), DRAW: ("title", "number"), NO_DRAW: (), BURN: ("title",), WEAR: ("top",),
    NEW_DECK: ("n", "number"), ORDER: ("title", "place"), AUTO: ("title",), REVEAL: ("title",), HOLD: (),
    DAMAGE: ("damage", "blocked"), HEAL: ("healed",), HEALTH: ("health", "top"),
    DISCARD: ("title", "zone"), ASIDE: ("title", "zone"), LEAVE: ("title", "goes"), END: ("reason",),
}  # fmt: skip

# The rule behind each kind; of an end it depends on what for.
RULES = {
    "turn": "D4", "draw": "D4", "no_draw": "D13", "burn": "D12", "wear": "D14", "new_deck": "D13",
    "order": "D13", "auto": "D5", "reveal": "D7", "hold": "D6", "damage": "D9", "heal": "D9", "health": "D9",
    "discard": "D15", "aside": "D16", "leave": "D11", "end.health": "D3",
}  # fmt: skip

SOURCES = ("damage", "blocked", "healed", "wear")
