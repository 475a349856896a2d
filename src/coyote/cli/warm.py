"""The first start compiles: the rules, and what the bots know. This says so and shows how far it is."""

from collections.abc import Callable, Sequence

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from coyote.bots.bot import Bot
from coyote.bots.minds import mind_of
from coyote.bots.names import SEARCH, THUMB, make_bot, uses
from coyote.cli.common import console
from coyote.games.game import Chance, Game
from coyote.kernel import jit
from coyote.kernel.events import new_log
from coyote.match import Match
from coyote.text import Words

SAMPLES = {THUMB: "greedy", SEARCH: "search:1"}  # the bots that call everything once


def warm_up(game: Game, words: Words, series: bool = False) -> None:
    """Have the rules compiled, with a bar where that takes its time."""
    module, part = type(game).__module__, "series" if series else "table"
    if not jit.COMPILED or jit.is_ready(module, part):
        return
    steps = jit.count_rules("coyote.kernel", module.rpartition(".")[0])
    with_bar(words("compile.busy"), steps, lambda: touch(game, series))
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
    seed, setup = np.array([1, 2], np.uint64), game.samples()[0]
    s = game.deal(setup, seed, new_log(game.EVENTS))
    seat = 0 if game.actors(s) & 1 else 1
    game.record_deal(s)
    game.view_json(game.view(s, seat), seat)
    game.why_not(game.view(s, seat), seat, "")
    game.result(s)
    game.act(s, seat, game.legal(s, seat)[0], new_log(game.EVENTS), Chance())
    if series:
        game.random_games(setup, seed, 0, 1)


# ---------------------------------------------------------------- the bots


def warm_bots(game: Game, names: Sequence[str], words: Words) -> None:
    """Have compiled what these bots use, before any time counts, with a bar where that takes its time."""
    parts = dict.fromkeys(part for name in names for part in uses(name, game))
    if not parts or not jit.COMPILED:
        return
    module = type(mind_of(game)).__module__
    missing = [part for part in parts if not jit.is_ready(module, part)]
    if not missing:
        return
    steps = jit.count_rules(module.rpartition(".")[0])
    with_bar(words("match.compiling"), steps, lambda: touch_bots(game, missing))
    for part in missing:
        jit.mark_ready(module, part)


def touch_bots(game: Game, parts: Sequence[str]) -> None:
    for part in parts:
        first_answer(game, make_bot(SAMPLES[part], game, "warm"))


def first_answer(game: Game, bot: Bot) -> None:
    match = Match(game, game.samples()[0], seed="warm")
    bot.answer(match.question(match.actors[0]))
    bot.close()
