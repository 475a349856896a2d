"""The pages for people: one shell for all of them, files of `web/` and the words of `text/pages/`.

No page is made per request: a page is its script, its styles and the way to the other pages.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from coyote.text.words import LANGUAGES

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Page:
    """`name` is that of its script, and of its style if it has one. `nav`: what the navigation calls it."""

    name: str
    styles: tuple[str, ...] = ()  # between the style of all pages and its own
    nav: str = ""


PAGES = {
    "/": Page("lobby", ("playing-card",), nav="play"),
    "/room/{room}": Page("table"),
    "/replay/{room}": Page("replay"),
    "/cards": Page("cards", ("duel-card",), nav="cards"),
    "/decks": Page("decks", ("duel-card", "cards"), nav="decks"),
    "/rules": Page("rules", nav="rules"),
    "/rules/{game}": Page("rules"),
    "/learn/{game}": Page("learn"),
}
HTML = "text/html; charset=utf-8"
KINDS = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
}
SHELL = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <title>Coyote</title>
    <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
    <script src="/static/theme.js"></script>
    {styles}
    <script type="module" src="/static/{name}.js"></script>
  </head>
  <body>
    <nav hidden>
      {links}
    </nav>
  </body>
</html>
"""


@cache
def shell(page: Page) -> bytes:
    """The page itself. Whatever it shows, and every word, its script puts there."""
    names = [
        name for name in ("base", *page.styles, page.name) if web_folder().joinpath(f"{name}.css").is_file()
    ]
    styles = "\n    ".join(f'<link rel="stylesheet" href="/static/{name}.css">' for name in names)
    return SHELL.format(name=page.name, styles=styles, links="\n      ".join(links(page))).encode()


def links(page: Page) -> Iterator[str]:
    """The navigation, without words: they are not the server's to choose."""
    for path, other in PAGES.items():
        if other.nav:
            current = ' aria-current="page"' if other.name == page.name else ""
            yield f'<a href="{path}" data-page="{other.nav}"{current}></a>'


def web_folder() -> Traversable:
    return resources.files("coyote.table").joinpath("web")


def tagged(request: Request, body: bytes, kind: str) -> Response:
    """The browser keeps it and asks each time whether it is still the same."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=kind, headers=headers)


def file(request: Request, path: str) -> Response:
    """A file of `web/`; nothing outside of it, whatever the path says, and nothing but what pages need."""
    parts = path.split("/")
    kind = KINDS.get(parts[-1].rpartition(".")[2])
    if kind is None or any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
        raise HTTPException(404)
    found = web_folder().joinpath(*parts)
    if not found.is_file():
        raise HTTPException(404)
    return tagged(request, found.read_bytes(), kind)


def add_page(path: str, page: Page) -> None:
    def show(request: Request) -> Response:
        return tagged(request, shell(page), HTML)

    router.add_api_route(path, show, methods=["GET", "HEAD"], name=f"page_{page.name}")


for _path, _page in PAGES.items():
    add_page(_path, _page)


@router.get("/static/{path:path}")
def static(path: str, request: Request) -> Response:
    return file(request, path)


@router.get("/favicon.ico")
def favicon(request: Request) -> Response:
    return file(request, "icon.svg")


@router.get("/words/{lang}.json")
def words(lang: str, request: Request) -> Response:
    if lang not in LANGUAGES:
        raise HTTPException(404)
    return tagged(request, words_of(lang), KINDS["json"])


def flat(table: dict[str, Any], lang: str, above: str = "") -> dict[str, Any]:
    """`{"lobby": {"play": {"en": "Play", …}}}` as `{"lobby.play": "Play"}`."""
    if all(one in table for one in LANGUAGES):
        return {above: table[lang]}
    found: dict[str, Any] = {}
    for name, below in table.items():
        found |= flat(below, lang, f"{above}.{name}" if above else name)
    return found


def words_of(lang: str) -> bytes:
    """The words of all pages. They are read anew, so that who writes them need not restart anything."""
    parts = resources.files("coyote.text").joinpath("pages").iterdir()
    texts = {part.name: part.read_text(encoding="utf-8") for part in parts if part.name.endswith(".toml")}
    return _joined(lang, tuple(texts[name] for name in sorted(texts)))


@lru_cache(maxsize=4)
def _joined(lang: str, texts: tuple[str, ...]) -> bytes:
    found: dict[str, Any] = {}
    for text in texts:
        found |= flat(tomllib.loads(text), lang)
    return json.dumps(found, ensure_ascii=False).encode()
