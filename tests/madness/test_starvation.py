"""M13  Starvation, after settling."""

import pytest

from madness.kit_madness import (
    GOALS,
    at,
    both_editions,
    both_seats,
    kinds,
    lead,
    phase,
    played,
    points,
    result,
    settled,
)

LAST_FIELD = "3C/-=0|3D/-=0|7S/-"  # seat 0 wins the round when its turn begins


@both_editions
@both_seats
@pytest.mark.parametrize("before", [0, 3, -3])
def test_m13_an_empty_hand_loses_whatever_the_lead(edition: str, seat: int, before: int) -> None:
    hands = "-/KC" if seat == 0 else "KC/-"
    match = settled(edition, seat, "-/-|-/-|-/-", rest=f"hands={hands} lead={before}")
    assert result(match) == (1 - seat, "starvation", before)
    assert match.actors == []


@both_editions
def test_m13_nothing_happens_to_a_player_with_one_card(edition: str) -> None:
    match = settled(edition, 0, "-/-|-/-|-/-", rest="hands=QC/KC")
    assert (result(match), phase(match)) == (None, "main")


@both_editions
def test_m13_a_field_is_won_before_starving(edition: str) -> None:
    match = settled(edition, 0, "7S/-|-/-|-/-", rest="hands=-/KC")
    assert kinds(match) == ["push", "turn", "field", "point", "end"]
    assert result(match) == (1, "starvation", 1)


@both_editions
def test_m13_m10_the_winning_point_of_a_field_comes_before_starving(edition: str) -> None:
    goal = GOALS[edition]
    match = settled(edition, 0, "7S/-|-/-|-/-", rest=f"hands=-/KC lead={goal - 1}")
    assert result(match) == (0, "lead", goal)


@both_editions
def test_m13_a_hand_emptied_in_the_turn_is_no_starvation_yet(edition: str) -> None:
    match = played(at(edition, "0 main hands=7S/KC"), "a1 7S")
    assert (result(match), phase(match)) == (None, "tut")
    played(match, "draw", "pass", "draw")
    assert result(match) is None


@both_editions
def test_m13_who_pushes_with_an_empty_hand_starves_when_the_turn_returns(edition: str) -> None:
    match = played(at(edition, "0 main hands=7S/KC"), "a1 7S", "push")
    assert result(match) is None
    played(match, "a1 KC", "push")
    assert result(match) == (1, "starvation", 0)


@both_editions
def test_m13_the_other_ones_empty_hand_starves_nobody(edition: str) -> None:
    match = settled(edition, 0, "-/-|-/-|-/-", rest="hands=QC/-")
    assert (result(match), phase(match)) == (None, "main")


@both_editions
def test_m13_m23_an_empty_deck_saves(edition: str) -> None:
    match = played(at(edition, "1 tut hands=-/KC deck=-"), "draw")
    assert (result(match), match.legal()) == (None, ["pass"])


@both_editions
@pytest.mark.parametrize("tut", ["draw", "push", "drop KC"])
def test_m13_a_deck_that_has_run_out_meanwhile_saves(edition: str, tut: str) -> None:
    match = played(at(edition, "1 tut hands=-/KC,KD deck=4C"), tut)
    assert (result(match), match.legal()) == (None, ["pass"])


@both_editions
def test_m13_m16_the_chance_is_decided_before_starving(edition: str) -> None:
    match = settled(edition, 0, LAST_FIELD, rest="hands=-/KC,KD")
    assert (phase(match), match.actors) == ("coyote", [1])
    played(match, "decline")
    assert points(match) == [(0, "field", 1), (0, "round", 2), (0, "hand", 3)]
    assert result(match) == (1, "starvation", 3)


@both_editions
def test_m13_m16_a_round_without_a_chance_ends_before_starving(edition: str) -> None:
    match = settled(edition, 0, LAST_FIELD, rest="hands=-/-")
    assert kinds(match)[-5:] == ["point", "round", "point", "clear", "end"]
    assert result(match) == (1, "starvation", 2)


@both_editions
def test_m13_m16_a_drawn_round_ends_before_starving(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|3D/-=0|7S!/7H", rest="hands=-/KC")
    assert kinds(match)[-3:] == ["round", "clear", "end"]
    assert result(match) == (1, "starvation", 0)


@both_editions
def test_m13_m10_the_points_of_a_round_win_before_starving(edition: str) -> None:
    goal = GOALS[edition]
    match = settled(edition, 0, LAST_FIELD, rest=f"hands=-/KC,KD lead={goal - 3}")
    played(match, "decline")
    assert result(match) == (0, "lead", goal)


@both_editions
def test_m13_who_stole_with_the_last_card_starves_in_the_next_turn(edition: str) -> None:
    match = settled(edition, 0, LAST_FIELD, rest="hands=QC,QD/KC")
    played(match, "steal KC")
    assert (result(match), phase(match), match.actors) == (None, "main", [0])
    played(match, "pass", "push")
    assert result(match) == (0, "starvation", lead(match))


@both_editions
def test_m13_who_stole_with_the_last_card_lives_if_the_deck_runs_out(edition: str) -> None:
    match = at(edition, f"0 coyote hands=QC,QD/KC fields={LAST_FIELD}=0 closing=3 deck=4C")
    played(match, "steal KC", "pass", "push")
    assert (result(match), match.legal()) == (None, ["pass"])


@both_editions
def test_m13_a_stolen_victory_does_not_feed_the_robbed(edition: str) -> None:
    match = settled(edition, 0, LAST_FIELD, rest="hands=-/KC,KD")
    played(match, "steal KC")
    assert result(match) == (1, "starvation", 1)


def test_m13_classic_closing_the_round_with_the_last_card_is_no_starvation() -> None:
    match = played(at("classic", "0 main hands=QC/KC,KD fields=3C/-=0|3D/-=0|-/-"), "c3 QC", "decline")
    assert (result(match), phase(match)) == (None, "tut")
    played(match, "draw", "pass", "draw")
    assert (result(match), match.actors) == (None, [0])
