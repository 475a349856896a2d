"""Where other devices reach this table: told to whoever sits at the machine itself, and to nobody else."""

import ipaddress
import socket

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.datastructures import Headers

from coyote.table.gate import Gate, place_of

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-real-ip")  # a proxy that nobody told us of
EVERYWHERE = ("", "0.0.0.0", "::")
FAR_AWAY = ("192.0.2.1", 9)  # nobody's; nothing is sent there


class Address(BaseModel):
    """`only_here`: other devices do not reach the table; `addresses` are those that they would, if it were
    started with `--host 0.0.0.0`."""

    only_here: bool = False
    addresses: list[str] = []


class Whereabouts:
    """`host`: where the server listens."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.gate: Gate | None = None

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/address")(self.address)
        return router

    async def address(self, request: Request) -> Address:
        """For whoever wants to play with another device, and asks from the machine itself."""
        if not self.is_at_home(request):
            return Address()
        port = request.scope["server"][1]
        only_here = is_loopback(self.host)
        found = lan_address() if only_here or self.host in EVERYWHERE else self.host
        return Address(only_here=only_here, addresses=[f"http://{bracketed(found)}:{port}/"] if found else [])

    def is_at_home(self, request: Request) -> bool:
        """No proxy may be in between: whoever is behind one would look as if they were here."""
        assert self.gate is not None
        if self.gate.proxies or not request.client or not is_loopback(request.client.host):
            return False
        return is_home_name(request.headers) and not any(name in request.headers for name in FORWARDED)


def is_home_name(headers: Headers) -> bool:
    """As browsers of this machine call it: 0.0.0.0 stands in the terminal."""
    here = place_of(f"http://{headers.get('host', '')}")
    return here is not None and (is_loopback(here[1]) or here[1] in EVERYWHERE)


def is_loopback(host: str) -> bool:
    """
    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.168.1.5")
    (True, True, True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def lan_address() -> str:
    """The address by which this machine goes out into its network; "" where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(FAR_AWAY)
        except OSError:
            return ""
        found = str(way.getsockname()[0])
    return "" if is_loopback(found) or found == "0.0.0.0" else found
