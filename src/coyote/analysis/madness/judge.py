"""The judge of luck: how a game of Madness stands when both hands lie open.

The net of the search is taught by what searches thought, which each see one hand; it makes too little of a
single card. This one sees the same inputs, and is taught by how games ended (`tools/train_luck.py`). It is
asked where a main action is due, and nowhere else.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from coyote.bots.madness.inputs import LIST, N_INPUTS, list_options
from coyote.bots.net import NoNet, fill, load
from coyote.games.game import Json
from coyote.kernel.record import Field, new, record_dtype

WIDE, NARROW = 64, 32  # units of the two layers

JUDGE = record_dtype(
    [
        ("first", np.float32, (N_INPUTS, WIDE)),
        ("bias", np.float32, WIDE),
        ("second", np.float32, (WIDE, NARROW)),
        ("second_bias", np.float32, NARROW),
        ("last", np.float32, NARROW),
        ("last_bias", np.float32, 1),
    ]
)

# Where it is evaluated.
PAPER: list[Field] = [*LIST, ("wide", np.float32, WIDE), ("narrow", np.float32, NARROW)]


@cache
def shipped() -> tuple[Any, Json] | None:
    """One for all editions and house rules, with its story; None where no file fits."""
    try:
        made = new(JUDGE)
        weights, story = load(files(__package__).joinpath("judge.npz"))
        fill(made, weights)
        return made, story
    except NoNet:
        return None


def bias_of(judge: Any, ed: Any) -> Any:
    """Its bias in a game that is played by these options, which do not change."""
    paper = new(record_dtype(PAPER))
    list_options(ed, paper)
    rows, worths = paper.rows[: paper.n_set], paper.worths[: paper.n_set, None]
    return judge.bias + (judge.first[rows] * worths).sum(axis=0)
