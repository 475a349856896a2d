"""Many games of Madness side by side, compiled."""

from typing import Any, NamedTuple

import numpy as np

from coyote.envs.features import Buffers
from coyote.envs.madness.features import observe, put_hidden, put_legal
from coyote.games.madness.rules import act, deal, decider, legal, result
from coyote.games.madness.state import OVER
from coyote.games.madness.view import view
from coyote.kernel.chance import game_words
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.seats import NONE


class Table(NamedTuple):
    """What the games are played with: the rules, where chance comes from, and room."""

    ed: Any
    rules: Any  # as places of an observation
    log: Any
    source: Any
    words: Any
    dice: Any
    views: Any
    moves: Any


@big_rule
def begin(t, s, number):
    game_words(t.source, number, t.words, t.dice)
    deal(s, t.ed, t.words)


@big_rule
def show(t, s, i, out):
    """What whoever is to choose may know, and may do."""
    seat = decider(s)
    view(s, seat, t.views)
    v = t.views[0]
    observe(v, t.rules, seat, out.obs[i])
    put_legal(v, t.ed, seat, t.moves, out.mask[i])
    out.seat[i] = seat


@rule
def is_legal(t, s, action):
    found = False
    for k in range(legal(s, t.ed, decider(s), t.moves)):
        found |= t.moves[k] == action
    return found


@rule
def first_illegal(t, states, actions, places):
    """Where a game is over any action will do, and nothing happens."""
    for i in range(len(states)):
        plays = places[i] and states[i].phase != OVER
        if plays and not is_legal(t, states[i], actions[i]):
            return np.int64(i)
    return NONE


@rule
def pay(s, reward):
    """1 to the winner, -1 to the loser."""
    winner, _, _ = result(s)
    for seat in range(2):
        reward[seat] = 0 if winner == NONE else (1 if winner == seat else -1)


# ---------------------------------------------------------------- for Python
#
# What comes from Python comes as plain tuples: Numba takes many times as long to look at named ones.


@big_rule
def deal_all(table, states, number, places, buffers):
    t, out = Table(*table), Buffers(*buffers)
    for i in range(len(states)):
        if places[i]:
            number[i] += len(states)
            begin(t, states[i], number[i])
            show(t, states[i], i, out)


@big_rule
def step_all(table, states, number, actions, places, buffers, again):
    t, out = Table(*table), Buffers(*buffers)
    illegal = first_illegal(t, states, actions, places)
    if illegal != NONE:
        return illegal
    for i in range(len(states)):
        s = states[i]
        out.reward[i, 0] = out.reward[i, 1] = 0
        out.done[i] = s.phase == OVER
        if s.phase == OVER or not places[i]:
            continue
        act(s, t.ed, t.log, decider(s), np.int64(actions[i]))
        if s.phase == OVER:
            out.done[i] = True
            pay(s, out.reward[i])
            if again:
                number[i] += len(states)
                begin(t, s, number[i])
        show(t, s, i, out)
    return NONE


@big_rule
def observe_all(table, states, places, seats, out):
    t = Table(*table)
    for i in range(len(states)):
        if places[i]:
            view(states[i], seats[i], t.views)
            observe(t.views[0], t.rules, seats[i], out[i])


@big_rule
def privilege_all(table, states, size, out):
    t = Table(*table)
    for i in range(len(states)):
        for seat in range(2):
            view(states[i], seat, t.views)
            observe(t.views[0], t.rules, seat, out[i, seat * size : (seat + 1) * size])
        put_hidden(states[i], out[i, 2 * size :])
