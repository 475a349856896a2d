"""D1-D11  The frame and the course of a turn."""

import json

import pytest

from coyote.games.duel.game import Duel
from coyote.games.game import OptionError
from coyote.match import IllegalMove, Match
from duel.kit_duel import FILLERS, at, both, dealt, settled

HIT = {"hit": "Attack 10.", "wall": "Block 10.", "herb": "Heal 10.", "two": "Draw 2 cards."}
BLOW = {"blow": "Attack 100."}
PICKS = {"ember": "Attack 12.", "shade": "Block 15.", "spark": "Attack 8, draw a card."}


def choosing() -> Match:
    """Seat 0 holds ember twice and shade, seat 1 spark and cards that do nothing."""
    return dealt(PICKS, ["ember", "ember", "shade"], ["spark", "sand9", "sand9"])


# ---------------------------------------------------------------- D1, D2 the beginning


def test_d1_both_begin_with_100_health_of_100() -> None:
    now = dealt({}, []).situation()
    assert (now["health"], now["max"]) == ([100, 100], [100, 100])


def test_d1_the_zones_of_a_player_are_five() -> None:
    now = dealt({}, []).situation()
    assert [len(hand) for hand in now["hands"]] == [3, 3]
    assert now["deck"] == [12, 12]
    assert now["discard"] == now["play"] == now["aside"] == [[], []]


def test_d2_each_player_takes_the_three_top_cards() -> None:
    match = dealt(HIT, ["hit", "wall", "herb", "hit"], ["two", "wall", "wall", "hit"])
    assert match.situation()["hands"] == [["herb", "hit", "wall"], ["two", "wall", "wall"]]
    assert match.situation()["turn"] == 1


def test_d2_the_super_is_set_aside_before_the_game() -> None:
    match = dealt({"sun": "Super. Attack 40."}, [], supers=["sun", None])
    now = match.situation()
    assert now["aside"] == [["sun"], []]
    assert now["deck"] == [11, 12]
    assert match.view_json(1)["super"] == ["sun", None]


def test_d2_the_decks_are_shuffled_by_the_seed() -> None:
    decks = [Match(Duel(), seed=seed).record()["decks"] for seed in ("a", "b", "a")]
    assert decks[0] == decks[2] != decks[1]
    assert [sorted(deck) for deck in decks[0]] == [sorted(deck) for deck in decks[1]]


@pytest.mark.parametrize("ids", [["pack", "nothing"], ["random", "nothing"]])
def test_d19_a_deck_that_is_not_there_is_refused(ids: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        Duel().settle(ids)
    assert caught.value.code == "fault.no_deck"


# ---------------------------------------------------------------- D3 the end


@pytest.mark.parametrize(("health", "left"), [(10, 0), (7, -3), (1, -9)])
def test_d3_health_at_0_or_below_loses(health: int, left: int) -> None:
    table = settled(HIT, "hit", "hold", f"health=100/{health}")
    assert table.result == (0, [100, left])


def test_d3_one_health_is_enough() -> None:
    table = settled(HIT, "hit", "hold", "health=100/11")
    assert (table.over, table.health) == (False, [100, 1])


@pytest.mark.parametrize("health", [(10, 10), (3, 10), (1, 1)])
def test_d3_both_at_once_is_a_draw(health: tuple[int, int]) -> None:
    table = settled(HIT, "hit", "hit", "health={}/{}".format(*health))
    assert table.result == (None, [health[0] - 10, health[1] - 10])


def test_d3_the_reason_is_health() -> None:
    table = settled(BLOW, "blow", "hold")
    result = table.game.result(table.s)
    assert result is not None and result.reason == "health"
    assert table.happened("end") == [{"reason": "health"}]


def test_d3_nobody_owes_anything_after_the_end() -> None:
    table = settled(BLOW, "blow", "hold")
    assert table.game.actors(table.s) == 0
    assert [table.game.legal(table.s, seat) for seat in (0, 1)] == [[], []]


def test_d3_the_draws_that_open_a_turn_can_kill() -> None:
    """D14 takes the last 5 of the maximum."""
    table = at({}, "health=5/100 max=5/100 number=5/1").turn()
    assert table.result == (1, [0, 100])
    assert table.now["turn"] == 4


def test_d3_the_draws_that_open_a_turn_are_checked_for_both_together() -> None:
    table = at({}, "health=5/3 max=5/5 number=5/7").turn()
    assert table.result == (None, [0, 0])


def test_d3_after_a_death_by_the_opening_draw_no_auto_enters() -> None:
    cards = {"lamp": "Auto. Heal 50."}
    table = at(cards, "health=5/100 max=5/100 number=5/1 deck=lamp/sand9").turn()
    assert table.over
    assert table.play() == [] and table.hand() == ["lamp"]


def test_d3_a_death_by_d9_ends_the_game_before_d10() -> None:
    cards = {"blow": "Attack 100, draw 2 cards.", "two": "Draw 2 cards."}
    table = settled(cards, "blow", "two")
    assert table.result == (0, [100, 0])
    assert (table.hand(0), table.hand(1)) == ([], [])
    assert table.play(0) == [["blow", 0]], "D11 does not come either"


@pytest.mark.parametrize(("rules", "left"), [(1, -10), (2, 0)])
def test_d3_a_death_by_d10_waits_for_its_end(rules: int, left: int) -> None:
    """Seat 0 falls with its first draw; D10 is still carried out to its end, then both are looked at.

    In version 2 that end comes for seat 0 with its fall, and it keeps the card it has drawn.
    """
    cards = {"three": "Draw 3 cards, discard a card.", "two": "Draw 2 cards. Opponent: set aside a card."}
    table = at(cards, "hands=three/two health=5/10 max=5/10 number=5/6", rules=rules).turn("three", "two")
    assert table.result == (None, [left, 0])
    assert len(table.hand(0)) == 1 and table.max_health == [left, 0]
    assert table.play(0) == [["three", 0]], "no D11 after the end"


def test_d3_a_death_by_d10_loses_to_the_one_who_lives() -> None:
    table = at(HIT, "hands=two/- health=8/100 max=10/100 number=5/1").turn("two")
    assert table.result == (1, [0, 100])
    assert table.now["turn"] == 3, "no turn begins after the end"


def test_d3_neither_health_nor_maximum_stops_at_0() -> None:
    cards = {"blow": "Attack 999.", "nine": "Draw 9 cards."}
    assert settled(cards, "blow", "hold").health == [100, -899]
    table = at(cards, "hands=nine/- health=3/100 max=3/100 number=5/1").turn("nine")
    assert (table.health[0], table.max_health[0]) == (-2, -2)
    table = at(cards, "hands=nine/- health=5/100 max=5/100 number=5/1", rules=1).turn("nine")
    assert (table.health[0], table.max_health[0]) == (-40, -40)


# ---------------------------------------------------------------- D4 the draw


def test_d4_every_turn_but_the_first_begins_with_a_draw() -> None:
    match = dealt({}, [])
    assert [len(hand) for hand in match.situation()["hands"]] == [3, 3]
    both(match)
    assert [len(hand) for hand in match.situation()["hands"]] == [4, 4]
    both(match)
    assert match.situation()["deck"] == [10, 10]


def test_d4_the_top_card_is_drawn() -> None:
    table = at(HIT, "deck=hit,wall/wall,hit").turn()
    assert (table.hand(0), table.hand(1)) == (["hit"], ["wall"])


def test_d4_where_chance_is_needed_seat_0_comes_first() -> None:
    table = at({}, "deck=-/- discard=sand1,sand2/sand3,sand4").turn()
    assert [entry[:2] for entry in table.decided()] == [["shuffle", 0], ["shuffle", 1]]


# ---------------------------------------------------------------- D5 Auto

LAMPS = {"lamp": "Auto. Attack 9.", "bell": "Auto. Heal 9.", "hit": "Attack 10.", "one": "Draw a card."}


def test_d5_an_auto_goes_into_play_by_itself_and_works_this_turn() -> None:
    table = at(LAMPS, "deck=lamp,sand9/sand9,sand8").turn()
    assert table.play() == [["lamp", 0]] and table.hand() == []
    assert table.turn().health == [100, 91]


def test_d5_also_on_the_first_turn() -> None:
    match = dealt(LAMPS, ["lamp", "hit"])
    assert match.situation()["play"] == [[["lamp", 0]], []]
    assert both(match).situation()["health"] == [100, 91]


def test_d5_several_enter_in_the_order_in_which_they_came() -> None:
    for order in (["lamp", "bell"], ["bell", "lamp"]):
        match = dealt(LAMPS, [order[0], "hit", order[1]])
        assert [card for card, _ in match.situation()["play"][0]] == order


def test_d5_an_auto_comes_after_those_that_are_in_play() -> None:
    table = at({**LAMPS, "vine": "For 3 turns: heal 1."}, "play=vine@1/- deck=lamp/-").turn()
    assert table.play() == [["vine", 2], ["lamp", 0]]


def test_d5_an_auto_drawn_later_in_the_turn_waits_for_the_next() -> None:
    table = at(LAMPS, "hands=one/- deck=lamp,sand9,sand8/-").turn("one")
    assert table.health == [100, 100], "it has not worked yet"
    assert table.play() == [["lamp", 0]]
    assert table.turn().health == [100, 91]


def test_d5_an_auto_leaves_the_choice_free() -> None:
    match = dealt(LAMPS, ["lamp", "hit"])
    assert match.legal(0) == ["hold", "play hit", "play sand1"]
    assert both(match, "hit").situation()["health"] == [100, 81]


def test_d5_both_players_autos_enter() -> None:
    match = dealt(LAMPS, ["lamp"], ["bell", "lamp"])
    assert match.situation()["play"] == [[["lamp", 0]], [["bell", 0], ["lamp", 0]]]


# ---------------------------------------------------------------- D6 the choice


def test_d6_a_card_from_hand_or_none() -> None:
    match = choosing()
    assert match.legal(0) == ["hold", "play ember", "play shade"], "two copies stand once"
    assert match.legal(1) == ["hold", "play sand9", "play spark"]
    assert match.actors == [0, 1]


def test_d6_with_an_empty_hand_one_holds() -> None:
    table = at({})
    assert [table.game.move_text(action) for action in table.game.legal(table.s, 0)] == ["hold"]


@pytest.mark.parametrize("choice", ["hold", "play ember", "play shade"])
@pytest.mark.parametrize("viewer", [1, -1])
def test_d6_a_choice_that_waits_is_not_to_be_seen(choice: str, viewer: int) -> None:
    """Not even whether a card was picked: the same bytes, words, events and legal moves as before."""
    match = choosing()
    before = match.view(viewer).tobytes(), json.dumps(match.view_json(viewer)), match.events(viewer)
    match.play(choice, 0)
    after = match.view(viewer).tobytes(), json.dumps(match.view_json(viewer)), match.events(viewer)
    assert after == before
    assert match.legal(1) == ["hold", "play sand9", "play spark"]


def test_d6_a_seat_sees_its_own_choice() -> None:
    match = choosing()
    match.play("play shade", 0)
    assert match.view_json(0)["chosen"] == "play shade"
    assert match.view_json(1)["chosen"] is None
    assert match.view_json(0)["held"] == [3, 3], "the card is still in hand"


def test_d6_choices_come_into_the_record_when_both_are_made() -> None:
    match = Match(Duel(), seed="a")
    match.play("hold", 1)
    assert match.record()["moves"] == []
    match.play("hold", 0)
    assert match.record()["moves"] == [[0, "hold"], [1, "hold"]], "in the order of the seats"


def test_d6_who_chooses_first_changes_nothing() -> None:
    ends = []
    for seats in ((0, 1), (1, 0)):
        match = choosing()
        for seat in seats:
            match.play(("play ember", "play spark")[seat], seat)
        ends.append((match.position(), match.events()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("move", "code", "sentence"),
    [
        ("play spark", "not_held", "spark is not in your hand (D6)"),
        ("play sand2", "not_held", "sand2 is not in your hand (D6)"),
        ("play dragon", "no_choice", "“play dragon” is no choice; write play and a card's id, or hold (D6)"),
        ("ember", "no_choice", "“ember” is no choice; write play and a card's id, or hold (D6)"),
        ("hold ember", "no_choice", "“hold ember” is no choice; write play and a card's id, or hold (D6)"),
        ("", "no_choice", "“” is no choice; write play and a card's id, or hold (D6)"),
        ("x" * 999, "no_choice", f"“{'x' * 40}” is no choice; write play and a card's id, or hold (D6)"),
    ],
)
def test_d6_a_refusal_names_the_rule_and_changes_nothing(move: str, code: str, sentence: str) -> None:
    match = choosing()
    kept = match.position(), match.events(), match.view_json(0), match.view_json(1)
    with pytest.raises(IllegalMove) as caught:
        match.play(move, 0)
    assert (caught.value.refusal.code, caught.value.refusal.rule) == (f"refusal.{code}", "D6")
    assert str(caught.value) == sentence
    assert caught.value.message("ru") != sentence
    assert (match.position(), match.events(), match.view_json(0), match.view_json(1)) == kept


@pytest.mark.parametrize("again", ["hold", "play shade", "play spark", "rubbish"])
def test_d6_a_choice_is_made_once(again: str) -> None:
    match = choosing()
    match.play("play ember", 0)
    kept = match.position()
    with pytest.raises(IllegalMove) as caught:
        match.play(again, 0)
    assert caught.value.refusal.code == "refusal.chosen" and caught.value.refusal.rule == "D6"
    assert match.position() == kept and match.legal(0) == []


def test_d6_after_the_end_nothing_is_allowed() -> None:
    match = both(dealt(BLOW, ["blow"]), "blow")
    assert match.over
    with pytest.raises(IllegalMove, match="the game is over"):
        match.play("hold", 0)


@pytest.mark.parametrize("text", ["PLAY EMBER", "  play   ember ", "Play Ember"])
def test_d6_case_and_spaces_do_not_matter(text: str) -> None:
    match = choosing()
    match.play(text, 0)
    assert match.view_json(0)["chosen"] == "play ember"


# ---------------------------------------------------------------- D7 the reveal


def test_d7_both_picked_cards_go_into_play_together() -> None:
    cards = {"vine": "For 3 turns: heal 1.", "moss": "For 2 turns: heal 1."}
    table = settled(cards, "vine", "moss")
    assert (table.play(0), table.play(1)) == ([["vine", 1]], [["moss", 1]])
    assert table.happened("reveal") == [{"title": "vine"}, {"title": "moss"}]


def test_d7_a_picked_card_leaves_the_hand() -> None:
    table = at(HIT, "hands=hit,hit,wall/- deck=herb/-").turn("hit")
    assert table.hand() == ["hit", "wall", "herb"], "one copy, and then the draw of the next turn"


def test_d7_holding_plays_nothing() -> None:
    table = settled(HIT, "hold", "hold")
    assert len(table.happened("hold")) == 2
    assert table.happened("reveal") == [] and table.discard() == []


# ---------------------------------------------------------------- D8 what works


def test_d8_hands_are_counted_without_the_picked_cards() -> None:
    cards = {
        "howl": "Attack 3 for each card in hand.",
        "hush": "Attack 5 for each card in the opponent's hand.",
    }
    table = at(cards, "hands=howl,sand8,sand9/hush,sand9").turn("howl", "hush")
    assert table.health == [100 - 5 * 2, 100 - 3 * 2]


def test_d8_health_is_that_before_the_damage_of_this_turn() -> None:
    cards = {"hit": "Attack 10.", "last": "If health is at most 50: heal 30, draw 2 cards."}
    table = settled(cards, "last", "hit", "health=55/100")
    assert table.health == [45, 100]
    assert len(table.hand()) == 1, "only the draw of the next turn: D10 asks about the same moment"


def test_d8_health_that_was_low_stays_low_for_d10() -> None:
    cards = {"last": "If health is at most 50: heal 30, draw 2 cards."}
    table = settled(cards, "last", "hold", "health=50/100")
    assert table.health == [80, 100]
    assert len(table.hand()) == 3


def test_d8_a_discard_counted_this_turn_does_not_hold_this_turns_cards() -> None:
    cards = {"crypt": "Attack 7 for each card in the discard.", "hit": "Attack 1."}
    table = at(cards, "hands=crypt/hit discard=sand8,sand9/-").turn("crypt", "hit")
    assert table.health[1] == 100 - 2 * 7


def test_d8_a_card_that_d10_takes_out_of_play_has_still_worked() -> None:
    """The Auto's effect comes first and throws the picked card out; its draw happens all the same."""
    cards = {"broom": "Auto. Discard a card from in play.", "two": "Attack 4, draw 2 cards."}
    table = at(cards, "hands=two/- play=broom@0/-").turn("two")
    assert table.happened("discard") == [{"title": "two", "zone": "play"}]
    assert table.health[1] == 96 and len(table.hand()) == 3
    assert table.discard() == ["broom", "two"]


def test_d8_cards_of_both_players_work_at_the_same_time() -> None:
    table = settled(HIT, "hit", "hit", "health=10/10")
    assert table.health == [0, 0]


# ---------------------------------------------------------------- D9 health


@pytest.mark.parametrize(("block", "left"), [(0, 90), (4, 94), (10, 100), (11, 100), (99, 100)])
def test_d9_damage_is_attack_minus_block_and_not_below_0(block: int, left: int) -> None:
    table = settled({"hit": "Attack 10.", "wall": f"Block {block}."}, "hit", "wall")
    assert table.health == [100, left]


def test_d9_a_block_that_is_left_over_does_not_heal() -> None:
    table = settled({"hit": "Attack 10.", "wall": "Block 99."}, "hit", "wall", "health=100/50")
    assert table.health == [100, 50]


def test_d9_all_attacks_and_all_blocks_are_added_up() -> None:
    cards = {"fire": "For 3 turns: attack 6.", "hit": "Attack 10, attack 1.", "ward": "For 3 turns: block 4."}
    table = at({**cards, "wall": "Block 3."}, "hands=hit/wall play=fire@1/ward@1").turn("hit", "wall")
    assert table.health == [100, 100 - (17 - 7)]


def test_d9_block_all_stops_everything() -> None:
    table = settled({"blow": "Attack 999, attack 999.", "den": "Block all."}, "blow", "den")
    assert table.health == [100, 100]


def test_d9_block_protects_its_own_side_only() -> None:
    table = settled({"both": "Attack 10, block 10."}, "both", "both")
    assert table.health == [100, 100]
    assert settled({"both": "Attack 10, block 10."}, "both", "hold").health == [100, 90]


def test_d9_healing_stops_at_the_maximum() -> None:
    assert settled(HIT, "herb", "hold", "health=95/100").health == [100, 100]
    worn = settled(HIT, "herb", "hold", "health=85/100 max=90/100 number=5/1")
    assert worn.happened("health", 0)[0] == {"health": 90, "max": 90}


def test_d9_healing_and_damage_of_one_turn_are_one_step() -> None:
    """100 − 10 + 10, not the healing at 100 first and the damage after it."""
    assert settled(HIT, "herb", "hit").health == [100, 100]


def test_d9_healing_of_the_same_turn_saves_a_life() -> None:
    table = settled(HIT, "herb", "hit", "health=5/100")
    assert (table.over, table.health) == (False, [5, 100])


def test_d9_healing_that_is_not_enough_saves_nobody() -> None:
    cards = {"blow": "Attack 20.", "herb": "Heal 10."}
    assert settled(cards, "herb", "blow", "health=10/100").result == (1, [0, 100])


def test_d9_every_card_tells_what_it_adds() -> None:
    cards = {
        "storm": "Attack 5. Attack 4. Heal 3.",
        "wall": "For 2 turns: block 6.",
        "shell": "Block all.",
        "trap": "For 2 turns: opponent: attack 2.",
    }
    table = at(cards, "hands=storm/shell play=-/wall@1,trap@1").turn("storm", "shell")
    assert [table.happened("strike", seat) for seat in (0, 1)] == [
        [{"title": "storm", "points": 5}, {"title": "storm", "points": 4}, {"title": "trap", "points": 2}],
        [],
    ]
    assert table.happened("mend", 0) == [{"title": "storm", "points": 3}]
    assert table.happened("guard", 1) == [{"title": "wall", "points": 6}]
    assert table.happened("guard_all", 1) == [{"title": "shell"}]
    assert table.happened("damage", 1) == [{"damage": 0, "blocked": 11}]


def test_d10_every_card_tells_that_it_moves_cards() -> None:
    """But not for a player without health."""
    table = settled({"dig": "Draw a card. Opponent: discard a card."}, "dig", "hold")
    assert table.happened("work", 0) == 2 * [{"title": "dig"}]
    fallen = at({"dig": "Draw a card.", "blow": "Attack 99."}, "hands=dig/blow health=9/9").turn(
        "dig", "blow"
    )
    assert fallen.happened("work") == []


def test_d9_who_blocked_everything_was_attacked_all_the_same() -> None:
    cards = {"hit": "Attack 10.", "den": "Block all. If attacked: attack 7. If not attacked: heal 50."}
    table = settled(cards, "den", "hit", "health=40/100")
    assert table.health == [40, 93]


# ---------------------------------------------------------------- D10 cards


def test_d10_own_effects_come_before_those_of_the_opponents_cards() -> None:
    """The hand is empty: only a card drawn before can be discarded."""
    cards = {"one": "Draw a card.", "thief": "Opponent: discard a card."}
    for first, second, seat in (("one", "thief", 0), ("thief", "one", 1)):
        table = settled(cards, first, second)
        assert table.happened("discard", seat) == [{"title": "sand1", "zone": "hand"}]


@pytest.mark.parametrize(
    ("text", "left"), [("Draw a card, discard a card.", 0), ("Discard a card, draw a card.", 1)]
)
def test_d10_on_a_card_the_printed_order_counts(text: str, left: int) -> None:
    table = settled({"card": text}, "card", "hold")
    assert len(table.hand()) == left + 1, "and the draw of the next turn"


def test_d10_printed_order_goes_over_sentences() -> None:
    cards = {"card": "Discard a card. If health is at most 100: draw a card. Discard a card."}
    table = settled(cards, "card", "hold")
    assert table.happened("discard") == [{"title": "sand1", "zone": "hand"}]


def test_d10_cards_in_play_work_in_the_order_of_entering() -> None:
    cards = {"old": "For 9 turns: discard a card.", "one": "Draw a card."}
    assert at(cards, "hands=one/- play=old@1/-").turn("one").happened("discard") == []
    cards = {"old": "For 9 turns: draw a card.", "drop": "Discard a card."}
    assert len(at(cards, "hands=drop/- play=old@1/-").turn("drop").happened("discard")) == 1


def test_d10_an_auto_works_before_the_picked_card() -> None:
    cards = {
        "lamp": "Auto. Draw a card.",
        "drop": "Discard a card.",
        "vase": "Auto. Discard a card.",
        "one": "Draw a card.",
    }
    assert len(at(cards, "hands=drop/- play=lamp@0/-").turn("drop").happened("discard")) == 1
    assert at(cards, "hands=one/- play=vase@0/-").turn("one").happened("discard") == []


def test_d10_the_opponents_effects_keep_the_same_order() -> None:
    cards = {"lamp": "Auto. Opponent: draw a card.", "thief": "Opponent: discard a card."}
    assert len(at(cards, "hands=thief/- play=lamp@0/-").turn("thief").happened("discard", 1)) == 1


def test_d10_where_chance_is_drawn_seat_0_comes_first() -> None:
    """Whoever owns the card: first what happens to seat 0's zones, its own effects first."""
    cards = {"all": "Opponent: discard a card. Discard a card."}
    table = at(cards, "hands=all,sand7,sand8,sand9/all,sand7,sand8,sand9").turn("all", "all")
    assert [entry[:3] for entry in table.decided()] == [
        ["discard", 0, "hand"],
        ["discard", 0, "hand"],
        ["discard", 1, "hand"],
        ["discard", 1, "hand"],
    ]


def test_d10_comes_after_health() -> None:
    """What is drawn from the fifth deck cuts the health that the healing has left."""
    cards = {"cure": "Heal 50, draw 2 cards."}
    table = at(cards, "hands=cure/- health=60/100 number=5/1").turn("cure")
    assert (table.health[0], table.max_health[0]) == (85, 85), "two draws, and one that opens the next turn"


# ---------------------------------------------------------------- D11 the end of a turn


def test_d11_a_card_goes_to_its_owners_discard_after_its_last_due_turn() -> None:
    table = settled(HIT, "hit", "wall")
    assert (table.discard(0), table.discard(1)) == (["hit"], ["wall"])
    assert table.play(0) == table.play(1) == []


def test_d11_a_card_with_effects_to_come_stays_and_grows_older() -> None:
    table = at({"storm": "Attack 1. In 2 turns: attack 5."}, "hands=storm/-").turn("storm")
    assert table.play() == [["storm", 1]]
    assert table.turn().play() == [["storm", 2]]
    assert table.turn().play() == [] and table.discard() == ["storm"]
    assert table.health == [100, 94]


def test_d11_a_condition_that_failed_is_no_reason_to_stay() -> None:
    cards = {"thorn": "If attacked: attack 10."}
    assert settled(cards, "thorn", "hold").discard() == ["thorn"]
    late = at({"thorn": "In 2 turns: if attacked: attack 10."}, "hands=thorn/-").turn("thorn").turns(2)
    assert (late.play(), late.discard()) == ([], ["thorn"])


def test_d11_a_card_whose_condition_failed_stays_for_what_is_to_come() -> None:
    table = settled({"thorn": "If attacked: attack 10. Next turn: attack 3."}, "thorn", "hold")
    assert table.play() == [["thorn", 1]] and table.health == [100, 100]
    assert table.turn().health == [100, 97]


def test_d11_what_is_due_later_than_everything_else_counts() -> None:
    """The last due turn is that of the latest effect, wherever on the card it stands."""
    table = at({"card": "For 4 turns: heal 0. Next turn: attack 1."}, "hands=card/-").turn("card").turns(2)
    assert table.play() == [["card", 3]]
    assert table.turn().discard() == ["card"]


def test_d11_copies_leave_each_in_its_own_time() -> None:
    table = at({"vine": "For 2 turns: heal 1."}, "hands=vine/- play=vine@1/-").turn("vine")
    assert table.play() == [["vine", 1]] and table.discard() == ["vine"]


def test_fillers_are_what_the_tests_take_them_for() -> None:
    table = settled({}, FILLERS[8], FILLERS[9])
    assert table.health == [100, 100]
    assert table.happened("damage") == table.happened("heal") == []
