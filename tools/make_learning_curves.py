"""Draw what the examples for environments have said of themselves.

python examples/envs/ppo.py madness > ppo.jsonl
python tools/make_learning_curves.py ppo.jsonl "PPO against greedy" docs/pictures/envs-ppo.svg
"""

import json
import math
import sys
from pathlib import Path
from typing import Any, NamedTuple

from coyote.lab.figures import SHARE, Curves, Measure, Series
from coyote.lab.picture_files import picture_file
from coyote.text import Words


class Score(NamedTuple):
    mean: float
    low: float
    high: float


def learned(title: str, lines: list[dict[str, Any]]) -> Curves:
    """The share of points against each bot."""
    bots = [name for name in lines[0] if isinstance(lines[0][name], list)]
    series = [Series(f"against {bot}", [around(*line[bot]) for line in lines]) for bot in bots]
    along = [line["decisions"] / 1e6 for line in lines]
    return Curves(title, along, series, SHARE, 0.5, "even", "points", "million decisions")


def around(mean: float, half: float) -> Score:
    return Score(mean, mean - half, mean + half)


def solved(title: str, lines: list[dict[str, Any]]) -> Curves:
    """Exploitability, as a power of ten."""
    values = [math.log10(line["exploitability"]) for line in lines]
    along = [f"{line['iteration']}" for line in lines]
    return Curves(
        title, along, [Series("CFR+", values)], Measure(digits=0), axis="exploitability, power of ten",
        along_axis="iterations",
    )  # fmt: skip


if __name__ == "__main__":
    source, title, out = sys.argv[1:]
    lines = [json.loads(line) for line in Path(source).read_text(encoding="utf-8").splitlines()]
    figure = (solved if "exploitability" in lines[0] else learned)(title, lines)
    Path(out).write_text(picture_file(figure, Words("en")), encoding="utf-8")
