"""Records of every game: written, followed, refused with the first difference; games that others traced."""

import json
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from coyote.games.game import Game, Json
from coyote.lab.series import series
from coyote.lab.simulate import count, records, summary
from coyote.match import Match
from coyote.records import TABLE_REASONS, Difference, follow, record_line, same
from coyote.text import LANGUAGES
from kit.corruptions import (
    GARBAGE,
    WRONG,
    cut,
    difference,
    dotted,
    end_early,
    fresh,
    good_record,
    paths,
    place_of,
    put,
)
from kit.subject import Subject, act, play_match
from kit.subjects import SUBJECTS

VECTORS = Path(__file__).parent / "data" / "vectors"
RANDOM = ["random", "random"]

pytestmark = pytest.mark.usefixtures("third_game")
each_game = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)


# ---------------------------------------------------------------- form


@each_game
@pytest.mark.parametrize("trace", [False, True])
def test_a_record_has_the_fields_of_the_format(subject: Subject, trace: bool) -> None:
    for number, (game, setup) in enumerate(subject.series()):
        for record in records(game, setup, RANDOM, 4, f"fields {number}", trace):
            fields = ["format", "game", "rules", "options", "seed", "players", *game.DEAL_KEYS]
            fields += [*game.record_chance([]), "moves", "result"]
            assert list(record) == fields + ["trace"] * trace
            assert record["format"] == "coyote-record/1"
            assert (record["game"], record["rules"]) == (game.name, game.RULES[-1])
            assert record["options"] == game.options and record["players"] == RANDOM
            assert re.fullmatch("[0-9a-f]{32}", record["seed"])
            assert all(seat in (0, 1) and isinstance(move, str) for seat, move in record["moves"])
            assert set(record["result"]) == {"winner", "reason", "score"}
            assert json.loads(record_line(record)) == record
            subject.check_deal(record)
            for entry in record.get("trace", []):
                assert tuple(entry) == subject.trace_keys and entry["legal"] == sorted(entry["legal"])
                subject.check_situation(entry)


@each_game
def test_a_line_is_one_line_of_plain_utf8(subject: Subject) -> None:
    match = Match(subject.name, seed="a", players=["Анна", "new\nline"])
    line = record_line(match.record())
    assert line.count("\n") == 1 and line.endswith("\n") and "Анна" in line


@each_game
def test_an_unfinished_match_has_no_result_and_a_match_from_a_position_no_record(subject: Subject) -> None:
    match = Match(subject.name, seed="a")
    for seat in match.actors:
        match.play(match.legal(seat)[0], seat)
    assert match.record()["result"] is None and match.record()["moves"] == [list(m) for m in match.moves]
    with pytest.raises(ValueError, match="no deal"):
        Match.from_position(match.position()).record()


@each_game
def test_the_same_series_gives_the_same_lines(subject: Subject) -> None:
    for game, setup in subject.series():

        def lines(games: int, seed: str = "lines", trace: bool = True) -> list[str]:
            return [record_line(r) for r in records(game, setup, RANDOM, games, seed, trace)]  # noqa: B023

        first = lines(12)
        assert first == lines(12) and len(set(first)) == 12
        assert first[:5] == lines(5) and first != lines(12, "other")
        bare = [{k: v for k, v in json.loads(line).items() if k != "trace"} for line in first]
        assert bare == [json.loads(line) for line in lines(12, trace=False)], "a trace changes nothing else"


@each_game
def test_counted_games_are_the_recorded_games(subject: Subject) -> None:
    """`simulate` without records plays the same games as with them."""
    for game, setup in subject.series():
        games = 60
        told = summary(game, count(game, setup, games, "both ways", lambda done: None))
        kept = list(records(game, setup, RANDOM, games, "both ways"))
        results = [record["result"] for record in kept]
        assert told["games"] == games
        wins = [sum(result["winner"] == seat for result in results) for seat in (0, 1, None)]
        assert [*(share["games"] for share in told["wins"]), told["draws"]["games"]] == wins
        assert told["ends"] == {r: sum(result["reason"] == r for result in results) for r in game.REASONS}
        assert told["decisions"] == sum(len(record["moves"]) for record in kept)
        matches = [follow(record) for record in kept]
        points: dict[str, list[int]] = {source: [0, 0] for source in game.SOURCES}
        for match in matches:
            for source, pair in subject.points(game, match.events()).items():
                points[source] = [a + b for a, b in zip(points[source], pair, strict=True)]
        assert told["points"] == points
        turns = sorted(match.turn for match in matches)
        assert told["turns"]["mean"] == pytest.approx(sum(turns) / games)
        told_turns = [told["turns"][which] for which in ("least", "median", "most")]
        assert told_turns == [turns[0], turns[(games - 1) // 2], turns[-1]]


@each_game
def test_a_game_can_be_counted_in_python_just_as_well(subject: Subject) -> None:
    """The loop that a game has for itself gives what the plain one in `Game` gives."""
    for game, setup in subject.series():
        source = series("plain")
        own = game.random_games(setup, source, 3, 20)
        assert Game.random_games(game, setup, source, 3, 20).tobytes() == own.tobytes()
        parts = [game.random_games(setup, source, 3 + 5 * k, 5) for k in range(4)]
        assert all((sum(part[name] for part in parts) == own[name]).all() for name in own.dtype.names)


@each_game
@pytest.mark.parametrize("kind", WRONG)
def test_the_first_difference_is_named_with_its_place(subject: Subject, kind: str) -> None:
    wrong, record = WRONG[kind], fresh(subject)
    n, rules = len(record["moves"]), ", ".join(map(str, subject.kind.RULES))
    wrong.change(record)
    move, sentence = difference(record)
    assert wrong.part.format(n=n, rules=rules) in sentence if "{" in wrong.part else wrong.part in sentence
    assert move == (n + 1 if wrong.move == -1 else wrong.move)


@each_game
def test_every_place_of_a_record_is_looked_at(subject: Subject) -> None:
    """Nonsense anywhere: it is refused, or the record still tells of the same game; nothing else happens."""
    good, dice = good_record(subject), Random("places")
    told = {key: value for key, value in good.items() if key not in ("trace", "seed", "rules")}
    for path in paths(good, 2):
        for wrong in (*dice.sample(GARBAGE, 2), ...):
            if wrong is not ... and same(place_of(good, path), wrong):
                continue
            record = fresh(subject)
            (cut(*path) if wrong is ... else put(*path, wrong))(record)
            try:
                followed = follow(record).record()
            except Difference as error:
                assert all(error.message(lang) for lang in LANGUAGES)
            else:
                if dotted(path) not in subject.free_text:
                    assert {key: followed[key] for key in told} == told, (path, wrong)


@each_game
def test_each_part_of_deal_and_trace_is_refused_with_its_rule(subject: Subject) -> None:
    kind = subject.kind
    for key in kind.DEAL_KEYS:
        for change in (cut(key), put(key, None), put(key, 7), put(key, [])):
            record = fresh(subject)
            change(record)
            move, sentence = difference(record)
            assert move is None and re.search(rf"\({kind.LETTER}\d+\)$", sentence), sentence
    for key in subject.trace_keys:
        for change in (cut("trace", 1, key), put("trace", 1, key, None), put("trace", 1, key, ["?"])):
            record = fresh(subject)
            change(record)
            if key == "discard" and record["trace"][1].get(key, 0) is None:
                continue  # that is what it was
            move, sentence = difference(record)
            assert move == 2 and key in sentence and re.search(rf"\({kind.LETTER}\d+\)$", sentence), sentence


@each_game
def test_the_first_of_several_differences_is_named(subject: Subject) -> None:
    for number in range(0, len(good_record(subject)["moves"]), 7):
        record = fresh(subject)
        record["trace"][number]["turn"] += 1
        record["trace"][-1]["turn"] = -1
        assert difference(record)[0] == number + 1
        record = fresh(subject)
        record["moves"][number][1] = "castle"
        assert difference(record)[0] == number + 1


@each_game
def test_every_version_of_the_rules_is_followed_by_itself_and_no_other_one(subject: Subject) -> None:
    for version in subject.kind.RULES:
        record = play_match(subject, *subject.table(Random(version), version), version).record()
        assert record["rules"] == version
        match = follow(record)
        assert match.game.rules_version == version
        if version == 1:  # the first records had no version
            assert follow({key: value for key, value in record.items() if key != "rules"}).game == match.game
    with pytest.raises(ValueError, match="version 99"):
        subject.kind(rules=99)


@each_game
@pytest.mark.parametrize("reason", TABLE_REASONS)
def test_an_end_that_the_players_decide_is_accepted_and_checked(subject: Subject, reason: str) -> None:
    for turns in (0, 1, 3):
        record = unfinished(subject, turns, reason)
        for winner in (0, 1, None):
            record["result"]["winner"] = winner
            assert follow(record).result is None
        wrong = [("winner", 2), ("winner", True), ("winner", "0"), ("score", 777), ("score", None)]
        for key, value in wrong:
            move, sentence = difference({**record, "result": {**record["result"], key: value}})
            assert move is None and key in sentence
        for other in ("boredom", *subject.kind.REASONS, None):
            move, sentence = difference({**record, "result": {**record["result"], "reason": other}})
            assert move is None and "the moves end before the game does" in sentence


def unfinished(subject: Subject, turns: int, reason: str) -> Json:
    """The good record after so many turns of choices."""
    good = good_record(subject)
    match = Match.from_record(good)
    moves = 0
    for _ in range(turns):
        for _ in match.actors:
            seat, move = good["moves"][moves]
            match.play(move, seat)
            moves += 1
    record = {**fresh(subject), **match.record()}
    record["trace"] = record["trace"][:moves]
    record["result"] = {"winner": 0, "reason": reason, "score": match.score}
    return record


@each_game
def test_a_real_end_is_no_end_that_players_decide(subject: Subject) -> None:
    record = fresh(subject)
    end_early(2)(record)
    record["result"]["reason"] = "agreement"
    assert difference(record)


# ---------------------------------------------------------------- games traced by others


@cache
def vectors(file: str) -> list[Json]:
    return [json.loads(line) for line in (VECTORS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()]


TRACED = [
    pytest.param(subject, file, number, id=f"{file}-{number}")
    for subject in SUBJECTS.values()
    for file, games in subject.vectors.items()
    for number in range(games)
]
each_traced = pytest.mark.parametrize(("subject", "file", "number"), TRACED)


def test_every_file_of_traced_games_is_followed_and_whole() -> None:
    listed = {file: n for subject in SUBJECTS.values() for file, n in subject.vectors.items()}
    assert {path.stem: len(vectors(path.stem)) for path in VECTORS.glob("*.jsonl")} == listed
    for file in listed:
        assert all(len(record["trace"]) == len(record["moves"]) for record in vectors(file))
        assert all("seed" not in record for record in vectors(file))


@each_traced
def test_followed_as_a_record(subject: Subject, file: str, number: int) -> None:
    """`follow` compares every trace entry and the result; so it is done here once more, plainly."""
    record = vectors(file)[number]
    match = follow(record)
    assert match.moves == [tuple(move) for move in record["moves"]]
    assert match.result is not None and match.result.as_json() == record["result"]
    again = Match.from_record(record)
    again.trace()
    for seat, move in record["moves"]:
        again.play(move, seat)
    written = again.record()
    made = ["trace", *subject.kind.DEAL_KEYS, *again.game.record_chance([])]
    assert {key: written[key] for key in made} == {key: record[key] for key in made}


@each_traced
def test_the_other_seat_may_choose_first(subject: Subject, file: str, number: int) -> None:
    record = vectors(file)[number]
    match, moves = Match.from_record(record), list(record["moves"])
    while match.actors:
        turn = [moves.pop(0) for _ in match.actors]
        for seat, move in reversed(turn):
            match.play(move, seat)
    assert match.record()["moves"] == record["moves"]
    assert match.result is not None and match.result.as_json() == record["result"]
    match.check_chance(at_end=True)


@each_traced
def test_followed_by_the_slow_reading(subject: Subject, file: str, number: int) -> None:
    subject.follow_slowly(vectors(file)[number])


@each_traced
def test_followed_from_position_to_position(subject: Subject, file: str, number: int) -> None:
    """Every choice is made at a table that was read anew from the line of the one before."""
    record = vectors(file)[number]
    match = Match.from_record(record)
    line = match.position()
    for (seat, move), situation in zip(record["moves"], record["trace"], strict=True):
        game, _, s = subject.at_position(match.game, line)
        assert game.position(s) == line
        legal = sorted(map(game.move_text, game.legal(s, seat)))
        assert game.situation(s, seat, legal) == situation
        seen = len(match.rows)
        match.play(move, seat)
        action = game.read_move(move)
        assert action is not None
        rows = act(game, s, seat, action, subject.known_chance(match.game, match.rows[seen:]))
        assert rows == match.rows[seen:]
        line = game.position(s)
    game, _, end = subject.at_position(match.game, line)
    result = game.result(end)
    assert result is not None and result.as_json() == record["result"]
