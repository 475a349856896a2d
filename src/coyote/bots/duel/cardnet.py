"""What the judge of the duel makes of a card: rows of its first layer, from the card's effects alone.

Each effect is a vector: what it does, how much, to whom, when and on which condition. A small net turns it
into another one, those of a card are added up, and a second small net makes of the sum the card's rows, one
for each place where a card may be and one for playing it. All this is done once for a set of cards, so it
costs a search nothing, and a card that nobody has seen before is judged by what it does.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from coyote.bots.duel.judge import AGES, DECK, FINE, FIRST, HAND, PLAY, ROWS, SIGNS
from coyote.bots.net import Weights
from coyote.games.duel import cards as c

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int16]
Table = npt.NDArray[np.int32]

ACTIONS = 7  # that the net knows; a card does nothing more as far as it can tell
POINTS = 3  # of them change health
POINT = 12.0  # points that a usual card has
MOST_POINTS = 72
MOST_MOVED = 20
FAR = 6  # turns, and what is later is as late
HALF = 50  # places for an effect; as many again where the opponent is the one who acts
EFFECT = 2 * HALF
TRAITS = 2
ROUND = 2048
MOST_WHOLE = 32_767
HOUSE = 7  # house rules that matter to who is ahead
EFFECT_NET, CARD_NET = 64, 48  # how wide the two nets are

SHAPES = {
    "effect": (EFFECT, EFFECT_NET),
    "effect_bias": (EFFECT_NET,),
    "card": (EFFECT_NET + TRAITS, CARD_NET),
    "card_bias": (CARD_NET,),
    "places": (PLAY + 1, CARD_NET + 1, 2 * FIRST),  # the last of the CARD_NET + 1 is for the card itself
    "signs": (SIGNS, 2 * FIRST),
    "always": (FIRST,),
    "house": (HOUSE, FIRST),
}
PROPOSES = {  # may be missing: then rules of thumb say where to look first
    "moves": (CARD_NET + 1, FIRST),
    "hold": (FIRST,),
}


class Entries(NamedTuple):
    """The cards of a set at all ages that matter: row by row what a card is then."""

    of: npt.NDArray[np.int64]  # [kind, age] the entry
    effects: Floats  # a vector for each effect of each entry
    owner: npt.NDArray[np.int64]  # the entry that each of these is of
    traits: Floats  # by entry


def entries_of(table: Table, kinds: int) -> Entries:
    heads, rows = table[:kinds], table[kinds:]
    of = np.zeros((kinds, AGES), np.int64)
    ages: list[npt.NDArray[np.int64]] = []
    effects, owner = [], []
    card_of = np.repeat(np.arange(kinds), heads[:, c.UNTIL] - heads[:, c.FROM])
    n = 0
    for age in range(AGES):
        alive = np.flatnonzero(heads[:, c.LAST] >= age) if age else np.arange(kinds)
        of[:, age] = of[:, age - 1] if age else 0
        of[alive, age] = n + np.arange(len(alive))
        n += len(alive)
        ages.append(alive)
        mine = heads[card_of, c.LAST] >= age if age else np.ones(len(rows), bool)
        effects.append(effect_vectors(rows[mine], age))
        owner.append(of[card_of[mine], age])
    traits = heads[np.concatenate(ages)][:, [c.AUTO, c.SUPER]].astype(np.float32)
    return Entries(of, np.concatenate(effects), np.concatenate(owner), traits)


def effect_vectors(rows: Table, age: int) -> Floats:
    """D20-D24  Effects of cards of this age; those that are due no more are nothing."""
    first, last = rows[:, c.FIRST], rows[:, c.LAST_DUE]
    now = ((first <= age) & (age <= last)).astype(np.float32)
    soon = ((first <= age + 1) & (age + 1 <= last)).astype(np.float32)
    left = np.clip(last - np.maximum(first, age) + 1, 0, FAR).astype(np.float32) / 3
    wait = np.clip(first - age, 0, FAR).astype(np.float32) / 3
    action, amount = rows[:, c.ACTION], rows[:, c.AMOUNT]
    is_all = amount == c.BLOCK_ALL
    points = np.clip(amount, 0, MOST_POINTS) / np.float32(POINT)
    moved = np.clip(amount, 0, MOST_MOVED) / np.float32(4)
    what = [action == number for number in range(ACTIONS)]
    per = [rows[:, c.PER] == number for number in range(1, 4)]
    once = rows[:, c.PER] == c.ONCE
    parts = [np.ones(len(rows)), *what]
    for number in range(POINTS):
        parts += [what[number] * once * points * times for times in (now, soon, left)]
    parts += [is_all * times for times in (now, soon, left)]
    parts += per
    parts += [what[number] * counted * points * left * 3 for number in range(POINTS) for counted in per]
    for loss in (c.DISCARD, c.ASIDE):
        parts += [what[loss] * (rows[:, c.ZONE] == zone) * moved * left for zone in range(4)]
    parts += [what[c.DRAW] * moved * left, now, soon, left, wait]
    parts += [rows[:, c.CONDITION] == number for number in range(1, 5)]
    parts += [np.minimum(rows[:, c.THRESHOLD], 200) / np.float32(50)]
    half = np.stack(parts, axis=1).astype(np.float32) * (left > 0)[:, None]
    theirs = rows[:, c.OPPONENT].astype(np.float32)[:, None]
    return np.concatenate([half * (1 - theirs), half * theirs], axis=1)


def house_of(row: object) -> Floats:
    """D26  The house rules that matter to who is ahead."""
    numbers = [
        getattr(row, name) / usual
        for name, usual in (
            ("health", 100), ("hand", 5), ("hand_limit", 7), ("wear", 5), ("wear_from", 5),
            ("super_deck", 3), ("open_lists", 1),
        )
    ]  # fmt: skip
    return np.array(numbers, np.float32)


# ---------------------------------------------------------------- with a net


class Rows(NamedTuple):
    """What a net makes of a set of cards, as `judge` has it."""

    signs: Floats
    cards: Whole
    hides: Whole
    moves: Floats


def nothing() -> Rows:
    """Where there is no net."""
    signs, cards = np.zeros((1, 2 * FIRST), np.float32), np.zeros((1, 2 * FIRST), np.int16)
    return Rows(signs, cards, cards[:, :FIRST].copy(), signs[:, :FIRST].copy())


def rows_of(entries: Entries, w: Weights) -> Rows:
    """A net that only judges likes all moves alike."""
    cards = card_rows(entries, w)
    moves = move_rows(entries, w) if proposes(w) else nothing().moves
    return Rows(rounded(w["signs"]), cards, hiding_rows(cards), moves)


def fits(weights: Weights) -> bool:
    return has(weights, SHAPES)


def proposes(weights: Weights) -> bool:
    return has(weights, PROPOSES)


def has(weights: Weights, shapes: dict[str, tuple[int, ...]]) -> bool:
    return all(name in weights and weights[name].shape == shape for name, shape in shapes.items())


def of_cards(entries: Entries, w: Weights) -> Floats:
    """What the net makes of each entry."""
    effects = np.maximum(entries.effects @ w["effect"] + w["effect_bias"], 0)
    added = np.zeros((len(entries.traits), EFFECT_NET), np.float32)
    np.add.at(added, entries.owner, effects)
    both = np.concatenate([added, entries.traits], axis=1)
    cards: Floats = np.maximum(both @ w["card"] + w["card_bias"], 0)
    return cards


def in_places(cards: Floats, w: Weights) -> Floats:
    """[place, entry] the rows of the first layer."""
    return cards @ w["places"][:, :-1] + w["places"][:, -1:]


def card_rows(entries: Entries, w: Weights) -> Whole:
    """For each kind of card and each place where it may be."""
    places = in_places(of_cards(entries, w), w)
    rows = np.zeros((len(entries.of), ROWS, 2 * FIRST), np.float32)
    rows[:, :PLAY] = places[:PLAY, entries.of[:, 0]].transpose(1, 0, 2)
    rows[:, PLAY:] = places[PLAY, entries.of]
    return whole(rows.reshape(-1, 2 * FIRST))


def hiding_rows(cards: Whole) -> Whole:
    """For each kind of card what the other's first layer gets when it lies with the deck, and not in the
    hand."""
    rows = cards.reshape(-1, ROWS, 2 * FIRST)[:, :, FIRST:].astype(np.int32)
    return cut(rows[:, DECK] - rows[:, HAND])


def move_rows(entries: Entries, w: Weights) -> Floats:
    """A row for each move: to hold, then the kinds of cards."""
    cards = of_cards(entries, w)[entries.of[:, 0]]
    return rounded(np.concatenate([w["hold"][None], cards @ w["moves"][:-1] + w["moves"][-1:]]))


def always_there(row: object, w: Weights) -> Floats:
    return rounded(w["always"] + house_of(row) @ w["house"])


def whole(rows: Floats) -> Whole:
    """In parts of which FINE make 1: so small that the sums of all cards of a side hardly ever are too large,
    and then they stay at the end."""
    return cut(np.round(rows * FINE))


def cut(numbers: npt.NDArray[Any]) -> Whole:
    made: Whole = np.clip(numbers, -MOST_WHOLE, MOST_WHOLE).astype(np.int16)
    return made


def rounded(rows: Floats) -> Floats:
    """Sums that another machine adds up in another order come to the same."""
    return np.round(rows * ROUND) / np.float32(ROUND)
