"""The 72 traced Madness games of an independent reading, followed exactly in three ways."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from coyote.games.madness.game import Madness
from coyote.match import Match
from coyote.records import follow
from kit.play import EDITIONS
from kit.slow_madness import follow as follow_slowly

FOLDER = Path(__file__).parent / "data" / "vectors"
VECTORS: dict[str, list[dict[str, Any]]] = {
    edition: [json.loads(line) for line in (FOLDER / f"madness-{edition}.jsonl").read_text().splitlines()]
    for edition in EDITIONS
}
EACH = [(edition, number) for edition in EDITIONS for number in range(36)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_are_36_games_of_each_edition_with_every_ending(edition: str) -> None:
    games = VECTORS[edition]
    assert len(games) == 36
    assert all(game["options"] == {"edition": edition} for game in games)
    ends = Counter(game["result"]["reason"] for game in games)
    assert set(ends) == set(Madness.REASONS), ends
    assert all(len(game["trace"]) == len(game["moves"]) for game in games)


@pytest.mark.parametrize(("edition", "number"), EACH)
def test_followed_as_a_record(edition: str, number: int) -> None:
    """`follow` compares every trace entry and the result; so it is done here once more, plainly."""
    record = VECTORS[edition][number]
    match = follow(record)
    assert match.moves == [tuple(move) for move in record["moves"]]
    assert match.result is not None
    assert match.result.as_json() == record["result"]
    again = Match.from_record(record)
    again.trace()
    for seat, move in record["moves"]:
        again.play(move, seat)
    assert again.record()["trace"] == record["trace"]


@pytest.mark.parametrize(("edition", "number"), EACH)
def test_followed_by_the_slow_reading(edition: str, number: int) -> None:
    follow_slowly(VECTORS[edition][number])


@pytest.mark.parametrize(("edition", "number"), EACH)
def test_followed_from_position_to_position(edition: str, number: int) -> None:
    """Every move is made in a match that was read anew from the line of the one before."""
    record = VECTORS[edition][number]
    line = Match.from_record(record).position()
    for (seat, move), situation in zip(record["moves"], record["trace"], strict=True):
        match = Match.from_position(line)
        assert match.position() == line
        assert match.situation() == situation
        match.play(move, seat)
        line = match.position()
    end = Match.from_position(line)
    assert end.over and end.result is not None
    assert end.result.as_json() == record["result"]
