"""The server: a small JSON API, described at `/openapi.json`, and a socket for each room."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, FastAPI, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from coyote import __version__
from coyote.bots.names import AT_TABLE
from coyote.fairness import commitment
from coyote.games.game import Game, Json, Refusal
from coyote.games.registry import GAMES
from coyote.kernel.seats import SPECTATOR
from coyote.table import catalog, inputs, lessons, library, pages, puzzles, replays, rulebook, tries, wire
from coyote.table.address import Whereabouts
from coyote.table.analyses import Analyses
from coyote.table.answers import PROBLEMS, Denied, failed, refused
from coyote.table.boards import board_of, hidden
from coyote.table.bodies import Few, Strict, Word
from coyote.table.duplicate import Boards, NewBoard
from coyote.table.games import chosen_deck, kind_of
from coyote.table.gate import Gate, language
from coyote.table.guests import Guests, Known, Person, person_name
from coyote.table.hall import Elsewhere, Hall, Live, rated_as
from coyote.table.health import Watch
from coyote.table.identity import LONGEST_NAME, Guest
from coyote.table.judging import Judging
from coyote.table.ladder import Pool, called, pool_of, strengths
from coyote.table.limits import Limits, Sockets, client_key, per_minute
from coyote.table.lists import Lists
from coyote.table.logs import note_socket
from coyote.table.par import Pars
from coyote.table.parts import PARTS
from coyote.table.passing import TRIES, Gone, Lines, PassesOn, pass_socket, socket_request
from coyote.table.ratings import Ratings, why_casual
from coyote.table.retention import keep_pruned
from coyote.table.room import Room
from coyote.table.set_reader import SetReader
from coyote.table.socket_protocol import RoomSocket
from coyote.table.sockets import Client, parties_of, presence, present_in
from coyote.table.store import Store
from coyote.table.thinking import check_opponent
from coyote.table.tournament_desk import Event, TournamentDesk
from coyote.table.variants import Variants
from coyote.table.weighing import Weighings
from coyote.table.workshop import Workshop, plain_text
from coyote.text import Lang, Refused
from coyote.text.harmless import visible

RECORD = "application/x-ndjson"
USUAL_RECORD = 5000  # letters
MOST_NUMBERS = 10_000  # guests whose rooms have been counted


# ---------------------------------------------------------------- what is asked and answered


class Clock(Strict):
    """Minutes for the game and seconds more for each turn; or days for each turn; or nothing at all."""

    minutes: float = Field(0, ge=0, le=600, allow_inf_nan=False)
    increment: float = Field(0, ge=0, le=600, allow_inf_nan=False)
    days: float = Field(0, ge=0, le=30, allow_inf_nan=False)


class SetChoice(Strict):
    """A set of the workshop: a version by its number, or by its digest alone. Without a number it is the
    newest one; of a set of one's own, the draft, which becomes a version thereby."""

    id: str | None = Field(None, max_length=40)
    version: int | None = Field(None, ge=1, le=10**6)
    digest: str | None = Field(None, pattern=r"^[0-9a-f]{32}$")


class NewRoom(Strict):
    game: str = Field(max_length=40, json_schema_extra={"enum": list(GAMES)})
    options: Annotated[dict[Word, Word | bool | int], Few] = Field(default_factory=dict, max_length=40)
    deck: str | None = Field(None, max_length=400)
    their_deck: str | None = Field(None, max_length=400)
    set: str | SetChoice | None = (
        None  # a text (how long it may be is the reader's to say), or one that is kept
    )
    opponent: inputs.Opponent = "link"
    bot: str = Field("level:3", max_length=40, json_schema_extra={"enum": list(AT_TABLE)})
    other_name: str = Field("", max_length=LONGEST_NAME)
    clock: Clock = Field(default_factory=lambda: Clock.model_validate({}))
    begins: inputs.Begins = "lot"
    rated: bool = False


class NewBoardRoom(NewRoom, NewBoard):
    """A deal for two tables: what is played, and which of the places a1, b1, b2, a2 the computer has."""


class NewTournament(NewRoom, Event):
    """What is played, by which clock, and how the players are paired."""


class TournamentMade(BaseModel):
    tournament: str


class BoardMade(BaseModel):
    board: str
    commitment: str


class JoinRoom(Strict):
    invite: str = Field("", max_length=80)
    deck: str | None = Field(None, max_length=400)


class Made(BaseModel):
    room: str
    invite: str | None
    commitment: str
    socket: str


class Left(BaseModel):
    phase: str


class Hint(BaseModel):
    move: str
    chance: float | None
    text: str


RoomId = Annotated[str, Path(max_length=40, pattern=r"^[0-9a-zA-Z_-]+$")]


# ---------------------------------------------------------------- the application


def make_app(
    hall: Hall,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
    names: Iterable[str] = (),
    proxies: Iterable[str] = (),
    host: str = "127.0.0.1",
) -> Gate:
    """The application behind its gate; `names` are what it goes by, `host` is where it listens."""
    desk, whereabouts = Desk(hall, limits), Whereabouts(host)
    watch = Watch(hall, desk.sockets.of_address.total)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        await desk.guests.open()
        gate.word.derive(desk.guests.key)
        await hall.open()
        for work in (watch.run(), desk.guests.look_after(), keep_pruned(hall)):
            hall.spawn(work)
        for jobs in (desk.weighings, desk.analyses, desk.tournaments):
            hall.spawn(jobs.run())
        yield {"desk": desk}
        desk.replaying.shutdown(wait=False, cancel_futures=True)
        await desk.reader.close()
        await desk.weighings.close()
        await desk.analyses.close()
        await hall.close()

    app = FastAPI(
        title="Coyote", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        responses=PROBLEMS,
    )  # fmt: skip
    app.state.guests, app.state.card_sets = desk.guests, desk.workshop.card_sets
    for router in (
        desk.guests.routes(),
        desk.routes(),
        desk.workshop.routes(),
        desk.weighings.routes(),
        desk.analyses.routes(),
        Variants(hall, desk.guests, limits).routes(),
        Lists(hall).routes(),
        Ratings(hall, desk.guests, limits).routes(),
        Judging(desk.guests, limits).routes(),
        desk.boards.routes(),
        desk.tournaments.routes(),
        Pars(hall, desk.guests, limits).routes(),
        whereabouts.routes(),
        watch.routes(),
        *(part.router for part in (catalog, library, lessons, puzzles, rulebook, pages)),
    ):
        app.include_router(router)
    for kind in (Refused, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, refused)
    app.add_exception_handler(Exception, failed)
    gate = desk.gate = whereabouts.gate = Gate(app, limits, names, proxies, hall.metrics)
    if hall.store.shared:
        gate.app = PassesOn(app, gate.word, desk.lines)
    return gate


class Desk:
    """Whoever answers requests."""

    def __init__(self, hall: Hall, limits: Limits) -> None:
        self.hall, self.limits = hall, limits
        self.guests = Guests(hall, limits)
        self.guests.newcomers = lambda id: self.note_number(id, 0, 0)
        self.sockets = Sockets(limits)
        self.tellings = per_minute(limits.tellings_per_minute)
        self.gate: Gate | None = None
        self.lines = Lines(limits.sockets, hall.store)
        self.numbers: dict[str, tuple[int, int]] = {}  # by guest: unfinished rooms, those on the list
        self.reader = SetReader(limits)
        self.workshop = Workshop(hall, self.guests, limits, self.reader)
        self.weighings = Weighings(hall, self.workshop.card_sets)
        self.analyses = Analyses(hall, self.guests, limits)
        self.boards = Boards(hall, self.guests, limits)
        self.tournaments = TournamentDesk(hall, self.guests, limits)
        self.replaying = ThreadPoolExecutor(1, "replay")  # one at a time: they are long, and can wait

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.post("/api/rooms", status_code=201)(self.make_room)
        router.post("/api/boards", status_code=201)(self.make_board)
        router.post("/api/tournaments", status_code=201)(self.make_tournament)
        router.post("/api/rooms/{room}/join")(self.join)
        router.post("/api/rooms/{room}/leave")(self.end_game)
        router.get("/api/rooms/{room}/replay", response_model=dict[str, Any])(self.replay)
        router.post("/api/rooms/{room}/try", response_model=dict[str, Any])(self.try_on)
        router.get("/api/rooms/{room}", response_model=dict[str, Any])(self.look)
        router.get("/api/rooms/{room}/cards", response_model=library.SetShown)(self.cards)
        router.post("/api/rooms/{room}/hint")(self.hint)
        router.get("/api/rooms/{room}/record", responses={200: {"content": {RECORD: {}}}})(self.record)
        return router

    # ------------------------------------------------------------ rooms

    async def make_room(self, wanted: NewRoom, guest: Known, request: Request) -> Made:
        self.guests.slow_down(request)
        await self.check_number(guest, wanted.opponent == "open")
        other = self.opponent(wanted, guest)
        terms = await self.settle_terms(wanted, guest)
        game = await self.hall.game_of(terms)
        if terms.rated and (refusal := why_casual(terms, game, other.bot if other else "", guest)):
            raise Denied(422, refusal)
        decks = self.settle_decks(wanted, game)
        host = inputs.Player(guest.id, guest.name)
        if terms.rated:
            host, *others = await self.rate(pool_of(game, terms), *(one for one in (host, other) if one))
            other = others[0] if others else None
        live = await self.hall.make(terms, host, other, decks)
        return made(live, live.room.made.invite)

    async def make_board(self, wanted: NewBoardRoom, guest: Person, request: Request) -> BoardMade:
        """One deal at two tables, between two teams; you have the first place of team A."""
        self.guests.slow_down(request)
        await self.check_number(guest)
        check_opponent(wanted.bot)
        settled = wanted.model_copy(update={"opponent": "self", "begins": "host", "rated": False})
        terms = await self.settle_terms(settled, guest)
        game = await self.hall.game_of(terms)
        terms = msgspec.structs.replace(terms, options=game.options)
        decks = self.settle_decks(settled, game)
        id = await self.boards.make(terms, decks, wanted.bot, wanted.bots, guest)
        found = await asyncio.to_thread(board_of, self.hall.store, id)
        return BoardMade(board=id, commitment=commitment(bytes.fromhex(found.secret)))

    async def make_tournament(self, wanted: NewTournament, guest: Person, request: Request) -> TournamentMade:
        """For a group of friends; whoever has its address may join until you start it."""
        self.guests.slow_down(request)
        settled = wanted.model_copy(update={"opponent": "link", "begins": "host"})
        terms = await self.settle_terms(settled, guest)
        game = await self.hall.game_of(terms)
        if terms.rated and (refusal := why_casual(terms, game, "", guest)):
            raise Denied(422, refusal)
        terms = msgspec.structs.replace(terms, options=game.options)
        name = plain_text(wanted.name).replace("\n", " ")
        if not visible(name):
            raise Denied(422, "tournament.name")
        event = wanted.model_copy(update={"name": name})
        return TournamentMade(tournament=await self.tournaments.make(event, terms, guest))

    async def keep_hidden(self, room: str) -> None:
        """Denied while another table plays the same deal."""
        if await asyncio.to_thread(hidden, self.hall.store, room):
            raise Denied(409, "board.hidden")

    def opponent(self, wanted: NewRoom, guest: Guest) -> inputs.Player | None:
        """Who is there from the start."""
        if wanted.opponent == "bot":
            check_opponent(wanted.bot)
            return inputs.Player("", wanted.bot, wanted.bot)
        if wanted.opponent == "self":
            return inputs.Player(
                guest.id, person_name(wanted.other_name) if wanted.other_name else guest.name
            )
        return None

    async def check_number(self, guest: Guest, listed: bool = False) -> None:
        """Counted on from what was found last: that is never too few. The store is asked where it would
        be too many, and where other processes make rooms, too."""
        limits = self.limits
        total, waiting = self.numbers.pop(guest.id, (limits.rooms_per_guest, 0))
        full = total >= limits.rooms_per_guest
        if self.hall.store.shared or full or listed and waiting >= limits.open_rooms_per_guest:
            total, waiting = await asyncio.to_thread(self.hall.store.unfinished, guest.id)
        self.note_number(guest.id, total + 1, waiting + listed)
        if total >= limits.rooms_per_guest:
            raise Denied(429, "room.too_many_rooms", most=limits.rooms_per_guest)
        if listed and waiting >= limits.open_rooms_per_guest:
            raise Denied(429, "room.too_many_open", most=limits.open_rooms_per_guest)

    def note_number(self, id: str, total: int, waiting: int) -> None:
        self.numbers[id] = total, waiting
        if len(self.numbers) > MOST_NUMBERS:
            self.numbers.pop(next(iter(self.numbers)))

    async def settle_terms(self, wanted: NewRoom, guest: Guest) -> inputs.Terms:
        """The game, its options and its cards. All are tried here, so that a room can always be dealt."""
        kind = kind_of(wanted.game)
        part = PARTS[kind.name]
        if isinstance(wanted.set, SetChoice):
            digest, written = await self.kept_set(wanted.set, guest, part.own_sets)
        elif wanted.set is not None and part.own_sets:
            digest, written = await self.reader.read(wanted.set, guest.id)
        else:
            digest, written = part.read_set(wanted.set)
        if digest:
            self.hall.games.add_set(digest, written)
        clock = inputs.ClockTerms(wanted.clock.minutes, wanted.clock.increment, wanted.clock.days)
        return inputs.Terms(
            kind.name, dict(wanted.options), digest, clock, wanted.begins, wanted.opponent, kind.RULES[-1],
            wanted.rated,
        )  # fmt: skip

    async def rate(self, pool: Pool, *players: inputs.Player) -> list[inputs.Player]:
        """Players with their ratings, as they sit down."""
        who = [called(player) for player in players]
        found = await asyncio.to_thread(strengths, self.hall.store, pool, who, self.hall.now())
        return [rated_as(player, found[called(player)]) for player in players]

    async def kept_set(self, chosen: SetChoice, guest: Guest, own_sets: bool) -> tuple[str, Json]:
        """A set of the workshop, as rooms keep it; Denied."""
        if not own_sets:
            raise Denied(422, "room.no_set")
        if (chosen.id is None) == (chosen.digest is None):
            raise Denied(422, "workshop.which_set")
        digest = chosen.digest or await self.workshop.version(str(chosen.id), chosen.version, guest)
        return digest, await asyncio.to_thread(self.workshop.card_sets.written, digest)

    def settle_decks(self, wanted: NewRoom, game: Game) -> inputs.TwoDecks:
        alone = wanted.opponent in ("bot", "self")
        if wanted.their_deck and not alone:
            raise Denied(422, "room.their_deck")
        mine, theirs = (
            chosen_deck(game, text, party, self.hall.dice())
            for party, text in enumerate((wanted.deck, wanted.their_deck))
        )
        return mine, theirs if alone else None

    async def join(self, room: RoomId, wanted: JoinRoom, guest: Known) -> Made:
        async with self.hall.visit(room) as live:
            if is_seated(live, guest):
                return made(live)
            player = inputs.Player(guest.id, guest.name)
            if live.room.terms.rated:
                if guest.owner:
                    raise Denied(409, "room.rated_token")
                (player,) = await self.rate(pool_of(live.room.game, live.room.terms), player)
            self.let_in(live.room.refuses(inputs.Join(live.room.at, player, None, wanted.invite)))
            await self.check_number(guest)
            deck = chosen_deck(live.room.game, wanted.deck, 1, self.hall.dice())
            refusal = await self.hall.submit(live, lambda at: inputs.Join(at, player, deck, wanted.invite))
            if not is_seated(live, guest):  # by this request, or by an earlier one whose answer was lost
                self.let_in(refusal)
            return made(live)

    async def end_game(self, room: RoomId, guest: Known) -> Left:
        """End a game of yours in the way that costs least: close the room, call the game off, or resign."""
        async with self.hall.visit(room) as live:
            if not (parties := parties_of(live, guest.id)):
                raise Denied(403, "room.not_yours")
            self.let_in(await self.hall.submit(live, lambda at: leaving(live.room)(at, parties[0])))
            return Left(phase=live.room.phase)

    def let_in(self, refusal: Refusal | None) -> None:
        if refusal:
            if refusal.code in ("room.not_kept", "room.moved"):
                raise Denied(503, refusal, retry_after=1)
            raise Denied(403 if refusal.code == "room.invite" else 409, refusal)

    async def look(self, room: RoomId, request: Request) -> Response:
        """What a bystander may know: `welcome` and `update`, as the socket has them."""
        live = await self.hall.enter(room)
        if live.room.made.board:
            await self.keep_hidden(room)
        self.guests.slow_down(request, self.tellings, wire.length(live.room, [SPECTATOR]))
        shown = {
            "welcome": wire.welcome(live.room, []),
            "update": wire.update(live.room, SPECTATOR, 0, self.hall.time_of(live)),
            "presence": presence(self.hall, live, present_in(self.hall, live)),
        }
        return Response(msgspec.json.encode(shown), media_type="application/json")

    async def hint(self, room: RoomId, guest: Known, request: Request) -> Hint:
        """What a search would do in your place, and why. Against bots only."""
        self.guests.slow_down(request)
        async with self.hall.visit(room) as live:
            parties = parties_of(live, guest.id)
            found = await self.hall.hint(live, parties[0], language(request.headers)) if parties else None
            if found is None:
                raise Denied(409, "room.no_hint")
            return Hint(**found)

    async def record(self, room: RoomId) -> Response:
        """The finished game on one line."""
        record = await self.hall.record(room)
        name = f"{json.loads(record)['game']}-{room}.record.jsonl"
        return Response(
            record,
            media_type=RECORD,
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def replay(
        self, room: RoomId, request: Request, viewer: replays.Viewer = "open", lang: Lang = "en"
    ) -> Response:
        """The finished game step by step: views, events and sentences for one viewer. A long one counts for
        several."""
        record = await self.hall.record(room)
        assert self.gate is not None
        self.guests.slow_down(request, self.gate.dear["replays"], len(record) / USUAL_RECORD)
        loop = asyncio.get_running_loop()
        body = await loop.run_in_executor(self.replaying, replays.replay_text, record, viewer, lang)
        return Response(body, media_type="application/json")

    async def try_on(self, room: RoomId, asked: tries.Try, request: Request, lang: Lang = "en") -> Response:
        """A finished game gone on with otherwise, from any move of it, against a bot. Nothing is kept."""
        record = await self.hall.record(room)
        assert self.gate is not None
        self.guests.slow_down(request, self.gate.dear["replays"], len(record) / USUAL_RECORD)
        loop = asyncio.get_running_loop()
        body = await loop.run_in_executor(self.replaying, tries.try_text, record, asked, lang)
        return Response(body, media_type="application/json")

    async def cards(self, room: RoomId) -> Response:
        """The cards that the room is played with."""
        async with self.hall.visit(room) as live:
            body = await asyncio.to_thread(library.cards_json, live.room.game)
        return Response(body, media_type="application/json")

    # ------------------------------------------------------------ sockets

    def refuses_socket(self, client: Any, headers: Headers, path: str) -> tuple[int, Refusal] | None:
        assert self.gate is not None
        return self.gate.refuses_upgrade(client, headers, path.partition("?")[0])

    async def seat(self, line: RoomSocket, room: str, headers: Headers) -> Client | None:
        """Whoever opened a socket has come in, as a player or a bystander; None where another process has
        the room, and the socket was passed on to it. Gone where that is not reached, Elsewhere where one
        that was passed on to us would have to be passed on again; Refused."""
        assert self.gate is not None
        path = f"/api/rooms/{room}/socket"
        guest = await self.guests.find(headers)
        who = guest.id if guest else ""
        caller = self.gate.caller(line.transport.get_extra_info("peername"), headers, path=path)
        if refusal := self.sockets.refuses(who, caller.address):
            raise Refused(refusal)
        self.sockets.add(who, caller.address)
        line.counted = who, caller.address
        note_socket(room, who, caller.address)
        passed = self.gate.word.take(path, headers)
        for _ in range(TRIES):
            try:
                live = await self.hall.enter(room)
            except Elsewhere as error:
                if passed:
                    raise
                request = socket_request(line.request, self.gate.word.give(room, caller))
                with suppress(Gone):
                    await pass_socket(
                        self.lines, line.transport, line.connection_lost, room, error.address, request
                    )
                    return None
            else:
                parties = parties_of(live, who) if who else []
                if live.room.made.board and not parties:
                    await self.keep_hidden(room)
                live.users += 1
                line.live = live
                tells = partial(self.tellings.take, client_key(caller.address))
                return Client(line, self.hall, live, parties, self.limits, tells)
        raise Gone

    def leave(self, line: RoomSocket) -> None:
        if line.counted:
            self.sockets.remove(*line.counted)
        if line.live:
            self.hall.let_go(line.live)


def is_seated(live: Live, guest: Guest) -> bool:
    return guest.id in [player.guest for player in live.room.players]


def made(live: Live, invite: str = "") -> Made:
    room = live.room
    return Made(
        room=room.id,
        invite=invite or None,
        commitment=room.commitment,
        socket=f"/api/rooms/{room.id}/socket",
    )


def leaving(room: Room) -> type[inputs.Close | inputs.Abort | inputs.Resign]:
    if room.phase in ("waiting", "seated"):
        return inputs.Close
    return inputs.Abort if room.may_abort else inputs.Resign


def open_hall(
    url: str,
    bot_threads: int,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
    name: str = "",
) -> Hall:
    return Hall(Store(url, name), bot_threads, limits=limits)
