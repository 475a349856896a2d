"""What is said of a card while it is written: faults, what may follow, steps, turns, price, its like."""

from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from coyote.games.duel.game import Duel
from coyote.games.duel.language import Action, Program, language_of, read, write
from coyote.games.duel.pricing import price, prices
from coyote.games.duel.reading import (
    complete,
    difference,
    effects_program,
    nearest,
    read_card,
    steps,
    timeline,
)
from coyote.games.duel.sets import LONGEST_TEXT, MOST_EFFECTS, Card, CardSet, core_set
from coyote.match import Match
from coyote.text import LANGUAGES, Lang, Refusal, Words
from duel.kit_duel import random_set

SOME = [card.program for number in range(12) for card in random_set(Random(number)).cards[:8]]


# ---------------------------------------------------------------- faults and completion


def test_a_fault_in_one_sentence_does_not_hide_those_of_others() -> None:
    text = "Auto. Attak 3. Heal 5. Next turn: blok 3, heal 1. Draw"
    found = read_card(text)
    assert found.program is None
    assert [text[one.start : one.end] for one in found.faults] == ["Attak", "blok", ""]
    assert [one.nearest for one in found.faults] == ["Attack", "Block", None]
    assert found.faults[-1].start == len(text)


def test_a_text_without_a_fault_is_its_program() -> None:
    for card in core_set().cards:
        for lang in LANGUAGES:
            assert read_card(card.text(lang)).program == card.program


def test_what_is_too_long_says_so() -> None:
    assert read_card("a" * (LONGEST_TEXT + 1)).faults[0].why.code == "file.long"
    assert read_card(", ".join(["Heal 1"] * (MOST_EFFECTS + 1)) + ".").faults[0].why.code == "set.effects"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_can_be_written_by_completion_alone(lang: Lang) -> None:
    """Word after word what is offered holds the one that comes next."""
    for card in Random("words").sample(core_set().cards, 20):
        text = card.text(lang)
        for at, letter in enumerate(text):
            if letter.isalpha() and (at == 0 or not text[at - 1].isalpha()):
                start, words = complete(text[: at + 1], at + 1, lang)
                rest = text[start:].casefold()
                if lang == "en" or not any(rest.startswith(noun) for noun in ("карт", "ход")):
                    assert any(rest.startswith(word.casefold()) for word in words), (text, at, words)


def test_nothing_follows_what_is_wrong_and_any_sign_can_be_asked_about() -> None:
    assert complete("Explode 3, ", 11, "en")[1] == []
    dice = Random("signs")
    for _ in range(300):
        text = "".join(dice.choice("Attack 3.,:\nАвто\u0301 'x") for _ in range(dice.randrange(20)))
        start, _ = complete(text, dice.randrange(len(text) + 1), "ru")
        assert 0 <= start <= len(text) and language_of(text) in LANGUAGES
        read_card(text)


# ---------------------------------------------------------------- steps and turns


def test_every_step_is_said_in_both_languages() -> None:
    for program in [*SOME, *(card.program for card in core_set().cards)]:
        for step in steps(program):
            for lang in LANGUAGES:
                said = [Words(lang).refusal(one) for one in (step.when, step.condition, step.what) if one]
                assert all(said) and "{" not in "".join(said)


def test_d22_the_time_line_is_what_happens_at_the_table() -> None:
    """A card is played against somebody who holds; in the turns of its line, and in no others, it attacks."""
    for text in (
        "For 3 turns: attack 5.",
        "In 2 turns: attack 3. Attack 1.",
        "For 2 turns from the next: attack 4.",
    ):
        program = read(text)
        card = Card("it", "", "", "common", program)
        idle = [Card(id, "", "", "common", read("Block 0.")) for id in ("idle", "still")]
        game = Duel(card_set=CardSet("test", (card, *idle)), copies=4, hand=6, **{"deck-min": 9})
        decks = (["it"] * 4 + ["idle"] * 4 + ["still"], ["idle"] * 4 + ["still"] * 4 + ["it"])
        match = Match(game, game.settle(decks), seed="line")
        struck: list[int] = []
        for turn in range(6):
            before = match.score[1]
            match.play("play it" if turn == 0 else "hold", 0)
            match.play("hold", 1)
            if match.score[1] < before:
                struck.append(turn)
        assert struck == [turn for turn, _ in timeline(program)], text


# ---------------------------------------------------------------- from lists


def test_lists_make_every_card_that_texts_make() -> None:
    for program in SOME:
        made, faults = effects_program(program.auto, program.super, [asdict(one) for one in program.effects])
        assert made == program and not faults


def test_what_no_card_can_say_is_told_for_each_effect() -> None:
    usual = asdict(read("Attack 3.").effects[0])
    wrong: list[dict[str, Any]] = [
        {"amount": -2},
        {"action": Action.DRAW, "amount": 0},
        {"action": Action.DRAW, "amount": 1, "per": "hand"},
        {"zone": "hand"},
        {"first": 2, "turns": 2},
        {"threshold": 5},
        {"action": Action.SET_ASIDE_THIS, "amount": 0, "opponent": True},
        {"action": Action.SET_ASIDE_THIS},
    ]
    made, faults = effects_program(False, False, [{**usual, **one} for one in wrong])
    assert made is None and {number for number, _ in faults} == set(range(len(wrong)))
    assert all(isinstance(why, Refusal) and Words("ru").refusal(why) for _, why in faults)
    assert effects_program(False, False, [])[1][0][1].code == "duel.text.empty"


# ---------------------------------------------------------------- price


def test_prices_order_the_core_set() -> None:
    """Most common cards cost about the same, rare ones more, Supers most of all, Autos less."""
    found: dict[str, list[float]] = {}
    for card in core_set().cards:
        kind = "super" if card.program.super else "auto" if card.program.auto else card.rarity
        found.setdefault(kind, []).append(price(card.program))
    middle = {kind: sorted(values)[len(values) // 2] for kind, values in found.items()}
    assert middle["auto"] < middle["common"] < middle["rare"] < middle["super"]
    assert sum(8 <= one <= 15 for one in found["common"]) > 0.9 * len(found["common"])


@pytest.mark.parametrize(
    "texts",
    [
        ("Attack 3.", "Attack 12.", "For 3 turns: attack 12."),
        ("Heal 5.", "Heal 10.", "Heal 10, draw a card."),
        ("In 4 turns: attack 9.", "Next turn: attack 9.", "Attack 9."),
        ("Block 4.", "Block 9.", "Block all."),
        ("Opponent: attack 9.", "Opponent: attack 3.", "Attack 0."),
        ("If the opponent played no card: attack 9.", "If attacked: attack 9.", "Attack 9."),
        ("Attack 9, discard a card.", "Attack 9.", "Attack 9. Opponent: discard a card."),
        ("Attack 1 for each card in hand.", "Attack 2 for each card in hand."),
        ("Attack 9.", "Auto. Attack 9."),
    ],
)
def test_more_is_worth_more(texts: tuple[str, ...]) -> None:
    ranked = [price(read(text)) for text in texts]
    assert ranked == sorted(ranked) and len(set(ranked)) == len(ranked)


def test_a_price_is_the_sum_of_its_parts() -> None:
    for program in SOME:
        rest = price(program) - sum(prices(program))
        assert rest == pytest.approx(price(read("Auto. Attack 0.")) if program.auto else 0)


# ---------------------------------------------------------------- what it is like


def test_a_card_is_nearest_to_itself_and_then_to_its_like() -> None:
    cards = core_set().cards
    for card in cards:
        (first, far), *_ = nearest(card.program, cards)
        assert far == 0 and difference(first.program, card.program) == 0
    near = [card.id for card, _ in nearest(read("For 3 turns: heal 5."), cards)]
    assert near[0] == "cool-night" and "oasis" in near
    assert difference(read("Attack 9."), read("Opponent: attack 9.")) > difference(
        read("Attack 9."), read("Attack 3.")
    )


def test_the_order_of_effects_makes_no_difference_to_what_a_card_is_like() -> None:
    one, other = (read(text) for text in ("Attack 3, heal 5.", "Heal 5, attack 3."))
    assert difference(one, other) == 0 and one != other
    assert write(Program(False, False, one.effects), "en") == "Attack 3, heal 5."
