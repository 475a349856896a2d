"""The simplest opponent: any legal move, each as likely as the other."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from coyote.games.game import Record
from coyote.kernel.dice import roll


class RandomBot:
    def __init__(self, seat: int, dice: npt.NDArray[np.uint64]) -> None:
        self.seat, self.dice = seat, dice

    def choose(self, view: Callable[[], Record], legal: list[int]) -> int:
        return legal[int(roll(self.dice, self.seat, len(legal)))]
