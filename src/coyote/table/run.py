"""Starting and stopping the server: its address, its logs."""

import gc
import json
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import uvicorn

from coyote.table.limits import Limits
from coyote.table.server import make_app, open_hall

LARGEST_FRAME = 65_536  # a longer one ends its connection; shorter ones that are too long are answered
TO_FINISH = 5  # seconds that connections have when the server is told to stop


class JsonLines(logging.Formatter):
    """One JSON object a line. No message of ours has a cookie, a token, an invitation or a card in it."""

    KNOWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in self.KNOWN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("coyote.table", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == "coyote.table" else logging.WARNING)


class Server(uvicorn.Server):
    """Says where it listens, once it does."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[str], None]) -> None:
        super().__init__(config)
        self.listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self.listening(f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/")


def make_server(app: Any, host: str, port: int, listening: Callable[[str], None]) -> Server:
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        ws="websockets-sansio",
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=TO_FINISH,
    )
    return Server(config, listening)


def serve(
    url: str,
    host: str,
    port: int,
    listening: Callable[[str], None],
    names: Iterable[str] = (),
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
    bot_threads: int = 1,
) -> None:
    """Until somebody stops it; then the process ends. Returns only where it could not start."""
    log_to_stderr()
    app = make_app(open_hall(url, bot_threads), limits, [host, *names])
    server = make_server(app, host, port, listening)
    gc.freeze()  # what is there from the start stays, and need not be looked through again and again
    gc.disable()  # it would stop everybody for a moment at any time; the hall does it now and then
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn stops in order and then sends itself the signal again: that one shall do nothing more.
        signal.signal(number, lambda *_: None)
    with suppress(SystemExit):  # its way to say that the address cannot be had; ours is a sentence
        server.run()
    if server.started:
        # Everything is kept. A bot may still think, or the rules be compiled: nobody waits for that.
        sys.stdout.flush()
        os._exit(0)
