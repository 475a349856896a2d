"""House rules (D26) option by option, and version 2 of the rules against version 1 (D10)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from coyote.games.duel.decks import faults
from coyote.games.duel.game import Duel
from coyote.games.duel.records import write_chance
from coyote.games.duel.setup import Decks
from coyote.games.game import OptionError, PositionError, RecordError
from coyote.match import Match
from coyote.records import Difference, follow
from coyote.text import Refusal, Refused, game_title, titles, titles_of
from duel.kit_duel import FILLERS, at, both, dealt, fillers, made_set, words
from kit.slow_duel import follow as follow_slowly

# The table of D26: bounds, the default, and the rule that changes. Open lists are of D18.
NUMBERS: dict[str, tuple[int, int, int, str]] = {
    "health": (1, 500, 100, "D1"),
    "hand": (0, 7, 3, "D2"),
    "hand-limit": (1, 10, 7, "D12"),
    "wear": (1, 50, 5, "D14"),
    "wear-from": (2, 9, 5, "D14"),
    "super-deck": (2, 9, 3, "D17"),
    "deck-min": (9, 40, 15, "D19"),
    "deck-max": (9, 40, 20, "D19"),
    "copies": (1, 4, 2, "D19"),
    "rare-copies": (1, 4, 1, "D19"),
    "autos": (0, 10, 2, "D19"),
    "supers": (0, 1, 1, "D19"),
}
DEFAULTS: dict[str, Any] = {**{name: row[2] for name, row in NUMBERS.items()}, "open-lists": "no"}
# With these no other bound is in contradiction.
WIDE: dict[str, Any] = {"hand": 0, "deck-min": 9, "deck-max": 40}


def refusals(**options: Any) -> list[Refusal]:
    """Why a duel with these options cannot be."""
    with pytest.raises(OptionError) as raised:
        Duel(**options)
    assert raised.value.message("ru").strip()
    return raised.value.refusals


def codes(deck: Sequence[str], cards: Mapping[str, str], **options: Any) -> list[str]:
    """What is wrong with a deck of made-up cards; nothing where it may be played."""
    game = Duel(card_set=made_set(cards, rare=[card for card in cards if card.startswith("rare")]), **options)
    try:
        game.settle([deck, deck])
    except OptionError as error:
        reasons = error.values["reasons"]
        assert isinstance(reasons, Refused)
        return [refusal.code for refusal in reasons.refusals]
    return []


# ---------------------------------------------------------------- the table of options


def test_d26_the_options_are_those_of_the_table() -> None:
    assert {option.name: option.rule for option in Duel.OPTIONS} == {
        **{name: row[-1] for name, row in NUMBERS.items()},
        "open-lists": "D18",
    }


def test_d26_what_is_not_given_is_as_the_document_says() -> None:
    game = Duel()
    assert game.values == DEFAULTS
    assert game.options == game.differences == {}
    assert (game.edition, game.rules_version) == ("", 2)


@pytest.mark.parametrize("name", NUMBERS)
def test_d26_an_option_changes_itself_and_nothing_else(name: str) -> None:
    least, most, usual, _ = NUMBERS[name]
    for value in (least, usual, most):
        if (name, value) in {("hand-limit", 1), ("deck-min", 40), ("deck-max", 9)}:
            continue  # these need another option, see the contradictions
        options: dict[str, Any] = {name: value}
        game = Duel(**options)
        assert game.values == {**DEFAULTS, name: value}
        assert game.options == game.differences == ({} if value == usual else {name: value})
        assert (game == Duel()) == (hash(game) == hash(Duel())) == (value == usual)


@pytest.mark.parametrize("name", NUMBERS)
def test_d26_both_bounds_are_kept(name: str) -> None:
    least, most, _, rule = NUMBERS[name]
    for value in (least - 1, most + 1, -1000, 10**30):
        assert refusals(**{name: value}) == [
            Refusal("option.range", rule, {"name": name, "value": str(value), "least": least, "most": most})
        ]
    for value in (least, most):
        assert Duel(**{**WIDE, name: value}).values[name] == value


def test_d26_every_reason_is_told_at_once() -> None:
    found = refusals(health=0, wear=51, weather=5, hands=3, **{"open-lists": "maybe"})
    assert [(refusal.code, refusal.values["name"]) for refusal in found] == [
        ("option.range", "health"),
        ("option.range", "wear"),
        ("option.unknown_near", "weather"),
        ("option.unknown_near", "hands"),
        ("option.value", "open-lists"),
    ]


@pytest.mark.parametrize("name", ["rules", "card_set", "edition", "decks"])
def test_d26_what_is_no_option_cannot_be_brought_in_by_a_record(name: str) -> None:
    record = dealt({}, []).record()
    with pytest.raises(OptionError) as raised:
        Match.from_record({**record, "options": {name: 2, "health": 0}})
    assert sorted(refusal.values["name"] for refusal in raised.value.refusals) == sorted([name, "health"])


@pytest.mark.parametrize(
    "rules", ["rules:1", "card_set:core", "decks:pack", "health:0", "hand:7,hand-limit:6"]
)
def test_d26_a_position_with_faulty_house_rules_is_refused(rules: str) -> None:
    with pytest.raises(PositionError) as raised:
        at({}, f"rules={rules}")
    assert all(refusal.code.startswith("option.") for refusal in raised.value.refusals)


def test_d26_a_position_keeps_its_house_rules() -> None:
    table = at({}, "rules=wear:7,health:60,open-lists:yes")
    line = table.game.position(table.s)
    assert " rules=health:60,wear:7,open-lists:yes " in line
    game, _, again = Duel.at_position(line, table.game.card_set)
    assert game == table.game
    assert game.position(again) == line


def test_d26_everybody_sees_what_differs() -> None:
    match = dealt({}, [], health=60, wear=7)
    for seat in (0, 1, -1):
        shown = match.view_json(seat)
        assert (shown["options"], shown["full"]) == ({"health": 60, "wear": 7}, 60)


# ---------------------------------------------------------------- contradictions


@pytest.mark.parametrize(
    ("options", "code", "values"),
    [
        ({"hand": 7, "hand-limit": 6}, "above", ("hand", 7, "hand-limit", 6)),
        ({"hand-limit": 2}, "above", ("hand", 3, "hand-limit", 2)),
        ({"deck-min": 21}, "above", ("deck-min", 21, "deck-max", 20)),
        ({"deck-max": 14}, "above", ("deck-min", 15, "deck-max", 14)),
        ({"deck-min": 40, "deck-max": 9}, "above", ("deck-min", 40, "deck-max", 9)),
    ],
)
def test_d26_options_that_contradict_each_other(
    options: dict[str, Any], code: str, values: tuple[str, int, str, int]
) -> None:
    name, value, other, limit = values
    assert refusals(**options) == [
        Refusal(f"option.{code}", "D26", {"name": name, "value": value, "other": other, "limit": limit})
    ]


def test_d26_every_contradiction_is_told() -> None:
    found = refusals(**{"hand-limit": 1, "deck-min": 21})
    assert [refusal.values["name"] for refusal in found] == ["hand", "deck-min"]


def test_d26_a_hand_is_less_than_the_smallest_deck() -> None:
    """It always is: seven against nine. Whoever widens the bounds is told by the rule itself."""
    values = {**DEFAULTS, "hand": 9, "hand-limit": 10, "deck-min": 9}
    assert [refusal.code for refusal in Duel.contradictions(values)] == ["option.not_below"]
    assert Duel.contradictions({**values, "hand": 8}) == []


@pytest.mark.parametrize(
    "options", [{"hand": 7}, {"hand": 1, "hand-limit": 1}, {"deck-min": 20}, {"deck-min": 9, "deck-max": 9}]
)
def test_d26_the_last_that_is_in_no_contradiction(options: dict[str, Any]) -> None:
    assert Duel(**options).differences == {n: v for n, v in options.items() if DEFAULTS[n] != v}


# ---------------------------------------------------------------- health


@pytest.mark.parametrize("health", [1, 60, 500])
def test_d26_health_and_its_maximum_at_the_start(health: int) -> None:
    now = dealt({}, [], health=health).situation()
    assert now["health"] == now["max"] == [health, health]


def test_d26_health_is_what_healing_stops_at() -> None:
    cards = {"herb": "Heal 50."}
    assert at(cards, "rules=health:60 hands=herb/- health=30/60").turn("herb").health == [60, 60]
    assert at(cards, "rules=health:200 hands=herb/- health=130/60").turn("herb").health == [180, 60]


def test_d26_health_is_what_a_position_begins_with() -> None:
    table = at({}, "rules=health:60")
    assert (table.health, table.max_health) == ([60, 60], [60, 60])
    with pytest.raises(PositionError):
        at({}, "rules=health:60 health=61/60")


# ---------------------------------------------------------------- hands


@pytest.mark.parametrize("hand", range(8))
def test_d26_hand_is_how_many_cards_are_taken(hand: int) -> None:
    now = dealt({}, [], hand=hand).situation()
    assert [len(cards) for cards in now["hands"]] == [hand, hand]
    assert now["deck"] == [15 - hand, 15 - hand]


def test_d26_hand_without_a_card_one_holds() -> None:
    match = dealt({}, [], hand=0)
    assert [match.legal(seat) for seat in range(2)] == [["hold"], ["hold"]]
    both(match)
    assert match.view_json(0)["held"] == [1, 1], "D4: from the second turn on one draws"


@pytest.mark.parametrize("limit", range(3, 11))
def test_d26_hand_limit_what_is_drawn_into_a_full_hand_is_burned(limit: int) -> None:
    full = ",".join(fillers(limit))
    table = at({"last": "Heal 0."}, f"rules=hand-limit:{limit} hands={full}/- deck=last,last/-").turn()
    assert (len(table.hand()), table.discard()) == (limit, ["last"])
    less = ",".join(fillers(limit - 1))
    table = at({"last": "Heal 0."}, f"rules=hand-limit:{limit} hands={less}/- deck=last,last/-").turn()
    assert (len(table.hand()), table.discard()) == (limit, [])


def test_d26_hand_limit_ten_different_cards_may_all_be_played() -> None:
    table = at({}, f"rules=hand-limit:10 hands={','.join(FILLERS)}/- deck=-/-")
    assert len(table.game.legal(table.s, 0)) == 11
    with pytest.raises(PositionError) as raised:
        at({}, f"rules=hand-limit:9 hands={','.join(FILLERS)}/- deck=-/-")
    assert raised.value.code == "position.zone_full"


# ---------------------------------------------------------------- wear


@pytest.mark.parametrize("wear", [1, 5, 7, 50])
def test_d26_wear_is_by_how_much_a_late_draw_lowers_the_maximum(wear: int) -> None:
    table = at({}, f"rules=wear:{wear} number=5/4").turn()
    assert (table.max_health, table.health) == ([100 - wear, 100], [100 - wear, 100])


@pytest.mark.parametrize("first", range(2, 10))
def test_d26_wear_from_is_the_first_deck_that_costs(first: int) -> None:
    table = at({}, f"rules=wear-from:{first} number={first}/{first - 1}").turn()
    assert table.max_health == [95, 100]
    assert table.game.view_json(table.game.view(table.s, -1), -1)["wears"] == [True, False]


def test_d26_wear_from_a_worn_player_has_come_so_far() -> None:
    with pytest.raises(PositionError) as raised:
        at({}, "rules=wear-from:7 max=95/100 health=95/100 number=6/1")
    assert raised.value.code == "position.worn_early"
    assert at({}, "rules=wear-from:7 max=95/100 health=95/100 number=7/1").max_health == [95, 100]


# ---------------------------------------------------------------- the deck of the Super

SUN = {"sun": "Super. Attack 40.", "hit": "Attack 1."}


@pytest.mark.parametrize("deck", range(2, 10))
def test_d26_super_deck_is_where_the_super_comes_in(deck: int) -> None:
    position = (
        f"rules=super-deck:{deck},wear-from:9 deck=-/- discard=hit/- aside=sun/- super=sun/- number={{}}/1"
    )
    table = at(SUN, position.format(deck - 1)).turn()
    assert (table.number(), table.aside()) == (deck, [])
    assert sorted(table.hand() + table.deck()) == ["hit", "sun"]
    if deck > 2:
        table = at(SUN, position.format(deck - 2)).turn()
        assert (table.number(), table.aside(), table.hand()) == (deck - 1, ["sun"], ["hit"])


def test_d26_super_deck_bounds_what_a_position_may_say() -> None:
    for number, code in ((1, "super_early"), (2, None)):
        text = f"rules=super-deck:2 hands=sun/- number={number}/1"
        if code is None:
            assert at(SUN, text).hand() == ["sun"]
            continue
        with pytest.raises(PositionError) as raised:
            at(SUN, text)
        assert raised.value.code == f"position.{code}"
    with pytest.raises(PositionError) as raised:
        at(SUN, "rules=super-deck:2 aside=sun/- super=sun/- number=2/1")
    assert raised.value.code == "position.super_late"


# ---------------------------------------------------------------- decks, judged by the match's numbers


@pytest.mark.parametrize(("least", "most"), [(9, 40), (9, 9), (12, 16), (20, 20)])
def test_d26_deck_min_and_deck_max(least: int, most: int) -> None:
    options = {"deck-min": least, "deck-max": most}
    assert codes(fillers(least), {}, **options) == []
    assert codes(fillers(least - 1), {}, **options) == ["deck.small"]
    if most < 20:
        assert codes(fillers(most), {}, **options) == []
        assert codes(fillers(most + 1), {}, **options) == ["deck.large"]


def test_d26_deck_max_forty_cards() -> None:
    deck = FILLERS * 4
    options = {"deck-max": 40, "copies": 4}
    assert codes(deck, {}, **options) == []
    assert codes([*deck, "hit"], {"hit": "Attack 1."}, **options) == ["deck.large"]
    made = Duel(card_set=made_set({}), **options)
    match = Match(made, decks=[deck, deck], seed="forty")
    assert match.situation()["deck"] == [37, 37]
    while not match.over and match.turn < 50:
        both(match)
    assert match.situation()["deck_number"] == [2, 2], "every card came once"


@pytest.mark.parametrize("copies", range(1, 5))
def test_d26_copies_of_a_common_card(copies: int) -> None:
    rest = [f"sand{i}" for i in range(1, 11)] + ["more1", "more2", "more3", "more4"]
    cards = {"hit": "Attack 1.", **{name: "Heal 0." for name in rest if name.startswith("more")}}
    assert codes(["hit"] * copies + rest, cards, copies=copies) == []
    assert codes(["hit"] * (copies + 1) + rest, cards, copies=copies) == ["deck.common"]


@pytest.mark.parametrize("copies", range(1, 5))
def test_d26_rare_copies_of_a_rare_card(copies: int) -> None:
    options = {"rare-copies": copies}
    cards = {"rare1": "Attack 1."}
    assert codes(["rare1"] * copies + fillers(14), cards, **options) == []
    assert codes(["rare1"] * (copies + 1) + fillers(14), cards, **options) == ["deck.rare"]


@pytest.mark.parametrize("autos", [0, 1, 2, 5, 10])
def test_d26_autos_in_all(autos: int) -> None:
    cards = {f"lamp{i}": "Auto. Heal 1." for i in range(11)}
    assert codes([*list(cards)[:autos], *fillers(15)][:20], cards, autos=autos, **{"deck-min": 9}) == []
    wrong = [*list(cards)[: autos + 1], *fillers(9)]
    assert codes(wrong, cards, autos=autos, **{"deck-min": 9}) == ["deck.auto" if autos else "deck.no_auto"]


@pytest.mark.parametrize("supers", [0, 1])
def test_d26_supers_in_all(supers: int) -> None:
    cards = {"sun": "Super. Heal 1.", "moon": "Super. Heal 1."}
    assert codes([*list(cards)[:supers], *fillers(15)], cards, supers=supers) == []
    wrong = [*list(cards)[: supers + 1], *fillers(15)]
    assert codes(wrong, cards, supers=supers) == ["deck.super" if supers else "deck.no_super"]


def test_d26_a_record_is_judged_by_its_own_numbers() -> None:
    options = {"deck-min": 9, "deck-max": 9}
    record = dealt({}, []).record()
    short = {**record, "options": options, "decks": [deck[:9] for deck in record["decks"]]}
    assert Match.from_record(short).situation()["deck"] == [6, 6]
    with pytest.raises(RecordError) as raised:
        Match.from_record({**record, "options": options})
    assert raised.value.code == "record.deck_faults"
    with pytest.raises(RecordError):
        Match.from_record({**short, "options": {}})


def test_d26_a_position_is_judged_by_its_own_numbers() -> None:
    cards = {"hit": "Attack 1."}
    assert at(cards, "rules=copies:3 hands=hit,hit,hit/-").hand() == ["hit"] * 3
    with pytest.raises(PositionError) as raised:
        at(cards, "hands=hit,hit,hit/-")
    assert raised.value.code == "position.deck"


@pytest.mark.parametrize(
    "options",
    [
        {"deck-min": 9, "deck-max": 9},
        {"deck-min": 40, "deck-max": 40, "copies": 4, "rare-copies": 4},
        {"autos": 0, "supers": 0},
        {"copies": 1},
        {"autos": 10},
    ],
)
def test_d26_a_random_deck_follows_the_house_rules(options: dict[str, Any]) -> None:
    game = Duel(**options)
    setup = game.settle(("random", "random"), Random(26))
    assert isinstance(setup, Decks)
    for deck in setup.decks:
        assert deck is not None and faults(deck, game.card_set, game.limits) == []


def test_d26_a_ready_deck_that_the_house_rules_forbid() -> None:
    assert Duel().settle().names() == ["pack", "oasis"]
    strict = Duel(supers=0, autos=0, copies=1)
    assert strict.settle().names() == ["random", "random"], "the usual ones may not be played"
    with pytest.raises(OptionError) as raised:
        strict.settle(("pack", "oasis"))
    assert [refusal.code for refusal in raised.value.refusals] == ["option.deck", "option.deck"]


def test_d26_nobody_supposes_a_deck_that_the_house_rules_forbid() -> None:
    cards = {"lamp": "Auto. Heal 1.", **{f"rare{i}": "Heal 0." for i in range(4)}}
    game = Duel(card_set=made_set(cards, rare=[f"rare{i}" for i in range(4)]), autos=0, copies=2)
    s = game.deal(game.settle([fillers(15)] * 2), words("suppose"))
    view = game.view(s, 0)
    for number in range(30):
        listed = game.imagine(view, 0, words(str(number))).listed[1].tolist()
        names = [game.ids[kind] for kind in listed if kind >= 0]
        assert len(names) == 15 and "lamp" not in names
        assert max(names.count(name) for name in FILLERS) <= 2


@pytest.mark.parametrize(("value", "seen"), [("yes", True), ("no", False), (True, True), (False, False)])
def test_d26_d18_open_lists(value: Any, seen: bool) -> None:
    match = dealt({}, [], **{"open-lists": value})
    assert [shown is not None for shown in match.view_json(-1)["lists"]] == [seen, seen]


# ---------------------------------------------------------------- D10 version 2

WORN = "health={0}/100 max={0}/100 number=5/1"  # each draw costs seat 0 five
both_versions = pytest.mark.parametrize("rules", [1, 2])


def test_d10_draw_99_stops_when_the_health_is_gone() -> None:
    cards = {"flood": "Draw 99 cards."}
    table = at(cards, f"hands=flood/- {WORN.format(12)}").turn("flood")
    assert table.result == (1, [-3, 100])
    assert table.max_health[0] == -3
    assert len(table.happened("wear", 0)) == len(table.hand()) == 3


def test_d10_in_version_1_it_went_on_to_its_end() -> None:
    cards = {"flood": "Draw 99 cards."}
    table = at(cards, f"hands=flood/- {WORN.format(12)}", rules=1).turn("flood")
    assert table.result == (1, [12 - 5 * 99, 100])
    assert len(table.happened("wear", 0)) == 99


@pytest.mark.parametrize(("health", "drawn"), [(1, 1), (5, 1), (6, 2), (10, 2), (11, 3), (20, 4)])
def test_d10_a_draw_of_several_cards_is_cut_in_the_middle(health: int, drawn: int) -> None:
    table = at({"four": "Draw 4 cards."}, f"hands=four/- {WORN.format(health)}").turn("four")
    assert table.result == (1, [health - 5 * drawn, 100])
    assert len(table.happened("draw", 0)) == drawn


@both_versions
@pytest.mark.parametrize(("effect", "kind"), [("discard 2 cards", "discard"), ("set aside 2 cards", "aside")])
def test_d10_what_comes_after_the_fall_is_passed_over(rules: int, effect: str, kind: str) -> None:
    cards = {"card": f"Draw 3 cards, {effect}."}
    table = at(cards, f"hands=card,sand9/- {WORN.format(5)}", rules=rules).turn("card")
    assert table.over
    assert len(table.happened("draw", 0)) == (1 if rules == 2 else 3)
    assert len(table.happened(kind, 0)) == (0 if rules == 2 else 2)
    assert len(table.decided()) == (0 if rules == 2 else 2), "and no chance is drawn for it"


@both_versions
@pytest.mark.parametrize("zone", ["deck", "discard", "in play"])
def test_d10_nothing_is_set_aside_from_any_zone_after_the_fall(rules: int, zone: str) -> None:
    cards = {"card": f"Draw a card, set aside a card from {zone}.", "vine": "For 9 turns: heal 0."}
    text = f"hands=card/- play=vine@1/- discard=sand9/- {WORN.format(5)}"
    table = at(cards, text, rules=rules).turn("card")
    assert len(table.happened("aside", 0)) == (0 if rules == 2 else 1)


@both_versions
def test_d10_set_aside_this_card_does_not_work_after_the_fall(rules: int) -> None:
    cards = {"card": "Draw a card, set aside this card."}
    table = at(cards, f"hands=card/- {WORN.format(5)}", rules=rules).turn("card")
    assert table.over
    assert int(table.s.leaves[0, 0]) == (0 if rules == 2 else 1)


@both_versions
def test_d10_effects_of_the_opponents_cards_are_passed_over_too(rules: int) -> None:
    cards = {"one": "Draw a card.", "thief": "Opponent: discard 2 cards."}
    table = at(cards, f"hands=one,sand8,sand9/thief {WORN.format(5)}", rules=rules).turn("one", "thief")
    assert table.result == (1, [0, 100])
    assert len(table.happened("discard", 0)) == (0 if rules == 2 else 2)


@both_versions
def test_d10_the_one_who_lives_goes_on(rules: int) -> None:
    cards = {"one": "Draw a card.", "two": "Draw 2 cards, discard a card."}
    table = at(cards, f"hands=one/two {WORN.format(5)}", rules=rules).turn("one", "two")
    assert table.result == (1, [0, 100])
    assert (len(table.happened("draw", 1)), len(table.happened("discard", 1))) == (2, 1)


@both_versions
def test_d10_both_may_fall_and_it_is_a_draw(rules: int) -> None:
    cards = {"nine": "Draw 9 cards."}
    text = "hands=nine/nine health=5/8 max=5/8 number=5/5"
    table = at(cards, text, rules=rules).turn("nine", "nine")
    assert table.result == ((None, [0, -2]) if rules == 2 else (None, [-40, -37]))


@both_versions
def test_d10_of_a_player_with_health_left_nothing_is_passed_over(rules: int) -> None:
    cards = {"card": "Draw 2 cards, discard 2 cards."}
    table = at(cards, f"hands=card,sand9/- {WORN.format(100)}", rules=rules).turn("card")
    assert (len(table.happened("draw", 0)), len(table.happened("discard", 0))) == (3, 2)


@both_versions
def test_d10_in_a_game_worn_from_another_deck_by_another_number(rules: int) -> None:
    cards = {"nine": "Draw 9 cards."}
    text = "rules=health:40,wear:20,wear-from:2 hands=nine/- number=2/1"
    table = at(cards, text, rules=rules).turn("nine")
    assert table.result == ((1, [0, 40]) if rules == 2 else (1, [-140, 40]))


# ---------------------------------------------------------------- D10 records of version 1

HARSH: dict[str, Any] = {"wear": 50, "wear-from": 2, "deck-min": 9}
STORM = {"storm": "Draw 20 cards, discard 2 cards."}


def stormy(rules: int | None) -> Match:
    """A duel whose first card draws its player to death."""
    match = both(dealt(STORM, ["storm"], rules=rules, **HARSH), "storm")
    assert match.over
    return match


def test_d10_a_record_names_its_version() -> None:
    assert (stormy(1).record()["rules"], stormy(2).record()["rules"]) == (1, 2)
    assert Duel.RULES == (1, 2)


def test_d10_a_record_without_a_version_is_of_version_1() -> None:
    record = stormy(1).record()
    old = {key: value for key, value in record.items() if key != "rules"}
    assert follow(old).game.rules_version == 1
    assert dealt(STORM, ["storm"], rules=None).game.rules_version == 1


@both_versions
def test_d10_records_of_both_versions_are_followed_by_both_readings(rules: int) -> None:
    record = stormy(rules).record()
    followed = follow(record)
    assert followed.game.rules_version == rules
    assert followed.record() == record
    follow_slowly(record)


def test_d10_the_winner_is_the_same_and_the_score_is_not() -> None:
    first, second = stormy(1).result, stormy(2).result
    assert first is not None and second is not None
    assert (first.winner, first.reason) == (second.winner, second.reason) == (1, "health")
    assert first.score[0] < second.score[0] <= 0


def test_d10_less_chance_is_asked_for() -> None:
    old, new = (write_chance(stormy(rules).rows, stormy(rules).game.ids) for rules in (1, 2))  # type: ignore[attr-defined]
    picks = [[entry for entry in chance if entry[0] == "discard"] for chance in (old, new)]
    assert [len(found) for found in picks] == [2, 0]


@pytest.mark.parametrize(("rules", "said"), [(1, 2), (2, 1)])
def test_d10_a_record_of_one_version_does_not_follow_by_the_other(rules: int, said: int) -> None:
    record = stormy(rules).record()
    with pytest.raises(Difference):
        follow({**record, "rules": said})


@pytest.mark.parametrize("version", [0, 3, "2", True, None, 1.0])
def test_d10_there_is_no_other_version(version: Any) -> None:
    with pytest.raises(Difference) as raised:
        follow({**stormy(2).record(), "rules": version})
    assert raised.value.code == "record.rules"


@pytest.mark.parametrize("version", [0, 3, "2"])
def test_d10_a_game_of_no_other_version_can_be_made(version: Any) -> None:
    with pytest.raises(OptionError) as raised:
        Duel(rules=version)
    assert raised.value.code == "option.rules"


def test_d10_games_of_two_versions_are_two_games() -> None:
    assert Duel(rules=1) != Duel(rules=2) == Duel()


# ---------------------------------------------------------------- what a duel is called

SAID = [
    ({}, "Duel", "Дуэль"),
    ({"health": 100, "open-lists": "no"}, "Duel", "Дуэль"),
    ({"health": 60}, "Duel · health 60", "Дуэль · здоровье 60"),
    ({"wear": 7, "hand": 5}, "Duel · hands of 5 · wear 7", "Дуэль · раздача по 5 · износ 7"),
    ({"open-lists": True}, "Duel · open lists", "Дуэль · составы открыты"),
    ({"copies": 1}, "Duel · 1 copy of a common card", "Дуэль · 1 копия обычной карты"),
    ({"rare-copies": 3}, "Duel · 3 copies of a rare card", "Дуэль · 3 копии редкой карты"),
]


@pytest.mark.parametrize(("options", "english", "russian"), SAID)
def test_d26_a_title_names_what_differs(options: dict[str, Any], english: str, russian: str) -> None:
    game = Duel(**options)
    assert titles(game) == {"en": english, "ru": russian} == titles_of("duel", game.options)
    assert (game_title(game, "en"), game_title(game, "ru")) == (english, russian)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_d26_every_option_has_a_title_of_its_own(lang: str) -> None:
    said = [game_title(Duel(**WIDE), lang), game_title(Duel(**{**WIDE, "open-lists": "yes"}), lang)]
    for name, (least, most, usual, _) in NUMBERS.items():
        values = {least, usual + 1 if usual < most else usual - 1, most} - {usual, WIDE.get(name)}
        said += [game_title(Duel(**{**WIDE, name: value}), lang) for value in sorted(values)]
    assert len(set(said)) == len(said)
    assert not [title for title in said if "{" in title or not title.strip()]
