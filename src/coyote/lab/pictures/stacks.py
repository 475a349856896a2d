"""What something is made of: a bar for each label, cut into its parts."""

from coyote.lab.figures import SHARE, Measure, Parts, mean_of
from coyote.text import Words

from .axes import Scale
from .letters import fitted, named, widest, width
from .shared import LABELS, SIZE, SMALL, WIDE, Drawn, coloured, cut, legend, value_at
from .svg import box, lines, tag, text, title

HIGH = 28.0  # of a bar, in pixels
ROUND = Measure("share", 0)


def draw_parts(figure: Parts, words: Words, room: float) -> Drawn:
    wide = room >= WIDE
    key = legend(figure.series, room, swatch)
    left = min(widest(map(named, figure.labels), SIZE), LABELS) + 14 if wide else 0.0
    over = 0.0 if wide else 20.0
    shapes, y = key.shapes, key.height + 4
    for n, label in enumerate(figure.labels):
        shown = fitted(named(label), left - 14 if wide else room, SIZE, 2 if wide else 1)
        middle = y + HIGH / 2 if wide else y + 10
        shapes += cut(label, lines(0, middle, shown, SIZE), " ".join(shown))
        shapes += stack(figure, n, Scale(0.0, 1.0, left, room), y + over, words, pointed=wide)
        y += over + HIGH + 10
    return Drawn(shapes, y)


def swatch(x: float, y: float, n: int) -> str:
    return tag("path", d=box(x - 8, y - 7, 16, 13), class_="part")


def stack(figure: Parts, n: int, scale: Scale, y: float, words: Words, pointed: bool) -> str:
    made, so_far = "", 0.0
    for k, one in enumerate(figure.series):
        value = value_at(one, n)
        share = 0.0 if value is None else mean_of(value)
        x, end = scale(so_far), scale(so_far + share)
        so_far += share
        if value is not None and end - x >= 0.3:
            told = title(f"{figure.labels[n]} · {one.name}: {SHARE.whole(value, words)}") if pointed else ""
            made += coloured(k, told + part(x, end, y, share, words))
    return made


def part(x: float, end: float, y: float, share: float, words: Words) -> str:
    """With its number, if there is room for it."""
    said = (measure.say(share, words) for measure in (SHARE, ROUND))
    shown = next((one for one in said if width(one, SMALL, bold=True) + 6 <= end - x), "")
    drawn = tag("path", d=box(x, y, max(end - x - 1, 0.3), HIGH), class_="part")
    return drawn + text((x + end - 1) / 2, y + HIGH / 2 + 4, shown, "on-part")
