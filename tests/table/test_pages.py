"""Pages as the gate lets them through: their previews, and what is refused to somebody who wanted one."""

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException

from coyote.table import pages
from coyote.table.answers import failed, refused
from coyote.table.gate import Gate
from coyote.table.pages import site
from coyote.text import Refused
from table.kit_gate import WIDE, ask

META = re.compile(r'<meta (?:name|property)="([\w:-]+)"[^>]* content="([^"]*)">')


def small_gate(*proxies: str, **limits: Any) -> Gate:
    app = FastAPI(openapi_url=None)
    app.include_router(pages.router)
    for kind in (Refused, HTTPException):
        app.add_exception_handler(kind, refused)
    return Gate(app, replace(WIDE, **limits), ["table.example"], proxies)


def told(body: bytes) -> dict[str, str]:
    """What a page says of itself."""
    return dict(META.findall(body.decode()))


def test_every_page_of_a_game_is_there() -> None:
    gate = small_gate()
    for path in ("/learn/madness", "/learn/duel", "/rules/madness", "/rules/duel", "/rules", "/room/a-b_1"):
        assert ask(gate, path, accept="text/html")[0] == 200, path


def test_what_the_gate_refuses_is_a_page_too() -> None:
    status, headers, body = ask(
        small_gate(), "/", accept="text/html", host="<b>.example", accept_language="ru"
    )
    assert (status, headers["content-type"]) == (421, "text/html; charset=utf-8")
    assert "<h1>Так не получится</h1>" in body.decode() and "<b>.example" not in body.decode()
    gate = small_gate(requests_per_second=0.01, files_per_second=0.1)
    answers = [ask(gate, "/", accept="text/html", accept_language="en-GB") for _ in range(4)]
    status, headers, body = answers[-1]
    assert (
        answers[0][0] == 200
        and status == 429
        and "retry-after" in headers
        and b"<h1>Too much at once</h1>" in body
    )


async def fails() -> None:
    raise ZeroDivisionError


def test_what_nobody_has_thought_of_is_a_page_and_says_nothing_more() -> None:
    app = FastAPI()
    app.add_exception_handler(Exception, failed)
    app.add_api_route("/", fails)
    app.add_api_route("/api/me", fails)
    gate: Any = Gate(app, WIDE, ["table.example"])

    async def logged(*asked: Any) -> None:
        with suppress(ZeroDivisionError):
            await gate(*asked)

    for path, kind in (("/", "text/html"), ("/api/me", "application/json")):
        status, headers, body = ask(logged, path, accept="text/html")  # type: ignore[arg-type]
        assert status == 500 and headers["content-type"].startswith(kind)
        assert b"nothing has changed" in body and b"ZeroDivision" not in body


def test_a_link_has_a_preview_in_the_language_of_whoever_asks() -> None:
    gate = small_gate()
    said = {}
    for lang in ("en", "ru"):
        _, headers, body = ask(gate, "/", accept_language=f"xx, {lang};q=0.9")
        said[lang] = told(body)
        assert "accept-language" in headers["vary"]
        status, _, again = ask(gate, "/", accept_language=lang, if_none_match=headers["etag"])
        assert (status, again) == (304, b"")
        other = "ru" if lang == "en" else "en"
        assert ask(gate, "/", accept_language=other, if_none_match=headers["etag"])[0] == 200
    assert said["ru"]["og:title"] == "Койот: карточные игры на двоих"
    assert said["en"]["og:title"] == "Coyote: card games for two"
    assert said["ru"]["og:locale"] == "ru_RU" and said["ru"]["description"] == said["ru"]["og:description"]
    for lang, found in said.items():
        assert found["og:image"] == f"http://table.example/static/{site().digest}/preview-{lang}.png"


def test_behind_a_proxy_a_preview_has_the_address_of_the_proxy() -> None:
    for proxies, scheme in ((["192.0.2.1"], "https"), ([], "http")):
        _, _, body = ask(small_gate(*proxies), "/cards", x_forwarded_proto="https")
        assert told(body)["og:image"].startswith(f"{scheme}://table.example/static/")
