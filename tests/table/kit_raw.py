"""Clients with as little in them as can be: so that it is the server that is measured, and so that
they can say what no honest client says. And a server's process, as its machine sees it."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from coyote.table.limits import Limits

RATES = ("_per_second", "_per_minute", "_per_guest", "_per_address", "_per_room", "_before_end")
KEY = "AAAAAAAAAAAAAAAAAAAAAA=="
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A


def wide_limits() -> list[str]:
    """The options that let one machine be hundreds of guests; sizes and times stay as they are."""
    names = [one.name for one in fields(Limits) if one.name.endswith(RATES)]
    return [part for name in names for part in ("--limit", f"{name}=1000000")]


class Process:
    """`coyote table` with a database of its own, on loopback; or another program that tells its address."""

    def __init__(self, database: str, *options: str, command: list[str] | None = None) -> None:
        table = ["-m", "coyote", "table", "--port", "0", "--lang", "en", "--db", database, *options]
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 - a pipe that nobody reads would be full one day
        self.popen = subprocess.Popen(
            [sys.executable, *(command or table)], stdout=subprocess.PIPE, stderr=self.log
        )
        assert self.popen.stdout is not None
        line = self.popen.stdout.readline().decode()
        if "http://" not in line:
            raise RuntimeError(self.stop()[-2000:])
        self.host = line.split()[-1].rstrip("/").removeprefix("http://")
        self.pid = self.popen.pid

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> str:
        """What was logged."""
        if not self.log.closed:
            self.popen.terminate()
            self.popen.communicate()
            self.log.seek(0)
            self.logged = self.log.read().decode()
            self.log.close()
        return self.logged

    @property
    def alive(self) -> bool:
        return self.popen.poll() is None

    def work(self) -> float:
        """Seconds of one core that it has used: says more than the clock on a busy machine."""
        stat = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Megabytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/task"))


def upgrade(host: str, path: str, cookie: str = "", *more: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}"]
    lines += [f"Cookie: {cookie}"] if cookie else []
    return "\r\n".join([*lines, *more, "", ""]).encode()


def frame(kind: int, body: bytes) -> bytes:
    """Masked with zeros, as a client may."""
    n = len(body)
    if n < 126:
        length = bytes([0x80 | n])
    elif n < 65536:
        length = b"\xfe" + n.to_bytes(2, "big")
    else:
        length = b"\xff" + n.to_bytes(8, "big")
    return bytes([kind]) + length + b"\0\0\0\0" + body


class Socket(asyncio.Protocol):
    """A WebSocket: `hear` gets each message, `lost` is set with the last."""

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        self.hear, self.left, self.code = hear, b"", 0
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[bytes] = loop.create_future()
        self.lost: asyncio.Future[int] = loop.create_future()

    @classmethod
    async def open(
        cls,
        host: str,
        path: str,
        cookie: str,
        hear: Callable[[bytes], None],
        *more: str,
        source: str | None = None,
    ) -> "Socket":
        """ConnectionRefusedError, with the answer, where the server wants no such socket."""
        name, _, port = host.partition(":")
        loop = asyncio.get_running_loop()
        local = (source, 0) if source else None
        _, made = await loop.create_connection(lambda: cls(hear), name, int(port), local_addr=local)
        made.transport.write(upgrade(host, path, cookie, *more))
        head = await made.opened
        if not head.startswith(b"HTTP/1.1 101 "):
            made.transport.abort()
            raise ConnectionRefusedError(head.decode("latin-1"))
        return made

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_result(b"")
        if not self.lost.done():
            self.lost.set_result(self.code)

    def say(self, text: bytes) -> None:
        self.transport.write(frame(TEXT, text))

    def say_json(self, **message: Any) -> None:
        self.say(json.dumps(message).encode())

    def data_received(self, data: bytes) -> None:
        data = self.left + data if self.left else data
        if not self.opened.done():
            head, end, rest = data.partition(b"\r\n\r\n")
            if not end:
                self.left = data
                return
            self.opened.set_result(head)
            data = rest
        self.left = self.frames(data)

    def frames(self, data: bytes) -> bytes:
        """Whatever is whole is heard, the rest is left."""
        at, size = 0, len(data)
        while size >= at + 2:
            length, body = data[at + 1], at + 2
            if length == 126:
                length, body = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, body = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            end = body + length
            if size < end:
                break
            kind = data[at]
            if kind == TEXT:
                self.hear(data[body:end])
            elif kind == PING:
                self.transport.write(frame(PONG, data[body:end]))
            elif kind == CLOSE:
                self.code = int.from_bytes(data[body : body + 2], "big")
                self.transport.close()
            at = end
        return data[at:]


class Requests(asyncio.Protocol):
    """HTTP/1.1 on one connection; whoever wants may ask before the last answer is there."""

    def __init__(self) -> None:
        self.waiting: deque[asyncio.Future[tuple[int, bytes, bytes]]] = deque()
        self.left = b""
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, host: str, source: str | None = None) -> "Requests":
        name, _, port = host.partition(":")
        loop = asyncio.get_running_loop()
        local = (source, 0) if source else None
        _, made = await loop.create_connection(cls, name, int(port), local_addr=local)
        made.host = host
        return made

    host = ""

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(None)
        for future in self.waiting:
            if not future.done():
                future.set_exception(ConnectionResetError())
                future.exception()  # whoever asked may have gone meanwhile
        self.waiting.clear()

    def send(self, raw: bytes) -> "asyncio.Future[tuple[int, bytes, bytes]]":
        """Status, head and body of the answer; ConnectionResetError where there is none."""
        future: asyncio.Future[tuple[int, bytes, bytes]] = asyncio.get_running_loop().create_future()
        if self.lost.done():
            future.set_exception(ConnectionResetError())
            return future
        self.waiting.append(future)
        self.transport.write(raw)
        return future

    async def ask(self, method: str, path: str, body: Any = None, cookie: str = "") -> tuple[int, Any]:
        """The cookie that is given is in `cookie`."""
        status, head, answer = await self.send(self.written(method, path, body, cookie))
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b": ")
            if name.lower() == b"set-cookie":
                self.cookie = value.split(b";")[0].decode()
        return status, json.loads(answer) if answer else None

    cookie = ""

    def written(self, method: str, path: str, body: Any = None, cookie: str = "", *more: str) -> bytes:
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}", f"Content-Length: {len(data)}"]
        lines += ["Content-Type: application/json"] + ([f"Cookie: {cookie}"] if cookie else [])
        return "\r\n".join([*lines, *more, "", ""]).encode() + data

    def data_received(self, data: bytes) -> None:
        self.left += data
        while self.waiting:
            head, end, rest = self.left.partition(b"\r\n\r\n")
            if not end:
                return
            length = 0
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    length = int(line[15:])
            if len(rest) < length:
                return
            self.left = rest[length:]
            future = self.waiting.popleft()
            if not future.done():
                future.set_result((int(head[9:12]), head, rest[:length]))


def percentile(waits: list[float], share: float) -> float:
    """In milliseconds."""
    ordered = sorted(waits)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))] if ordered else 0.0
