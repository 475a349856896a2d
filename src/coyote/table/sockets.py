"""One client of one room: what it says, and what it is told.

Nothing is queued for a slow client: when it can take more, it is told how things stand then. So one
that is slow, or silent, holds nobody up and takes no more room than any other.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Protocol, assert_never

from coyote.games.game import Refusal
from coyote.kernel.seats import SPECTATOR
from coyote.table import inputs, wire
from coyote.table.hall import COME_AGAIN, Hall, Live
from coyote.table.limits import Bucket, Limits, whole_seconds

BURST = 2  # seconds' worth of messages at once
REFUSED = 1008  # how a socket is closed that does not keep to the rules


class Present(NamedTuple):
    """Who is in a room, and when the win can be claimed from whoever is not."""

    here: list[bool]
    watching: int
    claim_at: int | None


Tells = Callable[[float, float], float]
"""At what time how much is to be told: the seconds until that is not too much."""


class Line(Protocol):
    """The connection that a client speaks over."""

    def write(self, messages: list[bytes]) -> None: ...

    def can_write(self) -> bool: ...

    def end(self, code: int) -> None: ...


class Client:
    def __init__(
        self,
        line: Line,
        hall: Hall,
        live: Live,
        parties: list[int],
        limits: Limits,
        tells: Tells = lambda at, length: 0.0,
    ) -> None:
        self.line, self.hall, self.live, self.limits, self.tells = line, hall, live, limits, tells
        self.parties = parties
        self.viewers = frozenset(parties or [SPECTATOR])
        self.seen: dict[int, int] = {}
        self.hello: wire.Hello | None = None
        self.greeting: wire.Welcome | None = None
        self.replies: list[wire.FromServer] = []
        self.done: list[str] = []  # requests that are kept, and not yet answered
        self.presence_changed = False
        self.present: Present | None = None  # what was told of it last
        self.messages = Bucket(limits.messages_per_second, BURST * limits.messages_per_second)
        self.hellos = Bucket(limits.hellos_per_minute / 60, limits.hellos_per_minute)
        self.too_fast = 0

    def leave(self) -> None:
        """The connection has ended."""
        self.live.clients.discard(self)
        self.hall.note_presence(self.live)

    def end(self, code: int) -> None:
        self.line.end(code)

    # ------------------------------------------------------------ sending

    def call(self) -> None:
        self.hall.call(self)

    def send_news(self) -> None:
        """How things stand, then the replies: so whoever reads a reply has seen what it is about."""
        if not self.line.can_write():
            return  # asked again when it can
        news: list[wire.FromServer] = []
        if self.greeting:
            news.append(self.greeting)
            self.greeting = None
        if self.hello:
            self._tell_news(self.hello, news)
        news += self.replies
        self.replies = []
        if news:
            self.line.write([wire.write_message(message) for message in news])

    def _tell_news(self, hello: wire.Hello, news: list[wire.FromServer]) -> None:
        """What was done is told by the update that shows it; alone only where there is none."""
        room = self.live.room
        if self.presence_changed:
            self.presence_changed = False
            if self.present != (present := present_in(self.hall, self.live)):
                self.present = present
                news.append(presence(self.hall, self.live, present))
        done, self.done = self.done, []
        for viewer in sorted(self.viewers) if len(self.viewers) > 1 else self.viewers:
            seen, newest = self.seen.get(viewer, 0), room.updates[viewer]
            if seen < newest:
                self.seen[viewer] = newest
                at = self.hall.time_of(self.live) if room.clock.runs else room.at
                update = wire.update(room, viewer, seen, at, hello.want, hello.lang)
                update.done, done = done, []
                news.append(update)
        news += [wire.Done(id) for id in done]

    def reply(self, message: wire.FromServer) -> None:
        self.replies.append(message)
        self.call()

    def show(self, sign: wire.Emoted) -> None:
        """Whoever cannot take it now has missed it."""
        if self.line.can_write():
            self.reply(sign)

    def refuse(self, refusal: Refusal, id: str | None = None) -> None:
        self.hall.metrics.count("refusals", code=refusal.code)
        self.reply(wire.error_of(refusal, self.hello.lang if self.hello else "en", id))

    # ------------------------------------------------------------ hearing

    def pays(self, cost: float = 1.0) -> bool:
        """Whether one more message may come now. Whoever goes on when it may not is sent away."""
        wait = self.messages.take(time.monotonic(), cost)
        if not wait:
            self.too_fast = max(0, self.too_fast - 1)
            return True
        self.too_fast += 1
        self.refuse(Refusal("room.too_fast", "", {"seconds": whole_seconds(wait)}))
        if self.too_fast > self.limits.too_fast_before_end:
            self.replies = self.replies[-1:]
            self.send_news()  # at once: afterwards nothing is said any more
            self.end(REFUSED)
        return False

    def hear(self, text: bytes) -> None:
        if not self.pays():
            return
        if len(text) > self.limits.message_bytes:
            return self.refuse(Refusal("room.too_long", "", {"most": self.limits.message_bytes}))
        try:
            message = wire.read_message(text)
        except wire.Malformed as error:
            return self.refuse(Refusal("room.malformed", "", {"what": str(error)}))
        match message:
            case wire.Hello():
                self._greet(message)
            case wire.Ping():
                self.reply(wire.Pong(message.id[: wire.LONGEST_ID], self.hall.time_of(self.live)))
            case _:
                self._answer(message)

    def _greet(self, hello: wire.Hello) -> None:
        if self.live.gone:
            return self.end(COME_AGAIN)
        if hello.version != wire.VERSION:
            return self.refuse(Refusal("room.version", "", {"ours": wire.VERSION}))
        both = hello.public and len(self.parties) == 2
        viewers = frozenset([*self.parties, SPECTATOR]) if both else self.viewers
        seen = {viewer: self._seen(viewer, hello.seen.get(viewer, 0)) for viewer in viewers}
        at, length = time.monotonic(), wire.length(self.live.room, viewers, seen)
        if wait := self.hellos.take(at) or self.tells(at, length):
            return self.refuse(Refusal("room.too_fast", "", {"seconds": whole_seconds(wait)}))
        hello.want = tuple(what for what in wire.ALL if what in hello.want)  # however it was said
        self.hello, self.viewers, self.seen = hello, viewers, seen
        self.present = None
        self.live.clients.add(self)
        self.greeting = wire.welcome(self.live.room, self.parties)
        self.hall.note_presence(self.live)

    def _seen(self, viewer: int, claimed: int) -> int:
        """Who says to have seen it all is told how things stand once more; nonsense counts as nothing."""
        newest = self.live.room.updates[viewer]
        return min(claimed, newest - 1) if 0 <= claimed <= newest else 0

    def _answer(self, message: wire.AnyRequest | wire.Why | wire.Emote) -> None:
        """To those who may ask it: done or refused, durably, or only explained."""
        if self.hello is None:
            return self.refuse(Refusal("room.hello_first"), message.id)
        if (by := self._party(message)) is None:
            return self.refuse(Refusal("room.not_yours"), message.id)
        if isinstance(message, wire.Why):
            return self.reply(wire.reason_of(self._refusal(message, by), self.hello.lang, message.id))
        if isinstance(message, wire.Emote):
            return self._emote(message, by)
        self.hall.ask(self.live, partial(as_input, message, by), partial(self._told, message.id))

    def _emote(self, message: wire.Emote, by: int) -> None:
        room = self.live.room
        if room.plays_alone or room.phase not in ("seated", "playing", "over"):
            return self.refuse(Refusal("room.no_emote"), message.id)
        if wait := self.hall.emotes.take(room.players[by].guest, time.monotonic()):
            return self.refuse(Refusal("room.emote_fast", "", {"seconds": whole_seconds(wait)}), message.id)
        for client in tuple(self.live.clients):
            client.show(wire.Emoted(by, message.what))
        self.reply(wire.Done(message.id))

    def _told(self, id: str, refusal: Refusal | None) -> None:
        if refusal:
            return self.refuse(refusal, id)
        self.done.append(id)
        self.call()

    def _refusal(self, message: wire.Why, by: int) -> Refusal | None:
        """What would be answered to the move; from what its party may know, as that answer is."""
        at = self.hall.time_of(self.live)
        return self.live.room.refuses(inputs.Move(at, by, "", message.move))

    def _party(self, message: wire.RequestMessage) -> int | None:
        if message.party is None:
            return self._usual_party() if self.parties else None
        return message.party if message.party in self.parties else None

    def _usual_party(self) -> int:
        """At one device for two, whoever is to move is meant."""
        if len(self.parties) == 1:
            return self.parties[0]
        thinking = [self.live.room.party(seat) for seat in self.live.room.thinking()]
        return next((party for party in thinking if party in self.parties), self.parties[0])


def as_input(message: wire.AnyRequest, by: int, at: int) -> inputs.AnyInput:
    match message:
        case wire.Move():
            return inputs.Move(at, by, message.id, message.move)
        case wire.Seal():
            return inputs.Seal(at, by, message.id, message.seal)
        case wire.Ready():
            return inputs.Ready(at, by, message.id, message.nonce)
        case wire.Undo():
            return inputs.Undo(at, by, message.id)
        case wire.Offer():
            return inputs.Offer(at, by, message.id, message.what)
        case wire.Answer():
            return inputs.Answer(at, by, message.id, message.what, message.yes)
        case wire.Resign():
            return inputs.Resign(at, by, message.id)
        case wire.Abort():
            return inputs.Abort(at, by, message.id)
        case wire.Claim():
            return inputs.Claim(at, by, message.id)
        case wire.Close():
            return inputs.Close(at, by, message.id)
        case never:
            assert_never(never)


def present_in(hall: Hall, live: Live) -> Present:
    return Present(live.were_here, live.watching, hall.claim_at(live))


def presence(hall: Hall, live: Live, now: Present) -> wire.Presence:
    claim = None if now.claim_at is None else max(0, now.claim_at - hall.time_of(live))
    return wire.Presence(now.here, now.watching, claim)


def parties_of(live: Live, guest: str) -> list[int]:
    players = enumerate(live.room.players)
    return [party for party, player in players if not player.bot and player.guest == guest]
