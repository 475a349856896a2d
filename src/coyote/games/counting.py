"""The row of a game (`kernel.rows`) while it is played one move at a time."""

from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from coyote.games.game import Game, Record
from coyote.kernel.events import new_log
from coyote.kernel.record import new, same
from coyote.kernel.rows import NOTES, begin_row, end_row, note_choice, note_lead


class Count:
    """Counts by the same compiled functions as games that are compiled as a whole."""

    def __init__(self, game: Game, s: Record, events: Sequence[Sequence[int]]) -> None:
        """At a fresh deal; `events` are those of the deal."""
        self.game, self._row, self._notes, self._log = game, new(game.ROW), new(NOTES), new_log(game.EVENTS)
        begin_row(self._row, self._notes, game.lead(s))
        self._hear(s, events)

    def choose(self, seat: int, legal: Sequence[int], action: int) -> None:
        note_choice(self._row, self.game.KIND_OF, seat, np.array(legal, np.int16), len(legal), action)

    def settle(self, s: Record, turn: int, events: Sequence[Sequence[int]]) -> None:
        """After a choice that was made in this turn, and had these events."""
        self._hear(s, events)
        note_lead(self._row, self._notes, turn, self.game.lead(s))

    def _hear(self, s: Record, events: Iterable[Sequence[int]]) -> None:
        """However many there are: part by part."""
        rest = iter(events)
        while part := list(islice(rest, self.game.EVENTS)):
            self._log.rows[: len(part)] = part
            self._log.n = len(part)
            self.game.count_log(s, self._log, self._row)

    def end(self, winner: int, reason: int, turns: int) -> Record:
        """The row of the game that is over now."""
        row = same(self._row)
        end_row(row, self._notes, winner, reason, turns)
        return row
