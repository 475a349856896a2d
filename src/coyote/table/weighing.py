"""What cards and decks are worth, by playing: jobs that guests ask for, played in a process apart.

A guest has one at a time: whoever asks for another gives up the first. Jobs are rows of the database, so any
process of a table tells how far one is, and whichever has nothing to do plays the one that waits longest. A
job that was given up is gone from there, and whoever plays it notices.
"""

import asyncio
import json
import logging
import os
import secrets
import sys
import time
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa
from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from coyote.games.duel import reading
from coyote.games.duel.decks import DeckCodeError, decode, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.language import read
from coyote.games.duel.records import write_set
from coyote.games.duel.sets import LONGEST_ID, LONGEST_TEXT, CardSet, Rarity, core_set
from coyote.games.game import Json
from coyote.table import shelf
from coyote.table.bodies import Few, Strict, Word
from coyote.table.card_sets import CardSets
from coyote.table.guests import Person
from coyote.table.hall import Hall
from coyote.table.identity import Guest
from coyote.table.limits import Denied
from coyote.table.set_reader import environment
from coyote.table.store import Row, StoreError, changing, milliseconds, rows, weighings
from coyote.table.workshop import MOST_DECKS, Gone
from coyote.text import LANGUAGES, Lang, Words

log = logging.getLogger("coyote.table")

STARTING = 900.0  # seconds that the process has until it can play: the first time much is compiled
ANSWERING = 30.0  # and between two answers
LONGEST = 60.0  # for one job; what is known then is the answer
OFTEN = 0.5  # seconds between two notes of how far a job is
ALONE, SHARED = 60.0, 2.0  # seconds between two looks for jobs of other processes, or of those that died
FORGOTTEN = 20_000  # milliseconds after which a job that nobody plays any more is played anew
IDLE = 120.0  # seconds that the process stays with nothing to do
MOST_WAITING = 100
START: tuple[str, ...] = ("-m",)  # a process that plays, by the name of its module
COMPILES = ("HOME", "XDG_CACHE_HOME", "COYOTE_CACHE")  # of the environment: where compiled rules are kept

JobId = Annotated[str, Path(max_length=40, pattern=r"^[0-9A-Za-z_-]+$")]
Both = dict[Lang, str]
State = Literal["waiting", "playing", "done", "failed"]


# ---------------------------------------------------------------- what is asked and answered


class WeighCard(Strict):
    """A card by its text: in a deck of a version (`deck`, a code, or its first that has a place for it), or
    in one of the core set. `id`: the card of the deck that it takes the place of, if that has it."""

    text: str = Field(max_length=LONGEST_TEXT)
    id: str = Field("", max_length=LONGEST_ID)
    rarity: Rarity = "common"
    set: str | None = Field(None, pattern=r"^[0-9a-f]{32}$")
    deck: str | None = Field(None, max_length=400)


class WeighSet(Strict):
    """The decks of a version against each other: its own ones, or these codes."""

    set: str = Field(pattern=r"^[0-9a-f]{32}$")
    decks: Annotated[list[Annotated[str, Field(max_length=400)]], Few] = Field(
        default_factory=list, max_length=12
    )
    options: Annotated[dict[Word, Word | bool | int], Few] = Field(default_factory=dict, max_length=40)


class Weigh(Strict):
    """One of the two."""

    card: WeighCard | None = None
    set: WeighSet | None = None


class Share(BaseModel):
    """A share or a difference of shares, from 0 to 1, with its 95 % interval."""

    mean: float
    low: float
    high: float


class CardWeighed(BaseModel):
    """`worth`: how much more a deck wins with the card than with one that does nothing; `more`: than with
    `usual`, a card of the core set that others of its kind are measured by. `place`: the card whose place it
    took; `same`: cards of the core set that do the same; `ahead`: bots that look ahead have played."""

    says: Literal["strong", "usual", "weak", "dead"]
    text: Both
    worth: Share
    more: Share
    usual: str
    place: str
    same: list[str]
    ahead: bool
    games: int


class DecksWeighed(BaseModel):
    """By deck: its share against the field; `matrix` is that of the row against the column."""

    names: list[str]
    codes: list[str]
    field: list[Share]
    matrix: list[list[Share | None]]
    text: Both
    games: int


class Weighing(BaseModel):
    """`ahead`: how many wait before it. What is known so far is told also before the end."""

    job: str
    state: State
    ahead: int
    progress: float
    card: CardWeighed | None
    decks: DecksWeighed | None
    problem: Both | None


# ---------------------------------------------------------------- jobs


class Weighings:
    def __init__(self, hall: Hall, card_sets: CardSets) -> None:
        self.hall, self.store, self.card_sets = hall, hall.store, card_sets
        self.player = Player("coyote.table.weigher")
        self._news = asyncio.Event()

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.post("/api/workshop/weigh", status_code=202)(self.ask)
        router.get("/api/workshop/jobs/{job}")(self.look)
        router.delete("/api/workshop/jobs/{job}")(self.stop)
        return router

    async def ask(self, asked: Weigh, guest: Person) -> Weighing:
        """Have a card weighed, or the decks of a set; what you asked for before is given up."""
        job = await asyncio.to_thread(self.job_of, asked, guest)
        row = await asyncio.to_thread(self.keep, guest, job)
        self._news.set()
        return shown(row, await asyncio.to_thread(self.ahead, row))

    async def look(self, job: JobId, guest: Person) -> Weighing:
        """How far it is, and what is known so far."""
        row = await asyncio.to_thread(self.find, job, guest)
        return shown(row, await asyncio.to_thread(self.ahead, row))

    async def stop(self, job: JobId, guest: Person) -> Gone:
        await asyncio.to_thread(self.find, job, guest)
        await asyncio.to_thread(self.remove, job)
        return Gone(id=job)

    # ------------------------------------------------------------ what is asked

    def job_of(self, asked: Weigh, guest: Guest) -> Json:
        """All that the process needs to know; Denied, Refused, OptionError."""
        if (asked.card is None) == (asked.set is None):
            raise Denied(422, "workshop.which_weighing")
        if asked.card:
            return self.card_job(asked.card, guest)
        assert asked.set is not None
        cards = self.card_sets.get(asked.set.set)
        game = Duel(card_set=cards, **Duel.known(dict(asked.set.options)))
        decks = [named(code, cards) for code in asked.set.decks] or self.decks_of(cards, guest)
        if len(decks) < 2:
            raise Denied(422, "workshop.few_decks")
        return {"kind": "set", "cards": write_set(cards), "decks": decks, "options": game.options}

    def card_job(self, asked: WeighCard, guest: Guest) -> Json:
        told = reading.read_card(asked.text)
        if told.program is None:
            raise Denied(422, told.faults[0].why)
        job: Json = {"kind": "card", "id": asked.id or "-", "rarity": asked.rarity, "text": asked.text}
        if asked.set is None:
            return job
        cards = self.card_sets.get(asked.set)
        decks = self.decks_of(cards, guest)
        if asked.deck:
            decks = [named(asked.deck, cards), *decks]
        return {**job, "cards": write_set(cards), "decks": decks}

    def decks_of(self, cards: CardSet, guest: Guest) -> list[Json]:
        """That come with a set."""
        if cards is core_set():
            return [{"name": deck.id, "cards": deck.ids()} for deck in ready_decks().values()]
        return shelf.decks_with(self.store, cards.digest, guest.id)[:MOST_DECKS]

    # ------------------------------------------------------------ rows

    def keep(self, guest: Guest, job: Json) -> Row:
        row = {
            "id": secrets.token_urlsafe(shelf.ID_BYTES), "guest": guest.id, "asked": json.dumps(job),
            "state": "waiting", "progress": 0.0, "found": "", "made_at": milliseconds(), "hall": "",
            "alive": 0,
        }  # fmt: skip
        with changing(self.store) as connection:
            shelf.hold(connection, self.store, guest.id)
            connection.execute(sa.delete(weighings).where(weighings.c.guest == guest.id))
            waiting = sa.select(sa.func.count()).where(weighings.c.state == "waiting")
            if connection.execute(waiting).scalar_one() >= MOST_WAITING:
                raise Denied(429, "workshop.weighing_busy", retry_after=LONGEST)
            connection.execute(sa.insert(weighings), row)
        return row

    def find(self, job: str, guest: Guest) -> Row:
        found = rows(self.store, sa.select(weighings).where(weighings.c.id == job))
        if not found or found[0]["guest"] != guest.id:
            raise Denied(404, "workshop.no_job")
        return found[0]

    def ahead(self, row: Row) -> int:
        if row["state"] != "waiting":
            return 0
        before = sa.select(sa.func.count().label("n")).where(
            weighings.c.state.in_(("waiting", "playing")), weighings.c.made_at < row["made_at"]
        )
        return int(rows(self.store, before)[0]["n"])

    def remove(self, job: str) -> None:
        with changing(self.store) as connection:
            connection.execute(sa.delete(weighings).where(weighings.c.id == job))

    def take_next(self) -> Row | None:
        """The job that waits longest, or that of a process that is gone; it is ours then."""
        now = milliseconds()
        forgotten = sa.and_(weighings.c.state == "playing", weighings.c.alive < now - FORGOTTEN)
        free = sa.or_(weighings.c.state == "waiting", forgotten)
        query = sa.select(weighings).where(free).order_by(weighings.c.made_at).limit(1)
        while found := rows(self.store, query):
            mine = sa.update(weighings).where(weighings.c.id == found[0]["id"], free)
            with changing(self.store) as connection:
                taken = connection.execute(mine.values(state="playing", hall=self.store.hall, alive=now))
            if taken.rowcount:
                return found[0]
        return None

    def note(self, row: Row, **values: Any) -> bool:
        """Whether the job is still wanted, and ours."""
        ours = sa.update(weighings).where(
            weighings.c.id == row["id"], weighings.c.state == "playing", weighings.c.hall == self.store.hall
        )
        with changing(self.store) as connection:
            return connection.execute(ours.values(**values, alive=milliseconds())).rowcount > 0

    # ------------------------------------------------------------ playing

    async def run(self) -> None:
        """One job after another, for as long as the server runs."""
        idle_since = time.monotonic()
        while True:
            self._news.clear()
            row = None
            with suppress(StoreError):
                row = await asyncio.to_thread(self.take_next)
            if row is not None:
                await self.play(row)
                idle_since = time.monotonic()
                continue
            if time.monotonic() - idle_since > IDLE:
                await self.player.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), SHARED if self.store.shared else ALONE)

    async def play(self, row: Row) -> None:
        """To the end, or until it is given up, or takes too long."""
        try:
            await self._play(row)
        except StoreError as error:
            log.warning("weighing not noted", extra={"why": error.why})
            await self.player.close()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, msgspec.DecodeError) as error:
            log.error("weighing failed", exc_info=error)
            await self.player.close()
            self.hall.metrics.count("errors", where="weighing")
            found = {"refused": {lang: Words(lang)("workshop.weighing_failed") for lang in LANGUAGES}}
            with suppress(StoreError):
                await asyncio.to_thread(self.note, row, state="failed", found=json.dumps(found))

    async def _play(self, row: Row) -> None:
        starting = asyncio.create_task(self.player.start())
        while not starting.done():  # it may take a while, and somebody may give up meanwhile
            await asyncio.wait([starting], timeout=FORGOTTEN / 4000)
            if not await asyncio.to_thread(self.note, row):
                await starting
                return
        await starting
        until, noted = time.monotonic() + LONGEST, 0.0
        told = await self.player.begin(row["asked"].encode())
        while True:
            now = time.monotonic()
            last = told["last"] or now > until
            if last or now - noted > OFTEN:
                state = "playing" if not last else "failed" if "refused" in told else "done"
                values = {"state": state, "progress": told.get("progress", 0.0), "found": json.dumps(told)}
                last = not await asyncio.to_thread(self.note, row, **values) or last
                noted = now
            if last:
                return await self.player.end(told["last"])
            told = await self.player.go_on()

    async def close(self) -> None:
        await self.player.close()


class Player:
    """A process that plays or looks for long, and says how far it is (`weigher`, `analyst`)."""

    def __init__(self, module: str) -> None:
        self.module = module
        self._process: Process | None = None

    async def start(self) -> None:
        """Unless it is there."""
        if self._process is not None and self._process.returncode is None:
            return
        more = {name: os.environ[name] for name in COMPILES if name in os.environ}
        env = {key: value for key, value in environment().items() if key not in ("NUMBA_DISABLE_JIT",)}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-W", "ignore", *START, self.module,
            stdin=PIPE, stdout=PIPE, start_new_session=True, env={**env, **more},
        )  # fmt: skip
        await self._hear(STARTING)

    async def begin(self, job: bytes, seconds: float = ANSWERING) -> Json:
        await self._say(job)
        return await self._answer(seconds)

    async def go_on(self, seconds: float = ANSWERING) -> Json:
        await self._say(b"on")
        return await self._answer(seconds)

    async def end(self, is_over: bool) -> None:
        """The job is over, or not wanted any more."""
        await self._say(b"on" if is_over else b"enough")

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def _say(self, body: bytes) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(len(body).to_bytes(4, "big") + body)
        await self._process.stdin.drain()

    async def _answer(self, seconds: float = ANSWERING) -> Json:
        found: Json = msgspec.json.decode(await self._hear(seconds))
        return found

    async def _hear(self, seconds: float) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        async with asyncio.timeout(seconds):
            length = int.from_bytes(await self._process.stdout.readexactly(4), "big")
            return await self._process.stdout.readexactly(length)


# ---------------------------------------------------------------- how it is shown


def named(code: str, cards: CardSet) -> Json:
    try:
        return {"name": code, "cards": decode(code, cards).ids()}
    except DeckCodeError as error:
        raise Denied(422, error.refusal) from None


def shown(row: Row, ahead: int) -> Weighing:
    found = json.loads(row["found"]) if row["found"] else {}
    asked = json.loads(row["asked"])
    known = "games" in found
    return Weighing(
        job=row["id"],
        state=row["state"],
        ahead=ahead,
        progress=row["progress"],
        card=card_weighed(asked, found) if known and asked["kind"] == "card" else None,
        decks=decks_weighed(found) if known and asked["kind"] == "set" else None,
        problem=found.get("refused"),
    )


def card_weighed(asked: Json, found: Json) -> CardWeighed:
    program = read(asked["text"])
    same = [card for card in core_set().cards if card.program == program]
    values = {**{key: percent(found[key]) for key in ("worth", "more")}, "games": found["games"]}
    usual = core_set().by_id[found["usual"]]
    text = {
        lang: Words(lang)(f"workshop.weighed.{found['says']}", usual=usual.name(lang), **flat(values))
        + "".join(" " + Words(lang)("workshop.weighed.same", name=card.name(lang)) for card in same[:1])
        for lang in LANGUAGES
    }
    keys = ("says", "worth", "more", "usual", "place", "ahead", "games")
    return CardWeighed(**{key: found[key] for key in keys}, text=text, same=[card.id for card in same])


def decks_weighed(found: Json) -> DecksWeighed:
    ranked = sorted(zip(found["names"], found["field"], strict=True), key=lambda one: -one[1]["mean"])
    (best, most), (worst, least) = ranked[0], ranked[-1]
    even = most["low"] <= least["high"]
    key = "workshop.weighed.even" if even else "workshop.weighed.uneven"
    values = {"best": best, "worst": worst, **flat({"most": percent(most), "least": percent(least)})}
    text = {lang: Words(lang)(key, games=found["games"], **values) for lang in LANGUAGES}
    keys = ("names", "codes", "field", "matrix", "games")
    return DecksWeighed(**{key: found[key] for key in keys}, text=text)


def percent(share: Json) -> Json:
    return {key: 100 * value for key, value in share.items()}


def flat(values: Json) -> Json:
    """`worth` with its interval as `worth`, `worth_low` and `worth_high`."""
    told: Json = {}
    for name, value in values.items():
        if isinstance(value, dict):
            told |= {name: value["mean"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
        else:
            told[name] = value
    return told
