"""Duplicate: one deal at two tables, by two teams that change seats; what is kept of it (docs/duplicate.md).

Places stand table by table, seat 0 first: A1 against B1, and B2 against A2. A board is one row, changed in
one transaction by whichever process is asked; its rooms are made when the last nonce is in, all cards dealt.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from coyote import fairness
from coyote.table import inputs
from coyote.table.identity import Guest
from coyote.table.limits import Denied
from coyote.table.store import Row, Store, board_rooms, boards, changing, milliseconds, rooms, rows

PLACES = ("a1", "b1", "b2", "a2")
TEAMS = (0, 1, 1, 0)  # of the places
OVER = ("over", "closed", "ended")
MOST_OPEN = 10  # boards of a guest's that wait for somebody
BoardPhase = Literal["gathering", "sealing", "opening", "dealt"]


# ---------------------------------------------------------------- what is kept


class Place(Struct, omit_defaults=True):
    """Nobody's while it has neither a guest nor a bot."""

    guest: str = ""
    owner: str = ""  # whose program it is, or the guest
    name: str = ""
    bot: str = ""
    seal: str = ""
    nonce: str = ""

    @property
    def taken(self) -> bool:
        return bool(self.guest or self.bot)


class Board(Struct, omit_defaults=True):
    terms: inputs.Terms
    decks: inputs.TwoDecks
    secret: str
    places: list[Place]
    context: str = ""
    rooms: list[str] = []
    at: int = 0  # when it was dealt

    def phase(self) -> BoardPhase:
        people = [place for place in self.places if not place.bot]
        if not all(place.taken for place in people):
            return "gathering"
        if not all(place.seal for place in people):
            return "sealing"
        return "dealt" if all(place.nonce for place in people) else "opening"

    def place_of(self, guest: str) -> int | None:
        return next((n for n, place in enumerate(self.places) if place.guest == guest), None)

    def seals(self) -> list[str]:
        return [place.seal for place in self.places]


_decoder = msgspec.json.Decoder(Board)


def read_board(row: Row) -> Board:
    return _decoder.decode(row["body"])


def written(board: Board) -> str:
    return msgspec.json.encode(board).decode()


def new_board(store: Store, board: Board) -> str:
    id = secrets.token_hex(15)
    host = board.places[0].guest
    with changing(store) as connection:
        mine = sa.select(sa.func.count()).where(boards.c.phase == "gathering", boards.c.body.contains(host))
        if connection.execute(mine.select_from(boards)).scalar_one() >= MOST_OPEN:
            raise Denied(429, "board.too_many", most=MOST_OPEN)
        row = {"id": id, "made_at": milliseconds(), "phase": board.phase(), "body": written(board)}
        connection.execute(sa.insert(boards), row)
    return id


def board_of(store: Store, id: str) -> Board:
    found = rows(store, sa.select(boards).where(boards.c.id == id))
    if not found:
        raise Denied(404, "board.none")
    return read_board(found[0])


def change_board(store: Store, id: str, change: Callable[[Board], None]) -> Board:
    """One change at a time, of all processes; whatever `change` raises leaves it as it was."""
    with changing(store) as connection:
        if store.shared:
            query = sa.select(boards).where(boards.c.id == id).with_for_update()
        else:
            connection.execute(sa.update(boards).where(boards.c.id == id).values(id=id))
            query = sa.select(boards).where(boards.c.id == id)
        found = connection.execute(query).mappings().first()
        if found is None:
            raise Denied(404, "board.none")
        board = read_board(dict(found))
        change(board)
        values = {"phase": board.phase(), "body": written(board)}
        connection.execute(sa.update(boards).where(boards.c.id == id).values(values))
        new = [{"room": room, "board": id} for room in board.rooms]
        if new and found["phase"] != "dealt":
            connection.execute(sa.insert(board_rooms), new)
    return board


def hidden(store: Store, room: str) -> bool:
    """Whether the deal of a room is still played at another table."""
    mine = sa.select(board_rooms.c.board).where(board_rooms.c.room == room).scalar_subquery()
    there = sa.select(rooms.c.id).join(board_rooms, board_rooms.c.room == rooms.c.id)
    return bool(rows(store, there.where(board_rooms.c.board == mine, rooms.c.phase.not_in(OVER)).limit(1)))


def forget(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Boards of guests who are gone have no names of theirs any more."""
    for id in ids:
        for row in connection.execute(sa.select(boards).where(boards.c.body.contains(id))).mappings().all():
            board = read_board(dict(row))
            for place in board.places:
                if id in (place.guest, place.owner):
                    place.guest, place.owner, place.name = "gone", "", "—"
            one = sa.update(boards).where(boards.c.id == row["id"])
            connection.execute(one.values(body=written(board)))


# ---------------------------------------------------------------- what is done


def take_place(board: Board, guest: Guest, place: int | None) -> None:
    """The first one that is free, where none is named. Nobody meets a deal twice, nor does their program."""
    if board.place_of(guest.id) is not None:
        return
    owner = guest.owner or guest.id
    if any(owner in (one.owner, one.guest) for one in board.places):
        raise Denied(409, "board.twice")
    free = [n for n, one in enumerate(board.places) if not one.taken]
    if place is not None and place not in free or not free:
        raise Denied(409, "board.taken")
    chosen = free[0] if place is None else place
    board.places[chosen] = Place(guest.id, owner, guest.name)


def leave_place(board: Board, guest: Guest) -> None:
    """Before the deal; seals are void then, for whoever comes next has to give one, too."""
    place = board.place_of(guest.id)
    if place is None or board.phase() == "dealt":
        raise Denied(409, "board.dealt" if place is not None else "room.not_yours")
    board.places[place] = Place()
    board.context = ""
    for one in board.places:
        one.seal = one.nonce = ""


def seal_nonce(board: Board, guest: Guest, seal: str) -> None:
    place = own_place(board, guest)
    if not fairness.HEX_256.fullmatch(seal):
        raise Denied(422, "room.seal")
    if place.seal == seal:
        return
    if place.seal or board.phase() not in ("gathering", "sealing"):
        raise Denied(409, "room.sealed_already")
    if seal in board.seals():
        raise Denied(409, "room.nonce_taken")
    place.seal = seal


def give_nonce(board: Board, guest: Guest, nonce: str) -> None:
    place = own_place(board, guest)
    if not fairness.NONCE.fullmatch(nonce):
        raise Denied(422, "room.nonce")
    if board.phase() not in ("opening", "dealt"):
        raise Denied(409, "board.seals")
    if fairness.seal(nonce) != place.seal:
        raise Denied(409, "room.nonce_seal")
    place.nonce = nonce


def own_place(board: Board, guest: Guest) -> Place:
    place = board.place_of(guest.id)
    if place is None:
        raise Denied(403, "room.not_yours")
    return board.places[place]


def tables(id: str, board: Board) -> list[inputs.Make]:
    """The rooms of a board, each with its part of the places."""
    found = []
    nonces = [place.nonce for place in board.places]
    for table, room in enumerate(board.rooms):
        both = board.places[2 * table : 2 * table + 2]
        host, other = (inputs.Player("" if one.bot else one.guest, one.name, one.bot) for one in both)
        opponent: inputs.Opponent = "bot" if host.bot or other.bot else "link"
        terms = msgspec.structs.replace(board.terms, begins="host", opponent=opponent)
        part = inputs.Board(id, table, board.seals(), nonces, board.context)
        found.append(
            inputs.Make(board.at, room, terms, host, board.secret, other, board.decks, seals=True, board=part)
        )
    return found
