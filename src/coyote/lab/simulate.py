"""A series of games from one seed: as records, or counted on all cores.

Game number k of a series is the same game either way: its seed and its players' dice are words
4k … 4k + 3 of the stream whose key comes from the series' seed.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from typing import Any

import numpy as np

from coyote.bots.bot import Bot
from coyote.bots.external import Programs
from coyote.bots.names import make_bot
from coyote.games.game import Game, Json, Record, Setup, Words64
from coyote.kernel.chance import game_words
from coyote.kernel.events import new_log
from coyote.kernel.record import new
from coyote.kernel.tally import DRAWN, MOST_TURNS
from coyote.lab.games import Crew, DiceBot, Played, play_out, say_goodbye
from coyote.lab.stats import interval, quantile
from coyote.match import Match
from coyote.seeds import seed_from, seed_text, seed_words

GAMES_AT_ONCE = 10_000  # in one compiled call: a few milliseconds' worth of progress
RANDOM = "random"
AT_RANDOM = (RANDOM, RANDOM)


def series(seed: str) -> Words64:
    """The key of a series, from any text."""
    return seed_words(seed_from(f"series {seed}"))


def words_of(source: Words64, number: int) -> tuple[str, Words64]:
    """The seed of a game of a series, and its players' dice."""
    key, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    game_words(source, number, key, dice)
    return seed_text(key), dice


# ---------------------------------------------------------------- games one by one


def records(
    game: Game, setup: Setup, bots: Sequence[str], n: int, seed: str, trace: bool = False
) -> Iterator[Json]:
    """The games of a series one by one, as records."""
    return (played.record() for played in games_of(game, setup, bots, n, seed, trace))


def games_of(
    game: Game, setup: Setup, bots: Sequence[str], n: int, seed: str, trace: bool = False
) -> Iterator[Played]:
    source = series(seed)
    if tuple(bots) == AT_RANDOM:  # two threads would only get in each other's way
        for number in range(n):
            yield play_one(game, setup, bots, *words_of(source, number), trace)
        return
    crew = Crew()

    def work(number: int) -> Played:
        return play_one(game, setup, bots, *words_of(source, number), trace, crew)

    with closing(crew.in_order(work, n)) as played:
        yield from played


def play_one(
    game: Game,
    setup: Setup,
    bots: Sequence[str],
    seed: str,
    dice: Words64,
    trace: bool,
    crew: Crew | None = None,
) -> Played:
    match = Match(game, setup, seed=seed, players=bots)
    if trace:
        match.trace()
    players = seated(game, bots, dice, crew.programs if crew else None)
    played = None
    try:
        played = play_out(match, players, stop=crew.stop if crew else None)
    finally:
        say_goodbye(players, played.result.as_json() if played else None)
    return played


def seated(game: Game, bots: Sequence[str], dice: Words64, programs: Programs | None) -> list[Bot]:
    """The players of a game of a series; their seeds come from the game's dice, read before any is rolled."""
    seeds = [bot_seed(dice, f"seat {seat}") for seat in range(2)]
    return [
        DiceBot(dice) if name == RANDOM else make_bot(name, game, own, programs)
        for name, own in zip(bots, seeds, strict=True)
    ]


def bot_seed(dice: Words64, who: str) -> str:
    """A bot's own seed. From what one is told nobody learns the dice, or the seed of the other one."""
    return seed_from(f"bot {seed_text(dice)} {who}")


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
    for played in games_of(game, setup, bots, n, seed):
        add_game(total, played)
        progress(1)
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


def add_game(tally: Record, played: Played) -> None:
    """Count one game that was not played in the compiled loop."""
    game, result = played.match.game, played.result
    tally.games += 1
    tally.decisions += len(played.match.moves)
    tally.wins[DRAWN if result.winner is None else result.winner] += 1
    tally.turns[min(played.turns, MOST_TURNS - 1)] += 1
    if played.failure is None:
        tally.ends[game.REASONS.index(result.reason)] += 1
    rows, log = played.match.rows, new_log(game.EVENTS)
    for first in range(0, len(rows), game.EVENTS):
        part = rows[first : first + game.EVENTS]
        log.rows[: len(part)] = part
        log.n = len(part)
        game.count_points(log, tally)


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
