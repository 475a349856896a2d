"""Where the nets of Madness are taught: they play with themselves (`practice`), learn from that (`study`)
and forget the games.

`tools/train_madness.py` does all of it with one command. Everything follows from a seed, however many threads
there are; what has been reached is written down now and then, so that a run which was stopped goes on.
"""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.bots.madness import practice, study, tree
from coyote.bots.madness.habits import N_HABITS
from coyote.bots.madness.mind import learned
from coyote.bots.madness.nets import BIASES, NET, set_biases
from coyote.bots.training import PUPILS, Course, Found, mean_of
from coyote.games.game import OptionError
from coyote.games.madness.editions import EDITIONS
from coyote.games.madness.game import Madness
from coyote.games.madness.state import STATE
from coyote.kernel.events import silent_log
from coyote.kernel.record import first, new, record_dtype

CHANGED = 0.3  # chance that an option is another one under house rules
JUDGEMENT = int(NET.fields["look"][1]) // 4  # type: ignore[index]  # its numbers; the rest is the policy
BIAS = record_dtype(BIASES)


# ---------------------------------------------------------------- what is played


def house_rules(edition: str, dice: Random) -> Madness:
    """An edition with some options changed, within M25."""
    while True:
        given: dict[str, Any] = {
            option.name: dice.choice(list(option.allowed))
            for option in Madness.OPTIONS
            if dice.random() < CHANGED
        }
        try:
            return Madness(edition=edition, **given)
        except OptionError:
            continue


def usual_games(dice: Random) -> list[Madness]:
    """Every edition twice, and one of them under house rules."""
    editions = [Madness(edition=edition) for edition in EDITIONS]
    return [*editions, *editions, house_rules(dice.choice(list(EDITIONS)), dice)]


def rows_of(games: list[Madness]) -> npt.NDArray[Any]:
    """Their options as the rules have them."""
    return np.frombuffer(b"".join(game.row.tobytes() for game in games), games[0].row.dtype).copy()


# ---------------------------------------------------------------- a course


COURSE = Course(steps=60_000, reach=0.97, spread=(0.01, 0.003))
GAMES = 32  # of a pupil in a step
SLOWER = 0.5  # the judgement's part of the rate


def fresh_nets(seed: int) -> npt.NDArray[Any]:
    """Small random weights; the policy begins as the habits, which are the same everywhere."""
    nets = np.zeros(1, NET)
    net, luck = nets[0], np.random.default_rng(seed)
    sizes = {"first": 0.15, "second": 0.2, "last": 0.1, "look": 0.15, "focus": 0.15, "moves": 0.02}
    for name, size in sizes.items():
        net[name][...] = size * luck.normal(size=net[name].shape)
    net.moves_bias[:N_HABITS] = np.mean([np.log(table["habits"]) for table in learned().values()], axis=0)
    return nets


class Pupil:
    """Somebody who plays with itself, and says in which direction the nets would be better."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.table, self.world = np.zeros(1, STATE), np.zeros(1, STATE)
        self.words, self.dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        self.work, self.desk, self.log = new(tree.WORK), new(study.DESK), silent_log()
        room = practice.LONGEST + 160 * games
        self.tables, self.lessons = np.zeros(room, STATE), np.zeros(room, practice.LESSON)
        self.slopes = np.zeros(1, NET)

    def play(self, net: Any, seed: str, reach: float, given: list[Madness] | None) -> tuple[Any, int]:
        """The options of the games, and how many lessons there are now."""
        dice = Random(seed)
        games = given or usual_games(dice)
        rows, biases = rows_of(games), np.zeros(len(games), BIAS)
        for bias, game in zip(biases, games, strict=True):
            set_biases(bias, net, game.row)
        source = np.array([dice.getrandbits(64), dice.getrandbits(64)], np.uint64)
        n = practice.play_lessons(
            self.table, rows, biases, net, self.work, self.world, self.log, source, self.words, self.dice,
            self.games, reach, self.tables, self.lessons,
        )  # fmt: skip
        return rows, int(n)

    def study(self, net: Any, rows: Any, n: int, spread: float) -> Found:
        """The slopes of all weights are in `slopes` then."""
        loss, behind = study.study_lessons(
            self.tables, self.lessons, n, rows, net, first(self.slopes), self.work, self.desk, spread
        )
        return float(loss), float(behind)


class Class:
    """Nets that learn, with what Adam remembers. `given` is what is played, if not the usual games."""

    def __init__(
        self,
        nets: npt.NDArray[Any],
        course: Course,
        seed: str,
        games: int = GAMES,
        given: list[Madness] | None = None,
    ) -> None:
        self.nets, self.net, self.course, self.seed, self.given = nets, first(nets), course, seed, given
        self.pupils = [Pupil(games) for _ in range(PUPILS)]
        self.flat = [nets.view(np.float32)] + [np.zeros_like(nets.view(np.float32)) for _ in range(2)]
        self.steps = 0

    def lesson(self, number: int) -> Found:
        """One pupil plays and studies."""
        pupil, course = self.pupils[number], self.course
        seed = f"{self.seed} {self.steps} {number}"
        rows, n = pupil.play(self.net, seed, course.reach, self.given)
        return pupil.study(self.net, rows, n, course.spread_at(self.steps))

    def step(self, pool: ThreadPoolExecutor) -> Found:
        found = list(pool.map(self.lesson, range(PUPILS)))
        slopes = [pupil.slopes.view(np.float32) for pupil in self.pupils]
        for other in slopes[1:]:
            slopes[0] += other
            other[:] = 0.0
        slopes[0] /= PUPILS
        self.steps += 1
        rate = self.course.rate_at(self.steps)
        for part, share in ((slice(JUDGEMENT), SLOWER), (slice(JUDGEMENT, None), 1.0)):
            weights, means, squares = (each[part] for each in self.flat)
            now = np.float32(share * rate)
            study.step_by_adam(weights, slopes[0][part], means, squares, self.steps, now, np.float32(0.0))
        return mean_of(found)

    def state(self) -> dict[str, Any]:
        return dict(zip(("weights", "means", "squares"), self.flat, strict=True))

    def go_on_from(self, steps: int) -> None:
        self.steps = steps
