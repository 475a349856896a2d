"""Records of Madness: what is special about its deal, its phases and its trace."""

from copy import deepcopy
from functools import cache

import pytest

from coyote.games.game import Json
from coyote.games.madness.game import Madness
from kit.corruptions import Change, cut, difference, put
from kit.subject import Play
from kit.subjects import SUBJECTS


@cache
def record() -> Json:
    """A traced game in which somebody wins."""
    game = Madness()
    for number in range(100):
        match = Play(SUBJECTS["madness"], game, game.settle(), number).played_match()
        if match.result and match.result.winner is not None and len(match.moves) > 20:
            return match.record()
    raise AssertionError


def swap_deck(i: int, k: int) -> Change:
    def change(record: Json) -> None:
        deck = record["deck"]
        deck[i], deck[k] = deck[k], deck[i]

    return change


def twice(record: Json) -> None:
    record["deck"][0] = record["deck"][1]


def not_held(record: Json) -> None:
    """The first move with a card that lies at the bottom of the deck."""
    record["moves"][0][1] = f"a1 {record['deck'][-1]}"


CORRUPTIONS: dict[str, tuple[Change, int | None, str]] = {
    "edition unknown": (put("options", "edition", "modern"), None, "edition cannot be modern"),
    "edition no text": (put("options", "edition", ["standard"]), None, "edition cannot be"),
    "option out of bounds": (
        put("options", "goal", 21),
        None,
        "goal cannot be 21: it is a number",
    ),
    "options that contradict": (put("options", "komi", 5), None, "(M25)"),
    "deck missing": (cut("deck"), None, "not the 54 cards"),
    "deck no list": (put("deck", "2C"), None, "not the 54 cards"),
    "deck a card short": (cut("deck", 0), None, "not the 54 cards of the game, each once (M1)"),
    "deck without a joker that is there": (put("options", "jokers", 1), None, "not the 53 cards"),
    "deck with a card twice": (twice, None, "each once (M1)"),
    "deck with no card": (put("deck", 3, "1Z"), None, "each once (M1)"),
    "deck with a number": (put("deck", 3, 7), None, "each once (M1)"),
    "deck in another order": (swap_deck(20, 30), None, "differs at card 21 (M11)"),
    "move of another phase": (put("moves", 0, 1, "draw"), 1, "the main action comes first"),
    "move on a field that is not there": (put("moves", 0, 1, "a4 7S"), 1, "a4 7S"),
    "move with a card not held": (not_held, 1, "is not in your hand (M5)"),
    "trace phase": (put("trace", 0, "phase", "tut"), 1, 'is "tut" in the trace, and "main" by the rules'),
    "trace legal short": (cut("trace", 0, "legal", -1), 1, "(M14)"),
    "trace lead": (put("trace", 3, "lead", 4), 4, "is 4 in the trace"),
    "trace hands": (put("trace", 3, "hands", 1, 0, "X9"), 4, '"X9" in the trace'),
    "trace deck": (put("trace", 3, "deck", 3), 4, "is 3 in the trace"),
    "trace boss": (put("trace", 3, "boss", "X9"), 4, '"X9" in the trace'),
    "trace without the boss": (cut("trace", 4, "boss"), 5, "boss"),
    "trace discard": (put("trace", 0, "discard", "X1"), 1, 'is "X1" in the trace, and null by the rules'),
    "trace tops": (put("trace", 0, "fields", 1, "tops", ["2C", None]), 1, "fields"),
    "trace heights": (put("trace", 0, "fields", 2, "heights", [1, 0]), 1, "fields"),
    "trace last": (put("trace", 0, "fields", 0, "last", 0), 1, "fields"),
    "trace closed": (put("trace", 0, "fields", 0, "closed", True), 1, "fields"),
    "closed of a trace as a number": (put("trace", 0, "fields", 0, "closed", 0), 1, "fields"),
}


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_the_first_difference_is_named_with_its_place(kind: str) -> None:
    change, move, part = CORRUPTIONS[kind]
    changed = deepcopy(record())
    change(changed)
    found, sentence = difference(changed)
    assert part in sentence
    assert found == move


def test_the_edition_is_part_of_the_rules() -> None:
    changed = deepcopy(record())
    changed["options"]["edition"] = "classic"
    assert difference(changed)[0] == 1
