"""M15  TUT: draw, drop, push."""

import pytest

from coyote.games.madness.cards import NAMES
from madness.kit_madness import (
    at,
    boss,
    both_editions,
    both_seats,
    deck,
    discard,
    hand,
    happened,
    kinds,
    lead,
    played,
    points,
    turn,
)


@both_editions
@pytest.mark.parametrize("cards", ["4C,4D", "-"])
def test_m15_all_three_are_always_there(edition: str, cards: str) -> None:
    match = at(edition, f"0 tut hands=9S,QC/KC deck={cards}")
    assert match.legal() == ["draw", "drop 9S", "drop QC", "push"]


@both_editions
@pytest.mark.parametrize("cards", ["4C,4D", "-"])
def test_m15_all_three_are_there_with_an_empty_hand(edition: str, cards: str) -> None:
    assert at(edition, f"0 tut hands=-/KC deck={cards}").legal() == ["draw", "drop", "push"]


@both_editions
@both_seats
@pytest.mark.parametrize("move", ["draw", "drop QC", "push"])
def test_m15_exactly_one_and_then_the_turn_passes(edition: str, seat: int, move: str) -> None:
    hands = "QC,QD/KC,KD" if seat == 0 else "KC,KD/QC,QD"
    match = played(at(edition, f"{seat} tut turn={7 + seat} hands={hands}"), move)
    assert turn(match) == (8 + seat, 1 - seat, "main")
    assert match.actors == [1 - seat]


# ---------------------------------------------------------------- draw


@both_editions
def test_m15_draw_takes_the_top_card(edition: str) -> None:
    match = played(at(edition, "0 tut hands=QC/KC deck=4C,4D"), "draw")
    assert hand(match, 0) == ["4C", "QC"]
    assert deck(match) == 1


@both_editions
def test_m15_draw_takes_nothing_from_an_empty_deck(edition: str) -> None:
    match = played(at(edition, "0 tut hands=QC/KC deck=-"), "draw")
    assert hand(match, 0) == ["QC"]
    assert kinds(match) == ["no_draw", "turn"]


@both_editions
def test_m15_draw_with_an_empty_hand(edition: str) -> None:
    assert hand(played(at(edition, "0 tut hands=-/KC"), "draw"), 0) == ["4C"]


@both_editions
def test_m15_draw_with_empty_hand_and_deck(edition: str) -> None:
    match = played(at(edition, "0 tut hands=-/KC deck=-"), "draw")
    assert match.situation()["hands"] == [[], ["KC"]]


@both_editions
def test_m15_there_is_no_limit_to_a_hand(edition: str) -> None:
    cards = [name for name in NAMES if name not in ("8D", "4C", "KC")]
    match = played(at(edition, f"0 tut hands={','.join(cards)}/KC deck=4C"), "draw")
    assert hand(match, 0) == sorted([*cards, "4C"])


# ---------------------------------------------------------------- drop


@both_editions
def test_m15_drop_puts_a_card_on_the_discard_and_takes_the_top_card(edition: str) -> None:
    match = played(at(edition, "0 tut hands=9S,QC/KC discard=2S deck=4C,4D"), "drop 9S")
    assert discard(match) == "9S"
    assert hand(match, 0) == ["4C", "QC"]
    assert kinds(match) == ["drop", "draw", "turn"]


@both_editions
def test_m15_drop_from_an_empty_deck_takes_none(edition: str) -> None:
    match = played(at(edition, "0 tut hands=9S,QC/KC deck=-"), "drop 9S")
    assert discard(match) == "9S"
    assert hand(match, 0) == ["QC"]
    assert kinds(match) == ["drop", "no_draw", "turn"]


@both_editions
def test_m15_drop_the_only_card(edition: str) -> None:
    match = played(at(edition, "0 tut hands=9S/KC"), "drop 9S")
    assert (discard(match), hand(match, 0)) == ("9S", ["4C"])


@both_editions
def test_m15_drop_with_an_empty_hand_works_as_draw(edition: str) -> None:
    match = played(at(edition, "0 tut hands=-/KC discard=2S"), "drop")
    assert (discard(match), hand(match, 0), deck(match)) == ("2S", ["4C"], 3)
    assert kinds(match) == ["draw", "turn"]


@both_editions
def test_m15_drop_with_empty_hand_and_deck_does_nothing(edition: str) -> None:
    match = played(at(edition, "0 tut hands=-/KC discard=2S deck=-"), "drop")
    assert (discard(match), hand(match, 0)) == ("2S", [])
    assert kinds(match) == ["no_draw", "turn"]


# ---------------------------------------------------------------- push


@both_editions
def test_m15_push_makes_the_top_card_the_boss_for_no_point(edition: str) -> None:
    match = played(at(edition, "0 tut hands=QC/KC boss=8D deck=9D,4D"), "push")
    assert (boss(match), deck(match), hand(match, 0)) == ("9D", 1, ["QC"])
    assert (lead(match), points(match)) == (0, [])


@both_editions
def test_m15_push_lays_a_weaker_card_too(edition: str) -> None:
    assert boss(played(at(edition, "0 tut hands=QC/KC boss=X1 deck=2D"), "push")) == "2D"


@both_editions
@pytest.mark.parametrize("own", ["QC", "-"])
def test_m15_push_from_an_empty_deck_does_nothing(edition: str, own: str) -> None:
    match = played(at(edition, f"0 tut hands={own}/KC boss=8D deck=-"), "push")
    assert boss(match) == "8D"
    assert happened(match, "no_push") == [(0, {})]


@both_editions
def test_m15_push_with_an_empty_hand(edition: str) -> None:
    match = played(at(edition, "0 tut hands=-/KC"), "push")
    assert (boss(match), hand(match, 0)) == ("4C", [])


@both_editions
@pytest.mark.parametrize(("own", "move"), [("QC", "draw"), ("QC", "drop QC"), ("-", "drop"), ("QC", "push")])
def test_m15_every_tut_shortens_the_deck_by_one_card(edition: str, own: str, move: str) -> None:
    assert deck(played(at(edition, f"0 tut hands={own}/KC"), move)) == 3
