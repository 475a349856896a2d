"""`coyote` as tests start it: nothing stands back behind the rest of the machine, or is given up soon.

    cd tests && python -m kit.brisk table --port 0

At a table bots, sets and weighings get what time is left, and no more than people would wait. Beside other
tests no time is left, and whatever waits for them would fail for that.
"""

import sys
from importlib import import_module
from typing import Any

LONG = 300.0  # seconds


PART = ("-c", "from kit.brisk import run_part; run_part()")


def run_part() -> None:
    """A process that a server starts, by the name of its module."""
    part: Any = import_module(sys.argv.pop(1))
    part.KINDNESS = 0
    part.main()


def be_brisk() -> None:
    """For a process that is going to be a server."""
    if sys.argv[1:2] != ["table"]:
        return
    from functools import partial

    from coyote.table import server, set_reader, thinking, weighing

    thinking.KINDNESS = 0
    server.SetReader = partial(set_reader.SetReader, seconds=LONG)  # type: ignore[assignment, attr-defined]
    set_reader.STARTING = LONG
    set_reader.PROGRAM = (*PART, "coyote.table.set_trial")
    weighing.LONGEST = weighing.ANSWERING = LONG
    weighing.START = PART


if __name__ == "__main__":
    be_brisk()
    from coyote.cli.main import main

    main()
