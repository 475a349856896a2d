"""What the net of the duel learns with: cards that nobody has seen, house rules and decks of all kinds.

Piece number k of a course follows from the course's seed and from k.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.games.duel.decks import Deck, faults, random_deck, ready_decks
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.game import Duel
from coyote.games.duel.language import ALL, POINTS, ZONES, Action, Condition, Effect, Per, Program
from coyote.games.duel.pricing import price
from coyote.games.duel.sets import Card, CardSet, Rarity, core_set
from coyote.kernel.seats import NONE
from coyote.text import Refused

PLAIN = 14  # cards of a set that are neither Auto nor Super, at least: a deck is always to be had


# ---------------------------------------------------------------- cards that nobody has seen


def some_effect(rng: Random, scale: float, wild: bool) -> Effect:
    """Anything that the language can say, with amounts of the core set's size times the scale."""
    weights = [9, 4, 5, 3, 3, 2, 1]
    (action,) = rng.choices(list(Action), weights)
    first, turns = some_time(rng, wild)
    amount, per = 0, None
    if action in POINTS:
        if rng.random() < 0.15:
            per = rng.choice(list(Per))
        usual = 3.0 if per else 11.0 / turns**0.6
        amount = max(1, round(scale * usual * rng.uniform(0.4, 1.8)))
        if action is Action.BLOCK and per is None and rng.random() < 0.15:
            amount = ALL
    elif action is not Action.SET_ASIDE_THIS:
        amount = rng.choice((1, 1, 1, 2, 2, 3, 4) if not wild else (1, 1, 2, 3, 5, 10, 20))
    condition = rng.choice(list(Condition)) if rng.random() < 0.22 else None
    return Effect(
        action,
        min(amount, 999),
        per=per,
        zone=rng.choice(ZONES[action]) if action in ZONES else None,
        opponent=action is not Action.SET_ASIDE_THIS and rng.random() < is_theirs(action),
        first=first,
        turns=turns,
        condition=condition,
        threshold=rng.randint(10, 90) if condition is Condition.HEALTH else 0,
    )


def is_theirs(action: Action) -> float:
    """How often the opponent is the one who does it: losses are mostly theirs."""
    return 0.7 if action in (Action.DISCARD, Action.SET_ASIDE) else 0.12


def some_time(rng: Random, wild: bool) -> tuple[int, int]:
    k = rng.choice((2, 2, 3, 3, 4, 5) if not wild else (2, 3, 4, 6, 9, 15))
    return rng.choice(((0, 1),) * 7 + ((1, 1), (k, 1), (0, k), (1, k)))


def changed(effect: Effect, rng: Random, scale: float) -> Effect:
    """A known effect with other numbers, at times at another time or on another condition."""
    if effect.action in POINTS and effect.amount != ALL:
        effect = replace(
            effect, amount=max(1, min(999, round(effect.amount * scale * rng.uniform(0.6, 1.5))))
        )
    if rng.random() < 0.2:
        first, turns = some_time(rng, False)
        effect = replace(effect, first=first, turns=turns)
    if rng.random() < 0.1:
        condition = rng.choice(list(Condition))
        threshold = rng.randint(10, 90) if condition is Condition.HEALTH else 0
        effect = replace(effect, condition=condition, threshold=threshold)
    return effect


def some_program(rng: Random, scale: float, plain: bool) -> Program:
    """Of two thirds of all cards the price is that of usual ones."""
    wild = rng.random() < 0.1
    fits = rng.random() < 0.75
    for _ in range(60):
        if rng.random() < 0.4:
            model = rng.choice(core_set().cards).program
            effects = tuple(changed(effect, rng, scale) for effect in model.effects)
        else:
            count = rng.choice((1, 1, 2, 2, 2, 3))
            effects = tuple(some_effect(rng, scale, wild) for _ in range(count))
        trait = 1.0 if plain else rng.random()
        program = Program(trait < 0.3, 0.3 <= trait < 0.5, effects)
        worth = price(Program(False, False, effects)) / scale
        usual = 5.0 if program.auto else 36.0 if program.super else 11.5
        if wild or not fits or 0.6 * usual < worth < 1.6 * usual:
            return program
    return program


def new_set(rng: Random) -> CardSet:
    scale = float(np.exp(rng.uniform(-0.6, 0.6)))
    cards = []
    for number in range(rng.randint(PLAIN + 6, 60)):
        plain = number < PLAIN or rng.random() < 0.75
        rarity: Rarity = "common" if number < PLAIN or rng.random() < 0.6 else "rare"
        cards.append(Card(f"c{number}", f"c{number}", f"c{number}", rarity, some_program(rng, scale, plain)))
    return CardSet("made", tuple(cards))


# ---------------------------------------------------------------- house rules


def some_rules(rng: Random) -> dict[str, Any]:
    """D26  A few of the rules changed, mostly not far."""
    hand = rng.randint(0, 7)
    changes: dict[str, Any] = {
        "health": rng.choice((20, 30, 40, 50, 60, 80, 120, 150, 200, 250)),
        "hand": min(hand, 5),
        "hand-limit": rng.randint(5, 10),
        "wear": rng.choice((1, 2, 3, 8, 10, 15, 20)),
        "wear-from": rng.randint(2, 8),
        "super-deck": rng.randint(2, 5),
        "copies": rng.randint(1, 4),
        "rare-copies": rng.randint(1, 2),
        "autos": rng.randint(0, 5),
        "open-lists": "yes",
    }
    wanted = rng.sample(sorted(changes), rng.randint(1, 4))
    rules = {name: changes[name] for name in wanted}
    if rng.random() < 0.3:
        least = rng.randint(10, 30)
        rules |= {"deck-min": least, "deck-max": min(MOST_CARDS, least + rng.randint(0, 8))}
    return rules


# ---------------------------------------------------------------- pieces of a course


@dataclass(frozen=True)
class Piece:
    """A game of the duel and the decks of some deals of it."""

    game: Duel
    lists: npt.NDArray[np.int16]  # [deal, seat]


def piece_of(seed: str, number: int, games: int) -> Piece:
    """Half of all with the ready decks, a quarter with others of the core set, a quarter with new cards."""
    rng = Random(f"{seed} {number}")
    kind = ("ready", "core", "ready", "new")[number % 4]
    rules = some_rules(rng) if rng.random() < 0.25 else {}
    game = Duel(card_set=new_set(rng) if kind == "new" else None, **rules)
    try:
        random_deck(game.card_set, Random(0), game.limits)
    except Refused:  # the house rules ask for more cards than there are
        game = Duel(card_set=game.card_set)
    pairs = [two_decks(game, rng, kind == "ready") for _ in range(games)]
    lists = np.full((games, 2, MOST_CARDS), NONE, np.int16)
    for deal, pair in enumerate(pairs):
        for seat, deck in enumerate(pair):
            kinds = sorted(game.kinds[card_id] for card_id in deck.ids())
            lists[deal, seat, : len(kinds)] = kinds
    return Piece(game, lists)


def two_decks(game: Duel, rng: Random, ready: bool) -> Sequence[Deck]:
    """Twice the same in half of all deals."""
    known = [deck for deck in ready_decks().values() if not faults(deck, game.card_set, game.limits)]
    first, second = (
        rng.choice(known) if ready and known else random_deck(game.card_set, rng, game.limits)
        for _ in range(2)
    )
    return (first, first) if rng.random() < 0.5 else (first, second)
