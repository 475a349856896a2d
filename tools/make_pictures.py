"""Draws the pictures of the terminal table for the README and the documentation."""

import io
from pathlib import Path

from rich.console import Console
from rich.text import Text

from coyote import Match
from coyote.cli.tables import table_for
from coyote.text import Words

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
POSITION = (
    "madness standard 1 tut turn=14 lead=+2 hands=5H,9C,JD,KS,AD/3D,6S,7H,TC boss=QH discard=4S "
    "fields=TS/8D*2!|KH/-=0|-/6C! deck=X1,2C,2D,2H,2S,3C,3H,3S,4C,4D,4H,5C,5D,5S,6D,6H,7C,7D,7S,8C,8H"
)
MOVES = ("drop 3D", "a3 9C")
DUEL_TURNS = 6

# Rich's own frame fetches a font from elsewhere; this one uses what the reader has.
FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-family: sans-serif; font-size: 18px; font-weight: bold; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def madness() -> Match:
    match = Match.from_position(POSITION)
    for move in MOVES:
        match.play(move)
    return match


def duel() -> Match:
    """Some turns of two ready decks; the players take their first card each time."""
    match = Match("duel", decks=("thunderhead", "briar"), seed="picture")
    while match.view(0)["turn"] < DUEL_TURNS:
        for seat in match.actors:
            match.play(match.game.move_text(match.legal_actions(seat)[1]), seat)
    return match


def draw(match: Match, wanted: str, lang: str, name: str, said: int) -> None:
    words = Words(lang)
    names = [words("play.you"), words("play.bot")]
    out = Console(record=True, width=78, file=io.StringIO(), force_terminal=True, highlight=False)
    out.print(table_for(match.game, words, names).draw(match.view(0)))
    for line in match.story(0, names, lang)[-said:]:
        out.print(f"  {line}")
    out.print(Text(words(f"play.wanted.{wanted}"), "yellow"))
    out.print("> ", end="")
    svg = out.export_svg(title=f"coyote play {match.game.name}", code_format=FRAME, unique_id="coyote")
    (PICTURES / f"{name}-{lang}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    for lang in ("en", "ru"):
        draw(madness(), "tut", lang, "terminal", 9)
        draw(duel(), "choose", lang, "duel", 12)
