"""The opponents of `levels`, as bots."""

import numpy as np

from coyote.bots.bot import Answer, Thought
from coyote.bots.minds import mind_of
from coyote.bots.seed import dice_for
from coyote.games.game import Game, Json, Words64
from coyote.kernel.dice import roll
from coyote.questions import Question


class LevelBot:
    def __init__(self, game: Game, seed: str, number: int) -> None:
        self.mind, self.seed = mind_of(game), seed
        self.level = self.mind.LEVELS[number - 1]
        self.name = f"level:{number}"

    def answer(self, question: Question) -> Answer:
        dice = dice_for(self.seed, question)
        if self.level.budget is None or chance(dice, self.level.hurries):
            found = self.mind.thumb(question, dice)
        else:
            found = self.mind.search(question, dice, self.level.budget)
        return best_of(found, self.noticed(question, dice))

    def noticed(self, question: Question, dice: Words64) -> list[int]:
        """The moves that come to mind; one at least does."""
        seen = [action for action in question.legal if not chance(dice, self.level.overlooks)]
        return seen or [question.legal[int(roll(dice, np.int64(1), len(question.legal)))]]

    def close(self, result: Json | None = None) -> None:
        pass


def chance(dice: Words64, share: float) -> bool:
    return int(roll(dice, np.int64(1), 1000)) < 1000 * share


def best_of(found: Answer, noticed: list[int]) -> Answer:
    """The answer itself if it came to mind, or else the best thought that did."""
    if found.action in noticed:
        return found

    def worth(thought: Thought) -> tuple[int, float]:
        return thought.examined, thought.chance or 0.0

    thoughts = [thought for thought in found.thoughts if thought.action in noticed]
    return Answer(max(thoughts, key=worth).action, found.thoughts)
