"""A million hostile messages and requests, and other guests who play meanwhile.

    python tools/table_hostile.py [--messages 1000000] [--rate 1500] [--seed 1] [--db URL]

Attackers of several kinds, each with many addresses of their own on loopback, talk to a server with the
usual limits: within what it lets in, and above it. They send malformed, cut, mixed, replayed, reordered
and far too many messages; requests of any kind, card sets among them; bytes that are neither. Meanwhile
guests in another process play and ask whether the server is there. Every tenth of the way: what was
sent by kind, what was answered, the server's memory, how long the others waited. In the end no answer
may be the server's fault (5xx, 1011, an error in its log), it must be alive, and games that nobody was
allowed to touch must be as they were. All dice are thrown from the seed.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from table.kit_load import Game, Makers, Waits
from table.kit_raw import CLOSE, PING, PONG, TEXT, Process, Requests, Socket, frame, percentile, upgrade

UNTOUCHED = 12  # games that are left in the middle
ADDRESSES = 60  # of each kind of attacker
PATIENCE = 20.0  # seconds for an answer
Json = dict[str, Any]

ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    2**70,
    1.5,
    "",
    "pass",
    "\0",
    "é" * 40,
    "x" * 300,
    [],
    {},
    [[[]]],
    {"1": -9},
    "\ud800",
    "0" * 64,
    "../..",
    "<script>",
    "' OR 1=1 --",
    "\u202e",
    "level:7",
    ["view"] * 50,
    10**400,
]
REQUEST = ("id", "party")
FIELDS = {
    "hello": ("version", "seen", "want", "lang"),
    "ready": (*REQUEST, "nonce"),
    "seal": (*REQUEST, "seal"),
    "move": (*REQUEST, "move"),
    "undo": REQUEST,
    "offer": (*REQUEST, "what"),
    "answer": (*REQUEST, "what", "yes"),
    "resign": REQUEST,
    "close": REQUEST,
    "why": (*REQUEST, "move"),
    "ping": ("id",),
    "castle": REQUEST,
    "update": ("id", "seen"),
}
MOVES = ("pass", "draw", "hold", "a1 7S", "b2 KD", "play ember", "tut")
RIGHT: Json = {
    "id": "again",
    "party": None,
    "nonce": "0" * 32,
    "seal": "0" * 64,
    "move": "draw",
    "what": "draw",
    "yes": True,
    "version": 1,
    "seen": {"1": 3},
    "want": ["view", "legal", "story"],
    "lang": "ru",
}
PATHS = (
    "/",
    "/api/me",
    "/api/guest",
    "/api/tokens",
    "/api/rooms",
    "/api/games",
    "/api/waiting",
    "/api/mine",
    "/healthz",
    "/metrics",
    "/api/decks",
    "/api/decks/check",
    "/api/decks/hand",
    "/api/cards",
    "/api/rooms/{room}",
    "/api/rooms/{room}/join",
    "/api/rooms/{room}/hint",
    "/api/rooms/{room}/record",
    "/api/rooms/{room}/replay",
    "/api/rooms/{room}/cards",
    "/api/rules/{odd}",
    "/api/lessons/{odd}",
    "/api/{odd}",
    "/{odd}",
    "/room/{room}",
    "/openapi.json",
    "/api/rooms/{room}/replay?viewer={odd}&lang={odd}",
    "/api/rooms/{room}/socket",
)


class Found:
    """What was sent and what came of it."""

    def __init__(self) -> None:
        self.sent: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.faults: list[str] = []

    def answer(self, status: int, about: bytes) -> None:
        """That /healthz calls the server unwell is no fault of the answer; how long others wait is told."""
        if status == 503 and b" /healthz " in about:
            self.answers["unwell"] += 1
            return
        self.answers[str(status)] += 1
        if status >= 500:
            self.faults.append(f"{status} to {about[:200]!r}")

    def heard(self, body: bytes) -> None:
        """Of a socket. Types and codes are told by the beginning."""
        if body.startswith(b'{"type":"error"'):
            with suppress(ValueError):
                self.answers[json.loads(body)["code"]] += 1
        else:
            self.answers[body[9 : body.find(b'"', 9)].decode(errors="replace")] += 1

    def closed(self, code: int) -> None:
        self.answers[f"closed {code}"] += 1
        if code == 1011:
            self.faults.append("a socket was closed with 1011")

    @property
    def total(self) -> int:
        return self.sent.total()


# ---------------------------------------------------------------- what is said


def odd_json(dice: Random) -> Any:
    """Of any shape."""
    if dice.random() < 0.7:
        return dice.choice(ODD)
    if dice.random() < 0.5:
        return [odd_json(dice) for _ in range(dice.randrange(4))]
    return {dice.choice([*RIGHT, "", "x"]): odd_json(dice) for _ in range(dice.randrange(4))}


def written(value: Any, dice: Random) -> bytes:
    return json.dumps(value, ensure_ascii=dice.random() < 0.7).encode(errors="surrogatepass")


def damaged(text: bytes, dice: Random) -> bytes:
    """Cut, with other bytes in it, doubled or nested."""
    at = dice.randrange(len(text) + 1)
    match dice.randrange(6):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + dice.randbytes(dice.randrange(1, 9)) + text[at:]
        case 2:
            return text + text[at:]
        case 3:
            return b"[" * dice.choice((1, 50, 2000)) + text
        case 4:
            return text[:at] + text[at:].replace(b'"', b"'", 1)
        case _:
            return text + b" " * dice.choice((1, 4000, 5000))


def message(dice: Random) -> bytes:
    """For a socket: right, nearly right, or nothing at all."""
    type = dice.choice(list(FIELDS))
    fields: Json = {"type": type}
    right = {
        **RIGHT,
        "id": f"{dice.randrange(10**6)}",
        "move": dice.choice(MOVES),
        "party": dice.choice((None, 0, 1)),
    }
    right["what"] = dice.choice(("draw", "undo", "rematch"))
    for key in FIELDS[type]:
        if dice.random() < 0.95:
            fields[key] = right[key] if dice.random() < 0.9 else odd_json(dice)
    text = written(fields, dice)
    return damaged(text, dice) if dice.random() < 0.2 else text


def card_set(dice: Random) -> str:
    """Most are refused; some are played with."""
    if dice.random() < 0.3:
        return legal_set(dice)
    effects = (
        "Attack 999",
        "draw 99 cards",
        "heal 0",
        "block all",
        "discard a card",
        "nonsense 7",
        "attack -1",
    )
    text = ", ".join(dice.choice(effects) for _ in range(dice.choice((1, 2, 4, 16, 90)))) + "."
    cards = "".join(
        f'[[card]]\nid = "{dice.choice(("c", "ember", "é", "x" * 300))}{n}"\n'
        f'name = {{ ru = "{n}", en = "{n}" }}\nrarity = "{dice.choice(("common", "rare", "odd"))}"\n'
        f'text = "{text}"\n'
        for n in range(dice.choice((1, 20, 40, 300)))
    )
    odd = (
        "",
        f"{'.'.join('a' * 9000)} = 1\n",
        f"x = {'[' * 20_000}\n",
        'a = """' + "\\\n" * 9000,
        "[a.b.c]\n" * 900,
    )
    return f'name = "{dice.choice(("core", "Ours", "Core ", "x" * 200))}"\n{dice.choice(odd)}{cards}'


def legal_set(dice: Random) -> str:
    """As dear as a set may be."""
    effects = ("Attack 999", "draw 99 cards", "heal 0", "block all", "discard 9 cards")
    text = ", ".join(dice.choice(effects) for _ in range(dice.randrange(1, 9))) + "."
    cards = (
        f'[[card]]\nid = "c{n}"\nname = {{ ru = "{n}", en = "{n}" }}\nrarity = "common"\ntext = "{text}"\n'
        for n in range(dice.choice((20, 40, 100)))
    )
    return f'name = "Ours {dice.randrange(10**6)}"\n' + "".join(cards)


def raw_bytes(dice: Random, host: str) -> bytes:
    """Neither a request nor a message, or nearly one."""
    head = f"POST /api/guest HTTP/1.1\r\nHost: {host}\r\n".encode()
    whole = dice.choice(
        (
            dice.randbytes(dice.randrange(1, 400)),
            b"\x16\x03\x01" + dice.randbytes(100),
            b"\r\n" * dice.randrange(99),
            head + b"Transfer-Encoding: CHUNKED\r\n\r\nffff\r\n" + b"x" * 9000,
            head + b"Content-Length: 5, 6\r\n\r\n{}",
            head + b"Content-Length: -1\r\n\r\n",
            head + b"Content-Length: 20\r\n\r\n{}",
            head + b"X: " + b"y" * 40_000,
            head.replace(b"HTTP/1.1", b"HTTP/1.0") + b"\r\n",
            head * 30,
            b"GET " * 500,
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            head + b"Origin: http://[\r\nContent-Length: 2\r\n\r\n{}",
            head + b"X-Y: z\r\n" * 200,
        )
    )
    return whole[: dice.randrange(len(whole) + 1)] if dice.random() < 0.3 else whole


def raw_frames(dice: Random) -> bytes:
    kinds = (0x01, 0x00, 0x80, TEXT, 0x82, 0x83, CLOSE, PING, PONG, 0xC1, 0x09, 0xFF)
    return b"".join(
        frame(dice.choice(kinds), dice.randbytes(dice.choice((0, 1, 2, 125, 126, 300))))
        for _ in range(dice.randrange(1, 6))
    ) + dice.choice((b"", dice.randbytes(9), bytes([TEXT, 0xFF]) + b"\x7f" * 12, bytes([TEXT, 2]) + b"{}"))


# ---------------------------------------------------------------- those who say it


class Attacker:
    """One of many of its kind, with an address of its own."""

    share = 0.0  # of all messages
    crowd = 10  # how many there are
    costs = 1  # what one blow counts

    def __init__(self, war: "War", number: int) -> None:
        self.war, self.found, self.host = war, war.found, war.server.host
        self.kind = type(self).__name__.lower()
        self.dice = Random(f"{war.seed} {self.kind} {number}")
        self.address = f"127.{war.KINDS.index(type(self)) + 1}.{number // 200}.{number % 200 + 1}"
        self.cookie = self.room = ""

    async def come(self) -> None:
        """A guest with a room of its own, as anybody may be."""
        requests = await Requests.open(self.host, self.address)
        await requests.ask("POST", "/api/guest", {"name": "Eve"})
        self.cookie = requests.cookie or self.cookie
        game = self.dice.choice(("madness", "duel"))
        _, made = await requests.ask("POST", "/api/rooms", {"game": game, "opponent": "self"}, self.cookie)
        self.room = made.get("room", self.room)  # there may be too many of them
        requests.transport.close()

    def any_room(self) -> str:
        """Own ones, others' that are not to be touched, and none."""
        return self.dice.choice([self.room, self.dice.choice(self.war.untouched), "nowhere", "x" * 60])

    async def socket(self, room: str, cookie: str | None = None) -> Socket | None:
        path = f"/api/rooms/{room}/socket"
        try:
            cookie = self.cookie if cookie is None else cookie
            made = await Socket.open(self.host, path, cookie, self.found.heard, source=self.address)
        except ConnectionRefusedError as refused:
            self.found.answer(int(str(refused)[9:12] or 0), path.encode())
            return None
        made.lost.add_done_callback(lambda lost: self.found.closed(lost.result()))
        return made

    async def blow(self) -> int:
        """How many messages or requests it was."""
        raise NotImplementedError

    async def fight(self) -> None:
        """At the pace of its kind, until all that it has to send is sent."""
        rate = self.war.rate * self.share / self.crowd
        due = time.perf_counter() + self.dice.random() / rate
        while self.war.goes_on(self):
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(min(wait, 5.0))
                continue
            sent = 1
            try:
                sent = await asyncio.wait_for(self.blow(), PATIENCE)
            except TimeoutError:
                self.found.answers["no answer"] += 1
            except (OSError, EOFError):
                self.found.answers["cut off"] += 1
            self.found.sent[self.kind] += sent
            due += max(1, sent) / rate


class Talkers(Attacker):
    """Within the rate of a socket, on and on: nonsense of every kind."""

    share, crowd = 0.44, ADDRESSES
    line: Socket | None = None

    async def blow(self) -> int:
        if self.line and self.dice.random() < 0.004:
            self.line.transport.abort()
            await self.come()  # the old room is over, most likely
        if self.line is None or self.line.lost.done():
            self.line = await self.socket(
                self.any_room(), self.dice.choice([self.cookie, "", "coyote_guest=x.y"])
            )
            if self.line is None:
                return 1
            self.line.say_json(type="hello", version=1, want=["view", "legal", "story"])
        self.line.say(message(self.dice))
        return 1


class Flooders(Attacker):
    """As much as possible at once, until they are sent away; some read nothing."""

    share, crowd = 0.22, ADDRESSES

    async def blow(self) -> int:
        line = await self.socket(self.dice.choice([self.room, self.dice.choice(self.war.untouched)]))
        if line is None:
            return 1
        if self.dice.random() < 0.3:
            line.transport.pause_reading()
        count, kind = self.dice.randrange(100, 160), self.dice.randrange(4)
        small = (frame(PING, b"x"), frame(PONG, b""), frame(TEXT, b'{"type":"hello","version":1}'))
        for _ in range(count):
            line.transport.write(small[kind] if kind < 3 else frame(TEXT, message(self.dice)))
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(line.lost), self.dice.uniform(0.1, 2))
        line.transport.abort()
        return count


class Replayers(Attacker):
    """All that was said in honest games, in any order, by those who did not say it."""

    share, crowd = 0.16, ADDRESSES
    line: Socket | None = None

    async def blow(self) -> int:
        if self.line is None or self.line.lost.done():
            room = self.dice.choice([*self.war.untouched, self.room])
            self.line = await self.socket(room)
            if self.line is None:
                return 1
            self.line.say_json(type="hello", version=1)
        self.line.say(self.dice.choice(self.war.said))
        return 1


class Askers(Attacker):
    """Requests with odd paths, bodies and headers, some ahead of their answers."""

    share, crowd = 0.12, ADDRESSES
    requests: Requests | None = None

    def request(self) -> bytes:
        assert self.requests is not None
        dice = self.dice
        path = dice.choice(PATHS).replace("{room}", self.any_room())
        while "{odd}" in path:
            path = path.replace("{odd}", dice.choice(("", "x", "%00", "..", "%ff", "madness", "a" * 200)), 1)
        method = dice.choice(("GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"))
        body: bytes | None = written(odd_json(dice), dice)
        if dice.random() < (0.8 if method == "GET" else 0.2):
            body = None
        elif dice.random() < 0.4:
            terms = {"game": "duel", "opponent": "self", "name": "Eve", "cards": ["ember"] * 9}
            body = damaged(
                written({**terms, dice.choice([*terms, "clock", "set"]): odd_json(dice)}, dice), dice
            )
        more = dice.choice(
            (
                (),
                (),
                (),
                ("Origin: http://evil.example",),
                ("Accept-Language: ru",),
                ("Authorization: Bearer x",),
            )
        )
        return self.requests.written(
            method, path, body, dice.choice((self.cookie, "", "coyote_guest=x")), *more
        )

    async def blow(self) -> int:
        if self.requests is None or self.requests.lost.done():
            self.requests = await Requests.open(self.host, self.address)
        asked = [self.request() for _ in range(self.dice.choice((1,) * 12 + (4, 12)))]
        answers = [self.requests.send(one) for one in asked]
        for one, answer in zip(asked, answers, strict=True):
            try:
                status, _, _ = await answer
            except ConnectionResetError:
                self.found.answers["cut off"] += 1
            else:
                self.found.answer(status, one)
        return len(asked)


class Setters(Attacker):
    """Rooms with card sets."""

    share, crowd = 0.002, 20

    async def blow(self) -> int:
        requests = await Requests.open(self.host, self.address)
        body = {
            "game": "duel",
            "opponent": "self",
            "set": card_set(self.dice),
            "deck": "random",
            "their_deck": "random",
        }
        status, _, answer = await requests.send(requests.written("POST", "/api/rooms", body, self.cookie))
        self.found.answer(status, b"a set")
        if status == 201:
            line = await self.socket(json.loads(answer)["room"])
            if line:
                line.say_json(type="hello", version=1)
                line.say_json(type="ready", id="r", nonce="0" * 32)
                for party in (0, 1):
                    line.say_json(type="move", id=f"m{party}", party=party, move="hold")
                await asyncio.sleep(0.2)
                line.transport.abort()
        requests.transport.close()
        return 1


class Breakers(Attacker):
    """Bytes that are no request, or no frames."""

    share, crowd = 0.058, ADDRESSES

    async def blow(self) -> int:
        name, _, port = self.host.partition(":")
        reader, writer = await asyncio.open_connection(name, int(port), local_addr=(self.address, 0))
        try:
            if frames := self.dice.random() < 0.5:
                writer.write(upgrade(self.host, f"/api/rooms/{self.room}/socket", self.cookie))
                head = await reader.readuntil(b"\r\n\r\n")
                self.found.answer(int(head[9:12]), b"an upgrade")
                writer.write(raw_frames(self.dice))
            else:
                writer.write(raw_bytes(self.dice, self.host))
            answer = b""
            with suppress(TimeoutError):
                answer = await asyncio.wait_for(reader.read(65536), 0.5)
            if not frames and answer.startswith(b"HTTP/1."):
                self.found.answer(int(answer[9:12]), b"raw bytes")
        finally:
            writer.transport.abort()
        return 1


# ---------------------------------------------------------------- the whole


class War:
    KINDS: tuple[type[Attacker], ...] = (Talkers, Flooders, Replayers, Askers, Setters, Breakers)

    def __init__(self, server: Process, wanted: argparse.Namespace, tell: Callable[[Json], None]) -> None:
        self.server, self.seed, self.tell = server, wanted.seed, tell
        self.messages, self.rate = wanted.messages, wanted.rate
        self.crowds = wanted.crowds
        self.found = Found()
        self.untouched: list[str] = []
        self.said: list[bytes] = []

    def goes_on(self, one: Attacker) -> bool:
        return self.server.alive and self.found.sent[one.kind] < one.share * self.messages

    async def honest_games(self) -> list[Game]:
        """Games in the middle, whose players have gone."""
        return list(await asyncio.gather(*map(self.honest_game, range(UNTOUCHED))))

    async def honest_game(self, n: int) -> Game:
        makers = Makers(self.server.host, "duel" if n % 3 == 0 else "madness", f"127.0.9.{n + 1}")
        await makers.open(1)
        game = (await makers.all_seated(1, "view,legal,events", Waits(), pace=12))[0]
        playing = asyncio.create_task(game.play())
        await asyncio.sleep(0.8)
        playing.cancel()
        return game

    async def looks(self) -> list[Any]:
        """What anybody may know of them."""
        requests = await Requests.open(self.server.host, "127.0.8.1")
        seen = []
        for room in self.untouched:
            _, one = await requests.ask("GET", f"/api/rooms/{room}")
            seen.append(one["update"])
            await asyncio.sleep(0.1)
        requests.transport.close()
        return seen

    async def run(self) -> Json:
        games = await self.honest_games()
        self.untouched = [game.path.split("/")[3] for game in games]
        self.said = [text for game in games for text in game.said]
        for game in games:
            game.leave()
        await asyncio.sleep(0.5)
        before, start = await self.looks(), time.perf_counter()
        fighters = [kind(self, n) for kind in self.KINDS for n in range(min(kind.crowd, self.crowds))]
        for kind in self.KINDS:
            kind.crowd = min(kind.crowd, self.crowds)
        for fighter in fighters:
            await fighter.come()
        tasks = [asyncio.create_task(fighter.fight()) for fighter in fighters]
        reports = asyncio.create_task(self.report())
        for done in asyncio.as_completed(tasks):
            await done
        reports.cancel()
        await asyncio.sleep(1)
        changed = [
            room
            for room, old, new in zip(self.untouched, before, await self.looks(), strict=True)
            if old != new
        ]
        return {
            "messages": self.found.total,
            "seconds": round(time.perf_counter() - start),
            "by_kind": dict(self.found.sent),
            "answers": dict(self.found.answers.most_common()),
            "server_faults": len(self.found.faults),
            "first_faults": self.found.faults[:5],
            "untouched_games": len(before),
            "changed": changed,
            "alive": self.server.alive,
            "server_MB": round(self.server.memory()),
        }

    async def report(self) -> None:
        tenth = 1
        while True:
            await asyncio.sleep(0.2)
            if self.found.total * 10 >= tenth * self.messages:
                self.tell(
                    {
                        "tenths": tenth,
                        "messages": self.found.total,
                        "server_MB": round(self.server.memory()),
                        "descriptors": self.server.descriptors(),
                        "threads": self.server.threads(),
                        "server_faults": len(self.found.faults),
                    }
                )
                tenth = self.found.total * 10 // self.messages + 1


# ---------------------------------------------------------------- the others


async def witness(host: str) -> None:
    """Plays and asks, until it is told to stop; then says how long the answers took."""
    waits, pings = Waits(), Waits()
    makers = Makers(host, "madness", "127.0.7.1")
    await makers.open(2)
    cookies = await makers.guests()
    game = await makers.seated(cookies, "view,legal,events", waits, 5.0)
    playing = asyncio.create_task(makers.on_and_on(game, cookies, "view,legal,events"))
    made = await makers.room(cookies)
    sent: list[float] = []

    def hear(body: bytes) -> None:
        if body.startswith(b'{"type":"pong"'):
            pings.found.append(time.perf_counter() - sent.pop(0))

    socket = await Socket.open(host, made["socket"], cookies[0], hear, source="127.0.7.2")
    stop = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    print("there", flush=True)
    while not stop.done() and not playing.done() and not socket.lost.done():
        sent.append(time.perf_counter())
        socket.say(b'{"type":"ping","id":"x"}')
        await asyncio.sleep(0.07)
    found: Json = {"moves": len(waits.found), "pings": len(pings.found)}
    for name, seen in (("move", waits), ("ping", pings)):
        found |= {f"{name}_p{share}_ms": round(percentile(seen.found, share), 1) for share in (50, 99, 100)}
    if not stop.done():
        found["lost"] = str(playing.exception()) if playing.done() else "the socket"
    print(json.dumps(found), flush=True)


async def fight(server: Process, wanted: argparse.Namespace, tell: Callable[[Json], None]) -> Json:
    """A whole war with its witness. What was found, and `fine`."""
    command = [sys.executable, __file__, "--witness", server.host]
    pipe = asyncio.subprocess.PIPE
    other = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert other.stdout is not None
    await other.stdout.readline()
    before = server.memory()
    found = await War(server, wanted, tell).run()
    out, _ = await other.communicate(b"")
    found["others"] = json.loads(out)
    found["server_MB_before"] = round(before)
    found["errors_logged"] = sum('"level": "error"' in line for line in server.stop().splitlines())
    bad = found["server_faults"] or found["changed"] or not found["alive"] or found["errors_logged"]
    found["fine"] = not bad and "lost" not in found["others"]
    return found


def tell(found: Json) -> None:
    print(json.dumps(found, ensure_ascii=False), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--rate", type=float, default=1500, help="messages a second, of all together")
    parser.add_argument("--crowds", type=int, default=ADDRESSES, help="attackers of each kind at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db")
    parser.add_argument("--witness", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.witness:
        return uvloop.run(witness(wanted.witness))
    with (
        tempfile.TemporaryDirectory() as folder,
        Process(wanted.db or f"sqlite:///{folder}/t.sqlite3") as server,
    ):
        found = uvloop.run(fight(server, wanted, tell))
    tell(found)
    sys.exit(not found["fine"])


if __name__ == "__main__":
    main()
