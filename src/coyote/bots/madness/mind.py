"""Madness as a `Mind`."""

import json
import time
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from coyote.bots.bot import Answer, Budget, Question, Thought
from coyote.bots.madness import tree
from coyote.bots.madness.fold import first_bare, folded
from coyote.bots.madness.thumb import weigh
from coyote.bots.minds import Mind
from coyote.games.game import Game, Json, Words64
from coyote.games.madness.game import Madness
from coyote.games.madness.state import STATE
from coyote.kernel.dice import roll
from coyote.kernel.events import silent_log
from coyote.kernel.record import new

MOST_NODES = 1 << 20  # 20 bytes each: 21 MB, of which a search uses one node a simulation
AT_ONCE = 256  # simulations between two looks at the clock: half a millisecond
NO_LIMIT = 10**12


@cache
def learned() -> Json:
    """For each edition the weights of the signs and of the habits."""
    found: Json = json.loads(files(__package__).joinpath("learned.json").read_text(encoding="utf-8"))
    return found


def best_manner(edition: str) -> Any:
    """The manner that won against the others (`docs/bots.md`)."""
    manner = new(tree.MANNER)
    manner.explore, manner.modesty = 0.5, 0.1
    manner.signs[:] = learned()[edition]["signs"]
    manner.habits[:] = learned()[edition]["habits"]
    return manner


class MadnessMind(Mind):
    def __init__(self, game: Game) -> None:
        assert isinstance(game, Madness)
        self.edition = game.row
        self.manner = best_manner(game.edition)
        self.nodes = np.zeros(MOST_NODES, tree.NODE)
        self.work = new(tree.WORK)
        self.world = np.zeros(1, STATE)
        self.log = silent_log()

    def thumb(self, question: Question, dice: Words64) -> Answer:
        view, seat = question.view, question.seat
        worth = [float(weigh(view, self.edition, seat, np.int64(action))) for action in question.legal]
        best = max(worth)
        equals = [action for action, each in zip(question.legal, worth, strict=True) if each == best]
        thoughts = [
            Thought(action, each / (each + best) if best else 0.0, 0)
            for action, each in zip(question.legal, worth, strict=True)
        ]
        return Answer(equals[int(roll(dice, np.int64(0), len(equals)))], thoughts)

    def search(self, question: Question, dice: Words64, budget: Budget) -> Answer:
        if budget == Budget():
            raise ValueError("a search needs a limit")
        if len(question.legal) == 1:
            return Answer(question.legal[0], [Thought(question.legal[0], None, 0)])
        stop = time.perf_counter() + budget.seconds if budget.seconds is not None else None
        left = NO_LIMIT if budget.simulations is None else budget.simulations
        self.begin(dice)
        while left > 0:
            self.grow(question, min(AT_ONCE, left))
            left -= AT_ONCE
            if stop is not None and time.perf_counter() >= stop:
                break
        return self.conclude(question)

    def begin(self, dice: Words64) -> None:
        """Forget the last search."""
        self.work.used = 1
        self.work.stamp = 0
        self.work.stamped[:] = 0
        self.work.dice[:] = self.work.seed[:] = dice
        self.nodes[0] = np.zeros((), tree.NODE)

    def grow(self, question: Question, simulations: int) -> None:
        tree.grow(
            self.nodes,
            self.work,
            question.view,
            question.seat,
            self.edition,
            self.log,
            self.manner,
            self.world,
            simulations,
        )

    def conclude(self, question: Question) -> Answer:
        """The move that was tried most; moves of one fold share what was learned."""
        found = self.found()
        bare = first_bare(question.view)
        thoughts = []
        for action in question.legal:
            visits, won = found.get(int(folded(question.view, bare, np.int64(action))), (0, 0.0))
            thoughts.append(Thought(action, won / visits if visits else None, visits))
        return Answer(max(thoughts, key=lambda each: (each.examined, each.chance or 0.0)).action, thoughts)

    def found(self) -> dict[int, tuple[int, float]]:
        """Visits and wins of each fold at the root."""
        found, child = {}, int(self.nodes[0]["child"])
        while child:
            node = self.nodes[child]
            found[int(node["fold"])] = (int(node["visits"]), float(node["won"]))
            child = int(node["beside"])
        return found


def mind(game: Game) -> Mind:
    return MadnessMind(game)
