"""A view from its JSON form: the exact way back from `Duel.sight`, for bots that are other programs."""

from collections.abc import Mapping, Sequence
from typing import Any

from coyote.games.duel.rules import FIRST_PLAY, HOLD, clear_table
from coyote.games.duel.state import MOST_CARDS, STATE
from coyote.games.game import Json, Record
from coyote.kernel.record import new
from coyote.kernel.seats import HIDDEN, NONE


def view_from_sight(shown: Json, seat: int, kinds: Mapping[str, int]) -> Record:
    """The record whose sight this is; KeyError, ValueError or TypeError where it is none."""
    v = new(STATE)
    clear_table(v)
    v.turn, v.over = shown["turn"], shown["over"]
    v.open_lists = bool(shown["options"].get("open-lists"))
    for owner in range(2):
        _open(v, owner, shown, kinds)
        _hidden(v, owner, shown, kinds, owner == seat)
    if shown["chosen"] is not None:
        v.choice[seat] = choice_of(shown["chosen"], kinds)
    return v


def _open(v: Record, owner: int, shown: Json, kinds: Mapping[str, int]) -> None:
    """What lies open on one side of the table, and its numbers."""
    v.health[owner], v.top[owner] = shown["health"][owner], shown["max"][owner]
    v.deck_number[owner] = shown["deck_number"][owner]
    in_play = shown["play"][owner]
    v.in_play[owner] = fill(v.play[owner], [kinds[card] for card, _ in in_play])
    v.age[owner, : len(in_play)] = [age for _, age in in_play]
    v.in_discard[owner] = fill(v.discard[owner], [kinds[card] for card in shown["discard"][owner]])
    v.in_aside[owner] = fill(v.aside[owner], [kinds[card] for card in shown["aside"][owner]])
    v.n_shown[owner] = fill(v.shown[owner], [kinds[card] for card in shown["shown"][owner]])
    v.super[owner] = NONE if shown["super"][owner] is None else kinds[shown["super"][owner]]


def _hidden(v: Record, owner: int, shown: Json, kinds: Mapping[str, int], own: bool) -> None:
    """Decks are hidden from all; the hand is known to its owner, the list to its owner or to all."""
    v.in_deck[owner] = fill(v.deck[owner], [HIDDEN] * shown["deck"][owner])
    hand = [kinds[card] for card in shown["hand"]] if own else [HIDDEN] * shown["held"][owner]
    v.in_hand[owner] = fill(v.hand[owner], hand)
    zones = (v.in_deck, v.in_hand, v.in_discard, v.in_play, v.in_aside)
    cards = sum(int(zone[owner]) for zone in zones)  # every card of a list is in one of them
    names = shown["lists"][owner]
    listed = [HIDDEN] * cards if names is None else [kinds[card] for card in names]
    fill(v.listed[owner], listed + [NONE] * (MOST_CARDS - cards))
    v.n_listed[owner] = cards


def fill(zone: Any, cards: Sequence[int]) -> int:
    """Lay cards into a blank zone; how many they are."""
    zone[: len(cards)] = cards
    return len(cards)


def choice_of(move: str, kinds: Mapping[str, int]) -> int:
    return HOLD if move == "hold" else FIRST_PLAY + kinds[move.removeprefix("play ")]
