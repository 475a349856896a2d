"""How the nets of Madness learn from lessons: backpropagation and Adam, compiled.

The judgement learns what came of a table. The policy learns to make moves that are worth more likely, and
all those that are worth about the same (`slope_of_policy`). The nets are small and few of their inputs are
set, so a million lessons take seconds and no framework is needed. For training only
(`tools/train_madness.py`).
"""

import numpy as np

from coyote.bots.madness.fold import list_moves
from coyote.bots.madness.habits import habit_row, surroundings
from coyote.bots.madness.inputs import put_options, put_own, put_theirs
from coyote.bots.madness.nets import FOCUS, LOOK, NARROW, SHEET, WIDE, add_inputs, second_row
from coyote.bots.madness.practice import MOST_MOVES
from coyote.bots.net import add_row, as_chance, cut_off, dot, layer
from coyote.games.madness.rules import decider
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype

FADE, FADE_SQUARES, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)  # of Adam
FAR = 1e-6  # chances are kept so far from 0 and 1 where their logarithm is taken

DESK = record_dtype(  # a record that began as a sheet does would be taken for one
    [
        ("wide_slope", np.float32, WIDE),
        ("narrow_slope", np.float32, NARROW),
        ("eyes_slope", np.float32, LOOK),
        ("focus_slope", np.float32, FOCUS),
        ("first_rows", np.int64, MOST_MOVES),  # of each move
        ("second_rows", np.int64, MOST_MOVES),
        ("chances", np.float64, MOST_MOVES),
        ("gains", np.float64, MOST_MOVES),
        *SHEET,
    ]
)


@rule
def add_slope(out, row, worth, slope):
    for j in range(len(slope)):
        out[row, j] += worth * slope[j]


@rule
def log_loss(chance, target):
    chance = min(max(chance, FAR), 1.0 - FAR)
    return -target * np.log(chance) - (1.0 - target) * np.log(1.0 - chance)


# ---------------------------------------------------------------- the judgement


@rule
def judge_lesson(s, ed, seat, net, d):
    """The chance of whoever decides."""
    d.n_set = 0
    put_options(d, ed)
    put_own(d, s, ed, seat)
    put_theirs(d, s, ed, seat)
    add_inputs(d, net.first, net.bias, d.wide)
    layer(d.wide, net.second, net.second_bias, d.narrow)
    cut_off(d.narrow)
    return as_chance(dot(d.narrow, net.last) + net.last_bias[0])


@rule
def slope_of_judgement(net, grad, d, error):
    """Add what the error of one lesson says about every weight."""
    grad.last_bias[0] += error
    for j in range(len(d.narrow)):
        grad.last[j] += error * d.narrow[j]
        d.narrow_slope[j] = error * net.last[j] if d.narrow[j] > 0.0 else 0.0
        grad.second_bias[j] += d.narrow_slope[j]
    for i in range(len(d.wide)):
        d.wide_slope[i] = 0.0
        if d.wide[i] > 0.0:
            add_slope(grad.second, i, d.wide[i], d.narrow_slope)
            d.wide_slope[i] = dot(d.narrow_slope, net.second[i])
        grad.bias[i] += d.wide_slope[i]
    for k in range(d.n_set):
        add_slope(grad.first, d.rows[k], d.worths[k], d.wide_slope)


# ---------------------------------------------------------------- the policy


@rule
def score_lesson(s, ed, seat, net, x, d):
    """Write the chance of each move; how many there are."""
    d.n_set = 0
    put_options(d, ed)
    put_own(d, s, ed, seat)
    add_inputs(d, net.look, net.look_bias, d.eyes)
    layer(d.eyes, net.focus, net.focus_bias, d.focus)
    cut_off(d.focus)
    n = min(list_moves(s, ed, seat, x), MOST_MOVES)
    n_open, losing = surroundings(s, ed, seat)
    most = -np.inf
    for i in range(n):
        action = np.int64(x.actions[i])
        a, b = habit_row(s, ed, seat, n_open, losing, action), second_row(s, seat, action)
        d.first_rows[i], d.second_rows[i] = a, b
        score = np.float64(net.moves_bias[a] + net.moves_bias[b])
        d.chances[i] = score + dot(d.focus, net.moves[a]) + dot(d.focus, net.moves[b])
        most = max(most, d.chances[i])
    total = 0.0
    for i in range(n):
        d.chances[i] = np.exp(d.chances[i] - most)
        total += d.chances[i]
    for i in range(n):
        d.chances[i] /= total
    return n


@rule
def gains_of_moves(lesson, d, n, spread):
    """Write how much more than usual each move is worth, where being rare is worth something too: `spread`
    for e times as rare. The mean worth of the moves as they are made now."""
    usual = mean = 0.0
    for i in range(n):
        d.gains[i] = lesson.worth[i] - spread * np.log(max(d.chances[i], FAR))
        usual += d.chances[i] * d.gains[i]
        mean += d.chances[i] * lesson.worth[i]
    for i in range(n):
        d.gains[i] -= usual
    return mean


@rule
def slope_of_policy(net, grad, d, n, share):
    """Moves that gain become likelier, in the measure in which they are made: the policy's gradient."""
    for j in range(FOCUS):
        d.focus_slope[j] = 0.0
    for i in range(n):
        error = np.float32(-d.chances[i] * d.gains[i] * share)
        for row in (d.first_rows[i], d.second_rows[i]):
            grad.moves_bias[row] += error
            add_slope(grad.moves, row, error, d.focus)
            add_row(d.focus_slope, net.moves, row, error)
    for j in range(FOCUS):
        d.focus_slope[j] = d.focus_slope[j] if d.focus[j] > 0.0 else 0.0
        grad.focus_bias[j] += d.focus_slope[j]
    for i in range(LOOK):
        d.eyes_slope[i] = 0.0
        if d.eyes[i] > 0.0:
            add_slope(grad.focus, i, d.eyes[i], d.focus_slope)
            d.eyes_slope[i] = dot(d.focus_slope, net.focus[i])
        grad.look_bias[i] += d.eyes_slope[i]
    for k in range(d.n_set):
        add_slope(grad.look, d.rows[k], d.worths[k], d.eyes_slope)


@rule
def best_worth(lesson, m):
    best = lesson.worth[0]
    for i in range(1, m):
        best = max(best, lesson.worth[i])
    return best


@big_rule
def study_lessons(tables, lessons, n, eds, net, grad, x, d, spread):
    """The slopes of n lessons come into `grad`. The mean loss of the judgement against how the games ended,
    and how much the best move is worth more than those that are made, on average."""
    loss = behind = 0.0
    for k in range(n):
        s, lesson = tables[k], lessons[k]
        ed, seat = eds[lesson.which], decider(s)
        chance = judge_lesson(s, ed, seat, net, d)
        loss += log_loss(chance, np.float64(lesson.won if seat == 0 else 1.0 - lesson.won))
        target = np.float64(lesson.foreseen if seat == 0 else 1.0 - lesson.foreseen)
        slope_of_judgement(net, grad, d, np.float32((chance - target) / n))
        m = score_lesson(s, ed, seat, net, x, d)
        behind += best_worth(lesson, m) - gains_of_moves(lesson, d, m, spread)
        slope_of_policy(net, grad, d, m, 1.0 / n)
    return loss / n, behind / n


# ---------------------------------------------------------------- one step


@big_rule
def step_by_adam(weights, slopes, means, squares, number, rate, decay):
    """Step number 1, 2, … by the slopes, which are forgotten then; all are flat and float32."""
    steady = np.float32(1.0 / (1.0 - FADE**number))
    steady_squares = np.float32(1.0 / (1.0 - FADE_SQUARES**number))
    for i in range(len(weights)):
        slope = slopes[i]
        means[i] = FADE * means[i] + (1 - FADE) * slope
        squares[i] = FADE_SQUARES * squares[i] + (1 - FADE_SQUARES) * slope * slope
        move = means[i] * steady / (np.sqrt(squares[i] * steady_squares) + TINY)
        weights[i] -= rate * (move + decay * weights[i])
        slopes[i] = 0.0
