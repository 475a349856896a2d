"""The story of a game, as a seat may know it: what an information state has besides the table.

One step for each choice that was seen and each card that went somewhere by chance; whatever else happened
follows from these by the rules. As numbers a step is a pair:

    what   0: no step. Else 1 + ((kind * 3 + seat + 1) * 8 + place): the kind's place in STORY, the seat or
           -1, and the field or zone, where the step names one
    card   0: none. 1: one that the seat may not know. Else 2 + the number of the card
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from coyote.games.events import Kinds
from coyote.games.game import Game

CARD, PLACE = ("card", "title"), ("field", "zone")
WIDTH = 4  # kind, seat, a, b: as the kernel notes it


class Story:
    def __init__(self, game: Game, told: Sequence[str]) -> None:
        self.game, kinds = game, game.KINDS
        self.place = np.full(len(kinds.names), -1)  # of a kind among those told
        self.card_slot = np.full(len(kinds.names), -1)
        self.place_slot = np.full(len(kinds.names), -1)
        self.secret = np.zeros(len(kinds.names), bool)
        for i, name in enumerate(told):
            self._read(kinds, kinds.names.index(name), i)

    def _read(self, kinds: Kinds, kind: int, place: int) -> None:
        self.place[kind] = place
        for i, slot in enumerate(kinds.rows[kind].slots):
            if slot.name in CARD:
                self.card_slot[kind], self.secret[kind] = i, slot.seen_by == "owner"
            elif slot.name in PLACE:
                self.place_slot[kind] = i

    def kept(self, rows: Sequence[Sequence[int]]) -> bytes:
        """The steps among what happened, as a state keeps them."""
        steps = [row for row in rows if self.place[row[0]] >= 0]
        return np.array(steps, np.int16).tobytes()

    def numbers(self, kept: bytes, viewer: int) -> npt.NDArray[np.int64]:
        """A pair for each step."""
        steps = np.frombuffer(kept, np.int16).reshape(-1, WIDTH).astype(np.int64)
        kind, seat, each = steps[:, 0], steps[:, 1], np.arange(len(steps))
        card_slot, place_slot = self.card_slot[kind], self.place_slot[kind]
        place = np.where(place_slot >= 0, steps[each, 2 + place_slot], 0)
        card = np.where(card_slot >= 0, 2 + steps[each, 2 + card_slot], 0)
        card[self.secret[kind] & (seat != viewer)] = 1
        return np.stack([1 + (self.place[kind] * 3 + seat + 1) * 8 + place, card], axis=1)

    def text(self, kept: bytes, viewer: int) -> str:
        size = WIDTH * 2
        return ", ".join(self.step_text(kept[i : i + size], viewer) for i in range(0, len(kept), size))

    @lru_cache(maxsize=50_000)  # noqa: B019 - there are as many stories as games
    def step_text(self, step: bytes, viewer: int) -> str:
        """`0 attack 2 7C`, and `1 draw ?` for what the seat may not know."""
        event = self.game.event(np.frombuffer(step, np.int16).tolist(), viewer)
        said = [event.values[name] for name in (*PLACE, *CARD) if name in event.values]
        seat = "-" if event.seat is None else event.seat
        return " ".join([str(seat), event.kind, *("?" if value is None else str(value) for value in said)])
