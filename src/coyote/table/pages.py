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
import re
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
from fastapi.responses import HTMLResponse
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from coyote.table.parts import PARTS
from coyote.text.words import LANGUAGES, Lang, language_of_header


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """Nobody's first request waits for the files."""
    await asyncio.to_thread(site)
    yield


router = APIRouter(include_in_schema=False, lifespan=lifespan)
LIVE = "COYOTE_LIVE_PAGES"  # in the environment: files are read anew when they change, for who writes pages
LONGEST_WAYS = 500  # letters, of ways to pack an answer that a browser takes
FOR_GOOD = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Page:
    """`name` is that of its script, and of its style if it has one. `nav`: what the navigation calls it.

    `preview`: a title and a sentence for those who send a link around, by their keys. Of a game that is
    played they say nothing: whoever has made the link knows who shall see it.
    """

    name: str
    styles: tuple[str, ...] = ()  # between the style of all pages and its own
    nav: str = ""
    needs: str = ""  # what a game must have for a page of its own
    preview: tuple[str, str] = ("shell.preview.title", "lobby.about")


ROOM = re.compile(r"[0-9A-Za-z_-]{1,40}")
PAGES = {
    "/": Page("lobby", ("playing-card", "set-choice"), nav="play"),
    "/games": Page("own-games", nav="games"),
    "/room/{room}": Page("table", ("share",), preview=("shell.preview.invite", "shell.preview.room")),
    "/replay/{room}": Page("replay", preview=("shell.preview.replay", "shell.preview.replayed")),
    "/cards": Page("cards", ("duel-card",), nav="cards", preview=("shell.nav.cards", "shell.preview.cards")),
    "/decks": Page(
        "decks",
        ("duel-card", "cards", "set-choice"),
        nav="decks",
        preview=("decks.title", "decks.about"),
    ),
    "/workshop": Page(
        "workshop",
        ("duel-card", "cards"),
        nav="workshop",
        preview=("shell.workshop.title", "shell.workshop.lead"),
    ),
    "/rules": Page("rules", nav="rules", preview=("shell.nav.rules", "shell.preview.rules")),
    "/rules/variants": Page("variants", ("share", "lobby"), preview=("variants.title", "variants.lead")),
    "/rules/variants/{id}": Page("variants", ("share", "lobby"), preview=("variants.title", "variants.lead")),
    "/rules/{game}": Page("rules", needs="rulebook", preview=("shell.nav.rules", "shell.preview.rules")),
    "/boards": Page("boards", ("share", "lobby"), preview=("boards.title", "boards.lead")),
    "/boards/{id}": Page("boards", ("share", "lobby"), preview=("boards.title", "boards.lead")),
    "/tournaments": Page(
        "tournaments", ("share", "lobby"), preview=("tournaments.title", "tournaments.lead")
    ),
    "/tournaments/{id}": Page(
        "tournaments", ("share", "lobby"), preview=("tournaments.title", "tournaments.lead")
    ),
    "/judge": Page("judge", ("playing-card", "lobby"), preview=("judge.title", "judge.preview")),
    "/ladder": Page("ladder", preview=("ladder.title", "ladder.lead")),
    "/ladder/{id}": Page("ladder", preview=("ladder.title", "ladder.lead")),
    "/print": Page(
        "print", ("duel-card", "playing-card", "print-sheet"), preview=("print.title", "print.lead")
    ),
    "/learn/{game}": Page("learn", needs="lesson", preview=("shell.preview.learn", "lobby.about")),
    "/puzzles": Page("puzzles", preview=("puzzles.title", "puzzles.lead")),
    "/puzzles/{id}": Page("puzzles", preview=("puzzles.title", "puzzles.lead")),
    "/me": Page("me", ("share",), preview=("me.title", "me.lead")),
    "/take": Page("me", ("share",), preview=("me.title", "me.lead")),
}
PROBLEM = Page("problem")  # what is refused to somebody who wanted a page
PROBLEMS = {404: "shell.problem.404", 429: "shell.problem.429", 503: "shell.problem.503"}
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
ORIGIN = "http://origin.invalid"  # stands in pages for wherever they are asked for
SKY = {"light": "#dcebf5", "dark": "#17172b"}  # as in base.css
LOCALES: dict[Lang, str] = {"en": "en_GB", "ru": "ru_RU"}
SHELL = """<!doctype html>
<html lang="{lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <title>{site}</title>
    <meta name="description" content="{about}">
    {skies}
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="{site}">
    <meta property="og:locale" content="{locale}">
    <meta property="og:title" content="{title}">
    <meta property="og:description" content="{about}">
    <meta property="og:image" content="{origin}{at}/preview-{lang}.png">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    <meta property="og:image:alt" content="{picture}">
    <meta name="twitter:card" content="summary_large_image">
    <link rel="icon" href="{at}/icon.svg" type="image/svg+xml">
    <link rel="apple-touch-icon" href="{at}/icon-180.png">
    <link rel="manifest" href="/manifest.webmanifest">
    <script src="{at}/first.js"></script>
    {styles}
    <script type="module" src="{at}/{name}.js"></script>
  </head>
  <body>
    <nav hidden>
      {links}
    </nav>
    {main}
  </body>
</html>
"""
LOADING = """<main id="loading">
      <section class="panel" role="alert">
        <h1>{title}</h1>
        {apology}
        <p><a class="button primary" href="">{again}</a></p>
      </section>
    </main>"""
REFUSED = """<main id="problem" data-status="{status}">
      <section class="panel">
        <h1>{title}</h1>
        <p>{why}</p>
        <p><a class="button primary" href="/">{home}</a></p>
      </section>
    </main>"""
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

    def answer(self, request: Request, keep: str = "no-cache", vary: str = "accept-encoding") -> Response:
        """`no-cache`: the browser keeps it and asks each time whether it is still the same."""
        headers = {"etag": self.tag, "cache-control": keep, "vary": vary}
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
    ways = [part.replace(" ", "").lower().split(";q=") for part in accepted[:LONGEST_WAYS].split(",")]
    return any(name == "gzip" and not (rest and rest[0].strip("0.") == "") for name, *rest in ways)


@dataclass(frozen=True)
class Site:
    """All files, and the pages that name them."""

    digest: str
    files: dict[str, Served]  # by their paths below `/static/<digest>/`
    pages: dict[tuple[Page, Lang], str]
    manifests: dict[Lang, Served]
    words: Mapping[Lang, dict[str, Any]]

    def page(self, page: Page, lang: Lang, origin: str) -> Served:
        return placed(self.pages[page, lang], origin)


@lru_cache(maxsize=256)
def placed(page: str, origin: str) -> Served:
    """A page with the address that it is asked for at: previews of links want the whole of it."""
    return Served.of(page.replace(ORIGIN, escape(origin)).encode(), HTML)


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
    pages = {
        (page, lang): shell(page, lang, digest, styles, words, loading(words))
        for page in PAGES.values()
        for lang in LANGUAGES
    }
    problems = {(PROBLEM, lang): shell(PROBLEM, lang, digest, styles, words, "{main}") for lang in LANGUAGES}
    manifests = {lang: Served.of(manifest(lang, digest, words[lang]), KINDS["webmanifest"]) for lang in words}
    return Site(digest, files, pages | problems, manifests, words)


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


def shell(
    page: Page, lang: Lang, digest: str, styles: set[str], told: Mapping[Lang, dict[str, Any]], main: str
) -> str:
    """The page itself. Whatever it shows, and every word but those for previews, its script puts there."""
    at, words = f"/static/{digest}", told[lang]
    names = [name for name in ("base", "book-text", *page.styles, page.name) if name in styles]
    sheets = [f'<link rel="stylesheet" href="{at}/{name}.css">' for name in names]
    title, about = (escape(words[key]) for key in page.preview)
    return SHELL.format(
        at=at,
        lang=lang,
        name=page.name,
        site=escape(words["shell.name"]),
        title=title,
        about=about,
        picture=escape(words["shell.preview.picture"]),
        locale=LOCALES[lang],
        origin=ORIGIN,
        skies="\n    ".join(skies()),
        styles="\n    ".join(sheets),
        links="\n      ".join(links(page)),
        main=main,
    )


def skies() -> Iterator[str]:
    """The colour of the window around the page; the first script chooses, where somebody has chosen."""
    for theme, colour in SKY.items():
        media = f"(prefers-color-scheme: {theme})"
        yield f'<meta name="theme-color" media="{media}" data-theme="{theme}" content="{colour}">'


def loading(told: Mapping[Lang, dict[str, Any]]) -> str:
    """What stands there until a script replaces it, in both languages."""
    apologies = [APOLOGY.format(lang=lang, **apology(told[lang])) for lang in LANGUAGES]
    return LOADING.format(
        title=" · ".join(escape(told[lang]["shell.name"]) for lang in LANGUAGES),
        apology="\n        ".join(apologies),
        again=" · ".join(escape(told[lang]["shell.load.again"]) for lang in LANGUAGES),
    )


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


def manifest(lang: Lang, digest: str, words: dict[str, Any]) -> bytes:
    """What a device needs to know to keep the table among its programs."""
    at = f"/static/{digest}"
    icon = {"type": KINDS["png"]}
    return json.dumps(
        {
            "id": "/",
            "name": words["shell.preview.title"],
            "short_name": words["shell.name"],
            "description": words["lobby.about"],
            "lang": lang,
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": SKY["dark"],
            "theme_color": SKY["dark"],
            "icons": [
                {"src": f"{at}/icon.svg", "sizes": "any", "type": KINDS["svg"]},
                {"src": f"{at}/icon-192.png", "sizes": "192x192", **icon},
                {"src": f"{at}/icon-512.png", "sizes": "512x512", **icon},
                {"src": f"{at}/icon-maskable.png", "sizes": "512x512", "purpose": "maskable", **icon},
            ],
        },
        ensure_ascii=False,
    ).encode()


# ---------------------------------------------------------------- what is refused


def wants_page(method: str, path: str, headers: Headers) -> bool:
    """Whether somebody in a browser asked: programs and parts of pages get their answers as JSON."""
    return (
        method in ("GET", "HEAD")
        and not path.startswith(("/api/", "/static/"))
        and "text/html" in headers.get("accept", "")
    )


def problem(status: int, why: str, lang: Lang, headers: Mapping[str, str]) -> HTMLResponse:
    now = site()
    words = now.words[lang]
    known = f"shell.problem.why.{status}"
    main = REFUSED.format(
        status=status,
        title=escape(words[PROBLEMS.get(status, "shell.problem.other")]),
        why=escape(words[known] if known in words else f"{why[0].upper()}{why[1:]}."),
        home=escape(words["shell.problem.home"]),
    )
    page = now.pages[PROBLEM, lang].replace("{main}", main).replace(ORIGIN, "")
    return HTMLResponse(page, status, {**headers, "cache-control": "no-store", "vary": "accept-language"})


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
        if not is_there(page, **request.path_params):
            raise HTTPException(404)
        origin = f"{request.url.scheme}://{request.url.netloc}"
        found = site().page(page, asked_language(request), origin)
        return found.answer(request, vary="accept-encoding, accept-language")

    router.add_api_route(path, show, methods=["GET", "HEAD"], name=f"page_{page.name}")


def is_there(page: Page, game: str = "", room: str = "", id: str = "") -> bool:
    """A page of a game that we have; of a room or of house rules, as far as their names say."""
    if page.needs:
        return game in PARTS and bool(getattr(PARTS[game], page.needs))
    return all(not name or ROOM.fullmatch(name) is not None for name in (room, id))


def asked_language(request: Request) -> Lang:
    return language_of_header(request.headers.get("accept-language", ""))


for _path, _page in PAGES.items():
    add_page(_path, _page)


@router.api_route("/manifest.webmanifest", methods=["GET", "HEAD"])
async def show_manifest(request: Request) -> Response:
    found = site().manifests[asked_language(request)]
    return found.answer(request, vary="accept-encoding, accept-language")


@router.api_route("/static/{digest}/{path:path}", methods=["GET", "HEAD"])
async def static(digest: str, path: str, request: Request) -> Response:
    """The newest file, whatever version is asked for; only what has the right name is kept for good."""
    now = site()
    if path not in now.files:
        raise HTTPException(404)
    found = now.files[path].answer(request, FOR_GOOD if digest == now.digest else "no-cache")
    if path.startswith("preview-"):  # for whoever shows a link to a page of ours
        found.headers["cross-origin-resource-policy"] = "cross-origin"
    return found


@router.get("/favicon.ico")
async def favicon(request: Request) -> Response:
    return site().files["icon.svg"].answer(request)
