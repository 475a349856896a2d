"""A player that knows whom it plays: not one to sit down at the table, but to find weaknesses with.

It begins as an ordinary bot of ours. Where that one sees more than one move, hidden cards are supposed in
many ways; in each such world each of these moves is made, and a copy of the other player is asked for what
it would do there. How that leaves one is what one's own bot thinks at the next own turn. A move that did
clearly better than the bot's own is made instead of it.

The copy is asked as the other player would be, with a view; it has seeds of its own.
"""

import numpy as np
import numpy.typing as npt

from coyote.bots.bot import Answer, Bot
from coyote.bots.names import make_bot
from coyote.bots.seed import dice_for
from coyote.games.game import Chance, Game, Json, Record
from coyote.kernel.events import silent_log
from coyote.kernel.record import over
from coyote.questions import Question

WORTH_A_TRY = 0.1  # of the looks at the most examined move
CLEARLY = 2.0  # standard errors

Floats = npt.NDArray[np.float64]


class KnowingBot:
    def __init__(
        self, game: Game, seed: str, other: str, own: str, glance: str = "", worlds: int = 24, moves: int = 4
    ) -> None:
        """Bots by their names: `other` is asked for copies of the one that it plays, `own` is the one that it
        is itself, and `glance` that one in supposed worlds, usually the same."""
        self.game, self.seed, self.other = game, seed, other
        self.own, self.glance = make_bot(own, game, seed), make_bot(glance or own, game, seed)
        self.worlds, self.moves = worlds, moves
        self.name = f"{own} knowing {other}"
        self.changed = self.asked = 0  # how often another move was made, of so many times that it was tried
        self._log = silent_log(game.EVENTS)

    def answer(self, question: Question) -> Answer:
        found = self.own.answer(question)
        moves = self._moves(found)
        if len(moves) < 2:
            return found
        dice = np.random.default_rng(dice_for(self.seed, question))
        values = np.array([self._in_world(question, moves, dice) for _ in range(self.worlds)])
        picked = clearly_best(values)
        self.asked += 1
        self.changed += picked > 0
        return Answer(moves[picked], found.thoughts)

    def close(self, result: Json | None = None) -> None:
        pass

    def _moves(self, found: Answer) -> list[int]:
        """Its own move, and others that it has looked at."""
        thoughts = sorted(found.thoughts, key=lambda thought: -thought.examined)
        enough = max(1.0, WORTH_A_TRY * thoughts[0].examined) if thoughts else 1.0
        others = [thought.action for thought in thoughts if thought.examined >= enough]
        return [found.action, *(action for action in others if action != found.action)][: self.moves]

    def _in_world(self, question: Question, moves: list[int], dice: np.random.Generator) -> list[float]:
        """What each of the moves comes to, where what is hidden is supposed in one way."""
        words = dice.integers(2**64, size=2, dtype=np.uint64)
        world = self.game.imagine(question.view, question.seat, words)
        copy = make_bot(self.other, self.game, f"{self.seed} {words[0]}")
        return [self._outcome(self._copied(world), question.seat, move, copy) for move in moves]

    def _outcome(self, s: Record, seat: int, move: int, copy: Bot) -> float:
        """The chance to win, from one's own next turn after the other has chosen in a turn."""
        game, turn, replied = self.game, self.game.turn(s), False
        self._act(s, seat, move)
        while actors := game.actors(s):
            who = seat if actors == 1 << seat else 1 - seat
            legal = game.legal(s, who)
            if len(legal) == 1:
                self._act(s, who, legal[0])
                continue
            answer = (self.glance if who == seat else copy).answer(Question(game.view(s, who), who, legal))
            if who == seat and replied:
                return likely(answer)
            replied |= who != seat and (game.SIMULTANEOUS or game.turn(s) != turn)
            self._act(s, who, answer.action)
        result = game.result(s)
        assert result is not None
        return 0.5 if result.winner is None else float(result.winner == seat)

    def _act(self, s: Record, seat: int, move: int) -> None:
        self.game.act(s, seat, move, self._log, Chance())

    def _copied(self, s: Record) -> Record:
        return over(bytearray(s.tobytes()), self.game.STATE)


def clearly_best(values: Floats) -> int:
    """The move with the best mean over all worlds, if it is above the first by more than the error.

    >>> clearly_best(np.array([[0.5, 0.7], [0.4, 0.6], [0.6, 0.7]]))
    1
    >>> clearly_best(np.array([[0.5, 0.9], [0.4, 0.2], [0.6, 0.7]]))
    0
    """
    gains = values - values[:, :1]
    means = gains.mean(axis=0)
    best = int(means.argmax())
    error = gains[:, best].std(ddof=1) / np.sqrt(len(gains))
    return best if means[best] > CLEARLY * error else 0


def likely(answer: Answer) -> float:
    """The chance to win that a bot sees in its own move; even where it has not looked."""
    chances = [thought.chance for thought in answer.thoughts if thought.action == answer.action]
    return 0.5 if not chances or chances[0] is None else chances[0]
