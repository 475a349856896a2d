"""The workshop: sets of guests, kept with drafts and versions; cards read as they are written."""

import asyncio
import json
from collections import OrderedDict
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field

from coyote.games.duel.decks import deck_of, encode, faults
from coyote.games.duel.sets import LONGEST_ID, Card, CardSet, core_set, is_plain, sounds_official
from coyote.games.game import Json
from coyote.table import library, shelf
from coyote.table.bodies import Few, Strict
from coyote.table.card_sets import CardSets
from coyote.table.gate import language
from coyote.table.guests import Guests, Known, Person
from coyote.table.hall import Hall
from coyote.table.identity import Guest
from coyote.table.library import DeckShown, SetShown
from coyote.table.limits import Denied, Limits
from coyote.table.set_reader import SetReader
from coyote.table.set_trial import Format
from coyote.table.store import Row
from coyote.table.writing import (
    CardRead,
    CheckedSet,
    PickedCard,
    SetText,
    Title,
    WrittenCard,
    checked_set,
    good_cards,
    language_shown,
    read_picked,
    read_written,
)
from coyote.text import LANGUAGES
from coyote.text.harmless import visible

LONGEST_ABOUT = 600
MOST_DECKS = 20  # of a set
KEPT_LOOKS = 64  # sets that were looked at last
TEXTS = {"toml": "application/toml", "csv": "text/csv; charset=utf-8"}

Sight = Literal["private", "link", "listed"]
SetId = Annotated[str, Path(max_length=40, pattern=r"^[0-9A-Za-z_-]+$")]
Digest = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


# ---------------------------------------------------------------- what is asked and answered: sets


class NewSet(Strict):
    """`text` is a TOML file; without a name it is called as it says itself."""

    name: Title = ""
    text: str = ""  # how long it may be is the reader's to say


class KeptDeck(Strict):
    """A deck of a set, kept with it."""

    name: Title
    about: str = Field("", max_length=LONGEST_ABOUT)
    cards: Annotated[list[Annotated[str, Field(max_length=LONGEST_ID)]], Few] = Field(
        max_length=library.MOST_IDS
    )


class ChangedSet(Strict):
    """What changes; `revision` is the one that was seen."""

    revision: int = Field(ge=1)
    name: Title | None = None
    about: str | None = Field(None, max_length=LONGEST_ABOUT)
    sight: Sight | None = None
    text: str | None = None
    decks: Annotated[list[KeptDeck], Few] | None = Field(None, max_length=MOST_DECKS)


class VersionShown(BaseModel):
    number: int
    digest: str
    name: str
    cards: int
    made_at: int


class SetInList(BaseModel):
    id: str
    name: str
    about: str
    sight: Sight
    author: str
    mine: bool
    changed_at: int
    latest: VersionShown | None


class KeptSet(SetInList):
    """A set with all its versions; the draft only for whoever made it."""

    versions: list[VersionShown]
    decks: list[KeptDeck]
    revision: int
    text: str | None


class Gone(BaseModel):
    id: str


# ---------------------------------------------------------------- the workshop


class Workshop:
    def __init__(self, hall: Hall, guests: Guests, limits: Limits, reader: SetReader) -> None:
        self.hall, self.store, self.guests, self.limits, self.reader = (
            hall,
            hall.store,
            guests,
            limits,
            reader,
        )
        self.card_sets = CardSets(hall.store)
        self._looks: OrderedDict[tuple[str, int], list[Card]] = (
            OrderedDict()
        )  # good cards, by set and revision

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/sets")(self.list_sets)
        router.post("/api/sets", status_code=201)(self.make_set)
        router.get("/api/sets/{id}")(self.get_set)
        router.put("/api/sets/{id}")(self.change_set)
        router.delete("/api/sets/{id}")(self.delete_set)
        router.post("/api/sets/{id}/versions", status_code=201)(self.publish)
        router.get("/api/sets/{id}/versions/{number}.{format}", responses=FILES)(self.export)
        router.get("/api/card-sets/{digest}", response_model=SetShown)(self.cards)
        router.get("/api/card-sets/{digest}/decks")(self.decks)
        router.get("/api/workshop/language")(language_shown)
        router.post("/api/workshop/card")(self.read_card)
        router.post("/api/workshop/effects")(self.read_effects)
        router.post("/api/workshop/check")(self.check)
        return router

    # ------------------------------------------------------------ sets

    async def list_sets(self, request: Request, listed: bool = False) -> list[SetInList]:
        """Your own sets; with `listed`, those that everybody may find."""
        guest = await self.guests.find(request.headers)
        if listed:
            found = await asyncio.to_thread(shelf.listed_sets, self.store)
        elif guest is None:
            raise Denied(401, "room.who")
        else:
            found = await asyncio.to_thread(shelf.sets_of, self.store, guest.id)
        versions = await asyncio.to_thread(shelf.versions_of, self.store, [row["id"] for row in found])
        return [SetInList(**in_list(row, versions[row["id"]], guest)) for row in found]

    async def make_set(self, asked: NewSet, guest: Person) -> KeptSet:
        """A new set of your own, for your eyes only at first."""
        self.check_size(asked.text)
        name = asked.name
        if not name and asked.text:
            name = (await self.reader.look(asked.text, guest.id))["name"]
        row = await asyncio.to_thread(
            shelf.new_set, self.store, guest.id, set_name(name), asked.text, self.limits
        )
        return kept_set({**row, "author": guest.name}, [], guest)

    async def get_set(self, id: SetId, request: Request) -> KeptSet:
        guest = await self.guests.find(request.headers)
        row = await self.find(id, guest)
        return kept_set(row, await self.versions(id), guest)

    async def change_set(self, id: SetId, asked: ChangedSet, guest: Person) -> KeptSet:
        """Whatever is told is changed, if nobody has changed the set since it was seen."""
        row = await self.find_own(id, guest)
        changes = asked.model_dump(exclude={"revision", "decks"}, exclude_none=True)
        if asked.name is not None:
            changes["name"] = set_name(asked.name)
        if asked.about is not None:
            changes["about"] = plain_text(asked.about)
        if asked.text is not None:
            self.check_size(asked.text)
        if asked.decks is not None:
            changes["decks"] = decks_text(asked.decks)
        row = await asyncio.to_thread(shelf.change_set, self.store, row, asked.revision, changes, self.limits)
        return kept_set(row, await self.versions(id), guest)

    async def delete_set(self, id: SetId, guest: Person) -> Gone:
        """Its versions go with it. Games that were begun with one keep their cards."""
        await self.find_own(id, guest)
        await asyncio.to_thread(shelf.delete_set, self.store, id)
        return Gone(id=id)

    async def find(self, id: str, guest: Guest | None) -> Row:
        """A set that this guest may see; Denied."""
        row = await asyncio.to_thread(shelf.set_of, self.store, id)
        if row is None or (row["sight"] == "private" and not is_own(row, guest)):
            raise Denied(404, "workshop.no_set")
        return row

    async def find_own(self, id: str, guest: Guest) -> Row:
        row = await self.find(id, guest)
        if not is_own(row, guest):
            raise Denied(403, "workshop.not_yours")
        return row

    async def versions(self, id: str) -> list[Row]:
        return (await asyncio.to_thread(shelf.versions_of, self.store, [id]))[id]

    def check_size(self, text: str) -> None:
        if len(text.encode(errors="replace")) > self.limits.set_bytes:
            raise Denied(422, "room.set_large", most=self.limits.set_bytes)
        if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
            raise Denied(422, "workshop.no_text")

    # ------------------------------------------------------------ versions

    async def publish(self, id: SetId, guest: Person) -> VersionShown:
        """The draft as it is now becomes a version; the same cards are the version that there is."""
        return version_shown(await self.publish_draft(await self.find_own(id, guest)))

    async def publish_draft(self, row: Row) -> Row:
        digest, cards = await self.reader.read(row["text"], row["guest"], row["name"])
        body = msgspec.json.encode(cards).decode()
        version = shelf.Version(digest, cards["name"], len(cards["cards"]), row["text"], body)
        return await asyncio.to_thread(shelf.publish, self.store, row, version, self.limits)

    async def version(self, id: str, number: int | None, guest: Guest) -> str:
        """The digest of a version, of the newest one if there is no number; that of one's own set is the
        draft, which becomes one. Denied, OptionError."""
        row = await self.find(id, guest)
        if number is None and is_own(row, guest):
            return str((await self.publish_draft(row))["digest"])
        found = await self.versions(id)
        wanted = [one for one in found if number in (None, one["number"])]
        if not wanted:
            raise Denied(404, "workshop.no_version")
        return str(wanted[-1]["digest"])

    async def export(
        self, id: SetId, number: Annotated[int, Path(ge=1, le=10**6)], format: Format, request: Request
    ) -> Response:
        """A version as a file: TOML exactly as it was written, or a table."""
        guest = await self.guests.find(request.headers)
        row = await self.find(id, guest)
        found = await asyncio.to_thread(shelf.version_of, self.store, id, number)
        if found is None:
            raise Denied(404, "workshop.no_version")
        text = found["text"]
        if format == "csv":
            reader = guest.id if guest else f"{id} {number}"  # whoever made the set does not wait for others
            look = await self.reader.look(text, reader, row["name"], "toml", "csv")
            text = look["written"]
        headers = {"content-disposition": f'attachment; filename="{id}-{number}.{format}"'}
        return Response(text, media_type=TEXTS[format], headers=headers)

    async def cards(self, digest: Digest) -> Response:
        """The cards of a version, as pages show them. Whoever has the digest has the link."""
        found = await asyncio.to_thread(self.card_sets.get, digest)
        body = await asyncio.to_thread(library.set_json, found)
        return Response(body, media_type="application/json")

    async def decks(self, digest: Digest, request: Request) -> list[DeckShown]:
        """The decks that come with a set, as far as this version may be played with them."""
        cards = await asyncio.to_thread(self.card_sets.get, digest)
        if cards is core_set():
            return library.decks()
        guest = await self.guests.find(request.headers)
        kept = await asyncio.to_thread(shelf.decks_with, self.store, digest, guest.id if guest else "")
        return decks_shown(kept[:MOST_DECKS], cards)

    # ------------------------------------------------------------ cards

    async def read_card(self, asked: WrittenCard, guest: Known, request: Request) -> CardRead:
        """All about a card's text: what is wrong with it, what may follow, what it does and is worth."""
        lang = language(request.headers)
        own = await self.own_cards(asked.set, guest)
        return await asyncio.to_thread(read_written, asked, own, lang)

    async def read_effects(self, asked: PickedCard, guest: Known, request: Request) -> CardRead:
        """The same for effects that were picked from lists."""
        lang = language(request.headers)
        own = await self.own_cards(asked.set, guest)
        return await asyncio.to_thread(read_picked, asked, own, lang)

    async def own_cards(self, id: str | None, guest: Guest) -> list[Card]:
        """The good cards of a draft; they are read once for each change."""
        if id is None:
            return []
        row = await self.find_own(id, guest)
        key = (row["id"], row["revision"])
        if key not in self._looks:
            look = (
                await self.reader.look(row["text"], guest.id, row["name"]) if row["text"] else {"cards": []}
            )
            self._looks[key] = await asyncio.to_thread(good_cards, look)
            if len(self._looks) > KEPT_LOOKS:
                self._looks.popitem(last=False)
        return self._looks[key]

    # ------------------------------------------------------------ files

    async def check(self, asked: SetText, guest: Known, request: Request) -> CheckedSet:
        """Everything that is wrong with a set, by lines; the same cards as another kind of file."""
        self.check_size(asked.text)
        look = await self.reader.look(asked.text, guest.id, asked.name, asked.format, asked.into)
        return checked_set(look, language(request.headers))


FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind.partition(";")[0]: {"schema": {"type": "string"}} for kind in TEXTS.values()}}
}


# ---------------------------------------------------------------- how sets are shown


def is_own(row: Row, guest: Guest | None) -> bool:
    return guest is not None and row["guest"] in (guest.id, guest.owner or guest.id)


def in_list(row: Row, versions: list[Row], guest: Guest | None) -> Json:
    keys = ("id", "name", "about", "sight", "author", "changed_at")
    latest = version_shown(versions[-1]) if versions else None
    return {**{key: row[key] for key in keys}, "mine": is_own(row, guest), "latest": latest}


def kept_set(row: Row, versions: list[Row], guest: Guest | None) -> KeptSet:
    return KeptSet(
        **in_list(row, versions, guest),
        versions=[version_shown(version) for version in versions],
        decks=[KeptDeck(**deck) for deck in json.loads(row["decks"])],
        revision=row["revision"],
        text=row["text"] if is_own(row, guest) else None,
    )


def version_shown(row: Row) -> VersionShown:
    return VersionShown(**{key: row[key] for key in ("number", "digest", "name", "cards", "made_at")})


def set_name(name: str) -> str:
    """What a set may be called; Denied."""
    name = " ".join(name.split())
    if not name or not visible(name) or not is_plain(name):
        raise Denied(422, "set.name", name=name[:40])
    if is_official(name):
        raise Denied(422, "set.core", name=name[:40])
    return name


def is_official(name: str) -> bool:
    """Whether it could pass for the game's own."""
    return sounds_official(name)


def plain_text(text: str) -> str:
    """Lines of text, without anything that nobody sees."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    if not all(line.isprintable() for line in lines):
        raise Denied(422, "workshop.no_text")
    return "\n".join(lines).strip()


def decks_text(decks: list[KeptDeck]) -> str:
    """As they are kept. Whether they are legal depends on the version, and on the match."""
    told = []
    for deck in decks:
        name = plain_text(deck.name).replace("\n", " ")
        if not visible(name):
            raise Denied(422, "workshop.deck_name")
        told.append({"name": name, "about": plain_text(deck.about), "cards": deck.cards})
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def decks_shown(kept: list[Json], cards: CardSet) -> list[DeckShown]:
    found = []
    for number, told in enumerate(kept, 1):
        deck = deck_of(cards.name, told["cards"])
        if not faults(deck, cards):
            found.append(
                DeckShown(
                    id=f"own-{number}",
                    name=dict.fromkeys(LANGUAGES, str(told["name"])),
                    description=dict.fromkeys(LANGUAGES, str(told["about"])),
                    cards=deck.ids(),
                    code=encode(deck, cards),
                )
            )
    return found
