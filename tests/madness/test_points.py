"""M9, M10  Points pull both ways, and a lead wins at once."""

import pytest

from madness.kit_madness import (
    GOALS,
    at,
    both_editions,
    both_seats,
    deck,
    field,
    how_closed,
    kinds,
    lead,
    phase,
    played,
    points,
    result,
    settled,
)

CHANCE = "fields=3C/-=0|3D/-=0|7S/-=0 closing=3"  # seat 0 has won the round with 7S


@both_editions
@pytest.mark.parametrize(("before", "after"), [("-3", -2), ("-1", 0), ("0", 1), ("+3", 4)])
def test_m9_a_point_of_seat_0_pulls_the_lead_up_one_step(edition: str, before: str, after: int) -> None:
    assert lead(played(at(edition, f"0 main hands=9S/QD lead={before}"), "b 9S")) == after


@both_editions
@pytest.mark.parametrize(("before", "after"), [("+3", 2), ("+1", 0), ("0", -1), ("-3", -4)])
def test_m9_a_point_of_seat_1_pulls_the_lead_down_one_step(edition: str, before: str, after: int) -> None:
    assert lead(played(at(edition, f"1 main hands=QD/9S lead={before}"), "b 9S")) == after


@both_editions
def test_m9_points_are_awarded_strictly_one_at_a_time(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|7S/-|9S/5S*2!", rest="lead=-1 hands=QC/KC,KD")
    played(match, "decline")
    assert points(match) == [(0, "field", 0), (0, "field", 1), (0, "round", 2), (0, "hand", 3)]


@both_editions
def test_m9_points_of_one_round_may_pull_against_each_other(edition: str) -> None:
    match = played(at(edition, f"0 coyote hands=QC,QD/KC {CHANCE}"), "decline")
    assert points(match) == [(0, "round", 1), (1, "hand", 0)]


@both_editions
@both_seats
def test_m10_the_lead_that_wins_wins_at_once(edition: str, seat: int) -> None:
    goal = GOALS[edition] * (1 - 2 * seat)
    almost = goal - (1 - 2 * seat)
    match = played(
        at(edition, f"{seat} main hands=9S,TS/9H,TH lead={almost}"), "b 9S" if seat == 0 else "b 9H"
    )
    assert result(match) == (seat, "lead", goal)
    assert (phase(match), match.over, match.legal()) == ("over", True, [])
    assert kinds(match) == ["beat", "point", "end"]


def test_m10_standard_needs_five_classic_six() -> None:
    text = "0 main hands=9S,TS/9H lead=+4"
    assert result(played(at("standard", text), "b 9S")) == (0, "lead", 5)
    assert result(played(at("classic", text), "b 9S")) is None


@both_editions
def test_m10_in_the_middle_of_settling_the_next_field_is_not_settled_any_more(edition: str) -> None:
    match = settled(edition, 0, "7S/-|9S/5S*2!|-/-", rest=f"lead={GOALS[edition] - 1} hands=QC/KC")
    assert result(match) == (0, "lead", GOALS[edition])
    assert how_closed(match, 1) == ("7S", 0)
    assert how_closed(match, 2) is None


@both_editions
def test_m10_a_point_for_a_later_field_of_one_settling_wins(edition: str) -> None:
    match = settled(edition, 0, "-/-|7S/-|9S/5S*2!", rest=f"lead={GOALS[edition] - 2} hands=QC/KC")
    assert result(match) == (0, "lead", GOALS[edition])
    assert [field(match, number)["closed"] for number in (1, 2, 3)] == [False, True, True]


@both_editions
def test_m10_the_point_for_the_last_field_wins_before_the_round_ends(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|3D/-=0|7S/-", rest=f"lead={GOALS[edition] - 1} hands=QC/KC")
    assert result(match) == (0, "lead", GOALS[edition])
    assert "round" not in kinds(match)


@both_editions
def test_m10_is_checked_between_the_victory_point_and_the_hand_point(edition: str) -> None:
    match = at(edition, f"0 coyote hands=QC,QD/KC {CHANCE} lead={GOALS[edition] - 1}")
    played(match, "decline")
    assert result(match) == (0, "lead", GOALS[edition])
    assert points(match) == [(0, "round", GOALS[edition])]


@both_editions
def test_m10_a_stolen_victory_point_wins(edition: str) -> None:
    match = at(edition, f"0 coyote hands=QC/KC,KD {CHANCE} lead=-{GOALS[edition] - 1}")
    played(match, "steal KC")
    assert result(match) == (1, "lead", -GOALS[edition])


@both_editions
def test_m10_the_hand_point_wins(edition: str) -> None:
    match = at(edition, f"0 coyote hands=QC/KC,KD {CHANCE} lead={GOALS[edition] - 2}")
    played(match, "decline")
    assert result(match) == (0, "lead", GOALS[edition])
    assert [source for _, source, _ in points(match)] == ["round", "hand"]


@both_editions
def test_m10_the_victory_point_may_save_a_player_from_the_hand_point(edition: str) -> None:
    match = at(edition, f"0 coyote hands=QC,QD/KC {CHANCE} lead=-{GOALS[edition] - 1}")
    played(match, "decline")
    assert result(match) is None
    assert lead(match) == -(GOALS[edition] - 1)


def test_m10_classic_checks_after_every_single_point_too() -> None:
    match = at("classic", f"0 coyote hands=QC,QD/KC {CHANCE} lead=5")
    played(match, "decline")
    assert points(match) == [(0, "round", 6)]


@both_editions
def test_m10_after_the_end_nothing_goes_on(edition: str) -> None:
    match = played(at(edition, f"0 main hands=9S,TS/9H lead={GOALS[edition] - 1}"), "b 9S")
    assert deck(match) == 4
    assert match.actors == []
