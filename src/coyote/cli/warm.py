"""The first start compiles the rules: this says so and shows how far it is."""

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from coyote.cli.common import console
from coyote.games.game import Game
from coyote.kernel import jit
from coyote.kernel.events import new_log
from coyote.text import Words

STEPS = {False: 110, True: 165}  # about how many functions are compiled, without and with series


def warm_up(game: Game, words: Words, series: bool = False) -> None:
    """Have the rules compiled, with a bar where that takes its time."""
    module, part = type(game).__module__, "series" if series else "table"
    if not jit.COMPILED or jit.is_ready(module, part):
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(words("compile.busy"), total=STEPS[series])
        with jit.on_compiled(lambda: bar.advance(task)):
            touch(game, series)
    jit.mark_ready(module, part)


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
