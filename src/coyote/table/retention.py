"""What is kept for how long. Finished games stay; rooms that came to nothing, and guests who never
played and never came back, go."""

import asyncio
import logging
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from coyote.table.hall import Hall
from coyote.table.store import (
    Store,
    StoreError,
    board_rooms,
    boards,
    card_sets,
    changing,
    guests,
    pars,
    players,
    ratings,
    records,
    room_inputs,
    rooms,
    rows,
    set_versions,
    sets,
    tournaments,
    variants,
    weighings,
)

log = logging.getLogger("coyote.table")

FIRST = 3600  # seconds from the start until the first time
DAY = 24 * 3600 * 1000  # milliseconds
AT_ONCE = 100  # rooms or guests in one transaction: moves are waiting to be kept, too
BETWEEN = 0.05  # seconds between two of those

SET_OF_ROOM = {  # from its first input
    "sqlite": "inputs.body ->> '$.terms.set'",
    "postgresql": "inputs.body::json #>> '{terms,set}'",
}


@dataclass(frozen=True)
class Terms:
    """Days without anything new, after which something goes."""

    waiting: int = 7  # rooms where no cards are dealt yet, or never were: nobody came, or a nonce did not
    games: int = 90  # games that nobody has ended
    guests: int = 90  # guests without a game
    finished: int = 0  # finished games; 0: they stay for good
    drafts: int = 365  # sets of which no version was published
    weighings: int = 1  # what was found out about cards


def prune(
    store: Store,
    now: int,
    terms: Terms = Terms(),  # noqa: B008 - it is frozen
    in_use: Collection[str] = frozenset(),
    dry_run: bool = False,
) -> dict[str, int]:
    """How many of each went, or would go. May wait: not for the event loop's thread.

    `now` is the time that inputs have; `in_use` are rooms that somebody has open.
    """
    old = [id for id in old_rooms(store, now, terms) if id not in in_use]
    if not dry_run:
        for some in parts(old):
            _delete_rooms(store, some)
    drafts = old_drafts(store, now, terms)
    if not dry_run:
        for some in parts(drafts):
            _delete_drafts(store, some)
        _delete_weighings(store, now - terms.weighings * DAY)
        _delete_unplayed(store, now - terms.waiting * DAY)
    alone = old_guests(store, now, terms)  # those too whose last room has just gone
    if not dry_run:
        for some in parts(alone):
            _delete_guests(store, some, now - terms.guests * DAY)
    sets = len(unused := unused_sets(store))
    if unused and not dry_run:
        sets = _delete_sets(store, unused, now)
    return {"rooms": len(old), "guests": len(alone), "sets": sets + len(drafts)}


async def keep_pruned(hall: Hall) -> None:
    """Once a day, but not just after a start: whoever waited for the server to come back shall come first."""
    await asyncio.sleep(FIRST)
    while True:
        try:
            counts = await asyncio.to_thread(prune, hall.store, hall.now(), Terms(), frozenset(hall.rooms))
        except StoreError as error:
            log.warning("not pruned", extra={"why": error.why})
        else:
            log.info("pruned", extra=counts)
            for kind, number in counts.items():
                hall.metrics.count("pruned", number, kind=kind)
        await asyncio.sleep(DAY / 1000)


def old_rooms(store: Store, now: int, terms: Terms) -> list[str]:
    found = []
    for phases, days in (
        (("waiting", "seated", "closed", "ended"), terms.waiting),
        (("playing",), terms.games),
        (("over",), terms.finished),
    ):
        if days:
            found += _untouched(store, phases, now - days * DAY)
    return found


def _untouched(store: Store, phases: Collection[str], since: int) -> list[str]:
    later = sa.exists().where(room_inputs.c.room == rooms.c.id, room_inputs.c.at >= since)
    query = sa.select(rooms.c.id).where(
        rooms.c.phase.in_(phases), rooms.c.made_at < since, rooms.c.touched_at < since, ~later
    )
    return [str(row["id"]) for row in rows(store, query)]


def old_guests(store: Store, now: int, terms: Terms) -> list[str]:
    if not terms.guests:
        return []
    query = sa.select(guests.c.id).where(*_is_old(now - terms.guests * DAY))
    return [str(row["id"]) for row in rows(store, query)]


def _is_old(since: int) -> list[sa.ColumnElement[bool]]:
    """A guest who has no game, no bot and nothing in the workshop, and has not been seen."""
    bot = guests.alias("bot")
    return [
        guests.c.seen_at < since,
        guests.c.made_at < since,
        ~sa.exists().where(players.c.guest == guests.c.id),
        ~sa.exists().where(ratings.c.who == guests.c.id),
        ~sa.exists().where(bot.c.owner == guests.c.id),
        ~sa.exists().where(sets.c.guest == guests.c.id),
        ~sa.exists().where(variants.c.guest == guests.c.id),
    ]


def parts(ids: list[str]) -> Iterator[list[str]]:
    for first in range(0, len(ids), AT_ONCE):
        if first:
            time.sleep(BETWEEN)
        yield ids[first : first + AT_ONCE]


def _delete_rooms(store: Store, ids: list[str]) -> None:
    with changing(store) as connection:
        for table in (room_inputs, players, records, board_rooms, pars):
            connection.execute(sa.delete(table).where(table.c.room.in_(ids)))
        connection.execute(sa.delete(rooms).where(rooms.c.id.in_(ids)))


def _delete_guests(store: Store, ids: list[str], since: int) -> None:
    """Unless they have come back meanwhile."""
    with changing(store) as connection:
        connection.execute(sa.delete(guests).where(guests.c.id.in_(ids), *_is_old(since)))


def old_drafts(store: Store, now: int, terms: Terms) -> list[str]:
    if not terms.drafts:
        return []
    published = sa.exists().where(set_versions.c.set == sets.c.id)
    query = sa.select(sets.c.id).where(sets.c.changed_at < now - terms.drafts * DAY, ~published)
    return [str(row["id"]) for row in rows(store, query)]


def _delete_drafts(store: Store, ids: list[str]) -> None:
    """Unless they were published meanwhile."""
    published = sa.exists().where(set_versions.c.set == sets.c.id)
    with changing(store) as connection:
        connection.execute(sa.delete(sets).where(sets.c.id.in_(ids), ~published))


def _delete_weighings(store: Store, before: int) -> None:
    with changing(store) as connection:
        connection.execute(sa.delete(weighings).where(weighings.c.made_at < before))


def _delete_unplayed(store: Store, before: int) -> None:
    """Boards and tournaments that never began."""
    with changing(store) as connection:
        connection.execute(sa.delete(boards).where(boards.c.phase != "dealt", boards.c.made_at < before))
        waits = tournaments.c.phase == "open"
        connection.execute(sa.delete(tournaments).where(waits, tournaments.c.made_at < before))


def unused_sets(store: Store) -> list[str]:
    used: sa.ColumnElement[str] = sa.literal_column(SET_OF_ROOM[store.engine.dialect.name])
    first = sa.select(used).select_from(room_inputs).where(room_inputs.c.number == 0)
    there = {str(row["digest"]) for row in rows(store, sa.select(card_sets.c.digest))}
    there -= {str(row["digest"]) for row in rows(store, sa.select(set_versions.c.digest))}
    return sorted(there - {str(next(iter(row.values()))) for row in rows(store, first)}) if there else []


def _delete_sets(store: Store, digests: list[str], now: int) -> int:
    """Unless a room is made with one at this moment; then they stay until the next time."""
    used: sa.ColumnElement[str] = sa.literal_column(SET_OF_ROOM[store.engine.dialect.name])
    new = sa.select(used).select_from(room_inputs.join(rooms, rooms.c.id == room_inputs.c.room))
    new = new.where(room_inputs.c.number == 0, rooms.c.made_at > now - DAY, used.is_not(None))
    kept = sa.select(set_versions.c.digest)
    gone = sa.delete(card_sets).where(
        card_sets.c.digest.in_(digests), card_sets.c.digest.not_in(new), card_sets.c.digest.not_in(kept)
    )
    try:
        with changing(store, "SERIALIZABLE") as connection:
            return connection.execute(gone).rowcount
    except StoreError:
        return 0
