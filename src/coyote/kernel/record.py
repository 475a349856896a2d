"""Records: the shape of a state, the same attribute style compiled and not."""

from types import SimpleNamespace
from typing import Any

import numpy as np

Field = tuple[str, Any] | tuple[str, Any, Any]


def record_dtype(fields: list[Field]) -> np.dtype[Any]:
    """An aligned record type whose fields read as `s.name` in both modes.

    A field that shares its name with a method of `np.record` would work compiled and break
    uncompiled, so such names are refused here.
    """
    clashes = [field[0] for field in fields if hasattr(np.record, field[0])]
    if clashes:
        raise ValueError(f"np.record already has {', '.join(clashes)}: choose other field names")
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new(dtype: np.dtype[Any]) -> Any:
    """One blank record that compiled code can write to."""
    return np.zeros(1, dtype)[0]


def plain(record: Any) -> SimpleNamespace:
    """A record's fields as plain Python numbers and lists: quick to read many of, no use to write."""
    values = [value.tolist() if type(value) is np.ndarray else value for value in record.item()]
    return SimpleNamespace(**dict(zip(record.dtype.names, values, strict=True)))
