"""Sums of rows, sixteen numbers at once: the same to the last bit as their meaning in plain Python."""

from typing import Any

import numpy as np
import pytest

from coyote.kernel import lanes
from coyote.kernel.jit import plain, rule
from coyote.kernel.lanes import AT_ONCE, LANES, ROWS, add_rows, add_table, add_whole_rows
from coyote.kernel.record import new, record_dtype

WIDTH, HEIGHT, MOST = (AT_ONCE + 1) * LANES, 40, 24  # in two lots
WIDER = (2 * AT_ONCE + 3) * LANES
ROOM = record_dtype(
    [
        ("table", np.float32, (HEIGHT, WIDTH)),
        ("rows", np.int64, MOST),
        ("worths", np.float32, HEIGHT),
        ("out", np.float32, WIDTH),
        ("whole", np.int16, (HEIGHT, WIDER)),
        ("whole_out", np.int16, WIDER),
    ]
)


@rule
def some_rows(x: Any, n: Any) -> None:
    add_rows(x.out, x.table, x.rows, x.worths, n)


@rule
def all_rows(x: Any) -> None:
    add_table(x.out, x.table, x.worths)


@rule
def some_whole_rows(x: Any, n: Any) -> None:
    add_whole_rows(x.whole_out, x.whole, x.rows, n)


def filled(seed: int) -> Any:
    x, luck = new(ROOM), np.random.default_rng(seed)
    for name in ("table", "worths", "out"):
        x[name][...] = luck.normal(size=x[name].shape)
    for name in ("whole", "whole_out"):
        x[name][...] = luck.integers(-9_000, 9_000, x[name].shape)
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


@pytest.mark.parametrize("n", [0, 1, 3, MOST])
def test_whole_rows_are_added_and_stay_at_the_end_of_what_there_is(n: int) -> None:
    ours, meant = filled(n), filled(n)
    some_whole_rows(ours, n)
    lanes._add_whole_rows(meant.whole_out, meant.whole, meant.rows, n)
    assert ours.tobytes() == meant.tobytes()
    exact = filled(n).whole_out + meant.whole[meant.rows[:n]].astype(np.int64).sum(axis=0)
    inside = np.abs(ours.whole_out.astype(np.int64)) < 32_767
    assert n > 1 or (ours.whole_out == exact).all()
    assert n < MOST or 0 < inside.sum() < WIDER  # some sums have reached an end


def test_in_plain_python_it_means_the_same() -> None:
    ours, meant = filled(2), filled(2)
    some_rows(ours, MOST)
    plain(some_rows)(meant, MOST)
    some_whole_rows(ours, MOST)
    plain(some_whole_rows)(meant, MOST)
    assert ours.tobytes() == meant.tobytes()
