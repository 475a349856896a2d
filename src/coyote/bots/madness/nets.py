"""The learned nets of Madness: a judgement of whole states, and a policy that says where to look first.

Both begin with a sum of rows (`inputs`) and have a smaller layer above it. The judgement ends in one chance;
the policy scores a move by two rows that the move belongs to: its habit (`habits`: the kind and the ranks
that matter) and how the field stands where it lays a card. One pair of nets plays all editions, which differ
in their options (M25); the file says how they were made (`tools/train_madness.py`).
"""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from coyote.bots.madness.habits import N_HABITS, habit_row, surroundings
from coyote.bots.madness.inputs import LIST, N_INPUTS, N_OWN, list_all, list_options, list_own
from coyote.bots.net import NoNet, as_chance, cut_off, dot, fill, layer, load
from coyote.games.madness.actions import BEAT, CLOSE, KIND_OF, MOVE_KINDS, laid_field
from coyote.games.madness.rules import decider, verdict
from coyote.games.madness.state import WON
from coyote.kernel.jit import rule
from coyote.kernel.lanes import ROWS, add_rows
from coyote.kernel.record import Field, new, record_dtype
from coyote.kernel.seats import NONE, other

WIDE, NARROW = 96, 32  # units of the judgement's two layers
LOOK, FOCUS = 96, 32  # and of the policy's

STANDINGS = 6  # of a field, see `standing`
R_FIELD = N_HABITS  # attack or close, how the field stands
R_KIND = R_FIELD + 2 * STANDINGS  # any other move
N_MOVES = R_KIND + len(MOVE_KINDS)

NET = record_dtype(
    [
        ("first", np.float32, (N_INPUTS, WIDE)),  # the judgement
        ("bias", np.float32, WIDE),
        ("second", np.float32, (WIDE, NARROW)),
        ("second_bias", np.float32, NARROW),
        ("last", np.float32, NARROW),
        ("last_bias", np.float32, 1),
        ("look", np.float32, (N_OWN, LOOK)),  # the policy
        ("look_bias", np.float32, LOOK),
        ("focus", np.float32, (LOOK, FOCUS)),
        ("focus_bias", np.float32, FOCUS),
        ("moves", np.float32, (N_MOVES, FOCUS)),
        ("moves_bias", np.float32, N_MOVES),
    ]
)

# Where a net is evaluated.
SHEET: list[Field] = [
    *LIST,
    ("wide", np.float32, WIDE),
    ("narrow", np.float32, NARROW),
    ("eyes", np.float32, LOOK),
    ("focus", np.float32, FOCUS),
]

# The biases of a game: those of the net, with the options of the game added.
BIASES: list[Field] = [("bias", np.float32, WIDE), ("look_bias", np.float32, LOOK)]


# ---------------------------------------------------------------- files


@cache
def nets() -> tuple[Any, bool]:
    """The nets, and whether there are any: not where the file is missing or does not fit."""
    made = np.zeros(1, NET)
    try:
        fill(made[0], load(files(__package__).joinpath("nets.npz"))[0])
    except NoNet:
        return made, False
    return made, True


def set_biases(biases: Any, net: Any, ed: Any) -> None:
    """Write the biases of a game that is played by these options."""
    sheet = new(record_dtype(SHEET))
    list_options(ed, sheet)
    rows, worths = sheet.rows[: sheet.n_set], sheet.worths[: sheet.n_set, None]
    biases.bias[:] = net.bias + (net.first[rows] * worths).sum(axis=0)
    biases.look_bias[:] = net.look_bias + (net.look[rows] * worths).sum(axis=0)


# ---------------------------------------------------------------- the judgement


@rule
def add_inputs(x, table, bias, out):
    """The first layer: the bias, and a row for everything that is set."""
    for j in range(len(out)):
        out[j] = bias[j]
    n = x.n_set
    while n % ROWS:  # to a whole number of fours, with nothing of any row
        x.rows[n], x.worths[n] = 0, 0.0
        n += 1
    add_rows(out, table, x.rows, x.worths, n)
    cut_off(out)


@rule
def judge_by_net(s, ed, net, biases, x):
    """Seat 0's chance to win, at any decision of a whole state."""
    seat = decider(s)
    list_all(s, ed, seat, x)
    add_inputs(x, net.first, biases.bias, x.wide)
    layer(x.wide, net.second, net.second_bias, x.narrow)
    cut_off(x.narrow)
    total = dot(x.narrow, net.last) + net.last_bias[0]
    return as_chance(total if seat == 0 else -total)


# ---------------------------------------------------------------- the policy


@rule
def standing(s, field, seat):
    """Bare; mine alone; theirs alone; both, and I am to win it, or they, or nobody."""
    mine, theirs = s.tops[field, seat], s.tops[field, other(seat)]
    if theirs == NONE:
        return 0 if mine == NONE else 1
    if mine == NONE:
        return 2
    if verdict(s, field, seat) == WON:
        return 3
    return 4 if verdict(s, field, other(seat)) == WON else 5


@rule
def second_row(s, seat, action):
    """The row of a legal move beside its habit."""
    if action < BEAT:
        return R_FIELD + (action >= CLOSE) * STANDINGS + standing(s, laid_field(action), seat)
    return R_KIND + np.int64(KIND_OF[action])


@rule
def look_around(s, ed, seat, net, biases, x):
    """What the moves will be scored by."""
    list_own(s, ed, seat, x)
    add_inputs(x, net.look, biases.look_bias, x.eyes)
    layer(x.eyes, net.focus, net.focus_bias, x.focus)
    cut_off(x.focus)


@rule
def score_move(s, ed, seat, n_open, losing, action, net, x):
    """How much speaks for looking at a move first; `n_open` and `losing` are the `surroundings`."""
    habit = habit_row(s, ed, seat, n_open, losing, action)
    beside = second_row(s, seat, action)
    total = net.moves_bias[habit] + net.moves_bias[beside]
    return total + dot(x.focus, net.moves[habit]) + dot(x.focus, net.moves[beside])


@rule
def weigh_moves(s, ed, seat, net, biases, x, n):
    """Write the chance that each of the n listed moves is the one to make."""
    n_open, losing = surroundings(s, ed, seat)
    look_around(s, ed, seat, net, biases, x)
    most = -np.inf
    for i in range(n):
        x.weights[i] = score_move(s, ed, seat, n_open, losing, np.int64(x.actions[i]), net, x)
        most = max(most, x.weights[i])
    total = 0.0
    for i in range(n):
        x.weights[i] = np.exp(x.weights[i] - most)
        total += x.weights[i]
    for i in range(n):
        x.weights[i] /= total
