"""Practice: games that the policy of Madness plays with itself, and what the judgement thinks of every move.

A player goes by the view alone, but whoever looks on sees both hands. So at each decision every move is
tried on the real table, and the judgement, which sees all of it, says what came of it: one game tells of all
moves and not of those alone that were made. On average over the hands that look alike to the player, that is
what the moves are worth to somebody who cannot see the other hand. For training only
(`tools/train_madness.py`); nobody who plays needs it.
"""

import numpy as np

from coyote.bots.madness.ending import step
from coyote.bots.madness.fold import list_moves
from coyote.bots.madness.nets import judge_by_net, weigh_moves
from coyote.bots.madness.tree import result_of
from coyote.games.madness.rules import deal, decider
from coyote.games.madness.state import OVER
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype

MOST_MOVES = 48  # of a decision; the rest of very long lists is not learned from
LONGEST = 1000  # decisions of one game: where there is no room for so many, none is begun
FINE = 1 << 30

LESSON = record_dtype(  # a decision; seat 0's chances are told
    [
        ("which", np.int64),  # of the options
        ("won", np.float32),  # what it got in the end
        ("thought", np.float32),  # what the judgement thought, looking one move ahead
        ("foreseen", np.float32),  # what came of the table, as `foresee` has it
        ("n", np.int16),
        ("worth", np.float32, MOST_MOVES),  # of each move, for the seat that decides
    ]
)


@rule
def worth_of(s, ed, seat, action, world, silent, net, biases, x):
    """What the seat has of a move; `world` is room for one state."""
    world[0] = s
    step(world[0], ed, silent, seat, action)
    worth = result_of(world[0]) if world[0].phase == OVER else judge_by_net(world[0], ed, net, biases, x)
    return worth if seat == 0 else 1.0 - worth


@rule
def write_lesson(s, ed, seat, n, world, silent, net, biases, x, lesson):
    """The worth of each listed move. How likely each is stands in x.weights."""
    lesson.n = min(n, MOST_MOVES)
    mean = total = 0.0
    for i in range(lesson.n):
        action = np.int64(x.actions[i])
        lesson.worth[i] = worth_of(s, ed, seat, action, world, silent, net, biases, x)
        mean += x.weights[i] * lesson.worth[i]
        total += x.weights[i]
    lesson.thought = mean / total if seat == 0 else 1.0 - mean / total


@rule
def any_of(x, n, dice):
    """The place of a move, the more often the likelier it is."""
    at = roll(dice, 0, FINE) / FINE
    for i in range(n - 1):
        at -= x.weights[i]
        if at < 0.0:
            return i
    return n - 1


@rule
def foresee(lessons, first, end, won, reach):
    """Write what is to be learned of each table of a game.

    It is what was thought at the later decisions and, at last, the result, each counted `reach` times as much
    as the one before it.
    """
    ahead = won
    for k in range(end - 1, first - 1, -1):
        lessons[k].won = won
        lessons[k].foreseen = ahead
        ahead = (1.0 - reach) * lessons[k].thought + reach * ahead


@rule
def play_lesson(s, ed, net, biases, x, world, silent, dice, reach, tables, lessons, at):
    """A dealt game to its end; where the lessons go on."""
    first = at
    while s.phase != OVER:
        seat = decider(s)
        n = list_moves(s, ed, seat, x)
        picked = 0
        if n > 1:
            weigh_moves(s, ed, seat, net, biases, x, n)
            tables[at] = s
            write_lesson(s, ed, seat, n, world, silent, net, biases, x, lessons[at])
            picked = any_of(x, n, dice)
            at += 1
        step(s, ed, silent, seat, np.int64(x.actions[picked]))
    foresee(lessons, first, at, result_of(s), reach)
    return at


@big_rule
def play_lessons(table, eds, biases, net, x, world, silent, source, words, dice, n, reach, tables, lessons):
    """The first n games of a series, by each of these options in turn; how many lessons there are."""
    at = 0
    for k in range(n):
        if at + LONGEST <= len(lessons):
            which = k % len(eds)
            ed, first = eds[which], at
            game_words(source, k, words, dice)
            deal(table[0], ed, words)
            at = play_lesson(
                table[0], ed, net, biases[which], x, world, silent, dice, reach, tables, lessons, at
            )
            for i in range(first, at):
                lessons[i].which = which
    return at
