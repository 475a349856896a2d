"""Where the nets of Madness are taught: they play with themselves (`practice`), learn from that (`study`)
and forget the games.

`tools/train_madness.py` does all of it with one command. Everything follows from a seed, however many threads
there are; what has been reached is written down now and then, so that a run which was stopped goes on.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.bots.madness import practice, study, tree
from coyote.bots.madness.habits import N_HABITS
from coyote.bots.madness.mind import learned
from coyote.bots.madness.nets import BIASES, NET, set_biases
from coyote.games.game import OptionError
from coyote.games.madness.editions import EDITIONS
from coyote.games.madness.game import Madness
from coyote.games.madness.state import STATE
from coyote.kernel.events import silent_log
from coyote.kernel.record import first, new, record_dtype

CHANGED = 0.3  # chance that an option is another one under house rules
PUPILS = 2  # that play at the same time; what they find is one step
JUDGEMENT = int(NET.fields["look"][1]) // 4  # type: ignore[index]  # its numbers; the rest is the policy
BIAS = record_dtype(BIASES)
Found = tuple[float, float]  # the loss of the judgement, and how far behind the best the moves are
Tell = Callable[[int, Found], None]


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


@dataclass(frozen=True)
class Course:
    """How nets are trained. In the last steps the rate falls to nothing, and all along the spread."""

    steps: int = 60_000
    games: int = 32  # of a pupil in a step
    rate: float = 1e-3  # of the policy
    slower: float = 0.5  # the judgement's part of it
    warm: int = 100  # steps in the beginning, with a smaller rate
    last: float = 0.3  # the part of all steps in which it falls
    spread: tuple[float, float] = (0.01, 0.003)  # what it is worth to a move to be rare: first, and at last
    reach: float = 0.97  # of what came later, as `practice.foresee` has it

    def rate_at(self, step: int) -> float:
        left = 1.0 - step / self.steps
        return self.rate * min(1.0, step / self.warm) * min(1.0, left / self.last + 0.01)

    def spread_at(self, step: int) -> float:
        begin, end = self.spread
        return float(begin * (end / begin) ** (step / self.steps))


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
        self, nets: npt.NDArray[Any], course: Course, seed: str, given: list[Madness] | None = None
    ) -> None:
        self.nets, self.net, self.course, self.seed, self.given = nets, first(nets), course, seed, given
        self.pupils = [Pupil(course.games) for _ in range(PUPILS)]
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
        for part, share in ((slice(JUDGEMENT), self.course.slower), (slice(JUDGEMENT, None), 1.0)):
            weights, means, squares = (each[part] for each in self.flat)
            now = np.float32(share * rate)
            study.step_by_adam(weights, slopes[0][part], means, squares, self.steps, now, np.float32(0.0))
        return float(np.mean([each[0] for each in found])), float(np.mean([each[1] for each in found]))

    def put_down(self, kept: Path | None) -> None:
        """Write everything down that going on needs; half of a file is no file."""
        if kept is not None:
            part = kept.with_suffix(".part")
            with part.open("wb") as file:
                np.savez(file, steps=self.steps, flat=np.array(self.flat))
            part.rename(kept)

    def take_up(self, kept: Path | None) -> None:
        """Go on from what was written down, if anything was."""
        if kept is not None and kept.exists():
            with np.load(kept) as found:
                for mine, theirs in zip(self.flat, found["flat"], strict=True):
                    mine[:] = theirs
                self.steps = int(found["steps"])


def train(pupils: Class, threads: int, kept: Path | None, often: int, tell: Tell) -> Any:
    """The nets after the course. Every so often it is told how it goes, and what has been reached is kept."""
    pupils.take_up(kept)
    heard: list[Found] = []
    with ThreadPoolExecutor(threads) as pool:
        while pupils.steps < pupils.course.steps:
            heard.append(pupils.step(pool))
            if pupils.steps % often == 0 or pupils.steps == pupils.course.steps:
                loss, behind = np.mean(heard, axis=0)
                heard.clear()
                pupils.put_down(kept)
                tell(pupils.steps, (float(loss), float(behind)))
    return pupils.nets
