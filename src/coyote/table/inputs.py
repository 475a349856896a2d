"""Everything that can change a room, as plain data with a time: milliseconds since 1970.

A room is its inputs: the store keeps these, and playing them again gives the same room. `by` is a
party: 0 is whoever made the room, 1 the other one. Seats are known only when the cards are dealt.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

Offered = Literal["draw", "undo", "rematch"]
Begins = Literal["lot", "host", "other"]
TwoDecks = tuple[list[str] | None, list[str] | None]
Opponent = Literal["link", "open", "bot", "self"]


class Player(Struct, frozen=True, omit_defaults=True):
    guest: str  # who it is; never told to anybody else
    name: str
    bot: str = ""  # the name of a bot of ours, where it is one
    rating: int | None = None  # when they sat down, where the game is rated
    provisional: bool = False  # and hardly more than a guess


class ClockTerms(Struct, frozen=True, omit_defaults=True):
    """Minutes for the game and seconds more for each turn; or days for each turn; or nothing."""

    minutes: float = 0
    increment: float = 0
    days: float = 0


class Terms(Struct, frozen=True, omit_defaults=True):
    """What is agreed on before a match."""

    game: str
    options: dict[str, Any] = {}
    set: str = ""  # the digest of the cards, where a game is played with cards of one's own choice
    clock: ClockTerms = ClockTerms()
    begins: Begins = "lot"
    opponent: Opponent = "link"
    rules: int = 1  # the version that the room was made with, and keeps
    rated: bool = False


class Input(Struct, omit_defaults=True, tag_field="kind", tag=str.lower):
    at: int


class Board(Struct, frozen=True):
    """A deal that is played at several tables: what it was made from. Places stand table by table, seat 0
    first; those of bots are empty."""

    id: str
    table: int
    seals: list[str]
    nonces: list[str]
    context: str


class Make(Input):
    room: str
    terms: Terms
    host: Player
    secret: str  # 64 hexadecimal digits; told to nobody before the end
    other: Player | None = None
    decks: TwoDecks = (None, None)  # by party; None is not chosen or not needed
    invite: str = ""
    seals: bool = False  # whether nonces are sealed before the context; older rooms had no seals
    board: Board | None = None  # all is settled already: the cards are dealt at once
    event: str = ""  # the tournament that it is a game of


class Request(Input):
    """What a party asks for; one with an id counts once, however often it comes."""

    by: int
    id: str = ""


class Join(Input):
    player: Player
    deck: list[str] | None = None
    invite: str = ""


class Seal(Request):
    """The digest of a nonce that comes later: so the nonce cannot be fitted to the other one."""

    seal: str = ""


class Ready(Request):
    nonce: str = ""
    seed: str = ""  # of the one that the cards are dealt by: noted by the server, so that the deal stays


class Move(Request):
    move: str = ""


class Undo(Request):
    """Take back the last choice, where that shows nobody anything."""


class Offer(Request):
    what: Offered = "draw"


class Answer(Request):
    what: Offered = "draw"
    yes: bool = False


class Resign(Request):
    pass


class Abort(Request):
    """No game has come of it: not both have made a choice yet."""


class Claim(Request):
    """The win from somebody who has left. Who is there the server knows, and no room does."""


class Next(Request):
    """The rematch that both want is in this room."""

    room: str = ""


class Close(Request):
    """Nobody came, or somebody does not get ready, and nobody waits any longer."""


class Flag(Input):
    """Somebody's time is over."""


class Wake(Input):
    """The server was away for so long; no clock ran. Nor does any for a while from now: players have to
    notice, and to come back."""

    down: int
    rest: int = 0


AnyInput = (
    Make | Join | Seal | Ready | Move | Undo | Offer | Answer
    | Resign | Abort | Claim | Next | Close | Flag | Wake
)  # fmt: skip

BRINGS_ON = (Make, Join, Seal, Ready, Answer, Resign, Abort, Claim, Next, Close, Flag, Wake)
"""What a room takes however many inputs it has had, besides moves that are made for the first time."""

_decoder: msgspec.json.Decoder[AnyInput] = msgspec.json.Decoder(AnyInput)
_encoder = msgspec.json.Encoder()


def write_input(given: AnyInput) -> str:
    return _encoder.encode(given).decode()


def read_input(text: str) -> AnyInput:
    return _decoder.decode(text)
