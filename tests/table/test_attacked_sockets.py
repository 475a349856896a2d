"""What was done to the table's sockets and connections, done again in other words.

Floods of every kind of frame, connections that say nothing or little, clients that read nothing, more
sockets than anybody needs. As in test_attacked.py each attacker has an address of their own.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from table.kit_attack import (
    PLAIN,
    Line,
    Visitor,
    deal,
    limits,
    status_of,
    unharmed,
    wait_prepared,
    work,
)
from table.kit_raw import CLOSE, KEY, PING, PONG, TEXT, frame, upgrade
from table.kit_table import PATIENCE, Server, sqlite_in

CONT, BINARY, MORE = 0x80, 0x82, 0x01
OPEN: dict[str, str] = {}


def attack(test: Callable[..., None]) -> Callable[..., None]:
    """One that is still open is expected to succeed, and no test may forget that it was closed."""
    why = OPEN.get(test.__name__)
    return pytest.mark.xfail(strict=True, reason=why)(test) if why else test


def started(folder: Path, *options: str) -> Iterator[Server]:
    with Server(sqlite_in(folder), *(options or PLAIN)) as running:
        wait_prepared(running)
        yield running
        logged = running.stop()
    assert running.process.returncode == 0
    assert '"level": "error"' not in logged, logged[-3000:]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from started(tmp_path_factory.mktemp("sockets"))


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Little time, and few of everything."""
    few = limits(
        header_seconds=1, body_seconds=1, idle_seconds=2, connections_per_address=20, inputs_per_room=60
    )
    yield from started(tmp_path_factory.mktemp("strict"), *few)


@pytest.fixture
def eve(server: Server) -> Visitor:
    return Visitor(server)


@pytest.fixture
def room(eve: Visitor) -> str:
    return str(eve.make(game="madness", opponent="self")["room"])


HELLO = json.dumps({"type": "hello", "version": 1}).encode()


def said(answer: bytes) -> tuple[Counter[str], int]:
    """The types (and codes) of the messages in these frames, and the code that the socket was closed with."""
    found: Counter[str] = Counter()
    at, code = 0, 0
    while at + 2 <= len(answer):
        length, body = answer[at + 1] & 0x7F, at + 2
        if length > 125:
            size = 2 if length == 126 else 8
            length, body = int.from_bytes(answer[body : body + size], "big"), body + size
        if len(answer) < body + length:
            break
        content = answer[body : body + length]
        if answer[at] == TEXT:
            message = json.loads(content)
            found[message.get("code") or message["type"]] += 1
        elif answer[at] == CLOSE:
            code = int.from_bytes(content[:2], "big")
        else:
            found[f"{answer[at]:x}"] += 1
        at = body + length
    return found, code


# ---------------------------------------------------------------- floods

FLOODS = {
    "pings": frame(PING, b"x" * 125),
    "empty pings": frame(PING, b""),
    "pongs": frame(PONG, b"x" * 125),
    "empty pongs": frame(PONG, b""),
    "empty texts": frame(TEXT, b""),
    "hellos": frame(TEXT, HELLO),
    "binary": frame(BINARY, b"\0" * 3000),
    "nonsense": frame(TEXT, b"[" * 4000),
    "asking": frame(TEXT, b'{"type":"ping","id":"x"}'),
    "moves": frame(TEXT, b'{"type":"move","id":"x","move":"pass"}'),
    "why": frame(TEXT, b'{"type":"why","id":"x","move":"pass"}'),
    "pieces": frame(MORE, b"{") + frame(CONT & 0x7F, b"") * 50 + frame(CONT, b"}"),
}


@attack
@pytest.mark.parametrize("kind", FLOODS)
def test_b6_a_flood_that_reads_nothing(server: Server, eve: Visitor, room: str, kind: str) -> None:
    """Nothing piles up, and the connection ends or stands still."""
    with unharmed(server, megabytes=25):
        lines = [eve.raw_socket(room) for _ in range(3)]
        for line in lines:
            line.push(FLOODS[kind] * (100_000 // len(FLOODS[kind])), 0.5)
        for line in lines:
            line.socket.close()


@attack
@pytest.mark.parametrize("kind", FLOODS)
def test_b7_whoever_goes_on_above_the_rate_is_sent_away(eve: Visitor, room: str, kind: str) -> None:
    with eve.raw_socket(room) as line:
        line.send(frame(TEXT, HELLO))
        line.send(FLOODS[kind] * 400)
        found, code = said(line.rest(5))
    assert code == 1008, (kind, found)
    assert found["room.too_fast"] <= 110


@attack
def test_b7_a_steady_stream_above_the_rate_ends_too(eve: Visitor, room: str) -> None:
    """Not all at once: twenty times as fast as allowed, for some seconds, with what is allowed in between."""
    with eve.raw_socket(room) as line:
        line.send(frame(TEXT, HELLO))
        for _ in range(120):
            if not line.send(FLOODS["asking"] * 20):
                break
            time.sleep(0.05)
        found, code = said(line.rest(5))
    assert code == 1008, found


@attack
def test_b6_small_frames_cost_little(server: Server, eve: Visitor, room: str) -> None:
    """Before anybody notices that it is too much, much has come already."""
    for kind in ("empty pings", "empty pongs", "empty texts", "pieces"):
        before = work(server)
        for _ in range(5):
            with eve.raw_socket(room) as line:
                line.send(FLOODS[kind] * (250_000 // len(FLOODS[kind])))
                line.rest(3, 0.2)
        assert work(server) - before < 1.5, (kind, work(server) - before)


@attack
def test_b7_hellos_have_a_rate_of_their_own(eve: Visitor, room: str) -> None:
    """Each is answered with all that there is to know."""
    with eve.raw_socket(room) as line:
        for _ in range(40):
            line.send(frame(TEXT, HELLO) * 4)
            time.sleep(0.1)
        found, _ = said(line.rest(3))
    assert 1 <= found["welcome"] <= 40, found


@attack
def test_b7_fifty_sockets_that_say_as_much_as_is_allowed(server: Server, eve: Visitor, room: str) -> None:
    with unharmed(server, median=0.25):
        lines = [eve.raw_socket(room) for _ in range(45)]
        for _ in range(30):
            for n, line in enumerate(lines):
                line.send(FLOODS["why" if n % 2 else "hellos"])
            time.sleep(0.05)
        for line in lines:
            line.socket.close()


# ---------------------------------------------------------------- what is no WebSocket

BROKEN = {
    "unmasked": bytes([TEXT, 2]) + b"{}",
    "reserved bits": bytes([0xF1, 0x80, 0, 0, 0, 0]),
    "reserved kind": bytes([0x83, 0x80, 0, 0, 0, 0]),
    "long ping": frame(PING, b"x" * 200),
    "ping in pieces": frame(0x09, b"x"),
    "a piece of nothing": frame(CONT, b"x"),
    "two beginnings": frame(MORE, b"a") + frame(TEXT, b"b"),
    "no text": frame(TEXT, b"\xff\xfe\xfd"),
    "close of one byte": frame(CLOSE, b"\x03"),
    "close for no reason": frame(CLOSE, (1005).to_bytes(2, "big")),
    "close in no language": frame(CLOSE, b"\x03\xe8\xff\xff"),
    "endless": bytes([TEXT, 0xFF]) + (2**63 - 1).to_bytes(8, "big") + b"\0\0\0\0",
    "negative": bytes([TEXT, 0xFF]) + b"\xff" * 8 + b"\0\0\0\0",
    "large": frame(TEXT, b"x" * 70_000),
    "large in pieces": frame(MORE, b"x" * 30_000) + frame(0, b"x" * 30_000) * 3,
    "many pieces": frame(MORE, b"x") + frame(0, b"x" * 1000) * 100,
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 50,
    "zeros": b"\0" * 10_000,
}


@attack
def test_b6_what_is_no_websocket_ends_its_connection_alone(server: Server) -> None:
    with unharmed(server):
        for name, raw in BROKEN.items():
            eve = Visitor(server)
            room = eve.make(game="madness", opponent="self")["room"]
            with eve.raw_socket(room) as line:
                line.send(frame(TEXT, HELLO) + raw + frame(PING, b"still there?"))
                answer = line.rest(8, 6)
            found, code = said(answer)
            assert code or found["room.malformed"] or found["room.too_long"] or found["room.too_fast"], name
            assert code != 1011, f"{name}: the server blames itself"


@attack
def test_b6_ways_to_ask_for_a_socket(server: Server, eve: Visitor, room: str) -> None:
    path = f"/api/rooms/{room}/socket"
    usual = upgrade(server.host, path, eve.cookie)
    wrong = {
        "no key": usual.replace(b"Sec-WebSocket-Key: " + KEY.encode() + b"\r\n", b""),
        "short key": usual.replace(KEY.encode(), b"AAAA"),
        "two keys": usual.replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Key: " + KEY.encode() + b"\r\n\r\n"),
        "version": usual.replace(b"Version: 13", b"Version: 8"),
        "post": usual.replace(b"GET", b"POST", 1),
        "old http": usual.replace(b"HTTP/1.1", b"HTTP/1.0"),
        "h2c": usual.replace(b"Upgrade: websocket", b"Upgrade: h2c"),
        "no room": usual.replace(room.encode(), b"nowhere"),
        "odd room": usual.replace(room.encode(), b"..%2f..%2f"),
        "nowhere": usual.replace(path.encode(), b"/"),
        "host": usual.replace(server.host.encode(), b"evil.example"),
        "a body": usual.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\nhello"),
        "chunks": usual.replace(
            b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        ),
    }
    for name, raw in wrong.items():
        answer = eve.bytes_of(raw, 3)
        assert status_of(answer) in (0, 101) or 200 <= status_of(answer) < 500, (name, answer)
        told, code = said(answer.partition(b"\r\n\r\n")[2]) if status_of(answer) == 101 else (None, 1)
        assert code or name in ("two keys", "a body", "chunks", "old http"), (name, told)
        assert code != 1011, name
    offered = upgrade(server.host, path, eve.cookie, "Sec-WebSocket-Extensions: permessage-deflate")
    with eve.line() as line:
        line.send(offered)
        answer = line.rest(3)
    assert status_of(answer) == 101 and b"deflate" not in answer.lower(), "a small frame could be a large one"


# ---------------------------------------------------------------- connections that say little


@attack
def test_b6_half_a_request_is_not_waited_for(strict: Server) -> None:
    """A byte now and then does not help."""
    host = strict.host.encode()
    begun = {
        "nothing": [b""] * 12,
        "a line": [b"GET / HTTP/1.1\r\n"],
        "headers": [b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n", *[b"X-Y: z\r\n"] * 12],
        "letters": [bytes([letter]) for letter in b"GET /aaaaaaaaaaaa"],
        "a body": [
            b"POST /api/guest HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 900\r\n\r\n{",
            *[b" "] * 12,
        ],
        "an upgrade": [upgrade(strict.host, "/api/rooms/x/socket")[:-2], *[b"X: y\r\n"] * 12],
    }
    lines = {name: Visitor(strict, cookie=False).line() for name in begun}
    for n in range(max(map(len, begun.values()))):
        for name, pieces in begun.items():
            lines[name].send(pieces[n] if n < len(pieces) else b"")
        time.sleep(0.25)
    for name, line in lines.items():
        assert line.ends_within(3), name
        line.socket.close()


@attack
def test_b6_so_many_connections_of_one_address(strict: Server) -> None:
    """Whatever they are used for; and another address is not concerned."""
    eve = Visitor(strict, cookie=False)
    lines = [eve.line() for _ in range(30)]
    refused = 0
    for line in lines:
        with suppress(OSError):
            answer = line.rest(0.3, 0.1)
            refused += status_of(answer) == 429 or line.ends_within(0.05)
    assert refused >= 8
    assert Visitor(strict, "Anna").ask("GET", "/api/me")["name"] == "Anna"
    for line in lines:
        line.socket.close()
    end = time.monotonic() + PATIENCE
    while not eve.cookie:  # until the server knows that they went
        assert time.monotonic() < end
        time.sleep(0.1)
        with suppress(OSError):
            eve.try_to("POST", "/api/guest", {"name": "Eve"})
    assert eve.ask("GET", "/api/me"), "and they may come again"


@attack
def test_b6_a_connection_that_is_kept_for_nothing_ends(strict: Server) -> None:
    with Visitor(strict, cookie=False).line() as line:
        line.send(f"GET /healthz HTTP/1.1\r\nHost: {strict.host}\r\n\r\n".encode())
        assert status_of(line.until(b"\r\n\r\n")) in (200, 503)
        assert line.ends_within(12)


@attack
def test_b6_a_goodbye_is_not_waited_for_for_ever(server: Server, eve: Visitor, room: str) -> None:
    """Those who say goodbye and stay, and those who do neither."""
    before = len(os.listdir(f"/proc/{server.process.pid}/fd"))
    lines = [eve.raw_socket(room) for _ in range(6)]
    for n, line in enumerate(lines):
        line.send(frame(CLOSE, b"\x03\xe8") if n % 2 else BROKEN["unmasked"])
    assert all(line.ends_within(9) for line in lines)
    end = time.monotonic() + PATIENCE
    while len(os.listdir(f"/proc/{server.process.pid}/fd")) > before + 2:
        assert time.monotonic() < end
        time.sleep(0.2)
    for line in lines:
        line.socket.close()


# ---------------------------------------------------------------- more of them than anybody needs


@attack
def test_b7_sockets_cannot_be_opened_as_often_as_one_likes(server: Server, eve: Visitor, room: str) -> None:
    """One after the other, each closed before the next."""
    opened = refused = 0
    with unharmed(server):
        for _ in range(200):
            answer = opening(eve, room)
            opened += answer == 101
            refused += answer == 429
    assert refused > 40 and opened + refused == 200, (opened, refused)
    other = Visitor(server, "Anna")
    assert other.sit(other.make(game="madness", opponent="self")["room"]).welcome


def opening(guest: Visitor, room: str) -> int:
    with guest.line() as line:
        line.send(upgrade(guest.server.host, f"/api/rooms/{room}/socket", guest.cookie))
        return status_of(line.until(b"\r\n\r\n"))


@attack
def test_b7_nobody_has_all_sockets(server: Server) -> None:
    """Without a cookie, with one, and with many from one address."""
    eve = Visitor(server)
    room = eve.make(game="madness", opponent="self")["room"]
    held: list[Line] = []
    with suppress(AssertionError):
        while len(held) < 120:
            held.append(eve.raw_socket(room))
            held[-1].text(type="hello", version=1)
    told: Counter[str] = Counter()
    for line in held:
        told += said(line.rest(0.2, 0.05))[0]
        line.socket.close()
    assert told["welcome"] <= 50, told


@attack
def test_b7_a_crowd_that_watches_and_reads_nothing(server: Server) -> None:
    """The game that they watch goes on as if they were not there."""
    anna, eve = Visitor(server, "Anna"), Visitor(server)
    made = anna.make(game="madness", opponent="self")
    seat = anna.sit(made["room"])
    deal(seat)
    with unharmed(server):
        crowd = [eve.raw_socket(made["room"]) for _ in range(40)]
        for line in crowd:
            line.text(type="hello", version=1, want=["view", "legal", "events", "story"])
        for _ in range(60):
            party = next((party for party in (0, 1) if seat.updates[party]["legal"]), None)
            if party is None:
                break
            seat.do("move", party=party, move=seat.updates[party]["legal"][0])
            seat.catch_up()
            time.sleep(0.08)  # two messages each: as fast as is allowed
        for line in crowd:
            line.socket.close()
    seat.close()


# ---------------------------------------------------------------- messages


@attack
def test_b7_a_room_takes_so_many_inputs(strict: Server) -> None:
    """Back and forth without end is an end, but for what ends the game."""
    anna = Visitor(strict, "Anna")
    seat = anna.sit(anna.make(game="duel", opponent="self")["room"])
    deal(seat)
    codes: Counter[str] = Counter()
    for n in range(100):
        answer = seat.request("undo" if n % 2 else "move", party=0, **({} if n % 2 else {"move": "hold"}))
        codes[answer.get("code", "")] += 1
        if codes["room.too_long_game"] > 2:
            break
        time.sleep(0.055)
    assert codes["room.too_long_game"] > 2, codes
    seat.do("resign", party=1)
    seat.wait(lambda update: update["phase"] == "over")
    seat.close()


ODD: list[Any] = [
    {"type": "hello", "version": 1, "seen": {str(n): n for n in range(300)}},
    {"type": "hello", "version": 1, "seen": {"0": -1, "-1": 2**60}},
    {"type": "hello", "version": 1, "want": ["view"] * 300},
    {"type": "hello", "version": 1, "want": ["everything"]},
    {"type": "hello", "version": 1, "lang": "xx"},
    {"type": "hello", "version": True},
    {"type": "move", "id": "\u202e\0", "move": "\ud800"},
    {"type": "move", "id": "x", "party": 2**40, "move": "pass"},
    {"type": "move", "id": "x", "party": -1, "move": "pass"},
    {"type": "answer", "id": "x", "what": "rematch", "yes": True},
    {"type": "offer", "id": "x", "what": "undo"},
    {"type": "seal", "id": "x", "seal": "0" * 64},
    {"type": "seal", "id": "x", "seal": "Z" * 64},
    {"type": "ready", "id": "x", "nonce": "A" * 32},
    {"type": "ready", "id": "x", "nonce": "0" * 4000},
    {"type": ["move"]},
    {"type": "welcome"},
    {"TYPE": "ping"},
    {"type": "ping", "id": "x" * 3000},
    {"type": "ping", "id": ["x"]},
    [1],
    "ping",
    17,
    None,
]


@attack
def test_d_odd_messages_get_typed_answers(server: Server) -> None:
    eve = Visitor(server)
    made = eve.make(game="madness", opponent="open")
    texts = [json.dumps(one).encode() for one in ODD]
    texts += [
        b'{"type":"ping","type":"hello"}',
        b'{"type":"ping"' + b" " * 3000 + b"}",
        b"[" * 4000,
        b'{"a":' * 700,
    ]
    texts += [b'"' + b"\\u0000" * 600 + b'"', b"9" * 4000, b"1e400", b"-" * 4000, b"NaN", b"\xef\xbb\xbf{}"]
    with eve.raw_socket(made["room"]) as line:
        line.send(frame(TEXT, HELLO))
        for text in texts:
            line.send(frame(TEXT, text))
            time.sleep(0.055)
        line.send(frame(TEXT, b'{"type":"ping","id":"end"}'))
        found, code = said(line.rest(10))
    assert not code and found["pong"] >= 1, (found, code)
    assert found["room.malformed"] > 15, found


@attack
def test_d_a_sealed_number_cannot_be_another_one_later(server: Server) -> None:
    """B9: first both seal, then what the deal depends on is told, then the numbers; each must fit."""
    from hashlib import sha256

    anna, boris = Visitor(server, "Anna"), Visitor(server, "Boris")
    made = anna.make(game="madness", opponent="open")
    boris.join(made)
    seats = anna.sit(made["room"]), boris.sit(made["room"])
    nonces = ["1" * 32, "2" * 32]
    assert seats[0].state["context"] is None
    for seat, nonce in zip(seats, nonces, strict=True):
        assert seat.state["context"] is None
        seat.do("seal", seal=sha256(nonce.encode()).hexdigest())
    context = seats[0].wait(lambda update: update["context"] is not None)["context"]
    for nonce in nonces:
        assert sha256(nonce.encode()).hexdigest() in context
    assert seats[1].refused("seal", seal="0" * 64)
    seats[0].do("ready", nonce=nonces[0])
    for other in ("3" * 32, nonces[0], "2" * 33, "2" * 31 + "3"):
        assert seats[1].refused("ready", nonce=other) in ("room.nonce_seal", "room.nonce_taken", "room.nonce")
    seats[1].do("ready", nonce=nonces[1])
    seats[0].wait(lambda update: update["phase"] == "playing")
    for seat in seats:
        seat.close()
