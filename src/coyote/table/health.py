"""How the server is: `/healthz` for whoever watches that it runs, `/metrics` for whoever collects numbers."""

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel

from coyote.table.answers import Denied
from coyote.table.hall import Hall
from coyote.table.metrics import TYPE, may_read

log = logging.getLogger("coyote.table")

EVERY = 0.5  # seconds between two looks
LATE = 1.0  # seconds that the event loop may be late
REMEMBERED = 20  # looks: so long a lateness counts
STUCK = 15.0  # seconds that a room may take for one input


class Health(BaseModel):
    ok: bool
    preparing: bool
    troubles: list[str]  # of: store, loop, rooms
    broken: int  # rooms that could not be opened: known, and nothing that a new start would heal


class Watch:
    """Looks at the hall twice a second."""

    def __init__(self, hall: Hall, sockets: Callable[[], float]) -> None:
        self.hall, self.token = hall, os.environ.get("COYOTE_METRICS_TOKEN", "")
        self.late: deque[float] = deque([0.0], REMEMBERED)
        self.stuck: set[str] = set()
        for name, read in {
            "sockets": sockets,
            "rooms": lambda: len(hall.rooms),
            "rooms_stuck": lambda: len(self.stuck),
            "rooms_broken": lambda: len(hall.broken),
            "bots_waiting": lambda: hall.thinkers.waiting,
        }.items():
            hall.metrics.gauge(name, read)

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/healthz", response_model=Health, responses={503: {"model": Health}})(self.health)
        router.get("/metrics", include_in_schema=False)(self.metrics)
        return router

    async def run(self) -> None:
        while True:
            due = time.monotonic() + EVERY
            await asyncio.sleep(EVERY)
            now = time.monotonic()
            self.late.append(now - due)
            self.hall.metrics.time("loop_lag_seconds", max(0.0, now - due))
            self.look(now)

    def look(self, now: float) -> None:
        """Which rooms are at one input for too long."""
        stuck = {
            id
            for id, live in self.hall.rooms.items()
            if live.busy_since is not None and now - live.busy_since > STUCK
        }
        for id in stuck - self.stuck:
            log.error("room stuck", extra={"room": id, "input": self.hall.rooms[id].room.number})
        self.stuck = stuck

    def troubles(self) -> list[str]:
        found = {
            "store": self.hall.failing_since is not None,
            "loop": max(self.late) > LATE,
            "rooms": bool(self.stuck),
        }
        return [name for name, bad in found.items() if bad]

    async def health(self) -> Any:
        """Whether all is well; what is not, where it is not."""
        troubles = self.troubles()
        body = Health(
            ok=not troubles,
            preparing=self.hall.preparing,
            troubles=troubles,
            broken=len(self.hall.broken),
        )
        return JSONResponse(body.model_dump(), 503 if troubles else 200)

    async def metrics(self, request: Request) -> Response:
        """For those who have the token; to others there is nothing here."""
        if not may_read(request.headers.get("authorization", ""), self.token):
            raise Denied(404, "room.none")
        return PlainTextResponse(self.hall.metrics.text(), media_type=TYPE)
