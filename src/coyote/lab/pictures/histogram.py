"""How often each number came: one histogram under the other, over one axis, so that none hides another."""

from collections.abc import Sequence
from dataclasses import dataclass

from coyote.lab.figures import COUNT, SHARE, Histogram, Series, mean_of
from coyote.lab.stats import quantile
from coyote.text import Words

from .axes import Scale
from .letters import fitted, widest, width
from .shared import (
    SIZE,
    SMALL,
    WIDE,
    Drawn,
    Tick,
    coloured,
    cut,
    labels_below,
    ticks_across,
    ticks_up,
    title_below,
    upright_axis,
)
from .svg import box, line, tag, text

MOST_WIDE, MOST_NARROW = 60, 30  # columns


@dataclass(frozen=True)
class Frame:
    """What the histograms of one figure share."""

    across: Scale
    most: float
    upright: Sequence[Tick]
    high: float
    each: int  # numbers in a column


def draw_histogram(figure: Histogram, words: Words, room: float) -> Drawn:
    binned = figure.binned(MOST_WIDE if room >= WIDE else MOST_NARROW)
    shares = [shares_of(one) for one in binned.series]
    frame = frame_of(binned, shares, words, room)
    shapes, y = "", 0.0
    for n, one in enumerate(figure.series):
        head = head_of(one, figure.start, y, room, words)
        top = y + head.height
        shapes += head.shapes + columns(shares[n], n, frame, top)
        y = top + frame.high + 14
    bottom = y - 14
    left, right = frame.across.start, frame.across.end
    marks = ticks_across(frame.across, room, COUNT, words, least=1.0)
    below = title_below(figure.axis, (left + right) / 2, bottom + 18, room)
    return Drawn(shapes + labels_below(marks, bottom + 15) + below.shapes, bottom + 22 + below.height)


def shares_of(one: Series) -> list[float]:
    counts = counts_of(one)
    total = sum(counts) or 1
    return [count / total for count in counts]


def counts_of(one: Series) -> list[int]:
    return [0 if value is None else round(mean_of(value)) for value in one.values]


def frame_of(binned: Histogram, shares: Sequence[Sequence[float]], words: Words, room: float) -> Frame:
    most = max((share for one in shares for share in one), default=0.0) or 1.0
    alone = len(shares) == 1
    upright = ticks_up(0.0, most, 5 if alone else 3, SHARE, words)
    left = widest((label for _, label in upright), SMALL) + 10
    start = binned.start - 0.5
    end = start + max(*map(len, shares), 1, 1) * binned.width
    return Frame(Scale(start, end, left, room - 4), most, upright, 170.0 if alone else 84.0, binned.width)


def head_of(one: Series, start: int, y: float, room: float, words: Words) -> Drawn:
    """The name, and at the other end where the middle lies, or beneath if both are long."""
    told = fitted(spread_said(counts_of(one), start, words), room, SMALL)[0]
    name = fitted(one.name, room, SIZE, bold=True)[0]
    written = cut(one.name or name, text(0, y + 13, name, "strong"), name)
    if width(name, SIZE, bold=True) + width(told, SMALL) + 16 > room:
        return Drawn(written + text(0, y + 29, told, "small dim"), 38.0)
    return Drawn(written + text(room, y + 13, told, "small dim", "end"), 22.0)


def spread_said(counts: Sequence[int], start: int, words: Words) -> str:
    if not sum(counts):
        return words("report.nothing")
    median, low, high = (start + quantile(counts, share) for share in (0.5, 0.1, 0.9))
    return words("report.middle", median=median, low=low, high=high)


def columns(shares: Sequence[float], n: int, frame: Frame, top: float) -> str:
    down = Scale(0.0, frame.most, top + frame.high, top + 6)
    left, right = frame.across.start, frame.across.end
    boxes = ""
    for k, share in enumerate(shares):
        x = frame.across(frame.across.low + k * frame.each)
        end = frame.across(frame.across.low + (k + 1) * frame.each)
        gap = min(1.0, (end - x) / 8)
        if share:
            boxes += box(x + gap, down(share), end - x - 2 * gap, down.start - down(share))
    drawn = coloured(n, tag("path", d=boxes, class_="part")) if boxes else ""
    return (
        upright_axis(frame.upright, down, left, right)
        + drawn
        + line(left, down.start, right, down.start, "axis")
    )
