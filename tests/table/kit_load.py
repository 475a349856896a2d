"""Many clients at once that play: guests, rooms and games made a few at a time, moves at a pace or none."""

import asyncio
import random
import secrets
import time
from typing import Any

import msgspec

from table.kit_raw import Requests, Socket

SHARED = 10  # games that one pair of guests plays at once
AT_ONCE = 8  # games that are made at the same time
Json = dict[str, Any]


class Update(msgspec.Struct):
    """What such a client reads of a message."""

    type: str
    phase: str = ""
    id: str | None = None
    done: list[str] = []
    actors: list[int] = []
    legal: list[str] = []


reading = msgspec.json.Decoder(Update)


class Waits:
    """How long answers took, in seconds."""

    def __init__(self) -> None:
        self.found: list[float] = []


class Seat:
    """One client in one seat of a table."""

    def __init__(self, game: "Game", party: int) -> None:
        self.game, self.party = game, party
        self.legal: list[str] = []
        self.both = False  # whether the other one is to choose, too
        self.dealt = asyncio.Event()
        self.welcome = asyncio.Event()

    async def connect(self, host: str, cookie: str, want: str, source: str | None) -> None:
        self.socket = await Socket.open(host, self.game.path, cookie, self.hear, source=source)
        self.socket.lost.add_done_callback(lambda lost: self.game.fail(f"closed {lost.result()}"))
        self.socket.say_json(type="hello", version=1, want=want.split(","))
        await self.welcome.wait()

    async def ready(self) -> None:
        self.socket.say_json(type="ready", id="r", nonce=secrets.token_hex(16))
        await self.dealt.wait()

    def hear(self, body: bytes) -> None:
        message = reading.decode(body)
        match message.type:
            case "update":
                self.look(message)
                self.welcome.set()
            case "done" if message.id == self.game.id:
                self.game.answered()
            case "error":
                self.game.fail(body.decode())

    def look(self, message: Update) -> None:
        self.legal, self.both = message.legal, len(message.actors) > 1
        if message.phase == "playing":
            self.dealt.set()
        if self.game.id in message.done:
            self.game.answered()
        if message.phase == "over" and not self.game.waiting:
            self.game.end()
        self.game.go_on()

    @property
    def owes(self) -> bool:
        return bool(self.legal) and self.party not in self.game.sealed

    def move(self, id: str) -> None:
        text = f'{{"type":"move","id":"{id}","move":"{random.choice(self.legal)}"}}'.encode()
        self.game.said.append(text)
        self.socket.say(text)


class Game:
    """Two clients at a table; one message at a time."""

    def __init__(self, path: str, waits: Waits, pace: float = 0.0) -> None:
        self.path, self.waits, self.pace = path, waits, pace
        self.seats = [Seat(self, party) for party in range(2)]
        self.playing, self.waiting, self.moves, self.sent = False, False, 0, 0.0
        self.id = ""  # of the move that is not answered yet
        self.mover = self.seats[0]
        self.fault = ""
        self.said: list[bytes] = []
        self.sealed: set[int] = set()  # those who have chosen, in a duel, while the other has not
        self.over = asyncio.Event()

    async def play(self) -> None:
        """To the end; RuntimeError where the server would not have it."""
        self.playing = True
        self.go_on()
        await self.over.wait()
        if self.fault:
            raise RuntimeError(self.fault)

    def go_on(self) -> None:
        if not self.playing or self.waiting or not any(seat.owes for seat in self.seats):
            return
        self.waiting = True
        if self.pace:
            wait = random.uniform(0.5, 1.5) / self.pace
            asyncio.get_running_loop().call_later(wait, self.move)
        else:
            self.move()

    def move(self) -> None:
        if not self.over.is_set():
            if not self.mover.owes:
                self.mover = self.seats[1 - self.mover.party]
            self.moves += 1
            self.id = f"move-{self.moves}"
            self.sent = time.perf_counter()
            self.mover.move(self.id)

    def answered(self) -> None:
        self.waiting, self.id = False, ""
        if self.mover.both and not self.sealed:
            self.sealed.add(self.mover.party)
        else:
            self.sealed.clear()
        self.waits.found.append(time.perf_counter() - self.sent)

    def fail(self, why: str) -> None:
        if not self.over.is_set():
            self.fault = why
            self.over.set()
            for seat in self.seats:
                seat.welcome.set()
                seat.dealt.set()

    def end(self) -> None:
        """Both hear of it; the first closes for both."""
        if not self.over.is_set():
            self.over.set()
            asyncio.get_running_loop().call_later(0.1, self.leave)

    def leave(self) -> None:
        for seat in self.seats:
            seat.socket.transport.close()


class Makers:
    """Make guests, rooms and players, a few at a time."""

    def __init__(self, host: str, game: str, source: str | None = None) -> None:
        self.host, self.game, self.source = host, game, source
        self.idle: asyncio.Queue[Requests] = asyncio.Queue()

    async def open(self, connections: int = AT_ONCE) -> None:
        for _ in range(connections):
            self.idle.put_nowait(await Requests.open(self.host, self.source))

    async def ask(self, path: str, body: Json, cookie: str = "") -> tuple[Json, str]:
        connection = await self.idle.get()
        try:
            if connection.lost.done():
                connection = await Requests.open(self.host, self.source)
            status, answer = await connection.ask("POST", path, body, cookie)
            if status >= 300:
                raise RuntimeError(f"{path}: {status} {answer}")
            return answer, connection.cookie
        finally:
            self.idle.put_nowait(connection)

    async def guests(self) -> list[str]:
        return [(await self.ask("/api/guest", {"name": name}))[1] for name in ("Anna", "Boris")]

    async def room(self, cookies: list[str]) -> Json:
        return (await self.ask("/api/rooms", {"game": self.game, "opponent": "open"}, cookies[0]))[0]

    async def join(self, made: Json, cookies: list[str]) -> None:
        await self.ask(f"/api/rooms/{made['room']}/join", {}, cookies[1])

    async def seated(self, cookies: list[str], want: str, waits: Waits, pace: float = 0.0) -> Game:
        """A game where the cards are dealt."""
        made = await self.room(cookies)
        await self.join(made, cookies)
        game = Game(made["socket"], waits, pace)
        await self.sit(game, cookies, want)
        await asyncio.gather(*(seat.ready() for seat in game.seats))
        return game

    async def on_and_on(self, game: Game, cookies: list[str], want: str) -> None:
        """That game, and then another one, for ever."""
        while True:
            await game.play()
            game = await self.seated(cookies, want, game.waits, game.pace)

    async def sit(self, game: Game, cookies: list[str], want: str) -> None:
        pairs = zip(game.seats, cookies, strict=True)
        await asyncio.gather(*(seat.connect(self.host, cookie, want, self.source) for seat, cookie in pairs))

    async def all_seated(self, count: int, want: str, waits: Waits, pace: float = 0.0) -> list[Game]:
        pairs = [await self.guests() for _ in range((count + SHARED - 1) // SHARED)]
        return await in_turns([self.seated(pairs[n // SHARED], want, waits, pace) for n in range(count)])


async def in_turns(work: list[Any]) -> list[Any]:
    """A few at a time."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(part: Any) -> Any:
        async with free:
            return await part

    return list(await asyncio.gather(*map(one, work)))
