"""A view of a duel as JSON and back. Everything in it may be shown or told to the seat (D18)."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Literal, TypedDict

import numpy as np

from coyote.games.duel import view
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.rules import FIRST_PLAY, HOLD, clear_table
from coyote.games.duel.state import STATE
from coyote.kernel.record import new, plain
from coyote.kernel.seats import HIDDEN, NONE


class View(TypedDict):
    game: Literal["duel"]
    options: dict[str, int | str]
    full: int  # D1  health at the start
    turn: int
    health: list[int]  # by seat, as everything here that is a pair
    max: list[int]
    held: list[int]  # cards in hand
    deck: list[int]
    deck_number: list[int]
    wears: list[bool]  # D14  whether each further draw costs maximum health
    discard: list[list[str]]  # all zones in the order of coming
    play: list[list[tuple[str, int]]]  # cards with their age
    due: list[
        list[tuple[int | None, int]]
    ]  # beside them: in how many turns each works next, turns left in play
    leaves: list[list[bool]]  # beside them: D16  whether each is set aside when it leaves play
    aside: list[list[str]]
    shown: list[list[str]]  # cards that everybody has seen, also those that are out of sight again
    super: list[str | None]  # D17  the Super that waits
    over: bool
    seat: int
    hand: list[str]
    lists: list[list[str] | None]
    chosen: str | None


# ---------------------------------------------------------------- there


def open_json(v: Any, table: Any, ed: Any, ids: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """All that may be known, so that `read_view` is the way back."""
    p = plain(v)
    due, left = np.zeros((2, MOST_CARDS), np.int64), np.zeros((2, MOST_CARDS), np.int64)
    wears = np.zeros(2, np.int64)
    view.forecast(v, table, ed, due, left, wears)
    return {
        "game": "duel",
        "options": options,
        "full": int(ed.health),
        "turn": p.turn,
        "health": p.health,
        "max": p.max_health,
        "held": p.in_hand,
        "deck": p.in_deck,
        "deck_number": p.deck_number,
        "wears": [bool(costs) for costs in wears],
        "discard": [names(ids, p.discard[owner], p.in_discard[owner]) for owner in range(2)],
        "play": in_play(p, ids),
        "due": [
            [[None if when == NONE else when, turns] for when, turns in zip(whens, lefts, strict=True)]
            for whens, lefts in (
                (due[owner, : p.in_play[owner]].tolist(), left[owner, : p.in_play[owner]].tolist())
                for owner in range(2)
            )
        ],
        "leaves": [[bool(goes) for goes in p.leaves[owner][: p.in_play[owner]]] for owner in range(2)],
        "aside": [names(ids, p.aside[owner], p.in_aside[owner]) for owner in range(2)],
        "shown": [names(ids, p.shown[owner], p.n_shown[owner]) for owner in range(2)],
        "super": [None if kind == NONE else ids[kind] for kind in p.super],
        "over": bool(p.over),
    }


def own_json(v: Any, seat: int, ids: Sequence[str]) -> dict[str, Any]:
    p = plain(v)
    return {
        "seat": seat,
        "hand": names(ids, p.hand[seat], p.in_hand[seat]) if seat >= 0 else [],
        "lists": [
            None if p.listed[owner][0] == HIDDEN else names(ids, p.listed[owner], p.n_listed[owner])
            for owner in range(2)
        ],
        "chosen": None if seat < 0 or p.choice[seat] == NONE else choice_text(p.choice[seat], ids),
    }


def names(ids: Sequence[str], kinds: Sequence[int], n: int) -> list[str]:
    return [ids[kind] for kind in kinds[:n]]


def in_play(p: SimpleNamespace, ids: Sequence[str]) -> list[list[list[Any]]]:
    return [
        [[ids[kind], age] for kind, age in zip(p.play[i][: p.in_play[i]], p.age[i], strict=False)]
        for i in range(2)
    ]


def choice_text(choice: int, ids: Sequence[str]) -> str:
    return "hold" if choice == HOLD else f"play {ids[choice - FIRST_PLAY]}"


# ---------------------------------------------------------------- and back


def read_view(shown: dict[str, Any], seat: int, kinds: Mapping[str, int]) -> Any:
    v = new(STATE)
    clear_table(v)
    v.turn, v.over = shown["turn"], shown["over"]
    for owner in range(2):
        _read_open(v, owner, shown, kinds)
        _read_hidden(v, owner, shown, kinds, owner == seat)
    if shown["chosen"] is not None:
        v.choice[seat] = read_choice(shown["chosen"], kinds)
    return v


def _read_open(v: Any, owner: int, shown: dict[str, Any], kinds: Mapping[str, int]) -> None:
    """What lies open on one side of the table, and its numbers."""
    v.health[owner], v.max_health[owner] = shown["health"][owner], shown["max"][owner]
    v.deck_number[owner] = shown["deck_number"][owner]
    cards = shown["play"][owner]
    v.in_play[owner] = fill(v.play[owner], [kinds[card] for card, _ in cards])
    v.age[owner, : len(cards)] = [age for _, age in cards]
    v.leaves[owner, : len(cards)] = shown["leaves"][owner]
    v.in_discard[owner] = fill(v.discard[owner], [kinds[card] for card in shown["discard"][owner]])
    v.in_aside[owner] = fill(v.aside[owner], [kinds[card] for card in shown["aside"][owner]])
    v.n_shown[owner] = fill(v.shown[owner], [kinds[card] for card in shown["shown"][owner]])
    v.super[owner] = NONE if shown["super"][owner] is None else kinds[shown["super"][owner]]


def _read_hidden(v: Any, owner: int, shown: dict[str, Any], kinds: Mapping[str, int], own: bool) -> None:
    """Decks are hidden from all; the hand is known to its owner, the list to its owner or to all."""
    v.in_deck[owner] = fill(v.deck[owner], [HIDDEN] * shown["deck"][owner])
    hand = [kinds[card] for card in shown["hand"]] if own else [HIDDEN] * shown["held"][owner]
    v.in_hand[owner] = fill(v.hand[owner], hand)
    zones = (v.in_deck, v.in_hand, v.in_discard, v.in_play, v.in_aside)
    cards = sum(int(zone[owner]) for zone in zones)  # every card of a list is in one of them
    listed = shown["lists"][owner]
    row = [HIDDEN] * cards if listed is None else [kinds[card] for card in listed]
    fill(v.listed[owner], row + [NONE] * (MOST_CARDS - cards))
    v.n_listed[owner] = cards


def fill(zone: Any, cards: Sequence[int]) -> int:
    """Lay cards into a blank zone; how many they are."""
    zone[: len(cards)] = cards
    return len(cards)


def read_choice(move: str, kinds: Mapping[str, int]) -> int:
    return HOLD if move == "hold" else FIRST_PLAY + kinds[str(move).removeprefix("play ")]
