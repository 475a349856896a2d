"""All rooms that are in use: inputs go through here, are kept, applied and told; bots and clocks too.

Everything here runs on the event loop's thread. An input is applied when it is durable and not
before, and one room takes one input at a time; so a room in memory is never ahead of the store.
"""

import asyncio
import gc
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from random import Random
from typing import Any, Protocol

import msgspec

from coyote import fairness
from coyote.games.game import Json, Refusal
from coyote.table import inputs
from coyote.table.games import Games
from coyote.table.room import Room, replay
from coyote.table.store import Store, StoreError, Write
from coyote.table.thinking import Thinkers, in_background, warm_up
from coyote.text import Refused, titles

log = logging.getLogger("coyote.table")

AGAIN = 1.0  # seconds until something that the store refused is tried again
BEAT = 1.0  # seconds between two signs of life while a clock runs
LINGER = 60.0  # seconds that a room stays in memory after somebody used it
LONGEST_WAIT = 3600.0  # seconds that a timer sleeps at most


class NoRoom(Refused):
    """There is no room of that id."""

    def __init__(self) -> None:
        super().__init__("room.none")


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


class Viewer(Protocol):
    """Somebody who looks at a room: a connection."""

    parties: list[int]
    viewers: list[int]
    wake: asyncio.Event
    presence_changed: bool


class Live:
    """A room in use, and those who look at it."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.lock = asyncio.Lock()
        self.clients: set[Viewer] = set()
        self.timer: asyncio.TimerHandle | None = None
        self.users = 0  # connections, requests and tasks that have this room in hand
        self.idle_since = time.monotonic()
        self.asked: dict[int, int] = {}  # by seat: the position that a bot thinks about
        self.heard: dict[int, int] = {}  # by party: how many updates a bot has seen
        self.known: Any = None  # what of the room its row in the store was last written for

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
        now: Callable[[], int] = milliseconds,
        token: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.store, self.now, self.token = store, now, token
        self.sets: dict[str, Json] = {}
        self.games = Games(self.sets)
        self.thinkers = Thinkers(bot_threads)
        self.rooms: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._warm: asyncio.Future[None] | None = None
        self.moves = 0
        self.failing_since: int | None = None
        self.last_alive = 0  # when the server before this one was last known to run

    # ------------------------------------------------------------ coming and going

    async def open(self) -> None:
        """Rooms whose clocks run, or whose bots are to move, go on; their clocks stood in between."""
        self._warm = in_background(warm_up)
        last = await asyncio.to_thread(self.store.last_alive)
        self.last_alive = last or 0
        going_on = await asyncio.to_thread(self.store.going_on)
        self.spawn(self._go_on(going_on))
        self.spawn(self._beat())
        self.spawn(self._tidy())

    async def _go_on(self, ids: list[str]) -> None:
        for id in ids:
            while True:
                try:
                    await self.enter(id)
                    break
                except StoreError:
                    await asyncio.sleep(AGAIN)
                except Refused as error:  # of other rules than are known here: the others go on
                    log.warning("room refused", extra={"room": id, "why": str(error)})
                    break

    async def skip_time(self, live: Live, since: int) -> None:
        """Nobody could move from then until now."""
        if live.room.clock.runs and live.room.phase == "playing":
            await self.persist(live, lambda at: inputs.Wake(at, max(0, at - since)))

    async def _beat(self) -> None:
        """While a clock runs, note that the server does, lest the time of a fall count for a player."""
        while True:
            await asyncio.sleep(BEAT)
            if any(live.timer for live in self.rooms.values()):
                row = {"name": "alive", "value": str(self.now())}
                try:
                    await self.store.keep(Write(settings=[row]))
                except StoreError as error:
                    self._store_failed(error)
                else:
                    self._store_works()

    async def close(self) -> None:
        for live in self.rooms.values():
            self._stop_timer(live)
        for task in self._tasks:
            task.cancel()
        self.thinkers.close()
        await asyncio.to_thread(self.store.close)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def spawn_for(self, live: Live, work: Coroutine[Any, Any, Any]) -> None:
        live.users += 1
        self.spawn(work).add_done_callback(lambda _: self._let_go(live))

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error and not isinstance(error, Refused):  # whoever asked is told of that
            log.error("task failed", exc_info=error)

    @property
    def preparing(self) -> bool:
        """Whether rules or bots are still being compiled; until then they run as plain Python."""
        return self._warm is not None and not self._warm.done()

    # ------------------------------------------------------------ rooms

    async def enter(self, id: str) -> Live:
        """The room of that id, from memory or from the store; NoRoom."""
        if id in self.rooms:
            return self.rooms[id]
        if id not in self._loading:
            self._loading[id] = self.spawn(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Live:
        found = await asyncio.to_thread(self.store.inputs_of, id)
        if not found:
            raise NoRoom
        made = found[0]
        assert isinstance(made, inputs.Make)
        await self.load_set(made.terms.set)
        room = replay(found, self.games)
        await self._skip_the_fall(room)
        return self._take_in(room)

    async def _skip_the_fall(self, room: Room) -> None:
        """Before anybody sees the room, or its clock can strike: the time without a server does not count.

        A room whose clock runs stays in memory, so it is loaded once in the life of a server.
        """
        if room.clock.runs and room.phase == "playing":
            at = max(self.now(), room.at)
            given = inputs.Wake(at, at - max(self.last_alive, room.at))
            write = Write()
            write.add_input(room.id, room.number, given)
            await self._keep(write)
            room.apply(given)

    async def load_set(self, digest: str) -> None:
        if digest and digest not in self.sets:
            body = await asyncio.to_thread(self.store.card_set, digest)
            self.sets[digest] = msgspec.json.decode(body or "{}")

    def _take_in(self, room: Room) -> Live:
        live = self.rooms[room.id] = Live(room)
        self._look_after(live)
        return live

    @asynccontextmanager
    async def visit(self, id: str) -> AsyncIterator[Live]:
        """The same, for as long as somebody needs it: it stays in memory until then."""
        live = await self.enter(id)
        live.users += 1
        try:
            yield live
        finally:
            self._let_go(live)

    def _let_go(self, live: Live) -> None:
        live.users -= 1
        live.idle_since = time.monotonic()

    async def _tidy(self) -> None:
        """Rooms that nobody has used for a while, and that no clock runs in, leave the memory."""
        while True:
            await asyncio.sleep(LINGER)
            gc.collect()
            limit = time.monotonic() - LINGER
            for id, live in list(self.rooms.items()):
                if not live.users and not live.timer and live.idle_since < limit:
                    del self.rooms[id]

    async def make(
        self, terms: inputs.Terms, host: inputs.Player, other: inputs.Player | None, decks: inputs.TwoDecks
    ) -> Live:
        """A new room; StoreError, OptionError."""
        made = self._new_make(terms, host, other, decks)
        room = Room(made, self.games)
        await self._keep(self._first_write(room, made))
        return self._take_in(room)

    def _new_make(
        self, terms: inputs.Terms, host: inputs.Player, other: inputs.Player | None, decks: inputs.TwoDecks
    ) -> inputs.Make:
        """Options are kept as the game writes them: its edition, and whatever differs from that."""
        terms = msgspec.structs.replace(terms, options=self.games.get(terms).options)
        id, invite = (self.token(15).hex() for _ in range(2))
        secret = self.token(fairness.SECRET_BYTES).hex()
        return inputs.Make(self.now(), id, terms, host, secret, other, decks, "" if other else invite)

    def _first_write(self, room: Room, made: inputs.Make) -> Write:
        write = Write(rooms=[about_room(room)])
        write.add_input(room.id, 0, made)
        seen = {player.guest for player in room.players if not player.bot}
        write.players = [{"guest": guest, "room": room.id} for guest in sorted(seen)]
        if terms_set := room.terms.set:
            body = msgspec.json.encode(self.sets[terms_set]).decode()
            write.card_sets = [{"digest": terms_set, "body": body}]
        return write

    def dice(self) -> Random:
        """For decks that are drawn."""
        return Random(self.token(32))

    # ------------------------------------------------------------ inputs

    async def submit(
        self, live: Live, build: Callable[[int], inputs.AnyInput], client: Viewer | None = None
    ) -> Refusal | None:
        """Check, keep, apply and tell. Whatever it refuses, and a StoreError, leave all as it was.

        Whoever asks must stay until it returns, for what is kept is to be applied. Connections do: they
        end by themselves, and are cancelled only with the whole server. A `client` looks for itself
        what there is to tell it.
        """
        room = live.room
        async with live.lock:
            given = build(max(self.now(), room.at))
            if isinstance(given, inputs.Request) and given.id and (given.by, given.id) in room.ids:
                return None
            if room.begins_rematch(given):
                return await self._rematch(live, given)
            if refusal := room.refuses(given):
                return refusal
            write = Write()
            write.add_input(room.id, room.number, given)
            if isinstance(given, inputs.Join):
                write.players = [{"guest": given.player.guest, "room": room.id}]
            await self._keep(write)
            viewers = room.apply(given)
        self.moves += isinstance(given, inputs.Move)
        self._tell(live, viewers, client)
        self._look_after(live)
        return None

    async def _rematch(self, live: Live, wanted: inputs.AnyInput) -> Refusal | None:
        """Both rooms change in one transaction, so there is never half a rematch."""
        room, seated = live.room, live.room.seated
        assert isinstance(wanted, inputs.Request)
        given = inputs.Next(wanted.at, wanted.by, wanted.id, "")
        if refusal := room.refuses(given):
            return refusal
        assert seated is not None
        made = self._new_make(self._next_terms(room), *seated.players, seated.decks)
        following = Room(made, self.games)
        given.room = following.id
        write = self._first_write(following, made)
        write.add_input(room.id, room.number, given)
        await self._keep(write)
        self._take_in(following)
        self._tell(live, room.apply(given))
        return None

    def _next_terms(self, room: Room) -> inputs.Terms:
        """Whoever sat in seat 0 sits in seat 1 now, and the rules are the newest."""
        begins: inputs.Begins = "host" if room.swap else "other"
        return msgspec.structs.replace(room.terms, begins=begins, rules=room.game.RULES[-1])

    async def persist(self, live: Live, build: Callable[[int], inputs.AnyInput]) -> Refusal | None:
        """An input of the server's own: tried again until the store takes it."""
        while True:
            try:
                return await self.submit(live, build)
            except StoreError:
                await asyncio.sleep(AGAIN)

    async def _keep(self, write: Write) -> None:
        try:
            await self.store.keep(write)
        except StoreError as error:
            self._store_failed(error)
            raise
        self._store_works()

    def _store_failed(self, error: StoreError) -> None:
        if self.failing_since is None:
            self.failing_since = self.now()
            log.error("store refuses", extra={"why": error.why})

    def _store_works(self) -> None:
        """Nobody pays for the time in which no move could be kept."""
        if self.failing_since is None:
            return
        since, self.failing_since = self.failing_since, None
        log.warning("store works again")
        for live in self.rooms.values():
            self.spawn_for(live, self.skip_time(live, since))

    # ------------------------------------------------------------ afterwards

    def _tell(self, live: Live, viewers: list[int], but: Viewer | None = None) -> None:
        for client in live.clients:
            if client is not but and any(viewer in client.viewers for viewer in viewers):
                client.wake.set()

    def _look_after(self, live: Live) -> None:
        """Whatever the room needs next without being asked: its row, its clock, its bots."""
        known = (live.room.phase, len(live.room.players))
        if known != live.known:
            live.known = known
            self.spawn(self._keep_row(about_room(live.room)))
        self._set_timer(live)
        self._ask_bots(live)

    async def _keep_row(self, row: Json) -> None:
        """Only lists are made of it, so it may come late."""
        await self.store.keep(Write(rooms=[row]))

    def _stop_timer(self, live: Live) -> None:
        if live.timer:
            live.timer.cancel()
            live.timer = None

    def _set_timer(self, live: Live) -> None:
        self._stop_timer(live)
        deadline = live.room.deadline()
        if deadline is not None:
            wait = min(LONGEST_WAIT, max(0.0, (deadline + 1 - self.now()) / 1000))
            live.timer = asyncio.get_running_loop().call_later(wait, self._time_is_up, live)

    def _time_is_up(self, live: Live) -> None:
        live.timer = None
        deadline = live.room.deadline()
        if deadline is not None and self.now() > deadline:
            self.spawn_for(live, self.persist(live, inputs.Flag))
        else:
            self._set_timer(live)

    # ------------------------------------------------------------ bots

    def _ask_bots(self, live: Live) -> None:
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
        """A bot lets people take back what they like, and plays on."""
        await self.persist(live, lambda at: inputs.Answer(at, party, "", what, what == "undo"))

    async def _let_think(self, live: Live, party: int, bot: str, position: int) -> None:
        room, match = live.room, live.room.match
        assert match is not None
        question = match.question(room.seat(party), self._heard(live, party))
        move = await self.thinkers.think(bot, f"dice {match.seed}", room.game, question)
        if room.position == position and not room.over:
            await self.persist(live, lambda at: inputs.Move(at, party, "", move))

    def _heard(self, live: Live, party: int) -> int:
        """How many events a bot has heard of that are still true; now it hears of the others."""
        seen = live.heard.get(party, 0)
        live.heard[party] = len(live.room.updates[party])
        return live.room.events_kept(party, seen)

    async def hint(self, live: Live, party: int, lang: str) -> Json | None:
        """What a search would do in the party's place; None where nobody may ask for it."""
        room, match, seat = live.room, live.room.match, live.room.seat(party)
        if match is None or room.terms.opponent != "bot" or seat not in room.thinking():
            return None
        question = match.question(seat, len(match.rows))
        return await self.thinkers.advise(str(match.seed), room.game, question, lang)


def about_room(room: Room) -> Json:
    """A room's row in the table of rooms, from what a bystander may know."""
    clock = {key: value for key, value in msgspec.structs.asdict(room.terms.clock).items() if value}
    about = {
        "game": room.terms.game,
        "rules": room.game.rules_version,
        "options": room.options,
        "title": titles(room.game),
        "clock": clock,
        "opponent": room.terms.opponent,
        "begins": room.terms.begins,
        "names": room.names,
        "result": room.result.as_json() if room.result else None,
    }
    return {
        "id": room.id,
        "made_at": room.made.at,
        "phase": room.phase,
        "listed": room.terms.opponent == "open",
        "watched": room.clock.runs or room.terms.opponent == "bot",
        "about": msgspec.json.encode(about).decode(),
    }
