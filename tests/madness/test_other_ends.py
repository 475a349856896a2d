"""M22-M24  Endurance, an empty deck, stalling."""

import pytest

from madness.kit_madness import (
    GOALS,
    at,
    both_editions,
    discard,
    how_closed,
    kinds,
    lead,
    phase,
    played,
    points,
    result,
    settled,
)

ALL_CLOSED = "3C/-=0|3D/-=0|7S/-=0"
LAST_OPEN = "3C/-=0|3D/-=0|-/-"

# ---------------------------------------------------------------- M22


@both_editions
@pytest.mark.parametrize(("before", "winner"), [(2, 0), (-1, 1), (0, None)])
def test_m22_with_deck_and_hands_empty_the_lead_decides(
    edition: str, before: int, winner: int | None
) -> None:
    match = played(at(edition, f"0 main hands=9S/- deck=- lead={before}"), "a1 9S")
    assert result(match) == (winner, "endurance", before)
    assert match.actors == []


@both_editions
def test_m22_comes_before_tut(edition: str) -> None:
    match = played(at(edition, "0 main hands=9S/- deck=-"), "a1 9S")
    assert kinds(match) == ["attack", "end"]
    assert phase(match) == "over"


@both_editions
def test_m22_an_attack_on_a_field_is_not_settled_any_more(edition: str) -> None:
    match = played(at(edition, "0 main hands=9S/- deck=- fields=-/-|-/7H|-/-"), "a1 9S")
    assert result(match) == (None, "endurance", 0)
    assert [how_closed(match, number) for number in (1, 2)] == [None, None]


@both_editions
def test_m22_the_point_for_the_boss_counts(edition: str) -> None:
    match = played(at(edition, "0 main hands=9S/- deck=- boss=8D"), "b 9S")
    assert result(match) == (0, "endurance", 1)


@both_editions
def test_m22_m10_a_winning_point_comes_first(edition: str) -> None:
    goal = GOALS[edition]
    match = played(at(edition, f"0 main hands=9S/- deck=- lead={goal - 1}"), "b 9S")
    assert result(match) == (0, "lead", goal)


@both_editions
def test_m22_after_the_last_drop(edition: str) -> None:
    match = played(at(edition, "0 tut hands=9S/- deck=- lead=-2"), "drop 9S")
    assert result(match) == (1, "endurance", -2)
    assert discard(match) == "9S"
    assert "turn" not in kinds(match)


@both_editions
def test_m22_when_the_last_card_of_the_deck_is_pushed(edition: str) -> None:
    match = played(at(edition, "0 tut hands=-/- deck=4C lead=+1"), "push")
    assert result(match) == (0, "endurance", 1)


@both_editions
@pytest.mark.parametrize("move", ["draw", "drop"])
def test_m22_not_when_the_last_card_of_the_deck_is_drawn(edition: str, move: str) -> None:
    match = played(at(edition, "0 tut hands=-/- deck=4C"), move)
    assert result(match) is None


@both_editions
@pytest.mark.parametrize("text", ["hands=9S/KC deck=-", "hands=9S,QC/- deck=-", "hands=9S/- deck=4C"])
def test_m22_needs_an_empty_deck_and_both_hands_empty(edition: str, text: str) -> None:
    match = played(at(edition, f"0 main {text}"), "a1 9S")
    assert (result(match), phase(match)) == (None, "tut")


def test_m22_standard_after_a_close_that_ends_the_round_in_a_draw() -> None:
    match = played(at("standard", f"0 main hands=9S/- deck=- fields={LAST_OPEN} lead=+1"), "c3 9S")
    assert kinds(match) == ["close", "round", "clear", "end"]
    assert result(match) == (0, "endurance", 1)
    assert discard(match) == "9S"


def test_m22_classic_after_a_close_the_victory_point_counts() -> None:
    match = played(at("classic", f"0 main hands=9S/- deck=- fields={LAST_OPEN}"), "c3 9S")
    assert kinds(match) == ["close", "round", "point", "clear", "end"]
    assert result(match) == (0, "endurance", 1)


def test_m22_classic_right_after_a_chance_that_came_with_a_close() -> None:
    match = at("classic", f"0 main hands=9S/KC deck=- fields={LAST_OPEN}")
    played(match, "c3 9S")
    assert (result(match), phase(match)) == (None, "coyote")
    played(match, "steal KC")
    assert result(match) == (1, "endurance", -1)
    assert kinds(match)[-2:] == ["clear", "end"]
    assert discard(match) == "KC"


def test_m22_classic_a_declined_chance_keeps_a_card_so_the_turn_goes_on() -> None:
    match = played(at("classic", f"0 main hands=9S/KC deck=- fields={LAST_OPEN}"), "c3 9S", "decline")
    assert (result(match), phase(match)) == (None, "tut")
    assert points(match) == [(0, "round", 1), (0, "hand", 2)]


@both_editions
def test_m22_right_after_a_chance_that_came_during_settling(edition: str) -> None:
    match = at(edition, f"0 coyote hands=-/KC deck=- fields={ALL_CLOSED} closing=3")
    played(match, "steal KC")
    assert kinds(match) == ["steal", "point", "clear", "end"]
    assert result(match) == (1, "endurance", -1)


@both_editions
def test_m22_a_whole_settling_with_its_chance_comes_first(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|3D/-=0|7S/-", rest="hands=-/KC deck=- lead=+1")
    played(match, "steal KC")
    assert points(match) == [(0, "field", 2), (1, "round", 1)]
    assert result(match) == (0, "endurance", 1)


@both_editions
def test_m22_m20_the_hand_point_of_that_round_counts(edition: str) -> None:
    match = at(edition, f"0 coyote hands=QC/KC deck=- fields={ALL_CLOSED} closing=3")
    played(match, "steal KC")
    assert points(match) == [(1, "round", -1), (1, "hand", -2)]
    assert result(match) is None
    played(match, "a1 QC")
    assert result(match) == (1, "endurance", -2)


# ---------------------------------------------------------------- M23


@both_editions
def test_m23_a_player_with_no_cards_simply_passes(edition: str) -> None:
    match = at(edition, "0 main hands=-/KC,KD deck=-")
    assert match.legal() == ["pass"]
    played(match, "pass")
    assert match.legal() == ["draw", "drop", "push"]
    played(match, "draw")
    assert (result(match), match.actors) == (None, [1])


@both_editions
def test_m23_a_player_with_no_cards_still_wins_fields(edition: str) -> None:
    match = settled(edition, 0, "7S/-|-/-|-/-", rest="hands=-/KC deck=-")
    assert (lead(match), result(match)) == (1, None)


@both_editions
def test_m23_the_other_one_plays_out(edition: str) -> None:
    match = at(edition, "0 main hands=-/9S,TS deck=- boss=8D")
    played(match, "pass", "draw", "b 9S", "draw", "pass", "push", "b TS")
    assert result(match) == (1, "endurance", -2)


# ---------------------------------------------------------------- M24


@both_editions
@pytest.mark.parametrize(("before", "winner"), [(2, 0), (-1, 1), (0, None)])
def test_m24_two_idle_turns_in_a_row_end_the_game_and_the_lead_decides(
    edition: str, before: int, winner: int | None
) -> None:
    match = at(edition, f"0 main hands=QC/KC deck=- lead={before}")
    played(match, "pass", "draw", "pass")
    assert result(match) is None
    played(match, "draw")
    assert result(match) == (winner, "stall", before)


@both_editions
@pytest.mark.parametrize("tut", ["draw", "push"])
def test_m24_no_tut_of_an_empty_deck_makes_a_turn_less_idle(edition: str, tut: str) -> None:
    match = played(at(edition, "1 main hands=QC/KC deck=- idle=1"), "pass", tut)
    assert result(match) == (None, "stall", 0)


@both_editions
def test_m24_a_player_with_an_empty_hand_has_idle_turns_too(edition: str) -> None:
    match = played(at(edition, "0 main hands=-/KC deck=-"), "pass", "drop", "pass", "draw")
    assert result(match) == (None, "stall", 0)


@both_editions
@pytest.mark.parametrize(
    "moves", [("a1 QC", "draw"), ("c1 QC", "draw"), ("b QC", "draw"), ("pass", "drop QC")]
)
def test_m24_a_card_that_leaves_a_hand_makes_the_turn_not_idle(edition: str, moves: tuple[str, str]) -> None:
    match = played(at(edition, "0 main hands=QC,QD/KC deck=- idle=1"), *moves)
    assert result(match) is None
    assert "idle=" not in match.position()
    played(match, "pass", "draw")
    assert result(match) is None


@both_editions
def test_m24_idle_turns_must_follow_one_another(edition: str) -> None:
    match = at(edition, "0 main hands=QC,QD/KC,KD deck=-")
    played(match, "pass", "draw", "a1 KC", "draw", "pass", "draw")
    assert result(match) is None
    assert "idle=1" in match.position()


@both_editions
def test_m24_a_turn_that_began_with_a_card_in_the_deck_is_not_idle(edition: str) -> None:
    match = played(at(edition, "0 main hands=QC/KC deck=4C"), "pass", "push")
    assert "idle=" not in match.position()
    played(match, "pass", "draw")
    assert result(match) is None
    played(match, "pass", "draw")
    assert result(match) == (None, "stall", 0)


@both_editions
def test_m24_passing_with_cards_in_the_deck_is_never_a_stall(edition: str) -> None:
    match = played(at(edition, "0 main hands=QC/KC"), "pass", "draw", "pass", "draw", "pass", "draw")
    assert result(match) is None


@both_editions
def test_m24_settling_a_field_does_not_make_a_turn_less_idle(edition: str) -> None:
    match = played(
        at(edition, "1 main hands=QC/KC deck=- fields=7S/-|-/-|-/-"), "pass", "draw", "pass", "draw"
    )
    assert how_closed(match, 1) == ("7S", 0)
    assert result(match) == (0, "stall", 1)


@both_editions
def test_m24_a_steal_makes_an_otherwise_idle_turn_not_idle(edition: str) -> None:
    match = at(edition, f"0 coyote hands=QC/KC,KD deck=- idle=1 fields={ALL_CLOSED} closing=3")
    played(match, "steal KC", "pass", "draw")
    assert result(match) is None
    played(match, "pass", "draw")
    assert result(match) is None


@both_editions
def test_m24_a_declined_chance_leaves_the_turn_idle(edition: str) -> None:
    match = at(edition, f"0 coyote hands=QC/KC,KD deck=- idle=1 fields={ALL_CLOSED} closing=3")
    played(match, "decline", "pass", "draw")
    assert result(match) == (0, "stall", 2)


@both_editions
def test_m24_a_steal_in_the_settling_of_the_same_turn_counts_for_it(edition: str) -> None:
    match = at(edition, "1 main hands=QC/KC,KD deck=- fields=3C/-=0|3D/-=0|7S/-")
    played(match, "pass", "draw", "steal KC", "pass", "draw")
    assert result(match) is None
    assert "idle=" not in match.position()


@both_editions
def test_m24_m22_endurance_comes_before_a_stall(edition: str) -> None:
    match = played(at(edition, "0 main hands=QC/- deck=- idle=1"), "pass", "drop QC")
    assert result(match) == (None, "endurance", 0)
