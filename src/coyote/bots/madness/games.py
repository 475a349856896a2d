"""Whole games of Madness between bots, compiled: the same games that they play when asked one by one."""

from typing import Any, NamedTuple

import numpy as np

from coyote.bots.deciding import (
    ANY_MOVE,
    BY_LEVEL,
    BY_THUMB,
    SERIES_DICE,
    best_noticed,
    box_dtype,
    chance,
    make_dice,
    make_seed,
    notice,
    one_of_equals,
    thoughts_dtype,
)
from coyote.bots.madness.ending import step
from coyote.bots.madness.hands import hands_for, weigh_hands
from coyote.bots.madness.sights import write_sights
from coyote.bots.madness.thumb import think
from coyote.bots.madness.tree import begin, conclude, grow
from coyote.games.madness.actions import KIND_OF, MOST_LEGAL
from coyote.games.madness.many import count_points
from coyote.games.madness.rules import deal, decider, legal, result
from coyote.games.madness.state import OVER, STATE
from coyote.games.madness.view import view
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.rows import begin_row, end_row, note_choice, note_lead
from coyote.kernel.seats import NONE, SPECTATOR, other

THOUGHTS = thoughts_dtype(MOST_LEGAL)
BOX = box_dtype(STATE)


class Diary(NamedTuple):
    """By seat what everybody saw of its last decisions, as `Question.past` tells them."""

    pages: Any
    moves: Any
    told: Any  # how many decisions each seat has made


@rule
def write_page(diary, s, seat, action):
    at = diary.told[seat] % diary.pages.shape[1]
    view(s, SPECTATOR, diary.pages[seat, at:])
    diary.moves[seat, at] = action
    diary.told[seat] += 1


@rule
def decide_at_once(plan, v, seen, seat, ed, t, box, world, silent):
    """Without a search: by the rules of thumb, or any move."""
    if plan.way == ANY_MOVE:
        make_dice(box, seat, seen)
        return roll(box.dice, 0, t.n)
    think(v, ed, seat, t, world, silent)
    if t.n_equals > 1:  # or else the dice would change nothing
        make_dice(box, seat, seen)
    return one_of_equals(t, box.dice)


@rule
def think_of_hands(plan, v, seat, ed, manner, nets, x, world, diary):
    if manner.has_nets:
        they = other(seat)
        weigh_hands(
            v, ed, seat, diary.pages[they], diary.moves[they], diary.told[they], hands_for(plan.simulations),
            nets[0], manner, x, world,
        )  # fmt: skip


@rule
def decide(plan, v, seen, seat, ed, manner, nets, nodes, x, world, silent, t, box, diary):
    """The place of the move that a bot makes, from what its seat may know; `seen` are the bytes of that."""
    if t.n == 1:
        return np.int64(0)
    if plan.way == BY_THUMB or plan.way == ANY_MOVE:
        return decide_at_once(plan, v, seen, seat, ed, t, box, world, silent)
    make_dice(box, seat, seen)
    if plan.way == BY_LEVEL and (plan.simulations == 0 or chance(box.dice, plan.hurries)):
        think(v, ed, seat, t, world, silent)
        picked = one_of_equals(t, box.dice)
    else:
        begin(nodes, x, box.dice)
        think_of_hands(plan, v, seat, ed, manner, nets, x, world, diary)
        grow(nodes, x, v, seat, ed, silent, manner, nets, world, plan.simulations)
        picked = conclude(nodes, v, ed, seat, t, world, silent)
    if plan.misses > 0.0 or plan.overlooks > 0.0:
        write_sights(v, ed, seat, t, world, silent)
        notice(t, plan.misses, plan.overlooks, box.dice)
        picked = best_noticed(t, picked)
    return picked


@rule
def play_game(
    s, views, seen, ed, manners, nets, nodes, x, world, silent, t, box, plans, swapped, dice, log, notes,
    diary, row,
):  # fmt: skip
    """A dealt game to its end. Whoever decides is given a view and the legal moves."""
    begin_row(row, notes, s.lead)
    diary.told[:] = 0
    while s.phase != OVER:
        seat = decider(s)
        plan, manner = plans[seat ^ swapped], manners[(seat ^ swapped) % len(manners)]
        t.n = legal(s, ed, seat, t.legal)
        if plan.way == SERIES_DICE:
            picked = roll(dice, seat, t.n)
        else:
            view(s, seat, views)
            picked = decide(
                plan, views[0], seen, seat, ed, manner, nets, nodes, x, world, silent, t, box, diary
            )
        action = np.int64(t.legal[picked])
        note_choice(row, KIND_OF, seat, t.legal, t.n, action)
        write_page(diary, s, seat, action)
        turn = s.turn
        log.n = 0
        step(s, ed, log, seat, action)
        count_points(log, row)
        note_lead(row, notes, turn, s.lead)
    winner, reason, _ = result(s)
    end_row(row, notes, winner, reason, s.turn)


@big_rule
def play(
    table, views, seen, ed, manners, nets, nodes, x, world, silent, t, box, plans, source, words, dice, log,
    notes, diary, first, rows,
):  # fmt: skip
    """Games first, first + 1, … of a series, each once, or twice with the seats swapped."""
    s = table[0]
    twice = rows.shape[1] == 2
    for k in range(rows.shape[0]):
        game_words(source, first + k, words, dice)
        for swapped in range(rows.shape[1]):
            for seat in range(2):
                make_seed(box, dice, seat ^ swapped if twice else NONE, seat)
            deal(s, ed, words)
            play_game(
                s, views, seen, ed, manners, nets, nodes, x, world, silent, t, box, plans, swapped, dice, log,
                notes, diary, rows[k, swapped],
            )  # fmt: skip
