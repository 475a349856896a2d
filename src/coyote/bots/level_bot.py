"""The opponents of `levels`, as bots."""

from coyote.bots.bot import Answer, Thought
from coyote.bots.deciding import chance
from coyote.bots.minds import mind_of
from coyote.bots.seed import dice_for
from coyote.games.game import Game, Json
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
        return best_of(found, self.mind.noticed(question, dice, self.level)) if self.level.errs else found

    def close(self, result: Json | None = None) -> None:
        pass


def best_of(found: Answer, noticed: list[int]) -> Answer:
    """The answer itself if it came to mind, or else the best thought that did."""
    if found.action in noticed:
        return found

    def worth(thought: Thought) -> tuple[int, float]:
        return thought.examined, thought.chance or 0.0

    thoughts = [thought for thought in found.thoughts if thought.action in noticed]
    return Answer(max(thoughts, key=worth).action, found.thoughts)
