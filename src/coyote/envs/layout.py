"""What the places of an observation mean, declared once: offsets, documentation and tests follow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

MOST = 255  # of one place


class Part(NamedTuple):
    """Some places in a row that are of one kind."""

    name: str
    size: int
    most: int  # the largest value of a place
    meaning: str
    rule: str


class Parts(NamedTuple):
    """Several parts together, as often as `times` says."""

    name: str
    times: int
    parts: Sequence["Part | Parts"]
    meaning: str


class Row(NamedTuple):
    """A part with its name in full and its places: from `start` up to, not including, `stop`."""

    name: str
    start: int
    stop: int
    most: int
    meaning: str
    rule: str


Layout = Sequence[Part | Parts]


def named(layout: Layout, before: str = "") -> Iterator[tuple[str, Part]]:
    """All parts in their order; those within others as `hand.0.auto`."""
    for part in layout:
        if isinstance(part, Part):
            yield before + part.name, part
        else:
            for number in range(part.times):
                place = f".{number}" if part.times > 1 else ""
                yield from named(part.parts, f"{before}{part.name}{place}.")


def table_of(layout: Layout) -> tuple[Row, ...]:
    rows, at = [], 0
    for name, part in named(layout):
        rows.append(Row(name, at, at + part.size, part.most, part.meaning, part.rule))
        at += part.size
    return tuple(rows)


def size_of(layout: Layout) -> int:
    return sum(part.size for _, part in named(layout))


def starts_of(layout: Layout) -> Mapping[str, int]:
    """Where each part begins, also those with parts of their own."""
    starts, at = {}, 0
    for part in layout:
        starts[part.name] = at
        at += part.size if isinstance(part, Part) else part.times * size_of(part.parts)
    return starts


def most_of(table: Iterable[Row]) -> npt.NDArray[np.uint8]:
    """The largest value of each place."""
    return np.concatenate([np.full(row.stop - row.start, row.most, np.uint8) for row in table])


Line = tuple[str, str, str, str, str]


def described(layout: Layout) -> Iterator[Line]:
    """A layout for people: name, places, values, meaning, rule. Parts that come again are told once."""
    return _described(layout, 0, "", {})


def _described(layout: Layout, at: int, before: str, told: dict[int, str]) -> Iterator[Line]:
    for part in layout:
        name = f"{before}{part.name}"
        if isinstance(part, Part):
            places = str(at) if part.size == 1 else f"{at}–{at + part.size - 1}"
            yield name, places, f"0–{part.most}", part.meaning, part.rule
            at += part.size
        else:
            yield from _group(part, at, name, told)
            at += part.times * size_of(part.parts)


def _group(part: Parts, at: int, name: str, told: dict[int, str]) -> Iterator[Line]:
    size = size_of(part.parts)
    first = f"{name}.0" if part.times > 1 else name
    times = f"{part.times} × {size}: " if part.times > 1 else ""
    like = f"; with the parts of `{told[id(part.parts)]}`" if id(part.parts) in told else ""
    yield name, f"{at}–{at + part.times * size - 1}", "", f"{times}{part.meaning}{like}", ""
    if not like:
        told[id(part.parts)] = first
        yield from _described(part.parts, at, f"{first}.", told)
