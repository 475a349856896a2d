"""What is written down of what happens: JSON lines on standard error, and nothing secret in them.

Cookies, tokens, invitations, codes, queries and cards are in no line; a guest is a short hash of the id.
"""

import hashlib
import json
import logging
import sys
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coyote.table.limits import client_key
from coyote.table.metrics import Metrics

access = logging.getLogger("coyote.access")
GUEST = "coyote.guest"  # where a scope keeps who asked, once that is known


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def __init__(self, **same: str) -> None:
        """`same`: what is in every line."""
        super().__init__()
        self.same = same

    KNOWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": moment(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= self.same
        line |= {key: value for key, value in vars(record).items() if key not in self.KNOWN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def moment(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def log_to_stderr(requests: bool = False, **same: str) -> None:
    """`requests`: one line for each of them, too; `same`: what every line says."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(**same))
    for name, level in (
        ("coyote.table", logging.INFO),
        ("coyote.access", logging.INFO if requests else logging.CRITICAL),
        ("uvicorn", logging.WARNING),
    ):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)


def short(id: str) -> str:
    """A guest or a bot in logs and lists: the same each time, and nothing to come in with.

    >>> short("anna"), short("")
    ('55579b557896', '')
    """
    return hashlib.sha256(id.encode()).hexdigest()[:12] if id else ""


class Noted:
    """Every request over HTTP is timed, and has its line where that is wished for."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        begun, status = time.perf_counter(), 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noting)
        except Exception:
            self.metrics.count("errors", where="request")
            raise
        finally:
            self.note(scope, status, time.perf_counter() - begun)

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        route = pattern(scope)
        self.metrics.time("request_seconds", seconds, route=route, status=f"{status // 100}xx")
        if access.isEnabledFor(logging.INFO):
            access.info("request", extra=line_of(scope, route, status, seconds))


def note_socket(room: str, guest: str, address: str) -> None:
    """One that was let in."""
    if access.isEnabledFor(logging.INFO):
        access.info("socket", extra={"room": room, "guest": short(guest), "address": client_key(address)})


def pattern(scope: Scope) -> str:
    """`/api/rooms/{room}`: as many routes as there are, however many paths are asked for."""
    return str(getattr(scope.get("route"), "path", "")) or "-"


def line_of(scope: Scope, route: str, status: int, seconds: float) -> dict[str, Any]:
    client = scope.get("client")
    found = {
        "method": scope["method"] if scope["method"].isalpha() else "-",
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
        "address": client_key(client[0]) if client else "",
        "guest": short(scope.get(GUEST, "")),
        "room": scope.get("path_params", {}).get("room", ""),
    }
    return {key: value for key, value in found.items() if value != ""}
