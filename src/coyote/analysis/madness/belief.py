"""What the other hand of Madness holds, as far as their play tells: the bots' belief.

Every unseen card is as likely as another to be in the other hand (M8), before it is asked how they played.
Here many hands are weighed as the search weighs them (`bots/madness/hands.py`): a hand counts as much as the
policy of the bots would have made their last moves with it. Only what the seat itself could see is asked for.
Of those who play quite otherwise than the bots this says less than counting does (`docs/analysis.md`).
"""

import numpy as np
import numpy.typing as npt

from coyote.bots.madness.hands import EACH
from coyote.bots.madness.mind import MadnessMind, scratch
from coyote.bots.minds import mind_of
from coyote.games.game import Json, Record
from coyote.games.madness.game import Madness
from coyote.kernel.seats import SPECTATOR
from coyote.questions import Page, Question
from coyote.records import open_record
from coyote.seeds import seed_from, seed_words

HANDS = 400  # that are weighed

Hands = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]


class Belief:
    """Hands that the other could have, and how much each counts."""

    def __init__(self, hands: Hands, weights: Floats) -> None:
        self.sharp = float(weights.sum() ** 2 / (weights**2).sum())  # how many hands they are worth
        self.hands, self.weights = hands, weights / weights.sum()

    def has(self, cards: int) -> float:
        """How likely the hand has one of these cards."""
        return float(self.weights @ ((self.hands & np.uint64(cards)) != 0))


class Diary:
    """Of a record: every decision as all saw it, with its number and who made it."""

    def __init__(self, record: Json) -> None:
        match = open_record(record)
        assert isinstance(match.game, Madness)
        self.game = match.game
        self.pages: list[tuple[int, int, Page]] = []
        for number, (mover, move) in enumerate(record["moves"], 1):
            action = self.game.read_move(move)
            self.pages.append((number, mover, Page(match.view(SPECTATOR), action or 0)))
            match.play(move, mover)

    def belief(self, view: Record, seat: int, number: int, seed: str) -> Belief | None:
        """Before move `number`; None where there is nothing to go by, or nothing to guess."""
        past = [page for told, mover, page in self.pages if told < number and mover != seat]
        mind, x = mind_of(self.game), scratch().work
        assert isinstance(mind, MadnessMind)
        mind.begin(seed_words(seed_from(f"hands {seed}")))
        question = Question(view, seat, (), past=past[-Madness.REMEMBERED :])
        mind.weigh_hands(question, HANDS * EACH)
        n = int(x.n_hands)
        return Belief(x.hands[:n].copy(), np.diff(x.bounds[:n], prepend=0.0)) if n else None
