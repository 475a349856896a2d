"""What a best answer wins against a bot: two ways of computing it agree, and it tells weak from strong."""

from typing import Any

import numpy as np
import pyspiel
import pytest

import coyote.envs  # noqa: F401 - registers the games
from coyote.envs.exact import Policies, Tree, as_spiel, ask, walk

TINY = {"madness": "coyote_madness(preset=tiny)", "duel": "coyote_duel(preset=tiny,dynamics=sequential)"}


@pytest.fixture(scope="module", params=TINY.values(), ids=list(TINY))
def both(request: pytest.FixtureRequest) -> tuple[Tree, Any]:
    """The game as we walk it, and as OpenSpiel does."""
    game = pyspiel.load_game(request.param)
    return walk(game), pyspiel.convert_to_cached_tree(game)


def of_spiel(tree: Tree, policy: Any) -> Policies:
    """A policy of OpenSpiel's, as ours."""
    first, second = (
        np.array(
            [
                1.0,
                *(
                    dict(policy.get_state_policy(key))[action]
                    for key, legal in zip(seat.keys, seat.legal, strict=True)
                    for action in legal
                ),
            ]
        )
        for seat in tree.seats
    )
    return first, second


def test_a_solved_policy_loses_nothing_and_any_moves_lose_much(both: tuple[Tree, Any]) -> None:
    tree, game = both
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    solved, uniform = of_spiel(tree, solver.average_policy()), tree.uniform()
    assert -1e-9 < tree.exploitability(solved) < 0.003
    assert tree.exploitability(uniform) > 0.4
    for policies in (solved, uniform):
        assert tree.exploitability(policies) == pytest.approx(
            pyspiel.exploitability(game, as_spiel(tree, policies)), abs=1e-9
        )
        theirs = pyspiel.expected_returns(game.new_initial_state(), as_spiel(tree, policies), -1, True)
        assert tree.value(policies) == pytest.approx(theirs[0], abs=1e-9)


def test_a_bot_is_asked_in_every_situation(both: tuple[Tree, Any]) -> None:
    tree, game = both
    policies = ask(tree, "level:3", 4)
    for seat, policy in zip(tree.seats, policies, strict=True):
        sums = [policy[own].sum() for _, own in seat.slices()]
        assert np.allclose(sums, 1)
        assert set(np.unique(policy)) <= {0, 0.25, 0.5, 0.75, 1}  # shares of four seeds
    found = tree.exploitability(policies)
    assert -1e-9 < found < tree.exploitability(tree.uniform())
    assert found == pytest.approx(pyspiel.exploitability(game, as_spiel(tree, policies)), abs=1e-9)


def test_a_search_is_harder_to_exploit_than_a_level_that_errs() -> None:
    """Of searches the shortest one is perfect here already."""
    tree = walk(pyspiel.load_game(TINY["duel"]))
    few, many = (tree.exploitability(ask(tree, bot, 4)) for bot in ("level:5", "search:300"))
    assert many < few / 2
