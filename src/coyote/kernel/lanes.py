"""Sums of rows of a table, sixteen numbers of a row at once: what a layer of a small net is made of.

Numba would go through memory for every row; here the sums stay in registers until the last row is added,
which is three times as fast. The additions are the same ones in the same order on every machine, so the sums
are the same to the last bit. Indices are not checked. Rows of whole numbers take half of the room and an
eighth of the instructions.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types

from coyote.kernel.jit import emitted

LANES = 16  # the length of a row is a multiple of it
ROWS = 4  # added at once; their number is a multiple of it
AT_ONCE = 6  # lanes whose sums fit into the registers; of a longer row as many are summed, and then the next

INDEX, NUMBER, WHOLE = ir.IntType(64), ir.FloatType(), ir.IntType(16)
LANE, WHOLE_LANE = ir.VectorType(NUMBER, LANES), ir.VectorType(WHOLE, LANES)
ADD_UP_TO_THE_END = ir.FunctionType(WHOLE_LANE, [WHOLE_LANE] * 2), f"llvm.sadd.sat.v{LANES}i16"


def _add_rows(out: Any, table: Any, rows: Any, worths: Any, n: Any) -> None:
    """Add so much of each of the first n rows named, n being a multiple of ROWS."""
    for i in range(0, n, ROWS):
        a, b, c, d = (worths[k] * table[rows[k]] for k in range(i, i + ROWS))
        out += (a + b) + (c + d)


def _add_table(out: Any, table: Any, worths: Any) -> None:
    """Add so much of each row of a table, whose number of rows is a multiple of ROWS."""
    _add_rows(out, table, np.arange(len(table)), worths, len(table))


def _add_whole_rows(out: Any, table: Any, rows: Any, n: Any) -> None:
    """Add the first n rows named, of int16; what would be too much or too little for one stays at its end."""
    ends = np.iinfo(np.int16)
    for k in range(n):
        out[:] = np.clip(out.astype(np.int32) + table[rows[k]], ends.min, ends.max)


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


def _emit_add_whole_rows(_typing: Any, out: Any, table: Any, rows: Any, _n: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        *arrays, n = arguments
        to, of, which = (_place(context, builder, *each) for each in zip(kinds, arrays, strict=True))
        add = cgutils.get_or_insert_function(builder.module, *ADD_UP_TO_THE_END)
        for parts in _lots(out.shape[0], 2 * AT_ONCE):
            with (
                _sums(builder, parts, to, WHOLE_LANE) as sums,
                cgutils.for_range_slice(builder, INDEX(0), n, INDEX(1)) as (i, _),
            ):
                row = builder.mul(builder.load(builder.gep(which, [i])), INDEX(out.shape[0]))
                for part, total in zip(parts, sums, strict=True):
                    lane = _numbers(builder, of, builder.add(row, INDEX(part)), WHOLE_LANE)
                    builder.store(builder.call(add, [builder.load(total), lane]), total)
        return context.get_dummy_value()

    kinds = out, table, rows
    return types.void(*kinds, types.int64), emit


def _place(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Where the numbers of an array begin."""
    return context.make_array(kind)(context, builder, array).data


def _emit_sums(
    context: Any, builder: Any, width: int, out: Any, table: Any, rows: Any, worths: Any, n: Any
) -> Any:
    """`rows` is None where all rows are added in their order."""
    for parts in _lots(width, AT_ONCE):
        with _sums(builder, parts, out, LANE) as sums:
            _emit_lot(builder, width, parts, sums, table, rows, worths, n)
    return context.get_dummy_value()


def _emit_lot(
    builder: Any, width: int, parts: range, sums: Any, table: Any, rows: Any, worths: Any, n: Any
) -> None:
    with cgutils.for_range_slice(builder, INDEX(0), n, INDEX(ROWS)) as (i, _):
        at = [builder.add(i, INDEX(k)) for k in range(ROWS)]
        named = at if rows is None else [builder.load(builder.gep(rows, [k])) for k in at]
        first = [builder.mul(row, INDEX(width)) for row in named]
        worth = [_spread(builder, builder.load(builder.gep(worths, [k]))) for k in at]
        for part, total in zip(parts, sums, strict=True):
            begin = [builder.add(row, INDEX(part)) for row in first]
            a, b, c, d = (
                builder.fmul(much, _numbers(builder, table, at, LANE))
                for much, at in zip(worth, begin, strict=True)
            )
            four = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
            builder.store(builder.fadd(builder.load(total), four), total)


def _lots(width: int, most: int) -> list[range]:
    """Where the lanes of a row begin, no more of them in a lot than there are registers for."""
    parts = range(0, width, LANES)
    assert width % LANES == 0, width
    lots = -(-len(parts) // most)
    return [parts[len(parts) * lot // lots : len(parts) * (lot + 1) // lots] for lot in range(lots)]


@contextmanager
def _sums(builder: Any, parts: range, out: Any, kind: Any) -> Iterator[Any]:
    """The lanes that begin there, in registers meanwhile."""
    sums = [cgutils.alloca_once(builder, kind) for _ in parts]
    for part, total in zip(parts, sums, strict=True):
        builder.store(_numbers(builder, out, INDEX(part), kind), total)
    yield sums
    for part, total in zip(parts, sums, strict=True):
        builder.store(builder.load(total), _lane(builder, out, INDEX(part), kind), align=2)


def _lane(builder: Any, array: Any, at: Any, kind: Any) -> Any:
    return builder.bitcast(builder.gep(array, [at]), kind.as_pointer())


def _numbers(builder: Any, array: Any, at: Any, kind: Any) -> Any:
    return builder.load(_lane(builder, array, at, kind), align=2)


def _spread(builder: Any, number: Any) -> Any:
    """The same number in all lanes."""
    nothing = ir.Constant(LANE, ir.Undefined)
    one = builder.insert_element(nothing, number, ir.IntType(32)(0))
    return builder.shuffle_vector(
        one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    )


add_rows = emitted(_emit_add_rows, _add_rows)
add_table = emitted(_emit_add_table, _add_table)
add_whole_rows = emitted(_emit_add_whole_rows, _add_whole_rows)
