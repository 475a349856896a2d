"""Duplicate, as pages and programs ask for it: making a board, taking a place, seals, nonces, results.

Who has a place at one table learns nothing of the other until both are over.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa
from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from coyote import fairness
from coyote.games.game import Json
from coyote.table import inputs
from coyote.table.boards import (
    OVER,
    PLACES,
    TEAMS,
    Board,
    Place,
    board_of,
    change_board,
    give_nonce,
    leave_place,
    new_board,
    seal_nonce,
    tables,
    take_place,
)
from coyote.table.bodies import Strict
from coyote.table.guests import Guests, Person
from coyote.table.hall import Hall
from coyote.table.identity import Guest
from coyote.table.limits import Limits, per_minute
from coyote.table.lists import about_of
from coyote.table.parts import margin_of
from coyote.table.store import Row, StoreError, rooms, rows
from coyote.text import LANGUAGES, Lang, Words, titles_of

DAY = 24 * 3600 * 1000  # milliseconds
BoardId = Annotated[str, Path(max_length=40, pattern=r"^[0-9a-f]+$")]


class NewBoard(Strict):
    """The terms are those of a room; `bots` are the places that the computer has."""

    bots: list[Annotated[int, Field(ge=1, le=3)]] = Field(default_factory=list, max_length=3)


class JoinBoard(Strict):
    place: int | None = Field(None, ge=0, le=3)


class SealBoard(Strict):
    seal: str = Field(max_length=64)


class OpenBoard(Strict):
    nonce: str = Field(max_length=64)


class PlaceShown(BaseModel):
    place: str  # a1, b1, b2, a2
    name: str | None
    bot: str | None
    sealed: bool
    ready: bool


class TableShown(BaseModel):
    """`room` only for those who play there, until both tables are over; `margin` is of seat 0."""

    room: str | None
    phase: str
    result: dict[str, Any] | None
    why: dict[Lang, str] | None
    margin: int | None


class BoardShown(BaseModel):
    """`points` and `margins` are of team A and team B, once both tables are over."""

    id: str
    phase: Literal["gathering", "sealing", "opening", "playing", "over"]
    game: str
    rules: int
    options: dict[str, Any]
    title: dict[Lang, str]
    clock: dict[str, float]
    places: list[PlaceShown]
    mine: int | None
    commitment: str
    seals: list[str] | None  # once all are in
    context: str | None
    tables: list[TableShown]
    points: list[float] | None
    margins: list[int] | None


class Boards:
    def __init__(self, hall: Hall, guests: Guests, limits: Limits) -> None:
        self.hall, self.store, self.guests, self.limits = hall, hall.store, guests, limits
        self.asks = per_minute(limits.boards_per_minute)

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/boards/{id}")(self.get)
        router.post("/api/boards/{id}/join")(self.join)
        router.post("/api/boards/{id}/leave")(self.leave)
        router.post("/api/boards/{id}/seal")(self.seal)
        router.post("/api/boards/{id}/ready")(self.ready)
        return router

    async def make(
        self, terms: inputs.Terms, decks: inputs.TwoDecks, bot: str, bots: Sequence[int], guest: Guest
    ) -> str:
        """A new board with its host at the first place."""
        places = [Place() for _ in PLACES]
        places[0] = Place(guest.id, guest.owner or guest.id, guest.name)
        for place in bots:
            places[place] = Place(name=bot, bot=bot)
        secret = self.hall.token(fairness.SECRET_BYTES).hex()
        board = Board(terms, decks, secret, places)
        return await asyncio.to_thread(new_board, self.store, board)

    async def get(self, id: BoardId, request: Request) -> BoardShown:
        """How a board stands; whoever has its address may know that."""
        self.guests.slow_down(request, self.asks)
        guest = await self.guests.find(request.headers)
        board = await asyncio.to_thread(board_of, self.store, id)
        return await self.shown(id, board, guest)

    async def join(self, id: BoardId, asked: JoinBoard, guest: Person, request: Request) -> BoardShown:
        """Take a place, the first one that is free or the one that is named."""
        return await self.change(id, lambda board: take_place(board, guest, asked.place), guest, request)

    async def leave(self, id: BoardId, guest: Person, request: Request) -> BoardShown:
        """Give a place up, before the deal."""
        return await self.change(id, lambda board: leave_place(board, guest), guest, request)

    async def seal(self, id: BoardId, asked: SealBoard, guest: Person, request: Request) -> BoardShown:
        """The digest of one's nonce; when all are in, the context is made."""

        def change(board: Board) -> None:
            seal_nonce(board, guest, asked.seal)
            if board.phase() == "opening" and not board.context:
                board.context = self.context(id, board)

        return await self.change(id, change, guest, request)

    async def ready(self, id: BoardId, asked: OpenBoard, guest: Person, request: Request) -> BoardShown:
        """One's nonce; with the last one the cards are dealt, at both tables alike."""

        def change(board: Board) -> None:
            give_nonce(board, guest, asked.nonce)
            if board.phase() == "dealt" and not board.rooms:
                board.rooms = [secrets.token_hex(15) for _ in range(len(PLACES) // 2)]
                board.at = self.hall.now()

        return await self.change(id, change, guest, request)

    def context(self, id: str, board: Board) -> str:
        game = self.hall.games.get(board.terms)
        name = fairness.board_name(id, board.seals())
        secret = bytes.fromhex(board.secret)
        return fairness.make_context(game, game.settle(board.decks), secret, name, options=game.options)

    async def change(
        self, id: str, change: Callable[[Board], None], guest: Guest, request: Request
    ) -> BoardShown:
        self.guests.slow_down(request, self.asks)
        board = await asyncio.to_thread(board_of, self.store, id)
        await self.hall.load_set(board.terms)
        await self.hall.game_of(board.terms)
        board = await asyncio.to_thread(change_board, self.store, id, change)
        return await self.shown(id, board, guest)

    async def shown(self, id: str, board: Board, guest: Guest | None) -> BoardShown:
        """The rooms are made by whoever finds that they are missing: then nothing is lost by a fall. Later
        they may have been deleted, as old games are."""
        if board.rooms and self.hall.now() - board.at < DAY:
            with suppress(StoreError):
                await self.hall.make_tables(tables(id, board))
        query = sa.select(rooms).where(rooms.c.id.in_(board.rooms))
        found = await asyncio.to_thread(rows, self.store, query) if board.rooms else []
        return board_shown(id, board, {row["id"]: row for row in found}, guest)


def board_shown(id: str, board: Board, found: dict[str, Row], guest: Guest | None) -> BoardShown:
    mine = board.place_of(guest.id) if guest else None
    phase = board.phase()
    over = bool(board.rooms) and all(id in found and found[id]["phase"] in OVER for id in board.rooms)
    shown = [
        table_shown(room, found.get(room), over or (mine is not None and mine // 2 == table), over)
        for table, room in enumerate(board.rooms)
    ]
    terms = board.terms
    return BoardShown(
        id=id,
        phase=("over" if over else "playing") if phase == "dealt" else phase,
        game=terms.game,
        rules=terms.rules,
        options=terms.options,
        title=titles_of(terms.game, terms.options),
        clock={k: v for k, v in msgspec.structs.asdict(terms.clock).items() if v},
        places=[
            PlaceShown(
                place=name,
                name=place.name or None,
                bot=place.bot or None,
                sealed=bool(place.seal or place.bot),
                ready=bool(place.nonce or place.bot),
            )
            for name, place in zip(PLACES, board.places, strict=True)
        ],
        mine=mine,
        commitment=fairness.commitment(bytes.fromhex(board.secret)),
        seals=board.seals() if board.context else None,
        context=board.context or None,
        tables=shown,
        points=sums(shown, points_of) if over else None,
        margins=[round(n) for n in sums(shown, lambda table: table.margin or 0)] if over else None,
    )


def table_shown(room: str, row: Row | None, may_enter: bool, over: bool) -> TableShown:
    """Of a table that is over before the other one, nobody learns how it ended."""
    about: Json = about_of(row) if row else {}
    result = about.get("result") if over else None
    return TableShown(
        room=room if may_enter else None,
        phase=row["phase"] if row else "seated",
        result=result,
        why={lang: Words(lang)(f"reason.{result['reason']}") for lang in LANGUAGES} if result else None,
        margin=margin_of(result["score"]) if result else None,
    )


def points_of(table: TableShown) -> float:
    """Of seat 0, from -½ to ½."""
    if table.result is None or table.result["winner"] is None:
        return 0.0
    return 0.5 if table.result["winner"] == 0 else -0.5


def sums(shown: Sequence[TableShown], worth: Callable[[TableShown], float]) -> list[float]:
    """By team; seat 0 is team A's at the first table and team B's at the second."""
    total = sum(worth(table) * (1 if TEAMS[2 * n] == 0 else -1) for n, table in enumerate(shown))
    return [total, -total]
