"""How many durable moves a second the table takes, and how quickly it answers. On loopback.

    python benchmarks/table_load.py [--games 500] [--seconds 20] [--pace 0] [--game madness] [--db URL]

A pace of 0 is as fast as the clients can; 1 is one move a second in each game. The clients run in
this process, on the same machine, and play any legal move. Every game that ends is followed by another.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

LIMITS = {
    "messages_per_second": 100_000, "requests_per_second": 100_000, "makes_per_minute": 10_000_000,
    "rooms_per_guest": 10_000_000, "sockets_per_guest": 100_000, "sockets_per_address": 100_000,
}  # fmt: skip


class View(msgspec.Struct):
    chosen: str | None = None


class Update(msgspec.Struct):
    """What such a client reads of a message."""

    type: str
    phase: str = ""
    n: int = 0
    id: str | None = None
    legal: list[str] = []
    view: View | None = None


reading = msgspec.json.Decoder(Update)


class Load:
    def __init__(self, server: str, wanted: argparse.Namespace) -> None:
        self.server, self.wanted = server, wanted
        self.waits: list[float] = []
        self.counting = False
        self.cookies = [self.post("/api/guest", {"name": name})[1] for name in ("Anna", "Boris")]

    def post(self, path: str, body: Any, cookie: str = "") -> tuple[Any, str]:
        headers = {"Content-Type": "application/json", "Cookie": cookie}
        request = urllib.request.Request(f"{self.server}{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as response:
            return json.load(response), (response.headers["Set-Cookie"] or "").split(";")[0]

    def room(self) -> str:
        made, _ = self.post("/api/rooms", {"game": self.wanted.game, "opponent": "open"}, self.cookies[0])
        self.post(f"/api/rooms/{made['room']}/join", {}, self.cookies[1])
        return str(made["socket"])

    async def seat(self, path: str, party: int) -> None:
        address = self.server.replace("http", "ws", 1) + path
        headers = {"Cookie": self.cookies[party]}
        async with connect(address, additional_headers=headers, compression=None) as socket:
            want = self.wanted.want.split(",")
            await socket.send(json.dumps({"type": "hello", "version": 1, "want": want}))
            await socket.send(json.dumps({"type": "ready", "id": "r", "nonce": secrets.token_hex(16)}))
            await self.play(socket)

    async def play(self, socket: ClientConnection) -> None:
        sent, moving = 0.0, False
        legal: list[str] = []
        async for text in socket:
            message = reading.decode(text)
            if message.type == "error":
                raise RuntimeError(text)
            if message.type == "done" and message.id != "r":
                moving = False  # the update that shows the move came before
                if self.counting:
                    self.waits.append(time.perf_counter() - sent)
            if message.type == "update":
                if message.phase == "over":
                    return
                legal = [] if message.view and message.view.chosen else message.legal
            if legal and not moving:
                moving = True
                if self.wanted.pace:
                    await asyncio.sleep(random.uniform(0.5, 1.5) / self.wanted.pace)
                sent = time.perf_counter()
                move = {"type": "move", "id": secrets.token_hex(6), "move": random.choice(legal)}
                await socket.send(json.dumps(move))

    async def game(self) -> None:
        while True:
            path = await asyncio.to_thread(self.room)
            await asyncio.gather(self.seat(path, 0), self.seat(path, 1))

    async def run(self, pid: int) -> tuple[float, float]:
        """Seconds that passed, and seconds that the server's process worked in them."""
        games = [asyncio.create_task(self.game()) for _ in range(self.wanted.games)]
        await asyncio.sleep(self.wanted.warm)
        self.counting = True
        start, worked = time.perf_counter(), work(pid)
        done, _ = await asyncio.wait(games, timeout=self.wanted.seconds, return_when=asyncio.FIRST_EXCEPTION)
        passed, worked = time.perf_counter() - start, work(pid) - worked
        self.counting = False
        for task in done:
            task.result()
        for task in games:
            task.cancel()
        await asyncio.gather(*games, return_exceptions=True)
        return passed, worked


def work(pid: int) -> float:
    """Seconds of one core that the server has used: says more than the clock on a busy machine."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes that the server takes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--warm", type=float, default=15)
    parser.add_argument("--pace", type=float, default=0)
    parser.add_argument("--game", default="madness")
    parser.add_argument("--want", default="view,legal,events")
    parser.add_argument("--db")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options = [part for name, most in LIMITS.items() for part in ("--limit", f"{name}={most}")]
        command = [sys.executable, "-m", "coyote", "table", "--port", "0", "--lang", "en", *options]
        command += ["--db", wanted.db or f"sqlite:///{folder}/table.sqlite3"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = server.stdout.readline().split()[-1].rstrip("/")
                load = Load(address, wanted)
                passed, worked = asyncio.run(load.run(server.pid))
                report(load.waits, passed, worked, memory(server.pid))
            finally:
                server.terminate()


def report(waits: list[float], passed: float, worked: float, megabytes: float) -> None:
    waits.sort()
    moves = len(waits)
    found: dict[str, float] = {"moves_per_s": round(moves / passed)}
    found |= {f"p{share}_ms": round(1000 * waits[moves * share // 100], 1) for share in (50, 99)}
    found |= {"server_us_per_move": round(1e6 * worked / moves), "server_MB": round(megabytes)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
