"""Passing on: whoever asks for a room that another process has is connected to that process.

A socket may arrive anywhere, and so may a request about a room. The process that it arrives at finds out
who has the room, says there who asks, and carries the bytes from then on. Its word is believed by the mark
under it, which only a process with the same database can make. What was passed on is never passed on again:
where the room has moved meanwhile, that is answered, and the first process asks the database anew.
"""

import asyncio
import hmac
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import httptools
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coyote.table.store import Store

log = logging.getLogger("coyote.table")

PASSED = "x-coyote-passed"  # who asks, as the first process has it from the connection
MOVED = "x-coyote-moved"  # in an answer to that: the room is not here any more
ELSEWHERE = "coyote.elsewhere"  # where a scope keeps the address of the process that has the room
WAS_PASSED = "coyote.passed"
ROOM = re.compile(r"/api/rooms/([0-9A-Za-z_-]{1,40})(?:/[^?]*)?(?:\?.*)?")
FRESH = 60.0  # seconds that such a word is believed: so far clocks of several machines may differ
TO_CONNECT = 1.0  # seconds
LOOK = 2.0  # seconds of silence, after which it is asked whether the room is still there
TRIES = 2  # times that a room is looked for in the database
LARGEST_HEAD = 32_768  # bytes of an answer's headers
CHUNK = 65_536
HIGH_WATER = 65_536  # bytes that wait to be sent; until they are, nothing more is read on the other side
NOT_PASSED = frozenset(  # of the headers: what is between two ends of one connection
    b"connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect date".split()
)

Read = TypeVar("Read")


class Gone(Exception):
    """The process is not reached, or does not have the room any more."""


class From(NamedTuple):
    """Who asks, and how they came: `http` or `https`."""

    address: str
    scheme: str


class Word:
    """What one process says to another of who asks. Without a key nobody is believed."""

    def __init__(self) -> None:
        self.key = b""

    def derive(self, signing_key: bytes) -> None:
        self.key = hmac.digest(signing_key, b"passing on", "sha256")

    def give(self, room: str, caller: tuple[str, str], at: float | None = None) -> str:
        """
        >>> word = Word()
        >>> word.derive(b"key")
        >>> said = {PASSED: word.give("r1", ("192.0.2.1", "https"))}
        >>> word.take("/api/rooms/r1/socket", said), word.take("/api/rooms/r2", said)
        (From(address='192.0.2.1', scheme='https'), None)
        """
        said = f"{int(time.time() if at is None else at)} {caller[1]} {caller[0]}"
        return f"{self._mark(room, said)} {said}"

    def take(self, path: str, headers: Mapping[str, str]) -> From | None:
        """Who asks, where another process of this table says so."""
        mark, _, said = headers.get(PASSED, "").partition(" ")
        if not mark or not self.key or not (found := ROOM.fullmatch(path)):
            return None
        if not mark.isascii() or not hmac.compare_digest(mark, self._mark(found[1], said)):
            return None
        at, scheme, address = said.split(" ", 2)
        return From(address, scheme) if abs(time.time() - int(at)) < FRESH else None

    def _mark(self, room: str, said: str) -> str:
        return hmac.digest(self.key, f"{room} {said}".encode(errors="replace"), "sha256").hex()


class Lines:
    """The connections to other processes: so many at most, each for as long as the room is there."""

    def __init__(self, most: int, store: Store) -> None:
        self.most, self.store = most, store
        self.open = 0

    async def connect(self, address: str, make: Callable[[], asyncio.Protocol]) -> Any:
        """The protocol, connected; Gone."""
        host, _, port = address.rpartition(":")
        if self.open >= self.most:
            raise Gone
        try:
            async with asyncio.timeout(TO_CONNECT):
                loop = asyncio.get_running_loop()
                _, protocol = await loop.create_connection(make, host.strip("[]"), int(port))
            self.open += 1
            return protocol
        except ConnectionRefusedError:
            log.warning("nobody there", extra={"address": address})
            await asyncio.to_thread(self.store.bury, address)
        except (OSError, TimeoutError, ValueError) as error:
            log.warning("not reached", extra={"address": address, "why": type(error).__name__})
        raise Gone

    async def while_it_lives(self, room: str, address: str, awaited: Awaitable[Read]) -> Read:
        """What the other process answers, however long that takes, as long as it has the room; Gone."""
        task = asyncio.ensure_future(awaited)
        try:
            while not (await asyncio.wait([task], timeout=LOOK))[0]:
                held = await asyncio.to_thread(self.store.whereabouts, room)
                if held is None or held.address != address:
                    raise Gone
            return task.result()
        finally:
            task.cancel()


# ---------------------------------------------------------------- sockets


class End(asyncio.Protocol):
    """One end of a socket that is passed on: whatever is heard here is said there, no faster than it goes."""

    transport: asyncio.Transport

    def __init__(self, lost: Callable[[Exception | None], None]) -> None:
        self.lost = lost
        self.other: End | None = None

    def data_received(self, data: bytes) -> None:
        if self.other:
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        if self.other:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other and not self.other.transport.is_closing():
            self.other.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        if self.other:
            self.other.transport.close()
        self.lost(error)


class Near(End):
    """At the client's."""

    def eof_received(self) -> bool:
        """There may still be something to be told; whoever has the room ends it."""
        if not self.other or self.other.transport.is_closing():
            return False
        self.other.transport.write_eof()
        return True


class Far(End):
    """At the process that has the room. What it answers first is looked at before anybody is told."""

    def __init__(self, lost: Callable[[Exception | None], None]) -> None:
        super().__init__(lost)
        self.head: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.heard = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.set_write_buffer_limits(high=HIGH_WATER)

    def data_received(self, data: bytes) -> None:
        if self.other:
            return super().data_received(data)
        self.heard += data
        head, end, _ = self.heard.partition(b"\r\n\r\n")
        if (end or len(self.heard) > LARGEST_HEAD) and not self.head.done():
            self.transport.pause_reading()
            self.head.set_result(head)

    def join(self, near: Near) -> None:
        """From now on it is one line."""
        self.other, near.other = near, self
        near.transport.write(self.heard)
        if self.transport.is_closing():
            near.transport.close()
        else:
            self.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.head.done():
            self.head.set_exception(Gone())
            self.head.exception()  # somebody may wait for it, or nobody
        super().connection_lost(error)


async def pass_socket(
    lines: Lines,
    transport: asyncio.Transport,
    lost: Callable[[Exception | None], None],
    room: str,
    address: str,
    request: bytes,
) -> None:
    """Carry a socket whose request to open it is not answered yet; Gone. `lost` is called at its end."""

    def far_lost(_error: Exception | None) -> None:
        lines.open -= 1

    far: Far = await lines.connect(address, lambda: Far(far_lost))
    try:
        far.transport.write(request)
        head = await lines.while_it_lives(room, address, far.head)
        if f"\r\n{MOVED}:".encode() in head.lower():
            raise Gone
        near = Near(lost)
        near.transport = transport
        transport.set_protocol(near)
        far.join(near)
    except BaseException:
        far.transport.abort()
        raise


def socket_request(request: bytes, word: str) -> bytes:
    """The request as it came, with our word of who asks in the place of any other."""
    head = request.partition(b"\r\n\r\n")[0]
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(PASSED.encode())]
    return b"\r\n".join([*kept, f"{PASSED}: {word}".encode(), b"", b""])


# ---------------------------------------------------------------- requests


class PassesOn:
    """Requests about a room that another process has are answered by that one."""

    def __init__(self, app: ASGIApp, word: Word, lines: Lines) -> None:
        self.app, self.word, self.lines = app, word, lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (found := ROOM.fullmatch(scope["path"])):
            return await self.app(scope, receive, send)
        if scope.get(WAS_PASSED):
            return await self.app(scope, receive, marked_where_moved(scope, send))
        body = await read_whole(receive)
        for _ in range(TRIES):
            await self.app(scope, once(body, receive), silent_elsewhere(scope, send))
            if not (address := scope.pop(ELSEWHERE, None)):
                return
            with suppress(Gone):
                return await self.carry(found[1], address, scope, body, send)
        await self.app(scope, once(body, receive), send)  # once more; if that is no use either, it says so

    async def carry(self, room: str, address: str, scope: Scope, body: bytes, send: Send) -> None:
        """Ask there, and tell what is answered as it comes; Gone where that would be nothing."""
        word = self.word.give(room, (scope["client"][0], scope["scheme"]))
        talk = await self.lines.connect(address, Talk)
        try:
            talk.transport.write(http_request(scope, body, word))
            if await self.lines.while_it_lives(room, address, talk.next()) is None or talk.moved:
                raise Gone
            await send({"type": "http.response.start", "status": talk.status, "headers": talk.headers})
            while (part := await talk.next()) is not None:
                await send({"type": "http.response.body", "body": part, "more_body": True})
            if talk.broken:
                raise ConnectionResetError  # half an answer: the connection must not look whole
            await send({"type": "http.response.body", "body": b""})
        finally:
            self.lines.open -= 1
            talk.transport.abort()


class Talk(asyncio.Protocol):
    """One request to another process; its answer in parts, the first of which is the empty head."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.status, self.headers = 0, list[tuple[bytes, bytes]]()
        self.moved = self.complete = self.broken = False
        self.parts: list[bytes] = []
        self.news = asyncio.Event()

    async def next(self) -> bytes | None:
        """What has come since; None at the end."""
        while not self.parts:
            if self.complete or self.broken:
                return None
            self.news.clear()
            self.transport.resume_reading()
            await self.news.wait()
        return self.parts.pop(0)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.pause_reading()  # until somebody has taken this
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            self.broken = True
        self.news.set()

    def connection_lost(self, _error: Exception | None) -> None:
        self.broken = not self.complete
        self.news.set()

    # ------------------------------------------------------------ the parser's side

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        self.moved = self.moved or name == MOVED.encode()
        if name not in NOT_PASSED:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        self.status = self.parser.get_status_code()
        self.parts.append(b"")

    def on_body(self, body: bytes) -> None:
        self.parts.append(body)

    def on_message_complete(self) -> None:
        self.complete = True


def http_request(scope: Scope, body: bytes, word: str) -> bytes:
    """As it came, but for what is between two ends of one connection."""
    path = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    lines = [scope["method"].encode() + b" " + path + b" HTTP/1.1"]
    for name, value in scope["headers"]:
        if name not in NOT_PASSED and name not in (PASSED.encode(), b"content-length"):
            lines.append(name + b": " + value)
    lines += [f"{PASSED}: {word}".encode(), b"connection: close"]
    if body or scope["method"] not in ("GET", "HEAD"):
        lines.append(f"content-length: {len(body)}".encode())
    return b"\r\n".join([*lines, b"", b""]) + body


async def read_whole(receive: Receive) -> bytes:
    """A body; the gate has seen to it that it is small."""
    parts, more = [], True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def once(body: bytes, receive: Receive) -> Receive:
    """The body again, and then whatever comes."""
    told = False

    async def receive_again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body}

    return receive_again


def silent_elsewhere(scope: Scope, send: Send) -> Send:
    """An answer, unless it is that the room is elsewhere."""

    async def send_if_here(message: Message) -> None:
        if ELSEWHERE not in scope:
            await send(message)

    return send_if_here


def marked_where_moved(scope: Scope, send: Send) -> Send:
    async def send_marked(message: Message) -> None:
        if ELSEWHERE in scope and message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (MOVED.encode(), b"1")]
        await send(message)

    return send_marked
