"""Sums of rows of a table, sixteen numbers of a row at once: what a layer of a small net is made of.

Numba would go through memory for every row; here the sums stay in registers until the last row is added,
which is three times as fast. The additions are the same ones in the same order on every machine, so the sums
are the same to the last bit. Indices are not checked.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types

from coyote.kernel.jit import emitted

LANES = 16  # the length of a row is a multiple of it
ROWS = 4  # added at once; their number is a multiple of it

INDEX, NUMBER = ir.IntType(64), ir.FloatType()
LANE = ir.VectorType(NUMBER, LANES)


def _add_rows(out: Any, table: Any, rows: Any, worths: Any, n: Any) -> None:
    """Add so much of each of the first n rows named, n being a multiple of ROWS."""
    for i in range(0, n, ROWS):
        a, b, c, d = (worths[k] * table[rows[k]] for k in range(i, i + ROWS))
        out += (a + b) + (c + d)


def _add_table(out: Any, table: Any, worths: Any) -> None:
    """Add so much of each row of a table, whose number of rows is a multiple of ROWS."""
    _add_rows(out, table, np.arange(len(table)), worths, len(table))


def _emit_add_rows(_typing: Any, out: Any, table: Any, rows: Any, worths: Any, _n: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        *arrays, n = arguments
        to, of, which, by = (_place(context, builder, *each) for each in zip(kinds, arrays, strict=True))
        return _emit_sums(context, builder, out.shape[0], to, of, which, by, n)

    kinds = out, table, rows, worths
    return types.void(*kinds, types.int64), emit


def _emit_add_table(_typing: Any, out: Any, table: Any, worths: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, of, by = (_place(context, builder, *each) for each in zip(kinds, arguments, strict=True))
        return _emit_sums(context, builder, out.shape[0], to, of, None, by, INDEX(table.shape[0]))

    kinds = out, table, worths
    return types.void(*kinds), emit


def _place(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Where the numbers of an array begin."""
    return context.make_array(kind)(context, builder, array).data


def _emit_sums(
    context: Any, builder: Any, width: int, out: Any, table: Any, rows: Any, worths: Any, n: Any
) -> Any:
    """`rows` is None where all rows are added in their order."""
    parts = range(0, width, LANES)
    assert width % LANES == 0, width
    sums = [cgutils.alloca_once(builder, LANE) for _ in parts]
    for part, total in zip(parts, sums, strict=True):
        builder.store(_numbers(builder, out, INDEX(part)), total)
    with cgutils.for_range_slice(builder, INDEX(0), n, INDEX(ROWS)) as (i, _):
        at = [builder.add(i, INDEX(k)) for k in range(ROWS)]
        named = at if rows is None else [builder.load(builder.gep(rows, [k])) for k in at]
        first = [builder.mul(row, INDEX(width)) for row in named]
        worth = [_spread(builder, builder.load(builder.gep(worths, [k]))) for k in at]
        for part, total in zip(parts, sums, strict=True):
            begin = [builder.add(row, INDEX(part)) for row in first]
            a, b, c, d = (
                builder.fmul(much, _numbers(builder, table, at))
                for much, at in zip(worth, begin, strict=True)
            )
            four = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
            builder.store(builder.fadd(builder.load(total), four), total)
    for part, total in zip(parts, sums, strict=True):
        builder.store(builder.load(total), _lane(builder, out, INDEX(part)), align=4)
    return context.get_dummy_value()


def _lane(builder: Any, array: Any, at: Any) -> Any:
    return builder.bitcast(builder.gep(array, [at]), LANE.as_pointer())


def _numbers(builder: Any, array: Any, at: Any) -> Any:
    return builder.load(_lane(builder, array, at), align=4)


def _spread(builder: Any, number: Any) -> Any:
    """The same number in all lanes."""
    nothing = ir.Constant(LANE, ir.Undefined)
    one = builder.insert_element(nothing, number, ir.IntType(32)(0))
    return builder.shuffle_vector(
        one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    )


add_rows = emitted(_emit_add_rows, _add_rows)
add_table = emitted(_emit_add_table, _add_table)
