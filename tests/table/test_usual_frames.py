"""Usual frames are read past the parser, all others by it: however a stream of both is cut into segments,
the same is heard in the same order."""

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from coyote.table.socket_protocol import RoomSocket, frame_head
from table.kit_raw import CLOSE, PING, PONG, TEXT, upgrade

BINARY, TEXT_BEGINS, GOES_ON, ENDS = 0x82, 0x01, 0x00, 0x80
ROOM = "a" * 30


class Heard:
    """In the client's place."""

    def __init__(self) -> None:
        self.all: list[bytes] = []
        self.paid = 0

    def hear(self, text: bytes) -> None:
        assert type(text) is bytes
        self.all.append(text)

    def pays(self) -> bool:
        self.paid += 1
        return True

    def leave(self) -> None:
        pass


class Wire:
    """In the transport's place."""

    def __init__(self) -> None:
        self.sent = b""

    def write(self, data: bytes) -> None:
        self.sent += data

    def is_closing(self) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **named: None


def opened(client: Heard) -> tuple[RoomSocket, Wire]:
    async def seat(*_: Any) -> Heard:
        return client

    desk = SimpleNamespace(refuses_socket=lambda *_: None, seat=seat, leave=lambda _: None)
    state: Any = SimpleNamespace(connections=set())
    config: Any = None
    found, wire = RoomSocket(config, state, {"desk": desk}), Wire()
    found.connection_made(wire)
    found.data_received(upgrade("host", f"/api/rooms/{ROOM}/socket", ""))
    return found, wire


def masked(kind: int, body: bytes, dice: Random) -> bytes:
    mask, n = dice.randbytes(4), len(body)
    length = bytes([0x80 | n]) if n < 126 else b"\xfe" + n.to_bytes(2, "big")
    return bytes([kind]) + length + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(body))


def some_frames(dice: Random, unusual: float) -> tuple[list[bytes], list[bytes]]:
    """Frames, and the messages that they are."""
    frames, said = [], []
    for _ in range(dice.randrange(1, 30)):
        body = dice.randbytes(dice.choice([0, 1, 5, 60, 125, 126, 127, 300, 5000]))
        if dice.random() >= unusual:
            kind = dice.choice([TEXT, BINARY, PONG])
            frames.append(masked(kind, body[:125] if kind == PONG else body, dice))
            said += [body] if kind != PONG else []
        elif dice.random() < 0.5:
            frames.append(masked(PING, body[:100], dice))
        else:
            cut = dice.randrange(len(body) + 1)
            between = [masked(PING, b"between", dice)] if dice.random() < 0.5 else []
            parts = [
                masked(TEXT_BEGINS, body[:cut], dice),
                *between,
                masked(ENDS | GOES_ON, body[cut:], dice),
            ]
            frames += parts
            said += [body] if body[:cut] or body[cut:] else [b""]
    return frames, said


def segments(stream: bytes, dice: Random) -> list[bytes]:
    cuts = sorted(dice.sample(range(len(stream) + 1), min(len(stream), dice.randrange(12))))
    return [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True) if b > a]


@pytest.mark.parametrize("unusual", [0.0, 0.1, 0.6])
def test_however_they_come_the_same_is_heard(unusual: float) -> None:
    async def play(seed: int) -> None:
        dice, client = Random(seed), Heard()
        found, wire = opened(client)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert id(found.client) == id(client) and wire.sent.startswith(b"HTTP/1.1 101 ")
        frames, said = some_frames(dice, unusual)
        for segment in segments(b"".join(frames), dice):
            found.data_received(segment)
        assert client.all == said, seed
        found.data_received(masked(CLOSE, (1000).to_bytes(2, "big"), dice))
        assert found.ending and wire.sent.endswith(b"\x88\x02" + (1000).to_bytes(2, "big"))

    async def all_of_them() -> None:
        for seed in range(150):
            await play(seed)

    asyncio.run(all_of_them())


def test_after_the_end_nothing_is_heard() -> None:
    async def play() -> None:
        dice, client = Random(1), Heard()
        found, _ = opened(client)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        found.data_received(
            masked(TEXT, b"one", dice) + masked(CLOSE, b"", dice) + masked(TEXT, b"two", dice)
        )
        assert client.all == [b"one"]

    asyncio.run(play())


def test_what_the_server_sends_is_one_frame_of_every_length() -> None:
    for length in (0, 125, 126, 65_535, 65_536, 1_000_000):
        head = frame_head(length)
        assert head[0] == TEXT and not head[1] & 0x80
        told = {126: head[2:4], 127: head[2:10]}.get(head[1], head[1:2])
        assert int.from_bytes(told, "big") == length and len(head) == 1 + len(told) + (head[1] > 125)
