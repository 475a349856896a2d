"""A best response that is learned: somebody who begins as a copy of a bot and learns, by PPO, to beat it.

python examples/envs/best_response.py madness --bot level:6 --minutes 15

At each of its choices the learner asks a copy of the bot, which has seeds of its own. What the copy would do
and how much it likes each move are added to what the network says, which is nothing in the beginning:
so the clone is exact, and all that is learned is where to do otherwise. How likely the copy thinks it is to
win is where the value begins. The bot itself never changes.
"""

import argparse
import json
import math
import time
from collections.abc import Callable, Sequence

import numpy as np
from learner import Array, Floats, Net, Steps, improve

from coyote.bots.bot import Answer
from coyote.bots.names import make_bot
from coyote.envs import Batch
from coyote.envs.against import Against
from coyote.games.game import Game
from coyote.games.registry import make_game
from coyote.lab.stats import Interval, mean
from coyote.questions import Question

PLACES, STEPS = 128, 32  # games side by side, and choices between two changes of the weights
RATE = 5e-4
LIKED, PICKED = 180, 75  # of 255: for all that the copy likes, and for being its answer
NEAR = 0.05  # a chance to win that is worse by this is liked a third as well
FAITH, LEAST = 2.0, 0.02  # how firmly the copy is followed; what it says at least of each move


class Cloned(Net):
    """An observation is what the game shows, what the copy says of each action, and its chance to win."""

    def __init__(self, batch: Batch, seed: int) -> None:
        features = batch.features
        self.shown = features.size
        super().__init__(batch.game.name, features.version, features.most, features.actions, seed)

    def look(self, obs: Array, mask: Array) -> tuple[Floats, Floats, list[Floats]]:
        logits, value, layers = super().look(obs[:, : self.shown], mask)
        said = obs[:, self.shown : -1].astype(np.float32) / 255
        logits = np.where(mask, logits + np.float32(FAITH) * np.log(said + np.float32(LEAST)), logits)
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        hope = obs[:, -1].astype(np.float32) / np.float32(127.5) - 1
        return logits, value + hope, layers


class Attacker:
    """The learner's side of many games against the bot."""

    def __init__(self, game: Game, bot: str, decks: Sequence[str], seed: str, places: int) -> None:
        self.batch = Batch(game, places, decks=decks, seed=seed, autoreset=False)
        self.against = Against(self.batch, bot, None)
        self.copies = [make_bot(bot, game, f"copy {seed} {place}") for place in range(places)]
        self.chance = np.full(places, 0.5)  # to win, as the copies said last
        self._deal(self.against.ended.copy())
        self.seen = self._see()

    def step(self, actions: Array) -> tuple[Array, Array]:
        """Rewards, and which games have ended; there the next one is dealt."""
        self.against.step(actions)
        rewards, ended = self.against.rewards.copy(), self.against.ended.copy()
        self._deal(ended)
        self.seen = self._see()
        return rewards, ended

    def _deal(self, places: Array) -> None:
        while places.any():
            self.chance[places] = 0.5
            self.batch.deal(places)
            self.against.sit_down(places)
            places = places & self.against.ended

    def _see(self) -> tuple[Array, Array]:
        obs, mask = self.against.seen()
        said = np.zeros((len(obs), mask.shape[1] + 1), np.uint8)
        for place in np.flatnonzero(mask.sum(axis=1) > 1).tolist():
            self._ask(place, said[place])
        said[:, -1] = np.rint(255 * self.chance)
        return np.concatenate([obs, said], axis=1), mask

    def _ask(self, place: int, said: Array) -> None:
        game, features, seat = self.batch.game, self.batch.features, int(self.against.mine[place])
        view = game.view(self.batch.states[place], seat)
        answer = self.copies[place].answer(Question(view, seat, game.legal(view, seat)))
        liked = liking(answer)
        for thought, share in zip(answer.thoughts, liked, strict=True):
            said[features.action(view, seat, thought.action)] = round(LIKED * share)
            if thought.action == answer.action and thought.chance is not None:
                self.chance[place] = thought.chance
        said[features.action(view, seat, answer.action)] += PICKED


def liking(answer: Answer) -> list[float]:
    """How much of a bot's liking each move has: looks at it count by the chance to win that they found.

    In a duel all moves are looked at alike; looks alone would tell nothing.
    """
    best = max((thought.chance or 0.0 for thought in answer.thoughts), default=0.0)
    liked = [
        thought.examined * math.exp(((thought.chance or 0.0) - best) / NEAR) for thought in answer.thoughts
    ]
    total = sum(liked)
    return [one / total if total else 0.0 for one in liked]


def collect(net: Net, attacker: Attacker, steps: int, rng: np.random.Generator) -> tuple[Steps, Floats]:
    """So many choices in every place, and what is expected after them."""
    found = []
    for _ in range(steps):
        obs, mask = attacker.seen
        action, chance, value = net.sample(obs, mask, rng)
        reward, done = attacker.step(action)
        found.append((obs, mask, action, chance, value, reward, done, np.ones(len(obs))))
    return Steps(*map(np.stack, zip(*found, strict=True))), net.look(*attacker.seen)[1]


def score(net: Net, attacker: Attacker, games: int) -> Interval:
    """The share of points of what it likes best; each place plays as many games as the others."""
    places = len(attacker.copies)
    each = -(-games // places)
    points, played = np.zeros((each, places)), np.zeros(places, np.int64)
    while (played < each).any():
        reward, over = attacker.step(net.best(*attacker.seen))
        count = over & (played < each)
        points[played[count], np.flatnonzero(count)] = (1 + reward[count]) / 2
        played += over
    return mean(points.ravel())


def attack(
    game: Game,
    bot: str,
    *,
    decks: Sequence[str] = (),
    minutes: float = 15,
    decisions: int = 50_000_000,
    games: int = 1000,
    seed: int = 1,
    tell: Callable[..., None] = lambda **_: None,
    places: int = PLACES,
    steps: int = STEPS,
    rate: float = RATE,
) -> tuple[Net, Interval]:
    """Learn for so many minutes of processor time or decisions, then play games that are new to it."""
    attacker = Attacker(game, bot, decks, f"attack {seed}", places)
    net, rng = Cloned(attacker.batch, seed), np.random.default_rng(seed)
    start, made, part, told = time.process_time(), 0, 0.0, 0.0
    while part < 1:
        found, last = collect(net, attacker, steps, rng)
        improve(net, found, last, rate * (1 - part), rng)
        made += found.action.size
        part = max((time.process_time() - start) / 60 / minutes, made / decisions)
        ended = int(found.done.sum())
        if part >= told and ended:
            told += 0.1
            tell(bot=bot, decisions=made, of_last=ended, won=float(0.5 + found.reward.sum() / ended / 2))
    result = score(net, Attacker(game, bot, decks, f"score {seed}", places), games)
    seconds = round(time.process_time() - start)
    tell(
        way="learned",
        game=game.name,
        bot=bot,
        decisions=made,
        games=-(-games // places) * places,
        seconds=seconds,
        **result.as_json(),
    )
    return net, result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=["madness", "duel"])
    parser.add_argument("--bot", default="level:6")
    parser.add_argument("--minutes", type=float, default=15)
    given = parser.parse_args()
    attack(
        make_game(given.game),
        given.bot,
        minutes=given.minutes,
        tell=lambda **found: print(json.dumps(found), flush=True),
    )
