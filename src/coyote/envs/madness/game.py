"""Madness for environments: compiled features and loops with their tables."""

import numpy as np

from coyote.envs.features import Buffers, Bytes, Features, Flags, Loop, Numbers, Truths
from coyote.envs.madness import features, loop
from coyote.games.game import Game, Record, Setup, Words64
from coyote.games.madness.actions import MOST_LEGAL, N_ACTIONS
from coyote.games.madness.state import STATE
from coyote.kernel.events import silent_log


class MadnessFeatures(Features):
    version = features.VERSION
    actions = N_ACTIONS
    seats = 1
    layout = features.LAYOUT
    hidden = features.HIDDEN_LAYOUT

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        numbers = [option.number(game.values[option.name]) for option in game.OPTIONS]
        self.rules = np.array(numbers, np.uint8)

    def _observe(self, v: Record, seat: int, out: Bytes) -> None:
        features.observe(v, self.rules, seat, out)

    def _mask(self, v: Record, seat: int, out: Flags) -> None:
        features.put_legal(v, self.game.row, seat, np.empty(MOST_LEGAL, np.int16), out)

    def _hidden(self, s: Record, out: Bytes) -> None:
        features.put_hidden(s, out)

    def loop(self, setup: Setup, source: Words64, n: int) -> Loop:
        return MadnessLoop(self, source, n)


class MadnessLoop(Loop):
    def __init__(self, of: MadnessFeatures, source: Words64, n: int) -> None:
        super().__init__(n, STATE)
        self.of = of
        table = loop.Table(
            of.game.row, of.rules, silent_log(), source,
            words=np.zeros(2, np.uint64), dice=np.zeros(2, np.uint64),
            views=np.zeros(1, STATE), moves=np.zeros(MOST_LEGAL, np.int16),
        )  # fmt: skip
        self._with = (tuple(table), self.states)

    def deal(self, places: Truths, out: Buffers) -> None:
        loop.deal_all(*self._with, self.number, places, tuple(out))

    def step(self, actions: Numbers, places: Truths, out: Buffers, again: bool) -> int:
        return int(loop.step_all(*self._with, self.number, actions, places, tuple(out), again))

    def observe(self, places: Truths, seats: Numbers, out: Bytes) -> None:
        loop.observe_all(*self._with, places, seats, out)

    def privilege(self, out: Bytes) -> None:
        loop.privilege_all(*self._with, self.of.size, out)
