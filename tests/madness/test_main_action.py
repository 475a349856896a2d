"""M14  The main action."""

import pytest

from madness.kit_madness import (
    at,
    boss,
    both_editions,
    both_seats,
    deck,
    discard,
    field,
    hand,
    how_closed,
    kinds,
    lead,
    phase,
    played,
    points,
    turn,
)


def moves(legal: list[str], kind: str) -> list[str]:
    return [move for move in legal if move.startswith(kind)]


@both_editions
@pytest.mark.parametrize("move", ["a1 9S", "c2 9S", "b 9S", "pass"])
def test_m14_exactly_one_and_then_tut(edition: str, move: str) -> None:
    match = played(at(edition, "0 main hands=9S,QC/KC"), move)
    assert turn(match) == (1, 0, "tut")
    assert match.actors == [0]


@both_editions
def test_m14_all_there_is_to_do(edition: str) -> None:
    match = at(edition, "0 main hands=9S,5S/KC boss=8D")
    cards = ("5S", "9S")
    laid = [f"{kind}{number} {card}" for kind in "ac" for number in (1, 2, 3) for card in cards]
    assert match.legal() == sorted([*laid, "b 9S", "pass"])


@both_editions
def test_m14_only_the_one_on_the_move_has_moves(edition: str) -> None:
    assert at(edition, "0 main hands=9S/KC").legal(1) == []


@both_editions
def test_m14_with_an_empty_hand_and_deck_there_is_only_the_pass(edition: str) -> None:
    assert at(edition, "0 main hands=-/KC deck=-").legal() == ["pass"]


# ---------------------------------------------------------------- attack


@both_editions
@both_seats
def test_m14_attack_lays_a_card_from_hand_on_ones_own_side(edition: str, seat: int) -> None:
    match = played(at(edition, f"{seat} main hands=9S,QC/9H,KC"), "a2 9S" if seat == 0 else "a2 9H")
    assert field(match, 2)["tops"] == (["9S", None] if seat == 0 else [None, "9H"])
    assert field(match, 2)["last"] == seat
    assert hand(match, seat) == (["QC"] if seat == 0 else ["KC"])


@both_editions
def test_m14_attack_takes_any_card_to_any_open_field(edition: str) -> None:
    match = at(edition, "0 main hands=2S,X1/KC fields=7S/9H!|-/KH|5S/-=0")
    assert moves(match.legal(), "a") == ["a1 2S", "a1 X1", "a2 2S", "a2 X1"]


@both_editions
def test_m14_attack_covers_an_earlier_card_of_ones_own(edition: str) -> None:
    match = played(at(edition, "0 main hands=TS,QC/KC fields=7S*2/9H!|-/-|-/-"), "a1 TS")
    assert field(match, 1)["tops"] == ["TS", "9H"]
    assert field(match, 1)["heights"] == [3, 1]


@both_editions
def test_m14_attack_brings_no_point_and_leaves_the_rest_alone(edition: str) -> None:
    match = played(at(edition, "0 main hands=TS,QC/KC discard=2S"), "a1 TS")
    assert (lead(match), boss(match), discard(match), deck(match)) == (0, "8D", "2S", 4)


# ---------------------------------------------------------------- close


@both_editions
def test_m14_close_closes_an_empty_field_at_once_for_nobody(edition: str) -> None:
    match = played(at(edition, "0 main hands=9S,QC/KC"), "c2 9S")
    assert how_closed(match, 2) == ("9S", None)
    assert hand(match, 0) == ["QC"]
    assert points(match) == []


@both_editions
def test_m14_close_takes_any_card(edition: str) -> None:
    match = at(edition, "0 main hands=2S,X1/KC fields=3C/-=0|3D/-=0|-/-")
    assert moves(match.legal(), "c") == ["c3 2S", "c3 X1"]


def test_m14_standard_closes_only_an_empty_field() -> None:
    match = at("standard", "0 main hands=9S/KC fields=7S/9H!|-/KH|-/-")
    assert moves(match.legal(), "c") == ["c3 9S"]


def test_m14_classic_closes_any_open_field() -> None:
    match = at("classic", "0 main hands=9S/KC fields=7S/9H!|-/KH|-/-=3H")
    assert moves(match.legal(), "c") == ["c1 9S", "c2 9S"]


@both_editions
def test_m14_close_never_takes_a_closed_field(edition: str) -> None:
    match = at(edition, "0 main hands=9S/KC fields=7S/-=0|-/-|-/-=3H")
    assert moves(match.legal(), "c") == ["c2 9S"]


def test_m14_classic_close_over_cards_leaves_them_under_the_marker_and_nobody_wins() -> None:
    match = played(at("classic", "0 main hands=2S,QC/KC fields=7S*2/9H!|-/-|-/-"), "c1 2S")
    assert how_closed(match, 1) == ("2S", None)
    assert field(match, 1)["tops"] == ["7S", "9H"]
    assert field(match, 1)["heights"] == [2, 1]
    assert lead(match) == 0


def test_m14_classic_close_takes_the_field_from_the_attacker() -> None:
    match = at("classic", "0 main hands=2S,QC/KC fields=7S/9H!|-/-|-/-")
    played(match, "c1 2S", "draw")
    assert points(match) == []
    assert how_closed(match, 1) == ("2S", None)


# ---------------------------------------------------------------- beat the Boss


@both_editions
def test_m14_beating_the_boss_makes_the_card_the_boss_and_brings_a_point(edition: str) -> None:
    match = played(at(edition, "0 main hands=9S,QC/KC boss=8D"), "b 9S")
    assert boss(match) == "9S"
    assert points(match) == [(0, "boss", 1)]
    assert hand(match, 0) == ["QC"]
    assert discard(match) is None


@both_editions
@pytest.mark.parametrize(
    ("laid", "cards"),
    [
        ("8D", ["9S", "JS", "KS", "X1"]),
        ("9D", ["JS", "KS", "X1"]),
        ("KD", ["AS", "X1"]),
        ("AD", ["2S", "9S", "JS", "X1"]),
        ("X2", ["X1"]),
    ],
)
def test_m14_the_card_must_be_strictly_stronger_than_the_boss(
    edition: str, laid: str, cards: list[str]
) -> None:
    match = at(edition, f"0 main hands=2S,9S,JS,KS,AS,X1/KC boss={laid}")
    assert sorted(move[2:] for move in moves(match.legal(), "b")) == sorted(cards)


@both_editions
def test_m14_m3_a_joker_beats_a_joker_boss(edition: str) -> None:
    match = played(at(edition, "0 main hands=X1,QC/KC boss=X2"), "b X1")
    assert (boss(match), lead(match)) == ("X1", 1)


@both_editions
def test_m14_m2_a_king_does_not_beat_an_ace_boss_but_an_ace_beats_a_king(edition: str) -> None:
    assert "b KS" not in at(edition, "0 main hands=KS/KC boss=AD").legal()
    assert "b AS" in at(edition, "0 main hands=AS/KC boss=KD").legal()


# ---------------------------------------------------------------- pass


@both_editions
def test_m14_pass_changes_nothing(edition: str) -> None:
    match = at(edition, "0 main hands=9S,QC/KC fields=7S/9H!|-/-|-/- discard=2S lead=+1")
    before = match.situation()
    after = played(match, "pass").situation()
    assert {**after, "phase": "main", "legal": before["legal"]} == before
    assert kinds(match) == ["pass"]


@both_editions
def test_m14_pass_is_always_allowed(edition: str) -> None:
    assert "pass" in at(edition, "0 main hands=9S,QC/KC fields=7S/9H!|-/-|-/-").legal()
    assert phase(played(at(edition, "0 main hands=X1/KC"), "pass")) == "tut"
