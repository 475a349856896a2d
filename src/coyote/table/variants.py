"""House rules with a name (M25, D26): made by guests, found by their address or on a list."""

import asyncio
import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from coyote.games.game import Json
from coyote.games.registry import GAMES
from coyote.table import shelf
from coyote.table.bodies import Few, Strict, Word
from coyote.table.games import kind_of
from coyote.table.guests import Guests, Person
from coyote.table.hall import Hall
from coyote.table.identity import Guest
from coyote.table.limits import Denied, Limits
from coyote.table.measured import Measured, measured
from coyote.table.store import Row
from coyote.table.workshop import LONGEST_ABOUT, Gone, is_official, is_own, plain_text
from coyote.table.writing import Title
from coyote.text import LANGUAGES, Lang, game_title
from coyote.text.harmless import visible

VariantId = Annotated[str, Path(max_length=40, pattern=r"^[0-9A-Za-z_-]+$")]


class Variant(Strict):
    name: Title
    about: str = Field("", max_length=LONGEST_ABOUT)
    game: str = Field(max_length=40, json_schema_extra={"enum": list(GAMES)})
    options: Annotated[dict[Word, Word | bool | int], Few] = Field(default_factory=dict, max_length=40)
    listed: bool = False


class VariantShown(BaseModel):
    """`options` as the game writes them: its edition, and what differs from it; `title`: that in words.
    `measured` is what the lab knows of these changes, each by itself."""

    id: str
    name: str
    about: str
    game: str
    options: dict[str, Any]
    title: dict[Lang, str]
    listed: bool
    author: str
    mine: bool
    changed_at: int
    measured: list[Measured]


class Variants:
    def __init__(self, hall: Hall, guests: Guests, limits: Limits) -> None:
        self.store, self.guests, self.limits = hall.store, guests, limits

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/variants")(self.list_variants)
        router.post("/api/variants", status_code=201)(self.make)
        router.get("/api/variants/{id}")(self.get)
        router.put("/api/variants/{id}")(self.change)
        router.delete("/api/variants/{id}")(self.delete)
        return router

    async def list_variants(
        self, request: Request, listed: bool = False, game: str = ""
    ) -> list[VariantShown]:
        """Your own house rules; with `listed`, those that everybody may find, of one game or of all."""
        guest = await self.guests.find(request.headers)
        if listed:
            found = await asyncio.to_thread(shelf.listed_variants, self.store, game)
        elif guest is None:
            raise Denied(401, "room.who")
        else:
            found = await asyncio.to_thread(shelf.variants_of, self.store, guest.id)
        return [shown(row, guest) for row in found]

    async def make(self, asked: Variant, guest: Person) -> VariantShown:
        row = await asyncio.to_thread(shelf.new_variant, self.store, guest.id, checked(asked), self.limits)
        return shown({**row, "author": guest.name}, guest)

    async def get(self, id: VariantId, request: Request) -> VariantShown:
        """Whoever has the address may know it."""
        return shown(await self.find(id), await self.guests.find(request.headers))

    async def change(self, id: VariantId, asked: Variant, guest: Person) -> VariantShown:
        row = await self.find_own(id, guest)
        return shown(await asyncio.to_thread(shelf.change_variant, self.store, row, checked(asked)), guest)

    async def delete(self, id: VariantId, guest: Person) -> Gone:
        await self.find_own(id, guest)
        await asyncio.to_thread(shelf.delete_variant, self.store, id)
        return Gone(id=id)

    async def find(self, id: str) -> Row:
        row = await asyncio.to_thread(shelf.variant_of, self.store, id)
        if row is None:
            raise Denied(404, "workshop.no_variant")
        return row

    async def find_own(self, id: str, guest: Guest) -> Row:
        row = await self.find(id)
        if not is_own(row, guest):
            raise Denied(403, "workshop.not_yours")
        return row


def checked(asked: Variant) -> Json:
    """As it is kept, once the game has said that it can be played; Denied, OptionError."""
    kind = kind_of(asked.game)
    game = kind(**kind.known(dict(asked.options)))
    name = plain_text(asked.name).replace("\n", " ")
    if not visible(name):
        raise Denied(422, "workshop.variant_name")
    if is_official(name):
        raise Denied(422, "workshop.variant_official", name=name[:40])
    return {
        "name": name,
        "about": plain_text(asked.about),
        "game": asked.game,
        "options": json.dumps(game.options, ensure_ascii=False),
        "listed": asked.listed,
    }


def shown(row: Row, guest: Guest | None) -> VariantShown:
    kind, options = kind_of(row["game"]), json.loads(row["options"])
    game = kind.from_public(options, {})
    keys = ("id", "name", "about", "game", "listed", "author", "changed_at")
    return VariantShown(
        **{key: row[key] for key in keys},
        options=options,
        title={lang: game_title(game, lang) for lang in LANGUAGES},
        mine=is_own(row, guest),
        measured=measured(game),
    )
