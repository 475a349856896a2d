"""What happened, as rows of numbers (kind, seat, a, b). What they mean is the game's business."""

from functools import cache
from typing import Any

import numpy as np

from coyote.kernel.jit import rule
from coyote.kernel.record import new, record_dtype

USUAL_CAPACITY = 64  # rows; a game whose single choices can cause more asks for more


@cache
def log_dtype(capacity: int) -> np.dtype[Any]:
    return record_dtype([("n", np.int64), ("capacity", np.int64), ("rows", np.int32, (capacity, 4))])


def new_log(capacity: int = USUAL_CAPACITY) -> Any:
    log = new(log_dtype(capacity))
    log.capacity = capacity
    return log


def silent_log(capacity: int = USUAL_CAPACITY) -> Any:
    """A log that notes nothing, for play where nobody listens."""
    return new(log_dtype(capacity))


def blank(log: Any, first: int = 0) -> Any:
    """The same log, empty; it leaves out as many events as `first` says, and notes those after them."""
    log["n"] = -first
    return log


def take_rows(log: Any) -> list[list[int]]:
    """The rows noted so far, as lists; the log is empty again."""
    n = min(int(log["n"]), int(log["capacity"]))
    rows: list[list[int]] = log["rows"][:n].tolist()
    log["n"] = 0
    return rows


def overflowed(log: Any) -> bool:
    """Whether more happened than there was capacity to note."""
    return bool(log["n"] > log["capacity"])


class LogFull(Exception):
    """One choice had more events than there was capacity for; nothing has changed.

    The log holds the first of them. It does not grow, for each size is a type of its own to the compiler:
    do the same again with a log that leaves out those (`blank`).
    """


@rule
def note(log, kind, seat, a, b):
    if log.capacity == 0:
        return
    if 0 <= log.n < log.capacity:
        log.rows[log.n, 0] = kind
        log.rows[log.n, 1] = seat
        log.rows[log.n, 2] = a
        log.rows[log.n, 3] = b
    log.n += 1
