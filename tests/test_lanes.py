"""Sums of rows, sixteen numbers at once: the same to the last bit as their meaning in plain Python."""

from typing import Any

import numpy as np
import pytest

from coyote.kernel import lanes
from coyote.kernel.jit import plain, rule
from coyote.kernel.lanes import LANES, ROWS, add_rows, add_table
from coyote.kernel.record import new, record_dtype

WIDTH, HEIGHT, MOST = 3 * LANES, 40, 24
ROOM = record_dtype(
    [
        ("table", np.float32, (HEIGHT, WIDTH)),
        ("rows", np.int64, MOST),
        ("worths", np.float32, HEIGHT),
        ("out", np.float32, WIDTH),
    ]
)


@rule
def some_rows(x: Any, n: Any) -> None:
    add_rows(x.out, x.table, x.rows, x.worths, n)


@rule
def all_rows(x: Any) -> None:
    add_table(x.out, x.table, x.worths)


def filled(seed: int) -> Any:
    x, luck = new(ROOM), np.random.default_rng(seed)
    for name in ("table", "worths", "out"):
        x[name][...] = luck.normal(size=x[name].shape)
    x.rows[:] = luck.integers(0, HEIGHT, MOST)
    return x


@pytest.mark.parametrize("n", [0, ROWS, 3 * ROWS, MOST])
def test_rows_are_added_in_lanes_as_one_by_one(n: int) -> None:
    ours, meant = filled(n), filled(n)
    some_rows(ours, n)
    lanes._add_rows(meant.out, meant.table, meant.rows, meant.worths, n)
    assert ours.tobytes() == meant.tobytes()
    assert n == 0 or ours.tobytes() != filled(n).tobytes()
    close = filled(n).out + meant.worths[:n] @ meant.table[meant.rows[:n]]
    assert np.allclose(ours.out, close, atol=1e-4)


def test_a_whole_table_is_added_as_all_its_rows() -> None:
    ours, meant = filled(1), filled(1)
    all_rows(ours)
    lanes._add_table(meant.out, meant.table, meant.worths)
    assert ours.tobytes() == meant.tobytes()
    assert np.allclose(ours.out, filled(1).out + meant.worths @ meant.table, atol=1e-4)


def test_in_plain_python_it_means_the_same() -> None:
    ours, meant = filled(2), filled(2)
    some_rows(ours, MOST)
    plain(some_rows)(meant, MOST)
    assert ours.tobytes() == meant.tobytes()
