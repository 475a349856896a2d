"""A mind for any game, from its rules alone: flat search over imagined tables, games played out at random.

Slow, since every step goes through Python; a game's own mind is worth writing once people play it.
"""

import math
import time

import numpy as np

from coyote.bots.bot import Answer, Thought
from coyote.bots.levels import seven
from coyote.bots.minds import Mind
from coyote.games.game import Chance, Game, Record, Words64
from coyote.kernel.dice import roll
from coyote.kernel.events import silent_log
from coyote.questions import Budget, Question

EXPLORE = 0.7


class AnyMind(Mind):
    LEVELS = seven(
        (None, 0.0, 0.0, 0.0),
        (Budget(simulations=5), 0.0, 0.0, 0.0),
        (Budget(simulations=10), 0.0, 0.0, 0.0),
        (Budget(simulations=20), 0.0, 0.0, 0.0),
        (Budget(simulations=40), 0.0, 0.0, 0.0),
        (Budget(simulations=100), 0.0, 0.0, 0.0),
        (Budget(seconds=1.0), 0.0, 0.0, 0.0),
    )
    MIXES = True

    def __init__(self, game: Game) -> None:
        self.game, self.log = game, silent_log(game.EVENTS)

    def thumb(self, question: Question, dice: Words64) -> Answer:
        """There is no rule of thumb for all games: any move."""
        thoughts = [Thought(action, None, 0) for action in question.legal]
        return Answer(question.legal[int(roll(dice, np.int64(0), len(question.legal)))], thoughts)

    def search(self, question: Question, dice: Words64, budget: Budget) -> Answer:
        if budget == Budget():
            raise ValueError("a search needs a limit")
        end = math.inf if budget.seconds is None else time.perf_counter() + budget.seconds
        most = math.inf if budget.simulations is None else budget.simulations
        tried, won = [0] * len(question.legal), [0.0] * len(question.legal)
        while sum(tried) < most and (time.perf_counter() < end or not any(tried)):
            pick = max(range(len(tried)), key=lambda i: bound(tried[i], won[i], sum(tried)))
            won[pick] += self.simulate(question, question.legal[pick], dice)
            tried[pick] += 1
        thoughts = [
            Thought(action, won[i] / tried[i] if tried[i] else None, tried[i])
            for i, action in enumerate(question.legal)
        ]
        return Answer(
            max(thoughts, key=lambda thought: (thought.examined, thought.chance or 0.0)).action, thoughts
        )

    def simulate(self, question: Question, action: int, dice: Words64) -> float:
        """What the seat has of a game played out from an imagined table."""
        roll(dice, np.int64(0), 2)
        s = self.game.imagine(question.view, question.seat, dice.copy())
        self.game.act(s, question.seat, action, self.log, Chance())
        while self.game.actors(s):
            for seat in range(2):
                if legal := self.game.legal(s, seat):
                    choice = legal[int(roll(dice, np.int64(seat), len(legal)))]
                    self.game.act(s, seat, choice, self.log, Chance())
        return worth(self.game, s, question.seat)


def bound(tried: int, won: float, all_tries: int) -> float:
    """What a move won, and might still win for all we know."""
    return math.inf if tried == 0 else won / tried + EXPLORE * math.sqrt(math.log(all_tries) / tried)


def worth(game: Game, s: Record, seat: int) -> float:
    result = game.result(s)
    assert result is not None
    return 0.5 if result.winner is None else float(result.winner == seat)
