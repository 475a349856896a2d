"""How connections over HTTP are held: so many of one address, and none of them for longer than it needs.

uvicorn's own protocol waits for ever for the rest of a header or of a body, and for whoever does not
read the answer. This one has a time for each, looked at once a second for all connections together.
"""

import asyncio
import logging
import math
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from coyote.table.gate import Gate
from coyote.table.limits import client_key
from coyote.table.socket_protocol import RoomSocket

MOST_HEADERS = 64
HEADER_BYTES = 32_768  # of a request's first line and headers
MOST_WAITING = 8  # requests of one connection that came before the first of them was answered
PROXY_IDLE = 90.0  # seconds: longer than a proxy keeps a connection that nobody uses
FAREWELL = 3.0  # seconds that a refused client has to read why
FAREWELL_BYTES = 1_000_000  # that are thrown away meanwhile
BEAT = 1.0
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 10\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

log = logging.getLogger("coyote.table.http")
log.setLevel(logging.ERROR)  # what strangers send is no news


class TooMuch(Exception):
    """More headers, or more requests at once, than anybody needs."""


class Last:
    """A transport as an answer sees it: the end is the connection's to choose."""

    def __init__(self, connection: "TableHttp") -> None:
        self.transport, self.is_closing = connection.transport, connection.transport.is_closing
        self.close = connection.say_farewell

    def write(self, data: bytes) -> None:
        if not self.is_closing():  # it would be an error for the log, as often as somebody likes
            self.transport.write(data)


class TableHttp(HttpToolsProtocol):
    gate: Gate
    watched: "Watched"

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.logger = log
        self.who: str | None = None  # whom the connection counts for, while it does
        self.due = math.inf  # when what the client has begun to say must be complete
        self.header_bytes = 0
        self.headers_done = False
        self.farewell: int | None = None  # how many bytes were thrown away since the last answer
        self.stuck_since = math.inf

    # ------------------------------------------------------------ coming and going

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        limits = self.gate.limits
        is_proxy = self.gate.is_proxy(address) or self.server == self.gate.inner
        who = "" if is_proxy else client_key(address)  # a proxy counts those behind it
        if not self.gate.connections.add(who):
            return self.end_with(TOO_MANY)
        self.who = who
        self.timeout_keep_alive = math.ceil(max(limits.idle_seconds, PROXY_IDLE if is_proxy else 0))
        self.due = self.loop.time() + limits.header_seconds
        self.watched.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """What the last request brought goes with its answer: the two held each other, and whatever holds
        itself stays until somebody looks for it, which is seldom."""
        self.leave()
        super().connection_lost(exc)
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]

    def leave(self) -> None:
        self.watched.all.discard(self)
        who, self.who = self.who, None
        if who is not None:
            self.gate.connections.remove(who)

    def handle_websocket_upgrade(self) -> None:
        """A socket counts as a connection until it is gone, whoever looks after it now."""
        super().handle_websocket_upgrade()
        self.watched.all.discard(self)
        socket = self.transport.get_protocol()
        assert isinstance(socket, RoomSocket)
        socket.when_lost = self.leave
        self.parser = None  # type: ignore[assignment]  # as at the end of other connections

    # ------------------------------------------------------------ reading

    def data_received(self, data: bytes) -> None:
        if self.farewell is not None:
            self.farewell += len(data)
            if self.farewell > FAREWELL_BYTES:
                self.transport.abort()
            return
        if self.transport.is_closing():
            return
        if self.due == math.inf:
            self.due = self.loop.time() + self.gate.limits.header_seconds
        super().data_received(data)
        if self.due < math.inf and not self.headers_done:
            self.header_bytes += len(data)
            if self.header_bytes > HEADER_BYTES and not self.transport.is_closing():
                self.end_with(TOO_LARGE)

    def on_message_begin(self) -> None:
        self.header_bytes, self.headers_done = 0, False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self.header_bytes += len(name) + len(value)
        if len(self.headers) > MOST_HEADERS or self.header_bytes > HEADER_BYTES:
            raise TooMuch

    def on_headers_complete(self) -> None:
        self.headers_done = True
        self.due = self.loop.time() + self.gate.limits.body_seconds
        if len(self.pipeline) >= MOST_WAITING:
            raise TooMuch
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:
            self.cycle.transport = Last(self)  # type: ignore[assignment]

    def on_message_complete(self) -> None:
        self.due = math.inf
        super().on_message_complete()

    # ------------------------------------------------------------ ending

    def say_farewell(self) -> None:
        """The connection ends after an answer. If the request was not read to its end, the answer would be
        lost with the rest of it: so that is thrown away for a while, until the client has read and gone."""
        if self.due == math.inf or self.transport.is_closing():
            return self.transport.close()
        self.farewell = 0
        self.pipeline.clear()
        self.due = self.loop.time() + FAREWELL
        self.flow.resume_reading()
        self.transport.write_eof()

    def end_with(self, answer: bytes) -> None:
        self.transport.write(answer)
        self.transport.close()

    def look(self, now: float) -> None:
        """Once a second."""
        if self.transport.is_closing() or self.flow.write_paused:
            self.stuck_since = min(self.stuck_since, now)
            if now - self.stuck_since > self.gate.limits.idle_seconds:
                self.transport.abort()  # it does not read what it asked for
            return
        self.stuck_since = math.inf
        if self.flow.read_paused:
            self.due = max(self.due, now + self.gate.limits.header_seconds)  # it is we who make it wait
        elif now >= self.due:
            self.give_up()

    def give_up(self) -> None:
        if self.farewell is not None or self.cycle and self.cycle.response_started:
            self.transport.abort()
        else:
            self.end_with(TOO_SLOW)


class Watched:
    """All connections over HTTP that are open."""

    def __init__(self) -> None:
        self.all: set[TableHttp] = set()
        self.awake = False

    def add(self, connection: TableHttp) -> None:
        """The first to come wakes whoever looks after them."""
        if not self.awake:
            self.awake = True
            connection.loop.call_later(BEAT, self._look, connection.loop)
        self.all.add(connection)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in list(self.all):
            connection.look(now)
        self.awake = bool(self.all)
        if self.awake:
            loop.call_later(BEAT, self._look, loop)


def under(gate: Gate) -> type[TableHttp]:
    """The protocol for connections to that gate."""
    return type("TableHttp", (TableHttp,), {"gate": gate, "watched": Watched()})
