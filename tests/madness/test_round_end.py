"""M16-M21  The end of a round: Victory and the Coyote's Chance."""

import pytest

from madness.kit_madness import (
    at,
    both_editions,
    both_seats,
    deck,
    discard,
    field,
    hand,
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

LAST_FIELD = "3C/-=0|3D/-=0|7S/-"  # seat 0 wins the round when its turn begins
ALL_CLOSED = "3C/-=0|3D/-=0|7S/-=0"  # and has won it
LAST_OPEN = "3C/-=0|3D/-=0|-/-"


def chance(edition: str, hands: str = "QC,QD/KC,KD", fields: str = ALL_CLOSED, closing: int = 3) -> str:
    return f"0 coyote hands={hands} fields={fields} closing={closing}"


def all_empty(tops: list[list[str | None]]) -> bool:
    return tops == [[None, None]] * 3


# ---------------------------------------------------------------- M16


@both_editions
def test_m16_two_closed_fields_end_no_round(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|7S/-|-/-")
    assert "round" not in kinds(match)
    assert phase(match) == "main"


@both_editions
@pytest.mark.parametrize("last", (1, 2, 3))
def test_m16_the_round_ends_the_moment_the_third_field_closes_whichever_it_is(
    edition: str, last: int
) -> None:
    fields = ["3C/-=0", "3D/-=0"]
    fields.insert(last - 1, "7S/-")
    match = settled(edition, 0, "|".join(fields))
    assert happened(match, "round") == [(0, {"field": last, "card": "7S"})]


@both_editions
def test_m16_after_settling_the_turn_goes_on_with_its_main_action(edition: str) -> None:
    match = played(settled(edition, 0, LAST_FIELD), "decline")
    assert turn(match) == (3, 0, "main")
    assert match.actors == [0]
    assert "a1 QC" in match.legal()


@both_editions
def test_m16_after_a_round_without_a_winner_the_turn_goes_on_with_its_main_action(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|3D/-=0|7S!/7H")
    assert (turn(match), match.actors) == ((3, 0, "main"), [0])


@both_editions
def test_m16_after_a_close_the_turn_goes_on_with_tut(edition: str) -> None:
    match = played(at(edition, f"0 main hands=QC,QD/- fields={LAST_OPEN}"), "c3 QC")
    assert (turn(match), match.actors) == ((1, 0, "tut"), [0])


@pytest.mark.parametrize("answer", ["decline", "steal KC"])
def test_m16_classic_after_a_chance_in_a_close_the_turn_goes_on_with_tut(answer: str) -> None:
    match = played(at("classic", f"0 main hands=QC,QD/KC,KD fields={LAST_OPEN}"), "c3 QC", answer)
    assert (turn(match), match.actors) == ((1, 0, "tut"), [0])


@both_editions
def test_m16_a_new_round_begins_on_empty_fields(edition: str) -> None:
    match = played(settled(edition, 0, LAST_FIELD), "decline", "a1 QC", "draw")
    assert field(match, 1)["tops"] == ["QC", None]
    assert how_closed(match, 1) is None


# ---------------------------------------------------------------- M17


@both_editions
@both_seats
def test_m17_the_winner_is_who_won_the_last_field_to_close(edition: str, seat: int) -> None:
    fields = "3C/5H!=1|-/3D=1|7S/-"  # the other one has both fields before
    match = settled(edition, seat, fields if seat == 0 else mirrored(fields))
    assert happened(match, "round") == [(seat, {"field": 3, "card": "7S"})]
    assert match.actors == [1 - seat]


@both_editions
def test_m17_a_last_field_closed_in_a_draw_has_no_winner_no_chance_and_no_points(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|3D/-=0|7S!/7H", rest="hands=QC/KC,KD,KH")
    assert happened(match, "round") == [(None, {"field": 3, "card": "7H"})]
    assert (points(match), lead(match)) == ([], 0)
    assert kinds(match)[-2:] == ["round", "clear"]


def test_m17_standard_closing_the_last_field_by_hand_is_a_draw() -> None:
    match = played(at("standard", f"0 main hands=QC,QD/KC,KD,KH fields={LAST_OPEN}"), "c3 QC")
    assert happened(match, "round") == [(None, {"field": 3, "card": "QC"})]
    assert points(match) == []
    assert phase(match) == "tut"


def test_m17_classic_closing_the_last_field_by_hand_wins_the_round() -> None:
    match = played(at("classic", f"0 main hands=QC,QD/KC,KD fields={LAST_OPEN}"), "c3 QC")
    assert happened(match, "round") == [(0, {"field": 3, "card": "QC"})]
    assert (phase(match), match.actors) == ("coyote", [1])
    assert points(match) == []  # nobody wins the field itself


def test_m17_classic_the_marker_is_the_closing_card_also_over_stronger_cards() -> None:
    match = at("classic", "1 main hands=9C,TC/6H,KD fields=3C/-=0|3D/-=0|KS!/QH")
    played(match, "c3 6H")
    assert happened(match, "round") == [(1, {"field": 3, "card": "6H"})]
    assert match.legal() == ["decline", "steal 9C", "steal TC"]


@both_editions
def test_m17_a_field_closed_by_hand_earlier_takes_nothing_from_the_winner(edition: str) -> None:
    match = settled(edition, 0, "-/-=3C|-/-=3D|7S/-")
    assert happened(match, "round") == [(0, {"field": 3, "card": "7S"})]
    assert match.actors == [1]


# ---------------------------------------------------------------- M18


@both_editions
@pytest.mark.parametrize(
    ("closing", "cards"),
    [
        ("7S", ["8C", "JC", "KC", "X1"]),
        ("8S", ["JC", "KC", "X1"]),
        ("KS", ["AC", "X1"]),
        ("AS", ["2C", "8C", "JC", "X1"]),
        ("X2", ["X1"]),
    ],
)
def test_m18_the_card_must_be_strictly_stronger_than_the_closing_card(
    edition: str, closing: str, cards: list[str]
) -> None:
    match = at(edition, chance(edition, "QC/2C,8C,JC,KC,AC,X1", f"3C/-=0|3D/-=0|{closing}/-=0"))
    assert match.legal() == sorted(["decline", *(f"steal {card}" for card in cards)])


@both_editions
def test_m18_a_joker_steals_from_a_closing_joker_for_it_is_played_last(edition: str) -> None:
    match = played(at(edition, chance(edition, "QC/X2,KC", "3C/-=0|3D/-=0|X1/-=0")), "steal X2")
    assert happened(match, "steal") == [(1, {"card": "X2", "laid": "X1"})]
    assert points(match)[0] == (1, "round", -1)


def test_m18_classic_a_joker_steals_from_a_joker_marker() -> None:
    match = at("classic", f"0 main hands=X1,QC/X2,KC fields={LAST_OPEN}")
    played(match, "c3 X1")
    assert match.legal() == ["decline", "steal X2"]


@both_editions
def test_m18_the_closing_card_is_the_top_on_the_field_that_closed_last(edition: str) -> None:
    match = settled(edition, 0, "KS/-=0|7S*2/5H!|QS/-=0", rest="hands=QC,QD/9C,6C")
    assert match.legal() == ["decline", "steal 9C"]
    assert match.view_json(1)["closing"] == 2


@both_editions
def test_m18_the_chance_is_the_other_players_while_the_turn_is_the_winners(edition: str) -> None:
    match = settled(edition, 0, LAST_FIELD)
    assert match.actors == [1]
    assert turn(match) == (3, 0, "coyote")
    assert match.legal(0) == []


@both_editions
def test_m18_one_card_only(edition: str) -> None:
    match = played(at(edition, chance(edition)), "steal KC")
    assert hand(match, 1) == ["KD"]
    assert match.actors == [0]


@both_editions
def test_m18_it_is_offered_even_if_no_card_is_strong_enough(edition: str) -> None:
    match = settled(edition, 0, LAST_FIELD, rest="hands=QC/2C,6C")
    assert (phase(match), match.actors, match.legal()) == ("coyote", [1], ["decline"])


@both_editions
def test_m18_whoever_watches_cannot_tell_weak_cards_from_a_refusal_to_use_strong_ones(edition: str) -> None:
    weak = played(settled(edition, 0, LAST_FIELD, rest="hands=QC/2C,6C"), "decline")
    strong = played(settled(edition, 0, LAST_FIELD, rest="hands=QC/2C,KC"), "decline")
    assert weak.events(0) == strong.events(0)


@both_editions
def test_m18_with_an_empty_hand_it_is_skipped(edition: str) -> None:
    match = settled(edition, 0, LAST_FIELD, rest="hands=QC/-")
    assert phase(match) == "main"
    assert points(match) == [(0, "field", 1), (0, "round", 2), (1, "hand", 1)]
    assert "decline" not in kinds(match)


def test_m18_classic_with_an_empty_hand_it_is_skipped_after_a_close_too() -> None:
    match = played(at("classic", f"0 main hands=QC,QD/- fields={LAST_OPEN}"), "c3 QC")
    assert phase(match) == "tut"
    assert points(match) == [(0, "round", 1), (1, "hand", 0)]


@both_editions
def test_m18_the_fields_stay_in_view_until_the_chance_is_decided(edition: str) -> None:
    match = settled(edition, 0, LAST_FIELD)
    assert [field(match, number)["tops"][0] for number in (1, 2, 3)] == ["3C", "3D", "7S"]
    assert discard(match) is None
    played(match, "decline")
    assert all_empty([field(match, number)["tops"] for number in (1, 2, 3)])


# ---------------------------------------------------------------- M19, M20


@both_editions
def test_m19_the_victory_point_is_the_winners(edition: str) -> None:
    match = played(at(edition, chance(edition)), "decline")
    assert points(match) == [(0, "round", 1)]


@both_editions
def test_m19_after_a_successful_chance_it_is_the_other_players(edition: str) -> None:
    match = played(at(edition, chance(edition, "QC/KC,KD")), "steal KC")
    assert points(match) == [(1, "round", -1)]


@both_editions
def test_m19_the_point_for_the_field_stays_with_who_won_it(edition: str) -> None:
    match = played(settled(edition, 0, LAST_FIELD, rest="hands=QC/KC,KD"), "steal KC")
    assert points(match) == [(0, "field", 1), (1, "round", 0)]


@both_editions
@pytest.mark.parametrize(
    ("hands", "to"), [("QC/KC,KD", 0), ("QC,QD/KC", 1), ("QC,QD/KC,KD", None), ("-/KC", 0)]
)
def test_m20_the_hand_point_goes_to_the_smaller_hand_and_on_equal_hands_to_nobody(
    edition: str, hands: str, to: int | None
) -> None:
    match = played(at(edition, chance(edition, hands)), "decline")
    assert [seat for seat, source, _ in points(match) if source == "hand"] == ([] if to is None else [to])


@both_editions
@pytest.mark.parametrize(
    ("hands", "to"), [("QC,QD/KC,KD", 1), ("QC/KC,KD", None), ("QC/KC,KD,KH", 0), ("QC/KC", 1)]
)
def test_m20_the_card_of_the_chance_is_gone_when_hands_are_counted(
    edition: str, hands: str, to: int | None
) -> None:
    match = played(at(edition, chance(edition, hands)), "steal KC")
    assert [seat for seat, source, _ in points(match) if source == "hand"] == ([] if to is None else [to])


@pytest.mark.parametrize(("hands", "to"), [("QC,QD/KC,KD", [0]), ("QC,QD/KC", []), ("QC,QD,QH/KC", [1])])
def test_m20_classic_the_closing_card_is_gone_when_hands_are_counted(hands: str, to: list[int]) -> None:
    match = played(at("classic", f"0 main hands={hands} fields={LAST_OPEN}"), "c3 QC", "decline")
    assert [seat for seat, source, _ in points(match) if source == "hand"] == to


@both_editions
def test_m19_m20_first_the_victory_point_then_the_hand_point_then_the_fields_are_cleared(
    edition: str,
) -> None:
    match = played(at(edition, chance(edition, "QC/KC,KD")), "decline")
    assert kinds(match) == ["decline", "point", "point", "clear"]
    assert [source for _, source, _ in points(match)] == ["round", "hand"]


# ---------------------------------------------------------------- M21

THIRD_FIELDS = [
    pytest.param("7S/-=0", "7S", id="won without an answer"),
    pytest.param("7S/9H!=1", "9H", id="won by the other"),
    pytest.param("7S*3/5H*2!=0", "7S", id="won with stacks"),
    pytest.param("7S!/7H=draw", "7H", id="drawn, seat 0 laid last"),
    pytest.param("7S/7H!=draw", "7S", id="drawn, seat 1 laid last"),
    pytest.param("7S*2/7H*3!=draw", "7S", id="drawn with stacks"),
    pytest.param("-/-=2S", "2S", id="closed by hand"),
]


@both_editions
@pytest.mark.parametrize(("third", "top"), THIRD_FIELDS)
def test_m21_what_closed_field_3_lies_on_top_whichever_field_closed_last(
    edition: str, third: str, top: str
) -> None:
    match = at(edition, chance(edition, fields=f"KS/-=0|3D/-=0|{third}", closing=1) + " discard=6S")
    assert discard(played(match, "decline")) == top


@pytest.mark.parametrize(("third", "top"), THIRD_FIELDS)
def test_m21_standard_the_card_of_the_chance_lies_beneath_the_fields(third: str, top: str) -> None:
    match = at("standard", chance("standard", "QC/AC,KC", f"KS/-=0|3D/-=0|{third}", 1))
    assert discard(played(match, "steal AC")) == top
    assert "AC" in match.view_json(0)["memory"]


@pytest.mark.parametrize(("third", "top"), THIRD_FIELDS)
def test_m21_classic_the_card_of_the_chance_lies_on_top_of_the_fields(third: str, top: str) -> None:
    match = at("classic", chance("classic", "QC/AC,KC", f"KS/-=0|3D/-=0|{third}", 1))
    assert discard(played(match, "steal AC")) == "AC"
    assert top in match.view_json(0)["memory"]


@pytest.mark.parametrize("third", ["7S/9H!=2S", "7S/-=2S", "-/9H=2S", "7S*2!/9H=2S"])
def test_m21_classic_a_marker_lies_on_the_stacks_of_both_seats(third: str) -> None:
    match = at("classic", chance("classic", fields=f"KS/-=0|3D/-=0|{third}", closing=1))
    assert discard(played(match, "decline")) == "2S"


@pytest.mark.parametrize(("answer", "top"), [("decline", "QC"), ("steal KC", "KC")])
def test_m21_classic_after_a_close_of_field_3(answer: str, top: str) -> None:
    match = at("classic", "0 main hands=QC,QD/KC,KD fields=3C/-=0|3D/-=0|7S/9H!")
    assert discard(played(match, "c3 QC", answer)) == top


def test_m21_classic_after_a_close_of_field_1_field_3_is_on_top() -> None:
    match = at("classic", "0 main hands=QC,QD/KC,KD fields=-/-|3C/-=0|3D/-=0")
    assert discard(played(match, "c1 QC", "decline")) == "3D"


def test_m21_standard_after_a_close_of_field_3() -> None:
    match = at("standard", f"0 main hands=QC,QD/KC,KD fields={LAST_OPEN}")
    assert discard(played(match, "c3 QC")) == "QC"


@both_editions
@pytest.mark.parametrize(
    ("fields", "top"),
    [("3C/-=0|3D/-=0|7S!/7H", "7H"), ("7S!/7H|3C/-=0|3D/-=0", "3D"), ("3C/-=0|7S!/7H|9S!/9H=draw", "9H")],
)
def test_m21_a_round_without_a_winner_goes_straight_there(edition: str, fields: str, top: str) -> None:
    match = settled(edition, 0, fields)
    assert discard(match) == top
    assert happened(match, "clear") == [(None, {"card": top})]


@both_editions
@pytest.mark.parametrize("answer", ["decline", "steal KC"])
def test_m21_all_cards_leave_the_fields(edition: str, answer: str) -> None:
    fields = "3C*2/2H!=0|3D!/3H=draw|7S*3/5H*2!=0"
    match = played(at(edition, chance(edition, fields=fields)), answer)
    shown = [field(match, number) for number in (1, 2, 3)]
    assert all_empty([one["tops"] for one in shown])
    assert [one["heights"] for one in shown] == [[0, 0]] * 3
    assert {(one["closed"], one["marker"], one["winner"], one["last"]) for one in shown} == {
        (False, None, None, None)
    }


@both_editions
def test_m21_the_cleared_cards_are_out_of_the_game_but_may_be_remembered(edition: str) -> None:
    match = played(at(edition, chance(edition) + " discard=6S"), "decline")
    memory = set(match.view_json(0)["memory"])
    assert {"3C", "3D", "6S"} <= memory
    assert "7S" not in memory
    assert deck(match) == 4


@both_editions
def test_m18_m21_the_card_of_the_chance_goes_to_the_discard(edition: str) -> None:
    match = played(at(edition, chance(edition)), "steal KC")
    assert "KC" in {discard(match), *match.view_json(0)["memory"]}
    assert hand(match, 1) == ["KD"]
