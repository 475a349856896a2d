"""M5-M8  The table and what a seat may know of it."""

import json

import pytest

from coyote.kernel.seats import HIDDEN, NONE
from madness.kit_madness import (
    at,
    boss,
    both_editions,
    cards_told,
    discard,
    field,
    happened,
    how_closed,
    played,
    settled,
    turn,
)

# ---------------------------------------------------------------- M5, M6, M7


@both_editions
def test_m5_only_the_top_of_the_discard_is_seen(edition: str) -> None:
    match = played(at(edition, "0 tut hands=7S,KD/9C,QD discard=2S"), "drop 7S", "pass", "drop 9C")
    assert discard(match) == "9C"
    assert [match.view_json(seat)["discard"] for seat in (0, 1, -1)] == ["9C"] * 3


@both_editions
def test_m5_the_discard_begins_empty(edition: str) -> None:
    assert at(edition, "0 main hands=7S/9C").view_json(0)["discard"] is None


@both_editions
def test_m5_the_top_of_the_boss_pile_is_the_boss(edition: str) -> None:
    match = played(at(edition, "0 main hands=9S,KD/TC,QD boss=8D"), "b 9S", "draw", "b TC")
    assert boss(match) == "TC"
    assert not {"8D", "9S"} & cards_told(match.situation())


@both_editions
def test_m5_three_fields_numbered_from_1_each_with_two_sides(edition: str) -> None:
    match = at(edition, "0 main hands=7S/9C")
    assert [move for move in match.legal() if move[0] == "a"] == ["a1 7S", "a2 7S", "a3 7S"]
    played(match, "a3 7S", "draw", "a3 9C")
    assert [field(match, number)["tops"] for number in (1, 2, 3)] == [
        [None, None],
        [None, None],
        ["7S", "9C"],
    ]


@both_editions
def test_m6_a_field_is_open_until_it_has_a_marker(edition: str) -> None:
    match = at(edition, "0 main hands=KD,KS/QH fields=7S/9C!|3C/-=0|-/-=3H")
    assert [field(match, number)["closed"] for number in (1, 2, 3)] == [False, True, True]
    assert [field(match, number)["marker"] for number in (1, 2, 3)] == [None, "3C", "3H"]
    assert {move[:2] for move in match.legal() if move[0] == "a"} == {"a1"}


def test_m6_a_field_with_a_card_or_a_marker_is_not_empty() -> None:
    match = at("standard", "0 main hands=KD/QH fields=-/9C|-/-|-/-=3H")
    assert [move for move in match.legal() if move[0] == "c"] == ["c2 KD"]


@both_editions
def test_m6_the_winners_stack_covers_the_other_and_is_the_marker(edition: str) -> None:
    match = settled(edition, 0, "9S*2/7C!|-/-|-/-")
    assert how_closed(match, 1) == ("9S", 0)
    assert field(match, 1)["heights"] == [2, 1]


@both_editions
def test_m6_in_a_draw_the_stack_of_the_one_who_did_not_lay_last_is_the_marker(edition: str) -> None:
    assert how_closed(settled(edition, 0, "9S!/9C|-/-|-/-"), 1) == ("9C", None)
    assert how_closed(settled(edition, 1, "9S/9C!|-/-|-/-"), 1) == ("9S", None)


@both_editions
def test_m6_a_card_laid_by_close_is_itself_the_marker(edition: str) -> None:
    match = played(at(edition, "0 main hands=KD,KS/QH"), "c2 KD")
    assert how_closed(match, 2) == ("KD", None)
    assert field(match, 2)["tops"] == [None, None]


@both_editions
def test_m7_a_card_on_ones_own_side_covers_what_is_there(edition: str) -> None:
    match = played(at(edition, "0 main hands=KD,KS/QH fields=7S/9C!|-/-|-/-"), "a1 KD")
    assert field(match, 1)["tops"] == ["KD", "9C"]
    assert field(match, 1)["heights"] == [2, 1]


@both_editions
def test_m7_only_the_top_card_counts(edition: str) -> None:
    match = at(edition, "0 main hands=3S,KS/QH,QS fields=9S/9C!|-/-|-/-")
    played(match, "a1 3S", "push")
    assert how_closed(match, 1) == ("9C", 1)


@both_editions
def test_m7_covered_cards_stay_until_the_round_ends(edition: str) -> None:
    match = settled(edition, 0, "9S*3/7C*2!|3C/-=0|-/-", rest="hands=QC,QD/-")
    assert field(match, 1)["heights"] == [3, 2]
    played(match, "c3 QC")
    assert field(match, 1)["heights"] == [0, 0]


# ---------------------------------------------------------------- M8

SECRETS = "0 main hands={own}/{theirs} fields=7S/9C!|KD*2/KS!=draw|-/-=3H discard=2S deck={deck} lead=-2"


def secrets(
    edition: str, own: str = "QC,QD", theirs: str = "5H,6H,TH", deck: str = "4C,4D"
) -> dict[int, object]:
    match = at(edition, SECRETS.format(own=own, theirs=theirs, deck=deck))
    return {seat: match.view_json(seat) for seat in (0, 1, -1)}


@both_editions
def test_m8_a_seat_knows_its_own_hand(edition: str) -> None:
    match = at(edition, SECRETS.format(own="QC,QD", theirs="5H,6H,TH", deck="4C,4D"))
    assert match.view_json(0)["hand"] == ["QC", "QD"]
    assert match.view_json(1)["hand"] == ["5H", "6H", "TH"]
    assert match.view_json(-1)["hand"] == []


@both_editions
def test_m8_a_hand_is_shown_in_order_of_strength_and_a_trace_has_it_sorted(edition: str) -> None:
    """Not by the letters of its codes: A, J, K, Q, T, X."""
    shown = ["2S", "9C", "9H", "TC", "JD", "QC", "KD", "AS", "X1", "X2"]
    for held in (shown, shown[::-1], sorted(shown)):
        match = at(edition, f"0 main hands={','.join(held)}/3C")
        assert match.view_json(0)["hand"] == shown
        assert json.loads(match.view_text(0))["hand"] == shown
        assert match.hands == [shown, ["3C"]]
        assert match.situation()["hands"] == [sorted(shown), ["3C"]]
        assert f"hands={','.join(sorted(shown))}/3C" in match.position()


@both_editions
@pytest.mark.parametrize("seat", (0, 1, -1))
def test_m8_everybody_knows_what_lies_open_and_every_size(edition: str, seat: int) -> None:
    view = at(edition, SECRETS.format(own="QC,QD", theirs="5H,6H,TH", deck="4C,4D")).view_json(seat)
    assert (view["held"], view["deck"], view["boss"], view["discard"]) == ([2, 3], 2, "8D", "2S")
    assert view["lead"] == -2
    assert [shown["tops"] for shown in view["fields"]] == [["7S", "9C"], ["KD", "KS"], [None, None]]
    assert [shown["heights"] for shown in view["fields"]] == [[1, 1], [2, 1], [0, 0]]
    assert [shown["marker"] for shown in view["fields"]] == [None, "KD", "3H"]


@both_editions
def test_m8_no_view_names_a_card_of_the_deck_or_of_anothers_hand(edition: str) -> None:
    own, theirs, deck = {"QC", "QD"}, {"5H", "6H", "TH"}, {"4C", "4D"}
    told = {seat: cards_told(view) for seat, view in secrets(edition).items()}
    assert not told[0] & (theirs | deck)
    assert not told[1] & (own | deck)
    assert not told[-1] & (own | theirs | deck)


@both_editions
def test_m8_a_view_is_the_same_whatever_the_seat_cannot_see(edition: str) -> None:
    before = secrets(edition)
    after = secrets(edition, theirs="4C,6H,TH", deck="4D,5H")
    assert before[0] == after[0]
    assert before[-1] == after[-1]
    assert before[1] != after[1]


@both_editions
def test_m8_the_order_of_the_deck_is_nobodys_to_know(edition: str) -> None:
    assert secrets(edition, deck="4C,4D") == secrets(edition, deck="4D,4C")


@both_editions
def test_m8_a_drawn_card_is_told_to_its_owner_only(edition: str) -> None:
    match = played(at(edition, "0 tut hands=QC/QD deck=4C,4D"), "draw")
    assert happened(match, "draw", 0) == [(0, {"card": "4C"})]
    assert happened(match, "draw", 1) == [(0, {"card": None})]
    assert happened(match, "draw", -1) == [(0, {"card": None})]
    assert happened(match, "draw") == [(0, {"card": "4C"})]


@both_editions
def test_m8_after_a_drop_the_dropped_card_is_told_to_all_and_the_drawn_one_is_not(edition: str) -> None:
    match = played(at(edition, "1 tut hands=QC/QD,6H deck=4C,4D"), "drop 6H")
    assert happened(match, "drop", 0) == [(1, {"card": "6H"})]
    assert cards_told(match.events(0)) == {"6H"}
    assert cards_told(match.events(1)) == {"6H", "4C"}


@both_editions
def test_m8_a_pushed_card_is_told_to_all(edition: str) -> None:
    match = played(at(edition, "0 tut hands=QC/QD deck=4C,4D"), "push")
    assert [happened(match, "push", seat) for seat in (0, 1, -1)] == [[(0, {"card": "4C"})]] * 3


@both_editions
def test_m8_declining_the_chance_tells_no_card(edition: str) -> None:
    match = at(edition, "0 coyote hands=QC/KH,2H fields=3C/-=0|3D/-=0|7S/-=0 closing=3")
    played(match, "decline")
    assert not {"KH", "2H"} & cards_told(match.events(0))


@both_editions
def test_m8_what_was_shown_may_be_remembered(edition: str) -> None:
    match = played(at(edition, "0 tut hands=7S,KD/9C,QD"), "drop 7S", "pass", "drop 9C")
    assert all("7S" in match.view_json(seat)["memory"] for seat in (0, 1, -1))


@both_editions
@pytest.mark.parametrize(
    ("moves", "covered"),
    [
        (("b 9S",), "8D"),
        (("pass", "push"), "8D"),
        (("a1 9S",), "7S"),
        (("pass", "drop 9S"), "2S"),
    ],
)
def test_m8_every_covered_card_may_be_remembered(edition: str, moves: tuple[str, ...], covered: str) -> None:
    match = at(edition, "0 main hands=9S,QC/KC fields=7S/TH!|-/-|-/- discard=2S")
    assert covered not in match.view_json(1)["memory"]
    assert covered in played(match, *moves).view_json(1)["memory"]


@both_editions
@pytest.mark.parametrize("seat", (0, 1, -1))
def test_m8_a_bots_view_holds_no_secret_either(edition: str, seat: int) -> None:
    view = at(edition, "0 main hands=QC,QD/5H,6H,TH deck=4C,4D").view(seat)
    assert [bool(hand) for hand in view.hands] == [seat == 0, seat == 1]
    assert view.held.tolist() == [2, 3]
    assert set(view.deck.tolist()) == {HIDDEN, NONE}
    assert (view.deck == HIDDEN).sum() == view.left == 2
    assert not view.key.any() and not view.counter


@both_editions
@pytest.mark.parametrize("seat", (0, 1, -1))
def test_m8_m24_idle_turns_are_known_to_all(edition: str, seat: int) -> None:
    view = at(edition, "0 tut hands=QC/KC deck=- idle=1 moved=1").view(seat)
    assert (view.idle, view.began_dry, view.moved) == (1, 1, 1)


@both_editions
def test_m8_the_memory_has_no_order_and_no_place(edition: str) -> None:
    first = played(
        at(edition, "0 tut hands=7S,KD/9C,QD discard=2S"), "drop 7S", "pass", "drop 9C", "pass", "drop KD"
    )
    memory = first.view_json(1)["memory"]
    assert memory == sorted(memory)
    assert first.view_json(1)["discard"] == "KD"


@both_editions
def test_m8_the_turn_and_its_owner_are_known_to_all(edition: str) -> None:
    match = played(at(edition, "0 tut turn=7 hands=QC/QD"), "push")
    assert turn(match) == (8, 1, "main")
    assert {(match.view_json(seat)["turn"], match.view_json(seat)["mover"]) for seat in (0, 1)} == {(8, 1)}


@both_editions
@pytest.mark.parametrize("seat", (0, 1, -1))
def test_m8_whatever_is_told_is_plain_json(edition: str, seat: int) -> None:
    match = at(edition, "0 main hands=9S,QC/KC,KD fields=7S/TH!|3C/-=0|-/-=2S")
    told = [match.view_json(seat), match.situation()]
    played(match, "b 9S", "draw", "decline", "pass", "push")
    told += [match.view_json(seat), match.situation(), *(dict(event.values) for event in match.events(seat))]
    assert json.loads(json.dumps(told)) == told
