"""A real server in a process of its own, and clients on real sockets."""

import itertools
import json
import os
import re
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

from websockets.sync.client import ClientConnection, connect

from coyote.table.limits import Limits
from kit import forks

Json = dict[str, Any]
TESTS = Path(__file__).parent.parent
PATIENCE = 300.0  # seconds after which a test is stuck: the rules may have to be compiled first
RATES = [one.name for one in fields(Limits) if one.name.endswith(("_per_second", "_per_minute"))]
RATES += ["open_rooms_per_guest"]
QUICK = [part for name in RATES for part in ("--limit", f"{name}=100000")]  # of messages first


def search_path() -> str:
    """What the tests import a server's process finds, too."""
    return os.pathsep.join(filter(None, (str(TESTS), os.environ.get("PYTHONPATH"))))


class Server:
    """`coyote table` on a free port."""

    module = "kit.brisk"

    def __init__(self, database: str, *options: str) -> None:
        self.database, self.options = database, options
        self.start()

    def start(self) -> None:
        arguments = ["table", "--port", "0", "--lang", "en"]
        arguments += ["--db", self.database, *(self.options or QUICK)]
        env = {**os.environ, "PYTHONWARNINGS": "", "PYTHONPATH": search_path()}
        self.process = forks.serve(self.module, arguments, env)
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        found = re.search(r"http://(\S+)/", line)
        assert found, self.stop()
        self.host = found[1]

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.kill()

    def kill(self) -> None:
        """As a power cut does."""
        self.process.kill()
        self._collect()

    def stop(self) -> str:
        """As a person does. What was logged."""
        self.process.terminate()
        return self._collect()

    def _collect(self) -> str:
        _, logged = self.process.communicate(timeout=PATIENCE)
        return logged.decode()

    def guest(self, name: str) -> "Guest":
        return Guest(self, name)


class Guest:
    """Somebody with a cookie."""

    address = ""  # where they are, if not where everybody is

    def __init__(self, server: Server, name: str, token: str = "") -> None:
        self.server, self.name, self.token = server, name, token
        self.cookie = ""
        if not token:
            self.ask("POST", "/api/guest", {"name": name})

    @property
    def headers(self) -> dict[str, str]:
        found = {"Cookie": self.cookie} if self.cookie else {}
        return found | ({"Authorization": f"Bearer {self.token}"} if self.token else {})

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        status, answer = self.try_to(method, path, body, **headers)
        assert status < 300, (status, answer)
        return answer

    def try_to(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.server.host}{path}", data, method=method)
        for name, value in {"Content-Type": "application/json", **self.headers, **headers}.items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                if given := response.headers.get("Set-Cookie"):
                    self.cookie = given.split(";")[0]
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def make(self, **terms: Any) -> Json:
        found: Json = self.ask("POST", "/api/rooms", terms)
        return found

    def join(self, made: Json, **wanted: Any) -> Json:
        invite = {"invite": made["invite"]} if made.get("invite") else {}
        found: Json = self.ask("POST", f"/api/rooms/{made['room']}/join", invite | wanted)
        return found

    def sit(self, room: str, **hello: Any) -> "Seat":
        return Seat(self, room, hello)


class Seat:
    """One connection; keeps what it was told, as a client does."""

    def __init__(self, guest: Guest, room: str, hello: Json) -> None:
        self.guest, self.room = guest, room
        self.numbers = itertools.count(1)
        self.updates: dict[int, Json] = {}
        self.events: dict[int, list[Json]] = {}
        self.presence: list[bool] = []
        self.around: Json = {}  # the same with all that was told of it
        self.emotes: list[Json] = []
        self.raw: list[str] = []
        self.said: list[str] = []
        self.open(hello)

    def open(self, hello: Json | None = None) -> None:
        address = f"ws://{self.guest.server.host}/api/rooms/{self.room}/socket"
        self.stack = ExitStack()
        source: Json = {"source_address": (self.guest.address, 0)} if self.guest.address else {}
        opened = connect(address, additional_headers=self.guest.headers, open_timeout=PATIENCE, **source)
        self.socket: ClientConnection = self.stack.enter_context(opened)
        self.send(type="hello", version=1, **(hello or {}))
        self.welcome = self.until(lambda message: message["type"] == "welcome")
        while any(viewer not in self.updates for viewer in self.welcome["parties"] or [-1]):
            self.receive()

    def reopen(self) -> None:
        self.close()
        seen = {str(viewer): update["n"] for viewer, update in self.updates.items()}
        self.open({"seen": seen})
        self.catch_up()

    def close(self) -> None:
        self.stack.close()

    def send(self, **message: Any) -> None:
        self.said.append(json.dumps(message))
        self.socket.send(self.said[-1])

    def receive(self) -> Json:
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.raw.append(text)
        message: Json = json.loads(text)
        if message["type"] == "update":
            viewer = message["viewer"]
            self.updates[viewer] = message
            known = self.events.setdefault(viewer, [])
            self.events[viewer] = known[: message["kept"]] + message.get("events", [])
        elif message["type"] == "presence":
            self.presence, self.around = message["here"], message
        elif message["type"] == "emote":
            self.emotes.append(message)
        return message

    def until(self, wanted: Callable[[Json], bool]) -> Json:
        while not wanted(message := self.receive()):
            pass
        return message

    def wait(self, wanted: Callable[[Json], bool], viewer: int | None = None) -> Json:
        """Until the newest update is as wanted."""
        viewer = self.viewer if viewer is None else viewer
        while not wanted(self.updates[viewer]):
            self.receive()
        return self.updates[viewer]

    def see(self, **wanted: Any) -> Json:
        """Until that is so of those who are around."""
        while not self.around or any(self.around[name] != value for name, value in wanted.items()):
            self.receive()
        return self.around

    @property
    def viewer(self) -> int:
        return min(self.updates)

    @property
    def state(self) -> Json:
        return self.updates[self.viewer]

    @property
    def seat(self) -> int:
        """Where this party sits."""
        return int(self.state["seats"].index(self.viewer))

    def request(self, type: str, id: str | None = None, **rest: Any) -> Json:
        """The answer: an update or `done` that names it, or `error`."""
        id = id or f"{type}-{next(self.numbers)}-{secrets.token_hex(4)}"
        self.send(type=type, id=id, **rest)
        return self.until(lambda message: message.get("id") == id or id in message.get("done", []))

    def do(self, type: str, **rest: Any) -> None:
        answer = self.request(type, **rest)
        assert answer["type"] in ("update", "done"), answer

    def refused(self, type: str, **rest: Any) -> str:
        answer = self.request(type, **rest)
        assert answer["type"] == "error", answer
        return str(answer["code"])

    def catch_up(self) -> None:
        """Replies come after the updates that were due before them."""
        id = f"ping-{next(self.numbers)}"
        self.send(type="ping", id=id)
        self.until(lambda message: message["type"] == "pong" and message["id"] == id)

    def ready(self) -> None:
        self.do("ready", nonce=secrets.token_hex(16))


def seat_two(server: Server, **terms: Any) -> tuple[Seat, Seat]:
    """Two people at a fresh deal."""
    anna, boris = server.guest("Anna"), server.guest("Boris")
    made = anna.make(**terms)
    boris.join(made)
    first, second = anna.sit(made["room"]), boris.sit(made["room"])
    for seat in (first, second):
        seat.ready()
    for seat in (first, second):
        seat.wait(lambda update: update["phase"] == "playing")
    return first, second


def play_on(seats: tuple[Seat, Seat], dice: Random, most: int = 10_000) -> int:
    """Random legal play to the end or for so many turns; the number of choices."""
    n = 0
    while n < most and seats[0].state["phase"] == "playing":
        movers = [seat for seat in seats if seat.seat in seat.state["actors"]]
        for seat in movers:
            seat.do("move", move=dice.choice(seat.state["legal"]))
            n += 1
        for seat in seats:
            seat.catch_up()
    return n


def well(guest: Guest) -> Json:
    """What /healthz says once all is well: a server that compiles may be late, and it remembers that."""
    end = time.monotonic() + PATIENCE
    while True:
        status, found = guest.try_to("GET", "/healthz")
        if status == 200:
            assert found["ok"] and not found["troubles"], found
            return dict(found)
        assert time.monotonic() < end, found
        time.sleep(0.2)


def sqlite_in(folder: Path) -> str:
    return f"sqlite:///{folder / 'table.sqlite3'}"
