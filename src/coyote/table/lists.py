"""Lists of games: those that wait for anybody, those that can be watched, and one's own with their sums."""

import asyncio
import json
import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from coyote.games.game import Json
from coyote.table import played
from coyote.table.guests import Known
from coyote.table.hall import Hall
from coyote.table.limits import Denied
from coyote.table.played import Outcome, Wanted
from coyote.table.store import Row
from coyote.text import LANGUAGES, Lang, Words, titles_of

MOST_WATCHED = 50
WATCHED_FOR = 24 * 3600 * 1000  # milliseconds after the deal that a game is on the list of those to watch
MOST_OWN = 100
CURSOR = re.compile(r"(\d{1,15})-([0-9a-zA-Z_-]{1,40})")


class ListedSet(BaseModel):
    """The cards that are played with; only the core set is called core."""

    name: str
    digest: str
    core: bool


class Listed(BaseModel):
    room: str
    made_at: int
    phase: str
    game: str
    rules: int
    options: dict[str, Any]
    title: dict[Lang, str]
    set: ListedSet | None
    clock: dict[str, float]
    opponent: str
    begins: str
    names: list[str | None]
    result: dict[str, Any] | None
    rated: bool


class OwnRating(BaseModel):
    """What a game has made of one's own."""

    before: int
    after: int


class OwnGame(Listed):
    """From the side of the guest who asks."""

    party: int | None  # null at one device for two
    other: str | None  # the name of the one opposite
    turn: Literal["yours", "theirs"] | None
    outcome: Outcome | None
    reason: str | None
    why: dict[Lang, str] | None  # the same in words
    deck: str | None  # a ready one's name, or a code
    their_deck: str | None  # after the end
    turns: int | None
    ended_at: int | None
    next: str | None  # the room of the rematch
    rating: OwnRating | None  # where the game was rated, and has counted


class OwnGames(BaseModel):
    games: list[OwnGame]
    next: str | None  # the `before` of the games that follow


class Sums(BaseModel):
    """Of finished games that counted; `turns` and `seconds` are means."""

    games: int
    won: int
    lost: int
    drawn: int
    turns: float
    seconds: float


class GameSums(Sums):
    game: str
    edition: str | None = None


class OpponentSums(Sums):
    bot: str | None  # of ours
    name: str | None  # of a person; null where they are gone


class DeckSums(Sums):
    deck: str


class Statistics(BaseModel):
    games: list[GameSums]
    editions: list[GameSums]
    opponents: list[OpponentSums]
    decks: list[DeckSums]
    alone: list[GameSums]  # two at one device: nobody has won or lost there


Word = Annotated[str, Query(max_length=40)]


class Lists:
    def __init__(self, hall: Hall) -> None:
        self.hall, self.store = hall, hall.store

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.get("/api/waiting")(self.waiting)
        router.get("/api/playing")(self.playing)
        router.get("/api/mine")(self.mine)
        router.get("/api/me/games")(self.own_games)
        router.get("/api/me/statistics")(self.statistics)
        return router

    async def waiting(self) -> list[Listed]:
        """Games that wait for anybody."""
        return [listed(row) for row in await asyncio.to_thread(self.store.listed, "waiting")]

    async def playing(self) -> list[Listed]:
        """Games that began on the open list and can be watched, the newest first."""
        since = self.hall.now() - WATCHED_FOR
        found = await asyncio.to_thread(self.store.listed, "playing", MOST_WATCHED, since)
        return [listed(row) for row in found]

    async def mine(self, guest: Known) -> list[Listed]:
        """Your games, the newest first."""
        return [listed(row) for row in await asyncio.to_thread(self.store.rooms_of, guest.id)]

    async def own_games(
        self,
        guest: Known,
        phase: Literal["going", "over", ""] = "",
        game: Word = "",
        edition: Word = "",
        against: Word = "",
        result: Literal["won", "lost", "drawn", "aborted", ""] = "",
        before: Annotated[str, Query(max_length=60)] = "",
        most: Annotated[int, Field(ge=1, le=MOST_OWN)] = 50,
    ) -> OwnGames:
        """Your games as they look from your side, the newest first, page by page."""
        wanted = Wanted(phase, game, edition, against, result, read_cursor(before) if before else None)
        found = await asyncio.to_thread(played.games_of, self.store, guest.id, wanted, most + 1)
        last = found[most - 1] if len(found) > most else None
        return OwnGames(
            games=[own_game(row) for row in found[:most]],
            next=f"{last['made_at']}-{last['room']}" if last else None,
        )

    async def statistics(self, guest: Known, game: Word = "") -> Statistics:
        """How your games have ended: by game, edition, opponent and deck, the most frequent first."""
        found = await asyncio.to_thread(played.sums, self.store, guest.id, game)
        return Statistics(
            games=[GameSums(game=row["game"], **numbers(row)) for row in found["games"]],
            editions=[
                GameSums(game=row["game"], edition=row["edition"], **numbers(row))
                for row in found["editions"]
            ],
            opponents=[opponent_sums(row) for row in found["opponents"]],
            decks=[DeckSums(deck=row["deck"], **numbers(row)) for row in found["decks"]],
            alone=[GameSums(game=row["game"], **numbers(row)) for row in found["alone"]],
        )


def listed(row: Json) -> Listed:
    return Listed(room=row["id"], made_at=row["made_at"], phase=row["phase"], **about_of(row))


def about_of(row: Row) -> Json:
    """From before a room told its title: what a game of that name is called."""
    about = {"rules": 1, "set": None, "rated": False, **json.loads(row["about"])}
    about.setdefault("title", titles_of(about["game"], about["options"]))
    return about


def own_game(row: Row) -> OwnGame:
    """What became of a game of an older server may not be noted yet."""
    about = {"next": None, **about_of(row)}
    party, over = row["party"] if row["game"] else played.BOTH, row["phase"] == "over"
    alone = party == played.BOTH
    result = about["result"] or {}
    return OwnGame(
        **about,
        room=row["room"],
        made_at=row["made_at"],
        phase=row["phase"],
        party=None if alone else party,
        other=about["names"][1 if alone else 1 - party],
        turn=played.whose_turn(row["turn"], party),
        outcome=None if row["outcome"] in ("", "played") else row["outcome"],
        reason=result.get("reason"),
        why={lang: Words(lang)(f"reason.{result['reason']}") for lang in LANGUAGES} if result else None,
        deck=row["deck"] or None,
        their_deck=(row["their_deck"] or None) if over else None,
        turns=row["turns"] or None,
        ended_at=row["ended_at"] or None,
        rating=own_rating(row),
    )


def own_rating(row: Row) -> OwnRating | None:
    if row["rating"] is None:
        return None
    return OwnRating(before=round(row["before"]), after=round(row["rating"]))


def opponent_sums(row: Row) -> OpponentSums:
    person = row["against"] == "person"
    return OpponentSums(
        bot=None if person else row["against"], name=row["name"] if person else None, **numbers(row)
    )


def numbers(row: Row) -> Json:
    return {
        "games": row["number"],
        **{one: row[one] for one in played.COUNTED},
        "turns": round(float(row["turns"]), 1),
        "seconds": round(float(row["lasted"]) / 1000),
    }


def read_cursor(text: str) -> tuple[int, str]:
    if not (found := CURSOR.fullmatch(text)):
        raise Denied(422, "room.malformed", what="before")
    return int(found[1]), found[2]
