"""The copy of a bot learns to beat it, and is that very bot before it has learned."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coyote.bots.names import make_bot
from coyote.games.registry import make_game
from coyote.questions import Question

FOLDER = Path(__file__).parents[2] / "examples" / "envs"
REDUCED = {"fields": 2, "hand": 3, "goal": 2}


@pytest.fixture(scope="module")
def best_response() -> Iterator[Any]:
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("best_response")
    sys.path.remove(str(FOLDER))


@pytest.mark.parametrize("name", ["madness", "duel"])
def test_it_begins_as_an_exact_copy(best_response: Any, name: str) -> None:
    game = make_game(name)
    attacker = best_response.Attacker(game, "greedy", (), "begins", 8)
    net = best_response.Cloned(attacker.batch, 1)
    for _ in range(5):
        chosen = net.best(*attacker.seen)
        for place, action in enumerate(chosen.tolist()):
            seat = int(attacker.against.mine[place])
            view = game.view(attacker.batch.states[place], seat)
            bot = make_bot("greedy", game, f"copy begins {place}")
            move = bot.answer(Question(view, seat, game.legal(view, seat))).action
            assert action == attacker.batch.features.action(view, seat, move)
        attacker.step(chosen)


def test_it_learns_to_beat_a_weak_one(best_response: Any) -> None:
    game = make_game("madness", **REDUCED)
    told: list[dict[str, Any]] = []
    _, result = best_response.attack(
        game, "random", minutes=5, decisions=40_000, games=300, places=64, rate=4e-3,
        tell=lambda **found: told.append(found),
    )  # fmt: skip
    assert result.low > 0.5
    assert told[-1]["mean"] == result.mean
    assert np.isfinite(result.mean)
