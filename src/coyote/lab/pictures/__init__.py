"""Figures drawn as SVG. Nothing here measures anything, and nothing relies on colour alone.

Series have marks and dashes of their own, cells have their numbers written in them. A picture is drawn
twice, for a wide window and for a phone, and the style sheet shows one of the two; a matrix is drawn once
and scrolls. How much room a text takes is known beforehand (`letters.py`), so none lies over another, in
whichever font.
"""

from coyote.lab.figures import Bars, Curves, HeatMap, Histogram, Parts
from coyote.text import Words

from .bars import draw_bars
from .curves import draw_curves
from .heatmap import draw_heat_map
from .histogram import draw_histogram
from .shared import NARROW, WIDE, Draw, shown_names
from .stacks import draw_parts
from .svg import drawing

Picture = HeatMap | Bars | Curves | Histogram | Parts

DRAW: dict[type, Draw] = {
    Bars: draw_bars,
    Curves: draw_curves,
    Histogram: draw_histogram,
    Parts: draw_parts,
}


def picture(figure: Picture, words: Words) -> str:
    if isinstance(figure, HeatMap):
        return draw_heat_map(figure, words)
    names = shown_names(figure.series)
    about = words("report.shows", names="; ".join(names)) if names else words("report.see_table")
    made = ""
    for name, room in (("wide", WIDE), ("narrow", NARROW)):
        drawn = DRAW[type(figure)](figure, words, room)
        made += drawing(room, drawn.height, drawn.shapes, figure.title, about, f"pic {name}")
    return made
