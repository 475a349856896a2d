"""Five opponents for people. The weaker ones err as people do: they overlook a move, or they hurry."""

from dataclasses import dataclass

import numpy as np

from coyote.bots.bot import Answer, Budget, Question, Thought
from coyote.bots.minds import mind_of
from coyote.bots.seed import dice_for
from coyote.games.game import Game, Words64
from coyote.kernel.dice import roll


@dataclass(frozen=True)
class Level:
    number: int  # its names are the words `level.<number>`
    budget: Budget | None  # None: goes by rules of thumb, looks nowhere
    overlooks: float  # the chance that it does not see a move
    hurries: float  # the chance that it answers by the rules of thumb after all


LEVELS = (
    Level(1, None, overlooks=0.5, hurries=0.0),
    Level(2, None, overlooks=0.15, hurries=0.0),
    Level(3, Budget(simulations=60), overlooks=0.1, hurries=0.2),
    Level(4, Budget(simulations=300), overlooks=0.0, hurries=0.0),
    Level(5, Budget(seconds=1.0), overlooks=0.0, hurries=0.0),
)


class LevelBot:
    def __init__(self, game: Game, seed: str, level: Level) -> None:
        self.mind, self.seed, self.level = mind_of(game), seed, level
        self.name = f"level:{level.number}"

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

    def close(self) -> None:
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
