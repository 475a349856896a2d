"""What all pages share: files and words as they are served, types, languages and themes."""

import json
import os
import re
import shutil
import tomllib
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from coyote.table.pages import PAGES, flat, shell, words_of
from table.kit_table import Server
from web.conftest import axe_violations, run_tsc
from web.kit_web import new_game, wait_for_turn

ROOT = Path(__file__).parents[2] / "src" / "coyote"
WEB = ROOT / "table" / "web"
TEXTS = sorted((ROOT / "text" / "pages").glob("*.toml"))
KEY = r"[a-z][a-z_]*(?:\.(?:[\w-]|\$\{[^}`]*\})+)+"
SLOT = re.compile(r"\{(\w+)\}")


def fetch(server: Server, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(f"http://{server.host}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def test_files_are_kept_by_browsers_and_asked_for_again(server: Server) -> None:
    for path, kind in [
        ("/", "text/html"), ("/static/base.css", "text/css"), ("/static/dom.js", "text/javascript"),
        ("/favicon.ico", "image/svg+xml"), ("/words/ru.json", "application/json"),
        ("/api/games", "application/json"),
    ]:  # fmt: skip
        status, headers, body = fetch(server, path)
        assert status == 200 and headers["content-type"].startswith(kind) and body, path
        assert headers["cache-control"] == "no-cache"
        status, _, body = fetch(server, path, **{"If-None-Match": headers["etag"]})
        assert (status, body) == (304, b"")


@pytest.mark.parametrize(
    "path",
    ["/static/../pages.py", "/static/%2e%2e/pages.py", "/static/..%2fpages.py", "/static/%2e%2e%5cpages.py",
     "/static//etc/hostname", "/static/", "/static/none.js", "/static/base.css%00.js", "/words/xx.json"],
)  # fmt: skip
def test_nothing_else_is_served(server: Server, path: str) -> None:
    status, headers, _ = fetch(server, path)
    assert status == 404 and headers["content-type"] == "application/json"


def test_every_page_finds_its_files() -> None:
    for page in PAGES.values():
        named = re.findall(r'/static/([\w.-]+)"', shell(page).decode())
        assert f"{page.name}.js" in named and f"{page.name}.css" in named
        assert all((WEB / name).is_file() for name in named), page.name
    assert not list(WEB.glob("*.html"))


def test_the_navigation_is_on_every_page_and_knows_where_it_is() -> None:
    for page in PAGES.values():
        here = re.findall(r'<a href="([^"]+)" data-page="\w+" aria-current="page">', shell(page).decode())
        assert here == [path for path, other in PAGES.items() if other.nav and other.name == page.name]


OWN = re.compile(
    r"(madness|duel)-.*|games\.js|deals\.js|game-table\.js|wire\.d\.ts"
)  # a game's own, and registries


@pytest.mark.parametrize("path", sorted([*WEB.glob("*.js"), *WEB.glob("*.css")]), ids=lambda path: path.name)
def test_no_page_knows_a_game_or_a_rule(path: Path) -> None:
    """All that differs from game to game and from edition to edition comes from the server."""
    if OWN.fullmatch(path.name):
        return
    code = path.read_text(encoding="utf-8")
    assert not re.findall(r"""["'`/.](?:madness|duel|classic|standard)["'`]""", code)
    assert not re.findall(r"\.(?:only-)?(?:classic|standard)\b", code)
    assert not re.findall(r"""(?:[=!]==?|startsWith\(|endsWith\(|includes\()\s*["'`]/?[MD]\d*["'`]""", code)


def test_no_page_has_anything_inline() -> None:
    for page in PAGES.values():
        text = shell(page).decode()
        assert not re.search(r"<style|style=|<script(?![^>]*\bsrc=)|\son\w+=|https?://", text), page.name
    for script in WEB.glob("*.js"):
        text = script.read_text()
        assert text.startswith("// @ts-check"), script.name
        assert not re.search(r"\.(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(", text), (
            script.name
        )
        assert not re.search(r"""setAttribute\(["']style""", text), script.name


@pytest.mark.skipif(
    not shutil.which("tsc") and os.environ.get("CI") != "true",
    reason="the Debian package node-typescript is not installed",
)
def test_types_hold() -> None:
    done = run_tsc(WEB / "jsconfig.json")
    assert done.returncode == 0, done.stdout


def test_nothing_may_be_anything() -> None:
    """What the server tells has a type; only the attributes of an element, in dom.js, are of all kinds."""
    for path in [*WEB.glob("*.js"), *WEB.glob("*.d.ts")]:
        types = re.findall(
            r"@(?:param|type|returns|property|typedef) \{(.*)\}", path.read_text(encoding="utf-8")
        )
        assert path.name == "dom.js" or not [one for one in types if re.search(r"\bany\b", one)], path.name


def test_every_sentence_is_there_in_both_languages_with_the_same_slots() -> None:
    for path in TEXTS:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        english, russian = flat(table, "en"), flat(table, "ru")
        assert english.keys() == russian.keys()
        for key in english:
            forms = [one if isinstance(one, dict) else {"many": one} for one in (english[key], russian[key])]
            assert isinstance(english[key], dict) == isinstance(russian[key], dict), key
            slots = [{slot for text in form.values() for slot in SLOT.findall(text)} for form in forms]
            assert slots[0] == slots[1], key
            if isinstance(russian[key], dict):
                assert set(russian[key]) == {"one", "few", "many"} and set(english[key]) == {"one", "many"}, (
                    key
                )


def test_no_sentence_is_missing_and_none_is_stale() -> None:
    known = set(json.loads(words_of("en")))
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(WEB.glob("*.js")))
    missing = {key for key in re.findall(rf"""\bsay\(\s*["']({KEY})["']""", code) if key not in known}
    assert not missing
    used = set(re.findall(rf"""["'`]({KEY})["'`]""", code))
    patterns = [as_pattern(one) for one in used if "${" in one]
    said = [as_pattern(one) for one in re.findall(rf"""\bsay\(\s*`({KEY})`""", code)]
    assert not {one.pattern for one in said if not any(one.fullmatch(key) for key in known)}
    stale = {key for key in known - used if not any(one.fullmatch(key) for one in patterns)}
    assert not stale


def as_pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\$\{[^}`]*\}", template)
    return re.compile(".+".join(re.escape(part) for part in parts))


@pytest.mark.parametrize(
    ("lang", "theme"), [("en", "light"), ("ru", "dark"), ("en", "dark"), ("ru", "light")]
)
def test_a_room_can_be_used_by_everybody(open_page: Any, lang: str, theme: str) -> None:
    page = open_page("/", lang=lang, theme=theme, phone=lang == "ru")
    page.evaluate("localStorage.setItem('lobby', JSON.stringify({begins: 'host'}))")
    page.reload()
    new_game(page)
    wait_for_turn(page)
    assert page.evaluate("document.documentElement.lang") == lang
    assert axe_violations(page) == []
    page.locator("[data-held]").first.click()
    assert axe_violations(page) == []


def test_language_and_theme_are_chosen_and_kept(open_page: Any) -> None:
    page = open_page("/", lang="en", theme="light")
    page.get_by_role("button", name="Night").click()
    page.get_by_role("button", name="Русский").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Сыграем в карты?")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
