"""Amounts on cards: which of them may change, the sets that come of it, and those as files one can play.

An amount is called by its card and by the number of its effect in the card's text: `thorns.2` is the 9 of
"Block 8. If attacked: attack 9."
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from coyote.games.duel.decks import Deck, encode
from coyote.games.duel.game import Duel, decks_of
from coyote.games.duel.language import ACTIONS, ALL, LIMITS, POINTS, Effect, Program, language_of, write
from coyote.games.duel.set_file import SetFile
from coyote.games.duel.sets import CORE, LONGEST_NAME, RARITIES, Card, CardSet, parse_set, sounds_official
from coyote.games.game import Game, Json
from coyote.records import written_whole
from coyote.text import LANGUAGES, Refusal, Refused, Words

Decks = Mapping[str, Any]  # by their names: ready ones by name, codes, lists

EVERY: Final = "all"
GROUPS: Final = (EVERY, *RARITIES)  # cards that may be named together
MOST_AMOUNTS: Final = 1000
TUNED: Final = "tuned"  # how a set is called that nobody has written yet
NUMBER: Final = re.compile(r"[+-]?\d{1,4}")


# ---------------------------------------------------------------- which may change


def varied_amounts(base: Game, text: str, decks: Decks) -> dict[str, list[int]]:
    """The amounts that a flag names, and what they may be, where these decks play."""
    if not isinstance(base, Duel):
        raise Refused("lab.amounts.no_cards")
    wanted = decks or {name: name for name in base.settle().names()}
    played = drawn_decks(base, decks)
    is_random = len(played) < len(wanted)
    met = {card for deck in played.values() for card, _ in deck.cards}
    return read_amounts(base.card_set, text, None if is_random else met)


def amounts_of(card: Card) -> dict[str, int]:
    """The amounts of a card by their names; "block all" has none, and neither has "set aside this card".

    >>> from coyote.games.duel.sets import core_set
    >>> amounts_of(core_set().by_id["thorns"]), amounts_of(core_set().by_id["eye-of-storm"])
    ({'thorns.1': 8, 'thorns.2': 9}, {'eye-of-storm.2': 8})
    """
    return {
        f"{card.id}.{number}": effect.amount
        for number, effect in enumerate(card.program.effects, 1)
        if ACTIONS[effect.action].counts and effect.amount != ALL
    }


def read_amounts(cards: CardSet, text: str, played: Container[str] | None = None) -> dict[str, list[int]]:
    """`ember=8..16`, `thorns.2=7,9,11`, `thorns=-2..+2`, `rare=-3..+3`: amounts and their values.

    Numbers with a sign are added to what the card has; a card with several amounts and a group of cards
    take only those. `played` are the cards that are met at all, if not all are: others change nothing.

    >>> from coyote.games.duel.sets import core_set
    >>> read_amounts(core_set(), "ember=11..13"), read_amounts(core_set(), "thorns=-1..+1")
    ({'ember.1': [11, 12, 13]}, {'thorns.1': [7, 8, 9], 'thorns.2': [8, 9, 10]})
    """
    name, equals, listed = text.partition("=")
    values = [value for part in listed.split(",") for value in _values(part.strip())]
    if not equals or not values:
        raise Refused("lab.amounts.form", text=text[:60])
    known = _meant(cards, name, played)
    added = any(sign in listed for sign in "+-")
    if not added and (len(known) > 1 or name in GROUPS):
        raise Refused("lab.amounts.several", name=name, known=", ".join(list(known)[:4]))
    return {one: _within(cards, one, before, values, added) for one, before in known.items()}


def _values(part: str) -> list[int]:
    """One number, or all from one to another; nothing where that is not what stands there."""
    first, dots, last = part.partition("..")
    ends = (first, last) if dots else (part, part)
    if not all(NUMBER.fullmatch(end) for end in ends):
        return []
    return list(range(int(ends[0]), int(ends[1]) + 1))


def _meant(cards: CardSet, name: str, played: Container[str] | None) -> dict[str, int]:
    """The amounts that a name means: of a group of cards, of a card, or one of them."""
    card_id, dot, _ = name.partition(".")
    if name in GROUPS:
        chosen = [card for card in cards.cards if name in (EVERY, card.rarity)]
    elif card := cards.get(card_id):
        chosen = [card]
    else:
        raise Refused("lab.amounts.unknown", name=card_id[:40], set=cards.name, groups=", ".join(GROUPS))
    met = [card for card in chosen if played is None or card.id in played]
    if not met:
        raise Refused("lab.amounts.unplayed", name=name)
    known = {one: amount for card in met for one, amount in amounts_of(card).items()}
    if dot and name not in known:
        raise Refused("lab.amounts.no_such", name=name[:50], known=", ".join(known) or "–")
    if not known:
        raise Refused("lab.amounts.none", name=name)
    return {name: known[name]} if dot else known


def _within(cards: CardSet, name: str, before: int, values: Iterable[int], added: bool) -> list[int]:
    """The values that a card can say. What is added stops at them, and above nothing; others are refused."""
    low, high = LIMITS["n" if _effect(cards, name).action in POINTS else "cards"]
    if added:
        return sorted({min(max(before + value, low, 1), high) for value in values})
    wanted = sorted(set(values))
    if wanted[0] < low or wanted[-1] > high:
        raise Refused([Refusal("lab.amounts.beyond", "D20", {"name": name, "low": low, "high": high})])
    return wanted


def _effect(cards: CardSet, name: str) -> Effect:
    card_id, _, number = name.partition(".")
    return cards.by_id[card_id].program.effects[int(number) - 1]


# ---------------------------------------------------------------- the sets that come of it


@lru_cache(maxsize=128)
def _with_amounts(game: Duel, amounts: tuple[tuple[str, int], ...]) -> Duel:
    wanted = dict(amounts)
    cards = tuple(_changed(card, wanted) for card in game.card_set.cards)
    made = CardSet(TUNED, cards)
    return Duel(card_set=made, rules=game.rules_version, **game.known(game.options))


def with_amounts(game: Duel, amounts: Mapping[str, int]) -> Duel:
    """The same game with other amounts on its cards; itself where nothing differs.

    >>> with_amounts(Duel(), {"ember.1": 10}).card_set.by_id["ember"].text("en")
    'Attack 10.'
    """
    differing = {
        name: value for name, value in amounts.items() if _effect(game.card_set, name).amount != value
    }
    return _with_amounts(game, tuple(sorted(differing.items()))) if differing else game


def _changed(card: Card, amounts: Mapping[str, int]) -> Card:
    effects = tuple(
        replace(effect, amount=amounts.get(f"{card.id}.{number}", effect.amount))
        for number, effect in enumerate(card.program.effects, 1)
    )
    program = card.program
    return replace(card, program=Program(program.auto, program.super, effects))


def changed_cards(base: Duel, game: Duel) -> Iterator[tuple[Card, Card]]:
    """Each card that differs, as it was and as it is."""
    return ((old, game.card_set.by_id[old.id]) for old in base.card_set.cards if _differs(old, game))


def _differs(card: Card, game: Duel) -> bool:
    return game.card_set.by_id[card.id].program != card.program


def tuned(game: Game, amounts: Mapping[str, int]) -> Game:
    """What is played: the game with these amounts on its cards, if it has any."""
    return with_amounts(game, amounts) if amounts and isinstance(game, Duel) else game


def told_cards(base: Game, game: Game) -> list[Json]:
    """What was changed on which cards, for programs."""
    if not isinstance(base, Duel) or not isinstance(game, Duel):
        return []
    return [
        {
            "id": old.id,
            "title": {lang: old.name(lang) for lang in LANGUAGES},
            "amounts": [list(amounts_of(card).values()) for card in (old, new)],
            "text": [{lang: card.text(lang) for lang in LANGUAGES} for card in (old, new)],
        }
        for old, new in changed_cards(base, game)
    ]


def cards_said(told: Iterable[Json], words: Words) -> str:
    """`Ember 12 → 10 · Thorns 8/9 → 8/7`"""
    return " · ".join(f"{card['title'][words.lang]} {amounts_said(card)}" for card in told)


def amounts_said(card: Json) -> str:
    return " → ".join("/".join(map(str, amounts)) for amounts in card["amounts"])


# ---------------------------------------------------------------- as files


def write_set(
    base: Game, amounts: Mapping[str, int], number: int, path: Path, source: Path | None, decks: Decks
) -> Json:
    """The set of a trade-off, whole or not at all: its name, its file, and codes of the decks for it.

    `source` is the file of the set that was tuned, None for the core set's.
    """
    game = tuned(base, amounts)
    assert isinstance(base, Duel) and isinstance(game, Duel), "only cards have amounts"
    game = named(game, set_name(base.card_set, number))
    with written_whole(path) as file:
        file.write(set_text(SetFile(source or CORE), base, game, game.card_set.name))
    return {
        "name": game.card_set.name,
        "file": str(path),
        "codes": deck_codes(game, drawn_decks(base, decks)),
    }


def drawn_decks(base: Duel, decks: Decks) -> dict[str, Deck]:
    """The decks that play, random ones left out; where none is named the two that are usual."""
    wanted = decks or {name: name for name in base.settle().names()}
    settled = {name: decks_of(base.settle([deck, deck])).decks[0] for name, deck in wanted.items()}
    return {name: deck for name, deck in settled.items() if deck is not None}


def set_name(base: CardSet, number: int) -> str:
    """How the set of a trade-off is called; the core set's name is its own.

    >>> from coyote.games.duel.sets import core_set
    >>> set_name(core_set(), 2), set_name(CardSet("desert", ()), 2)
    ('tuned 2', 'desert tuned 2')
    """
    end = f"{TUNED} {number}"
    return end if sounds_official(base.name) else f"{base.name[: LONGEST_NAME - len(end) - 1]} {end}"


def set_text(source: SetFile, base: Duel, game: Duel, name: str) -> str:
    """The file of the base set with the changed texts, each in its language, and all else as it stands."""
    texts, notes = {}, []
    for old, new in changed_cards(base, game):
        lang = language_of(source.card_text(old.id))
        texts[old.id] = write(new.program, lang)
        notes.append(f"# {old.id}: {old.text(lang)} → {texts[old.id]}")
    text = "\n".join([*notes, "", source.with_texts(texts, name)])
    assert parse_set(text, name).cards == game.card_set.cards, "the file is the set that was played"
    return text


def named(game: Duel, name: str) -> Duel:
    """The same game, its set being called so."""
    cards = CardSet(name, game.card_set.cards)
    return Duel(card_set=cards, rules=game.rules_version, **game.known(game.options))


def deck_codes(game: Duel, decks: Mapping[str, Deck]) -> dict[str, str]:
    """These decks, which are lists of the unchanged set, as codes for this game's."""
    cards = game.card_set
    return {name: encode(Deck(cards.name, deck.cards), cards, game.limits) for name, deck in decks.items()}
