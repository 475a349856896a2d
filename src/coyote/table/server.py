"""The server: a small JSON API, described at `/openapi.json`, and a socket for each room."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, FastAPI, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from coyote import __version__
from coyote.bots.names import AT_TABLE
from coyote.games.game import Game, Json, Refusal
from coyote.games.registry import GAMES
from coyote.kernel.seats import SPECTATOR
from coyote.records import record_line
from coyote.table import catalog, inputs, lessons, library, pages, replays, rulebook, wire
from coyote.table.games import chosen_deck, kind_of
from coyote.table.gate import Gate, error_body, language
from coyote.table.hall import Hall, Live, NoRoom
from coyote.table.identity import LONGEST_NAME, Guest, clean_name, new_id, sign, unsign
from coyote.table.limits import Buckets, Limits, Sockets
from coyote.table.parts import PARTS
from coyote.table.sockets import Client, parties_of, refuse_socket
from coyote.table.store import Store, StoreError, Write
from coyote.table.thinking import check_opponent
from coyote.text import Lang, Refused, Words, titles_of

COOKIE = "coyote_guest"
RECORD = "application/x-ndjson"
YEAR = 365 * 24 * 3600
MOST_KNOWN = 10_000
STATUS: dict[type[Refused], int] = {NoRoom: 404, StoreError: 503}  # any other is 422


class Denied(Refused):
    """A request that is refused, with the status that says so."""

    def __init__(self, status: int, why: str | Refusal, rule: str = "", /, **values: Any) -> None:
        super().__init__(why, rule, **values)
        self.status = status


# ---------------------------------------------------------------- what is asked and answered


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Name(Strict):
    name: str = Field(min_length=1, max_length=LONGEST_NAME)


class Me(BaseModel):
    name: str
    bot: bool


class Token(BaseModel):
    name: str
    token: str


class Clock(Strict):
    """Minutes for the game and seconds more for each turn; or days for each turn; or nothing at all."""

    minutes: float = Field(0, ge=0, le=600, allow_inf_nan=False)
    increment: float = Field(0, ge=0, le=600, allow_inf_nan=False)
    days: float = Field(0, ge=0, le=30, allow_inf_nan=False)


Word = Annotated[str, Field(max_length=40)]


class NewRoom(Strict):
    game: str = Field(max_length=40, json_schema_extra={"enum": list(GAMES)})
    options: dict[Word, Word | bool | int] = Field(default_factory=dict, max_length=40)
    deck: str | None = Field(None, max_length=400)
    their_deck: str | None = Field(None, max_length=400)
    set: str | None = Field(None, max_length=250_000)
    opponent: inputs.Opponent = "link"
    bot: str = Field("level:2", max_length=40, json_schema_extra={"enum": list(AT_TABLE)})
    other_name: str = Field("", max_length=LONGEST_NAME)
    clock: Clock = Field(default_factory=lambda: Clock.model_validate({}))
    begins: inputs.Begins = "lot"


class JoinRoom(Strict):
    invite: str = Field("", max_length=80)
    deck: str | None = Field(None, max_length=400)


class Made(BaseModel):
    room: str
    invite: str | None
    commitment: str
    socket: str


class Hint(BaseModel):
    move: str
    chance: float | None
    text: str


class Listed(BaseModel):
    room: str
    made_at: int
    phase: str
    game: str
    rules: int
    options: dict[str, Any]
    title: dict[Lang, str]
    clock: dict[str, float]
    opponent: str
    begins: str
    names: list[str | None]
    result: dict[str, Any] | None


class ReasonShown(BaseModel):
    code: str
    text: str
    rule: str | None


class Problem(ReasonShown):
    """What is wrong: the first reason's code and rule, all of them in one text, and each by itself."""

    reasons: list[ReasonShown]


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 401, 403, 404, 409, 411, 413, 421, 422, 429, 503)
}
RoomId = Annotated[str, Path(max_length=40, pattern=r"^[0-9a-zA-Z_-]+$")]


async def guest_of(request: Request) -> Guest:
    desk: Desk = request.app.state.desk
    return await desk.guest(request)


Known = Annotated[Guest, Depends(guest_of)]


# ---------------------------------------------------------------- the application


def make_app(hall: Hall, limits: Limits = Limits(), names: Iterable[str] = ()) -> Any:  # noqa: B008
    """The application behind its gate; `names` are the host names that it goes by."""
    desk = Desk(hall, limits)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        desk.key = await asyncio.to_thread(hall.store.signing_key)
        await hall.open()
        yield
        await hall.close()

    app = FastAPI(
        title="Coyote", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        responses=PROBLEMS,
    )  # fmt: skip
    app.state.desk = desk
    for router in (desk.routes(), *(part.router for part in (catalog, library, lessons, rulebook, pages))):
        app.include_router(router)
    for kind in (Refused, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, refused)
    return Gate(app, desk.play, limits, names)


async def refused(request: Request, error: Exception) -> JSONResponse:
    """Everything that is refused over HTTP is answered here."""
    status, why = reasons(error)
    return JSONResponse(error_body(why, language(request.headers)), status)


def reasons(error: Exception) -> tuple[int, Refused]:
    match error:
        case Denied():
            return error.status, error
        case Refused():
            return STATUS.get(type(error), 422), error
        case RequestValidationError():
            first = error.errors()[0]
            what = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
            return 422, Refused("room.malformed", what=what[:200])
        case HTTPException():
            return error.status_code, Refused("room.none" if error.status_code == 404 else "room.no_method")
    raise error


class Desk:
    """Whoever answers requests."""

    def __init__(self, hall: Hall, limits: Limits) -> None:
        self.hall, self.limits, self.key = hall, limits, b""
        self.sockets = Sockets(limits)
        self.makes = Buckets(limits.makes_per_minute / 60, limits.makes_per_minute)
        self.known: dict[str, Guest] = {}  # the guests who came last, to spare the store

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.post("/api/guest")(self.be_called)
        router.get("/api/me")(self.who_am_i)
        router.post("/api/tokens", status_code=201)(self.new_token)
        router.post("/api/rooms", status_code=201)(self.make_room)
        router.post("/api/rooms/{room}/join")(self.join)
        router.get("/api/rooms/{room}/replay")(self.replay)
        router.get("/api/waiting")(self.waiting)
        router.get("/api/mine")(self.mine)
        router.get("/api/rooms/{room}")(self.look)
        router.post("/api/rooms/{room}/hint")(self.hint)
        router.get("/api/rooms/{room}/record", responses={200: {"content": {RECORD: {}}}})(self.record)
        router.get("/healthz")(self.health)
        router.get("/metrics", response_class=PlainTextResponse)(self.metrics)
        return router

    # ------------------------------------------------------------ who asks

    async def guest(self, request: Request) -> Guest:
        found = await self.find_guest(request)
        if found is None:
            raise Denied(401, "room.who")
        return found

    async def find_guest(self, asking: HTTPConnection) -> Guest | None:
        """By a bot's token, or by the cookie."""
        scheme, _, token = asking.headers.get("authorization", "").partition(" ")
        signed = token.strip() if scheme.lower() == "bearer" else asking.cookies.get(COOKIE, "")
        id = unsign(signed, self.key)
        if id is None or id in self.known:
            return self.known.get(id or "")
        if row := await asyncio.to_thread(self.hall.store.guest, id):
            self.remember(Guest(row["id"], row["name"], row["owner"]))
        return self.known.get(id)

    def remember(self, guest: Guest) -> None:
        while len(self.known) >= MOST_KNOWN:
            self.known.pop(next(iter(self.known)))
        self.known[guest.id] = guest

    def slow_down(self, request: Request) -> None:
        address = request.client.host if request.client else ""
        if not self.makes.take(address, time.monotonic()):
            raise Denied(429, "room.too_many_requests")

    async def keep_guest(self, guest: Guest) -> None:
        row = {"id": guest.id, "name": guest.name, "owner": guest.owner, "made_at": self.hall.now()}
        await self.hall.store.keep(Write(guests=[row]))
        self.remember(guest)

    def name(self, text: str) -> str:
        if not (name := clean_name(text)):
            raise Denied(422, "room.name")
        if Words("en").bot(name):  # pages would show it as a bot of ours
            raise Denied(422, "room.bot_name", name=name)
        return name

    async def be_called(self, name: Name, request: Request, response: Response) -> Me:
        """Take a name, or another one. The cookie is all there is to it."""
        self.slow_down(request)
        called, known = self.name(name.name), await self.find_guest(request)
        guest = Guest(known.id if known else new_id(), called, known.owner if known else "")
        await self.keep_guest(guest)
        response.set_cookie(
            COOKIE,
            sign(guest.id, self.key),
            max_age=YEAR,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return Me(name=called, bot=bool(guest.owner))

    async def who_am_i(self, guest: Known) -> Me:
        return Me(name=guest.name, bot=bool(guest.owner))

    async def new_token(self, name: Name, guest: Known, request: Request) -> Token:
        """A token for a bot of yours, told once; it goes into `Authorization: Bearer`."""
        self.slow_down(request)
        bot = Guest(new_id(), self.name(name.name), guest.owner or guest.id)
        await self.keep_guest(bot)
        return Token(name=bot.name, token=sign(bot.id, self.key))

    # ------------------------------------------------------------ rooms

    async def waiting(self) -> list[Listed]:
        """Games that wait for anybody."""
        return [listed(row) for row in await asyncio.to_thread(self.hall.store.waiting)]

    async def mine(self, guest: Known) -> list[Listed]:
        """Your games, the newest first."""
        return [listed(row) for row in await asyncio.to_thread(self.hall.store.rooms_of, guest.id)]

    async def make_room(self, wanted: NewRoom, guest: Known, request: Request) -> Made:
        self.slow_down(request)
        await self.check_number(guest)
        other = self.opponent(wanted, guest)
        terms = await self.settle_terms(wanted)
        decks = self.settle_decks(wanted, self.hall.games.get(terms))
        live = await self.hall.make(terms, inputs.Player(guest.id, guest.name), other, decks)
        return made(live, live.room.made.invite)

    def opponent(self, wanted: NewRoom, guest: Guest) -> inputs.Player | None:
        """Who is there from the start."""
        if wanted.opponent == "bot":
            check_opponent(wanted.bot)
            return inputs.Player("", wanted.bot, wanted.bot)
        if wanted.opponent == "self":
            return inputs.Player(guest.id, self.name(wanted.other_name) if wanted.other_name else guest.name)
        return None

    async def check_number(self, guest: Guest) -> None:
        if await asyncio.to_thread(self.hall.store.unfinished, guest.id) >= self.limits.rooms_per_guest:
            raise Denied(429, "room.too_many_rooms", most=self.limits.rooms_per_guest)

    async def settle_terms(self, wanted: NewRoom) -> inputs.Terms:
        """The game, its options and its cards. All are tried here, so that a room can always be dealt."""
        kind = kind_of(wanted.game)
        digest, written = await asyncio.to_thread(PARTS[kind.name].read_set, wanted.set)
        if digest:
            self.hall.sets.setdefault(digest, written)
        clock = inputs.ClockTerms(wanted.clock.minutes, wanted.clock.increment, wanted.clock.days)
        return inputs.Terms(
            kind.name, dict(wanted.options), digest, clock, wanted.begins, wanted.opponent, kind.RULES[-1]
        )

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
            if guest.id in [player.guest for player in live.room.players]:
                return made(live)
            player = inputs.Player(guest.id, guest.name)
            self.let_in(live.room.refuses(inputs.Join(live.room.at, player, None, wanted.invite)))
            await self.check_number(guest)
            deck = chosen_deck(live.room.game, wanted.deck, 1, self.hall.dice())
            self.let_in(await self.hall.submit(live, lambda at: inputs.Join(at, player, deck, wanted.invite)))
            return made(live)

    def let_in(self, refusal: Refusal | None) -> None:
        if refusal:
            raise Denied(403 if refusal.code == "room.invite" else 409, refusal)

    async def look(self, room: RoomId) -> dict[str, Any]:
        """What a bystander may know: `welcome` and `update`, as the socket has them."""
        live = await self.hall.enter(room)
        seen = wire.update(live.room, SPECTATOR, 0, self.hall.now())
        shown = {
            "welcome": wire.welcome(live.room, []),
            "update": seen,
            "presence": wire.Presence(live.here()),
        }
        found: Json = msgspec.to_builtins(shown)
        return found

    async def hint(self, room: RoomId, guest: Known, request: Request) -> Hint:
        """What a search would do in your place, and why. Against bots only."""
        self.slow_down(request)
        async with self.hall.visit(room) as live:
            parties = parties_of(live, guest.id)
            found = await self.hall.hint(live, parties[0], language(request.headers)) if parties else None
            if found is None:
                raise Denied(409, "room.no_hint")
            return Hint(**found)

    async def find_record(self, id: str) -> Json:
        """The record of a finished game."""
        room = (await self.hall.enter(id)).room
        if room.phase != "over":
            raise Denied(409, "room.not_over")
        return room.record()

    async def record(self, room: RoomId) -> Response:
        """The finished game on one line."""
        record = await self.find_record(room)
        name = f"{record['game']}-{room}.record.jsonl"
        return Response(
            record_line(record),
            media_type=RECORD,
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def replay(
        self, room: RoomId, viewer: replays.Viewer = "open", lang: Lang = "en"
    ) -> dict[str, Any]:
        """The finished game step by step: views, events and sentences for one viewer."""
        return await asyncio.to_thread(replays.replay, await self.find_record(room), viewer, lang)

    # ------------------------------------------------------------ playing

    async def play(self, socket: WebSocket, id: str) -> None:
        try:
            guest = await self.find_guest(socket)
            async with self.hall.visit(id) as live:
                await self.connected(socket, live, guest.id if guest else "")
        except Refused as error:
            await refuse_socket(socket, error.refusal)

    async def connected(self, socket: WebSocket, live: Live, who: str) -> None:
        address = socket.client.host if socket.client else ""
        if refusal := self.sockets.refuses(who, address):
            return await refuse_socket(socket, refusal)
        await socket.accept()
        self.sockets.add(who, address)
        try:
            await Client(socket, self.hall, live, parties_of(live, who) if who else [], self.limits).run()
        finally:
            self.sockets.remove(who, address)

    # ------------------------------------------------------------ how the server is

    async def health(self) -> dict[str, Any]:
        return {"ok": self.hall.failing_since is None, "preparing": self.hall.preparing}

    async def metrics(self) -> PlainTextResponse:
        hall, store = self.hall, self.hall.store
        found = {
            "coyote_moves_total": ("counter", "Moves made", hall.moves),
            "coyote_rooms": ("gauge", "Rooms in memory", len(hall.rooms)),
            "coyote_sockets": ("gauge", "Open sockets", self.sockets.of_address.total()),
            "coyote_bots_waiting": ("gauge", "Questions that bots have not answered", hall.thinkers.waiting),
            "coyote_commits_total": ("counter", "Transactions of the store", store.commits),
            "coyote_writes_total": ("counter", "Writes in those transactions", store.kept),
            "coyote_writes_refused_total": ("counter", "Writes that the store refused", store.refused),
        }
        lines = [
            f"# HELP {name} {text}\n# TYPE {name} {kind}\n{name} {value}\n"
            for name, (kind, text, value) in found.items()
        ]
        return PlainTextResponse("".join(lines), media_type="text/plain; version=0.0.4")


def made(live: Live, invite: str = "") -> Made:
    room = live.room
    return Made(
        room=room.id,
        invite=invite or None,
        commitment=room.commitment,
        socket=f"/api/rooms/{room.id}/socket",
    )


def listed(row: Json) -> Listed:
    """From before a room told its title: what a game of that name is called."""
    about = {"rules": 1, **json.loads(row["about"])}
    about.setdefault("title", titles_of(about["game"], about["options"]))
    return Listed(room=row["id"], made_at=row["made_at"], phase=row["phase"], **about)


def open_hall(url: str, bot_threads: int) -> Hall:
    return Hall(Store(url), bot_threads)
