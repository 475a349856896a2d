"""How the judge of luck learns: backpropagation, compiled; the steps are those of the search's nets."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.analysis.madness.judge import JUDGE, NARROW, PAPER, WIDE
from coyote.bots.madness.study import judge_lesson, log_loss, slope_of_judgement, step_by_adam
from coyote.games.madness.rules import decider
from coyote.kernel.jit import big_rule
from coyote.kernel.record import first, new, record_dtype

DESK = record_dtype(  # a record that began as a sheet does would be taken for one
    [("wide_slope", np.float32, WIDE), ("narrow_slope", np.float32, NARROW), *PAPER]
)


@big_rule
def study_judgement(tables, foreseen, eds, which, order, net, grad, d, learns):
    """The mean loss over the lessons of `order`; their slopes come into `grad` if it `learns`."""
    loss = 0.0
    for k in order:
        s = tables[k]
        seat = decider(s)
        target = foreseen[k] if seat == 0 else 1.0 - foreseen[k]
        chance = judge_lesson(s, eds[which[k]], seat, net, d)
        loss += log_loss(chance, target)
        if learns:
            slope_of_judgement(net, grad, d, np.float32((chance - target) / len(order)))
    return loss / len(order)


class Pupil:
    """A judge that learns, with what Adam remembers."""

    def __init__(self, seed: int) -> None:
        luck = np.random.default_rng(seed)
        self.nets, self.slopes, self.desk = np.zeros(1, JUDGE), np.zeros(1, JUDGE), new(DESK)
        for name, size in (("first", 0.15), ("second", 0.2), ("last", 0.1)):
            self.nets[name][...] = size * luck.normal(size=self.nets[name].shape)
        self.flat = [self.nets.view(np.float32), self.slopes.view(np.float32)]
        self.flat += [np.zeros_like(self.flat[0]), np.zeros_like(self.flat[0])]
        self.steps = 0

    def rest(self) -> None:
        """Go on from here with a new course."""
        self.steps = 0
        self.flat[2][:] = self.flat[3][:] = 0.0

    def loss(self, lessons: tuple[Any, ...], order: npt.NDArray[np.int64], learns: bool) -> float:
        return float(
            study_judgement(*lessons, order, first(self.nets), first(self.slopes), self.desk, learns)
        )

    def step(self, rate: float, decay: float) -> None:
        self.steps += 1
        step_by_adam(*self.flat, self.steps, np.float32(rate), np.float32(decay))


def train(
    pupil: Pupil, lessons: tuple[Any, ...], learn: Any, check: Any, epochs: int, seed: int,
    tell: Callable[[int, float, float], None], rate: float, batch: int = 512, decay: float = 1e-3,
) -> None:  # fmt: skip
    """`lessons` are the tables, the targets, the options and which of them each table has."""
    steps, warm = epochs * (len(learn) // batch), 200
    for epoch in range(epochs):
        order, losses = np.random.default_rng([seed, epoch]).permutation(learn), []
        for start in range(0, len(order) - batch + 1, batch):
            losses.append(pupil.loss(lessons, order[start : start + batch], learns=True))
            done = pupil.steps + 1
            wave = 0.5 + 0.5 * float(np.cos(np.pi * done / steps)) + 0.01
            pupil.step(rate * min(1.0, done / warm) * wave, decay)
        tell(epoch, float(np.mean(losses)), pupil.loss(lessons, check, learns=False))
