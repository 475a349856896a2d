"""Records: the shape of a state, the same attribute style compiled and not."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from math import prod
from struct import Struct, calcsize
from types import SimpleNamespace
from typing import Any

import numpy as np

Field = tuple[str, Any] | tuple[str, Any, Any]
NUMBERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]  # as NumPy calls them, and as `struct` does
LETTERS = dict(zip(NUMBERS, "bhiqBHIQ", strict=True))


class _Bytes:
    """Where a record's bytes are, for those that were not made by `first`."""

    def __get__(self, record: Any, kind: Any = None) -> Any:
        return self if record is None else np.void.data.__get__(record)


class Row(np.void):  # type: ignore[misc]
    """One record: its fields read and write as attributes.

    Compiled code asks a record for its `data` at every call, and NumPy would describe all fields anew each
    time, which takes longer than most rules; `first` has the record remember where its bytes are.
    """

    data = _Bytes()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except (ValueError, KeyError, IndexError):
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except (KeyError, IndexError):
            raise AttributeError(name) from None


def record_dtype(fields: list[Field]) -> np.dtype[Any]:
    """An aligned record type whose fields read as `s.name` in both modes.

    A field that shares its name with a method of `Row` would work compiled and break uncompiled, so such
    names are refused here.
    """
    clashes = [field[0] for field in fields if hasattr(Row, field[0])]
    if clashes:
        raise ValueError(f"a record already has {', '.join(clashes)}: choose other field names")
    return np.dtype((Row, np.dtype(fields, align=True)))


def new(dtype: np.dtype[Any]) -> Any:
    """One blank record that compiled code can write to."""
    return over(bytearray(dtype.itemsize), dtype)


def over(buffer: bytearray, dtype: np.dtype[Any]) -> Any:
    """The record that these bytes are."""
    record = np.frombuffer(buffer, dtype)[0]
    record.__dict__["data"] = buffer
    return record


def same(record: Any) -> Any:
    """A copy. NumPy's own goes through every field and takes five times as long."""
    return over(bytearray(record.tobytes()), record.dtype)


def blank(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """An array of one blank record, for compiled code that writes to arrays, and that record."""
    buffer = bytearray(dtype.itemsize)
    records = np.frombuffer(buffer, dtype)
    record = records[0]
    record.__dict__["data"] = buffer
    return records, record


def first(records: Any) -> Any:
    """The first record of an array."""
    record = records[0]
    record.__dict__["data"] = memoryview(records[:1].view(np.uint8))
    return record


def plain(record: Any) -> SimpleNamespace:
    """A record's fields as plain Python numbers and lists: quick to read many of, no use to write."""
    return _reader(record.dtype)(record.tobytes())


@cache
def _reader(dtype: np.dtype[Any]) -> Callable[[bytes], SimpleNamespace]:
    """All numbers are unpacked at once and dealt out by an expression that is written once for each type."""
    layout, parts, numbers = "=", [], count()
    for name in dtype.names or ():
        kind, start = dtype.fields[name][:2]  # type: ignore[index]
        base, shape = kind.subdtype or (kind, ())
        layout += f"{start - calcsize(layout)}x{prod(shape)}{LETTERS[base.str[1:]]}"
        parts.append(f"{name}={_written(shape, numbers)}")
    read: Callable[[tuple[int, ...]], SimpleNamespace]
    read = eval(f"lambda n: SimpleNamespace({', '.join(parts)})", {"SimpleNamespace": SimpleNamespace})
    unpack = Struct(layout).unpack_from
    return lambda data: read(unpack(data))


def _written(shape: tuple[int, ...], numbers: Iterator[int]) -> str:
    """The next numbers, as lists within lists: `[n[4], n[5]]`."""
    if not shape:
        return f"n[{next(numbers)}]"
    return "[" + ", ".join(_written(shape[1:], numbers) for _ in range(shape[0])) + "]"
