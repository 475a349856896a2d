"""Everything that can be got at from an object, to show that there is no secret in it."""

from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

PLAIN = (str, bytes, int, float, complex, bool, type(None), type, ModuleType, BuiltinFunctionType, np.generic)


def reachable(*roots: Any) -> Iterator[Any]:
    """The objects and all that hangs on them by attributes, items and closures; not what modules have."""
    waiting, seen = list(roots), {}
    while waiting:
        found = waiting.pop()
        if id(found) not in seen:
            seen[id(found)] = found  # keeps it alive, so that its id stays its own
            yield found
            waiting += parts(found)


def parts(found: Any) -> list[Any]:
    if isinstance(found, np.void):
        return [found[name] for name in found.dtype.names or ()]
    if isinstance(found, np.ndarray):
        return list(found) if found.ndim > 1 or found.dtype.names or found.dtype.hasobject else []
    if isinstance(found, PLAIN):
        return []
    if isinstance(found, MethodType):
        return [found.__self__, found.__func__]
    if isinstance(found, FunctionType):
        return [*(cell.cell_contents for cell in found.__closure__ or ()), *(found.__defaults__ or ())]
    if isinstance(found, dict):
        return [*found.keys(), *found.values()]
    if isinstance(found, list | tuple | set | frozenset):
        return list(found)
    slots = [name for kind in type(found).__mro__ for name in getattr(kind, "__slots__", ())]
    return (
        [*vars(found).values()]
        if hasattr(found, "__dict__")
        else [getattr(found, name) for name in slots if hasattr(found, name)]
    )


def as_list(found: Any) -> list[Any] | None:
    """A list of plain things, to compare with; None for what is none."""
    if isinstance(found, np.ndarray) and found.ndim == 1 and not found.dtype.names:
        return list(found.tolist())
    if isinstance(found, list | tuple) and all(isinstance(one, str | int) for one in found):
        return list(found)
    return None


def begins_with(found: list[Any], secret: list[Any]) -> bool:
    """Arrays have room behind what they hold."""
    return found[: len(secret)] == secret
