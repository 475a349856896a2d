"""The types of the wire: the file is current, and what is told really has these shapes."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from coyote.games.duel.view_json import View as DuelView
from coyote.games.madness.view_json import View as MadnessView
from coyote.match import Match
from coyote.table import lessons, replays, rulebook, view_types

ROOT = Path(__file__).parents[2]
VIEWS: dict[str, Any] = {"madness": MadnessView, "duel": DuelView}
GAMES = [("madness", {"edition": "standard"}), ("madness", {"edition": "classic"}), ("duel", {})]


def test_the_file_is_current() -> None:
    """After a change of a message, a request or a view: python tools/make_types.py"""
    command = [sys.executable, str(ROOT / "tools" / "make_types.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def is_a(kind: Any, told: Any) -> None:
    """All keys of the shape are there, with such values, and no others."""
    tidy = msgspec.json.Encoder(order="sorted").encode
    assert tidy(msgspec.convert(told, kind)) == tidy(told)


def played(game: str, options: dict[str, Any], seed: int) -> Iterator[Match]:
    """A game at random, before every choice and after the last."""
    dice, match = Random(seed), Match(game, seed=str(seed), players=("Anna", "Boris"), **options)
    while not match.over:
        yield match
        for seat in list(match.actors):
            match.play(dice.choice(match.legal(seat)), seat)
    yield match


@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_views_and_events_are_as_their_types_say(game: str, options: dict[str, Any], seed: int) -> None:
    for match in played(game, options, seed):
        for seat in (-1, 0, 1):
            is_a(VIEWS[game], match.view_json(seat))
    for viewer in (0, 1, None):
        for event in match.events(viewer):
            is_a(view_types.EventJson, event.as_json())


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_records_and_replays_are_as_their_types_say(game: str, options: dict[str, Any]) -> None:
    *_, match = played(game, options, seed=7)
    record = match.record()
    is_a(view_types.GameRecord, record)
    for viewer in ("0", "1", "open"):
        is_a(view_types.Replay, replays.replay(record, viewer, "ru"))


@pytest.mark.parametrize("game", ["madness", "duel"])
def test_lessons_and_books_are_as_their_types_say(game: str) -> None:
    is_a(view_types.Lesson, lessons.lesson(game, "en"))
    is_a(view_types.Book, rulebook.book(game, "ru"))
    for step in lessons.lesson(game, "en")["steps"]:
        is_a(VIEWS[game], step["view"])
