"""A player that learns from games with itself, many of them side by side on `Batch`, in plain NumPy.

python examples/envs/self_play.py madness --out madness.npz
coyote match madness greedy "cmd:python examples/envs/self_play.py play madness.npz"
"""

import argparse
from pathlib import Path

import numpy as np
from learner import Floats, Net, Steps, train

from coyote.envs import Batch
from coyote.envs.as_bot import AsBot

GAMES, STEPS = 256, 64  # side by side, and between two changes of the weights


def collect(net: Net, batch: Batch, steps: int, rng: np.random.Generator) -> tuple[Steps, Floats]:
    """So many choices of every row, and what is expected after them."""
    game = np.arange(batch.rows) // batch.features.seats  # by row
    found = []
    for _ in range(steps):
        obs, mask, seat = batch.obs.copy(), batch.mask.copy(), batch.seat.copy()
        action, chance, value = net.sample(obs, mask, rng)
        batch.step(action)
        turned = np.where(batch.seat == seat, 1, -1)
        found.append((obs, mask, action, chance, value, batch.reward[game, seat], batch.done[game], turned))
    return Steps(*map(np.stack, zip(*found, strict=True))), net.look(batch.obs, batch.mask)[1]


def learn(game: str, decisions: int, seed: int, n: int = GAMES, steps: int = STEPS, **checks: int) -> Net:
    batch, rng = Batch(game, n, seed=f"self-play {seed}"), np.random.default_rng(seed)
    features = batch.features
    net = Net(game, features.version, features.most, features.actions, seed)
    train(net, lambda: collect(net, batch, steps, rng), decisions, rng, **checks)
    return net


def play(file: Path) -> None:
    """Sit down at the table."""
    net = Net.load(file)
    bot = AsBot(file.stem, net.game, lambda obs, mask, dice: net.best(obs[None], mask[None])[0], net.version)
    bot.serve()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["madness", "duel", "play"])
    parser.add_argument("file", type=Path, nargs="?", help="the weights, to play with")
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.what == "play":
        play(given.file)
    else:
        net = learn(given.what, given.decisions, given.seed)
        if given.out:
            net.save(given.out)
