"""How nets are trained that learn from their own play: a course of steps, and a folder that it goes on from.

What is played and what is learned from it is a game's own (`bots/<game>/practice.py`, `school.py`). For
training only; nobody who plays needs it.
"""

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

Found = tuple[float, float]  # the loss against how the games ended; how far behind the best the moves are
Tell = Callable[[int, Found], None]

PUPILS = 2  # that play at the same time; what they find is one step
OFTEN = 1000  # steps, after which it is told how it goes, and kept
COLUMNS = "step,loss against the results,behind the best move\n"


@dataclass(frozen=True)
class Course:
    """In the last steps the rate falls to nothing, and all along the spread falls."""

    steps: int
    reach: float  # of what came later, as `foresee` of a game's practice has it
    spread: tuple[float, float]  # what it is worth to a move to be rare: first, and at last
    rate: float = 1e-3
    warm: int = 100  # steps in the beginning, with a smaller rate
    last: float = 0.3  # the part of all steps in which it falls

    def rate_at(self, step: int) -> float:
        left = 1.0 - step / self.steps
        return self.rate * min(1.0, step / self.warm) * min(1.0, left / self.last + 0.01)

    def spread_at(self, step: int) -> float:
        begin, end = self.spread
        return float(begin * (end / begin) ** (step / self.steps))


class Learner(Protocol):
    """Nets that learn, with all that going on needs."""

    course: Course

    @property
    def steps(self) -> int:
        """How many there were so far."""

    def step(self, pool: ThreadPoolExecutor) -> Found: ...

    def state(self) -> dict[str, Any]:
        """Everything that going on needs, but for the number of steps; the arrays themselves."""

    def go_on_from(self, steps: int) -> None:
        """The arrays of `state` have been filled with what was reached after so many steps."""


def put_down(learner: Learner, kept: Path | None) -> None:
    """Write down what has been reached; half of a file is no file."""
    if kept is not None:
        part = kept.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, steps=learner.steps, **learner.state())
        part.rename(kept)


def take_up(learner: Learner, kept: Path | None) -> None:
    """Go on from what was written down, if anything was."""
    if kept is not None and kept.exists():
        with np.load(kept) as found:
            for name, table in learner.state().items():
                table[...] = found[name]
            learner.go_on_from(int(found["steps"]))


def train(learner: Learner, threads: int, kept: Path | None, often: int, tell: Tell) -> None:
    """The whole course, or what is left of it."""
    take_up(learner, kept)
    heard: list[Found] = []
    with ThreadPoolExecutor(threads) as pool:
        while learner.steps < learner.course.steps:
            heard.append(learner.step(pool))
            if learner.steps % often == 0 or learner.steps == learner.course.steps:
                loss, behind = np.mean(heard, axis=0)
                heard.clear()
                put_down(learner, kept)
                tell(learner.steps, (float(loss), float(behind)))


def mean_of(found: list[Found]) -> Found:
    """What several pupils have found."""
    loss, behind = np.mean(found, axis=0)
    return float(loss), float(behind)


# ---------------------------------------------------------------- as a command does it


def begun_with(folder: Path) -> str:
    """The commit of the code that the run in a folder began with."""
    path = folder / "commit.txt"
    if not path.exists():
        git = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
        path.write_text(git.stdout.strip(), encoding="utf-8")
    return path.read_text(encoding="utf-8")


def train_in(folder: Path, learner: Learner, threads: int) -> None:
    """The same with everything kept in a folder, the curves as well."""
    curves = folder / "curves.csv"
    if not curves.exists():
        curves.write_text(COLUMNS, encoding="utf-8")

    def tell(step: int, found: Found) -> None:
        line = f"{step},{found[0]:.4f},{found[1]:.4f}"
        print(line, flush=True)
        with curves.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    train(learner, threads, folder / "training.npz", OFTEN, tell)
