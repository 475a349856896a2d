"""The pictures of a report as files of their own, for pages that are not reports."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from coyote.lab.figures import HeatMap, Table
from coyote.lab.look import DARK, colours, squeezed
from coyote.lab.pictures import DRAW, Picture
from coyote.lab.pictures.shared import WIDE
from coyote.lab.pictures.svg import drawing
from coyote.lab.report import Report
from coyote.records import written_whole
from coyote.text import Words

FIRST, LAST = "svg text {", "/* ---- matrices"  # of the sheet, what a picture needs
SPACE = "http://www.w3.org/2000/svg"


def pictures_of(report: Report) -> Iterator[Picture]:
    """All but matrices, which need their page."""
    for section in report.sections:
        for figure in section.figures:
            if not isinstance(figure, Table | HeatMap):
                yield figure


def picture_file(figure: Picture, words: Words) -> str:
    """A picture that needs no page: it has its colours, by day and by night."""
    drawn = DRAW[type(figure)](figure, words, WIDE)
    made = drawing(WIDE, drawn.height, f"<style>{sheet()}</style>{drawn.shapes}", figure.title, figure.title)
    return made.replace("<svg ", f'<svg xmlns="{SPACE}" ', 1) + "\n"


@cache
def sheet() -> str:
    whole = resources.files("coyote.lab").joinpath("look.css").read_text(encoding="utf-8")
    rules = whole[whole.index(FIRST) : whole.index(LAST)]
    series = re.findall(r":root \{([^}]*)\}", whole)  # by day, by night
    used = set(re.findall(r"var\((--[\w-]+)\)", rules)) | {"--font", "--panel"}
    day, night = (colours(selector, used) for selector in (":root", '[data-theme="dark"]'))
    page = "svg{font-family:var(--font);background:var(--panel)}"
    return squeezed(f":root{{{day};{series[0]}}}{DARK}{{:root{{{night};{series[1]}}}}}{page}{rules}")


def write_pictures(report: Report, folder: Path, words: Words) -> None:
    """Numbered as in the report, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, figure in enumerate(pictures_of(report), 1):
        with written_whole(folder / f"{number}.svg") as file:
            file.write(picture_file(figure, words))
