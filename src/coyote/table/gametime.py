"""The time that games are played by: it only ever goes on, and stands while nobody could have moved.

It begins with the time of day and then counts what really passes. A jump of the wall clock does not
change it; a sleep of the machine, a process that was stopped or a database that keeps nothing cost no
player more than a moment.
"""

import time
from collections.abc import Callable

TICK = 0.2  # seconds between two ticks
MOST = 1.0  # seconds that pass between two ticks at most, whatever the clock says
PATIENCE = 0.3  # seconds that something may take to be kept before time stands


class GameTime:
    def __init__(self, at: int, passed: Callable[[], float] = time.monotonic) -> None:
        """`at`: milliseconds since 1970; `passed`: a clock that never jumps, in seconds."""
        self._at, self._passed = float(at), passed
        self._since = passed()
        self.stands = False

    def now(self) -> int:
        passed = 0.0 if self.stands else min(MOST, self._passed() - self._since)
        return int(self._at + 1000 * passed)

    def tick(self, busy_since: float | None = None, failing: bool = False) -> float:
        """To be called every `TICK`; `busy_since`: when that came which is still not kept; `failing`: whether
        what came last was not kept.

        How many seconds late it was: the loop was busy, or the whole process stood.
        """
        passed = self._passed()
        late = passed - self._since - TICK
        self._at += 0.0 if self.stands else 1000 * min(MOST, passed - self._since)
        self._since = passed
        self.stands = failing or (busy_since is not None and passed - busy_since > PATIENCE)
        return max(0.0, late)
