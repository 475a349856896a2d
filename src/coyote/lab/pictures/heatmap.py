"""A matrix drawn as cells with their numbers. The names of its rows stay in sight when it is scrolled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from coyote.lab.figures import HeatMap, Known, Measure, mean_of, span_of
from coyote.text import Words

from .axes import known
from .letters import fits, fitted, named, widest, width
from .shared import SIZE, SMALL, cut, slanting
from .svg import SIZES, box, drawing, lines, safe, tag, text, title

TINY = SIZES["tiny"]
STEPS = 7  # of colour on each side of the middle
FEW, MANY = 12, 20  # columns: up to these each cell has its interval, or all its digits
MOST_TOLD = 400  # cells; in a larger matrix a resting pointer is told nothing, for the table has it all
NAMES = 128.0  # pixels for the names of rows, at most
COLUMNS = 132.0  # and for those of columns, along their slant
LEAST_REACH = 0.02  # of a share: lest chance alone be painted in the strongest colours


@dataclass(frozen=True)
class Cells:
    """How large they are, what is written in them, and how far below the top they begin."""

    width: float
    height: float
    measure: Measure
    intervals: bool
    slanted: bool
    head: float


@dataclass(frozen=True)
class Cell:
    x: float
    y: float
    row: str
    column: str
    value: Known | float | None
    colour: str


def draw_heat_map(figure: HeatMap, words: Words) -> str:
    cells = cells_for(figure, words)
    height = cells.head + len(figure.rows) * cells.height + 2
    over = COLUMNS * 0.71 if cells.slanted else 0.0
    placed = list(placed_cells(figure, cells))
    inside = column_names(figure, cells) + painted(placed, cells) + written(placed, cells, words)
    if len(placed) <= MOST_TOLD:
        inside += told(placed, cells, figure.measure, words)
    across = max(len(figure.columns) * cells.width + over, width(figure.column_title, SMALL)) + 2
    matrix = drawing(across, height, inside, figure.title, about(figure, words))
    region = f'class="map" role="group" tabindex="0" aria-label="{safe(figure.title)}"'
    return f"<div {region}>{row_names(figure, cells, height)}{matrix}</div>{colour_key(figure, words)}"


def about(figure: HeatMap, words: Words) -> str:
    """The two ends, in words."""
    found = [
        (mean_of(value), row, column)
        for row, values in zip(figure.rows, figure.cells, strict=True)
        for column, value in zip(figure.columns, values, strict=True)
        if value is not None and isfinite(mean_of(value))
    ]
    if not found:
        return words("report.see_table")
    ends = [
        f"{figure.measure.say(mean, words)} ({row} · {column})"
        for mean, row, column in (min(found), max(found))
    ]
    return words("report.ends", low=ends[0], high=ends[1])


# ---------------------------------------------------------------- sizes


def cells_for(figure: HeatMap, words: Words) -> Cells:
    """The more there are, the less is written in each."""
    n = len(figure.columns)
    values = [value for row in figure.cells for value in known(row)]
    digits = figure.measure.digits if n <= MANY else max(figure.measure.digits - 1, 0)
    measure = Measure(figure.measure.kind, digits, figure.measure.signed)
    numbers = widest((measure.plain(mean_of(value), words) for value in values), size_for(n)) + 10
    intervals = n <= FEW and any(has_interval(value) for value in values)
    spans = widest((interval_said(value, measure, words) for value in values), TINY) + 8 if intervals else 0.0
    least = min(max(500 / max(n, 1), 46), 86) if n <= FEW else 26
    wide = max(numbers, spans, least)
    slanted = not all(fits(name, wide - 6, SMALL, 2) for name in figure.columns)
    head = min(widest(map(named, figure.columns), SMALL), COLUMNS) * 0.71 + 20 if slanted else 36.0
    head += 18 if figure.column_title else 0
    return Cells(wide, 42 if n <= FEW else 25, measure, intervals, slanted, head)


def size_for(columns: int) -> float:
    return SIZE if columns <= FEW else SMALL


def has_interval(value: Known | float) -> bool:
    low, high = span_of(value)
    return low < high and isfinite(high - low)


def interval_said(value: Known | float, measure: Measure, words: Words) -> str:
    return measure.span(*span_of(value), words) if has_interval(value) else ""


# ---------------------------------------------------------------- names


def row_names(figure: HeatMap, cells: Cells, height: float) -> str:
    size = size_for(len(figure.columns))
    shown = [fitted(named(name), NAMES, size, 2 if cells.height > 40 else 1) for name in figure.rows]
    corner = fitted(figure.row_title, NAMES, SMALL)[0]
    left = max([*(widest(one, size) for one in shown), width(corner, SMALL)]) + 10
    made = text(0, cells.head - 8, corner, "small dim")
    for n, (full, one) in enumerate(zip(figure.rows, shown, strict=True)):
        middle = cells.head + (n + 0.5) * cells.height
        made += cut(full, lines(0, middle, one, size, "" if size == SIZE else "small"), " ".join(one))
    return drawing(left, height, made, class_="names")


def column_names(figure: HeatMap, cells: Cells) -> str:
    made = text(0, 12, figure.column_title, "small dim")
    for n, name in enumerate(figure.columns):
        middle = (n + 0.5) * cells.width
        if cells.slanted:
            made += slanting(name, middle + 2, cells.head - 8, COLUMNS)
        else:
            shown = fitted(named(name), cells.width - 6, SMALL, 2)
            made += lines(middle, cells.head - 18, shown, SMALL, "small", "middle")
    return made


# ---------------------------------------------------------------- cells


def placed_cells(figure: HeatMap, cells: Cells) -> Iterator[Cell]:
    reach = reach_of(figure)
    for n, row in enumerate(figure.cells):
        for k, given in enumerate(row):
            value = next(known([given]), None)
            colour = "none" if value is None else colour_of(mean_of(value), figure.middle, reach)
            x, y = k * cells.width, cells.head + n * cells.height
            yield Cell(x, y, figure.rows[n], figure.columns[k], value, colour)


def reach_of(figure: HeatMap) -> float:
    """How far from the middle the strongest colour is."""
    if figure.reach:
        return figure.reach
    far = [abs(mean_of(value) - figure.middle) for row in figure.cells for value in known(row)]
    return max([*far, LEAST_REACH if figure.measure.kind != "number" else 0.0]) or 1.0


def colour_of(value: float, middle: float, reach: float) -> str:
    return colour_class(round(min(max((value - middle) / reach, -1.0), 1.0) * STEPS))


def colour_class(number: int) -> str:
    """`l7` is furthest below the middle, `m` the middle, `h7` furthest above."""
    return "m" if number == 0 else f"{'l' if number < 0 else 'h'}{abs(number)}"


def shape(cell: Cell, cells: Cells) -> str:
    return box(cell.x + 0.5, cell.y + 0.5, cells.width - 1, cells.height - 1)


def by_colour(placed: Sequence[Cell]) -> dict[str, list[Cell]]:
    found: dict[str, list[Cell]] = {}
    for cell in placed:
        found.setdefault(cell.colour, []).append(cell)
    return found


def painted(placed: Sequence[Cell], cells: Cells) -> str:
    """All cells of one colour are one shape, which keeps a large matrix small."""
    return "".join(
        tag("path", d="".join(shape(cell, cells) for cell in same), class_=f"cell {colour}")
        for colour, same in by_colour(placed).items()
    )


def written(placed: Sequence[Cell], cells: Cells, words: Words) -> str:
    """The numbers, those on one colour together."""
    size = "" if cells.height > 40 else " small"
    return "".join(
        tag(
            "g",
            "".join(number(cell, cells, words) for cell in same),
            class_=f"on {colour}{size}",
            text_anchor="middle",
        )
        for colour, same in by_colour(placed).items()
    )


def number(cell: Cell, cells: Cells, words: Words) -> str:
    x, y = cell.x + cells.width / 2, cell.y + cells.height / 2
    if cell.value is None:
        return text(x, y + 4, "·")
    interval = interval_said(cell.value, cells.measure, words) if cells.intervals else ""
    shown = text(x, y + (-1 if interval else 4), cells.measure.plain(mean_of(cell.value), words))
    return shown + text(x, y + 13, interval, "tiny")


def told(placed: Sequence[Cell], cells: Cells, measure: Measure, words: Words) -> str:
    """What a pointer learns that rests on a cell."""
    return "".join(
        tag(
            "path",
            title(f"{cell.row} · {cell.column}: {measure.whole(cell.value, words)}"),
            d=shape(cell, cells),
            class_="told",
        )
        for cell in placed
        if cell.value is not None
    )


def colour_key(figure: HeatMap, words: Words) -> str:
    """What the colours mean."""
    reach, each = reach_of(figure), 17.0
    numbers = range(-STEPS, STEPS + 1)
    across = len(numbers) * each
    boxes = "".join(
        tag("path", d=box(n * each, 0, each, 12), class_=f"cell {colour_class(number)}")
        for n, number in enumerate(numbers)
    )
    low, middle, high = (figure.measure.say(figure.middle + far, words) for far in (-reach, 0.0, reach))
    labels = text(0, 27, low, "small dim") + text(across / 2, 27, middle, "small dim", "middle")
    return drawing(across, 32, boxes + labels + text(across, 27, high, "small dim", "end"), class_="key")


# ---------------------------------------------------------------- colours

# From blue to orange, which everybody can tell apart: by day to dark ends over sand, by night to bright ones.
ENDS = {"light": ("#0f4c8a", "#f4ecdc", "#a33c06"), "dark": ("#86c2fd", "#35314f", "#ffa45c")}
INKS = ("#000000", "#ffffff")


def heat_css(theme: str) -> str:
    """Every step's colour, and that of the numbers on it: whichever is read better."""
    low, middle, high = ENDS[theme]
    made = ""
    for number in range(-STEPS, STEPS + 1):
        colour = mixed(middle, low if number < 0 else high, abs(number) / STEPS)
        ink = max(INKS, key=lambda ink: contrast(ink, colour))
        made += f".{colour_class(number)}{{--cell:{colour};--on:{ink}}}"
    return made


def mixed(one: str, other: str, part: float) -> str:
    """Between two colours, in steps that look even (linear light under a cube root)."""
    pairs = zip(channels(one), channels(other), strict=True)
    roots = [a ** (1 / 3) * (1 - part) + b ** (1 / 3) * part for a, b in pairs]
    return "#" + "".join(f"{round(255 * shown(root**3)):02x}" for root in roots)


def channels(colour: str) -> list[float]:
    """Red, green and blue as light."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def shown(light: float) -> float:
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def contrast(one: str, other: str) -> float:
    """As the accessibility guidelines reckon it: 4.5 is enough for small letters."""
    lights = sorted(
        sum(c * w for c, w in zip(channels(x), (0.2126, 0.7152, 0.0722), strict=True)) for x in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)
