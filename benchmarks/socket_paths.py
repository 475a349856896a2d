"""What one message costs on its way through a socket, by who reads the frames. On loopback.

    python benchmarks/socket_paths.py [--messages 40000] [--sockets 100]

Each server answers every message with an update of 600 bytes to two sockets, as a move does, and does
nothing else: uvicorn's own two ways with an application behind them, the table's protocol class with
`websockets`' parser in it, and picows, where it is installed (`pip install picows`).
Prints the microseconds of the server's process for each message, and each way's share of the first.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import uvloop
from websockets.http11 import Request
from websockets.server import ServerProtocol

UPDATE = b"x" * 600
WAYS = ("websockets", "websockets-sansio", "own", "picows")
REQUEST = (
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
MOVE = b'{"type":"move","id":"0123456789ab","move":"a1 7S"}'


# ---------------------------------------------------------------- the servers


def serve(way: str) -> None:
    if way == "picows":
        uvloop.run(serve_picows())
    else:
        serve_uvicorn(way)


def serve_uvicorn(way: str) -> None:
    import uvicorn

    pairs: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "websocket"
        await receive()
        await send({"type": "websocket.accept"})
        pairs.append(send)
        mine, other = len(pairs) - 1, len(pairs) - 1 ^ 1
        while (await receive())["type"] == "websocket.receive":
            for one in (mine, other):
                await pairs[one]({"type": "websocket.send", "text": UPDATE.decode()})

    config = uvicorn.Config(
        app, port=0, ws=Own if way == "own" else way, lifespan="off", log_level="warning", access_log=False,
        ws_per_message_deflate=False,
    )  # fmt: skip

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            print(self.servers[0].sockets[0].getsockname()[1], flush=True)

    Server(config).run()


class Own(asyncio.Protocol):
    """The table's way, with nothing behind it."""

    before: "Own | None" = None

    def __init__(self, config: Any, server_state: Any, app_state: Any) -> None:
        self.parser = ServerProtocol(max_size=65_536)
        self.connections = server_state.connections

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.connections.add(self)
        self.other = Own.before or self
        if Own.before:
            Own.before.other = self
        Own.before = None if Own.before else self

    def connection_lost(self, _error: Exception | None) -> None:
        self.connections.discard(self)

    def data_received(self, data: bytes) -> None:
        self.parser.receive_data(data)
        for event in self.parser.events_received():
            if isinstance(event, Request):
                self.parser.send_response(self.parser.accept(event))
                self.flush()
            else:
                for one in (self, self.other):
                    one.parser.send_text(UPDATE)
                    one.flush()

    def flush(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.parser.data_to_send()))

    def shutdown(self) -> None:
        self.transport.close()


async def serve_picows() -> None:
    import picows  # type: ignore[import-not-found]

    class Listener(picows.WSListener):  # type: ignore[misc]
        before: Any = None

        def on_ws_connected(self, transport: Any) -> None:
            self.transport = transport
            self.other = Listener.before or self
            if Listener.before:
                Listener.before.other = self
            Listener.before = None if Listener.before else self

        def on_ws_frame(self, transport: Any, frame: Any) -> None:
            if frame.msg_type == picows.WSMsgType.TEXT:
                frame.get_payload_as_bytes()
                for one in (self, self.other):
                    one.transport.send(picows.WSMsgType.TEXT, UPDATE)

    server = await picows.ws_create_server(lambda _request: Listener(), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


# ---------------------------------------------------------------- the clients


class Client(asyncio.Protocol):
    """Says something whenever it has heard what it said last."""

    def __init__(self, load: "Load") -> None:
        self.load, self.left, self.open = load, b"", False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(REQUEST.encode())

    def say(self) -> None:
        self.transport.write(b"\x81" + bytes([0x80 | len(MOVE)]) + b"\0\0\0\0" + MOVE)

    def data_received(self, data: bytes) -> None:
        if not self.open:
            assert b" 101 " in data, data
            self.open = True
            self.load.opened.set()
            return
        self.left += data
        whole = len(self.left) // (len(UPDATE) + 4)
        self.left = self.left[whole * (len(UPDATE) + 4) :]
        if whole:
            self.load.heard(self)


class Load:
    def __init__(self, messages: int) -> None:
        self.left, self.opened, self.over = messages, asyncio.Event(), asyncio.Event()

    def heard(self, client: Client) -> None:
        self.left -= 1
        if self.left > 0:
            client.say()
        else:
            self.over.set()

    async def run(self, port: int, sockets: int) -> None:
        loop, clients = asyncio.get_running_loop(), []
        for _ in range(sockets):
            self.opened.clear()
            clients.append((await loop.create_connection(lambda: Client(self), "127.0.0.1", port))[1])
            await self.opened.wait()
        for client in clients[::2]:
            client.say()
        await self.over.wait()
        for client in clients:
            client.transport.close()


def work(pid: int) -> float:
    """Seconds of one core that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(way: str, messages: int, sockets: int) -> dict[str, float]:
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", __file__, "--serve", way], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            before, start = work(server.pid), time.perf_counter()
            uvloop.run(Load(messages).run(port, sockets))
            passed = time.perf_counter() - start
            used = work(server.pid) - before
        finally:
            server.terminate()
    return {"us_per_message": round(1e6 * used / messages, 1), "messages_per_s": round(messages / passed)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=40_000)
    parser.add_argument("--sockets", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", choices=WAYS)
    wanted = parser.parse_args()
    if wanted.serve:
        return serve(wanted.serve)
    best: dict[str, float] = {}
    for _ in range(wanted.rounds):
        for way in WAYS:
            try:
                found = measure(way, wanted.messages, wanted.sockets)
            except ValueError:
                print(json.dumps({"way": way, "missing": True}))
                continue
            best[way] = min(best.get(way, 1e9), found["us_per_message"])
            print(json.dumps({"way": way, **found}), flush=True)
    first = best[WAYS[0]]
    print(
        json.dumps(
            {way: {"us_per_message": us, "of_the_first": round(us / first, 2)} for way, us in best.items()}
        )
    )


if __name__ == "__main__":
    main()
