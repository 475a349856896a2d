"""Pictures of every page, from a small phone to a large window, in both languages and themes.

    python tools/make_screenshots.py FOLDER [--only lobby,madness] [--sizes phone,side] [--readme]

A server of its own on an empty database, games against a bot played some way into, Chromium without a
window. `--readme` writes the few pictures that the README and the documentation show.
"""

import argparse
import itertools
import json
import random
import re
import secrets
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from websockets.sync.client import connect

from coyote.games.duel.language import read, write
from coyote.text import Lang

Options = dict[str, str | int]
ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SET = ROOT / "examples" / "night-sands.toml"
SHELLS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM = next((path for path in SHELLS if path.exists()), SHELLS[-1])
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZES = {
    "phone": {"width": 390, "height": 844},
    "small": {"width": 320, "height": 568},
    "side": {"width": 844, "height": 390},
    "zoomed": {"width": 683, "height": 384},  # 1366 × 768 at 200 %
    "desktop": {"width": 1280, "height": 800},
    "large": {"width": 2560, "height": 1440},
}
PHONES = ("phone", "small", "side")
SHARP = {"phone": 2, "small": 2}  # points in a pixel
LANGS = {"en": "en-GB", "ru": "ru-RU"}
NAMES = {"en": ("Anna", "Boris"), "ru": ("Анна", "Боря")}
# Of a set, a deck of it, and house rules: their names and what is said of them.
OWN = {
    "en": (
        "Night Sands",
        "Dunes",
        "Wait, then strike.",
        "Fair classic",
        "Whoever moves second starts ahead.",
    ),
    "ru": (
        "Ночные пески",
        "Барханы",
        "Ждать и бить.",
        "Честная классика",
        "Кто ходит вторым, начинает с форой.",
    ),
}
LONG = 1000  # moves: to the end
# The rooms: a game, its options, and how many moves into it.
ROOMS: dict[str, tuple[str, Options, int]] = {
    "madness": ("madness", {"edition": "standard"}, 8),
    "tut": ("madness", {"edition": "standard"}, 9),
    "classic": ("madness", {"edition": "classic"}, 6),
    "duel": ("duel", {}, 5),
    "one": ("madness", {"fields": 1, "goal": 1, "hand": 3, "jokers": 0}, 2),
    "two": ("madness", {"fields": 2, "goal": 3, "chance": "no"}, 6),
    "four": ("madness", {"fields": 4, "goal": 20, "hand": 10, "close": "never"}, 8),
    "long-duel": ("duel", {"health": 200, "hand-limit": 10, "wear": 10}, 9),
    "over": ("madness", {"edition": "standard"}, LONG),
    "duel-over": ("duel", {}, LONG),
    "two-over": ("madness", {"fields": 2, "goal": 3, "chance": "no"}, LONG),
    "long-duel-over": ("duel", {"health": 200, "hand-limit": 10, "wear": 10}, LONG),
}
JOINED = {"goal": 7, "fields": 2, "jokers": 1, "close": "never", "chance": "no"}
PAGES = {
    "lobby": "/", "house": "/?game=madness&edition=standard&goal=7&fields=2", "join": "/room/{join}",
    "house-duel": "/?game=duel&health=200&hand-limit=10", "refused": "/?game=madness&goal=2&komi=4",
    "invite": "/room/{link}", "pass": "/room/{self}", "me": "/me", "no-room": "/room/nowhere",
    "no-page": "/nowhere",
    "tut": "/room/{tut}", "duel-end": "/room/{duel-over}", "duel-replay": "/replay/{duel-over}#turn=4",
    "madness": "/room/{madness}", "classic": "/room/{classic}", "duel": "/room/{duel}",
    "one": "/room/{one}", "two": "/room/{two}", "four": "/room/{four}", "long-duel": "/room/{long-duel}",
    "end": "/room/{over}", "replay": "/replay/{over}", "proof": "/replay/{over}", "cards": "/cards",
    "two-end": "/room/{two-over}", "two-replay": "/replay/{two-over}",
    "long-duel-replay": "/replay/{long-duel-over}#turn=6", "decks": "/decks", "workshop": "/workshop",
    "rules-madness": "/rules/madness", "rules-duel": "/rules/duel", "learn-madness": "/learn/madness",
    "learn-duel": "/learn/duel",
    "own-card": "/workshop?set={set}#card/3", "own-gallery": "/cards?set={digest}",
    "own-decks": "/decks?set={digest}&code={code}", "own-lobby": "/?game=duel&set={digest}",
    "friend": "/room/{friend}?invite={invite}", "variant": "/rules/variants/{variant}",
    "variants": "/rules/variants?new=yes&game=madness&goal=7",
    "analysis": "/replay/{over}#analysis=yes",
    "ladder": "/ladder", "judge": "/judge", "boards": "/boards", "tournaments": "/tournaments",
    "puzzles": "/puzzles",
}  # fmt: skip
# What a picture is about, where it is not the top of the page; and what is pressed first.
PARTS = {
    "own-lobby": ".deck-part",
    "house": ".house",
    "house-duel": ".house",
    "refused": ".reasons",
    "proof": ".proof",
    "analysis": ".an",
}
WAITED = {"analysis": ".an-curve svg"}  # what takes longer than the page
PRESSED = {"refused": "button.big"}
# What documents show: page, size, language, theme, name of the picture.
SHOWN = [
    ("madness", "desktop", "en", "dark", "table-madness.png"),
    ("madness", "phone", "ru", "light", "table-phone.png"),
    ("analysis", "desktop", "en", "light", "analysis.png"),
    *(
        (page, size, lang, "light", f"{name}-{lang}.png")
        for lang in LANGS
        for page, size, name in (
            ("own-card", "desktop", "workshop-card"),
            ("own-decks", "desktop", "workshop-decks"),
            ("own-lobby", "desktop", "workshop-lobby"),
            ("friend", "phone", "workshop-friend"),
            ("variant", "desktop", "workshop-variant"),
        )
    ),
]  # fmt: skip


@contextmanager
def server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "coyote", "table", "--port", "0", "--lang", "en"]
        command += ["--db", f"sqlite:///{folder}/table.sqlite3", "--limit", "makes_per_minute=100000"]
        command += ["--limit", "requests_per_second=100000", "--limit", "rooms_per_guest=1000"]
        command += ["--limit", "files_per_second=100000", "--limit", "opens_per_minute=100000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                yield process.stdout.readline().split()[-1].rstrip("/")
            finally:
                process.terminate()


class Visitor:
    """A guest of the server."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.cookie, self.name = address, "", name
        self.rooms: dict[str, str] = {}
        self.post("/api/guest", {"name": name})

    def play_for(self, pages: Iterable[str], other: "Visitor") -> None:
        """The games that these pages show, and one that the other waits in."""
        shown = " ".join(PAGES[page] for page in pages)
        self.rooms = {name: self.game(*room) for name, room in ROOMS.items() if f"{{{name}}}" in shown}
        waits = {"game": "madness", "options": JOINED, "opponent": "open"}
        self.rooms["join"] = other.post("/api/rooms", waits)["room"]
        for opponent in ("link", "self"):
            self.rooms[opponent] = self.post("/api/rooms", {"game": "madness", "opponent": opponent})["room"]

    def write_for(self, lang: str, other: "Visitor") -> None:
        """A set with a deck, a game with it that the other has invited to, and house rules."""
        name, deck, about, rules, why = OWN[lang]
        text = in_language(SET.read_text(encoding="utf-8").replace("Night Sands", name), lang)
        made = self.post("/api/sets", {"name": name, "text": text})
        ids = [card["id"] for card in tomllib.loads(text)["card"][:8] for _ in range(2)]
        decks = [{"name": deck, "about": about, "cards": ids}]
        self.post(f"/api/sets/{made['id']}", {"revision": made["revision"], "decks": decks}, "PUT")
        digest = self.post(f"/api/sets/{made['id']}/versions", {})["digest"]
        code = self.post("/api/decks/check", {"cards": ids, "set": digest})["code"]
        terms = {"game": "duel", "options": {"health": 60}, "set": {"digest": digest}, "deck": code}
        room = other.post("/api/rooms", {**terms, "opponent": "link"})
        options = {"edition": "classic", "komi": 1, "close": "empty"}
        variant = {"name": rules, "about": why, "game": "madness", "options": options, "listed": True}
        self.rooms |= {
            "set": made["id"], "digest": digest, "code": code, "friend": room["room"],
            "invite": room["invite"], "variant": self.post("/api/variants", variant)["id"],
        }  # fmt: skip

    def post(self, path: str, body: Any, method: str = "POST") -> Any:
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), headers, method=method
        )
        with urllib.request.urlopen(request) as answer:
            if given := answer.headers["Set-Cookie"]:
                self.cookie = given.split(";")[0]
            return json.load(answer)

    def game(self, name: str, options: Options, moves: int) -> str:
        terms = {"game": name, "options": options, "opponent": "bot"}
        room = self.post("/api/rooms", {**terms, "bot": "level:3", "begins": "host"})["room"]
        address = f"{self.address.replace('http', 'ws')}/api/rooms/{room}/socket"
        with connect(address, additional_headers={"Cookie": self.cookie}) as socket:
            socket.send(json.dumps({"type": "hello", "version": 1, "want": ["legal", "view"]}))
            socket.send(json.dumps({"type": "ready", "id": "r", "nonce": secrets.token_hex(16)}))
            self.play(socket, moves)
        return str(room)

    def play(self, socket: Any, moves: int) -> None:
        dice = random.Random(moves)
        numbers = itertools.count()
        for text in socket:
            message = json.loads(text)
            if message["type"] != "update" or not message["legal"] or message["view"].get("chosen"):
                if message.get("phase") == "over":
                    return
                continue
            if (number := next(numbers)) >= moves:
                return
            move = dice.choice(sensible(message["legal"]) if moves < LONG else message["legal"])
            socket.send(json.dumps({"type": "move", "id": str(number), "move": move}))


def in_language(text: str, lang: str) -> str:
    """A set file with the texts of its cards in the language of whoever looks."""
    spoken: Lang = "ru" if lang == "ru" else "en"

    def written(found: re.Match[str]) -> str:
        return f'text = "{write(read(found[1]), spoken)}"'

    return re.sub(r'^text = "(.*)"$', written, text, flags=re.MULTILINE)


def sensible(legal: list[str]) -> list[str]:
    """Moves that leave something to look at: draw, attack, beat the Boss, play a card."""
    begins = ("draw", "a1", "a2", "a3", "a4", "b ", "play")
    return [move for move in legal if move.startswith(begins)] or legal


def picture(browser: Browser, visitor: Visitor, page: str, size: str, lang: str, theme: str) -> bytes:
    context: BrowserContext = browser.new_context(
        base_url=visitor.address, viewport=SIZES[size], has_touch=size in PHONES, locale=LANGS[lang],  # type: ignore[arg-type]
        color_scheme=theme, reduced_motion="reduce", device_scale_factor=SHARP.get(size, 1),  # type: ignore[arg-type]
    )  # fmt: skip
    try:
        name, _, value = visitor.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": visitor.address}])
        known = {"guest": "yes", "name": visitor.name}
        context.add_init_script(f"Object.assign(localStorage, {json.dumps(known)})")
        tab = context.new_page()
        tab.goto(PAGES[page].format(**visitor.rooms), wait_until="networkidle")
        if page in PRESSED:
            tab.locator(PRESSED[page]).click()
        if page in WAITED:
            tab.locator(WAITED[page]).wait_for(timeout=300_000)
        if page in PARTS:
            tab.locator(PARTS[page]).evaluate("(part) => part.scrollIntoView()")
        tab.wait_for_timeout(700)
        return tab.screenshot()
    finally:
        context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES)
    parser.add_argument("--only", default=",".join(PAGES))
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--readme", action="store_true")
    wanted = parser.parse_args()
    every = itertools.product(wanted.only.split(","), wanted.sizes.split(","), LANGS, ("light", "dark"))
    shots = SHOWN if wanted.readme else [(*one, "-".join(one) + ".png") for one in every]
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with server() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        visitors = {lang: Visitor(address, NAMES[lang][0]) for lang in LANGS}
        for lang, visitor in visitors.items():
            other = Visitor(address, NAMES[lang][1])
            visitor.play_for([page for page, *_ in shots], other)
            visitor.write_for(lang, other)
        for page, size, lang, theme, name in shots:
            (wanted.folder / name).write_bytes(picture(browser, visitors[lang], page, size, lang, theme))
            print(wanted.folder / name, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
