"""What pages ask of ratings: the ladder, one player's curves, what a game has changed (docs/ratings.md)."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel

from coyote.games.game import Game, Json, Refusal
from coyote.games.registry import GAMES
from coyote.table import inputs, ladder
from coyote.table.boards import hidden
from coyote.table.glicko import Strength
from coyote.table.guests import Guests, Known
from coyote.table.hall import Hall
from coyote.table.identity import Guest
from coyote.table.ladder import BOT, ClockClass, Counts, Pool
from coyote.table.limits import Denied, Limits, per_minute
from coyote.table.parts import PARTS, set_shown
from coyote.table.store import Row

RoomId = Annotated[str, Path(max_length=40, pattern=r"^[0-9a-zA-Z_-]+$")]
PlayerId = Annotated[str, Path(max_length=20, pattern=r"^[0-9a-f]+$")]
Word = Annotated[str, Query(max_length=40)]


class PoolShown(BaseModel):
    """Those who are compared with each other: one game and edition, clocks of one class."""

    game: str
    edition: str
    clock: ClockClass
    players: int


class Rated(BaseModel):
    """`provisional`: it may still be far off, by about `deviation`."""

    rating: int
    deviation: int
    provisional: bool
    games: int


class WithSkill(Rated):
    """`skill`: the same from results less their luck; null while that is not known of any game."""

    skill: Rated | None


class OnLadder(WithSkill):
    player: str  # names the page `/ladder/…`
    name: str
    me: bool


class BotRated(WithSkill):
    bot: str


class Ladder(BaseModel):
    pool: PoolShown
    edge: float  # what the first seat is worth, in points
    players: list[OnLadder]  # those whose rating is sure first
    bots: list[BotRated]


class Point(BaseModel):
    at: int
    rating: int
    deviation: int
    room: str


class Curve(WithSkill):
    pool: PoolShown
    points: list[Point]  # the last ones, the oldest first


class PlayerShown(BaseModel):
    name: str
    player: str
    me: bool
    listed: bool
    curves: list[Curve]


class Change(BaseModel):
    """Of one party; `after` is null until the game has counted."""

    before: int
    after: int
    deviation: int
    provisional: bool


class GameRated(BaseModel):
    """`counts`: null while nobody has counted it yet; `many`: too many of the same two in a day; `abort`: as
    lost by whoever called off too many; `no`: called off. `changes` are by seat."""

    counts: Counts | None
    changes: list[Change | None]
    most: int  # games of the same two in a day that count


class Ratings:
    def __init__(self, hall: Hall, guests: Guests, limits: Limits) -> None:
        self.hall, self.store, self.guests = hall, hall.store, guests
        self.looks = per_minute(limits.ladders_per_minute)

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/ladder/pools")(self.pools)
        router.get("/api/ladder")(self.ladder)
        router.get("/api/players/{player}")(self.player)
        router.get("/api/me/ratings")(self.mine)
        router.get("/api/rooms/{room}/rating")(self.game)
        return router

    async def pools(self, request: Request) -> list[PoolShown]:
        """What somebody has a rating in."""
        self.guests.slow_down(request, self.looks)
        found = await asyncio.to_thread(ladder.pools, self.store)
        return [PoolShown(**row) for row in found if row["game"] in GAMES]

    async def ladder(
        self, request: Request, game: Word, edition: Word = "", clock: ClockClass = "slow"
    ) -> Ladder:
        """Guests who have chosen a name, and beside them the levels of the computer."""
        self.guests.slow_down(request, self.looks)
        if game not in GAMES:
            raise Denied(404, "room.none")
        pool = Pool(game, edition, clock)
        guest = await self.guests.find(request.headers)
        found = await asyncio.to_thread(ladder.listed, self.store, pool)
        levels = await asyncio.to_thread(ladder.bots, self.store, pool)
        able = await asyncio.to_thread(ladder.skills_in, self.store, pool)
        now = self.hall.now()
        players = [
            OnLadder(
                player=row["shown"],
                name=row["name"],
                me=guest is not None and guest.id == row["who"],
                **rated(row, now),
                skill=skill(able.get(row["who"]), now),
            )
            for row in found
        ]
        players.sort(key=lambda one: one.provisional)
        return Ladder(
            pool=PoolShown(**pool._asdict(), players=len(players)),
            edge=PARTS[game].edges.get(edition, 0.0),
            players=players,
            bots=[
                BotRated(
                    bot=row["who"].removeprefix(BOT),
                    **rated(row, now),
                    skill=skill(able.get(row["who"]), now),
                )
                for row in levels
            ],
        )

    async def player(self, player: PlayerId, request: Request) -> PlayerShown:
        """Somebody on the ladder; oneself always."""
        self.guests.slow_down(request, self.looks)
        guest = await self.guests.find(request.headers)
        row = await asyncio.to_thread(ladder.player, self.store, player)
        if row is None or not (row["named"] or (guest and guest.id == row["id"])):
            raise Denied(404, "room.no_player")
        return await self.shown(row["id"], row["name"], bool(row["named"]), guest)

    async def mine(self, guest: Known, request: Request) -> PlayerShown:
        self.guests.slow_down(request, self.looks)
        row = await asyncio.to_thread(self.store.guest, guest.id)
        return await self.shown(guest.id, guest.name, bool(row and row["named"]), guest)

    async def shown(self, who: str, name: str, listed: bool, guest: Guest | None) -> PlayerShown:
        def look() -> list[tuple[Row, list[Row]]]:
            found = ladder.ratings_of(self.store, who)
            return [(row, ladder.curve(self.store, who, pool_of_row(row))) for row in found]

        now = self.hall.now()
        able = await asyncio.to_thread(ladder.skills_of, self.store, who)
        curves = [
            Curve(
                pool=PoolShown(**pool_of_row(row)._asdict(), players=1),
                points=[point(step) for step in steps],
                **rated(row, now),
                skill=skill(able.get(pool_of_row(row)), now),
            )
            for row, steps in await asyncio.to_thread(look)
            if row["game"] in GAMES
        ]
        me = guest is not None and guest.id == who
        return PlayerShown(name=name, player=ladder.shown_as(who), me=me, listed=listed, curves=curves)

    async def game(self, room: RoomId, request: Request) -> GameRated:
        """What a finished rated game has made of both ratings."""
        self.guests.slow_down(request, self.looks)
        row, steps = await asyncio.to_thread(ladder.game_of, self.store, room)
        if row is None:
            raise Denied(404, "room.not_rated")
        if await asyncio.to_thread(hidden, self.store, room):
            raise Denied(409, "board.hidden")
        if row["number"] is None:
            await self.hall.rate()
            row, steps = await asyncio.to_thread(ladder.game_of, self.store, room)
        assert row is not None
        by_player = {step["who"]: change(step) for step in steps}
        return GameRated(
            counts=row["counts"],
            changes=[by_player.get(row[seat]) for seat in ("first", "second")],
            most=ladder.MOST_A_DAY,
        )


def pool_of_row(row: Row) -> Pool:
    return Pool(row["game"], row["edition"], row["clock"])


def rated(row: Row, now: int) -> Json:
    found = ladder.strength_of(row).at_time(now)
    return {**shown_strength(found), "games": row["games"]}


def skill(row: Row | None, now: int) -> Rated | None:
    return Rated(**rated(row, now)) if row else None


def shown_strength(found: Strength) -> Json:
    return {
        "rating": round(found.rating),
        "deviation": round(found.deviation),
        "provisional": found.provisional,
    }


def point(step: Row) -> Point:
    return Point(
        at=step["at"], rating=round(step["rating"]), deviation=round(step["deviation"]), room=step["room"]
    )


def change(step: Row) -> Change:
    after = Strength(step["rating"], step["deviation"])
    found = shown_strength(after)
    return Change(before=round(step["before"]), after=found.pop("rating"), **found)


# ---------------------------------------------------------------- what may be rated


def why_casual(terms: inputs.Terms, game: Game, bot: str, guest: Guest) -> Refusal | None:
    """Why a game cannot be rated: only what is the same for all is compared."""
    cards = set_shown(game)
    reasons: dict[str, bool] = {
        "room.rated_token": bool(guest.owner),
        "room.rated_self": terms.opponent == "self",
        "room.rated_house": bool(set(game.options) - {"edition"}),
        "room.rated_set": cards is not None and not cards["core"],
        "room.rated_clock": terms.opponent != "bot" and ladder.clock_class(terms.clock) == "free",
        "room.rated_bot": terms.opponent == "bot" and not bot.startswith("level:"),
    }
    return next((Refusal(code) for code, wrong in reasons.items() if wrong), None)
