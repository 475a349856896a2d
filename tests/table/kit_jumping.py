"""`coyote` on a machine whose wall clock is set while it runs: by the seconds that stand in a file.

JUMP=FILE python -m table.kit_jumping table --port 0
"""

import os
import time
from pathlib import Path

_real, _jump = time.time_ns, Path(os.environ.get("JUMP", ""))


def wall_clock() -> int:
    return _real() + int(_jump.read_text()) * 1_000_000_000


if __name__ == "__main__":
    time.time_ns = wall_clock
    time.time = lambda: wall_clock() / 1e9

    from coyote.cli.main import main

    main()
