"""A gate before a small application, in this process: asked directly, or on a real socket."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from coyote.table.answers import Denied, refused
from coyote.table.gate import Gate
from coyote.table.limits import Limits
from coyote.table.run import make_server
from coyote.text import Refused

WIDE = Limits(
    requests_per_second=1e6, files_per_second=1e6, opens_per_minute=1e6, connections_per_address=10_000
)
PATIENCE = 30.0


def small_app() -> FastAPI:
    app = FastAPI(openapi_url=None)
    for kind in (Refused, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, refused)

    @app.get("/api/me")
    @app.get("/static/a.js")
    @app.get("/api/rooms/r/replay")
    async def me(request: Request) -> dict[str, Any]:
        assert request.client
        return {"address": request.client.host, "url": str(request.url)}

    @app.post("/api/guest")
    @app.post("/api/rooms")
    async def told(body: dict[str, Any]) -> int:
        return len(body)

    @app.get("/api/wait")
    async def wait() -> str:
        await asyncio.sleep(2)
        return "done"

    @app.get("/api/large")
    async def large() -> Response:
        return Response(b"x" * 20_000_000)

    @app.get("/api/busy")
    async def busy() -> str:
        raise Denied(429, "room.too_many_requests", retry_after=2.2, seconds=3)

    return app


def small_gate(proxies: tuple[str, ...] = (), **limits: Any) -> Gate:
    return Gate(small_app(), replace(WIDE, **limits), ["table.example"], proxies)


def ask(
    gate: Gate,
    path: str = "/api/me",
    method: str = "GET",
    body: list[bytes] | None = None,
    client: str = "192.0.2.1",
    **headers: str | list[str],
) -> tuple[int, dict[str, str], bytes]:
    """The answer to one request. Headers are written with underscores, some of them more than once."""
    raw = [(b"host", b"table.example")] if "host" not in headers else []
    for name, values in headers.items():
        for value in [values] if isinstance(values, str) else values:
            raw.append((name.replace("_", "-").encode(), value.encode("latin-1")))
    if body:
        raw.append((b"content-type", b"application/json"))
    pieces = [*(body or []), b""]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
        "raw_path": path.encode(), "query_string": b"", "root_path": "", "scheme": "http", "headers": raw,
        "client": (client, 5000), "server": ("192.0.2.9", 80), "state": {},
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(gate(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:])


class Served:
    """That gate on a real socket."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.listening = threading.Event()
        self.server = make_server(gate, "127.0.0.1", 0, self.note)
        self.thread = threading.Thread(target=self.server.run)

    def note(self, address: str) -> None:
        host, _, port = address.removeprefix("http://").rstrip("/").rpartition(":")
        self.address = host, int(port)
        self.listening.set()

    def connect(self) -> socket.socket:
        found = socket.create_connection(self.address, PATIENCE)
        found.settimeout(PATIENCE)
        return found

    def say(self, text: bytes) -> bytes:
        """All that is answered until the server ends the connection."""
        with self.connect() as connection:
            connection.sendall(text)
            return everything(connection)


def everything(connection: socket.socket) -> bytes:
    found = b""
    try:
        while piece := connection.recv(65_536):
            found += piece
    except ConnectionResetError:
        pass
    return found


@contextmanager
def serving(gate: Gate) -> Iterator[Served]:
    served = Served(gate)
    served.thread.start()
    try:
        assert served.listening.wait(PATIENCE)
        yield served
    finally:
        served.server.should_exit = True
        served.thread.join(PATIENCE)
