"""The frames of a room's socket, byte by byte: what is right is understood however it comes, what is wrong is
told so and ends its own connection alone."""

import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coyote.table import socket_protocol
from coyote.table.hall import COME_AGAIN
from coyote.table.socket_protocol import HIGH_WATER, LARGEST_FRAME
from table.kit_inside import OPEN, Inside
from table.kit_raw import CLOSE, PING, PONG, TEXT, frame, upgrade
from table.kit_table import PATIENCE, Guest, sqlite_in

CONT, TEXT_BEGINS, LAST = 0x00, 0x01, 0x80
HELLO = b'{"type": "hello", "version": 1}'


def ping(id: str) -> bytes:
    return json.dumps({"type": "ping", "id": id}).encode()


class Raw:
    """A connection after its handshake."""

    def __init__(self, guest: Guest, room: str, *more: str, opens: bool = True) -> None:
        host, _, port = guest.server.host.partition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE)
        self.left = b""
        if opens:
            self.send(upgrade(guest.server.host, f"/api/rooms/{room}/socket", guest.cookie, *more))
            assert self.head().startswith("HTTP/1.1 101 ")

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def head(self) -> str:
        while b"\r\n\r\n" not in self.left:
            self.more()
        head, _, self.left = self.left.partition(b"\r\n\r\n")
        return head.decode()

    def more(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise EOFError
        self.left += data

    def frame(self) -> tuple[int, bytes]:
        """The next one; EOFError at the end."""
        while True:
            if len(self.left) >= 2:
                length, at = self.left[1], 2
                if length == 126 and len(self.left) >= 4:
                    length, at = int.from_bytes(self.left[2:4], "big"), 4
                if length != 126 and len(self.left) >= at + length:
                    kind, body = self.left[0], self.left[at : at + length]
                    self.left = self.left[at + length :]
                    return kind, body
            self.more()

    def message(self) -> dict[str, Any]:
        while True:
            kind, body = self.frame()
            if kind == TEXT:
                found: dict[str, Any] = json.loads(body)
                return found
            assert kind == PING, (kind, body)

    def until(self, type: str) -> dict[str, Any]:
        while (message := self.message())["type"] != type:
            pass
        return message

    def close_code(self) -> int:
        """How the server ends it; and then it does. 0 where it says nothing."""
        code = 0
        with suppress(EOFError, ConnectionResetError):
            while True:
                kind, body = self.frame()
                if kind == CLOSE:
                    code = int.from_bytes(body[:2], "big")
        return code


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(sqlite_in(tmp_path_factory.mktemp("table"))).running() as running:
        yield running


@pytest.fixture(scope="module")
def anna(server: Inside) -> Guest:
    return server.guest("Anna")


@pytest.fixture(scope="module")
def room(anna: Guest) -> str:
    return str(anna.make(game="madness")["room"])


@pytest.fixture
def raw(anna: Guest, room: str) -> Iterator[Raw]:
    with Raw(anna, room) as opened:
        yield opened


@pytest.fixture(autouse=True)
def nobody_else_is_touched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Somebody else in the same room is heard before and after."""
    if "raw" not in request.fixturenames:
        yield
        return
    guest, room = request.getfixturevalue("anna"), request.getfixturevalue("room")
    with Raw(guest, room) as other:
        other.send(frame(TEXT, ping("before")))
        assert other.until("pong")["id"] == "before"
        yield
        other.send(frame(TEXT, ping("after")))
        assert other.until("pong")["id"] == "after"


# ---------------------------------------------------------------- what is right


def test_a_message_in_pieces_with_control_frames_between(raw: Raw) -> None:
    text = ping("pieces")
    for kind, body in (
        (TEXT_BEGINS, text[:5]),
        (PING, b"one"),
        (CONT, b""),
        (CONT, text[5:9]),
        (PONG, b"unasked"),
        (PING, b"two"),
        (CONT | LAST, text[9:]),
    ):
        raw.send(frame(kind, body))
    assert [raw.frame() for _ in range(2)] == [(PONG, b"one"), (PONG, b"two")]
    assert raw.message()["id"] == "pieces"


def test_one_byte_at_a_time(raw: Raw) -> None:
    raw.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in frame(TEXT, HELLO) + frame(PING, b"x") + frame(TEXT, ping("slow")):
        raw.send(bytes([byte]))
    found: list[dict[str, Any]] = []
    while not found or found[-1].get("id") != "slow":
        kind, body = raw.frame()
        found.append(json.loads(body) if kind == TEXT else {"pong": body})
    assert {"pong": b"x"} in found and "welcome" in [one.get("type") for one in found]


def test_many_messages_in_one_segment_are_answered_in_order(raw: Raw) -> None:
    raw.send(b"".join(frame(TEXT, ping(str(n))) for n in range(300)))
    assert [raw.message()["id"] for _ in range(300)] == [str(n) for n in range(300)]


def test_masks_are_taken_off(raw: Raw) -> None:
    text, mask = ping("masked"), b"\x12\xff\x00\x9a"
    masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(text))
    raw.send(bytes([TEXT, LAST | len(text)]) + mask + masked)
    assert raw.message()["id"] == "masked"


@pytest.mark.parametrize("size", [125, 126, 4096])
def test_lengths_of_every_form(raw: Raw, size: int) -> None:
    text = ping("x")
    raw.send(frame(TEXT, text + b" " * (size - len(text))))
    assert raw.message()["type"] == "pong"


def test_a_message_that_is_a_little_too_long_is_answered(raw: Raw) -> None:
    for size in (4097, 60_000, LARGEST_FRAME):
        raw.send(frame(TEXT, b" " * size))
        assert raw.message()["code"] == "room.too_long"
    raw.send(frame(TEXT, ping("on")))
    assert raw.message()["id"] == "on"


@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"type": "ping", "id": "\xc3\x28"}', b'"\xed\xa0\x80"', b""])
def test_what_is_no_text_is_told_so(raw: Raw, body: bytes) -> None:
    raw.send(frame(TEXT, body))
    assert raw.message()["code"] == "room.malformed"
    raw.send(frame(TEXT, ping("on")))
    assert raw.message()["id"] == "on"


# ---------------------------------------------------------------- what is wrong


TWO = struct.pack(">H", 200)
WRONG = {
    "not masked": bytes([TEXT, 2]) + b"{}",
    "an unknown kind": frame(0x83, b""),
    "an unknown control frame": frame(0x8B, b""),
    "a reserved bit": frame(0xC1, b"{}"),
    "a control frame in pieces": frame(0x09, b"x"),
    "a long control frame": bytes([PING, 0xFE]) + TWO + b"\0\0\0\0" + b"x" * 200,
    "a piece of nothing": frame(CONT | LAST, b"x"),
    "a message within another": frame(TEXT_BEGINS, b"{") + frame(TEXT, b"{}"),
    "a close with half a code": frame(CLOSE, b"\x03"),
    "a close with no such code": frame(CLOSE, struct.pack(">H", 999)),
    "garbage": b"GET / HTTP/1.1\r\n\r\n" * 3,
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_websocket_ends_the_connection(raw: Raw, what: str) -> None:
    raw.send(WRONG[what])
    assert raw.close_code() == 1002


@pytest.mark.parametrize("size", [LARGEST_FRAME + 1, 10**6, 2**40])
def test_a_frame_that_is_far_too_long_is_not_waited_for(raw: Raw, size: int) -> None:
    """Its length is enough; whoever sends the rest all the same learns why it is over."""
    raw.send(bytes([TEXT, 0xFF]) + size.to_bytes(8, "big") + b"\0\0\0\0")
    with suppress(OSError):
        raw.send(b"x" * min(size, 500_000))
    assert raw.close_code() == 1009


def test_pieces_that_are_too_long_together(raw: Raw) -> None:
    with suppress(OSError):
        raw.send(frame(TEXT_BEGINS, b"x" * 60_000) + frame(CONT, b"x" * 6_000))
    assert raw.close_code() == 1009


# ---------------------------------------------------------------- ends


@pytest.mark.parametrize("code", [b"", struct.pack(">H", 1000), struct.pack(">H", 4000) + b"bye"])
def test_a_client_says_goodbye(raw: Raw, code: bytes) -> None:
    raw.send(frame(TEXT, ping("last")) + frame(CLOSE, code) + frame(TEXT, ping("too late")))
    found = []
    with suppress(EOFError):
        while True:
            found.append(raw.frame())
    kinds = [kind for kind, _ in found]
    assert (CLOSE, code) in found
    assert kinds.count(CLOSE) == 1 and kinds[-1] == CLOSE
    assert not any(b"too late" in body for _, body in found)


@pytest.mark.parametrize("how", ["half", "reset", "closed"])
def test_who_goes_without_a_word_is_gone(server: Inside, anna: Guest, how: str) -> None:
    boris = server.guest("Boris")
    made = anna.make(game="madness")
    boris.join(made)
    other = anna.sit(made["room"])
    with Raw(boris, made["room"]) as leaving:
        leaving.send(frame(TEXT, HELLO))
        leaving.until("update")
        other.until(lambda message: message.get("here") == [True, True])
        if how == "half":
            leaving.socket.shutdown(socket.SHUT_WR)
            assert leaving.close_code() == 0  # and the server closes its half
        elif how == "reset":
            leaving.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        leaving.socket.close()
        other.until(lambda message: message.get("here") == [True, False])


def test_a_server_that_stops_says_come_again(tmp_path: Path) -> None:
    """And waits for nobody who does not say goodbye."""
    with Inside(sqlite_in(tmp_path)).running() as server:
        anna = server.guest("Anna")
        made = anna.make(game="madness")
        sockets = [Raw(anna, made["room"]) for _ in range(3)]
        for one in sockets[:2]:
            one.send(frame(TEXT, HELLO))
            one.until("update")
        server.server.should_exit = True
        for one in sockets:
            kind, body = one.frame()
            while kind != CLOSE:
                kind, body = one.frame()
            assert int.from_bytes(body[:2], "big") == COME_AGAIN
        sockets[0].send(frame(CLOSE, body))
        assert sockets[0].close_code() == 0
        server.thread.join(PATIENCE)
        assert not server.thread.is_alive()
        for one in sockets:
            one.socket.close()


# ---------------------------------------------------------------- who does not read, or answer


@pytest.fixture
def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    monkeypatch.setattr(socket_protocol, "LIFE", 1.0)
    with Inside(sqlite_in(tmp_path)).running() as running:
        yield running


def test_who_reads_nothing_is_told_nothing_and_dropped(impatient: Inside) -> None:
    """However much it sends: little waits for it, others hear at once, and then it is gone."""
    anna = impatient.guest("Anna")
    room = anna.make(game="madness")["room"]
    other = anna.sit(room)
    with Raw(anna, room) as silent:
        silent.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        silent.socket.settimeout(0.2)
        flood = b"".join(frame(TEXT, ping("x" * 60)) + frame(PING, b"y" * 100) for _ in range(500))
        end = time.monotonic() + PATIENCE
        with suppress(ConnectionError):
            while True:  # until the connection is dropped
                assert time.monotonic() < end
                with suppress(TimeoutError):
                    silent.socket.send(flood)
                assert waiting(impatient) < HIGH_WATER + 500_000
                other.catch_up()
        other.catch_up()


def waiting(server: Inside) -> int:
    """Bytes that all sockets together have not taken."""
    lines = [one for one in server.server.server_state.connections if hasattr(one, "parser")]
    return sum(one.transport.get_write_buffer_size() for one in list(lines))


@pytest.mark.parametrize("answers", [True, False])
def test_whoever_answers_pings_stays(impatient: Inside, answers: bool) -> None:
    anna = impatient.guest("Anna")
    with Raw(anna, anna.make(game="madness")["room"]) as quiet:
        asked = 0
        try:
            while asked < 4:
                kind, body = quiet.frame()
                assert kind == PING
                asked += 1
                if answers:
                    quiet.send(frame(PONG, body))
        except (EOFError, ConnectionResetError):
            assert not answers
        assert asked == 4 if answers else asked < 4


# ---------------------------------------------------------------- who says too much


def strict(folder: Path, **values: Any) -> Inside:
    return Inside(sqlite_in(folder), replace(OPEN, **values))


def test_above_the_rate_each_message_is_refused_and_then_the_connection_ends(tmp_path: Path) -> None:
    with strict(tmp_path, messages_per_second=2, too_fast_before_end=5).running() as server:
        anna = server.guest("Anna")
        room = anna.make(game="madness")["room"]
        for flood in (frame(TEXT, ping("x")), frame(PING, b""), frame(PONG, b""), frame(TEXT, b"{")):
            with Raw(anna, room) as fast, suppress(OSError):
                fast.send(flood * 40)
                codes, last = [], b""
                with suppress(EOFError):
                    while True:
                        kind, last = fast.frame()
                        if kind == TEXT:
                            codes.append(json.loads(last).get("code"))
                assert "room.too_fast" in codes, "it is told why"
                assert (kind, int.from_bytes(last[:2], "big")) == (CLOSE, 1008)


def test_hellos_have_a_rate_of_their_own(tmp_path: Path) -> None:
    with strict(tmp_path, hellos_per_minute=3).running() as server:
        anna = server.guest("Anna")
        with Raw(anna, anna.make(game="madness")["room"]) as raw:
            raw.send(frame(TEXT, HELLO) * 5 + frame(TEXT, ping("end")))
            found: list[dict[str, Any]] = []
            while not found or found[-1]["type"] != "pong":
                found.append(raw.message())
            assert [one["type"] for one in found].count("error") == 2
            assert {one["code"] for one in found if one["type"] == "error"} == {"room.too_fast"}


def test_a_piece_that_was_refused_takes_its_message_with_it_and_no_other(tmp_path: Path) -> None:
    with strict(tmp_path, messages_per_second=5).running() as server:
        anna = server.guest("Anna")
        with Raw(anna, anna.make(game="madness")["room"]) as raw:
            text = ping("lost")
            raw.send(frame(TEXT_BEGINS, text[:9]))
            raw.send(frame(PING, b"") * 10)  # all that it may say for now
            raw.send(frame(CONT | LAST, text[9:]))
            while (message := raw.frame())[0] != TEXT:
                pass
            assert json.loads(message[1])["code"] == "room.too_fast"
            time.sleep(1.5)
            text = ping("whole")
            raw.send(frame(TEXT_BEGINS, text[:9]) + frame(CONT | LAST, text[9:]))
            assert raw.message()["id"] == "whole"


# ---------------------------------------------------------------- who is not let in


def refused(guest: Guest, request: bytes) -> tuple[int, str, bytes]:
    """Status, headers and body of the answer; then the server closes."""
    with Raw(guest, "", opens=False) as raw:
        raw.send(request)
        head = raw.head()
        body = raw.left
        with suppress(EOFError, ConnectionResetError):
            while True:
                raw.left = b""
                raw.more()
                body += raw.left
        return int(head.split()[1]), head.lower(), body


def test_whoever_is_not_let_in_is_told_why(server: Inside, anna: Guest, room: str) -> None:
    host, path = server.host, f"/api/rooms/{room}/socket"
    for request, status, word in (
        (upgrade(host, path, "", "Origin: http://evil.example"), 403, b"evil.example"),
        (upgrade(host, path, "", "Origin: null"), 403, b""),
        (upgrade("evil.example", path), 421, b"evil.example"),
        (upgrade(host, "/api/rooms/a/b/socket"), 404, b"nothing here"),
        (upgrade(host, "/"), 404, b"nothing here"),
        (upgrade(host, path).replace(b"Version: 13", b"Version: 7"), 400, b"Version"),
        (upgrade(host, path).replace(b"Sec-WebSocket-Key: ", b"Sec-WebSocket-Nokey: "), 400, b""),
    ):
        found, _, body = refused(anna, request)
        assert found == status and word in body, (request, body)
    with Raw(anna, room, f"Origin: http://{host}"):
        pass  # but the server's own pages are


def test_a_room_that_is_not_there_is_told_in_words(server: Inside, anna: Guest) -> None:
    with Raw(anna, "nowhere") as raw:
        assert raw.message()["code"] == "room.none"
        assert raw.close_code() == 1008


def test_too_many_openings_say_when_to_come_again(tmp_path: Path) -> None:
    with strict(tmp_path, opens_per_minute=3).running() as server:
        anna = server.guest("Anna")
        room = anna.make(game="madness")["room"]
        for _ in range(3):
            with Raw(anna, room):
                pass
        status, head, _ = refused(anna, upgrade(server.host, f"/api/rooms/{room}/socket"))
        assert status == 429
        (wait,) = [line for line in head.split("\r\n") if line.startswith("retry-after: ")]
        assert 1 <= int(wait.partition(": ")[2]) <= 60


def test_garbage_instead_of_a_request(anna: Guest) -> None:
    for garbage in (b"\x16\x03\x01\x02\x00\x01\x00", b"hello\r\n\r\n", b"GET\r\n\r\n", b"\0" * 1000):
        with Raw(anna, "", opens=False) as raw:
            raw.send(garbage + b"\r\n\r\n")
            assert b" 400 " in raw.socket.recv(1000)
