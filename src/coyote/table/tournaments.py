"""Tournaments of friends: rounds over links, what is kept of them and how they go on (docs/tournaments.md).

A tournament is one row, changed in one transaction by whichever process is asked. What its games come to is
read from their rooms; a round follows when the last game of the one before has ended, by play, by the clock,
or because somebody did not come.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from coyote import fairness
from coyote.games.game import Game
from coyote.table import inputs, pairing
from coyote.table.identity import Guest
from coyote.table.limits import Denied
from coyote.table.pairing import BYE
from coyote.table.store import Row, Store, board_rooms, changing, milliseconds, rows, tournaments

System = Literal["round_robin", "swiss"]
Phase = Literal["open", "playing", "over"]
MOST_PLAYERS = 64
MOST_EACH = 16  # who all play each other
MOST_ROUNDS = 15
MOST_HOSTED = 5  # of a guest's, that are not over
MINUTE = 60_000


class Entrant(Struct, omit_defaults=True):
    guest: str
    name: str
    out: bool = False  # is paired no more
    nonce: str = ""  # that goes into every deal, where all tables of a round have the same


class Pairing(Struct, omit_defaults=True):
    """`score` is of the first, once it is known; `void`: neither came."""

    first: int
    second: int
    room: str = ""
    secret: str = ""
    decks: inputs.TwoDecks = (None, None)
    score: float | None = None
    void: bool = False
    why: str = ""  # `bye`, `absent`, or the reason of the game


class Round(Struct):
    began: int
    games: list[Pairing]


class Tournament(Struct, omit_defaults=True):
    name: str
    host: str
    terms: inputs.Terms
    system: System
    wanted: int  # rounds; 0: as many as are usual
    grace: int  # minutes that somebody may be late
    entrants: list[Entrant] = []
    rounds: list[Round] = []
    ended: bool = False
    secrets: list[str] = []  # for the deals, round by round, where all tables of a round have the same one

    @property
    def phase(self) -> Phase:
        return "over" if self.ended else "playing" if self.rounds else "open"

    def entrant(self, guest: str) -> int | None:
        return next((n for n, one in enumerate(self.entrants) if one.guest == guest), None)

    @property
    def duplicate(self) -> bool:
        return bool(self.secrets)

    def games(self) -> list[pairing.Game]:
        return games_of(self.rounds)

    @property
    def length(self) -> int:
        """How many rounds there are."""
        n = len(self.entrants)
        if self.system == "round_robin":
            return len(pairing.circle(n))
        return min(self.wanted or pairing.usual_rounds(n), MOST_ROUNDS)

    @property
    def number_of_rounds(self) -> int:
        return len(self.rounds)

    def is_settled(self) -> bool:
        return all(game.score is not None for game in self.rounds[-1].games)


def games_of(rounds: Sequence[Round]) -> list[pairing.Game]:
    return [
        pairing.Game(game.first, game.second, game.score, game.void) for one in rounds for game in one.games
    ]


_decoder = msgspec.json.Decoder(Tournament)


def read(row: Row) -> Tournament:
    return _decoder.decode(row["body"])


def written(found: Tournament) -> Row:
    return {"phase": found.phase, "body": msgspec.json.encode(found).decode()}


# ---------------------------------------------------------------- rows


def new(store: Store, found: Tournament) -> str:
    id = secrets.token_hex(15)
    with changing(store) as connection:
        mine = sa.select(sa.func.count()).where(
            tournaments.c.host == found.host, tournaments.c.phase != "over"
        )
        if connection.execute(mine.select_from(tournaments)).scalar_one() >= MOST_HOSTED:
            raise Denied(429, "tournament.too_many", most=MOST_HOSTED)
        row = {"id": id, "host": found.host, "made_at": milliseconds(), **written(found)}
        connection.execute(sa.insert(tournaments), row)
    return id


def get(store: Store, id: str) -> Tournament:
    found = rows(store, sa.select(tournaments).where(tournaments.c.id == id))
    if not found:
        raise Denied(404, "tournament.none")
    return read(found[0])


def going_on(store: Store) -> list[str]:
    query = sa.select(tournaments.c.id).where(tournaments.c.phase == "playing")
    return [str(row["id"]) for row in rows(store, query)]


def change(store: Store, id: str, what: Callable[[Tournament], None]) -> Tournament:
    """One change at a time, of all processes; whatever it raises leaves all as it was."""
    one = tournaments.c.id == id
    with changing(store) as connection:
        query = sa.select(tournaments).where(one)
        if store.shared:
            query = query.with_for_update()
        else:
            connection.execute(sa.update(tournaments).where(one).values(id=id))
        row = connection.execute(query).mappings().first()
        if row is None:
            raise Denied(404, "tournament.none")
        found = read(dict(row))
        what(found)
        connection.execute(sa.update(tournaments).where(one).values(written(found)))
        for number in range(read(dict(row)).number_of_rounds, found.number_of_rounds):
            _note_deal(connection, id, found, number)
    return found


def _note_deal(connection: sa.Connection, id: str, found: Tournament, number: int) -> None:
    """The rooms of a round that have one deal hide it from each other."""
    these = [game.room for game in found.rounds[number].games if game.room]
    if found.duplicate and these:
        name = deal_name(id, number)
        connection.execute(sa.insert(board_rooms), [{"room": room, "board": name} for room in these])


def deal_name(id: str, number: int) -> str:
    return f"{id}-{number + 1}"


def forget(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Guests who are gone have no name there any more."""
    for id in ids:
        these = sa.select(tournaments).where(tournaments.c.body.contains(id))
        for row in connection.execute(these).mappings().all():
            found = read(dict(row))
            found.host = "" if found.host == id else found.host
            for entrant in found.entrants:
                if entrant.guest == id:
                    entrant.guest, entrant.name, entrant.out = "", "—", True
            one = sa.update(tournaments).where(tournaments.c.id == row["id"])
            connection.execute(one.values(host=found.host, **written(found)))


# ---------------------------------------------------------------- what is done


def join(found: Tournament, guest: Guest, nonce: str = "") -> None:
    if found.entrant(guest.id) is not None:
        return
    if found.duplicate and not fairness.NONCE.fullmatch(nonce):
        raise Denied(422, "room.nonce")
    if nonce and nonce in [entrant.nonce for entrant in found.entrants]:
        raise Denied(409, "room.nonce_taken")
    if found.phase != "open":
        raise Denied(409, "tournament.begun")
    most = MOST_EACH if found.system == "round_robin" else MOST_PLAYERS
    if len(found.entrants) >= most:
        raise Denied(409, "tournament.full", most=most)
    found.entrants.append(Entrant(guest.id, guest.name, nonce=nonce if found.duplicate else ""))


def leave(found: Tournament, guest: Guest) -> None:
    """Before it begins one is gone; later one is paired no more, or loses what is still to be played."""
    n = found.entrant(guest.id)
    if n is None:
        raise Denied(403, "tournament.not_in")
    if found.phase == "open":
        del found.entrants[n]
    else:
        found.entrants[n].out = True


def start(found: Tournament, guest: Guest, now: int, decks: Callable[[], inputs.TwoDecks]) -> None:
    if found.host != guest.id:
        raise Denied(403, "tournament.host")
    if found.phase != "open":
        raise Denied(409, "tournament.begun")
    if len(found.entrants) < 2:
        raise Denied(409, "tournament.few")
    next_round(found, now, decks)


def next_round(found: Tournament, now: int, decks: Callable[[], inputs.TwoDecks]) -> None:
    """Nothing is left to chance here: whoever pairs the same tournament again pairs it alike."""
    if found.system == "round_robin":
        pairs = pairing.circle(len(found.entrants))[len(found.rounds)]
    else:
        there = [n for n, entrant in enumerate(found.entrants) if not entrant.out]
        pairs = pairing.swiss(there, found.games())
    same = decks()
    drawn = (lambda: same) if found.duplicate else decks
    found.rounds.append(Round(now, [paired(found, first, second, drawn) for first, second in pairs]))


def paired(found: Tournament, first: int, second: int, decks: Callable[[], inputs.TwoDecks]) -> Pairing:
    """A game without a room where no game can be."""
    if second == BYE:
        return Pairing(first, BYE, score=1.0, why="bye")
    gone = [found.entrants[n].out for n in (first, second)]
    if any(gone):
        score = 0.5 if all(gone) else 0.0 if gone[0] else 1.0
        return Pairing(first, second, score=score, void=all(gone), why="absent")
    secret = found.secrets[len(found.rounds)] if found.duplicate else secrets.token_hex(32)
    return Pairing(first, second, secrets.token_hex(15), secret, decks())


def settle(
    found: Tournament, ended: dict[str, Pairing], now: int, decks: Callable[[], inputs.TwoDecks]
) -> None:
    """Note how games have ended, by room; then the next round, or the end."""
    if found.phase != "playing":
        return
    for game in found.rounds[-1].games:
        if game.score is None and game.room in ended:
            told = ended[game.room]
            game.score, game.void, game.why = told.score, told.void, told.why
    while found.phase == "playing" and found.is_settled():
        there = [entrant for entrant in found.entrants if not entrant.out]
        if len(found.rounds) >= found.length or len(there) < 2:
            found.ended = True
        else:
            next_round(found, now, decks)


def rooms_of(id: str, found: Tournament, game: Game) -> list[inputs.Make]:
    """Of the last round, those that are still to be played."""
    if found.phase != "playing":
        return []
    this = found.rounds[-1]
    terms = msgspec.structs.replace(found.terms, begins="host", opponent="link")
    deal = deal_of(id, found, game) if found.duplicate else None
    made = []
    for table, one in enumerate(one for one in this.games if one.room):
        both = (found.entrants[n] for n in (one.first, one.second))
        host, other = (inputs.Player(entrant.guest, entrant.name) for entrant in both)
        part = msgspec.structs.replace(deal, table=table) if deal else None
        if one.score is None:
            made.append(
                inputs.Make(
                    this.began,
                    one.room,
                    terms,
                    host,
                    one.secret,
                    other,
                    one.decks,
                    seals=True,
                    board=part,
                    event=id,
                )  # fmt: skip
            )
    return made


def deal_of(id: str, found: Tournament, game: Game) -> inputs.Board:
    """What the deal of the last round is made from: everybody's nonce who plays it."""
    number, there = len(found.rounds) - 1, [one for one in found.rounds[-1].games if one.room]
    nonces = [found.entrants[n].nonce for one in there for n in (one.first, one.second)]
    seals = [""] * len(nonces)  # they were told when one joined
    name = deal_name(id, number)
    setup = game.settle(there[0].decks)
    context = fairness.make_context(
        game, setup, bytes.fromhex(found.secrets[number]), fairness.board_name(name, seals)
    )
    return inputs.Board(name, 0, seals, nonces, context)
