"""All rooms that this process has: inputs go through here, are tried, kept and told; bots and clocks too.

Everything here runs on the event loop's thread. An input is tried on a copy of its room; when it is
durable, and not before, the copy takes the room's place. One room takes one input at a time. So a room in
memory is never ahead of the store, and nothing is kept that could not be done.
"""

import asyncio
import gc
import logging
import random
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import count
from random import Random
from typing import Any, NamedTuple, Protocol

import msgspec

from coyote import fairness
from coyote.games.game import Game, Json, Refusal
from coyote.records import record_line
from coyote.table import inputs, ladder, parts
from coyote.table.boards import hidden
from coyote.table.games import Games, set_text
from coyote.table.gametime import TICK, GameTime
from coyote.table.glicko import Strength
from coyote.table.limits import Buckets, Denied, Limits, whole_seconds
from coyote.table.metrics import Metrics
from coyote.table.played import player_rows, turn_mask
from coyote.table.room import Room
from coyote.table.store import FREE, LEASE, Fence, Held, Lost, Stale, Store, StoreError, Unsure, Write
from coyote.table.thinking import Thinkers, in_background, warm_up
from coyote.text import Refused, titles

log = logging.getLogger("coyote.table")

AGAIN = 1.0  # seconds until something that the store refused is tried again
BEAT = LEASE / 4000  # seconds between two signs of life
REST = 10_000  # milliseconds that clocks stand after a fall: so long pages may take to come back
LINGER = 60.0  # seconds that a room stays in memory after somebody used it, if it goes on
SWEEP = 2.0  # seconds between two looks for rooms and other things that nobody needs
SWEEPS = 150  # looks of which one is thorough
LONGEST_WAIT = 3600.0  # seconds that a timer sleeps at most
SLICE = 0.002  # seconds of replaying a room, then others have their turn
MOST_ADOPTED = 50  # rooms of a dead process that are taken at once: the other processes want some, too
MOST_WAITING = 64  # inputs that wait for their room
COME_AGAIN = 1012  # how a socket is closed whose room is to be entered anew
FAILED = 1011  # and one that cannot be told how things stand, for a fault of ours

Done = Callable[[Refusal | None], None]
Build = Callable[[int], inputs.AnyInput]


class NoRoom(Refused):
    """There is no room of that id."""

    def __init__(self) -> None:
        super().__init__("room.none")


class Elsewhere(Refused):
    """Another process has the room; whoever asks is passed on to it."""

    def __init__(self, address: str) -> None:
        super().__init__("room.moved")
        self.address = address


class Ended(Refused):
    """A room that cannot go on here: its rules or its cards are not followed any more."""

    def __init__(self, why: str | Refused) -> None:
        super().__init__("room.ended", why=why)


class Broken(Refused):
    """A room that cannot be loaded, for a fault of ours. It is kept as it is."""

    def __init__(self) -> None:
        super().__init__("room.broken")


class Viewer(Protocol):
    """Somebody who looks at a room: a connection."""

    parties: list[int]
    viewers: frozenset[int]
    done: list[str]
    presence_changed: bool

    def send_news(self) -> None: ...

    def show(self, sign: Any) -> None: ...

    def end(self, code: int) -> None: ...


class Asked(NamedTuple):
    """An input that is wanted, and who is told what became of it."""

    build: Build
    done: Done


class Tried(NamedTuple):
    """An input that can be done, and what comes of it once it is kept."""

    given: inputs.AnyInput
    following: Room
    viewers: tuple[int, ...]
    rematch: Room | None


class Live:
    """A room in use, and those who look at it."""

    def __init__(self, room: Room, epoch: int = 0) -> None:
        self.room, self.epoch = room, epoch
        self.fence = Fence(room.id, epoch)
        self.clients: set[Viewer] = set()
        self.waiting: deque[Asked] = deque()
        self.busy_since: float | None = None  # an input is being kept
        self.ahead = 0  # milliseconds that the room's time is ahead of this process's
        self.gone = False  # from memory: whoever still has it in hand must ask for it anew
        self.timer: asyncio.TimerHandle | None = None
        self.users = 0  # connections, requests and tasks that have this room in hand
        self.idle_since = time.monotonic()
        self.asked: dict[int, int] = {}  # by seat: the position that a bot thinks about
        self.heard: dict[int, int] = {}  # by party: how many updates a bot has seen
        self.were_here = self.here()
        self.since = [room.at, room.at]  # by party: when it came or went, or the server did
        self.watching = 0  # how many only look on
        self.strengths: dict[str, Strength] = {}  # of those who play: after a rated game

    def here(self) -> list[bool]:
        """Which parties are connected. Bots of ours always are."""
        connected = {party for client in self.clients for party in client.parties}
        bots = {party for party, player in enumerate(self.room.players) if player.bot}
        return [party in connected | bots for party in range(2)]


class Hall:
    def __init__(
        self,
        store: Store,
        bot_threads: int = 1,
        now: Callable[[], int] | None = None,
        token: Callable[[int], bytes] = secrets.token_bytes,
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
    ) -> None:
        self.store, self.token, self.limits = store, token, limits
        self.time = GameTime(max(store.now(), store.last_alive()))  # never before what it was
        self.now = now or self.time.now
        self.metrics = store.metrics = Metrics()
        self.games = Games()
        self.thinkers = Thinkers(bot_threads, limits, self.metrics)
        self.rooms: dict[str, Live] = {}
        self.broken: set[str] = set()  # rooms that could not be loaded
        self.address = ""  # where other processes reach this one
        self.rematches = Buckets(limits.makes_per_minute / 60, limits.makes_per_minute)
        self.emotes = Buckets(limits.emotes_per_minute / 60, 1)
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._news: set[Viewer] = set()  # those who are to be told something
        self._calling = False  # and will be, in a moment
        self.closing = False
        self._warm: asyncio.Future[None] | None = None
        self.failing_since: int | None = None
        self.falls = 0  # how often this process was taken for dead
        self._overdue = False  # and has not yet seen which rooms that cost it
        self._saying = ThreadPoolExecutor(1, "alive")

    # ------------------------------------------------------------ coming and going

    async def open(self) -> None:
        """Rooms whose clocks run, or whose bots are to move, go on; their clocks stood in between."""
        self._warm = in_background(warm_up)
        if self.store.shared:
            await asyncio.to_thread(self.store.say_alive, self.address, self.now())
        self.spawn(self._tick())
        self.spawn(self._beat())
        self.spawn(self._adopt())
        self.spawn(self._tidy())
        self.spawn(self._write_records())
        self.spawn(self._note_played())
        self.spawn(self.rate())

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self.time.tick(self.store.busy_since, self.failing_since is not None)

    async def _beat(self) -> None:
        """Note that this process lives, lest others take its rooms, or a player pay for a fall."""
        while True:
            if self.store.shared or any(live.timer for live in self.rooms.values()):
                try:
                    await self._say_alive()
                    self._store_works()
                except StoreError as error:
                    self._store_failed(error)
            await asyncio.sleep(BEAT)

    async def _say_alive(self) -> None:
        """In a thread of its own: however busy the others are, it is in time."""
        loop = asyncio.get_running_loop()
        if await loop.run_in_executor(self._saying, self.store.say_alive, self.address, self.now()):
            log.warning("taken for dead meanwhile")
            self.falls += 1
            self._overdue = True
        if self._overdue:
            await self._drop_lost_rooms()
            self._overdue = False

    async def _drop_lost_rooms(self) -> None:
        """This process was taken for dead. What others have taken over since then is theirs."""
        held = {live.fence: live for live in self.rooms.values()}
        ours = await asyncio.to_thread(self.store.ours, held)
        for fence, live in held.items():
            if fence not in ours:
                self.drop(live)

    async def _adopt(self) -> None:
        """Rooms that go on with nobody there, and that no living process has. Each may fail for itself."""
        while True:
            try:
                ids = await asyncio.to_thread(self.store.going_on)
            except StoreError:
                ids = []
            random.shuffle(ids)
            wanted = [id for id in ids if id not in self.rooms and id not in self.broken]
            for id in wanted[:MOST_ADOPTED] if self.store.shared else wanted:
                with suppress(Refused):
                    await self.enter(id)
            wait = BEAT if self.store.shared else LONGEST_WAIT
            await asyncio.sleep(wait if len(wanted) <= MOST_ADOPTED else TICK)

    async def _write_records(self) -> None:
        """Finished games of an older server have no record as text yet."""
        before = ""
        while True:
            with suppress(Refused):
                ids = await asyncio.to_thread(self.store.without_record, before)
                if not ids:
                    return
                before = ids[-1]
                for id in ids:
                    with suppress(Refused):
                        await self.record(id)
            await asyncio.sleep(TICK)

    async def _note_played(self) -> None:
        """Nor is it noted what their guests have played, and how it ended."""
        before = ""
        while True:
            with suppress(Refused):
                ids = await asyncio.to_thread(self.store.unknown_games, before)
                if not ids:
                    return
                before = ids[-1]
                for id in ids:
                    with suppress(Refused):
                        async with self.visit(id) as live:
                            await self.keep(Write(players=player_rows(live.room)))
            await asyncio.sleep(TICK)

    async def rate(self) -> None:
        """Count the rated games that have ended, here or elsewhere. What fails is counted the next time."""
        with suppress(StoreError):
            await asyncio.to_thread(ladder.fold, self.store)

    async def _rate(self, live: Live) -> None:
        """The same for a room that has just ended; its players may want to play again."""
        await self.rate()
        with suppress(StoreError):
            live.strengths = await self.strengths(live.room)

    async def strengths(self, room: Room) -> dict[str, Strength]:
        """How strong those are who play in a room."""
        pool, people = ladder.pool_of(room.game, room.terms), [*map(ladder.called, room.players)]
        return await asyncio.to_thread(ladder.strengths, self.store, pool, people, self.now())

    async def close(self) -> None:
        self.closing = True
        for live in self.rooms.values():
            self._stop_timer(live)
        for task in self._tasks:
            task.cancel()
        self.thinkers.close()
        self._saying.shutdown(wait=False)
        with suppress(StoreError):
            await asyncio.to_thread(self.store.say_goodbye, self.now())
        await asyncio.to_thread(self.store.close)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def spawn_for(self, live: Live, work: Coroutine[Any, Any, Any]) -> None:
        live.users += 1
        self.spawn(work).add_done_callback(lambda _: self.let_go(live))

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error and not isinstance(error, Refused):  # whoever asked is told of that
            self.metrics.count("errors", where="task")
            log.error("task failed", exc_info=error)

    @property
    def preparing(self) -> bool:
        """Whether rules or bots are still being compiled; until then they run as plain Python."""
        return self._warm is not None and not self._warm.done()

    # ------------------------------------------------------------ rooms

    async def enter(self, id: str) -> Live:
        """The room of that id, from memory or from the store; NoRoom, Elsewhere, Ended, Broken."""
        if id in self.rooms:
            return self.rooms[id]
        if id not in self._loading:
            self._loading[id] = self.spawn(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Live:
        falls = self.falls
        claim = await asyncio.to_thread(self.store.claim, id)
        if isinstance(claim, Held):
            raise Elsewhere(claim.address)
        if claim is None:
            raise NoRoom
        live = Live(await self._replay(id), claim.epoch)
        live.ahead = max(0, live.room.at - self.now())
        await self._skip_the_fall(live, claim.since)
        live.since = [self.time_of(live)] * 2
        if falls != self.falls:
            raise Lost
        self._take_in(live)
        return live

    async def _replay(self, id: str) -> Room:
        """The room that its inputs make. Others have their turn in between; whatever is wrong with it is
        its own affair."""
        try:
            found = await asyncio.to_thread(self.store.inputs_of, id)
            if not found:
                raise NoRoom
            room = await self._made(found[0])
            until = time.monotonic() + SLICE
            for given in found[1:]:
                room.apply(given)
                room.count(given)
                if time.monotonic() > until:
                    await asyncio.sleep(0)
                    until = time.monotonic() + SLICE
            self.broken.discard(id)
            return room
        except (StoreError, NoRoom, Ended):
            raise
        except Exception as error:  # a move that is refused now was not then: so much is a fault of ours, too
            self.broken.add(id)
            self.metrics.count("errors", where="load")
            log.error("room cannot be loaded", extra={"room": id}, exc_info=error)
            raise Broken from None

    async def _made(self, made: inputs.AnyInput) -> Room:
        """The room before anything happened in it; Ended where its rules or cards are not followed here."""
        assert isinstance(made, inputs.Make)
        try:
            await self.load_set(made.terms)
            await self.game_of(made.terms)
            return Room(made, self.games)
        except StoreError:
            raise
        except Refused as error:
            raise await self._end(made.room, error) from None

    async def _end(self, id: str, why: Refused) -> Ended:
        """By name and for good: what this table does not follow any more is not played on."""
        log.warning("room ended", extra={"room": id, "why": str(why)})
        row = await asyncio.to_thread(self.store.room, id)
        if row and row["phase"] not in ("over", "closed", "ended"):
            await self.store.keep(Write(rooms=[{**row, "phase": "ended", "touched_at": self.now()}]))
        return Ended(why)

    async def game_of(self, terms: inputs.Terms) -> Game:
        """In a thread, where its cards have to be read; OptionError."""
        if not self.games.knows(terms):
            await asyncio.to_thread(self.games.get, terms)
        return self.games.get(terms)

    async def load_set(self, terms: inputs.Terms) -> None:
        """The cards of a room; Refused where they go beyond what this table allows."""
        if not terms.set or self.games.knows_set(terms.set):
            return
        body = await asyncio.to_thread(self.store.card_set, terms.set)
        cards = await asyncio.to_thread(msgspec.json.decode, body or "{}")
        if refusal := await asyncio.to_thread(parts.within_bounds, cards):
            raise Refused(refusal)
        self.games.add_set(terms.set, cards)

    async def _skip_the_fall(self, live: Live, since: int) -> None:
        """Before anybody sees the room, or its clock can strike: the time without a server does not count.

        A room whose clock runs stays in memory, so it is loaded once in the life of a process.
        """
        room = live.room
        if room.clock.runs and room.phase == "playing":
            at = self.time_of(live)
            given = inputs.Wake(at, at - max(min(since, at), room.at), REST)
            write = Write(fence=live.fence, rooms=[self._row(room)])
            write.add_input(room.id, room.number, given, turn_mask(room))
            await self.keep(write)
            room.apply(given)

    def time_of(self, live: Live) -> int:
        """The time that its clocks go by. Where another process had the room before, that is its time."""
        return max(self.now() + live.ahead, live.room.at)

    def _take_in(self, live: Live) -> None:
        self.rooms[live.room.id] = live
        self._look_after(live)

    @asynccontextmanager
    async def visit(self, id: str) -> AsyncIterator[Live]:
        """The same, for as long as somebody needs it: it stays in memory until then."""
        live = await self.enter(id)
        live.users += 1
        try:
            yield live
        finally:
            self.let_go(live)

    def let_go(self, live: Live) -> None:
        live.users -= 1
        live.idle_since = time.monotonic()

    async def _tidy(self) -> None:
        """Rooms that nobody has used for a while, and that no clock runs in, leave the memory."""
        for number in count(1):
            await asyncio.sleep(min(SWEEP, LINGER))
            if number % SWEEPS == 0:  # little needs it, and everybody waits for it
                gc.collect()
            now = time.monotonic()
            idle = [live for live in self.rooms.values() if self._is_idle(live, now)]
            for live in idle:
                live.gone = True
                del self.rooms[live.room.id]
            if idle and self.store.shared:
                with suppress(StoreError):
                    await asyncio.to_thread(self.store.let_go, [live.fence for live in idle])

    def _is_idle(self, live: Live, now: float) -> bool:
        if live.users or live.timer or live.busy_since is not None:
            return False
        return now - live.idle_since > (SWEEP if live.room.over else LINGER)

    def drop(self, live: Live) -> None:
        """The store has gone on without it, or nobody knows: whoever asks next has it loaded anew."""
        if live.gone:
            return
        live.gone = True
        self._stop_timer(live)
        if self.rooms.get(live.room.id) is live:
            del self.rooms[live.room.id]
        for client in list(live.clients):
            client.end(COME_AGAIN)
        while live.waiting:
            live.waiting.popleft().done(Refusal("room.moved"))
        if live.room.clock.runs or live.room.terms.opponent == "bot":
            self.spawn(self._come_back(live.room.id))

    async def _come_back(self, id: str) -> None:
        """A room that goes on with nobody there is loaded anew at once, if it is still ours to have."""
        for _ in range(30):
            try:
                await self.enter(id)
                return
            except StoreError:
                await asyncio.sleep(AGAIN)
            except Refused:
                return

    async def make(
        self, terms: inputs.Terms, host: inputs.Player, other: inputs.Player | None, decks: inputs.TwoDecks
    ) -> Live:
        """A new room; StoreError, OptionError.

        Of several processes, that one has it which is asked for it first: a proxy sends all who are in one
        room to the same, and nobody can tell beforehand which that is.
        """
        made = self._new_make(terms, host, other, decks)
        room = Room(made, self.games)
        await self.keep(self._first_write(room))
        live = Live(room)
        if not self.store.shared:
            self._take_in(live)
        return live

    async def make_tables(self, mades: Sequence[inputs.Make]) -> None:
        """Rooms that were settled elsewhere, those that are not there yet; StoreError, OptionError.

        Where the cards are dealt already, bots and clocks go on though nobody may come.
        """
        for made in mades:
            if await asyncio.to_thread(self.store.room, made.room):
                continue
            await self.load_set(made.terms)
            await self.game_of(made.terms)
            room = Room(made, self.games)
            try:
                await self.keep(self._first_write(room))
            except Stale:  # somebody was quicker
                continue
            if made.board:
                with suppress(Elsewhere):
                    await self.enter(room.id)

    def _new_make(
        self, terms: inputs.Terms, host: inputs.Player, other: inputs.Player | None, decks: inputs.TwoDecks
    ) -> inputs.Make:
        """Options are kept as the game writes them: its edition, and whatever differs from that."""
        terms = msgspec.structs.replace(terms, options=self.games.get(terms).options)
        id, invite = (self.token(15).hex() for _ in range(2))
        secret = self.token(fairness.SECRET_BYTES).hex()
        return inputs.Make(
            self.now(), id, terms, host, secret, other, decks, "" if other else invite, seals=True
        )

    def _first_write(self, room: Room) -> Write:
        write = Write(rooms=[self._row(room)])
        write.add_input(room.id, 0, room.made, turn_mask(room))
        write.players = player_rows(room)
        if room.terms.set:
            write.card_sets = [{"digest": room.terms.set, "body": set_text(room.game)}]
        return write

    def _row(self, room: Room) -> Json:
        return {**about_room(room), "touched_at": room.phase_since, "owner": FREE, "epoch": 0, "fell_at": 0}

    def dice(self) -> Random:
        """For decks that are drawn."""
        return Random(self.token(32))

    async def record(self, id: str) -> str:
        """The record of a finished game on one line, from the store if it is there; Refused, and Denied while
        another table plays the same deal. Whatever tells of finished games asks here."""
        if await asyncio.to_thread(hidden, self.store, id):
            raise Denied(409, "board.hidden")
        found = await asyncio.to_thread(self.store.record, id)
        if found is not None:
            return found
        async with self.visit(id) as live:
            if live.room.phase != "over":
                raise Refused("room.not_over")
            line = record_line(live.room.record())
        await self.keep(Write(records=[{"room": id, "body": line}]))
        return line

    # ------------------------------------------------------------ inputs

    def ask(self, live: Live, build: Build, done: Done) -> None:
        """Check, try, keep and tell, in its turn; `done` is told why not, or None. Whatever is refused
        leaves all as it was."""
        if live.busy_since is None:
            self._take(live, Asked(build, done))
        elif len(live.waiting) < MOST_WAITING:
            live.waiting.append(Asked(build, done))
        else:
            done(Refusal("room.too_fast"))

    async def submit(self, live: Live, build: Build) -> Refusal | None:
        """The same for who can wait."""
        told: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()
        self.ask(live, build, lambda refusal: None if told.done() else told.set_result(refusal))
        return await told

    async def persist(self, live: Live, build: Build) -> Refusal | None:
        """An input of the server's own: tried again until the store takes it, or the room is gone."""
        while True:
            refusal = await self.submit(live, build)
            if refusal is None or refusal.code != "room.not_kept" or live.gone:
                return refusal
            await asyncio.sleep(AGAIN)

    def _take(self, live: Live, asked: Asked) -> None:
        """Try an input on a copy of the room, and have it kept."""
        if live.gone:
            return asked.done(Refusal("room.moved"))
        try:
            found = self._try(live, asked.build(self.time_of(live)))
        except Refused as error:
            return asked.done(error.refusal)
        except Exception as error:
            self.metrics.count("errors", where="input")
            log.error("input failed", extra={"room": live.room.id}, exc_info=error)
            return asked.done(Refusal("room.failed"))
        if found is None:
            return asked.done(None)
        write, tried = found
        live.busy_since = time.monotonic()
        self.store.put(write, partial(self._kept, live, tried, asked.done))

    def _try(self, live: Live, given: inputs.AnyInput) -> tuple[Write, Tried] | None:
        """What is to be kept, and what comes of it; None where it has counted already. Refused."""
        room, rematch = live.room, None
        write = Write(fence=live.fence)
        if isinstance(given, inputs.Request) and given.id and (given.by, given.id) in room.ids:
            return None
        if room.begins_rematch(given):
            given, rematch = self._rematch(live, given)
            write = self._first_write(rematch)
            write.fence = live.fence
        elif refusal := room.refuses(given) or self._too_long(room, given) or self._refuse_claim(live, given):
            raise Refused(refusal)
        following, viewers = room.after(given)
        write.add_input(room.id, room.number, given, turn_mask(following))
        if following.phase != room.phase:
            write.players = [*write.players, *player_rows(following)]
        if following.phase != room.phase or following.next != room.next:
            write.rooms = [*write.rooms, {**self._row(following), "epoch": live.epoch}]
        if following.phase == "over" and room.phase != "over":
            write.records = [{"room": room.id, "body": record_line(following.record())}]
            write.rated_games = ladder.rated_rows(following, given)
        return write, Tried(given, following, viewers, rematch)

    def _too_long(self, room: Room, given: inputs.AnyInput) -> Refusal | None:
        """Choices are not changed for ever, nor draws offered; what brings a game on is always taken. Each
        party has its half: what is left of it tells nothing of what the other one has chosen."""
        if isinstance(given, inputs.BRINGS_ON):
            return None
        if room.asked[given.by] < (most := self.limits.inputs_per_room // 2):
            return None
        if isinstance(given, inputs.Move) and not room.has_sealed(room.seat(given.by)):
            return None
        return Refusal("room.too_long_game", "", {"most": most})

    def _refuse_claim(self, live: Live, given: inputs.AnyInput) -> Refusal | None:
        if not isinstance(given, inputs.Claim):
            return None
        at, due = given.at, self.claim_at(live)
        if due is None:
            return Refusal("room.claim_here")
        if at >= due:
            return None
        return Refusal("room.claim_early", "", {"seconds": whole_seconds((due - at) / 1000)})

    def claim_at(self, live: Live) -> int | None:
        """When whoever is here can claim the win from whoever is not; None where nobody can.

        Only time counts that the one was here and the other was not: whom the server or the network has
        failed has not left.
        """
        if not live.room.may_claim or live.were_here[0] == live.were_here[1]:
            return None
        return max(*live.since, live.room.clock.began) + round(1000 * self.limits.claim_seconds)

    def _rematch(self, live: Live, wanted: inputs.AnyInput) -> tuple[inputs.Next, Room]:
        """Both rooms change in one transaction, so there is never half a rematch."""
        assert isinstance(wanted, inputs.Request)
        room = live.room
        given, seated = inputs.Next(wanted.at, wanted.by, wanted.id, ""), room.seated
        if refusal := room.refuses(given):
            raise Refused(refusal)
        assert seated is not None
        if wait := self.rematches.take(room.players[given.by].guest, time.monotonic()):
            raise Refused("room.too_many_requests", seconds=max(1, round(wait)))
        terms = self._next_terms(room)
        if terms.rules == room.terms.rules:
            self.games.add(terms, room.game)
        elif terms.set:
            self.games.add_set(terms.set, room.game.public()["set"])
        host, other = (
            rated_as(player, live.strengths.get(ladder.called(player))) for player in seated.players
        )
        made = self._new_make(terms, host, other, seated.decks)
        given.room = made.room
        return given, Room(made, self.games)

    def _next_terms(self, room: Room) -> inputs.Terms:
        """Whoever sat in seat 0 sits in seat 1 now, and the rules are the newest."""
        begins: inputs.Begins = "host" if room.swap else "other"
        return msgspec.structs.replace(room.terms, begins=begins, rules=room.game.RULES[-1])

    def _kept(self, live: Live, tried: Tried, done: Done, error: StoreError | None) -> None:
        """The store has answered: now it is so, or it has never been."""
        assert live.busy_since is not None
        began, live.busy_since = live.busy_since, None
        if error is not None:
            if isinstance(error, Stale | Unsure):
                log.warning("room to be loaded anew", extra={"room": live.room.id, "why": error.why})
                self.drop(live)
            if not isinstance(error, Stale):
                self._store_failed(error)
            done(error.refusal)
        else:
            self._store_works()
            if live.room.table and tried.following.position != live.room.position:  # and not the deal
                self.metrics.count("moves")
                self.metrics.time("move_seconds", time.monotonic() - began)
            if tried.following.phase != live.room.phase:
                for client in live.clients:
                    client.presence_changed = True  # who is away matters more, or no more
                if tried.following.phase == "over" and tried.following.terms.rated:
                    self.spawn_for(live, self._rate(live))
            live.room = tried.following
            live.room.count(tried.given)
            if tried.rematch and not self.store.shared:
                self._take_in(Live(tried.rematch))
            done(None)
            self._tell(live, tried.viewers)
            self._look_after(live)
        while live.waiting and live.busy_since is None:
            self._take(live, live.waiting.popleft())

    async def keep(self, write: Write) -> None:
        """Rows of other kinds; StoreError."""
        try:
            await self.store.keep(write)
        except StoreError as error:
            if not isinstance(error, Stale):
                self._store_failed(error)
            raise
        self._store_works()

    def _store_failed(self, error: StoreError) -> None:
        self.metrics.count("store_failures")
        if self.failing_since is None:
            self.failing_since = self.now()
            log.error("store refuses", extra={"why": error.why})

    def _store_works(self) -> None:
        if self.failing_since is not None:
            self.failing_since = None
            log.warning("store works again")

    # ------------------------------------------------------------ afterwards

    def _tell(self, live: Live, viewers: tuple[int, ...]) -> None:
        """At once to all who look at a room: one room after the other is quicker than all of them twice."""
        for client in tuple(live.clients):
            if client.done or not client.viewers.isdisjoint(viewers):
                self._news.discard(client)
                self._send(client)

    def note_presence(self, live: Live) -> None:
        """Somebody came or went."""
        here = live.here()
        for party in range(2):
            if here[party] != live.were_here[party]:
                live.since[party] = self.time_of(live)
        live.were_here, live.watching = here, sum(not client.parties for client in live.clients)
        for client in live.clients:
            client.presence_changed = True
            self.call(client)

    def call(self, client: Viewer) -> None:
        """There is something to be told: once, when this turn of the loop is over."""
        if not self._calling:
            self._calling = True
            asyncio.get_running_loop().call_soon(self._send_news)
        self._news.add(client)

    def _send_news(self) -> None:
        self._calling = False
        clients, self._news = self._news, set()
        for client in clients:
            self._send(client)

    def _send(self, client: Viewer) -> None:
        try:
            client.send_news()
        except Exception as error:  # nobody else shall miss anything for it
            self.metrics.count("errors", where="news")
            log.error("news failed", exc_info=error)
            client.end(FAILED)

    def _look_after(self, live: Live) -> None:
        """Whatever the room needs next without being asked: its clock, its bots."""
        if live.room.clock.runs:
            self._set_timer(live)
        if live.room.terms.opponent == "bot":
            self._ask_bots(live)

    def _stop_timer(self, live: Live) -> None:
        if live.timer:
            live.timer.cancel()
            live.timer = None

    def _set_timer(self, live: Live) -> None:
        self._stop_timer(live)
        deadline = live.room.deadline()
        if deadline is not None:
            wait = min(LONGEST_WAIT, max(0.0, (deadline + 1 - self.time_of(live)) / 1000))
            live.timer = asyncio.get_running_loop().call_later(wait, self._time_is_up, live)

    def _time_is_up(self, live: Live) -> None:
        live.timer = None
        deadline = live.room.deadline()
        if deadline is not None and self.time_of(live) > deadline:
            self.spawn_for(live, self.persist(live, inputs.Flag))
        else:
            self._set_timer(live)

    # ------------------------------------------------------------ bots

    def _ask_bots(self, live: Live) -> None:
        if self.closing:
            return
        room = live.room
        for party, player in enumerate(room.players):
            if not player.bot:
                continue
            for by, what in sorted(room.offers):
                if by != party and what != "rematch":
                    self.spawn_for(live, self._answer_offer(live, party, what))
            seat = room.seat(party)
            if seat in room.thinking() and live.asked.get(seat) != room.position:
                live.asked[seat] = room.position
                self.spawn_for(live, self._let_think(live, party, player.bot, room.position))

    async def _answer_offer(self, live: Live, party: int, what: Any) -> None:
        """A bot lets people take back what they like, unless it is for a rating, and plays on."""
        yes = what == "undo" and not live.room.serious
        await self.persist(live, lambda at: inputs.Answer(at, party, "", what, yes))

    async def _let_think(self, live: Live, party: int, bot: str, position: int) -> None:
        """Who takes back a choice cannot know what the bot will do next time: its dice are others then."""
        room, match = live.room, live.room.match
        assert match is not None
        question = match.question(room.seat(party), self._heard(live, party))
        dice = f"dice {match.seed} {room.taken_back}"
        who = room.players[1 - party].guest  # whose thinking time it is
        move = await self.thinkers.think(bot, dice, room.game, question, who)
        if live.room.position == position and not live.room.over:
            await self.persist(live, lambda at: inputs.Move(at, party, "", move))

    def _heard(self, live: Live, party: int) -> int:
        """How many events a bot has heard of that are still true; now it hears of the others."""
        seen = live.heard.get(party, 0)
        live.heard[party] = live.room.updates[party]
        return live.room.events_kept(party, seen)

    async def hint(self, live: Live, party: int, lang: str) -> Json | None:
        """What a search would do in the party's place; None where nobody may ask for it."""
        room, match, seat = live.room, live.room.match, live.room.seat(party)
        if match is None or room.terms.opponent != "bot" or room.serious or seat not in room.thinking():
            return None
        question = match.question(seat, len(match.rows))
        who = room.players[party].guest
        return await self.thinkers.advise(str(match.seed), room.game, question, lang, who)


def rated_as(player: inputs.Player, found: Strength | None) -> inputs.Player:
    """A player as they are known when they sit down."""
    if found is None:
        return msgspec.structs.replace(player, rating=None, provisional=False)
    return msgspec.structs.replace(player, rating=round(found.rating), provisional=found.provisional)


def about_room(room: Room) -> Json:
    """A room's row in the table of rooms, from what a bystander may know."""
    clock = {key: value for key, value in msgspec.structs.asdict(room.terms.clock).items() if value}
    about = {
        "game": room.terms.game,
        "rules": room.game.rules_version,
        "options": room.options,
        "title": titles(room.game),
        "set": parts.set_shown(room.game),
        "clock": clock,
        "opponent": room.terms.opponent,
        "begins": room.terms.begins,
        "names": room.names,
        "result": room.result.as_json() if room.result else None,
        **({"rated": True} if room.terms.rated else {}),
        **({"next": room.next} if room.next else {}),
    }
    return {
        "id": room.id,
        "made_at": room.made.at,
        "phase": room.phase,
        "listed": room.terms.opponent == "open",
        "watched": room.clock.runs or room.terms.opponent == "bot",
        "about": msgspec.json.encode(about).decode(),
    }
