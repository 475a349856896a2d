"""The editions as data: one row of numbers each."""

from typing import Any

import numpy as np

from coyote.kernel.record import new, record_dtype

EDITION = record_dtype(
    [
        ("goal", np.int16),  # M10  the lead that wins at once
        ("boss_first", np.int16),  # M11  the first Boss is turned up before the hands are dealt
        ("close_any", np.int16),  # M14  Close takes any open field, not only an empty one
        ("closer_wins", np.int16),  # M17  closing the last field with Close wins the round
        ("chance_last", np.int16),  # M21  the fields are cleared before the card of the Chance
    ]
)


def edition(goal: int, **differences: int) -> Any:
    row = new(EDITION)
    row.goal = goal
    for name, value in differences.items():
        row[name] = value
    return row


EDITIONS = {
    "standard": edition(goal=5),
    "classic": edition(goal=6, boss_first=1, close_any=1, closer_wins=1, chance_last=1),
}
