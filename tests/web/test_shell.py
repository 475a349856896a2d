"""What all pages share: files and words as they are served, types, languages and themes."""

import gzip
import os
import re
import shutil
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from coyote.table import pages as served
from coyote.table.pages import PAGES, Page, flat, flat_words, site
from table.kit_table import Server
from web.conftest import axe_violations, run_tsc
from web.kit_web import new_game, wait_for_turn

ROOT = Path(__file__).parents[2] / "src" / "coyote"
WEB = ROOT / "table" / "web"
TEXTS = sorted((ROOT / "text" / "pages").glob("*.toml"))
KEY = r"[a-z][a-z_]*(?:\.(?:[\w-]|\$\{[^}`]*\})+)+"
SLOT = re.compile(r"\{(\w+)\}")


def shells() -> Iterator[tuple[Page, str]]:
    """Every page in every language, as a browser gets it."""
    for page, lang in site().pages:
        yield page, site().page(page, lang, "http://table.example").body.decode()


def fetch(server: Server, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(f"http://{server.host}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def test_files_are_kept_for_good_and_pages_are_asked_for_again(server: Server) -> None:
    digest = site().digest
    for path, kind in [
        ("/", "text/html"),
        ("/favicon.ico", "image/svg+xml"),
        ("/api/games", "application/json"),
    ]:
        status, headers, body = fetch(server, path)
        assert status == 200 and headers["content-type"].startswith(kind) and body, path
        assert headers["cache-control"] == "no-cache"
        status, _, body = fetch(server, path, **{"If-None-Match": headers["etag"]})
        assert (status, body) == (304, b"")
    for name, kind in [
        ("base.css", "text/css"), ("dom.js", "text/javascript"), ("words/ru.json", "application/json"),
    ]:  # fmt: skip
        _, headers, body = fetch(server, f"/static/{digest}/{name}")
        assert headers["content-type"].startswith(kind)
        assert headers["cache-control"] == "public, max-age=31536000, immutable"
        # A page that was open while the server was renewed goes on, with the newest.
        _, headers, newest = fetch(server, f"/static/00000000000000000000/{name}")
        assert headers["cache-control"] == "no-cache" and newest == body


def test_files_are_packed_for_those_who_take_it(server: Server) -> None:
    for path in ("/", f"/static/{site().digest}/dom.js"):
        _, headers, plain = fetch(server, path)
        assert "content-encoding" not in headers and headers["vary"].startswith("accept-encoding")
        _, headers, packed = fetch(server, path, **{"Accept-Encoding": "br, gzip"})
        assert headers["content-encoding"] == "gzip" and gzip.decompress(packed) == plain
        assert len(packed) < len(plain)


def test_a_file_that_changes_has_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For who writes pages; all others have the files as they were when the server began."""
    shutil.copytree(WEB, tmp_path / "web")
    monkeypatch.setattr(served, "web_folder", lambda: tmp_path / "web")
    served._read_site.cache_clear()
    try:
        first = site()
        style = tmp_path / "web" / "base.css"
        style.write_text(style.read_text() + "/* more */")
        assert site() is first
        monkeypatch.setenv(served.LIVE, "1")
        second = site()
        assert second.digest != first.digest and second.files["base.css"].body.endswith(b"/* more */")
        assert all(second.digest in page for page in second.pages.values())
    finally:
        served._read_site.cache_clear()


@pytest.mark.parametrize(
    "path",
    ["../pages.py", "%2e%2e/pages.py", "..%2fpages.py", "%2e%2e%5cpages.py", "/etc/hostname", "", "none.js",
     "base.css%00.js", "words/xx.json", "jsconfig.json", "wire.d.ts", "types.d.ts"],
)  # fmt: skip
def test_nothing_else_is_served(server: Server, path: str) -> None:
    for version in (site().digest, "now"):
        status, headers, _ = fetch(server, f"/static/{version}/{path}")
        assert status == 404 and headers["content-type"] == "application/json"


def test_every_page_finds_its_files() -> None:
    found = site()
    for page, shown in shells():
        named = re.findall(r'/static/(\w+)/([\w.-]+)"', shown)
        names = [name for _, name in named]
        assert f"{page.name}.js" in names and f"{page.name}.css" in names
        assert all(name in found.files and digest == found.digest for digest, name in named), page.name
    assert not list(WEB.glob("*.html"))


def test_no_file_is_named_without_its_version() -> None:
    for path in [*WEB.glob("*.js"), *WEB.glob("*.css")]:
        assert "/static/" not in path.read_text(encoding="utf-8"), path.name


def test_the_navigation_is_on_every_page_and_knows_where_it_is() -> None:
    for page, shown in shells():
        here = re.findall(r'<a href="([^"]+)" data-page="\w+" aria-current="page">', shown)
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
    for page, shown in shells():
        text = shown.replace('content="http://table.example/', "")
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
    known = set(flat_words("en"))
    paths = [*sorted(WEB.glob("*.js")), ROOT / "table" / "pages.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in paths)
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
