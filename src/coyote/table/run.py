"""Starting and stopping the server: its address, its database, its logs."""

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import uvicorn

from coyote.table import metrics
from coyote.table.database import claimed, keep_private
from coyote.table.gate import Gate
from coyote.table.http_protocol import under
from coyote.table.limits import Limits
from coyote.table.logs import Noted, log_to_stderr
from coyote.table.server import make_app, open_hall
from coyote.table.socket_protocol import RoomSocket
from coyote.text import Refused

log = logging.getLogger("coyote.table")

TO_FINISH = 5  # seconds that connections have when the server is told to stop


@dataclass(frozen=True)
class Settings:
    """How a table is served."""

    url: str
    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()  # whose word is taken for who asks
    limits: Limits = Limits()
    bot_threads: int = 1
    metrics: tuple[str, int] | None = None  # where the numbers are told to whoever collects them
    access_log: bool = False
    inner: tuple[str, int] = ("127.0.0.1", 0)  # where other processes of the same table reach this one
    worker: str = ""  # which of several this is, in logs


@dataclass(frozen=True)
class Place:
    """What a process has from the one that started it, beside others."""

    public: socket.socket  # that all of them listen at
    hall: str
    life: int  # what is to be read there ends when whoever started it does
    signs: Coroutine[Any, Any, None]  # of life


class Server(uvicorn.Server):
    """Says where it listens, once it does."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[str], None]) -> None:
        super().__init__(config)
        self.listening = listening
        self.inner: socket.socket | None = None  # a second address
        self.beside: list[Coroutine[Any, Any, Any]] = []  # what runs as long as the server does
        self._running: list[asyncio.Task[Any]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            if self.inner:
                loop = asyncio.get_running_loop()
                self.servers.append(await loop.create_server(self._connection, sock=self.inner))
            self._running = [asyncio.create_task(work) for work in self.beside]
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self.listening(f"http://{address_of(host, port)}/")

    def _connection(self) -> asyncio.Protocol:
        made: Any = self.config.http_protocol_class
        found: asyncio.Protocol = made(self.config, self.server_state, self.lifespan.state)
        return found

    async def stop_with(self, life: int) -> None:
        """When whoever has the other end of that pipe is gone."""
        gone = asyncio.Event()
        asyncio.get_running_loop().add_reader(life, gone.set)
        await gone.wait()
        asyncio.get_running_loop().remove_reader(life)
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for task in self._running:
            task.cancel()
        await super().shutdown(sockets)


def make_server(
    app: Any, host: str, port: int, listening: Callable[[str], None], gate: Gate | None = None
) -> Server:
    """`gate`: where it is not `app` itself."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=under(gate or app),
        ws=RoomSocket,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=TO_FINISH,
    )
    return Server(config, listening)


def serve(settings: Settings, listening: Callable[[str], None], place: Place | None = None) -> None:
    """Until somebody stops it; then the process ends. Returns only where it could not start."""
    log_to_stderr(settings.access_log, **({"worker": settings.worker} if settings.worker else {}))
    allow_files(settings.limits.sockets)
    keep_private(settings.url)
    with claimed(settings.url) as claim:
        hall = open_hall(settings.url, settings.bot_threads, settings.limits, place.hall if place else "")
        names = [settings.host, *settings.names]
        app = make_app(hall, settings.limits, names, settings.proxies, settings.host)

        def listens(address: str) -> None:
            claim.tell(address)
            listening(address)

        server = make_server(Noted(app, hall.metrics), settings.host, settings.port, listens, app)
        if hall.store.shared:
            server.inner = listen(*settings.inner)
            app.inner = server.inner.getsockname()[:2]
            hall.address = address_of(*app.inner)
        if settings.metrics:
            server.beside.append(metrics.tell(hall.metrics, listen(*settings.metrics)))
        if place:
            server.beside += [server.stop_with(place.life), place.signs]
        _run(server, [place.public] if place else None)


def address_of(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError:
        raise Refused("room.no_start", host=host, port=port) from None


def _run(server: Server, sockets: list[socket.socket] | None = None) -> None:
    gc.freeze()  # what is there from the start stays, and need not be looked through again and again
    gc.disable()  # it would stop everybody for a moment at any time; the hall does it now and then
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn stops in order and then sends itself the signal again: that one shall do nothing more.
        signal.signal(number, lambda *_: None)
    with suppress(SystemExit):  # its way to say that the address cannot be had; ours is a sentence
        server.run(sockets)
    if server.started:
        # Everything is kept. A bot may still think, or the rules be compiled: nobody waits for that.
        sys.stdout.flush()
        os._exit(0)


def allow_files(sockets: int) -> None:
    """As many open files as the system lets us have: each socket is one."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    if soft != resource.RLIM_INFINITY and soft < sockets:
        log.warning("too few open files for so many sockets", extra={"files": soft, "sockets": sockets})
