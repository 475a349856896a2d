"""The 36 traced duels of an independent reading, followed exactly in several ways."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from coyote.games.duel.game import Duel
from coyote.games.duel.records import read_chance, read_frame
from coyote.match import Match
from coyote.records import follow
from duel.kit_duel import Table
from kit.slow_duel import follow as follow_slowly

FILE = Path(__file__).parent.parent / "data" / "vectors" / "duel.jsonl"
VECTORS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
each = pytest.mark.parametrize("number", range(36))


def test_there_are_36_duels_over_six_sets() -> None:
    assert len(VECTORS) == 36
    assert Counter(record["set"]["name"] for record in VECTORS) == {f"made-{i}": 6 for i in range(6)}
    assert all(len(record["trace"]) == len(record["moves"]) for record in VECTORS)
    assert all("seed" not in record for record in VECTORS)


@each
def test_followed_as_a_record(number: int) -> None:
    """`follow` compares every trace entry and the result; so it is done here once more, plainly."""
    record = VECTORS[number]
    match = follow(record)
    assert match.moves == [tuple(move) for move in record["moves"]]
    assert match.result is not None
    assert match.result.as_json() == record["result"]
    again = Match.from_record(record)
    again.trace()
    for seat, move in record["moves"]:
        again.play(move, seat)
    assert again.record()["trace"] == record["trace"]
    assert again.record()["chance"] == record["chance"]
    assert again.record()["decks"] == record["decks"]


@each
def test_the_other_seat_may_choose_first(number: int) -> None:
    record = VECTORS[number]
    match = Match.from_record(record)
    moves = record["moves"]
    for first, second in zip(moves[::2], moves[1::2], strict=True):
        match.play(second[1], second[0])
        match.play(first[1], first[0])
    assert match.record()["moves"] == moves
    assert match.record()["chance"] == record["chance"]
    assert match.result is not None and match.result.as_json() == record["result"]


@each
def test_followed_by_the_slow_reading(number: int) -> None:
    follow_slowly(VECTORS[number])


@each
def test_followed_from_position_to_position(number: int) -> None:
    """Every choice is made at a table that was read anew from the line of the one before."""
    record = VECTORS[number]
    card_set, _ = read_frame(record)
    line, used = Match.from_record(record).position(), 0
    for (seat, move), situation in zip(record["moves"], record["trace"], strict=True):
        game, s = Duel.at_position(line, card_set)
        assert isinstance(game, Duel)
        game.luck = read_chance({"chance": record["chance"][used:]}, game.kinds)
        table = Table(game, s)
        assert game.position(s) == line
        legal = sorted(map(game.move_text, game.legal(s, seat)))
        assert game.situation(s, seat, legal) == situation
        table.choose(seat, move.removeprefix("play "))
        used += len(table.decided())
        line = game.position(s)
    assert used == len(record["chance"])
    _, end = Duel.at_position(line, card_set)
    result = game.result(end)
    assert result is not None and result.as_json() == record["result"]
