"""Values with their intervals, one under the other. On a phone the labels stand over their lines."""

from collections.abc import Sequence

from coyote.lab.figures import Bars, Known, Measure, mean_of, span_of
from coyote.text import Words

from .axes import Scale, extent, known
from .letters import fitted, named, widest
from .shared import (
    LABELS,
    SIZE,
    SMALL,
    WIDE,
    Drawn,
    Tick,
    all_values,
    axis_title,
    coloured,
    cut,
    labels_below,
    legend,
    mark,
    ticks_across,
    title_below,
    upright_line,
    value_at,
)
from .svg import LINE, at, line, lines, tag, text


def draw_bars(figure: Bars, words: Words, room: float) -> Drawn:
    key = legend(figure.series, room, mark)
    top = key.height + (20.0 if figure.reference_label else 6.0)
    scale = scale_of(figure, words, room)
    rows, bottom = "", top
    for n, label in enumerate(figure.labels):
        row = bar_row(figure, n, label, scale, bottom, room, words)
        rows, bottom = rows + row.shapes, bottom + row.height
    axis = axis_below(ticks_across(scale, room, figure.measure, words), top, bottom)
    if figure.reference is not None:
        axis += upright_line(scale(figure.reference), top, bottom, figure.reference_label, room)
    middle = (scale.start + scale.end) / 2
    below = title_below(axis_title(figure.axis, figure.measure, words), middle, bottom + 18, room)
    return Drawn(key.shapes + axis + rows + below.shapes, bottom + 22 + below.height)


def scale_of(figure: Bars, words: Words, room: float) -> Scale:
    """Between the labels and the numbers."""
    wide = room >= WIDE
    values = all_values(figure.series)
    numbers = [value_said(value, figure.measure, words, wide) for value in known(values)]
    left = min(widest(map(named, figure.labels), SIZE), LABELS) + 14 if wide else 8.0
    low, high = extent(values, figure.measure, figure.reference)
    return Scale(low, high, left, room - widest(numbers, SMALL) - 14)


def value_said(value: Known | float, measure: Measure, words: Words, whole: bool) -> str:
    return measure.whole(value, words) if whole else measure.say(mean_of(value), words)


def axis_below(marks: Sequence[Tick], top: float, bottom: float) -> str:
    """Thin lines through all rows, with their numbers beneath."""
    rules = "".join(f"M{at(x)} {at(top)}V{at(bottom)}" for x, _ in marks)
    return (tag("path", d=rules, class_="grid") if rules else "") + labels_below(marks, bottom + 15)


def bar_row(figure: Bars, n: int, label: str, scale: Scale, y: float, room: float, words: Words) -> Drawn:
    wide = room >= WIDE
    each = 24.0 if len(figure.series) == 1 else 19.0
    taken = each * len(figure.series)
    shown = fitted(named(label), scale.start - 14 if wide else room, SIZE, 2 if wide else 1)
    height = max(taken, len(shown) * SIZE * LINE) + 6 if wide else taken + 22
    first = y + (height - taken) / 2 if wide else y + 20
    made = line(0, y, room, y, "rule") if n else ""
    made += cut(label, lines(0, y + height / 2 if wide else y + 11, shown, SIZE, "halo"), " ".join(shown))
    for k, one in enumerate(figure.series):
        value, middle = value_at(one, n), first + (k + 0.5) * each
        if value is not None:
            made += coloured(k, bar(scale, middle, value, k))
            made += text(room, middle + 4, value_said(value, figure.measure, words, wide), "small", "end")
    return Drawn(made, height)


def bar(scale: Scale, y: float, value: Known | float, n: int) -> str:
    low, high = span_of(value)
    whisker = interval(scale, y, low, high) if low < high else ""
    return whisker + mark(scale(mean_of(value)), y, n)


def interval(scale: Scale, y: float, low: float, high: float) -> str:
    """A line with ends; where it goes on beyond the picture, an arrow."""
    left, right = scale(low), scale(high)
    start = f"M{at(left)} {at(y - 4)}v8" if scale.has(low) else f"M{at(left + 5)} {at(y - 4)}l-5 4 5 4"
    end = f"M{at(right)} {at(y - 4)}v8" if scale.has(high) else f"M{at(right - 5)} {at(y - 4)}l5 4-5 4"
    return tag("path", d=f"{start}M{at(left)} {at(y)}H{at(right)}{end}", class_="whisker")
