"""The rulebooks: one page of Markdown for each game and language, its rules under numbered headings."""

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

EDITION_NAMES = {
    "en": {"standard": "Standard", "classic": "Classic"},
    "ru": {"standard": "Стандарт", "classic": "Классика"},
}
HEADING = re.compile(r"^### ([MD]\d+) · .*$", re.MULTILINE)


def _folder() -> Traversable | Path:
    """In an installed package the pages lie inside it; in the source tree in docs/games."""
    packed = resources.files("coyote").joinpath("rulebooks")
    return packed if packed.is_dir() else Path(__file__).resolve().parents[3] / "docs" / "games"


def rulebook(game: str, lang: str, edition: str | None = None) -> str:
    """The whole page; with an edition, without what holds only for another."""
    text = _folder().joinpath(f"{game}.{lang}.md").read_text(encoding="utf-8")
    if edition is None:
        return text
    others = [name for key, name in EDITION_NAMES[lang].items() if key != edition]
    foreign = re.compile(rf"^(- )?\*\*({'|'.join(others)})\.\*\*.*\n(\n(?!- ))?", re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", foreign.sub("", text))


def rules_of(text: str) -> dict[str, str]:
    """The text of every rule by its number, heading included."""
    headings = list(HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return {
        heading[1]: re.split(r"^## ", text[heading.start() : end], flags=re.MULTILINE)[0].strip()
        for heading, end in zip(headings, ends, strict=True)
    }
