"""A reduced game solved by OpenSpiel: CFR+ in C++, and how far from an equilibrium its answer is, exactly.

python examples/envs/solve.py "coyote_madness(preset=tiny)" --iterations 1000
"""

import argparse
import json
from typing import Any

import pyspiel

import coyote.envs  # noqa: F401 - registers the games


def solve(name: str, iterations: int) -> tuple[Any, Any]:
    """The game as OpenSpiel's solvers take it, and the policy found; lines of JSON say how it goes.

    The game is walked once and kept as a tree: our rules are asked no more, and iterations take C++'s time.
    """
    game = pyspiel.convert_to_cached_tree(pyspiel.load_game(name))
    solver = pyspiel.CFRPlusSolver(game)
    check = 1
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration in (check, iterations):
            check *= 2
            tell(game, solver.average_policy(), iteration)
    return game, solver.average_policy()


def tell(game: Any, policy: Any, iteration: int) -> None:
    """Exploitability is what a best answer wins against the policy, on average of both seats."""
    exploitability = pyspiel.exploitability(game, policy)
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    print(json.dumps({"iteration": iteration, "exploitability": exploitability, "value": value}), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="coyote_madness(preset=tiny)")
    parser.add_argument("--iterations", type=int, default=1000)
    given = parser.parse_args()
    solve(given.game, given.iterations)
