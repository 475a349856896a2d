"""A player that was trained in an environment, at the table: a `cmd:` bot (`docs/bot-protocol.md`).

The whole program:

    from coyote.envs.as_bot import AsBot

    def choose(observation, mask, dice):
        return mask.argmax()

    AsBot("first", "madness", choose).serve()

and who plays it: `coyote match madness greedy "cmd:python first.py"`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from coyote.bots.bot import Answer, BotFailure
from coyote.bots.protocol import Server
from coyote.bots.seed import dice_for
from coyote.envs.features import Bytes, Features, Flags
from coyote.envs.registry import features_for
from coyote.games.game import Game, Json
from coyote.questions import Question
from coyote.text import Refused

Choose = Callable[[Bytes, Flags, np.random.Generator], Any]


class AsBot:
    """How an observation and a mask become an action, as a bot. Dice come from the seed that it is told."""

    def __init__(self, name: str, game: str, choose: Choose, version: int | None = None) -> None:
        """`version` is that of the observations it was trained on: with others it does not play."""
        self.name, self.game, self.choose, self.version = name, game, choose, version

    def serve(self) -> None:
        """Be a program that Coyote asks: until it says quit."""
        Server(self.name, self.make, [self.game]).serve()

    def make(self, game: Game, seed: str) -> "SeatedBot":
        """The bot for one game."""
        features = features_for(game)
        if self.version not in (None, features.version):
            raise BotFailure("envs.version", game=game.name, found=features.version, wanted=self.version)
        return SeatedBot(self.name, features, self.choose, seed)


class SeatedBot:
    """In one seat of one game."""

    def __init__(self, name: str, features: Features, choose: Choose, seed: str) -> None:
        self.name, self.features, self.choose, self.seed = name, features, choose, seed
        self._warm_up()

    def _warm_up(self) -> None:
        """What has to be compiled is compiled before any time counts."""
        game = self.features.game
        state = game.deal(game.settle(), np.zeros(2, np.uint64))
        self.answer(Question(game.view(state, 0), 0, game.legal(state, 0)))

    def answer(self, question: Question) -> Answer:
        view, seat = question.view, question.seat
        mask = self.features.mask(view, seat)
        dice = np.random.default_rng(dice_for(self.seed, question))
        action = int(self.choose(self.features.observe(view, seat), mask.copy(), dice))
        if not 0 <= action < len(mask):
            raise Refused("envs.not_action", found=action, most=len(mask) - 1)
        if not mask[action]:
            raise Refused(self.features.why_not(view, seat, action))
        return Answer(self.features.move(view, seat, action))

    def close(self, result: Json | None = None) -> None:
        pass
