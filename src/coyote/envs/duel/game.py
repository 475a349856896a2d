"""The duel for environments: compiled features and loops with their tables."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.bots.minds import per_thread
from coyote.envs.duel import features, loop
from coyote.envs.features import Buffers, Bytes, Features, Flags, Loop, Numbers, Truths
from coyote.games.duel.editions import MOST_CARDS, MOST_HAND
from coyote.games.duel.game import EVENTS, Duel, decks_of
from coyote.games.duel.setup import Decks
from coyote.games.duel.state import STATE
from coyote.games.game import Game, Record, Setup, Words64
from coyote.kernel.chance import game_words
from coyote.kernel.events import silent_log
from coyote.kernel.luck import REAL_CHANCE
from coyote.text import Refusal


class DuelFeatures(Features):
    """An action is a place in the hand, not the number of a card: 0 holds, 1 + n plays card n of the hand."""

    version = features.VERSION
    actions = features.N_ACTIONS
    seats = 2
    game: Duel

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        assert isinstance(game, Duel)
        effects = features.most_effects(game.table, len(game.ids))
        self.layout, self.hidden = features.layout_of(effects), features.hidden_layout_of(effects)

    @cached_property
    def pens(self) -> Callable[[], tuple[Any, ...]]:
        """What is written with is not to be shared by threads."""
        return per_thread(lambda: tuple(features.new_pen(self.game)))

    def _observe(self, v: Record, seat: int, out: Bytes) -> None:
        loop.observe_one(self.pens(), v, seat, np.empty(features.PILE_SIZE, np.int16), out)

    def _mask(self, v: Record, seat: int, out: Flags) -> None:
        features.put_legal(v, seat, np.empty(1 + MOST_HAND, np.int16), out)

    def _hidden(self, s: Record, out: Bytes) -> None:
        loop.hidden_one(self.pens(), s, out)

    def move(self, of: Record, seat: int, action: int) -> int:
        return int(features.move_of(of, seat, action))

    def action(self, of: Record, seat: int, move: int) -> int:
        return int(features.action_of(of, seat, move))

    def actions_of(self, states: npt.NDArray[Any], seats: Numbers, moves: Numbers) -> Numbers:
        actions = np.empty_like(moves)
        features.put_actions(states, seats, moves, actions)
        return actions

    def why_not(self, of: Record, seat: int, action: int) -> Refusal:
        held = int(of.in_hand[seat])
        if action > held:
            return Refusal("envs.not_held", "D6", {"n": action, "held": held})
        first = self.action(of, seat, self.move(of, seat, action))
        if first != action:
            return Refusal("envs.copy", "D6", {"n": action, "first": first})
        return super().why_not(of, seat, self.move(of, seat, action))

    def loop(self, setup: Setup, source: Words64, n: int) -> Loop:
        return DuelLoop(self, decks_of(setup), source, n)


class DuelLoop(Loop):
    def __init__(self, of: DuelFeatures, decks: Decks, source: Words64, n: int) -> None:
        super().__init__(n, STATE)
        self.of, self._decks, self._source = of, decks, source
        self._lists = decks.lists(source) if decks.is_drawn else np.zeros((n, 2, MOST_CARDS), np.int16)
        table = loop.Table(
            of.game.table, of.game.row, REAL_CHANCE, silent_log(EVENTS), self._lists, source,
            words=np.zeros(2, np.uint64), dice=np.zeros(2, np.uint64),
            views=np.zeros(1, STATE), moves=np.zeros(1 + MOST_HAND, np.int16),
            of_lists=np.zeros((2 * n, features.PILE_SIZE), np.int16), allowed=np.zeros(2 * n, np.uint64),
        )  # fmt: skip
        self._with = (tuple(table), tuple(features.new_pen(of.game)), self.states)

    def restart(self, first: int) -> None:
        super().restart(first)
        self._draw_decks(range(len(self.states)))

    def deal(self, places: Truths, out: Buffers) -> None:
        loop.deal_all(*self._with, self.number, places, tuple(out))
        self._draw_decks(np.flatnonzero(places).tolist())

    def step(self, actions: Numbers, places: Truths, out: Buffers, again: bool) -> int:
        illegal = int(loop.step_all(*self._with, self.number, actions, places, tuple(out), again))
        if again and illegal < 0:
            self._draw_decks(np.flatnonzero(out.done).tolist())
        return illegal

    def _draw_decks(self, places: Iterable[int]) -> None:
        """Random decks are drawn in Python, beforehand: for the game that each place has next."""
        if self._decks.is_drawn:
            return
        seed, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        for place in places:
            game_words(self._source, int(self.number[place]) + len(self.number), seed, dice)
            self._lists[place] = self._decks.lists(seed)[0]

    def observe(self, places: Truths, seats: Numbers, out: Bytes) -> None:
        loop.observe_all(*self._with, places, seats, out)

    def privilege(self, out: Bytes) -> None:
        loop.privilege_all(*self._with, self.of.size, out)
