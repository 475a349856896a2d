"""M11  The deal, from decks that are written down."""

import pytest

from coyote import Match
from coyote.cli.play import draw_lots
from coyote.games.game import Json, RecordError
from coyote.games.madness.cards import NAMES
from madness.kit_madness import EDITIONS, both_editions, played, turn

DECK = list(NAMES)  # top first: 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S …


def record(edition: str, deck: list[str] = DECK) -> Json:
    return {"game": "madness", "options": {"edition": edition}, "players": ["?", "?"], "deck": deck}


def dealt(edition: str) -> Match:
    return Match.from_record(record(edition))


def test_m11_standard_deals_five_cards_each_and_then_turns_up_the_boss() -> None:
    situation = dealt("standard").situation()
    assert situation["hands"] == [sorted(DECK[:5]), sorted(DECK[5:10])]
    assert situation["boss"] == DECK[10]


def test_m11_classic_turns_up_the_boss_first() -> None:
    situation = dealt("classic").situation()
    assert situation["boss"] == DECK[0]
    assert situation["hands"] == [sorted(DECK[1:6]), sorted(DECK[6:11])]


@both_editions
def test_m11_the_rest_is_the_deck_in_its_order(edition: str) -> None:
    match = dealt(edition)
    assert match.situation()["deck"] == 43
    played(match, "pass", "draw")
    assert DECK[11] in match.situation()["hands"][0]
    played(match, "pass", "push")
    assert match.situation()["boss"] == DECK[12]


@both_editions
def test_m11_nothing_else_lies_on_the_table(edition: str) -> None:
    situation = dealt(edition).situation()
    assert situation["discard"] is None
    assert situation["lead"] == 0
    assert all(field["tops"] == [None, None] and not field["closed"] for field in situation["fields"])


@both_editions
def test_m11_seat_0_has_the_first_turn(edition: str) -> None:
    match = dealt(edition)
    assert turn(match) == (1, 0, "main")
    assert match.actors == [0]


@both_editions
def test_m11_seat_1_has_the_second_turn(edition: str) -> None:
    assert turn(played(dealt(edition), "pass", "draw")) == (2, 1, "main")


def test_m11_who_sits_in_seat_0_is_decided_by_lot() -> None:
    lots = {tuple(draw_lots(f"evening {number}", "random")) for number in range(20)}
    assert len(lots) == 2


@both_editions
def test_m1_m11_the_deck_is_shuffled_and_complete(edition: str) -> None:
    decks = [Match("madness", seed=seed, edition=edition).record()["deck"] for seed in ("one", "two")]
    assert sorted(decks[0]) == sorted(decks[1]) == sorted(NAMES)
    assert decks[0] != decks[1]


@pytest.mark.parametrize(
    "deck",
    [DECK[:53], [*DECK, "2C"], ["2C", *DECK[:53]], ["1C", *DECK[1:]], []],
    ids=["a card missing", "a card too many", "a card twice", "no such card", "none"],
)
def test_m1_m11_a_deck_must_be_the_54_cards(deck: list[str]) -> None:
    with pytest.raises(RecordError) as raised:
        Match.from_record(record(EDITIONS[0], deck))
    assert (raised.value.refusal.code, raised.value.refusal.rule) == ("record.deck", "M1")
