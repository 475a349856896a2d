"""How a player of a duel is used to choose, as far as the other has seen it.

A choice is of one of five kinds: to hold, or a card by what its first effect does. Of every earlier turn it
is known what was chosen (D7), and how often a good player would have chosen each kind there, by the worlds
that the other supposed (D18). What was chosen oftener than that is a habit:

    (times chosen + 1) / (times that a good player would have chosen it + 1)

is how much more often the kind is expected from now on. The one on both sides keeps few turns from saying
much.
"""

import numpy as np
import numpy.typing as npt

from coyote.games.duel.game import Duel
from coyote.games.duel.language import Action
from coyote.games.duel.rules import FIRST_PLAY
from coyote.games.game import Json

KINDS = ("hold", "attack", "block", "heal", "cards")
OF_ACTION = {Action.ATTACK: "attack", Action.BLOCK: "block", Action.HEAL: "heal"}

Floats = npt.NDArray[np.float64]


def kind_of(game: Duel, choice: int) -> int:
    if choice < FIRST_PLAY:
        return KINDS.index("hold")
    effect = game.card_set.cards[choice - FIRST_PLAY].program.effects[0]
    return KINDS.index(OF_ACTION.get(effect.action, "cards"))


class Habit:
    """Of one player, in the eyes of the other; by turn, so that a turn may be looked at twice."""

    def __init__(self, game: Duel) -> None:
        self.game = game
        self.expected: dict[int, Floats] = {}
        self.chosen: dict[int, int] = {}

    def note(self, turn: int, expected: Floats, choice: int | None) -> None:
        """What a good player would have chosen, by kind, and what was chosen; None is nothing."""
        if choice is not None:
            self.expected[turn], self.chosen[turn] = expected, kind_of(self.game, choice)

    def shares(self, choices: list[int], mixture: Floats) -> Floats:
        """By kind, of a mixture of choices."""
        found = np.zeros(len(KINDS))
        for choice, share in zip(choices, mixture, strict=True):
            found[kind_of(self.game, choice)] += share
        return found

    def bent(self, turn: int, choices: list[int], mixture: Floats) -> Floats:
        """A good player's mixture as it becomes with the habit of all turns before this one."""
        often, usual = self.counts(turn)
        more = (often + 1.0) / (usual + 1.0)
        weights = mixture * more[[kind_of(self.game, choice) for choice in choices]]
        found: Floats = weights / weights.sum()
        return found

    def is_known(self, turn: int) -> bool:
        return any(one < turn for one in self.chosen)

    def counts(self, turn: int) -> tuple[Floats, Floats]:
        """Before a turn, by kind: how often it was chosen, and how often a good player would have."""
        often, usual = np.zeros(len(KINDS)), np.zeros(len(KINDS))
        for one, kind in self.chosen.items():
            if one < turn:
                often[kind] += 1.0
                usual += self.expected[one]
        return often, usual

    def as_json(self) -> Json:
        """Over the whole game; kinds that nobody would have chosen are left out."""
        often, usual = self.counts(1 << 30)
        return {
            kind: {"chosen": int(often[k]), "usual": round(float(usual[k]), 1)}
            for k, kind in enumerate(KINDS)
            if often[k] or usual[k] >= 0.05
        }
