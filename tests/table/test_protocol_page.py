"""`docs/protocol.md` says what is: every message with every field, every request, every code."""

import re
import subprocess
import sys
from pathlib import Path
from types import UnionType
from typing import get_args

import msgspec
import pytest
from fastapi import FastAPI

from coyote.table import wire
from coyote.table.hall import Hall
from coyote.table.server import make_app
from coyote.table.store import Store
from coyote.text.words import messages
from table.kit_table import PATIENCE, Server, sqlite_in

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "table_client.py"
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def sections(heading: str) -> dict[str, list[str]]:
    """The messages of one direction, each with its fields in the order of the page."""
    part = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    (text,) = [one for one in part if one.startswith(heading)]
    found = re.split(r"^### `(\w+)`$", text, flags=re.MULTILINE)[1:]
    rows = [re.findall(r"^\| `(\w+)` \|", body, flags=re.MULTILINE) for body in found[1::2]]
    return dict(zip(found[::2], rows, strict=True))


def messages_of(union: UnionType) -> dict[str, list[str]]:
    found = {}
    for kind in get_args(union):
        info = msgspec.inspect.type_info(kind)
        assert isinstance(info, msgspec.inspect.StructType)
        found[str(info.tag)] = [field.encode_name for field in info.fields]
    return found


@pytest.mark.parametrize(
    ("heading", "union"),
    [("From the client", wire.FromClient), ("From the server", wire.FromServer)],
)
def test_every_message_is_on_the_page(heading: str, union: UnionType) -> None:
    assert {name: sorted(fields) for name, fields in sections(heading).items()} == {
        name: sorted(fields) for name, fields in messages_of(union).items()
    }


def test_every_code_is_on_the_page() -> None:
    said = set(re.findall(r"^\| `room\.(\w+)` \|", PAGE, flags=re.MULTILINE))
    command = {"listening", "no_start", "no_limit"}  # of `coyote table` itself, as the next ones are
    command |= {"newer_database", "no_driver", "workers_sqlite", "inner"}
    assert said == set(messages("en")["room"]) - command


def test_every_request_is_on_the_page(tmp_path: Path) -> None:
    store = Store(sqlite_in(tmp_path))
    try:
        app = make_app(Hall(store)).app
        assert isinstance(app, FastAPI)
        paths = app.openapi()["paths"]
    finally:
        store.close()
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    said = set(re.findall(r"^\| `((?:GET|POST|PUT|DELETE) [^`]+)` \|", PAGE, flags=re.MULTILINE))
    assert said == there


def test_the_example_plays_a_whole_game(tmp_path: Path) -> None:
    with Server(sqlite_in(tmp_path)) as running:
        played = subprocess.run(
            [sys.executable, EXAMPLE, f"http://{running.host}/"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert re.match("won|lost|drawn", played.stdout), played.stderr


def test_the_example_is_at_most_a_page() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 75
