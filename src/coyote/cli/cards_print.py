"""Cards on paper: a file of its own that draws itself in any browser with the table's own scripts and styles,
and that file printed by Chromium where there is one."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from coyote.cli.faults import Fault
from coyote.games.duel.sets import CardSet
from coyote.games.game import Json
from coyote.table.library import card_json, is_core
from coyote.table.pages import flat_words, web_folder
from coyote.text import Lang

SCRIPT = "print-file.js"
STYLES = ("base", "duel-card", "playing-card", "print-sheet")
WORDS = ("back", "rarity.common", "rarity.rare")  # of the duel, for those who listen
IMPORT = re.compile(r'((?:from|import)\s*\(?\s*)"\./([\w-]+\.js)"')
# Whatever a card is called, the file runs what we have written and asks nobody for anything.
POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'"
PAGE = """<!doctype html>
<html lang="{lang}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="content-security-policy" content="{policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{title}</title>
{styles}
    <script type="application/json" id="order">{order}</script>
    <script type="importmap">{scripts}</script>
  </head>
  <body class="print-file">
    <script type="module">import "coyote/{script}";</script>
  </body>
</html>
"""
BROWSERS = (
    "chromium",
    "chromium-browser",
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
)
PATIENCE = 300  # seconds for a large set


def printed_file(cards: CardSet, ids: Sequence[str], langs: Sequence[Lang], look: Json) -> str:
    """The whole file. `ids` say which cards to print, and how often; the first of `langs` is louder."""
    told = flat_words(langs[0])
    order = {
        "cards": [card_json(cards.by_id[card_id]) for card_id in dict.fromkeys(ids)],
        "ids": list(ids),
        "langs": list(langs),
        "foot": told["print.foot"] if is_core(cards) else cards.name,
        "look": look,
        "words": {f"duel.{key}": told[f"duel.{key}"] for key in WORDS},
    }
    return PAGE.format(
        lang=langs[0],
        policy=POLICY,
        title=escape(cards.name),
        styles="\n".join(map(style, STYLES)),
        order=in_script(order),
        scripts=in_script({"imports": dict(scripts(SCRIPT))}),
        script=SCRIPT,
    )


def in_script(value: Json) -> str:
    """JSON that cannot end the element that it stands in."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def style(name: str) -> str:
    return f'    <style data-sheet="{name}">\n{web_file(f"{name}.css")}</style>'


def scripts(first: str) -> Iterator[tuple[str, str]]:
    """The module and all that it needs, each by a name that does not depend on where the file lies."""
    wanted, seen = [first], {first}
    while wanted:
        name = wanted.pop()
        source = web_file(name)
        for _, needed in IMPORT.findall(source):
            if needed not in seen:
                seen.add(needed)
                wanted.append(needed)
        body = IMPORT.sub(r'\1"coyote/\2"', source)
        yield f"coyote/{name}", f"data:text/javascript;base64,{base64.b64encode(body.encode()).decode()}"


def web_file(name: str) -> str:
    return web_folder().joinpath(name).read_text(encoding="utf-8")


# ---------------------------------------------------------------- PDF


def browser() -> str:
    """The Chromium of this machine; `COYOTE_CHROMIUM` names another."""
    named = os.environ.get("COYOTE_CHROMIUM")
    found = next((path for name in ([named] if named else BROWSERS) if (path := shutil.which(name))), None)
    if found is None:
        raise Fault("cards.no_chromium")
    return found


def print_pdf(page: str, path: Path) -> None:
    """The page as a PDF, whole or not at all."""
    chromium = browser()
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "sheets.html"), Path(folder, "sheets.pdf")
        source.write_text(page, encoding="utf-8")
        flags = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder}/profile"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")  # which Chromium does not have for root
        command = [chromium, *flags, f"--print-to-pdf={made}", source.as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True)
            shutil.copyfile(made, path)
        except (subprocess.SubprocessError, FileNotFoundError) as error:
            said = getattr(error, "stderr", b"") or b""
            last = said.decode(errors="replace").strip().rsplit("\n", 1)[-1]
            raise Fault("cards.chromium_failed", path=chromium, what=last or type(error).__name__) from error
