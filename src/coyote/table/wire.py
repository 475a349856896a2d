"""The messages of the socket, both ways. `docs/protocol.md` describes them; a test compares the two.

Requests carry an id that the client makes up: one that comes twice counts once. Updates are numbered
for each viewer, so that a client that comes back says which it saw last and gets the rest.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from coyote.games.game import Refusal
from coyote.kernel.seats import SPECTATOR
from coyote.table.inputs import Offered, Player
from coyote.table.parts import set_shown
from coyote.table.prompt import names_in_seats, prompt
from coyote.table.room import Note as Noted
from coyote.table.room import NoteKind, Room
from coyote.text import Lang, Words, titles

VERSION = 1
LONGEST_ID = 64
LONGEST_MOVE = 200
USUAL_EVENTS = 200  # of a game
MOST_TOLD = 8  # ways to tell how a room stands that are kept, for the next who wants to know it that way

Wanted = Literal["view", "legal", "events", "story"]
Emotion = Literal["hello", "luck", "nice", "oops", "wow", "thanks"]
ALL: tuple[Wanted, ...] = get_args(Wanted)
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
    public: bool = False  # also what a bystander may know: for two who play at one device


class RequestMessage(ClientMessage):
    id: str
    party: int | None = None  # only where one client plays both


class Seal(RequestMessage):
    """The digest of one's nonce; the context is made when every person's is in."""

    seal: str = ""


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


class Abort(RequestMessage):
    """Before both have made a choice."""


class Claim(RequestMessage):
    """The win from somebody who has left."""


class Emote(RequestMessage):
    """A sign to the other one; it is not kept."""

    what: Emotion = "hello"


class Close(RequestMessage):
    pass


class Why(RequestMessage):
    """Why a move is not allowed; it is not made, even if it is."""

    move: str = ""


class Ping(ClientMessage):
    id: str = ""


AnyRequest = Seal | Ready | Move | Undo | Offer | Answer | Resign | Abort | Claim | Close  # may change a room
FromClient = Hello | AnyRequest | Why | Emote | Ping


# ---------------------------------------------------------------- to the client


class ServerMessage(Struct, tag=str.lower):
    pass


class CardSet(Struct):
    """The cards that are played with; only the core set is called core."""

    name: str
    digest: str
    core: bool


class Welcome(ServerMessage):
    """Who the client is here. `parties` is empty for a spectator."""

    version: int
    room: str
    parties: list[int]
    game: str
    rules: int  # the version of the game's rules
    options: dict[str, Any]
    title: dict[Lang, str]  # the game and what differs from its edition, by language
    set: CardSet | None  # where the game is played with a set of cards
    clock: dict[str, float]
    opponent: str
    commitment: str
    rated: bool
    board: str | None  # the deal that another table plays, too
    tournament: str | None


class Line(Struct):
    """A sentence of what happened, the rule behind it, the kind of event and whose it was."""

    text: str
    rule: str
    kind: str
    seat: int | None


class Note(Struct):
    """What a party did beside moves, and when: after so many events."""

    n: int
    after: int
    kind: NoteKind
    party: int
    what: Offered
    text: str  # the same in a sentence, where the story is wanted


class Rating(Struct):
    """When the party sat down; `provisional` where it is hardly more than a guess."""

    rating: int
    provisional: bool


class Update(ServerMessage):
    """All that one viewer may know now."""

    n: int
    viewer: int
    phase: str  # waiting, seated, playing, over, closed
    names: list[str | None]  # by party
    seats: list[int] | None  # the party in each seat, once the cards are dealt
    sealed: list[bool]  # by party: whether the seal of its nonce is in, or none is needed
    ready: list[bool]  # by party: the same of the nonce
    context: str | None  # what the deal depends on besides secret and nonces, once it is settled
    actors: list[int]  # the seats that owe a choice
    clocks: list[int] | None  # milliseconds by seat
    offers: list[tuple[int, str]]  # party and what it offers
    result: dict[str, Any] | None
    next: str | None  # the room of the rematch
    kept: int  # how many of the events that the client has are still true
    done: list[str] = []  # the client's requests that are kept durably by now
    view: dict[str, Any] | None | UnsetType = (
        UNSET  # what the table sends is written already, as the events are
    )
    legal: list[str] | UnsetType = UNSET
    events: list[dict[str, Any]] | UnsetType = UNSET
    story: list[Line] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET  # what is wanted now, or how it ended
    open: dict[str, Any] | UnsetType = UNSET  # after the end: all cards, and how the deal was made
    abort: bool | UnsetType = UNSET  # while a player may
    notes: list[Note] | UnsetType = UNSET  # those that the client does not know
    ratings: list[Rating | None] | UnsetType = UNSET  # by party, where the game is rated


class Presence(ServerMessage):
    """Who is connected."""

    here: list[bool]  # by party
    watching: int  # how many only look on
    claim: int | None  # milliseconds until whoever is here may claim the win from whoever is not


class Emoted(ServerMessage, tag="emote"):
    party: int
    what: Emotion


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


FromServer = Welcome | Update | Presence | Emoted | Done | Error | Reason | Pong

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


def write_message(message: FromServer) -> bytes:
    return _encoder.encode(message)


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
        set=card_set(room),
        clock=clock,
        opponent=room.terms.opponent,
        commitment=room.commitment,
        rated=room.terms.rated,
        board=room.made.board.id if room.made.board else None,
        tournament=room.made.event or None,
    )


def card_set(room: Room) -> CardSet | None:
    shown = set_shown(room.game)
    return CardSet(**shown) if shown else None


def story_of(room: Room, viewer: int, kept: int, lang: str) -> list[Line]:
    if room.match is None:
        return []
    names, rule = names_in_seats(room, Words(lang)), room.game.event_rule
    lines = room.match.lines(room.seat(viewer), names, lang, kept)
    return [Line(text, rule(event), event.kind, event.seat) for text, event in lines]


def length(room: Room, viewers: Iterable[int], seen: Mapping[int, int] = {}) -> float:
    """How much there is to tell, in usual games: most of it are the events that were not seen."""
    news = sum(room.events - room.events_kept(viewer, seen.get(viewer, 0)) for viewer in viewers)
    return 1 + news / USUAL_EVENTS


def update(
    room: Room, viewer: int, seen: int, at: int, want: tuple[str, ...] = USUAL, lang: str = "en"
) -> Update:
    """The newest update of a viewer, for a client that has seen so many of them."""
    kept = room.events_kept(viewer, seen)
    told = (viewer, kept, want, lang)
    shown: Update | None = room.told_to.get(told)
    if shown is None:
        if len(room.told_to) >= MOST_TOLD:
            room.told_to.clear()
        shown = room.told_to[told] = shown_to(room, viewer, kept, want, lang)
    update = replace(shown, clocks=room.clocks(room.seat(viewer), at))
    if room.notes and (notes := room.notes_after(viewer, seen)):
        words = Words(lang) if "story" in want else None
        update.notes = [note_of(room, note, viewer, words) for note in notes]
    return update


def note_of(room: Room, note: Noted, viewer: int, words: Words | None) -> Note:
    text = ""
    if words:
        name = names_in_seats(room, words)[room.seat(note.party)]
        said = "you" if note.party == viewer else "other"
        text = words(f"note.{note.kind}_{note.what}.{said}", name=name)
    return Note(note.n, note.after, note.kind, note.party, note.what, text)


def shown_to(room: Room, viewer: int, kept: int, want: tuple[str, ...], lang: str) -> Update:
    """What one viewer is told but the time: made once for all connections that know as much."""
    seat, match = room.seat(viewer), room.match
    shown = replace(open_part(room), n=room.updates[viewer], viewer=viewer, kept=kept)
    if "view" in want:
        shown.view = written(match.view_text(seat)) if match else None
    if "legal" in want:
        shown.legal = room.legal(seat)
    if "events" in want:
        shown.events = [event.text for event in match.events(seat, kept)] if match else []
    if "story" in want:
        shown.story = story_of(room, viewer, kept, lang)
        shown.prompt = prompt(room, viewer, Words(lang))
    if match and room.phase == "over":
        shown.open = {"hands": match.hands, **room.fair()}
    return shown


def written(text: bytes) -> Any:
    """JSON that is not to be written again."""
    return msgspec.Raw(text)


def open_part(room: Room) -> Update:
    """What all viewers are told alike: made once for each change, and most of it once for many moves."""
    if room.standing is None:
        room.standing = standing(room)
    if room.told is None:
        result = room.result.as_json() if room.result else None
        offers = sorted(room.offers) if room.offers else []
        room.told = replace(
            room.standing, phase=room.phase, actors=room.deciders, offers=offers, result=result
        )
        if room.may_abort:
            room.told.abort = True
    told: Update = room.told
    return told


def standing(room: Room) -> Update:
    """All that no move changes; the rest is still blank."""
    seated = room.seated
    return Update(
        n=0, viewer=SPECTATOR, phase="", actors=[], clocks=None, offers=[], result=None, kept=0,
        names=room.names,
        seats=[room.swap, 1 - room.swap] if room.match else None,
        sealed=[not room.needs_seal(party) for party in range(2)],
        ready=[not room.needs_ready(party) for party in range(2)],
        context=seated.context or None if seated else None,
        next=room.next or None,
        ratings=[rating_of(player) for player in room.players] if room.terms.rated else UNSET,
    )  # fmt: skip


def rating_of(player: Player) -> Rating | None:
    return None if player.rating is None else Rating(player.rating, player.provisional)
