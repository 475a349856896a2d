"""The server: a small JSON API, described at `/openapi.json`, and a socket for each room."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Annotated, Any

import msgspec
from fastapi import Depends, FastAPI, Path, Request, Response
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
from coyote.table import catalog, lessons, library, pages, replays, rulebook
from coyote.table import inputs as i
from coyote.table import wire as w
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
JOIN_STATUS = {"room.invite": 403}


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


class NewRoom(Strict):
    game: str = Field(max_length=40, json_schema_extra={"enum": list(GAMES)})
    options: dict[str, str | bool | int] = Field(default_factory=dict, max_length=40)
    deck: str | None = Field(None, max_length=400)
    their_deck: str | None = Field(None, max_length=400)
    set: str | None = Field(None, max_length=250_000)
    opponent: i.Opponent = "link"
    bot: str = Field("level:2", max_length=40, json_schema_extra={"enum": list(AT_TABLE)})
    other_name: str = Field("", max_length=LONGEST_NAME)
    clock: Clock = Field(default_factory=lambda: Clock.model_validate({}))
    begins: i.Begins = "lot"


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


class Problem(BaseModel):
    """What is wrong, and every reason by itself where there are several."""

    code: str
    text: str
    rule: str | None
    reasons: list[str]


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 401, 403, 404, 409, 411, 413, 421, 422, 429, 503)
}
RoomId = Annotated[str, Path(max_length=40, pattern=r"^[0-9a-zA-Z_-]+$")]


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
    desk.add_routes(app)
    for part in (catalog, library, lessons, rulebook, pages):
        app.include_router(part.router)
    desk.add_faults(app)
    app.state.hall = hall
    return Gate(app, desk.play, limits, names)


class Desk:
    """Whoever answers requests."""

    def __init__(self, hall: Hall, limits: Limits) -> None:
        self.hall, self.limits, self.key = hall, limits, b""
        self.sockets = Sockets(limits)
        self.makes = Buckets(limits.makes_per_minute / 60, limits.makes_per_minute)
        self.known: dict[str, Guest] = {}  # the guests who came last, to spare the store

    def add_routes(self, app: FastAPI) -> None:
        known = Annotated[Guest, Depends(self.guest)]

        @app.post("/api/guest")
        async def be_called(name: Name, request: Request, response: Response) -> Me:
            """Take a name, or another one. The cookie is all there is to it."""
            return await self.be_called(name.name, request, response)

        @app.get("/api/me")
        async def who_am_i(guest: known) -> Me:
            return Me(name=guest.name, bot=bool(guest.owner))

        @app.post("/api/tokens", status_code=201)
        async def new_token(name: Name, guest: known, request: Request) -> Token:
            """A token for a bot of yours, told once; it goes into `Authorization: Bearer`."""
            return await self.new_token(name.name, guest, request)

        @app.post("/api/rooms", status_code=201)
        async def make_room(wanted: NewRoom, guest: known, request: Request) -> Made:
            return await self.make_room(wanted, guest, request)

        @app.post("/api/rooms/{room}/join")
        async def join(room: RoomId, wanted: JoinRoom, guest: known) -> Made:
            return await self.join(room, wanted, guest)

        @app.get("/api/rooms/{room}/replay")
        async def replay(room: RoomId, viewer: replays.Viewer = "open", lang: Lang = "en") -> dict[str, Any]:
            """The finished game step by step: views, events and sentences for one viewer."""
            return await asyncio.to_thread(replays.replay, await self.find_record(room), viewer, lang)

        @app.get("/api/waiting")
        async def waiting() -> list[Listed]:
            """Games that wait for anybody."""
            return [listed(row) for row in await asyncio.to_thread(self.hall.store.waiting)]

        @app.get("/api/mine")
        async def mine(guest: known) -> list[Listed]:
            """Your games, the newest first."""
            return [listed(row) for row in await asyncio.to_thread(self.hall.store.rooms_of, guest.id)]

        @app.get("/api/rooms/{room}")
        async def look(room: RoomId) -> dict[str, Any]:
            """What a bystander may know: `welcome` and `update`, as the socket has them."""
            return await self.look(room)

        @app.post("/api/rooms/{room}/hint")
        async def hint(room: RoomId, guest: known, request: Request) -> Hint:
            """What a search would do in your place, and why. Against bots only."""
            return await self.hint(room, guest, request)

        @app.get("/api/rooms/{room}/record", responses={200: {"content": {RECORD: {}}}})
        async def record(room: RoomId) -> Response:
            """The finished game on one line."""
            return await self.record(room)

        @app.get("/healthz")
        async def health() -> dict[str, Any]:
            return {"ok": self.hall.failing_since is None, "preparing": self.hall.preparing}

        @app.get("/metrics", response_class=PlainTextResponse)
        async def metrics() -> PlainTextResponse:
            return PlainTextResponse(self.metrics(), media_type="text/plain; version=0.0.4")

    def add_faults(self, app: FastAPI) -> None:
        def answer(request: Request, status: int, error: Refused) -> JSONResponse:
            return JSONResponse(error_body(error, language(request.headers)), status)

        @app.exception_handler(Refused)
        async def refused(request: Request, error: Refused) -> JSONResponse:
            return answer(request, error.status if isinstance(error, Denied) else 422, error)

        @app.exception_handler(NoRoom)
        async def no_room(request: Request, error: NoRoom) -> JSONResponse:
            return answer(request, 404, Refused("room.none"))

        @app.exception_handler(StoreError)
        async def not_kept(request: Request, error: StoreError) -> JSONResponse:
            return answer(request, 503, Refused("room.not_kept"))

        @app.exception_handler(RequestValidationError)
        async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
            first = error.errors()[0]
            what = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
            return answer(request, 422, Refused("room.malformed", what=what[:200]))

        @app.exception_handler(HTTPException)
        async def other(request: Request, error: HTTPException) -> JSONResponse:
            code = "room.none" if error.status_code == 404 else "room.no_method"
            return answer(request, error.status_code, Refused(code))

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

    async def be_called(self, text: str, request: Request, response: Response) -> Me:
        self.slow_down(request)
        name, known = self.name(text), await self.find_guest(request)
        guest = Guest(known.id if known else new_id(), name, known.owner if known else "")
        await self.keep_guest(guest)
        response.set_cookie(
            COOKIE,
            sign(guest.id, self.key),
            max_age=YEAR,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return Me(name=name, bot=bool(guest.owner))

    async def new_token(self, text: str, guest: Guest, request: Request) -> Token:
        self.slow_down(request)
        bot = Guest(new_id(), self.name(text), guest.owner or guest.id)
        await self.keep_guest(bot)
        return Token(name=bot.name, token=sign(bot.id, self.key))

    # ------------------------------------------------------------ rooms

    async def make_room(self, wanted: NewRoom, guest: Guest, request: Request) -> Made:
        self.slow_down(request)
        await self.check_number(guest)
        host, other = i.Player(guest.id, guest.name), None
        if wanted.opponent == "bot":
            check_opponent(wanted.bot)
            other = i.Player("", wanted.bot, wanted.bot)
        elif wanted.opponent == "self":
            other = i.Player(guest.id, self.name(wanted.other_name) if wanted.other_name else guest.name)
        terms = await self.settle_terms(wanted)
        game = self.hall.games.get(terms)
        terms = msgspec.structs.replace(terms, options=game.options)
        decks = self.settle_decks(wanted, game)
        live = await self.hall.make(terms, host, other, decks)
        return made(live, live.room.made.invite)

    async def check_number(self, guest: Guest) -> None:
        if await asyncio.to_thread(self.hall.store.unfinished, guest.id) >= self.limits.rooms_per_guest:
            raise Denied(429, "room.too_many_rooms", most=self.limits.rooms_per_guest)

    async def settle_terms(self, wanted: NewRoom) -> i.Terms:
        """The game, its options and its cards. All are tried here, so that a room can always be dealt."""
        kind = kind_of(wanted.game)
        digest, written = await asyncio.to_thread(PARTS[kind.name].read_set, wanted.set)
        if digest:
            self.hall.sets.setdefault(digest, written)
        clock = i.ClockTerms(wanted.clock.minutes, wanted.clock.increment, wanted.clock.days)
        return i.Terms(
            kind.name, dict(wanted.options), digest, clock, wanted.begins, wanted.opponent, kind.RULES[-1]
        )

    def settle_decks(self, wanted: NewRoom, game: Game) -> i.TwoDecks:
        alone = wanted.opponent in ("bot", "self")
        if wanted.their_deck and not alone:
            raise Denied(422, "room.their_deck")
        mine, theirs = (
            chosen_deck(game, text, party, self.hall.dice())
            for party, text in enumerate((wanted.deck, wanted.their_deck))
        )
        return mine, theirs if alone else None

    async def join(self, id: str, wanted: JoinRoom, guest: Guest) -> Made:
        async with self.hall.visit(id) as live:
            room = live.room
            if guest.id in [player.guest for player in room.players if player]:
                return made(live)
            player = i.Player(guest.id, guest.name)
            if refusal := room.refuses(i.Join(room.at, player, None, wanted.invite)):
                raise Denied(JOIN_STATUS.get(refusal.code, 409), refusal)
            await self.check_number(guest)
            deck = chosen_deck(room.game, wanted.deck, 1, self.hall.dice())
            if refusal := await self.hall.submit(live, lambda at: i.Join(at, player, deck, wanted.invite)):
                raise Denied(JOIN_STATUS.get(refusal.code, 409), refusal)
            return made(live)

    async def look(self, id: str) -> Json:
        live = await self.hall.enter(id)
        seen = w.update(live.room, SPECTATOR, 0, self.hall.now())
        shown = {"welcome": w.welcome(live.room, []), "update": seen, "presence": w.Presence(live.here())}
        found: Json = msgspec.to_builtins(shown)
        return found

    async def hint(self, id: str, guest: Guest, request: Request) -> Hint:
        self.slow_down(request)
        async with self.hall.visit(id) as live:
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

    async def record(self, id: str) -> Response:
        record = await self.find_record(id)
        name = f"{record['game']}-{id}.record.jsonl"
        return Response(
            record_line(record),
            media_type=RECORD,
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    # ------------------------------------------------------------ playing

    async def play(self, socket: WebSocket, id: str) -> None:
        try:
            guest = await self.find_guest(socket)
            async with self.hall.visit(id) as live:
                await self.connected(socket, live, guest.id if guest else "")
        except NoRoom:
            await refuse_socket(socket, Refusal("room.none"))
        except Refused as error:
            await refuse_socket(socket, error.refusal)
        except StoreError:
            await refuse_socket(socket, Refusal("room.not_kept", ""))

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

    def metrics(self) -> str:
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
        return "".join(lines)


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
