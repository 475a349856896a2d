"""A series of games from one seed: as records, or counted on all cores.

Game number k of a series (`series`) is the same game either way.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from typing import Any

import numpy as np

from coyote.games.game import Game, Json, Record, Setup
from coyote.kernel.record import new
from coyote.kernel.tally import DRAWN, MOST_TURNS
from coyote.lab.games import Crew, Played
from coyote.lab.play import Rows, Table
from coyote.lab.series import AT_RANDOM, play_one, series
from coyote.lab.stats import interval, quantile

GAMES_AT_ONCE = 10_000  # in one compiled call: a few milliseconds' worth of progress

# ---------------------------------------------------------------- games one by one


def records(
    game: Game, setup: Setup, bots: Sequence[str], n: int, seed: str, trace: bool = False
) -> Iterator[Json]:
    """The games of a series one by one, as records."""
    return (played.record() for played in games_of(game, setup, bots, n, seed, trace))


def games_of(
    game: Game, setup: Setup, bots: Sequence[str], n: int, seed: str, trace: bool = False
) -> Iterator[Played]:
    source, crew = series(seed), Crew()

    def work(number: int) -> Played:
        return play_one(game, setup, bots, source, number, crew, trace)

    if tuple(bots) == AT_RANDOM:  # two threads would only get in each other's way
        yield from map(work, range(n))
        return
    with closing(crew.in_order(work, n)) as played:
        yield from played


# ---------------------------------------------------------------- counted


def count(
    game: Game,
    setup: Setup,
    n: int,
    seed: str,
    progress: Callable[[int], None],
    bots: Sequence[str] = AT_RANDOM,
) -> Record:
    """The tally of a series, on all cores. A game that a bot's failure ended has no place in `ends`."""
    if tuple(bots) == AT_RANDOM:
        return count_random(game, setup, n, seed, progress)
    total: Any = new(game.TALLY)
    with closing(Table(game, setup, bots, seed, twice=False).in_pieces(n)) as pieces:
        for rows in pieces:
            add_rows(total, rows[:, 0])
            progress(len(rows))
    return total


def count_random(game: Game, setup: Setup, n: int, seed: str, progress: Callable[[int], None]) -> Record:
    """Random games, compiled from the deal to the end."""
    source = series(seed)
    chunks = [(first, min(GAMES_AT_ONCE, n - first)) for first in range(0, n, GAMES_AT_ONCE)]
    total: Any = None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {pool.submit(game.random_games, setup, source, *chunk): chunk[1] for chunk in chunks}
        for future in as_completed(futures):
            total = future.result() if total is None else add(total, future.result())
            progress(futures[future])
    return total


def add(total: Record, more: Record) -> Record:
    for name in total.dtype.names:
        total[name] += more[name]
    return total


def add_rows(tally: Record, rows: Rows) -> None:
    """Count games that were not counted as they were played."""
    tally.games += len(rows)
    tally.decisions += int(rows["decisions"].sum())
    tally.wins += np.bincount(np.where(rows["winner"] < 0, DRAWN, rows["winner"]), minlength=3)
    tally.turns += np.bincount(np.minimum(rows["turns"], MOST_TURNS - 1), minlength=MOST_TURNS)
    tally.ends += np.bincount(rows["reason"][rows["reason"] >= 0], minlength=len(tally.ends))
    tally.points += rows["points"].sum(axis=0)


def summary(game: Game, tally: Record) -> Json:
    """What a tally says, for people and programs."""
    games = int(tally.games)
    wins = [int(number) for number in tally.wins]
    turns = [int(number) for number in tally.turns]
    ends = Counter({reason: int(k) for reason, k in zip(game.REASONS, tally.ends, strict=True)})
    failures = games - ends.total()
    return {
        "games": games,
        "wins": [share(wins[seat], games) for seat in range(2)],
        "draws": share(wins[2], games),
        "ends": dict(ends),
        **({"failures": failures} if failures else {}),
        "turns": {
            "mean": sum(turn * k for turn, k in enumerate(turns)) / games,
            **{name: quantile(turns, q) for name, q in (("least", 0), ("median", 0.5), ("most", 1))},
        },
        "decisions": int(tally.decisions),
        "points": {
            source: [int(tally.points[seat, i]) for seat in range(2)] for i, source in enumerate(game.SOURCES)
        },
    }


def share(hits: int, games: int) -> Json:
    low, high = interval(hits, games)
    return {"games": hits, "share": hits / games, "low": low, "high": high}
