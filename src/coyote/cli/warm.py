"""The first start compiles: the rules, and what the bots know. This says so and shows how far it is."""

from collections.abc import Callable, Sequence

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from coyote.bots.bot import Bot, Question
from coyote.bots.levels import looks_ahead
from coyote.bots.names import make_bot
from coyote.cli.common import console
from coyote.games.game import Game
from coyote.kernel import jit
from coyote.kernel.events import new_log
from coyote.text import Words

# About how many functions are compiled: the rules, without and with series, and what the bots know.
STEPS = {False: 95, True: 110}
THUMB, SEARCH = "thumb", "search"
BOT_STEPS = {
    "madness": {THUMB: 12, SEARCH: 52},
    "duel": {THUMB: 16, SEARCH: 92},
}
SAMPLES = {THUMB: "greedy", SEARCH: "search:1"}  # the bots that call everything once


def warm_up(game: Game, words: Words, series: bool = False) -> None:
    """Have the rules compiled, with a bar where that takes its time."""
    module, part = type(game).__module__, "series" if series else "table"
    if not jit.COMPILED or jit.is_ready(module, part):
        return
    with_bar(words("compile.busy"), STEPS[series], lambda: touch(game, series))
    jit.mark_ready(module, part)


def with_bar(text: str, steps: int, work: Callable[[], None]) -> None:
    """Do what compiles about so many functions, and show how many are done."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=steps)
        with jit.on_compiled(lambda: bar.advance(task)):
            work()


def touch(game: Game, series: bool) -> None:
    """Call everything once."""
    seed = np.array([1, 2], np.uint64)
    s = game.deal(seed, new_log(game.ROOM))
    seat = 0 if game.actors(s) & 1 else 1
    game.record_deal(s)
    game.sight(game.view(s, seat), seat)
    game.why_not(game.view(s, seat), seat, "")
    game.result(s)
    game.act(s, seat, game.legal(s, seat)[0], new_log(game.ROOM))
    if series:
        game.random_games(seed, 0, 1)


# ---------------------------------------------------------------- the bots


def parts_of(name: str) -> tuple[str, ...]:
    """What of a game's knowledge a bot of this name uses.

    >>> parts_of("random"), parts_of("level:1"), parts_of("search:2000")
    ((), ('thumb',), ('thumb', 'search'))
    """
    kind, _, rest = name.partition(":")
    if kind in ("random", "cmd"):
        return ()
    if kind == "greedy" or (kind == "level" and not looks_ahead(int(rest))):
        return (THUMB,)
    return (THUMB, SEARCH)


def warm_bots(game: Game, names: Sequence[str], words: Words) -> None:
    """Have compiled what these bots use, before any time counts, with a bar where that takes its time."""
    module = f"coyote.bots.{game.name}.mind"
    parts = dict.fromkeys(part for name in names for part in parts_of(name))
    missing = [part for part in parts if not jit.is_ready(module, part)]
    if not missing or not jit.COMPILED:
        return
    steps = sum(BOT_STEPS[game.name][part] for part in missing)
    with_bar(words("match.compiling"), steps, lambda: touch_bots(game, missing))
    for part in missing:
        jit.mark_ready(module, part)


def touch_bots(game: Game, parts: Sequence[str]) -> None:
    for part in parts:
        first_answer(game, make_bot(SAMPLES[part], game, "warm"))


def first_answer(game: Game, bot: Bot) -> None:
    s = game.deal(np.array([1, 2], np.uint64))
    seat = 0 if game.actors(s) & 1 else 1
    bot.answer(Question(game.view(s, seat), seat, game.legal(s, seat)))
    bot.close()
