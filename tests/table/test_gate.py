"""What is let in: names and origins, rates, bodies; and how long a connection may do nothing."""

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from coyote.table import http_protocol
from coyote.table.limits import Bucket, Buckets, Connections, Limits, Sockets, client_key, per_minute
from table.kit_gate import PATIENCE, Served, ask, everything, serving, small_gate
from table.kit_inside import Inside
from table.kit_table import Guest, sqlite_in

GET = b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n"


def code(answer: bytes) -> str:
    return str(json.loads(answer)["code"])


# ---------------------------------------------------------------- how much is allowed


def test_a_bucket_tells_how_long_to_wait() -> None:
    bucket = Bucket(2, 4)
    assert [bucket.take(0) for _ in range(4)] == [0, 0, 0, 0]
    assert bucket.take(0) == pytest.approx(0.5)
    assert bucket.take(0.5) == 0
    assert bucket.take(0.5, 3) == pytest.approx(1.5)
    assert bucket.take(100, 50) == 0, "what costs more than all there is takes all there is"
    assert bucket.take(100) == pytest.approx(0.5)


def test_newcomers_flush_nobodys_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Buckets, "MOST", 100)
    monkeypatch.setattr(Buckets, "SHARED", 10)
    buckets = Buckets(0.1, 1)
    assert buckets.take("greedy", 0) == 0
    for number in range(10_000):
        buckets.take(f"newcomer {number}", 0.001)
    assert len(buckets._found) <= 110
    assert buckets.take("greedy", 0.002) > 9


def test_buckets_that_are_full_again_are_cleared_a_few_at_a_time() -> None:
    buckets = Buckets(10, 1)
    for number in range(1000):
        buckets.take(str(number), 0)
    for number in range(600):
        before = len(buckets._found)
        buckets.take("somebody", 100 + number)
        assert before - len(buckets._found) <= 2
    assert len(buckets._found) <= 2


def test_an_address_counts_as_its_household() -> None:
    assert (
        client_key("2001:db8:0:1::1") == client_key("2001:db8:0:1:ffff::2") != client_key("2001:db8:0:2::1")
    )
    assert client_key("::ffff:192.0.2.7") == client_key("192.0.2.7") == "192.0.2.7"
    assert client_key("") == "" and client_key("testclient") == "testclient"


def test_sockets_of_one_household_count_together() -> None:
    sockets = Sockets(Limits(sockets_per_address=2))
    for number in (1, 2):
        sockets.add("", f"2001:db8::{number}")
    assert sockets.refuses("", "2001:db8::3")
    sockets.remove("", "2001:db8::1")
    assert not sockets.refuses("", "2001:db8::3")


def test_files_take_nothing_from_whoever_plays() -> None:
    gate = small_gate(requests_per_second=2, files_per_second=20)
    assert [ask(gate, "/static/a.js")[0] for _ in range(150)] == [200] * 150
    assert ask(gate)[0] == 200


def test_who_asks_too_much_is_told_when_to_come_again() -> None:
    gate = small_gate(requests_per_second=0.5)
    found = [ask(gate) for _ in range(4)]
    assert [status for status, _, _ in found] == [200, 200, 429, 429]
    _, headers, body = found[-1]
    assert 1 <= int(headers["retry-after"]) <= 2 and headers["retry-after"] in json.loads(body)["text"]
    assert ask(gate, client="192.0.2.2")[0] == 200


def test_a_household_of_ipv6_has_one_allowance() -> None:
    gate = small_gate(requests_per_second=0.5)
    statuses = [ask(gate, client=f"2001:db8::{number:x}")[0] for number in range(1, 6)]
    assert statuses == [200, 200, 429, 429, 429]


def test_what_costs_much_has_a_limit_of_its_own() -> None:
    gate = small_gate(replays_per_minute=3)
    statuses = [ask(gate, "/api/rooms/r/replay")[0] for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert ask(gate)[0] == 200


def test_whoever_goes_on_is_made_to_wait_and_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    gate = small_gate(requests_per_second=0.1)
    found = [ask(gate) for _ in range(100)]
    assert "connection" not in found[10][1] and found[-1][1]["connection"] == "close"
    assert slept and len(slept) < 50


def test_a_denial_from_within_has_its_header() -> None:
    status, headers, _ = ask(small_gate(), "/api/busy")
    assert (status, headers["retry-after"]) == (429, "3")


# ---------------------------------------------------------------- names, origins


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "", "http://table.example:x", "ä"])
def test_an_origin_that_is_none_is_refused(origin: str) -> None:
    status, _, body = ask(small_gate(), origin=origin)
    assert (status, code(body)) == (403, "room.origin")


def test_an_origin_is_compared_with_its_scheme_and_port() -> None:
    gate = small_gate()
    assert ask(gate, origin="http://table.example")[0] == 200
    assert ask(gate, origin="http://TABLE.example:80")[0] == 200
    for other in ("https://table.example", "http://table.example:81", "http://table.example.evil"):
        assert ask(gate, origin=other)[0] == 403
    assert ask(gate, origin=["http://table.example", "http://evil.example"])[0] == 403


@pytest.mark.parametrize("host", ["evil.example", "x@table.example", "[", "table.example/x", ""])
def test_a_host_that_is_not_ours_is_refused(host: str) -> None:
    assert ask(small_gate(), host=host)[0] == 421
    assert ask(small_gate(), host=["table.example", "evil.example"])[0] == 421


def test_sockets_are_let_in_by_the_same_rules() -> None:
    gate = small_gate(opens_per_minute=2)

    def refused(path: str = "/api/rooms/r/socket", **headers: str) -> int | None:
        found = gate.refuses_upgrade(("192.0.2.1", 1), Headers({"host": "table.example"} | headers), path)
        return found[0] if found else None

    assert refused(origin="http://[") == 403
    assert refused(origin="https://table.example") == 403
    assert refused(host="evil.example") == 421
    assert refused("/api/rooms/r/other") == 404
    assert [refused(), refused(), refused()] == [None, None, 429]


# ---------------------------------------------------------------- bodies


@pytest.mark.parametrize("coding", ["chunked", "CHUNKED", "Chunked", "gzip, chunked", "identity", ""])
def test_a_body_without_a_length_is_refused(coding: str) -> None:
    status, headers, body = ask(small_gate(), "/api/guest", "POST", [b"{}"], transfer_encoding=coding)
    assert (status, code(body), headers["connection"]) == (411, "room.no_length", "close")


def test_bytes_are_counted_whatever_was_said_of_them() -> None:
    pieces = [b'{"a":"', *[b"x" * 10_000] * 30, b'"}']
    status, headers, body = ask(small_gate(), "/api/guest", "POST", pieces, content_length="10")
    assert (status, code(body), headers["connection"]) == (413, "room.too_long", "close")


def test_only_what_changes_something_has_a_body() -> None:
    gate = small_gate()
    assert ask(gate, "/api/me", "GET", [b"{}"], content_length="2")[0] == 413
    assert ask(gate, "/api/guest", "POST", [b"{}"], content_length="2")[0] == 200
    long = b'{"set":"%s"}' % (b"x" * 100_000)
    assert ask(gate, "/api/guest", "POST", [long], content_length=str(len(long)))[0] == 413
    assert ask(gate, "/api/rooms", "POST", [long], content_length=str(len(long)))[0] == 200
    for nonsense in ("9" * 5000, "-1", "", "1e3"):
        assert ask(gate, "/api/guest", "POST", [b"{}"], content_length=nonsense)[0] == 413


@pytest.mark.parametrize(
    "body", [b"[" * 15_000, b'{"a":' * 3000, b'{"a": "\xff"}', b'{"a": ' + b"9" * 5000 + b"}"]
)
def test_what_is_no_json_is_told_so(body: bytes) -> None:
    status, _, answer = ask(small_gate(), "/api/guest", "POST", [body], content_length=str(len(body)))
    assert status in (400, 422) and code(answer) in ("room.no_json", "room.malformed")


# ---------------------------------------------------------------- connections


def wait_for(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_refused_body_is_not_read_on_and_its_answer_arrives() -> None:
    with serving(small_gate()) as served, served.connect() as connection:
        connection.sendall(
            b"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: CHUNKED\r\n\r\n"
        )
        sent = 0
        try:
            while sent < 200_000_000:
                connection.sendall(b"100000\r\n" + b"x" * 0x100000 + b"\r\n")
                sent += 0x100000
        except OSError:
            pass
        assert sent < 20_000_000
    with serving(small_gate()) as served, served.connect() as connection:
        length = 400_000
        connection.sendall(
            b"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % length
        )
        connection.sendall(b"x" * length)
        assert everything(connection).startswith(b"HTTP/1.1 413 ")


def test_connections_of_one_address_have_a_number() -> None:
    with serving(small_gate(connections_per_address=5)) as served:
        held = [served.connect() for _ in range(5)]
        wait_for(lambda: served.gate.connections.open == 5)
        assert served.say(GET).startswith(b"HTTP/1.1 429 ")
        held.pop().close()
        wait_for(lambda: served.gate.connections.open == 4)
        with served.connect() as connection:
            connection.sendall(GET)
            assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
        for one in held:
            one.shutdown(socket.SHUT_WR)  # half of the way is closed: the connection is over
            one.close()
        wait_for(lambda: served.gate.connections.open == 0)
        assert not served.gate.connections.of_address


def test_a_socket_counts_until_it_is_closed(tmp_path: Path) -> None:
    with Inside(sqlite_in(tmp_path)).running() as inside:
        anna = Guest(inside, "Anna")  # type: ignore[arg-type]
        room = anna.make(game="madness")["room"]
        gate: Any = inside.server.config.app
        connections = gate.connections
        wait_for(lambda: connections.open == 0)
        seat = anna.sit(room)
        assert connections.open == 1 and connections.of_address == {"127.0.0.1": 1}
        seat.close()
        wait_for(lambda: connections.open == 0)
        address = f"ws://{inside.host}/api/rooms/{room}/socket"
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=Origin("http://[")):
            pass
        assert refused.value.response.status_code == 403
        gate.opens = per_minute(1)
        with connect(address):
            pass
        with pytest.raises(InvalidStatus) as refused, connect(address):
            pass
        assert refused.value.response.status_code == 429
        assert int(refused.value.response.headers["Retry-After"]) > 10
        wait_for(lambda: connections.open == 0)


def test_connections_of_a_proxy_are_not_counted() -> None:
    with serving(small_gate(("127.0.0.1",), connections_per_address=1)) as served:
        held = [served.connect() for _ in range(3)]
        wait_for(lambda: served.gate.connections.open == 3)
        held[-1].sendall(GET)
        assert held[-1].recv(100).startswith(b"HTTP/1.1 200 ")
        for one in held:
            one.close()


SLOW = {
    "nothing": b"",
    "half a header": b"GET /api/me HTTP/1.1\r\nHost: local",
    "empty lines": b"\r\n\r\n",
    "half a body": b"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{",
    "an answered request": GET,
    "half a second request": GET + b"GET ",
}


@pytest.fixture(scope="module")
def impatient() -> Iterator[Served]:
    with serving(small_gate(header_seconds=1, body_seconds=1, idle_seconds=1)) as served:
        yield served


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_nobody_is_waited_for_for_ever(impatient: Served, text: bytes) -> None:
    before = time.monotonic()
    answer = impatient.say(text)
    assert time.monotonic() - before < PATIENCE / 2
    assert answer.startswith(b"HTTP/1.1 200 " if text.startswith(GET) else b"HTTP/1.1 408 ")


def test_drops_of_a_header_do_not_prolong_it(impatient: Served) -> None:
    with impatient.connect() as connection, pytest.raises(OSError):
        connection.sendall(b"GET /api/me HTTP/1.1\r\n")
        for _ in range(int(PATIENCE)):
            time.sleep(0.3)
            connection.sendall(b"A: b\r\n")


def test_who_does_not_read_the_answer_is_dropped(impatient: Served) -> None:
    with impatient.connect() as connection:
        connection.sendall(b"GET /api/large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: impatient.gate.connections.open == 1)
        wait_for(lambda: impatient.gate.connections.open == 0)


def test_an_answer_that_takes_long_is_waited_for(impatient: Served) -> None:
    answer = impatient.say(b"GET /api/wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ") and answer.endswith(b'"done"')


def test_headers_without_end_are_cut_off() -> None:
    with serving(small_gate()) as served:
        many = b"".join(b"A%d: b\r\n" % number for number in range(1000))
        assert b" 400 " in served.say(b"GET /api/me HTTP/1.1\r\n" + many)
        with served.connect() as connection:
            try:
                connection.sendall(b"GET /api/me HTTP/1.1\r\nA: ")
                for _ in range(1000):
                    connection.sendall(b"x" * 10_000)
            except OSError:
                return
            raise AssertionError("10 MB of a header were taken")


def test_requests_ahead_of_their_answers_have_a_number() -> None:
    with serving(small_gate()) as served:
        ahead = b"GET /api/wait HTTP/1.1\r\nHost: localhost\r\n\r\n"
        assert b" 400 " in served.say(ahead * (http_protocol.MOST_WAITING + 3))
        with served.connect() as connection:
            connection.sendall(GET * 3)
            found = b""
            while found.count(b"HTTP/1.1 200 ") < 3:
                found += connection.recv(65_536)


def test_the_count_of_connections_is_kept_by_household() -> None:
    connections = Connections(Limits(connections_per_address=1))
    assert connections.add("a") and not connections.add("a") and connections.add("b")
    assert connections.add("") and connections.add(""), "those without an address are not counted by it"
    for who in ("a", "b", "", ""):
        connections.remove(who)
    assert connections.open == 0 and not connections.of_address


def test_who_lifts_one_limit_lifts_those_that_it_needs() -> None:
    usual = Limits()
    lifted = Limits(sockets_per_address=10 * usual.sockets_per_address)
    assert lifted.connections_per_address == 10 * usual.connections_per_address
    assert lifted.opens_per_minute == 10 * usual.opens_per_minute
    assert Limits(sockets_per_address=2).connections_per_address == usual.connections_per_address
    assert Limits(connections_per_address=1).connections_per_address == 1
