"""What every request passes first: its host and origin, its size and rate; and what every answer says.

Browsers are told to run nothing that this server did not serve as a file of its own.
"""

import asyncio
import ipaddress
import re
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coyote.games.game import Refusal
from coyote.table.identity import COOKIE, own_cookie
from coyote.table.limits import (
    Buckets,
    Connections,
    Denied,
    Limits,
    client_key,
    per_minute,
    too_many,
    whole_seconds,
)
from coyote.table.metrics import Metrics
from coyote.table.pages import problem, wants_page
from coyote.table.passing import PASSED, WAS_PASSED, Word
from coyote.text import Lang, Refused, Words, language_of_header

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


# What one request makes the server do for long, by the limit that it has.
DEAR = re.compile(
    r"/api/rooms/[^/]+/(?P<replays>replay|record|cards)"
    r"|/api/decks/(?P<checks>check|hand)"
    r"|/api/me/(?P<sums>statistics)"
    r"|/api/rooms/[^/]+/(?P<hints>hint)"
    r"|/api/workshop/(?P<readings>card|effects)"
    r"|/api/(?P<set_readings>workshop/check|sets/[^/]+/versions|card-sets/[^/]+(?:/decks)?)"
    r"|/api/(?P<saves>sets(?:/[^/]+)?|variants(?:/[^/]+)?)"
    r"|/api/workshop/(?P<weighings>weigh)"
)
LARGE = re.compile(r"/api/(rooms|sets(/[^/]+)?|workshop/check)")  # what may bring a card set
LOOK = re.compile(r"/api/(rooms/[^/]+|mine|waiting|playing|me/games)")
LOOK_COSTS = 4.0  # ordinary requests
HOUSEHOLD = 4  # guests at one address who may ask for hints at the same time
LONGEST_QUERY = 2000  # bytes
SMALL_BODY = 20_000  # bytes: room for the longest list of cards
PATIENCE = 60  # refusals in a minute; whoever goes on then waits for each and is sent away
PENALTY = 1.0  # seconds
MOST_HOPS = 20  # between a client and us
PORTS = {"http": 80, "https": 443}
RawHeaders = list[tuple[bytes, bytes]]
ORIGIN = re.compile(r"https?://[A-Za-z0-9._:\[\]-]+")


class Caller(NamedTuple):
    """Who asks, and how they came: `http` or `https`."""

    address: str
    scheme: str


def language(headers: Headers) -> Lang:
    return language_of_header(headers.get("accept-language", ""))


def error_body(error: Refused, lang: str) -> dict[str, Any]:
    words = Words(lang)
    reasons = [
        {"code": refusal.code, "text": words.refusal(refusal), "rule": refusal.rule or None}
        for refusal in error.refusals
    ]
    return {**reasons[0], "text": error.message(lang), "reasons": reasons}


def answer(status: int, error: Refused, scope: Scope) -> Response:
    """Why a request is refused, and when to come again; for people as a page."""
    asked, headers = Headers(scope=scope), {}
    if isinstance(error, Denied) and error.retry_after is not None:
        headers["retry-after"] = str(whole_seconds(error.retry_after))
    if status == 503:
        headers.setdefault("retry-after", "1")
    if status in (411, 413):
        headers["connection"] = "close"  # nobody reads the rest
    lang = language(asked)
    if wants_page(scope["method"], scope["path"], asked):
        return problem(status, error.message(lang), lang, headers)
    return JSONResponse(error_body(error, lang), status, headers)


def place_of(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None where it is no origin.

    >>> place_of("https://Example.org"), place_of("http://["), place_of("null")
    (('https', 'example.org', 443), None, None)
    """
    if not ORIGIN.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname or "", parts.port or PORTS[parts.scheme]
    except ValueError:
        return None


def read_address(text: str) -> str:
    """An address as proxies write it, with or without a port; nothing where it is none.

    >>> read_address(" 192.0.2.1:80"), read_address("[2001:db8::1]:80"), read_address("unknown")
    ('192.0.2.1', '2001:db8::1', '')
    """
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""


class Gate:
    """`names` are the host names that the server goes by; `proxies` the addresses or networks whose word
    is taken for who asks, in `X-Forwarded-For` and `X-Forwarded-Proto`: both must set them anew."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        names: Iterable[str] = (),
        proxies: Iterable[str] = (),
        metrics: Metrics | None = None,
    ) -> None:
        self.app, self.limits, self.metrics = app, limits, metrics
        self.names = {"localhost", *(name.lower() for name in names)}
        self.proxies = [ipaddress.ip_network(one, strict=False) for one in proxies]
        self.is_proxy = lru_cache(1024)(self._is_proxy)
        self.connections = Connections(limits)
        self.word = Word()  # of other processes
        self.inner: tuple[str, int] | None = None  # the address at which those come
        if metrics:
            metrics.gauge("connections", lambda: self.connections.open)
        self.requests = Buckets(limits.requests_per_second, 5 * limits.requests_per_second)
        self.files = Buckets(limits.files_per_second, 10 * limits.files_per_second)
        self.opens = per_minute(limits.opens_per_minute)
        self.dear = {
            "replays": per_minute(limits.replays_per_minute),
            "checks": per_minute(limits.checks_per_minute),
            "sums": per_minute(limits.sums_per_minute),
            "hints": per_minute(HOUSEHOLD * limits.hints_per_minute),
            "readings": per_minute(limits.readings_per_minute),
            "set_readings": per_minute(limits.set_readings_per_minute),
            "saves": per_minute(limits.saves_per_minute),
            "weighings": per_minute(limits.weighings_per_minute),
        }
        self.patience = per_minute(PATIENCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # sockets never come here: `socket_protocol` asks `refuses_upgrade`
            return await self.app(scope, receive, send)
        scope["headers"] = without_other_cookies(scope["headers"])
        headers = Headers(scope=scope)
        scope[WAS_PASSED] = self.word.take(scope["path"], headers) is not None
        self.mark_caller(scope, self.caller(scope.get("client"), headers, scope["scheme"], scope["path"]))
        send = self.marked(scope, send)
        try:
            longest = self.check(scope, headers)
        except Denied as error:
            return await self.refuse(error, scope, headers, receive, send)
        await self.app(scope, counted(receive, longest), send)

    # ------------------------------------------------------------ who asks

    def caller(
        self, client: Sequence[Any] | None, headers: Headers, scheme: str = "http", path: str = ""
    ) -> Caller:
        """Behind a proxy: the last address before ours that is no proxy's, and how that one came. Of what
        another process of this table has passed on, that one knows it."""
        if PASSED in headers and (told := self.word.take(path, headers)):
            return Caller(*told)
        address = str(client[0]) if client else ""
        if not self.is_proxy(address):
            return Caller(address, scheme)
        hops = ",".join(headers.getlist("x-forwarded-for")).split(",")
        for hop in reversed(hops[-MOST_HOPS:]):
            if not (found := read_address(hop)):
                break
            address = found
            if not self.is_proxy(address):
                break
        forwarded = ",".join(headers.getlist("x-forwarded-proto")).rpartition(",")[2].strip().lower()
        return Caller(address, forwarded if forwarded in PORTS else scheme)

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        plain = getattr(found, "ipv4_mapped", None) or found
        return any(plain in network for network in self.proxies)

    def mark_caller(self, scope: Scope, caller: Caller) -> None:
        """Whoever asks further on finds the right address and scheme where they always are."""
        if scope.get("client"):
            scope["client"] = (caller.address, scope["client"][1])
        scope["scheme"] = caller.scheme

    # ------------------------------------------------------------ whether it may

    def check(self, scope: Scope, headers: Headers) -> int:
        """How long the request's body may be; Denied."""
        self.check_place(headers, scope["scheme"])
        self.check_rate(scope)
        return self.check_body(scope, headers)

    def refuses_upgrade(
        self, client: Sequence[Any] | None, headers: Headers, path: str, scheme: str = "http"
    ) -> tuple[int, Refusal] | None:
        """Whether a socket may not be opened: asked once, before it is."""
        caller = self.caller(client, headers, scheme, path)
        try:
            self.check_place(headers, caller.scheme)
            if not SOCKET.fullmatch(path.partition("?")[0]):
                raise Denied(404, "room.none")
            if wait := self.opens.take(client_key(caller.address), time.monotonic()):
                raise too_many(wait)
        except Denied as error:
            self.count(error)
            return error.status, error.refusal
        return None

    def check_place(self, headers: Headers, scheme: str) -> None:
        """The server goes by that name, and no page of another place asks."""
        host = ", ".join(headers.getlist("host"))
        here = place_of(f"{scheme}://{host}")
        if here is None or not self.is_ours(here[1]):
            raise Denied(421, "room.host", name=host[:80])
        for origin in headers.getlist("origin"):
            if place_of(origin) != here:
                raise Denied(403, "room.origin", name=origin[:80], here=f"{scheme}://{host}")

    def is_ours(self, name: str) -> bool:
        """A name that we go by, or an address in numbers, which no foreign name server can point at us."""
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def check_rate(self, scope: Scope) -> None:
        """Pages and their parts are counted apart, so that they take nothing from whoever plays."""
        path, at = scope["path"], time.monotonic()
        who = client_key(scope["client"][0]) if scope.get("client") else ""
        if not path.startswith("/api/"):
            wait = self.files.take(who, at)
        else:
            wait = self.requests.take(who, at, LOOK_COSTS if LOOK.fullmatch(path) else 1.0)
            if not wait and (dear := DEAR.fullmatch(path)):
                wait = self.dear[str(dear.lastgroup)].take(who, at)
        if wait:
            raise too_many(wait)

    def check_body(self, scope: Scope, headers: Headers) -> int:
        """Queries are short. Bodies have a length, and only what changes something has one at all."""
        if len(scope["query_string"]) > LONGEST_QUERY:
            raise Denied(414, "room.too_long", most=LONGEST_QUERY)
        if "transfer-encoding" in headers:
            raise Denied(411, "room.no_length")
        most = 0 if scope["method"] in ("GET", "HEAD", "OPTIONS") else SMALL_BODY
        if most and LARGE.fullmatch(scope["path"]):
            most = self.limits.body_bytes
        if length_of(headers) > most:
            raise Denied(413, "room.too_long", most=most)
        return most

    # ------------------------------------------------------------ answering

    async def refuse(
        self, error: Denied, scope: Scope, headers: Headers, receive: Receive, send: Send
    ) -> None:
        """Nobody reads a refused body; whoever goes on and on asking waits for each answer."""
        self.count(error)
        response = answer(error.status, error, scope)
        who = client_key(scope["client"][0]) if scope.get("client") else ""
        if error.status == 429 and self.patience.take(who, time.monotonic()):
            await asyncio.sleep(PENALTY)
            response.headers["connection"] = "close"
        if length_of(headers) or "transfer-encoding" in headers:
            response.headers["connection"] = "close"
        await response(scope, receive, send)

    def count(self, error: Denied) -> None:
        if self.metrics:
            self.metrics.count("refusals", code=error.code)

    def marked(self, scope: Scope, send: Send) -> Send:
        """Every answer says what a browser may do with it."""

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        return send_marked


def without_other_cookies(headers: RawHeaders) -> RawHeaders:
    """Whatever else a browser has for this host is nobody's business here; and the framework, which reads
    them all, takes seconds for one that is quoted badly enough."""
    if not any(name == b"cookie" for name, _ in headers):
        return headers
    ours = [own_cookie(value.decode("latin-1")) for name, value in headers if name == b"cookie"]
    kept = [(name, value) for name, value in headers if name != b"cookie"]
    return kept + [(b"cookie", f"{COOKIE}={value}".encode("latin-1")) for value in ours if value]


def length_of(headers: Headers) -> float:
    """What the request says of its body; without end where it says nonsense."""
    text = headers.get("content-length", "0")
    return int(text) if text.isdecimal() and len(text) <= 12 else float("inf")


def counted(receive: Receive, most: int) -> Receive:
    """A body that is longer than it may be is not read on, whatever was said of its length."""
    got = 0

    async def receive_counted() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > most:
            raise HTTPException(413)
        return message

    return receive_counted
