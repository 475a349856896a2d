"""The address for other devices is told at the machine itself, and nowhere else."""

from pathlib import Path
from typing import Any

import pytest

from coyote.table.address import is_loopback, lan_address
from table.kit_table import QUICK, Guest, Server, sqlite_in

NOTHING = {"only_here": False, "addresses": []}


def told(server: Server, **headers: str) -> Any:
    guest = Guest(server, "Anna", "none")
    return guest.ask("GET", "/api/address", **headers)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_who_sits_at_the_machine_learns_where_others_reach_it(host: str, tmp_path: Path) -> None:
    outside = lan_address()
    with Server(sqlite_in(tmp_path), *QUICK, "--host", host) as server:
        port = server.host.rpartition(":")[2]
        there = [f"http://{outside}:{port}/"] if outside else []
        wanted = {"only_here": is_loopback(host), "addresses": there}
        assert told(server) == told(server, Host=f"localhost:{port}") == wanted
        for name, value in (
            ("X-Forwarded-For", "198.51.100.7"),
            ("Forwarded", "for=198.51.100.7"),
            ("X-Real-IP", "198.51.100.7"),
            ("Via", "1.1 proxy"),
            ("Host", f"192.0.2.1:{port}"),  # a proxy hands it on as it came
        ):
            assert told(server, **{name: value}) == NOTHING, name
        if outside and host == "0.0.0.0":
            server.host = f"{outside}:{port}"
            assert told(server) == told(server, Host=f"localhost:{port}") == NOTHING


def test_nobody_behind_a_proxy_learns_it(tmp_path: Path) -> None:
    with Server(sqlite_in(tmp_path), *QUICK, "--proxy", "127.0.0.1") as server:
        assert told(server) == NOTHING
