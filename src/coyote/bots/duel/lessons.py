"""Duels that the search plays with itself, to learn from: compiled, and written down so that they can be
played again, move by move."""

import numpy as np

from coyote.bots.deciding import one_of_equals
from coyote.bots.duel.belief import believe
from coyote.bots.duel.judge import AGES, DECK, DISCARD, HAND, PLAY, SIGNS, WAITS, list_signs
from coyote.bots.duel.sure import prefer_sure
from coyote.bots.duel.thumb import think
from coyote.bots.duel.tree import MOVES, clear, conclude, search, slot_of, turn
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.many import bring_lists
from coyote.games.duel.rules import FIRST_PLAY, HOLD, deal, legal, winner
from coyote.games.duel.view import view
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE

PLACES = PLAY + 1
MOST_TURNS = 160  # of a game that is written down; longer ones are of no use
FINE = 10_000  # values are written as whole numbers up to this
UNKNOWN = -1  # instead of a value
WHOLE = 250  # shares are written as whole numbers up to this

LESSON = record_dtype(
    [
        ("words", np.uint64, 2),  # where the deal comes from
        ("lists", np.int16, (2, MOST_CARDS)),
        ("turns", np.int16),
        ("winner", np.int16),
        ("move", np.int16, (MOST_TURNS, 2)),
        ("value", np.int16, (MOST_TURNS, 2)),  # what the search of each seat expected for itself
        ("share", np.uint8, (MOST_TURNS, 2, MOVES)),  # of each legal move in the mixture that it found
    ]
)


@rule
def expected(tree, root, seat, t):
    """What the mixture that a search found may expect to win."""
    total = weight = 0.0
    for i in range(t.n):
        slot = slot_of(tree, root, seat, t.legal[i])
        share = np.float64(tree.share[slot])
        if tree.visits[slot] > 0.5:
            total += share * tree.total[slot] / tree.visits[slot]
            weight += share
    return total / weight if weight > 0.0 else 0.5


@rule
def note_shares(tree, root, seat, t, out):
    """How often the mixture has each legal move; nothing at all where no move was weighed."""
    total = 0.0
    for i in range(t.n):
        total += tree.share[slot_of(tree, root, seat, t.legal[i])]
    for i in range(t.n if total > 0.0 else 0):
        out[i] = np.int64(np.rint(WHOLE * tree.share[slot_of(tree, root, seat, t.legal[i])] / total))


@rule
def begin(s, cards, ed, luck, silent, lists, k, source, number, words, dice, lesson):
    game_words(source, number, words, dice)
    for seat in range(2):
        lesson.words[seat] = words[seat]
        for place in range(MOST_CARDS):
            lesson.lists[seat, place] = lists[k, seat, place]
    bring_lists(s, lists, k)
    deal(s, cards, ed, luck, silent, words)


@rule
def end(s, n, lesson):
    """A game that was too long has no turns to learn from."""
    lesson.turns = n if s.over else 0
    lesson.winner = winner(s) if s.over else NONE


@big_rule
def play_lessons(
    table, views, cards, net, ed, luck, n_kinds, decks, count, b, tree, nodes, steps, world, silent, t,
    simulations, slips, lists, source, words, dice, first, lessons,
):  # fmt: skip
    """Games first, first + 1, … of a series; in one of `slips` choices any legal move is made."""
    s = table[0]
    for k in range(len(lessons)):
        lesson = lessons[k]
        begin(s, cards, ed, luck, silent, lists, k, source, first + k, words, dice, lesson)
        n = 0
        while not s.over and n < MOST_TURNS:
            for seat in range(2):
                t.n = legal(s, seat, t.legal)
                view(s, ed, seat, views)
                clear(tree, nodes)
                believe(views[0], cards, ed, n_kinds, decks, seat, count, b)
                most = simulations
                search(
                    views[0], cards, net, ed, b, seat, tree, nodes, steps, world, luck, silent, dice, most,
                    most,
                )  # fmt: skip
                picked = conclude(tree, nodes[0], seat, t, dice)
                picked = prefer_sure(views[0], cards, ed, n_kinds, silent, world, seat, t, picked)
                lesson.value[n, seat] = np.int64(np.rint(FINE * expected(tree, nodes[0], seat, t)))
                note_shares(tree, nodes[0], seat, t, lesson.share[n, seat])
                if roll(dice, 0, slips) == 0:
                    picked = roll(dice, 0, t.n)
                lesson.move[n, seat] = t.legal[picked]
            turn(s, cards, ed, luck, silent, np.int64(lesson.move[n, 0]), np.int64(lesson.move[n, 1]))
            n += 1
        end(s, n, lesson)


@big_rule
def play_by_thumb(
    table, cards, ed, luck, n_kinds, world, silent, due, t, slips, lists, source, words, dice, first, lessons
):
    """The same by rules of thumb alone: thousands of games a second, and nothing is expected of any move."""
    s = table[0]
    for k in range(len(lessons)):
        lesson = lessons[k]
        begin(s, cards, ed, luck, silent, lists, k, source, first + k, words, dice, lesson)
        n = 0
        while not s.over and n < MOST_TURNS:
            for seat in range(2):
                t.n = legal(s, seat, t.legal)
                think(s, cards, ed, n_kinds, silent, world, due, seat, t)
                picked = one_of_equals(t, dice)
                if roll(dice, 0, slips) == 0:
                    picked = roll(dice, 0, t.n)
                lesson.move[n, seat] = t.legal[picked]
                lesson.value[n, seat] = UNKNOWN
            turn(s, cards, ed, luck, silent, np.int64(lesson.move[n, 0]), np.int64(lesson.move[n, 1]))
            n += 1
        end(s, n, lesson)


# ---------------------------------------------------------------- played again

POSITION = record_dtype(  # of which the judge learns, when both owe a choice
    [
        ("signs", np.float32, (2, SIGNS)),
        ("n", np.int16, 2),
        ("cards", np.int16, (2, MOST_CARDS)),  # of each side: entry * PLACES + place
        ("value", np.float32),  # what both searches expected for seat 0, on average
        ("won", np.float32),  # what seat 0 got in the end
        ("left", np.int16),  # turns to the end of the game
        ("n_moves", np.int16, 2),  # of each side; none where no search has weighed them
        ("moves", np.int16, (2, MOVES)),  # their entries, or NONE: to hold
        ("share", np.uint8, (2, MOVES)),  # of each in the mixture
    ]
)


@rule
def list_cards(s, entries, seat, position):
    """Every card of one side as the net knows it: what it is at its age, and where."""
    n = 0
    for i in range(s.in_hand[seat]):
        position.cards[seat, n] = entries[s.hand[seat, i], 0] * PLACES + HAND
        n += 1
    for i in range(s.in_deck[seat]):
        position.cards[seat, n] = entries[s.deck[seat, i], 0] * PLACES + DECK
        n += 1
    for i in range(s.in_discard[seat]):
        position.cards[seat, n] = entries[s.discard[seat, i], 0] * PLACES + DISCARD
        n += 1
    if s.super[seat] != NONE:
        position.cards[seat, n] = entries[s.super[seat], 0] * PLACES + WAITS
        n += 1
    for i in range(s.in_play[seat]):
        age = min(s.age[seat, i], AGES - 1)
        position.cards[seat, n] = entries[s.play[seat, i], age] * PLACES + PLAY
        n += 1
    position.n[seat] = n


@rule
def list_moves(s, entries, seat, shares, legal_moves, position):
    """The legal moves of one side, and how often the search's mixture has each."""
    n = legal(s, seat, legal_moves)
    total = 0
    for i in range(n):
        move = np.int64(legal_moves[i])
        position.moves[seat, i] = NONE if move == HOLD else entries[move - FIRST_PLAY, 0]
        position.share[seat, i] = shares[i]
        total += shares[i]
    position.n_moves[seat] = n if total > 0 else 0


@big_rule
def play_again(lessons, table, cards, ed, luck, silent, entries, positions):
    """Write down every position of these games; how many they are."""
    s = table[0]
    legal_moves = np.zeros(MOVES, np.int16)
    n = 0
    for k in range(len(lessons)):
        lesson = lessons[k]
        for seat in range(2):
            s.n_listed[seat] = 0
            for place in range(MOST_CARDS):
                s.listed[seat, place] = lesson.lists[seat, place]
                s.n_listed[seat] += lesson.lists[seat, place] >= 0
        deal(s, cards, ed, luck, silent, lesson.words)
        won = 0.5 if lesson.winner == NONE else 1.0 - lesson.winner
        for i in range(lesson.turns):
            position = positions[n]
            for seat in range(2):
                list_signs(s, ed, seat, position.signs[seat])
                list_cards(s, entries, seat, position)
                list_moves(s, entries, seat, lesson.share[i, seat], legal_moves, position)
            known = lesson.value[i, 0] != UNKNOWN
            position.value = (lesson.value[i, 0] + FINE - lesson.value[i, 1]) / (2.0 * FINE) if known else won
            position.won = won
            position.left = lesson.turns - i
            n += 1
            turn(s, cards, ed, luck, silent, np.int64(lesson.move[i, 0]), np.int64(lesson.move[i, 1]))
    return n
