"""The games of a seed one after another, for environments that play one at a time."""

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from coyote.envs.batch import Batch
from coyote.envs.registry import features_for, game_of
from coyote.seeds import new_seed
from coyote.text import Refused


class Single:
    """A batch of one. It plays games first, first + every, first + 2 × every, … of a seed.

    So workers with the same seed share its games: the second of four has first=1 and every=4.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None,
        decks: Sequence[Any],
        card_set: Any,
        first: int = 0,
        every: int = 1,
    ) -> None:
        self.game = game_of(game, options, card_set)
        self.features = features_for(self.game)
        self._decks, self._first, self._every = decks, first, every
        self._batch: Batch | None = None
        self._try_out()

    def _try_out(self) -> None:
        """Wrong decks are told of at once, and what has to be compiled is, before any game begins."""
        game = Batch(self.game, 1, decks=self._decks, autoreset=False)
        game.step(game.mask.argmax(axis=1))

    @property
    def batch(self) -> Batch:
        assert self._batch is not None, "reset() deals the first game"
        return self._batch

    @property
    def number(self) -> int:
        """Of the game that is played now."""
        return self.batch.first

    def deal(self, seed: int | None) -> None:
        """The first game of a seed, or without one the next."""
        if seed is not None or self._batch is None:
            text = new_seed() if seed is None else str(seed)
            self._batch = Batch(
                self.game, 1, decks=self._decks, seed=text, first=self._first, autoreset=False
            )
        else:
            self._batch.first += self._every
            self._batch.reset()

    def picture(self) -> str:
        """The whole table in one line, as positions are written."""
        return self.game.position(self.batch.states[0])


def whole(action: Any, most: int) -> int:
    """An action as a number; Refused where it is none."""
    try:
        number = index(action)
    except TypeError:
        raise Refused("envs.not_action", found=repr(action)[:40], most=most) from None
    if not 0 <= number <= most:
        raise Refused("envs.not_action", found=str(number), most=most)
    return number
