"""What a player is asked: all that its seat may know, what it may do, and how long it may think."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from coyote.games.events import Event
from coyote.games.game import Record


@dataclass(frozen=True)
class Budget:
    """How long a bot may think: until either limit is reached; None is no limit.

    >>> Budget(simulations=2000), Budget(seconds=0.1)
    (Budget(simulations=2000, seconds=None), Budget(simulations=None, seconds=0.1))
    """

    simulations: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        """As the names of bots have it: `2000`, `100ms`."""
        return f"{round(self.seconds * 1000)}ms" if self.seconds is not None else str(self.simulations)


@dataclass(frozen=True)
class Page:
    """A decision as everybody saw it: what a bystander may know of the table before it, and the move."""

    view: Record
    action: int


@dataclass(frozen=True)
class Question:
    """All that a bot is told."""

    view: Record  # what its seat may know
    seat: int
    legal: Sequence[int]  # its legal actions, never empty
    events: Sequence[Event] = ()  # what its seat saw since it was asked last
    budget: Budget = field(default_factory=Budget)  # what whoever asks allows
    past: Sequence[Page] = ()  # the other's last decisions, oldest first, where bots go by them
