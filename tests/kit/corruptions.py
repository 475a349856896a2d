"""Records that are wrong in one thing, whatever game they are of, and what is to be said of each."""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from coyote.games.game import Json
from coyote.games.registry import GAMES
from coyote.records import Difference, follow
from coyote.text import LANGUAGES, Words
from kit.subject import Subject

Change = Callable[[Json], Any]
GARBAGE: tuple[Any, ...] = (None, True, -1, 10**12, 0.5, "?", [], {}, [None], {"a": 1})


# ---------------------------------------------------------------- changing a record


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
    """The first turn once more, after the end."""
    turn = 1 + (record["moves"][1][0] != record["moves"][0][0] and record["trace"][1]["turn"] == 1)
    record["moves"] += record["moves"][:turn]
    record["trace"] += record["trace"][:turn]


def capitals(record: Json) -> None:
    record["seed"] = record["seed"].upper()


def other_winner(record: Json) -> None:
    record["result"]["winner"] = 1 - record["result"]["winner"]


def winner_as_truth(record: Json) -> None:
    record["result"]["winner"] = bool(record["result"]["winner"])


# ---------------------------------------------------------------- what is said of it


@cache
def good_record(subject: Subject) -> Json:
    return subject.good_record()


def fresh(subject: Subject) -> Json:
    """A record in which everything is right."""
    return deepcopy(good_record(subject))


def difference(record: Json) -> tuple[int | None, str]:
    """The move at which it differs, and the sentence: one clear one, in both languages."""
    given = json.dumps(record)
    with pytest.raises(Difference) as caught:
        follow(record)
    assert json.dumps(record) == given, "following changes nothing"
    for lang in LANGUAGES:
        assert caught.value.message(lang)
    sentence = Words("en").refusal(caught.value.refusal)
    assert len(sentence) < 300, "one clear sentence"
    if record.get("game") in list(GAMES):
        assert set(re.findall(r"\(([A-Z])\d+\)", sentence)) <= {GAMES[record["game"]].LETTER}, sentence
    return caught.value.move, sentence


@dataclass(frozen=True)
class Wrong:
    """A change, the move (from 1, from the end if negative) at which it is found, a part of the sentence."""

    change: Change
    move: int | None
    part: str


def frame(change: Change, part: str) -> Wrong:
    return Wrong(change, None, part)


HEX = "not 32 hexadecimal digits"
NAMES = "players must be two names"
ENTRY = "not [seat, move]"
RESULT = "must have winner, reason and score"
CUT = "the moves end before the game does"

# In the texts {n} is the number of moves, {rules} the versions that can be followed.
WRONG: dict[str, Wrong] = {
    "format of another kind": frame(put("format", "coyote-record/2"), 'format is "coyote-record/2"'),
    "format missing": frame(cut("format"), "format is null"),
    "format no text": frame(put("format", 1), "format is 1"),
    "game unknown": frame(put("game", "chess"), 'no game "chess"'),
    "game missing": frame(cut("game"), "no game null"),
    "game no text": frame(put("game", ["madness"]), 'no game ["madness"]'),
    "rules of a later version": frame(
        put("rules", 99), "rules of version 99; this program follows version {rules}"
    ),
    "rules of version zero": frame(put("rules", 0), "rules of version 0"),
    "rules as text": frame(put("rules", "1"), 'rules of version "1"'),
    "rules null": frame(put("rules", None), "rules of version null"),
    "rules true": frame(put("rules", True), "rules of version true"),
    "options missing": frame(cut("options"), "options must be an object"),
    "options a list": frame(put("options", ["edition"]), "options must be an object"),
    "option unknown": frame(put("options", "limit", 7), "no option limit"),
    "option of the name of an argument": frame(put("options", "self", 1), "no option self"),
    "option of the name of another argument": frame(put("options", "card_set", 1), "no option card_set"),
    "option of the name of the version": frame(put("options", "rules", 1), "no option rules"),
    "seed short": frame(put("seed", "abc"), HEX),
    "seed in capitals": frame(capitals, HEX),
    "seed a number": frame(put("seed", 5), HEX),
    "seed of another deal": frame(put("seed", "0" * 32), "not the one that the seed gives"),
    "players missing": frame(cut("players"), NAMES),
    "one player": frame(put("players", ["a"]), NAMES),
    "players no names": frame(put("players", [1, 2]), NAMES),
    "moves missing": frame(cut("moves"), "moves must be a list"),
    "moves an object": frame(put("moves", {}), "moves must be a list"),
    "trace too short": frame(cut("trace", 0), "entries for {n} moves"),
    "trace no list": frame(put("trace", {}), "entries for {n} moves"),
    "trace too long for the moves": frame(cut("moves", -1), "{n} entries for"),
    # The moves.
    "move no pair": Wrong(put("moves", 2, "pass"), 3, ENTRY),
    "move of three": Wrong(put("moves", 2, [0, "pass", 1]), 3, ENTRY),
    "move without text": Wrong(put("moves", 2, 1, 7), 3, ENTRY),
    "seat true": Wrong(put("moves", 2, 0, True), 3, ENTRY),
    "seat as text": Wrong(put("moves", 2, 0, "1"), 3, ENTRY),
    "seat false": Wrong(put("moves", 0, 0, False), 1, ENTRY),
    "seat of the other": Wrong(put("moves", 0, 0, 1), 1, "seat 1 has no decision here, seat 0 has"),
    "seat that is not there": Wrong(put("moves", 0, 0, 2), 1, "seat 2 has no decision here, seat 0 has"),
    "seat negative": Wrong(put("moves", 0, 0, -1), 1, "seat -1 has no decision here"),
    "move that is none": Wrong(put("moves", 0, 1, "castle"), 1, '"castle" is not allowed: “castle” is no'),
    "move empty": Wrong(put("moves", 0, 1, ""), 1, '"" is not allowed'),
    "moves after the end": Wrong(more_moves, -1, "the game was over before this move"),
    "moves cut": frame(end_early(-1), CUT),
    "moves gone": frame(end_early(0), CUT),
    # The trace.
    "trace entry no object": Wrong(put("trace", 4, []), 5, "the trace entry is not an object"),
    "trace with something more": Wrong(put("trace", 4, "mood", "good"), 5, 'mood" is "good" in the trace'),
    "trace seat": Wrong(put("trace", 0, "seat", 1), 1, "is 1 in the trace, and 0 by the rules"),
    "trace turn": Wrong(put("trace", 0, "turn", 2), 1, "is 2 in the trace, and 1 by the rules"),
    "trace legal short": Wrong(cut("trace", 0, "legal", -1), 1, "legal"),
    "trace legal other": Wrong(put("trace", 1, "legal", 0, "stand"), 2, '"stand" in the trace'),
    "seat of a trace as truth": Wrong(put("trace", 0, "seat", False), 1, "is false in the trace"),
    # The result.
    "result missing": frame(cut("result"), RESULT),
    "result null": frame(put("result", None), RESULT),
    "result no object": frame(put("result", [0, "lead", 5]), RESULT),
    "result without a score": frame(cut("result", "score"), RESULT),
    "result without a winner": frame(cut("result", "winner"), RESULT),
    "winner the other": frame(other_winner, "winner is"),
    "winner nobody": frame(put("result", "winner", None), "winner is null in the result"),
    "winner a truth": frame(winner_as_truth, "winner is"),
    "reason another": frame(put("result", "reason", "luck"), 'reason is "luck" in the result'),
    "reason of a real table after the end": frame(
        put("result", "reason", "resignation"), 'reason is "resignation" in the result'
    ),
    "score another": frame(put("result", "score", 777), "score is 777 in the result"),
    "score as text": frame(put("result", "score", "5"), 'score is "5"'),
    "score nothing": frame(put("result", "score", None), "score is null"),
}


def paths(value: Any, most: int, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a record; of long lists only the first items and the last."""
    if path:
        yield path
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
        items = items if len(items) <= most else [*items[: most - 1], items[-1]]
    for key, inner in items:
        yield from paths(inner, most, (*path, key))


def place_of(record: Json, path: tuple[Any, ...]) -> Any:
    value: Any = record
    for key in path:
        value = value[key]
    return value


def dotted(path: tuple[Any, ...]) -> str:
    """`set.name` for a place, without the numbers of items."""
    return ".".join(key for key in path if isinstance(key, str))
