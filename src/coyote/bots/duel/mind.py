"""How to play the duel: rules of thumb, and a search that keeps its choices unreadable."""

import time

import numpy as np
import numpy.typing as npt

from coyote.bots.bot import Answer, Thought
from coyote.bots.deciding import one_of_equals
from coyote.bots.duel import belief, games, thumb, tree
from coyote.bots.duel.reasons import DuelReasons
from coyote.bots.levels import five
from coyote.bots.minds import Mind, answer_of, asked, per_thread
from coyote.bots.reasons import Reason
from coyote.games.duel.decks import faults, ready_decks
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.game import EVENTS, Duel, decks_of
from coyote.games.duel.sets import core_set
from coyote.games.duel.state import STATE
from coyote.games.game import Game, Record, Setup, Words64
from coyote.kernel.events import new_log, silent_log
from coyote.kernel.luck import REAL_CHANCE
from coyote.kernel.record import new
from coyote.kernel.rows import NOTES
from coyote.kernel.seats import NONE
from coyote.questions import Budget, Question

FIRST_CHUNK = 8
LARGEST_CHUNK = 1024
CHUNK_SECONDS = 0.0015  # between two looks at the clock
NO_LIMIT = 1 << 62


class Scratch:
    """What a search works in: some 25 MB, whatever the budget; one for each thread."""

    def __init__(self) -> None:
        self.belief = new(belief.BELIEF)
        self.tree = new(tree.TREE)
        self.nodes = np.zeros(int(tree.NODES), tree.NODE)
        self.steps = np.zeros(tree.DEPTH + 1, tree.STEP)
        self.world = np.zeros(2, STATE)
        self.log = silent_log(EVENTS)
        self.thoughts = new(games.THOUGHTS)
        self.simulations = 0  # of the last search


class Tables:
    """Where whole games are played; one for each thread."""

    def __init__(self) -> None:
        self.table, self.views = np.zeros(1, STATE), np.zeros(1, STATE)
        self.seen = self.views.view(np.uint8)
        self.box, self.notes, self.log = new(games.BOX), new(NOTES), new_log(EVENTS)
        self.words, self.dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)


scratch = per_thread(Scratch)
tables = per_thread(Tables)


class DuelMind(Mind):
    LEVELS = five(
        (None, 0.6, 0.0),
        (None, 0.25, 0.0),
        (Budget(simulations=100), 0.12, 0.2),
        (Budget(simulations=300), 0.0, 0.0),
        (Budget(seconds=1.0), 0.0, 0.0),
    )
    MIXES = True  # both choose in secret

    PLAYS = True

    # Settings of the search (`tree.TREE`); docs/bots.md tells how they were found.
    explore, turns, glances, prior = 0.1, 8, 4, 10.0
    trust, theirs, clear = 0.5, 3, 0.5
    least, near = 0.5, 0.1

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Duel)
        self.game, self.cards, self.row = game, game.table, game.row
        self.n_kinds = np.int64(len(game.ids))
        self.decks = expected_decks(game)

    def reason(self, view: Record, seat: int, move: str) -> Reason | None:
        return DuelReasons(self.game, view, seat).why(move)

    # ------------------------------------------------------------ rules of thumb

    def thumb(self, question: Question, dice: Words64) -> Answer:
        x = scratch()
        t = asked(x.thoughts, question.legal)
        thumb.think(question.view, self.cards, self.row, x.tree.due, np.int64(question.seat), t)
        return answer_of(t, int(one_of_equals(t, dice)), examined=False)

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
        self.settle()
        x = scratch()
        x.simulations = 0
        tree.clear(x.tree, x.nodes)
        seat, count = np.int64(question.seat), np.zeros(self.n_kinds, np.int64)
        belief.believe(question.view, self.cards, self.row, self.n_kinds, self.decks, seat, count, x.belief)

    def settle(self) -> None:
        t = scratch().tree
        t.explore, t.turns, t.glances, t.prior = self.explore, self.turns, self.glances, self.prior
        t.trust, t.theirs, t.clear = self.trust, self.theirs, self.clear
        t.least, t.near = self.least, self.near

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
        x = scratch()
        t = asked(x.thoughts, question.legal)
        return answer_of(t, int(tree.conclude(x.tree, x.nodes[0], np.int64(question.seat), t, dice)))

    # ------------------------------------------------------------ whole games

    def play(self, setup: Setup, plans: Record, source: Words64, first: int, rows: Record) -> None:
        self.settle()
        x, y = scratch(), tables()
        games.play(
            y.table, y.views, y.seen, self.cards, self.row, REAL_CHANCE, self.n_kinds, self.decks,
            np.zeros(self.n_kinds, np.int64), x.belief, x.tree, x.nodes, x.steps, x.world, x.log, x.thoughts,
            y.box, plans, decks_of(setup).series_lists(source, first, len(rows)), source, y.words, y.dice,
            y.log, y.notes, first, rows,
        )  # fmt: skip


def expected_decks(game: Duel) -> npt.NDArray[np.int16]:
    """The ready decks as rows of kinds, where the game's set has all of the cards of theirs; else none."""
    rows = []
    if set(core_set().cards) <= set(game.card_set.cards):
        legal = [deck for deck in ready_decks().values() if not faults(deck, game.card_set, game.limits)]
        for deck in legal[: belief.MOST_DECKS]:
            kinds = sorted(game.kinds[card_id] for card_id in deck.ids())
            rows.append(kinds + [int(NONE)] * (MOST_CARDS - len(kinds)))
    return np.array(rows, np.int16).reshape(-1, MOST_CARDS)
