"""How much one guest or one address may ask for, and the answer where it is too much."""

import ipaddress
import math
from collections import Counter
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from coyote.games.game import Refusal
from coyote.text import Refused


@dataclass(frozen=True)
class Limits:
    """Wide enough for some people who play behind one address."""

    # what is said at once
    message_bytes: int = 4096
    body_bytes: int = 200_000  # of a request that may bring a card set; others are small
    set_bytes: int = 60_000
    bytes_waiting: int = 1_000_000  # that a socket has not taken yet; with more it is dropped
    # of one socket
    messages_per_second: float = 20
    hellos_per_minute: float = 30
    too_fast_before_end: int = 100  # messages that came too fast, until the connection ends
    # of one address
    requests_per_second: float = 20
    files_per_second: float = 60  # pages and their parts
    makes_per_minute: float = 30  # rooms and guests
    opens_per_minute: float = 120  # sockets
    tellings_per_minute: float = (
        600  # of games so far, to whoever comes or looks; long ones count for several
    )
    replays_per_minute: float = 60
    checks_per_minute: float = 120  # of decks
    sums_per_minute: float = 60  # of all games of a guest
    boards_per_minute: float = 600  # looks at boards, and what is done there
    pars_per_minute: float = 120  # looks at what a deal is worth
    tournaments_per_minute: float = 600  # looks at tournaments, and what is done there
    judgings_per_minute: float = 300  # of games with real cards; long ones count for several
    ladders_per_minute: float = 120  # ladders, curves, what a game changed
    readings_per_minute: float = 300  # of cards, as they are written
    set_readings_per_minute: float = 60  # of whole sets: checked, published, played with
    saves_per_minute: float = 120  # of drafts and house rules
    weighings_per_minute: float = 20
    analyses_per_minute: float = 10  # that were not made before
    codes_per_minute: float = 10  # tried, to become a guest who is on another device
    sockets_per_address: int = 200
    connections_per_address: int = 300
    # of one guest
    hints_per_minute: float = 20
    emotes_per_minute: float = 20  # one at a time
    rooms_per_guest: int = 100  # that are not finished
    open_rooms_per_guest: int = 5  # that wait on the open list
    sockets_per_guest: int = 50
    sets_per_guest: int = 40
    versions_per_set: int = 300
    variants_per_guest: int = 40
    kept_bytes_per_guest: int = 4_000_000  # drafts, versions and decks together
    # of all
    inputs_per_room: int = 2000
    sockets: int = 20_000
    # seconds that somebody is away from a game with a clock until the win can be claimed
    claim_seconds: float = 60
    # seconds that a connection has
    header_seconds: float = 10
    body_seconds: float = 30
    idle_seconds: float = 30

    def __post_init__(self) -> None:
        """Whoever lifts one limit means those that it needs, too: they grow as much."""
        usual: dict[str, Any] = {one.name: one.default for one in fields(self)}
        for name, needed in NEEDED.items():
            times = getattr(self, name) / usual[name]
            for other in needed:
                if times > 1:
                    object.__setattr__(self, other, max(getattr(self, other), round(usual[other] * times)))


NEEDED = {
    "sockets_per_address": ("connections_per_address", "opens_per_minute", "tellings_per_minute"),
    "rooms_per_guest": ("open_rooms_per_guest",),
    "requests_per_second": ("files_per_second",),
}


class Denied(Refused):
    """A request that is refused, with the status that says so, and when it may be made again."""

    def __init__(
        self,
        status: int,
        why: str | Refusal,
        rule: str = "",
        /,
        retry_after: float | None = None,
        **values: Any,
    ) -> None:
        super().__init__(why, rule, **values)
        self.status, self.retry_after = status, retry_after


def too_many(wait: float, code: str = "room.too_many_requests") -> Denied:
    """Come again in so many seconds."""
    return Denied(429, code, retry_after=wait, seconds=whole_seconds(wait))


def whole_seconds(wait: float) -> int:
    return max(1, math.ceil(wait))


@lru_cache(maxsize=4096)
def client_key(address: str) -> str:
    """Who an address counts as: an IPv6 network of one household, or the address itself.

    >>> client_key("2001:db8:1:2:3:4:5:6"), client_key("::ffff:192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))


class Bucket:
    """So many at once, and so many a second more."""

    __slots__ = ("burst", "full_at", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.full_at = -math.inf

    def take(self, at: float, cost: float = 1.0) -> float:
        """0 if it was there to take; otherwise the seconds until it will be."""
        full_at = max(self.full_at, at) + min(cost, self.burst) / self.rate
        late = full_at - at - self.burst / self.rate
        if late > 1e-9:
            return late
        self.full_at = full_at
        return 0.0


class Buckets:
    """One bucket for each address or guest.

    There are at most MOST of them. Each use clears away up to two that are full again, from those that
    were used longest ago, so none of them stays for long and no use has much to clear. Whoever comes
    when all are in use shares one of SHARED with others: nobody's debt is forgotten by many newcomers.
    """

    MOST, SHARED = 50_000, 4096

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._found: dict[str | int, Bucket] = {}

    def take(self, who: str, at: float, cost: float = 1.0) -> float:
        """0 if it is allowed; otherwise the seconds until it would be."""
        bucket = self._found.pop(who, None)
        self._clear(at)
        key: str | int = who
        if bucket is None and len(self._found) >= self.MOST:
            key = hash(who) % self.SHARED  # of a text: no stranger can foretell it
            bucket = self._found.pop(key, None)
        bucket = self._found[key] = bucket or Bucket(self.rate, self.burst)
        return bucket.take(at, cost)

    def _clear(self, at: float) -> None:
        for _ in range(2):
            oldest = next(iter(self._found), None)
            if oldest is None or self._found[oldest].full_at > at:
                return
            del self._found[oldest]


def per_minute(number: float) -> Buckets:
    return Buckets(number / 60, number)


class Sockets:
    """How many are open."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open = 0
        self.of_guest: Counter[str] = Counter()
        self.of_address: Counter[str] = Counter()

    def refuses(self, guest: str, address: str) -> Refusal | None:
        if self.of_guest[guest] >= self.limits.sockets_per_guest and guest:
            return Refusal("room.sockets", "", {"most": self.limits.sockets_per_guest})
        if self.of_address[client_key(address)] >= self.limits.sockets_per_address:
            return Refusal("room.sockets", "", {"most": self.limits.sockets_per_address})
        if self.open >= self.limits.sockets:
            return Refusal("room.sockets", "", {"most": self.limits.sockets})
        return None

    def add(self, guest: str, address: str) -> None:
        self.open += 1
        self.of_guest[guest] += 1
        self.of_address[client_key(address)] += 1

    def remove(self, guest: str, address: str) -> None:
        self.open -= 1
        for counter, who in ((self.of_guest, guest), (self.of_address, client_key(address))):
            counter[who] -= 1
            if counter[who] <= 0:
                del counter[who]


class Connections:
    """How many there are of any kind, from the first byte to the last."""

    def __init__(self, limits: Limits) -> None:
        self.most = limits.connections_per_address
        self.open = 0
        self.of_address: Counter[str] = Counter()

    def add(self, who: str) -> bool:
        """Whether there was room for one more. One without an address is not counted by it."""
        if who and self.of_address[who] >= self.most:
            return False
        self.open += 1
        self.of_address[who] += 1
        return True

    def remove(self, who: str) -> None:
        self.open -= 1
        self.of_address[who] -= 1
        if self.of_address[who] <= 0:
            del self.of_address[who]
