"""What a guest has played, and is playing: rows, lists and sums of the table `players`.

A row is written when its room is made, when somebody sits down, and at the end. The queries are bounded, and
may wait: not for the event loop's thread.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from coyote.games.game import Result
from coyote.table.parts import PARTS
from coyote.table.room import Room
from coyote.table.store import Row, Store, guests, players, rating_steps, room_inputs, rooms

Outcome = Literal["won", "lost", "drawn", "aborted"]
Side = Literal["bot", "person", "self"]

GOING = ("waiting", "seated", "playing")
OVER = ("over", "ended")
BOTH = -1  # the party of a guest who plays for both
COUNTED = ("won", "lost", "drawn")
MOST_SUMS = 30  # opponents or decks of which sums are told: those that were met most often


# ---------------------------------------------------------------- rows


def player_rows(room: Room) -> list[Row]:
    """One for each person, from what is known now."""
    found: dict[str, Row] = {}
    for party, player in enumerate(room.players):
        if not player.bot and player.guest and player.guest not in found:
            found[player.guest] = player_row(room, party)
    return list(found.values())


def player_row(room: Room, party: int) -> Row:
    people = room.players
    other = people[1 - party] if len(people) > 1 else None
    alone = room.terms.opponent == "self"
    decks = room.seated.decks if room.seated else room.made.decks
    called = PARTS[room.game.name].deck_called
    result = room.result
    return {
        "guest": people[party].guest,
        "room": room.id,
        "made_at": room.made.at,
        "game": room.game.name,
        "edition": str(room.options.get("edition", "")),
        "against": "self" if alone else other.bot if other and other.bot else "person",
        "other": "" if alone or other is None or other.bot else other.guest,
        "party": BOTH if alone else party,
        "deck": called(room.game, decks[party]),
        "their_deck": called(room.game, decks[1 - party]),
        "outcome": outcome(result, room.seat(party), alone) if result else "",
        "turns": room.match.turn if room.match and result else 0,
        "lasted": room.phase_since - room.clock.began if result else 0,
        "ended_at": room.phase_since if result else 0,
    }


def outcome(result: Result, seat: int, alone: bool) -> str:
    """From the side of a seat. Nobody has won against themselves."""
    if result.reason == "aborted":
        return "aborted"
    if alone:
        return "played"
    return "drawn" if result.winner is None else "won" if result.winner == seat else "lost"


# ---------------------------------------------------------------- lists


class Wanted(NamedTuple):
    """Which games are asked for; those that are not named are all."""

    phase: Literal["going", "over", ""] = ""
    game: str = ""
    edition: str = ""
    against: str = ""  # a side, or a bot's name
    outcome: str = ""
    before: tuple[int, str] | None = None  # when it was made, and its room


WHOSE_TURN = sa.case(
    (
        rooms.c.phase == "playing",
        sa.select(room_inputs.c.turn)
        .where(room_inputs.c.room == rooms.c.id)
        .order_by(room_inputs.c.number.desc())
        .limit(1)
        .scalar_subquery(),
    ),
)


def games_of(store: Store, guest: str, wanted: Wanted, most: int) -> Sequence[Row]:
    """The newest first. Rooms to which nobody came are left out."""
    phases = {"going": GOING, "over": OVER, "": (*GOING, *OVER)}[wanted.phase]
    query = (
        sa.select(
            players,
            rooms.c.phase,
            rooms.c.about,
            WHOSE_TURN.label("turn"),
            rating_steps.c.before,
            rating_steps.c.rating,
        )
        .join(rooms, rooms.c.id == players.c.room)
        .outerjoin(
            rating_steps,
            sa.and_(rating_steps.c.room == players.c.room, rating_steps.c.who == players.c.guest),
        )
        .where(players.c.guest == guest, rooms.c.phase.in_(phases), *_conditions(wanted))
        .order_by(players.c.made_at.desc(), players.c.room.desc())
    )
    return store.rows(query.limit(most))


def _conditions(wanted: Wanted) -> list[sa.ColumnElement[bool]]:
    found = [
        column == value
        for column, value in (
            (players.c.game, wanted.game),
            (players.c.edition, wanted.edition),
            (players.c.outcome, wanted.outcome),
        )
        if value
    ]
    if wanted.against == "bot":
        found.append(players.c.against.not_in(("", "person", "self")))
    elif wanted.against:
        found.append(players.c.against == wanted.against)
    if wanted.before:
        at, room = wanted.before
        older = sa.and_(players.c.made_at == at, players.c.room < room)
        found.append(sa.or_(players.c.made_at < at, older))
    return found


def turn_mask(room: Room) -> int | None:
    """Who owes a choice: the parties of whom everybody knows it, and those who have not even sealed one."""
    deciders = room.deciders
    if not deciders:
        return None
    owing = sum(1 << room.party(seat) for seat in deciders)
    return owing | sum(4 << room.party(seat) for seat in room.thinking())


def whose_turn(mask: int | None, party: int) -> Literal["yours", "theirs"] | None:
    """As the party may know it: of the other one not whether a choice is sealed."""
    if not mask:
        return None
    if party == BOTH or mask >> 2 + party & 1:
        return "yours"
    return "theirs" if mask >> 1 - party & 1 else None


# ---------------------------------------------------------------- sums


def sums(store: Store, guest: str, game: str = "") -> Mapping[str, Sequence[Row]]:
    """Finished games by game, edition, opponent and deck; those without an opponent apart."""
    mine = [players.c.guest == guest, *([players.c.game == game] if game else [])]
    counted = [*mine, players.c.outcome.in_(COUNTED)]
    name = sa.func.max(guests.c.name)
    return {
        "games": _sums(store, counted, [players.c.game]),
        "editions": _sums(store, [*counted, players.c.edition != ""], [players.c.game, players.c.edition]),
        "opponents": _sums(store, counted, [players.c.against, players.c.other], [name.label("name")]),
        "decks": _sums(store, [*counted, players.c.deck != ""], [players.c.deck]),
        "alone": _sums(store, [*mine, players.c.outcome == "played"], [players.c.game]),
    }


def _sums(
    store: Store, where: list[sa.ColumnElement[bool]], by: list[Any], more: Sequence[Any] = ()
) -> Sequence[Row]:
    outcomes = [sa.func.sum(sa.case((players.c.outcome == one, 1), else_=0)).label(one) for one in COUNTED]
    number = sa.func.count()
    means = [sa.func.avg(column).label(column.name) for column in (players.c.turns, players.c.lasted)]
    source = players.outerjoin(guests, guests.c.id == players.c.other) if more else players
    query = sa.select(*by, *more, number.label("number"), *outcomes, *means).select_from(source)
    return store.rows(query.where(*where).group_by(*by).order_by(number.desc(), *by).limit(MOST_SUMS))
