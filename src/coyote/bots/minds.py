"""What a game's bots know of the game: rules of thumb, and how to search."""

from abc import ABC, abstractmethod
from importlib import import_module
from weakref import WeakKeyDictionary

from coyote.bots.bot import Answer, Budget, Question
from coyote.games.game import Game, Words64


class Mind(ABC):
    """The knowledge of one game with its options settled, for one thread at a time, as the game itself."""

    @abstractmethod
    def __init__(self, game: Game) -> None: ...

    @abstractmethod
    def thumb(self, question: Question, dice: Words64) -> Answer:
        """The move that a few readable rules of thumb like best; the dice decide between equals."""

    @abstractmethod
    def search(self, question: Question, dice: Words64, budget: Budget) -> Answer:
        """The move found by looking ahead until the budget is spent; `question.budget` is not read."""


_minds: WeakKeyDictionary[Game, Mind] = WeakKeyDictionary()


def mind_of(game: Game) -> Mind:
    """The one mind of a game's bots, loaded when it is first needed: a search takes its time and room."""
    if game not in _minds:
        _minds[game] = import_module(f"coyote.bots.{game.name}.mind").mind(game)
    return _minds[game]
