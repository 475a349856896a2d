"""PPO on one seat of Gymnasium's environment, against a bot, in the manner of CleanRL and in plain NumPy.

python examples/envs/ppo.py madness --opponent greedy --out madness.npz
coyote match madness greedy "cmd:python examples/envs/self_play.py play madness.npz"
"""

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from learner import Floats, Net, Steps, train

from coyote.envs import features_of

ENVS, STEPS = 256, 32


class Collector:
    """Steps of all environments, again and again."""

    def __init__(self, net: Net, envs: Any, seed: int, steps: int, rng: np.random.Generator) -> None:
        self.net, self.envs, self.steps, self.rng = net, envs, steps, rng
        self.seen, _ = envs.reset(seed=seed)

    def __call__(self) -> tuple[Steps, Floats]:
        found = []
        for _ in range(self.steps):
            obs, mask = self.seen["observation"], self.seen["action_mask"]
            action, chance, value = self.net.sample(obs, mask, self.rng)
            self.seen, reward, done, _, _ = self.envs.step(action)
            found.append((obs, mask, action, chance, value, reward, done, np.ones(len(obs))))
        last = self.net.look(self.seen["observation"], self.seen["action_mask"])[1]
        return Steps(*map(np.stack, zip(*found, strict=True))), last


def learn(
    game: str, opponent: str, decisions: int, seed: int, n: int = ENVS, steps: int = STEPS, **checks: int
) -> Net:
    envs = gymnasium.make_vec(
        f"coyote/{game.title()}-v1", num_envs=n, opponent=opponent, autoreset_mode="SameStep"
    )
    features, rng = features_of(game), np.random.default_rng(seed)
    net = Net(game, features.version, features.most, features.actions, seed)
    train(net, Collector(net, envs, seed, steps, rng), decisions, rng, **checks)
    return net


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=["madness", "duel"])
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    net = learn(given.game, given.opponent, given.decisions, given.seed)
    if given.out:
        net.save(given.out)
