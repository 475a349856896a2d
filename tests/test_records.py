"""Records: their form, their files, and how the first difference from the rules is named."""

import json
import os
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from coyote.games.game import Json, RecordError
from coyote.games.madness.game import Madness
from coyote.lab.simulate import count, play_one, records, series, summary
from coyote.match import Match
from coyote.records import (
    TABLE_REASONS,
    Difference,
    follow,
    read_records,
    record_line,
    write_records,
    written_whole,
)
from coyote.text import Words
from kit.play import EDITIONS

BOTS = ["random", "random"]


def series_of(edition: str, games: int, trace: bool = False, seed: str = "records") -> list[Json]:
    return list(records(Madness(edition=edition), BOTS, games, seed, trace))


GOOD = series_of("standard", 1, trace=True)[0]


# ---------------------------------------------------------------- form


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("trace", [False, True])
def test_a_record_has_the_fields_of_the_format(edition: str, trace: bool) -> None:
    for record in series_of(edition, 5, trace):
        fields = ["format", "game", "rules", "options", "seed", "players", "deck", "moves", "result"]
        assert list(record) == fields + ["trace"] * trace
        assert record["format"] == "coyote-record/1"
        assert (record["game"], record["rules"], record["options"]) == ("madness", 1, {"edition": edition})
        assert re.fullmatch("[0-9a-f]{32}", record["seed"])
        assert record["players"] == BOTS
        assert len(record["deck"]) == len(set(record["deck"])) == 54
        assert all(seat in (0, 1) and isinstance(move, str) for seat, move in record["moves"])
        assert set(record["result"]) == {"winner", "reason", "score"}
        assert json.loads(record_line(record)) == record


def test_a_trace_entry_has_the_fields_of_the_format() -> None:
    assert len(GOOD["trace"]) == len(GOOD["moves"])
    for (seat, move), entry in zip(GOOD["moves"], GOOD["trace"], strict=True):
        keys = ["seat", "phase", "turn", "legal", "lead", "hands", "deck", "boss", "discard", "fields"]
        assert list(entry) == keys
        assert entry["seat"] == seat and move in entry["legal"]
        assert entry["legal"] == sorted(entry["legal"])
        assert entry["hands"] == [sorted(hand) for hand in entry["hands"]]
        assert [list(field) for field in entry["fields"]] == [["tops", "heights", "last", "closed"]] * 3


def test_a_line_is_one_line_of_plain_utf8() -> None:
    match = Match("madness", seed="a", players=["Анна", "new\nline"])
    line = record_line(match.record())
    assert line.count("\n") == 1 and line.endswith("\n")
    assert "Анна" in line


def test_an_unfinished_match_has_no_result_yet() -> None:
    match = Match("madness", seed="a")
    match.play("pass")
    record = match.record()
    assert record["result"] is None and record["moves"] == [[0, "pass"]]


def test_a_match_from_a_position_has_no_record() -> None:
    match = Match.from_position(Match("madness", seed="a").position())
    with pytest.raises(ValueError, match="no deal"):
        match.record()


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_same_series_gives_the_same_lines(edition: str) -> None:
    lines = [record_line(record) for record in series_of(edition, 20, trace=True)]
    assert lines == [record_line(record) for record in series_of(edition, 20, trace=True)]
    assert len(set(lines)) == 20
    assert lines[:10] == [record_line(record) for record in series_of(edition, 10, trace=True)]
    assert lines != [record_line(record) for record in series_of(edition, 20, trace=True, seed="other")]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_trace_changes_nothing_else(edition: str) -> None:
    for plain, traced in zip(series_of(edition, 10), series_of(edition, 10, trace=True), strict=True):
        del traced["trace"]
        assert traced == plain


@pytest.mark.parametrize("edition", EDITIONS)
def test_counted_games_are_the_recorded_games(edition: str) -> None:
    """`simulate` without records plays the same games as with them."""
    game, games = Madness(edition=edition), 400
    told = summary(game, count(game, games, "both ways", lambda done: None))
    kept = list(records(game, BOTS, games, "both ways"))
    results = [record["result"] for record in kept]
    assert told["games"] == games
    assert [share["games"] for share in told["wins"]] == [
        sum(result["winner"] == seat for result in results) for seat in (0, 1)
    ]
    assert told["draws"]["games"] == sum(result["winner"] is None for result in results)
    assert told["ends"] == {
        reason: sum(result["reason"] == reason for result in results) for reason in game.REASONS
    }
    assert told["decisions"] == sum(len(record["moves"]) for record in kept)
    turns, points = [], {source: [0, 0] for source in game.SOURCES}
    for record in kept:
        match = follow(record)
        turns.append(match.view(-1)["turn"])
        for event in match.events():
            if event.kind == "point" and event.seat is not None:
                points[event.values["source"]][event.seat] += 1
    assert told["points"] == points
    assert told["turns"]["mean"] == pytest.approx(sum(turns) / games)
    assert (told["turns"]["least"], told["turns"]["most"]) == (min(turns), max(turns))
    assert told["turns"]["median"] == sorted(turns)[(games - 1) // 2]


def test_counting_in_parts_is_counting_at_once() -> None:
    """More games than one chunk holds, on several threads, against one long call."""
    game = Madness()
    total = count(game, 25_000, "parts", lambda done: None)
    assert total.tobytes() == game.random_games(series("parts"), 0, 25_000).tobytes()


# ---------------------------------------------------------------- files


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_records(path, series_of("standard", 3))
    assert list(read_records(path)) == series_of("standard", 3)
    assert names_in(tmp_path) == ["games.jsonl"]
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask


def failing(games: int) -> Iterator[Json]:
    yield from series_of("standard", games)
    raise RuntimeError("the lamp went out")


@pytest.mark.parametrize("before", [None, "what was there before\n"])
@pytest.mark.parametrize("games", [0, 1, 300])
def test_a_failure_in_the_middle_leaves_everything_as_it_was(
    tmp_path: Path, before: str | None, games: int
) -> None:
    path = tmp_path / "games.jsonl"
    if before is not None:
        path.write_text(before)
    kept = names_in(tmp_path)
    with pytest.raises(RuntimeError):
        write_records(path, failing(games))
    assert names_in(tmp_path) == kept
    assert before is None or path.read_text() == before


def test_an_interruption_in_the_middle_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), written_whole(path) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert names_in(tmp_path) == ["games.jsonl"]
    assert path.read_text() == "old"


def test_nothing_is_to_be_seen_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with written_whole(path) as file:
        file.write("half")
        file.flush()
        assert not path.exists()
    assert path.read_text() == "half"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_records(tmp_path / "none" / "games.jsonl", [])


def test_blank_lines_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"\n{record_line(GOOD)}\n  \n{record_line(GOOD)}")
    assert list(read_records(path)) == [GOOD, GOOD]


NOT_RECORDS = {
    b"": ("record.empty", {}),
    b"\n\n": ("record.empty", {}),
    b"\xff\xfe{}": ("record.not_utf8", {}),
    b"{": ("record.not_json", {"line": 1}),
    b"\n{}x": ("record.not_json", {"line": 2}),
    b"[]": ("record.not_object", {"line": 1}),
    b"{}\n7": ("record.not_object", {"line": 2}),
    b"[" * 100_000: ("record.not_json", {"line": 1}),
}


@pytest.mark.parametrize("content", NOT_RECORDS, ids=lambda content: repr(content[:12]))
def test_what_is_no_record_is_named_with_its_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    code, values = NOT_RECORDS[content]
    with pytest.raises(RecordError) as caught:
        list(read_records(path))
    assert caught.value.refusal.code == code
    assert values.items() <= caught.value.refusal.values.items()
    for lang in ("en", "ru"):
        assert Words(lang).refusal(caught.value.refusal)


# ---------------------------------------------------------------- differences


def difference(record: Json) -> tuple[int | None, str]:
    with pytest.raises(Difference) as caught:
        follow(record)
    for lang in ("en", "ru"):
        assert Words(lang).refusal(caught.value.refusal)
    return caught.value.move, Words("en").refusal(caught.value.refusal)


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


def swap_deck(i: int, k: int) -> Change:
    def change(record: Json) -> None:
        deck = record["deck"]
        deck[i], deck[k] = deck[k], deck[i]

    return change


def end_early(moves: int) -> Change:
    def change(record: Json) -> None:
        record["moves"], record["trace"] = record["moves"][:moves], record["trace"][:moves]

    return change


def more_moves(record: Json) -> None:
    record["moves"].append([0, "pass"])
    record["trace"].append(record["trace"][0])


LENGTH = len(GOOD["moves"])
SCORE = GOOD["result"]["score"]
NOT_HELD = next(card for card in GOOD["deck"] if card not in GOOD["trace"][0]["hands"][0])
NO_TRACE = cut("trace")

CORRUPTIONS: dict[str, tuple[Change, int | None, str]] = {
    # The frame.
    "format of another kind": (put("format", "coyote-record/2"), None, 'format is "coyote-record/2"'),
    "format missing": (cut("format"), None, "format is null"),
    "format no text": (put("format", 1), None, "format is 1"),
    "game unknown": (put("game", "chess"), None, 'no game "chess"'),
    "game missing": (cut("game"), None, "no game null"),
    "game no text": (put("game", ["madness"]), None, 'no game ["madness"]'),
    "rules of a later version": (put("rules", 2), None, "rules of version 2; this program follows version 1"),
    "rules of version zero": (put("rules", 0), None, "rules of version 0"),
    "rules as text": (put("rules", "1"), None, 'rules of version "1"'),
    "rules null": (put("rules", None), None, "rules of version null"),
    "rules true": (put("rules", True), None, "rules of version true"),
    "options missing": (cut("options"), None, "options must be an object"),
    "options a list": (put("options", ["edition"]), None, "options must be an object"),
    "option unknown": (put("options", "limit", 7), None, "no option limit"),
    "option of the name of an argument": (put("options", "self", 1), None, "no option self"),
    "edition unknown": (put("options", "edition", "modern"), None, "edition cannot be modern"),
    "edition no text": (put("options", "edition", ["standard"]), None, "edition cannot be"),
    "seed short": (put("seed", "abc"), None, "not 32 hexadecimal digits"),
    "seed in capitals": (put("seed", GOOD["seed"].upper()), None, "not 32 hexadecimal digits"),
    "seed a number": (put("seed", 5), None, "not 32 hexadecimal digits"),
    "seed of another deal": (put("seed", "0" * 32), None, "not the one that the seed gives"),
    "players missing": (cut("players"), None, "players must be two names"),
    "one player": (put("players", ["a"]), None, "players must be two names"),
    "players no names": (put("players", [1, 2]), None, "players must be two names"),
    "deck missing": (cut("deck"), None, "not the 54 cards"),
    "deck no list": (put("deck", "2C"), None, "not the 54 cards"),
    "deck a card short": (cut("deck", 0), None, "not the 54 cards of the game, each once (M1)"),
    "deck with a card twice": (put("deck", 0, GOOD["deck"][1]), None, "each once (M1)"),
    "deck with no card": (put("deck", 3, "1Z"), None, "each once (M1)"),
    "deck with a number": (put("deck", 3, 7), None, "each once (M1)"),
    "deck in another order": (swap_deck(20, 30), None, "differs at card 21 (M11)"),
    "moves missing": (cut("moves"), None, "moves must be a list"),
    "moves an object": (put("moves", {}), None, "moves must be a list"),
    "trace too short": (cut("trace", 0), None, f"{LENGTH - 1} entries for {LENGTH} moves"),
    "trace no list": (put("trace", {}), None, f"entries for {LENGTH} moves"),
    "trace too long for the moves": (cut("moves", -1), None, f"{LENGTH} entries for {LENGTH - 1} moves"),
    # The moves.
    "move no pair": (put("moves", 2, "pass"), 3, "not [seat, move]"),
    "move of three": (put("moves", 2, [0, "pass", 1]), 3, "not [seat, move]"),
    "move without text": (put("moves", 2, 1, 7), 3, "not [seat, move]"),
    "seat true": (put("moves", 2, 0, True), 3, "not [seat, move]"),
    "seat as text": (put("moves", 2, 0, "1"), 3, "not [seat, move]"),
    "seat of the other": (put("moves", 0, 0, 1), 1, "seat 1 has no decision here, seat 0 has"),
    "seat that is not there": (put("moves", 0, 0, 2), 1, "seat 2 has no decision here, seat 0 has"),
    "seat negative": (put("moves", 0, 0, -1), 1, "seat -1 has no decision here"),
    "move that is none": (put("moves", 0, 1, "castle"), 1, '"castle" is not allowed: “castle” is no move'),
    "move of another phase": (put("moves", 0, 1, "draw"), 1, "the main action comes first"),
    "move with a card not held": (put("moves", 0, 1, f"a1 {NOT_HELD}"), 1, "is not in your hand (M5)"),
    "move empty": (put("moves", 0, 1, ""), 1, "is no move"),
    "moves after the end": (more_moves, LENGTH + 1, "the game was over before this move"),
    "moves cut": (end_early(LENGTH - 1), None, "the moves end before the game does"),
    "moves gone": (both(put("moves", []), put("trace", [])), None, "the moves end before the game does"),
    # The trace.
    "trace entry no object": (put("trace", 4, []), 5, "the trace entry is not an object"),
    "trace with something more": (put("trace", 4, "mood", "good"), 5, 'mood" is "good" in the trace'),
    "trace without a key": (cut("trace", 4, "boss"), 5, "boss"),
    "trace seat": (put("trace", 0, "seat", 1), 1, "is 1 in the trace, and 0 by the rules"),
    "trace phase": (put("trace", 0, "phase", "tut"), 1, 'is "tut" in the trace, and "main" by the rules'),
    "trace turn": (put("trace", 0, "turn", 2), 1, "is 2 in the trace, and 1 by the rules"),
    "trace legal short": (cut("trace", 0, "legal", -1), 1, "(M14)"),
    "trace legal other": (put("trace", 1, "legal", 0, "stand"), 2, '"stand" in the trace'),
    "trace lead": (put("trace", 3, "lead", 4), 4, "is 4 in the trace"),
    "trace hands": (put("trace", 3, "hands", 1, 0, "X9"), 4, '"X9" in the trace'),
    "trace deck": (put("trace", 3, "deck", 3), 4, "is 3 in the trace"),
    "trace boss": (put("trace", 3, "boss", "X9"), 4, '"X9" in the trace'),
    "trace discard": (put("trace", 0, "discard", "X1"), 1, 'is "X1" in the trace, and null by the rules'),
    "trace tops": (put("trace", 0, "fields", 1, "tops", ["2C", None]), 1, "fields"),
    "trace heights": (put("trace", 0, "fields", 2, "heights", [1, 0]), 1, "fields"),
    "trace last": (put("trace", 0, "fields", 0, "last", 0), 1, "fields"),
    "trace closed": (put("trace", 0, "fields", 0, "closed", True), 1, "fields"),
    # The result.
    "result missing": (cut("result"), None, "must have winner, reason and score"),
    "result null": (put("result", None), None, "must have winner, reason and score"),
    "result no object": (put("result", [0, "lead", 5]), None, "must have winner, reason and score"),
    "result without a score": (cut("result", "score"), None, "must have winner, reason and score"),
    "winner the other": (
        put("result", "winner", 1 - GOOD["result"]["winner"]),
        None,
        f"winner is {1 - GOOD['result']['winner']} in the result",
    ),
    "winner nobody": (put("result", "winner", None), None, "winner is null in the result"),
    "winner a truth": (put("result", "winner", bool(GOOD["result"]["winner"])), None, "winner is"),
    "reason another": (put("result", "reason", "stall"), None, 'reason is "stall" in the result'),
    "reason of a real table after the end": (
        put("result", "reason", "resignation"),
        None,
        'reason is "resignation" in the result',
    ),
    "score another": (put("result", "score", SCORE + 1), None, f"score is {SCORE + 1} in the result"),
    "score as text": (put("result", "score", str(SCORE)), None, "score is"),
    # What Python hides: there True == 1, in a record not.
    "seat of a trace as truth": (put("trace", 0, "seat", False), 1, "is false in the trace"),
    "closed of a trace as a number": (put("trace", 0, "fields", 0, "closed", 0), 1, "fields"),
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
    """Vectors have no seed and no version; a trace is an addition."""
    record = deepcopy(GOOD)
    del record[absent]
    assert follow(record).over


def test_the_edition_is_part_of_the_rules() -> None:
    record = deepcopy(GOOD)
    record["options"]["edition"] = "classic"
    assert difference(record)[0] == 1


@pytest.mark.parametrize("number", range(0, LENGTH, 7))
def test_a_cut_trace_or_move_is_found_at_its_place(number: int) -> None:
    record = deepcopy(GOOD)
    record["trace"][number]["turn"] += 1
    record["trace"][-1]["turn"] = -1
    assert difference(record)[0] == number + 1
    record = deepcopy(GOOD)
    record["moves"][number][1] = "decline" if "decline" not in record["trace"][number]["legal"] else "pass"
    assert difference(record)[0] == number + 1


# ---------------------------------------------------------------- ends at a real table


@pytest.mark.parametrize("reason", TABLE_REASONS)
@pytest.mark.parametrize("winner", [0, 1, None])
@pytest.mark.parametrize("moves", [0, 1, 10])
def test_an_end_that_the_players_decide_is_accepted(reason: str, winner: int | None, moves: int) -> None:
    record = deepcopy(GOOD)
    end_early(moves)(record)
    lead = GOOD["trace"][moves]["lead"]
    record["result"] = {"winner": winner, "reason": reason, "score": lead}
    assert follow(record).result is None


@pytest.mark.parametrize(
    ("key", "value", "part"),
    [
        ("score", 4, "score is 4 in the result"),
        ("winner", 2, "winner"),
        ("winner", True, "winner"),
        ("winner", "0", "winner"),
        ("reason", "boredom", "the moves end before the game does"),
        ("reason", "lead", "the moves end before the game does"),
    ],
)
def test_an_end_that_the_players_decide_is_checked(key: str, value: Any, part: str) -> None:
    record = deepcopy(GOOD)
    end_early(4)(record)
    record["result"] = {"winner": 0, "reason": "resignation", "score": GOOD["trace"][4]["lead"], key: value}
    move, sentence = difference(record)
    assert move is None
    assert part in sentence


def test_a_played_match_writes_the_record_it_was_followed_from() -> None:
    import numpy as np

    match = play_one(Madness(), BOTS, "0" * 32, np.array([1, 2], np.uint64), trace=True)
    assert follow(match.record()).record()["moves"] == match.record()["moves"]
