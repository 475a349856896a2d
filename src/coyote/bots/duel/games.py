"""Whole duels between bots, compiled: the same duels that they play when asked one by one."""

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
from coyote.bots.duel.belief import believe
from coyote.bots.duel.sights import write_sights
from coyote.bots.duel.sure import prefer_sure
from coyote.bots.duel.thumb import think
from coyote.bots.duel.tree import MOVES, clear, conclude, search, turn
from coyote.games.duel.many import KIND_OF, bring_lists, count_log, lead
from coyote.games.duel.rules import BY_HEALTH, deal, legal, winner
from coyote.games.duel.state import STATE
from coyote.games.duel.view import view
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.rows import UNTOLD, begin_row, end_row, note_choice, note_lead
from coyote.kernel.seats import NONE

THOUGHTS = thoughts_dtype(MOVES)
BOX = box_dtype(STATE)


@rule
def decide_at_once(plan, v, seen, seat, cards, ed, n_kinds, silent, world, due, t, box):
    """Without a search: by the rules of thumb, or any move."""
    if plan.way == ANY_MOVE:
        make_dice(box, seat, seen)
        return roll(box.dice, 0, t.n)
    think(v, cards, ed, n_kinds, silent, world, due, seat, t)
    if t.n_equals > 1:  # or else the dice would change nothing
        make_dice(box, seat, seen)
    return one_of_equals(t, box.dice)


@rule
def decide(
    plan, v, seen, seat, cards, net, ed, luck, n_kinds, decks, count, b, tree, nodes, steps, world, silent, t,
    box,
):  # fmt: skip
    """The place of the move that a bot makes, from what its seat may know; `seen` are the bytes of that."""
    if t.n == 1:
        return np.int64(0)
    if plan.way == BY_THUMB or plan.way == ANY_MOVE:
        return decide_at_once(plan, v, seen, seat, cards, ed, n_kinds, silent, world, tree.due, t, box)
    make_dice(box, seat, seen)
    if plan.way == BY_LEVEL and (plan.simulations == 0 or chance(box.dice, plan.hurries)):
        think(v, cards, ed, n_kinds, silent, world, tree.due, seat, t)
        picked = one_of_equals(t, box.dice)
    else:
        clear(tree, nodes)
        believe(v, cards, ed, n_kinds, decks, seat, count, b)
        most = plan.simulations
        search(v, cards, net, ed, b, seat, tree, nodes, steps, world, luck, silent, box.dice, most, most)
        picked = conclude(tree, nodes[0], seat, t, box.dice)
        picked = prefer_sure(v, cards, ed, n_kinds, silent, world, seat, t, picked)
    if plan.misses > 0.0 or plan.overlooks > 0.0:
        write_sights(v, cards, ed, tree.due, tree.worth, seat, t)
        notice(t, plan.misses, plan.overlooks, box.dice)
        picked = best_noticed(t, picked)
    return picked


@rule
def play_game(
    s, views, seen, cards, net, ed, luck, n_kinds, decks, count, b, tree, nodes, steps, world, silent, t,
    box, plans, swapped, dice, log, notes, row,
):  # fmt: skip
    """A dealt duel to its end. Whoever decides is given a view and the legal moves."""
    begin_row(row, notes, lead(s))
    count_log(s, ed, log, row)
    told = log.n <= log.capacity
    while not s.over:
        first = second = np.int64(0)
        for seat in range(2):
            plan = plans[seat ^ swapped]
            t.n = legal(s, seat, t.legal)
            if plan.way == SERIES_DICE:
                picked = roll(dice, seat, t.n)
            else:
                view(s, ed, seat, views)
                picked = decide(
                    plan, views[0], seen, seat, cards, net, ed, luck, n_kinds, decks, count, b, tree, nodes,
                    steps, world, silent, t, box,
                )  # fmt: skip
            first, second = second, np.int64(t.legal[picked])
            note_choice(row, KIND_OF, seat, t.legal, t.n, second)
        now = s.turn
        log.n = 0
        turn(s, cards, ed, luck, log, first, second)
        count_log(s, ed, log, row)
        told &= log.n <= log.capacity
        note_lead(row, notes, now, lead(s))
    end_row(row, notes, winner(s), BY_HEALTH if told else UNTOLD, s.turn)


@big_rule
def play(
    table, views, seen, cards, net, ed, luck, n_kinds, decks, count, b, tree, nodes, steps, world, silent, t,
    box, plans, lists, source, words, dice, log, notes, first, rows,
):  # fmt: skip
    """Games first, first + 1, … of a series, each once, or twice with the seats swapped."""
    s = table[0]
    twice = rows.shape[1] == 2
    for k in range(rows.shape[0]):
        game_words(source, first + k, words, dice)
        for swapped in range(rows.shape[1]):
            for seat in range(2):
                make_seed(box, dice, seat ^ swapped if twice else NONE, seat)
            bring_lists(s, lists, k % len(lists))
            log.n = 0
            deal(s, cards, ed, luck, log, words)
            play_game(
                s, views, seen, cards, net, ed, luck, n_kinds, decks, count, b, tree, nodes, steps, world,
                silent, t, box, plans, swapped, dice, log, notes, rows[k, swapped],
            )  # fmt: skip
