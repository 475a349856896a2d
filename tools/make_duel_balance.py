"""The tables of docs/games/duel-balance.md, from what the lab has told.

coyote lab decks --bot search:300 --games 100 --seed balance --json > decks.json
python tools/make_duel_balance.py decks.json
"""

import json
import sys
from pathlib import Path

from coyote.games.game import Json

PAGE = Path(__file__).parent.parent / "docs" / "games" / "duel-balance.md"
BEGIN, END = "<!-- from the lab -->\n", "<!-- to here -->\n"


def percent(found: Json) -> str:
    return f"**{100 * found['mean']:.1f}** ({100 * found['low']:.0f}–{100 * found['high']:.0f})"


def whole(found: Json | None) -> str:
    return "–" if found is None else f"{100 * found['mean']:.0f}"


def matrix(found: Json) -> list[str]:
    names = found["names"]
    rows = [
        f"| {name} | {' | '.join(whole(share) for share in row)} | {percent(found['field'][i])} |"
        for i, (name, row) in enumerate(zip(names, found["matrix"], strict=True))
    ]
    return [f"| deck | {' | '.join(names)} | against the field |", "|---" * (len(names) + 2) + "|", *rows]


def mix(found: Json) -> list[str]:
    weights, support = found["equilibrium"]["weights"], found["equilibrium"]["support"]
    rows = [
        f"| {name} | {percent(weights[i])} | {100 * support[i]:.0f} |"
        for i, name in enumerate(found["names"])
    ]
    return ["| deck | part of the mix | in the mix at all |", "|---|---|---|", *rows]


def main() -> None:
    found = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    command = f"coyote lab decks --bot {found['bot']} --games {found['games']} --seed {found['seed']}"
    shown = [f"```\n{command}\n```", "\n".join(matrix(found)), "\n".join(mix(found))]
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    page = [before, BEGIN, "\n", "\n\n".join(shown), "\n\n", END, rest.partition(END)[2]]
    PAGE.write_text("".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
