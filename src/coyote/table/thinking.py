"""Where bots think: a few threads off the event loop, one queue, first come first served.

A room asks for one seat at a time, so a queue in the order of asking is fair to all rooms.
"""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from coyote.bots.hints import advise, chance_of, hint_sentence
from coyote.bots.names import AT_TABLE, make_bot
from coyote.games.game import Game, Json, OptionError
from coyote.games.registry import GAMES
from coyote.kernel.jit import compiling_here
from coyote.match import Match
from coyote.questions import Question
from coyote.text import Words

T = TypeVar("T")
KINDNESS = 10  # how far the threads of bots stand back behind the one that answers people


def check_opponent(name: str) -> None:
    """OptionError for a bot that is not let to the table: programs by command, searches without limit."""
    if name not in AT_TABLE:
        raise OptionError("option.value", name="bot", value=name[:40], known=", ".join(AT_TABLE))


class Thinkers:
    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "bot", self._stand_back)
        self.waiting = 0

    def _stand_back(self) -> None:
        """Linux has priorities for threads; elsewhere the pool is small enough."""
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), KINDNESS)

    async def think(self, bot: str, seed: str, game: Game, asked: Question) -> str:
        """The bot's move, in notation."""
        return await self._in_turn(self._answer, bot, seed, game, asked)

    async def _in_turn(self, work: Callable[..., T], *given: Any) -> T:
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *given)
        finally:
            self.waiting -= 1

    def _answer(self, bot: str, seed: str, game: Game, asked: Question) -> str:
        player = make_bot(bot, game, seed)
        try:
            return game.move_text(player.answer(asked).action)
        finally:
            player.close()

    async def advise(self, seed: str, game: Game, asked: Question, lang: str) -> Json:
        """What a search would do in a person's place, and why: from what that seat may know."""
        return await self._in_turn(self._advice, seed, game, asked, lang)

    def _advice(self, seed: str, game: Game, asked: Question, lang: str) -> Json:
        answer = advise(game, seed, asked)
        text = hint_sentence(game, asked, answer, Words(lang))
        return {"move": game.move_text(answer.action), "chance": chance_of(answer), "text": text}

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


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
        for name in GAMES:
            warm_rules(name)
        _first_answers()


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
