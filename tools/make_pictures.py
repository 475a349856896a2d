"""Draws the pictures of the terminal table for the README and the documentation."""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

from coyote import Match
from coyote.cli.terminals import table_for
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
    while match.turn < DUEL_TURNS:
        for seat in match.actors:
            match.play(match.game.move_text(match.legal_actions(seat)[1]), seat)
    return match


def draw(match: Match, lang: str, name: str, said: int) -> None:
    words = Words(lang)
    names = [words("play.you"), words("play.bot")]
    out = Console(record=True, width=78, file=io.StringIO(), force_terminal=True, highlight=False)
    out.print(table_for(match.game, words, names).draw(match.view_json(0)))
    for line in match.story(0, names, lang)[-said:]:
        out.print(f"  {line}")
    out.print(Text(words(f"{match.game.name}.wanted.{match.wanted}"), "yellow"))
    out.print("> ", end="")
    svg = out.export_svg(title=f"coyote play {match.game.name}", code_format=FRAME, unique_id="coyote")
    (PICTURES / f"{name}-{lang}.svg").write_text(svg, encoding="utf-8")


# ---------------------------------------------------------------- the levels' ratings

COLOURS = ("#2b7a78", "#b5651d", "#6b4fa0")
LEFT, TOP, WIDE, HIGH, GAP = 150, 46, 460, 13, 24
RATING = re.compile(r"(\d+)(?: \[(\d+) – (\d+)\])?")


def rated() -> tuple[list[str], list[tuple[str, list[tuple[int, int, int]]]]]:
    """From the table in docs/bots.md: what was played, and for each level rating, low and high."""
    text = (PICTURES.parent / "bots.md").read_text(encoding="utf-8")
    heading, *rows = re.findall(
        r"^\| (.*) \|$", text[text.index("| level | name | Madness") :].split("\n\n")[0], re.M
    )
    levels = []
    for row in rows:
        _, name, *cells = row.split(" | ")
        found = [RATING.match(cell.replace("≥ ", "")) for cell in cells[-3:]]
        levels.append((name, [(int(f[1]), int(f[2] or f[1]), int(f[3] or f[1])) for f in found if f]))
    return heading.split(" | ")[-3:], levels


def draw_levels() -> None:
    """Bars from the weakest level up, one colour for each game, with the intervals as whiskers."""
    games, levels = rated()
    most = max(high for _, cells in levels for *_, high in cells)
    parts = [
        f'<text x="{LEFT + 170 * i}" y="20" fill="{c}">{g}</text>'
        for i, (g, c) in enumerate(zip(games, COLOURS, strict=True))
    ]
    y = TOP
    for name, cells in levels:
        parts.append(f'<text x="{LEFT - 10}" y="{y + 26}" text-anchor="end">{name}</text>')
        for colour, (rating, low, high) in zip(COLOURS, cells, strict=True):
            a, b, c = (LEFT + WIDE * (value - 900) / (most - 900) for value in (rating, low, high))
            parts.append(
                f'<rect x="{LEFT}" y="{y}" width="{a - LEFT:.0f}" height="{HIGH - 2}" fill="{colour}"/>'
            )
            parts.append(f'<path d="M{b:.0f} {y + 5.5}H{c:.0f}" stroke="#888" stroke-width="3"/>')
            parts.append(f'<text x="{max(a, c) + 6:.0f}" y="{y + 10}" font-size="11">{rating}</text>')
            y += HIGH
        y += GAP - HIGH
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDE + 60} {y}"'
    svg += ' font-family="sans-serif" font-size="14" fill="#555">\n' + "\n".join(parts) + "\n</svg>\n"
    (PICTURES / "levels.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    draw_levels()
    for lang in ("en", "ru"):
        draw(madness(), lang, "terminal", 9)
        draw(duel(), lang, "duel", 12)
