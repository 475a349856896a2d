"""The rulebooks: one page of Markdown for each game and language, its rules under numbered headings."""

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from coyote.text.refusals import Refused
from coyote.text.words import Words

HEADING = re.compile(r"^### ([A-Z]\d+) · .*$", re.MULTILINE)


def _folder() -> Traversable | Path:
    """In an installed package the pages lie inside it; in the source tree in docs/games."""
    packed = resources.files("coyote").joinpath("rulebooks")
    return packed if packed.is_dir() else Path(__file__).resolve().parents[3] / "docs" / "games"


def edition_marks(game: str, lang: str) -> dict[str, str]:
    """The bold words with which passages begin that hold for one edition only."""
    marks: dict[str, str] = Words(lang).find(game).get("edition_title", {})
    return marks


def rulebook(game: str, lang: str, edition: str | None = None) -> str:
    """The whole page; with an edition, without what holds only for another. Refused where there is none."""
    page = _folder().joinpath(f"{game}.{lang}.md")
    if not page.is_file():
        raise Refused("fault.no_rulebook", name=game)
    text = page.read_text(encoding="utf-8")
    if edition is None:
        return text
    others = [name for key, name in edition_marks(game, lang).items() if key != edition]
    if not others:
        return text
    passage = re.compile(rf"^(- )?\*\*({'|'.join(others)})\.\*\*.*\n", re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", passage.sub("", text))


def rules_of(text: str) -> dict[str, str]:
    """The text of every rule by its number, heading included."""
    headings = list(HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return {
        heading[1]: re.split(r"^## ", text[heading.start() : end], flags=re.MULTILINE)[0].strip()
        for heading, end in zip(headings, ends, strict=True)
    }
