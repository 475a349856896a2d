"""Decisions and notation: M14, M15 and M18 as the program sees them, and how a game is written down."""

import pytest

from coyote.games.madness.notation import MOVES
from coyote.games.madness.state import REASONS
from coyote.records import TABLE_REASONS
from coyote.text import Words
from madness.kit_madness import at, both_editions, phase, played, turn

CHANCE = "fields=3C/-=0|3D/-=0|7S/-=0 closing=3"


@both_editions
@pytest.mark.parametrize(
    ("text", "kind", "actor"),
    [("0 main", "main", 0), ("1 main", "main", 1), ("0 tut", "tut", 0), (f"0 coyote {CHANCE}", "coyote", 1)],
)
def test_m14_m15_m18_the_three_kinds_of_decision_and_whose_they_are(
    edition: str, text: str, kind: str, actor: int
) -> None:
    match = at(edition, f"{text} hands=QC/KC")
    assert (phase(match), match.actors) == (kind, [actor])
    assert match.situation()["seat"] == actor


@both_editions
def test_m14_m18_a_decision_with_a_single_legal_move_is_still_made_and_recorded(edition: str) -> None:
    match = at(edition, f"0 coyote hands=-/2C,5C deck=- {CHANCE}")
    assert match.legal() == ["decline"]
    played(match, "decline")
    assert match.legal() == ["pass"]
    played(match, "pass")
    assert match.moves == [(1, "decline"), (0, "pass")]


@both_editions
def test_m12_m13_everything_else_happens_by_itself(edition: str) -> None:
    match = played(at(edition, "0 main hands=7S,QC/KC"), "a1 7S", "draw", "pass", "draw")
    assert match.moves == [(0, "a1 7S"), (0, "draw"), (1, "pass"), (1, "draw")]
    assert turn(match) == (3, 0, "main")


def test_m14_m15_m18_the_moves_are_written_as_the_table_says() -> None:
    table = {"a1 7S", "c2 KD", "b QH", "pass", "draw", "drop 5C", "drop", "push", "steal KH", "decline"}
    assert table <= set(MOVES)
    assert len(MOVES) == len(set(MOVES)) == 599


@both_editions
@pytest.mark.parametrize("written", ["a1 7S", "A1 7s", "a17s", "  a1   7S ", "a 1 7 S"])
def test_m14_letter_case_and_spaces_do_not_matter_and_the_record_has_the_plain_form(
    edition: str, written: str
) -> None:
    assert played(at(edition, "0 main hands=7S,QC/KC"), written).moves == [(0, "a1 7S")]


@both_editions
@pytest.mark.parametrize(("joker", "sign"), [("X1", "★"), ("X2", "☆")])
def test_m1_the_jokers_are_the_red_x1_and_the_black_x2(edition: str, joker: str, sign: str) -> None:
    assert f"a1 {joker}" in at(edition, f"0 main hands={joker}/KC").legal()
    assert sign in Words("en").card(joker)


def test_m10_m13_m22_m24_the_reasons_of_an_end_by_the_rules() -> None:
    assert REASONS == ("lead", "starvation", "endurance", "stall")
    assert TABLE_REASONS == ("resignation", "timeout", "agreement", "aborted", "left")
    for lang in ("en", "ru"):
        assert all(Words(lang)(f"reason.{reason}") for reason in (*REASONS, *TABLE_REASONS))
