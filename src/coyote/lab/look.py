"""The look of a report: colours and signs from the table's own files, and a sheet for what it has not."""

import re
from functools import cache
from importlib import resources
from urllib.parse import quote

from .pictures.heatmap import heat_css

DARK = "@media screen and (prefers-color-scheme:dark)"


@cache
def style_sheet() -> str:
    sheet = resources.files("coyote.lab").joinpath("look.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\((--[\w-]+)\)", sheet))
    day, night = (colours(selector, used) for selector in (":root", '[data-theme="dark"]'))
    return f":root{{{day}}}{heat_css('light')}{DARK}{{:root{{{night}}}{heat_css('dark')}}}{squeezed(sheet)}"


def colours(selector: str, used: set[str]) -> str:
    """What the table's sheet says first under a selector, as far as a report uses it; pictures go along."""
    block = re.findall(re.escape(selector) + r"[^{}]*{([^}]*)}", of_the_table("base.css"))[0]
    kept = [
        one.strip() for one in block.split(";") if one.partition(":")[0].strip() in used | {"color-scheme"}
    ]
    return re.sub(r'url\("([\w.-]+)"\)', lambda found: f'url("{data_address(found[1])}")', ";".join(kept))


def squeezed(sheet: str) -> str:
    """Without comments and needless space."""
    return re.sub(
        r"\s*([{};,])\s*|\s+", lambda found: found[1] or " ", re.sub(r"/\*.*?\*/", "", sheet, flags=re.S)
    )


def coyote() -> str:
    """The sign of the house."""
    return of_the_table("icon.svg").strip().replace("<svg ", '<svg aria-hidden="true" ', 1)


def data_address(name: str) -> str:
    return "data:image/svg+xml," + quote(of_the_table(name).strip(), safe=" =:/'")


@cache
def of_the_table(name: str) -> str:
    return resources.files("coyote").joinpath("table", "web", name).read_text(encoding="utf-8")
