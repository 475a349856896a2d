"""Players without a search: any legal move, or the rules of thumb of the game."""

import numpy as np

from coyote.bots.bot import Answer
from coyote.bots.minds import mind_of
from coyote.bots.seed import dice_for
from coyote.games.game import Game, Json
from coyote.kernel.dice import roll
from coyote.questions import Question


class RandomBot:
    """Any legal move, each as likely as the other."""

    name = "random"

    def __init__(self, game: Game, seed: str) -> None:
        self.seed = seed

    def answer(self, question: Question) -> Answer:
        dice = dice_for(self.seed, question)
        return Answer(question.legal[int(roll(dice, np.int64(0), len(question.legal)))])

    def close(self, result: Json | None = None) -> None:
        pass


class GreedyBot:
    """The move that the rules of thumb like best."""

    name = "greedy"

    def __init__(self, game: Game, seed: str) -> None:
        self.mind, self.seed = mind_of(game), seed

    def answer(self, question: Question) -> Answer:
        return self.mind.thumb(question, dice_for(self.seed, question))

    def close(self, result: Json | None = None) -> None:
        pass
