"""What a seat may know of a duel, as numbers (D18). Only views are read here.

A card is what it does: the vector of its effects, whatever its number or name. In a hand and in play each
card has places of its own, elsewhere the effects of all cards of a pile are added up.
"""

from typing import Any, NamedTuple

import numpy as np

from coyote.envs.layout import MOST, Layout, Part, Parts, size_of, starts_of
from coyote.games.duel import cards as c
from coyote.games.duel.editions import MOST_CARDS, MOST_HAND, OPTIONS
from coyote.games.duel.language import Action, Condition, Per, Zone
from coyote.games.duel.rules import FIRST_PLAY, HOLD, find, is_costly, legal
from coyote.kernel.bits import EMPTY, only
from coyote.kernel.jit import rule
from coyote.kernel.seats import NONE, other

VERSION = 1
USUAL_EFFECTS = 4  # that a card has places for; more where a card of the set has more
IN_PLAY = 6  # cards in play that have places of their own, on either side
N_ACTIONS = 1 + MOST_HAND
ABOVE = "the second place counts what is above 255, up to 510"
RULE_NAMES = ", ".join(["health (two places)", *(option.name for option in OPTIONS[1:])])

EFFECT: Layout = (
    Part("there", 1, 1, "there is an effect", "D20"),
    Part("action", len(Action), 1, ", ".join(Action), "D20"),
    Part("amount", 2, MOST, f"points or cards; {ABOVE}", "D20"),
    Part("all", 1, 1, "block all", "D20"),
    Part("per", len(Per), 1, f"for each card in: {', '.join(Per)}", "D24"),
    Part("zone", len(Zone), 1, f"cards are taken from: {', '.join(Zone)}", "D15"),
    Part("opponent", 1, 1, "the opponent of the card's owner acts", "D21"),
    Part("first", 1, 99, "in how many turns it is due for the first time", "D22"),
    Part("turns", 1, 99, "for how many turns it is due from then on; 0: no more", "D22"),
    Part("condition", len(Condition), 1, ", ".join(Condition), "D23"),
    Part("threshold", 2, MOST, f"of the condition of health; {ABOVE}", "D23"),
)
HEAD: Layout = (
    Part("card", 1, 1, "there is a card", "D1"),
    Part("auto", 1, 1, "it is an Auto", "D5"),
    Part("super", 1, 1, "it is a Super", "D17"),
    Part("leaves", 1, 1, "it is in play and will be set aside when it leaves", "D16"),
)
WAYS = (*Action, "block_all")  # what effects are added up by
PILE: Layout = (
    Part("effects", 2 * len(WAYS), MOST, f"effects: {', '.join(WAYS)}; then after `Opponent:`", "D20"),
    Part("amounts", 2 * len(WAYS), MOST, "their amounts, in the same order; above 255 they are 255", "D20"),
)
PILES = (
    ("my_deck", "my deck: my list without what I see of it"),
    ("my_play", "my cards in play, all of them"),
    ("my_discard", "my discard"),
    ("my_aside", "what I have set aside, a Super that waits included"),
    ("their_unseen", "what I know to be in their hand or deck, from the table or from an open list"),
    ("their_play", "their cards in play"),
    ("their_discard", "their discard"),
    ("their_aside", "what they have set aside"),
)
SIDE: Layout = (
    Part("health", 2, MOST, f"health; {ABOVE}", "D1"),
    Part("maximum", 2, MOST, f"maximum health; {ABOVE}", "D14"),
    Part("deck", 1, MOST_CARDS, "how many cards the deck has", "D18"),
    Part("hand", 1, MOST_HAND, "how many cards the hand has", "D18"),
    Part("play", 1, MOST_CARDS, "how many cards are in play", "D18"),
    Part("discard", 1, MOST_CARDS, "how many cards the discard has", "D18"),
    Part("aside", 1, MOST_CARDS, "how many cards are set aside", "D18"),
    Part("list", 1, MOST_CARDS, "how many cards the deck list has", "D19"),
    Part("decks", 1, MOST, "which deck is being drawn from", "D13"),
    Part("wears", 1, 1, "each draw from it costs maximum health", "D14"),
    Part("waits", 1, 1, "a Super waits for its deck", "D17"),
)
COMMON: Layout = (
    Parts("side", 2, SIDE, "mine and theirs"),
    Part("turns", 1, MOST, "turns, counted from 1", "D4"),
    Part("over", 1, 1, "the game is over", "D3"),
    Part("chosen", N_ACTIONS, 1, "the action that I have sealed", "D6"),
    Part("rules", 1 + len(OPTIONS), MOST, f"the house rules: {RULE_NAMES}", "D26"),
    *(Parts(name, 1, PILE, meaning) for name, meaning in PILES),
)
_AT, _SIDE, _EFFECT = (starts_of(layout) for layout in (COMMON, SIDE, EFFECT))
COMMON_SIZE, SIDE_SIZE, EFFECT_SIZE, HEAD_SIZE, PILE_SIZE = map(size_of, (COMMON, SIDE, EFFECT, HEAD, PILE))
LEAVES = starts_of(HEAD)["leaves"]
TURNS, OVER, CHOSEN, RULES = (_AT[name] for name in ("turns", "over", "chosen", "rules"))
HEALTH, MAXIMUM, DECK, IN_HAND = (_SIDE[name] for name in ("health", "maximum", "deck", "hand"))
PLAYED, DISCARD, ASIDE = (_SIDE[name] for name in ("play", "discard", "aside"))
LIST, DECKS, WEARS, WAITS = (_SIDE[name] for name in ("list", "decks", "wears", "waits"))
FIRST_DUE, TURNS_DUE = _EFFECT["first"], _EFFECT["turns"]
FIRST_PILE = _AT[PILES[0][0]]
PLAY, DISCARDED, SET_ASIDE = range(3)  # zones that are added up


def layout_of(effects):
    """The whole observation, where cards have places for so many effects."""
    card = (*HEAD, Parts("effect", effects, EFFECT, "its effects, in printed order"))
    latest = "cards in play those that entered last, in their order, with what they still do"
    return (
        *COMMON,
        Parts("hand", MOST_HAND, card, "my hand, as the cards came: action 1 + n plays card n"),
        Parts("my_latest", IN_PLAY, card, f"of my {latest}"),
        Parts("their_latest", IN_PLAY, card, f"of their {latest}"),
    )


def hidden_layout_of(effects):
    """What nobody at the table knows: for critics."""
    card = (*HEAD, Parts("effect", effects, EFFECT, "its effects, in printed order"))
    return (Parts("top", 2, card, "the top card of the deck of seat 0, and of seat 1"),)


# ---------------------------------------------------------------- a set of cards, once


def split(number):
    """A number as two places."""
    return [min(number, MOST), min(max(number - MOST, 0), MOST)]


def one_of(number, size):
    """All zero where it is none of them."""
    return [int(number == i) for i in range(size)]


def effect_vector(row):
    """One effect, from its row in the card table."""
    action, amount, taken = row[c.ACTION], row[c.AMOUNT], row[c.ACTION] in (c.DISCARD, c.ASIDE)
    return [
        1,
        *one_of(action, len(Action)),
        *split(max(amount, 0)),
        int(amount == c.BLOCK_ALL),
        *one_of(row[c.PER] - 1, len(Per)),
        *one_of(row[c.ZONE] if taken else NONE, len(Zone)),
        row[c.OPPONENT],
        row[c.FIRST],
        row[c.LAST_DUE] - row[c.FIRST] + 1,
        *one_of(row[c.CONDITION] - 1, len(Condition)),
        *split(row[c.THRESHOLD]),
    ]


def most_effects(table, kinds):
    """How many effects cards have places for."""
    return max([USUAL_EFFECTS, *(head[c.UNTIL] - head[c.FROM] for head in table[:kinds].tolist())])


def card_vectors(table, kinds):
    """For each kind of card its places."""
    rows = table.tolist()
    vectors = np.zeros((kinds, HEAD_SIZE + most_effects(table, kinds) * EFFECT_SIZE), np.uint8)
    for kind, head in enumerate(rows[:kinds]):
        numbers = [1, head[c.AUTO], head[c.SUPER], 0]
        for row in rows[head[c.FROM] : head[c.UNTIL]]:
            numbers += effect_vector(row)
        vectors[kind, : len(numbers)] = numbers
    return vectors


def card_sums(table, kinds):
    """For each kind of card what it adds to a pile."""
    rows = table.tolist()
    sums = np.zeros((kinds, PILE_SIZE), np.int16)
    for kind, head in enumerate(rows[:kinds]):
        for row in rows[head[c.FROM] : head[c.UNTIL]]:
            is_all = row[c.AMOUNT] == c.BLOCK_ALL
            way = (len(Action) if is_all else row[c.ACTION]) + len(WAYS) * row[c.OPPONENT]
            sums[kind, way] += 1
            sums[kind, way + 2 * len(WAYS)] += 0 if is_all else row[c.AMOUNT]
    return np.minimum(sums, MOST)  # forty of them stay below 2**15


class Pen(NamedTuple):
    """What observations are written with: tables of the game, and room."""

    ed: Any
    rules: Any  # the house rules as places
    vectors: Any  # by kind of card
    sums: Any  # by kind of card
    totals: Any  # [owner, zone] the piles in sight, added up
    total: Any  # any pile


def new_pen(game):
    table, kinds = game.table, len(game.ids)
    health, *numbers = (option.number(game.values[option.name]) for option in game.OPTIONS)
    return Pen(
        game.row,
        np.array([*split(health), *numbers], np.uint8),
        card_vectors(table, kinds),
        card_sums(table, kinds),
        np.zeros((2, 3, PILE_SIZE), np.int16),
        np.zeros(PILE_SIZE, np.int16),
    )


# ---------------------------------------------------------------- compiled


@rule
def put_split(out, at, number):
    out[at] = max(min(number, MOST), 0)
    out[at + 1] = max(min(number - MOST, MOST), 0)


@rule
def put_side(out, at, v, ed, owner):
    put_split(out, at + HEALTH, v.health[owner])
    put_split(out, at + MAXIMUM, v.max_health[owner])
    out[at + DECK] = v.in_deck[owner]
    out[at + IN_HAND] = v.in_hand[owner]
    out[at + PLAYED] = v.in_play[owner]
    out[at + DISCARD] = v.in_discard[owner]
    out[at + ASIDE] = v.in_aside[owner]
    out[at + LIST] = v.n_listed[owner]
    out[at + DECKS] = min(v.deck_number[owner], MOST)
    out[at + WEARS] = is_costly(v, ed, owner)
    out[at + WAITS] = v.super[owner] != NONE


# Loops over a pile ask for its length: had they a number that the compiler knows, it would write them out,
# place by place, and not take sixteen at once.


@rule
def add_cards(total, sums, zone, n, owner):
    """Add the cards of a zone to a pile."""
    for i in range(n):
        of_card = sums[zone[owner, i]]
        for k in range(len(total)):
            total[k] += of_card[k]


@rule
def take_away(total, pile):
    for k in range(len(total)):
        total[k] -= pile[k]


@rule
def clear(total):
    for k in range(len(total)):
        total[k] = 0


@rule
def add_up(pen, v):
    """What lies in everybody's sight, by owner and zone: the same from either seat's view."""
    for owner in range(2):
        piles = pen.totals[owner]
        for zone in range(len(piles)):
            clear(piles[zone])
        add_cards(piles[PLAY], pen.sums, v.play, v.in_play[owner], owner)
        add_cards(piles[DISCARDED], pen.sums, v.discard, v.in_discard[owner], owner)
        add_cards(piles[SET_ASIDE], pen.sums, v.aside, v.in_aside[owner], owner)


@rule
def put_side_piles(out, at, totals, total):
    """The three piles in sight, behind `total` without them: what is left of all cards."""
    for zone in range(len(totals)):
        put_total(out, at + (1 + zone) * PILE_SIZE, totals[zone])
        take_away(total, totals[zone])
    put_total(out, at, total)


@rule
def add_list(pen, v, owner, total):
    clear(total)
    add_cards(total, pen.sums, v.listed, v.n_listed[owner], owner)


@rule
def put_my_piles(pen, v, me, of_list, out):
    total = pen.total
    for k in range(len(total)):
        total[k] = of_list[k]
    for i in range(v.in_hand[me]):
        take_away(total, pen.sums[v.hand[me, i]])
    put_side_piles(out, FIRST_PILE, pen.totals[me], total)


@rule
def put_their_piles(pen, v, them, out):
    if pen.ed.open_lists:
        add_list(pen, v, them, pen.total)
    else:
        clear(pen.total)
        add_cards(pen.total, pen.sums, v.shown, v.n_shown[them], them)
    put_side_piles(out, FIRST_PILE + 4 * PILE_SIZE, pen.totals[them], pen.total)


@rule
def put_total(out, at, total):
    pile = out[at : at + len(total)]
    for k in range(len(total)):
        pile[k] = max(min(total[k], MOST), 0)


@rule
def put_card(out, at, vectors, kind):
    card, vector = out[at : at + vectors.shape[1]], vectors[kind]
    for k in range(len(vector)):
        card[k] = vector[k]


@rule
def grow_older(out, at, vectors, age):
    """D22  What a card in play still does: when its effects are due next, and for how long."""
    for start in range(at + HEAD_SIZE, at + vectors.shape[1], EFFECT_SIZE):
        first, turns = np.int64(out[start + FIRST_DUE]), np.int64(out[start + TURNS_DUE])
        soon = max(first - age, 0)
        out[start + FIRST_DUE] = soon
        out[start + TURNS_DUE] = max(first + turns - age - soon, 0)


@rule
def put_play(out, at, v, vectors, owner):
    n = np.int64(v.in_play[owner])
    first = max(n - IN_PLAY, np.int64(0))
    for i in range(first, n):
        put_card(out, at, vectors, v.play[owner, i])
        if v.age[owner, i] > 0:
            grow_older(out, at, vectors, np.int64(v.age[owner, i]))
        out[at + LEAVES] = v.leaves[owner, i]
        at += vectors.shape[1]


@rule
def action_of(v, seat, move):
    """The action that is this move of the game's; NONE where the card is not in the hand."""
    if move == HOLD:
        return np.int64(HOLD)
    place = np.int64(find(v.hand, v.in_hand, seat, move - FIRST_PLAY))
    return NONE if place == NONE else 1 + place


@rule
def put_actions(states, seats, moves, actions):
    for i in range(len(states)):
        actions[i] = action_of(states[i], seats[i], moves[i])


@rule
def move_of(v, seat, action):
    """The game's move that an action is."""
    return np.int64(HOLD) if action == HOLD else np.int64(FIRST_PLAY + v.hand[seat, action - 1])


@rule
def observe(pen, v, seat, of_list, out):
    """Write what the owner of this view may know, when `add_up` has been here; `of_list` is by `add_list`."""
    them = other(seat)
    out[:] = 0
    put_side(out, 0, v, pen.ed, seat)
    put_side(out, SIDE_SIZE, v, pen.ed, them)
    out[TURNS] = min(v.turn, MOST)
    out[OVER] = v.over
    if v.choice[seat] != NONE:
        out[CHOSEN + action_of(v, seat, np.int64(v.choice[seat]))] = 1
    for i in range(len(pen.rules)):
        out[RULES + i] = pen.rules[i]
    put_my_piles(pen, v, seat, of_list, out)
    put_their_piles(pen, v, them, out)
    at, width = COMMON_SIZE, pen.vectors.shape[1]
    for i in range(v.in_hand[seat]):
        put_card(out, at + i * width, pen.vectors, v.hand[seat, i])
    at += MOST_HAND * width
    put_play(out, at, v, pen.vectors, seat)
    put_play(out, at + IN_PLAY * width, v, pen.vectors, them)


@rule
def put_legal(v, seat, moves, out):
    """1 for each legal action, of two copies the one that came first. The same as a set.

    Legal moves come in the order of the hand.
    """
    out[:] = 0
    allowed, place = EMPTY, 0
    for i in range(legal(v, seat, moves)):
        action = 0
        if moves[i] != HOLD:
            while v.hand[seat, place] != moves[i] - FIRST_PLAY:
                place += 1
            action = 1 + place
        out[action] = 1
        allowed |= only(action)
    return allowed


@rule
def put_hidden(pen, s, out):
    out[:] = 0
    for seat in range(2):
        if s.in_deck[seat] > 0:
            put_card(out, seat * pen.vectors.shape[1], pen.vectors, s.deck[seat, s.in_deck[seat] - 1])
