"""Random play for tests: styles that reach every kind of ending, and mirrors of states."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from coyote.games.madness.events import END, POINT
from coyote.games.madness.game import Madness
from coyote.kernel.seats import NONE
from coyote.seeds import seed_from, seed_words
from kit.subject import copy_state as copy_state

EDITIONS = ("standard", "classic")

# How much a player likes each kind of move: with cards in the deck, and after it has run out.
# A style without weights takes every legal move with the same chance.
Weights = Mapping[str, float]
STYLES: dict[str, tuple[Weights, Weights] | None] = {
    "uniform": None,
    # Sits on the cards to the end: stall.
    "hoarder": (
        {"pass": 20, "a": 2, "c": 1, "b": 1, "draw": 20, "drop": 3, "push": 4, "steal": 1, "decline": 1},
        {"pass": 6, "a": 1, "c": 1, "b": 1, "draw": 6, "drop": 1, "push": 3, "steal": 1, "decline": 1},
    ),
    # Saves up, then parts with everything: endurance.
    "spender": (
        {"pass": 20, "a": 2, "c": 3, "b": 1, "draw": 20, "drop": 9, "push": 4, "steal": 1, "decline": 1},
        {"pass": 1, "a": 3, "c": 6, "b": 2, "draw": 1, "drop": 20, "push": 1, "steal": 2, "decline": 1},
    ),
    # Goes for points: lead.
    "fighter": (
        {"pass": 1, "a": 12, "c": 2, "b": 30, "draw": 20, "drop": 4, "push": 1, "steal": 6, "decline": 1},
        {"pass": 1, "a": 12, "c": 2, "b": 30, "draw": 1, "drop": 1, "push": 1, "steal": 6, "decline": 1},
    ),
}


def verb_of(move: str) -> str:
    """`a` of `a1 7S`, `drop` of `drop 5C`."""
    return move.split()[0].rstrip("1234")


def choose(style: str, random: Random, legal: Sequence[str], dry: bool) -> str:
    """A move of the sorted legal list, as a player of that style would; `dry`: the deck is empty."""
    weights = STYLES[style]
    if weights is None:
        return random.choice(legal)
    by_verb: dict[str, list[str]] = {}
    for move in legal:
        by_verb.setdefault(verb_of(move), []).append(move)
    verbs = list(by_verb)
    (verb,) = random.choices(verbs, [weights[dry][verb] for verb in verbs])
    return random.choice(by_verb[verb])


def seed_array(text: str) -> Any:
    return seed_words(seed_from(text))


def owner(game: Madness, s: Any) -> int:
    """The one seat that owes a choice."""
    mask = game.actors(s)
    assert mask in (1, 2), mask
    return mask - 1


# ---------------------------------------------------------------- mirrors


def swapped(seat: int) -> int:
    return 1 - seat if seat in (0, 1) else seat


def mirrored(s: Any) -> Any:
    """The same situation with the players in each other's seats."""
    m = copy_state(s)
    for name in ("hands", "held"):
        m[name][:] = s[name][::-1]
    for name in ("tops", "heights"):
        m[name][:] = s[name][:, ::-1]
    for name in ("last", "winner"):
        m[name][:] = [swapped(int(seat)) for seat in s[name]]
    m.mover = swapped(int(s.mover))
    m.lead = -s.lead
    return m


def mirrored_row(row: Sequence[int]) -> list[int]:
    """A row of the log with the seats exchanged; points and ends tell the lead last."""
    kind, seat, a, b = row
    return [kind, swapped(seat) if seat != NONE else NONE, a, -b if kind in (POINT, END) else b]
