"""Several processes of a table, with PostgreSQL and nginx, that are killed, stopped and restarted while
people play; and what these people must have been told."""

import asyncio
import json
import os
import random
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa

from coyote.table import inputs
from coyote.table.games import Games
from coyote.table.room import Room
from coyote.table.store import Store
from table.kit_raw import Requests, Socket, wide_limits

Json = dict[str, Any]
BIN = Path("/usr/lib/postgresql/15/bin")
NGINX = "/usr/sbin/nginx"
ROOT = Path(__file__).resolve().parent.parent.parent
TO_OPEN = 2.5  # seconds that a client waits for its socket to open
SILENCE = 3.0  # seconds after which a client takes its connection for dead
PING = 1.5
TO_START = 120.0


def free_ports(number: int) -> int:
    """The first of so many in a row that nobody has."""
    while True:
        first = random.randrange(20_000, 32_000)
        try:
            for port in range(first, first + number):
                socket.create_server(("127.0.0.1", port)).close()
            return first
        except OSError:
            continue


# ---------------------------------------------------------------- what runs


class Postgres:
    """A cluster of our own, run by the user `postgres`, reached through a socket in its folder."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="coyote-pg-"))
        self.user: list[str | Path] = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-A", "trust", "-U", "postgres")
        self.url = f"postgresql+psycopg://postgres@/postgres?host={self.folder}"
        self.start()

    def _run(self, program: str, *options: str | Path) -> None:
        command = [*self.user, BIN / program, "-D", self.folder / "data", *options]
        subprocess.run(
            command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def another(self, name: str) -> str:
        """The address of one more database, which nobody else uses."""
        engine = sa.create_engine(self.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return self.url.replace("/postgres?", f"/{name}?")

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=200"
        self._run("pg_ctl", "-w", "-o", options, "-l", self.folder / "log", "start")

    def stop(self, how: str = "fast") -> None:
        self._run("pg_ctl", "-w", "-m", how, "stop")

    def __enter__(self) -> "Postgres":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder)


class Nginx:
    """The configuration that is in `deploy/`, without its certificates and on other ports."""

    def __init__(self, folder: Path, upstreams: list[str]) -> None:
        self.folder, self.port = folder, free_ports(1)
        self.address = f"127.0.0.1:{self.port}"
        (folder / "coyote.conf").write_text(self.configured(upstreams))
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log warn; worker_processes 1;\n"
            f"{'user root;' if os.geteuid() == 0 else ''} events {{ worker_connections 8000; }}\n"
            f"http {{ access_log off; {self.places()} include {folder}/coyote.conf; }}\n"
        )
        self.start()

    def places(self) -> str:
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        return " ".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in kinds)

    def configured(self, upstreams: list[str]) -> str:
        text = (ROOT / "deploy" / "nginx.conf").read_text()
        text = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", text, flags=re.DOTALL)
        text = re.sub(r".*(\[::\]:443|ssl_certificate|access_log).*\n", "", text)
        text = text.replace("listen 443 ssl http2;", f"listen {self.address};")
        given = iter(upstreams)
        return re.sub(r"server 127\.0\.0\.1:\d+", lambda _: f"server {next(given)}", text)

    def start(self) -> None:
        self.process = subprocess.Popen(
            [NGINX, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")], stderr=subprocess.DEVNULL
        )
        for _ in range(100):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "nginx.log").read_text()[-2000:])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def __enter__(self) -> "Nginx":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Workers:
    """`coyote table --workers`: its processes by their inner address."""

    def __init__(self, url: str, number: int, folder: Path, *options: str) -> None:
        self.number, self.port = number, free_ports(2 * number + 1)
        self.address = f"127.0.0.1:{self.port}"
        self.inner = [f"127.0.0.1:{self.port + 1 + k}" for k in range(number)]
        self.metrics = [f"127.0.0.1:{self.port + 1 + number + k}" for k in range(number)]
        self.log = folder / "table.log"
        self._log: IO[bytes] = self.log.open("wb")
        command = [sys.executable, "-m", "coyote", "table", "--lang", "en", "--workers", str(number)]
        command += ["--port", str(self.port), "--inner", self.inner[0], "--proxy", "127.0.0.1", "--db", url]
        command += ["--metrics", self.metrics[0]]
        self.process = subprocess.Popen(
            [*command, *wide_limits(), *options], stdout=subprocess.PIPE, stderr=self._log
        )
        assert self.process.stdout is not None
        if b"http://" not in self.process.stdout.readline():
            raise RuntimeError(self.log.read_text()[-3000:])

    def lines(self, message: str) -> list[Json]:
        found = [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [line for line in found if line["message"] == message]

    def pids(self) -> list[int]:
        """By number."""
        return [
            int(pid) for _, pid in sorted({x["of"]: x["pid"] for x in self.lines("worker started")}.items())
        ]

    def sockets(self) -> list[int]:
        """How many each of them has."""
        found = []
        for address in self.metrics:
            with urllib.request.urlopen(f"http://{address}/", timeout=30) as told:
                found.append(int(float(re.findall(r"^coyote_sockets (\S+)$", told.read().decode(), re.M)[0])))
        return found

    def stop(self) -> int:
        for pid in self.pids():  # what is stopped would not hear it
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self.process.terminate()
        return self.close()

    def close(self) -> int:
        code = self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()
        return code

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.stop()


# ---------------------------------------------------------------- who plays


@dataclass
class Paid:
    """What one move cost: by the server's clock and by the player's own, in seconds."""

    charged: float
    thought: float
    waited: float  # until it was acknowledged
    at: float
    room: str
    id: str


@dataclass
class Seen:
    """What a player was told of a room, and when it was back after a connection was lost."""

    acknowledged: list[str] = field(default_factory=list)
    sent: dict[str, str] = field(default_factory=dict)
    views: dict[int, str] = field(default_factory=dict)
    welcomes: list[tuple[float, float]] = field(default_factory=list)  # when it connected, when it was in
    paid: list[Paid] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    again: Counter[str] = field(default_factory=Counter)  # why it had to connect once more


class Player:
    """One seat of one game, through as many connections as it takes."""

    def __init__(self, address: str, room: str, party: int, cookie: str, think: float) -> None:
        self.address, self.room, self.party, self.cookie, self.think = address, room, party, cookie, think
        self.seen = Seen()
        nonce = secrets.token_hex(16)
        self.waiting: Json | None = {"type": "ready", "id": f"ready-{nonce[:8]}", "nonce": nonce}
        self.n, self.tries = 0, 0
        self.over = asyncio.Event()
        self.legal: list[str] = []
        self.left: float | None = None  # on the clock, when it became this player's turn
        self.since = self.sent_at = self.heard = 0.0
        self.socket: Socket | None = None
        self.thinking: asyncio.TimerHandle | None = None

    async def play(self) -> None:
        while not self.over.is_set():
            try:
                await self.connection()
            except (OSError, TimeoutError) as error:
                self.seen.again[type(error).__name__] += 1
            self.tries += 1
            await asyncio.sleep(min(1.0, 0.1 * self.tries) * random.uniform(0.75, 1.25))

    async def connection(self) -> None:
        began = self.heard = time.monotonic()
        path = f"/api/rooms/{self.room}/socket" + (f"?again={self.tries}" if self.tries else "")
        self.welcome = False
        async with asyncio.timeout(TO_OPEN):
            self.socket = await Socket.open(self.address, path, self.cookie, self.hear)
        self.began = began
        try:
            self.say(
                {"type": "hello", "version": 1, "seen": {str(self.party): self.n}, "want": ["view", "legal"]}
            )
            while not self.socket.lost.done() and not self.over.is_set():
                await asyncio.wait([self.socket.lost], timeout=PING / 3)
                silent = time.monotonic() - self.heard
                if silent > SILENCE:
                    raise TimeoutError
                if silent > PING and not self.socket.lost.done():
                    self.say({"type": "ping", "id": "p"})
            if not self.over.is_set():
                self.seen.again[str(self.socket.code)] += 1
        finally:
            self.socket.transport.abort()
            self.socket = None

    def say(self, message: Json) -> None:
        if self.socket:
            self.socket.say(json.dumps(message).encode())

    def hear(self, body: bytes) -> None:
        self.heard = time.monotonic()
        message = json.loads(body)
        match message["type"]:
            case "welcome":
                self.tries = 0
                self.seen.welcomes.append((self.began, self.heard))
                if self.waiting:
                    self.say(self.waiting)
            case "update":
                self.look(message)
            case "done":
                self.answered([message["id"]], None)
                self.go_on(None)
            case "error":
                self.refused(message)

    def refused(self, message: Json) -> None:
        """What was not kept is said again; anything else should not have been refused."""
        self.seen.again[message["code"]] += 1
        if message["code"] not in ("room.not_kept", "room.moved"):
            self.seen.faults.append(json.dumps(message))
        elif self.waiting:
            asyncio.get_running_loop().call_later(0.2, self.say, self.waiting)

    def look(self, update: Json) -> None:
        self.n = update["n"]
        shown = json.dumps([update["phase"], update["actors"], update["view"], update["legal"]])
        if self.seen.views.setdefault(self.n, shown) != shown:
            self.seen.faults.append(f"update {self.n} was another before")
        clock = None
        if update["seats"] and update["clocks"]:
            clock = update["clocks"][update["seats"].index(self.party)] / 1000
        self.answered(update["done"], clock)
        if update["phase"] == "over":
            self.over.set()
            return
        chosen = update["view"] and update["view"].get("chosen")
        self.legal = [] if chosen else update["legal"]
        self.go_on(clock)

    def go_on(self, clock: float | None) -> None:
        """Think about the next move, where one is due."""
        if self.legal and not self.waiting and not self.thinking:
            self.left, self.since = clock, self.heard
            wait = random.uniform(0.3, 1.7) * self.think
            self.thinking = asyncio.get_running_loop().call_later(wait, self.choose)

    def choose(self) -> None:
        self.thinking = None
        if not self.legal or self.over.is_set():
            return
        id, move = secrets.token_hex(8), random.choice(self.legal)
        self.seen.sent[id], self.sent_at = move, time.monotonic()
        self.waiting = {"type": "move", "id": id, "move": move}
        self.say(self.waiting)

    def told(self) -> Json:
        """For whoever looks for the reason why it did not end."""
        names = ("room", "party", "n", "waiting", "legal", "tries", "left")
        return {name: getattr(self, name) for name in names} | {
            "connected": self.socket is not None,
            "thinking": self.thinking is not None,
            "silent": round(time.monotonic() - self.heard, 1),
            "again": dict(self.seen.again),
            "welcomes": len(self.seen.welcomes),
        }

    def answered(self, ids: list[str], clock: float | None) -> None:
        if not self.waiting or self.waiting["id"] not in ids:
            return
        if self.waiting["type"] == "move":
            self.seen.acknowledged.append(self.waiting["id"])
            if clock is not None and self.left is not None:
                now = time.monotonic()
                thought, waited = self.sent_at - self.since, now - self.sent_at
                paid = Paid(self.left - clock, thought, waited, now, self.room, self.waiting["id"])
                self.seen.paid.append(paid)
        self.waiting = None


class Game:
    """Two people, or one with a bot, in one room."""

    def __init__(self, address: str, cookies: list[str], think: float) -> None:
        self.address, self.cookies, self.think = address, cookies, think
        self.players: list[Player] = []
        self.room = ""

    async def ask(self, method: str, path: str, body: Any, cookie: str = "") -> Any:
        """However often it takes."""
        while True:
            try:
                async with asyncio.timeout(10):
                    asking = await Requests.open(self.address)
                    try:
                        status, found = await asking.ask(method, path, body, cookie)
                    finally:
                        asking.transport.abort()
                if status < 300:
                    return found
                if status not in (429, 500, 502, 503, 504):
                    raise AssertionError((path, status, found))
            except (OSError, TimeoutError, ValueError):
                pass
            await asyncio.sleep(0.3)

    async def play(self) -> None:
        bot = random.random() < 0.1
        terms: Json = {"game": random.choice(["madness", "madness", "duel"]), "clock": {"minutes": 10}}
        terms |= {"opponent": "bot", "bot": "level:1"} if bot else {"opponent": "open"}
        self.room = (await self.ask("POST", "/api/rooms", terms, self.cookies[0]))["room"]
        if not bot:
            await self.ask("POST", f"/api/rooms/{self.room}/join", {}, self.cookies[1])
        self.players = [
            Player(self.address, self.room, party, self.cookies[party], self.think)
            for party in range(1 if bot else 2)
        ]
        await asyncio.gather(*(player.play() for player in self.players))

    @property
    def going_on(self) -> bool:
        return bool(self.players) and not all(player.over.is_set() for player in self.players)


async def cookie_for(address: str, name: str) -> str:
    asking = await Requests.open(address)
    status, _ = await asking.ask("POST", "/api/guest", {"name": name})
    asking.transport.abort()
    assert status == 200, status
    return asking.cookie


# ---------------------------------------------------------------- what happens to it


@dataclass
class Event:
    kind: str
    at: float
    rooms: list[str]  # those that the process had


class Trial:
    """Games that go on while processes are killed and stopped."""

    def __init__(self, workers: Workers, postgres: Postgres, nginx: Nginx | None, think: float = 0.7) -> None:
        self.workers, self.postgres, self.nginx, self.think = workers, postgres, nginx, think
        self.address = nginx.address if nginx else workers.address
        self.engine = sa.create_engine(postgres.url, pool_pre_ping=True)
        self.games: list[Game] = []
        self.events: list[Event] = []
        self.ending = False
        self.stopped: set[int] = set()  # the processes that stand just now

    async def greet(self) -> None:
        """Before anything happens."""
        self.cookies = [await cookie_for(self.address, f"Guest {k}") for k in range(20)]

    async def tables(self, number: int) -> None:
        """So many games at any time, until it is enough."""
        await asyncio.gather(*(self.table() for _ in range(number)))

    async def table(self) -> None:
        while not self.ending:
            game = Game(self.address, random.sample(self.cookies, 2), self.think)
            self.games.append(game)
            await game.play()

    def rooms_of(self, address: str) -> list[str]:
        """Rooms in which people play, and which that process has."""
        query = sa.text(
            "SELECT rooms.id FROM rooms JOIN halls ON halls.id = owner WHERE address = :address AND until > 0"
        )
        try:
            with self.engine.connect() as connection:
                theirs = {row[0] for row in connection.execute(query, {"address": address})}
        except sa.exc.SQLAlchemyError:
            return []
        return [game.room for game in self.games if game.room in theirs and game.going_on]

    async def _victim(self) -> tuple[int, str]:
        """Any of them that does not stand, as soon as there is another one that could take its rooms."""
        while True:
            pids, living = self.workers.pids(), await asyncio.to_thread(self.living)
            standing = {k for k in range(len(pids)) if pids[k] in self.stopped}
            k = random.choice([k for k in range(len(pids)) if k not in standing] or [0])
            others = {self.workers.inner[i] for i in range(len(pids)) if i != k and i not in standing}
            if others & living:
                return pids[k], self.workers.inner[k]
            await asyncio.sleep(0.3)

    def living(self) -> set[str]:
        """The processes that the others think alive."""
        query = sa.text(
            "SELECT address FROM halls WHERE until > extract(epoch from clock_timestamp()) * 1000 + 1000"
        )
        try:
            with self.engine.connect() as connection:
                return {row[0] for row in connection.execute(query)}
        except sa.exc.SQLAlchemyError:
            return set()

    async def kill(self) -> None:
        pid, address = await self._victim()
        rooms = await asyncio.to_thread(self.rooms_of, address)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            self.events.append(Event("kill", time.monotonic(), rooms))

    async def stall(self, seconds: float) -> None:
        pid, address = await self._victim()
        rooms = await asyncio.to_thread(self.rooms_of, address)
        try:
            os.kill(pid, signal.SIGSTOP)
            self.stopped.add(pid)
            self.events.append(Event("stall", time.monotonic(), rooms))
            await asyncio.sleep(seconds)
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass
        finally:
            self.stopped.discard(pid)

    async def restart_postgres(self) -> None:
        self.events.append(Event("postgres", time.monotonic(), []))
        await asyncio.to_thread(self.postgres.stop, random.choice(["fast", "immediate"]))
        await asyncio.sleep(random.uniform(0.0, 2.0))
        await asyncio.to_thread(self.postgres.start)

    async def restart_nginx(self) -> None:
        if self.nginx:
            self.events.append(Event("nginx", time.monotonic(), []))
            await asyncio.to_thread(self.nginx.stop)
            await asyncio.to_thread(self.nginx.start)

    # ------------------------------------------------------------ afterwards

    def back_after(self) -> list[tuple[Event, str, float]]:
        """For each room of a process that something happened to: the seconds until somebody was in again.
        Where something happened to the next process, too, that is what counts."""
        players = {game.room: game.players for game in self.games}
        found = []
        for event in self.events:
            for room in event.rooms:
                welcomes = [w for player in players[room] for w in player.seen.welcomes]
                later = [at - event.at for began, at in welcomes if began > event.at]
                if later and not self.hit_again(room, event, event.at + min(later)):
                    found.append((event, room, min(later)))
        return found

    def hit_again(self, room: str, event: Event, until: float) -> bool:
        return any(event.at < one.at < until and room in one.rooms for one in self.events)

    def fell(self, paid: Paid) -> bool:
        """Whether something happened to the room's owner while that move was not acknowledged."""
        began = paid.at - paid.waited - 1.0
        return any(began < one.at < paid.at and paid.room in one.rooms for one in self.events)

    def meanwhile(self, event: Event, wait: float) -> list[tuple[str, float]]:
        return [(e.kind, round(e.at - event.at, 1)) for e in self.events if -15 < e.at - event.at < wait]

    def told(self, paid: Paid) -> Json:
        """A charge, and what happened in the half minute before it was known."""
        before = [(e.kind, round(e.at - paid.at, 1)) for e in self.events if paid.at - 30 < e.at < paid.at]
        numbers = {name: round(getattr(paid, name), 2) for name in ("charged", "thought", "waited")}
        return {**numbers, "room": paid.room, "id": paid.id, "before": before}

    def report(self) -> Json:
        self.engine.dispose()
        players = [player for game in self.games for player in game.players]
        back = self.back_after()
        starts = sorted(event.at for event in self.events)
        alone = [wait for event, _, wait in back if not any(event.at < at < event.at + wait for at in starts)]
        slow = sorted(back, key=lambda it: -it[2])[:5]
        every = [paid for player in players for paid in player.seen.paid]
        every.sort(key=lambda paid: paid.thought - paid.charged)
        over = [paid.charged - paid.thought for paid in every]
        fallen = [paid.charged - paid.thought for paid in every if self.fell(paid)]
        again: Counter[str] = sum((player.seen.again for player in players), Counter())
        lost = lost_and_found(self.postgres.url, self.games)
        return {
            "events": Counter(event.kind for event in self.events),
            "games": len(self.games),
            "acknowledged": sum(len(player.seen.acknowledged) for player in players),
            "stuck": sum(game.going_on or not game.players for game in self.games),
            **lost,
            "faults": [fault for player in players for fault in player.seen.faults][:10],
            "connected_again": dict(again),
            "take_over_seconds": spread([wait for *_, wait in back]),
            "take_over_alone_seconds": spread(alone),
            "charged_beyond_thinking_seconds": spread(over),
            "charged_where_the_owner_fell_seconds": spread(fallen),
            "worst": [self.told(paid) for paid in every[:5]],
            "slowest": [
                (event.kind, room, round(wait, 1), self.meanwhile(event, wait)) for event, room, wait in slow
            ],
            "stuck_players": [player.told() for player in players if not player.over.is_set()],
        }


def spread(waits: list[float]) -> Json:
    ordered = sorted(waits)
    if not ordered:
        return {"n": 0}
    at = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    return {"n": len(ordered)} | {
        name: round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)
        for name, share in at.items()
    }


def lost_and_found(url: str, games: list[Game]) -> Json:
    """What the store has against what the clients were told."""
    store, known = Store(url), Games()
    found: Counter[str] = Counter({"lost": 0, "twice": 0, "strange": 0, "disordered": 0, "illegal": 0})
    try:
        for game in games:
            if not game.players:
                continue
            kept = store.inputs_of(game.room)  # ValueError where one is missing
            found["illegal"] += replayed(kept, known).phase != "over"
            moves = [one for one in kept if isinstance(one, inputs.Move)]
            for player in game.players:
                ids = [one.id for one in moves if one.by == player.party]
                told = player.seen.acknowledged
                found["lost"] += len(set(told) - set(ids))
                found["twice"] += len(ids) - len(set(ids))
                found["strange"] += sum(
                    player.seen.sent.get(one.id) != one.move for one in moves if one.by == player.party
                )
                found["disordered"] += [id for id in ids if id in set(told)] != told
    finally:
        store.close()
    return dict(found)


def replayed(kept: list[inputs.AnyInput], games: Games) -> Room:
    made = kept[0]
    assert isinstance(made, inputs.Make)
    room = Room(made, games)
    for given in kept[1:]:
        room.apply(given)
    return room


@contextmanager
def running(workers: int, nginx: bool, think: float = 0.7) -> Iterator[Trial]:
    with tempfile.TemporaryDirectory() as given, Postgres() as postgres:
        folder = Path(given)
        with Workers(postgres.url, workers, folder) as table:
            if nginx:
                with Nginx(folder, table.inner) as proxy:
                    yield Trial(table, postgres, proxy, think)
            else:
                yield Trial(table, postgres, None, think)
