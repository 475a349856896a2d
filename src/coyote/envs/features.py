"""Observations, masks and actions of a game, as arrays of a fixed size.

An observation is made from a view: from what a seat may know, and from nothing else.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from coyote.envs.layout import Layout, Row, most_of, table_of
from coyote.games.game import Game, Record, Setup, Words64
from coyote.match import Match
from coyote.text import Refusal

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int64]
Rewards = npt.NDArray[np.float32]
Truths = npt.NDArray[np.bool_]


class Buffers(NamedTuple):
    """Where games are shown: obs, mask and seat by row, reward and done by game."""

    obs: Bytes
    mask: Flags
    reward: Rewards
    done: Truths
    seat: Flags


class Features(ABC):
    """What environments show of a game with its options settled. It never changes and has nothing secret.

    An *action* is a number below `actions`. Where it is not the game's own number of a move, `move` and
    `action` translate.
    """

    version: ClassVar[int]  # goes up when an observation or an action means something else
    actions: ClassVar[int]
    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.uint8)
    seats: ClassVar[int]  # that choose at once, and have an observation each

    layout: Layout
    hidden: Layout  # what nobody at the table knows

    def __init__(self, game: Game) -> None:
        self.game = game

    # ------------------------------------------------------------ what the places are

    @cached_property
    def table(self) -> tuple[Row, ...]:
        """Every part of an observation with its places, meaning and rule."""
        return table_of(self.layout)

    @cached_property
    def size(self) -> int:
        return self.table[-1].stop

    @cached_property
    def most(self) -> Bytes:
        """The largest value of each place."""
        return most_of(self.table)

    @cached_property
    def privileged_table(self) -> tuple[Row, ...]:
        """The observations of seat 0 and of seat 1, and what neither of them knows."""
        rows = [row._replace(name=f"seat.{seat}.{row.name}") for seat in (0, 1) for row in self.table]
        rows += [row._replace(name=f"hidden.{row.name}") for row in table_of(self.hidden)]
        found, at = [], 0
        for row in rows:
            size = row.stop - row.start
            found.append(row._replace(start=at, stop=at + size))
            at += size
        return tuple(found)

    @cached_property
    def privileged_size(self) -> int:
        return self.privileged_table[-1].stop

    # ------------------------------------------------------------ one situation

    def observe(self, of: Match | Record, seat: int, out: Bytes | None = None) -> Bytes:
        """What the seat may know; `of` is a match, a state or a view."""
        out = np.empty(self.size, np.uint8) if out is None else out
        self._observe(of.view(seat) if isinstance(of, Match) else self.game.view(of, seat), seat, out)
        return out

    def mask(self, of: Match | Record, seat: int, out: Flags | None = None) -> Flags:
        """1 for each legal action of the seat; none where it owes no choice."""
        out = np.empty(self.actions, np.int8) if out is None else out
        self._mask(of.view(seat) if isinstance(of, Match) else self.game.view(of, seat), seat, out)
        return out

    def privilege(self, state: Record, out: Bytes | None = None) -> Bytes:
        """Everything, what is hidden too: for critics, never for players."""
        out = np.empty(self.privileged_size, np.uint8) if out is None else out
        for seat in range(2):
            self.observe(state, seat, out[seat * self.size : (seat + 1) * self.size])
        self._hidden(state, out[2 * self.size :])
        return out

    def move(self, of: Record, seat: int, action: int) -> int:
        """The game's own number of the move that an action is, for `Match.play_action` and `move_text`.

        `of` is a state or a view of the seat's.
        """
        return action

    def action(self, of: Record, seat: int, move: int) -> int:
        """The action that a move is."""
        return move

    def actions_of(self, states: npt.NDArray[Any], seats: Numbers, moves: Numbers) -> Numbers:
        """The same for many states."""
        return moves

    def why_not(self, of: Record, seat: int, action: int) -> Refusal:
        """Why an action that is not legal is not."""
        return self.game.why_not(self.game.view(of, seat), seat, self.game.move_text(action))

    @abstractmethod
    def _observe(self, v: Record, seat: int, out: Bytes) -> None: ...

    @abstractmethod
    def _mask(self, v: Record, seat: int, out: Flags) -> None: ...

    @abstractmethod
    def _hidden(self, s: Record, out: Bytes) -> None: ...

    # ------------------------------------------------------------ many games

    @abstractmethod
    def loop(self, setup: Setup, source: Words64, n: int) -> "Loop":
        """So many games of a series, to be played side by side."""


class Loop(ABC):
    """Games that are played side by side by compiled code: place k has games first + k, first + k + n, …

    `deal` and `step` write the observations, masks and seats of those who are to choose.
    """

    def __init__(self, n: int, state: np.dtype[Any]) -> None:
        self.states = np.zeros(n, state)
        self.number = np.zeros(n, np.int64)  # of the game that each place plays now

    def restart(self, first: int) -> None:
        """The games that are dealt next are the first ones."""
        self.number[:] = first - len(self.number) + np.arange(len(self.number))

    @abstractmethod
    def deal(self, places: Truths, out: Buffers) -> None:
        """The next game, where `places` says so."""

    @abstractmethod
    def step(self, actions: Numbers, places: Truths, out: Buffers, again: bool) -> int:
        """One choice of everybody who owes one, where `places` says so.

        Where a game is over, the next one is dealt if `again`. Gives the first row whose action is not legal,
        or -1; with one of those nothing has changed.
        """

    @abstractmethod
    def observe(self, places: Truths, seats: Numbers, out: Bytes) -> None:
        """What one seat of each game may know, where `places` says so."""

    @abstractmethod
    def privilege(self, out: Bytes) -> None:
        """Everything about each game."""
