"""A room: one match with its players, clocks, sealed choices and offers. No I/O and no time of its own.

`refuses` says why an input is not allowed, and changes nothing; `apply` does what an input says that
was not refused. The server keeps an input durably between the two.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from coyote import fairness
from coyote.games.game import Game, Json, Refusal, Result
from coyote.kernel.events import new_log
from coyote.match import Match
from coyote.table import inputs as i
from coyote.table.clock import Clock
from coyote.table.games import Games

BYSTANDER = -1
VIEWERS = (0, 1, BYSTANDER)
GUESSES = 8  # imagined tables on which a choice must look the same, if it showed its maker nothing


@dataclass(frozen=True)
class Step:
    """Choices that were settled together, and the time that was left before any was credited."""

    moves: list[tuple[int, str]]
    left: list[int]


class Room:
    def __init__(self, made: i.Make, games: Games) -> None:
        self._games = games
        self.id, self.terms, self.made = made.room, made.terms, made
        self.players: list[i.Player | None] = [made.host, made.other]
        self.decks = list(made.decks)
        self.secret = bytes.fromhex(made.secret)
        self.commitment = fairness.commitment(self.secret)
        self.nonces = ["", ""]
        self.swap = 0  # seat = party ^ swap
        self.match: Match | None = None
        self.actors: list[int] = []  # the seats that owe a choice, by the rules
        self.by_rules: Result | None = None  # how it ended by the rules
        self.clock = Clock(made.terms.clock, made.at)
        self.pending: dict[int, str] = {}  # sealed choices by seat; the match does not know them yet
        self.steps: list[Step] = []
        self.offers: set[tuple[int, str]] = set()  # party and what it offers
        self.ended: Result | None = None  # by the players or the clock
        self.closed = False
        self.next = ""  # the room of the rematch
        self.ids: set[tuple[int, str]] = set()  # the requests that have counted
        self.number = 1  # how many inputs there were
        self.position = 0  # grows with every change on the table, so that late thoughts can be told
        self.at = made.at  # when the last one came
        # For each viewer and each update, how many of the events known before it stayed true.
        self.updates: dict[int, list[int]] = {viewer: [0] for viewer in VIEWERS}
        self._settle_seating()

    # ------------------------------------------------------------ asking

    @property
    def seated(self) -> bool:
        return all(self.players)

    @property
    def result(self) -> Result | None:
        return self.ended or self.by_rules

    @property
    def over(self) -> bool:
        return self.closed or self.result is not None

    @property
    def phase(self) -> str:
        if self.closed:
            return "closed"
        if not self.seated:
            return "waiting"
        if self.match is None:
            return "seated"
        return "over" if self.result else "playing"

    def seat(self, party: int) -> int:
        return party if party < 0 else party ^ self.swap

    def in_seats(self) -> list[i.Player | None]:
        return self.players[::-1] if self.swap else list(self.players)

    def thinking(self) -> list[int]:
        """The seats that owe a choice and have not sealed one."""
        return [] if self.over else [seat for seat in self.actors if seat not in self.pending]

    def deadline(self) -> int | None:
        """When a Flag is due."""
        return self.clock.deadline(self.thinking())

    def legal(self, seat: int) -> list[str]:
        """A sealed choice may be changed, so its seat keeps its list."""
        return self.match.legal(seat) if self.match and not self.over and seat in self.actors else []

    def view(self, seat: int) -> Json:
        """All that the seat may know, its own sealed choice included."""
        assert self.match is not None
        shown = self.match.view(seat)
        if seat in self.pending:
            shown["chosen"] = self.pending[seat]
        return shown

    def clocks(self, seat: int, at: int) -> list[int] | None:
        """Time left, as a seat may know it: to others, whoever owes a choice seems to think."""
        if not self.clock.runs:
            return None
        if self.match is None or self.over:
            return [max(0, left) for left in self.clock.left]
        until = [at, at]
        if seat >= 0:
            until[seat] = self.clock.chosen.get(seat, at)
        return [self.clock.shown(who, until[who], who in self.actors) for who in range(2)]

    def events_kept(self, viewer: int, seen: int) -> int:
        """How many events a client knows for certain that has seen so many updates."""
        known = self.updates[viewer]
        return min(known[seen:], default=self._events()) if 0 < seen <= len(known) else 0

    def record(self) -> Json:
        """The whole game; only for when it is over."""
        assert self.match is not None and self.result is not None
        nonces = self.nonces[::-1] if self.swap else self.nonces
        fair = fairness.fair_part(self.secret, nonces, self.context)
        return {**self.match.record(), "result": self.result.as_json(), "fair": fair}

    def _events(self) -> int:
        return len(self.match._rows) if self.match else 0

    # ------------------------------------------------------------ refusing

    def refuses(self, given: i.AnyInput) -> Refusal | None:
        """Why this input is not allowed now; None where it is."""
        check: Callable[..., Refusal | None] = getattr(self, f"_refuse_{type(given).__name__.lower()}")
        return check(given)

    def _refuse_make(self, given: i.Make) -> Refusal:
        return Refusal("room.made", "")

    def _refuse_join(self, given: i.Join) -> Refusal | None:
        if self.phase != "waiting":
            return Refusal("room.full", "")
        if self.made.host.guest == given.player.guest:
            return Refusal("room.own", "")
        return None

    def _refuse_ready(self, given: i.Ready) -> Refusal | None:
        if self.phase != "seated":
            return Refusal("room.not_seated", "")
        if self.nonces[given.by]:
            return Refusal("room.ready_already", "")
        if not fairness.NONCE.fullmatch(given.nonce):
            return Refusal("room.nonce", "")
        if given.nonce in self.nonces:  # it would decide the lot
            return Refusal("room.nonce_taken", "")
        return None

    def _refuse_move(self, given: i.Move) -> Refusal | None:
        if refusal := self._not_playing():
            return refusal
        assert self.match is not None
        game, seat = self.match.game, self.seat(given.by)
        if seat in self.actors and self.clock.is_out(seat, given.at):
            return Refusal("room.late", "")
        action = game.read_move(given.move)
        if action is None or action not in self.match.legal_actions(seat):
            return game.why_not(self.match.view_record(seat), seat, given.move)
        return None

    def _refuse_undo(self, given: i.Undo) -> Refusal | None:
        if refusal := self._not_playing():
            return refusal
        seat = self.seat(given.by)
        if seat in self.pending:
            return None
        if not any(seat == who for step in self.steps for who, _ in step.moves):
            return Refusal("room.nothing_to_undo", "")
        alone = [who for who, _ in self.steps[-1].moves] == [seat]
        return None if alone and not self._last_showed(seat) else Refusal("room.undo_by_consent", "")

    def _refuse_offer(self, given: i.Offer) -> Refusal | None:
        if given.what == "rematch":
            refusal = None if self.phase == "over" and not self.next else Refusal("room.not_over", "")
        else:
            refusal = self._not_playing()
        if refusal:
            return refusal
        if (given.by, given.what) in self.offers:
            return Refusal("room.offered_already", "")
        seat = self.seat(given.by)
        if given.what == "undo" and not any(seat == who for step in self.steps for who, _ in step.moves):
            return Refusal("room.nothing_to_undo", "")
        return None

    def _refuse_answer(self, given: i.Answer) -> Refusal | None:
        return None if (1 - given.by, given.what) in self.offers else Refusal("room.no_offer", "")

    def _refuse_resign(self, given: i.Resign) -> Refusal | None:
        return self._not_playing()

    def _refuse_next(self, given: i.Next) -> Refusal | None:
        if self.phase != "over" or self.next:
            return Refusal("room.not_over", "")
        willing = self.plays_alone or (1 - given.by, "rematch") in self.offers
        return None if willing else Refusal("room.no_offer", "")

    def _refuse_close(self, given: i.Close) -> Refusal | None:
        return None if self.match is None and not self.closed else Refusal("room.begun", "")

    def _refuse_flag(self, given: i.Flag) -> Refusal | None:
        deadline = self.deadline()
        return None if deadline is not None and given.at > deadline else Refusal("room.time_left", "")

    def _refuse_wake(self, given: i.Wake) -> None:
        return None

    def _not_playing(self) -> Refusal | None:
        if self.over:
            return Refusal("refusal.over", "")
        return Refusal("room.not_begun", "") if self.match is None else None

    @property
    def plays_alone(self) -> bool:
        """Nobody else has to be asked."""
        return self.terms.opponent in ("bot", "self")

    def _last_showed(self, seat: int) -> bool:
        """Whether the seat's last choice told it anything: on other tables that it could not tell from
        this one before, the same choice would have looked different afterwards."""
        assert self.match is not None
        game, ((_, move),) = self.match.game, self.steps[-1].moves
        before = self._replayed(self.steps[:-1])
        action = game.read_move(move)
        assert action is not None
        seen, now = before.view_record(seat), self.match.view_record(seat).tobytes()
        for guess in range(GUESSES):
            table = game.imagine(seen, seat, np.array([guess, guess + 1], np.uint64))
            game.act(table, seat, action, new_log(game.ROOM))
            if game.view(table, seat).tobytes() != now:
                return True
        return False

    # ------------------------------------------------------------ applying

    def apply(self, given: i.AnyInput) -> list[int]:
        """Do what was asked. The viewers that can see a difference, each with one update more."""
        before = self._events()
        done: Callable[..., tuple[int, ...]] = getattr(self, f"_do_{type(given).__name__.lower()}")
        told = [*done(given)]
        if isinstance(given, i.Request) and given.id:
            self.ids.add((given.by, given.id))
        self.number += 1
        self.at = given.at
        for viewer in told:
            self.updates[viewer].append(min(before, self._events()))
        return told

    def _do_join(self, given: i.Join) -> tuple[int, ...]:
        self.players[1], self.decks[1] = given.player, given.deck
        self._settle_seating()
        return VIEWERS

    def _settle_seating(self) -> None:
        """Once both are there, all that the deal depends on is settled but the nonces."""
        if not self.seated:
            return
        self.swap = int(self.terms.begins == "other")
        self.game = self._make_game()
        self.context = fairness.make_context(self.game, self.secret, self.id, lot=self.draws_lot)

    @property
    def draws_lot(self) -> bool:
        """The duel treats both seats alike, and its decks are settled before the nonces: no lot there."""
        return self.terms.begins == "lot" and self.terms.game != "duel"

    def _make_game(self) -> Game:
        decks = self.decks[::-1] if self.swap else self.decks
        return self._games.get(self.terms.game, self.terms.options, self.terms.set, decks)

    def needs_ready(self, party: int) -> bool:
        """Every person adds a nonce; bots of ours do not, and two at one device have one."""
        player = self.players[party]
        if player is None or player.bot or self.nonces[party]:
            return False
        return party == 0 or self.terms.opponent != "self"

    def _do_ready(self, given: i.Ready) -> tuple[int, ...]:
        self.nonces[given.by] = given.nonce
        if not any(map(self.needs_ready, range(2))):
            self._deal(given.at)
        return VIEWERS

    def _deal(self, at: int) -> None:
        if self.draws_lot:
            self.swap = int(fairness.draw_lot(self.secret, self.nonces, self.context) != self.nonces)
        nonces = self.nonces[::-1] if self.swap else self.nonces
        seed = fairness.derive_seed(self.secret, nonces, self.context)
        names = [player.name for player in self.in_seats() if player]
        self.start = Match(self.game, seed=seed, players=names)
        self.clock = Clock(self.terms.clock, at)
        self._look_at(self.start.copy())

    def _look_at(self, match: Match) -> None:
        """The table has changed: who is to act now, and whether it is over."""
        self.match, self.actors = match, match.actors
        self.by_rules = None if self.actors else match.result
        self.position += 1

    def _do_move(self, given: i.Move) -> tuple[int, ...]:
        assert self.match is not None
        seat = self.seat(given.by)
        action = self.match.game.read_move(given.move)
        assert action is not None
        self.pending[seat] = self.match.game.move_text(action)
        self.clock.chosen[seat] = given.at
        if any(who not in self.pending for who in self.actors):
            return (given.by,)
        self._settle(given.at)
        return VIEWERS

    def _settle(self, at: int) -> None:
        """All choices are in."""
        assert self.match is not None
        moves = sorted(self.pending.items())
        for seat, move in moves:
            self.match.play(move, seat)
            self.offers -= {offer for offer in self.offers if self.seat(offer[0]) != seat}
        self.pending.clear()
        self.steps.append(Step(moves, self.clock.settle(self.actors, at)))
        self._look_at(self.match)
        goes_on = len(moves) == 1 and self.actors == [moves[0][0]]  # the same turn still
        for seat, _ in moves:
            if not goes_on:
                self.clock.credit(seat)

    def _do_undo(self, given: i.Undo) -> tuple[int, ...]:
        seat = self.seat(given.by)
        if seat in self.pending:
            del self.pending[seat]
            self.clock.chosen.pop(seat)
            return (given.by,)
        self._take_back(seat, given.at)
        return VIEWERS

    def _take_back(self, seat: int, at: int) -> None:
        """Back to before the seat's last choice. Its time stays spent, and it keeps no credit for it."""
        self.clock.settle(self.actors, at)
        self.pending.clear()
        while True:
            step = self.steps.pop()
            for who, _ in step.moves:
                self.clock.left[who] = min(self.clock.left[who], step.left[who])
            if any(who == seat for who, _ in step.moves):
                break
        self._look_at(self._replayed(self.steps))
        self.offers.clear()

    def _replayed(self, steps: list[Step]) -> Match:
        match = self.start.copy()
        for step in steps:
            for seat, move in step.moves:
                match.play(move, seat)
        return match

    def _do_offer(self, given: i.Offer) -> tuple[int, ...]:
        if given.what == "draw" and (1 - given.by, "draw") in self.offers:
            self._agree()
        self.offers.add((given.by, given.what))
        return VIEWERS

    def _do_answer(self, given: i.Answer) -> tuple[int, ...]:
        self.offers.discard((1 - given.by, given.what))
        if given.yes and given.what == "draw":
            self._agree()
        elif given.yes and given.what == "undo":
            self._take_back(self.seat(1 - given.by), given.at)
        return VIEWERS

    def _agree(self) -> None:
        self._end(None, "agreement")

    def _do_resign(self, given: i.Resign) -> tuple[int, ...]:
        self._end(1 - self.seat(given.by), "resignation")
        return VIEWERS

    def _do_flag(self, given: i.Flag) -> tuple[int, ...]:
        thinking = self.thinking()
        loser = self.clock.loser(thinking)
        self.clock.settle(thinking, given.at)
        self._end(None if loser is None else 1 - loser, "timeout")
        return VIEWERS

    def _end(self, winner: int | None, reason: str) -> None:
        assert self.match is not None
        self.ended = Result(winner, reason, self.match.game.score(self.match._state))
        self.pending.clear()
        self.offers.clear()

    def _do_next(self, given: i.Next) -> tuple[int, ...]:
        self.next = given.room
        self.offers.clear()
        return VIEWERS

    def _do_close(self, given: i.Close) -> tuple[int, ...]:
        self.closed = True
        return VIEWERS

    def _do_wake(self, given: i.Wake) -> tuple[int, ...]:
        self.clock.skip(given.down)
        return VIEWERS if self.clock.runs and self.match and not self.over else ()


def replay(given: list[i.AnyInput], games: Games) -> Room:
    """The room that these inputs make."""
    made, *rest = given
    assert isinstance(made, i.Make)
    room = Room(made, games)
    for one in rest:
        room.apply(one)
    return room
