"""How to play the duel: rules of thumb, and a search that keeps its choices unreadable."""

import time

import numpy as np
import numpy.typing as npt

from coyote.bots.bot import Answer, Thought
from coyote.bots.duel import belief, thumb, tree
from coyote.bots.duel.reasons import DuelReasons
from coyote.bots.levels import five
from coyote.bots.minds import Mind, per_thread
from coyote.bots.reasons import Reason
from coyote.games.duel.decks import faults, ready_decks
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.game import EVENTS, Duel
from coyote.games.duel.sets import core_set
from coyote.games.duel.state import STATE
from coyote.games.game import Game, Record, Words64
from coyote.kernel.dice import roll
from coyote.kernel.events import silent_log
from coyote.kernel.luck import REAL_CHANCE
from coyote.kernel.record import new
from coyote.kernel.seats import NONE
from coyote.questions import Budget, Question

FIRST_CHUNK = 8
LARGEST_CHUNK = 1024
CHUNK_SECONDS = 0.0015  # between two looks at the clock
NO_LIMIT = 1 << 62
SCALE = 20.0  # points that are a good part of a game


class Scratch:
    """What a search works in: some 25 MB, whatever the budget; one for each thread."""

    def __init__(self) -> None:
        self.belief = new(belief.BELIEF)
        self.tree = new(tree.TREE)
        self.nodes = np.zeros(int(tree.NODES), tree.NODE)
        self.steps = np.zeros(tree.DEPTH + 1, tree.STEP)
        self.world = np.zeros(2, STATE)
        self.log = silent_log(EVENTS)
        self.simulations = 0  # of the last search


scratch = per_thread(Scratch)


class DuelMind(Mind):
    LEVELS = five(
        (None, 0.6, 0.0),
        (None, 0.25, 0.0),
        (Budget(simulations=100), 0.12, 0.2),
        (Budget(simulations=300), 0.0, 0.0),
        (Budget(seconds=1.0), 0.0, 0.0),
    )
    MIXES = True  # both choose in secret

    # Settings of the search; docs/bots.md tells how they were found.
    explore, turns, glances, prior = 0.1, 8, 4, 10.0
    trust, theirs, clear = 0.5, 3, 0.5
    least = 0.5  # moves that the mixture has less often than this part of the most frequent are not made
    near = 0.1  # nor those that won less than the best by this, divided by the root of the number of looks

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Duel)
        self.game, self.cards, self.row = game, game.table, game.row
        self.n_kinds = np.int64(len(game.ids))
        self.decks = expected_decks(game)

    def reason(self, view: Record, seat: int, move: str) -> Reason | None:
        return DuelReasons(self.game, view, seat).why(move)

    # ------------------------------------------------------------ rules of thumb

    def thumb(self, question: Question, dice: Words64) -> Answer:
        worths = self._worths(question)
        best = [i for i, value in enumerate(worths) if value >= max(worths) - 1e-9]
        picked = best[int(roll(dice, np.int64(0), np.int64(len(best))))]
        return Answer(
            question.legal[picked],
            [Thought(action, likely(value), 0) for action, value in zip(question.legal, worths, strict=True)],
        )

    def _worths(self, question: Question) -> list[float]:
        moves, worth = np.array(question.legal, np.int16), np.zeros(len(question.legal))
        due = np.zeros((2, thumb.SUMS))
        seat = np.int64(question.seat)
        thumb.weigh_all(question.view, self.cards, self.row, due, seat, moves, np.int64(len(moves)), worth)
        return worth.tolist()

    # ------------------------------------------------------------ the search

    def search(self, question: Question, dice: Words64, budget: Budget) -> Answer:
        start = time.perf_counter()
        if budget == Budget():
            raise ValueError("a search needs a limit")
        if len(question.legal) == 1:
            return Answer(question.legal[0], [Thought(question.legal[0], None, 0)])
        self.begin(question)
        most = NO_LIMIT if budget.simulations is None else budget.simulations
        end = None if budget.seconds is None else start + budget.seconds
        chunk = FIRST_CHUNK
        x = scratch()
        while x.simulations < most and (end is None or time.perf_counter() < end):
            before = time.perf_counter()
            done = self._simulate(question, dice, chunk, most - x.simulations)
            x.simulations += done
            each = (time.perf_counter() - before) / done
            chunk = max(1, min(LARGEST_CHUNK, int(CHUNK_SECONDS / each)))
        return self._answer(question, dice)

    def begin(self, question: Question) -> None:
        """Forget the last search, and settle what may be supposed in this one."""
        x = scratch()
        t = x.tree
        t.explore, t.turns, t.glances, t.prior = self.explore, self.turns, self.glances, self.prior
        t.trust, t.theirs, t.clear = self.trust, self.theirs, self.clear
        x.simulations = 0
        tree.clear(t, x.nodes)
        seat, count = np.int64(question.seat), np.zeros(self.n_kinds, np.int64)
        belief.believe(question.view, self.cards, self.row, self.n_kinds, self.decks, seat, count, x.belief)

    def suppose(self, view: Record, seat: int, dice: Words64) -> Record:
        """A whole state as the search supposes them, after `begin`."""
        x = scratch()
        belief.suppose(view, self.cards, self.row, x.belief, np.int64(seat), dice, x.world)
        return x.world[0]

    def _simulate(self, question: Question, dice: Words64, n: int, most: int) -> int:
        x = scratch()
        return int(
            tree.search(
                question.view, self.cards, self.row, x.belief, np.int64(question.seat), x.tree, x.nodes,
                x.steps, x.world, REAL_CHANCE, x.log, dice, np.int64(n), np.int64(most),
            )
        )  # fmt: skip

    def _answer(self, question: Question, dice: Words64) -> Answer:
        """A move of the mixture; the rarest ones are mostly noise, and are left out."""
        root, seat = scratch().nodes[0], question.seat
        slots = [root.move[seat].tolist().index(action) for action in question.legal]
        visits = root.visits[seat, slots].astype(np.float64)
        chances = np.full(len(slots), 0.5)
        np.divide(root.total[seat, slots], visits, out=chances, where=visits > 0)
        shares = root.share[seat, slots].astype(np.float64)
        shares[chances < chances.max() - self.near / np.sqrt(visits.max() + 1)] = 0.0
        shares[shares < self.least * shares.max()] = 0.0
        picked = drawn(shares, dice) if shares.any() else int(chances.argmax())
        looks = [round(n) for n in (visits - tree.ROOT_PRIOR).tolist()]
        thoughts = [
            Thought(action, chance if n else None, n)
            for action, chance, n in zip(question.legal, chances.tolist(), looks, strict=True)
        ]
        return Answer(question.legal[picked], thoughts)


def drawn(shares: npt.NDArray[np.float64], dice: Words64) -> int:
    """A place, the more often the larger its share."""
    at = int(roll(dice, np.int64(0), tree.FINE)) / int(tree.FINE) * shares.sum()
    place = int(np.searchsorted(np.cumsum(shares), at, side="right"))
    return min(place, int(np.flatnonzero(shares)[-1]))


def likely(worth: float) -> float:
    """A worth in points as a rough chance to win."""
    return float(1.0 / (1.0 + np.exp(-worth / SCALE)))


def expected_decks(game: Duel) -> npt.NDArray[np.int16]:
    """The ready decks as rows of kinds, where the game is played with their set; else none."""
    rows = []
    if game.card_set == core_set():
        legal = [deck for deck in ready_decks().values() if not faults(deck, game.card_set, game.limits)]
        for deck in legal[: belief.MOST_DECKS]:
            kinds = sorted(game.kinds[card_id] for card_id in deck.ids())
            rows.append(kinds + [int(NONE)] * (MOST_CARDS - len(kinds)))
    return np.array(rows, np.int16).reshape(-1, MOST_CARDS)
