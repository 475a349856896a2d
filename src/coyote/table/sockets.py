"""One connection to one room.

Nothing is queued for a slow client: when it can take more, it is told how things stand then. So one
that is slow, or silent, holds nobody up and takes no more room than any other.
"""

import asyncio
import logging
import time
from collections import deque
from contextlib import suppress
from typing import assert_never

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from coyote.games.game import Refusal
from coyote.kernel.seats import SPECTATOR
from coyote.table import inputs as i
from coyote.table import wire as w
from coyote.table.hall import Hall, Live
from coyote.table.limits import Bucket, Limits
from coyote.table.store import StoreError

log = logging.getLogger("coyote.table")

MOST_REPLIES = 32  # that wait to be sent; until some are, nothing more is read
BURST = 2  # seconds' worth of messages at once
GONE = (WebSocketDisconnect, RuntimeError, OSError)  # what sending raises when the connection has ended


class Client:
    def __init__(self, socket: WebSocket, hall: Hall, live: Live, parties: list[int], limits: Limits) -> None:
        self.socket, self.hall, self.live, self.limits = socket, hall, live, limits
        self.parties = parties
        self.viewers = parties or [SPECTATOR]
        self.seen: dict[int, int] = {}
        self.hello: w.Hello | None = None
        self.replies: deque[w.FromServer] = deque()
        self.done: list[str] = []  # requests that are kept, and not yet answered
        self.sending = False
        self.greeting: w.Welcome | None = None
        self.wake = asyncio.Event()
        self.space = asyncio.Event()
        self.presence_changed = False
        self.here: list[bool] | None = None  # the presence that was told last
        self.bucket = Bucket(BURST * limits.messages_per_second, time.monotonic())

    async def run(self) -> None:
        sender = asyncio.create_task(self._send_all())
        try:
            await self._read_all()
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()
            self.live.clients.discard(self)
            tell_presence(self.live)

    # ------------------------------------------------------------ sending

    async def _send_all(self) -> None:
        try:
            while True:
                await self.wake.wait()
                self.wake.clear()
                await self._send_news()
        except GONE:
            pass  # the reader notices too

    async def _send_news(self) -> None:
        """How things stand, then the replies: so whoever reads a reply has seen what it is about."""
        self.sending = True
        try:
            replies = [self.replies.popleft() for _ in range(len(self.replies))]
            self.space.set()
            if self.greeting:
                greeting, self.greeting = self.greeting, None
                await self._send(greeting)
            if self.hello:
                await self._send_updates(self.hello)
            for reply in replies:
                await self._send(reply)
        finally:
            self.sending = False

    async def send_now(self) -> None:
        """Spares the other task, unless it is at it."""
        if self.sending:
            self.wake.set()
        else:
            with suppress(*GONE):
                await self._send_news()

    async def _send_updates(self, hello: w.Hello) -> None:
        """What was done is told by the update that shows it; alone only where there is none."""
        room, now = self.live.room, self.hall.now()
        if self.presence_changed:
            self.presence_changed = False
            await self._send_presence()
        done, self.done = self.done, []
        for viewer in self.viewers:
            seen, newest = self.seen.get(viewer, 0), len(room.updates[viewer])
            if seen < newest:
                self.seen[viewer] = newest
                news = w.update(room, viewer, seen, now, hello.want, hello.lang)
                news.done, done = done, []
                await self._send(news)
        for id in done:
            await self._send(w.Done(id))

    async def _send_presence(self) -> None:
        if self.here != (here := self.live.here()):
            self.here = here
            await self._send(w.Presence(here))

    async def _send(self, message: w.FromServer) -> None:
        await self.socket.send({"type": "websocket.send", "text": w.write_message(message)})

    def reply(self, message: w.FromServer) -> None:
        self.replies.append(message)
        self.wake.set()

    def refuse(self, refusal: Refusal, id: str | None = None) -> None:
        self.reply(w.error_of(refusal, self.hello.lang if self.hello else "en", id))

    # ------------------------------------------------------------ reading

    async def _read_all(self) -> None:
        while True:
            received = await self.socket.receive()
            if received["type"] != "websocket.receive":
                return
            while len(self.replies) >= MOST_REPLIES:
                self.space.clear()
                await self.space.wait()
            await self._read(received.get("text") or received.get("bytes") or "")

    async def _read(self, text: str | bytes) -> None:
        if not self.bucket.take(
            self.limits.messages_per_second,
            BURST * self.limits.messages_per_second,
            time.monotonic(),
        ):
            return self.refuse(Refusal("room.too_fast", ""))
        if len(text if isinstance(text, bytes) else text.encode()) > self.limits.message_bytes:
            return self.refuse(Refusal("room.too_long", "", {"most": self.limits.message_bytes}))
        try:
            message = w.read_message(text)
        except w.Malformed as error:
            return self.refuse(Refusal("room.malformed", "", {"what": str(error)}))
        if isinstance(message, w.Hello):
            return self._greet(message)
        if isinstance(message, w.Ping):
            return self.reply(w.Pong(message.id[: w.LONGEST_ID], self.hall.now()))
        if self.hello is None:
            return self.refuse(Refusal("room.hello_first", ""), message.id)
        await self._do(message)

    def _greet(self, hello: w.Hello) -> None:
        if hello.version != w.VERSION:
            return self.refuse(Refusal("room.version", "", {"ours": w.VERSION}))
        self.hello = hello
        self.seen = {viewer: self._seen(viewer, hello.seen.get(viewer, 0)) for viewer in self.viewers}
        self.here = None
        self.live.clients.add(self)
        self.greeting = w.welcome(self.live.room, self.parties)
        tell_presence(self.live)

    def _seen(self, viewer: int, claimed: int) -> int:
        """Who says to have seen it all is told how things stand once more; nonsense counts as nothing."""
        newest = len(self.live.room.updates[viewer])
        return min(claimed, newest - 1) if 0 <= claimed <= newest else 0

    async def _do(self, message: w.AnyRequest) -> None:
        by = self._party(message)
        if by is None:
            return self.refuse(Refusal("room.not_yours", ""), message.id)
        try:
            refusal = await self.hall.submit(self.live, lambda at: as_input(message, at, by), self)
        except StoreError:
            return self.refuse(Refusal("room.not_kept", ""), message.id)
        if refusal:
            return self.refuse(refusal, message.id)
        self.done.append(message.id)
        await self.send_now()

    def _party(self, message: w.AnyRequest) -> int | None:
        if message.party is None:
            return self._usual_party() if self.parties else None
        return message.party if message.party in self.parties else None

    def _usual_party(self) -> int:
        """At one device for two, whoever is to move is meant."""
        thinking = [self.live.room.party(seat) for seat in self.live.room.thinking()]
        return next((party for party in thinking if party in self.parties), self.parties[0])


def as_input(message: w.AnyRequest, at: int, by: int) -> i.AnyInput:
    match message:
        case w.Ready():
            return i.Ready(at, by, message.id, message.nonce)
        case w.Move():
            return i.Move(at, by, message.id, message.move)
        case w.Undo():
            return i.Undo(at, by, message.id)
        case w.Offer():
            return i.Offer(at, by, message.id, message.what)
        case w.Answer():
            return i.Answer(at, by, message.id, message.what, message.yes)
        case w.Resign():
            return i.Resign(at, by, message.id)
        case w.Close():
            return i.Close(at, by, message.id)
        case never:
            assert_never(never)


def tell_presence(live: Live) -> None:
    for client in live.clients:
        client.presence_changed = True
        client.wake.set()


async def refuse_socket(socket: WebSocket, refusal: Refusal) -> None:
    """A socket that is not let in is told why, and closed."""
    await socket.accept()
    await socket.send_text(w.write_message(w.error_of(refusal, "en")))
    if socket.client_state is WebSocketState.CONNECTED:
        await socket.close(1008)


def parties_of(live: Live, guest: str) -> list[int]:
    players = enumerate(live.room.players)
    return [party for party, player in players if player and not player.bot and player.guest == guest]
