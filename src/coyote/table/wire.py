"""The messages of the socket, both ways. `docs/protocol.md` describes them; a test compares the two.

Requests carry an id that the client makes up: one that comes twice counts once. Updates are numbered
for each viewer, so that a client that comes back says which it saw last and gets the rest.
"""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from coyote.games.game import Refusal
from coyote.table.inputs import Offered
from coyote.table.prompt import names_in_seats, prompt
from coyote.table.room import Room
from coyote.text import Lang, Words, titles

VERSION = 1
LONGEST_ID = 64
LONGEST_MOVE = 200

Wanted = Literal["view", "legal", "events", "story"]
USUAL: tuple[Wanted, ...] = ("view", "legal", "events")


# ---------------------------------------------------------------- from the client


class ClientMessage(Struct, forbid_unknown_fields=True, tag=str.lower):
    pass


class Hello(ClientMessage):
    """The first message: the version spoken, the updates seen, by viewer, and what updates shall have."""

    version: int
    seen: dict[int, int] = {}
    want: tuple[Wanted, ...] = USUAL
    lang: Literal["en", "ru"] = "en"


class RequestMessage(ClientMessage):
    id: str
    party: int | None = None  # only where one client plays both


class Ready(RequestMessage):
    nonce: str = ""


class Move(RequestMessage):
    move: str = ""


class Undo(RequestMessage):
    pass


class Offer(RequestMessage):
    what: Offered = "draw"


class Answer(RequestMessage):
    what: Offered = "draw"
    yes: bool = False


class Resign(RequestMessage):
    pass


class Close(RequestMessage):
    pass


class Why(RequestMessage):
    """Why a move is not allowed; it is not made, even if it is."""

    move: str = ""


class Ping(ClientMessage):
    id: str = ""


AnyRequest = Ready | Move | Undo | Offer | Answer | Resign | Close  # what may change a room
FromClient = Hello | AnyRequest | Why | Ping


# ---------------------------------------------------------------- to the client


class ServerMessage(Struct, tag=str.lower):
    pass


class Welcome(ServerMessage):
    """Who the client is here. `parties` is empty for a spectator."""

    version: int
    room: str
    parties: list[int]
    game: str
    rules: int  # the version of the game's rules
    options: dict[str, Any]
    title: dict[Lang, str]  # the game and what differs from its edition, by language
    clock: dict[str, float]
    opponent: str
    commitment: str


class Line(Struct):
    """A sentence of what happened, the rule behind it, the kind of event and whose it was."""

    text: str
    rule: str
    kind: str
    seat: int | None


class Update(ServerMessage):
    """All that one viewer may know now."""

    n: int
    viewer: int
    phase: str  # waiting, seated, playing, over, closed
    names: list[str | None]  # by party
    seats: list[int] | None  # the party in each seat, once the cards are dealt
    ready: list[bool]  # by party
    context: str | None  # what the deal depends on besides secret and nonces
    actors: list[int]  # the seats that owe a choice
    clocks: list[int] | None  # milliseconds by seat
    offers: list[tuple[int, str]]  # party and what it offers
    result: dict[str, Any] | None
    next: str | None  # the room of the rematch
    kept: int  # how many of the events that the client has are still true
    done: list[str] = []  # the client's requests that are kept durably by now
    view: dict[str, Any] | None | UnsetType = UNSET
    legal: list[str] | UnsetType = UNSET
    events: list[dict[str, Any]] | UnsetType = UNSET
    story: list[Line] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET  # what is wanted now, or how it ended
    open: dict[str, Any] | UnsetType = UNSET  # after the end: all cards, and how the deal was made


class Presence(ServerMessage):
    """Which parties are connected."""

    here: list[bool]


class Done(ServerMessage):
    """The request is kept durably, and there is no update to say so: it came again."""

    id: str


class Error(ServerMessage):
    """A request that changed nothing, and why."""

    code: str
    text: str
    rule: str | None = None
    id: str | None = None


class Reason(ServerMessage):
    """Why the move of a `why` is not allowed; nothing where it is."""

    id: str
    code: str | None = None
    text: str | None = None
    rule: str | None = None


class Pong(ServerMessage):
    id: str
    time: int  # the server's, in milliseconds since 1970


FromServer = Welcome | Update | Presence | Done | Error | Reason | Pong

_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_encoder = msgspec.json.Encoder()


class Malformed(ValueError):
    """A message that is none."""


def read_message(text: str | bytes) -> FromClient:
    try:
        message = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Malformed(str(error)[:200]) from None
    if isinstance(message, RequestMessage) and not 0 < len(message.id) <= LONGEST_ID:
        raise Malformed(f"an id has 1 to {LONGEST_ID} letters")
    if isinstance(message, Move | Why) and len(message.move) > LONGEST_MOVE:
        raise Malformed(f"a move has at most {LONGEST_MOVE} letters")
    return message


def write_message(message: FromServer) -> str:
    return _encoder.encode(message).decode()


# ---------------------------------------------------------------- what a client is told


def error_of(refusal: Refusal, lang: str, id: str | None = None) -> Error:
    return Error(refusal.code, Words(lang).refusal(refusal), refusal.rule or None, id)


def reason_of(refusal: Refusal | None, lang: str, id: str) -> Reason:
    if refusal is None:
        return Reason(id)
    return Reason(id, refusal.code, Words(lang).refusal(refusal), refusal.rule or None)


def welcome(room: Room, parties: list[int]) -> Welcome:
    clock = {key: value for key, value in msgspec.structs.asdict(room.terms.clock).items() if value}
    return Welcome(
        version=VERSION,
        room=room.id,
        parties=parties,
        game=room.game.name,
        rules=room.game.rules_version,
        options=room.options,
        title=titles(room.game),
        clock=clock,
        opponent=room.terms.opponent,
        commitment=room.commitment,
    )


def story_of(room: Room, viewer: int, since: int, lang: str) -> list[Line]:
    if room.match is None:
        return []
    names, rule = names_in_seats(room, Words(lang)), room.game.event_rule
    lines = room.match.lines(room.seat(viewer), names, lang, since)
    return [Line(text, rule(event), event.kind, event.seat) for text, event in lines]


def update(
    room: Room, viewer: int, seen: int, at: int, want: tuple[str, ...] = USUAL, lang: str = "en"
) -> Update:
    """The newest update of a viewer, for a client that has seen so many of them."""
    seat, match, kept = room.seat(viewer), room.match, room.events_kept(viewer, seen)
    shown: dict[str, Any] = {}
    if "view" in want:
        shown["view"] = match.view_json(seat) if match else None
    if "legal" in want:
        shown["legal"] = room.legal(seat)
    if "events" in want:
        shown["events"] = [event.as_json() for event in match.events(seat, kept)] if match else []
    if "story" in want:
        shown["story"] = story_of(room, viewer, kept, lang)
        shown["prompt"] = prompt(room, viewer, Words(lang))
    if match and room.result:
        shown["open"] = {"hands": match.hands, **room.fair()}
    return Update(
        n=len(room.updates[viewer]),
        viewer=viewer,
        phase=room.phase,
        names=room.names,
        seats=[room.swap, 1 - room.swap] if match else None,
        ready=[not room.needs_ready(party) for party in range(2)],
        context=room.seated.context if room.seated else None,
        actors=room.deciders,
        clocks=room.clocks(seat, at),
        offers=sorted(room.offers),
        result=room.result.as_json() if room.result else None,
        next=room.next or None,
        kept=kept,
        **shown,
    )
