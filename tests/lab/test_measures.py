"""Measures: whole numbers from rows, the same however the games are cut, with honest intervals."""

import json

import numpy as np
import pytest

from coyote.games.game import Game
from coyote.games.registry import GAMES, make_game
from coyote.lab.measures import is_rare, measures, pack, ratio, sums, tally, unpack
from coyote.lab.play import play_games

N = 120


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> tuple[Game, np.ndarray]:
    game = make_game(request.param)
    return game, play_games(game, game.settle(), ["random", "random"], "measures", 0, N)


def test_measures_are_what_the_rows_say(played: tuple[Game, np.ndarray]) -> None:
    game, rows = played
    found = measures(game, [tally(game, rows)])
    winner = rows["winner"]
    assert found["games"] == N
    assert found["first_seat"]["mean"] == pytest.approx(np.mean((winner == 0) + 0.5 * (winner < 0)))
    assert found["draws"]["mean"] == pytest.approx(np.mean(winner < 0))
    assert sum(share["mean"] for share in found["ends"].values()) == pytest.approx(1)
    assert found["turns"]["mean"] == pytest.approx(rows["turns"].mean())
    assert found["turns"]["spread"] == pytest.approx(rows["turns"].std(ddof=1))
    assert found["turns"]["p10"] <= found["turns"]["median"] <= found["turns"]["p90"]
    assert found["choices"]["mean"] == pytest.approx(rows["choices"].sum() / rows["decisions"].sum())
    made = sum(move["a_game"]["mean"] for move in found["moves"].values())
    assert made == pytest.approx(rows["decisions"].sum() / N)
    decided = winner >= 0
    assert found["comebacks"]["mean"] == pytest.approx(np.mean(rows["behind"][decided] > 0))


def test_it_does_not_matter_how_games_are_cut(played: tuple[Game, np.ndarray]) -> None:
    """And pieces come back from JSON as they were."""
    game, rows = played
    pieces = [json.loads(json.dumps(tally(game, rows[first : first + 37]))) for first in range(0, N, 37)]
    assert measures(game, pieces) == measures(game, [tally(game, rows)])


def test_scores_are_packed_and_come_back() -> None:
    halves = np.random.default_rng(1).integers(0, 3, 1001)
    text = pack(halves)
    assert len(text) == 2 * 251
    assert unpack(text, 1001).tolist() == halves.tolist()


def test_the_interval_of_a_ratio_covers_the_truth() -> None:
    """Games with more decisions have more choices at each: the games are the trials, not the decisions."""
    chance, covered = np.random.default_rng(7), 0
    for _ in range(400):
        decisions = chance.integers(5, 40, 200)
        choices = (decisions * (2 + decisions / 20) + chance.normal(0, 5, 200)).astype(int)
        found = ratio(sums(choices, decisions))
        assert found is not None
        many = np.arange(5, 40)
        truth = (many * (2 + many / 20)).sum() / many.sum() - 0.5 / many.mean()
        covered += found["low"] <= truth <= found["high"]
    assert 0.91 <= covered / 400 <= 0.98


def test_what_was_never_possible_is_not_measured_and_not_rare() -> None:
    never = np.zeros(5, int)
    assert ratio(sums(never, never)) is None
    assert not is_rare({"share": None})
    assert is_rare({"share": ratio(sums(never, np.ones(5, int)))})
