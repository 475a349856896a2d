"""The examples learn, solve and sit down at the table: each for a few seconds."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from coyote.bots.names import make_bot
from coyote.envs import Batch
from coyote.match import Match

UPDATES = 10
FOLDER = Path(__file__).parents[2] / "examples" / "envs"


@pytest.fixture(scope="module", autouse=True)
def in_their_folder() -> Iterator[None]:
    """As Python has it when they are started."""
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


def example(name: str) -> ModuleType:
    return importlib.import_module(name)


# ---------------------------------------------------------------- what they share


def loss(
    learner: Any, net: Any, obs: Any, mask: Any, action: Any, chance: Any, gain: Any, worth: Any
) -> float:
    """Written as the paper has it."""
    chances, value, _ = net.look(obs, mask)
    ratio = np.exp(chances[np.arange(len(obs)), action] - chance)
    cut = np.clip(ratio, 1 - learner.CLIP, 1 + learner.CLIP)
    entropy = -(np.exp(chances) * np.where(mask, chances, 0)).sum(axis=1)
    policy = -np.minimum(ratio * gain, cut * gain)
    return float((policy - learner.ENTROPY * entropy + learner.VALUE * (value - worth) ** 2 / 2).mean())


def test_gradients_are_those_of_the_loss() -> None:
    learner, rng = example("learner"), np.random.default_rng(1)
    net = learner.Net("madness", 1, np.ones(12), 9)
    net.weights = [w + rng.normal(0, 0.3, w.shape) for w in net.weights]  # in double precision
    mask = rng.random((6, 9)) < 0.6
    mask[:, 0] = True
    obs = rng.integers(0, 2, (6, 12))
    action, chance, _ = net.sample(obs, mask, rng)
    told = obs, mask, action, chance + rng.normal(0, 0.2, 6), rng.normal(0, 1, 6), rng.normal(0, 1, 6)
    small = 1e-5
    for weight, gradient in zip(net.weights, learner.loss_gradients(net, *told), strict=True):
        for at in rng.choice(weight.size, 4):
            place = np.unravel_index(at, weight.shape)
            was, around = weight[place], []
            for side in (small, -small):
                weight[place] = was + side
                around.append(loss(learner, net, *told))
            weight[place] = was
            assert (around[0] - around[1]) / (2 * small) == pytest.approx(gradient[place], abs=1e-5)


def test_what_is_good_for_the_next_seat_is_bad_for_this_one() -> None:
    """Two choices of seat 0, one of seat 1, who wins with it; then another game."""
    learner = example("learner")
    reward, turned = np.array([[0.0, 0, 1, 0], [1, -1, 1, 1]])[..., None]
    nothing = np.zeros((4, 1))
    done = np.array([False, False, True, False])[:, None]
    steps = learner.Steps(nothing, nothing, nothing, nothing, nothing, reward, done, turned)
    gain, worth = learner.advantages(steps, np.array([0.5]))
    less = learner.LAMBDA
    assert worth[:, 0] == pytest.approx([-(less**2), -less, 1, 0.5])
    assert np.array_equal(gain, worth)


def test_choices_are_as_likely_as_they_should_be() -> None:
    learner = example("learner")
    net = learner.Net("madness", 1, np.ones(3), 4)
    net.weights[-3][:] = np.log([1, 2, 3, 4])
    many = 20_000
    mask = np.tile(np.array([1, 1, 0, 1], np.int8), (many, 1))
    action, chance, _ = net.sample(np.zeros((many, 3)), mask, np.random.default_rng(1))
    shares = np.bincount(action, minlength=4) / many
    assert shares == pytest.approx(np.array([1, 2, 0, 4]) / 7, abs=0.015)  # four standard deviations
    assert np.exp(chance[action == 3]) == pytest.approx(4 / 7)


# ---------------------------------------------------------------- each of them


def test_self_play_learns_to_beat_chance() -> None:
    learner, self_play = example("learner"), example("self_play")
    batch, rng = Batch("madness", 64, seed="test"), np.random.default_rng(1)
    net = learner.Net("madness", 1, batch.features.most, batch.features.actions)
    before, _ = learner.score(net, "random", 512)
    for _ in range(UPDATES):
        learner.improve(net, *self_play.collect(net, batch, 32, rng), learner.RATE, rng)
    after, half = learner.score(net, "random", 512)
    assert after - 2 * half > max(before, 0.5)


def test_ppo_learns_to_beat_chance() -> None:
    learner, ppo = example("learner"), example("ppo")
    gymnasium = importlib.import_module("gymnasium")
    envs = gymnasium.make_vec("coyote/Madness-v1", num_envs=64, opponent="random", autoreset_mode="SameStep")
    rng, features = np.random.default_rng(1), Batch("madness", 1).features
    net = learner.Net("madness", 1, features.most, features.actions)
    before, _ = learner.score(net, "random", 512)
    collect = ppo.Collector(net, envs, 1, 32, rng)
    for _ in range(UPDATES):
        learner.improve(net, *collect(), learner.RATE, rng)
    after, half = learner.score(net, "random", 512)
    assert after - 2 * half > max(before, 0.5)


@pytest.mark.parametrize("game", ["madness", "duel"])
def test_they_tell_how_it_goes(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    quick: Any = {"n": 8, "steps": 4, "checks": 1, "check_games": 64}
    example("self_play").learn(game, 50, 1, **quick)
    example("ppo").learn(game, "random", 50, 1, **quick)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 4
    assert all(0 <= line[bot][0] <= 1 for line in lines for bot in ("random", "greedy"))
    assert [line["decisions"] for line in lines[:2]] == [0, 64]


def test_what_was_learned_sits_down(tmp_path: Path) -> None:
    """From the file, as a program, it plays what the network likes best."""
    learner, match = example("learner"), Match("madness", seed="1")
    features = Batch("madness", 1).features
    net = learner.Net("madness", features.version, features.most, features.actions, seed=5)
    net.weights[-4] *= 100  # so that it likes some moves much better than others
    net.save(tmp_path / "net.npz")
    script = FOLDER / "self_play.py"
    bot = make_bot(f"cmd:{sys.executable} {script} play {tmp_path / 'net.npz'}", match.game, "")
    try:
        for _ in range(12):
            (seat,) = match.actors
            obs, mask = features.observe(match, seat), features.mask(match, seat)
            move = bot.answer(match.question(seat)).action
            assert move == int(net.best(obs[None], mask[None])[0])
            match.play_action(move, seat)
    finally:
        bot.close()


@pytest.mark.parametrize(
    ("game", "value"),
    [("coyote_madness(preset=tiny)", 1 / 3), ("coyote_duel(preset=tiny,dynamics=sequential)", 0)],
)
def test_a_small_game_is_solved(game: str, value: float, capsys: pytest.CaptureFixture[str]) -> None:
    example("solve").solve(game, 64)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["iteration"] for line in lines] == [1, 2, 4, 8, 16, 32, 64]
    assert lines[-1]["exploitability"] < 0.001 < 0.1 < lines[0]["exploitability"]
    assert lines[-1]["value"] == pytest.approx(value, abs=0.001)
