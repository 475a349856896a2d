"""The search: many supposed duels, and a tree of what both players' choices led to in them.

At the root one player's moves are all tried in the same supposed world, with the same luck and against the
same choice of the other, so that they differ by nothing but themselves; then it is weighed how much each
is regretted not to have been made (regret matching). A choice that could be foreseen would be answered, so
what comes out is a mixture. Deeper down a node is a history of pairs of choices, whatever was drawn or
supposed on the way, and each player chooses by upper bounds (UCT), without knowing the other's choice (D6).
"""

import numpy as np

from coyote.bots.duel.belief import suppose
from coyote.bots.duel.judge import judge, propose, take_in
from coyote.bots.duel.thumb import MOST_TURNS, SUMS, look, weigh_all, worth
from coyote.games.duel import cards as c
from coyote.games.duel.editions import MOST_HAND
from coyote.games.duel.rules import FIRST_PLAY, HOLD, legal, settle, winner
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE, other

MOVES = 1 + MOST_HAND
MOST_KNOWN = 32  # different moves of a player that a node remembers; further ones are played, not learned
DEPTH = 12  # turns of a simulation that the tree remembers; the step after them is the root's
NODES = np.int64(1 << 17)
HASHES = np.int64(1 << 18)
SLOTS = np.int64(1 << 20)  # moves that all nodes together remember
ROOM_FOR_NODES = SLOTS - (SLOTS >> np.int64(3))  # the rest is for further moves of nodes that are there
FINE = np.int64(1 << 30)
HABITS = 256  # moves of a player whose habits are told apart; further ones share them

NODE = record_dtype(
    [
        ("n", np.int16, 2),  # how many moves of each player are known here
        ("first", np.int32, 2),  # their slots: each tells the next one
        ("last", np.int32, 2),
        ("times", np.float32),  # simulations that came here
        ("won", np.float32),  # what seat 0 won in them
        ("place", np.int32),  # where it is written down that it is a child
    ]
)

STEP = record_dtype(  # one turn of a simulation, to learn from
    [
        ("node", np.int64),
        ("n", np.int64, 2),
        ("slot", np.int64, (2, MOVES)),  # the legal moves' slots, or NONE
        ("chance", np.float64, (2, MOVES)),
        ("picked", np.int64, 2),  # a place among the legal moves
    ]
)

TREE = record_dtype(
    [
        ("used", np.int64),  # nodes
        ("n_slots", np.int64),
        # a move at a node, by its slot
        ("move", np.int16, int(SLOTS)),
        ("next", np.int32, int(SLOTS)),  # slot of the same player at the same node
        ("visits", np.float32, int(SLOTS)),
        ("total", np.float32, int(SLOTS)),  # what it won in them
        ("seen", np.float32, int(SLOTS)),  # how often it could be chosen
        ("regret", np.float32, int(SLOTS)),  # at the root
        ("share", np.float32, int(SLOTS)),  # at the root: sum of the chances that it had
        # the whole search
        ("worlds", np.int64),  # supposed so far
        ("key", np.int64, int(HASHES)),  # of a child: its parent, and the two choices
        ("child", np.int32, int(HASHES)),
        ("tried", np.float32, (2, HABITS)),  # moves below the root, wherever they were made first
        ("better", np.float32, (2, HABITS)),  # and how much better they were than thought, on average
        # settings
        ("explore", np.float64),  # how far bounds lie above what was won
        ("judged", np.int64),  # 1: by the net, 0: by health and what is still to come
        ("proposed", np.int64),  # 1: the net says where to look first, 0: rules of thumb do
        ("turns", np.int64),  # that a playout goes on for
        ("glances", np.int64),  # how many moves come to mind in a playout
        ("prior", np.float64),  # how many simulations the first sight counts for, below the root
        ("level", np.int64),  # 1: they count from what the node has won so far, 0: from a half
        (
            "habit",
            np.float64,
        ),  # first tries of a move until half of what they tell is believed; 0: nothing is
        ("behind", np.float64),  # points by which a move must be behind to be hopeless at first sight
        ("trust", np.float64),  # how much regret the best move at first sight begins with, at the root
        ("theirs", np.int64),  # in one world of so many the other player's moves are tried
        ("clear", np.float64),  # how far behind, after one look, a move is clearly worse
        ("least", np.float64),  # moves that the mixture has less often than this part of the most frequent
        (
            "near",
            np.float64,
        ),  # or that won less than the best by this, by the root of the looks, are not made
        # scratch
        ("taken_in", np.int64),  # 1: the net has the sums of this very table
        ("due", np.float64, (2, SUMS)),
        ("worth", np.float64, MOVES),
        ("value", np.float64, MOVES),
        ("legal", np.int16, (2, MOVES)),
        ("moves", np.int16, (2, MOVES)),
    ]
)

MILD = 6.0  # points behind at which a move would be chosen a third as often, at first sight
NOT_TRIED = -1.0
ROOT_PRIOR = 0.01  # next to nothing: at the root prejudice would keep a mixture from coming about
FADES = 0.98  # regret of a move that is not tried any more


@rule
def clear(t, nodes):
    """An empty tree with its root."""
    forget_children(t, nodes)
    t.used = t.n_slots = t.worlds = 0
    for seat in range(2):
        for i in range(HABITS):
            t.tried[seat, i] = t.better[seat, i] = 0.0
    add_node(t, nodes)


@rule
def forget_children(t, nodes):
    """Those that were written down: the places are many, and all others are empty."""
    for at in range(1, t.used):
        t.key[nodes[at].place] = NONE


@rule
def add_node(t, nodes):
    at = t.used
    nodes[at].n[0] = nodes[at].n[1] = 0
    nodes[at].times = nodes[at].won = 0.0
    t.used += 1
    return at


@rule
def key_of(node, first, second):
    return (node << np.int64(32)) | (np.int64(first) << np.int64(16)) | np.int64(second)


@rule
def place_of(t, key):
    """Where a child is written down, or where it would be."""
    mask = HASHES - np.int64(1)
    at = ((key * np.int64(0x9E3779B97F4A7C1)) >> np.int64(20)) & mask
    while t.key[at] != NONE and t.key[at] != key:
        at = (at + np.int64(1)) & mask
    return at


@rule
def child_of(t, nodes, key):
    """The node after two choices, which may be added only now; NONE if there is no room for it."""
    place = place_of(t, key)
    if t.key[place] != NONE:
        return np.int64(t.child[place])
    if t.used == len(nodes) or t.n_slots > ROOM_FOR_NODES:
        return NONE
    t.key[place] = key
    t.child[place] = add_node(t, nodes)
    nodes[t.child[place]].place = place
    return np.int64(t.child[place])


# ---------------------------------------------------------------- the moves of a node


@rule
def slot_of(t, node, seat, move):
    """Where a move is remembered, or NONE."""
    slot = np.int64(node.first[seat])
    for _ in range(node.n[seat]):
        if t.move[slot] == move:
            return slot
        slot = np.int64(t.next[slot])
    return NONE


@rule
def add_slot(t, node, seat):
    slot = np.int64(t.n_slots)
    t.n_slots += 1
    if node.n[seat] == 0:
        node.first[seat] = slot
    else:
        t.next[node.last[seat]] = slot
    node.last[seat] = slot
    node.n[seat] += 1
    return slot


@big_rule
def find_slots(t, s, cards, net, ed, node, step, seat, prior):
    """The slots of the legal moves. New ones begin with what is thought at first sight."""
    n = legal(s, seat, t.legal[seat])
    step.n[seat] = n
    weighed = False
    for i in range(n):
        slot = slot_of(t, node, seat, t.legal[seat, i])
        if slot == NONE and node.n[seat] < MOST_KNOWN and t.n_slots < SLOTS:
            if not weighed:
                at_first_sight(t, s, cards, net, ed, seat, n)
                weighed = True
            slot = add_slot(t, node, seat)
            begin_slot(t, node, seat, slot, t.legal[seat, i], best_worth(t, n) - t.worth[i], prior)
        step.slot[seat, i] = slot


@rule
def at_first_sight(t, s, cards, net, ed, seat, n):
    """What the net or the rules of thumb think of each legal move, in points."""
    if t.proposed:
        if not t.taken_in:
            take_in(s, ed, net)
            t.taken_in = 1
        propose(s, net, seat, t.legal[seat], n, t.worth)
        for i in range(n):
            t.worth[i] *= MILD
    else:
        weigh_all(s, cards, ed, t.due, seat, t.legal[seat], n, t.worth)


@rule
def best_worth(t, n):
    best = 0.0
    for i in range(n):
        best = max(best, t.worth[i])
    return best


@rule
def begin_slot(t, node, seat, slot, move, behind, prior):
    """`behind` is how much less is thought of this move, at first sight, than of the best one."""
    t.move[slot] = move
    t.visits[slot] = prior
    expected = hope(t, node, seat) - min(0.4, behind / t.behind) + t.better[seat, move % HABITS]
    t.total[slot] = prior * min(max(expected, 0.0), 1.0)
    t.regret[slot] = t.trust * np.exp(-behind / MILD)
    t.seen[slot] = t.share[slot] = 0.0


@rule
def hope(t, node, seat):
    """What a player may expect here, whatever the move."""
    if not t.level or node.times == 0.0:
        return 0.5
    won = np.float64(node.won) / np.float64(node.times)
    return won if seat == 0 else 1.0 - won


@rule
def mean(t, slot):
    return np.float64(t.total[slot]) / np.float64(t.visits[slot])


@rule
def all_known(step, seat):
    known = True
    for i in range(step.n[seat]):
        known &= step.slot[seat, i] != NONE
    return known


@big_rule
def choose(t, step, seat, dice):
    """The highest of what each move won, and might still win for all we know."""
    if not all_known(step, seat):
        step.picked[seat] = roll(dice, 0, step.n[seat])
        return
    best = -1.0
    for i in range(step.n[seat]):
        slot = step.slot[seat, i]
        t.seen[slot] += np.float32(1.0)
        doubt = np.log(t.seen[slot] + 2.0) / (t.visits[slot] + 0.5)
        bound = mean(t, slot) + t.explore * np.sqrt(doubt) + 1e-4 * roll(dice, 0, 16)
        if bound > best:
            best = bound
            step.picked[seat] = i


@rule
def find_habit(t, seat, habit, surprise):
    """A move was made for the first time somewhere, and came out so much better than was thought."""
    t.tried[seat, habit] += np.float32(1.0)
    t.better[seat, habit] += np.float32(surprise / (t.tried[seat, habit] + t.habit))


@rule
def note(node, value):
    """Somebody came here, and seat 0 won so much."""
    node.times += np.float32(1.0)
    node.won += np.float32(value)


@rule
def learn(t, step, seat, value):
    slot = step.slot[seat, step.picked[seat]]
    if slot != NONE:
        if t.habit > 0.0 and t.visits[slot] == t.prior:
            find_habit(t, seat, t.move[slot] % HABITS, value - mean(t, slot))
        t.visits[slot] += np.float32(1.0)
        t.total[slot] += np.float32(value)


# ---------------------------------------------------------------- one simulation


@big_rule
def turn(s, cards, ed, luck, log, first, second):
    """D6  Both choose, and the turn is settled."""
    s.choice[0] = first
    s.choice[1] = second
    settle(s, cards, ed, luck, log)


@big_rule
def simulate(t, nodes, steps, s, cards, net, ed, luck, log, dice, first, second):
    """One simulation of a supposed duel, from these choices on; what seat 0 may expect."""
    at, depth, fresh = np.int64(0), 0, NONE
    while True:
        turn(s, cards, ed, luck, log, first, second)
        if s.over or depth == DEPTH:
            break
        at = child_of(t, nodes, key_of(at, first, second))
        if at == NONE:
            break
        if nodes[at].times == 0.0:
            fresh = at
            break
        step = steps[depth]
        step.node = at
        depth += 1
        t.taken_in = 0
        for seat in range(2):
            find_slots(t, s, cards, net, ed, nodes[at], step, seat, t.prior)
            choose(t, step, seat, dice)
        first, second = np.int64(t.legal[0, step.picked[0]]), np.int64(t.legal[1, step.picked[1]])
    value = play_out(t, s, cards, net, ed, luck, log, dice)
    if fresh != NONE:
        note(nodes[fresh], value)
    for i in range(depth):
        note(nodes[steps[i].node], value)
        learn(t, steps[i], 0, value)
        learn(t, steps[i], 1, 1.0 - value)
    return value


@big_rule
def play_out(t, s, cards, net, ed, luck, log, dice):
    """Some turns by rules of thumb, and what seat 0 may expect after them."""
    for _ in range(t.turns):
        if s.over:
            break
        look(s, cards, ed, t.due)
        first = by_thumb(t, s, cards, ed, 0, dice)
        second = by_thumb(t, s, cards, ed, 1, dice)
        turn(s, cards, ed, luck, log, first, second)
    return outcome(t, s, cards, net, ed)


@big_rule
def by_thumb(t, s, cards, ed, seat, dice):
    """The best of a few moves that come to mind: quicker than all of them, and not always the same."""
    n = legal(s, seat, t.legal[seat])
    best, most = np.int64(HOLD), 0.0
    for _ in range(t.glances if n > 1 else 0):
        move = np.int64(t.legal[seat, 1 + roll(dice, 0, n - 1)])
        if move != best:
            value = worth(s, cards, ed, t.due, seat, move - FIRST_PLAY)
            if value > most:
                best, most = move, value
    return best


# ---------------------------------------------------------------- who is ahead

# From games of the rules of thumb: what a point of an effect still to come is worth in points of health.
# How many cards a hand holds turned out to be worth nothing, since one is played a turn and one is drawn,
# except that there should be one.
TO_COME = (0.62, 0.65, 0.22)  # Attack, Heal, Block
ON_CONDITION = 0.3
COUNTED = 4.0  # D24: how many cards are usually counted
ALL_BLOCKED = 10.0
EMPTY = 10.0
WORN = 0.5  # a point of the maximum (D14)
STEEP, CALM = 2.76, 20.0  # the lower health is, the more a lead means


@rule
def outcome(t, s, cards, net, ed):
    """The chance of seat 0 to win, a draw counted half."""
    if s.over:
        won = winner(s)
        return 0.5 if won == NONE else (1.0 if won == 0 else 0.0)
    if t.judged:
        return judge(s, ed, net)
    return by_health(s, cards, ed)


@rule
def by_health(s, cards, ed):
    """Where there is no net: who is healthier, with all that is still to come."""
    lead = strength(s, cards, ed, 0) - strength(s, cards, ed, 1)
    return 1.0 / (1.0 + np.exp(-STEEP * lead / (0.5 * (s.health[0] + s.health[1]) + CALM)))


@big_rule
def strength(s, cards, ed, seat):
    """Health, and what is still to come from cards in play."""
    total = s.health[seat] + WORN * s.max_health[seat] - (EMPTY if s.in_hand[seat] == 0 else 0.0)
    for i in range(s.in_play[seat]):
        kind = np.int64(s.play[seat, i])
        for row in range(cards[kind, c.FROM], cards[kind, c.UNTIL]):
            if cards[row, c.ACTION] < len(TO_COME):
                total += to_come(s, cards, ed, row, seat, i)
    return total


@rule
def to_come(s, cards, ed, row, seat, i):
    """D22  All turns that an effect is still due, in points of health for the card's owner."""
    turns = cards[row, c.LAST_DUE] - max(cards[row, c.FIRST], s.age[seat, i]) + 1
    if turns <= 0:
        return 0.0
    action = cards[row, c.ACTION]
    amount = cards[row, c.AMOUNT] * (1.0 if cards[row, c.PER] == c.ONCE else COUNTED)
    if action == c.BLOCK:
        amount = ALL_BLOCKED if cards[row, c.AMOUNT] == c.BLOCK_ALL else min(amount, ALL_BLOCKED)
    if cards[row, c.CONDITION] != c.ALWAYS:
        amount *= ON_CONDITION
    return TO_COME[action] * amount * min(turns, MOST_TURNS) * (-1.0 if cards[row, c.OPPONENT] else 1.0)


# ---------------------------------------------------------------- the root


@big_rule
def search(v, cards, net, ed, b, seat, t, nodes, steps, world, luck, log, dice, n, most):
    """At least n simulations, in whole worlds, but never more than `most`; how many it were."""
    done = 0
    while done < n and done < most:
        suppose(v, cards, ed, b, seat, dice, world[1:])
        t.worlds += 1
        learner = other(seat) if t.worlds % t.theirs == 0 else seat
        done += try_moves(t, nodes, steps, world, cards, net, ed, luck, log, dice, learner, most - done)
    return done


@big_rule
def try_moves(t, nodes, steps, world, cards, net, ed, luck, log, dice, learner, most):
    """The moves of one player against one of the other's, all in world[1] with the same dice."""
    root, step = nodes[0], steps[DEPTH]
    t.taken_in = 0
    for seat in range(2):
        find_slots(t, world[1], cards, net, ed, root, step, seat, ROOT_PRIOR)
        match_regrets(t, step, seat)
        for i in range(step.n[seat]):
            t.moves[seat, i] = t.legal[seat, i]
    they = other(learner)
    answer = np.int64(t.moves[they, draw_from(step.chance[they], step.n[they], dice)])
    same_dice = dice[0]
    done = 0
    for i in range(step.n[learner]):
        t.value[i] = NOT_TRIED
        if done < most and promising(t, step, learner, i, dice):
            world[0] = world[1]
            dice[0] = same_dice
            mine = np.int64(t.moves[learner, i])
            first, second = (mine, answer) if learner == 0 else (answer, mine)
            value = simulate(t, nodes, steps, world[0], cards, net, ed, luck, log, dice, first, second)
            t.value[i] = value if learner == 0 else 1.0 - value
            done += 1
    regret(t, step, learner)
    return done


@rule
def match_regrets(t, step, seat):
    """Chances in the measure in which it is regretted not to have made a move."""
    total = 0.0
    for i in range(step.n[seat]):
        slot = step.slot[seat, i]
        step.chance[seat, i] = 0.0 if slot == NONE else np.float64(t.regret[slot])
        total += step.chance[seat, i]
    for i in range(step.n[seat]):
        step.chance[seat, i] = step.chance[seat, i] / total if total > 0.0 else 1.0 / step.n[seat]


@rule
def draw_from(chances, n, dice):
    at = roll(dice, 0, FINE) / FINE
    for i in range(n - 1):
        at -= chances[i]
        if at < 0.0:
            return i
    return n - 1


@rule
def promising(t, step, seat, i, dice):
    """Moves that do clearly worse than the best one are tried only now and then."""
    slot = step.slot[seat, i]
    if slot == NONE:
        return False
    best = 0.0
    for j in range(step.n[seat]):
        if step.slot[seat, j] != NONE:
            best = max(best, mean(t, step.slot[seat, j]))
    behind = best - mean(t, slot)
    return behind < t.clear / np.sqrt(t.visits[slot] + 1.0) or roll(dice, 1, 8) == 0


@rule
def regret(t, step, seat):
    """What each move won more than the mixture did; none is below 0. Later worlds count more in the end."""
    usual = weight = 0.0
    for i in range(step.n[seat]):
        if t.value[i] != NOT_TRIED:
            usual += step.chance[seat, i] * t.value[i]
            weight += step.chance[seat, i]
    usual = usual / weight if weight > 0.0 else 0.5
    for i in range(step.n[seat]):
        if step.slot[seat, i] != NONE:
            t.share[step.slot[seat, i]] += np.float32(t.worlds * step.chance[seat, i])
            add_value(t, step.slot[seat, i], t.value[i], usual)


@rule
def add_value(t, slot, value, usual):
    if value == NOT_TRIED:
        t.regret[slot] *= np.float32(FADES)
        return
    t.visits[slot] += np.float32(1.0)
    t.total[slot] += np.float32(value)
    t.regret[slot] = max(np.float64(t.regret[slot]) + value - usual, 0.0)


# ---------------------------------------------------------------- the answer


@big_rule
def conclude(t, root, seat, thoughts, dice):
    """The place of a move of the mixture; the rarest ones are mostly noise, and are left out."""
    shares = t.value
    best = looks = most = 0.0
    for i in range(thoughts.n):
        slot = slot_of(t, root, seat, thoughts.legal[i])
        shares[i] = t.share[slot]
        thoughts.likely[i] = mean(t, slot)
        thoughts.examined[i] = np.int64(np.rint(t.visits[slot] - ROOT_PRIOR))
        best = max(best, thoughts.likely[i])
        looks = max(looks, np.float64(t.visits[slot]))
    for i in range(thoughts.n):
        if thoughts.likely[i] < best - t.near / np.sqrt(looks + 1.0):
            shares[i] = 0.0
        most = max(most, shares[i])
    picked = drawn(shares, thoughts.n, t.least * most, dice) if most > 0.0 else likeliest(thoughts)
    for i in range(thoughts.n):
        if thoughts.examined[i] == 0:
            thoughts.likely[i] = 0.0
    return picked


@rule
def likeliest(thoughts):
    best = np.int64(0)
    for i in range(1, thoughts.n):
        if thoughts.likely[i] > thoughts.likely[best]:
            best = np.int64(i)
    return best


@rule
def drawn(shares, n, least, dice):
    """A place, the more often the larger its share; none whose share is less than the least."""
    total = 0.0
    for i in range(n):
        total += shares[i] if shares[i] >= least else 0.0
    at = roll(dice, 0, FINE) / FINE * total
    place = np.int64(0)
    so_far = 0.0
    for i in range(n):
        if shares[i] >= least:
            place = np.int64(i)
            so_far += shares[i]
            if so_far > at:
                break
    return place
