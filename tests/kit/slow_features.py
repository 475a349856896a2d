"""Observations a second time, slowly: each part under its name, from the JSON that programs are told."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from coyote.games.duel.game import Duel
from coyote.games.duel.language import ALL, Action, Condition, Effect, Per, Zone
from coyote.games.duel.sets import Card, CardSet
from coyote.games.game import Game, Json
from coyote.games.madness.cards import NAMES

Named = dict[str, list[int]]

PHASES = ("main", "tut", "coyote", "over")
REASONS = ("lead", "starvation", "endurance", "stall")
MOST_EFFECTS, HAND, LATEST = 4, 10, 6


def slow_features(game: Game, view: Json, seat: int) -> Named:
    return duel(game, view, seat) if isinstance(game, Duel) else madness(game, view, seat)


def rule_numbers(game: Game) -> list[int]:
    """The house rules, a word by its place."""
    found = []
    for option in game.OPTIONS:
        value = game.values[option.name]
        found.append(value if isinstance(value, int) else list(option.allowed).index(value))
    return found


def flags(names: Sequence[Any], wanted: Iterable[Any]) -> list[int]:
    chosen = set(wanted)
    return [int(name in chosen) for name in names]


# ---------------------------------------------------------------- Madness


def madness(game: Game, view: Json, seat: int) -> Named:
    me, them = seat, 1 - seat
    lead = view["lead"] if me == 0 else -view["lead"]
    found = {
        "hand": flags(NAMES, view["hand"]),
        "gone": flags(NAMES, view["memory"]),
        "boss": flags(NAMES, [view["boss"]]),
        "discard": flags((None, *NAMES), [view["discard"]]),
        "phase": flags(PHASES, [view["phase"]]),
        "after": [int(view["back_to"] == "tut")],
        "turn": [int(view["mover"] == me)],
        "choice": [int(view["decider"] == me)],
        "held": [view["held"][me], view["held"][them]],
        "left": [view["deck"]],
        "lead": [max(lead, 0), max(-lead, 0)],
        "turns": [min(view["turn"], 255)],
        "dry": [int(view["began_dry"])],
        "moved": [int(view["moved"])],
        "idle": [view["idle"]],
        "reason": flags(REASONS, [view["reason"]]),
        "seat": [seat],
        "rules": rule_numbers(game),
    }
    bare: Json = {"tops": [None, None], "heights": [0, 0], "last": None, "marker": None, "winner": None}
    for number in range(4):
        field = view["fields"][number] if number < len(view["fields"]) else bare
        for name, value in {
            "mine": flags((None, *NAMES), [field["tops"][me]]),
            "theirs": flags((None, *NAMES), [field["tops"][them]]),
            "marker": flags((None, *NAMES), [field["marker"]]),
            "height": [field["heights"][me], field["heights"][them]],
            "last": flags((me, them), [field["last"]]),
            "won": flags((me, them), [field["winner"]]),
            "closing": [int(view["closing"] == number + 1)],
        }.items():
            found[f"field.{number}.{name}"] = value
    return found


# ---------------------------------------------------------------- the duel


def two(number: int) -> list[int]:
    number = min(max(number, 0), 510)
    return [min(number, 255), max(number - 255, 0)]


def duel(game: Duel, view: Json, seat: int) -> Named:
    cards, me, them = game.card_set, seat, 1 - seat
    found = {
        "turns": [min(view["turn"], 255)],
        "over": [int(view["over"])],
        "chosen": chosen(view),
        "rules": [*two(int(game.values["health"])), *rule_numbers(game)[1:]],
    }
    for number, owner in enumerate((me, them)):
        for name, value in {
            "health": two(view["health"][owner]),
            "maximum": two(view["max"][owner]),
            "deck": [view["deck"][owner]],
            "hand": [view["held"][owner]],
            "play": [len(view["play"][owner])],
            "discard": [len(view["discard"][owner])],
            "aside": [len(view["aside"][owner])],
            "decks": [min(view["deck_number"][owner], 255)],
            "wears": [int(view["wears"][owner])],
            "waits": [int(view["super"][owner] is not None)],
        }.items():
            found[f"side.{number}.{name}"] = value
        found[f"side.{number}.list"] = [all_cards(view, owner)]
    lying = [
        Counter([*(name for name, _ in view["play"][i]), *view["discard"][i], *view["aside"][i]])
        for i in range(2)
    ]
    mine = Counter(view["lists"][me]) - Counter(view["hand"]) - lying[me]
    known = view["shown"][them] if view["lists"][them] is None else view["lists"][them]
    for name, held in {
        "my_deck": mine,
        "my_play": Counter(name for name, _ in view["play"][me]),
        "my_discard": Counter(view["discard"][me]),
        "my_aside": Counter(view["aside"][me]),
        "their_unseen": Counter(known) - lying[them],
        "their_play": Counter(name for name, _ in view["play"][them]),
        "their_discard": Counter(view["discard"][them]),
        "their_aside": Counter(view["aside"][them]),
    }.items():
        found |= pile(cards, name, held)
    room = max([MOST_EFFECTS, *(len(card.program.effects) for card in cards.cards)])
    for place in range(HAND):
        held_card = cards.by_id[view["hand"][place]] if place < len(view["hand"]) else None
        found |= slot(f"hand.{place}", held_card, room)
    for name, owner in (("my_latest", me), ("their_latest", them)):
        lasting = list(zip(view["play"][owner], view["leaves"][owner], strict=True))[-LATEST:]
        for place in range(LATEST):
            card, age, leaves = None, 0, False
            if place < len(lasting):
                (card_id, age), leaves = lasting[place]
                card = cards.by_id[card_id]
            found |= slot(f"{name}.{place}", card, room, age, leaves)
    return found


def all_cards(view: Json, owner: int) -> int:
    """Every card of the list is somewhere."""
    zones = ("discard", "play", "aside")
    return int(view["deck"][owner] + view["held"][owner] + sum(len(view[zone][owner]) for zone in zones))


def chosen(view: Json) -> list[int]:
    if view["chosen"] is None:
        return [0] * (1 + HAND)
    verb, _, name = view["chosen"].partition(" ")
    return flags(range(1 + HAND), [0 if verb == "hold" else 1 + view["hand"].index(name)])


WAYS = (*Action, "block_all")


def way(effect: Effect) -> str:
    return "block_all" if effect.amount == ALL else effect.action


def pile(cards: CardSet, name: str, held: Counter[str]) -> Named:
    effects = [e for card_id in held.elements() for e in cards.by_id[card_id].program.effects]
    ways = [(opponent, one) for opponent in (False, True) for one in WAYS]
    of = [[e for e in effects if (e.opponent, way(e)) == one] for one in ways]
    return {
        f"{name}.effects": [min(len(some), 255) for some in of],
        f"{name}.amounts": [min(sum(max(e.amount, 0) for e in some), 255) for some in of],
    }


def slot(name: str, card: Card | None, room: int, age: int = 0, leaves: bool = False) -> Named:
    effects = card.program.effects if card else ()
    found = {
        f"{name}.card": [int(card is not None)],
        f"{name}.auto": [int(card is not None and card.program.auto)],
        f"{name}.super": [int(card is not None and card.program.super)],
        f"{name}.leaves": [int(leaves)],
    }
    for number in range(room):
        parts = effect(effects[number], age) if number < len(effects) else NO_EFFECT
        found |= {f"{name}.effect.{number}.{part}": value for part, value in parts.items()}
    return found


def effect(e: Effect, age: int) -> Named:
    due = [turn for turn in range(age, 200) if e.first <= turn <= e.last]
    return {
        "there": [1],
        "action": flags(tuple(Action), [e.action]),
        "amount": two(e.amount),
        "all": [int(e.amount == ALL)],
        "per": flags(tuple(Per), [e.per]),
        "zone": flags(tuple(Zone), [e.zone]),
        "opponent": [int(e.opponent)],
        "first": [due[0] - age if due else 0],
        "turns": [len(due)],
        "condition": flags(tuple(Condition), [e.condition]),
        "threshold": two(e.threshold),
    }


NO_EFFECT: Named = {name: [0] * len(value) for name, value in effect(Effect(Action.ATTACK, 1), 99).items()}
