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


def five(*levels: tuple[Budget | None, float, float]) -> tuple[Level, ...]:
    return tuple(Level(number, *each) for number, each in enumerate(levels, 1))


# Set so that each level beats the one below with a good 60 % at least (`docs/bots.md`).
LEVELS = {
    "madness": five(
        (None, 0.5, 0.0),
        (None, 0.15, 0.0),
        (Budget(simulations=60), 0.1, 0.2),
        (Budget(simulations=150), 0.0, 0.0),
        (Budget(seconds=1.0), 0.0, 0.0),
    ),
    "duel": five(
        (None, 0.6, 0.0),
        (None, 0.25, 0.0),
        (Budget(simulations=100), 0.12, 0.2),
        (Budget(simulations=300), 0.0, 0.0),
        (Budget(seconds=1.0), 0.0, 0.0),
    ),
}
NUMBERS = range(1, 6)


def looks_ahead(number: int) -> bool:
    return any(levels[number - 1].budget for levels in LEVELS.values())


class LevelBot:
    def __init__(self, game: Game, seed: str, number: int) -> None:
        self.mind, self.seed, self.level = mind_of(game), seed, LEVELS[game.name][number - 1]
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
