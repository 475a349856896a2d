"""What is done to guests and their games besides playing: codes, tokens, bans, export, deletion.

Plain SQL in the database's own time; each function may wait, so the event loop calls it in a thread.
Another process, such as `coyote table admin`, may do the same meanwhile.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from coyote.games.game import Json
from coyote.table import boards, ladder, shelf, tournaments
from coyote.table.games import Games
from coyote.table.inputs import Make
from coyote.table.logs import short
from coyote.table.room import replay
from coyote.table.store import (
    Row,
    Store,
    guests,
    players,
    records,
    room_inputs,
    rooms,
    settings,
    transfers,
    weighings,
)
from coyote.table.store import changing as changing
from coyote.table.store import milliseconds as milliseconds
from coyote.table.store import rows as rows
from coyote.text import Refused
from coyote.text.harmless import one_line

UNFINISHED = ("waiting", "seated", "playing")
NOBODY = "—"  # what a guest is called who is gone
MOST_CODES = 3  # of a guest, at once
CODE_LASTS = 10 * 60 * 1000  # milliseconds
NEVER = 2**62  # from when on a token counts that is revoked


class Unfinished(Refused):
    """Somebody waits for a move of this guest's."""

    def __init__(self, found: Sequence[Row]) -> None:
        super().__init__("room.unfinished", n=len(found))
        self.rooms = [str(row["id"]) for row in found]


class NoGuest(Refused):
    def __init__(self, who: str) -> None:
        super().__init__("admin.no_guest", who=who)


# ---------------------------------------------------------------- one guest


def change_guest(store: Store, id: str, **values: Any) -> bool:
    """Whether there is one of that id."""
    with changing(store) as connection:
        return connection.execute(sa.update(guests).where(guests.c.id == id).values(values)).rowcount > 0


class Standing(NamedTuple):
    """Whether a guest counts."""

    valid_from: int
    banned: bool


def standings(store: Store, ids: Sequence[str]) -> dict[str, Standing]:
    found: dict[str, Standing] = {}
    for first in range(0, len(ids), 500):
        some = guests.c.id.in_(ids[first : first + 500])
        for row in rows(store, sa.select(guests.c.id, guests.c.valid_from, guests.c.banned).where(some)):
            found[row["id"]] = Standing(row["valid_from"], bool(row["banned"]))
    return found


def ban(store: Store, id: str, banned: bool = True) -> None:
    """A guest and their bots: nothing more is taken from them."""
    theirs = sa.or_(guests.c.id == id, guests.c.owner == id)
    with changing(store) as connection:
        connection.execute(sa.update(guests).where(theirs).values(banned=banned))


# ---------------------------------------------------------------- codes


def keep_code(store: Store, digest: str, guest: str, now: int) -> int:
    """Until when it counts. Of a guest's codes the newest few do."""
    until = now + CODE_LASTS
    mine = sa.select(transfers.c.digest).where(transfers.c.guest == guest)
    newest = mine.order_by(transfers.c.until.desc()).limit(MOST_CODES - 1)
    with changing(store) as connection:
        connection.execute(sa.delete(transfers).where(transfers.c.until <= now))
        old = sa.delete(transfers).where(
            transfers.c.guest == guest, transfers.c.digest.not_in(newest.scalar_subquery())
        )
        connection.execute(old)
        connection.execute(sa.insert(transfers), {"digest": digest, "guest": guest, "until": until})
    return until


def use_code(store: Store, digest: str, now: int) -> str | None:
    """Whose code it is; it counts once, however many ask at the same moment."""
    one = transfers.c.digest == digest
    with changing(store) as connection:
        gone = sa.delete(transfers).where(one, transfers.c.until > now).returning(transfers.c.guest)
        found = connection.execute(gone).first()
    return None if found is None else str(found[0])


# ---------------------------------------------------------------- bots and their tokens


def bots_of(store: Store, owner: str) -> list[Row]:
    """All that there ever were and that are not deleted."""
    return rows(store, sa.select(guests).where(guests.c.owner == owner).order_by(guests.c.made_at))


def revoke(store: Store, id: str) -> None:
    """A bot's token counts no more. Where it has played it is remembered by its name."""
    change_guest(store, id, valid_from=NEVER)


# ---------------------------------------------------------------- deletion


def delete_guest(store: Store, id: str) -> list[str]:
    """A guest and their bots: gone, and without a name in finished games. The rooms that changed.

    Unfinished where somebody may still wait for them. Deals, moves and proofs stay as they were: no name
    is part of them.
    """
    everybody = [id, *(row["id"] for row in bots_of(store, id))]
    if open_rooms := unfinished_rooms(store, everybody):
        raise Unfinished(open_rooms)
    theirs = rows(store, sa.select(players.c.room).where(players.c.guest.in_(everybody)).distinct())
    changed = [str(row["room"]) for row in theirs]
    for room in changed:  # each for itself: it may be many, and others want to write too
        with changing(store) as connection:
            forget_names(connection, room, everybody)
    with changing(store) as connection:
        connection.execute(sa.delete(players).where(players.c.guest.in_(everybody)))
        connection.execute(sa.update(players).where(players.c.other.in_(everybody)).values(other=""))
        shelf.forget(connection, everybody)
        ladder.forget(connection, everybody)
        boards.forget(connection, everybody)
        tournaments.forget(connection, everybody)
        for table in (transfers, weighings):
            connection.execute(sa.delete(table).where(table.c.guest.in_(everybody)))
        connection.execute(sa.delete(guests).where(guests.c.id.in_(everybody)))
    return changed


def unfinished_rooms(store: Store, ids: Sequence[str]) -> list[Row]:
    query = sa.select(rooms.c.id, rooms.c.phase).join(players, players.c.room == rooms.c.id)
    return rows(store, query.where(players.c.guest.in_(ids), rooms.c.phase.in_(UNFINISHED)).distinct())


def forget_names(connection: sa.Connection, room: str, ids: Sequence[str]) -> None:
    """In a finished room: in its inputs, its record, its row in lists. However old the inputs are."""
    where = room_inputs.c.room == room
    found = connection.execute(sa.select(room_inputs).where(where).order_by(room_inputs.c.number)).mappings()
    parties: set[int] = set()
    nonces = ["", ""]
    for row in list(found):
        given = json.loads(row["body"])
        if given["kind"] == "ready":
            nonces[given["by"]] = given.get("nonce", "")
        theirs = parties_in(given, ids)
        parties |= set(theirs)
        if theirs:
            body = written(given | dict.fromkeys(theirs.values(), {"guest": "", "name": NOBODY}))
            one = sa.update(room_inputs).where(where, room_inputs.c.number == row["number"])
            connection.execute(one.values(body=body))
    _forget_in_row(connection, room, parties)
    _forget_in_record(connection, room, parties, nonces)


WHERE_PLAYERS = {"make": {0: "host", 1: "other"}, "join": {1: "player"}}  # by kind of input and party


def parties_in(given: Json, ids: Sequence[str]) -> dict[int, str]:
    """Which parties these guests are, as far as this input says so, and under which key it does."""
    return {
        party: key
        for party, key in WHERE_PLAYERS.get(given["kind"], {}).items()
        if (given.get(key) or {}).get("guest") in ids
    }


def written(given: Json) -> str:
    return msgspec.json.encode(given).decode()


def _forget_in_row(connection: sa.Connection, room: str, parties: set[int]) -> None:
    where = rooms.c.id == room
    if (text := connection.execute(sa.select(rooms.c.about).where(where)).scalar()) is None:
        return
    about = json.loads(text)
    about["names"] = [NOBODY if party in parties else name for party, name in enumerate(about["names"])]
    connection.execute(sa.update(rooms).where(where).values(about=written(about)))


def _forget_in_record(connection: sa.Connection, room: str, parties: set[int], nonces: list[str]) -> None:
    """Names stand by seats there; whose seat is whose is told by the nonces."""
    where = records.c.room == room
    if (text := connection.execute(sa.select(records.c.body).where(where)).scalar()) is None:
        return
    record = json.loads(text)
    swap = int(record.get("fair", {}).get("nonces", nonces) != nonces)
    record["players"] = [
        NOBODY if seat ^ swap in parties else name for seat, name in enumerate(record["players"])
    ]
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    connection.execute(sa.update(records).where(where).values(body=body + "\n" * text.endswith("\n")))


# ---------------------------------------------------------------- export


def export_guest(store: Store, id: str) -> Iterator[str]:
    """Everything that is kept about a guest and is theirs to see, as one JSON text in pieces."""
    (row,) = rows(store, sa.select(guests).where(guests.c.id == id))
    told = {key: row[key] for key in ("name", "made_at", "seen_at", "banned")}
    bots = [{key: bot[key] for key in ("name", "made_at", "seen_at")} for bot in bots_of(store, id)]
    kept = {"format": "coyote-guest/1", **told, "bots": bots, **shelf.export(store, id)}
    kept["ratings"] = ladder.export(store, id)
    yield json.dumps(kept, ensure_ascii=False)[:-1] + ', "rooms": ['
    everybody = [id, *(bot["id"] for bot in bots_of(store, id))]
    query = sa.select(players.c.room).where(players.c.guest.in_(everybody)).distinct()
    between = ""
    for found in rows(store, query):
        yield between + json.dumps(export_room(store, found["room"], everybody), ensure_ascii=False)
        between = ",\n"
    yield "]}\n"


def export_room(store: Store, id: str, ids: Sequence[str]) -> Json:
    """A finished game is open to everybody who has its link; of others only what the guest did."""
    about = rows(store, sa.select(rooms).where(rooms.c.id == id))
    found = rows(
        store, sa.select(room_inputs.c.body).where(room_inputs.c.room == id).order_by(room_inputs.c.number)
    )
    told: Json = {"room": id}
    if about:
        told |= {"made_at": about[0]["made_at"], "phase": about[0]["phase"]}
        told["about"] = json.loads(about[0]["about"])
    if record := rows(store, sa.select(records.c.body).where(records.c.room == id)):
        told["record"] = json.loads(record[0]["body"])
    told["inputs"] = list(own_inputs((json.loads(row["body"]) for row in found), ids))
    return told


def own_inputs(given: Iterable[Json], ids: Sequence[str]) -> Iterator[Json]:
    """Nothing of the server's secret, nor of what the other one does or is."""
    parties: set[int] = set()
    for one in given:
        parties |= set(parties_in(one, ids))
        if one["kind"] == "make" and 0 in parties:
            told = {key: one[key] for key in ("at", "kind", "room", "terms", "invite") if key in one}
            yield told | {"name": one["host"]["name"], "deck": (one.get("decks") or [None])[0]}
        elif one["kind"] == "join" and 1 in parties:
            yield {"at": one["at"], "kind": "join", "name": one["player"]["name"], "deck": one.get("deck")}
        elif one.get("by") in parties:
            yield {key: value for key, value in one.items() if key != "seed"}  # that is the server's note


# ---------------------------------------------------------------- for whoever runs the table


def list_rooms(store: Store, phase: str = "", most: int = 100) -> list[Row]:
    """Those that were touched last."""
    query = sa.select(rooms).order_by(rooms.c.touched_at.desc(), rooms.c.made_at.desc()).limit(most)
    return rows(store, query.where(rooms.c.phase == phase) if phase else query)


def list_guests(store: Store, bots: bool = False, most: int = 100) -> list[Row]:
    """People, or bots, who were seen last; with the number of their games."""
    games = sa.select(sa.func.count()).where(players.c.guest == guests.c.id).scalar_subquery()
    query = sa.select(guests, games.label("games")).where((guests.c.owner != "") == sa.literal(bots))
    return rows(store, query.order_by(guests.c.seen_at.desc(), guests.c.made_at.desc()).limit(most))


def find_guest(store: Store, who: str) -> Row:
    """By the id or its short form; NoGuest."""
    if found := rows(store, sa.select(guests).where(guests.c.id == who)):
        return found[0]
    for row in rows(store, sa.select(guests.c.id)):
        if short(row["id"]) == who:
            return rows(store, sa.select(guests).where(guests.c.id == row["id"]))[0]
    raise NoGuest(who)


def broken_rooms(store: Store) -> Iterator[tuple[str, str, str]]:
    """Every room that cannot be loaded, with its phase and why not. Finished ones need only their record."""
    games = Games()
    kept = {row["room"] for row in rows(store, sa.select(records.c.room))}
    for row in rows(store, sa.select(rooms.c.id, rooms.c.phase).order_by(rooms.c.made_at)):
        if (
            row["id"] not in kept
            and row["phase"] != "ended"
            and (why := _why_broken(store, games, row["id"]))
        ):
            yield row["id"], row["phase"], why


def _why_broken(store: Store, games: Games, id: str) -> str:
    try:
        given = store.inputs_of(id)
        if not given or not isinstance(given[0], Make):
            return "no inputs"
        digest = given[0].terms.set
        if digest and not games.knows_set(digest):
            games.add_set(digest, json.loads(store.card_set(digest) or "{}"))
        replay(given, games)
    except Exception as error:  # whatever it is, that is what is asked for
        return f"{type(error).__name__}: {one_line(str(error), 200)}"
    return ""


# ---------------------------------------------------------------- the key


def rotate_key(store: Store, key: str) -> None:
    """All cookies and tokens count no more, once the servers have started anew."""
    with changing(store) as connection:
        connection.execute(sa.delete(settings).where(settings.c.name == "signing_key"))
        connection.execute(sa.insert(settings), {"name": "signing_key", "value": key})
