"""JSON of a fixed shape, written from numbers: for what is told so often that building it would cost more
than the rules."""

import json
from collections.abc import Iterable
from typing import Any

NUMBER = [*map(str, range(1000)), *map(str, range(-1000, 0))]  # by the number itself, from -1000 to 999
BOOL = ["false", "true"]


def texts(names: Iterable[str]) -> list[str]:
    """What numbers stand for, as JSON has it; NONE, which is -1, is null."""
    return [*map(json.dumps, names), "null"]


class Shape:
    """
    >>> shape = Shape({"goal": 7, "phase": texts(["main", "over"]), "held": (NUMBER, NUMBER), "dry": BOOL})
    >>> shape.write([1, 7, -2, 0])
    '{"goal":7,"phase":"over","held":[7,-2],"dry":false}'
    """

    def __init__(self, given: Any) -> None:
        """A list of texts, or whatever else has one for each number, is a place for a number; the rest stays
        as it is."""
        self.tables: list[Any] = []
        self.text = self._text(given)

    def _text(self, given: Any) -> str:
        if isinstance(given, dict):
            return (
                "{" + ",".join(f"{json.dumps(key)}:{self._text(part)}" for key, part in given.items()) + "}"
            )
        if isinstance(given, tuple):
            return "[" + ",".join(map(self._text, given)) + "]"
        if isinstance(given, str | int) or given is None:
            return json.dumps(given).replace("%", "%%")
        self.tables.append(given)
        return "%s"

    def write(self, numbers: list[int]) -> str:
        """The numbers in the order of their places; those that are too many are for somebody else."""
        return self.text % tuple([table[n] for table, n in zip(self.tables, numbers, strict=False)])
