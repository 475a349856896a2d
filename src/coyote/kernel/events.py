"""What happened, as rows of numbers (kind, seat, a, b). What they mean is the game's business."""

from typing import Any

import numpy as np

from coyote.kernel.jit import rule
from coyote.kernel.record import new, record_dtype

ROOM = 64  # more than any single choice can cause

LOG = record_dtype([("n", np.int64), ("room", np.int64), ("rows", np.int16, (ROOM, 4))])


def new_log() -> Any:
    log = new(LOG)
    log.room = ROOM
    return log


def silent_log() -> Any:
    """A log that notes nothing, for play where nobody listens."""
    return new(LOG)


def take_rows(log: Any) -> list[list[int]]:
    """The rows noted so far, as lists; the log is empty again."""
    n = int(log["n"])
    rows: list[list[int]] = log["rows"][:n].tolist()
    log["n"] = 0
    return rows


@rule
def note(log, kind, seat, a, b):
    if log.n < log.room:
        log.rows[log.n, 0] = kind
        log.rows[log.n, 1] = seat
        log.rows[log.n, 2] = a
        log.rows[log.n, 3] = b
        log.n += 1
