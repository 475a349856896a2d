"""The few shapes that pictures are made of, as SVG. Colours and letters are the style sheet's."""

from collections.abc import Iterable, Sequence
from html import escape

from .letters import readable

LINE = 1.2  # from one line of a text to the next, in its size
SIZES = {"": 12.5, "small": 11.0, "tiny": 10.0}  # of letters, by class; the style sheet has the same


def at(number: float) -> str:
    """A coordinate, as short as can be."""
    short = f"{number:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short


def tag(name: str, inside: str = "", **attributes: float | str | None) -> str:
    """`class_` is the attribute class, `text_anchor` is text-anchor; what is None is left out."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{value if isinstance(value, str) else at(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{shown}>{inside}</{name}>" if inside else f"<{name}{shown}/>"


def safe(text: str) -> str:
    """As a part of a page: nothing in it is a command, to the page or to the eye."""
    return escape(readable(text))


def title(text: str) -> str:
    """What a pointer that rests there is told."""
    return f"<title>{safe(text)}</title>"


def text(x: float, y: float, said: str, class_: str = "", anchor: str = "") -> str:
    return (
        tag("text", safe(said), x=x, y=y, class_=class_ or None, text_anchor=anchor or None) if said else ""
    )


def lines(
    x: float, middle: float, said: Sequence[str], size: float, class_: str = "", anchor: str = ""
) -> str:
    """Several lines one under the other, around a middle."""
    first = middle + size * 0.36 - (len(said) - 1) * size * LINE / 2
    return "".join(text(x, first + n * size * LINE, one, class_, anchor) for n, one in enumerate(said))


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    return tag("path", d=f"M{at(x1)} {at(y1)}L{at(x2)} {at(y2)}", class_=class_)


def joined(points: Iterable[tuple[float, float]]) -> str:
    return "L".join(f"{at(x)} {at(y)}" for x, y in points)


def box(x: float, y: float, width: float, height: float) -> str:
    """As a part of a path, so that many boxes are one shape."""
    return f"M{at(x)} {at(y)}h{at(width)}v{at(height)}h{at(-width)}z"


def drawing(
    width: float, height: float, inside: str, name: str = "", about: str = "", class_: str = ""
) -> str:
    """A picture, with name and content for those who do not see it; without a name it is decoration."""
    told = f"{title(name)}<desc>{safe(about)}</desc>" if name else ""
    return tag(
        "svg",
        told + inside,
        class_=class_ or None,
        viewBox=f"0 0 {at(width)} {at(height)}",
        width=width,
        height=height,
        role="img" if name else None,
        aria_hidden=None if name else "true",
    )
