"""Cards and decks as the pages get them: nothing is left out, and decks obey the rules of the game."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from msgspec import json
from pydantic import ValidationError
from starlette.requests import Request

from coyote.games.duel import decks
from coyote.games.duel.decks import USUAL, encode, faults, ready_decks
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.game import Duel
from coyote.games.duel.language import read
from coyote.games.duel.sets import LONGEST_ID, core_set, parse_set
from coyote.games.game import OptionError
from coyote.games.registry import make_game
from coyote.table import library
from coyote.table.library import AskedDeck, CheckedDeck
from coyote.text import LANGUAGES


def asking(lang: str = "en") -> Request:
    return Request({"type": "http", "headers": [(b"accept-language", lang.encode())]})


def asked(**deck: object) -> AskedDeck:
    return AskedDeck.model_validate(deck)


def check(lang: str = "en", **deck: object) -> CheckedDeck:
    return library.check(asked(**deck), asking(lang))


def test_every_card_is_there_with_its_exact_text() -> None:
    shown = library.cards().cards
    assert [card.id for card in shown] == [card.id for card in core_set().cards]
    for card, real in zip(shown, core_set().cards, strict=True):
        for lang in LANGUAGES:
            assert card.text[lang] == real.text(lang)
            assert "".join(words for _, words in card.pieces[lang]) == card.text[lang]
            assert read(card.text[lang]) == real.program
        assert (card.auto, card.super, card.rarity) == (real.program.auto, real.program.super, real.rarity)


def test_keywords_stand_out_where_they_are() -> None:
    great_hunt = next(card for card in library.cards().cards if card.id == "great-hunt")
    assert great_hunt.pieces["en"] == [
        ("attack", "Attack 4"),
        ("", " for each card in hand, "),
        ("draw", "draw a card"),
        ("", "."),
    ]
    assert great_hunt.does == ["attack", "draw"]
    comet = next(card for card in library.cards().cards if card.id == "comet")
    assert [words for kind, words in comet.pieces["ru"] if kind == "trait"] == ["Авто", "Супер"]


@pytest.mark.parametrize("deck", ready_decks().values(), ids=lambda deck: deck.id)
def test_a_ready_deck_goes_round(deck: object) -> None:
    shown = next(one for one in library.decks() if one.id == getattr(deck, "id", ""))
    by_list, by_code = check(cards=shown.cards), check(code=shown.code)
    assert by_list == by_code
    assert not by_list.faults and by_list.code == shown.code and by_list.cards == shown.cards


def test_every_broken_rule_is_told_with_names() -> None:
    greedy = ["ember"] * 3 + ["firecracker"] * 2 + ["tumbleweed", "fireflies", "comet", "coyote-king"]
    told = check("ru", cards=greedy)
    assert told.code is None
    assert [fault.text for fault in told.faults] == [
        "Карт 9, а нужно не меньше 15",
        "Копий обычной карты «Уголёк» 3, а можно не больше 2",
        "Копий редкой карты «Петарда» 2, а можно не больше 1",
        "Карт с «Авто» 3 (Комета, Светлячки, Перекати-поле), а можно не больше 2",
        "Карт с «Супер» 2 (Комета, Король койотов), а можно не больше 1",
    ]
    assert {fault.rule for fault in told.faults} == {"D19"}
    assert told.faults[1].cards == ["ember"]


def test_unknown_cards_and_broken_codes_are_told() -> None:
    assert check(cards=["waterhol"]).faults[-1].text.startswith("There is no card «waterhol» in the set")
    damaged = check("ru", code="nonsense")
    assert damaged.faults[0].text == "Код колоды повреждён" and damaged.cards == [] and damaged.code is None


def test_the_summary_counts_every_due_turn() -> None:
    told = check(cards=["brushfire", "brushfire", "burrow", "sunstroke", "raven", "drought"])
    works = {work.what: work.ages for work in told.summary.works}
    assert works["attack"] == [27, 10, 10, 0, 0]  # what Sunstroke does to its owner is not counted
    assert works["block"][0] == library.BLOCK_ALL_IS
    assert works["strip"] == [4, 3, 3, 3, 0]
    assert (told.summary.cards, told.summary.rare, told.summary.auto) == (6, 2, 1)


def test_a_first_hand_comes_from_the_deck() -> None:
    deck = ready_decks()["pack"]
    ids = deck.ids()
    dealt = library.hand(asked(cards=ids), asking("en"))
    assert len(dealt.hand) + len(dealt.play) == 3
    assert not Counter(dealt.hand + dealt.play) - Counter(ids)
    assert all(core_set().by_id[id].program.auto for id in dealt.play)
    assert not any(core_set().by_id[id].program.super for id in dealt.hand)
    assert library.hand(asked(cards=["ember"]), asking("en")).hand == []


def test_a_deck_of_the_page_is_one_of_the_rules() -> None:
    """Whatever a page builds, the answer is that of `faults` and `encode`."""
    cards = [card.id for card in core_set().cards if not card.program.auto and not card.program.super]
    deck = library.asked_deck(asked(cards=cards[: USUAL.deck_max]), core_set())
    assert not faults(deck, core_set())
    assert check(cards=cards[: USUAL.deck_max]).code == encode(deck, core_set())


# ---------------------------------------------------------------- what may be asked


def test_a_list_longer_than_any_deck_is_refused_before_it_is_looked_at() -> None:
    with pytest.raises(ValidationError):
        asked(cards=["ember"] * (library.MOST_IDS + 1))
    with pytest.raises(ValidationError):
        asked(cards=["x" * (LONGEST_ID + 1)])
    assert library.MOST_IDS > MOST_CARDS


def test_the_nearest_card_is_looked_for_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each unknown card it took a millisecond and more, and two hundred could be asked about at once."""
    looked: list[str] = []

    def look(word: str, *given: object, **more: object) -> list[str]:
        looked.append(word)
        return ["ember"]

    monkeypatch.setattr(decks, "get_close_matches", look)
    told = check(cards=[f"rorhaeiot-{n}" for n in range(library.MOST_IDS)])
    assert len(looked) == decks.MOST_NEAR
    assert sum("did you mean" in fault.text for fault in told.faults) == decks.MOST_NEAR
    assert sum("no card" in fault.text for fault in told.faults) == library.MOST_IDS


def test_for_a_deck_of_another_set_no_card_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A set of many ids that are nearly those of a ready deck made a room cost a fifth of a second."""
    monkeypatch.setattr(decks, "get_close_matches", lambda *given, **more: pytest.fail("looked"))
    made = replace(
        core_set(), name="desert", cards=tuple(replace(c, id=f"{c.id}s") for c in core_set().cards)
    )
    for wanted in ((None, None), ("pack", None)):
        with suppress(OptionError):
            Duel(card_set=made).settle(wanted, Random(0))


def test_the_cards_of_a_game_are_those_it_is_played_with() -> None:
    card = '[[card]]\nid = "ember{}"\nname = {{ ru = "Уголь", en = "Coal" }}\n'
    card += 'rarity = "rare"\ntext = "Attack 99."\n'
    made = parse_set('name = "desert"\n' + "".join(card.format(n) for n in range(15)))
    shown = json.decode(library.cards_json(Duel(card_set=made)))
    assert (shown["set"], len(shown["cards"])) == ("desert", 15)
    assert shown["cards"][0]["text"]["en"] == "Attack 99." and shown == library.cards_of(
        Duel(card_set=made)
    ).model_dump(mode="json")
    assert json.decode(library.cards_json(Duel())) == library.cards().model_dump(mode="json")
    assert json.decode(library.cards_json(make_game("madness"))) == {
        "set": "",
        "digest": "",
        "core": False,
        "cards": [],
    }
