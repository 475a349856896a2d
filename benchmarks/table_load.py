"""How many durable moves a second the table takes, and how quickly it answers. On loopback.

    python benchmarks/table_load.py [--games 500] [--rounds 3] [--game madness] [--db URL]
    python benchmarks/table_load.py --pace 1 --seconds 30
    python benchmarks/table_load.py --postgres
    python benchmarks/table_load.py --idle

As fast as the clients can: so many games are made ready, then all are played to the end at once, and
the time from the first move to the last is taken; some rounds of this. With a pace, games go on at so
many moves a second each. `--idle` tells what a game takes in which nobody moves. The clients run in
this process, on the same machine, and make any legal move; `--want legal` has them told no more than
they need for that, instead of all that a player's screen needs.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvloop

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
    id: str = ""
    done: list[str] = []
    legal: list[str] = []
    view: View | None = None


reading = msgspec.json.Decoder(Update)


class Socket(asyncio.Protocol):
    """As little of a WebSocket as such a client needs, so that it is the server that is measured."""

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        self.hear, self.opened, self.left = hear, asyncio.Event(), b""

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport

    def open(self, path: str, host: str, cookie: str) -> None:
        lines = ["Host: " + host, "Cookie: " + cookie, "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
        self.transport.write("\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode())

    def say(self, message: Any) -> None:
        self.frame(0x81, msgspec.json.encode(message))

    def frame(self, kind: int, body: bytes) -> None:
        """Masked with zeros."""
        length = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
        self.transport.write(bytes([kind]) + length + b"\0\0\0\0" + body)

    def data_received(self, data: bytes) -> None:
        self.left += data
        if not self.opened.is_set():
            head, end, rest = self.left.partition(b"\r\n\r\n")
            if not end:
                return
            assert b" 101 " in head.split(b"\r\n")[0], head
            self.opened.set()
            self.left = rest
        self.frames()

    def frames(self) -> None:
        at, data = 0, self.left
        while len(data) >= at + 2:
            length, body = data[at + 1], at + 2
            if length == 126:
                length, body = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            if len(data) < body + length:
                break
            if data[at] == 0x81:
                self.hear(data[body : body + length])
            elif data[at] == 0x89:  # a ping
                self.frame(0x8A, data[body : body + length])
            at = body + length
        self.left = data[at:]


class Player:
    """One client in one seat."""

    def __init__(self, load: "Load", path: str, party: int) -> None:
        self.load, self.path, self.party = load, path, party
        self.sent, self.moving, self.playing = 0.0, False, False
        self.legal: list[str] = []
        self.dealt, self.over = asyncio.Event(), asyncio.Event()

    async def connect(self) -> None:
        host = self.load.server.removeprefix("http://")
        name, _, port = host.partition(":")
        loop = asyncio.get_running_loop()
        _, self.socket = await loop.create_connection(lambda: Socket(self.hear), name, int(port))
        self.socket.open(self.path, host, self.load.cookies[self.party])
        await self.socket.opened.wait()
        self.socket.say({"type": "hello", "version": 1, "want": self.load.wanted.want.split(",")})
        self.socket.say({"type": "ready", "id": "r", "nonce": secrets.token_hex(16)})
        await self.dealt.wait()

    def hear(self, body: bytes) -> None:
        message = reading.decode(body)
        if message.type == "error":
            raise RuntimeError(body)
        if message.type == "update":
            self.legal = [] if message.view and message.view.chosen else message.legal
            if message.phase == "playing":
                self.dealt.set()
            if message.phase == "over":
                self.over.set()
                self.socket.transport.close()
        if message.done or message.type == "done":
            self.answered(message.done or [message.id])
        if self.playing:
            self.move()

    def answered(self, ids: list[str]) -> None:
        if ids != ["r"]:
            self.moving = False
            self.load.waits.append(time.perf_counter() - self.sent)

    async def play(self) -> None:
        self.playing = True
        self.move()
        await self.over.wait()

    def move(self) -> None:
        if self.legal and not self.moving and not self.over.is_set():
            self.moving = True
            if self.load.wanted.pace:
                wait = random.uniform(0.5, 1.5) / self.load.wanted.pace
                asyncio.get_running_loop().call_later(wait, self.say_move)
            else:
                self.say_move()

    def say_move(self) -> None:
        if not self.over.is_set():
            self.sent = time.perf_counter()
            self.socket.say({"type": "move", "id": secrets.token_hex(6), "move": random.choice(self.legal)})


class Load:
    def __init__(self, server: str, pid: int, wanted: argparse.Namespace) -> None:
        self.server, self.pid, self.wanted = server, pid, wanted
        self.waits: list[float] = []
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

    async def seated(self) -> list[Player]:
        """Two players at a table where the cards are dealt."""
        path = await asyncio.to_thread(self.room)
        players = [Player(self, path, party) for party in range(2)]
        await asyncio.gather(*(player.connect() for player in players))
        return players

    async def all_seated(self) -> list[Player]:
        return [player for _ in range(self.wanted.games) for player in await self.seated()]

    async def round(self) -> None:
        """All games from the first move to the end."""
        before, start = work(self.pid), time.perf_counter()
        players = await self.all_seated()
        made = time.perf_counter() - start, work(self.pid) - before
        self.waits.clear()
        before, start = work(self.pid), time.perf_counter()
        await asyncio.gather(*(player.play() for player in players))
        self.report(time.perf_counter() - start, work(self.pid) - before, made)

    async def steady(self) -> None:
        """Each game at its pace, followed by another one, for some time."""
        games = [
            asyncio.create_task(self.games_in_a_row(await self.seated())) for _ in range(self.wanted.games)
        ]
        await asyncio.sleep(2 / self.wanted.pace)
        self.waits.clear()
        before, start = work(self.pid), time.perf_counter()
        done, _ = await asyncio.wait(games, timeout=self.wanted.seconds, return_when=asyncio.FIRST_EXCEPTION)
        self.report(time.perf_counter() - start, work(self.pid) - before)
        for task in done:
            task.result()
        for task in games:
            task.cancel()
        await asyncio.gather(*games, return_exceptions=True)

    async def games_in_a_row(self, players: list[Player]) -> None:
        while True:
            await asyncio.gather(*(player.play() for player in players))
            players = await self.seated()

    def report(self, passed: float, worked: float, made: tuple[float, float] | None = None) -> None:
        waits = sorted(self.waits)
        moves = len(waits)
        found: dict[str, float] = {"moves": moves, "moves_per_s": round(moves / passed)}
        found |= {f"p{share}_ms": round(1000 * waits[moves * share // 100], 1) for share in (50, 99)}
        found |= {"server_us_per_move": round(1e6 * worked / moves), "server_MB": round(memory(self.pid))}
        if made:
            found["server_us_per_game_made"] = round(1e6 * made[1] / self.wanted.games)
        print(json.dumps(found), flush=True)

    async def keep_awake(self) -> None:
        """So that the server's process does not pay for waking this one, as it would not pay for machines
        elsewhere."""
        while True:
            await asyncio.sleep(0)

    async def idle(self) -> None:
        """What games in which nobody moves take of memory and of time."""
        await self.seated()
        memory_before = memory(self.pid)
        players = await self.all_seated()
        await asyncio.sleep(2)
        grown, before = memory(self.pid) - memory_before, work(self.pid)
        await asyncio.sleep(self.wanted.seconds)
        share = (work(self.pid) - before) / self.wanted.seconds
        found = {"games": len(players) // 2, "kB_per_game": round(1000 * grown / self.wanted.games)}
        print(json.dumps({**found, "server_share_of_a_core": round(share, 4)}))

    async def run(self) -> None:
        if self.wanted.idle:
            return await self.idle()
        if self.wanted.pace:
            return await self.steady()
        awake = asyncio.create_task(self.keep_awake())
        for _ in range(self.wanted.rounds):
            await self.round()
        awake.cancel()


def work(pid: int) -> float:
    """Seconds of one core that the server has used: says more than the clock on a busy machine."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes that the server takes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def postgres() -> Iterator[str]:
    """A fresh cluster that ends with this."""
    binaries, folder = Path("/usr/lib/postgresql/15/bin"), Path(tempfile.mkdtemp(prefix="coyote-pg-"))
    shutil.chown(folder, "postgres")
    run: list[str | Path] = ["runuser", "-u", "postgres", "--"]
    data, log = folder / "data", folder / "log"
    where = {"cwd": folder, "stdout": subprocess.DEVNULL, "check": True}
    subprocess.run([*run, binaries / "initdb", "-D", data, "-A", "trust"], **where)  # type: ignore[call-overload]
    control = [*run, binaries / "pg_ctl", "-D", data, "-w"]
    subprocess.run([*control, "-o", f"-k {folder} -c listen_addresses=''", "-l", log, "start"], **where)  # type: ignore[call-overload]
    try:
        yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
    finally:
        subprocess.run([*control, "-m", "fast", "stop"], **where)  # type: ignore[call-overload]
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=0)
    parser.add_argument("--game", default="madness")
    parser.add_argument("--want", default="view,legal,events")
    parser.add_argument("--idle", action="store_true")
    parser.add_argument("--db")
    parser.add_argument("--postgres", action="store_true", help="a cluster of its own, as user postgres")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        options = [part for name, most in LIMITS.items() for part in ("--limit", f"{name}={most}")]
        command = [sys.executable, "-m", "coyote", "table", "--port", "0", "--lang", "en", *options]
        url = stack.enter_context(postgres()) if wanted.postgres else wanted.db
        command += ["--db", url or f"sqlite:///{folder}/table.sqlite3"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = server.stdout.readline().split()[-1].rstrip("/")
                uvloop.run(Load(address, server.pid, wanted).run())
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
