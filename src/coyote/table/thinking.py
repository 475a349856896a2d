"""Where bots think: a few threads off the event loop, shared fairly between guests.

Each guest has one question at work at a time. Next is whoever will have used least of the threads with
what they ask; who comes anew counts as having used what is usual then. So a quick bot waits for no queue
of slow ones, whether they are one guest's or many guests', and nobody waits for ever. Hints have a thread
of their own: no bot waits for them.
"""

import asyncio
import heapq
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from coyote.bots.hints import advise, chance_of, hint_sentence
from coyote.bots.minds import MINDS
from coyote.bots.names import AT_TABLE, make_bot
from coyote.games.game import Game, Json, OptionError
from coyote.games.registry import GAMES
from coyote.kernel import jit
from coyote.kernel.jit import compiling_here
from coyote.match import Match
from coyote.questions import Question
from coyote.table.limits import Limits, per_minute, too_many
from coyote.table.metrics import Metrics
from coyote.text import Words

log = logging.getLogger("coyote.table")

T = TypeVar("T")
KINDNESS = 10  # how far the threads of bots stand back behind the one that answers people
TRIES = 3  # that a bot has for its answer
HINTS_OF_GUEST = 2  # that wait or are thought about; more are refused
HINTS = 30  # of all guests
HINT_TAKES = 1.0  # seconds, as a rule


def check_opponent(name: str) -> None:
    """OptionError for a bot that is not let to the table: programs by command, searches without limit."""
    if name not in AT_TABLE:
        raise OptionError("option.value", name="bot", value=name[:40], known=", ".join(AT_TABLE))


@dataclass
class Asked:
    """Work that waits for its turn."""

    kind: str  # of one kind are those that take equally long
    work: Callable[[], Any]
    answer: asyncio.Future[Any]
    at: float


class Asker:
    """One guest's questions in their order, and how much of the threads the guest has used."""

    def __init__(self) -> None:
        self.waiting: deque[Asked] = deque()
        self.used = 0.0
        self.running = False


class Line:
    """Threads, and who waits for them."""

    def __init__(self, name: str, threads: int, kindness: int, metrics: Metrics | None = None) -> None:
        self.name, self.metrics, self.kindness = name, metrics, kindness
        self._pool = ThreadPoolExecutor(threads, name, self._stand_back)
        self._threads = self._free = threads
        self._takes: dict[str, float] = {}  # seconds, by kind, as it was lately
        self._askers: dict[str, Asker] = {}
        self._most = 100  # askers, until those are forgotten who need not be remembered
        self._next: list[tuple[float, int, str]] = []  # a heap: used by then, in what order, who
        self._number = 0
        self._usual = 0.0  # what somebody counts as having used who has not asked for long
        self.waiting = 0  # or running

    def _stand_back(self) -> None:
        """Linux has priorities for threads; elsewhere the pool is small enough."""
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self.kindness)

    def of_guest(self, who: str) -> int:
        """How many questions of that guest wait or run."""
        asker = self._askers.get(who)
        return len(asker.waiting) + asker.running if asker else 0

    async def ask(self, who: str, kind: str, work: Callable[[], T]) -> T:
        asked = Asked(kind, work, asyncio.get_running_loop().create_future(), time.monotonic())
        asker = self._askers.setdefault(who, Asker())
        asker.waiting.append(asked)
        self.waiting += 1
        if len(asker.waiting) == 1 and not asker.running:
            self._queue(who, asker)
        self._start()
        try:
            found: T = await asked.answer
            return found
        finally:
            self.waiting -= 1

    def _queue(self, who: str, asker: Asker) -> None:
        asker.used = max(asker.used, self._usual)
        self._number += 1
        takes = self._takes.get(asker.waiting[0].kind, 0.0)
        heapq.heappush(self._next, (asker.used + takes, self._number, who))

    def _start(self) -> None:
        while self._free and self._next:
            _, _, who = heapq.heappop(self._next)
            asker = self._askers[who]
            while asker.waiting and asker.waiting[0].answer.done():
                asker.waiting.popleft()  # nobody waits for it any more
            if asker.waiting:
                self._run(who, asker, asker.waiting.popleft())
        self._forget()

    def _run(self, who: str, asker: Asker, asked: Asked) -> None:
        began = time.monotonic()
        self._note("bot_wait_seconds", began - asked.at)
        self._free -= 1
        asker.running = True
        running = asyncio.get_running_loop().run_in_executor(self._pool, asked.work)
        running.add_done_callback(partial(self._finish, who, asker, asked, began))

    def _finish(
        self, who: str, asker: Asker, asked: Asked, began: float, running: asyncio.Future[Any]
    ) -> None:
        took = time.monotonic() - began
        self._note("bot_think_seconds", took)
        self._free += 1
        asker.running = False
        asker.used += took
        self._usual += took / len(self._askers)
        self._takes[asked.kind] = (self._takes.get(asked.kind, took) + took) / 2
        if asker.waiting:
            self._queue(who, asker)
        if running.cancelled():
            asked.answer.cancel()
        elif error := running.exception():
            if not asked.answer.done():
                asked.answer.set_exception(error)
        elif not asked.answer.done():
            asked.answer.set_result(running.result())
        self._start()

    def _forget(self) -> None:
        """Who has used no more than is usual need not be remembered; nobody, when there is nothing to do."""
        if not self._next and self._free == self._threads:
            self._askers.clear()
            self._usual = 0.0
        elif len(self._askers) > self._most:
            needed = {
                who: asker
                for who, asker in self._askers.items()
                if asker.waiting or asker.running or asker.used > self._usual
            }
            self._askers, self._most = needed, max(100, 2 * len(needed))

    def _note(self, name: str, seconds: float) -> None:
        if self.metrics:
            self.metrics.time(name, seconds, kind=self.name)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class Thinkers:
    def __init__(
        self,
        threads: int,
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
        metrics: Metrics | None = None,
    ) -> None:
        self._moves = Line("move", threads, KINDNESS, metrics)
        self._hints = Line("hint", 1, KINDNESS + 5, metrics)
        self._hint_rate = per_minute(limits.hints_per_minute)
        self.metrics = metrics

    @property
    def waiting(self) -> int:
        """Questions that are not answered."""
        return self._moves.waiting + self._hints.waiting

    async def think(self, bot: str, seed: str, game: Game, asked: Question, who: str = "") -> str:
        """The bot's move in a guest's game, in notation. It is never refused, and waits its turn."""
        return await self._moves.ask(who, bot, partial(self._move, bot, seed, game, asked))

    def _move(self, bot: str, seed: str, game: Game, asked: Question) -> str:
        """A bot that fails is asked again with other dice; at last any move is better than none."""
        for number in range(TRIES):
            try:
                return self._answer(bot, f"{seed} again {number}" if number else seed, game, asked)
            except Exception as error:
                log.error("bot failed", extra={"bot": bot, "game": game.name}, exc_info=error)
                if self.metrics:
                    self.metrics.count("errors", where="bot")
        return game.move_text(asked.legal[0])

    def _answer(self, bot: str, seed: str, game: Game, asked: Question) -> str:
        player = make_bot(bot, game, seed)
        try:
            return game.move_text(player.answer(asked).action)
        finally:
            player.close()

    async def advise(self, seed: str, game: Game, asked: Question, lang: str, who: str = "") -> Json:
        """What a search would do in a person's place, and why: from what that seat may know; Denied."""
        if self._hints.of_guest(who) >= HINTS_OF_GUEST:
            raise too_many(HINT_TAKES * self._hints.waiting)
        if self._hints.waiting >= HINTS:
            raise too_many(HINT_TAKES * HINTS / 2)
        if wait := self._hint_rate.take(who, time.monotonic()):
            raise too_many(wait)
        return await self._hints.ask(who, "hint", partial(self._advice, seed, game, asked, lang))

    def _advice(self, seed: str, game: Game, asked: Question, lang: str) -> Json:
        answer = advise(game, seed, asked)
        text = hint_sentence(game, asked, answer, Words(lang))
        return {"move": game.move_text(answer.action), "chance": chance_of(answer), "text": text}

    def close(self) -> None:
        self._moves.close()
        self._hints.close()


def in_background(work: Callable[[], None]) -> asyncio.Future[None]:
    """Done in a thread that nobody waits for when the server stops."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def finish(error: BaseException | None) -> None:
        if not done.done():
            done.set_exception(error) if error else done.set_result(None)

    def run() -> None:
        error: BaseException | None = None
        try:
            work()
        except Exception as found:
            error = found
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(finish, error)

    threading.Thread(target=run, daemon=True).start()
    return done


def warm_up() -> None:
    """Have everything compiled that rooms and bots call. Takes its time on the first start; until it is
    done, other threads run plain Python, which is quick enough for people."""
    with compiling_here():
        if jit.COMPILED and not all(jit.is_ready(module, "server") for module in _compiled_modules()):
            _compile_elsewhere()
        compile_all()


def compile_all() -> None:
    """Whatever was compiled before is only loaded."""
    for name in GAMES:
        warm_rules(name)
    _first_answers()
    for module in _compiled_modules():
        jit.mark_ready(module, "server")


def _compiled_modules() -> list[str]:
    """Those of our own games; what else is registered is compiled when it is called."""
    parts = [part.__module__ for part in (*GAMES.values(), *MINDS.values())]
    return [module for module in parts if module.startswith("coyote.")]


def _compile_elsewhere() -> None:
    """In a process of its own; where that fails, it is compiled here."""
    with (
        suppress(OSError),
        jit.run_elsewhere("from coyote.table.thinking import compile_all; compile_all()") as child,
    ):
        child.wait()


def warm_rules(name: str) -> None:
    """All that a room calls, called once."""
    match = Match(name, seed="warm")
    match.record()
    for seat in match.actors:
        move = match.legal(seat)[0]
        match.showed(move, seat)
        match.refuses("", seat)
        match.view_json(seat)
        match.play(move, seat)
    match.view_json(-1)
    match.copy()


def _first_answers() -> None:
    for name in GAMES:
        match = Match(name, seed="warm")
        for bot in ("greedy", "search:1"):
            make_bot(bot, match.game, "warm").answer(match.question(match.actors[0]))
