"""A policy and a value in plain NumPy, and PPO to train them: what the two learners here share.

The network is one of ReLUs with two heads, a logit for each action and the result to be expected. Its file
is an .npz with the weights, the name of the game and the version of the observations.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt

import coyote.envs  # noqa: F401 - registers the environments

Floats = npt.NDArray[np.float32]
Array = npt.NDArray[Any]

HIDDEN = (128, 64)
CLIP, ENTROPY, VALUE = 0.2, 0.01, 0.5
EPOCHS, MINIBATCHES = 2, 8
LAMBDA, RATE = 0.95, 1e-3


class Steps(NamedTuple):
    """What was seen and done; the first axis is time, the second has the rows of the batch."""

    obs: Array
    mask: Array
    action: Array
    chance: Array  # the logarithm of the chance with which the action was chosen
    value: Array
    reward: Array  # of whoever chose
    done: Array
    turned: Array  # -1 where the next choice is the other seat's, or else 1


class Net:
    """Weights, the choices that follow from them, and how they are to change."""

    def __init__(self, game: str, version: int, most: Array, actions: int, seed: int = 0) -> None:
        self.game, self.version = game, version
        self.scale = (1 / most).astype(np.float32)
        rng, sizes = np.random.default_rng(seed), (len(most), *HIDDEN)
        self.weights: list[Floats] = []
        for size, after in [*zip(sizes, sizes[1:], strict=False), (sizes[-1], actions), (sizes[-1], 1)]:
            last = after in (actions, 1)
            spread = (0.01 if last else 1) * np.sqrt(2 / size)
            self.weights += [
                rng.normal(0, spread, (size, after)).astype(np.float32),
                np.zeros(after, np.float32),
            ]
        self.means = [np.zeros_like(w) for w in self.weights]
        self.squares = [np.zeros_like(w) for w in self.weights]
        self.updates = 0

    # ------------------------------------------------------------ choosing

    def look(self, obs: Array, mask: Array) -> tuple[Floats, Floats, list[Floats]]:
        """The logarithms of the chances of all actions, the value, and what each layer said."""
        layers = [obs * self.scale]
        for w, b in zip(self.weights[:-4:2], self.weights[1:-4:2], strict=True):
            layers.append(np.maximum(layers[-1] @ w + b, 0))
        policy, bias, value, offset = self.weights[-4:]
        logits = np.where(mask, layers[-1] @ policy + bias, np.float32(-1e9))
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return logits, (layers[-1] @ value + offset)[:, 0], layers

    def sample(self, obs: Array, mask: Array, rng: np.random.Generator) -> tuple[Array, Array, Floats]:
        """Actions as likely as the policy has them, the logarithms of their chances, and the values."""
        chances, value, _ = self.look(obs, mask)
        drawn = np.exp(chances).cumsum(axis=1) < rng.random((len(obs), 1), np.float32)
        action = np.where(mask, ~drawn, False).argmax(axis=1)  # rounding may leave nothing above the draw
        return action, chances[np.arange(len(obs)), action], value

    def best(self, obs: Array, mask: Array) -> Array:
        found: Array = self.look(obs, mask)[0].argmax(axis=1)
        return found

    # ------------------------------------------------------------ learning

    def gradients(self, layers: list[Floats], of_logits: Floats, of_value: Floats) -> list[Floats]:
        """What the loss says of the heads, carried back through the layers."""
        top, policy, value = layers[-1], self.weights[-4], self.weights[-2]
        found = [
            top.T @ of_logits,
            of_logits.sum(axis=0),
            top.T @ of_value[:, None],
            of_value.sum(keepdims=True),
        ]
        back = of_logits @ policy.T + of_value[:, None] @ value.T
        for k in range(len(layers) - 2, -1, -1):
            back = back * (layers[k + 1] > 0)
            found = [layers[k].T @ back, back.sum(axis=0), *found]
            back = back @ self.weights[2 * k].T if k else back
        return found

    def change(self, gradients: list[Floats], rate: float) -> None:
        """Adam, after Kingma and Ba, with the gradient as a whole kept below 0.5."""
        length = np.sqrt(sum(float((g * g).sum()) for g in gradients))
        shrink = np.float32(min(1.0, 0.5 / (length + 1e-8)))
        self.updates += 1
        step = rate * np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        for w, g, m, v in zip(self.weights, gradients, self.means, self.squares, strict=True):
            m += 0.1 * (shrink * g - m)
            v += 0.001 * ((shrink * g) ** 2 - v)
            w -= (step * m / (np.sqrt(v) + 1e-5)).astype(np.float32)

    # ------------------------------------------------------------ keeping

    def save(self, file: Path) -> None:
        named = {f"weight_{k}": w for k, w in enumerate(self.weights)}
        np.savez_compressed(file, game=self.game, version=self.version, scale=self.scale, **named)  # type: ignore[arg-type]

    @classmethod
    def load(cls, file: Path) -> "Net":
        with np.load(file) as kept:
            weights = [kept[f"weight_{k}"] for k in range(len(kept.files) - 3)]
            net = cls(str(kept["game"]), int(kept["version"]), 1 / kept["scale"], weights[-4].shape[1])
        net.weights = weights
        return net


# ---------------------------------------------------------------- PPO


def advantages(steps: Steps, last: Floats) -> tuple[Floats, Floats]:
    """How much better than expected each choice was, and what it was worth.

    A sum over what followed, each further step by LAMBDA less. What is good for the next who chooses is bad
    for this one, if that is the other seat: the game is zero-sum.
    """
    found, ahead, value = np.zeros_like(steps.value), np.zeros_like(last), last
    for t in range(len(steps.value) - 1, -1, -1):
        goes_on = steps.turned[t] * ~steps.done[t]
        ahead = steps.reward[t] + goes_on * value - steps.value[t] + LAMBDA * goes_on * ahead
        found[t], value = ahead, steps.value[t]
    return found, found + steps.value


def loss_gradients(
    net: Net, obs: Array, mask: Array, action: Array, chance: Array, gain: Array, worth: Array
) -> list[Floats]:
    """Of the clipped surrogate of Schulman and others, with entropy and the square of the value's error."""
    chances, value, layers = net.look(obs, mask)
    n, at = len(obs), np.arange(len(obs))
    likely = np.exp(chances)
    ratio = np.exp(chances[at, action] - chance)
    counts = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)  # beyond that nothing more is to gain
    push = (counts * ratio * gain).astype(np.float32)
    entropy = -(likely * np.where(mask, chances, 0)).sum(axis=1, keepdims=True)
    of_logits = push[:, None] * likely + ENTROPY * likely * (np.where(mask, chances, 0) + entropy)
    of_logits[at, action] -= push
    of_value = VALUE * (value - worth)
    return net.gradients(layers, of_logits / np.float32(n), (of_value / n).astype(np.float32))


def improve(net: Net, steps: Steps, last: Floats, rate: float, rng: np.random.Generator) -> None:
    """Some rounds over everything that was seen, in small parts."""
    gain, worth = advantages(steps, last)
    flat = [array.reshape(-1, *array.shape[2:]) for array in (*steps[:4], gain, worth)]
    for part in parts(len(flat[0]), rng):
        obs, mask, action, chance, better, result = (array[part] for array in flat)
        better = (better - better.mean()) / (better.std() + 1e-8)
        net.change(loss_gradients(net, obs, mask, action, chance, better, result), rate)


def parts(n: int, rng: np.random.Generator) -> Iterator[Array]:
    for _ in range(EPOCHS):
        yield from np.array_split(rng.permutation(n), MINIBATCHES)


# ---------------------------------------------------------------- the whole course


def train(
    net: Net,
    collect: Callable[[], tuple[Steps, Floats]],
    decisions: int,
    rng: np.random.Generator,
    checks: int = 20,
    check_games: int = 1024,
) -> None:
    """Collect and improve for so many decisions, the rate of learning going down to 0.

    `collect` gives what was seen and done, and the values of what is seen after that. As often as `checks`
    says, a line of JSON tells how it goes; seconds are the processor's, without checks.
    """
    made, seconds, checked = 0, 0.0, 0
    while made < decisions:
        if made * checks >= checked * decisions:
            checked += 1
            tell(net, made, seconds, check_games)
        start = time.process_time()
        steps, last = collect()
        improve(net, steps, last, RATE * (1 - made / decisions), rng)
        made += steps.action.size
        seconds += time.process_time() - start
    tell(net, made, seconds, check_games)


def tell(net: Net, decisions: int, seconds: float, games: int) -> None:
    found = {name: [round(x, 4) for x in score(net, name, games)] for name in ("random", "greedy")}
    print(json.dumps({"decisions": decisions, "seconds": round(seconds), **found}), flush=True)


def score(
    net: Net, opponent: str, games: int, seed: int = 1, side: int = 128, **given: Any
) -> tuple[float, float]:
    """The share of points against a bot, both seats in turn, with half of its 95 % interval.

    Each place plays as many games as the others, or else short ones would count for more.
    """
    name = f"coyote/{net.game.title()}-v1"
    envs = gymnasium.make_vec(name, num_envs=side, opponent=opponent, autoreset_mode="SameStep", **given)
    seen, _ = envs.reset(seed=seed)
    each = -(-games // side)
    points, played = np.zeros((each, side)), np.zeros(side, np.int64)
    while (played < each).any():
        seen, reward, over, _, _ = envs.step(net.best(seen["observation"], seen["action_mask"]))
        count = over & (played < each)
        points[played[count], np.flatnonzero(count)] = (1 + reward[count]) / 2
        played += over
    return float(points.mean()), float(1.96 * points.std() / np.sqrt(points.size))
