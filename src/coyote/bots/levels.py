"""Seven opponents for people. The weaker ones err as people do, and never as no person would.

They miss a kind of threat, they do not see a move, or they hurry; what is absurd does not come to their
mind, and what everybody sees, they see (`deciding.notice`). Each game's mind sets its own seven so that
each beats the one below with a good 60 % (`docs/bots.md`).
"""

from dataclasses import dataclass

from coyote.questions import Budget


@dataclass(frozen=True)
class Level:
    number: int  # its names are the words `level.<number>`
    budget: Budget | None  # None: goes by rules of thumb, looks nowhere
    misses: float = 0.0  # the chance that, this time, it has no eye for a kind of moves
    overlooks: float = 0.0  # the chance that it does not see a single move
    hurries: float = 0.0  # the chance that it answers by the rules of thumb after all

    @property
    def errs(self) -> bool:
        return self.misses > 0.0 or self.overlooks > 0.0


def seven(*levels: tuple[Budget | None, float, float, float]) -> tuple[Level, ...]:
    """In this order: budget, misses, overlooks, hurries."""
    return tuple(Level(number, *each) for number, each in enumerate(levels, 1))


NUMBERS = range(1, 8)
