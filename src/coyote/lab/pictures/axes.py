"""Where a number lies in a picture, and which numbers are written at its edge."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from statistics import median

from coyote.lab.figures import Known, Measure, Value, mean_of, span_of
from coyote.text import Words

STEPS = (1, 2, 5, 10)


@dataclass(frozen=True)
class Scale:
    """From the numbers low … high to the pixels start … end; what is beyond lies at the edge."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def has(self, value: float) -> bool:
        return self.low <= value <= self.high


def known(values: Iterable[Value]) -> Iterator[Known | float]:
    """Those that were measured."""
    return (value for value in values if value is not None and isfinite(mean_of(value)))


def extent(values: Iterable[Value], measure: Measure, reference: float | None = None) -> tuple[float, float]:
    """What an axis shows: all values and their intervals; one that is far wider than the others is cut."""
    found = list(known(values))
    means = [mean_of(value) for value in found] + ([] if reference is None else [reference])
    if not means:
        return 0.0, 1.0
    spans = [span_of(value) for value in found]
    usual = median([high - low for low, high in spans if isfinite(high - low)] or [0.0])
    beyond = max(4 * usual, max(means) - min(means))
    low = max(min([*means, *(low for low, _ in spans)]), min(means) - beyond)
    high = min(max([*means, *(high for _, high in spans)]), max(means) + beyond)
    if low == high:
        around = abs(low) / 2 or 1 / measure.factor
        low, high = low - around, high + around
    margin = (high - low) / 25
    low, high = low - margin, high + margin
    if measure.kind == "share":
        low, high = max(low, 0.0), min(high, 1.0)
    return low, high


def ticks(low: float, high: float, most: int, least: float = 0.0) -> list[float]:
    """Round numbers between the two, as many as may be, in steps of no less than `least`.

    >>> ticks(0.43, 0.61, 5)
    [0.45, 0.5, 0.55, 0.6]
    """
    size = 10.0 ** floor(log10(max((high - low) / most, least)))
    for step in (step * size for step in STEPS):
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        if step >= least and last - first < most:
            break
    return [round(k * step, 12) for k in range(first, last + 1)]


def said(marks: Sequence[float], measure: Measure, words: Words) -> list[str]:
    """With as many digits as tell them apart."""
    digits = next(
        (n for n in range(9) if all(is_whole(one * measure.factor * 10**n) for one in marks)), measure.digits
    )
    shown = Measure(measure.kind, digits, measure.signed)
    return [shown.say(one, words) for one in marks]


def is_whole(value: float) -> bool:
    return abs(value - round(value)) < 1e-6


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places as near as can be to those that are wanted, but none nearer than `gap` to the next.

    >>> spread([10, 11, 50], 10, 0, 100)
    [5.5, 15.5, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    groups: list[
        list[float]
    ] = []  # neighbours that touch: how many, and the sum of where they want the first
    for place in order:
        groups.append([1, float(wanted[place])])
        while len(groups) > 1 and _end(groups[-2], gap) > groups[-1][1] / groups[-1][0]:
            count, total = groups.pop()
            groups[-1] = [groups[-1][0] + count, groups[-1][1] + total - count * groups[-1][0] * gap]
    places = [total / n + k * gap for n, total in groups for k in range(int(n))]
    pushed = _pushed(places, gap, low, high)
    return [pushed[order.index(n)] for n in range(len(wanted))]


def _end(group: list[float], gap: float) -> float:
    count, total = group
    return total / count + count * gap


def _pushed(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Into the bounds, from the end and then from the start."""
    for n in range(len(places) - 1, -1, -1):
        places[n] = min(places[n], high - (len(places) - 1 - n) * gap)
    for n in range(len(places)):
        places[n] = max(places[n], low + n * gap)
    return places
