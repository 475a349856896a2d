"""The JSON API as its own description has it, asked everything that schemathesis can think of.

COYOTE_EXAMPLES=500 asks so many times for each path, as `make soak` does.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from table.kit_table import PATIENCE, Server, sqlite_in, well

EXAMPLES = os.environ.get("COYOTE_EXAMPLES", "12")
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

ROOMS = [("madness", "bot"), ("duel", "bot"), ("madness", "open"), ("duel", "link"), ("madness", "self")]


def settings(rooms: list[str]) -> str:
    """A finished game everywhere, but one to join where one can join, and one to ask in."""
    one = '[[operations]]\ninclude-path = "/api/rooms/{{room}}/{}"\nparameters = {{"path.room" = "{}"}}\n'
    usual = f'[parameters]\n"path.room" = "{rooms[0]}"\n'
    return usual + one.format("join", rooms[3]) + one.format("hint", rooms[1])


def test_no_request_breaks_the_server(tmp_path: Path) -> None:
    with Server(sqlite_in(tmp_path)) as running:
        anna = running.guest("Anna")
        rooms = [anna.make(game=game, opponent=opponent)["room"] for game, opponent in ROOMS]
        seat = anna.sit(rooms[0])
        seat.ready()
        seat.do("resign")
        (tmp_path / "schemathesis.toml").write_text(settings(rooms))
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"http://{running.host}/openapi.json"]
        command += [
            "--checks",
            CHECKS,
            "--max-examples",
            EXAMPLES,
            "--seed",
            "1",
            "--phases",
            "examples,fuzzing",
        ]
        command += ["--header", f"Cookie: {anna.cookie}", "--no-color", "--request-timeout", "60"]
        command += ["--exclude-path", "/api/me/sign-out-everywhere"]  # or all that follows is a stranger's
        long = PATIENCE + 10 * int(EXAMPLES)
        asked = subprocess.run(command, capture_output=True, text=True, timeout=long, cwd=tmp_path)
        assert asked.returncode == 0, asked.stdout[-4000:] + asked.stderr[-1000:]
        assert well(anna)["ok"]
        logged = running.stop()
    assert not [line for line in logged.splitlines() if json.loads(line)["level"] == "error"]
