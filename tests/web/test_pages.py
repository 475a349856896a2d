"""Pages before any script of theirs: what is refused, what links show elsewhere, what a device keeps."""

import json
import re
import struct

import pytest
from playwright.sync_api import expect

from coyote.table.pages import SKY, site
from table.kit_table import Server
from table.test_pages import told
from web.conftest import Pages, axe_violations
from web.test_shell import WEB, fetch

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    "path", ["/nowhere", "/learn/foo", "/rules/foo", "/rules/madness/more", "/room/a%20b", "/replay/%3Cb%3E"]
)
def test_what_is_not_there_is_a_page_for_people(server: Server, path: str) -> None:
    for lang, title in (("en", "There is no such page"), ("ru", "Такой страницы нет")):
        status, headers, body = fetch(server, path, **BROWSER, **{"accept-language": lang})
        assert (status, headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert f'<html lang="{lang}">' in body.decode() and f"<h1>{title}</h1>" in body.decode()
        assert (
            headers["cache-control"] == "no-store"
            and "script-src 'self'" in headers["content-security-policy"]
        )
    status, headers, body = fetch(server, path)
    assert status == 404 and json.loads(body)["code"] == "room.none"


@pytest.mark.parametrize("path", ["/api/nowhere", "/api/rooms/none", "/static/now/none.js"])
def test_for_programs_and_parts_of_pages_it_stays_json(server: Server, path: str) -> None:
    status, _, body = fetch(server, path, **BROWSER)
    assert status == 404 and json.loads(body)["code"] == "room.none"


@pytest.mark.parametrize(("lang", "theme"), [("ru", "light"), ("en", "dark")])
def test_a_page_that_is_not_there_leads_on(pages: Pages, lang: str, theme: str) -> None:
    pages.allow("status of 404")
    page = pages.open("/learn/foo", lang=lang, theme=theme, phone=theme == "dark")
    expect(page.locator("header nav a").first).to_be_visible()
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Такой страницы нет" if lang == "ru" else "There is no such page")
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="English" if lang == "ru" else "Русский").click()
    expect(title).to_have_text("There is no such page" if lang == "ru" else "Такой страницы нет")
    page.get_by_role("link", name="To the start" if lang == "ru" else "На главную").last.click()
    expect(page.locator("button.big")).to_be_visible()


# ---------------------------------------------------------------- links


def test_the_preview_of_a_room_tells_nothing_of_the_game(server: Server) -> None:
    _, _, one = fetch(server, "/room/0123456789abcdef?invite=secret")
    _, _, other = fetch(server, "/room/none")
    assert one == other and b"secret" not in one
    assert told(one)["og:title"] == "A game of cards?"


def test_pictures_are_there_for_everybody_and_small(server: Server) -> None:
    for lang in ("en", "ru"):
        path = f"/static/{site().digest}/preview-{lang}.png"
        status, headers, body = fetch(server, path)
        assert status == 200 and headers["content-type"] == "image/png" and len(body) < 200_000
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        assert size_of(body) == (1200, 630)
    _, headers, _ = fetch(server, f"/static/{site().digest}/base.css")
    assert headers["cross-origin-resource-policy"] == "same-origin"


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", png[16:24])
    return wide, high


# ---------------------------------------------------------------- among the programs of a device


def test_a_device_can_keep_it(server: Server) -> None:
    for lang in ("en", "ru"):
        _, headers, body = fetch(server, "/manifest.webmanifest", **{"accept-language": lang})
        assert headers["content-type"] == "application/manifest+json" and "accept-language" in headers["vary"]
        kept = json.loads(body)
        assert (kept["lang"], kept["start_url"], kept["display"]) == (lang, "/", "standalone")
        assert kept["short_name"] == {"en": "Coyote", "ru": "Койот"}[lang]
        purposes = {icon.get("purpose", "any"): icon["sizes"] for icon in kept["icons"]}
        assert purposes["maskable"] == "512x512" and {"192x192", "512x512"} <= {
            i["sizes"] for i in kept["icons"]
        }
        for icon in kept["icons"]:
            status, headers, picture = fetch(server, icon["src"])
            assert status == 200 and headers["content-type"] == icon["type"]
            drawn = "any" if icon["type"] == "image/svg+xml" else "{}x{}".format(*size_of(picture))
            assert icon["sizes"] == drawn


def test_the_window_has_the_colour_of_the_sky(pages: Pages) -> None:
    style = (WEB / "base.css").read_text()
    assert re.findall(r"--sky: (#\w+);", style) == [SKY["light"], SKY["dark"]]
    page = pages.open("/rules", theme="light")
    page.get_by_role("button", name="Night").click()
    colour = (
        "[...document.querySelectorAll('meta[name=theme-color]')]"
        ".find((one) => matchMedia(one.media).matches).content"
    )
    assert page.evaluate(colour) == SKY["dark"]
    page.reload()
    assert page.evaluate(colour) == SKY["dark"]
    page.get_by_role("button", name="Noon").click()
    assert page.evaluate(colour) == SKY["light"]


def test_the_browser_takes_the_manifest(pages: Pages) -> None:
    page = pages.open("/")
    page.locator("button.big").wait_for()
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest") and found["errors"] == []
