"""Madness as a `Mind`."""

import json
import time
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from coyote.bots.bot import Answer, Thought
from coyote.bots.deciding import one_of_equals
from coyote.bots.levels import Level, seven
from coyote.bots.madness import games, tree
from coyote.bots.madness.choose import choose
from coyote.bots.madness.habits import N_HABITS
from coyote.bots.madness.hands import hands_for, weigh_hands
from coyote.bots.madness.judge import SIGNS
from coyote.bots.madness.nets import NET, nets, set_biases
from coyote.bots.madness.reasons import MadnessReasons
from coyote.bots.madness.sights import write_sights
from coyote.bots.madness.thumb import think
from coyote.bots.minds import Mind, answer_of, asked, noticed_of, per_thread
from coyote.bots.reasons import Reason
from coyote.games.game import Game, Json, Record, Setup, Words64
from coyote.games.madness.editions import EDITIONS
from coyote.games.madness.game import Madness
from coyote.games.madness.state import STATE
from coyote.kernel.events import new_log, silent_log
from coyote.kernel.jit import runs_plain
from coyote.kernel.record import blank, new
from coyote.kernel.rows import NOTES
from coyote.questions import Budget, Question

MOST_NODES = 1 << 21  # 24 bytes each: 50 MB, of which a search uses some five nodes a simulation
AT_ONCE = 256  # simulations between two looks at the clock: half a millisecond
NO_LIMIT = 10**12
USUAL_SPEED, PLAIN_SPEED = 400_000, 50  # simulations a second, more or less: compiled, and not


@cache
def learned() -> Json:
    """For each edition the weights of the signs and of the habits."""
    tables: Json = json.loads(files(__package__).joinpath("learned.json").read_text(encoding="utf-8"))
    for edition, table in tables.items():
        sizes = (len(table["signs"]), len(table["habits"]))
        if sizes != (len(SIGNS), N_HABITS):  # they are tied to the code by their place alone
            raise ValueError(f"learned.json, {edition}: {sizes} weights, not {(len(SIGNS), N_HABITS)}")
    return tables


def set_manner(manner: Any, game: Madness) -> None:
    """Write the manner that won against the others (`docs/bots.md`). An edition that nothing was learned of
    is played with what was learned of the first one."""
    edition = game.edition if game.edition in learned() else next(iter(learned()))
    table = learned()[edition]
    manner.explore, manner.modesty, manner.even = 0.5, 0.1, 0.5
    manner.scale = int(EDITIONS[edition]["goal"]) / int(game.row.goal)
    manner.signs[:] = table["signs"]
    manner.habits[:] = table["habits"]


def use_nets(mind: "MadnessMind", made: Any | None) -> None:
    """Judge by these nets and look where they say; by None: as the habits and the signs say."""
    mind.nets = np.zeros(1, NET) if made is None else made
    mind.manner.has_nets = made is not None
    if made is not None:
        set_biases(mind.manner, made[0], mind.game.row)


def expected(budget: Budget) -> int:
    """About how many simulations a search will make."""
    speed = PLAIN_SPEED if runs_plain() else USUAL_SPEED
    by_time = NO_LIMIT if budget.seconds is None else int(budget.seconds * speed)
    return by_time if budget.simulations is None else min(by_time, budget.simulations)


class Scratch:
    """What a search works in; one for each thread."""

    def __init__(self) -> None:
        self.nodes = np.zeros(MOST_NODES, tree.NODE)
        self.work = new(tree.WORK)
        self.world = np.zeros(2, STATE)
        self.pages, self.moves = np.zeros(Madness.REMEMBERED, STATE), np.zeros(Madness.REMEMBERED, np.int16)
        self.log = silent_log()
        self.thoughts = new(games.THOUGHTS)


class Tables:
    """Where whole games are played; one for each thread."""

    def __init__(self) -> None:
        self.table, self.views = np.zeros(1, STATE), np.zeros(1, STATE)
        self.seen = self.views.view(np.uint8)
        self.box, self.notes, self.log = new(games.BOX), new(NOTES), new_log()
        self.words, self.dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        both = (2, Madness.REMEMBERED)
        self.diary = games.Diary(np.zeros(both, STATE), np.zeros(both, np.int16), np.zeros(2, np.int64))


scratch = per_thread(Scratch)
tables = per_thread(Tables)


class MadnessMind(Mind):
    LEVELS = seven(
        (None, 0.35, 0.35, 0.0),
        (Budget(simulations=8), 0.28, 0.28, 0.85),
        (Budget(simulations=8), 0.2, 0.2, 0.7),
        (Budget(simulations=16), 0.16, 0.15, 0.45),
        (Budget(simulations=16), 0.1, 0.09, 0.2),
        (Budget(simulations=16), 0.05, 0.04, 0.0),
        (Budget(seconds=1.0), 0.0, 0.0, 0.0),
    )

    PLAYS = True
    nets: Any
    weighs = True  # the hands that the other may have; benchmarks compare

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Madness)
        self.game, self.edition = game, game.row
        self.manners, self.manner = blank(tree.MANNER)
        made, there = nets()
        use_nets(self, made if there else None)
        set_manner(self.manner, game)

    def reason(self, view: Record, seat: int, move: str) -> Reason | None:
        return MadnessReasons(self.game, view, seat).why(move)

    def thumb(self, question: Question, dice: Words64) -> Answer:
        x = scratch()
        t = asked(x.thoughts, question.legal)
        think(question.view, self.edition, question.seat, t, x.world, x.log)
        return answer_of(t, int(one_of_equals(t, dice)), examined=False)

    def noticed(self, question: Question, dice: Words64, level: Level) -> list[int]:
        x = scratch()
        t = asked(x.thoughts, question.legal)
        write_sights(question.view, self.edition, question.seat, t, x.world, x.log)
        return noticed_of(t, dice, level)

    def search(self, question: Question, dice: Words64, budget: Budget) -> Answer:
        if budget == Budget():
            raise ValueError("a search needs a limit")
        if len(question.legal) == 1:
            return Answer(question.legal[0], [Thought(question.legal[0], None, 0)])
        stop = time.perf_counter() + budget.seconds if budget.seconds is not None else None
        left = NO_LIMIT if budget.simulations is None else budget.simulations
        self.begin(dice)
        self.weigh_hands(question, expected(budget))
        while left > 0:
            self.grow(question, min(AT_ONCE, left))
            left -= AT_ONCE
            if stop is not None and time.perf_counter() >= stop:
                break
        return self.conclude(question)

    def begin(self, dice: Words64) -> None:
        """Forget the last search."""
        x = scratch()
        tree.begin(x.nodes, x.work, dice)

    def weigh_hands(self, question: Question, simulations: int) -> None:
        """Think about what the other may hold, before a search of about so many simulations."""
        x, told = scratch(), len(question.past)
        if not (self.weighs and self.manner.has_nets):
            return
        for k, page in enumerate(question.past):
            x.pages[k], x.moves[k] = page.view, page.action
        weigh_hands(
            question.view, self.edition, question.seat, x.pages, x.moves, told, hands_for(simulations),
            self.nets[0], self.manner, x.work, x.world,
        )  # fmt: skip

    def grow(self, question: Question, simulations: int) -> None:
        x, view, seat = scratch(), question.view, question.seat
        tree.grow(
            x.nodes, x.work, view, seat, self.edition, x.log, self.manner, self.nets, x.world, simulations
        )

    def conclude(self, question: Question) -> Answer:
        """The move that was tried most; moves of one fold share what was learned."""
        x = scratch()
        t = asked(x.thoughts, question.legal)
        view, seat = question.view, question.seat
        return answer_of(t, int(tree.conclude(x.nodes, view, self.edition, seat, t, x.world, x.log)))

    # ------------------------------------------------------------ whole games

    def play(self, setup: Setup, plans: Record, source: Words64, first: int, rows: Record) -> None:
        x, y = scratch(), tables()
        games.play(
            y.table, y.views, y.seen, self.edition, self.manners, self.nets, x.nodes, x.work, x.world, x.log,
            x.thoughts, y.box, plans, source, y.words, y.dice, y.log, y.notes, y.diary, first, rows,
        )  # fmt: skip

    def choose(
        self, plan: Record, source: Words64, numbers: Record, states: Record, seats: Record, moves: Record
    ) -> None:
        x, y = scratch(), tables()
        choose(
            states, seats, numbers, moves, y.views, y.seen, self.edition, x.thoughts, y.box, x.world, x.log,
            plan, source, y.words, y.dice,
        )  # fmt: skip
