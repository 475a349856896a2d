"""A short run of tools/table_hostile.py; the long one is `make soak`."""

import json
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "table_hostile.py"


def test_hostile_messages_harm_nobody() -> None:
    command = [sys.executable, TOOL, "--messages", "2500", "--rate", "400", "--crowds", "6", "--seed", "7"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout[-3000:], done.stderr[-3000:])
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["messages"] >= 2500 and len(found["by_kind"]) == 6
    assert found["answers"]["room.malformed"] > 100 and found["answers"]["room.too_fast"] > 10
    assert found["others"]["moves"] > 5 and found["others"]["pings"] > 30
    assert found["server_MB"] - found["server_MB_before"] < 60
