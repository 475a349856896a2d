"""Many duels side by side, compiled. Both seats choose at once: each game has two rows."""

from typing import Any, NamedTuple

import numpy as np

from coyote.envs.duel.features import (
    N_ACTIONS,
    Pen,
    add_list,
    add_up,
    move_of,
    observe,
    put_hidden,
    put_legal,
)
from coyote.envs.features import Buffers
from coyote.games.duel.many import bring_lists
from coyote.games.duel.rules import act, deal, winner
from coyote.games.duel.view import view
from coyote.kernel.bits import EMPTY, has
from coyote.kernel.chance import game_words
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.seats import NONE


class Table(NamedTuple):
    """What the games are played with: tables of the game, where chance comes from, and room."""

    cards: Any
    ed: Any
    luck: Any
    log: Any
    lists: Any  # the deck lists: the same for every game, or those of each place's next one
    source: Any
    words: Any
    dice: Any
    views: Any
    moves: Any
    of_lists: Any  # [row] a seat's own list, added up
    allowed: Any  # [row] the legal actions as a set


@big_rule
def begin(t, s, i, number):
    game_words(t.source, number, t.words, t.dice)
    bring_lists(s, t.lists, i % len(t.lists))
    deal(s, t.cards, t.ed, t.luck, t.log, t.words)


@big_rule
def show(t, pen, s, i, out):
    """What either seat may know, and may do. A seat's own list stays the same from its first view on."""
    for seat in range(2):
        row = 2 * i + seat
        view(s, t.ed, seat, t.views)
        v = t.views[0]
        if v.turn == 1:
            add_list(pen, v, seat, t.of_lists[row])
        if seat == 0:
            add_up(pen, v)
        observe(pen, v, seat, t.of_lists[row], out.obs[row])
        t.allowed[row] = put_legal(v, seat, t.moves, out.mask[row])
        out.seat[row] = seat


@rule
def is_allowed(allowed, action):
    """Where a game is over nothing is, so any action will do, and nothing happens."""
    return allowed == EMPTY or (action >= 0 and action < N_ACTIONS and has(allowed, action))


@rule
def first_illegal(t, actions, places):
    for row in range(len(actions)):
        if places[row // 2] and not is_allowed(t.allowed[row], actions[row]):
            return np.int64(row)
    return NONE


@rule
def pay(s, reward):
    """1 to the winner, -1 to the loser."""
    won = winner(s)
    for seat in range(2):
        reward[seat] = 0 if won == NONE else (1 if won == seat else -1)


# ---------------------------------------------------------------- for Python
#
# What comes from Python comes as plain tuples: Numba takes many times as long to look at named ones.


@big_rule
def deal_all(table, pens, states, number, places, buffers):
    t, pen, out = Table(*table), Pen(*pens), Buffers(*buffers)
    for i in range(len(states)):
        if places[i]:
            number[i] += len(states)
            begin(t, states[i], i, number[i])
            show(t, pen, states[i], i, out)


@big_rule
def step_all(table, pens, states, number, actions, places, buffers, again):
    t, pen, out = Table(*table), Pen(*pens), Buffers(*buffers)
    illegal = first_illegal(t, actions, places)
    if illegal != NONE:
        return illegal
    for i in range(len(states)):
        s = states[i]
        out.reward[i, 0] = out.reward[i, 1] = 0
        out.done[i] = s.over != 0
        if s.over or not places[i]:
            continue
        for seat in range(2):
            act(s, t.cards, t.ed, t.luck, t.log, seat, move_of(s, seat, actions[2 * i + seat]))
        if s.over:
            out.done[i] = True
            pay(s, out.reward[i])
            if again:
                number[i] += len(states)
                begin(t, s, i, number[i])
        show(t, pen, s, i, out)
    return NONE


@big_rule
def observe_all(table, pens, states, places, seats, out):
    t, pen = Table(*table), Pen(*pens)
    for i in range(len(states)):
        if places[i]:
            view(states[i], t.ed, seats[i], t.views)
            add_up(pen, t.views[0])
            observe(pen, t.views[0], seats[i], t.of_lists[2 * i + seats[i]], out[i])


@big_rule
def privilege_all(table, pens, states, size, out):
    t, pen = Table(*table), Pen(*pens)
    for i in range(len(states)):
        for seat in range(2):
            view(states[i], t.ed, seat, t.views)
            add_up(pen, t.views[0])
            observe(pen, t.views[0], seat, t.of_lists[2 * i + seat], out[i, seat * size : (seat + 1) * size])
        put_hidden(pen, states[i], out[i, 2 * size :])


@big_rule
def observe_one(pens, v, seat, of_list, out):
    pen = Pen(*pens)
    add_up(pen, v)
    add_list(pen, v, seat, of_list)
    observe(pen, v, seat, of_list, out)


@big_rule
def hidden_one(pens, s, out):
    put_hidden(Pen(*pens), s, out)
