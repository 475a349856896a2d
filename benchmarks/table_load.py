"""How many durable moves a second the table takes, and how quickly it answers. On loopback.

    python benchmarks/table_load.py --echo            # against a bare durable echo, in one run: the ratio
    python benchmarks/table_load.py [--games 500] [--rounds 3] [--game madness] [--want legal]
    python benchmarks/table_load.py --pace 1 --seconds 30
    python benchmarks/table_load.py --making          # what making a game takes, by its parts
    python benchmarks/table_load.py --idle 10000      # what games take in which nobody moves

As fast as the clients can: so many games are made ready, then all are played to the end at once, and
the time from the first move to the last is taken; some rounds of this. Both seats of a game are
connected, and each message is answered before the next one of that game. With `--echo` the same clients
send the echo as many messages in each match as the table had moves in that game, in rounds that
alternate with those of the table, for legal moves only and for all that a player's screen needs.

With a pace, games go on at so many moves a second each, and another follows each that ends. `--db URL` or
`--postgres` takes another store than SQLite in a fresh file. The clients run on the same machine, and make
any legal move.
"""

import argparse
import asyncio
import json
import resource
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from table.kit_load import Game, Makers, Waits, in_turns
from table.kit_raw import Process, Requests, Socket, percentile, wide_limits

WHOLE = "view,legal,events"
ECHO = str(Path(__file__).with_name("echo_server.py"))
SPARE = 300  # descriptors that a server needs besides its clients'
Json = dict[str, Any]


class Echoed(msgspec.Struct):
    n: int
    seat: int


reading_echo = msgspec.json.Decoder(Echoed)


class Match:
    """The same two clients at the echo, for a given number of messages."""

    def __init__(self, name: str, messages: int, waits: Waits) -> None:
        self.name, self.left, self.waits = name, messages, waits
        self.sent, self.heard = 0.0, 0
        self.over = asyncio.Event()

    async def connect(self, host: str) -> None:
        self.sockets = [
            await Socket.open(host, f"/match/{self.name}/{seat}", "", self.hearer(seat)) for seat in range(2)
        ]

    def hearer(self, seat: int) -> Callable[[bytes], None]:
        def hear(body: bytes) -> None:
            message = reading_echo.decode(body)
            self.heard += 1
            if message.seat == seat:
                self.waits.found.append(time.perf_counter() - self.sent)
            if self.heard == 2:
                self.go_on(1 - message.seat)

        return hear

    async def play(self) -> None:
        self.go_on(0)
        await self.over.wait()

    def go_on(self, seat: int) -> None:
        self.heard = 0
        if self.left:
            self.say(seat)
        else:
            self.end()

    def say(self, seat: int) -> None:
        self.left -= 1
        self.sent = time.perf_counter()
        self.sockets[seat].say(b'{"a":"%s"}' % secrets.token_hex(6).encode())

    def end(self) -> None:
        self.over.set()
        asyncio.get_running_loop().call_later(0.1, self.leave)

    def leave(self) -> None:
        for socket in self.sockets:
            socket.transport.close()


class Load:
    def __init__(self, server: Process, wanted: argparse.Namespace) -> None:
        self.server, self.wanted = server, wanted
        self.makers = Makers(server.host, wanted.game)
        self.waits = Waits()

    async def open(self) -> None:
        """Until the rules are compiled, which is no part of this."""
        await self.makers.open()
        connection = await Requests.open(self.server.host)
        while (await connection.ask("GET", "/healthz"))[1]["preparing"]:
            await asyncio.sleep(0.2)
        connection.transport.close()

    async def fast(self, count: int, want: str) -> tuple[Json, list[int]]:
        """All games from the first move to the end; and how long each was."""
        games = await self.makers.all_seated(count, want, self.waits)
        found = await measure(self.server, games, self.waits)
        await asyncio.sleep(0.3)
        return found, [game.moves for game in games]

    async def steady(self) -> None:
        """Each game at its pace, followed by another one, for some time."""
        first = await self.makers.all_seated(
            self.wanted.games[0], self.wanted.want, self.waits, self.wanted.pace
        )
        games = [asyncio.create_task(self.in_a_row(game)) for game in first]
        await asyncio.sleep(2 / self.wanted.pace)
        self.waits.found.clear()
        before, start = self.server.work(), time.perf_counter()
        done, _ = await asyncio.wait(games, timeout=self.wanted.seconds, return_when=asyncio.FIRST_EXCEPTION)
        tell(report(self.server, self.waits, time.perf_counter() - start, self.server.work() - before))
        for task in done:
            task.result()
        for task in games:
            task.cancel()
        await asyncio.gather(*games, return_exceptions=True)

    async def in_a_row(self, game: Game) -> None:
        await self.makers.on_and_on(game, await self.makers.guests(), self.wanted.want)

    async def making(self) -> None:
        """By parts: each is done for all games before the next."""
        count, makers = self.wanted.games[0], self.makers
        parts: dict[str, int] = {}

        async def part(name: str, work: list[Any]) -> list[Any]:
            before = self.server.work()
            found = await in_turns(work)
            parts[name] = round(1e6 * (self.server.work() - before) / count)
            return found

        guests = await part("two_guests", [makers.guests() for _ in range(count)])
        made = await part("room", [makers.room(pair) for pair in guests])
        await part("join", [makers.join(*one) for one in zip(made, guests, strict=True)])
        games = [Game(one["socket"], self.waits) for one in made]
        sitting = [makers.sit(game, pair, WHOLE) for game, pair in zip(games, guests, strict=True)]
        await part("two_sockets", sitting)
        await part("two_ready", [seat.ready() for game in games for seat in game.seats])
        game = sum(took for name, took in parts.items() if name != "two_guests")
        tell({"games": count, "server_us_per_game_made": game, **parts})

    async def run(self) -> None:
        await self.open()
        if self.wanted.making:
            return await self.making()
        if self.wanted.pace:
            return await self.steady()
        for _ in range(self.wanted.rounds):
            for count in self.wanted.games:
                tell({"games": count, **(await self.fast(count, self.wanted.want))[0]})


async def measure(server: Process, games: list[Any], waits: Waits) -> Json:
    """From the first message to the last answer. This process never sleeps meanwhile, so that the server
    does not pay for waking it, as it would not pay for machines elsewhere."""
    awake = asyncio.create_task(keep_awake())
    waits.found.clear()
    before, start = server.work(), time.perf_counter()
    await asyncio.gather(*(game.play() for game in games))
    passed, worked = time.perf_counter() - start, server.work() - before
    awake.cancel()
    return report(server, waits, passed, worked)


async def keep_awake() -> None:
    while True:
        await asyncio.sleep(0)


def report(server: Process, waits: Waits, passed: float, worked: float) -> Json:
    moves = len(waits.found)
    found: Json = {"moves": moves, "moves_per_s": round(moves / passed)}
    found |= {f"p{share}_ms": round(percentile(waits.found, share), 1) for share in (50, 99)}
    return found | {
        "server_us_per_move": round(1e6 * worked / max(1, moves)),
        "server_share_of_a_core": round(worked / passed, 2),
        "server_MB": round(server.memory()),
    }


def tell(found: Json) -> None:
    print(json.dumps(found), flush=True)


# ---------------------------------------------------------------- the ratio


async def compare(table: Process, echo: Process, wanted: argparse.Namespace, count: int) -> None:
    """Rounds of the table and of the echo, one after the other, with as many messages in each game."""
    load, waits = Load(table, wanted), Waits()
    await load.open()
    kinds = {"legal": "legal", "whole": WHOLE}
    await load.fast(20, WHOLE)  # nobody's first time counts
    ratios: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
    for round in range(wanted.rounds):
        for kind, want in kinds.items():
            found, lengths = await load.fast(count, want)
            matches = [Match(f"{round}-{kind}-{n}", length, waits) for n, length in enumerate(lengths)]
            for match in matches:
                await match.connect(echo.host)
            echoed = await measure(echo, matches, waits)
            await asyncio.sleep(0.3)
            ratios[kind].append(
                (quotient(found, echoed, "moves_per_s"), quotient(echoed, found, "server_us_per_move"))
            )
            tell({"games": count, "server": f"table, {kind}", **found})
            tell({"games": count, "server": "echo", **echoed})
    for kind, seen in ratios.items():
        speed, work = zip(*seen, strict=True)
        tell({
            "games": count, "told": kind, "table_to_echo": shortly(statistics.median(speed)),
            "rounds": [shortly(one) for one in speed],
            "by_work_of_the_servers": shortly(statistics.median(work)),
        })  # fmt: skip


def quotient(over: Json, under: Json, name: str) -> float:
    return float(over[name]) / float(under[name])


def shortly(number: float) -> float:
    return round(number, 2)


def compare_all(wanted: argparse.Namespace, folder: str, url: str | None) -> None:
    for count in wanted.games:
        database = url or f"sqlite:///{folder}/table-{count}.sqlite3"
        with (
            Process(database, *wide_limits()) as table,
            Process("", command=[ECHO, f"{folder}/echo-{count}.sqlite3"]) as echo,
        ):
            uvloop.run(compare(table, echo, wanted, count))


# ---------------------------------------------------------------- games in which nobody moves


def idle(server: Process, wanted: argparse.Namespace) -> None:
    """Clients in processes of their own, for a process has only so many descriptors."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1] - SPARE
    games = min(wanted.idle, most // 2)
    if games < wanted.idle:
        tell({"descriptors": most, "so_games": games})
    uvloop.run(Load(server, wanted).open())
    uvloop.run(sit_idle(server.host, 1, 250, wanted.game, wait=False))
    before, worked, start = server.memory(), server.work(), time.perf_counter()
    shares = [games // 2, games - games // 2]
    own = [sys.executable, __file__, "--game", wanted.game, "--sit"]
    clients = [
        subprocess.Popen(
            [*own, server.host, str(share), str(n + 2)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n, share in enumerate(shares)
    ]
    for client in clients:
        assert client.stdout is not None
        client.stdout.readline()
    made, took = server.work() - worked, time.perf_counter() - start
    time.sleep(5)
    grown, worked = server.memory() - before, server.work()
    time.sleep(wanted.seconds)
    share = (server.work() - worked) / wanted.seconds
    tell({
        "games": games, "sockets": 2 * games, "server_MB": round(server.memory()),
        "kB_per_game": round(1000 * grown / games), "server_share_of_a_core": round(share, 3),
        "server_us_per_game_made": round(1e6 * made / games), "seconds_to_make_all": round(took),
    })  # fmt: skip
    for client in clients:
        client.communicate("")


async def sit_idle(host: str, count: int, address: int, game: str, wait: bool = True) -> None:
    makers = Makers(host, game, f"127.0.0.{address}")
    await makers.open()
    games = await makers.all_seated(count, WHOLE, Waits())
    if wait:
        print("all are there", flush=True)
        await asyncio.to_thread(sys.stdin.read)
    for one in games:
        one.leave()


# ---------------------------------------------------------------- stores


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--echo", action="store_true")
    parser.add_argument("--games", type=int, nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=0)
    parser.add_argument("--game", default="madness")
    parser.add_argument("--want", default=WHOLE)
    parser.add_argument("--making", action="store_true")
    parser.add_argument("--idle", type=int, metavar="GAMES")
    parser.add_argument("--db")
    parser.add_argument("--postgres", action="store_true", help="a cluster of its own, as user postgres")
    parser.add_argument("--sit", nargs=3, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    if wanted.sit:
        host, count, address = wanted.sit
        return uvloop.run(sit_idle(host, int(count), int(address), wanted.game))
    wanted.games = wanted.games or ([200, 500] if wanted.echo else [500])
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        url = stack.enter_context(postgres()) if wanted.postgres else wanted.db
        if wanted.echo:
            return compare_all(wanted, folder, url)
        server = stack.enter_context(Process(url or f"sqlite:///{folder}/table.sqlite3", *wide_limits()))
        if wanted.idle:
            return idle(server, wanted)
        uvloop.run(Load(server, wanted).run())


if __name__ == "__main__":
    main()
