"""The row of an edition with the numbers written in that house rules seldom change.

A loop over three fields that the compiler knows to be three is unrolled, and a switch that it knows is
no switch. So loops that play many games ask `is_usual` once and then go on with `usual_row`: the same
rules, the same results, and half of what house rules cost the editions is gone. Under other rows they use the
row itself.
"""

from collections import namedtuple
from typing import Any

from coyote.games.madness.editions import OPTIONS, STANDARD
from coyote.kernel.jit import rule


def row_type() -> Any:
    return namedtuple("Row", [*(option.field for option in OPTIONS), "version"])


Row = row_type()


NUMBERS = {option.field: option.number(STANDARD[option.name]) for option in OPTIONS}
HAND, EXTRA, KOMI, FIELDS, JOKERS = (NUMBERS[name] for name in ("hand", "extra", "komi", "fields", "jokers"))
CHANCE, STARVATION = NUMBERS["chance"], NUMBERS["starvation"]
FIELD_POINTS, BOSS_POINTS = NUMBERS["field_points"], NUMBERS["boss_points"]
ROUND_POINTS, HAND_POINTS = NUMBERS["round_points"], NUMBERS["hand_points"]


@rule
def is_usual(ed):
    """Whether the numbers that `usual_row` writes in are those of this row."""
    deal = (ed.hand == HAND) & (ed.extra == EXTRA) & (ed.komi == KOMI) & (ed.jokers == JOKERS)
    table = (ed.fields == FIELDS) & (ed.chance == CHANCE) & (ed.starvation == STARVATION)
    points = (ed.field_points == FIELD_POINTS) & (ed.boss_points == BOSS_POINTS)
    return deal & table & points & (ed.round_points == ROUND_POINTS) & (ed.hand_points == HAND_POINTS)


@rule
def usual_row(ed):
    """Goal and the switches in which editions differ come from the row, the rest is written in."""
    return Row(
        ed.goal, HAND, EXTRA, KOMI, FIELDS, JOKERS, ed.boss, ed.close, ed.closer, CHANCE, ed.chance_card,
        FIELD_POINTS, BOSS_POINTS, ROUND_POINTS, HAND_POINTS, STARVATION, ed.version,
    )  # fmt: skip
