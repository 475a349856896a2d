"""The pages for people: one shell for all of them, files of `web/` and the words of `text/pages/`.

No page is made per request: a page is its script, its styles and the way to the other pages. All of it is
read once. Files lie under `/static/<digest of all of them>/`, so browsers keep them for good and a page never
mixes files of two versions; a page that is older than the server gets the newest files.
"""

import asyncio
import gzip
import hashlib
import json
import os
import tomllib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from coyote.text.words import LANGUAGES, Lang


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """Nobody's first request waits for the files."""
    await asyncio.to_thread(site)
    yield


router = APIRouter(include_in_schema=False, lifespan=lifespan)
LIVE = "COYOTE_LIVE_PAGES"  # in the environment: files are read anew when they change, for who writes pages
FOR_GOOD = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Page:
    """`name` is that of its script, and of its style if it has one. `nav`: what the navigation calls it."""

    name: str
    styles: tuple[str, ...] = ()  # between the style of all pages and its own
    nav: str = ""


PAGES = {
    "/": Page("lobby", ("playing-card",), nav="play"),
    "/room/{room}": Page("table", ("share",)),
    "/replay/{room}": Page("replay"),
    "/cards": Page("cards", ("duel-card",), nav="cards"),
    "/decks": Page("decks", ("duel-card", "cards"), nav="decks"),
    "/rules": Page("rules", nav="rules"),
    "/rules/{game}": Page("rules"),
    "/learn/{game}": Page("learn"),
    "/me": Page("me", ("share",)),
    "/take": Page("me", ("share",)),
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
PRIVATE = "jsconfig.json"  # for who writes pages
SHELL = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <title>Coyote</title>
    <link rel="icon" href="{at}/icon.svg" type="image/svg+xml">
    <script src="{at}/first.js"></script>
    {styles}
    <script type="module" src="{at}/{name}.js"></script>
  </head>
  <body>
    <nav hidden>
      {links}
    </nav>
    <main id="loading">
      <section class="panel" role="alert">
        <h1>{title}</h1>
        {apology}
        <p><a class="button primary" href="">{again}</a></p>
      </section>
    </main>
  </body>
</html>
"""
# Said by the page itself, in both languages: it is there when no script is.
APOLOGY = """<p lang="{lang}">{sentence} <span data-wait hidden>{wait}</span></p>"""


# ---------------------------------------------------------------- all that is served


@dataclass(frozen=True)
class Served:
    """One file as browsers get it."""

    body: bytes
    packed: bytes  # the same by gzip
    kind: str
    tag: str

    @staticmethod
    def of(body: bytes, kind: str) -> "Served":
        packed = gzip.compress(body, mtime=0)
        return Served(body, packed, kind, f'W/"{hashlib.sha256(body).hexdigest()[:32]}"')

    def answer(self, request: Request, keep: str = "no-cache") -> Response:
        """`no-cache`: the browser keeps it and asks each time whether it is still the same."""
        headers = {"etag": self.tag, "cache-control": keep, "vary": "accept-encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if takes_gzip(request.headers.get("accept-encoding", "")):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, media_type=self.kind, headers=headers)
        return Response(self.body, media_type=self.kind, headers=headers)


def takes_gzip(accepted: str) -> bool:
    """
    >>> takes_gzip("br, gzip;q=0.8"), takes_gzip("gzip;q=0, br"), takes_gzip("")
    (True, False, False)
    """
    ways = [part.replace(" ", "").lower().split(";q=") for part in accepted.split(",")]
    return any(name == "gzip" and not (rest and rest[0].strip("0.") == "") for name, *rest in ways)


@dataclass(frozen=True)
class Site:
    """All files, and the pages that name them."""

    digest: str
    files: dict[str, Served]  # by their paths below `/static/<digest>/`
    pages: dict[Page, Served]


def site() -> Site:
    """As it is; where `LIVE` is set, as it has become."""
    return _read_site(_stamp() if os.environ.get(LIVE) else ())


@lru_cache(maxsize=1)
def _read_site(_stamp: tuple[tuple[str, int], ...]) -> Site:
    words = {lang: flat_words(lang) for lang in LANGUAGES}
    bodies = dict(web_files())
    for lang, told in words.items():
        bodies[f"words/{lang}.json"] = json.dumps(told, ensure_ascii=False).encode()
    whole = hashlib.sha256()
    for name in sorted(bodies):
        whole.update(f"{name} {len(bodies[name])} ".encode() + bodies[name])
    digest = whole.hexdigest()[:20]
    files = {name: Served.of(body, KINDS[name.rpartition(".")[2]]) for name, body in bodies.items()}
    styles = {name.removesuffix(".css") for name in bodies if name.endswith(".css")}
    pages = {page: Served.of(shell(page, digest, styles, words), HTML) for page in PAGES.values()}
    return Site(digest, files, pages)


def _stamp() -> tuple[tuple[str, int], ...]:
    """Changes whenever somebody writes a file or words."""
    paths = [path for folder in (web_folder(), text_folder()) for path in Path(str(folder)).iterdir()]
    return tuple(sorted((str(path), path.stat().st_mtime_ns) for path in paths))


def web_folder() -> Traversable:
    return resources.files("coyote.table").joinpath("web")


def web_files() -> Iterator[tuple[str, bytes]]:
    """What pages need, and nothing else that lies there."""
    for found in web_folder().iterdir():
        if found.name.rpartition(".")[2] in KINDS and found.name != PRIVATE:
            yield found.name, found.read_bytes()


# ---------------------------------------------------------------- a page


def shell(page: Page, digest: str, styles: set[str], told: Mapping[Lang, dict[str, Any]]) -> bytes:
    """The page itself. Whatever it shows, and every word, its script puts there."""
    at = f"/static/{digest}"
    names = [name for name in ("base", *page.styles, page.name) if name in styles]
    sheets = [f'<link rel="stylesheet" href="{at}/{name}.css">' for name in names]
    apologies = [APOLOGY.format(lang=lang, **apology(told[lang])) for lang in LANGUAGES]
    return SHELL.format(
        at=at,
        name=page.name,
        styles="\n    ".join(sheets),
        links="\n      ".join(links(page)),
        title=" · ".join(escape(told[lang]["shell.name"]) for lang in LANGUAGES),
        apology="\n        ".join(apologies),
        again=" · ".join(escape(told[lang]["shell.load.again"]) for lang in LANGUAGES),
    ).encode()


def apology(words: dict[str, Any]) -> dict[str, str]:
    """Why nothing is seen, and when it is tried again: the script puts the seconds in."""
    wait = escape(words["shell.load.wait"]).replace("{n}", "<b data-seconds></b>")
    return {"sentence": escape(words["shell.load.failed"]), "wait": wait}


def links(page: Page) -> Iterator[str]:
    """The navigation, without words: they are not the server's to choose."""
    for path, other in PAGES.items():
        if other.nav:
            current = ' aria-current="page"' if other.name == page.name else ""
            yield f'<a href="{path}" data-page="{other.nav}"{current}></a>'


# ---------------------------------------------------------------- words


def text_folder() -> Traversable:
    return resources.files("coyote.text").joinpath("pages")


def flat(table: dict[str, Any], lang: str, above: str = "") -> dict[str, Any]:
    """`{"lobby": {"play": {"en": "Play", …}}}` as `{"lobby.play": "Play"}`."""
    if all(one in table for one in LANGUAGES):
        return {above: table[lang]}
    found: dict[str, Any] = {}
    for name, below in table.items():
        found |= flat(below, lang, f"{above}.{name}" if above else name)
    return found


def flat_words(lang: str) -> dict[str, Any]:
    """The words of all pages, by their keys."""
    found: dict[str, Any] = {}
    for part in sorted(text_folder().iterdir(), key=lambda part: str(part.name)):
        if part.name.endswith(".toml"):
            found |= flat(tomllib.loads(part.read_text(encoding="utf-8")), lang)
    return found


# ---------------------------------------------------------------- requests


def add_page(path: str, page: Page) -> None:
    async def show(request: Request) -> Response:
        return site().pages[page].answer(request)

    router.add_api_route(path, show, methods=["GET", "HEAD"], name=f"page_{page.name}")


for _path, _page in PAGES.items():
    add_page(_path, _page)


@router.api_route("/static/{digest}/{path:path}", methods=["GET", "HEAD"])
async def static(digest: str, path: str, request: Request) -> Response:
    """The newest file, whatever version is asked for; only what has the right name is kept for good."""
    now = site()
    if path not in now.files:
        raise HTTPException(404)
    return now.files[path].answer(request, FOR_GOOD if digest == now.digest else "no-cache")


@router.get("/favicon.ico")
async def favicon(request: Request) -> Response:
    return site().files["icon.svg"].answer(request)
