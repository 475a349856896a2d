"""Analyses of finished games, made in a process apart when somebody first asks, and kept for who asks next.

They follow from records alone, so whatever is lost here is made again when it is wanted. When nobody waits,
the same process finds out how much of the results of rated games was luck (docs/ratings.md).
"""

import asyncio
import logging
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Request, Response

from coyote.games.game import Json
from coyote.kernel import jit
from coyote.table import ladder
from coyote.table.analyst import unprepared
from coyote.table.guests import Guests
from coyote.table.hall import Hall
from coyote.table.limits import Denied, Limits, per_minute
from coyote.table.store import StoreError
from coyote.table.weighing import STARTING, Player
from coyote.text import LANGUAGES, Words

log = logging.getLogger("coyote.table")

MOST_KEPT = 100  # analyses: some 10 MB
MOST_WAITING = 30
IDLE = 120.0  # seconds that the process stays with nothing to do
LOOK = 15.0  # seconds between two looks for games whose luck nobody knows
MOST_TRIES = 3  # of one game, until its luck is given up
FAULTS = (OSError, TimeoutError, asyncio.IncompleteReadError, msgspec.DecodeError)

State = Literal["waiting", "working", "done", "failed"]
RoomId = Annotated[str, Path(max_length=40, pattern=r"^[0-9a-zA-Z_-]+$")]


@dataclass
class Job:
    """One game: how far it is, and what was found, as it goes out."""

    record: str
    state: State = "waiting"
    progress: float = 0.0
    found: bytes = b"null"
    problem: dict[str, str] | None = None
    made_at: float = field(default_factory=time.monotonic)


class Analyses:
    def __init__(self, hall: Hall, guests: Guests, limits: Limits) -> None:
        self.hall, self.guests = hall, guests
        self.player = Player("coyote.table.analyst")
        self.begins = per_minute(limits.analyses_per_minute)
        self.jobs: OrderedDict[str, Job] = OrderedDict()  # by room
        self._news = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._idle_since = time.monotonic()
        self._failed = ("", 0)  # the room whose luck was not found, and how often

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/rooms/{room}/analysis", response_model=dict[str, Any])(self.look)
        return router

    async def look(self, room: RoomId, request: Request) -> Response:
        """What each decision of a finished game was worth, what was luck, what could be known; until that is
        found, how far it is. Whoever asks first has it made."""
        job = self.jobs.get(room) or await self.begin(room, request)
        self.jobs.move_to_end(room)
        told = {
            "state": job.state,
            "progress": job.progress,
            "ahead": self.ahead(job),
            "problem": job.problem,
            "analysis": msgspec.Raw(job.found),
        }
        return Response(msgspec.json.encode(told), media_type="application/json")

    async def begin(self, room: str, request: Request) -> Job:
        record = await self.hall.record(room)  # refused where the game is not over
        if room in self.jobs:  # somebody else was as quick
            return self.jobs[room]
        self.guests.slow_down(request, self.begins)
        if sum(job.state == "waiting" for job in self.jobs.values()) >= MOST_WAITING:
            raise Denied(429, "room.analysis_busy", retry_after=5)
        job = self.jobs[room] = Job(record)
        self.forget()
        self._news.set()
        return job

    def forget(self) -> None:
        """Those that nobody has asked for longest, of what is done."""
        done = [room for room, job in self.jobs.items() if job.state in ("done", "failed")]
        for room in done[: max(0, len(self.jobs) - MOST_KEPT)]:
            del self.jobs[room]

    def ahead(self, job: Job) -> int:
        if job.state != "waiting":
            return 0
        others = self.jobs.values()
        return sum(one.state in ("waiting", "working") and one.made_at < job.made_at for one in others)

    # ------------------------------------------------------------ making them

    async def run(self) -> None:
        """One after another, for as long as the server runs."""
        self._running = asyncio.current_task()
        self.hall.spawn(self.prepare())
        while True:
            waiting = [job for job in self.jobs.values() if job.state == "waiting"]
            if waiting:
                await self.work(min(waiting, key=lambda job: job.made_at))
                self._idle_since = time.monotonic()
                continue
            self._news.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK)
                continue
            while not self._news.is_set() and await self.find_luck():
                self._idle_since = time.monotonic()
            if time.monotonic() - self._idle_since > IDLE:
                await self.player.close()

    async def prepare(self) -> None:
        """After the rules, and before anybody asks: whoever asks first would wait while it is compiled."""
        while self.hall.preparing:
            await asyncio.sleep(1)
        for name in unprepared():
            if await asyncio.to_thread(self.hall.store.is_first):
                work = f"from coyote.table.analyst import prepare; prepare({name!r})"
                with jit.run_elsewhere(work) as child:
                    await asyncio.to_thread(child.wait)

    async def work(self, job: Job) -> None:
        """To its end. Where one of its kind was never made before, much is compiled first."""
        job.state = "working"
        try:
            await self.player.start()
            self.note(job, await self.player.begin(job.record.encode()))
            while job.state == "working":
                self.note(job, await self.player.go_on(STARTING))
            await self.player.end(is_over=True)
        except FAULTS as error:
            await self.fell(error)
            job.state = "failed"
            job.problem = {lang: Words(lang)("room.analysis_failed") for lang in LANGUAGES}

    def note(self, job: Job, told: Json) -> None:
        job.progress = told.get("progress", job.progress)
        if "refused" in told:
            job.state, job.problem = "failed", told["refused"]
        elif told["last"]:
            job.state, job.found = "done", msgspec.json.encode(told["found"])

    async def fell(self, error: Exception) -> None:
        log.error("analysis failed", exc_info=error)
        self.hall.metrics.count("errors", where="analysis")
        await self.player.close()

    async def find_luck(self) -> bool:
        """Of the first rated game that skill waits for; whether there was one. One process does it."""
        store = self.hall.store
        with suppress(StoreError):
            if await asyncio.to_thread(store.is_first):
                room = await asyncio.to_thread(ladder.next_without_luck, store)
                if room is not None:
                    await self.note_luck(room, await asyncio.to_thread(store.record, room))
                    return True
        return False

    async def note_luck(self, room: str, record: str | None) -> None:
        """What fails is tried again; it may also have been deleted, as old games are."""
        try:
            luck = await self.luck(record) if record else None
        except FAULTS as error:
            await self.fell(error)
            self._failed = (room, self._failed[1] + 1 if self._failed[0] == room else 1)
            if self._failed[1] < MOST_TRIES:
                return
            luck = None
        await asyncio.to_thread(ladder.tell_luck, self.hall.store, room, luck)

    async def luck(self, record: str) -> float | None:
        await self.player.start()
        job = msgspec.json.encode({"luck_of": msgspec.Raw(record.encode())})
        told = await self.player.begin(job, STARTING)
        await self.player.end(is_over=True)
        found: float | None = told["luck"]
        return found

    async def close(self) -> None:
        """Whatever is being made is given up; it has not failed."""
        if self._running is not None:
            self._running.cancel()
        with suppress(ProcessLookupError):
            await self.player.close()
