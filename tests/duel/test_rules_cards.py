"""D12-D18  Cards in motion, and who may know of them."""

import json
from typing import Any

import pytest

from coyote.games.duel.decks import Deck
from coyote.games.duel.game import Duel
from coyote.games.game import OptionError, PositionError
from coyote.games.registry import make_game
from coyote.match import Match
from duel.kit_duel import FILLERS, Table, at, both, dealt, made_set, words

SEVEN = "sand4,sand5,sand5,sand6,sand6,sand7,sand7"
DRAWS = {"one": "Draw a card.", "two": "Draw 2 cards.", "nine": "Draw 9 cards."}


# ---------------------------------------------------------------- D12 the hand


def test_d12_a_card_drawn_into_a_full_hand_goes_to_the_discard() -> None:
    table = at({}, f"hands={SEVEN}/-").turn()
    assert len(table.hand()) == 7 and table.discard() == ["sand1"]
    assert table.happened("burn") == [{"title": "sand1"}]


def test_d12_seven_cards_may_be_held() -> None:
    table = at({}, f"hands={SEVEN.removesuffix(',sand7')}/-").turn()
    assert len(table.hand()) == 7 and table.discard() == []


def test_d12_a_picked_card_makes_room_for_what_it_draws() -> None:
    six = SEVEN.removesuffix(",sand7")
    table = at(DRAWS, f"hands=two,{six}/- deck=sand1,sand2,sand3/-").turn("two")
    assert len(table.hand()) == 7
    assert table.happened("burn") == [{"title": "sand2"}, {"title": "sand3"}]
    assert table.discard() == ["sand2", "sand3", "two"]


def test_d12_an_auto_drawn_into_a_full_hand_does_not_enter() -> None:
    table = at({"lamp": "Auto. Attack 5."}, f"hands={SEVEN}/- deck=lamp/-").turn()
    assert (table.discard(), table.play()) == (["lamp"], [])


# ---------------------------------------------------------------- D13 new decks


def test_d13_the_discard_is_shuffled_into_a_new_deck_when_one_must_draw() -> None:
    chance = [["shuffle", 0, ["sand2", "sand3", "sand1"]]]
    table = at({}, "deck=-/sand1 discard=sand1,sand2,sand3/-", chance).turn()
    assert (table.hand(), table.deck()) == (["sand2"], ["sand3", "sand1"])
    assert (table.number(), table.discard()) == (2, [])


def test_d13_a_deck_that_has_run_out_waits_for_the_next_draw() -> None:
    table = at({}, "deck=sand1/sand1 discard=sand2,sand3/-").turn()
    assert (table.deck(), table.number(), table.discard()) == ([], 1, ["sand2", "sand3"])


def test_d13_the_decks_are_counted_one_by_one() -> None:
    table = at({"one": "Set aside this card."}, "deck=sand1/sand1 number=1/7")
    assert table.turns(3).now["deck_number"] == [3, 9]


def test_d13_a_draw_of_many_goes_on_into_the_new_deck() -> None:
    table = at(DRAWS, "hands=two/- deck=sand1/- discard=sand2/-").turn("two")
    assert table.hand() == ["sand1", "sand2", "two"]
    assert table.number() == 3, "the next turn's draw finds the card played"


def test_d13_a_card_that_is_still_in_play_is_not_shuffled() -> None:
    """In D10 the card whose draw it is has not gone to the discard yet."""
    table = at(DRAWS, "hands=one/- deck=-/- discard=sand1,sand2/-").turn("one")
    (entry,) = table.decided()
    assert sorted(entry[2]) == ["sand1", "sand2"]


def test_d13_with_nothing_to_shuffle_the_new_deck_is_empty_and_counts() -> None:
    table = at({}, "deck=-/sand1,sand2").turn()
    assert (table.hand(), table.deck(), table.number()) == ([], [], 2)
    assert table.decided() == [], "no chance for an empty deck"
    assert table.turn().number() == 3


def test_d13_every_draw_that_finds_nothing_counts_a_deck() -> None:
    table = at(DRAWS, "hands=nine/- deck=sand1/-").turn("nine")
    assert table.number() == 1 + 8 + 1, "eight of the nine, and the next turn's, which finds the card played"


def test_d13_so_a_game_always_ends() -> None:
    table = at({}, "deck=-/-")
    for _ in range(23):
        assert not table.over
        table.turn()
    assert table.result == (None, [0, 0])


def test_d13_a_super_alone_is_a_deck_of_one() -> None:
    cards = {"sun": "Super. Attack 40."}
    chance = [["shuffle", 0, ["sun"]]]
    table = at(cards, "deck=-/- number=2/2 aside=sun/- super=sun/-", chance).turn()
    assert (table.hand(), table.deck(), table.number()) == (["sun"], [], 3)
    assert table.decided() == chance
    assert table.game.view_json(table.game.view(table.s, 1), 1)["super"] == [None, None]


def test_d13_seats_shuffle_their_own_discard() -> None:
    table = at({}, "deck=-/- discard=sand1/sand2").turn()
    assert (table.hand(0), table.hand(1)) == (["sand1"], ["sand2"])


# ---------------------------------------------------------------- D14 worn decks


@pytest.mark.parametrize(("number", "top"), [(1, 100), (4, 100), (5, 95), (6, 95), (12, 95)])
def test_d14_each_card_drawn_from_the_fifth_deck_on_lowers_the_maximum(number: int, top: int) -> None:
    table = at({}, f"number={number}/1").turn()
    assert (table.max_health, table.health) == ([top, 100], [top, 100])


def test_d14_the_card_that_opens_the_fifth_deck_costs() -> None:
    table = at({}, "deck=-/sand1 discard=sand1,sand2/- number=4/1").turn()
    assert (table.number(), table.max_health[0]) == (5, 95)


def test_d14_every_card_of_several_costs() -> None:
    table = at(DRAWS, "hands=two/- number=5/1").turn("two")
    assert table.max_health[0] == 100 - 3 * 5, "two, and the draw of the next turn"


def test_d14_health_is_cut_to_the_maximum_and_no_further() -> None:
    assert at({}, "health=97/100 number=5/1").turn().health == [95, 100]
    assert at({}, "health=95/100 number=5/1").turn().health == [95, 100]
    assert at({}, "health=40/100 number=5/1").turn().health == [40, 100]


def test_d14_a_card_drawn_into_a_full_hand_costs_too() -> None:
    table = at({}, f"hands={SEVEN}/- number=5/1").turn()
    assert table.happened("burn") and table.max_health[0] == 95


def test_d14_a_draw_that_finds_nothing_costs_the_same() -> None:
    table = at({}, "deck=-/sand1 number=5/1").turn()
    assert (table.max_health[0], table.number(), table.hand()) == (95, 6, [])


def test_d14_finding_nothing_in_the_fourth_deck_opens_the_fifth_and_costs() -> None:
    table = at({}, "deck=-/sand1 number=4/1").turn()
    assert (table.number(), table.max_health[0]) == (5, 95)


def test_d14_finding_nothing_before_that_costs_nothing() -> None:
    table = at({}, "deck=-/sand1 number=3/1").turn()
    assert (table.number(), table.max_health[0]) == (4, 100)


def test_d14_a_card_discarded_from_the_deck_is_not_drawn() -> None:
    table = at({"mill": "Discard 3 cards from deck."}, "hands=mill/- number=5/1").turn("mill")
    assert table.max_health[0] == 95, "only the draw of the next turn"


def test_d14_the_maximum_bounds_the_healing_that_follows() -> None:
    table = at({"herb": "Heal 50."}, "hands=herb/- health=60/100 max=90/100 number=5/1").turn("herb")
    assert table.happened("health")[0] == {"health": 90, "max": 90}


# ---------------------------------------------------------------- D15 discard


def discarding(text: str, position: str, chance: Any = None, **cards: str) -> Table:
    """Seat 0 plays a card of this text."""
    return at({"card": text, **cards}, position, chance).turn("card")


@pytest.mark.parametrize("text", ["Discard a card.", "Discard a card from hand."])
def test_d15_a_random_card_of_the_hand_goes_to_the_discard(text: str) -> None:
    chance = [["discard", 0, "hand", "sand8"]]
    table = discarding(text, "hands=card,sand7,sand8,sand9/-", chance)
    assert table.discard() == ["card", "sand8"]
    assert table.hand()[:2] == ["sand7", "sand9"]
    assert table.decided() == chance


def test_d15_any_card_of_the_hand_may_be_it() -> None:
    for picked in ("sand7", "sand8", "sand9"):
        chance = [["discard", 0, "hand", picked]]
        table = discarding("Discard a card.", "hands=card,sand7,sand8,sand9/-", chance)
        assert picked in table.discard()


def test_d15_several_cards_are_several_picks() -> None:
    chance = [["discard", 0, "hand", "sand9"], ["discard", 0, "hand", "sand7"]]
    table = discarding("Discard 2 cards.", "hands=card,sand7,sand8,sand9/-", chance)
    assert table.decided() == chance
    assert table.hand()[:1] == ["sand8"]


def test_d15_no_more_than_there_are() -> None:
    table = discarding("Discard 5 cards.", "hands=card,sand8,sand9/-")
    assert table.discard() == ["card", "sand8", "sand9"]
    assert len(table.decided()) == 2


def test_d15_a_pick_from_a_single_card_is_chance_all_the_same() -> None:
    table = discarding("Discard a card.", "hands=card,sand9/-")
    assert table.decided() == [["discard", 0, "hand", "sand9"]]


def test_d15_of_the_deck_it_is_the_top_card_and_no_chance() -> None:
    table = discarding("Discard 2 cards from deck.", "hands=card/- deck=sand5,sand3,sand4,sand2/-")
    assert table.discard() == ["card", "sand3", "sand5"]
    assert table.hand() == ["sand4"] and table.decided() == []


@pytest.mark.parametrize(
    "text", ["Discard a card.", "Discard 3 cards from deck.", "Discard a card from in play."]
)
def test_d15_an_empty_zone_gives_nothing_and_causes_no_shuffle(text: str) -> None:
    """The discard could be shuffled, and is not until the next turn's draw."""
    table = at({"card": text}, "hands=card/- deck=-/sand1 discard=sand1,sand2/-")
    table.choose(0, "card")
    table.choose(1, "hold")
    assert table.happened("discard") == []
    assert table.number() == 2
    assert sorted(table.decided()[0][2]) == ["card", "sand1", "sand2"], "only after D11"


VINES = {"vine": "For 5 turns: heal 0.", "moss": "For 5 turns: heal 0."}


def test_d15_from_play_any_card_but_the_one_whose_effect_it_is() -> None:
    for picked, left in (("vine", "moss"), ("moss", "vine")):
        chance = [["discard", 0, "play", picked]]
        table = discarding(
            "Discard a card from in play.", "hands=card/- play=vine@1,moss@2/-", chance, **VINES
        )
        assert [card for card, _ in table.play()] == [left]
        assert table.discard() == sorted(["card", picked])


def test_d15_the_source_alone_in_play_gives_nothing() -> None:
    table = discarding("Discard a card from in play. Next turn: heal 1.", "hands=card/-")
    assert table.play() == [["card", 1]] and table.decided() == []


def test_d15_a_copy_of_the_source_may_be_picked_and_the_source_stays() -> None:
    """The older copy goes, though it has the same name; the source goes on."""
    text = "Discard a card from in play. For 5 turns: heal 0."
    cards = {"card": text, "late": "In 4 turns: heal 0."}
    table = at({**cards}, "hands=card/- play=card@2/-").turn("card")
    assert table.decided() == [["discard", 0, "play", "card"]]
    assert table.play() == [["card", 1]] and table.discard() == ["card"]


def test_d15_the_source_is_not_picked_even_where_it_entered_first() -> None:
    """Two copies; the effect of the older one, due now, takes the younger."""
    cards = {"card": "For 5 turns: heal 0. Next turn: discard a card from in play."}
    table = at(cards, "hands=card/- play=card@1/-", [["discard", 0, "play", "card"]]).turn("card")
    assert table.play() == [["card", 2]]
    assert table.discard() == ["card"]


def test_d15_of_several_copies_the_first_to_enter_leaves() -> None:
    chance = [["discard", 0, "play", "vine"]]
    table = discarding(
        "Discard a card from in play.", "hands=card/- play=vine@3,moss@2,vine@1/-", chance, **VINES
    )
    assert table.play() == [["moss", 3], ["vine", 2]]


def test_d15_only_what_is_in_play_at_that_moment_can_be_picked() -> None:
    table = discarding("Discard 2 cards from in play.", "hands=card/- play=vine@3/-", **VINES)
    assert table.decided() == [["discard", 0, "play", "vine"]]


def test_d15_a_card_already_gone_cannot_take_itself_but_takes_others() -> None:
    """Two cards in play that both take one: the first takes the second, the second still works."""
    cards = {"hook": "For 5 turns: heal 0. Next turn: discard a card from in play.", **VINES}
    chance = [["discard", 0, "play", "hook"], ["discard", 0, "play", "vine"]]
    table = at(cards, "play=hook@1,hook@1,vine@1/-", chance).turn()
    assert table.play() == [["hook", 2]]
    assert table.discard() == ["hook", "vine"]


def test_d15_a_card_taken_by_another_takes_that_one() -> None:
    """The source that is gone leaves out nobody: the other copy is there to be picked."""
    cards = {"hook": "For 5 turns: heal 0. Next turn: discard a card from in play."}
    table = at(cards, "play=hook@1,hook@1/-").turn()
    assert table.decided() == [["discard", 0, "play", "hook"]] * 2
    assert table.play() == [] and table.discard() == ["hook", "hook"]


def test_d15_the_opponents_effect_takes_any_card_in_play() -> None:
    """Also the card picked this turn, and also one of the same name as the source."""
    cards = {"hook": "Opponent: discard a card from in play. For 3 turns: heal 0."}
    table = at(cards, "hands=hook/hook").turn("hook", "hook")
    assert table.decided() == [["discard", 0, "play", "hook"], ["discard", 1, "play", "hook"]]
    assert (table.discard(0), table.discard(1)) == (["hook"], ["hook"])


def test_d15_a_card_thrown_out_of_play_brings_nothing_later() -> None:
    cards = {"storm": "In 2 turns: attack 50.", "hook": "Opponent: discard a card from in play."}
    table = at(cards, "hands=hook/- play=-/storm@1").turn("hook").turns(2)
    assert table.health == [100, 100]


def test_d15_the_opponent_discards_from_their_own_zones() -> None:
    text = "Opponent: discard a card, discard a card from deck."
    table = discarding(text, "hands=card,sand9/sand9 deck=sand1/sand8,sand7")
    assert table.discard(1) == ["sand8", "sand9"]
    assert table.discard(0) == ["card"]


# ---------------------------------------------------------------- D16 set aside


@pytest.mark.parametrize("text", ["Set aside a card.", "Set aside a card from hand."])
def test_d16_a_random_card_of_the_hand_leaves_the_game(text: str) -> None:
    cards = {"hit": "Attack 1.", "wall": "Block 1."}
    chance = [["aside", 0, "hand", "wall"]]
    table = discarding(text, "hands=card,hit,wall/-", chance, **cards)
    assert (table.aside(), table.discard()) == (["wall"], ["card"])


def test_d16_the_top_card_of_the_deck_leaves_the_game() -> None:
    table = discarding(
        "Set aside 2 cards from deck.", "hands=card/- deck=hit,wall,sand1/-", hit="Heal 1.", wall="Heal 2."
    )
    assert (table.aside(), table.hand(), table.decided()) == (["hit", "wall"], ["sand1"], [])


def test_d16_a_random_card_of_the_discard_leaves_the_game() -> None:
    chance = [["aside", 0, "discard", "hit"]]
    table = discarding(
        "Set aside a card from discard.",
        "hands=card/- discard=hit,wall/-",
        chance,
        hit="Heal 1.",
        wall="Heal 2.",
    )
    assert (table.aside(), table.discard()) == (["hit"], ["card", "wall"])


def test_d16_a_random_card_in_play_leaves_the_game() -> None:
    chance = [["aside", 0, "play", "vine"]]
    table = discarding("Set aside a card from in play.", "hands=card/- play=vine@1,moss@1/-", chance, **VINES)
    assert (table.aside(), table.play()) == (["vine"], [["moss", 2]])


def test_d16_of_several_copies_in_play_the_first_to_enter_is_set_aside() -> None:
    table = discarding("Set aside a card from in play.", "hands=card/- play=vine@3,vine@1/-", **VINES)
    assert (table.aside(), table.play()) == (["vine"], [["vine", 2]])


@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "in play"])
def test_d16_an_empty_zone_gives_nothing(zone: str) -> None:
    table = at({"card": f"Set aside 3 cards from {zone}."}, "hands=card/- deck=-/-")
    table.turn("card")
    assert table.aside() == [] and table.happened("aside") == []


def test_d16_a_card_set_aside_never_comes_back() -> None:
    table = at({"hit": "Attack 1."}, "deck=-/- discard=sand1/- aside=hit/-").turns(10)
    assert table.aside() == ["hit"]


def test_d16_set_aside_this_card_sends_it_aside_when_it_leaves() -> None:
    table = discarding("Attack 5, set aside this card.", "hands=card/-")
    assert (table.aside(), table.discard(), table.health[1]) == (["card"], [], 95)
    assert table.happened("leave") == [{"title": "card", "goes": "aside"}]


def test_d16_it_stays_in_play_until_its_last_due_turn() -> None:
    table = discarding("Set aside this card. For 3 turns: attack 1.", "hands=card/-")
    assert (table.play(), table.aside()) == ([["card", 1]], [])
    table.turns(2)
    assert (table.play(), table.aside(), table.health[1]) == ([], ["card"], 97)


def test_d16_it_may_come_to_work_later() -> None:
    table = discarding("Attack 1. Next turn: set aside this card.", "hands=card/-")
    assert table.play() == [["card", 1]]
    assert table.turn().aside() == ["card"]


def test_d16_where_its_condition_failed_the_card_goes_to_the_discard() -> None:
    table = discarding("If attacked: set aside this card.", "hands=card/-")
    assert (table.aside(), table.discard()) == ([], ["card"])


def test_d16_what_has_worked_once_is_remembered() -> None:
    """Attacked in the first turn, not in the second: it has worked."""
    cards = {"card": "For 2 turns: if attacked: set aside this card.", "hit": "Attack 1."}
    table = at(cards, "hands=card/hit").turn("card", "hit").turn()
    assert (table.aside(), table.discard()) == (["card"], [])


def test_d16_thrown_out_of_play_in_the_same_turn_it_goes_to_the_discard() -> None:
    """It does not leave under D11, though "set aside this card" has worked."""
    cards = {"card": "Set aside this card.", "hook": "Opponent: discard a card from in play."}
    table = at(cards, "hands=card/hook").turn("card", "hook")
    assert (table.aside(), table.discard()) == ([], ["card"])


def test_d16_thrown_out_before_it_works_it_goes_to_the_discard() -> None:
    cards = {"broom": "Auto. Discard a card from in play.", "card": "Set aside this card."}
    table = at(cards, "hands=card/- play=broom@0/-").turn("card")
    assert (table.aside(), table.discard()) == ([], ["broom", "card"])


def test_d16_thrown_out_of_play_in_a_later_turn_it_goes_to_the_discard() -> None:
    cards = {
        "card": "Set aside this card. For 3 turns: heal 0.",
        "hook": "Opponent: discard a card from in play.",
    }
    table = at(cards, "hands=card/hook").turn("card").turn("hold", "hook")
    assert (table.aside(), table.discard()) == ([], ["card"])


def test_d16_a_mark_of_one_copy_is_not_that_of_the_other() -> None:
    """The first copy has been marked; a card thrown out before it moves both, not the mark."""
    cards = {
        "card": "Set aside this card. For 3 turns: heal 0.",
        **VINES,
        "hook": "Opponent: discard a card from in play.",
    }
    table = at(cards, "hands=-/hook play=vine@2,vine@1,card@1!/-", [["discard", 0, "play", "vine"]])
    table.turn("hold", "hook").turn()
    assert table.aside() == ["card"]
    assert table.play() == [["vine", 3]]


def test_d16_a_drawn_copy_is_a_card_like_any_other() -> None:
    """Only the copy whose effect worked goes aside."""
    table = at({"card": "Set aside this card.", "hit": "Attack 1."}, "hands=card,card/-").turn("card")
    assert table.aside() == ["card"] and "card" in table.hand()


# ---------------------------------------------------------------- D17 Super

SUN = {"sun": "Super. Attack 40.", "hit": "Attack 1."}


def test_d17_the_super_is_shuffled_into_the_third_deck() -> None:
    table = at(SUN, "deck=-/- number=2/1 discard=sand1,sand2/sand1 aside=sun/- super=sun/-").turn()
    assert sorted(table.decided()[0][2]) == ["sand1", "sand2", "sun"]
    assert table.number() == 3 and table.aside() == []


def test_d17_not_into_the_second() -> None:
    table = at(SUN, "deck=-/sand1 number=1/1 discard=sand1,sand2/- aside=sun/- super=sun/-").turn()
    assert sorted(table.decided()[0][2]) == ["sand1", "sand2"]
    assert table.aside() == ["sun"]


def test_d17_from_then_on_it_is_a_card_like_any_other() -> None:
    """Played it goes to the discard, and with the discard into the fourth deck."""
    chance = [["shuffle", 0, ["sun"]], ["shuffle", 0, ["sun"]]]
    table = at(SUN, "deck=-/sand1,sand2,sand3 number=2/1 aside=sun/- super=sun/-", chance)
    table.turn().turn("sun")
    assert table.health[1] == 60
    assert (table.number(), table.hand()) == (4, ["sun"])


def test_d17_a_super_in_hand_may_be_discarded() -> None:
    cards = {**SUN, "thief": "Opponent: discard a card."}
    table = at(cards, "hands=sun/thief number=3/1").turn("hold", "thief")
    assert table.discard() == ["sun"]


def test_d17_a_super_set_aside_again_is_out_of_the_game() -> None:
    cards = {**SUN, "thief": "Opponent: set aside a card."}
    table = at(cards, "hands=sun/thief number=3/1 deck=-/- discard=sand1/-").turn("hold", "thief").turns(8)
    assert table.aside() == ["sun"] and table.number() > 4


def test_d17_a_super_with_auto_enters_by_itself_when_it_is_drawn() -> None:
    cards = {"sun": "Auto. Super. Attack 40."}
    table = at(cards, "deck=-/- number=2/1 aside=sun/- super=sun/-").turn()
    assert table.play() == [["sun", 0]]
    assert table.turn().health[1] == 60


def test_d17_each_seat_counts_its_own_decks() -> None:
    table = at(SUN, "deck=-/- number=1/2 discard=sand1/sand1 aside=sun/sun super=sun/sun").turn()
    assert (table.aside(0), table.aside(1)) == (["sun"], [])


def test_d17_a_deck_without_a_super_has_a_third_deck_as_well() -> None:
    table = at({}, "deck=-/sand1 number=2/1 discard=sand1/-").turn()
    assert (table.number(), table.hand()) == (3, ["sand1"])


def test_d17_all_the_way_from_the_deal() -> None:
    cards = {**SUN, "gulp": "Set aside 99 cards from deck."}
    match = dealt(
        cards, ["gulp"], supers=["sun", None], chance=[["shuffle", 0, ["gulp"]], ["shuffle", 0, ["sun"]]]
    )
    both(match, "gulp")  # the deck goes aside; the next draw shuffles the card alone into deck 2
    assert match.situation()["deck_number"] == [2, 1] and "sun" in match.situation()["aside"][0]
    both(match)  # deck 2 is empty: the Super alone is deck 3
    assert match.situation()["deck_number"] == [3, 1]
    assert "sun" in match.situation()["hands"][0] and "sun" not in match.situation()["aside"][0]


# ---------------------------------------------------------------- D18 what a player may know

SECRET = {
    "mine": "Attack 1.",
    "yours": "Attack 2.",
    "open": "For 9 turns: heal 0.",
    "gone": "Heal 1.",
    "sun": "Super. Heal 9.",
}


def secret_table(**options: Any) -> Match:
    return dealt(
        SECRET, ["mine", "mine", "open"], ["yours", "yours", "open"], supers=["sun", None], **options
    )


def test_d18_a_seat_sees_its_own_hand_and_how_many_the_other_has() -> None:
    match = secret_table()
    assert sorted(match.view_json(0)["hand"]) == ["mine", "mine", "open"]
    assert match.view_json(0)["held"] == [3, 3]
    assert "yours" not in json.dumps(match.view_json(0))
    assert "mine" not in json.dumps(match.view_json(1))


def test_d18_a_bystander_sees_no_hand() -> None:
    text = json.dumps(secret_table().view_json(-1))
    assert "mine" not in text and "yours" not in text


def test_d18_what_lies_open_is_seen_by_all() -> None:
    match = both(secret_table(), "open", "yours")
    for seat in (0, 1, -1):
        view = match.view_json(seat)
        assert view["play"] == [[["open", 1]], []]
        assert view["discard"] == [[], ["yours"]]
        assert view["aside"] == [["sun"], []]
        assert (view["health"], view["max"], view["deck_number"]) == ([98, 100], [100, 100], [1, 1])
        assert view["deck"] == [10, 11]


def test_d18_deck_order_is_hidden_from_both() -> None:
    """The view does not change when the deck lies in another order."""
    match = secret_table()
    for seat in (0, 1, -1):
        record = match.view(seat)
        assert set(record.deck[0][: record.in_deck[0]].tolist()) == {-2}


def test_d18_the_opponents_deck_list_is_hidden() -> None:
    match = secret_table()
    assert match.view_json(0)["lists"][1] is None and match.view_json(1)["lists"][0] is None
    assert "mine" in match.view_json(0)["lists"][0] and "sun" in match.view_json(0)["lists"][0]
    assert match.view_json(-1)["lists"] == [None, None]


def test_d18_open_lists_shows_them_to_all() -> None:
    match = secret_table(**{"open-lists": True})
    for seat in (0, 1, -1):
        lists = match.view_json(seat)["lists"]
        assert "mine" in lists[0] and "yours" in lists[1]
    assert match.view_json(0)["hand"] == ["mine", "mine", "open"]
    assert match.view_json(1)["hand"] == ["yours", "yours", "open"]


def test_d18_open_lists_is_kept_by_a_position() -> None:
    match = Match(make_game("duel", **{"open-lists": True}), seed="a")
    again = Match.from_position(match.position())
    assert [again.view_json(seat)["lists"] for seat in (0, 1, -1)] == [
        match.view_json(seat)["lists"] for seat in (0, 1, -1)
    ]
    assert again.game.options == match.game.options


def test_d18_a_drawn_card_is_told_to_its_owner_only() -> None:
    match = both(dealt(SECRET, ["mine", "mine", "open", "gone"], ["yours", "yours", "open"]))
    for viewer, known in ((0, True), (1, False), (-1, False), (None, True)):
        told = [event for event in match.events(viewer) if event.kind == "draw" and event.seat == 0]
        assert [event.values["title"] for event in told][-1] == ("gone" if known else None)


def test_d18_the_order_of_a_new_deck_is_told_to_nobody() -> None:
    table = at(SECRET, "deck=-/- discard=mine,sand1/yours").turn()
    for viewer in (0, 1, -1):
        orders = [event.values["title"] for event in table.events(viewer) if event.kind == "order"]
        assert orders and set(orders) == {None}


def shown(table: Table, seat: int = 0, watcher: int = 1) -> list[str]:
    """What the watcher remembers of a player's deck, without the cards that only make it legal."""
    seen = table.game.view_json(table.game.view(table.s, watcher), watcher)["shown"][seat]
    return [card for card in seen if card not in FILLERS]


def test_d18_a_card_in_the_discard_is_remembered_after_it_was_shuffled_into_a_new_deck() -> None:
    table = at(SECRET, "deck=-/- discard=mine,gone/-").turn()
    assert table.discard() == [] and table.number() == 2
    assert [shown(table, 0, watcher) for watcher in (0, 1, -1)] == [["mine", "gone"]] * 3


def test_d18_a_second_copy_is_new_only_when_both_have_been_seen_together() -> None:
    table = at(SECRET, "hands=mine/- deck=-/- discard=mine/-", chance=[["shuffle", 0, ["mine"]]])
    table.turn()  # one of them comes back from the discard
    assert shown(table) == ["mine"]
    table.turn("mine")  # it may be the one that was seen
    assert shown(table) == ["mine"]


def test_d18_in_the_first_deck_every_card_that_comes_to_light_is_a_new_one() -> None:
    table = at(SECRET, "hands=mine,mine,gone/-").turn("mine").turn("gone").turn("mine")
    assert shown(table) == ["mine", "gone", "mine"]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("Discard a card from deck.", "hands=card/- deck=gone,sand1/-"),
        ("Set aside a card from deck.", "hands=card/- deck=gone,sand1/-"),
        ("Discard a card.", "hands=card,gone/-"),
        ("Set aside a card from hand.", "hands=card,gone/-"),
    ],
)
def test_d18_cards_that_leave_hand_or_deck_openly_are_remembered(text: str, position: str) -> None:
    table = at({**SECRET, "card": text}, position).turn("card")
    assert shown(table) == ["card", "gone"]


def test_d18_a_burned_card_is_remembered() -> None:
    table = at(SECRET, f"hands={SEVEN}/- deck=gone/-").turn()
    assert "gone" in table.discard() and shown(table) == ["gone"]


def test_d18_an_auto_and_a_super_are_remembered() -> None:
    table = at({**SECRET, "dog": "Auto. Block 1."}, "deck=dog,sand1/- aside=sun/- super=sun/-").turn()
    assert shown(table) == ["sun", "dog"]


def test_d18_a_card_moved_within_sight_is_no_new_one() -> None:
    table = at({"card": "Set aside a card from discard."}, "hands=card/- discard=sand1/- number=2/1").turn(
        "card"
    )
    assert table.game.view_json(table.game.view(table.s, 1), 1)["shown"][0].count("sand1") == 1


def test_d18_what_was_shown_is_on_every_list_that_the_other_imagines() -> None:
    table = at(SECRET, "deck=-/- discard=mine,gone/-").turn()
    view = table.game.view(table.s, 1)
    for number in range(20):
        listed = table.game.imagine(view, 1, words(str(number))).listed[0].tolist()
        assert {table.game.kinds["mine"], table.game.kinds["gone"]} <= set(listed)


def test_d18_a_position_keeps_what_was_shown() -> None:
    table = at(SECRET, "deck=-/- discard=mine,gone/-").turn()
    line = table.game.position(table.s)
    assert "shown=" in line and "mine,gone" in line.partition("shown=")[2]
    _, _, again = Duel.at_position(line, table.game.card_set)
    assert again.shown.tolist() == table.s.shown.tolist()


def test_d18_a_position_without_it_has_shown_what_lies_in_sight_and_the_super() -> None:
    table = at(SECRET, "hands=sun/- discard=mine/- play=open@1/- number=3/1")
    assert shown(table) == ["sun", "mine", "open"]


def test_d18_a_position_cannot_have_shown_a_card_of_nobody() -> None:
    for wrong in ("mine,mine/-", "nothing/-", "mine"):
        with pytest.raises(PositionError):
            at(SECRET, f"discard=mine/- shown={wrong}")


@pytest.mark.parametrize(
    ("option", "value"), [("open-lists", "maybe"), ("open-list", True), ("edition", "x")]
)
def test_d18_options_that_are_not_there_are_refused(option: str, value: Any) -> None:
    with pytest.raises(OptionError):
        Duel(**{option: value})


# ---------------------------------------------------------------- D19 decks


def test_d19_a_deck_that_breaks_the_rules_is_refused_with_every_reason() -> None:
    made = made_set({"lamp": "Auto. Heal 1.", "sun": "Super. Heal 1.", "gem": "Heal 1."}, rare=["gem", "sun"])
    deck = Deck("made", (("lamp", 3), ("sun", 2), ("gem", 2), ("sand1", 2)), "mine")
    with pytest.raises(OptionError) as caught:
        Duel(card_set=made).settle([deck, deck])
    reasons = caught.value.values["reasons"].message("en")
    for part in ("at least 15", "«lamp»", "«gem»", "«sun»", "Auto", "Super"):
        assert part in reasons


def test_d19_a_deck_is_used_as_it_is_whatever_it_is_called() -> None:
    """Also one from a file called `random.toml`: its name is no wish for a random deck."""
    made = made_set({"hit": "Attack 1."})
    cards = (("hit", 2), *((f"sand{number}", 2) for number in range(1, 8)))
    for name in ("", "mine", "random"):
        match = Match(Duel(card_set=made), decks=[Deck("made", cards, name)] * 2, seed="a")
        assert match.record()["decks"][0].count("hit") == 2
        assert len(match.record()["decks"][0]) == 16
