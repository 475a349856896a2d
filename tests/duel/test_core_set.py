"""The core set: its size, that it uses the whole language, and that it is written as it would be printed."""

import tomllib
from collections import Counter

import pytest

from coyote.games.duel.decks import ready_decks
from coyote.games.duel.language import (
    ALL,
    POINTS,
    ZONES,
    Action,
    Condition,
    Effect,
    Per,
    language_of,
    read,
    write,
)
from coyote.games.duel.sets import CORE, Card, core_set

CARDS = core_set().cards
EFFECTS = [effect for card in CARDS for effect in card.program.effects]


def test_there_are_enough_cards_of_each_kind() -> None:
    rarity = Counter(card.rarity for card in CARDS)
    assert rarity["common"] >= 42
    assert rarity["rare"] >= 22
    assert len(CARDS) >= 68
    assert sum(card.program.auto for card in CARDS) >= 9
    assert sum(card.program.super for card in CARDS) >= 7


def test_names_and_texts_are_all_different() -> None:
    for key in ("id", "name_ru", "name_en", "program"):
        assert len({getattr(card, key) for card in CARDS}) == len(CARDS)


def test_names_are_in_their_languages() -> None:
    assert all(language_of(card.name_ru) == "ru" and language_of(card.name_en) == "en" for card in CARDS)


def test_d25_texts_are_written_as_they_are_printed() -> None:
    for card in tomllib.loads(CORE.read_text(encoding="utf-8"))["card"]:
        assert card["text"] in {write(read(card["text"]), "en"), write(read(card["text"]), "ru")}


@pytest.mark.parametrize("card", CARDS, ids=[card.id for card in CARDS])
def test_d25_each_card_reads_the_same_in_both_languages(card: Card) -> None:
    assert read(card.text("ru")) == card.program == read(card.text("en"))


def test_d20_every_action_and_zone_is_used() -> None:
    assert {effect.action for effect in EFFECTS} == set(Action)
    assert {(effect.action, effect.zone) for effect in EFFECTS if effect.zone} == {
        (action, zone) for action, zones in ZONES.items() for zone in zones
    }
    assert ALL in {effect.amount for effect in EFFECTS}


def test_d21_the_opponent_does_everything_that_can_be_done() -> None:
    assert {effect.action for effect in EFFECTS if effect.opponent} == set(Action) - {Action.SET_ASIDE_THIS}


def _time(effect: Effect) -> tuple[int, bool]:
    return min(effect.first, 2), effect.turns > 1


def test_d22_every_timing_is_used() -> None:
    assert {_time(effect) for effect in EFFECTS} == {(0, False), (0, True), (1, False), (1, True), (2, False)}


def test_d23_every_condition_is_used() -> None:
    assert {effect.condition for effect in EFFECTS} == {None, *Condition}


def test_d24_every_counted_amount_is_used() -> None:
    counted = {(effect.action, effect.per) for effect in EFFECTS if effect.per}
    assert counted == {(action, per) for action in POINTS for per in Per}


def test_both_traits_may_stand_on_one_card() -> None:
    assert any(card.program.auto and card.program.super for card in CARDS)


def test_most_cards_are_in_a_ready_deck_and_none_is_in_all() -> None:
    decks = ready_decks().values()
    played = Counter(card_id for deck in decks for card_id, _ in deck.cards)
    assert len(played) >= 0.75 * len(CARDS)
    assert max(played.values()) < len(decks)
