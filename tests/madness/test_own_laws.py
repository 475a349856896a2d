"""Laws of Madness alone; those of every game are in `kit.conformance`."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coyote.games.events import Event
from coyote.games.game import Chance, Result
from coyote.games.madness.game import Madness
from coyote.games.madness.notation import ACTIONS, MOVES, read_move
from coyote.kernel.events import new_log, take_rows
from coyote.lab.series import series
from coyote.lab.simulate import GAMES_AT_ONCE, count
from kit.play import mirrored, mirrored_row
from kit.subject import Play, act, plays, state_bytes
from kit.subjects import SUBJECTS

FEW = settings(deadline=None, derandomize=True, max_examples=15, suppress_health_check=list(HealthCheck))
PLAYS = plays(SUBJECTS["madness"])
VECTORS = Path(__file__).parent.parent / "data" / "vectors"


def heard(game: Any, rows: list[list[int]], seat: int) -> list[Event]:
    return [game.event(row, seat) for row in rows]


@FEW
@given(play=PLAYS)
def test_whoever_moves_hears_the_same_whatever_is_hidden(play: Play) -> None:
    """But for the card that comes from the deck."""
    game = play.game
    for number, step in enumerate(play.steps):
        other = game.imagine(game.view(step.before, step.seat), step.seat, play.other_words(number))
        rows = act(game, other, step.seat, step.action, Chance())
        stories = [heard(game, found, step.seat) for found in (step.rows, rows)]
        here, there = (
            [replace(event, values={}) if event.kind in ("draw", "push") else event for event in story]
            for story in stories
        )
        assert here == there


@FEW
@given(play=PLAYS)
def test_the_other_seat_hears_and_sees_the_same_whatever_is_drawn(play: Play) -> None:
    """Change only the hand and the deck of the mover, keep the card played."""
    game = play.game
    for number, step in enumerate(play.steps):
        watcher = 1 - step.seat
        other = game.imagine(game.view(step.before, watcher), watcher, play.other_words(number))
        if step.action not in game.legal(other, step.seat) or MOVES[step.action] == "push":
            continue
        rows = act(game, other, step.seat, step.action, Chance())
        assert heard(game, rows, watcher) == heard(game, step.rows, watcher)
        for viewer in (watcher, -1):
            assert game.view(step.after, viewer).tobytes() == game.view(other, viewer).tobytes()


@FEW
@given(play=PLAYS)
def test_legal_moves_are_in_rising_order(play: Play) -> None:
    assert all(step.legal == sorted(step.legal) for step in play.steps)


def mirrored_result(result: Result | None) -> Result | None:
    if result is None:
        return None
    winner = None if result.winner is None else 1 - result.winner
    return Result(winner, result.reason, -result.score)


@FEW
@given(play=PLAYS, start=st.integers(0, 40))
def test_mirrored_seats_give_the_mirrored_game(play: Play, start: int) -> None:
    """From any state on: exchange the seats, play the same actions, and all comes out exchanged."""
    game = play.game
    played = play.steps[min(start, len(play.steps) - 1) :]
    glass, log = mirrored(played[0].before), new_log()
    assert state_bytes(mirrored(glass)) == state_bytes(played[0].before)
    for step in played:
        assert game.legal(glass, 1 - step.seat) == step.legal
        game.act(glass, 1 - step.seat, step.action, log, Chance())
        assert state_bytes(glass) == state_bytes(mirrored(step.after))
        assert take_rows(log) == [mirrored_row(row) for row in step.rows]
        assert game.result(glass) == mirrored_result(game.result(step.after))
        for seat in (0, 1):
            theirs = mirrored(game.view(step.after, 1 - seat))
            assert state_bytes(game.view(glass, seat)) == state_bytes(theirs)


def test_moves_may_be_written_without_spaces() -> None:
    for action, text in enumerate(MOVES):
        assert read_move(text.replace(" ", "")) == action == ACTIONS[text]


def test_counting_in_parts_is_counting_at_once() -> None:
    """More games than one compiled call plays, on several threads, against one long call."""
    game, games = Madness(), 2 * GAMES_AT_ONCE + 5000
    total = count(game, game.settle(), games, "parts", lambda done: None)
    assert total.tobytes() == game.random_games(game.settle(), series("parts"), 0, games).tobytes()


def test_bounds_checks_are_on_in_their_mode() -> None:
    """There is no card 54: there the look-up is refused, so a silent read of a neighbour cannot hide."""
    script = "from coyote.games.madness.cards import beats; beats(0, 54)"
    env = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "IndexError" in done.stderr


@pytest.mark.parametrize("edition", Madness.EDITIONS)
def test_the_traced_games_of_an_edition_end_in_every_way(edition: str) -> None:
    lines = (VECTORS / f"madness-{edition}.jsonl").read_text().splitlines()
    games = [json.loads(line) for line in lines]
    assert all(game["options"] == {"edition": edition} for game in games)
    assert set(Counter(game["result"]["reason"] for game in games)) == set(Madness.REASONS)


def test_m25_the_traced_games_with_house_rules_have_every_option() -> None:
    lines = (VECTORS / "madness-house.jsonl").read_text().splitlines()
    games = [json.loads(line)["options"] for line in lines]
    assert {name for options in games for name in options} == {
        "edition",
        *(option.name for option in Madness.OPTIONS),
    }
    assert all(len(options) > 1 for options in games)
