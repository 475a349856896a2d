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
from coyote.table import inputs, wire
from coyote.table.hall import Hall, Live
from coyote.table.limits import Bucket, Limits
from coyote.text import Refused

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
        self.hello: wire.Hello | None = None
        self.replies: deque[wire.FromServer] = deque()
        self.done: list[str] = []  # requests that are kept, and not yet answered
        self.sending = False
        self.greeting: wire.Welcome | None = None
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

    async def _send_updates(self, hello: wire.Hello) -> None:
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
                news = wire.update(room, viewer, seen, now, hello.want, hello.lang)
                news.done, done = done, []
                await self._send(news)
        for id in done:
            await self._send(wire.Done(id))

    async def _send_presence(self) -> None:
        if self.here != (here := self.live.here()):
            self.here = here
            await self._send(wire.Presence(here))

    async def _send(self, message: wire.FromServer) -> None:
        await self.socket.send({"type": "websocket.send", "text": wire.write_message(message)})

    def reply(self, message: wire.FromServer) -> None:
        self.replies.append(message)
        self.wake.set()

    def refuse(self, refusal: Refusal, id: str | None = None) -> None:
        self.reply(wire.error_of(refusal, self.hello.lang if self.hello else "en", id))

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
            return self.refuse(Refusal("room.too_fast"))
        if len(text if isinstance(text, bytes) else text.encode()) > self.limits.message_bytes:
            return self.refuse(Refusal("room.too_long", "", {"most": self.limits.message_bytes}))
        try:
            message = wire.read_message(text)
        except wire.Malformed as error:
            return self.refuse(Refusal("room.malformed", "", {"what": str(error)}))
        match message:
            case wire.Hello():
                self._greet(message)
            case wire.Ping():
                self.reply(wire.Pong(message.id[: wire.LONGEST_ID], self.hall.now()))
            case _:
                await self._answer(message)

    def _greet(self, hello: wire.Hello) -> None:
        if hello.version != wire.VERSION:
            return self.refuse(Refusal("room.version", "", {"ours": wire.VERSION}))
        self.hello = hello
        self.seen = {viewer: self._seen(viewer, hello.seen.get(viewer, 0)) for viewer in self.viewers}
        self.here = None
        self.live.clients.add(self)
        self.greeting = wire.welcome(self.live.room, self.parties)
        tell_presence(self.live)

    def _seen(self, viewer: int, claimed: int) -> int:
        """Who says to have seen it all is told how things stand once more; nonsense counts as nothing."""
        newest = len(self.live.room.updates[viewer])
        return min(claimed, newest - 1) if 0 <= claimed <= newest else 0

    async def _answer(self, message: wire.AnyRequest | wire.Why) -> None:
        """To those who may ask it: done or refused, durably, or only explained."""
        if self.hello is None:
            return self.refuse(Refusal("room.hello_first"), message.id)
        if (by := self._party(message)) is None:
            return self.refuse(Refusal("room.not_yours"), message.id)
        if isinstance(message, wire.Why):
            return self.reply(wire.reason_of(self._refusal(message, by), self.hello.lang, message.id))
        if refusal := await self._submit(message, by):
            return self.refuse(refusal, message.id)
        self.done.append(message.id)
        await self.send_now()

    def _refusal(self, message: wire.Why, by: int) -> Refusal | None:
        """What would be answered to the move; from what its party may know, as that answer is."""
        at = max(self.hall.now(), self.live.room.at)
        return self.live.room.refuses(inputs.Move(at, by, "", message.move))

    async def _submit(self, message: wire.AnyRequest, by: int) -> Refusal | None:
        try:
            return await self.hall.submit(self.live, lambda at: as_input(message, at, by), self)
        except Refused as error:
            return error.refusal

    def _party(self, message: wire.RequestMessage) -> int | None:
        if message.party is None:
            return self._usual_party() if self.parties else None
        return message.party if message.party in self.parties else None

    def _usual_party(self) -> int:
        """At one device for two, whoever is to move is meant."""
        thinking = [self.live.room.party(seat) for seat in self.live.room.thinking()]
        return next((party for party in thinking if party in self.parties), self.parties[0])


def as_input(message: wire.AnyRequest, at: int, by: int) -> inputs.AnyInput:
    match message:
        case wire.Ready():
            return inputs.Ready(at, by, message.id, message.nonce)
        case wire.Move():
            return inputs.Move(at, by, message.id, message.move)
        case wire.Undo():
            return inputs.Undo(at, by, message.id)
        case wire.Offer():
            return inputs.Offer(at, by, message.id, message.what)
        case wire.Answer():
            return inputs.Answer(at, by, message.id, message.what, message.yes)
        case wire.Resign():
            return inputs.Resign(at, by, message.id)
        case wire.Close():
            return inputs.Close(at, by, message.id)
        case never:
            assert_never(never)


def tell_presence(live: Live) -> None:
    for client in live.clients:
        client.presence_changed = True
        client.wake.set()


async def refuse_socket(socket: WebSocket, refusal: Refusal) -> None:
    """A socket that is not let in is told why, and closed."""
    await socket.accept()
    await socket.send_text(wire.write_message(wire.error_of(refusal, "en")))
    if socket.client_state is WebSocketState.CONNECTED:
        await socket.close(1008)


def parties_of(live: Live, guest: str) -> list[int]:
    players = enumerate(live.room.players)
    return [party for party, player in players if not player.bot and player.guest == guest]
