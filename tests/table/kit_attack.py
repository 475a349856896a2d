"""Those who mean no good, each from an address of their own, and those who only want to play meanwhile."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from table.kit_raw import frame, upgrade
from table.kit_table import PATIENCE, Guest, Server

CORE = (Path(__file__).parents[2] / "src/coyote/games/duel/core.toml").read_text(encoding="utf-8")
PLAIN = ("--host", "127.0.0.1")  # no limit is another one than usual
FEW = 10  # answers that say nothing about the usual wait
addresses = (f"127.0.{n // 250}.{n % 250 + 1}" for n in count(500))


def limits(**values: int) -> list[str]:
    return [part for name, value in values.items() for part in ("--limit", f"{name}={value}")]


class Visitor(Guest):
    """A guest from an address that nobody else has."""

    def __init__(self, server: Server, name: str = "Eve", address: str = "", cookie: bool = True) -> None:
        self.address = address or next(addresses)
        self.retry_after: str | None = None
        super().__init__(server, name, "" if cookie else "none")
        if not cookie:
            self.token = ""

    def try_to(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        link = http.client.HTTPConnection(
            self.server.host, timeout=PATIENCE, source_address=(self.address, 0)
        )
        try:
            link.request(method, path, data, {"Content-Type": "application/json", **self.headers, **headers})
            answer = link.getresponse()
            text = answer.read()
        finally:
            link.close()
        self.retry_after = answer.getheader("Retry-After")
        if given := answer.getheader("Set-Cookie"):
            self.cookie, self.given = given.split(";")[0], given
        with suppress(ValueError):
            return answer.status, json.loads(text)
        return answer.status, text.decode(errors="replace")

    def open(self, room: str) -> ClientConnection:
        """A bare socket."""
        address = f"ws://{self.server.host}/api/rooms/{room}/socket"
        source = (self.address, 0)
        opening = connect(address, additional_headers=self.headers, source_address=source, ping_interval=None)
        return opening.__enter__()

    def raw_socket(self, room: str, *more: str) -> "Line":
        """After the handshake; frames are whatever the test writes."""
        line = self.line()
        line.send(upgrade(self.server.host, f"/api/rooms/{room}/socket", self.cookie, *more))
        head = line.until(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        return line

    def line(self) -> "Line":
        return Line(self.server, self.address)

    def bytes_of(self, raw: bytes, seconds: float = 10.0) -> bytes:
        """All that is answered to this until the server closes or says no more."""
        with self.line() as line:
            line.send(raw)
            return line.rest(seconds)


class Line:
    """A connection of bytes."""

    def __init__(self, server: Server, address: str) -> None:
        self.server = server
        name, _, port = server.host.partition(":")
        self.socket = socket.create_connection(
            (name, int(port)), timeout=PATIENCE, source_address=(address, 0)
        )

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, raw: bytes) -> bool:
        """Whether the server took it."""
        try:
            self.socket.sendall(raw)
        except OSError:
            return False
        return True

    def text(self, **message: Any) -> bool:
        return self.send(frame(0x81, json.dumps(message).encode()))

    def push(self, raw: bytes, seconds: float) -> int:
        """As many bytes as the server takes in that time."""
        self.socket.settimeout(0.2)
        sent, end = 0, time.monotonic() + seconds
        with suppress(OSError):
            while time.monotonic() < end:
                with suppress(TimeoutError):
                    sent += self.socket.send(raw)
        return sent

    def until(self, mark: bytes) -> bytes:
        self.socket.settimeout(PATIENCE)
        found = b""
        while mark not in found and (more := self.socket.recv(1)):
            found += more
        return found

    def rest(self, seconds: float, quiet: float = 1.0) -> bytes:
        """What comes until the end, or until nothing has come for a moment after something has."""
        found, begun = b"", fair_time(self.server)
        last = begun
        self.socket.settimeout(0.05)
        with suppress(OSError):
            while (now := fair_time(self.server)) < (
                min(begun + seconds, last + quiet) if found else begun + seconds
            ):
                with suppress(TimeoutError):
                    if not (more := self.socket.recv(65536)):
                        break
                    found, last = found + more, now
        return found

    def ends_within(self, seconds: float) -> bool:
        """Whether the server ends it."""
        end = fair_time(self.server) + seconds
        self.socket.settimeout(0.05)
        try:
            while fair_time(self.server) < end:
                with suppress(TimeoutError):
                    if not self.socket.recv(65536):
                        return True
        except OSError:
            return True
        return False


def fair_time(server: Server, *, with_bots: bool = False) -> float:
    """Seconds that pass, but for those when the server or this thread could have run and no processor was
    free: they tell of the machine and not of the server. Where a system does not count them, all seconds."""
    own = Path(f"/proc/{server.process.pid}")
    threads = own.glob("task/*/schedstat") if with_bots else [own / "schedstat"]
    stood = 0
    for path in (*threads, Path("/proc/thread-self/schedstat")):
        with suppress(OSError):
            stood += int(path.read_text().split()[1])
    return time.monotonic() - stood / 1e9


class Bystander:
    """Plays nothing, but asks again and again whether the server is there, and notes how long it takes."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.waits: list[float] = []
        self.faults: list[BaseException] = []
        visitor = Visitor(server, "Vera")
        self.socket = visitor.open(visitor.make(game="madness", opponent="self")["room"])
        self.going_on = threading.Event()
        self.going_on.set()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        try:
            while self.going_on.is_set():
                start = fair_time(self.server)
                self.socket.send('{"type":"ping","id":"x"}')
                while json.loads(self.socket.recv(timeout=PATIENCE))["type"] != "pong":
                    pass
                self.waits.append(fair_time(self.server) - start)
                time.sleep(0.06)  # below the rate that is allowed
        except BaseException as error:
            self.faults.append(error)

    def stop(self) -> None:
        self.going_on.clear()
        self.thread.join(PATIENCE)
        self.socket.close()

    @property
    def median(self) -> float:
        return sorted(self.waits)[len(self.waits) // 2]


@contextmanager
def unharmed(
    server: Server, megabytes: float = 40, median: float = 0.25, longest: float = 3.0
) -> Iterator[Bystander]:
    """Whatever happens inside: memory stays, another guest is answered soon, and nothing breaks."""
    other, before = Bystander(server), memory(server)
    try:
        yield other
    finally:
        other.stop()
    assert not other.faults, other.faults
    if len(other.waits) >= FEW:
        assert other.median < median, f"others wait {other.median:.3f} s"
    assert max(other.waits) < longest, f"others waited {max(other.waits):.3f} s"
    assert (grown := memory(server) - before) < megabytes, f"{grown:.0f} MB more"
    assert server.process.poll() is None


def memory(server: Server) -> float:
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def work(server: Server) -> float:
    stat = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / 100


def wait_prepared(server: Server) -> None:
    """Until nothing is compiled any more, which would count as work."""
    vera = Visitor(server, "Vera")
    while vera.try_to("GET", "/healthz")[1]["preparing"]:
        time.sleep(0.2)


def status_of(answer: bytes) -> int:
    """0 where there is none."""
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.") else 0


def card(id: str, text: str) -> str:
    return (
        f'[[card]]\nid = "{id}"\nname = {{ ru = "{id}", en = "{id}" }}\nrarity = "common"\ntext = "{text}"\n'
    )


def set_of(text: str, name: str = "Ours", cards: int = 30, more: str = "") -> str:
    """A set in which every card says the same."""
    return f'name = "{name}"\n{more}' + "".join(card(f"card-{n}", text) for n in range(cards))


def rigged(name: str) -> str:
    """The core set's ids and names, and one card that does something else."""
    text = CORE.replace('name = "core"', f'name = "{name}"', 1)
    assert 'text = "Attack 12."' in text
    return text.replace('text = "Attack 12."', 'text = "Attack 999."', 1)


def deal(seat: Any, *parties: int) -> None:
    """At one device."""
    seat.ready()
    for party in parties or (0, 1):
        seat.wait(lambda update: update["phase"] == "playing", party)
