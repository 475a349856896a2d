"""Two clocks. They know nothing of the time of day: everything they do is told the time."""

from collections.abc import Iterable

from coyote.table.inputs import ClockTerms

MINUTE, SECOND, DAY = 60_000, 1_000, 86_400_000


class Clock:
    """The time left to each seat, in milliseconds, as of `since`; those who owe a choice spend it."""

    def __init__(self, terms: ClockTerms, at: int) -> None:
        self.full = round(terms.days * DAY or terms.minutes * MINUTE)
        self.runs = self.full > 0
        self.bonus = round(terms.increment * SECOND)
        self.by_turn = terms.days > 0
        self.left = [self.full, self.full]
        self.began = self.since = at
        self.rests = (at, at)  # from when until when no clock runs
        self.stood_at: int | None = None  # when it was stopped by the end of the game
        self.chosen: dict[int, int] = {}  # when a seat sealed its choice: from then on it spends nothing

    def copy(self) -> "Clock":
        """One that does not run never changes."""
        if not self.runs:
            return self
        twin = Clock.__new__(Clock)
        twin.__dict__.update(self.__dict__)
        twin.left, twin.chosen = list(self.left), dict(self.chosen)
        return twin

    def out_at(self, seat: int) -> int:
        """When a seat that goes on thinking has no time left."""
        begin, end = self.rests
        at = self.since + self.left[seat]
        return at + max(0, end - max(begin, self.since)) if at > begin else at

    def is_out(self, seat: int, at: int) -> bool:
        return self.runs and at > self.out_at(seat)

    def shown(self, seat: int, at: int, thinks: bool) -> int:
        return max(0, self.left[seat] - (self.spent(at) if thinks else 0))

    def spent(self, at: int) -> int:
        """What somebody who thinks has used until then."""
        begin, end = self.rests
        return at - self.since - max(0, min(at, end) - max(self.since, begin))

    def chose(self, seat: int, at: int) -> None:
        if self.runs:
            self.chosen[seat] = at

    def thinks_again(self, seat: int) -> None:
        self.chosen.pop(seat, None)

    def settle(self, thought: Iterable[int], at: int) -> list[int]:
        """Everybody who owed a choice pays for the time until it was made. What is left."""
        if not self.runs:
            return self.left
        for seat in thought:
            self.left[seat] -= self.spent(self.chosen.get(seat, at))
        self.chosen.clear()
        self.since = at
        return list(self.left)

    def stop(self, at: int) -> None:
        """The game has ended while somebody thought; the time until then is shown for good."""
        self.stood_at = at

    def credit(self, seat: int) -> None:
        """A turn is over."""
        if self.runs:
            self.left[seat] = self.full if self.by_turn else self.left[seat] + self.bonus

    def deadline(self, thinking: list[int]) -> int | None:
        """When the game is over because of time, if those who still think go on thinking.

        A seat that runs out while the other one thinks too has to wait for it: an end at once would
        tell the other that this seat had not chosen, and no end that it had.
        """
        if not self.runs or not thinking:
            return None
        return max(self.out_at(seat) for seat in thinking)

    def loser(self, thinking: list[int]) -> int | None:
        """Who ran out first; None where both did at the same moment."""
        ends = {seat: self.out_at(seat) for seat in thinking}
        first = [seat for seat in ends if ends[seat] == min(ends.values())]
        return first[0] if len(first) == 1 else None

    def skip(self, at: int, down: int, rest: int = 0) -> None:
        """The time before `at` that did not count, and a while from then on that does not either."""
        if not self.runs:
            return
        used = {seat: self.spent(chosen) for seat, chosen in self.chosen.items()}
        begun = at - self.spent(at - down)
        self.chosen = {seat: begun + spent for seat, spent in used.items()}
        self.since, self.rests = begun, (at, at + rest)
