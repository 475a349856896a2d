"""M1-M4  The cards and their strength."""

import pytest

from coyote.games.madness.cards import NAMES
from madness.kit_madness import at, both_editions, field, how_closed, played, settled

# Which ranks a card of each rank beats, written out by hand from M2 and M3.
BEATS = {
    "2": "A",
    "3": "A2",
    "4": "A23",
    "5": "A234",
    "6": "A2345",
    "7": "A23456",
    "8": "A234567",
    "9": "A2345678",
    "T": "A23456789",
    "J": "A23456789T",
    "Q": "A23456789TJ",
    "K": "23456789TJQ",
    "A": "K",
    "X": "23456789TJQKAX",
}


def beaters(edition: str, laid: str) -> set[str]:
    """Every card that beats this one as the Boss."""
    others = ",".join(name for name in NAMES if name != laid)
    legal = at(edition, f"0 main hands={others}/- boss={laid} deck=-").legal()
    return {move[2:] for move in legal if move.startswith("b ")}


def test_m1_there_are_52_cards_and_two_jokers() -> None:
    suited = {rank + suit for rank in "23456789TJQKA" for suit in "CDHS"}
    assert len(NAMES) == 54
    assert set(NAMES) == suited | {"X1", "X2"}


@both_editions
@pytest.mark.parametrize("laid", NAMES)
def test_m1_m2_m3_m4_every_pair_whatever_the_suits(edition: str, laid: str) -> None:
    expected = {card for card in NAMES if card != laid and laid[0] in BEATS[card[0]]}
    assert beaters(edition, laid) == expected


@both_editions
def test_m1_cards_of_one_rank_are_distinct_and_shown_with_their_suits(edition: str) -> None:
    match = played(at(edition, "0 main hands=7C,7D,7H/9S"), "a1 7D")
    assert match.situation()["hands"][0] == ["7C", "7H"]
    assert field(match, 1)["tops"] == ["7D", None]


@both_editions
@pytest.mark.parametrize(("card", "laid"), [("KD", "QH"), ("AS", "KD"), ("2C", "AS"), ("QH", "AS")])
def test_m2_king_beats_queen_ace_beats_king_and_two_to_queen_beat_the_ace(
    edition: str, card: str, laid: str
) -> None:
    assert card in beaters(edition, laid)
    assert laid not in beaters(edition, card)


@both_editions
@pytest.mark.parametrize(
    ("fields", "closed"),
    [
        ("AS/KH!|-/-|-/-", ("AS", 0)),
        ("AS!/KH|-/-|-/-", ("AS", 0)),
        ("AS!/QH|-/-|-/-", None),
        ("AS!/2H|-/-|-/-", None),
        ("2S!/AH|-/-|-/-", ("2S", 0)),
        ("QS/AH!|-/-|-/-", ("QS", 0)),
        ("KS!/AH|-/-|-/-", None),
        ("KS/QH!|-/-|-/-", ("KS", 0)),
    ],
)
def test_m2_an_ace_on_a_field(edition: str, fields: str, closed: tuple[str, int] | None) -> None:
    assert how_closed(settled(edition, 0, fields), 1) == closed


@both_editions
@pytest.mark.parametrize("joker", ["X1", "X2"])
def test_m3_a_joker_beats_every_other_card(edition: str, joker: str) -> None:
    assert all(joker in beaters(edition, laid) for laid in NAMES if laid != joker)


@both_editions
@pytest.mark.parametrize(("card", "laid"), [("X1", "X2"), ("X2", "X1")])
def test_m3_a_joker_beats_a_joker_that_lies_there(edition: str, card: str, laid: str) -> None:
    assert beaters(edition, laid) == {card}


@both_editions
def test_m3_joker_answered_with_joker_does_not_win_when_the_turn_returns(edition: str) -> None:
    match = played(at(edition, "1 main hands=QC/X2,KC fields=X1/-|-/-|-/-"), "a1 X2", "push")
    assert how_closed(match, 1) is None


@both_editions
def test_m3_of_two_jokers_the_one_laid_last_wins_the_field(edition: str) -> None:
    match = settled(edition, 1, "X1/X2!|-/-|-/-")
    assert how_closed(match, 1) == ("X2", 1)


@both_editions
def test_m3_two_jokers_are_never_a_draw(edition: str) -> None:
    match = settled(edition, 0, "X1/X2!|-/-|-/-")
    assert how_closed(match, 1) is None
    assert how_closed(played(match, "pass", "push"), 1) == ("X2", 1)


@both_editions
@pytest.mark.parametrize("answer", ["KH", "AS", "2S"])
def test_m3_a_joker_beats_what_was_laid_after_it(edition: str, answer: str) -> None:
    assert how_closed(settled(edition, 0, f"X1/{answer}!|-/-|-/-"), 1) == ("X1", 0)


@both_editions
@pytest.mark.parametrize("rank", "2357TJQK")
def test_m4_two_cards_of_one_rank_are_equal(edition: str, rank: str) -> None:
    match = settled(edition, 0, f"{rank}S!/{rank}H|-/-|-/-")
    assert how_closed(match, 1) == (f"{rank}H", None)


@both_editions
def test_m4_ace_against_ace_is_equal(edition: str) -> None:
    match = settled(edition, 0, "AS!/AC|-/-|-/-")
    assert how_closed(match, 1) == ("AC", None)
