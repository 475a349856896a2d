"""Behind a proxy: who asks and how, from those alone whose word is taken."""

import json
import urllib.request
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from coyote.table.gate import Caller, Gate
from table.kit_gate import ask, small_gate
from table.kit_table import QUICK, Server, sqlite_in

BEHIND = ("192.0.2.1", "10.0.0.0/8", "2001:db8:ffff::/48")


def caller(gate: Gate, peer: str = "192.0.2.1", **headers: str | list[str]) -> Caller:
    raw = [
        (name.replace("_", "-").encode(), value.encode())
        for name, values in headers.items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    return gate.caller((peer, 1), Headers(raw=raw))


@pytest.mark.parametrize(
    "told, address",
    [
        ("198.51.100.7", "198.51.100.7"),
        ("1.1.1.1, 198.51.100.7", "198.51.100.7"),  # the client says what it likes; the proxy adds the truth
        ("198.51.100.7, 10.1.2.3", "198.51.100.7"),
        ("1.1.1.1,198.51.100.7,10.1.2.3, 10.1.2.4", "198.51.100.7"),
        (["1.1.1.1", "198.51.100.7"], "198.51.100.7"),
        ("198.51.100.7:4711", "198.51.100.7"),
        ("[2001:db8::7]:4711", "2001:db8::7"),
        ("2001:db8::7", "2001:db8::7"),
        ("198.51.100.7, 2001:db8:ffff::1", "198.51.100.7"),
        ("10.1.2.3, 10.1.2.4", "10.1.2.3"),
        ("198.51.100.7, unknown", "192.0.2.1"),
        ("198.51.100.7, unknown, 10.1.2.3", "10.1.2.3"),
        ("", "192.0.2.1"),
        ("," * 10_000, "192.0.2.1"),
        ("[", "192.0.2.1"),
    ],
)  # fmt: skip
def test_the_last_address_that_is_no_proxy(told: str | list[str], address: str) -> None:
    assert caller(small_gate(BEHIND), x_forwarded_for=told).address == address


def test_the_scheme_that_the_proxy_tells() -> None:
    gate = small_gate(BEHIND)
    assert caller(gate, x_forwarded_proto="https").scheme == "https"
    assert caller(gate, x_forwarded_proto="http, HTTPS").scheme == "https"
    assert caller(gate, x_forwarded_proto=["https", "http"]).scheme == "http"
    assert caller(gate, x_forwarded_proto="javascript").scheme == "http"
    assert caller(gate).scheme == "http"


def test_nobody_else_is_believed() -> None:
    for gate, peer in ((small_gate(BEHIND), "203.0.113.5"), (small_gate(), "127.0.0.1")):
        told = caller(gate, peer, x_forwarded_for="198.51.100.7", x_forwarded_proto="https")
        assert told == (peer, "http")


def test_a_proxy_that_comes_over_ipv6_as_ipv4() -> None:
    assert (
        caller(small_gate(BEHIND), "::ffff:10.0.0.1", x_forwarded_for="198.51.100.7").address
        == "198.51.100.7"
    )


def test_requests_are_told_the_right_address_and_links() -> None:
    _, _, body = ask(small_gate(BEHIND), x_forwarded_for="198.51.100.7", x_forwarded_proto="https")
    assert json.loads(body) == {"address": "198.51.100.7", "url": "https://table.example/api/me"}
    _, _, body = ask(small_gate(), x_forwarded_for="198.51.100.7", x_forwarded_proto="https")
    assert json.loads(body) == {"address": "192.0.2.1", "url": "http://table.example/api/me"}


def test_everybody_behind_the_proxy_has_an_allowance_of_their_own() -> None:
    gate = small_gate(BEHIND, requests_per_second=0.5)
    statuses = [ask(gate, x_forwarded_for=f"198.51.100.{n}")[0] for n in (7, 7, 7, 8)]
    assert statuses == [200, 200, 429, 200]
    assert ask(gate, x_forwarded_for="198.51.100.200, 198.51.100.7")[0] == 429


def test_the_origin_is_that_of_the_page_behind_the_proxy() -> None:
    gate = small_gate(BEHIND)
    assert ask(gate, x_forwarded_proto="https", origin="https://table.example")[0] == 200
    assert ask(gate, x_forwarded_proto="https", origin="http://table.example")[0] == 403
    headers = Headers(
        {"host": "table.example", "origin": "https://table.example", "x-forwarded-proto": "https"}
    )
    assert gate.refuses_upgrade(("192.0.2.1", 1), headers, "/api/rooms/r/socket") is None
    assert gate.refuses_upgrade(("203.0.113.5", 1), headers, "/api/rooms/r/socket") is not None


def test_cookies_are_secure_where_the_page_is(tmp_path: Path) -> None:
    def cookie(server: Server, proto: str) -> str:
        request = urllib.request.Request(f"http://{server.host}/api/guest", b'{"name": "Anna"}')
        request.add_header("Content-Type", "application/json")
        request.add_header("X-Forwarded-Proto", proto)
        with urllib.request.urlopen(request) as response:
            return str(response.headers["Set-Cookie"])

    with Server(sqlite_in(tmp_path), *QUICK, "--proxy", "127.0.0.1") as running:
        assert "Secure" in cookie(running, "https")
        assert "Secure" not in cookie(running, "http")
