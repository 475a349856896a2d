"""Records of duels: their form, and how the first difference from the rules is named."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from coyote.games.duel.decks import Deck
from coyote.games.duel.game import Duel
from coyote.games.game import Json
from coyote.lab.simulate import count, records, summary
from coyote.match import Match
from coyote.records import TABLE_REASONS, Difference, follow, record_line
from coyote.text import Words
from duel.kit_duel import fillers, made_set, random_duel

BOTS = ["random", "random"]


def series_of(game: Duel, games: int, trace: bool = False, seed: str = "duel records") -> list[Json]:
    return list(records(game, BOTS, games, seed, trace))


def rich_record() -> Json:
    """A traced duel in which chance decides all kinds of things."""
    for number in range(1000):
        record = series_of(random_duel(Random(f"records {number}"), "even"), 1, trace=True)[0]
        kinds = {(entry[0], entry[2] if entry[0] != "shuffle" else "") for entry in record["chance"]}
        if len(kinds) >= 5 and None not in record["super"] and record["result"]["winner"] is not None:
            return record
    raise AssertionError("no such duel")


GOOD = rich_record()
LENGTH = len(GOOD["moves"])
CHANCE = GOOD["chance"]


# ---------------------------------------------------------------- form


@pytest.mark.parametrize("trace", [False, True])
def test_a_record_has_the_fields_of_the_format(trace: bool) -> None:
    for record in series_of(Duel(decks=("random", "random")), 5, trace):
        fields = ["format", "game", "rules", "options", "seed", "players"]
        fields += ["set", "decks", "super", "chance", "moves", "result"]
        assert list(record) == fields + ["trace"] * trace
        assert record["format"] == "coyote-record/1"
        assert (record["game"], record["rules"], record["options"]) == ("duel", 1, {})
        assert re.fullmatch("[0-9a-f]{32}", record["seed"])
        assert list(record["set"]) == ["name", "cards"]
        occur = {card for deck in record["decks"] for card in deck} | set(record["super"]) - {None}
        assert {card["id"] for card in record["set"]["cards"]} == occur, "every card that occurs"
        assert all(list(card) == ["id", "rarity", "text"] for card in record["set"]["cards"])
        assert [seat for seat, _ in record["moves"]] == [0, 1] * (len(record["moves"]) // 2)
        assert set(record["result"]) == {"winner", "reason", "score"} and len(record["result"]["score"]) == 2
        assert json.loads(record_line(record)) == record


def test_a_trace_entry_has_the_fields_of_the_format() -> None:
    keys = [
        "seat",
        "turn",
        "legal",
        "health",
        "max",
        "hands",
        "deck",
        "deck_number",
        "discard",
        "play",
        "aside",
    ]
    assert len(GOOD["trace"]) == LENGTH
    for (seat, move), entry in zip(GOOD["moves"], GOOD["trace"], strict=True):
        assert list(entry) == keys
        assert entry["seat"] == seat and move in entry["legal"]
        assert entry["legal"] == sorted(set(entry["legal"]))
        for key in ("hands", "discard", "aside"):
            assert entry[key] == [sorted(cards) for cards in entry[key]]
        assert all(len(pair) == 2 for side in entry["play"] for pair in side)


def test_chance_has_the_entries_of_the_format() -> None:
    for entry in CHANCE:
        if entry[0] == "shuffle":
            assert len(entry) == 3 and entry[1] in (0, 1) and entry[2]
        else:
            what, seat, zone, card = entry
            assert what in ("discard", "aside") and seat in (0, 1) and isinstance(card, str)
            assert zone in (("hand", "play") if what == "discard" else ("hand", "discard", "play"))


def test_the_same_series_gives_the_same_lines() -> None:
    game = Duel(decks=("random", "random"))
    lines = [record_line(record) for record in series_of(game, 12, trace=True)]
    assert lines == [record_line(record) for record in series_of(game, 12, trace=True)]
    assert len(set(lines)) == 12
    assert lines[:5] == [record_line(record) for record in series_of(game, 5, trace=True)]
    assert lines != [record_line(record) for record in series_of(game, 12, trace=True, seed="other")]


def test_a_trace_changes_nothing_else() -> None:
    for plain, traced in zip(series_of(Duel(), 10), series_of(Duel(), 10, trace=True), strict=True):
        del traced["trace"]
        assert traced == plain


@pytest.mark.parametrize("decks", [("pack", "oasis"), ("random", "random")])
def test_counted_duels_are_the_recorded_duels(decks: tuple[str, str]) -> None:
    """`simulate` without records plays the same duels as with them."""
    game, games = Duel(decks=decks), 60
    told = summary(game, count(game, games, "both ways", lambda done: None))
    kept = list(records(game, BOTS, games, "both ways"))
    results = [record["result"] for record in kept]
    assert [share["games"] for share in told["wins"]] == [
        sum(result["winner"] == seat for result in results) for seat in (0, 1)
    ]
    assert told["draws"]["games"] == sum(result["winner"] is None for result in results)
    assert told["decisions"] == sum(len(record["moves"]) for record in kept)
    points = {source: [0, 0] for source in game.SOURCES}
    for record in kept:
        for event in follow(record).events():
            if event.kind == "damage":
                assert event.seat is not None
                points["damage"][1 - event.seat] += event.values["damage"]
                points["blocked"][event.seat] += event.values["blocked"]
            elif event.kind in ("heal", "wear"):
                assert event.seat is not None
                points["healed" if event.kind == "heal" else "wear"][event.seat] += event.values.get(
                    "healed", 5
                )
    assert told["points"] == points


# ---------------------------------------------------------------- differences


def difference(record: Json) -> tuple[int | None, str]:
    with pytest.raises(Difference) as caught:
        follow(record)
    for lang in ("en", "ru"):
        assert Words(lang).refusal(caught.value.refusal)
    sentence = Words("en").refusal(caught.value.refusal)
    assert not re.search(r"\(M\d+\)", sentence), "a rule of another game"
    return caught.value.move, sentence


Change = Callable[[Json], Any]


def put(*path: Any) -> Change:
    """Set a place in the record: the last of the path is the value."""

    def change(record: Any) -> None:
        *keys, last, value = path
        for key in keys:
            record = record[key]
        record[last] = value

    return change


def cut(*path: Any) -> Change:
    """Take a place out of the record."""

    def change(record: Any) -> None:
        *keys, last = path
        for key in keys:
            record = record[key]
        del record[last]

    return change


def both(*changes: Change) -> Change:
    def change(record: Json) -> None:
        for one in changes:
            one(record)

    return change


def end_early(moves: int) -> Change:
    def change(record: Json) -> None:
        record["moves"], record["trace"] = record["moves"][:moves], record["trace"][:moves]

    return change


def more_moves(record: Json) -> None:
    record["moves"] += [[0, "hold"], [1, "hold"]]
    record["trace"] += record["trace"][:2]


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
    "rules of a later version": (put("rules", 2), None, "rules of version 2; this program follows version 1"),
    "options missing": (cut("options"), None, "options must be an object"),
    "option unknown": (put("options", "edition", "standard"), None, "no option edition"),
    "option of the name of an argument": (put("options", "decks", 1), None, "no option decks"),
    "option value": (put("options", "open-lists", "maybe"), None, "open-lists cannot be maybe"),
    "players missing": (cut("players"), None, "players must be two names"),
    "moves missing": (cut("moves"), None, "moves must be a list"),
    "trace too short": (cut("trace", 0), None, f"{LENGTH - 1} entries for {LENGTH} moves"),
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
    # The seed.
    "seed short": (put("seed", "abc"), None, "not 32 hexadecimal digits"),
    "seed a number": (put("seed", 5), None, "not 32 hexadecimal digits"),
    "seed of another deal": (put("seed", "0" * 32), None, "not the one that the seed gives"),
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
    "move no pair": (put("moves", 2, "hold"), 3, "not [seat, move]"),
    "move without text": (put("moves", 2, 1, 7), 3, "not [seat, move]"),
    "seat that is not there": (put("moves", 0, 0, 2), 1, "seat 2 has no decision here"),
    "seat twice in a turn": (put("moves", 1, 0, 0), 2, "seat 0 has no decision here, seat 1 has"),
    "choices of a turn not in the order of the seats": (swap_choices, 1, "seat 1"),
    "move that is none": (put("moves", 0, 1, "castle"), 1, "“castle” is no choice"),
    "move with a card not held": (put("moves", 0, 1, f"play {NOT_HELD}"), 1, "is not in your hand (D6)"),
    "moves after the end": (more_moves, LENGTH + 1, "the game was over before this move (health) (D3)"),
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
    "result missing": (cut("result"), None, "must have winner, reason and score"),
    "result without a score": (cut("result", "score"), None, "must have winner, reason and score"),
    "winner the other": (put("result", "winner", 1 - WINNER), None, f"winner is {1 - WINNER} in the result"),
    "winner nobody": (put("result", "winner", None), None, f"winner is null in the result, and {WINNER}"),
    "winner a truth": (put("result", "winner", bool(WINNER)), None, "winner is"),
    "reason another": (put("result", "reason", "lead"), None, 'reason is "lead" in the result, and "health"'),
    "reason of a real table after the end": (put("result", "reason", "timeout"), None, "reason is"),
    "score another": (put("result", "score", 0, 77), None, "score is"),
    "score of one": (put("result", "score", HEALTH[:1]), None, "score is"),
    "score no list": (put("result", "score", HEALTH[0]), None, "score is"),
    # What Python hides: there True == 1, in a record not.
    "seat of a trace as truth": (put("trace", 0, "seat", False), 1, "is false in the trace"),
    "seat of chance as truth": (
        put("chance", PICKED, 1, bool(CHANCE[PICKED][1])),
        None,
        NOT_AN_ENTRY,
    ),
    "seat of a move as truth": (put("moves", 0, 0, False), 1, "not [seat, move]"),
}


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_the_first_difference_is_named_with_its_place(kind: str) -> None:
    change, move, part = CORRUPTIONS[kind]
    record = deepcopy(GOOD)
    change(record)
    found, sentence = difference(record)
    assert part in sentence
    assert found == move
    assert len(sentence) < 300, "one clear sentence"


def test_the_good_record_is_good() -> None:
    assert follow(deepcopy(GOOD)).moves == [tuple(move) for move in GOOD["moves"]]


@pytest.mark.parametrize("absent", ["seed", "trace", "rules"])
def test_what_may_be_left_out(absent: str) -> None:
    record = deepcopy(GOOD)
    del record[absent]
    assert follow(record).over


def test_a_card_of_another_text_is_found_by_the_trace() -> None:
    record = deepcopy(GOOD)
    for card in record["set"]["cards"]:
        card["text"] = re.sub(r"(Auto\. |Super\. )*.*", r"\1Heal 0.", card["text"], count=1)
    assert difference(record)[0] is not None


@pytest.mark.parametrize("number", range(0, LENGTH, 7))
def test_a_changed_trace_or_move_is_found_at_its_place(number: int) -> None:
    record = deepcopy(GOOD)
    record["trace"][number]["turn"] += 1
    record["trace"][-1]["turn"] = -1
    assert difference(record)[0] == number + 1
    record = deepcopy(GOOD)
    record["moves"][number][1] = "play nothing"
    assert difference(record)[0] == number + 1


def test_chance_that_could_be_but_is_not_the_seeds_is_named() -> None:
    """One of two cards was discarded; the record says it was the other one. Only the seed can tell."""
    made = made_set({f"drop{number}": "Discard a card." for number in range(1, 9)})
    deck = Deck("made", tuple((f"drop{number}", 2) for number in range(1, 9)))
    match = Match(Duel(card_set=made, decks=[deck, deck]), seed="one of two", players=BOTS)
    hand = match.view(0)["hand"]
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


# ---------------------------------------------------------------- ends at a real table


@pytest.mark.parametrize("reason", TABLE_REASONS)
@pytest.mark.parametrize("winner", [0, 1, None])
@pytest.mark.parametrize("moves", [0, 2, 10])
def test_an_end_that_the_players_decide_is_accepted(reason: str, winner: int | None, moves: int) -> None:
    record = deepcopy(GOOD)
    end_early(moves)(record)
    played = Match.from_record(GOOD)
    for seat, move in GOOD["moves"][:moves]:
        played.play(move, seat)
    record["chance"] = played.record()["chance"]
    record["result"] = {"winner": winner, "reason": reason, "score": GOOD["trace"][moves]["health"]}
    assert follow(record).result is None


@pytest.mark.parametrize(
    ("key", "value", "part"),
    [
        ("score", [1, 2], "score is [1, 2]"),
        ("winner", 2, "winner"),
        ("winner", True, "winner"),
        ("reason", "boredom", "the moves end before the game does"),
        ("reason", "health", "the moves end before the game does"),
    ],
)
def test_an_end_that_the_players_decide_is_checked(key: str, value: Any, part: str) -> None:
    record = deepcopy(GOOD)
    end_early(0)(record)
    record["chance"] = []
    record["result"] = {"winner": 0, "reason": "resignation", "score": [100, 100], key: value}
    move, sentence = difference(record)
    assert move is None and part in sentence


def test_an_unfinished_record_with_more_chance_than_was_asked_for_is_named() -> None:
    record = deepcopy(GOOD)
    end_early(0)(record)
    record["result"] = {"winner": 0, "reason": "resignation", "score": [100, 100]}
    assert "chance" in difference(record)[1]
    del record["seed"]
    assert "more chance is recorded than the rules asked for" in difference(record)[1]
