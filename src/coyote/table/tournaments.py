"""Tournaments of friends: rounds over links, what is kept of them and how they go on (docs/tournaments.md).

A tournament is one row, changed in one transaction by whichever process is asked. What its games come to is
read from their rooms; a round follows when the last game of the one before has ended, by play, by the clock,
or because somebody did not come. Where all tables of a round have the same deal, everybody has sealed a nonce
for each round when they joined, and opens it when the round begins; then the cards are dealt.
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
    seals: list[str] = []  # of nonces, round by round, where all tables of a round have the same deal


class Pairing(Struct, omit_defaults=True):
    """`score` is of the first, once it is known; `void`: neither came. No `secret`: no game was to be."""

    first: int
    second: int
    room: str = ""
    secret: str = ""
    decks: inputs.TwoDecks = (None, None)
    score: float | None = None
    void: bool = False
    why: str = ""  # `bye`, `absent`, or the reason of the game
    nonces: tuple[str, str] = ("", "")  # where all tables have the same deal, as far as they were opened


class Round(Struct, omit_defaults=True):
    began: int
    games: list[Pairing]
    dealt: int = 0  # when, where all tables have the same deal

    def tables(self) -> list[Pairing]:
        """Those who were to play; the places of a deal stand in their order."""
        return [game for game in self.games if game.secret]


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

    @property
    def opening(self) -> bool:
        """Nonces are opened for the deal of the last round."""
        if not self.duplicate or self.phase != "playing":
            return False
        return not self.rounds[-1].dealt and bool(self.rounds[-1].tables())

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
        name = fairness.round_name(id, number)
        connection.execute(sa.insert(board_rooms), [{"room": room, "board": name} for room in these])


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


def join(found: Tournament, guest: Guest, seals: Sequence[str] = ()) -> None:
    if found.entrant(guest.id) is not None:
        return
    if found.duplicate:
        check_seals(found, seals)
    if found.phase != "open":
        raise Denied(409, "tournament.begun")
    most = MOST_EACH if found.system == "round_robin" else MOST_PLAYERS
    if len(found.entrants) >= most:
        raise Denied(409, "tournament.full", most=most)
    found.entrants.append(Entrant(guest.id, guest.name, seals=list(seals) if found.duplicate else []))


def check_seals(found: Tournament, seals: Sequence[str]) -> None:
    """One for each round; nobody may give those of somebody else, and open what that one has opened."""
    if len(seals) != len(found.secrets) or not all(map(fairness.HEX_256.fullmatch, seals)):
        raise Denied(422, "tournament.seals", number=len(found.secrets))
    known = {seal for entrant in found.entrants for seal in entrant.seals}
    if len({*seals, *known}) < len(seals) + len(known):
        raise Denied(409, "room.nonce_taken")


def open_nonce(found: Tournament, guest: Guest, nonce: str) -> None:
    """For the deal of this round."""
    n = found.entrant(guest.id)
    tables = found.rounds[-1].tables() if found.opening else []
    game = next((game for game in tables if n in (game.first, game.second)), None)
    if n is None or game is None:
        raise Denied(409, "tournament.not_opening")
    if not fairness.NONCE.fullmatch(nonce):
        raise Denied(422, "room.nonce")
    if fairness.seal(nonce) != found.entrants[n].seals[len(found.rounds) - 1]:
        raise Denied(409, "room.nonce_seal")
    first, second = game.nonces
    game.nonces = (nonce, second) if n == game.first else (first, nonce)


def may_deal(found: Tournament, now: int) -> bool:
    """All who are there have opened their nonces, or had the time for it."""
    this = found.rounds[-1]
    if now > this.began + found.grace * MINUTE:
        return True
    return not any(
        not nonce and not found.entrants[n].out
        for game in this.tables()
        for n, nonce in zip((game.first, game.second), game.nonces, strict=True)
    )


def deal(found: Tournament, now: int, decks: Callable[[], inputs.TwoDecks]) -> None:
    """Whoever has not opened a nonce has lost; those who sit at whole tables play."""
    if not found.opening or not may_deal(found, now):
        return
    this = found.rounds[-1]
    this.dealt = now
    for game in this.tables():
        there = [bool(nonce) for nonce in game.nonces]
        if not all(there):
            score = 0.5 if there[0] == there[1] else float(there[0])
            game.room, game.score, game.void, game.why = "", score, not any(there), "absent"
    settle(found, {}, now, decks)


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
    if found.phase != "playing" or found.opening:
        return []
    this = found.rounds[-1]
    terms = msgspec.structs.replace(found.terms, begins="host", opponent="link")
    deal = deal_of(id, found, game) if found.duplicate else None
    made = []
    for table, one in enumerate(this.tables()):
        both = (found.entrants[n] for n in (one.first, one.second))
        host, other = (inputs.Player(entrant.guest, entrant.name) for entrant in both)
        part = msgspec.structs.replace(deal, table=table) if deal else None
        if one.score is None:
            made.append(
                inputs.Make(
                    this.dealt or this.began,
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
    """What the deal of the last round is made from: the seals of all who were to play it are in its name, and
    the nonces of those who came."""
    number, there = len(found.rounds) - 1, found.rounds[-1].tables()
    nonces = [nonce for one in there for nonce in one.nonces]
    seals = [found.entrants[n].seals[number] for one in there for n in (one.first, one.second)]
    name = fairness.round_name(id, number)
    setup = game.settle(there[0].decks)
    context = fairness.make_context(
        game, setup, bytes.fromhex(found.secrets[number]), fairness.board_name(name, seals)
    )
    return inputs.Board(name, 0, seals, nonces, context)
