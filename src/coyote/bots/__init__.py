"""Players that get a view and answer with a move."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from coyote.bots.random import RandomBot
from coyote.games.game import Record

BOTS = {"random": RandomBot}


class Bot(Protocol):
    """A player: it is given what its seat may know, never the state."""

    def choose(self, view: Callable[[], Record], legal: list[int]) -> int:
        """One of the legal actions. The view is made when it is asked for."""


def make_bot(name: str, seat: int, dice: npt.NDArray[np.uint64]) -> Bot:
    """The bot of that name in a seat; its choices follow from the dice."""
    return BOTS[name](seat, dice)
