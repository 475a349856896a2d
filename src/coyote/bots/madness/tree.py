"""Information-set Monte Carlo tree search for Madness.

One tree for everything that the seat does not know: each simulation imagines the hidden cards anew,
walks down the tree by moves that are legal in that world, adds one node, plays on to the next main
action with the light policy and judges the table. A node stands for the moves made so far, folded (see
`fold`), as everybody sees them. A Boss turned up by a push is told apart too: so much hangs on it.
"""

import numpy as np

from coyote.bots.deciding import most_examined
from coyote.bots.madness.fold import F_PUSH, F_TURNED_UP, N_FOLDS, first_bare, folded
from coyote.bots.madness.habits import N_HABITS, habit_row, surroundings
from coyote.bots.madness.judge import N_SIGNS, judge
from coyote.bots.madness.thumb import light
from coyote.games.madness import rules
from coyote.games.madness.actions import MOST_LEGAL
from coyote.games.madness.cards import rank_of
from coyote.games.madness.state import MAIN, OVER
from coyote.games.madness.view import imagine
from coyote.kernel.bits import ONE
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE

MOST_DEEP = 256  # nodes on one way down
TO_THE_END = -1
TRIED = -1.0  # in place of the weight of a move that has a node

NODE = record_dtype(
    [
        ("fold", np.int16),  # the move that leads here
        ("visits", np.int32),
        ("won", np.float32),  # how much of them whoever made the move won
        ("child", np.int32),  # the first node below, or 0
        ("beside", np.int32),  # the next node below the same one, or 0
    ]
)

# How a search goes about it. `mind` has the manner that was found best; benchmarks compare others.
MANNER = record_dtype(
    [
        ("explore", np.float64),  # how much a move that was little tried draws the search
        ("modesty", np.float64),  # how much worse than the tried ones an untried move is taken to be
        ("habits", np.float64, N_HABITS),  # which moves to look at first
        ("signs", np.float64, N_SIGNS),  # what to judge the table by
        ("scale", np.float64),  # of a lead: the goal that this was learned for, to the goal played for
        ("turns", np.int16),  # turns played on before the table is judged, or TO_THE_END
        ("at_random", np.int16),  # 1: played on by any moves instead of the light policy
        ("one_world", np.int16),  # 1: the hidden cards are imagined once and for all
        ("blind_push", np.int16),  # 1: a Boss turned up is not told apart
    ]
)

WORK = record_dtype(
    [
        ("used", np.int64),  # nodes of the tree
        ("dice", np.uint64, 2),
        ("seed", np.uint64, 2),  # of the next world
        ("path", np.int32, MOST_DEEP),  # the way down, and who made each move
        ("movers", np.int8, MOST_DEEP),
        ("deep", np.int64),
        ("legal", np.int16, MOST_LEGAL),
        ("folds", np.int16, MOST_LEGAL),  # the moves to choose from: fold, one action, weight
        ("actions", np.int16, MOST_LEGAL),
        ("weights", np.float64, MOST_LEGAL),
        ("stamp", np.int64),  # stamped[fold] == stamp: the fold is listed, as number place[fold]
        ("stamped", np.int64, N_FOLDS),
        ("place", np.int32, N_FOLDS),
        ("signs", np.float64, N_SIGNS),
    ]
)


@big_rule
def step(s, ed, log, seat, action):
    """One copy of the rules for the whole search."""
    rules.act(s, ed, log, seat, action)


# ---------------------------------------------------------------- the tree


@rule
def list_moves(s, ed, seat, x, manner):
    """List the legal moves, one of each fold, with the weight that habit gives them."""
    n_legal = rules.legal(s, ed, seat, x.legal)
    bare = first_bare(s, ed)
    n_open, losing = surroundings(s, ed, seat)
    x.stamp += 1
    n = 0
    for i in range(n_legal):
        action = np.int64(x.legal[i])
        fold = folded(s, bare, action)
        if x.stamped[fold] != x.stamp:
            x.stamped[fold] = x.stamp
            x.place[fold] = n
            x.folds[n] = fold
            x.actions[n] = action
            x.weights[n] = manner.habits[habit_row(s, ed, seat, n_open, losing, action)]
            n += 1
    return n


@rule
def tried_here(nodes, at, x):
    """How often the listed moves were tried, and how much of that was won."""
    visits = 0
    won = 0.0
    child = nodes[at].child
    while child:
        if x.stamped[nodes[child].fold] == x.stamp:
            visits += nodes[child].visits
            won += nodes[child].won
        child = nodes[child].beside
    return visits, won


@rule
def choose(nodes, at, x, n, manner):
    """The listed move to try next, and its node or 0: what won, or what was little tried for its weight.

    Moves that are not legal in this world do not count: neither their visits nor their weights.
    """
    visits, won = tried_here(nodes, at, x)
    total = 0.0
    for i in range(n):
        total += x.weights[i]
    draw = manner.explore * np.sqrt(visits + 1.0) / total
    best, best_node, best_score = np.int64(0), np.int64(0), -1.0
    child = nodes[at].child
    while child:
        node = nodes[child]
        if x.stamped[node.fold] == x.stamp:
            i = x.place[node.fold]
            score = node.won / node.visits + draw * x.weights[i] / (1.0 + node.visits)
            x.weights[i] = TRIED
            if score > best_score:
                best, best_node, best_score = np.int64(i), np.int64(child), score
        child = node.beside
    untried = max(0.0, won / visits - manner.modesty) if visits else 0.5
    for i in range(n):
        if x.weights[i] != TRIED and untried + draw * x.weights[i] > best_score:
            best, best_node, best_score = np.int64(i), np.int64(0), untried + draw * x.weights[i]
    return best, best_node


@rule
def find_child(nodes, at, fold):
    child = np.int64(nodes[at].child)
    while child and nodes[child].fold != fold:
        child = np.int64(nodes[child].beside)
    return child


@rule
def add_child(nodes, x, at, fold):
    fresh = np.int64(x.used)
    x.used += 1
    node = nodes[fresh]
    node.fold = fold
    node.visits = node.child = 0
    node.won = 0.0
    node.beside = nodes[at].child
    nodes[at].child = fresh
    return fresh


@rule
def go_to(x, node, seat):
    x.deep += 1
    x.path[x.deep] = node
    x.movers[x.deep] = seat


@rule
def walk_down(nodes, x, s, ed, log, manner):
    """To the first node that is new, or to the end of the game, or as deep as there is room."""
    at = np.int64(0)
    fresh = False
    x.deep = 0
    while not fresh and s.phase != OVER and x.deep + 2 < MOST_DEEP and x.used + 2 <= len(nodes):
        seat = rules.decider(s)
        pick, child = choose(nodes, at, x, list_moves(s, ed, seat, x, manner), manner)
        fold = x.folds[pick]
        left = s.left
        step(s, ed, log, seat, np.int64(x.actions[pick]))
        fresh = child == 0
        at = add_child(nodes, x, at, fold) if fresh else child
        go_to(x, at, seat)
        if fold == F_PUSH and left > 0 and not manner.blind_push:
            fold = F_TURNED_UP + rank_of(s.boss)
            child = find_child(nodes, at, fold)
            fresh |= child == 0
            at = add_child(nodes, x, at, fold) if child == 0 else child
            go_to(x, at, seat)


@rule
def walk_up(nodes, x, worth):
    """Everybody on the way learns what it came to; `worth` is seat 0's."""
    nodes[0].visits += 1
    for i in range(1, x.deep + 1):
        node = nodes[x.path[i]]
        node.visits += 1
        node.won += worth if x.movers[i] == 0 else 1.0 - worth


# ---------------------------------------------------------------- one simulation


@rule
def play_on(x, s, ed, log, manner):
    """Some turns further, to where a main action is due, or to the end of the game."""
    last = s.turn + manner.turns
    while s.phase != OVER and (s.phase != MAIN or manner.turns == TO_THE_END or s.turn < last):
        seat = rules.decider(s)
        if manner.at_random:
            action = np.int64(x.legal[roll(x.dice, 0, rules.legal(s, ed, seat, x.legal))])
        else:
            action = light(s, ed, seat, x.dice)
        step(s, ed, log, seat, action)


@rule
def worth(x, s, ed, manner):
    """What seat 0 has of it: the result, or a judgement."""
    if s.phase != OVER:
        return judge(s, ed, manner.signs, manner.scale, x.signs)
    winner, _, _ = rules.result(s)
    return 0.5 if winner == NONE else 1.0 - winner


@big_rule
def grow(nodes, x, view, seat, ed, log, manner, world, n):
    """n more simulations from what the seat may know; `world` is room for one state."""
    s = world[0]
    for _ in range(n):
        if not manner.one_world:
            x.seed[0] += ONE
        imagine(view, ed, seat, x.seed, world)
        walk_down(nodes, x, s, ed, log, manner)
        play_on(x, s, ed, log, manner)
        walk_up(nodes, x, worth(x, s, ed, manner))


# ---------------------------------------------------------------- a search from its beginning to its end


@rule
def begin(nodes, x, dice):
    """Forget the last search."""
    x.used = 1
    x.stamp = 0
    for fold in range(N_FOLDS):
        x.stamped[fold] = 0
    for i in range(2):
        x.dice[i] = x.seed[i] = dice[i]
    root = nodes[0]
    root.fold = root.visits = root.child = root.beside = 0
    root.won = 0.0


@big_rule
def conclude(nodes, v, ed, t):
    """The place of the move that was tried most; moves of one fold share what was learned."""
    bare = first_bare(v, ed)
    for i in range(t.n):
        child = find_child(nodes, 0, folded(v, bare, np.int64(t.legal[i])))
        t.examined[i] = nodes[child].visits if child else 0
        t.likely[i] = np.float64(nodes[child].won) / t.examined[i] if t.examined[i] else 0.0
    return most_examined(t)
