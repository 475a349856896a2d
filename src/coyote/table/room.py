"""A room: one match with its players, clocks and offers. No I/O and no time of its own.

`refuses` says why an input is not allowed, and changes nothing; `after` makes the room that an input
leads to, beside the one that is there. The server keeps the input durably, and only then takes the new
room for the old one: so nobody sees what is not kept, and nothing is kept that cannot be done.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, assert_never

from coyote import fairness
from coyote.games.game import Json, Refusal, Result, Setup
from coyote.kernel.growing import Growing
from coyote.kernel.seats import SPECTATOR
from coyote.match import Match
from coyote.table import inputs
from coyote.table.clock import Clock
from coyote.table.games import Games
from coyote.table.parts import PARTS

Phase = Literal["waiting", "seated", "playing", "over", "closed"]
NoteKind = Literal["offered", "accepted", "declined", "lapsed", "undone"]
VIEWERS = (0, 1, SPECTATOR)
MOST_NOTES = 100  # those that were made last are kept
APART = 32  # steps between two of those that the way back begins at


# ---------------------------------------------------------------- how far a room has come


class Waiting:
    """For somebody to come."""


@dataclass(frozen=True)
class Seated:
    """Both are there: all that the deal depends on is settled but the nonces, and first their seals."""

    players: tuple[inputs.Player, inputs.Player]  # by party, as the decks
    decks: inputs.TwoDecks
    setup: Setup
    context: str = ""  # what the deal depends on besides secret and nonces; made when the seals are in


class Step(NamedTuple):
    """Choices that were settled together, and the time that was left before any was credited."""

    moves: list[tuple[int, str]]
    left: list[int]


class Table:
    """The cards are dealt. `start` is the deal; `match` has come further, and holds sealed choices too."""

    def __init__(self, seated: Seated, start: Match) -> None:
        self.seated, self.start = seated, start
        self.steps: Growing[Step] = Growing()
        self.marks: Growing[Match] = Growing([start])  # as it was after every so many steps
        self.ended: Result | None = None  # by the players or the clock
        self.moved = 0  # the seats that have made a choice, as bits
        self._look_at(start.copy())

    def copy(self) -> "Table":
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.steps, twin.match = self.steps.copy(), self.match.copy()
        twin.marks = self.marks.copy()
        return twin

    def _look_at(self, match: Match) -> None:
        """Choices came to light, or were taken back. What everybody may know of it, until the next time."""
        self.match, self.deciders = match, match.deciders
        self.by_rules = None if self.deciders else match.result
        self._legal: dict[int, list[str]] = {}

    @property
    def result(self) -> Result | None:
        return self.ended or self.by_rules

    def thinking(self) -> list[int]:
        """The seats that owe a choice and have not sealed one."""
        sealed = self.match.choices
        return [seat for seat in self.deciders if seat not in sealed] if sealed else self.deciders

    def legal(self, seat: int) -> list[str]:
        """A sealed choice may be changed, so its seat keeps its list."""
        if seat not in self._legal:
            self._legal[seat] = self._without_choice(seat).legal(seat)
        return self._legal[seat]

    def refuses(self, move: str, seat: int) -> Refusal | None:
        return self._without_choice(seat).refuses(move, seat)

    def _without_choice(self, seat: int) -> Match:
        """The match as it was before the seat sealed a choice."""
        if seat not in self.match.choices:
            return self.match
        before = self.match.copy()
        before.unseal(seat)
        return before

    def choose(self, move: str, seat: int) -> list[tuple[int, str]]:
        """Seal a choice, or another one instead. The choices that came to light by it."""
        if len(self.deciders) > 1:
            self.legal(seat)  # while it costs little
        if seat in self.match.choices:
            self.match.unseal(seat)
        before = len(self.match.moves)
        self.match.play(move, seat)
        shown = self.match.moves[before:]
        if shown:
            self._look_at(self.match)
        return shown

    def settle(self, step: Step) -> None:
        """It is made, and nothing is sealed."""
        self.steps.append(step)
        for seat, _ in step.moves:
            self.moved |= 1 << seat
        if len(self.steps) % APART == 0:
            self.marks.append(self.match.copy())

    def end(self, winner: int | None, reason: str) -> None:
        """Choices that are sealed are never shown."""
        for seat in self.match.choices:
            self.match.unseal(seat)
        self.ended = Result(winner, reason, self.match.score)

    def has_moved(self, seat: int) -> bool:
        return bool(self.moved >> seat & 1)

    def shows_nothing(self, seat: int) -> bool:
        """Whether the last step was this seat's alone, and told it nothing that it did not know."""
        last = self.steps[-1]
        if [who for who, _ in last.moves] != [seat]:
            return False
        return not self._as_after(len(self.steps) - 1).showed(last.moves[0][1], seat)

    def take_back(self, seat: int) -> list[Step]:
        """Back to before the seat's last choice. The steps that are gone, the last one first."""
        gone: list[Step] = []
        while not gone or all(who != seat for who, _ in gone[-1].moves):
            gone.append(self.steps.pop())
        self.moved = sum(1 << who for who in {who for step in self.steps for who, _ in step.moves})
        while len(self.marks) > 1 + len(self.steps) // APART:
            self.marks.pop()
        self._look_at(self._as_after(len(self.steps)))
        return gone

    def _as_after(self, steps: int) -> Match:
        """The match after so many steps. A few of them are made again, however long the game is."""
        mark = steps // APART
        match = self.marks[mark].copy()
        for step in self.steps[mark * APART : steps]:
            for seat, move in step.moves:
                match.play(move, seat)
        return match


@dataclass(frozen=True)
class Closed:
    """Nobody came, or somebody did not wait for the cards."""

    before: Waiting | Seated


class Note(NamedTuple):
    """What a party did beside moves, for everybody to know."""

    n: int  # its number, from 1
    after: int  # so many events
    kind: NoteKind
    party: int
    what: inputs.Offered
    updates: tuple[int, int, int]  # how many each viewer has had when it is told


class Change(NamedTuple):
    """What an input did to those who look."""

    kept: int  # how many of the events before it are still true
    updates: tuple[int, int, int]  # how many each viewer has had then


class Room:
    def __init__(self, made: inputs.Make, games: Games) -> None:
        """OptionError where the rules that it was made with are not known here."""
        self.id, self.terms, self.made = made.room, made.terms, made
        self.game = games.get(made.terms)
        self.options = PARTS[self.game.name].options(self.game)
        self.secret = bytes.fromhex(made.secret)
        self.commitment = fairness.commitment(self.secret)
        self.seals, self.nonces = ["", ""], ["", ""]  # by party
        self.swap = 0  # seat = party ^ swap
        self.stage: Waiting | Seated | Table | Closed = Waiting()
        self.clock = Clock(made.terms.clock, made.at)
        self.offers: frozenset[tuple[int, inputs.Offered]] = frozenset()  # party and what it offers
        self.notes: tuple[Note, ...] = ()
        self.next = ""  # the room of the rematch
        self.ids: set[tuple[int, str]] = set()  # the requests that are kept; copies have it in common
        self.number = 1  # how many inputs there were
        self.asked = (0, 0)  # and of each party's requests among them
        self.position = 0  # grows with every change on the table, so that late thoughts can be told
        self.taken_back = 0  # how often choices that all had seen were taken back
        self.at = made.at  # when the last one came
        self.phase_since = made.at
        self.standing: Any = None  # what everybody is told that no move changes
        self.told: Any = None  # what everybody is told of it, until it changes
        self.told_to: dict[Any, Any] = {}  # and what each viewer is
        self.events = 0  # that have happened on the table
        self.updates = (1, 1, 1)  # how many each viewer has had
        self.changes: Growing[Change] = Growing()
        if made.other:
            self._seat(made.other, made.decks[1])
        if made.board:
            self._deal_board(made.board)
        self.phase = self._find_phase()

    def copy(self) -> "Room":
        """The same room, to be changed separately: what is not copied here is never changed in place."""
        twin = Room.__new__(Room)
        twin.__dict__.update(self.__dict__)
        twin.stage = self.stage.copy() if isinstance(self.stage, Table) else self.stage
        twin.clock, twin.changes = self.clock.copy(), self.changes.copy()
        return twin

    def after(self, given: inputs.AnyInput) -> "tuple[Room, tuple[int, ...]]":
        """The room that an input leads to, and the viewers that can see a difference."""
        room = self.copy()
        return room, room.apply(given)

    # ------------------------------------------------------------ asking

    def _find_phase(self) -> Phase:
        match self.stage:
            case Table():
                return "over" if self.stage.result else "playing"
            case Waiting():
                return "waiting"
            case Seated():
                return "seated"
            case Closed():
                return "closed"

    @property
    def over(self) -> bool:
        return self.phase in ("over", "closed")

    @property
    def seated(self) -> Seated | None:
        """Who sits here with what, once both do."""
        match self.stage:
            case (Seated() as seated) | Table(seated=seated) | Closed(before=Seated() as seated):
                return seated
        return None

    @property
    def table(self) -> Table | None:
        return self.stage if isinstance(self.stage, Table) else None

    @property
    def match(self) -> Match | None:
        return self.stage.match if isinstance(self.stage, Table) else None

    @property
    def result(self) -> Result | None:
        return self.stage.result if isinstance(self.stage, Table) else None

    @property
    def players(self) -> list[inputs.Player]:
        """By party; while somebody is waited for, the host alone."""
        return list(self.seated.players) if self.seated else [self.made.host]

    @property
    def names(self) -> list[str | None]:
        """By party; None where nobody sits."""
        players = self.players
        return [players[party].name if party < len(players) else None for party in range(2)]

    def in_seats(self) -> list[inputs.Player]:
        return self.players[::-1] if self.swap else self.players

    def seat(self, party: int) -> int:
        return party if party < 0 else party ^ self.swap

    def party(self, seat: int) -> int:
        return seat if seat < 0 else seat ^ self.swap

    @property
    def deciders(self) -> list[int]:
        """The seats that are to choose now; nothing of it tells who has chosen already."""
        return self.stage.deciders if isinstance(self.stage, Table) and self.phase == "playing" else []

    def thinking(self) -> list[int]:
        """The seats that owe a choice and have not sealed one."""
        return self.stage.thinking() if isinstance(self.stage, Table) and self.phase == "playing" else []

    def has_sealed(self, seat: int) -> bool:
        return self.match is not None and seat in self.match.choices

    def legal(self, seat: int) -> list[str]:
        return self.stage.legal(seat) if isinstance(self.stage, Table) and seat in self.deciders else []

    def deadline(self) -> int | None:
        """When a Flag is due."""
        return self.clock.deadline(self.thinking()) if self.clock.runs else None

    def clocks(self, seat: int, at: int) -> list[int] | None:
        """Time left, as a seat may know it: to others, whoever owes a choice seems to think."""
        if not self.clock.runs:
            return None
        deciders = self.deciders
        if self.phase != "playing":
            if self.clock.stood_at is None:
                return [max(0, left) for left in self.clock.left]
            at, deciders = self.clock.stood_at, self._dealt().deciders
        until = [at, at]
        if seat >= 0:
            until[seat] = self.clock.chosen.get(seat, at)
        return [self.clock.shown(who, until[who], who in deciders) for who in range(2)]

    def events_kept(self, viewer: int, seen: int) -> int:
        """How many events a client knows for certain that has seen so many updates."""
        if not 0 < seen <= self.updates[viewer]:
            return 0
        kept, number = self.events, len(self.changes)
        while number and (change := self.changes[number - 1]).updates[viewer] > seen:
            kept, number = min(kept, change.kept), number - 1
        return kept

    def fair(self) -> Json:
        """How the deal was made; only for when it is over."""
        table = self._dealt()
        assert table.result
        nonces = self.nonces[::-1] if self.swap else self.nonces
        return fairness.fair_part(self.secret, nonces, table.seated.context)

    def record(self) -> Json:
        """The whole game; only for when it is over."""
        table, fair = self._dealt(), self.fair()
        assert table.result
        record = {**table.match.record(), "options": self.options}
        if board := self.made.board:
            told = {"id": board.id, "table": board.table, "seals": board.seals, "nonces": board.nonces}
            record["board"] = told
        return {**record, "result": table.result.as_json(), "fair": fair}

    def _dealt(self) -> Table:
        assert isinstance(self.stage, Table), "it is refused before the cards are dealt"
        return self.stage

    @property
    def plays_alone(self) -> bool:
        """Nobody else has to be asked."""
        return self.terms.opponent in ("bot", "self")

    @property
    def is_part(self) -> bool:
        """Of something larger, which waits for a result."""
        return self.made.board is not None or bool(self.made.event)

    @property
    def serious(self) -> bool:
        """It counts for more than itself: nobody is helped, and bots let nothing be taken back."""
        return self.terms.rated or self.is_part

    @property
    def draws_lot(self) -> bool:
        """Where decks are settled before the nonces, seats are too."""
        return self.terms.begins == "lot" and self.game.DRAWS_LOT

    @property
    def may_abort(self) -> bool:
        """Nobody is to lose a game that has hardly begun."""
        return self.phase == "playing" and self._dealt().moved != 0b11 and not self.is_part

    @property
    def may_claim(self) -> bool:
        """Whether whoever leaves can lose by it: where days are given for a turn, nobody has to be there."""
        return self.phase == "playing" and self.clock.runs and not self.clock.by_turn and not self.plays_alone

    def needs_ready(self, party: int) -> bool:
        """Every person adds a nonce; bots of ours do not, and two at one device have one."""
        players = self.players
        if self.made.board or party >= len(players) or players[party].bot or self.nonces[party]:
            return False
        return party == 0 or self.terms.opponent != "self"

    def needs_seal(self, party: int) -> bool:
        """Every person's nonce is sealed before the context is made."""
        return self.made.seals and not self.seals[party] and self.needs_ready(party)

    def begins_rematch(self, given: inputs.AnyInput) -> bool:
        """Whether this request, if it is not refused, is the word that a rematch waited for."""
        match given:
            case inputs.Offer(what="rematch"):
                return self.plays_alone
            case inputs.Answer(what="rematch", yes=True):
                return True
        return False

    # ------------------------------------------------------------ refusing

    def refuses(self, given: inputs.AnyInput) -> Refusal | None:
        """Why this input is not allowed now; None where it is."""
        match given:
            case inputs.Move():
                return self._refuse_move(given)
            case inputs.Make():
                return Refusal("room.made")
            case inputs.Join():
                return self._refuse_join(given)
            case inputs.Seal():
                return self._refuse_seal(given)
            case inputs.Ready():
                return self._refuse_ready(given)
            case inputs.Undo():
                return self._refuse_undo(given)
            case inputs.Offer():
                return self._refuse_offer(given)
            case inputs.Answer():
                return None if (1 - given.by, given.what) in self.offers else Refusal("room.no_offer")
            case inputs.Resign():
                return self._not_playing()
            case inputs.Abort():
                late = None if self.may_abort else Refusal("room.abort_late")
                return self._not_playing() or late
            case inputs.Claim():
                unclaimed = None if self.may_claim else Refusal("room.no_claim")
                return self._not_playing() or unclaimed
            case inputs.Next():
                return self._refuse_next(given)
            case inputs.Close():
                if self.made.event and given.by >= 0:
                    return Refusal("room.event")
                return None if self.phase in ("waiting", "seated") else Refusal("room.begun")
            case inputs.Flag():
                deadline = self.deadline()
                return None if deadline is not None and given.at > deadline else Refusal("room.time_left")
            case inputs.Wake():
                return None
            case never:
                assert_never(never)

    def _not_playing(self) -> Refusal | None:
        match self.phase:
            case "playing":
                return None
            case "waiting" | "seated":
                return Refusal("room.not_begun")
            case "over" | "closed":
                return Refusal("refusal.over")

    def _refuse_join(self, given: inputs.Join) -> Refusal | None:
        if self.terms.opponent == "link" and given.invite != self.made.invite:
            return Refusal("room.invite")
        if self.phase != "waiting":
            return Refusal("room.full")
        return Refusal("room.own") if self.made.host.guest == given.player.guest else None

    def _refuse_seal(self, given: inputs.Seal) -> Refusal | None:
        if self.phase != "seated":
            return Refusal("room.not_seated")
        if not self.needs_seal(given.by):
            return Refusal("room.sealed_already")
        if not fairness.HEX_256.fullmatch(given.seal):
            return Refusal("room.seal")
        return Refusal("room.nonce_taken") if given.seal in self.seals else None

    def _refuse_ready(self, given: inputs.Ready) -> Refusal | None:
        if self.phase != "seated":
            return Refusal("room.not_seated")
        if self.nonces[given.by] or not self.needs_ready(given.by):
            return Refusal("room.ready_already")
        if not fairness.NONCE.fullmatch(given.nonce):
            return Refusal("room.nonce")
        if self.seals[given.by] not in ("", fairness.seal(given.nonce)):
            return Refusal("room.nonce_seal")
        others = (self.nonces[1 - given.by], self.seals[1 - given.by])
        if given.nonce in others or fairness.seal(given.nonce) in others:  # it would decide the lot
            return Refusal("room.nonce_taken")
        return None

    def _refuse_move(self, given: inputs.Move) -> Refusal | None:
        if refusal := self._not_playing():
            return refusal
        seat = self.seat(given.by)
        if seat in self.deciders and self.clock.is_out(seat, given.at):
            return Refusal("room.late")
        return self._dealt().refuses(given.move, seat)

    def _refuse_undo(self, given: inputs.Undo) -> Refusal | None:
        if refusal := self._not_playing():
            return refusal
        seat, table = self.seat(given.by), self._dealt()
        if self.has_sealed(seat):
            return None
        if not table.has_moved(seat):
            return Refusal("room.nothing_to_undo")
        return None if table.shows_nothing(seat) else Refusal("room.undo_by_consent")

    def _refuse_offer(self, given: inputs.Offer) -> Refusal | None:
        if given.what == "rematch":
            refusal = None if self.phase == "over" and not self.next else Refusal("room.not_over")
        else:
            refusal = self._not_playing()
        if refusal:
            return refusal
        if (given.by, given.what) in self.offers:
            return Refusal("room.offered_already")
        if given.what == "undo" and not self._dealt().has_moved(self.seat(given.by)):
            return Refusal("room.nothing_to_undo")
        return None

    def _refuse_next(self, given: inputs.Next) -> Refusal | None:
        if self.phase != "over" or self.next:
            return Refusal("room.not_over")
        willing = self.plays_alone or (1 - given.by, "rematch") in self.offers
        return None if willing else Refusal("room.no_offer")

    # ------------------------------------------------------------ applying

    def apply(self, given: inputs.AnyInput) -> tuple[int, ...]:
        """Do what was asked. The viewers that can see a difference, each with one update more."""
        before, self.told, self.told_to = self.events, None, {}
        if not isinstance(given, inputs.Move):
            self.standing = None
        viewers = self._do(given)
        self.number += 1
        if isinstance(given, inputs.Request):
            first, second = self.asked
            self.asked = (first + 1, second) if given.by == 0 else (first, second + 1)
        self.at = given.at
        if (phase := self._find_phase()) != self.phase:
            self.phase, self.phase_since = phase, given.at
        self.events = len(self.match.rows) if self.match else 0
        first, second, others = self.updates
        self.updates = (first + (0 in viewers), second + (1 in viewers), others + (SPECTATOR in viewers))
        self.changes.append(Change(min(before, self.events), self.updates))
        return viewers

    def count(self, given: inputs.AnyInput) -> None:
        """It is kept: the same request does not count again."""
        if isinstance(given, inputs.Request) and given.id:
            self.ids.add((given.by, given.id))

    def _do(self, given: inputs.AnyInput) -> tuple[int, ...]:
        match given:
            case inputs.Move():
                return self._move(given)
            case inputs.Make():
                raise ValueError("a room is made once")
            case inputs.Join():
                self._seat(given.player, given.deck)
            case inputs.Seal():
                self.seals = exchanged(self.seals, given.by, given.seal)
                self._settle_context()
            case inputs.Ready():
                self._ready(given)
            case inputs.Undo():
                return self._undo(given)
            case inputs.Offer():
                self._offer(given)
            case inputs.Answer():
                self._answer(given)
            case inputs.Resign():
                self._end(1 - self.seat(given.by), "resignation", given.at)
            case inputs.Abort():
                self._end(None, "aborted", given.at)
            case inputs.Claim():
                self._end(self.seat(given.by), "left", given.at)
            case inputs.Next():
                self.next = given.room
                self.offers = frozenset()
            case inputs.Close():
                assert isinstance(self.stage, Waiting | Seated), "it is refused later"
                self.stage = Closed(self.stage)
            case inputs.Flag():
                self._flag(given)
            case inputs.Wake():
                self.clock.skip(given.at, given.down, given.rest)
                return VIEWERS if self.clock.runs and self.phase == "playing" else ()
            case never:
                assert_never(never)
        return VIEWERS

    def _seat(self, other: inputs.Player, deck: list[str] | None) -> None:
        """Both are there: now their nonces are asked for, sealed at first."""
        self.swap = int(self.terms.begins == "other")
        decks = (self.made.decks[0], deck)
        setup = self.game.settle(decks[::-1] if self.swap else decks)
        self.stage = Seated((self.made.host, other), decks, setup)
        self._settle_context()

    def _settle_context(self) -> None:
        """With the last seal all that the deal depends on is settled but the nonces."""
        seated = self.stage
        if (
            self.made.board
            or not isinstance(seated, Seated)
            or seated.context
            or any(map(self.needs_seal, range(2)))
        ):
            return
        seals = self.seals[::-1] if self.swap else self.seals
        context = fairness.make_context(
            self.game, seated.setup, self.secret, self.id, seals, self.draws_lot, self.options
        )
        self.stage = replace(seated, context=context)

    def _ready(self, given: inputs.Ready) -> None:
        """A nonce that comes without a seal is sealed by the server."""
        self.nonces = exchanged(self.nonces, given.by, given.nonce)
        if self.made.seals:
            self.seals = exchanged(self.seals, given.by, fairness.seal(given.nonce))
        self._settle_context()
        if isinstance(self.stage, Seated) and not any(map(self.needs_ready, range(2))):
            self._deal(self.stage, given)

    def _deal(self, seated: Seated, given: inputs.Ready) -> None:
        if self.draws_lot:
            self.swap = int(fairness.draw_lot(self.secret, self.nonces, seated.context) != self.nonces)
        nonces = self.nonces[::-1] if self.swap else self.nonces
        given.seed = given.seed or fairness.derive_seed(self.secret, nonces, seated.context)
        names = [player.name for player in self.in_seats()]
        self.clock = Clock(self.terms.clock, given.at)
        self.stage = Table(seated, Match(self.game, seated.setup, seed=given.seed, players=names))
        self.position += 1

    def _deal_board(self, board: inputs.Board) -> None:
        """Everybody who plays this deal, here or at another table, has given a nonce before."""
        seated = self.stage
        assert isinstance(seated, Seated), "both are named where it is made"
        self.nonces = fairness.board_nonces(board.nonces)
        seed = fairness.derive_seed(self.secret, self.nonces, board.context)
        names = [player.name for player in self.in_seats()]
        start = Match(self.game, seated.setup, seed=seed, players=names)
        self.stage = Table(replace(seated, context=board.context), start)
        self.position, self.events = 1, len(start.rows)

    def _move(self, given: inputs.Move) -> tuple[int, ...]:
        table, seat = self._dealt(), self.seat(given.by)
        deciders = table.deciders
        moves = table.choose(given.move, seat)
        self.clock.chose(seat, given.at)
        if not moves:
            return (given.by,)
        self._settled(table, moves, deciders, given.at)
        return VIEWERS

    def _settled(self, table: Table, moves: list[tuple[int, str]], deciders: list[int], at: int) -> None:
        """All choices are in, and made."""
        if self.offers:
            movers = {self.party(seat) for seat, _ in moves}
            self._lapse({offer for offer in self.offers if movers != {offer[0]}})
        table.settle(Step(moves, self.clock.settle(deciders, at)))
        self.position += 1
        goes_on = len(moves) == 1 and table.deciders == [moves[0][0]]  # the same turn still
        for seat, _ in moves:
            if not goes_on:
                self.clock.credit(seat)

    def _undo(self, given: inputs.Undo) -> tuple[int, ...]:
        seat = self.seat(given.by)
        if not self.has_sealed(seat):
            self._take_back(seat, given.at)
            self._note("undone", given.by, "undo")
            return VIEWERS
        self._dealt().match.unseal(seat)
        self.clock.thinks_again(seat)
        return (given.by,)

    def _take_back(self, seat: int, at: int) -> None:
        """Back to before the seat's last choice. Its time stays spent, and it keeps no credit for it."""
        table = self._dealt()
        self.clock.settle(table.deciders, at)
        for step in table.take_back(seat):
            for who, _ in step.moves:
                self.clock.left[who] = min(self.clock.left[who], step.left[who])
        self.position += 1
        self.taken_back += 1
        self._lapse(self.offers)

    def _offer(self, given: inputs.Offer) -> None:
        if given.what == "draw" and (1 - given.by, "draw") in self.offers:
            self._note("accepted", given.by, "draw")
            self._end(None, "agreement", given.at)
        else:
            self._note("offered", given.by, given.what)
            self.offers |= {(given.by, given.what)}

    def _answer(self, given: inputs.Answer) -> None:
        self.offers -= {(1 - given.by, given.what)}
        if given.yes and given.what == "undo":
            self._take_back(self.seat(1 - given.by), given.at)
        self._note("accepted" if given.yes else "declined", given.by, given.what)
        if given.yes and given.what == "draw":
            self._end(None, "agreement", given.at)

    def _lapse(self, offers: Iterable[tuple[int, inputs.Offered]]) -> None:
        """Nobody has answered them, and now it is too late."""
        for party, what in sorted(offers):
            self._note("lapsed", party, what)
        self.offers -= frozenset(offers)

    def _note(self, kind: NoteKind, party: int, what: inputs.Offered) -> None:
        """It is told with the update that comes of this input, to all."""
        first, second, others = self.updates
        n, events = (self.notes[-1].n if self.notes else 0) + 1, len(self._dealt().match.rows)
        note = Note(n, events, kind, party, what, (first + 1, second + 1, others + 1))
        self.notes = (*self.notes, note)[-MOST_NOTES:]

    def notes_after(self, viewer: int, seen: int) -> list[Note]:
        """Those that a client has not been told that has seen so many updates."""
        return [note for note in self.notes if note.updates[viewer] > seen]

    def _flag(self, given: inputs.Flag) -> None:
        loser = self.clock.loser(self.thinking())
        self._end(None if loser is None else 1 - loser, "timeout", given.at)

    def _end(self, winner: int | None, reason: str, at: int) -> None:
        self._dealt().end(winner, reason)
        self.clock.stop(at)
        self.offers = frozenset()


def exchanged(pair: list[str], party: int, new: str) -> list[str]:
    return [new if at == party else old for at, old in enumerate(pair)]


def replay(given: list[inputs.AnyInput], games: Games) -> Room:
    """The room that these inputs make."""
    made, *rest = given
    assert isinstance(made, inputs.Make)
    room = Room(made, games)
    for one in rest:
        room.apply(one)
        room.count(one)
    return room
