"""What the server counts and times, in the text format that Prometheus reads. Not for everybody: numbers
that grow at the wrong moment tell a player what the other one does.

    metrics.count("refusals", code="room.too_fast")
    metrics.time("move_seconds", 0.004)
    metrics.gauge("rooms", lambda: len(hall.rooms))
"""

import asyncio
import hmac
import socket
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock

TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)  # seconds
LONGEST_REQUEST = 10.0  # seconds, of a collector
LARGEST_REQUEST = 16_384  # bytes
HELP = {
    "moves": "Moves that are settled for everybody",
    "move_seconds": "From a move's arrival until everybody is told",
    "request_seconds": "Requests over HTTP by route and class of status",
    "refusals": "What was refused, by code",
    "errors": "Faults of the server's own, by where they were noticed",
    "loop_lag_seconds": "How late the event loop came to what was due",
    "store_wait_seconds": "How long the first write of a transaction had waited for it",
    "store_commit_seconds": "How long a transaction took",
    "store_failures": "Transactions that the database refused",
    "bot_wait_seconds": "How long a question to a bot waited for its turn",
    "bot_think_seconds": "How long a bot thought",
    "sockets": "Open sockets",
    "rooms": "Rooms in memory",
    "rooms_stuck": "Rooms that have not finished what they began long ago",
    "rooms_broken": "Rooms that could not be opened",
    "bots_waiting": "Questions that bots have not answered",
    "connections": "Open connections of all kinds",
    "pruned": "Rows that were too old to keep, by kind",
}
Labels = tuple[tuple[str, str], ...]


class Timed:
    """How many took how long."""

    __slots__ = ("counts", "sum")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.sum += seconds

    def lines(self, name: str, labels: Labels) -> Iterator[str]:
        so_far = 0
        for bound, count in zip((*map(str, BUCKETS), "+Inf"), self.counts, strict=True):
            so_far += count
            yield f"{name}_bucket{_shown((*labels, ('le', bound)))} {so_far}"
        yield f"{name}_sum{_shown(labels)} {self.sum:.6f}"
        yield f"{name}_count{_shown(labels)} {so_far}"


class Metrics:
    """To be told from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[tuple[str, Labels]] = Counter()
        self._times: dict[tuple[str, Labels], Timed] = {}
        self._gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, by: int = 1, **labels: str) -> None:
        key = name, _sorted(labels) if labels else ()
        with self._lock:
            self._counts[key] += by

    def time(self, name: str, seconds: float, **labels: str) -> None:
        key = name, _sorted(labels) if labels else ()
        with self._lock:
            found = self._times.get(key)
            if found is None:
                found = self._times[key] = Timed()
            found.add(seconds)

    def gauge(self, name: str, read: Callable[[], float]) -> None:
        """Asked when somebody reads the metrics, on the reader's thread."""
        self._gauges[name] = read

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for name, read in sorted(self._gauges.items()):
            yield from _heading(f"coyote_{name}", name, "gauge")
            yield f"coyote_{name} {read():g}"
        with self._lock:
            counts, times = sorted(self._counts.items()), sorted(self._times.items(), key=lambda it: it[0])
            timed = [(key, list(found.lines(f"coyote_{key[0]}", key[1]))) for key, found in times]
        before = ""
        for (name, labels), value in counts:
            if name != before:
                yield from _heading(f"coyote_{name}_total", name, "counter")
            yield f"coyote_{name}_total{_shown(labels)} {value}"
            before = name
        for (name, _), lines in timed:
            if name != before:
                yield from _heading(f"coyote_{name}", name, "histogram")
            yield from lines
            before = name


def _sorted(labels: dict[str, str]) -> Labels:
    return tuple(sorted(labels.items()))


def _heading(shown: str, name: str, kind: str) -> Iterator[str]:
    yield f"# HELP {shown} {HELP.get(name, name)}"
    yield f"# TYPE {shown} {kind}"


def _shown(labels: Labels) -> str:
    """`{code="room.none"}`"""
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels) + "}"


def _escaped(value: str) -> str:
    """
    >>> _escaped('a "b"')
    'a \\\\"b\\\\"'
    """
    return str(value).replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def may_read(authorization: str, token: str) -> bool:
    """Whether `Authorization: Bearer …` has the token. Without one nobody may.

    >>> may_read("Bearer abc", "abc"), may_read("Bearer ", ""), may_read("bearer abd", "abc")
    (True, False, False)
    """
    scheme, _, shown = authorization.partition(" ")
    return bool(token) and scheme.lower() == "bearer" and hmac.compare_digest(shown.encode(), token.encode())


async def tell(metrics: Metrics, listening: socket.socket) -> None:
    """An address of its own for whoever collects metrics: any request there is answered with them."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(LONGEST_REQUEST):
                await reader.readuntil(b"\r\n\r\n")
                body = metrics.text().encode()
                head = f"HTTP/1.1 200 OK\r\nContent-Type: {TYPE}\r\nContent-Length: {len(body)}\r\n"
                writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # it has gone, or is no client of ours
        finally:
            writer.close()

    async with await asyncio.start_server(answer, sock=listening, limit=LARGEST_REQUEST) as server:
        await server.serve_forever()
