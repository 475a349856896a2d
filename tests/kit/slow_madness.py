"""A second, slow reading of Madness (spec M1-M24), for tests only. Nothing here is shared with the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

STRENGTH = {rank: strength for strength, rank in enumerate("23456789TJQK", start=2)}
LEAD_TO_WIN = {"standard": 5, "classic": 6}  # M10


class GameOver(Exception):
    """Raised inside a move to stop in the middle of whatever is being resolved (M10)."""


@dataclass(eq=False)
class Field:
    """One battlefield (M5): a stack for each seat, bottom first, and a centre."""

    sides: list[list[str]] = field(default_factory=lambda: [[], []])
    marker: str | None = None  # a card laid by Close (M6)
    last: int | None = None  # the seat that last laid a card on a side
    closed: bool = False
    winner: int | None = None

    def top(self, seat: int) -> str | None:
        """M7  Only the top card of a side counts."""
        return self.sides[seat][-1] if self.sides[seat] else None

    def empty(self) -> bool:
        """M6  A field is empty when it holds no card at all."""
        return not self.sides[0] and not self.sides[1] and self.marker is None


def is_joker(card: str) -> bool:
    return card[0] == "X"


def strength(card: str, against: str) -> int:
    """M2  The Ace is 14 against a King, otherwise 1."""
    if card[0] == "A":
        return 14 if against[0] == "K" else 1
    return STRENGTH[card[0]]


def stronger(card: str, other: str, card_is_later: bool) -> bool:
    """M2, M3, M4  Strictly stronger; between two jokers the one played last."""
    if is_joker(card):
        return card_is_later or not is_joker(other)
    if is_joker(other):
        return False
    return strength(card, other) > strength(other, card)


def equal(card: str, other: str) -> bool:
    """M4  One rank is equal, jokers aside."""
    return card[0] == other[0] and not is_joker(card)


class SlowMadness:
    """One game of Madness from a shuffled deck, top card first."""

    def __init__(self, edition: str, deck: list[str]) -> None:
        self.edition = edition
        self.deck = list(deck)
        self.discard: list[str] = []  # bottom first, as are all piles
        self.boss: list[str] = []
        self.hands: list[list[str]] = [[], []]
        self.fields = [Field(), Field(), Field()]
        self.lead = 0  # M9, positive for seat 0
        self.turn = 0
        self.player = 1  # whose turn it is; seat 0 has the first (M11)
        self.seat: int | None = None
        self.phase = "main"
        self.resume = "main"  # the phase that follows a Coyote's Chance
        self.closing = ""  # the card the round was closed with (M18)
        self.began_without_deck = False
        self.card_left_a_hand = False
        self.idle_turns = 0
        self.over = False
        self.winner: int | None = None
        self.reason = ""
        self._deal()
        self._stop_when_over(self._begin_turn)

    # What there is to see

    def situation(self) -> dict[str, Any]:
        """The trace entry of records.md."""
        return {
            "seat": self.seat,
            "phase": self.phase,
            "turn": self.turn,
            "legal": self.legal(),
            "lead": self.lead,
            "hands": [sorted(hand) for hand in self.hands],
            "deck": len(self.deck),
            "boss": self.boss[-1],
            "discard": self.discard[-1] if self.discard else None,
            "fields": [self._field_situation(f) for f in self.fields],
        }

    def _field_situation(self, f: Field) -> dict[str, Any]:
        return {
            "tops": [f.top(0), f.top(1)],
            "heights": [len(f.sides[0]), len(f.sides[1])],
            "last": f.last,
            "closed": f.closed,
        }

    def all_cards(self) -> list[str]:
        """Every card in every zone; 54 distinct ones at any time (M1)."""
        cards = self.deck + self.discard + self.boss + self.hands[0] + self.hands[1]
        for f in self.fields:
            cards += f.sides[0] + f.sides[1] + ([f.marker] if f.marker else [])
        return cards

    def result(self) -> dict[str, Any]:
        assert self.over, "the game is not over"
        return {"winner": self.winner, "reason": self.reason, "score": self.lead}

    # What may be done

    def legal(self) -> list[str]:
        if self.seat is None:
            return []
        moves = {"main": self._legal_main, "tut": self._legal_tut, "coyote": self._legal_coyote}
        return sorted(moves[self.phase](self.hands[self.seat]))

    def _legal_main(self, hand: list[str]) -> list[str]:
        """M14"""
        moves = ["pass"]
        for card in hand:
            if stronger(card, self.boss[-1], card_is_later=True):
                moves.append(f"b {card}")
            for number, f in enumerate(self.fields, start=1):
                if not f.closed:
                    moves.append(f"a{number} {card}")
                if self._may_close(f):
                    moves.append(f"c{number} {card}")
        return moves

    def _may_close(self, f: Field) -> bool:
        """M14  standard: only an empty field; classic: any open one."""
        return not f.closed and (self.edition == "classic" or f.empty())

    def _legal_tut(self, hand: list[str]) -> list[str]:
        """M15  All three are always available."""
        drops = [f"drop {card}" for card in hand] or ["drop"]
        return ["draw", "push", *drops]

    def _legal_coyote(self, hand: list[str]) -> list[str]:
        """M18  A stolen victory needs a strictly stronger card, which counts as played last."""
        return ["decline"] + [f"steal {c}" for c in hand if stronger(c, self.closing, card_is_later=True)]

    # What is done

    def play(self, move: str) -> None:
        """Make the move of the seat that owes one."""
        assert not self.over, "the game is over"
        assert move in self.legal(), f"{move!r} is not legal: {self.legal()}"
        word, _, card = move.partition(" ")
        steps = {"main": self._main, "tut": self._tut, "coyote": self._coyote}
        self._stop_when_over(lambda: steps[self.phase](word, card))

    def _stop_when_over(self, step: Callable[[], None]) -> None:
        try:
            step()
        except GameOver:
            self.seat = None

    def _deal(self) -> None:
        """M11"""
        if self.edition == "classic":
            self._push()
        for seat in (0, 1):
            for _ in range(5):
                self._draw(seat)
        if self.edition == "standard":
            self._push()

    def _begin_turn(self) -> None:
        self.player = 1 - self.player
        self.turn += 1
        self.began_without_deck = not self.deck
        self.card_left_a_hand = False
        self.phase = "main"
        self.resume = "main"
        for f in self.fields:  # M12
            self._settle(f)
        if self.phase != "coyote":
            self._after_settling()

    def _settle(self, f: Field) -> None:
        """M12"""
        me, opponent = self.player, 1 - self.player
        mine, theirs = f.top(me), f.top(opponent)
        if f.closed or mine is None:
            return
        if theirs is None or stronger(mine, theirs, card_is_later=f.last == me):
            self._close(f, winner=me)
        elif equal(mine, theirs) and f.last == me:
            self._close(f, winner=None)

    def _close(self, f: Field, winner: int | None) -> None:
        f.closed = True
        f.winner = winner
        if winner is not None:
            self._point(winner)
        self._check_round(winner, f.top(self.player) or "")

    def _after_settling(self) -> None:
        """M13  Starvation, then the main action."""
        if not self.hands[self.player] and self.deck:
            self._end(1 - self.player, "starvation")
        self.seat, self.phase = self.player, "main"

    def _main(self, word: str, card: str) -> None:
        """M14"""
        if word[0] == "a":
            self._attack(self.fields[int(word[1]) - 1], card)
        elif word[0] == "c":
            self._close_by_hand(self.fields[int(word[1]) - 1], card)
        elif word == "b":
            self._take_from_hand(self.player, card)
            self.boss.append(card)
            self._point(self.player)
        if self.phase != "coyote":
            self._after_main()

    def _attack(self, f: Field, card: str) -> None:
        self._take_from_hand(self.player, card)
        f.sides[self.player].append(card)  # M7
        f.last = self.player

    def _close_by_hand(self, f: Field, card: str) -> None:
        """M14, M17  Nobody wins the field; in classic the one who closes the last one wins the round."""
        self._take_from_hand(self.player, card)
        f.marker = card
        f.closed = True
        self.resume = "tut"
        self._check_round(self.player if self.edition == "classic" else None, card)

    def _after_main(self) -> None:
        self._check_endurance()
        self.seat, self.phase = self.player, "tut"

    def _tut(self, word: str, card: str) -> None:
        """M15"""
        if word == "push":
            self._push()
        else:
            if card:
                self._take_from_hand(self.player, card)
                self.discard.append(card)
            self._draw(self.player)
        self._check_endurance()
        self._check_stall()
        self._begin_turn()

    def _draw(self, seat: int) -> None:
        if self.deck:
            self.hands[seat].append(self.deck.pop(0))

    def _push(self) -> None:
        if self.deck:
            self.boss.append(self.deck.pop(0))

    def _take_from_hand(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.card_left_a_hand = True

    # The end of a round

    def _check_round(self, winner: int | None, closing: str) -> None:
        """M16, M17  The moment all three fields are closed, the round ends."""
        if not all(f.closed for f in self.fields):
            return
        if winner is None:
            self._sweep()
        elif self.hands[1 - winner]:  # M18: offered while that player has any card
            self.seat, self.phase, self.closing = 1 - winner, "coyote", closing
        else:
            self._finish_round(winner, stolen_with=None)

    def _coyote(self, word: str, card: str) -> None:
        """M18"""
        thief = self.seat
        assert thief is not None
        self.seat = None
        if word == "steal":
            self._take_from_hand(thief, card)
            self._finish_round(thief, stolen_with=card)
        else:
            self._finish_round(1 - thief, stolen_with=None)
        if self.resume == "tut":
            self._after_main()
        else:
            self._check_endurance()
            self._after_settling()

    def _finish_round(self, takes_point: int, stolen_with: str | None) -> None:
        """M19, M20, M21  classic clears the fields first, standard last."""
        if self.edition == "classic":
            self._sweep()
        if stolen_with:
            self.discard.append(stolen_with)
        self._point(takes_point)  # M19
        self._hand_point()
        if self.edition == "standard":
            self._sweep()

    def _hand_point(self) -> None:
        """M20  On equal hands nobody."""
        sizes = [len(hand) for hand in self.hands]
        if sizes[0] != sizes[1]:
            self._point(0 if sizes[0] < sizes[1] else 1)

    def _sweep(self) -> None:
        """M21"""
        for f in self.fields:
            self.discard += self._in_sweeping_order(f)
        self.fields = [Field(), Field(), Field()]

    def _in_sweeping_order(self, f: Field) -> list[str]:
        """M21  The covered stack first; a marker laid by Close lies on both."""
        if f.marker is not None:
            return f.sides[0] + f.sides[1] + [f.marker]
        under = f.last if f.winner is None else 1 - f.winner
        assert under is not None
        return f.sides[under] + f.sides[1 - under]

    # Points and endings

    def _point(self, seat: int) -> None:
        """M9, M10  One point at a time, and the main victory at once."""
        self.lead += 1 if seat == 0 else -1
        if abs(self.lead) == LEAD_TO_WIN[self.edition]:
            self._end(seat, "lead")

    def _check_endurance(self) -> None:
        """M22"""
        if not self.deck and not self.hands[0] and not self.hands[1]:
            self._end(self._leader(), "endurance")

    def _check_stall(self) -> None:
        """M24  Two idle turns in a row."""
        idle = self.began_without_deck and not self.card_left_a_hand
        self.idle_turns = self.idle_turns + 1 if idle else 0
        if self.idle_turns == 2:
            self._end(self._leader(), "stall")

    def _leader(self) -> int | None:
        if self.lead == 0:
            return None
        return 0 if self.lead > 0 else 1

    def _end(self, winner: int | None, reason: str) -> None:
        self.over, self.winner, self.reason = True, winner, reason
        raise GameOver


def follow(record: dict[str, Any]) -> SlowMadness:
    """Play a whole record, with its trace if it has one; AssertionError says where it differs."""
    game = SlowMadness(record["options"]["edition"], record["deck"])
    trace = record.get("trace")
    assert trace is None or len(trace) == len(record["moves"]), "madness: trace and moves differ in length"
    for number, (seat, move) in enumerate(record["moves"]):
        where = f"madness {game.edition}, move {number} {[seat, move]}"
        assert not game.over, f"{where}: the game is already over, {game.result()}"
        if trace:
            assert_same(where, game.situation(), trace[number])
        assert game.seat == seat, f"{where}: seat {game.seat} owes the move"
        assert move in game.legal(), f"{where}: legal are {game.legal()}"
        game.play(move)
    assert game.over, f"madness {game.edition}: not over after {len(record['moves'])} moves"
    assert_same(f"madness {game.edition}, result", game.result(), record["result"])
    return game


def assert_same(where: str, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Name every key in which a situation or result differs from the record's."""
    wrong = [
        f"{key} is {ours.get(key)!r}, the record has {theirs.get(key)!r}"
        for key in sorted(ours.keys() | theirs.keys())
        if key not in ours or key not in theirs or ours[key] != theirs[key]
    ]
    assert not wrong, f"{where}: " + "; ".join(wrong)
