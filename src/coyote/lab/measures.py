"""What many games say, from their rows: counted in whole numbers, added up, and told with intervals.

Each game is one trial. A mean is a ratio whose lower part is 1 for every game; the mean number of moves
that a player may choose from is a ratio of sums over decisions, of which a game has many.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.games.game import Game, Json
from coyote.lab.play import scores
from coyote.lab.stats import NORMAL_95, interval, mean, quantile

Numbers = npt.NDArray[Any]
Rows = npt.NDArray[Any]
RARE = 0.01  # of the times that it could be made


# ---------------------------------------------------------------- counting


def tally(game: Game, rows: Rows) -> Json:
    """The rows of some games in whole numbers."""
    winner, half = rows["winner"], rows["half"]
    decided = winner >= 0
    turns = Counter(rows["turns"].tolist())
    return {
        "scores": pack(scores(rows)),
        "games": len(rows),
        "ends": [int(np.sum(rows["reason"] == number)) for number in range(len(game.REASONS))],
        "turns": sorted([turn, n] for turn, n in turns.items()),
        "half": [int(np.sum(decided & (half == winner))), int(np.sum(decided & (half >= 0)))],
        "comebacks": [int(np.sum(decided & (rows["behind"] > 0))), int(np.sum(decided))],
        "sums": {name: sums(*pair) for name, pair in ratios(game, rows).items()},
    }


def ratios(game: Game, rows: Rows) -> dict[str, tuple[Numbers, Numbers]]:
    """The upper and the lower part of everything that is a mean, game by game."""
    one, decided = np.ones(len(rows), np.int64), rows["winner"] >= 0
    decisions = rows["decisions"].sum(axis=1)
    found = {
        "lead_changes": (rows["lead_changes"], one),
        "behind": (rows["behind"], decided),
        "choices": (rows["choices"].sum(axis=1), decisions),
        "forced": (rows["forced"].sum(axis=1), decisions),
        "decisions": (decisions, one),
    }
    found |= {
        f"points.{name}": (rows["points"][:, :, i].sum(axis=1), one) for i, name in enumerate(game.SOURCES)
    }
    for i, kind in enumerate(game.MOVE_KINDS):
        found[f"moves.{kind}"] = (rows["made"][:, :, i].sum(axis=1), rows["offered"][:, :, i].sum(axis=1))
    return found


def sums(x: Numbers, y: Numbers) -> list[int]:
    """Of both and of their squares and products: all that a ratio and its interval need."""
    x, y = x.astype(np.int64), y.astype(np.int64)
    return [len(x), *(int(part.sum()) for part in (x, y, x * x, y * y, x * y))]


def pack(halves: Numbers) -> str:
    """Scores of 0, 1 or 2 half points, four in a byte.

    >>> pack(np.array([0, 1, 2, 2, 1])), unpack("a401", 5).tolist()
    ('a401', [0, 1, 2, 2, 1])
    """
    padded = np.zeros(-(-len(halves) // 4) * 4, np.uint8)
    padded[: len(halves)] = halves
    return bytes((padded.reshape(-1, 4) << np.array([0, 2, 4, 6])).sum(axis=1, dtype=np.uint8)).hex()


def unpack(text: str, n: int) -> Numbers:
    packed = np.frombuffer(bytes.fromhex(text), np.uint8)
    return ((packed[:, None] >> np.array([0, 2, 4, 6], np.uint8)) & 3).reshape(-1)[:n].astype(np.int8)


# ---------------------------------------------------------------- adding up


def total(tallies: Sequence[Json]) -> Json:
    """The same for all games together; scores stay as they are, in their order."""
    turns: Counter[int] = Counter()
    for one in tallies:
        turns.update(dict(one["turns"]))
    return {
        "games": sum(one["games"] for one in tallies),
        "ends": _columns(one["ends"] for one in tallies),
        "turns": dict(sorted(turns.items())),
        "half": _columns(one["half"] for one in tallies),
        "comebacks": _columns(one["comebacks"] for one in tallies),
        "sums": {name: _columns(one["sums"][name] for one in tallies) for name in tallies[0]["sums"]},
    }


def _columns(rows: Iterable[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def halves(tallies: Sequence[Json]) -> Numbers:
    """The scores of seat 0 in half points, game by game."""
    return np.concatenate([unpack(one["scores"], one["games"]) for one in tallies])


# ---------------------------------------------------------------- telling


def measures(game: Game, tallies: Sequence[Json]) -> Json:
    """All that is known of a variant, with 95 % intervals."""
    added = total(tallies)
    games, points = added["games"], halves(tallies) / 2
    found = {name: ratio(numbers) for name, numbers in added["sums"].items()}
    failed = games - sum(added["ends"])
    return {
        "games": games,
        "first_seat": mean(points).as_json(),
        "draws": share(int(np.sum(points == 0.5)), games),
        "ends": {name: share(n, games) for name, n in zip(game.REASONS, added["ends"], strict=True)},
        **({"failures": failed} if failed else {}),
        "turns": lengths(added["turns"]),
        "lead_changes": found["lead_changes"],
        "comebacks": share(*added["comebacks"]),
        "behind": found["behind"],
        "half_time": share(*added["half"]),
        "points": {name: found[f"points.{name}"] for name in game.SOURCES},
        "decisions": found["decisions"],
        "choices": found["choices"],
        "forced": found["forced"],
        "moves": {kind: moves(added["sums"][f"moves.{kind}"]) for kind in game.MOVE_KINDS},
    }


def share(hits: int, trials: int) -> Json | None:
    """None where there was no trial at all."""
    if not trials:
        return None
    low, high = interval(hits, trials)
    return {"mean": hits / trials, "low": low, "high": high}


def ratio(numbers: Sequence[int]) -> Json | None:
    """The ratio of two sums over independent games, and its interval.

    >>> ratio(sums(np.array([3, 5, 4]), np.array([1, 1, 1])))["mean"]
    4.0
    """
    n, x, y, xx, yy, xy = numbers
    if not y:
        return None
    middle = x / y
    spread = max(0.0, xx - 2 * middle * xy + middle**2 * yy)
    reach = NORMAL_95 * sqrt(spread * n / max(1, n - 1)) / y
    return {"mean": middle, "low": middle - reach, "high": middle + reach}


def lengths(turns: Mapping[int, int]) -> Json:
    """How long games are, and how unlike each other."""
    n = sum(turns.values())
    middle = sum(turn * k for turn, k in turns.items()) / n
    spread = sqrt(sum(k * (turn - middle) ** 2 for turn, k in turns.items()) / max(1, n - 1))
    reach = NORMAL_95 * spread / sqrt(n)
    counts = [turns.get(turn, 0) for turn in range(max(turns) + 1)]
    return {
        "mean": middle,
        "low": middle - reach,
        "high": middle + reach,
        "spread": spread,
        **{name: quantile(counts, q) for name, q in (("p10", 0.1), ("median", 0.5), ("p90", 0.9))},
    }


def moves(numbers: Sequence[int]) -> Json:
    """How often a kind of move is made in a game, and of the times that it could be."""
    n, made, offered, squares, _, _ = numbers
    return {"a_game": ratio([n, made, n, squares, n, made]), "share": ratio(numbers)}


def is_rare(move: Json) -> bool:
    """Never made, or hardly ever, though it could be."""
    return move["share"] is not None and move["share"]["mean"] < RARE
