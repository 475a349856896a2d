"""Tournaments, as pages and programs ask for them; and what moves them on when nobody asks."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa
from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from coyote import fairness
from coyote.games.game import Game, Json
from coyote.table import inputs, pairing, tournaments
from coyote.table.bodies import Strict
from coyote.table.games import chosen_deck
from coyote.table.guests import Guests, Person
from coyote.table.hall import Elsewhere, Hall
from coyote.table.identity import Guest
from coyote.table.limits import Denied, Limits, per_minute
from coyote.table.lists import about_of
from coyote.table.pairing import BYE
from coyote.table.room import Room
from coyote.table.store import Row, rooms, rows
from coyote.table.tournaments import MINUTE, Pairing, Tournament
from coyote.text import LANGUAGES, Lang, Refused, Words, titles_of

LOOK = 5.0  # seconds between two looks at what goes on
SERVER = -1  # who closes a room to which somebody did not come
TournamentId = Annotated[str, Path(max_length=40, pattern=r"^[0-9a-f]+$")]


class Event(Strict):
    """`rounds`: 0 is as many as are usual; `grace`: minutes until somebody who is not ready has lost."""

    name: str = Field(min_length=1, max_length=60)
    system: tournaments.System = "round_robin"
    rounds: int = Field(0, ge=0, le=tournaments.MOST_ROUNDS)
    grace: int = Field(5, ge=1, le=2880)
    duplicate: bool = False  # all tables of a round have the same deal


class JoinTournament(Strict):
    """`seals`: of nonces of your own, one for each of the `commitments`, where all tables of a round have the
    same deal."""

    seals: list[Annotated[str, Field(max_length=64)]] = Field(
        default_factory=list, max_length=tournaments.MOST_ROUNDS
    )


class OpenTournament(Strict):
    nonce: str = Field(max_length=64)


class EntrantShown(BaseModel):
    name: str
    out: bool
    points: float
    against: float  # the sum of the points of all whom they have met
    won: int
    games: int
    me: bool


class PairingShown(BaseModel):
    """Players by their place in `players`; `second` is null for a bye."""

    first: int
    second: int | None
    room: str | None
    score: float | None
    void: bool
    why: dict[Lang, str] | None
    phase: str | None  # of the room


class Opening(BaseModel):
    """The deal of a round as it is fixed, before the nonces are told. `seals` and `ready` are by place, table
    by table, seat 0 first; `place` is yours."""

    deal: str
    context: str
    seals: list[str]
    ready: list[bool]
    place: int | None


class TournamentShown(BaseModel):
    """`players` in the order in which they came, `order` as they stand."""

    id: str
    name: str
    phase: tournaments.Phase
    system: tournaments.System
    game: str
    rules: int
    options: dict[str, Any]
    title: dict[Lang, str]
    clock: dict[str, float]
    grace: int
    length: int  # rounds
    host: bool
    mine: int | None
    room: str | None  # where you are to play now
    late_at: int | None  # when whoever is not ready then has lost
    players: list[EntrantShown]
    order: list[int]
    rounds: list[list[PairingShown]]
    duplicate: bool
    commitments: list[str] | None  # of the deals, round by round, where all tables have the same
    opening: Opening | None  # while nonces are told for a deal


class TournamentDesk:
    def __init__(self, hall: Hall, guests: Guests, limits: Limits) -> None:
        self.hall, self.store, self.guests = hall, hall.store, guests
        self.asks = per_minute(limits.tournaments_per_minute)

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/tournaments/{id}")(self.get)
        router.post("/api/tournaments/{id}/join")(self.join)
        router.post("/api/tournaments/{id}/leave")(self.leave)
        router.post("/api/tournaments/{id}/start")(self.start)
        router.post("/api/tournaments/{id}/ready")(self.ready)
        return router

    async def make(self, asked: Event, terms: inputs.Terms, guest: Guest) -> str:
        """A new tournament with its host as the first who plays, unless seals of theirs are needed."""
        if not (terms.clock.minutes or terms.clock.days):
            raise Denied(422, "tournament.clock")
        made = Tournament(asked.name, guest.id, terms, asked.system, asked.rounds, asked.grace)
        if asked.duplicate:  # whoever joins sees the commitments before they seal numbers of their own
            made.secrets = [
                self.hall.token(fairness.SECRET_BYTES).hex() for _ in range(tournaments.MOST_ROUNDS)
            ]
        else:
            tournaments.join(made, guest)
        return await asyncio.to_thread(tournaments.new, self.store, made)

    async def get(self, id: TournamentId, request: Request) -> TournamentShown:
        """How it stands; whoever has the address may know that."""
        self.guests.slow_down(request, self.asks)
        guest = await self.guests.find(request.headers)
        return await self.shown(id, await self.go_on(id), guest)

    async def join(
        self, id: TournamentId, asked: JoinTournament, guest: Person, request: Request
    ) -> TournamentShown:
        """Play in it, before it begins."""
        self.guests.slow_down(request, self.asks)
        found = await self.change(id, lambda one: tournaments.join(one, guest, asked.seals))
        return await self.shown(id, found, guest)

    async def leave(self, id: TournamentId, guest: Person, request: Request) -> TournamentShown:
        """Before it begins; later one is paired no more. A game that goes on is still to be ended."""
        self.guests.slow_down(request, self.asks)
        found = await self.change(id, lambda one: tournaments.leave(one, guest))
        return await self.shown(id, found, guest)

    async def start(self, id: TournamentId, guest: Person, request: Request) -> TournamentShown:
        """The first round; by whoever made it."""
        self.guests.slow_down(request, self.asks)
        game = await self.game_of(id)
        now = self.hall.now()
        await self.change(id, lambda one: tournaments.start(one, guest, now, lambda: self.decks(game)))
        return await self.shown(id, await self.go_on(id), guest)

    async def ready(
        self, id: TournamentId, asked: OpenTournament, guest: Person, request: Request
    ) -> TournamentShown:
        """Your nonce for the deal of this round; with the last one the cards are dealt, everywhere alike."""
        self.guests.slow_down(request, self.asks)
        await self.change(id, lambda one: tournaments.open_nonce(one, guest, asked.nonce))
        return await self.shown(id, await self.go_on(id), guest)

    async def change(self, id: str, what: Any) -> Tournament:
        return await asyncio.to_thread(tournaments.change, self.store, id, what)

    async def game_of(self, id: str) -> Game:
        found = await asyncio.to_thread(tournaments.get, self.store, id)
        await self.hall.load_set(found.terms)
        return await self.hall.game_of(found.terms)

    def decks(self, game: Game) -> inputs.TwoDecks:
        """Drawn for each game anew, where a game has decks."""
        first, second = (chosen_deck(game, None, party, self.hall.dice()) for party in range(2))
        return first, second

    # ------------------------------------------------------------ going on

    async def run(self) -> None:
        """Somebody who waits for an absent one may have closed the page."""
        while True:
            await asyncio.sleep(LOOK)
            with suppress(Refused):
                for id in await asyncio.to_thread(tournaments.going_on, self.store):
                    with suppress(Refused):
                        await self.go_on(id)

    async def go_on(self, id: str) -> Tournament:
        """Take in what has ended, pair the next round, and make its rooms. Whoever does it twice does nothing
        the second time."""
        found = await asyncio.to_thread(tournaments.get, self.store, id)
        while found.phase == "playing":
            game = await self.game_of(id)
            if found.opening:
                if not tournaments.may_deal(found, self.hall.now()):
                    break
                found = await self.change(id, partial(self.deal, game, self.hall.now()))
                continue
            await self.hall.make_tables(tournaments.rooms_of(id, found, game))
            ended = await self.ended(found)
            if not ended:
                break
            found = await self.change(id, partial(self.settle, ended, game, self.hall.now()))
        return found

    def deal(self, game: Game, now: int, found: Tournament) -> None:
        tournaments.deal(found, now, lambda: self.decks(game))

    def settle(self, ended: dict[str, Pairing], game: Game, now: int, found: Tournament) -> None:
        tournaments.settle(found, ended, now, lambda: self.decks(game))

    async def ended(self, found: Tournament) -> dict[str, Pairing]:
        """The games of this round that have come to an end, by room."""
        this = found.rounds[-1]
        waiting = {game.room: game for game in this.games if game.score is None}
        late = self.hall.now() > this.began + found.grace * MINUTE
        told: dict[str, Pairing] = {}
        for row in await self.rows(list(waiting)):
            game = waiting[row["id"]]
            if row["phase"] == "over":
                told[row["id"]] = by_result(game, about_of(row)["result"])
            elif row["phase"] == "seated" and late or row["phase"] in ("closed", "ended"):
                with suppress(Elsewhere):  # whoever has the room looks after it
                    if decided := await self.not_come(game):
                        told[row["id"]] = decided
        return told

    async def rows(self, ids: list[str]) -> list[Row]:
        return await asyncio.to_thread(rows, self.store, sa.select(rooms).where(rooms.c.id.in_(ids)))

    async def not_come(self, game: Pairing) -> Pairing | None:
        """The room is closed, and whoever was ready has won; None where it has begun meanwhile."""
        async with self.hall.visit(game.room) as live:
            if live.room.phase == "seated":
                await self.hall.persist(live, lambda at: inputs.Close(at, SERVER))
            return by_absence(game, live.room) if live.room.phase == "closed" else None

    # ------------------------------------------------------------ showing

    async def shown(self, id: str, found: Tournament, guest: Guest | None) -> TournamentShown:
        mine = found.entrant(guest.id) if guest else None
        now = [game.room for game in found.rounds[-1].games if game.room] if found.rounds else []
        phases = {row["id"]: row["phase"] for row in await self.rows(now)} if now else {}
        own = next(
            (game for game in found.rounds[-1].games if mine in (game.first, game.second)), None
        ) if found.rounds else None  # fmt: skip
        known = found.rounds[:-1] if hides(found) else found.rounds
        table = pairing.standings(range(len(found.entrants)), tournaments.games_of(known))
        by_player = {one.player: one for one in table}
        playing = found.phase == "playing"
        opening = self.opening(id, found, await self.game_of(id), mine) if found.opening else None
        return TournamentShown(
            id=id,
            name=found.name,
            phase=found.phase,
            system=found.system,
            game=found.terms.game,
            rules=found.terms.rules,
            options=found.terms.options,
            title=titles_of(found.terms.game, found.terms.options),
            clock={k: v for k, v in msgspec.structs.asdict(found.terms.clock).items() if v},
            grace=found.grace,
            length=found.length if len(found.entrants) > 1 else 0,
            host=guest is not None and guest.id == found.host,
            mine=mine,
            room=own.room if playing and not opening and own and own.room and own.score is None else None,
            late_at=found.rounds[-1].began + found.grace * MINUTE
            if playing and (opening or not found.duplicate)
            else None,
            players=[
                EntrantShown(
                    name=entrant.name,
                    out=entrant.out,
                    points=by_player[n].points,
                    against=by_player[n].against,
                    won=by_player[n].won,
                    games=by_player[n].games,
                    me=n == mine,
                )
                for n, entrant in enumerate(found.entrants)
            ],
            order=[one.player for one in table],
            rounds=[
                [pairing_shown(game, phases, one not in known) for game in one.games] for one in found.rounds
            ],
            duplicate=found.duplicate,
            commitments=[fairness.commitment(bytes.fromhex(one)) for one in found.secrets] or None,
            opening=opening,
        )

    def opening(self, id: str, found: Tournament, game: Game, mine: int | None) -> Opening:
        there = found.rounds[-1].tables()
        places = [n for one in there for n in (one.first, one.second)]
        deal = tournaments.deal_of(id, found, game)
        return Opening(
            deal=deal.id,
            context=deal.context,
            seals=deal.seals,
            ready=[bool(nonce) for nonce in deal.nonces],
            place=places.index(mine) if mine in places else None,
        )


def hides(found: Tournament) -> bool:
    """Of a deal that is still played nobody learns how it ended elsewhere."""
    return found.duplicate and found.phase == "playing"


def pairing_shown(game: Pairing, phases: dict[str, str], hidden: bool) -> PairingShown:
    return PairingShown(
        first=game.first,
        second=None if game.second == BYE else game.second,
        room=(game.room or None) if game.room in phases or not hidden else None,
        score=None if hidden else game.score,
        void=game.void and not hidden,
        why=None if hidden else why_of(game.why),
        phase=phases.get(game.room),
    )


def why_of(why: str) -> dict[Lang, str] | None:
    key: Literal["tournament.bye", "tournament.absent"] | str
    key = {"bye": "tournament.bye", "absent": "tournament.absent"}.get(why, f"reason.{why}")
    return {lang: Words(lang)(key) for lang in LANGUAGES} if why else None


def by_result(game: Pairing, result: Json) -> Pairing:
    winner = result["winner"]
    score = 0.5 if winner is None else 1.0 if winner == 0 else 0.0
    return Pairing(game.first, game.second, score=score, why=result["reason"])


def by_absence(game: Pairing, room: Room) -> Pairing:
    """Whoever had sealed a number was there."""
    there = [bool(seal) for seal in room.seals]
    if there[0] == there[1]:
        return Pairing(game.first, game.second, score=0.5, void=not there[0], why="absent")
    return Pairing(game.first, game.second, score=1.0 if there[0] else 0.0, why="absent")
