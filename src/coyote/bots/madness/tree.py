"""Information-set Monte Carlo tree search for Madness.

One tree for everything that the seat does not know: each simulation imagines the hidden cards anew,
walks down the tree by moves that are legal in that world to a node where nobody has been yet, and judges
the table there. A node stands for the moves made so far, folded (see `fold`), as everybody sees them. A Boss
turned up by a push is told apart too: so much hangs on it.

Where to look first and how to judge comes from learned nets (`nets`). Where there is no net, it comes from
habits and signs (`habits`, `judge`); these judge only where a main action is due, so the light policy plays
on to there.
"""

import numpy as np

from coyote.bots.deciding import most_examined
from coyote.bots.madness.ending import step, wins_at_once
from coyote.bots.madness.fold import F_PUSH, F_TURNED_UP, N_FOLDS, first_bare, folded, list_moves
from coyote.bots.madness.habits import N_HABITS, habit_row, surroundings
from coyote.bots.madness.hands import HANDS, take_hand
from coyote.bots.madness.judge import N_SIGNS, judge
from coyote.bots.madness.nets import BIASES, SHEET, judge_by_net, weigh_moves
from coyote.bots.madness.thumb import light
from coyote.games.madness import rules
from coyote.games.madness.actions import MOST_LEGAL, PASS
from coyote.games.madness.cards import rank_of
from coyote.games.madness.state import MAIN, OVER
from coyote.games.madness.view import imagine
from coyote.kernel.bits import ONE
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE, other

MOST_DEEP = 256  # nodes on one way down
TO_THE_END = -1
ALIKE, NOISE = 0.85, 0.005  # of visits, and of the chance to win: so near, two moves are as good as equal

NODE = record_dtype(
    [
        ("fold", np.int16),  # the move that leads here
        ("visits", np.int32),
        ("won", np.float32),  # how much of them whoever made the move won
        ("weight", np.float32),  # how much the move draws the search
        ("child", np.int32),  # the first node below, or 0
        ("beside", np.int32),  # the next node below the same one, or 0
    ]
)

# How a search goes about it. `mind` has the manner that was found best; benchmarks compare others.
MANNER = record_dtype(
    [
        ("explore", np.float64),  # how much a move that was little tried draws the search
        ("modesty", np.float64),  # how much worse than the tried ones an untried move is taken to be
        ("even", np.float64),  # the part of the policy's weight that all moves of a node share alike
        ("has_nets", np.int16),  # 1: nets judge, and say which moves to look at first
        *BIASES,  # of these nets
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
        ("folds", np.int16, MOST_LEGAL),  # the moves to choose from: fold, one action, weight, node or 0
        ("actions", np.int16, MOST_LEGAL),
        ("weights", np.float64, MOST_LEGAL),
        ("entries", np.int32, MOST_LEGAL),
        ("stamp", np.int64),  # stamped[fold] == stamp: the fold is listed, as number place[fold]
        ("stamped", np.int64, N_FOLDS),
        ("place", np.int32, N_FOLDS),
        ("signs", np.float64, N_SIGNS),
        *HANDS,
        *SHEET,
    ]
)


# ---------------------------------------------------------------- the tree


@rule
def weigh_by_habit(s, ed, seat, x, n, manner):
    n_open, losing = surroundings(s, ed, seat)
    for i in range(n):
        x.weights[i] = manner.habits[habit_row(s, ed, seat, n_open, losing, np.int64(x.actions[i]))]


@rule
def share_alike(x, n, part):
    """A policy may be sure and wrong, and it is asked with the first of many hands: all moves get something
    of its weight."""
    for i in range(n):
        x.weights[i] = (1.0 - part) * x.weights[i] + part / n


@big_rule
def weigh(s, ed, seat, x, n, manner, nets):
    """Write how much each listed move draws the search."""
    if manner.has_nets:
        weigh_moves(s, ed, seat, nets[0], manner, x, n)
        share_alike(x, n, manner.even)
    else:
        weigh_by_habit(s, ed, seat, x, n, manner)


@rule
def find_entries(nodes, at, x):
    """The nodes of the listed moves. How many there are, how often they were tried, and what was won."""
    known = visits = 0
    won = 0.0
    child = nodes[at].child
    while child:
        node = nodes[child]
        if x.stamped[node.fold] == x.stamp:
            x.entries[x.place[node.fold]] = child
            known += 1
            visits += node.visits
            won += node.won
        child = node.beside
    return known, visits, won


@rule
def add_entries(nodes, at, s, ed, seat, x, n, manner, nets):
    """Moves that nobody has thought of here yet; in another world others are legal."""
    weigh(s, ed, seat, x, n, manner, nets)
    for i in range(n - 1, -1, -1):
        if x.entries[i] == 0:
            x.entries[i] = add_child(nodes, x, at, x.folds[i], x.weights[i])


@rule
def best_entry(nodes, x, n, visits, won, manner):
    """The place of the move to try next: what won, or what was little tried for its weight.

    Moves that are not legal in this world do not count: neither their visits nor their weights.
    """
    total = 0.0
    for i in range(n):
        total += nodes[x.entries[i]].weight if x.entries[i] else 0.0
    draw = manner.explore * np.sqrt(visits + 1.0) / total
    untried = max(0.0, won / visits - manner.modesty) if visits else 0.5
    best, best_score = np.int64(0), -1.0
    for i in range(n):
        if x.entries[i]:
            node = nodes[x.entries[i]]
            score = node.won / node.visits if node.visits else untried
            score += draw * node.weight / (1.0 + node.visits)
            if score > best_score:
                best, best_score = np.int64(i), score
    return best


@rule
def choose(nodes, at, s, ed, seat, x, manner, nets):
    """The place of the listed move to try next, or NONE where the tree has no room for any."""
    n = list_moves(s, ed, seat, x)
    known, visits, won = find_entries(nodes, at, x)
    if known < n and x.used + n + 1 <= len(nodes):
        add_entries(nodes, at, s, ed, seat, x, n, manner, nets)
        known = n
    if known == 0:
        return NONE
    return best_entry(nodes, x, n, visits, won, manner)


@rule
def find_child(nodes, at, fold):
    child = np.int64(nodes[at].child)
    while child and nodes[child].fold != fold:
        child = np.int64(nodes[child].beside)
    return child


@rule
def add_child(nodes, x, at, fold, weight):
    fresh = np.int64(x.used)
    x.used += 1
    node = nodes[fresh]
    node.fold = fold
    node.visits = node.child = 0
    node.won = 0.0
    node.weight = weight
    node.beside = nodes[at].child
    nodes[at].child = fresh
    return fresh


@rule
def go_to(x, node, seat):
    x.deep += 1
    x.path[x.deep] = node
    x.movers[x.deep] = seat


@rule
def turn_up(nodes, x, s, at):
    """M15  The node of the Boss that a push turned up."""
    fold = F_TURNED_UP + rank_of(s.boss)
    child = find_child(nodes, at, fold)
    return child if child else add_child(nodes, x, at, fold, 1.0)


@rule
def walk_down(nodes, x, s, ed, log, manner, nets):
    """To the first node where nobody has been, or to the end of the game, or as deep as there is room."""
    at = np.int64(0)
    fresh = False
    x.deep = 0
    while not fresh and s.phase != OVER and x.deep + 2 < MOST_DEEP:
        seat = rules.decider(s)
        pick = choose(nodes, at, s, ed, seat, x, manner, nets)
        if pick == NONE:
            break
        left = s.left
        step(s, ed, log, seat, np.int64(x.actions[pick]))
        at = np.int64(x.entries[pick])
        go_to(x, at, seat)
        if x.folds[pick] == F_PUSH and left > 0 and not manner.blind_push and x.used < len(nodes):
            at = turn_up(nodes, x, s, at)
            go_to(x, at, seat)
        fresh = nodes[at].visits == 0


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
def result_of(s):
    """What seat 0 has of a game that is over."""
    winner, _, _ = rules.result(s)
    return 0.5 if winner == NONE else 1.0 - winner


@big_rule
def judgement(s, ed, manner, nets, x):
    """By the net, or by the signs."""
    if not manner.has_nets:
        return judge(s, ed, manner.signs, manner.scale, x.signs)
    return judge_by_net(s, ed, nets[0], manner, x)


@rule
def worth(x, s, ed, log, manner, nets):
    """What seat 0 has of it: the result, or a judgement, by signs only where a main action is due."""
    if not manner.has_nets or manner.turns:
        play_on(x, s, ed, log, manner)
    return result_of(s) if s.phase == OVER else judgement(s, ed, manner, nets, x)


@big_rule
def grow(nodes, x, view, seat, ed, log, manner, nets, world, n):
    """n more simulations from what the seat may know; `world` is room for two states."""
    s, known = world[0], world[1:]
    known[0] = view
    for _ in range(n):
        if not manner.one_world:
            x.seed[0] += ONE
        if x.n_hands:
            known[0].hands[other(seat)] = take_hand(x)
        imagine(known[0], ed, seat, x.seed, world)
        walk_down(nodes, x, s, ed, log, manner, nets)
        walk_up(nodes, x, worth(x, s, ed, log, manner, nets))


# ---------------------------------------------------------------- a search from its beginning to its end


@rule
def begin(nodes, x, dice):
    """Forget the last search."""
    x.used = 1
    x.stamp = x.n_hands = 0
    for fold in range(N_FOLDS):
        x.stamped[fold] = 0
    for i in range(2):
        x.dice[i] = x.seed[i] = dice[i]
    root = nodes[0]
    root.fold = root.visits = root.child = root.beside = 0
    root.won = 0.0


@rule
def proven_win(v, ed, seat, t, world, log):
    """The place of the move, of those that win at once, that was examined most, or NONE."""
    best = NONE
    for i in range(t.n):
        if wins_at_once(v, ed, seat, np.int64(t.legal[i]), world, log):
            t.likely[i] = 1.0
            if best == NONE or t.examined[i] > t.examined[best]:
                best = i
    return best


@rule
def do_something(t, picked):
    """Of moves as good as equal, a person understands one that does something better than a pass."""
    best = NONE
    for i in range(t.n):
        if i != picked and (best == NONE or t.examined[i] > t.examined[best]):
            best = i
    if best == NONE or t.legal[picked] != PASS:
        return picked
    near = (t.examined[best] >= ALIKE * t.examined[picked]) & (t.likely[best] >= t.likely[picked] - NOISE)
    return best if near else picked


@big_rule
def conclude(nodes, v, ed, seat, t, world, log):
    """The place of a move that wins, or of the one that was tried most; moves of one fold share what was
    learned."""
    bare = first_bare(v, ed)
    for i in range(t.n):
        child = find_child(nodes, 0, folded(v, bare, np.int64(t.legal[i])))
        t.examined[i] = nodes[child].visits if child else 0
        t.likely[i] = np.float64(nodes[child].won) / t.examined[i] if t.examined[i] else 0.0
    win = proven_win(v, ed, seat, t, world, log)
    return win if win != NONE else do_something(t, most_examined(t))
