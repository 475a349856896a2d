"""What every request passes first: its host and origin, its size and rate; and what every answer says.

Browsers are told to run nothing that this server did not serve as a file of its own.
"""

import ipaddress
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from coyote.games.game import Refusal
from coyote.table.limits import Buckets, Limits
from coyote.text import Lang, Refused, Words

Play = Callable[[WebSocket, str], Awaitable[None]]
SOCKET = re.compile(r"/api/rooms/([0-9A-Za-z_-]{1,40})/socket")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def language(headers: Headers) -> Lang:
    return "ru" if headers.get("accept-language", "").lower().startswith("ru") else "en"


def error_body(error: Refused, lang: str) -> dict[str, Any]:
    words = Words(lang)
    reasons = [
        {"code": refusal.code, "text": words.refusal(refusal), "rule": refusal.rule or None}
        for refusal in error.refusals
    ]
    return {**reasons[0], "text": error.message(lang), "reasons": reasons}


class Gate:
    def __init__(self, app: ASGIApp, play: Play, limits: Limits, names: Iterable[str] = ()) -> None:
        self.app, self.play, self.limits = app, play, limits
        self.names = {"localhost", *names}
        self.requests = Buckets(limits.requests_per_second, 5 * limits.requests_per_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        refused = self.refuses(scope, headers)
        if scope["type"] == "websocket":
            # Past the application and its layers: each of them would cost every message something.
            return await self.open_socket(WebSocket(scope, receive, send), refused)
        if refused is None:
            return await self.app(scope, receive, self.marked(scope, send))
        status, refusal = refused
        await self.answer(status, refusal, language(headers), self.marked(scope, send))

    async def open_socket(self, socket: WebSocket, refused: tuple[int, Refusal] | None) -> None:
        found = SOCKET.fullmatch(socket.url.path)
        if refused or not found:
            return await socket.close(1008, refused[1].code if refused else "room.none")
        await self.play(socket, found[1])

    async def answer(self, status: int, refusal: Refusal, lang: str, send: Send) -> None:
        response = JSONResponse(error_body(Refused(refusal), lang), status)
        await send({"type": "http.response.start", "status": status, "headers": response.raw_headers})
        await send({"type": "http.response.body", "body": response.body})

    def refuses(self, scope: Scope, headers: Headers) -> tuple[int, Refusal] | None:
        host = headers.get("host", "")
        if not self.is_ours(host):
            return 421, Refusal("room.host", "", {"name": host[:80]})
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return 403, Refusal("room.origin", "", {"name": origin[:80]})
        address = scope["client"][0] if scope.get("client") else ""
        if scope["type"] == "http" and not self.requests.take(address, time.monotonic()):
            return 429, Refusal("room.too_many_requests", "")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.limits.body_bytes:
            return 413, Refusal("room.too_long", "", {"most": self.limits.body_bytes})
        if "chunked" in headers.get("transfer-encoding", ""):
            return 411, Refusal("room.no_length", "")
        return None

    def is_ours(self, host: str) -> bool:
        """A name that we go by, or an address in numbers, which no foreign name server can point at us."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def marked(self, scope: Scope, send: Send) -> Send:
        """Every answer says what a browser may do with it."""
        if scope["type"] != "http":
            return send

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        return send_marked
