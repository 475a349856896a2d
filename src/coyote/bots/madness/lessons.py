"""Lessons: games that the search of Madness plays with itself, and what it thought at every decision.

For training only (`tools/train_madness.py`); nobody who plays needs it.
"""

import numpy as np

from coyote.bots.madness.ending import step
from coyote.bots.madness.fold import list_moves
from coyote.bots.madness.tree import begin, find_child, grow
from coyote.games.madness.rules import deal, decider, legal, result
from coyote.games.madness.state import OVER
from coyote.games.madness.view import view
from coyote.kernel.bits import ONE
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE

MOST_MOVES = 48  # of a decision; the rest of very long lists is not learned from
LONGEST = 1000  # lessons of one game: where there is no room for so many, none is begun

LESSON = record_dtype(
    [
        ("won", np.float32),  # what seat 0 got in the end
        ("thought", np.float32),  # what the search thought that seat 0 would get
        ("n", np.int16),
        ("folds", np.uint8, MOST_MOVES),  # the moves that could be made, and how often each was looked at
        ("looks", np.uint16, MOST_MOVES),
    ]
)


@rule
def write_lesson(nodes, x, s, ed, seat, lesson):
    """What the search has found; the fold that it looked at most, to be played."""
    n = list_moves(s, ed, seat, x)
    lesson.n = min(n, MOST_MOVES)
    most, best, won, visits = -1, np.int64(0), 0.0, 0
    for i in range(n):
        child = find_child(nodes, 0, x.folds[i])
        looks = nodes[child].visits if child else 0
        if child:
            won += nodes[child].won
            visits += looks
        if looks > most:
            most, best = looks, np.int64(i)
        if i < MOST_MOVES:
            lesson.folds[i] = x.folds[i]
            lesson.looks[i] = looks
    share = won / max(visits, 1)
    lesson.thought = share if seat == 0 else 1.0 - share
    return np.int64(x.actions[best])


@rule
def play_lesson(
    s,
    views,
    ed,
    manner,
    nets,
    nodes,
    x,
    world,
    silent,
    moves,
    dice,
    luck,
    simulations,
    slips,
    tables,
    lessons,
    at,
):
    """A dealt game to its end, with a random move now and then; where the lessons go on."""
    first = at
    while s.phase != OVER:
        seat = decider(s)
        n = legal(s, ed, seat, moves)
        action = np.int64(moves[0])
        if n > 1:
            view(s, seat, views)
            luck[1] += ONE
            begin(nodes, x, luck)
            grow(nodes, x, views[0], seat, ed, silent, manner, nets, world, simulations)
            tables[at] = s
            action = write_lesson(nodes, x, s, ed, seat, lessons[at])
            at += 1
            if roll(dice, 0, 1000) < slips:
                action = np.int64(moves[roll(dice, 1, n)])
        step(s, ed, silent, seat, action)
    winner, _, _ = result(s)
    for i in range(first, at):
        lessons[i].won = 0.5 if winner == NONE else 1.0 - winner
    return at


@big_rule
def play_lessons(
    table, views, ed, manner, nets, nodes, x, world, silent, moves, source, words, dice, luck, first, n,
    simulations, slips, tables, lessons,
):  # fmt: skip
    """Games first, first + 1, … of a series, n at most; how many lessons there are. `slips` of 1,000 moves
    are made at random."""
    at = 0
    for k in range(n):
        if at + LONGEST <= len(lessons):
            game_words(source, first + k, words, dice)
            luck[0], luck[1] = dice[0], dice[1]
            deal(table[0], ed, words)
            at = play_lesson(
                table[0], views, ed, manner, nets, nodes, x, world, silent, moves, dice, luck, simulations,
                slips, tables, lessons, at,
            )  # fmt: skip
    return at
