"""One game between two bots, to its end or to the failure of one; and many, on all cores."""

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from coyote.bots.bot import Answer, Bot, BotFailure
from coyote.bots.external import Programs
from coyote.games.game import Json, Record, Result, Words64
from coyote.kernel.dice import roll
from coyote.match import Match
from coyote.questions import Budget, Question

AHEAD = 4  # pieces of work for each thread that are begun before the first of them is needed

Work = TypeVar("Work")


class Stopped(Exception):
    """Somebody does not want the rest of a game."""


class DiceBot:
    """The `random` of a series: its dice are the series' own, so that compiled play makes the same moves."""

    name = "random"

    def __init__(self, dice: Words64) -> None:
        self.dice = dice

    def answer(self, question: Question) -> Answer:
        return Answer(self.choose(question.seat, question.legal))

    def choose(self, seat: int, legal: Sequence[int]) -> int:
        return legal[int(roll(self.dice, np.int64(seat), len(legal)))]

    def close(self, result: Json | None = None) -> None:
        pass


@dataclass(frozen=True)
class Played:
    """A game that is over: by the rules, or because a seat did not play on."""

    match: Match
    failed: int | None = None
    failure: BotFailure | None = None

    @property
    def result(self) -> Result:
        if self.failed is None or self.failure is None:
            assert self.match.result is not None
            return self.match.result
        reason = "timeout" if self.failure.code == "bot.late" else "resignation"
        return Result(1 - self.failed, reason, self.match.score)

    def points(self, seat: int) -> float:
        """1 for a win, ½ for a draw."""
        winner = self.result.winner
        return 0.5 if winner is None else float(winner == seat)

    @property
    def turns(self) -> int:
        return self.match.turn

    @property
    def row(self) -> Record:
        """What was counted of it (`kernel.rows`)."""
        return self.match.row(self.result.winner, "" if self.failure else self.result.reason)

    def record(self) -> Json:
        return {**self.match.record(), "result": self.result.as_json()}


def play_out(
    match: Match,
    players: Sequence[Bot],
    budget: Budget = Budget(),  # noqa: B008 - it is frozen
    stop: threading.Event | None = None,
) -> Played:
    """Ask the bots until the game is over. Stopped where somebody sets `stop`."""
    heard = [0, 0]
    while actors := match.actors:
        for seat in actors:
            if stop is not None and stop.is_set():
                raise Stopped
            try:
                action = ask(match, seat, players[seat], heard, budget)
            except BotFailure as failure:
                return Played(match, seat, failure)
            match.play_action(action, seat)
    return Played(match)


def ask(match: Match, seat: int, player: Bot, heard: list[int], budget: Budget) -> int:
    """One decision; `heard` is how many events each seat has heard of."""
    if isinstance(player, DiceBot):
        return player.choose(seat, match.legal_actions(seat))  # it looks at nothing: nothing is made to see
    question = match.question(seat, heard[seat], budget)
    heard[seat] += len(question.events)
    return player.answer(question).action


def say_goodbye(players: Sequence[Bot], result: Json | None) -> None:
    """The game is over; a program of somebody else's hears how."""
    for player in players:
        player.close(result)


class Crew:
    """Threads that play, one for each core; they share the programs that are bots."""

    def __init__(self) -> None:
        self.programs = Programs()
        self.stop = threading.Event()

    def in_order(self, work: Callable[[int], Work], n: int) -> Generator[Work, None, None]:
        """`work(number)` for the numbers from 0 to n - 1, in this order, whoever is ready first.

        When this is left early, by an error, an interruption or `close`, all that still runs is stopped.
        """
        threads = os.cpu_count() or 1
        pool = ThreadPoolExecutor(threads)
        begun: deque[Future[Work]] = deque()
        try:
            for number in range(n):
                begun.append(pool.submit(work, number))
                if len(begun) >= AHEAD * threads:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            for future in begun:
                future.cancel()
            self.close()
            pool.shutdown()

    def close(self) -> None:
        """End what still runs."""
        self.stop.set()
        self.programs.close()
