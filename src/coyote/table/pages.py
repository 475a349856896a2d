"""The pages for people: files of `web/` and the words of `text/pages/`. No page is made per request."""

import hashlib
import json
import tomllib
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from coyote.text.words import LANGUAGES

router = APIRouter(include_in_schema=False)

PAGES = {
    "/": "lobby",
    "/room/{room}": "table",
    "/replay/{room}": "replay",
    "/cards": "cards",
    "/decks": "decks",
    "/rules/{game}": "rules",
    "/learn/{game}": "learn",
}
KINDS = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
}


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


def add_page(path: str, name: str) -> None:
    def page(request: Request) -> Response:
        return file(request, f"{name}.html")

    router.add_api_route(path, page, methods=["GET", "HEAD"], name=f"page_{name}")


for _path, _name in PAGES.items():
    add_page(_path, _name)


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
