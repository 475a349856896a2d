"""How much one guest or one address may ask for, and the answer where it is too much."""

from collections import Counter
from dataclasses import dataclass

from coyote.games.game import Refusal


@dataclass(frozen=True)
class Limits:
    message_bytes: int = 4096
    body_bytes: int = 300_000  # a card set may come with a room
    messages_per_second: float = 20
    requests_per_second: float = 20  # over HTTP, of one address
    makes_per_minute: float = 30  # rooms and guests, of one address
    rooms_per_guest: int = 100  # that are not finished
    sockets_per_guest: int = 50
    sockets_per_address: int = 200
    sockets: int = 20_000


class Bucket:
    """So many at once, and so many a second more."""

    __slots__ = ("at", "left")

    def __init__(self, left: float, at: float) -> None:
        self.left, self.at = left, at

    def take(self, rate: float, burst: float, at: float) -> bool:
        self.left = min(burst, self.left + (at - self.at) * rate)
        self.at = at
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Buckets:
    """One bucket for each address."""

    MOST = 50_000

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._found: dict[str, Bucket] = {}

    def take(self, who: str, at: float) -> bool:
        bucket = self._found.get(who)
        if bucket is None:
            if len(self._found) >= self.MOST:
                self._forget(at)
            bucket = self._found[who] = Bucket(self.burst, at)
        return bucket.take(self.rate, self.burst, at)

    def _forget(self, at: float) -> None:
        """Whoever has asked for nothing long enough has a full bucket again."""
        full = self.burst / self.rate
        self._found = {who: bucket for who, bucket in self._found.items() if at - bucket.at < full}


class Sockets:
    """How many are open."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.of_guest: Counter[str] = Counter()
        self.of_address: Counter[str] = Counter()

    def refuses(self, guest: str, address: str) -> Refusal | None:
        if self.of_guest[guest] >= self.limits.sockets_per_guest and guest:
            return Refusal("room.sockets", "", {"most": self.limits.sockets_per_guest})
        if self.of_address[address] >= self.limits.sockets_per_address:
            return Refusal("room.sockets", "", {"most": self.limits.sockets_per_address})
        if self.of_address.total() >= self.limits.sockets:
            return Refusal("room.sockets", "", {"most": self.limits.sockets})
        return None

    def add(self, guest: str, address: str) -> None:
        self.of_guest[guest] += 1
        self.of_address[address] += 1

    def remove(self, guest: str, address: str) -> None:
        for counter, who in ((self.of_guest, guest), (self.of_address, address)):
            counter[who] -= 1
            if counter[who] <= 0:
                del counter[who]
