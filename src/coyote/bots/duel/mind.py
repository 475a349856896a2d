"""How to play the duel: rules of thumb, and a search that keeps its choices unreadable."""

import threading
import time
from collections import OrderedDict
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from coyote.bots.bot import Answer, Thought
from coyote.bots.deciding import one_of_equals
from coyote.bots.duel import belief, cardnet, games, sure, thumb, tree
from coyote.bots.duel.choose import choose
from coyote.bots.duel.judge import FIRST, LAYERS, ROOM, Net
from coyote.bots.duel.reasons import DuelReasons
from coyote.bots.duel.sights import write_sights
from coyote.bots.levels import Level, seven
from coyote.bots.minds import Mind, answer_of, asked, noticed_of, per_thread
from coyote.bots.net import NoNet, Weights, fill, load
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
MOST_SETS = 32  # of which it is remembered what their cards are

Floats = npt.NDArray[np.float32]


class Scratch:
    """What a search works in: some 37 MB, of which it uses what it needs; one for each thread."""

    def __init__(self) -> None:
        self.belief = new(belief.BELIEF)
        self.tree = new(tree.TREE)
        self.tree.key[:] = NONE
        self.nodes = np.zeros(int(tree.NODES), tree.NODE)
        self.steps = np.zeros(tree.DEPTH + 1, tree.STEP)
        self.world = np.zeros(2, STATE)
        self.room = new(ROOM)
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


class Learned:
    """What the judge goes by: the weights of a net. Without any that fit, it is not there."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.layers = weights, new(LAYERS)
        self.there = cardnet.fits(weights)
        try:
            fill(self.layers, weights)
        except NoNet:
            self.there = False
        self.proposes = self.there and cardnet.proposes(weights)
        self._rows: OrderedDict[str, cardnet.Rows] = OrderedDict()  # by set of cards
        self._lock = threading.Lock()

    def of(self, game: Duel) -> tuple[cardnet.Rows, Floats]:
        """For a game: what is known of its cards and of its moves, and what is always there."""
        if not self.there:
            return cardnet.nothing(), np.zeros(FIRST, np.float32)
        digest = game.card_set.digest
        with self._lock:
            if digest not in self._rows:
                entries = cardnet.entries_of(game.table, len(game.ids))
                self._rows[digest] = cardnet.rows_of(entries, self.weights)
                if len(self._rows) > MOST_SETS:
                    self._rows.popitem(last=False)
            return self._rows[digest], cardnet.always_there(game.row, self.weights)


@cache
def usual() -> Learned:
    """The net that comes with the package."""
    try:
        return Learned(load(files("coyote.bots.duel") / "judge.npz")[0])
    except NoNet:
        return Learned({})


scratch = per_thread(Scratch)
tables = per_thread(Tables)


class DuelMind(Mind):
    LEVELS = seven(
        (None, 0.62, 0.62, 0.0),
        (None, 0.49, 0.49, 0.0),
        (None, 0.36, 0.35, 0.0),
        (Budget(simulations=50), 0.315, 0.285, 0.485),
        (Budget(simulations=50), 0.205, 0.18, 0.2),
        (Budget(simulations=50), 0.115, 0.08, 0.0),
        (Budget(seconds=1.0), 0.0, 0.0, 0.0),
    )
    MIXES = True  # both choose in secret

    PLAYS = True
    clock = staticmethod(time.perf_counter)

    # Settings of the search (`tree.TREE`); docs/bots.md tells how they were found.
    explore, glances, prior = 0.1, 4, 10.0
    turns, turns_without = 0, 8  # of a playout, before the net judges, and where there is none
    level, habit = True, 10.0
    proposing = True  # by the net, if it can
    behind, behind_by_thumb = 120.0, 60.0  # where the net proposes, and where it does not
    trust, theirs, clear = 0.5, 3, 0.5
    least, near = 0.5, 0.1
    held = True  # the other's cards that must be in hand are supposed there

    def __init__(self, game: Game, learned: Learned | None = None) -> None:
        """`learned` is what it judges by, if not by the net that comes with the package."""
        assert isinstance(game, Duel)
        self.game, self.cards, self.row = game, game.table, game.row
        self.learned = learned or usual()
        self._rows = self.learned.of(game)  # shared by all minds of the same cards
        self.n_kinds = np.int64(len(game.ids))
        self.decks = expected_decks(game)

    def reason(self, view: Record, seat: int, move: str) -> Reason | None:
        return DuelReasons(self.game, view, seat).why(move)

    # ------------------------------------------------------------ rules of thumb

    def thumb(self, question: Question, dice: Words64) -> Answer:
        x = scratch()
        t = asked(x.thoughts, question.legal)
        seat = np.int64(question.seat)
        thumb.think(question.view, self.cards, self.row, self.n_kinds, x.log, x.world, x.tree.due, seat, t)
        return answer_of(t, int(one_of_equals(t, dice)), examined=False)

    def noticed(self, question: Question, dice: Words64, level: Level) -> list[int]:
        x, seat = scratch(), np.int64(question.seat)
        t = asked(x.thoughts, question.legal)
        write_sights(question.view, self.cards, self.row, x.tree.due, x.tree.worth, seat, t)
        return noticed_of(t, dice, level)

    # ------------------------------------------------------------ the search

    def search(self, question: Question, dice: Words64, budget: Budget) -> Answer:
        start = self.clock()
        if budget == Budget():
            raise ValueError("a search needs a limit")
        if len(question.legal) == 1:
            return Answer(question.legal[0], [Thought(question.legal[0], None, 0)])
        self.begin(question)
        most = NO_LIMIT if budget.simulations is None else budget.simulations
        end = None if budget.seconds is None else start + budget.seconds
        chunk = FIRST_CHUNK
        x = scratch()
        while x.simulations < most and (end is None or self.clock() < end):
            before = self.clock()
            done = self._simulate(question, dice, chunk, most - x.simulations)
            x.simulations += done
            each = (self.clock() - before) / done
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

    @property
    def net(self) -> Net:
        rows, always = self._rows
        return Net(*rows, always, self.learned.layers, scratch().room)

    def settle(self) -> None:
        t = scratch().tree
        t.judged, t.proposed = self.learned.there, self.learned.proposes and self.proposing
        t.turns = self.turns if t.judged else self.turns_without
        t.explore, t.glances, t.prior = self.explore, self.glances, self.prior
        t.behind = self.behind if t.proposed else self.behind_by_thumb
        t.level = self.level and t.judged
        t.habit = self.habit if t.judged else 0.0
        t.trust, t.theirs, t.clear = self.trust, self.theirs, self.clear
        t.least, t.near = self.least, self.near
        scratch().belief.held = self.held

    def suppose(self, view: Record, seat: int, dice: Words64) -> Record:
        """A whole state as the search supposes them, after `begin`."""
        x = scratch()
        belief.suppose(view, self.cards, self.row, x.belief, np.int64(seat), dice, x.world)
        return x.world[0]

    def _simulate(self, question: Question, dice: Words64, n: int, most: int) -> int:
        x = scratch()
        return int(
            tree.search(
                question.view, self.cards, self.net, self.row, x.belief, np.int64(question.seat), x.tree,
                x.nodes, x.steps, x.world, REAL_CHANCE, x.log, dice, np.int64(n), np.int64(most),
            )
        )  # fmt: skip

    def _answer(self, question: Question, dice: Words64) -> Answer:
        x = scratch()
        t = asked(x.thoughts, question.legal)
        seat = np.int64(question.seat)
        picked = tree.conclude(x.tree, x.nodes[0], seat, t, dice)
        picked = sure.prefer_sure(
            question.view, self.cards, self.row, self.n_kinds, x.log, x.world, seat, t, picked
        )
        return answer_of(t, int(picked))

    # ------------------------------------------------------------ whole games

    def play(self, setup: Setup, plans: Record, source: Words64, first: int, rows: Record) -> None:
        self.settle()
        x, y = scratch(), tables()
        games.play(
            y.table, y.views, y.seen, self.cards, self.net, self.row, REAL_CHANCE, self.n_kinds, self.decks,
            np.zeros(self.n_kinds, np.int64), x.belief, x.tree, x.nodes, x.steps, x.world, x.log, x.thoughts,
            y.box, plans, decks_of(setup).series_lists(source, first, len(rows)), source, y.words, y.dice,
            y.log, y.notes, first, rows,
        )  # fmt: skip

    def choose(
        self, plan: Record, source: Words64, numbers: Record, states: Record, seats: Record, moves: Record
    ) -> None:
        x, y = scratch(), tables()
        choose(
            states, seats, numbers, moves, y.views, y.seen, self.cards, self.row, self.n_kinds, x.log,
            x.world, x.tree.due, x.thoughts, y.box, plan, source, y.words, y.dice,
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
