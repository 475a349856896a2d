"""Who asks: names, cookies and the tokens of bots; and what a guest may do with what is kept of them."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from coyote.table import admin
from coyote.table.admin import NEVER, milliseconds
from coyote.table.bodies import Strict
from coyote.table.hall import COME_AGAIN, Hall, Live, Viewer
from coyote.table.identity import (
    COOKIE,
    LONGEST_NAME,
    Guest,
    Shown,
    clean_name,
    code_digest,
    is_bots,
    new_code,
    new_id,
    own_cookie,
    sign,
    unsign,
)
from coyote.table.limits import Buckets, Denied, Limits, client_key, too_many
from coyote.table.logs import GUEST, short
from coyote.table.store import Row, StoreError, Write

DAY = 24 * 3600
YEAR = 365 * DAY  # seconds that a cookie or token counts
RENEWED = 30 * DAY  # seconds after which it is given anew
TRUSTED = 10.0  # seconds until the store is asked again about a guest: so long a ban takes everywhere
MOST_KNOWN = 10_000
MOST_NAMESAKES = 9998  # of whom a number tells one from another
NAME_TRIES = 20
EXPORT_COSTS = 5  # times as much as making a room


class Name(Strict):
    name: str = Field(min_length=1, max_length=LONGEST_NAME)


class Called(Name):
    made_up: bool = False  # by the page: a newcomer gets one that nobody else has


class Me(BaseModel):
    name: str
    bot: bool
    token: str | None = None  # to be used from now on, where the one that was shown gets old


class Token(BaseModel):
    name: str
    token: str


class Bot(BaseModel):
    id: str
    name: str
    made_at: int
    seen_at: int


class NewCode(BaseModel):
    code: str
    until: int


class Code(Strict):
    code: str = Field(min_length=1, max_length=40)


class Gone(BaseModel):
    rooms: int  # in which the name was


@dataclass(frozen=True)
class Entry:
    """A guest as the store had them a moment ago."""

    guest: Guest
    valid_from: int
    banned: bool
    asked: float


async def guest_of(request: Request) -> Guest:
    guests: Guests = request.app.state.guests
    return await guests.asking(request)


async def person_of(request: Request) -> Guest:
    """A bot has its token and its games; the rest is its owner's."""
    guest = await guest_of(request)
    if guest.owner:
        raise Denied(403, "room.not_for_bots")
    return guest


Known = Annotated[Guest, Depends(guest_of)]
Person = Annotated[Guest, Depends(person_of)]
ShortId = Annotated[str, Path(max_length=40)]


def person_name(text: str) -> str:
    """A name that somebody may go by; Denied."""
    if not (name := clean_name(text)):
        raise Denied(422, "room.name")
    if is_bots(name):
        raise Denied(422, "room.bot_name", name=name)
    return name


class Guests:
    def __init__(self, hall: Hall, limits: Limits) -> None:
        self.hall, self.store, self.key = hall, hall.store, b""
        self.makes = Buckets(limits.makes_per_minute / 60, limits.makes_per_minute)
        self.tries = Buckets(limits.codes_per_minute / 60, limits.codes_per_minute)
        self.known: dict[str, Entry] = {}  # the guests who came last, to spare the store
        self.newcomers: Callable[[str], None] = lambda id: None  # told of everybody who has just come
        self.giving: set[str] = set()  # names that are being given

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.post("/api/guest")(self.be_called)
        router.post("/api/guest/take")(self.take)
        router.get("/api/me")(self.who_am_i)
        router.post("/api/me/codes", status_code=201)(self.give_code)
        router.post("/api/me/sign-out-everywhere")(self.sign_out_everywhere)
        router.get("/api/me/export", response_class=StreamingResponse, responses=EXPORTED)(self.export)
        router.delete("/api/me")(self.delete)
        router.get("/api/tokens")(self.list_tokens)
        router.post("/api/tokens", status_code=201)(self.new_token)
        router.delete("/api/tokens/{id}")(self.revoke_token)
        return router

    async def open(self) -> None:
        self.key = await asyncio.to_thread(self.store.signing_key)

    # ------------------------------------------------------------ finding

    async def asking(self, request: Request) -> Guest:
        found = await self.find(request.headers)
        if found is None:
            raise Denied(401, "room.who")
        request.scope[GUEST] = found.id
        return found

    async def find(self, headers: Mapping[str, str]) -> Guest | None:
        """By a bot's token, or by the cookie. Denied for those who are banned."""
        shown = self.shown(headers)
        if shown is None:
            return None
        entry = self.known.get(shown.id)
        if entry is None or time.monotonic() - entry.asked > TRUSTED:
            entry = await self._ask(shown.id, entry)
        return self._let_in(entry, shown)

    def known_now(self, headers: Mapping[str, str]) -> Guest | None:
        """The same without waiting; None also where the store would have to be asked."""
        shown = self.shown(headers)
        entry = self.known.get(shown.id) if shown else None
        if shown is None or entry is None or time.monotonic() - entry.asked > TRUSTED:
            return None
        return self._let_in(entry, shown)

    def shown(self, headers: Mapping[str, str]) -> Shown | None:
        """What somebody says to be, where it is ours and not too old."""
        found = unsign(signed_in(headers), self.key)
        if found and found.given and milliseconds() - found.given > YEAR * 1000:
            return None
        return found

    def _let_in(self, entry: Entry | None, shown: Shown) -> Guest | None:
        if entry is None or shown.given < entry.valid_from:
            return None
        if entry.banned:
            raise Denied(403, "room.banned")
        return entry.guest

    async def _ask(self, id: str, before: Entry | None) -> Entry | None:
        try:
            row = await asyncio.to_thread(self.store.guest, id)
        except StoreError:
            if before is None:
                raise
            return before  # who was let in a moment ago is not put out because the database is away
        if row is None:
            self.known.pop(id, None)
            return None
        self._note_seen(row)
        guest = Guest(row["id"], row["name"], row["owner"])
        return self.remember(Entry(guest, row["valid_from"], bool(row["banned"]), time.monotonic()))

    def _note_seen(self, row: Row) -> None:
        """Once a day. Nobody waits for it."""
        now = milliseconds()
        if now - row["seen_at"] > DAY * 1000:
            self.store.put(Write(seen=[{"id": row["id"], "at": now}]), lambda error: None)

    def remember(self, entry: Entry) -> Entry:
        self.known.pop(entry.guest.id, None)
        while len(self.known) >= MOST_KNOWN:
            self.known.pop(next(iter(self.known)))
        self.known[entry.guest.id] = entry
        return entry

    def slow_down(self, request: Request, buckets: Buckets | None = None, cost: float = 1.0) -> None:
        address = request.client.host if request.client else ""
        if wait := (buckets or self.makes).take(client_key(address), time.monotonic(), cost):
            raise too_many(wait)

    # ------------------------------------------------------------ those who are connected

    async def look_after(self) -> None:
        """Whoever was banned, signed out or deleted, here or by another process, plays on nowhere."""
        known: dict[str, admin.Standing] = {}
        while True:
            await asyncio.sleep(TRUSTED)
            ids = await self._connected()
            try:
                found = await asyncio.to_thread(admin.standings, self.store, sorted(ids))
            except StoreError:
                continue
            for id in ids:
                now = found.get(id)
                if now is None or now.banned or known.get(id, now) != now:
                    self.call_anew(id)
            known = found

    async def _connected(self) -> set[str]:
        """Who plays. There may be many, so others have their turn in between."""
        ids: set[str] = set()
        for number, live in enumerate(list(self.hall.rooms.values())):
            ids.update(id for client in live.clients for id in guests_of(live, client))
            if number % 200 == 199:
                await asyncio.sleep(0)
        return ids

    def call_anew(self, id: str) -> None:
        """Connections of this guest come again, and are let in, or not, as things stand now."""
        for one in [id, *(key for key, entry in self.known.items() if entry.guest.owner == id)]:
            self.known.pop(one, None)
        for live in list(self.hall.rooms.values()):
            for client in list(live.clients):
                if id in guests_of(live, client):
                    client.end(COME_AGAIN)

    # ------------------------------------------------------------ coming

    async def be_called(self, name: Called, request: Request, response: Response) -> Me:
        """Take a name, or another one. The cookie is all there is to it."""
        self.slow_down(request)
        called, known = person_name(name.name), await self.find(request.headers)
        if known is None:
            guest = await self.welcome(called, name.made_up)
        else:
            guest = Guest(known.id, called, known.owner)
            await self.keep(guest, new=False, named=not name.made_up)
        if not guest.owner:
            self.give_cookie(guest.id, request, response)
        return Me(name=guest.name, bot=bool(guest.owner))

    async def welcome(self, name: str, made_up: bool) -> Guest:
        """Somebody new. Whoever chooses a name has it, even if somebody else has it, too."""
        called, tries = name, NAME_TRIES if made_up else 0
        for _ in range(tries):
            if called not in self.giving and not await asyncio.to_thread(self.store.has_name, called):
                break
            called = f"{name[: LONGEST_NAME - 6]} {2 + secrets.randbelow(MOST_NAMESAKES)}"
        self.giving.add(called)
        try:
            guest = Guest(new_id(), called)
            await self.keep(guest, new=True, named=not made_up)
        finally:
            self.giving.discard(called)
        return guest

    async def keep(self, guest: Guest, new: bool, named: bool = False) -> None:
        """`named`: by themselves, so that others may read the name on lists."""
        now = milliseconds()
        told = {"id": guest.id, "name": guest.name, "owner": guest.owner, "named": named}
        row = {**told, "made_at": now, "seen_at": now}
        await self.store.keep(Write(guests=[row]))
        if new:
            self.remember(Entry(guest, 0, False, time.monotonic()))
            self.newcomers(guest.id)
        else:
            self.known.pop(guest.id, None)

    def give_cookie(self, id: str, request: Request, response: Response, given: int | None = None) -> None:
        response.set_cookie(
            COOKIE,
            sign(id, given or milliseconds(), self.key),
            max_age=YEAR,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )

    async def who_am_i(self, guest: Known, request: Request, response: Response) -> Me:
        """Also gives a new cookie, or a new token, for one that gets old."""
        shown, me = self.shown(request.headers), Me(name=guest.name, bot=bool(guest.owner))
        now = milliseconds()
        if shown and now - shown.given > RENEWED * 1000:
            if bearer(request.headers):
                me.token = sign(guest.id, now, self.key)
            else:
                self.give_cookie(guest.id, request, response, now)
        return me

    # ------------------------------------------------------------ to another device

    async def give_code(self, guest: Person, request: Request) -> NewCode:
        """A code by which another browser becomes you, once and soon: type it there, or open `/take#CODE`."""
        self.slow_down(request)
        code = new_code()
        until = await asyncio.to_thread(
            admin.keep_code, self.store, code_digest(code), guest.id, milliseconds()
        )
        return NewCode(code=f"{code[:5]}-{code[5:]}", until=until)

    async def take(self, given: Code, request: Request, response: Response) -> Me:
        """Be the guest whose code this is, from now on."""
        self.slow_down(request, self.tries)
        id = await asyncio.to_thread(admin.use_code, self.store, code_digest(given.code), milliseconds())
        entry = await self._ask(id, None) if id else None
        if entry is None or entry.banned:
            raise Denied(403, "room.code")
        self.give_cookie(entry.guest.id, request, response)
        return Me(name=entry.guest.name, bot=False)

    async def sign_out_everywhere(self, guest: Person, request: Request, response: Response) -> Me:
        """Cookies of other browsers count no more. This one has a new one."""
        now = milliseconds()
        await asyncio.to_thread(admin.change_guest, self.store, guest.id, valid_from=now)
        self.call_anew(guest.id)
        self.give_cookie(guest.id, request, response, now)
        return Me(name=guest.name, bot=False)

    # ------------------------------------------------------------ bots

    async def new_token(self, name: Name, guest: Known, request: Request) -> Token:
        """A token for a bot of yours, told once; it goes into `Authorization: Bearer`."""
        self.slow_down(request)
        bot = Guest(new_id(), person_name(name.name), guest.owner or guest.id)
        await self.keep(bot, new=True)
        return Token(name=bot.name, token=sign(bot.id, milliseconds(), self.key))

    async def list_tokens(self, guest: Person) -> list[Bot]:
        """Your bots, whose tokens count."""
        return [
            Bot(id=short(row["id"]), name=row["name"], made_at=row["made_at"], seen_at=row["seen_at"])
            for row in await self.bots_of(guest)
        ]

    async def bots_of(self, guest: Guest) -> list[Row]:
        found = await asyncio.to_thread(admin.bots_of, self.store, guest.id)
        return [row for row in found if row["valid_from"] != NEVER]

    async def revoke_token(self, id: ShortId, guest: Person) -> Bot:
        """The token counts no more; games that the bot has played stay."""
        for row in await self.bots_of(guest):
            if short(row["id"]) == id:
                await asyncio.to_thread(admin.revoke, self.store, row["id"])
                self.call_anew(row["id"])
                return Bot(id=id, name=row["name"], made_at=row["made_at"], seen_at=row["seen_at"])
        raise Denied(404, "room.none")

    # ------------------------------------------------------------ what is kept of a guest

    async def export(self, guest: Person, request: Request) -> StreamingResponse:
        """Everything that is kept about you, as far as it is yours to see."""
        self.slow_down(request, cost=EXPORT_COSTS)
        headers = {"content-disposition": 'attachment; filename="coyote-guest.json"'}
        pieces = admin.export_guest(self.store, guest.id)
        return StreamingResponse(pieces, media_type="application/json", headers=headers)

    async def delete(self, guest: Person, request: Request, response: Response) -> Gone:
        """Nobody of that name was here: you and your bots are gone, and without a name in finished games."""
        self.slow_down(request)
        try:
            changed = await asyncio.to_thread(admin.delete_guest, self.store, guest.id)
        except admin.Unfinished as error:
            raise Denied(409, error.refusal) from None
        for room in changed:
            if live := self.hall.rooms.get(room):
                self.hall.drop(live)  # it has other names now
        self.known.clear()  # the bots are gone, too
        response.delete_cookie(COOKIE)
        return Gone(rooms=len(changed))


def guests_of(live: Live, client: Viewer) -> set[str]:
    """Whom a connection plays for; nobody where it only looks on."""
    return {live.room.players[party].guest for party in client.parties}


EXPORTED: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {"schema": {}}}}}


def bearer(headers: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def signed_in(headers: Mapping[str, str]) -> str:
    """What somebody shows to say who they are."""
    return bearer(headers) or own_cookie(headers.get("cookie", ""))
