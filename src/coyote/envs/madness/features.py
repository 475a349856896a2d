"""What a seat may know of Madness, as numbers (M8). Only views are read here."""

import numpy as np

from coyote.envs.layout import Layout, Part, Parts, size_of, starts_of
from coyote.games.madness.cards import N_CARDS
from coyote.games.madness.editions import MOST_FIELDS, OPTIONS
from coyote.games.madness.rules import decider, legal
from coyote.games.madness.state import COYOTE, OVER, PHASES, REASONS
from coyote.kernel.bits import ONE
from coyote.kernel.jit import rule
from coyote.kernel.seats import NONE, other

VERSION = 1

FIELD: Layout = (
    Part("mine", 1 + N_CARDS, 1, "the top card of my side; place 0: none", "M7"),
    Part("theirs", 1 + N_CARDS, 1, "the top card of their side; place 0: none", "M7"),
    Part("marker", 1 + N_CARDS, 1, "the card that closes the field; place 0: none", "M6"),
    Part("height", 2, N_CARDS, "how many cards lie on my side, and on theirs", "M7"),
    Part("last", 2, 1, "I laid a card last on a side there; they did", "M12"),
    Part("won", 2, 1, "I have won it; they have", "M12"),
    Part("closing", 1, 1, "it closed last, and its Chance is being decided", "M18"),
)  # fmt: skip
LAYOUT: Layout = (
    Part("hand", N_CARDS, 1, "the cards of my hand", "M8"),
    Part("gone", N_CARDS, 1, "the cards shown once and covered since", "M8"),
    Part("boss", N_CARDS, 1, "the Boss", "M14"),
    Part("discard", 1 + N_CARDS, 1, "the top of the discard; place 0: none", "M5"),
    Parts("field", MOST_FIELDS, FIELD, "the battlefields, in their order"),
    Part("phase", len(PHASES), 1, ", ".join(PHASES), "M14"),
    Part("after", 1, 1, "after the Chance that is being decided comes TUT", "M16"),
    Part("turn", 1, 1, "it is my turn", "M14"),
    Part("choice", 1, 1, "the choice is mine", "M18"),
    Part("held", 2, N_CARDS, "how many cards my hand has, and theirs", "M8"),
    Part("left", 1, N_CARDS, "how many cards the deck has", "M8"),
    Part("lead", 2, 20, "my lead, or theirs", "M9"),
    Part("turns", 1, 255, "turns, counted from 1", "M14"),
    Part("dry", 1, 1, "the turn began with an empty deck", "M24"),
    Part("moved", 1, 1, "a card has left a hand in this turn", "M24"),
    Part("idle", 1, 2, "idle turns in a row just before this one", "M24"),
    Part("reason", len(REASONS), 1, f"why the game ended: {', '.join(REASONS)}", "M10"),
    Part("seat", 1, 1, "my seat", "M11"),
    Part("rules", len(OPTIONS), 20, f"the house rules: {', '.join(o.name for o in OPTIONS)}", "M25"),
)  # fmt: skip
SIZE = size_of(LAYOUT)
_AT = starts_of(LAYOUT)
HAND, GONE, BOSS, DISCARD, FIELDS = (_AT[name] for name in ("hand", "gone", "boss", "discard", "field"))
PHASE, AFTER, TURN, CHOICE, HELD = (_AT[name] for name in ("phase", "after", "turn", "choice", "held"))
LEFT, LEAD, TURNS, DRY, MOVED = (_AT[name] for name in ("left", "lead", "turns", "dry", "moved"))
IDLE, REASON, SEAT, RULES = (_AT[name] for name in ("idle", "reason", "seat", "rules"))
FIELD_SIZE = size_of(FIELD)
_IN = starts_of(FIELD)
MINE, THEIRS, MARKER, HEIGHT = (_IN[name] for name in ("mine", "theirs", "marker", "height"))
LAST, WON, CLOSING = (_IN[name] for name in ("last", "won", "closing"))

# What nobody at the table knows: for critics.
HIDDEN_LAYOUT: Layout = (
    Part("depth", N_CARDS, N_CARDS, "by card, how deep it lies in the deck: 1 is the top, 0 not there", "M5"),
)  # fmt: skip


@rule
def put_cards(out, at, cards):
    for card in range(N_CARDS):
        out[at + card] = (cards >> np.uint64(card)) & ONE


@rule
def put_top(out, at, card):
    """The first place is for NONE, which is -1."""
    out[at + 1 + card] = 1


@rule
def put_field(out, at, v, field, seat):
    mine, theirs = seat, other(seat)
    put_top(out, at + MINE, v.tops[field, mine])
    put_top(out, at + THEIRS, v.tops[field, theirs])
    put_top(out, at + MARKER, v.marker[field])
    out[at + HEIGHT] = v.heights[field, mine]
    out[at + HEIGHT + 1] = v.heights[field, theirs]
    out[at + LAST] = v.last[field] == mine
    out[at + LAST + 1] = v.last[field] == theirs
    out[at + WON] = v.winner[field] == mine
    out[at + WON + 1] = v.winner[field] == theirs
    out[at + CLOSING] = (v.phase == COYOTE) & (v.closing == field)


@rule
def observe(v, rules, seat, out):
    """Write what the owner of this view may know; `rules` are the house rules as numbers."""
    out[:] = 0
    put_cards(out, HAND, v.hands[seat])
    put_cards(out, GONE, v.gone)
    out[BOSS + v.boss] = 1
    put_top(out, DISCARD, v.discard)
    for field in range(MOST_FIELDS):
        put_field(out, FIELDS + field * FIELD_SIZE, v, field, seat)
    out[PHASE + v.phase] = 1
    out[AFTER] = (v.phase == COYOTE) & (v.back_to != 0)
    out[TURN] = v.mover == seat
    out[CHOICE] = (v.phase != OVER) & (decider(v) == seat)
    out[HELD] = v.held[seat]
    out[HELD + 1] = v.held[other(seat)]
    out[LEFT] = v.left
    lead = v.lead if seat == 0 else -v.lead
    out[LEAD] = max(lead, 0)
    out[LEAD + 1] = max(-lead, 0)
    out[TURNS] = min(v.turn, 255)
    out[DRY] = v.began_dry
    out[MOVED] = v.moved
    out[IDLE] = v.idle
    if v.reason != NONE:
        out[REASON + v.reason] = 1
    out[SEAT] = seat
    for i in range(len(rules)):
        out[RULES + i] = rules[i]


@rule
def put_legal(v, ed, seat, legal_moves, out):
    """1 for each legal action; actions are the game's own numbers."""
    out[:] = 0
    for i in range(legal(v, ed, seat, legal_moves)):
        out[legal_moves[i]] = 1


@rule
def put_hidden(s, out):
    out[:] = 0
    for i in range(s.left):
        out[s.deck[i]] = s.left - i
