"""House rules: M25, option by option, on positions and on deals from decks in a given order."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from coyote import Match
from coyote.cli.madness_table import MadnessTable
from coyote.games.game import OptionError, PositionError, RecordError
from coyote.games.madness.cards import NAMES
from coyote.games.madness.game import Madness
from coyote.text import Refusal, Words, game_title, titles, titles_of
from madness.kit_madness import (
    EDITIONS,
    at,
    boss,
    both_editions,
    both_seats,
    discard,
    field,
    hand,
    happened,
    how_closed,
    kinds,
    lead,
    phase,
    played,
    points,
    result,
    settled,
    turn,
)

# The table of M25: bounds or words, then the value in standard and in classic, and the rule that changes.
NUMBERS: dict[str, tuple[int, int, int, int, str]] = {
    "goal": (1, 20, 5, 6, "M10"),
    "hand": (1, 10, 5, 5, "M11"),
    "extra": (0, 3, 0, 0, "M11"),
    "komi": (0, 5, 0, 0, "M9"),
    "fields": (1, 4, 3, 3, "M5"),
    "jokers": (0, 2, 2, 2, "M1"),
    "field-points": (0, 3, 1, 1, "M12"),
    "boss-points": (0, 3, 1, 1, "M14"),
    "round-points": (0, 3, 1, 1, "M19"),
    "hand-points": (0, 3, 1, 1, "M20"),
}
CHOICES: dict[str, tuple[set[str], str, str, str]] = {
    "boss": ({"after", "before"}, "after", "before", "M11"),
    "close": ({"empty", "open", "never"}, "empty", "open", "M14"),
    "closer": ({"draws", "wins"}, "draws", "wins", "M17"),
    "chance": ({"yes", "no"}, "yes", "yes", "M18"),
    "chance-card": ({"under", "over"}, "under", "over", "M21"),
    "starvation": ({"yes", "no"}, "yes", "yes", "M13"),
}
ROUND = "0 coyote hands=QC/KC,KD fields=3C/-=0|3D/-=0|7S/-=0 closing=3"  # seat 0 has won it, seat 1 decides
LAST = "3C/-=0|3D/-=0|7S/-"  # the turn of seat 0 closes the last field

one_to_three = pytest.mark.parametrize("n", (1, 2, 3))


def refusals(**options: Any) -> list[Refusal]:
    """Why a game with these options cannot be."""
    with pytest.raises(OptionError) as raised:
        Madness(**options)
    assert raised.value.message("ru").strip()
    return raised.value.refusals


def dealt(edition: str, **options: Any) -> Match:
    """A deal from the cards in their order: 2C is the top card, then 2D, 2H, 2S, 3C …"""
    jokers = int(options.get("jokers", 2))
    record = {
        "game": "madness",
        "options": {"edition": edition, **options},
        "players": ["?", "?"],
        "deck": list(NAMES[: 52 + jokers]),
    }
    return Match.from_record(record)


# ---------------------------------------------------------------- the table of options


def test_m25_the_options_are_those_of_the_table() -> None:
    assert {option.name for option in Madness.OPTIONS} == {*NUMBERS, *CHOICES}
    assert {option.name: option.rule for option in Madness.OPTIONS} == {
        name: row[-1] for name, row in {**NUMBERS, **CHOICES}.items()
    }


@pytest.mark.parametrize(("edition", "column"), [("standard", 2), ("classic", 3)])
def test_m25_an_edition_is_a_row_of_the_table(edition: str, column: int) -> None:
    game = Madness(edition=edition)
    wanted: dict[str, Any] = {name: row[column] for name, row in NUMBERS.items()}
    wanted |= {name: row[column - 1] for name, row in CHOICES.items()}
    assert game.values == wanted
    assert game.options == {"edition": edition}
    assert game.differences == {}


@both_editions
@pytest.mark.parametrize("name", [*NUMBERS, *CHOICES])
def test_m25_an_option_changes_itself_and_nothing_else(edition: str, name: str) -> None:
    usual = Madness(edition=edition)
    for value in allowed(name):
        if name == "komi" and int(value) >= usual.row.goal:
            continue
        game = Madness(edition=edition, **{name: value})
        assert game.values == {**usual.values, name: value}
        assert game.differences == ({} if usual.values[name] == value else {name: value})
        assert game.options == {"edition": edition, **game.differences}
        assert (game == usual) == (hash(game) == hash(usual)) == (usual.values[name] == value)


def allowed(name: str) -> list[Any]:
    """Every value that the table allows."""
    if name in CHOICES:
        return sorted(CHOICES[name][0])
    least, most = NUMBERS[name][:2]
    return list(range(least, most + 1))


@both_editions
@pytest.mark.parametrize("name", NUMBERS)
def test_m25_both_bounds_are_kept(edition: str, name: str) -> None:
    least, most, *_, rule = NUMBERS[name]
    for value in (least - 1, most + 1, -1000, 10**30):
        assert refusals(edition=edition, **{name: value}) == [
            Refusal(
                "option.range", rule, {"name": name, "value": str(value)[:40], "least": least, "most": most}
            )
        ]
    for value in (least, most):
        assert Madness(edition=edition, **{"goal": 20, name: value}).values[name] == value


@pytest.mark.parametrize("name", CHOICES)
def test_m25_no_other_word_will_do(name: str) -> None:
    rule = CHOICES[name][-1]
    for value in ("", "maybe", "Wins", 1, None, ["yes"]):
        (refusal,) = refusals(**{name: value})
        assert (refusal.code, refusal.rule) == ("option.value", rule)
        assert set(refusal.values["known"].split(", ")) == CHOICES[name][0]


@pytest.mark.parametrize("value", ["seven", "", "7.0", "+7", "٧", 7.5, True, None, [7]])
def test_m25_a_number_is_a_whole_number(value: Any) -> None:
    assert [refusal.code for refusal in refusals(goal=value)] == ["option.range"]


def test_m25_options_may_be_written_as_text() -> None:
    assert Madness(goal="7", fields="2", chance="false") == Madness(goal=7, fields=2, chance="no")
    assert Madness(chance=False, starvation=True) == Madness(chance="no")


def test_m25_every_reason_is_told_at_once() -> None:
    found = refusals(edition="third", goal=0, fields=5, chance="maybe", weather="fine", feilds=2)
    assert [(refusal.code, refusal.values["name"]) for refusal in found] == [
        ("option.value", "edition"),
        ("option.range", "goal"),
        ("option.range", "fields"),
        ("option.value", "chance"),
        ("option.unknown", "weather"),
        ("option.unknown_near", "feilds"),
    ]
    assert found[-1].values["near"] == "fields"
    assert len(str(OptionError(found)).split("; ")) >= len(found)


@pytest.mark.parametrize("name", ["rules", "card_set", "edition_title", "self"])
def test_m25_what_is_no_option_cannot_be_brought_in_by_a_record(name: str) -> None:
    """Names of arguments are not names of options."""
    with pytest.raises(OptionError) as raised:
        dealt("standard", **{name: 2, "goal": 21})
    assert sorted(refusal.values["name"] for refusal in raised.value.refusals) == sorted([name, "goal"])


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        ("goal:21,fields:0", ["option.range", "option.range"]),
        ("weather:fine,goal:21", ["option.unknown", "option.range"]),
        ("edition:classic", ["option.unknown"]),
        ("rules:1", ["option.unknown"]),
        ("komi:5", ["option.komi"]),
    ],
)
def test_m25_a_position_with_faulty_house_rules_is_refused_with_every_reason(
    rules: str, codes: list[str]
) -> None:
    with pytest.raises(PositionError) as raised:
        at("standard", f"0 main hands=QC/KC rules={rules}")
    assert [refusal.code for refusal in raised.value.refusals] == codes
    assert raised.value.message("ru").strip()


@both_editions
def test_m25_a_position_keeps_its_house_rules(edition: str) -> None:
    match = at(edition, "0 main hands=QC/KC rules=fields:2,chance:no,goal:9 fields=-/-|-/-")
    assert match.game.differences == {"goal": 9, "fields": 2, "chance": "no"}
    assert " rules=goal:9,fields:2,chance:no " in match.position()
    again = Match.from_position(match.position())
    assert again.game == match.game
    assert again.position() == match.position()


@both_editions
def test_m25_everybody_sees_what_differs(edition: str) -> None:
    match = at(edition, "0 main hands=QC/KC rules=goal:9,chance:no")
    for seat in (0, 1, -1):
        shown = match.view_json(seat)
        assert shown["options"] == {"edition": edition, "goal": 9, "chance": "no"}
        assert shown["goal"] == 9


# ---------------------------------------------------------------- contradictions


@pytest.mark.parametrize(
    ("options", "komi", "goal"),
    [
        ({"komi": 5}, 5, 5),
        ({"komi": 1, "goal": 1}, 1, 1),
        ({"komi": 5, "goal": 3}, 5, 3),
        ({"komi": 5, "goal": 5, "edition": "classic"}, 5, 5),
    ],
)
def test_m25_komi_is_less_than_the_goal(options: Mapping[str, Any], komi: int, goal: int) -> None:
    (refusal,) = refusals(**options)
    assert refusal == Refusal("option.komi", "M25", {"komi": komi, "goal": goal})


def test_m25_komi_just_below_the_goal_will_do() -> None:
    assert Madness(komi=4).differences == {"komi": 4}
    assert Madness(komi=5, edition="classic").differences == {"komi": 5}
    assert Madness(komi=0, goal=1).differences == {"goal": 1}


# ---------------------------------------------------------------- goal


@both_editions
@both_seats
@pytest.mark.parametrize("goal", [1, 2, 7, 20])
def test_m25_goal_is_the_lead_that_wins(edition: str, seat: int, goal: int) -> None:
    sign = 1 - 2 * seat
    text = f"{seat} main hands=QC,QD/QH,QS rules=goal:{goal} lead={sign * (goal - 1)}"
    match = played(at(edition, text), "b QC" if seat == 0 else "b QH")
    assert result(match) == (seat, "lead", sign * goal)


@both_editions
def test_m25_goal_one_point_less_does_not_win(edition: str) -> None:
    match = played(at(edition, "0 main hands=QC,QD/KC rules=goal:9 lead=7"), "b QC")
    assert (lead(match), match.over) == (8, False)


# ---------------------------------------------------------------- the deal


@both_editions
@pytest.mark.parametrize("n", range(1, 11))
def test_m25_hand_is_how_many_cards_each_takes(edition: str, n: int) -> None:
    match = dealt(edition, hand=n)
    first = edition == "classic"  # M11: there the Boss comes first
    hands = [list(NAMES[first + seat * n : first + (seat + 1) * n]) for seat in range(2)]
    assert match.hands == hands
    assert boss(match) == NAMES[0 if first else 2 * n]
    assert match.situation()["deck"] == 54 - 2 * n - 1


@both_editions
@pytest.mark.parametrize("extra", range(4))
def test_m25_extra_is_for_seat_1(edition: str, extra: int) -> None:
    match = dealt(edition, hand=2, extra=extra)
    first = edition == "classic"
    assert hand(match, 0) == sorted(NAMES[first : first + 2])
    assert hand(match, 1) == sorted(NAMES[first + 2 : first + 4 + extra])
    assert match.view_json(-1)["held"] == [2, 2 + extra]
    assert match.situation()["deck"] == 54 - 4 - extra - 1


@both_editions
def test_m25_extra_and_hand_bound_the_deck_of_a_position(edition: str) -> None:
    cards = [card for card in NAMES if card not in ("QC", "KC", "8D")]
    fits = f"0 main hands=QC/KC rules=hand:1,extra:3 deck={','.join(cards[:48])}"
    assert at(edition, fits).situation()["deck"] == 48
    with pytest.raises(PositionError) as raised:
        at(edition, f"0 main hands=QC/KC rules=hand:1,extra:3 deck={','.join(cards[:49])}")
    assert raised.value.code == "position.deck_size"


@both_editions
@pytest.mark.parametrize("komi", range(5))
def test_m25_komi_is_the_lead_that_seat_1_begins_with(edition: str, komi: int) -> None:
    match = dealt(edition, komi=komi)
    assert (lead(match), match.score, match.actors) == (-komi, -komi, [0])


def test_m25_komi_counts_towards_the_goal() -> None:
    """Seat 1 begins with two of three points: the first point it gains wins."""
    match = dealt("classic", komi=2, goal=3, hand=1)  # Boss 2C, hands 2D and 2H, then 2S, 3C …
    played(match, "pass", "draw", "pass", "draw", "pass", "draw")
    assert lead(match) == -2
    assert result(played(match, "b 3C")) == (1, "lead", -3)


def test_m25_komi_is_pulled_back_one_point_at_a_time() -> None:
    match = dealt("classic", komi=2, hand=1)
    played(match, "pass", "draw", "pass", "draw", "pass", "draw", "pass", "draw", "b 3D", "draw")
    assert points(match) == [(0, "boss", -1)]


@pytest.mark.parametrize(("edition", "other"), [("standard", "before"), ("classic", "after")])
def test_m25_boss_before_or_after_the_hands(edition: str, other: str) -> None:
    for when, top, first in (("before", "2C", "2D"), ("after", "4H", "2C")):
        match = dealt(edition, boss=when)
        assert boss(match) == top
        assert first in hand(match, 0)
        assert match.game.differences == ({"boss": when} if when == other else {})
        assert match.situation()["deck"] == 43


# ---------------------------------------------------------------- jokers


@both_editions
@pytest.mark.parametrize(("jokers", "names"), [(0, []), (1, ["X1"]), (2, ["X1", "X2"])])
def test_m25_jokers_one_joker_is_x1(edition: str, jokers: int, names: list[str]) -> None:
    match = dealt(edition, jokers=jokers, hand=1)
    assert match.situation()["deck"] == 52 + jokers - 3
    assert [name for name in match.record()["deck"] if name.startswith("X")] == names
    dealt_by_lot = Match("madness", edition=edition, jokers=jokers).record()["deck"]
    assert sorted(dealt_by_lot) == sorted([*NAMES[:52], *names])


@both_editions
@pytest.mark.parametrize(
    ("jokers", "deck", "count"),
    [
        (1, [*NAMES[:52], "X2"], 53),
        (1, list(NAMES), 53),
        (0, [*NAMES[:52], "X1"], 52),
        (0, list(NAMES[:51]), 52),
        (2, list(NAMES[:53]), 54),
    ],
)
def test_m25_jokers_a_record_has_the_cards_of_its_game(
    edition: str, jokers: int, deck: list[str], count: int
) -> None:
    options = {"edition": edition, "jokers": jokers}
    with pytest.raises(RecordError) as raised:
        Match.from_record({"game": "madness", "options": options, "players": ["?", "?"], "deck": deck})
    assert (raised.value.code, raised.value.values["count"]) == ("record.deck", count)


@both_editions
def test_m25_jokers_those_that_are_not_there_are_nowhere(edition: str) -> None:
    match = at(edition, "0 main hands=QC/KC rules=jokers:1")
    assert "X1" in match.view_json(0)["memory"]
    assert "X2" not in match.view_json(0)["memory"]
    with pytest.raises(PositionError) as raised:
        at(edition, "0 main hands=X2/KC rules=jokers:1")
    assert raised.value.code == "position.no_card"


@both_editions
def test_m25_jokers_nobody_supposes_what_is_not_there(edition: str) -> None:
    game = Madness(edition=edition, jokers=1)
    match = dealt(edition, jokers=1)
    for word in range(20):
        supposed = game.imagine(match.view(0), 0, np.array([word, 1], np.uint64))
        cards = supposed.deck[: supposed.left].tolist()
        assert 53 not in cards
        assert not int(supposed.hands[1]) >> 53
        assert len(set(cards)) == supposed.left == 53 - 10 - 1


# ---------------------------------------------------------------- fields


@both_editions
@pytest.mark.parametrize("n", range(1, 5))
def test_m25_fields_so_many_can_be_attacked(edition: str, n: int) -> None:
    match = at(edition, f"0 main hands=QC/KC rules=fields:{n}")
    assert [move for move in match.legal() if move[0] == "a"] == [f"a{i} QC" for i in range(1, n + 1)]
    assert len(match.view_json(0)["fields"]) == len(match.situation()["fields"]) == n
    assert len(match.view_json(0)["outlook"]) == n
    assert f" fields={'|'.join(['-/-'] * n)} " in match.position()


@both_editions
@both_seats
def test_m25_fields_a_round_of_one_field_ends_at_once(edition: str, seat: int) -> None:
    """The only field is the last one: who wins it wins the round."""
    side = ("7S/-", "-/7S")[seat]
    match = settled(edition, seat, side, "hands=QC,QD/KC,KD rules=fields:1")
    assert [kind for kind in kinds(match) if kind != "push"] == ["turn", "field", "point", "round"]
    assert (phase(match), match.actors) == ("coyote", [1 - seat])
    assert match.view_json(-1)["closing"] == 1
    played(match, "decline")
    assert points(match)[1][:2] == (seat, "round")
    assert field(match, 1)["tops"] == [None, None]
    assert turn(match)[1:] == (seat, "main")


def test_m25_fields_a_round_of_one_field_can_be_closed_away_again_and_again() -> None:
    match = at("standard", "0 main hands=QC,QD/KC,KD rules=fields:1")
    played(match, "c1 QC")
    assert (phase(match), discard(match), points(match)) == ("tut", "QC", [])
    played(match, "push", "c1 KC")
    assert (phase(match), discard(match), points(match)) == ("tut", "KC", [])
    assert len(happened(match, "round")) == 2


@both_editions
def test_m25_fields_four_of_them_end_a_round_only_together(edition: str) -> None:
    match = settled(edition, 0, "3C/-=0|3D/-=0|7S/-|-/-", "hands=QC,QD/KC,KD rules=fields:4")
    assert (kinds(match)[-1], phase(match)) == ("point", "main")
    played(match, "a4 QC", "push", "pass", "push")
    assert happened(match, "round") == [(0, {"field": 4, "card": "QC"})]
    played(match, "decline")
    assert discard(match) == "QC", "M21: field 4 comes last"


@both_editions
def test_m25_fields_are_settled_and_cleared_in_their_order(edition: str) -> None:
    match = settled(edition, 0, "3C/-|3D/-|7S/-|9S/-", "hands=QC,QD/KC,KD rules=goal:20,fields:4")
    assert [what["field"] for _, what in happened(match, "field")] == [1, 2, 3, 4]
    assert points(match) == [(0, "field", lead) for lead in (1, 2, 3, 4)]
    assert how_closed(match, 4) == ("9S", 0)
    played(match, "decline")
    assert discard(match) == "9S"


@both_editions
def test_m25_fields_two_of_them_end_a_round(edition: str) -> None:
    match = settled(edition, 1, "3C/-=0|-/7S", "hands=QC,QD/KC,KD rules=fields:2")
    assert (phase(match), match.actors) == ("coyote", [0])


# ---------------------------------------------------------------- close and closer


@both_editions
def test_m25_close_never(edition: str) -> None:
    match = at(edition, "0 main hands=QC/KC rules=close:never fields=-/-|-/9H|-/-")
    assert match.legal() == ["a1 QC", "a2 QC", "a3 QC", "b QC", "pass"]


@both_editions
def test_m25_close_empty_fields_only(edition: str) -> None:
    match = at(edition, "0 main hands=QC/KC rules=close:empty fields=-/-|-/9H|-/-=2S")
    assert [move for move in match.legal() if move[0] == "c"] == ["c1 QC"]


@both_editions
def test_m25_close_any_open_field(edition: str) -> None:
    match = at(edition, "0 main hands=QC/KC rules=close:open fields=-/-|-/9H|-/-=2S")
    assert [move for move in match.legal() if move[0] == "c"] == ["c1 QC", "c2 QC"]
    played(match, "c2 QC")
    assert how_closed(match, 2) == ("QC", None)
    assert field(match, 2)["tops"] == [None, "9H"], "what lay there lies there still"


@both_editions
def test_m25_closer_wins_the_round(edition: str) -> None:
    match = at(edition, "0 main hands=QC,QD/KC,2C fields=3C/-=0|3D/-=0|-/- rules=closer:wins")
    played(match, "c3 QC")
    assert happened(match, "round") == [(0, {"field": 3, "card": "QC"})]
    assert (phase(match), match.actors) == ("coyote", [1])
    assert match.legal() == ["decline", "steal KC"]
    played(match, "decline")
    assert points(match) == [(0, "round", 1), (0, "hand", 2)]
    assert phase(match) == "tut"


@both_editions
def test_m25_closer_draws_the_round(edition: str) -> None:
    match = at(edition, "0 main hands=QC,QD/KC,2C fields=3C/-=0|3D/-=0|-/- rules=closer:draws")
    played(match, "c3 QC")
    assert happened(match, "round") == [(None, {"field": 3, "card": "QC"})]
    assert (phase(match), points(match), discard(match)) == ("tut", [], "QC")


@both_editions
def test_m25_closer_a_position_with_the_chance_after_a_close_needs_it(edition: str) -> None:
    text = "0 coyote hands=QC/KC fields=3C/-=0|3D/-=0|-/-=7S closing=3 rules=closer:{}"
    assert at(edition, text.format("wins")).actors == [1]
    with pytest.raises(PositionError) as raised:
        at(edition, text.format("draws"))
    assert raised.value.code == "position.no_winner"


# ---------------------------------------------------------------- the Chance


@both_editions
def test_m25_chance_no_the_victory_point_comes_at_once(edition: str) -> None:
    match = settled(edition, 0, LAST, "hands=QC/KC,KD rules=chance:no")
    assert "coyote" not in (phase(match), match.wanted)
    assert points(match) == [(0, "field", 1), (0, "round", 2), (0, "hand", 3)]
    assert kinds(match)[-1] == "clear"
    assert turn(match)[1:] == (0, "main")


def test_m25_chance_no_after_a_close_the_turn_goes_on_with_tut() -> None:
    match = at("classic", "0 main hands=QC,QD/KC,KD fields=3C/-=0|3D/-=0|-/- rules=chance:no")
    played(match, "c3 QC")
    assert points(match) == [(0, "round", 1), (0, "hand", 2)]
    assert (phase(match), discard(match)) == ("tut", "QC")


@both_editions
def test_m25_chance_yes_it_is_offered(edition: str) -> None:
    assert phase(settled(edition, 0, LAST, "hands=QC/KC,KD rules=chance:yes")) == "coyote"


@both_editions
@pytest.mark.parametrize(("where", "top", "covered"), [("under", "7S", "KC"), ("over", "KC", "7S")])
def test_m25_chance_card_lies_under_or_over_the_fields(
    edition: str, where: str, top: str, covered: str
) -> None:
    match = played(at(edition, f"{ROUND} rules=chance-card:{where}"), "steal KC")
    assert discard(match) == top
    assert happened(match, "clear") == [(None, {"card": top})]
    assert covered in match.view_json(-1)["memory"]


@both_editions
@pytest.mark.parametrize("where", ["under", "over"])
def test_m25_chance_card_changes_nothing_where_none_is_played(edition: str, where: str) -> None:
    assert discard(played(at(edition, f"{ROUND} rules=chance-card:{where}"), "decline")) == "7S"


# ---------------------------------------------------------------- points


@both_editions
@both_seats
@pytest.mark.parametrize("n", range(4))
def test_m25_field_points_one_after_the_other(edition: str, seat: int, n: int) -> None:
    side = ("7S/-", "-/7S")[seat]
    match = settled(edition, seat, f"{side}|-/-|-/-", f"hands=QC/KC rules=field-points:{n}")
    sign = 1 - 2 * seat
    assert points(match) == [(seat, "field", sign * i) for i in range(1, n + 1)]
    assert how_closed(match, 1) == ("7S", seat), "it closes whatever it brings"


@both_editions
@both_seats
@pytest.mark.parametrize("n", range(4))
def test_m25_boss_points_one_after_the_other(edition: str, seat: int, n: int) -> None:
    match = played(at(edition, f"{seat} main hands=QC/QD rules=boss-points:{n}"), ("b QC", "b QD")[seat])
    sign = 1 - 2 * seat
    assert points(match) == [(seat, "boss", sign * i) for i in range(1, n + 1)]
    assert boss(match) == ("QC", "QD")[seat]


@both_editions
@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize(("move", "seat"), [("decline", 0), ("steal KC", 1)])
def test_m25_round_points_one_after_the_other(edition: str, n: int, move: str, seat: int) -> None:
    match = played(at(edition, f"{ROUND} rules=goal:20,round-points:{n},hand-points:0"), move)
    sign = 1 - 2 * seat
    assert points(match) == [(seat, "round", sign * i) for i in range(1, n + 1)]
    assert field(match, 1)["tops"] == [None, None]


@both_editions
@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize(("hands", "seat"), [("QC/KC,KD", 0), ("QC,QD/KC", 1)])
def test_m25_hand_points_one_after_the_other(edition: str, n: int, hands: str, seat: int) -> None:
    text = ROUND.replace("QC/KC,KD", hands)
    match = played(at(edition, f"{text} rules=goal:20,round-points:0,hand-points:{n}"), "decline")
    sign = 1 - 2 * seat
    assert points(match) == [(seat, "hand", sign * i) for i in range(1, n + 1)]


@both_editions
def test_m25_hand_points_are_nobodys_with_equal_hands(edition: str) -> None:
    text = ROUND.replace("KC,KD", "KC")
    match = played(at(edition, f"{text} rules=hand-points:3,round-points:0"), "decline")
    assert points(match) == []


@both_editions
def test_m25_points_pull_both_ways_one_at_a_time(edition: str) -> None:
    """M9  Three points against a lead of one: it is gone first."""
    match = played(at(edition, "0 main hands=QC/KC lead=-1 rules=boss-points:3"), "b QC")
    assert points(match) == [(0, "boss", 0), (0, "boss", 1), (0, "boss", 2)]


@both_editions
@one_to_three
def test_m25_m10_is_checked_after_each_point_of_a_field(edition: str, n: int) -> None:
    text = f"hands=QC/KC lead=4 rules=goal:5,field-points:{n}"
    match = settled(edition, 0, "7S/-|9S/-|-/-", text)
    assert points(match) == [(0, "field", 5)]
    assert result(match) == (0, "lead", 5)
    assert how_closed(match, 2) is None, "the next field is not settled any more"


@both_editions
@one_to_three
def test_m25_m10_is_checked_after_each_point_of_the_boss(edition: str, n: int) -> None:
    match = played(at(edition, f"0 main hands=QC/KC lead=4 rules=goal:5,boss-points:{n}"), "b QC")
    assert points(match) == [(0, "boss", 5)]
    assert result(match) == (0, "lead", 5)


@both_editions
@pytest.mark.parametrize("n", (2, 3))
def test_m25_m10_is_checked_after_each_point_of_the_round(edition: str, n: int) -> None:
    match = played(at(edition, f"{ROUND} lead=3 rules=goal:5,round-points:{n}"), "decline")
    assert points(match) == [(0, "round", 4), (0, "round", 5)]
    assert result(match) == (0, "lead", 5)
    assert how_closed(match, 3) == ("7S", 0), "M21: the table stays as it lies"


@both_editions
@pytest.mark.parametrize("n", (2, 3))
def test_m25_m10_is_checked_after_each_point_of_the_hand(edition: str, n: int) -> None:
    match = played(at(edition, f"{ROUND} lead=2 rules=goal:5,hand-points:{n}"), "decline")
    assert points(match) == [(0, "round", 3), (0, "hand", 4), (0, "hand", 5)]
    assert result(match) == (0, "lead", 5)
    assert "clear" not in kinds(match)


@both_editions
def test_m25_without_any_points_a_game_is_decided_by_hunger_or_not_at_all(edition: str) -> None:
    nothing = "field-points:0,boss-points:0,round-points:0,hand-points:0"
    match = played(at(edition, f"0 main hands=QC/QD deck=- rules={nothing}"), "b QC", "draw", "a1 QD")
    assert result(match) == (None, "endurance", 0)


# ---------------------------------------------------------------- starvation


@both_editions
@both_seats
def test_m25_starvation_no_a_player_without_cards_can_only_pass(edition: str, seat: int) -> None:
    hands = ("-/KC", "QC/-")[seat]
    match = settled(edition, seat, "-/-|-/-|-/-", f"hands={hands} rules=starvation:no")
    assert not match.over
    assert (turn(match)[1:], match.legal()) == ((seat, "main"), ["pass"])
    played(match, "pass")
    assert match.legal() == ["draw", "drop", "push"]
    played(match, "draw")
    assert hand(match, seat) == ["4D"]


@both_editions
@both_seats
def test_m25_starvation_yes_it_loses_at_once(edition: str, seat: int) -> None:
    hands = ("-/KC", "QC/-")[seat]
    match = settled(edition, seat, "-/-|-/-|-/-", f"hands={hands} rules=starvation:yes")
    assert result(match) == (1 - seat, "starvation", 0)


@both_editions
def test_m25_starvation_no_also_after_a_chance(edition: str) -> None:
    """M16  The turn goes on after the Chance where it was: with hunger, which there is not."""
    text = "0 coyote hands=-/KC,KD fields=3C/-=0|3D/-=0|7S/-=0 closing=3 rules=starvation:{}"
    assert result(played(at(edition, text.format("yes")), "decline")) == (1, "starvation", 2)
    match = played(at(edition, text.format("no")), "decline")
    assert (match.over, match.legal()) == (False, ["pass"])


@both_editions
def test_m25_starvation_no_such_end_in_a_position(edition: str) -> None:
    over = "0 over hands=-/KC reason=starvation rules=starvation:{}"
    assert at(edition, over.format("yes")).over
    with pytest.raises(PositionError) as raised:
        at(edition, over.format("no"))
    assert raised.value.code == "position.no_such_end"


# ---------------------------------------------------------------- what a game is called

SAID = [
    ({}, "Madness · standard", "Мэднесс · стандартная"),
    ({"edition": "classic"}, "Madness · classic", "Мэднесс · классическая"),
    ({"goal": 5, "fields": 3}, "Madness · standard", "Мэднесс · стандартная"),
    (
        {"goal": 7, "fields": 2},
        "Madness · standard · goal 7 · 2 fields",
        "Мэднесс · стандартная · до 7 · 2 Поля",
    ),
    (
        {"jokers": 0, "extra": 1, "komi": 2},
        "Madness · standard · 1 card more for the second · head start of 2 points · 0 Jokers",
        "Мэднесс · стандартная · второму на 1 карту больше · фора 2 очка · 0 Джокеров",
    ),
    (
        {"edition": "classic", "chance": "no", "close": "never", "starvation": False},
        "Madness · classic · no closing · no Coyote's Chance · no starvation",
        "Мэднесс · классическая · без Закрытия · без Шанса Койота · без Голодания",
    ),
]


@pytest.mark.parametrize(("options", "english", "russian"), SAID)
def test_m25_a_title_names_what_differs(options: dict[str, Any], english: str, russian: str) -> None:
    game = Madness(**options)
    assert titles(game) == {"en": english, "ru": russian} == titles_of("madness", game.options)
    assert (game_title(game, "en"), game_title(game, "ru")) == (english, russian)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_m25_every_value_of_every_option_has_a_title_of_its_own(edition: str, lang: str) -> None:
    usual = Madness(edition=edition, goal=20)
    said = [game_title(usual, lang)]
    for name in [*NUMBERS, *CHOICES]:
        games = [Madness(**{"edition": edition, "goal": 20, name: value}) for value in allowed(name)]
        said += [game_title(game, lang) for game in games if game != usual]
    assert len(set(said)) == len(said)
    assert not [title for title in said if "{" in title or not title.strip()]


@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize(("lang", "said"), [("en", "yours: +{n} when"), ("ru", "ваше: +{n}")])
def test_m25_field_points_are_foretold_on_the_table(lang: str, said: str, n: int) -> None:
    match = at("standard", f"0 tut hands=QC/KC fields=7S/-|-/-|-/- rules=field-points:{n}")
    screen = Console(width=100, record=True, file=io.StringIO())
    assert isinstance(match.game, Madness)
    screen.print(MadnessTable(Words(lang), ["A", "B"], match.game).draw(match.view_json(0)))
    assert said.format(n=n) in screen.export_text()
