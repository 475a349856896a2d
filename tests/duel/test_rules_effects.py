"""D20-D25  What a card does, keyword by keyword, as the engine carries it out."""

import pytest

from coyote.games.duel.game import Duel
from coyote.games.duel.language import read, write
from coyote.kernel.events import LogFull
from duel.kit_duel import Table, at, both, dealt, settled
from kit.slow_duel import follow as follow_slowly

OTHER = {"hit": "Attack 10.", "wall": "Block 10.", "idle": "Heal 0."}


def playing(
    text: str, answer: str = "hold", position: str = "", answers: str = "", rules: int = Duel.RULES[-1]
) -> Table:
    """Seat 0 plays a card of this text, seat 1 answers with a card of another text, or holds."""
    cards = {"card": text, **OTHER, **({"answer": answers} if answers else {})}
    return settled(cards, "card", "answer" if answers else answer, position, rules)


# ---------------------------------------------------------------- D20 the actions


@pytest.mark.parametrize("n", [0, 1, 50, 99])
def test_d20_attack_takes_health_from_the_opponent(n: int) -> None:
    assert playing(f"Attack {n}.").health == [100, 100 - n]


@pytest.mark.parametrize("n", [0, 1, 50, 99, 999])
def test_d20_heal_gives_health_to_the_owner(n: int) -> None:
    assert playing(f"Heal {n}.", position="health=40/40").health == [min(100, 40 + n), 40]


@pytest.mark.parametrize("n", [0, 1, 9, 10, 999])
def test_d20_block_prevents_damage_to_the_owner(n: int) -> None:
    assert playing(f"Block {n}.", "hit").health == [100 - max(0, 10 - n), 100]


def test_d20_block_all_prevents_all_damage() -> None:
    assert playing("Block all.", answers="Attack 999, attack 999, attack 999.").health == [100, 100]


@pytest.mark.parametrize("n", [1, 2, 4])
def test_d20_draw_takes_so_many_cards(n: int) -> None:
    table = playing(f"Draw {n} card{'s' * (n > 1)}.")
    assert len(table.hand()) == n + 1, "and one for the next turn"


def test_d20_draw_99_from_a_deck_of_few() -> None:
    """Each draw that finds nothing counts a deck, and from the fifth on costs 5 (D13, D14), up to the end."""
    table = playing("Draw 99 cards.", position="deck=sand1,sand2/sand1")
    assert table.now["deck_number"][0] == 24, "the twentieth that costs takes the last of 100"
    assert table.result == (1, [0, 100])


def test_d20_draw_99_from_a_deck_of_few_in_version_1() -> None:
    table = playing("Draw 99 cards.", position="deck=sand1,sand2/sand1", rules=1)
    assert table.now["deck_number"][0] == 98
    assert table.result == (1, [100 - 5 * 94, 100])


@pytest.mark.parametrize("count", [10, 20])
def test_d20_draw_99_many_times_on_one_card(count: int) -> None:
    """A card may have as many effects as its designer likes; a turn's work is bounded all the same (D10)."""
    table = playing("Draw 99 cards. " * count, position="deck=sand1,sand2/sand1")
    assert (table.now["deck_number"][0], table.result) == (24, (1, [0, 100]))
    table = playing("Draw 99 cards. " * count, position="deck=sand1,sand2/sand1", rules=1)
    assert table.now["deck_number"][0] == 1 + 99 * count - 2
    assert table.result == (1, [100 - 5 * (99 * count - 2 - 3), 100])


def test_d20_more_happens_than_there_is_room_to_note_at_first() -> None:
    """A match makes room, and nothing is lost: neither what happened nor what chance decided."""
    match = both(dealt({"card": "Draw 99 cards. " * 30}, ["card"], rules=1), "card")
    assert match.over
    drawn = [
        event for event in match.events() if event.seat == 0 and event.kind in ("draw", "burn", "no_draw")
    ]
    assert len(drawn) == 3 + 30 * 99
    follow_slowly(match.record())


def test_d20_where_there_is_no_room_to_note_it_nothing_has_changed() -> None:
    table = at({"card": "Draw 99 cards. " * 40}, "hands=card/- deck=sand1,sand2/sand1", rules=1)
    table.choose(1, "hold")
    before = table.s.tobytes()
    with pytest.raises(LogFull):
        table.choose(0, "card")
    assert table.s.tobytes() == before


def test_d20_attack_many_times_on_one_card() -> None:
    assert playing("Attack 999. " * 40).health == [100, 100 - 40 * 999]


def test_d20_several_actions_of_a_card_all_work() -> None:
    table = playing("Attack 5, heal 6, block 7, draw a card.", "hit", "health=50/100")
    assert table.health == [50 - 3 + 6, 95] and len(table.hand()) == 2


def test_d20_the_same_action_twice_counts_twice() -> None:
    assert playing("Attack 5, attack 5. Attack 5.").health == [100, 85]


@pytest.mark.parametrize(
    ("zone", "left"),
    [("", [2, 3, 1]), (" from hand", [2, 3, 1]), (" from deck", [3, 2, 1]), (" from in play", [3, 3, 0])],
)
def test_d20_discard_from_each_zone(zone: str, left: list[int]) -> None:
    """What is left in hand, in the deck and in play."""
    cards = {"card": f"Discard a card{zone}.", "vine": "For 9 turns: heal 0."}
    table = at(cards, "hands=card,sand8,sand9/- deck=sand1,sand2,sand3,sand4/- play=vine@1/-").turn("card")
    assert [len(table.hand()), len(table.deck()), len(table.play())] == left
    assert len(table.discard()) == 2, "the card, and what it has discarded"


@pytest.mark.parametrize(
    ("zone", "left"),
    [
        ("", [2, 3, 1, 2]),
        (" from hand", [2, 3, 1, 2]),
        (" from deck", [3, 2, 1, 2]),
        (" from discard", [3, 3, 1, 1]),
        (" from in play", [3, 3, 0, 2]),
    ],
)
def test_d20_set_aside_from_each_zone(zone: str, left: list[int]) -> None:
    """What is left in hand, in the deck, in play and in the discard."""
    cards = {"card": f"Set aside a card{zone}.", "vine": "For 9 turns: heal 0."}
    table = at(cards, "hands=card,sand8,sand9/- deck=sand1,sand2,sand3,sand4/- play=vine@1/- discard=sand7/-")
    before = len(table.now["aside"][0])
    table.turn("card")
    assert [len(table.hand()), len(table.deck()), len(table.play()), len(table.discard())] == left
    assert len(table.now["aside"][0]) == before + 1


# ---------------------------------------------------------------- D21 who


def test_d21_opponent_heal_heals_the_opponent() -> None:
    assert playing("Opponent: heal 5.", position="health=50/50").health == [50, 55]


def test_d21_opponent_attack_is_an_attack_on_the_owner() -> None:
    assert playing("Opponent: attack 5.").health == [95, 100]


def test_d21_opponent_block_blocks_for_the_opponent() -> None:
    assert playing("Attack 12. Opponent: block 5.").health == [100, 93]


def test_d21_the_owners_block_stops_the_attack_put_on_oneself() -> None:
    assert playing("Opponent: attack 5. Block 3.").health == [98, 100]
    assert playing("Opponent: attack 5.", "wall").health == [95, 100], "the other one's block does not"


def test_d21_opponent_block_all() -> None:
    assert playing("Attack 12. Opponent: block all.").health == [100, 100]


def test_d21_opponent_draw() -> None:
    table = playing("Opponent: draw 2 cards.")
    assert (len(table.hand(0)), len(table.hand(1))) == (1, 3)


def test_d21_opponent_discard() -> None:
    table = at({"card": "Opponent: discard a card."}, "hands=card,sand8/sand9").turn("card")
    assert table.discard(1) == ["sand9"] and "sand8" in table.hand()


def test_d21_opponent_set_aside() -> None:
    cards = {"card": "Opponent: set aside a card from discard.", "hit": "Attack 1."}
    table = at(cards, "hands=card/- discard=hit/hit").turn("card")
    assert (table.aside(0), table.aside(1)) == ([], ["hit"])


def test_d21_an_attack_by_the_opponent_makes_the_owner_attacked() -> None:
    assert playing("Opponent: attack 5. If attacked: attack 9.").health == [95, 91]


# ---------------------------------------------------------------- D22 when


@pytest.mark.parametrize(
    ("when", "ages"),
    [
        ("", [0]),
        ("Next turn: ", [1]),
        ("In 1 turn: ", [1]),
        ("In 3 turns: ", [3]),
        ("For 1 turn: ", [0]),
        ("For 3 turns: ", [0, 1, 2]),
        ("For 1 turn from the next: ", [1]),
        ("For 3 turns from the next: ", [1, 2, 3]),
    ],
)
def test_d22_an_effect_works_in_its_due_turns(when: str, ages: list[int]) -> None:
    table = at({"card": f"{when}attack 10."}, "hands=card/-")
    worked = []
    for age in range(5):
        before = table.health[1]
        table.turn("card" if age == 0 else "hold")
        if table.health[1] < before:
            worked.append(age)
        assert bool(table.play()) == (age < ages[-1])
    assert worked == ages


def test_d22_each_effect_of_a_card_has_its_own_time() -> None:
    table = at({"card": "Attack 1. Next turn: attack 2. For 3 turns: attack 10."}, "hands=card/-")
    seen = [
        table.turn("card").health[1],
        table.turn().health[1],
        table.turn().health[1],
        table.turn().health[1],
    ]
    assert seen == [89, 77, 67, 67]


def test_d22_an_autos_age_0_is_the_turn_in_which_it_enters() -> None:
    table = at({"lamp": "Auto. For 2 turns: attack 5."}, "play=lamp@0/-")
    assert table.turns(3).health == [100, 90]


def test_d22_in_99_turns_a_card_stays_to_the_end() -> None:
    table = at({"card": "In 99 turns: attack 1."}, "hands=card/-").turn("card").turns(10)
    assert table.play() == [["card", 11]]


def test_d22_the_condition_is_asked_anew_every_turn() -> None:
    cards = {"card": "For 3 turns: if the opponent played no card: attack 10.", "idle": "Heal 0."}
    table = at(cards, "hands=card/idle").turn("card").turn("hold", "idle").turn()
    assert table.health[1] == 80


def test_d22_a_counted_amount_is_counted_anew_every_turn() -> None:
    table = at({"card": "For 2 turns: attack 1 for each card in hand."}, "hands=card,sand8/-")
    assert table.turn("card").health[1] == 99
    assert table.turn().health[1] == 97


# ---------------------------------------------------------------- D23 conditions: attacked

COUNTER = "If attacked: attack 7. If not attacked: heal 20."


def test_d23_if_attacked() -> None:
    assert playing(COUNTER, "hit", "health=50/100").health == [40, 93]


def test_d23_if_not_attacked() -> None:
    assert playing(COUNTER, "hold", "health=50/100").health == [70, 100]


def test_d23_an_attack_of_amount_0_counts() -> None:
    assert playing(COUNTER, answers="Attack 0.", position="health=50/100").health == [50, 93]


def test_d23_a_counted_attack_of_nothing_counts() -> None:
    """No card in hand, so the amount is 0; it is an attack all the same."""
    text = "Attack 5 for each card in hand."
    assert playing(COUNTER, answers=text, position="health=50/100").health == [50, 93]


def test_d23_an_attack_that_is_not_due_does_not_count() -> None:
    assert playing(COUNTER, answers="Next turn: attack 9.", position="health=50/100").health == [70, 100]


def test_d23_an_attack_in_its_later_due_turn_counts() -> None:
    cards = {"card": COUNTER, "storm": "Next turn: attack 9."}
    table = at(cards, "hands=card/- play=-/storm@1 health=50/100").turn("card")
    assert table.health == [41, 93]


@pytest.mark.parametrize("condition", ["If attacked", "If not attacked"])
def test_d23_attacks_under_either_condition_are_left_out_of_the_count(condition: str) -> None:
    """Both work as they say; neither makes the other one attacked."""
    text = f"{condition}: attack 30."
    table = playing(text, answers=text)
    assert table.health == ([70, 70] if condition == "If not attacked" else [100, 100])


def test_d23_a_conditional_attack_that_works_makes_nobody_attacked() -> None:
    """Seat 1 strikes because it is not attacked; seat 0's card still finds itself not attacked."""
    table = playing(COUNTER, answers="If not attacked: attack 15.", position="health=50/100")
    assert table.health == [50 - 15 + 20, 100]


def test_d23_attacks_under_other_conditions_count_where_they_work() -> None:
    low, held = "If health is at most 100: attack 1.", "If the opponent played no card: attack 1."
    assert playing(COUNTER, answers=low, position="health=50/100").health == [49, 93]
    assert playing(COUNTER, answers=held, position="health=50/100").health == [70, 100], "it does not work"


def test_d23_ones_own_attack_does_not_make_one_attacked() -> None:
    assert playing("Attack 5. If attacked: attack 50.").health == [100, 95]


def test_d23_an_attack_before_opponent_by_the_other_seat_is_on_itself() -> None:
    """Seat 1's "Opponent: attack" is an attack by seat 0 on seat 1: seat 0 is not attacked."""
    table = playing(COUNTER, answers="Opponent: attack 5.", position="health=50/100")
    assert table.health == [70, 95]


def test_d23_both_may_be_attacked() -> None:
    text = "Attack 1. If attacked: attack 10."
    assert playing(text, answers=text).health == [89, 89]


def test_d23_the_attacked_may_draw() -> None:
    assert len(playing("If attacked: draw 2 cards.", "hit").hand()) == 3
    assert len(playing("If attacked: draw 2 cards.", "hold").hand()) == 1


# ---------------------------------------------------------------- D23 conditions: health, no card


@pytest.mark.parametrize(("health", "works"), [(29, True), (30, True), (31, False), (100, False)])
def test_d23_if_health_is_at_most(health: int, works: bool) -> None:
    table = playing("If health is at most 30: attack 40.", position=f"health={health}/100")
    assert table.health[1] == (60 if works else 100)


def test_d23_health_at_most_0_never_holds_for_the_living() -> None:
    assert playing("If health is at most 0: attack 40.", position="health=1/100").health == [1, 100]


def test_d23_health_at_most_999_always_holds() -> None:
    assert playing("If health is at most 999: attack 40.").health == [100, 60]


def test_d23_if_the_opponent_played_no_card() -> None:
    assert playing("If the opponent played no card: attack 15.").health == [100, 85]
    assert playing("If the opponent played no card: attack 15.", "idle").health == [100, 100]


def test_d23_an_auto_is_no_card_played() -> None:
    cards = {"card": "If the opponent played no card: attack 15.", "lamp": "Auto. Heal 0."}
    assert at(cards, "hands=card/- play=-/lamp@0").turn("card").health == [100, 85]


def test_d23_a_card_of_an_earlier_turn_is_no_card_played() -> None:
    cards = {"card": "If the opponent played no card: attack 15.", "vine": "For 5 turns: heal 0."}
    assert at(cards, "hands=card/- play=-/vine@2").turn("card").health == [100, 85]


def test_d23_on_an_auto_the_owners_own_choice_does_not_matter() -> None:
    cards = {"lamp": "Auto. If the opponent played no card: attack 15.", "idle": "Heal 0."}
    assert at(cards, "hands=idle/idle play=lamp@0/-").turn("idle", "hold").health == [100, 85]
    assert at(cards, "hands=idle/idle play=lamp@0/-").turn("hold", "idle").health == [100, 100]


# ---------------------------------------------------------------- D23 about the owner, also before Opponent:


def test_d23_health_before_opponent_is_the_owners() -> None:
    text = "If health is at most 30: opponent: discard a card from deck."
    assert playing(text, position="health=30/100").happened("discard", 1)
    assert not playing(text, position="health=100/30").happened("discard", 1)


def test_d23_attacked_before_opponent_is_the_owner() -> None:
    text = "If attacked: opponent: heal 9."
    assert playing(text, "hit", "health=50/50").health == [40, 59]
    assert playing(f"Attack 1. {text}", "hold", "health=50/50").health == [50, 49], "the opponent is attacked"


def test_d23_not_attacked_before_opponent_is_the_owner() -> None:
    text = "Attack 1. If not attacked: opponent: heal 9."
    assert playing(text, "hold", "health=50/50").health == [50, 58]


def test_d23_no_card_before_opponent_is_about_the_owners_opponent() -> None:
    text = "If the opponent played no card: opponent: discard 2 cards from deck."
    assert len(playing(text, "hold").happened("discard", 1)) == 2
    assert playing(text, "idle").happened("discard", 1) == []


def test_d23_an_attack_before_opponent_under_a_condition_is_left_out_too() -> None:
    """ "If attacked: opponent: attack" strikes its owner, and does not count as an attack on it."""
    text = "If not attacked: opponent: attack 5. If attacked: attack 50. If not attacked: attack 3."
    assert playing(text).health == [95, 97]


# ---------------------------------------------------------------- D24 counted amounts

COUNTS = "hands=card,sand7,sand8,sand9/idle,sand9 discard=sand1/sand1,sand2,sand3,sand4"


def counted(text: str) -> list[int]:
    """After the reveal: hand 3, the opponent's hand 1, discard 1, the opponent's discard 4."""
    cards = {"card": text, "idle": "Heal 0."}
    return at(cards, f"{COUNTS} health=50/50").turn("card", "idle").health


@pytest.mark.parametrize(("zone", "n"), [("hand", 3), ("the opponent's hand", 1), ("the discard", 1)])
def test_d24_the_amount_is_multiplied(zone: str, n: int) -> None:
    assert counted(f"Attack 5 for each card in {zone}.") == [50, 50 - 5 * n]
    assert counted(f"Heal 5 for each card in {zone}.") == [50 + 5 * n, 50]
    assert counted(f"Opponent: attack 20. Block 5 for each card in {zone}.") == [50 - 20 + 5 * n, 50]


@pytest.mark.parametrize(("zone", "n"), [("hand", 1), ("the opponent's hand", 3), ("the discard", 4)])
def test_d24_after_opponent_it_is_seen_from_the_opponent(zone: str, n: int) -> None:
    assert counted(f"Opponent: attack 5 for each card in {zone}.") == [50 - 5 * n, 50]
    assert counted(f"Opponent: heal 5 for each card in {zone}.") == [50, 50 + 5 * n]
    assert counted(f"Attack 20. Opponent: block 5 for each card in {zone}.") == [50, 50 - max(0, 20 - 5 * n)]


def test_d24_nothing_counted_is_nothing() -> None:
    assert playing("Attack 9 for each card in hand.").health == [100, 100]
    assert playing("Attack 9 for each card in the discard.").health == [100, 100]


def test_d24_0_for_each_is_nothing() -> None:
    assert counted("Attack 0 for each card in hand.") == [50, 50]


def test_d24_the_largest_amount() -> None:
    assert counted("Attack 999 for each card in hand.") == [50, 50 - 2997]


# ---------------------------------------------------------------- D25 the text is the program


@pytest.mark.parametrize(
    "text",
    [
        "Attack 8, heal 3.",
        "For 3 turns: heal 4.",
        "Next turn: if attacked: opponent: attack 12, discard a card.",
        "Attack 3 for each card in the opponent's hand.",
        "If the opponent played no card: draw 2 cards, set aside this card.",
    ],
)
def test_d25_russian_and_english_texts_do_the_same(text: str) -> None:
    ends = []
    for lang in ("en", "ru"):
        said = write(read(text), "ru" if lang == "ru" else "en")
        table = at({"card": said, "hit": "Attack 10."}, "hands=card,sand9/hit,sand9 health=50/50")
        ends.append(table.turn("card", "hold").turn("hold", "hit").turn().rows)
    assert ends[0] == ends[1]


def test_d25_when_condition_and_opponent_are_for_the_whole_sentence() -> None:
    """And for that sentence only."""
    text = "Next turn: if health is at most 40: opponent: heal 5, heal 2. Heal 1."
    table = at({"card": text}, "hands=card/- health=40/50").turn("card")
    assert table.health == [41, 50]
    low = at({"card": text}, "hands=card/- health=39/50").turn("card").turn()
    assert low.health == [40, 57]
