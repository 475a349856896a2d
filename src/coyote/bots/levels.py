"""Five opponents for people. The weaker ones err as people do: they overlook a move, or they hurry.

Each game's mind sets its own five so that each beats the one below with a good 60 % (`docs/bots.md`).
"""

from dataclasses import dataclass

from coyote.questions import Budget


@dataclass(frozen=True)
class Level:
    number: int  # its names are the words `level.<number>`
    budget: Budget | None  # None: goes by rules of thumb, looks nowhere
    overlooks: float  # the chance that it does not see a move
    hurries: float  # the chance that it answers by the rules of thumb after all


def five(*levels: tuple[Budget | None, float, float]) -> tuple[Level, ...]:
    return tuple(Level(number, *each) for number, each in enumerate(levels, 1))


NUMBERS = range(1, 6)
