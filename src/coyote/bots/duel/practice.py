"""Practice: duels that the net plays with itself, and what it thinks of every move.

A player goes by what its seat may know, but whoever looks on sees both hands and both choices. So in each
turn every move is tried against the choice that the other has really made, and the net, which sees the whole
table, judges what came of it: one game tells of all moves and not of those alone that were made. For training
only (`tools/train_duel.py`); nobody who plays needs it.
"""

import numpy as np

from coyote.bots.duel.judge import (
    AGES,
    DECK,
    DISCARD,
    HAND,
    PLAY,
    SIGNS,
    WAITS,
    judge,
    list_signs,
    propose,
    take_in,
)
from coyote.bots.duel.tree import MOVES, turn
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.many import bring_lists
from coyote.games.duel.rules import FIRST_PLAY, HOLD, deal, legal, winner
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE, other

PLACES = PLAY + 1
MOST_TURNS = 160  # of a game; longer ones are of no use
FINE = 1 << 30

LESSON = record_dtype(  # a turn, when both owe a choice
    [
        ("signs", np.float32, (2, SIGNS)),
        ("n", np.int16, 2),
        ("n_hand", np.int16, 2),  # of these, they stand first
        ("cards", np.int16, (2, MOST_CARDS)),  # of each side: entry * PLACES + place
        ("thought", np.float32),  # what seat 0 could expect, looking one turn ahead
        ("foreseen", np.float32),  # what came of it, as `foresee` has it
        ("won", np.float32),  # what seat 0 got in the end
        ("n_moves", np.int16, 2),
        ("moves", np.int16, (2, MOVES)),  # their entries, or NONE: to hold
        ("worth", np.float32, (2, MOVES)),  # of each, for whoever makes it
    ]
)

DESK = record_dtype(
    [
        ("legal", np.int16, (2, MOVES)),
        ("likes", np.float64, MOVES),
        ("chances", np.float64, (2, MOVES)),
        ("picked", np.int64, 2),
    ]
)


# ---------------------------------------------------------------- what the net sees of a turn


@rule
def list_zone(zone, n, entries, place, out, at):
    for i in range(n):
        out[at + i] = entries[zone[i], 0] * PLACES + place
    return at + n


@rule
def list_cards(s, entries, seat, lesson):
    """Every card of one side as the net knows it: what it is at its age, and where."""
    out = lesson.cards[seat]
    n = list_zone(s.hand[seat], s.in_hand[seat], entries, HAND, out, 0)
    n = list_zone(s.deck[seat], s.in_deck[seat], entries, DECK, out, n)
    n = list_zone(s.discard[seat], s.in_discard[seat], entries, DISCARD, out, n)
    if s.super[seat] != NONE:
        out[n] = entries[s.super[seat], 0] * PLACES + WAITS
        n += 1
    for i in range(s.in_play[seat]):
        out[n + i] = entries[s.play[seat, i], min(s.age[seat, i], AGES - 1)] * PLACES + PLAY
    lesson.n[seat] = n + s.in_play[seat]
    lesson.n_hand[seat] = s.in_hand[seat]


@rule
def list_moves(s, entries, seat, d, lesson):
    """The legal moves of one side."""
    n = legal(s, seat, d.legal[seat])
    for i in range(n):
        move = np.int64(d.legal[seat, i])
        lesson.moves[seat, i] = NONE if move == HOLD else entries[move - FIRST_PLAY, 0]
    lesson.n_moves[seat] = n


# ---------------------------------------------------------------- a turn


@rule
def choose(s, net, seat, n, d, dice):
    """A move, the more often the more it is liked."""
    propose(s, net, seat, d.legal[seat], n, d.likes)
    total = 0.0
    for i in range(n):
        d.chances[seat, i] = np.exp(d.likes[i])
        total += d.chances[seat, i]
    at = roll(dice, 0, FINE) / FINE
    picked = n - 1
    for i in range(n):
        d.chances[seat, i] /= total
    for i in range(n - 1):
        at -= d.chances[seat, i]
        if at < 0.0:
            picked = i
            break
    d.picked[seat] = picked


@rule
def result_of(s):
    """What seat 0 has of a game that is over."""
    won = winner(s)
    return 0.5 if won == NONE else 1.0 - won


@rule
def worth_of(s, cards, net, ed, luck, silent, world, first, second):
    """What seat 0 has of these two choices; `world` is room for one state."""
    world[0] = s
    turn(world[0], cards, ed, luck, silent, first, second)
    return result_of(world[0]) if world[0].over else judge(world[0], ed, net)


@rule
def weigh(s, cards, net, ed, luck, silent, world, seat, d, lesson):
    """The worth of each move against the choice of the other; their mean, as they are made."""
    theirs = np.int64(d.legal[other(seat), d.picked[other(seat)]])
    mean = 0.0
    for i in range(lesson.n_moves[seat]):
        mine = np.int64(d.legal[seat, i])
        first, second = (mine, theirs) if seat == 0 else (theirs, mine)
        worth = worth_of(s, cards, net, ed, luck, silent, world, first, second)
        lesson.worth[seat, i] = worth if seat == 0 else 1.0 - worth
        mean += d.chances[seat, i] * lesson.worth[seat, i]
    return mean


@big_rule
def write_lesson(s, cards, net, ed, luck, silent, world, entries, d, dice, lesson):
    """A turn as it is learned from; both have chosen then."""
    for seat in range(2):
        list_signs(s, ed, seat, lesson.signs[seat])
        list_cards(s, entries, seat, lesson)
        list_moves(s, entries, seat, d, lesson)
    take_in(s, ed, net)
    for seat in range(2):
        choose(s, net, seat, lesson.n_moves[seat], d, dice)
    mine = weigh(s, cards, net, ed, luck, silent, world, 0, d, lesson)
    theirs = weigh(s, cards, net, ed, luck, silent, world, 1, d, lesson)
    lesson.thought = 0.5 * (mine + 1.0 - theirs)


# ---------------------------------------------------------------- games


@rule
def foresee(lessons, first, end, won, reach):
    """Write what is to be learned of each turn of a game.

    It is what was thought in the later turns and, at last, the result, each counted `reach` times as much as
    the one before it.
    """
    ahead = won
    for k in range(end - 1, first - 1, -1):
        lessons[k].won = won
        lessons[k].foreseen = ahead
        ahead = (1.0 - reach) * lessons[k].thought + reach * ahead


@big_rule
def play_lessons(
    table, cards, net, ed, luck, silent, world, entries, lists, source, words, dice, d, reach, lessons
):
    """A game for each row of lists; how many lessons there are."""
    s = table[0]
    at = 0
    for k in range(len(lists)):
        if at + MOST_TURNS > len(lessons):
            break
        game_words(source, k, words, dice)
        bring_lists(s, lists, k)
        deal(s, cards, ed, luck, silent, words)
        n = at
        while not s.over and n < at + MOST_TURNS:
            write_lesson(s, cards, net, ed, luck, silent, world, entries, d, dice, lessons[n])
            first, second = np.int64(d.legal[0, d.picked[0]]), np.int64(d.legal[1, d.picked[1]])
            turn(s, cards, ed, luck, silent, first, second)
            n += 1
        if s.over:
            foresee(lessons, at, n, result_of(s), reach)
            at = n
    return at
