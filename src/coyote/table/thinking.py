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

import numpy as np

from coyote.bots.bot import Question
from coyote.bots.hints import advise
from coyote.bots.names import check_bot, make_bot
from coyote.bots.reasons import reason
from coyote.games.game import Game, Json, OptionError, Record
from coyote.games.registry import GAMES
from coyote.kernel.events import new_log
from coyote.kernel.jit import compiling_here
from coyote.match import Match
from coyote.table.games import Decks, Games
from coyote.text import Words

T = TypeVar("T")
ALLOWED = ("random", "greedy", "level:1", "level:2", "level:3", "level:4", "level:5")
GAMES_OF_A_THREAD = 4  # a search keeps much room for its work
KINDNESS = 10  # how far the threads of bots stand back behind the one that answers people


def check_opponent(name: str) -> None:
    """OptionError for a bot that is not let to the table: programs by command, searches without limit."""
    if name not in ALLOWED:
        raise OptionError("option.value", name="bot", value=name[:40], known=", ".join(ALLOWED))
    check_bot(name)


class Thinkers:
    def __init__(self, threads: int, sets: dict[str, Json]) -> None:
        self.sets = sets
        self._own = threading.local()
        self._pool = ThreadPoolExecutor(threads, "bot", self._stand_back)
        self.waiting = 0

    def _stand_back(self) -> None:
        """Linux has priorities for threads; elsewhere the pool is small enough."""
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), KINDNESS)

    async def think(self, bot: str, seed: str, way: tuple[str, Json, str, Decks], asked: Question) -> str:
        """The bot's move, in notation; `way` is how the room's game is made."""
        return await self._in_turn(self._answer, bot, seed, way, asked)

    async def _in_turn(self, work: Callable[..., T], *given: Any) -> T:
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *given)
        finally:
            self.waiting -= 1

    def _game(self, way: tuple[str, Json, str, Decks]) -> Game:
        """Each thread has its own: games keep room for their work."""
        if not hasattr(self._own, "games"):
            self._own.games = Games(self.sets, GAMES_OF_A_THREAD)
        game: Game = self._own.games.get(*way)
        return game

    def _answer(self, bot: str, seed: str, way: tuple[str, Json, str, Decks], asked: Question) -> str:
        game = self._game(way)
        player = make_bot(bot, game, seed)
        try:
            return game.move_text(player.answer(asked).action)
        finally:
            player.close()

    async def advise(self, seed: str, way: tuple[str, Json, str, Decks], asked: Question, lang: str) -> Json:
        """What a search would do in a person's place, and why: from what that seat may know."""
        return await self._in_turn(self._advice, seed, way, asked, lang)

    def _advice(self, seed: str, way: tuple[str, Json, str, Decks], asked: Question, lang: str) -> Json:
        game = self._game(way)
        answer = advise(game, seed, asked.view, asked.seat, asked.legal)
        key, values = reason(game, asked.view, asked.seat, answer)
        chance = next(thought.chance for thought in answer.thoughts if thought.action == answer.action)
        words = Words(lang)
        why = words(key, **values)
        text = why if chance is None else words("hint.chance", why=why, chance=100 * chance)
        return {"move": game.move_text(answer.action), "chance": chance, "text": text[0].upper() + text[1:]}

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
    game = GAMES[name]()
    match = Match(game, seed="warm")
    match.record()
    for seat in match.actors:
        imagined: Record = game.imagine(match.view_record(seat), seat, np.array([1, 2], np.uint64))
        game.act(imagined, seat, game.legal(imagined, seat)[0], new_log(game.ROOM))
        game.why_not(match.view_record(seat), seat, "")
        match.view(seat)
        match.play(match.legal(seat)[0], seat)
    match.view(-1)
    match.situation(0)
    match.copy()


def _first_answers() -> None:
    for kind in GAMES.values():
        game = kind()
        state = game.deal(np.array([1, 2], np.uint64))
        seat = 0 if game.actors(state) & 1 else 1
        for bot in ("greedy", "search:1"):
            make_bot(bot, game, "warm").answer(
                Question(game.view(state, seat), seat, game.legal(state, seat))
            )
