"""The first start compiles: the rules, and what the bots know. This says so and shows how far it is."""

import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType, TracebackType

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from coyote.bots.bot import Bot
from coyote.bots.minds import mind_of
from coyote.bots.names import SEARCH, THUMB, make_bot, uses
from coyote.cli.common import console
from coyote.games.game import Chance, Game
from coyote.games.registry import make_game
from coyote.kernel import jit
from coyote.kernel.events import new_log
from coyote.lab.play import Table, plans_of
from coyote.match import Match
from coyote.questions import Budget
from coyote.text import Words

TO_LEAVE = 3.0  # seconds
GAMES = "games"  # of bots, compiled as a whole
NO_BUDGET = Budget()
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
        with jit.on_compiled(lambda: bar.advance(task)), interruption_kept():
            work()


@contextmanager
def interruption_kept() -> Iterator[None]:
    """Ctrl-C while something is compiled may come out as an error of the compiler's: it is Ctrl-C still."""
    came = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or not in_main_thread():
        yield  # somebody else looks after it
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield
    except Exception:
        if came:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


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


def warm_games(game: Game, bots: Sequence[str], words: Words, budget: Budget = NO_BUDGET) -> None:
    """Have compiled what games between these bots need: whole games, or rules and bots one by one."""
    if plans_of(game, bots, True, budget) is None:
        warm_up(game, words)
        warm_bots(game, bots, words)
        return
    module = type(mind_of(game)).__module__
    if jit.COMPILED and not jit.is_ready(module, GAMES):
        steps = jit.count_rules(module.rpartition(".")[0])
        with_bar(words("match.compiling"), steps, lambda: touch_games(game))
        jit.mark_ready(module, GAMES)


def touch_games(game: Game) -> None:
    Table(game, game.samples()[0], ("greedy", "greedy"), "warm", twice=True).play(0, 1)


def first_answer(game: Game, bot: Bot) -> None:
    match = Match(game, game.samples()[0], seed="warm")
    bot.answer(match.question(match.actors[0]))
    bot.close()


# ---------------------------------------------------------------- while a game is played


class Warming:
    """Has compiled in a process of its own what a game at the terminal calls. Until that is done, whoever
    plays here runs plain Python: the same game, quick enough for people. Nothing is left behind."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._left = False

    def __enter__(self) -> "Warming":
        return self

    def begin(self, game: Game, bots: Sequence[str], words: Words) -> None:
        """A game from elsewhere is compiled here and now: no other process knows it."""
        if not type(game).__module__.startswith("coyote."):
            warm_up(game, words)
            warm_bots(game, bots, words)
        elif jit.COMPILED and not is_warm(game):
            with suppress(OSError):
                self._child = jit.run_elsewhere(f"from coyote.cli.warm import warm; warm({game.name!r})")
            begun = threading.Event()
            self._thread = threading.Thread(target=self._wait, args=(game.name, begun), daemon=True)
            self._thread.start()
            begun.wait()

    def _wait(self, name: str, begun: threading.Event) -> None:
        """What the other process has compiled is only loaded; where it failed, it is compiled here."""
        with jit.compiling_here():
            begun.set()
            if self._child:
                self._child.wait()
            warm(name, lambda: self._left)

    @property
    def busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left = True
        if self._child:
            self._child.kill()
            self._child.wait()
        if self._thread:
            self._thread.join(TO_LEAVE)


def is_warm(game: Game) -> bool:
    mind = type(mind_of(game)).__module__
    return jit.is_ready(type(game).__module__, "table") and all(jit.is_ready(mind, part) for part in SAMPLES)


def warm(name: str, is_left: Callable[[], bool] = lambda: False) -> None:
    """Call everything once, until nobody needs it any more."""
    game = make_game(name)
    mind = type(mind_of(game)).__module__
    work: list[tuple[str, str, Callable[[], None]]] = [
        (type(game).__module__, "table", lambda: touch(game, series=False)),
        *((mind, part, partial(touch_bots, game, [part])) for part in SAMPLES),
    ]
    for module, part, do in work:
        if is_left():
            return
        do()
        jit.mark_ready(module, part)
