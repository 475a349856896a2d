"""What a game's bots know of the game: rules of thumb, how to search, and why a move is good."""

import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from coyote.bots.bot import Answer, Thought
from coyote.bots.deciding import notice
from coyote.bots.levels import Level
from coyote.bots.reasons import Reason
from coyote.games.game import Game, Record, Setup, Words64
from coyote.questions import Budget, Question

T = TypeVar("T")
MOST_MINDS = 64  # of each thread; they are small, what a search works in is shared


class Mind(ABC):
    """The knowledge of one game with its options settled, for one thread. It has nothing that is secret."""

    LEVELS: ClassVar[tuple[Level, ...]]
    MIXES: ClassVar[bool] = False  # whether a good player must not always make the same choice
    PLAYS: ClassVar[bool] = False  # whether it has `play` and `choose`

    @abstractmethod
    def __init__(self, game: Game) -> None: ...

    @abstractmethod
    def thumb(self, question: Question, dice: Words64) -> Answer:
        """The move that a few readable rules of thumb like best; the dice decide between equals."""

    @abstractmethod
    def search(self, question: Question, dice: Words64, budget: Budget) -> Answer:
        """The move found by looking ahead until the budget is spent; `question.budget` is not read."""

    def noticed(self, question: Question, dice: Words64, level: Level) -> list[int]:
        """The moves that come to the mind of a level that errs; one at least does."""
        return list(question.legal)

    def reason(self, view: Record, seat: int, move: str) -> Reason | None:
        """Why a move is good, from what the seat may know; None where only the search knows."""
        return None

    def play(self, setup: Setup, plans: Record, source: Words64, first: int, rows: Record) -> None:
        """Play whole games, compiled and without Python's lock, between bots that go by these two plans.

        Those of a series from number `first` on, as many as there are rows. Where rows are pairs, each deal
        is played twice, the second time with the seats swapped.
        """
        raise NotImplementedError

    def choose(
        self, plan: Record, source: Words64, numbers: Record, states: Record, seats: Record, moves: Record
    ) -> None:
        """Write the move of a bot for each of these states and seats, compiled; its plan needs no search.

        The games are those of a series; from their numbers comes the bot's own seed, as in `play`.
        """
        raise NotImplementedError


def asked(thoughts: Record, legal: Sequence[int]) -> Record:
    """A record of thoughts (`deciding`) for these moves."""
    thoughts.n = len(legal)
    thoughts.legal[: len(legal)] = legal
    return thoughts


def noticed_of(thoughts: Record, dice: Words64, level: Level) -> list[int]:
    """Of a record of thoughts whose sights are written."""
    notice(thoughts, level.misses, level.overlooks, dice)
    n = int(thoughts.n)
    return thoughts.legal[:n][thoughts.noticed[:n] != 0].tolist()  # type: ignore[no-any-return]


def answer_of(thoughts: Record, picked: int, examined: bool = True) -> Answer:
    """An answer from a record of thoughts. After a search nothing is known of what was not examined."""
    n = int(thoughts.n)
    legal, likely, looks = (thoughts[name][:n].tolist() for name in ("legal", "likely", "examined"))
    return Answer(
        legal[picked],
        [
            Thought(action, chance if k or not examined else None, k)
            for action, chance, k in zip(legal, likely, looks, strict=True)
        ],
    )


def madness_mind(game: Game) -> Mind:
    from coyote.bots.madness.mind import MadnessMind

    return MadnessMind(game)


def duel_mind(game: Game) -> Mind:
    from coyote.bots.duel.mind import DuelMind

    return DuelMind(game)


# By the name of the game. A mind is loaded when it is first needed: it takes its time.
MINDS: dict[str, Callable[[Game], Mind]] = {"madness": madness_mind, "duel": duel_mind}

_own = threading.local()


def mind_of(game: Game) -> Mind:
    """The mind of a game's bots, in this thread."""
    minds: OrderedDict[Game, Mind] = _own.__dict__.setdefault("minds", OrderedDict())
    if game not in minds:
        minds[game] = MINDS[game.name](game)
        if len(minds) > MOST_MINDS:
            minds.popitem(last=False)
    minds.move_to_end(game)
    return minds[game]


def per_thread(make: Callable[[], T]) -> Callable[[], T]:
    """A function that gives each thread its own one, made when it is first asked for."""
    own = threading.local()

    def get() -> T:
        if not hasattr(own, "it"):
            own.it = make()
        found: T = own.it
        return found

    return get
