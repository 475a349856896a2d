"""Lessons for the judge of luck: games that the search plays with itself, and what came of every table.

For training only (`tools/train_luck.py`); nobody who plays or analyses needs it.
"""

import numpy as np

from coyote.analysis.madness.luck import on_average, stands, stands_anywhere
from coyote.bots.madness.ending import step
from coyote.bots.madness.fold import list_moves
from coyote.bots.madness.tree import begin, find_child, grow
from coyote.games.madness.rules import deal, decider, legal, result
from coyote.games.madness.state import MAIN, OVER, TUT
from coyote.games.madness.view import view
from coyote.kernel.bits import ONE
from coyote.kernel.chance import game_words
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE

LONGEST = 1000  # moves of one game: where there is no room for so many, none is begun
LESSON = record_dtype([("action", np.int16), ("game", np.int32), ("won", np.float32)])


@rule
def most_visited(nodes, x, s, ed, seat):
    best, most = np.int64(0), -1
    for i in range(list_moves(s, ed, seat, x)):
        child = find_child(nodes, 0, x.folds[i])
        if child and nodes[child].visits > most:
            best, most = np.int64(x.actions[i]), nodes[child].visits
    return best


@rule
def play_lesson(
    s, views, ed, manner, nets, nodes, x, world, log, moves, dice, simulations, tables, lessons, at, game
):
    """A dealt game to its end; where the lessons go on."""
    first = at
    while s.phase != OVER:
        seat = decider(s)
        tables[at] = s
        n = legal(s, ed, seat, moves)
        action = np.int64(moves[0])
        if n > 1:
            view(s, seat, views)
            dice[1] += ONE
            begin(nodes, x, dice)
            grow(nodes, x, views[0], seat, ed, log, manner, nets, world, simulations[seat])
            action = most_visited(nodes, x, s, ed, seat)
        lessons[at].action, lessons[at].game = action, game
        at += 1
        step(s, ed, log, seat, action)
    winner, _, _ = result(s)
    for i in range(first, at):
        lessons[i].won = 0.5 if winner == NONE else 1.0 - winner
    return at


@big_rule
def play_lessons(
    table, views, ed, manner, nets, nodes, x, world, log, moves, source, words, dice, first, n, simulations,
    tables, lessons,
):  # fmt: skip
    """Games first, first + 1, … of a series, n at most; how many lessons there are."""
    at = 0
    for k in range(n):
        if at + LONGEST <= len(lessons):
            game_words(source, first + k, words, dice)
            deal(table[0], ed, words)
            at = play_lesson(
                table[0], views, ed, manner, nets, nodes, x, world, log, moves, dice, simulations, tables,
                lessons, at, first + k,
            )  # fmt: skip
    return at


@big_rule
def foresee(played, lessons, eds, which, eyes, reach, log, room, tables, targets):
    """Write what is to be learned of each table: what seat 0 won, less the luck of the cards that came later.

    That has the mean of the result, whatever the luck is told by, and less noise: so fewer games teach as
    much. Where `reach` is less than 1, what the judge thought of the later turns is mixed in, each counted
    `reach` times as much as the one before it.
    """
    ahead = 0.0
    t = tables[3]
    for k in range(len(lessons) - 1, -1, -1):
        s, ed, eye = played[k], eds[which[k]], eyes[which[k]]
        if k + 1 == len(lessons) or lessons[k + 1].game != lessons[k].game:
            ahead = np.float64(lessons[k].won)
        if s.phase == TUT and s.left > 0:
            seat, action = decider(s), np.int64(lessons[k].action)
            decided = on_average(s, ed, log, seat, action, eye, room, tables)
            tables[3] = s
            step(t, ed, log, seat, action)
            ahead -= stands_anywhere(t, ed, log, eye, room, tables) - decided
        targets[k] = ahead
        if reach < 1.0 and s.phase == MAIN:
            ahead = (1.0 - reach) * stands(s, ed, eye) + reach * ahead
