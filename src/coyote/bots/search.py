"""The player that looks ahead."""

from coyote.bots.bot import Answer
from coyote.bots.minds import mind_of
from coyote.bots.seed import dice_for
from coyote.games.game import Game, Json
from coyote.questions import Budget, Question

USUAL = Budget(simulations=1000)  # where neither the bot's name nor whoever asks says how long


class SearchBot:
    def __init__(self, game: Game, seed: str, budget: Budget | None = None) -> None:
        self.mind, self.seed, self.budget = mind_of(game), seed, budget
        self.name = f"search:{budget}" if budget else "search"

    def answer(self, question: Question) -> Answer:
        budget = self.budget_for(question.budget)
        return self.mind.search(question, dice_for(self.seed, question), budget)

    def budget_for(self, allowed: Budget) -> Budget:
        """Its own, or what whoever asks allows."""
        budget = self.budget or allowed
        return USUAL if budget == Budget() else budget

    def close(self, result: Json | None = None) -> None:
        pass
