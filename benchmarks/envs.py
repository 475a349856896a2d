"""Decisions a second on one core: `Batch` beside the bare rules, and beside what others have, in one run.

    python benchmarks/envs.py [ROUNDS]

Everybody plays at random, one after the other in each round, so that a busy machine slows all of them; what
counts is the time of the processor. Pgx, which needs JAX, and PettingZoo's own classic games, which need
`pettingzoo[classic]`, are measured where they are installed.
"""

import importlib
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from coyote.envs import Batch
from coyote.games.registry import GAMES
from coyote.kernel.dice import roll
from coyote.kernel.jit import rule
from coyote.lab.series import series

SECONDS = 0.6  # of each measurement
SIZES = (1, 64, 256, 1024)
PGX = {"leduc_holdem": (256, 1024, 4096)}
CLASSIC = ("leduc_holdem_v4", "texas_holdem_v4", "connect_four_v3", "tictactoe_v3", "rps_v2")
OURS = ("madness_v1", "duel_v1")

Measure = Callable[[], float]  # decisions a second


@rule
def choose(mask, dice, actions):  # type: ignore[no-untyped-def]
    """For each row any action that is legal, each as likely as another."""
    for row in range(len(mask)):
        legal = 0
        for action in range(mask.shape[1]):
            legal += mask[row, action]
        left = roll(dice, 0, legal)
        for action in range(mask.shape[1]):
            if mask[row, action]:
                if left == 0:
                    actions[row] = action
                left -= 1


def repeated(step: Callable[[], tuple[int, float]]) -> float:
    """Steps until the time is over; each gives how many decisions it made and how long they took."""
    decisions, seconds, end = 0, 0.0, time.process_time() + SECONDS
    while time.process_time() < end:
        made, took = step()
        decisions += made
        seconds += took
    return decisions / seconds


def bare(name: str) -> Measure:
    """The rules alone: whole random games in one compiled loop, nothing is shown."""
    game = GAMES[name]()
    setup, source, number = game.settle(), series("bench"), 0

    def step() -> tuple[int, float]:
        nonlocal number
        start = time.process_time()
        tally = game.random_games(setup, source, number, 500, False)
        number += 500
        return int(tally.decisions), time.process_time() - start

    return lambda: repeated(step)


def batch(name: str, n: int) -> Measure:
    """Steps with observation, mask, reward and autoreset; who chooses is not counted."""
    games, dice = Batch(name, n, seed="bench"), np.array([1, 2], np.uint64)
    actions = np.zeros(games.rows, np.int64)
    games.step(games.mask.argmax(axis=1))

    def step() -> tuple[int, float]:
        took = 0.0
        for _ in range(1 + 1000 // n):
            choose(games.mask, dice, actions)
            start = time.process_time()
            games.step(actions)
            took += time.process_time() - start
        return games.rows * (1 + 1000 // n), took

    return lambda: repeated(step)


def pgx_game(name: str, n: int) -> Measure:
    """Pgx's steps with observation, mask and autoreset; who chooses is not counted."""
    jax, pgx = importlib.import_module("jax"), importlib.import_module("pgx")
    from pgx.experimental import auto_reset  # type: ignore[import-not-found,unused-ignore]

    env = pgx.make(name)
    step_all = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    logits = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e9)))
    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, n))

    def step() -> tuple[int, float]:
        nonlocal key, state
        key, mine, theirs = jax.random.split(key, 3)
        actions = logits(mine, state.legal_action_mask).block_until_ready()
        keys = jax.random.split(theirs, n).block_until_ready()
        start = time.process_time()
        state = jax.block_until_ready(step_all(state, actions, keys))
        return n, time.process_time() - start

    step()
    return lambda: repeated(step)


def classic(module: str) -> Measure:
    """An AEC environment of PettingZoo's kind, asked and stepped as their own benchmark does it."""
    env: Any = importlib.import_module(module).env()
    env.reset(seed=1)

    def step() -> tuple[int, float]:
        start = time.process_time()
        for _ in range(50):
            observation, _, ended, cut, info = env.last()
            if ended or cut:
                env.reset()
                continue
            space = env.action_space(env.agent_selection)
            masked = observation if isinstance(observation, dict) else info
            env.step(space.sample(masked.get("action_mask")))
        return 50, time.process_time() - start

    return lambda: repeated(step)


def all_measures() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for name in GAMES:
        found[f"{name}: bare rules"] = bare(name)
        for n in SIZES:
            found[f"{name}: Batch of {n:,}"] = batch(name, n)
    for name, sizes in PGX.items():
        for n in sizes:
            add(found, f"Pgx {name}, batch of {n:,}", partial(pgx_game, name, n))
    for name in CLASSIC:
        add(found, f"PettingZoo {name}", partial(classic, f"pettingzoo.classic.{name}"))
    for name in OURS:
        add(found, f"coyote.envs.{name} (AEC)", partial(classic, f"coyote.envs.{name}"))
    return found


def add(found: dict[str, Measure], name: str, make: Callable[[], Measure]) -> None:
    try:
        found[name] = make()
    except (ImportError, AttributeError) as error:
        print(f"{name}: not measured: {error}")


def main(rounds: int) -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core, also for libraries with threads
    warnings.simplefilter("ignore")
    measures = all_measures()
    speeds: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            speeds[name].append(measure())
    for name, found in speeds.items():
        print(
            f"{name:36} {statistics.median(found):13,.0f} a second ({min(found):,.0f} to {max(found):,.0f})"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
