"""Write the tables of features in docs/environments.md anew; with --check only say whether they are."""

import sys
from pathlib import Path

from coyote.envs import features_of
from coyote.envs.layout import described
from coyote.envs.registry import FEATURES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "environments.md"


def table(game: str) -> str:
    lines = ["| name | places | values | meaning | rule |", "|---|---|---|---|---|"]
    lines += [
        f"| `{name}` | {places} | {values} | {meaning} | {rule} |"
        for name, places, values, meaning, rule in described(features_of(game).layout)
    ]
    return "\n".join(lines)


def written(page: str) -> str:
    for game in FEATURES:
        before, mark, rest = page.partition(f"<!-- features: {game} -->")
        _, end, after = rest.partition("<!-- end -->")
        page = f"{before}{mark}\n{table(game)}\n{end}{after}"
    return page


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    if "--check" in sys.argv:
        sys.exit(page != written(page) and "stale: python tools/make_environments.py")
    PAGE.write_text(written(page), encoding="utf-8")
