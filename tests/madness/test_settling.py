"""M12  Settling, when a turn begins."""

import pytest

from madness.kit_madness import (
    at,
    both_editions,
    both_seats,
    field,
    happened,
    how_closed,
    kinds,
    lead,
    mirrored,
    phase,
    played,
    points,
    settled,
    turn,
)


def settled_for(edition: str, seat: int, fields: str) -> object:
    """How field 1 closed, the fields being written as if for seat 0; and the lead gained."""
    match = settled(edition, seat, fields if seat == 0 else mirrored(fields))
    closed = how_closed(match, 1)
    winner = None if closed is None else {seat: "won", None: "drawn"}[closed[1]]
    return winner, lead(match) * (1 - 2 * seat)


# ---------------------------------------------------------------- one field


@both_editions
@both_seats
@pytest.mark.parametrize(
    "fields",
    [
        pytest.param("7S/-|-/-|-/-", id="not answered"),
        pytest.param("7S/5H!|-/-|-/-", id="answered with a weaker card"),
        pytest.param("7S!/5H|-/-|-/-", id="stronger and laid last"),
        pytest.param("7S*3/5H*2!|-/-|-/-", id="only the tops count"),
        pytest.param("9S/5H*2!|-/-|-/-", id="the other replaced with a weaker card"),
        pytest.param("X1/KH!|-/-|-/-", id="joker"),
        pytest.param("X1!/X2|-/-|-/-", id="joker laid last"),
        pytest.param("AS/KH!|-/-|-/-", id="ace on king"),
    ],
)
def test_m12_the_field_is_won_and_brings_a_point(edition: str, seat: int, fields: str) -> None:
    assert settled_for(edition, seat, fields) == ("won", 1)


@both_editions
@both_seats
@pytest.mark.parametrize("fields", ["7S!/7H|-/-|-/-", "7S*2!/7H|-/-|-/-", "AS!/AH|-/-|-/-"])
def test_m12_equal_and_laid_last_closes_in_a_draw_for_nothing(edition: str, seat: int, fields: str) -> None:
    assert settled_for(edition, seat, fields) == ("drawn", 0)


@both_editions
@both_seats
@pytest.mark.parametrize(
    "fields",
    [
        pytest.param("-/7H|-/-|-/-", id="no card of one's own"),
        pytest.param("7S/9H!|-/-|-/-", id="answered with a stronger card"),
        pytest.param("7S/7H!|-/-|-/-", id="answered with an equal card"),
        pytest.param("5S!/7H|-/-|-/-", id="weaker though laid last"),
        pytest.param("X1/X2!|-/-|-/-", id="joker laid first"),
        pytest.param("AS!/QH|-/-|-/-", id="ace on queen"),
    ],
)
def test_m12_otherwise_the_field_stays_open(edition: str, seat: int, fields: str) -> None:
    assert settled_for(edition, seat, fields) == (None, 0)


@both_editions
@pytest.mark.parametrize("closed", ["7S/-=0", "7S/9H!=1", "7S!/7H=draw", "-/-=7S"])
def test_m12_a_closed_field_is_not_settled_again(edition: str, closed: str) -> None:
    match = settled(edition, 0, f"{closed}|-/-|-/-")
    assert happened(match, "field") == []
    assert lead(match) == 0


def test_m12_a_field_closed_over_cards_is_not_settled_in_classic() -> None:
    match = settled("classic", 0, "7S/-=2S|-/-|-/-")
    assert points(match) == []


# ---------------------------------------------------------------- attack and answer, turn by turn


@both_editions
def test_m12_an_attack_is_not_settled_in_the_turn_it_is_made(edition: str) -> None:
    match = played(at(edition, "0 main hands=7S,QC/KC"), "a1 7S", "draw")
    assert how_closed(match, 1) is None
    assert lead(match) == 0


@both_editions
def test_m12_an_attack_left_unanswered_is_won_when_the_turn_comes_back(edition: str) -> None:
    match = played(at(edition, "0 main hands=7S,QC/KC"), "a1 7S", "draw", "pass", "draw")
    assert how_closed(match, 1) == ("7S", 0)
    assert lead(match) == 1


@both_editions
def test_m12_a_weaker_answer_does_not_save_the_field(edition: str) -> None:
    match = played(at(edition, "0 main hands=7S,QC/5H,KC"), "a1 7S", "draw", "a1 5H", "draw")
    assert how_closed(match, 1) == ("7S", 0)


@both_editions
def test_m12_a_stronger_answer_is_a_new_attack(edition: str) -> None:
    match = played(at(edition, "0 main hands=7S,QC/9H,KC"), "a1 7S", "draw", "a1 9H", "draw")
    assert how_closed(match, 1) is None
    played(match, "pass", "draw")
    assert how_closed(match, 1) == ("9H", 1)
    assert lead(match) == -1


@both_editions
def test_m12_the_new_attack_may_be_answered_again(edition: str) -> None:
    match = at(edition, "0 main hands=QC,KS/KC fields=7S/9H!|-/-|-/-")
    played(match, "a1 QC", "draw", "pass", "draw")
    assert how_closed(match, 1) == ("QC", 0)


@both_editions
def test_m12_equal_answer_gives_the_attacker_one_turn(edition: str) -> None:
    match = played(at(edition, "0 main hands=7S,QC/7H,KC"), "a1 7S", "draw", "a1 7H", "draw")
    assert how_closed(match, 1) is None
    assert "a1 QC" in match.legal()


@both_editions
def test_m12_equal_answer_closes_in_a_draw_when_the_turn_returns(edition: str) -> None:
    match = played(at(edition, "1 main hands=QC/7H,KC fields=7S/-|-/-|-/-"), "a1 7H", "draw", "pass", "draw")
    assert how_closed(match, 1) == ("7S", None)
    assert turn(match)[1] == 1
    assert points(match) == []


@both_editions
def test_m12_after_an_equal_answer_the_attacker_may_lay_a_stronger_card_and_win(edition: str) -> None:
    match = at(edition, "0 main hands=QC,KS/KC fields=7S/7H!|-/-|-/-")
    played(match, "a1 QC", "draw")
    assert how_closed(match, 1) is None
    played(match, "pass", "draw")
    assert how_closed(match, 1) == ("QC", 0)


@both_editions
def test_m12_a_weaker_replacement_makes_the_opposing_card_the_attacking_one(edition: str) -> None:
    match = at(edition, "0 main hands=5S,KS/KC fields=7S/7H!|-/-|-/-")
    played(match, "a1 5S", "draw")
    assert how_closed(match, 1) == ("7H", 1)
    assert lead(match) == -1


@both_editions
def test_m12_a_weaker_replacement_of_a_winning_answer_loses_it(edition: str) -> None:
    match = at(edition, "1 main hands=QC/5H,KC fields=9S!/7H|-/-|-/-")
    played(match, "a1 5H", "draw")
    assert how_closed(match, 1) == ("9S", 0)


@both_editions
def test_m12_after_equal_on_equal_whoever_laid_last_is_the_one_who_answered(edition: str) -> None:
    match = at(edition, "0 main hands=7D,KS/KC fields=7S/7H!|-/-|-/-")
    played(match, "a1 7D", "draw")
    assert how_closed(match, 1) is None
    played(match, "pass", "draw")
    assert how_closed(match, 1) == ("7H", None)
    assert turn(match)[1] == 0


@both_editions
def test_m12_equal_cards_may_follow_one_another(edition: str) -> None:
    match = at(edition, "0 main hands=7D,KS/7C,KC fields=7S/7H!|-/-|-/-")
    played(match, "a1 7D", "draw", "a1 7C", "draw")
    assert how_closed(match, 1) is None
    played(match, "pass", "draw")
    assert how_closed(match, 1) == ("7D", None)
    assert field(match, 1)["heights"] == [2, 2]


@both_editions
def test_m12_an_equal_replacement_of_a_beaten_card_answers(edition: str) -> None:
    match = at(edition, "0 main hands=9D,KS/KC fields=7S/9H!|-/-|-/-")
    played(match, "a1 9D", "draw", "pass", "draw")
    assert how_closed(match, 1) == ("9H", None)


@both_editions
def test_m12_playing_on_another_field_answers_nothing(edition: str) -> None:
    match = played(at(edition, "1 main hands=QC/KH,KC fields=7S/-|-/-|-/-"), "a2 KH", "draw")
    assert how_closed(match, 1) == ("7S", 0)


@both_editions
def test_m12_the_first_joker_is_answered_by_the_second(edition: str) -> None:
    match = played(at(edition, "1 main hands=QC/X2,KC fields=X1/-|-/-|-/-"), "a1 X2", "draw")
    assert how_closed(match, 1) is None
    played(match, "pass", "draw")
    assert how_closed(match, 1) == ("X2", 1)


# ---------------------------------------------------------------- several fields, in order


@both_editions
@pytest.mark.parametrize("fields", ["7S/-|9S/5H*2!|-/-", "-/-|9S/5H*2!|7S/-", "7S/-|-/-|9S/5H*2!"])
def test_m12_fields_are_settled_in_the_order_of_their_numbers(edition: str, fields: str) -> None:
    match = settled(edition, 0, fields)
    numbers = [what["field"] for _, what in happened(match, "field")]
    assert len(numbers) == 2
    assert numbers == sorted(numbers)
    assert lead(match) == 2


@both_editions
def test_m12_each_field_brings_its_point_before_the_next_is_settled(edition: str) -> None:
    match = settled(edition, 0, "7S/-|9S/5H*2!|-/-")
    assert kinds(match) == ["push", "turn", "field", "point", "field", "point"]


@both_editions
def test_m12_m17_a_win_and_then_a_draw_end_the_round_without_a_winner(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|9S/5H*2!|7S!/7H")
    assert happened(match, "round") == [(None, {"field": 3, "card": "7H"})]
    assert points(match) == [(0, "field", 1)]
    assert phase(match) == "main"


@both_editions
def test_m12_m17_a_draw_and_then_a_win_end_the_round_with_a_winner(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|7S!/7H|9S/5H*2!")
    assert happened(match, "round") == [(0, {"field": 3, "card": "9S"})]
    assert points(match) == [(0, "field", 1)]
    assert (phase(match), match.actors) == ("coyote", [1])


@both_editions
def test_m12_m17_the_order_is_that_of_the_fields_wherever_the_closed_one_lies(edition: str) -> None:
    match = settled(edition, 0, "7S!/7H|9S/5H*2!|3C/-=0")
    assert happened(match, "round") == [(0, {"field": 2, "card": "9S"})]
    match = settled(edition, 0, "9S/5H*2!|7S!/7H|3C/-=0")
    assert happened(match, "round") == [(None, {"field": 2, "card": "7H"})]


@both_editions
@both_seats
def test_m12_only_the_one_whose_turn_begins_is_settled_for(edition: str, seat: int) -> None:
    fields = "7S/-|-/9H|-/-"
    match = settled(edition, seat, fields)
    assert [how_closed(match, number) for number in (1, 2)] == (
        [("7S", 0), None] if seat == 0 else [None, ("9H", 1)]
    )


@both_editions
def test_m12_settling_takes_no_card_from_a_hand(edition: str) -> None:
    match = settled(edition, 0, "7S/-|-/-|-/-")
    assert match.situation()["hands"] == [["QC", "QD"], ["KC", "KD"]]
