"""Records of duels: what is special about the set, the decks, chance and the trace."""

import re
from copy import deepcopy
from typing import Any

import pytest

from coyote.games.duel.decks import Deck
from coyote.games.duel.game import Duel
from coyote.games.game import Json
from coyote.match import Match
from coyote.records import Difference, follow
from coyote.text import Words
from duel.kit_duel import fillers, made_set
from kit.corruptions import Change, both, cut, difference, end_early, put
from kit.subjects import SUBJECTS

GOOD = SUBJECTS["duel"].good_record()
LENGTH = len(GOOD["moves"])
CHANCE = GOOD["chance"]


def insert(place: int, entry: Any) -> Change:
    return lambda record: record["chance"].insert(place, entry)


def swap_choices(record: Json) -> None:
    """Seat 1's choice of the first turn before seat 0's."""
    for key in ("moves", "trace"):
        record[key][0], record[key][1] = record[key][1], record[key][0]


def swap_deck(seat: int, i: int, k: int) -> Change:
    def change(record: Json) -> None:
        deck = record["decks"][seat]
        deck[i], deck[k] = deck[k], deck[i]

    return change


def entry_number(*start: Any) -> int:
    """The first entry of chance that begins like this."""
    return next(place for place, entry in enumerate(CHANCE) if entry[: len(start)] == list(start))


def asked_at(place: int) -> int:
    """The move, from 1, that entry number `place` of chance belongs to."""
    match = Match.from_record(GOOD)
    for number, (seat, move) in enumerate(GOOD["moves"], 1):
        match.play(move, seat)
        if len(match.record()["chance"]) > place:
            return number
    raise AssertionError(place)


def other_card(place: int) -> Any:
    """A card of the set that cannot stand in this entry: of the other deck only."""
    seat = CHANCE[place][1]
    own = {*GOOD["decks"][seat], GOOD["super"][seat]}
    return next(card for card in GOOD["decks"][1 - seat] if card not in own)


SHUFFLED = entry_number("shuffle")
PICKED = next(place for place, entry in enumerate(CHANCE) if entry[0] != "shuffle")
HAND = next(place for place, entry in enumerate(CHANCE) if entry[2] == "hand")
OTHER_KIND = {"discard": "aside", "aside": "discard"}[CHANCE[PICKED][0]]
MISFIT = "chance as recorded is not what the rules ask for here (D15)"
SUPER = GOOD["super"][0]
NOT_HELD = next(card for card in GOOD["decks"][0] if card not in GOOD["trace"][0]["hands"][0])
DEEPER = next(place for place, card in enumerate(GOOD["decks"][0]) if card not in GOOD["decks"][0][:3])
WINNER = GOOD["result"]["winner"]
HEALTH = GOOD["result"]["score"]

NOT_A_SET = "set must have a name and cards with id, rarity and text, each id once (D20)"
NOT_AN_ENTRY = "this is no entry of chance"

CORRUPTIONS: dict[str, tuple[Change, int | None, str]] = {
    # The frame.
    "option unknown": (put("options", "edition", "standard"), None, "no option edition"),
    "option of the name of an argument": (put("options", "decks", 1), None, "no option decks"),
    "option value": (put("options", "open-lists", "maybe"), None, "open-lists cannot be maybe"),
    "options that contradict": (put("options", "hand-limit", 2), None, "(D26)"),
    "option that the decks break": (put("options", "deck-min", 40), None, "deck-min (40)"),
    # The set.
    "set missing": (cut("set"), None, NOT_A_SET),
    "set no object": (put("set", ["made"]), None, NOT_A_SET),
    "set without a name": (cut("set", "name"), None, NOT_A_SET),
    "set without cards": (cut("set", "cards"), None, NOT_A_SET),
    "set with no cards": (put("set", "cards", []), None, NOT_A_SET),
    "card no object": (put("set", "cards", 0, "c1"), None, NOT_A_SET),
    "card without a text": (cut("set", "cards", 0, "text"), None, NOT_A_SET),
    "card with a number for a text": (put("set", "cards", 0, "text", 5), None, NOT_A_SET),
    "card twice": (put("set", "cards", 1, GOOD["set"]["cards"][0]), None, NOT_A_SET),
    "card with an id in capitals": (put("set", "cards", 0, "id", "C1"), None, "the card C1 cannot be read"),
    "card of no rarity": (put("set", "cards", 0, "rarity", "epic"), None, "cannot be read: epic (D19)"),
    "card text unreadable": (
        put("set", "cards", 2, "text", "Atack 5."),
        None,
        f"the card {GOOD['set']['cards'][2]['id']} cannot be read",
    ),
    "card text empty": (put("set", "cards", 2, "text", ""), None, "(D25)"),
    "card left out": (cut("set", "cards", 0), None, f"there is no card «{GOOD['set']['cards'][0]['id']}»"),
    # The decks.
    "decks missing": (cut("decks"), None, "decks must be two lists of card ids (D19)"),
    "one deck": (cut("decks", 0), None, "decks must be two lists of card ids (D19)"),
    "deck with a number": (put("decks", 0, 0, 7), None, "decks must be two lists of card ids (D19)"),
    "deck too small": (put("decks", 1, GOOD["decks"][1][:5]), None, "deck of seat 1 is not legal"),
    "deck too large": (put("decks", 0, GOOD["decks"][0] * 2), None, "deck of seat 0 is not legal"),
    "deck with an unknown card": (put("decks", 0, 3, "dragon"), None, "there is no card «dragon»"),
    "deck with its super": (put("decks", 0, 0, SUPER), None, "(D1"),
    "super missing": (cut("super"), None, "super must be two ids of Super cards, or null (D17)"),
    "super no super": (put("super", 0, NOT_HELD), None, "(D1"),
    "super a number": (put("super", 0, 4), None, "super must be two ids of Super cards, or null (D17)"),
    "deck in another order": (swap_deck(0, 0, DEEPER), None, "not the one that the seed gives"),
    "deck in another order, without a seed": (both(cut("seed"), swap_deck(0, 0, DEEPER)), 1, "(D6)"),
    # Chance.
    "chance missing": (cut("chance"), None, "chance must be a list of what chance decided (D15)"),
    "chance an object": (put("chance", {}), None, "chance must be a list"),
    "chance entry no list": (put("chance", 0, "shuffle"), None, NOT_AN_ENTRY),
    "chance entry of no kind": (put("chance", PICKED, 0, "steal"), None, NOT_AN_ENTRY),
    "chance entry of no seat": (put("chance", PICKED, 1, 2), None, NOT_AN_ENTRY),
    "chance entry of no zone": (put("chance", PICKED, 2, "deck"), None, NOT_AN_ENTRY),
    "chance entry of no card": (put("chance", PICKED, 3, "dragon"), None, NOT_AN_ENTRY),
    "chance entry too long": (lambda record: record["chance"][PICKED].append(1), None, NOT_AN_ENTRY),
    "chance shuffle of no cards": (put("chance", SHUFFLED, 2, [1, 2]), None, NOT_AN_ENTRY),
    "chance with another card": (put("chance", PICKED, 3, other_card(PICKED)), asked_at(PICKED), MISFIT),
    "chance of another kind": (put("chance", PICKED, 0, OTHER_KIND), asked_at(PICKED), MISFIT),
    "chance of the other seat": (put("chance", PICKED, 1, 1 - CHANCE[PICKED][1]), asked_at(PICKED), MISFIT),
    "chance from another zone": (put("chance", HAND, 2, "play"), asked_at(HAND), MISFIT),
    "chance with something more before it": (
        insert(0, ["aside", 1, "discard", CHANCE[PICKED][3]]),
        asked_at(0),
        MISFIT,
    ),
    "chance missing in the middle": (cut("chance", SHUFFLED), asked_at(SHUFFLED), MISFIT),
    "chance ends too early": (put("chance", CHANCE[:-1]), asked_at(len(CHANCE) - 1), MISFIT),
    "no chance at all": (put("chance", []), asked_at(0), MISFIT),
    "chance with something more at the end": (
        insert(len(CHANCE), CHANCE[PICKED]),
        None,
        "more chance is recorded than the rules asked for (D15)",
    ),
    "shuffle of the other seat": (
        put("chance", SHUFFLED, 1, 1 - CHANCE[SHUFFLED][1]),
        asked_at(SHUFFLED),
        MISFIT,
    ),
    "shuffle a card short": (cut("chance", SHUFFLED, 2, 0), asked_at(SHUFFLED), MISFIT),
    "shuffle with a card more": (
        put("chance", SHUFFLED, 2, [*CHANCE[SHUFFLED][2], CHANCE[SHUFFLED][2][0]]),
        asked_at(SHUFFLED),
        MISFIT,
    ),
    "shuffle with another card": (
        put("chance", SHUFFLED, 2, 0, other_card(SHUFFLED)),
        asked_at(SHUFFLED),
        MISFIT,
    ),
    # The moves.
    "seat twice in a turn": (put("moves", 1, 0, 0), 2, "seat 0 has no decision here, seat 1 has"),
    "choices of a turn not in the order of the seats": (swap_choices, 1, "seat 1"),
    "move that is none": (put("moves", 0, 1, "castle"), 1, "“castle” is no choice"),
    "move with a card not held": (put("moves", 0, 1, f"play {NOT_HELD}"), 1, "is not in your hand (D6)"),
    "moves cut": (end_early(LENGTH - 2), None, "the moves end before the game does"),
    "moves cut in the middle of a turn": (end_early(LENGTH - 1), None, "the moves end before the game does"),
    # The trace.
    "trace entry no object": (put("trace", 4, []), 5, "the trace entry is not an object"),
    "trace with something more": (put("trace", 4, "mood", "good"), 5, '"good" in the trace'),
    "trace without a key": (cut("trace", 4, "aside"), 5, "aside"),
    "trace seat": (put("trace", 0, "seat", 1), 1, "is 1 in the trace, and 0 by the rules (D6)"),
    "trace turn": (put("trace", 2, "turn", 9), 3, "is 9 in the trace, and 2 by the rules (D4)"),
    "trace legal": (cut("trace", 0, "legal", 0), 1, "(D6)"),
    "trace health": (put("trace", 2, "health", 0, 777), 3, "is 777 in the trace"),
    "trace max": (put("trace", 2, "max", 1, 90), 3, "is 90 in the trace, and 100 by the rules (D14)"),
    "trace hands": (put("trace", 3, "hands", 1, ["dragon"]), 4, "dragon"),
    "trace deck": (put("trace", 3, "deck", 0, 3), 4, "is 3 in the trace"),
    "trace deck number": (
        put("trace", 0, "deck_number", 1, 2),
        1,
        "is 2 in the trace, and 1 by the rules (D13)",
    ),
    "trace discard": (put("trace", 0, "discard", 0, ["dragon"]), 1, "dragon"),
    "trace play": (put("trace", 0, "play", 0, [["dragon", 0]]), 1, "dragon"),
    "trace aside": (put("trace", 0, "aside", 1, []), 1, "(D16)"),
    # The result.
    "winner nobody": (put("result", "winner", None), None, f"winner is null in the result, and {WINNER}"),
    "reason another": (put("result", "reason", "lead"), None, 'reason is "lead" in the result, and "health"'),
    "score of one": (put("result", "score", HEALTH[:1]), None, "score is"),
    "score no list": (put("result", "score", HEALTH[0]), None, "score is"),
    # What Python hides: there True == 1, in a record not.
    "seat of chance as truth": (put("chance", PICKED, 1, bool(CHANCE[PICKED][1])), None, NOT_AN_ENTRY),
}


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_the_first_difference_is_named_with_its_place(kind: str) -> None:
    change, move, part = CORRUPTIONS[kind]
    record = deepcopy(GOOD)
    change(record)
    found, sentence = difference(record)
    assert part in sentence
    assert found == move


def test_a_card_of_another_text_is_found_by_the_trace() -> None:
    record = deepcopy(GOOD)
    for card in record["set"]["cards"]:
        card["text"] = re.sub(r"(Auto\. |Super\. )*.*", r"\1Heal 0.", card["text"], count=1)
    assert difference(record)[0] is not None


def test_chance_that_could_be_but_is_not_the_seeds_is_named() -> None:
    """One of two cards was discarded; the record says it was the other one. Only the seed can tell."""
    made = made_set({f"drop{number}": "Discard a card." for number in range(1, 9)})
    deck = Deck("made", tuple((f"drop{number}", 2) for number in range(1, 9)))
    match = Match(Duel(card_set=made), seed="one of two", decks=(deck, deck))
    hand = match.view_json(0)["hand"]
    match.play(f"play {hand[0]}", 0)
    match.play("hold", 1)
    record = {**match.record(), "result": {"winner": None, "reason": "agreement", "score": [100, 100]}}
    follow(record)
    (entry,) = record["chance"]
    rest = hand[1:]
    rest.remove(entry[3])
    if rest[0] == entry[3]:
        raise AssertionError("two copies: choose another seed text")
    changed = {**record, "chance": [[*entry[:3], rest[0]]]}
    assert difference(changed) == (None, "chance as recorded is not what the seed gives (D15)")
    del changed["seed"]
    assert follow(changed).record()["chance"] == changed["chance"]


def test_chance_of_a_record_without_a_trace_is_still_looked_at() -> None:
    record = deepcopy(GOOD)
    del record["trace"], record["seed"]
    record["chance"][PICKED][3] = other_card(PICKED)
    assert difference(record) == (asked_at(PICKED), MISFIT)


def test_a_deck_is_refused_with_its_rule_in_the_language_asked_for() -> None:
    record = deepcopy(GOOD)
    record["decks"][1] = fillers(3)
    with pytest.raises(Difference) as caught:
        follow(record)
    russian = Words("ru").refusal(caught.value.refusal)
    assert "at least" not in russian and "there is no" not in russian, russian


def test_a_card_is_refused_in_the_language_asked_for() -> None:
    record = deepcopy(GOOD)
    record["set"]["cards"][0]["text"] = "Atack 5."
    with pytest.raises(Difference) as caught:
        follow(record)
    assert "did you mean" not in Words("ru").refusal(caught.value.refusal)


def test_an_unfinished_record_with_more_chance_than_was_asked_for_is_named() -> None:
    record = deepcopy(GOOD)
    end_early(0)(record)
    record["result"] = {"winner": 0, "reason": "resignation", "score": [100, 100]}
    assert "chance" in difference(record)[1]
    del record["seed"]
    assert "more chance is recorded than the rules asked for" in difference(record)[1]
