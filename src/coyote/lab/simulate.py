"""A series of games from one seed: as records, or counted on all cores.

Game number k of a series is the same game either way: its seed and its players' dice are words
4k … 4k + 3 of the stream whose key comes from the series' seed.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import Any

import numpy as np

from coyote.bots import make_bot
from coyote.games.game import Game, Json, Record, Words64
from coyote.kernel.chance import game_words
from coyote.lab.stats import interval, quantile
from coyote.match import Match
from coyote.seeds import seed_from, seed_text, seed_words

GAMES_AT_ONCE = 10_000  # in one compiled call: a few milliseconds' worth of progress


def series(seed: str) -> Words64:
    """The key of a series, from any text."""
    return seed_words(seed_from(f"series {seed}"))


def records(game: Game, bots: Sequence[str], n: int, seed: str, trace: bool = False) -> Iterator[Json]:
    """The games of a series one by one, as records."""
    source, key, dice = series(seed), np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    for number in range(n):
        game_words(source, number, key, dice)
        yield play_one(game, bots, seed_text(key), dice, trace).record()


def play_one(game: Game, bots: Sequence[str], seed: str, dice: Words64, trace: bool) -> Match:
    match = Match(game, seed=seed, players=bots)
    if trace:
        match.trace()
    players = [make_bot(name, seat, dice) for seat, name in enumerate(bots)]
    while actors := match.actors:
        for seat in actors:
            legal = match.legal_actions(seat)
            action = players[seat].choose(partial(match.view_record, seat), legal)
            match.play_action(action, seat)
    return match


def count(game: Game, n: int, seed: str, progress: Callable[[int], None]) -> Record:
    """The tally of a series of random games, on all cores."""
    source = series(seed)
    chunks = [(first, min(GAMES_AT_ONCE, n - first)) for first in range(0, n, GAMES_AT_ONCE)]
    total: Any = None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {pool.submit(game.random_games, source, *chunk): chunk[1] for chunk in chunks}
        for future in as_completed(futures):
            total = future.result() if total is None else add(total, future.result())
            progress(futures[future])
    return total


def add(total: Record, more: Record) -> Record:
    for name in total.dtype.names:
        total[name] += more[name]
    return total


def summary(game: Game, tally: Record) -> Json:
    """What a tally says, for people and programs."""
    games = int(tally.games)
    wins = [int(number) for number in tally.wins]
    turns = [int(number) for number in tally.turns]
    return {
        "games": games,
        "wins": [share(wins[seat], games) for seat in range(2)],
        "draws": share(wins[2], games),
        "ends": {reason: int(k) for reason, k in zip(game.REASONS, tally.ends, strict=True)},
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
