"""The card language: every row of the rules' table, printing, plurals, refusals, reading what was printed."""

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coyote.games.duel.language import (
    ALL,
    NUMBER,
    POINTS,
    ZONES,
    Action,
    CardTextError,
    Condition,
    Effect,
    Per,
    Program,
    Zone,
    language_of,
    read,
    write,
)
from coyote.text import LANGUAGES, Lang

VECTORS = Path(__file__).parents[1] / "data" / "vectors" / "duel.jsonl"

A, C = Action, Condition

# Every example of the table in the rules, with what it means.
TABLE: list[tuple[str, str, Program]] = []


def row(english: str, russian: str, *effects: Effect, auto: bool = False, super: bool = False) -> None:
    TABLE.append((english, russian, Program(auto, super, effects)))


row("Attack 8.", "Атака 8.", Effect(A.ATTACK, 8))
row("Heal 5.", "Лечение 5.", Effect(A.HEAL, 5))
row("Block 6.", "Блок 6.", Effect(A.BLOCK, 6))
row("Block all.", "Блок всего.", Effect(A.BLOCK, ALL))
row("Draw a card.", "Возьми карту.", Effect(A.DRAW, 1))
row("Draw 2 cards.", "Возьми 2 карты.", Effect(A.DRAW, 2))
row("Discard a card.", "Сбрось карту.", Effect(A.DISCARD, 1, zone=Zone.HAND))
row("Discard 2 cards from deck.", "Сбрось 2 карты из колоды.", Effect(A.DISCARD, 2, zone=Zone.DECK))
row("Discard 2 cards from in play.", "Сбрось 2 карты из игры.", Effect(A.DISCARD, 2, zone=Zone.PLAY))
row("Set aside a card from hand.", "Отложи карту из руки.", Effect(A.SET_ASIDE, 1, zone=Zone.HAND))
row("Set aside a card from discard.", "Отложи карту из сброса.", Effect(A.SET_ASIDE, 1, zone=Zone.DISCARD))
row("Set aside this card.", "Отложи эту карту.", Effect(A.SET_ASIDE_THIS))
row(
    "Opponent: discard a card.",
    "Противник: сбрось карту.",
    Effect(A.DISCARD, 1, zone=Zone.HAND, opponent=True),
)
row("Next turn: attack 12.", "В следующий ход: атака 12.", Effect(A.ATTACK, 12, first=1))
row("In 3 turns: attack 30.", "Через 3 хода: атака 30.", Effect(A.ATTACK, 30, first=3))
row("For 3 turns: heal 4.", "3 хода: лечение 4.", Effect(A.HEAL, 4, turns=3))
row(
    "For 2 turns from the next: block 5.",
    "2 хода со следующего: блок 5.",
    Effect(A.BLOCK, 5, first=1, turns=2),
)
row("If attacked: attack 10.", "Если тебя атаковали: атака 10.", Effect(A.ATTACK, 10, condition=C.ATTACKED))
row(
    "If not attacked: heal 10.",
    "Если тебя не атаковали: лечение 10.",
    Effect(A.HEAL, 10, condition=C.NOT_ATTACKED),
)
row(
    "If health is at most 30: block all.",
    "Если здоровье не больше 30: блок всего.",
    Effect(A.BLOCK, ALL, condition=C.HEALTH, threshold=30),
)
row(
    "If the opponent played no card: attack 15.",
    "Если противник не сыграл карту: атака 15.",
    Effect(A.ATTACK, 15, condition=C.NO_CARD),
)
row("Attack 3 for each card in hand.", "Атака 3 за каждую карту в руке.", Effect(A.ATTACK, 3, Per.HAND))
row(
    "Attack 3 for each card in the opponent's hand.",
    "Атака 3 за каждую карту в руке противника.",
    Effect(A.ATTACK, 3, Per.OPPONENT_HAND),
)
row(
    "Attack 3 for each card in the discard.",
    "Атака 3 за каждую карту в сбросе.",
    Effect(A.ATTACK, 3, Per.DISCARD),
)
row("Auto. Heal 3.", "Авто. Лечение 3.", Effect(A.HEAL, 3), auto=True)
row("Super. Attack 40.", "Супер. Атака 40.", Effect(A.ATTACK, 40), super=True)


@pytest.mark.parametrize(("english", "russian", "program"), TABLE, ids=[row[0] for row in TABLE])
def test_d25_every_row_of_the_table_reads_and_prints(english: str, russian: str, program: Program) -> None:
    assert read(english) == program
    assert read(russian) == program
    assert write(program, "en") == english
    assert write(program, "ru") == russian


# ------------------------------------------------------------------------------
# Generated programs


def _amounts(action: Action) -> st.SearchStrategy[int]:
    if action is Action.SET_ASIDE_THIS:
        return st.just(0)
    if action not in POINTS:
        return st.integers(1, 99)
    return st.integers(0, 999) | st.just(ALL) if action is Action.BLOCK else st.integers(0, 999)


_TIMES = st.one_of(
    st.tuples(st.just(0), st.integers(1, 99)),
    st.tuples(st.just(1), st.integers(1, 99)),
    st.tuples(st.integers(1, 99), st.just(1)),
)


@st.composite
def effects(draw: st.DrawFn) -> Effect:
    """Any effect that the language can say."""
    action = draw(st.sampled_from(Action))
    amount = draw(_amounts(action))
    per = draw(st.none() | st.sampled_from(Per)) if action in POINTS and amount != ALL else None
    zone = draw(st.sampled_from(ZONES[action])) if action in ZONES else None
    opponent = action is not Action.SET_ASIDE_THIS and draw(st.booleans())
    first, turns = draw(_TIMES)
    condition = draw(st.none() | st.sampled_from(Condition))
    threshold = draw(st.integers(0, 999)) if condition is Condition.HEALTH else 0
    return Effect(action, amount, per, zone, opponent, first, turns, condition, threshold)


programs = st.builds(
    Program, st.booleans(), st.booleans(), st.lists(effects(), min_size=1, max_size=6).map(tuple)
)


@given(programs, st.sampled_from(LANGUAGES))
@settings(max_examples=500)
def test_d25_reading_what_was_printed_gives_the_same_program(program: Program, lang: Lang) -> None:
    text = write(program, lang)
    assert read(text) == program
    assert language_of(text) == lang
    assert write(read(text), lang) == text


@given(programs, st.sampled_from(LANGUAGES))
def test_d25_case_and_spaces_do_not_matter(program: Program, lang: Lang) -> None:
    text = write(program, lang)
    spaced = text.replace(" ", " \n\t ").replace(",", " ,").replace(":", " : ").replace(".", " . ")
    assert read(text.upper()) == read(text.lower()) == read(f"\n {spaced}\n") == program


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["attack", "5", ".", ",", ":", "for", "next", "атака", "карты"])).map(" ".join)
)
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    try:
        program = read(text)
    except CardTextError as error:
        offset = error.values["offset"]
        assert 0 <= offset <= len(text)
        assert error.values["line"] == text[:offset].count("\n") + 1
        assert all(letter.isprintable() for letter in error.message("en") + error.message("ru"))
    else:
        assert read(write(program, "ru")) == program


def test_texts_of_the_vectors_are_read() -> None:
    games = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    texts = {card["text"] for game in games for card in game["set"]["cards"]}
    assert len(texts) > 200
    for text in texts:
        program = read(text)
        assert read(write(program, "ru")) == program == read(write(program, "en"))


# ------------------------------------------------------------------------------
# D20: actions


@pytest.mark.parametrize("zone", ["hand", "deck", "in play"])
def test_d20_discard_names_three_zones(zone: str) -> None:
    (effect,) = read(f"Discard 3 cards from {zone}.").effects
    assert effect == Effect(A.DISCARD, 3, zone=Zone(zone.removeprefix("in ")))


@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "in play"])
def test_d20_set_aside_names_four_zones(zone: str) -> None:
    (effect,) = read(f"Set aside 3 cards from {zone}.").effects
    assert effect == Effect(A.SET_ASIDE, 3, zone=Zone(zone.removeprefix("in ")))


def test_d20_nothing_is_discarded_from_the_discard() -> None:
    error = refusal("Discard a card from discard.")
    assert error.values["expected"] == ("hand", "deck", "in")


@pytest.mark.parametrize("text", ["Set aside a card.", "Set aside 1 card from hand.", "Отложи карту."])
def test_d15_d16_the_hand_is_meant_if_no_zone_is_named(text: str) -> None:
    assert read(text) == read("Set aside a card from hand.")
    assert read("Discard a card from hand.") == read("Discard a card.")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Attack 1000.", 0, 999),
        ("Лечение 12345678901234567890.", 0, 999),
        ("Block 1000.", 0, 999),
        ("Draw 0 cards.", 1, 99),
        ("Сбрось 100 карт.", 1, 99),
        ("Set aside 100 cards from deck.", 1, 99),
        ("In 0 turns: heal 1.", 1, 99),
        ("100 ходов: блок 1.", 1, 99),
        ("For 0 turns from the next: heal 1.", 1, 99),
        ("If health is at most 1000: heal 1.", 0, 999),
    ],
)
def test_d20_d22_numbers_out_of_range_are_refused_with_the_limit(text: str, low: int, high: int) -> None:
    error = refusal(text)
    assert (error.code, error.values["low"], error.values["high"]) == ("duel.text.range", low, high)
    assert text[error.values["offset"]].isdigit()
    assert f"from {low} to {high}" in error.message("en")
    assert f"от {low} до {high}" in error.message("ru")


@pytest.mark.parametrize("text", ["Attack 0.", "Heal 999.", "Draw 99 cards.", "In 99 turns: heal 007."])
def test_d20_d22_numbers_at_the_limits_are_read(text: str) -> None:
    assert read(text)


# ------------------------------------------------------------------------------
# D21–D24


def test_d21_the_opponent_stands_for_a_whole_sentence_and_no_further() -> None:
    program = read("Opponent: heal 5, draw a card. Attack 3.")
    assert [effect.opponent for effect in program.effects] == [True, True, False]


def test_d16_set_aside_this_card_cannot_stand_after_opponent() -> None:
    for text in ("Opponent: set aside this card.", "Противник: атака 5, отложи эту карту."):
        error = refusal(text)
        assert error.code == "duel.text.this_card"
        assert "D16" in error.message("en")
    with pytest.raises(ValueError, match="opponent"):
        Effect(A.SET_ASIDE_THIS, opponent=True)


@pytest.mark.parametrize(
    ("when", "first", "turns"),
    [
        ("Next turn", 1, 1),
        ("In 1 turn", 1, 1),
        ("In 7 turns", 7, 1),
        ("For 1 turn", 0, 1),
        ("For 4 turns", 0, 4),
        ("For 1 turn from the next", 1, 1),
        ("For 4 turns from the next", 1, 4),
    ],
)
def test_d22_first_due_turn_and_how_many(when: str, first: int, turns: int) -> None:
    (effect,) = read(f"{when}: heal 1.").effects
    assert (effect.first, effect.turns, effect.last) == (first, turns, first + turns - 1)


def test_d22_several_turns_begin_now_or_next_turn() -> None:
    with pytest.raises(ValueError, match="first, turns"):
        Effect(A.HEAL, 1, first=2, turns=2)


def test_d23_a_condition_stands_after_the_time_and_before_opponent() -> None:
    (effect,) = read("Next turn: if health is at most 40: opponent: attack 5.").effects
    assert effect == Effect(A.ATTACK, 5, opponent=True, first=1, condition=C.HEALTH, threshold=40)
    assert refusal("If attacked: next turn: heal 5.").values["found"] == "next"
    assert refusal("Opponent: if attacked: heal 5.").values["found"] == "if"


@pytest.mark.parametrize("action", ["Attack", "Heal", "Block"])
@pytest.mark.parametrize("per", ["in hand", "in the opponent's hand", "in the discard"])
def test_d24_attack_heal_and_block_may_be_counted(action: str, per: str) -> None:
    text = f"{action} 2 for each card {per}."
    assert write(read(text), "en") == text


@pytest.mark.parametrize("text", ["Draw 2 cards for each card in hand.", "Block all for each card in hand."])
def test_d24_nothing_else_may_be_counted(text: str) -> None:
    assert refusal(text).values["found"] == "for"


# ------------------------------------------------------------------------------
# D25: shape and canonical printing


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("IN 1 TURN: attack 5.", "Next turn: attack 5."),
        ("For 1 turn: attack 5.", "Attack 5."),
        ("For 1 turn from the next: attack 5.", "Next turn: attack 5."),
        ("Draw 1 card.", "Draw a card."),
        ("Attack 5. Attack 6.", "Attack 5, attack 6."),
        ("Next turn: heal 1. In 1 turn: draw a card.", "Next turn: heal 1, draw a card."),
        ("Attack 5. Next turn: heal 1. Attack 5.", "Attack 5. Next turn: heal 1. Attack 5."),
        ("Super. Auto. Heal 1.", "Auto. Super. Heal 1."),
        ("Set aside a card.", "Set aside a card from hand."),
        ("Discard a card from hand.", "Discard a card."),
    ],
)
def test_d25_equal_effects_print_equally(written: str, printed: str) -> None:
    assert write(read(written), "en") == printed


def test_d10_the_printed_order_is_kept() -> None:
    program = read("Discard a card. Opponent: draw a card. Draw a card, heal 3.")
    assert [effect.action for effect in program.effects] == [A.DISCARD, A.DRAW, A.DRAW, A.HEAL]
    assert read(write(program, "ru")) == program


@pytest.mark.parametrize(
    ("n", "cards", "turns"),
    [
        (2, "2 карты", "2 хода"),
        (4, "4 карты", "4 хода"),
        (5, "5 карт", "5 ходов"),
        (11, "11 карт", "11 ходов"),
        (12, "12 карт", "12 ходов"),
        (14, "14 карт", "14 ходов"),
        (20, "20 карт", "20 ходов"),
        (21, "21 карту", "21 ход"),
        (22, "22 карты", "22 хода"),
        (99, "99 карт", "99 ходов"),
    ],
)
def test_d25_russian_endings_after_numbers(n: int, cards: str, turns: str) -> None:
    program = Program(False, False, (Effect(A.DRAW, n, turns=n), Effect(A.HEAL, 1, first=n)))
    assert write(program, "ru") == f"{turns.capitalize()}: возьми {cards}. Через {turns}: лечение 1."
    assert write(program, "en") == f"For {n} turns: draw {n} cards. In {n} turns: heal 1."


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("Возьми 1 карта.", "Возьми карту."),
        ("возьми 5 карту", "Возьми 5 карт"),
        ("Через 5 хода: атака 1", "Через 5 ходов: атака 1"),
        ("Если противник не сыграл карты: атака 1", "Если противник не сыграл карту: атака 1"),
        ("ЛЕЧЁНИЕ 5", "Лечение 5"),
        ("В следующий ход: блок 1", "В следующий ход: блок 1"),
    ],
)
def test_d25_any_ending_and_yo_are_read(written: str, printed: str) -> None:
    assert write(read(written.rstrip(".") + "."), "ru") == printed.rstrip(".") + "."


def test_d25_decomposed_letters_and_curly_quotes_are_read() -> None:
    assert read(unicodedata.normalize("NFD", "В следующий ход: блок 1.")) == read("Next turn: block 1.")
    assert read("Heal 1 for each card in the opponent’s hand.").effects[0].per is Per.OPPONENT_HAND


# ------------------------------------------------------------------------------
# Refusals


def refusal(text: str) -> CardTextError:
    with pytest.raises(CardTextError) as caught:
        read(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "found", "nearest"),
    [
        ("Аттака 8.", "Аттака", "Атака"),
        ("Atack 8.", "Atack", "Attack"),
        ("Aтака 8.", "Aтака", "Атака"),  # a latin A
        ("3 хода: лечние 4.", "лечние", "Лечение"),
        ("Attack 8 for each crad in hand.", "crad", "card"),
        ("If the oponent played no card: heal 1.", "oponent", "opponent"),
        ("Attack8.", "Attack8", "Attack"),
        ("Attacked 8.", "Attacked", "Attack"),
        ("Отлажи эту карту.", "Отлажи", "Отложи"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest_keyword(text: str, found: str, nearest: str) -> None:
    error = refusal(text)
    assert (error.values["found"], error.values["nearest"]) == (found, nearest)
    assert f"did you mean «{nearest}»?" in error.message("en")
    assert f"может быть, «{nearest}»?" in error.message("ru")


def test_the_place_is_line_and_column_with_the_words_around() -> None:
    error = refusal("Auto.\n  Next turn: attack 5,\n  haste 3. Draw a card.")
    assert [error.values[key] for key in ("line", "column", "offset")] == [3, 3, 31]
    assert error.values["around"] == "… turn: attack 5, haste 3. Draw …"
    assert error.message("en").startswith("line 3, column 3: «haste» cannot stand here")
    assert error.message("ru").startswith("строка 3, столбец 3: «haste» здесь стоять не может")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Attack.", (NUMBER,)),
        ("Attack five.", (NUMBER,)),
        ("Block.", ("all", NUMBER)),
        ("Attack 5", ("for", ",", ".")),
        ("Attack 5 heal 3.", ("for", ",", ".")),
        ("Draw a card from deck.", (",", ".")),
        ("Opponent attack 5.", (":",)),
        ("Attack 5, opponent: heal 3.", ("Attack", "Heal", "Block", "Draw", "Discard", "Set")),
        ("Через 3: атака 5.", ("ходов",)),
        ("Возьми карту, 2 карты.", ("Атака", "Лечение", "Блок", "Возьми", "Сбрось", "Отложи")),
    ],
)
def test_a_refusal_says_what_was_expected(text: str, expected: tuple[str, ...]) -> None:
    assert sorted(refusal(text).values["expected"]) == sorted(expected)


def test_numbers_expected_are_named_in_words() -> None:
    error = refusal("Block x.")
    assert "Expected: «all» or a number." in error.message("en")
    assert "Ожидалось: «all» или число." in error.message("ru")


@pytest.mark.parametrize(
    ("text", "reason", "column"),
    [
        ("", "empty", 1),
        ("  \n ", "empty", 1),
        ("Auto.", "end", 6),
        ("Attack 5,", "end", 10),
        ("Next turn:  ", "end", 11),
        ("Auto. Auto. Heal 1.", "twice", 7),
        ("Heal 1. Auto.", "unexpected", 9),
        ("Attack -5.", "unexpected", 8),
        ("Attack ٣.", "unexpected", 8),
        ("Attack 5; heal 3.", "unexpected", 9),
        ("...", "unexpected", 1),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, reason: str, column: int) -> None:
    error = refusal(text)
    assert (error.code, error.values["column"]) == (f"duel.text.{reason}", column)
    assert str(error) == error.message("en")


def test_one_text_is_in_one_language() -> None:
    error = refusal("Attack 8, draw a card. Лечение 5.")
    assert error.code == "duel.text.language_near"
    assert (error.values["found"], error.values["nearest"]) == ("Лечение", "Heal")
    assert refusal("Через 3 turns: атака 5.").code == "duel.text.language"


def test_a_message_holds_nothing_a_terminal_would_obey() -> None:
    error = refusal("Attack 5. \x1b[31m" + "x" * 500)
    assert error.message("en").isprintable()
    assert len(error.message("en")) < 600


def test_a_program_needs_an_effect() -> None:
    with pytest.raises(ValueError, match="at least one effect"):
        Program(True, False, ())


@pytest.mark.parametrize(
    "make",
    [
        lambda: Effect(A.ATTACK, 1000),
        lambda: Effect(A.ATTACK, ALL),
        lambda: Effect(A.BLOCK, ALL, Per.HAND),
        lambda: Effect(A.DRAW, 0),
        lambda: Effect(A.DRAW, 1, Per.HAND),
        lambda: Effect(A.DRAW, 1, zone=Zone.DECK),
        lambda: Effect(A.DISCARD, 1),
        lambda: Effect(A.DISCARD, 1, zone=Zone.DISCARD),
        lambda: Effect(A.HEAL, 1, turns=0),
        lambda: Effect(A.HEAL, 1, first=100),
        lambda: Effect(A.HEAL, 1, threshold=5),
        lambda: Effect(A.SET_ASIDE_THIS, 1),
    ],
)
def test_an_effect_that_cannot_be_said_cannot_be_made(make: Callable[[], Effect]) -> None:
    with pytest.raises(ValueError, match="no card can say this"):
        make()
