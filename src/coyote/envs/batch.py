"""`Batch`: many games side by side, stepped by one compiled call, with buffers of the caller's."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.envs.features import Buffers, Bytes, Flags, Numbers, Rewards, Truths
from coyote.envs.registry import features_for, game_of
from coyote.games.game import Game
from coyote.match import IllegalMove
from coyote.seeds import seed_from, seed_words
from coyote.text import Refused


class Batch:
    """n games of self-play: both seats choose through the same arrays.

    Everything that is to be chosen next is one row of `obs`, `mask` and `seat`; a step takes one action for
    each row. Of Madness each game has one row, of the duel two, those of seat 0 and seat 1. A game that ends
    in a step has its outcome in `reward` and `done`, by game, and the next one is dealt in the same step.

    >>> batch = Batch("madness", 3, seed="friday")
    >>> batch.obs.shape, batch.mask.shape, batch.seat.tolist()
    ((3, 942), (3, 599), [0, 0, 0])
    >>> batch.step(batch.mask.argmax(axis=1))
    >>> batch.done.tolist(), batch.reward.shape
    ([False, False, False], (3, 2))
    """

    def __init__(
        self,
        game: str | Game,
        n: int,
        *,
        options: Mapping[str, Any] | None = None,
        decks: Sequence[Any] = (),
        card_set: Any = None,
        seed: str = "",
        first: int = 0,
        autoreset: bool = True,
        obs: Bytes | None = None,
        mask: Flags | None = None,
        reward: Rewards | None = None,
        done: Truths | None = None,
        seat: Flags | None = None,
    ) -> None:
        """Dealt at once. Game number k of a seed is the one that `coyote simulate` plays from it.

        Place k plays games first + k, first + k + n, first + k + 2n, … Without `autoreset` a game that is
        over stays as it is, whatever the actions, until `deal`.
        """
        self.game = game_of(game, options, card_set)
        self.features = features_for(self.game)
        if n < 1:
            raise Refused("envs.no_games", n=n)
        self.n, self.first, self.autoreset, self.rows = n, first, autoreset, n * self.features.seats
        self.obs: Bytes = buffer("obs", obs, (self.rows, self.features.size), np.uint8)
        self.mask: Flags = buffer("mask", mask, (self.rows, self.features.actions), np.int8)
        self.seat: Flags = buffer("seat", seat, (self.rows,), np.int8)
        self.reward: Rewards = buffer("reward", reward, (n, 2), np.float32)
        self.done: Truths = buffer("done", done, (n,), np.bool_)
        self._out = Buffers(self.obs, self.mask, self.reward, self.done, self.seat)
        self._all: Truths = np.ones(n, np.bool_)
        self.source = seed_words(seed_from(f"series {seed}"))
        self._loop = self.features.loop(self.game.settle(decks), self.source, n)
        self.reset()

    @property
    def number(self) -> Numbers:
        """By place, the number of the game that is played there now."""
        return self._loop.number

    @property
    def states(self) -> npt.NDArray[Any]:
        """By place, the whole table, what is hidden too."""
        return self._loop.states

    def reset(self) -> None:
        """The first game of each place, from its deal."""
        self._loop.restart(self.first)
        self.deal(self._all)

    def deal(self, places: npt.ArrayLike) -> None:
        """The next game of some places, told by n truths; no reward is left there, and nothing is done."""
        chosen = self._places(places)
        self.reward[chosen], self.done[chosen] = 0, False
        self._loop.deal(chosen, self._out)

    def step(self, actions: npt.ArrayLike, where: npt.ArrayLike | None = None) -> None:
        """One action for each row; IllegalMove tells the first that is not legal, and nothing has changed.

        `where` are n truths: the games that are stepped, where not all are. The others stay as they are.
        """
        chosen = np.ascontiguousarray(actions)
        if chosen.shape != (self.rows,) or chosen.dtype.kind not in "iu":
            found = f"{chosen.dtype} {chosen.shape}"
            raise Refused("envs.actions", rows=self.rows, found=found)
        chosen = chosen.astype(np.int64, copy=False)
        asked = self._all if where is None else self._places(where)
        row = self._loop.step(chosen, asked, self._out, self.autoreset)
        if row >= 0:
            raise self._illegal(row, int(chosen[row]))

    def observe(
        self, seats: npt.ArrayLike, out: Bytes | None = None, where: npt.ArrayLike | None = None
    ) -> Bytes:
        """By game, what a seat may know, whether or not it is to choose; `where` is as in `step`."""
        chosen = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int64), self.n))
        out = buffer("out", out, (self.n, self.features.size), np.uint8)
        self._loop.observe(self._all if where is None else self._places(where), chosen, out)
        return out

    def privilege(self, out: Bytes | None = None) -> Bytes:
        """Everything about each game, what is hidden too: for critics, never for players."""
        out = buffer("out", out, (self.n, self.features.privileged_size), np.uint8)
        self._loop.privilege(out)
        return out

    def _places(self, given: npt.ArrayLike) -> Truths:
        places = np.ascontiguousarray(given)
        if places.shape != (self.n,) or places.dtype != np.bool_:
            raise Refused("envs.places", n=self.n, found=f"{places.dtype} {places.shape}")
        return places

    def _illegal(self, row: int, action: int) -> IllegalMove:
        """Why, in the words that people are told."""
        if not 0 <= action < self.features.actions:
            return IllegalMove("envs.no_action", row=row, action=action, most=self.features.actions - 1)
        why = self.features.why_not(self.states[row // self.features.seats], int(self.seat[row]), action)
        return IllegalMove("envs.illegal", why.rule, row=row, action=action, why=why)


def buffer(name: str, given: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """The caller's array, or a new one."""
    if given is None:
        return np.zeros(shape, dtype)
    right = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == dtype
    if not right or not given.flags.c_contiguous or not given.flags.writeable:
        wanted, found = f"{np.dtype(dtype)} {shape}", f"{np.asarray(given).dtype} {np.shape(given)}"
        raise Refused("envs.buffer", name=name, wanted=wanted, found=found)
    return given
