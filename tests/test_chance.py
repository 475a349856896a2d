"""Chance: the keyed function, fair rolls, shuffles that anyone can compute again, and seeds."""

import hashlib
from collections import Counter
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from coyote.games.game import NO_SETUP
from coyote.games.madness.game import Madness
from coyote.games.madness.state import STATE
from coyote.kernel.chance import ROLLS_PER_WORD, below, fair_word, game_words, next_word, shuffle, siphash
from coyote.kernel.dice import roll
from coyote.kernel.record import new
from coyote.lab.series import series
from coyote.lab.simulate import records
from coyote.match import Match
from coyote.seeds import HEX_SEED, new_seed, seed_from, seed_text, seed_words
from kit.play import EDITIONS
from kit.slow_chance import PACK, WORD, Stream, deck_of, is_fair, seed_digits, shuffled
from kit.slow_chance import siphash as slow_siphash

KEY = bytes(range(16))

# The first of the reference vectors of SipHash-2-4 (J.-P. Aumasson and D. J. Bernstein): the key
# 00 01 … 0f, messages 00 01 … of rising length.
PUBLISHED = [
    0x726FDB47DD0E0E31, 0x74F839C593DC67FD, 0x0D6C8009D9A94F5A, 0x85676696D7FB7E2D,
    0xCF2794E0277187B7, 0x18765564CD99A68D, 0xCBC9466E58FEE3CE, 0xAB0200F58B01D137,
    0x93F5F5799A932462, 0x9E0082DF0BA9E4B0,
]  # fmt: skip


def stream(seed: str) -> Any:
    """A record that draws the words of a seed."""
    c = new(STATE)
    c.key[:] = seed_words(seed)
    return c


# ---------------------------------------------------------------- the keyed function


@pytest.mark.parametrize("length", range(len(PUBLISHED)))
def test_slow_siphash_gives_the_published_vectors(length: int) -> None:
    assert slow_siphash(KEY, bytes(range(length))) == PUBLISHED[length]


def test_siphash_gives_the_published_vector_of_eight_bytes() -> None:
    key = np.frombuffer(KEY, "<u8")
    message = np.frombuffer(bytes(range(8)), "<u8")[0]
    assert int(siphash(key[0], key[1], message)) == 0x93F5F5799A932462


def test_siphash_is_the_slow_one_for_any_key_and_counter() -> None:
    random = Random(24)
    for _ in range(300):
        key, counter = random.randbytes(16), random.choice([random.randrange(100), random.randrange(WORD)])
        k0, k1 = np.frombuffer(key, "<u8")
        ours = int(siphash(k0, k1, np.uint64(counter)))
        assert ours == slow_siphash(key, counter.to_bytes(8, "little"))


def test_words_come_in_the_order_of_the_counter() -> None:
    c = stream(KEY.hex())
    words = [int(next_word(c)) for _ in range(20)]
    assert words == [slow_siphash(KEY, i.to_bytes(8, "little")) for i in range(20)]
    assert c.counter == 20


# ---------------------------------------------------------------- fair rolls


def test_exactly_the_uneven_words_are_turned_away() -> None:
    """`fair_word` skips a word exactly where the big-integer condition says so.

    Products near 2**64 turn away up to half of all words, so both answers come often.
    """
    random = Random(5)
    skipped = 0
    for number in range(400):
        product = random.choice([random.randrange(2, WORD), WORD // random.randrange(1, 9) - number, 3**40])
        seed = random.randbytes(16)
        c = stream(seed.hex())
        word = int(fair_word(c, np.uint64(product)))
        words = [slow_siphash(seed, i.to_bytes(8, "little")) for i in range(int(c.counter))]
        assert word == words[-1]
        assert [is_fair(word, product) for word in words] == [False] * (len(words) - 1) + [True]
        skipped += len(words) - 1
    assert skipped > 50, "the test is to see words turned away"


@pytest.mark.parametrize("bits", [3, 5, 8])
@pytest.mark.parametrize("bound", [1, 2, 3, 5, 6, 7, 12, 30, 54, 120])
def test_the_rule_for_words_is_exactly_even(bits: int, bound: int) -> None:
    """The same rule with small words, all of them counted: every outcome equally often.

    A word w below 2**bits counts if w * n mod 2**bits >= 2**bits mod n, and gives w * n // 2**bits.
    """
    size = 2**bits
    if bound > size:
        bound = size
    taken = [word for word in range(size) if word * bound % size >= size % bound]
    outcomes = Counter(word * bound // size for word in taken)
    assert set(outcomes) == set(range(bound))
    assert set(outcomes.values()) == {size // bound}


def test_nine_rolls_of_one_word_are_exactly_even() -> None:
    """Three rolls (bounds 5, 4, 3) of one small word: every triple equally often."""
    size, bounds = 2**9, (5, 4, 3)
    triples: Counter[tuple[int, ...]] = Counter()
    for start in range(size):
        if start * prod(bounds) % size < size % prod(bounds):
            continue
        word, rolls = start, []
        for bound in bounds:
            rolls.append(word * bound // size)
            word = word * bound % size
        triples[tuple(rolls)] += 1
    assert len(triples) == 60
    assert set(triples.values()) == {size // 60}


def test_rolls_per_word_leave_room() -> None:
    """The largest product of nine bounds fits a word, and few words are turned away."""
    largest = prod(range(54, 54 - ROLLS_PER_WORD, -1))
    assert ROLLS_PER_WORD == 9
    assert largest < 2**51
    assert largest / WORD < 1 / 8000


def test_below_is_the_high_word_of_the_product() -> None:
    random = Random(6)
    for _ in range(300):
        seed, n = random.randbytes(16).hex(), random.randrange(1, 2**40)
        assert int(below(stream(seed), n)) == Stream(seed).word(n) * n // WORD


# Upper points of the chi-square distribution at 0.999, by degrees of freedom.
CHI_999 = {5: 20.515, 6: 22.458, 23: 49.728, 53 * 53: 3047.0}


def chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def test_below_is_even() -> None:
    """60,000 rolls below 6, fixed seed; a fair die passes this in 999 seeds of 1,000."""
    c = stream(seed_from("even rolls"))
    counts = Counter(int(below(c, 6)) for _ in range(60_000))
    assert chi_square([counts[i] for i in range(6)], 10_000) < CHI_999[5]


def test_shuffle_puts_every_card_everywhere() -> None:
    """54 × 54 table of card and place over 20,000 shuffles, fixed seed; 0.999 point of 53² degrees."""
    table = np.zeros((54, 54), np.int64)
    c, cards, places = stream(seed_from("places")), np.zeros(54, np.int8), np.arange(54)
    for _ in range(20_000):
        cards[:] = places
        shuffle(c, cards, 54)
        table[places, cards] += 1
    assert (table.sum(0) == 20_000).all() and (table.sum(1) == 20_000).all()
    assert chi_square(table.ravel().tolist(), 20_000 / 54) < CHI_999[53 * 53]


def test_all_24_orders_of_four_cards_are_even() -> None:
    """48,000 shuffles, 23 degrees of freedom, fixed seed."""
    c, cards = stream(seed_from("orders")), np.zeros(4, np.int8)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(48_000):
        cards[:] = range(4)
        shuffle(c, cards, 4)
        orders[tuple(cards.tolist())] += 1
    assert len(orders) == 24
    assert chi_square(list(orders.values()), 2_000) < CHI_999[23]


def test_dice_of_bots_are_even_and_apart() -> None:
    """Each seat rolls its own numbers: one seat's rolls do not move the other's."""
    dice, alone = np.array([1, 2], np.uint64), np.array([1, 99], np.uint64)
    counts: Counter[int] = Counter()
    for _ in range(20_000):
        number = int(roll(dice, 0, 7))
        roll(dice, 1, 7)
        assert number == int(roll(alone, 0, 7))
        counts[number] += 1
    assert chi_square([counts[i] for i in range(7)], 20_000 / 7) < CHI_999[6]


# ---------------------------------------------------------------- shuffles


GOLDEN = {
    "00000000000000000000000000000000": (
        "AC X1 KS 9H 2C 3D 6D 2D TD 7H KC 3H 4C 5S 8D 8C 4S KD "
        "8H JH 9C TS 6H 2H 5C 3S 8S 7C QS 3C QC JC 9S JS 5H 7S "
        "9D 7D 5D AH 6C X2 2S QD JD TC AD 6S AS QH 4D 4H TH KH"
    ),
    "000102030405060708090a0b0c0d0e0f": (
        "5C 4H 8C KS 6H QC 6S KD 2D 3S 9C QH 3D JC JH 2S 5H 9H "
        "3H 4S TS 3C JD 4D 2C 7S 4C TD 9S 2H AD 7H 7C QS TC AS "
        "5D JS X2 8S 7D 8H KC X1 QD 9D 6D AH KH 5S AC TH 6C 8D"
    ),
    "friday": (
        "7C 8C 9D 3C 5H KH 6C 3D 4S 5C AD 2S 5D 2H 7D TH QS 6D "
        "TD AC TS 9H QD 4H 7S QH AS 8D X1 7H KC 2D JC 2C 9S 3H "
        "8S 6H JD 6S 4C 9C 4D AH X2 JS 8H 3S KD TC QC 5S JH KS"
    ),
}


@pytest.mark.parametrize("text", GOLDEN)
@pytest.mark.parametrize("edition", EDITIONS)
def test_golden_decks(edition: str, text: str) -> None:
    """Three seeds whose decks, top card first, stand here for all time: a change breaks old seeds."""
    deck = Match("madness", seed=text, edition=edition).record()["deck"]
    assert " ".join(deck) == GOLDEN[text]
    assert deck == deck_of(text)


@pytest.mark.parametrize("jokers", range(3))
def test_a_deck_with_fewer_jokers_is_shuffled_by_the_same_rule(jokers: int) -> None:
    deck = Match("madness", seed="friday", jokers=jokers).record()["deck"]
    assert deck == shuffled(seed_digits("friday"), PACK[: 52 + jokers])[::-1]


def test_any_shuffle_is_the_slow_one() -> None:
    random = Random(7)
    for _ in range(100):
        seed, n = random.randbytes(16).hex(), random.randrange(0, 55)
        cards = np.arange(54, dtype=np.int8)
        c = stream(seed)
        shuffle(c, cards, n)
        names = [PACK[card] for card in cards]
        assert names == shuffled(seed, PACK[:n]) + PACK[n:]


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_chance_of_a_deal_follows_from_its_seed(edition: str) -> None:
    game = Madness(edition=edition)
    first, second = (game.deal(NO_SETUP, seed_words(seed_from(text))) for text in ("one", "two"))
    assert first.tobytes() == game.deal(NO_SETUP, seed_words(seed_from("one"))).tobytes()
    assert first.tobytes() != second.tobytes()


def test_games_of_a_series_take_words_4k_to_4k_plus_3() -> None:
    source = series("any text")
    key = bytes.fromhex(hashlib.sha256(b"series any text").hexdigest()[:32])
    seed, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    for game in (0, 1, 17):
        game_words(source, game, seed, dice)
        words = [slow_siphash(key, (4 * game + i).to_bytes(8, "little")) for i in range(4)]
        assert [*map(int, seed), *map(int, dice)] == words
    second = list(records(Madness(), NO_SETUP, ["random", "random"], 2, "any text"))[1]
    wanted = b"".join(slow_siphash(key, i.to_bytes(8, "little")).to_bytes(8, "little") for i in (4, 5))
    assert second["seed"] == wanted.hex()


# ---------------------------------------------------------------- seeds


def test_a_seed_of_32_digits_is_itself() -> None:
    digits = "0123456789abcdef" * 2
    assert seed_from(digits) == digits == Match("madness", seed=digits).record()["seed"]


@pytest.mark.parametrize("text", ["", "friday", "Пятница", "0" * 31, "0" * 33, "ABCDEF" * 5 + "AB", " x "])
def test_any_other_text_is_hashed(text: str) -> None:
    assert seed_from(text) == hashlib.sha256(text.encode("utf-8")).hexdigest()[:32] == seed_digits(text)
    assert Match("madness", seed=text).record()["seed"] == seed_from(text)


def test_seed_words_are_little_end_first_and_back() -> None:
    words = seed_words(KEY.hex())
    assert [int(word) for word in words] == [0x0706050403020100, 0x0F0E0D0C0B0A0908]
    assert seed_text(words) == KEY.hex()


def test_new_seeds_are_seeds_and_differ() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(HEX_SEED.fullmatch(seed) for seed in seeds)
