"""How values go along with what was varied, as lines with bands; along words, as points with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

from coyote.lab.figures import Curves, Known, Measure, Series, Value, along_said, mean_of, span_of
from coyote.text import Words

from .axes import Scale, extent, spread
from .letters import fits, fitted, named, widest, width
from .shared import (
    COLOURS,
    SIZE,
    SMALL,
    WIDE,
    Drawn,
    Tick,
    all_values,
    apart,
    axis_title,
    coloured,
    cut,
    labels_below,
    legend,
    mark,
    slanting,
    ticks_across,
    ticks_up,
    title_below,
    upright_axis,
    value_at,
)
from .svg import LINE, at, joined, line, lines, tag, text

NAMES = 170.0  # the widest that names at the ends of curves get
SLANTED = 130.0  # and slanting words under the axis
MOST_MARKS = 24  # on a curve; more would hide it
NUMBERS = Measure(digits=6)

Point = tuple[float, Known | float]


@dataclass(frozen=True)
class Frame:
    """The field that curves are drawn in; `places` are where the varied values lie across it."""

    left: float
    right: float
    top: float
    bottom: float
    down: Scale
    places: Sequence[float]
    by_words: bool


def draw_curves(figure: Curves, words: Words, room: float) -> Drawn:
    wide = room >= WIDE
    names_at_ends = wide and len(figure.series) > 1 and not has_words(figure)
    key = Drawn() if names_at_ends else legend(figure.series, room, mark if has_words(figure) else line_key)
    head = fitted(axis_title(figure.axis, figure.measure, words), room, SMALL, 2)
    low, high = extent(all_values(figure.series), figure.measure, figure.reference)
    upright = ticks_up(low, high, 7 if wide else 6, figure.measure, words)
    left = widest((label for _, label in upright), SMALL) + 10
    right = room - (room_for_names(figure.series) if names_at_ends else 12.0)
    top = key.height + len(head) * SMALL * LINE + 12
    bottom = top + (300.0 if wide else 220.0)
    places, along = along_axis(figure, left, right, bottom, room, words)
    frame = Frame(left, right, top, bottom, Scale(low, high, bottom, top), places, has_words(figure))
    shapes = key.shapes
    shapes += "".join(text(0, key.height + 11 + n * SMALL * LINE, one, "small") for n, one in enumerate(head))
    shapes += upright_axis(upright, frame.down, left, right) + along.shapes
    shapes += drawn_series(figure, frame)
    if names_at_ends:
        shapes += end_names(figure.series, frame, room)
    below = title_below(figure.along_axis, (left + right) / 2, bottom + along.height, room)
    return Drawn(shapes + below.shapes, bottom + along.height + below.height + 4)


def line_key(x: float, y: float, n: int) -> str:
    return line(x - 9, y, x + 9, y, f"line d{n % COLOURS}") + mark(x, y, n)


def room_for_names(series: Sequence[Series]) -> float:
    """At the right of their curves."""
    return min(widest((named(one.name) for one in series), SIZE, bold=True), NAMES) + 34


def has_words(figure: Curves) -> bool:
    return any(isinstance(one, str) for one in figure.along)


# ---------------------------------------------------------------- the axis of what was varied


def along_axis(
    figure: Curves, left: float, right: float, bottom: float, room: float, words: Words
) -> tuple[list[float], Drawn]:
    """Where each of the varied values lies, and the axis that says so."""
    axis = line(left, bottom, right, bottom, "axis")
    if has_words(figure):
        each = (right - left) / len(figure.along)
        places = [left + (n + 0.5) * each for n in range(len(figure.along))]
        below = words_below([str(one) for one in figure.along], places, each, bottom)
        return places, Drawn(axis + below.shapes, below.height)
    values = [float(one) for one in figure.along]
    low, high = min(values), max(values)
    scale = Scale(low, high, left + 10, right - 10) if low < high else Scale(low - 1, low + 1, left, right)
    marks: list[Tick] = [(scale(value), along_said(value, words)) for value in values]
    if not apart(marks, room):
        marks = ticks_across(scale, room, NUMBERS, words)
    axis += tag("path", d="".join(f"M{at(x)} {at(bottom)}v4" for x, _ in marks), class_="axis")
    return [scale(value) for value in values], Drawn(axis + labels_below(marks, bottom + 17), 22.0)


def words_below(labels: Sequence[str], places: Sequence[float], each: float, bottom: float) -> Drawn:
    """Words stand side by side where they fit, and slanting where they do not."""
    if all(fits(label, each - 8, SMALL, 2) for label in labels):
        shown = [fitted(named(label), each - 8, SMALL, 2) for label in labels]
        high = max(map(len, shown)) * SMALL * LINE
        rows = (
            lines(x, bottom + 6 + SMALL * LINE * len(one) / 2, one, SMALL, "small", "middle")
            for x, one in zip(places, shown, strict=True)
        )
        return Drawn("".join(rows), high + 8)
    room = min(SLANTED, widest(map(named, labels), SMALL))
    turned = (
        slanting(label, x + 4, bottom + 13, min(room, (x - 2) * 1.41), "end")
        for label, x in zip(labels, places, strict=True)
    )
    return Drawn("".join(turned), room * 0.71 + 20)


# ---------------------------------------------------------------- series


def drawn_series(figure: Curves, frame: Frame) -> str:
    curves, points = "", []
    for n, one in enumerate(figure.series):
        placed = placed_values(one, frame, aside(n, figure, frame))
        draw = single_points if frame.by_words else curve
        curves += coloured(n, draw(placed, frame.down, n))
        points += [(x, frame.down(mean_of(value))) for x, value in placed if value is not None]
    if figure.reference is None:
        return curves
    y = frame.down(figure.reference)
    label = reference_label(figure.reference_label, frame, y, points)
    return line(frame.left, y, frame.right, y, "ref") + curves + label


def aside(n: int, figure: Curves, frame: Frame) -> float:
    """Points over one word stand side by side."""
    if not frame.by_words:
        return 0.0
    each = (frame.right - frame.left) / len(figure.along) / (len(figure.series) + 1)
    return (n - (len(figure.series) - 1) / 2) * min(11.0, each)


def placed_values(one: Series, frame: Frame, moved: float) -> list[tuple[float, Value]]:
    return [(x + moved, value_at(one, k)) for k, x in enumerate(frame.places)]


def runs(placed: Sequence[tuple[float, Value]]) -> list[list[Point]]:
    """Without the gaps where nothing was measured."""
    found: list[list[Point]] = [[]]
    for x, value in placed:
        if value is not None:
            found[-1].append((x, value))
        elif found[-1]:
            found.append([])
    return [run for run in found if run]


def curve(placed: Sequence[tuple[float, Value]], down: Scale, n: int) -> str:
    made = ""
    for run in runs(placed):
        made += stretch(run, down, n) if len(run) > 1 else upright_interval(run[0], down)
        if len(run) <= MOST_MARKS:
            made += "".join(mark(x, down(mean_of(value)), n) for x, value in run)
    return made


def stretch(run: Sequence[Point], down: Scale, n: int) -> str:
    """A line within its band."""
    spans = [(x, *span_of(value)) for x, value in run]
    upper = [(x, down(high)) for x, _, high in spans]
    lower = [(x, down(low)) for x, low, _ in reversed(spans)]
    band = tag("path", d=f"M{joined([*upper, *lower])}z", class_="band") if upper != lower[::-1] else ""
    middle = joined((x, down(mean_of(value))) for x, value in run)
    return band + tag("path", d=f"M{middle}", class_=f"line d{n % COLOURS}")


def single_points(placed: Sequence[tuple[float, Value]], down: Scale, n: int) -> str:
    """Words have nothing between them."""
    points = [point for run in runs(placed) for point in run]
    whiskers = "".join(upright_interval(point, down) for point in points)
    return whiskers + "".join(mark(x, down(mean_of(value)), n) for x, value in points)


def upright_interval(point: Point, down: Scale) -> str:
    x, (low, high) = point[0], span_of(point[1])
    if low == high:
        return ""
    ends = f"M{at(x - 3.5)} {at(down(high))}h7M{at(x - 3.5)} {at(down(low))}h7"
    return tag("path", d=f"M{at(x)} {at(down(high))}V{at(down(low))}{ends}", class_="whisker")


# ---------------------------------------------------------------- names in the field


def reference_label(label: str, frame: Frame, y: float, points: Sequence[tuple[float, float]]) -> str:
    """At that end of the line, over or under it, where it hides least."""
    shown = fitted(label, frame.right - frame.left - 12, SMALL, bold=True)[0]
    taken = width(shown, SMALL, bold=True)
    starts = (frame.left + 6, frame.right - taken - 6)
    levels = [level for level in (y - 5, y + 13) if frame.top + 10 <= level <= frame.bottom - 3] or [y - 5]

    def hidden(place: tuple[float, float]) -> int:
        x, level = place
        return sum(x - 6 <= px <= x + taken + 6 and level - 16 <= py <= level + 6 for px, py in points)

    x, level = min(((x, level) for x in starts for level in levels), key=hidden)
    return text(x, level, shown, "small ref-label halo")


def end_names(series: Sequence[Series], frame: Frame, room: float) -> str:
    """Every curve is named where it ends; a thin line leads there from a name that had to move."""
    ends = [(n, run[-1][-1]) for n, one in enumerate(series) if (run := runs(placed_values(one, frame, 0)))]
    wanted = [frame.down(mean_of(value)) for _, (_, value) in ends]
    levels = spread(wanted, SIZE * LINE + 1, frame.top + 4, frame.bottom - 4)
    made = ""
    for (n, (x, _)), y, level in zip(ends, wanted, levels, strict=True):
        shown = fitted(named(series[n].name), room - frame.right - 24, SIZE, bold=True)[0]
        made += line(x + 7, y, frame.right + 18, level, "lead")
        written = lines(frame.right + 22, level, [shown], SIZE, "own")
        made += coloured(n, cut(series[n].name, written, shown))
    return made
