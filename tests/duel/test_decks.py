"""Decks: D19, deck files, ready decks, random decks and deck codes."""

import base64
import binascii
import hashlib
import string
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coyote.games.duel.decks import (
    READY,
    USUAL,
    Deck,
    DeckCodeError,
    DeckError,
    DeckLimits,
    deck_of,
    decode,
    encode,
    faults,
    parse_deck,
    random_deck,
    read_deck,
    ready_decks,
    set_of_code,
)
from coyote.games.duel.language import Program, read
from coyote.games.duel.sets import Card, CardSet, Rarity, core_set
from coyote.text import LANGUAGES, Refusal, Words


def card(card_id: str, rarity: Rarity = "common", text: str = "Attack 1.") -> Card:
    return Card(card_id, card_id, card_id, rarity, read(text))


SET = CardSet(
    "made",
    (
        *(card(f"c{n}") for n in range(12)),
        *(card(f"r{n}", "rare") for n in range(12)),
        *(card(f"auto{n}", text="Auto. Attack 1.") for n in range(3)),
        *(card(f"super{n}", text="Super. Attack 1.") for n in range(2)),
        card("both", text="Auto. Super. Attack 1."),
    ),
)


def deck(cards: str) -> Deck:
    """A deck of SET from text such as "c0*2 r1"."""
    return Deck(
        "made",
        tuple((name, int(copies or 1)) for name, _, copies in (w.partition("*") for w in cards.split())),
    )


FIFTEEN = "c0*2 c1*2 c2*2 c3*2 c4*2 c5*2 r0 r1 r2"
TWENTY = f"{FIFTEEN} c6*2 c7*2 r3"


def said(fault: Refusal, lang: str = "en") -> str:
    return Words(lang).refusal(fault)


def broken(cards: str) -> list[tuple[str, tuple[str, ...], int, int]]:
    found = faults(deck(cards), SET)
    assert all(fault.rule == "D19" for fault in found)
    return [
        (
            fault.code.removeprefix("deck."),
            fault.values["cards"],
            fault.values.get("count", 0),
            fault.values.get("limit", 0),
        )
        for fault in found
    ]


# ------------------------------------------------------------------------------
# D19


@pytest.mark.parametrize(
    "cards", [FIFTEEN, TWENTY, FIFTEEN + " auto0*2", FIFTEEN + " both auto1", FIFTEEN + " super0"]
)
def test_d19_legal_decks_have_no_faults(cards: str) -> None:
    assert broken(cards) == []


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        (FIFTEEN.removesuffix(" r2"), ("small", (), 14, 15)),
        (TWENTY + " r4", ("large", (), 21, 20)),
        (FIFTEEN.replace("c0*2", "c0*3"), ("common", ("c0",), 3, 2)),
        (FIFTEEN.replace("r0", "r0*2"), ("rare", ("r0",), 2, 1)),
        (FIFTEEN + " auto0*2 auto1", ("auto", ("auto0", "auto1"), 3, 2)),
        (FIFTEEN + " super0 super1", ("super", ("super0", "super1"), 2, 1)),
        (FIFTEEN + " super0*2", ("super", ("super0",), 2, 1)),
        (FIFTEEN + " both super0", ("super", ("both", "super0"), 2, 1)),
        (FIFTEEN + " both auto0*2", ("auto", ("auto0", "both"), 3, 2)),
        (FIFTEEN + " zz", ("unknown", ("zz",), 0, 0)),
    ],
)
def test_d19_each_broken_rule_names_card_and_limit(
    cards: str, fault: tuple[str, tuple[str, ...], int, int]
) -> None:
    assert broken(cards) == [fault]
    (found,) = faults(deck(cards), SET)
    for lang in LANGUAGES:
        sentence = said(found, lang)
        assert "D19" in sentence
        assert all(card_id in sentence for card_id in fault[1])
        assert str(fault[3]) in sentence or fault[0] == "unknown"


def test_d19_a_deck_is_refused_with_every_reason() -> None:
    rules = [rule for rule, *_ in broken("c0*3 r0*2 auto0*2 auto1*2 super0*2 nothing")]
    assert rules == ["small", "unknown", "common", "rare", "auto", "super"]


def test_d19_a_deck_is_for_its_own_set() -> None:
    (fault,) = faults(Deck("other", deck(FIFTEEN).cards), SET)
    assert fault.code == "deck.set"
    assert "«other»" in said(fault)
    assert "«made»" in said(fault)


def test_d19_a_misspelt_card_is_answered_with_the_nearest() -> None:
    (fault,) = faults(deck(FIFTEEN + " supper0"), SET)
    assert "did you mean «super0»?" in said(fault)


def test_a_deck_of_ids() -> None:
    assert deck_of("made", ["c1", "r0", "c1"]) == deck("r0 c1*2")
    assert deck_of("made", deck(TWENTY).ids()) == deck(TWENTY)


# ------------------------------------------------------------------------------
# D26

HOUSE = DeckLimits(deck_min=9, deck_max=40, copies=4, rare_copies=2, autos=0, supers=0)


def test_d26_a_deck_is_judged_by_the_numbers_of_its_match() -> None:
    assert DeckLimits() == USUAL
    assert faults(deck("c0*4 c1*3 r0*2"), SET, HOUSE) == []
    assert faults(deck(" ".join(f"c{n}*4" for n in range(10))), SET, HOUSE) == []
    assert faults(deck("super0*4 auto0*4 r0*2"), SET, DeckLimits(9, 40, 4, 4, 4, 4)) == []


@pytest.mark.parametrize(
    ("cards", "en", "ru"),
    [
        (
            "c0*4 c1*4",
            "too few cards: 8, at least 9 are needed (D19)",
            "карт 8, а нужно не меньше 9 (D19)",
        ),
        (
            "c0*4 c1*4 r0*3",
            "3 copies of the rare card «r0», at most 2 are allowed (D19)",
            "копий редкой карты «r0» 3, а можно не больше 2 (D19)",
        ),
        (
            "c0*4 c1*4 auto0",
            "cards with Auto (auto0) are not allowed (D19)",
            "карты с «Авто» (auto0) не разрешены (D19)",
        ),
        (
            "c0*4 c1*4 super1*2",
            "cards with Super (super1) are not allowed (D19)",
            "карты с «Супер» (super1) не разрешены (D19)",
        ),
    ],
)
def test_d26_faults_name_the_limit_of_the_match(cards: str, en: str, ru: str) -> None:
    (fault,) = faults(deck(cards), SET, HOUSE)
    assert (said(fault, "en"), said(fault, "ru")) == (en, ru)


def test_d26_one_copy_is_said_as_one() -> None:
    (fault,) = faults(deck(FIFTEEN.replace("c0*2", "c0 c9")), SET, DeckLimits(copies=1))[-1:]
    assert said(fault) == "2 copies of the common card «c5», at most 1 is allowed (D19)"


def test_d26_a_deck_file_is_judged_by_the_numbers_of_its_match(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + "c0 = 4\nc1 = 4\nr0 = 2\n", encoding="utf-8")
    assert read_deck(path, SET, HOUSE).size == 10
    with pytest.raises(DeckError) as caught:
        read_deck(path, SET)
    assert [fault.code for fault in caught.value.refusals] == [
        "deck.small",
        "deck.common",
        "deck.common",
        "deck.rare",
    ]
    with pytest.raises(DeckError, match="at most 3 are allowed"):
        parse_deck(path.read_text(encoding="utf-8"), "mine.toml", SET, replace(HOUSE, copies=3))


@given(
    st.integers(0, 2**64),
    st.builds(
        DeckLimits,
        deck_min=st.integers(9, 40),
        deck_max=st.just(40),
        copies=st.integers(1, 4),
        rare_copies=st.integers(1, 4),
        autos=st.integers(0, 10),
        supers=st.integers(0, 1),
    ),
)
def test_d26_random_decks_are_legal_in_their_match(seed: int, limits: DeckLimits) -> None:
    made = random_deck(core_set(), Random(seed), limits)
    assert faults(made, core_set(), limits) == []
    assert decode(encode(made, core_set(), limits), core_set()).cards == made.cards


def test_d26_a_random_deck_is_found_wherever_there_is_one() -> None:
    """Each of two cards that have both traits would keep out an Auto and a Super."""
    cards = [*(card(f"c{n}") for n in range(7)), card("both", text="Auto. Super. Heal 1.")]
    cards += [card("auto", text="Auto. Heal 1."), card("super", text="Super. Heal 1.")]
    tight = DeckLimits(deck_min=9, deck_max=9, copies=1, rare_copies=1, autos=1, supers=1)
    for seed in range(50):
        made = random_deck(CardSet("made", tuple(cards)), Random(seed), tight)
        assert [card_id for card_id, _ in made.cards] == ["auto", *(f"c{n}" for n in range(7)), "super"]
    with pytest.raises(ValueError, match="too few cards"):
        random_deck(CardSet("made", tuple(cards)), Random(1), replace(tight, deck_min=10, deck_max=10))


# ------------------------------------------------------------------------------
# Files

HEAD = 'name = "Mine"\nset = "made"\n[cards]\n'
LISTED = "".join(f"{name} = {copies}\n" for name, copies in deck(FIFTEEN).cards)


def file_faults(text: str, card_set: CardSet | None = None) -> list[tuple[int, str]]:
    with pytest.raises(DeckError) as caught:
        parse_deck(text, "mine.toml", card_set)
    found = caught.value.refusals
    assert all(said(fault, "ru").startswith("mine.toml:") for fault in found)
    return [(fault.values["line"], Words("en")(fault.code, **fault.values)) for fault in found]


def test_a_deck_file_is_read() -> None:
    mine = parse_deck(HEAD + LISTED, "mine.toml", SET)
    assert mine == Deck("made", deck(FIFTEEN).cards, "mine", "Mine", "Mine")
    assert mine.size == len(mine.ids()) == 15
    assert mine.ids()[:3] == ["c0", "c0", "c1"]


def test_names_and_descriptions_may_be_in_both_languages() -> None:
    names = 'name.ru = "Моя"\nname.en = "Mine"\ndescription = { ru = "Всё.", en = "All." }\n'
    mine = parse_deck(names + 'set = "made"\n[cards]\nc0 = 1\n')
    assert (mine.name("ru"), mine.name("en")) == ("Моя", "Mine")
    assert (mine.description("ru"), mine.description("en")) == ("Всё.", "All.")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('set = "made"\n[cards]\nc0 = 1', 1, "«name» is missing"),
        ('name = "Mine"\n[cards]\nc0 = 1', 1, "«set» is missing"),
        ('name = "Mine"\nset = "made"', 1, "«cards» is missing"),
        ('name = "Mine"\nset = "made"\ncards = ["c0"]', 3, "«cards» must be a table"),
        (HEAD, 3, "the deck has no cards"),
        (HEAD + "c0 = 0", 4, "a whole number from 1 to 99"),
        (HEAD + "c0 = 100", 4, "a whole number from 1 to 99"),
        (HEAD + "c1 = 1\nc0 = true", 5, "a whole number"),
        (HEAD + 'c0 = "2"', 4, "a whole number"),
        (HEAD + "C0 = 1", 4, "lowercase latin letters"),
        ("author = 1\n" + HEAD + "c0 = 1", 1, "unknown key «author»"),
        ("nmae = 1\n" + HEAD + "c0 = 1", 1, "did you mean «name»?"),
        ('name = { ru = "Моя" }\nset = "made"\n[cards]\nc0 = 1', 1, "«name.en» is missing"),
        ('description = ""\n' + HEAD + "c0 = 1", 1, "«description» is empty"),
        (HEAD + "c0 = 1\nc0 = 1", 5, "broken TOML"),
        (HEAD.replace("Mine", "x" * 61) + "c0 = 1", 1, "«name» is longer than 60 characters"),
    ],
)
def test_each_fault_of_a_deck_file_has_its_line(text: str, line: int, reason: str) -> None:
    ((found, said),) = file_faults(text)
    assert found == line
    assert reason in said


def test_d19_faults_of_a_file_stand_at_the_line_of_their_card() -> None:
    found = file_faults(HEAD + LISTED + "r5 = 2\nauto0 = 2\nauto1 = 2\nc99 = 1\n", SET)
    assert [(line, said.split()[0]) for line, said in found] == [
        (3, "too"),
        (13, "2"),
        (15, "4"),
        (16, "there"),
    ]


def test_all_faults_of_a_deck_file_are_told_at_once() -> None:
    found = file_faults('set = "other"\n[cards]\nc0 = 3\nx = 0\nr0 = 2\n', SET)
    assert [line for line, _ in found] == [1, 1, 3, 4, 5]


def test_a_deck_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="there is no such file"):
        read_deck(tmp_path / "none.toml")


def test_ready_decks_are_legal_and_described_in_both_languages() -> None:
    assert len(ready_decks()) == len(list(READY.glob("*.toml"))) >= 9
    for ready in ready_decks().values():
        assert faults(ready, core_set()) == []
        assert ready.name_ru != ready.name_en
        assert len(ready.description_ru) > 20
        assert len(ready.description_en) > 20
    assert len({ready.cards for ready in ready_decks().values()}) == len(ready_decks())


# ------------------------------------------------------------------------------
# Random decks


@given(st.integers(0, 2**64))
def test_d19_random_decks_are_legal_and_follow_from_the_seed(seed: int) -> None:
    for card_set in (core_set(), SET):
        made = random_deck(card_set, Random(seed))
        assert faults(made, card_set) == []
        assert made == random_deck(card_set, Random(seed))


def test_random_decks_are_those_of_the_first_version() -> None:
    """Games of a seed are dealt with them, so they must not change."""
    rng = Random("coyote")
    codes = [encode(random_deck(core_set(), rng), core_set()) for _ in range(200)]
    assert hashlib.sha256(" ".join(codes).encode()).hexdigest()[:16] == "803ea09d101dba00"
    assert random_deck(core_set(), Random(1)).name("ru") == "Случайная"


def test_random_decks_use_all_sizes_and_all_cards() -> None:
    rng = Random(1)
    decks = [random_deck(core_set(), rng) for _ in range(500)]
    assert {made.size for made in decks} == set(range(15, 21))
    assert {card_id for made in decks for card_id, _ in made.cards} == set(core_set().by_id)


def test_random_decks_do_not_depend_on_the_order_of_the_set() -> None:
    turned = CardSet(SET.name, SET.cards[::-1])
    assert random_deck(turned, Random(5)) == random_deck(SET, Random(5))


def test_a_set_that_is_too_small_has_no_random_deck() -> None:
    with pytest.raises(ValueError, match="too few cards"):
        random_deck(CardSet("made", SET.cards[:7]), Random(1))


# ------------------------------------------------------------------------------
# Codes

# Written by version 1; they must be read for ever.
GOLDEN = {
    FIFTEEN: "AQEEbWFkZQMDgvPp23f93RkWBgASoxIsWXwcl5wKvtC_PtD2MZ8JCl8",
    TWENTY: "AQEEbWFkZQMEgvPp23f93RkW5J1jCAASoxIsWW21PHwcl5wKvtC_PtD2MfKNW2J2wMs",
}


@pytest.mark.parametrize("cards", GOLDEN)
def test_golden_codes(cards: str) -> None:
    """What version 1 wrote is read, and what is written now is the same, with the digest of the set."""
    assert encode(deck(cards), SET) == with_digest(GOLDEN[cards])
    assert decode(GOLDEN[cards], SET).cards == deck(cards).cards
    assert set_of_code(GOLDEN[cards]) is None


def with_digest(code: str) -> str:
    """As version 3 writes the code of a set other than the core one; versions 1 and 2 read it, too."""

    def change(raw: bytearray) -> None:
        raw[0] = 3
        raw.extend(bytes.fromhex(SET.digest))

    return _rewritten(code, change)


def test_a_code_names_the_version_of_its_set_and_is_read_by_others() -> None:
    code = encode(deck(TWENTY), SET)
    assert set_of_code(code) == SET.digest
    changed = CardSet("made", (replace(SET.cards[0], name_en="Other"), *SET.cards[1:]))
    assert changed.digest != SET.digest and decode(code, changed).cards == deck(TWENTY).cards
    assert set_of_code(encode(ready_decks()["pack"], core_set())) is None, "the core set is known by its name"
    short = _rewritten(code, lambda raw: raw.__delitem__(-1))
    assert refusal(short).code == "deck.code.damaged"


# Written by version 2, which is needed for more than two copies of a card.
FOURFOLD = "c0*4 c1*3 c2*2 c3*2 r0*2 r1 r2"
GOLDEN_2 = "AgIEbWFkZQMCgvPp23f9A3wcl5wKvt0ZFgHQ9jEBEixZRsc_7A"
MANY = DeckLimits(copies=4, rare_copies=2)


def test_d26_codes_of_three_and_four_copies() -> None:
    assert encode(deck(FOURFOLD), SET, MANY) == with_digest(GOLDEN_2)
    assert decode(GOLDEN_2, SET).cards == deck(FOURFOLD).cards
    assert refusal(GOLDEN_2[:-1]).code == "deck.code.damaged"
    with pytest.raises(ValueError, match="at most 2 are allowed"):
        encode(deck(FOURFOLD), SET)
    with pytest.raises(DeckCodeError, match="at most 4 copies"):
        encode(deck("c0*5 c1*5 c2*5"), SET, DeckLimits(copies=5))


@pytest.mark.parametrize("cards", GOLDEN)
def test_d26_what_a_first_version_can_read_is_written_for_it(cards: str) -> None:
    assert encode(deck(cards), SET, DeckLimits(9, 40, 4, 4, 10, 1)) == with_digest(GOLDEN[cards])


def test_d26_a_first_version_refuses_the_code_of_a_second_as_newer() -> None:
    """It looks at the second byte, the lowest version able to read the code."""
    assert base64.urlsafe_b64decode(GOLDEN_2 + "=" * (-len(GOLDEN_2) % 4))[:2] == b"\x02\x02"


@given(st.integers(0, 2**64))
def test_a_code_gives_the_deck_back(seed: int) -> None:
    made = random_deck(core_set(), Random(seed))
    code = encode(made, core_set())
    assert (decode(code, core_set()).set, decode(code, core_set()).cards) == ("core", made.cards)
    assert set(code) <= set(string.ascii_letters + string.digits + "-_")
    assert len(code) <= 100


def test_equal_decks_have_equal_codes_whatever_their_order_and_names() -> None:
    one = deck(TWENTY)
    other = Deck("made", one.cards[::-1], "other", "Другая", "Other", "…", "…")
    assert encode(one, SET) == encode(other, SET)


def test_a_code_survives_cards_added_moved_and_renamed() -> None:
    code = encode(deck(TWENTY), SET)
    renamed = tuple(Card(c.id, "Новое", "New", c.rarity, read("Heal 1.")) for c in SET.cards)
    changed = CardSet("made", (card("newcomer"), *renamed[::-1], card("another")))
    assert decode(f"  {code}\n", changed).cards == deck(TWENTY).cards


def refusal(code: str, card_set: CardSet = SET) -> DeckCodeError:
    with pytest.raises(DeckCodeError) as caught:
        decode(code, card_set)
    return caught.value


def test_every_change_of_one_letter_is_noticed() -> None:
    code = encode(deck(TWENTY), SET)
    for place, was in enumerate(code):
        for letter in string.ascii_letters + string.digits + "-_+/=é":
            if letter != was:
                assert refusal(code[:place] + letter + code[place + 1 :]).code == "deck.code.damaged"


def test_missing_added_and_swapped_letters_are_noticed() -> None:
    code = encode(deck(TWENTY), SET)
    for place in range(len(code)):
        assert refusal(code[:place]).code == "deck.code.damaged"
        assert refusal(code[:place] + code[place + 1 :]).code == "deck.code.damaged"
        assert refusal(code[:place] + "A" + code[place:]).code == "deck.code.damaged"
        swapped = code[:place] + code[place : place + 2][::-1] + code[place + 2 :]
        assert swapped == code or refusal(swapped).code == "deck.code.damaged"


@given(st.text(max_size=30))
def test_any_other_text_is_a_damaged_code(text: str) -> None:
    assert refusal(text).code == "deck.code.damaged"


def _rewritten(code: str, change: Callable[[bytearray], object]) -> str:
    """The code with its bytes changed and a right checksum."""
    raw = bytearray(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))[:-4])
    change(raw)
    whole = bytes(raw) + binascii.crc32(raw).to_bytes(4, "big")
    return base64.urlsafe_b64encode(whole).decode().rstrip("=")


def test_a_code_that_needs_a_newer_version_says_so() -> None:
    newer = _rewritten(encode(deck(TWENTY), SET), lambda raw: raw.__setitem__(slice(0, 2), b"\x04\x03"))
    error = refusal(newer)
    assert error.code == "deck.code.newer"
    assert "version 4" in error.message("en")
    assert error.message("ru") != error.message("en")


def test_a_newer_code_that_this_version_can_read_is_read() -> None:
    def change(raw: bytearray) -> None:
        raw[0] = 4
        raw.extend(b"more")

    code = encode(deck(TWENTY), SET)
    assert decode(_rewritten(code, change), SET).cards == deck(TWENTY).cards
    assert refusal(_rewritten(code, lambda raw: raw.extend(b"more"))).code == "deck.code.damaged"


def test_a_code_for_another_set_says_so() -> None:
    error = refusal(encode(deck(TWENTY), SET), core_set())
    assert error.code == "deck.code.set"
    assert "«made»" in error.message("en")
    assert "«core»" in error.message("en")


def test_a_code_with_cards_that_are_gone_says_so() -> None:
    error = refusal(encode(deck(TWENTY), SET), CardSet("made", SET.cards[2:]))
    assert error.code == "deck.code.cards"
    assert error.message("en").endswith(": 2")


@given(st.binary(max_size=40))
def test_forged_codes_are_refused_without_a_crash(raw: bytes) -> None:
    whole = raw + binascii.crc32(raw).to_bytes(4, "big")
    code = base64.urlsafe_b64encode(whole).decode().rstrip("=")
    with pytest.raises(DeckCodeError):
        decode(code, SET)


def test_a_code_made_before_a_colliding_card_came_is_refused_and_not_misread() -> None:
    one, other = card("x332"), card("x462")
    code = encode(deck(FIFTEEN + " x332"), CardSet("made", (*SET.cards, one)))
    assert refusal(code, CardSet("made", (*SET.cards, one, other))).code == "deck.code.cards"


def test_the_name_of_a_set_may_be_in_any_language() -> None:
    dunes = CardSet("Дюны", SET.cards)
    made = Deck("Дюны", deck(FIFTEEN).cards)
    assert decode(encode(made, dunes), dunes) == made


def test_cards_whose_marks_collide_get_wider_marks() -> None:
    # The first two of the ids x0, x1, … whose SHA-256 begin with the same three bytes.
    program = Program(False, False, read("Heal 1.").effects)
    twins = [Card(name, name, name, "common", program) for name in ("x332", "x462")]
    crowded = CardSet("made", (*SET.cards, *twins))
    made = deck(FIFTEEN + " x332")
    code = encode(made, crowded)
    assert decode(code, crowded).cards == made.cards
    assert len(code) > len(encode(made, CardSet("made", crowded.cards[:-1])))


def test_a_deck_that_breaks_a_rule_gets_no_code() -> None:
    with pytest.raises(ValueError, match=r"too few cards: 14, at least 15 are needed \(D19\)"):
        encode(deck(FIFTEEN.removesuffix(" r2")), SET)
