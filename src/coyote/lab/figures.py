"""What a report shows: numbers, what they are called and how they are said. `pictures.py` draws them.

Every figure also is a table: `figure.table(words)`. All texts are given as they are to be read, in the
language of the report; they need not be escaped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Literal, Protocol

from coyote.text import Words

MOST_ROWS = 60  # of the table under a histogram


class Known(Protocol):
    """A number and how well it is known."""

    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


Value = Known | float | None
"""A plain number is known exactly; None was not measured."""


def mean_of(value: Known | float) -> float:
    return float(value) if isinstance(value, int | float) else float(value.mean)


def span_of(value: Known | float) -> tuple[float, float]:
    """From where to where it may be."""
    if isinstance(value, int | float):
        return float(value), float(value)
    return float(value.low), float(value.high)


# ---------------------------------------------------------------- how numbers are said


@dataclass(frozen=True)
class Measure:
    """How numbers are said: a `share` 0.534 as 53.4 %, a difference of shares 0.012 as +1.2 `points`."""

    kind: Literal["number", "share", "points"] = "number"
    digits: int = 1
    signed: bool = False

    @property
    def factor(self) -> float:
        return 1.0 if self.kind == "number" else 100.0

    def plain(self, value: float, words: Words) -> str:
        """Without its unit: `53.4`, `−1,2`."""
        if not isfinite(value):
            return {inf: "∞", -inf: "−∞"}.get(value, "–")
        scaled = round(value * self.factor, self.digits) + 0.0  # no −0
        sign = "−" if scaled < 0 else "+" if scaled > 0 and (self.signed or self.kind == "points") else ""
        return sign + words.number(abs(scaled), f",.{self.digits}f")

    def say(self, value: float, words: Words) -> str:
        """With its unit: `53.4 %`."""
        plain = self.plain(value, words)
        return f"{plain}\u00a0%" if self.kind == "share" and isfinite(value) else plain

    def span(self, low: float, high: float, words: Words) -> str:
        """`51.9–54.9`; with signs in it `−0.3 to +2.7`."""
        said = self.plain(low, words), self.plain(high, words)
        if any(one[0] in "+−" for one in said):
            return words("report.span", low=said[0], high=said[1])
        return "–".join(said)

    def whole(self, value: Known | float, words: Words) -> str:
        """With its interval, where it has one: `53.4 % (51.9–54.9)`."""
        low, high = span_of(value)
        said = self.say(mean_of(value), words)
        return said if low == high else f"{said} ({self.span(low, high, words)})"


NUMBER = Measure()
COUNT = Measure(digits=0)
SHARE = Measure("share")
POINTS = Measure("points")


# ---------------------------------------------------------------- tables


@dataclass(frozen=True)
class Link:
    text: str
    address: str


Cell = str | Link | Value


@dataclass(frozen=True)
class Column:
    """`measure` says the numbers in it; texts stand as they are."""

    title: str
    measure: Measure = NUMBER


@dataclass(frozen=True)
class Table:
    """The first cell of each row is what the row is about."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    def table(self, words: Words) -> "Table":
        return self


# ---------------------------------------------------------------- pictures


@dataclass(frozen=True)
class Series:
    """One thing that is shown throughout a figure: a value for each of its labels."""

    name: str
    values: Sequence[Value]


@dataclass(frozen=True)
class HeatMap:
    """A matrix: what the row gets against the column. Colours tell above from below the middle.

    `reach` is how far from the middle the colours are strongest; without it, as far as the values go.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Value]]
    measure: Measure = SHARE
    middle: float = 0.5
    reach: float | None = None
    row_title: str = ""
    column_title: str = ""
    note: str = ""

    def table(self, words: Words) -> Table:
        columns = [Column(self.row_title), *(Column(name, self.measure) for name in self.columns)]
        rows = [[name, *row] for name, row in zip(self.rows, self.cells, strict=True)]
        return Table(self.title, columns, rows, self.note)


@dataclass(frozen=True)
class Bars:
    """Values with their intervals, one line for each label, and a line that they are compared with."""

    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    measure: Measure = SHARE
    reference: float | None = None
    reference_label: str = ""
    axis: str = ""
    label_title: str = ""
    note: str = ""

    def table(self, words: Words) -> Table:
        columns = [Column(self.label_title), *columns_of(self.series, self.measure, self.axis, words)]
        return Table(self.title, columns, across(self.labels, self.series), self.note)


@dataclass(frozen=True)
class Curves:
    """How values go along with what was varied: numbers, or words in their order."""

    title: str
    along: Sequence[float | str]
    series: Sequence[Series]
    measure: Measure = SHARE
    reference: float | None = None
    reference_label: str = ""
    axis: str = ""
    along_axis: str = ""
    note: str = ""

    def table(self, words: Words) -> Table:
        columns = [Column(self.along_axis), *columns_of(self.series, self.measure, self.axis, words)]
        labels = [one if isinstance(one, str) else along_said(one, words) for one in self.along]
        return Table(self.title, columns, across(labels, self.series), self.note)


@dataclass(frozen=True)
class Histogram:
    """How often each whole number came: the values of a series are counts, that of `start` first.

    `width` of them are taken together, if more than one.
    """

    title: str
    start: int
    series: Sequence[Series]
    axis: str = ""
    note: str = ""
    width: int = 1

    def table(self, words: Words) -> Table:
        wider = self.binned(MOST_ROWS)
        labels = [wider.label(k, words) for k in range(longest(wider.series))]
        columns = [Column(self.axis), *columns_of(self.series, COUNT, words("report.games"), words)]
        return Table(self.title, columns, across(labels, wider.series), self.note)

    def label(self, k: int, words: Words) -> str:
        first = self.start + k * self.width
        ends = {first, first + self.width - 1}
        return "–".join(words.number(end) for end in sorted(ends))

    def binned(self, most: int) -> "Histogram":
        """With no more than so many columns: neighbours are added up."""
        needed = -(-longest(self.series) // most)
        width = next(step * 10**k for k in range(9) for step in (1, 2, 5) if step * 10**k >= needed)
        if width == 1:
            return self
        start = self.start - self.start % width
        series = [Series(one.name, summed(one.values, self.start - start, width)) for one in self.series]
        return replace(self, start=start, series=series, width=width)


def summed(counts: Sequence[Value], before: int, width: int) -> list[float]:
    padded = [0.0] * before + [0.0 if count is None else mean_of(count) for count in counts]
    return [sum(padded[k : k + width]) for k in range(0, len(padded), width)]


@dataclass(frozen=True)
class Parts:
    """What something is made of: for each label the shares of all series, which make up the whole."""

    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    label_title: str = ""
    note: str = ""

    def table(self, words: Words) -> Table:
        columns = [Column(self.label_title), *columns_of(self.series, SHARE, "", words)]
        return Table(self.title, columns, across(self.labels, self.series), self.note)


Figure = HeatMap | Bars | Curves | Histogram | Parts | Table


def columns_of(series: Sequence[Series], measure: Measure, otherwise: str, words: Words) -> list[Column]:
    """One for each series; one without a name is called what its axis is."""
    return [Column(one.name or otherwise or words("report.value"), measure) for one in series]


def along_said(value: float, words: Words) -> str:
    """As short as it can be: `7`, `0.25`."""
    return words.number(value, ",.6g") if value % 1 else words.number(value, ",.0f")


def longest(series: Sequence[Series]) -> int:
    return max((len(one.values) for one in series), default=0)


def across(labels: Sequence[str], series: Sequence[Series]) -> list[list[Cell]]:
    """A row for each label; a series that is shorter has nothing there."""
    return [[label, *row] for label, row in zip(labels, _rows(series, len(labels)), strict=True)]


def _rows(series: Sequence[Series], n: int) -> Iterator[list[Value]]:
    for k in range(n):
        yield [one.values[k] if k < len(one.values) else None for one in series]
