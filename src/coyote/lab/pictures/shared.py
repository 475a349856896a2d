"""What all pictures are put together from: marks, legends, axes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from coyote.lab.figures import Measure, Series, Value
from coyote.text import Words

from .axes import Scale, known, said, ticks
from .letters import fitted, named, widest, width
from .svg import LINE, SIZES, at, line, tag, text, title

WIDE, NARROW = 680.0, 340.0
SIZE, SMALL = SIZES[""], SIZES["small"]
LABELS = 190.0  # the widest that labels beside a picture get
COLOURS = 8
MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",  # circle
    "M-3.6-3.6h7.2v7.2h-7.2z",  # square
    "M0-5 5 0 0 5-5 0z",  # diamond
    "M0-4.8 4.6 3.6h-9.2z",  # triangle
    "M0 4.8 4.6-3.6h-9.2z",  # triangle, its point below
    "M-4-2.4-2.4-4 0-1.6 2.4-4 4-2.4 1.6 0 4 2.4 2.4 4 0 1.6-2.4 4-4 2.4-1.6 0z",  # slanting cross
    "M-1.3-4.6h2.6v3.3h3.3v2.6h-3.3v3.3h-2.6v-3.3h-3.3v-2.6h3.3z",  # upright cross
    "M-4.6 0-2.3-4h4.6L4.6 0 2.3 4h-4.6z",  # hexagon
)


@dataclass(frozen=True)
class Drawn:
    """A part of a picture, and how high it is."""

    shapes: str = ""
    height: float = 0.0


Draw = Callable[[Any, Words, float], Drawn]
Tick = tuple[float, str]
"""Where it is, and what is written there."""


# ---------------------------------------------------------------- series


def mark(x: float, y: float, n: int) -> str:
    """The mark of the n-th series; those beyond the last colour are hollow."""
    kind = "mark hollow" if n >= COLOURS else "mark"
    return tag("path", d=MARKS[n % COLOURS], transform=f"translate({at(x)} {at(y)})", class_=kind)


def coloured(n: int, shapes: str) -> str:
    """Shapes in the colour of the n-th series."""
    return tag("g", shapes, class_=f"s{n % COLOURS}") if shapes else ""


def legend(series: Sequence[Series], room: float, key: Callable[[float, float, int], str]) -> Drawn:
    """What the series are, in as many rows as it takes; one alone needs no telling."""
    if len(series) < 2:
        return Drawn()
    shapes, x, y = "", 0.0, 12.0
    for n, one in enumerate(series):
        shown = fitted(named(one.name), room - 24, SIZE)[0]
        taken = 24 + width(shown, SIZE)
        if x and x + taken > room:
            x, y = 0.0, y + 20
        shapes += coloured(n, key(x + 9, y - 4, n)) + cut(one.name, text(x + 24, y, shown), shown)
        x += taken + 16
    return Drawn(shapes, y + 12)


def cut(full: str, shapes: str, shown: str) -> str:
    """A text of which something is missing tells all of it to a pointer that rests there."""
    return shapes if shown == named(full) else tag("g", title(full) + shapes)


def shown_names(series: Sequence[Series]) -> list[str]:
    return [one.name for one in series if one.name]


def all_values(series: Iterable[Series]) -> list[Value]:
    return [value for one in series for value in one.values]


def value_at(one: Series, n: int) -> Value:
    """None also where a series ends early, and for what is no number."""
    return next(known([one.values[n]]), None) if n < len(one.values) else None


# ---------------------------------------------------------------- axes


def apart(marks: Sequence[Tick], room: float) -> bool:
    """Whether centred labels keep their distance from each other and from the edge."""
    edges = [(x - width(label, SMALL) / 2, x + width(label, SMALL) / 2) for x, label in marks]
    inside = all(left >= 0 and right <= room for left, right in edges)
    return inside and all(one[1] + 8 <= two[0] for one, two in zip(edges, edges[1:], strict=False))


def ticks_across(scale: Scale, room: float, measure: Measure, words: Words, least: float = 0.0) -> list[Tick]:
    """Of an axis that goes from left to right, as many as there is room for."""
    found: list[Tick] = []
    for most in range(10, 1, -1):
        marks = ticks(scale.low, scale.high, most, least)
        found = [(scale(one), label) for one, label in zip(marks, said(marks, measure, words), strict=True)]
        if apart(found, room):
            return found
    return found[:1]


def ticks_up(low: float, high: float, most: int, measure: Measure, words: Words) -> list[Tick]:
    marks = ticks(low, high, most)
    return list(zip(marks, said(marks, measure, words), strict=True))


def labels_below(marks: Sequence[Tick], y: float) -> str:
    return "".join(text(x, y, label, "small dim", "middle") for x, label in marks)


def upright_axis(marks: Sequence[Tick], down: Scale, left: float, right: float) -> str:
    """Thin lines through the whole picture, with their numbers at the left."""
    rules = "".join(f"M{at(left)} {at(down(one))}H{at(right)}" for one, _ in marks)
    labels = "".join(text(left - 8, down(one) + 4, label, "small dim", "end") for one, label in marks)
    return (tag("path", d=rules, class_="grid") if rules else "") + labels


def axis_title(axis: str, measure: Measure, words: Words) -> str:
    """Differences of shares say what they are."""
    if measure.kind != "points":
        return axis
    return words("report.in_points", axis=axis) if axis else words("report.points")


def title_below(axis: str, middle: float, y: float, room: float) -> Drawn:
    """Under an axis, within the picture."""
    if not axis:
        return Drawn()
    shown = fitted(axis, room, SMALL, 2)
    half = widest(shown, SMALL) / 2
    middle = min(max(middle, half), room - half)
    rows = (text(middle, y + 12 + n * SMALL * LINE, one, "small", "middle") for n, one in enumerate(shown))
    return Drawn("".join(rows), len(shown) * SMALL * LINE + 4)


def upright_line(x: float, top: float, bottom: float, label: str, room: float) -> str:
    """The line of reference, and over its upper end what it is."""
    shown = fitted(label, room, SMALL, bold=True)[0]
    half = width(shown, SMALL, bold=True) / 2
    middle = min(max(x, half), room - half)
    return line(x, top - 2, x, bottom, "ref") + text(middle, top - 7, shown, "small ref-label", "middle")


def slanting(label: str, x: float, y: float, room: float, anchor: str = "") -> str:
    """Half-way upright, which takes a label of any length."""
    shown = fitted(named(label), room, SMALL)[0]
    turned = tag("g", text(0, 0, shown, "small", anchor), transform=f"translate({at(x)} {at(y)})rotate(-45)")
    return cut(label, turned, shown)
