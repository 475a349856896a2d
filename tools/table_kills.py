"""Kill the table's server again and again under load, and see that nothing acknowledged is lost.

    python tools/table_kills.py [--kills 100] [--games 40] [--db URL]

Scripted clients play on loopback as fast as they can, come back by themselves after each kill -9 and
send again whatever was not answered. In the end all games are played to their ends, and in the store
every acknowledged move must be there, once, and no move that nobody sent.
"""

import argparse
import asyncio
import json
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from coyote.table import inputs
from coyote.table.store import Store

LIMITS = ("messages_per_second", "requests_per_second", "makes_per_minute", "rooms_per_guest")
PATIENCE = 120.0  # seconds in which a game must end once nobody kills any more
Json = dict[str, Any]


class Server:
    def __init__(self, url: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port = found.getsockname()[1]
        self.url, self.address = url, f"127.0.0.1:{self.port}"
        self.kills = 0

    def start(self) -> None:
        limits = [part for name in (*LIMITS, "sockets_per_guest", "sockets_per_address") for part in
                  ("--limit", f"{name}=1000000")]  # fmt: skip
        command = [sys.executable, "-m", "coyote", "table", "--port", str(self.port), "--db", self.url]
        self.process = subprocess.Popen([*command, *limits], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise RuntimeError(self.process.communicate()[1].decode()[-2000:])

    def kill(self) -> None:
        self.kills += 1
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def post(self, path: str, body: Json, cookie: str = "") -> tuple[Json, str]:
        headers = {"Content-Type": "application/json", "Cookie": cookie}
        url = f"http://{self.address}{path}"
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as got:
            return json.load(got), (got.headers["Set-Cookie"] or "").split(";")[0]


class Player:
    """One seat of one game, through as many connections as it takes."""

    def __init__(self, server: Server, room: str, party: int, cookie: str) -> None:
        self.server, self.room, self.party, self.cookie = server, room, party, cookie
        self.waiting: Json | None = {"type": "ready", "id": "ready", "nonce": secrets.token_hex(16)}
        self.sent: dict[str, str] = {}  # moves by the id of their request
        self.kept: set[str] = set()  # those that were acknowledged
        self.seen, self.over = 0, False

    async def play(self) -> None:
        while not self.over:
            try:
                await self.connection()
            except (OSError, WebSocketException):
                await asyncio.sleep(0.05)

    async def connection(self) -> None:
        address = f"ws://{self.server.address}/api/rooms/{self.room}/socket"
        async with connect(address, additional_headers={"Cookie": self.cookie}) as talk:
            await say(talk, {"type": "hello", "version": 1, "seen": {str(self.party): self.seen}})
            if self.waiting:
                await say(talk, self.waiting)
            async for text in talk:
                await self.hear(talk, json.loads(text))
                if self.over:
                    return

    async def hear(self, talk: ClientConnection, message: Json) -> None:
        if message["type"] == "error":
            raise AssertionError(message)
        answered = message.get("done") or ([message["id"]] if message["type"] == "done" else [])
        self.kept |= {id for id in answered if id in self.sent}
        if self.waiting and self.waiting["id"] in answered:
            self.waiting = None
        if message["type"] == "update":
            self.seen, self.over = message["n"], message["phase"] == "over"
            chosen = message["view"] and message["view"].get("chosen")
            self.legal: list[str] = [] if chosen else message["legal"]
        if not self.waiting and not self.over and getattr(self, "legal", []):
            id, move = secrets.token_hex(8), random.choice(self.legal)
            self.waiting, self.sent[id] = {"type": "move", "id": id, "move": move}, move
            await say(talk, self.waiting)


async def say(talk: ClientConnection, message: Json) -> None:
    await talk.send(json.dumps(message))


class Trial:
    def __init__(self, server: Server, kills: int, games: int) -> None:
        self.server, self.kills, self.games = server, kills, games
        self.players: list[Player] = []
        self.starter = ThreadPoolExecutor(1)  # of its own: those who want a table wait in all other threads
        self.cookies = [server.post("/api/guest", {"name": name})[1] for name in ("Anna", "Boris")]

    def seats(self) -> list[Player]:
        """Two at a new table. A request that a kill cut off is made again, at another table."""
        game = random.choice(["madness", "madness", "duel"])
        while True:
            try:
                made, _ = self.server.post("/api/rooms", {"game": game, "opponent": "open"}, self.cookies[0])
                self.server.post(f"/api/rooms/{made['room']}/join", {}, self.cookies[1])
                return [Player(self.server, made["room"], party, self.cookies[party]) for party in range(2)]
            except OSError:
                time.sleep(0.1)

    async def table(self) -> None:
        while self.server.kills < self.kills:
            seats = await asyncio.to_thread(self.seats)
            self.players += seats
            await asyncio.gather(*(seat.play() for seat in seats))

    async def killer(self) -> None:
        while self.server.kills < self.kills:
            await asyncio.sleep(random.uniform(0.0, 2.0))
            self.server.kill()
            await asyncio.get_running_loop().run_in_executor(self.starter, self.server.start)
            if self.server.kills % 10 == 0:
                print(f"{self.server.kills} kills, {self.acknowledged()} moves", file=sys.stderr, flush=True)

    def acknowledged(self) -> int:
        return sum(len(player.kept) for player in self.players)

    async def run(self) -> None:
        tables = [asyncio.create_task(self.table()) for _ in range(self.games)]
        await self.killer()
        await asyncio.wait_for(asyncio.gather(*tables), PATIENCE)


def compare(players: list[Player], url: str) -> Json:
    """What the store has against what the clients were told."""
    store = Store(url)
    try:
        lost = twice = strange = 0
        for player in players:
            moves = [one for one in store.inputs_of(player.room) if isinstance(one, inputs.Move)]
            ids = [one.id for one in moves if one.by == player.party]
            lost += len(player.kept - set(ids))
            twice += len(ids) - len(set(ids))
            strange += sum(player.sent.get(id) is None for id in ids)
        return {"lost": lost, "twice": twice, "strange": strange}
    finally:
        store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--db")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(wanted.db or f"sqlite:///{folder}/table.sqlite3")
        server.start()
        try:
            trial = Trial(server, wanted.kills, wanted.games)
            asyncio.run(trial.run())
        finally:
            server.process.terminate()
            server.process.communicate()
        stuck = sum(not player.over for player in trial.players)
        found = {
            "kills": server.kills,
            "games": len(trial.players) // 2,
            "acknowledged": trial.acknowledged(),
        }
        found |= {"stuck": stuck, **compare(trial.players, server.url)}
        print(json.dumps(found))
        sys.exit(any(found[name] for name in ("stuck", "lost", "twice", "strange")))


if __name__ == "__main__":
    main()
