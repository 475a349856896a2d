"""What guests keep in the workshop: sets with their versions, and house rules with a name.

Plain SQL, as in `admin`; each function may wait, so the event loop calls it in a thread. What is changed is
changed in one transaction that says what it expects to find, so that any process may do it.
"""

import json
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from coyote.games.game import Json
from coyote.table.limits import Denied, Limits
from coyote.table.store import (
    Row,
    Store,
    changing,
    guests,
    milliseconds,
    rows,
    set_versions,
    sets,
    variants,
)

ID_BYTES = 9  # of a set or a variant: nobody guesses one
MOST_LISTED = 100
KEEP_CARDS = sa.text(  # the same digest is the same cards
    "INSERT INTO card_sets (digest, body) VALUES (:digest, :body) ON CONFLICT DO NOTHING"
)


class Version(NamedTuple):
    """A version to be kept: what the reader made of a text."""

    digest: str
    name: str
    cards: int
    text: str
    body: str  # the cards, as the store keeps them


# ---------------------------------------------------------------- sets


def new_set(store: Store, guest: str, name: str, text: str, limits: Limits) -> Row:
    now = milliseconds()
    row = {
        "id": secrets.token_urlsafe(ID_BYTES), "guest": guest, "name": name, "about": "", "sight": "private",
        "text": text, "decks": "[]", "revision": 1, "made_at": now, "changed_at": now,
    }  # fmt: skip
    with changing(store) as connection:
        hold(connection, store, guest)
        number = connection.execute(sa.select(sa.func.count()).where(sets.c.guest == guest)).scalar_one()
        if number >= limits.sets_per_guest:
            raise Denied(429, "workshop.too_many_sets", most=limits.sets_per_guest)
        _check_bytes(connection, guest, len(text.encode()), limits)
        connection.execute(sa.insert(sets), row)
    return row


def change_set(store: Store, row: Row, revision: int, changes: Json, limits: Limits) -> Row:
    """The set with these changes; Denied where it is not as it was seen."""
    more = sum(len(str(changes.get(key, row[key])).encode()) for key in ("text", "decks"))
    now = milliseconds()
    with changing(store) as connection:
        hold(connection, store, row["guest"])
        _check_bytes(connection, row["guest"], more, limits, but=row["id"])
        seen = sa.update(sets).where(sets.c.id == row["id"], sets.c.revision == revision)
        changed = connection.execute(seen.values(**changes, revision=revision + 1, changed_at=now))
        if not changed.rowcount:
            raise Denied(409, "workshop.changed_meanwhile")
    return {**row, **changes, "revision": revision + 1, "changed_at": now}


def delete_set(store: Store, id: str) -> None:
    """Games that are played with it keep their cards."""
    with changing(store) as connection:
        connection.execute(sa.delete(set_versions).where(set_versions.c.set == id))
        connection.execute(sa.delete(sets).where(sets.c.id == id))


def set_of(store: Store, id: str) -> Row | None:
    """With the name of whoever made it."""
    found = rows(store, _sets().where(sets.c.id == id))
    return found[0] if found else None


def sets_of(store: Store, guest: str) -> list[Row]:
    return rows(store, _sets().where(sets.c.guest == guest).order_by(sets.c.changed_at.desc()))


def listed_sets(store: Store) -> list[Row]:
    """Those on the list that have something to play with, the newest first."""
    published = sa.exists().where(set_versions.c.set == sets.c.id)
    query = _sets().where(sets.c.sight == "listed", published).order_by(sets.c.changed_at.desc())
    return rows(store, query.limit(MOST_LISTED))


def _sets() -> sa.Select[Any]:
    """Whoever is banned is on no list, and has no name."""
    author = guests.c.name.label("author")
    return sa.select(sets, author).join(guests, sa.and_(guests.c.id == sets.c.guest, ~guests.c.banned))


# ---------------------------------------------------------------- versions


def versions_of(store: Store, ids: Sequence[str]) -> dict[str, list[Row]]:
    """Without their texts, the oldest first, by set."""
    columns = [column for column in set_versions.c if column.name != "text"]
    query = sa.select(*columns).where(set_versions.c.set.in_(ids)).order_by(set_versions.c.number)
    found: dict[str, list[Row]] = {id: [] for id in ids}
    for row in rows(store, query):
        found[row["set"]].append(row)
    return found


def version_of(store: Store, id: str, number: int) -> Row | None:
    query = sa.select(set_versions).where(set_versions.c.set == id, set_versions.c.number == number)
    found = rows(store, query)
    return found[0] if found else None


def decks_with(store: Store, digest: str, guest: str) -> list[Json]:
    """The decks of the sets that have this among their versions, one's own first; each list of cards once.

    Whoever has made these cards first gives their decks to all who know them, whoever may see the set; of
    those who copied them for themselves alone nobody learns anything.
    """
    query = sa.select(sets.c.decks, sets.c.guest, sets.c.sight)
    query = query.join(set_versions, set_versions.c.set == sets.c.id).where(set_versions.c.digest == digest)
    found = rows(store, query.order_by(set_versions.c.made_at).limit(MOST_LISTED))
    known = [row for row in found if row is found[0] or row["sight"] != "private" or row["guest"] == guest]
    known.sort(key=lambda row: bool(row["guest"] != guest))
    decks = [deck for row in known for deck in json.loads(row["decks"])]
    return list({tuple(sorted(deck["cards"])): deck for deck in reversed(decks)}.values())[::-1]


def publish(store: Store, row: Row, version: Version, limits: Limits) -> Row:
    """The version of the set with these cards: the one that there is, or a new one."""
    new = {"set": row["id"], **version._asdict(), "made_at": milliseconds()}
    body, mine = new.pop("body"), set_versions.c.set == row["id"]
    with changing(store) as connection:
        hold(connection, store, row["guest"])
        same = sa.select(set_versions).where(mine, set_versions.c.digest == version.digest)
        if found := connection.execute(same).mappings().first():
            return dict(found)
        if not connection.execute(sa.select(sets.c.id).where(sets.c.id == row["id"])).first():
            raise Denied(404, "room.none")  # gone meanwhile
        last = connection.execute(sa.select(sa.func.max(set_versions.c.number)).where(mine)).scalar() or 0
        if last >= limits.versions_per_set:
            raise Denied(429, "workshop.too_many_versions", most=limits.versions_per_set)
        _check_bytes(connection, row["guest"], len(version.text.encode()), limits)
        connection.execute(sa.insert(set_versions), {**new, "number": last + 1})
        connection.execute(KEEP_CARDS, {"digest": version.digest, "body": body})
    return {**new, "number": last + 1}


# ---------------------------------------------------------------- variants


def new_variant(store: Store, guest: str, told: Json, limits: Limits) -> Row:
    now = milliseconds()
    row = {"id": secrets.token_urlsafe(ID_BYTES), "guest": guest, **told, "made_at": now, "changed_at": now}
    with changing(store) as connection:
        hold(connection, store, guest)
        mine = sa.select(sa.func.count()).where(variants.c.guest == guest)
        if connection.execute(mine).scalar_one() >= limits.variants_per_guest:
            raise Denied(429, "workshop.too_many_variants", most=limits.variants_per_guest)
        connection.execute(sa.insert(variants), row)
    return row


def change_variant(store: Store, row: Row, told: Json) -> Row:
    changes = {**told, "changed_at": milliseconds()}
    with changing(store) as connection:
        connection.execute(sa.update(variants).where(variants.c.id == row["id"]).values(changes))
    return {**row, **changes}


def delete_variant(store: Store, id: str) -> None:
    with changing(store) as connection:
        connection.execute(sa.delete(variants).where(variants.c.id == id))


def variant_of(store: Store, id: str) -> Row | None:
    found = rows(store, _variants().where(variants.c.id == id))
    return found[0] if found else None


def variants_of(store: Store, guest: str) -> list[Row]:
    return rows(store, _variants().where(variants.c.guest == guest).order_by(variants.c.changed_at.desc()))


def listed_variants(store: Store, game: str = "") -> list[Row]:
    query = _variants().where(variants.c.listed).order_by(variants.c.changed_at.desc()).limit(MOST_LISTED)
    return rows(store, query.where(variants.c.game == game) if game else query)


def _variants() -> sa.Select[Any]:
    author = guests.c.name.label("author")
    return sa.select(variants, author).join(
        guests, sa.and_(guests.c.id == variants.c.guest, ~guests.c.banned)
    )


# ---------------------------------------------------------------- what it may come to


def hold(connection: sa.Connection, store: Store, guest: str) -> None:
    """One change of a guest's at a time, so that what is counted is what is there."""
    if store.shared:
        connection.execute(sa.select(guests.c.id).where(guests.c.id == guest).with_for_update())
    else:
        connection.execute(sa.update(guests).where(guests.c.id == guest).values(id=guest))


def _check_bytes(connection: sa.Connection, guest: str, more: int, limits: Limits, but: str = "") -> None:
    """All drafts, decks and versions of a guest's; `but` is the set whose draft is being replaced."""
    size = sa.func.octet_length if connection.dialect.name == "postgresql" else _blob_length
    drafts = sa.select(sa.func.sum(size(sets.c.text) + size(sets.c.decks)))
    drafts = drafts.where(sets.c.guest == guest, sets.c.id != but)
    versions = sa.select(sa.func.sum(size(set_versions.c.text))).join(sets, sets.c.id == set_versions.c.set)
    versions = versions.where(sets.c.guest == guest)
    total = sum(connection.execute(query).scalar() or 0 for query in (drafts, versions))
    if total + more > limits.kept_bytes_per_guest:
        raise Denied(429, "workshop.full", most=limits.kept_bytes_per_guest)


def _blob_length(column: sa.Column[str]) -> sa.Function[int]:
    return sa.func.length(sa.cast(column, sa.LargeBinary))


# ---------------------------------------------------------------- for `admin`


def export(store: Store, guest: str) -> Json:
    """All of it, for its owner."""
    ours = sets_of(store, guest)
    told = []
    for row in ours:
        query = sa.select(set_versions).where(set_versions.c.set == row["id"]).order_by(set_versions.c.number)
        versions = [{key: value for key, value in one.items() if key != "set"} for one in rows(store, query)]
        kept = {key: row[key] for key in ("id", "name", "about", "sight", "text", "made_at", "changed_at")}
        told.append({**kept, "decks": json.loads(row["decks"]), "versions": versions})
    keys = ("id", "name", "about", "game", "listed", "made_at", "changed_at")
    own = [
        {**{key: row[key] for key in keys}, "options": json.loads(row["options"])}
        for row in variants_of(store, guest)
    ]
    return {"sets": told, "variants": own}


def forget(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Whatever these guests have kept; rooms keep the cards that they are played with."""
    theirs = sa.select(sets.c.id).where(sets.c.guest.in_(ids))
    connection.execute(sa.delete(set_versions).where(set_versions.c.set.in_(theirs)))
    for table in (sets, variants):
        connection.execute(sa.delete(table).where(table.c.guest.in_(ids)))
