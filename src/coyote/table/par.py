"""The par of a deal: what a strong bot makes of either seat, in a hundred replays of the same cards.

Whoever asks first has it played, by the threads where bots think, which nobody else waits for longer than for
any other guest's bot; all who ask meanwhile see how far it is. What was found is kept.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Annotated

import msgspec
import sqlalchemy as sa
from fastapi import APIRouter, Path, Request
from msgspec import Struct
from pydantic import BaseModel

from coyote.games.game import Json
from coyote.match import Match
from coyote.records import open_record, parse_record
from coyote.table.guests import Guests
from coyote.table.hall import Hall
from coyote.table.limits import Limits, per_minute
from coyote.table.parts import margin_of
from coyote.table.store import Store, StoreError, changing, pars, rows
from coyote.text import Refused

log = logging.getLogger("coyote.table")

BOT = "level:6"
GAMES = 100
AT_ONCE = 3  # deals of this process that are played; others wait until they are asked for again
WHO = "par"  # whose thinking time it is
RoomId = Annotated[str, Path(max_length=40, pattern=r"^[0-9a-zA-Z_-]+$")]


class Par(Struct):
    """Sums of seat 0: points (1, ½, 0) and by how much it was ahead at the end."""

    games: int = 0
    points: float = 0.0
    margin: int = 0


class ParShown(BaseModel):
    """`first` is the share of the points that seat 0 takes, in percent, `margin` by how much it is ahead on
    average; null before the first game is played."""

    games: int
    of: int
    bot: str
    first: float | None
    margin: float | None


class Pars:
    def __init__(self, hall: Hall, guests: Guests, limits: Limits) -> None:
        self.hall, self.store, self.guests = hall, hall.store, guests
        self.asks = per_minute(limits.pars_per_minute)
        self.playing: dict[str, Par] = {}

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/rooms/{room}/par")(self.par)
        return router

    async def par(self, room: RoomId, request: Request) -> ParShown:
        """What the deal of a finished game is worth; asked again, how far it is."""
        self.guests.slow_down(request, self.asks)
        kept = await asyncio.to_thread(rows, self.store, sa.select(pars).where(pars.c.room == room))
        if kept:
            return shown(msgspec.json.decode(kept[0]["body"], type=Par))
        if room not in self.playing and len(self.playing) < AT_ONCE:
            record = parse_record(await self.hall.record(room), 1)
            self.playing[room] = Par()
            self.hall.spawn(self.play(room, record))
        return shown(self.playing.get(room, Par()))

    async def play(self, room: str, record: Json) -> None:
        """All replays, and keep what came of them."""
        try:
            start = await asyncio.to_thread(open_record, record)
            while self.playing[room].games < GAMES:
                await self.play_one(room, start, record)
            body = msgspec.json.encode(self.playing[room]).decode()
            await asyncio.to_thread(keep, self.store, room, body)
        except (Refused, StoreError) as error:
            log.warning("no par", extra={"room": room, "why": str(error)})
        finally:
            self.playing.pop(room, None)

    async def play_one(self, room: str, start: Match, record: Json) -> None:
        found = self.playing[room]
        match = Match(start.game, start.setup, seed=record["seed"])
        while not match.over:
            for seat in match.actors:
                dice = f"par {room} {found.games} {seat}"
                think = self.hall.thinkers.think(BOT, dice, match.game, match.question(seat), WHO)
                match.play(await think, seat)
        result = match.result
        assert result is not None
        found.points += 0.5 if result.winner is None else float(result.winner == 0)
        found.margin += margin_of(result.score)
        found.games += 1


def keep(store: Store, room: str, body: str) -> None:
    """Another process may have been quicker, with the same numbers."""
    with suppress(StoreError), changing(store) as connection:
        if not connection.execute(sa.select(pars.c.room).where(pars.c.room == room)).first():
            connection.execute(sa.insert(pars), {"room": room, "body": body})


def shown(par: Par) -> ParShown:
    n = par.games
    return ParShown(
        games=n,
        of=GAMES,
        bot=BOT,
        first=round(100 * par.points / n, 1) if n else None,
        margin=round(par.margin / n, 2) if n else None,
    )
