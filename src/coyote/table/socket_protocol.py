"""The socket of a room, as uvicorn's `ws` setting takes it: from the request to open it to its end.

Whatever a client says is heard where its bytes arrive, and all that it must be told goes out in one write.
No queue, no task and no application stands in between: they were what a move cost most.

Frames are read by `websockets`' parser, which does no I/O, but for those that nearly all are: whole, short
and in one piece. Such frames are read here; from the first other one on, a connection is the parser's.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Protocol

from starlette.datastructures import Headers
from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from coyote.games.game import Refusal
from coyote.table import wire
from coyote.table.hall import COME_AGAIN, Elsewhere, Live
from coyote.table.passing import MOVED, Gone
from coyote.table.sockets import REFUSED, Client
from coyote.table.store import StoreError
from coyote.text import Refused

log = logging.getLogger("coyote.table")
quiet = logging.getLogger("coyote.table.frames")  # the parser would tell of every connection
quiet.setLevel(logging.ERROR)

SOCKET = re.compile(r"/api/rooms/([0-9A-Za-z_-]{1,40})/socket(?:\?.*)?")
LARGEST_FRAME = 65_536  # a longer one ends its connection; shorter ones that are too long are answered
SLICE = 4096  # bytes that are read before anybody looks whether that was too much
TEXT, BYTES, PONG = 0x81, 0x82, 0x8A  # how frames begin that are whole
USUAL = (TEXT, BYTES, PONG)
HIGH_WATER = 65_536  # bytes that wait to be sent; until they are, nothing more is said or heard
LIFE = 20.0  # seconds between two pings; whoever says nothing for two of them has gone
LATER = 1013  # how a socket is closed whose room cannot be had just now; the reason has the seconds to wait
TO_CLOSE = 5.0  # seconds that the other side has to say goodbye


class Desk(Protocol):
    """Who lets sockets in."""

    def refuses_socket(self, client: Any, headers: Headers, path: str) -> tuple[int, Refusal] | None: ...

    async def seat(self, line: "RoomSocket", room: str, headers: Headers) -> Client | None: ...

    def leave(self, line: "RoomSocket") -> None: ...


class RoomSocket(asyncio.Protocol):
    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        self.desk: Desk = app_state["desk"]
        self.connections: Any = server_state.connections
        self.loop = asyncio.get_running_loop()
        self.parser = ServerProtocol(max_size=LARGEST_FRAME, logger=quiet)
        self.client: Client | None = None
        self.counted: tuple[str, str] | None = None  # the guest and the address that it counts for
        self.live: Live | None = None
        self.request = b""
        self.parts: list[bytes] = []  # of a message that comes in pieces
        self.unusual = False  # whether the parser has had a frame to read
        self.opening: asyncio.Task[None] | None = None
        self.when_lost: Callable[[], None] | None = None  # whoever counts connections is told
        self.timer: asyncio.TimerHandle | None = None
        self.writable, self.heard, self.ending, self.deaf = True, True, False, False

    # ------------------------------------------------------------ the transport's side

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport
        self.connections.add(self)
        transport.set_write_buffer_limits(high=HIGH_WATER)

    def connection_lost(self, _error: Exception | None) -> None:
        self.connections.discard(self)
        self.ending = True
        if self.timer:
            self.timer.cancel()
        if self.opening:
            self.opening.cancel()
        if self.client:
            self.client.leave()
        self.desk.leave(self)
        if self.when_lost:
            self.when_lost()
        self.client = self.live = self.timer = self.opening = self.when_lost = None
        self.parser.parser.close()  # it holds itself, and so does its last word: nobody has to look for them
        self.parser.parser_exc = None

    def pause_writing(self) -> None:
        """Whoever does not read is not listened to either: answers would only pile up."""
        self.writable = False
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        self.writable = True
        self.transport.resume_reading()
        if self.client:
            self.client.call()

    def eof_received(self) -> None:
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        self.heard = True
        if self.client and not self.unusual:
            data = self.usual_frames(data, self.client)
        if data:
            self.parse(data)

    def usual_frames(self, data: bytes, client: Client) -> bytes:
        """Hear as many of them as there are; what is left is for the parser, as all that comes later."""
        at, size = 0, len(data)
        while at < size and not self.ending:
            end = usual_end(data, at, size)
            if not end:
                self.unusual = True
                return data[at:]
            body = 6 if data[at + 1] < 0xFE else 8
            if data[at] == PONG:
                client.pays()
            else:
                client.hear(apply_mask(data[at + body : end], data[at + body - 4 : at + body]))
            at = end
        return data[at:]

    def parse(self, data: bytes) -> None:
        if self.parser.state is State.CONNECTING:
            self.request += data
        for at in range(0, len(data), SLICE):
            if self.deaf:
                break  # nobody who was sent away is listened to
            self.parser.receive_data(data[at : at + SLICE])
            for event in self.parser.events_received():
                if isinstance(event, Request):
                    self.asked(event)
                elif self.client and not self.ending:
                    assert isinstance(event, Frame)
                    self.frame(event, self.client)
        self.flush()

    def frame(self, frame: Frame, client: Client) -> None:
        match frame.opcode:
            case Opcode.TEXT | Opcode.BINARY if frame.fin:
                client.hear(bytes(frame.data))
            case Opcode.TEXT | Opcode.BINARY:
                self.parts = [bytes(frame.data)]
            case Opcode.CONT:
                self.piece(frame, client)
            case Opcode.PING | Opcode.PONG:
                client.pays()
            case Opcode.CLOSE:
                self.ending = True

    def piece(self, frame: Frame, client: Client) -> None:
        """Of a message: each costs as much as one, and without all of them there is none."""
        if client.pays() and self.parts:
            self.parts.append(bytes(frame.data))
        else:
            self.parts = []
        if frame.fin and self.parts:
            whole, self.parts = b"".join(self.parts), []
            client.hear(whole)

    # ------------------------------------------------------------ the client's side

    def can_write(self) -> bool:
        return self.writable and not self.ending

    def write(self, messages: list[bytes]) -> None:
        """All of it at once."""
        self.flush()
        self.transport.write(b"".join([part for text in messages for part in (frame_head(len(text)), text)]))

    def flush(self) -> None:
        sent = self.parser.data_to_send()
        if not sent:
            return
        if not self.transport.is_closing():
            self.transport.write(b"".join(sent))
        if not sent[-1]:  # the parser's word for the end
            self.say_farewell()

    def say_farewell(self) -> None:
        """Whoever sent what is no WebSocket may have sent more of it, and would not learn why it is over if
        that were not read: it is thrown away until they have gone."""
        if self.parser.parser_exc is None or self.transport.is_closing():
            return self.transport.close()
        self.ending = True
        self.transport.write_eof()
        self.after(TO_CLOSE, self.transport.abort)

    def end(self, code: int, reason: str = "") -> None:
        if self.ending or self.parser.state is not State.OPEN:
            return
        self.ending, self.deaf = True, code == REFUSED
        self.parser.send_close(code, reason)
        self.flush()
        if not self.writable:
            return self.transport.abort()
        if self.deaf:
            self.transport.write_eof()  # nor is its goodbye waited for
        self.after(TO_CLOSE, self.transport.abort)

    def shutdown(self) -> None:
        """The server stops."""
        if self.parser.state is State.OPEN:
            self.end(COME_AGAIN)
        else:
            self.transport.close()

    def after(self, seconds: float, work: Any) -> None:
        if self.timer:
            self.timer.cancel()
        self.timer = self.loop.call_later(seconds, work)

    def live_on(self) -> None:
        """Ask for a sign of life; without one since the last time the connection is over."""
        if not self.heard:
            return self.transport.abort()
        self.heard = False
        if self.can_write():
            self.parser.send_ping(b"")
            self.flush()
        self.after(LIFE, self.live_on)

    # ------------------------------------------------------------ opening

    def asked(self, request: Request) -> None:
        """Whoever asks to open a socket must have come to the right place, and not too often."""
        headers = headers_of(request)
        refused = self.desk.refuses_socket(self.transport.get_extra_info("peername"), headers, request.path)
        found = SOCKET.fullmatch(request.path)
        if refused or not found:
            status, why = refused or (404, Refusal("room.none"))
            self.reject(status, why)
            return
        response = self.parser.accept(request)
        if response.status_code != 101:
            self.parser.send_response(response)
            self.flush()
            self.transport.close()
            return
        self.transport.pause_reading()
        self.opening = self.loop.create_task(self.open(response, found[1], headers))

    def reject(self, status: int, why: Refusal, **marks: str) -> None:
        response = self.parser.reject(HTTPStatus(status), Refused(why).message("en") + "\n")
        if seconds := why.values.get("seconds"):
            response.headers["Retry-After"] = str(seconds)
        for name, value in marks.items():
            response.headers[name] = value
        self.parser.send_response(response)
        self.flush()
        self.transport.close()

    async def open(self, response: Any, room: str, headers: Headers) -> None:
        """A socket that is not let in is told why, and closed."""
        try:
            client = await self.desk.seat(self, room, headers)
        except Elsewhere as error:  # another process thought that the room is here
            return self.reject(503, error.refusal, **{MOVED: "1"})
        except (Gone, StoreError):
            self.parser.send_response(response)
            return self.end(LATER, "1")
        except Refused as error:
            self.parser.send_response(response)
            self.write([wire.write_message(wire.error_of(error.refusal, "en"))])
            return self.end(REFUSED)
        except Exception as error:
            log.error("socket failed", extra={"room": room}, exc_info=error)
            return self.transport.abort()
        finally:
            self.opening = None
            self.request = b""
            if not self.transport.is_closing():
                self.transport.resume_reading()
        if client is None:
            return  # it is another process's now
        self.parser.send_response(response)
        self.flush()
        self.client = client
        self.after(LIFE, self.live_on)


def usual_end(data: bytes, at: int, size: int) -> int:
    r"""Where the frame ends that begins there, if it is a usual one and all of it is there; otherwise 0.

    >>> hello = b"\x81\x85maskHello"
    >>> usual_end(hello, 0, 11), usual_end(hello, 0, 10), usual_end(b"\x89\x80mask", 0, 6)
    (11, 0, 0)
    """
    if size - at < 6 or data[at] not in USUAL:
        return 0
    length = data[at + 1] - 0x80  # masked, as all that comes from clients
    if 0 <= length < 126:
        end = at + 6 + length
    elif length == 126:
        end = at + 8 + (data[at + 2] << 8 | data[at + 3])
    else:
        return 0
    return end if end <= size else 0


def frame_head(length: int) -> bytes:
    r"""What stands before a text that the server sends in one frame.

    >>> frame_head(5), frame_head(300), frame_head(70_000)
    (b'\x81\x05', b'\x81~\x01,', b'\x81\x7f\x00\x00\x00\x00\x00\x01\x11p')
    """
    if length < 126:
        return bytes((TEXT, length))
    if length < 65_536:
        return bytes((TEXT, 126, length >> 8, length & 255))
    return bytes((TEXT, 127)) + length.to_bytes(8, "big")


def headers_of(request: Request) -> Headers:
    found = request.headers.raw_items()
    return Headers(raw=[(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in found])
