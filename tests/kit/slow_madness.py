"""A second, slow reading of Madness (spec M1-M25), for tests only. Nothing here is shared with the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

STRENGTH = {rank: strength for strength, rank in enumerate("23456789TJQK", start=2)}
SUITED = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]  # M1, without the jokers

# M25  An edition is a row of these: option, its values, what it is in standard and in classic.
YES_NO = ("yes", "no")
HOUSE: dict[str, tuple[Sequence[int | str], int | str, int | str]] = {
    "goal": (range(1, 21), 5, 6),
    "hand": (range(1, 11), 5, 5),
    "extra": (range(0, 4), 0, 0),
    "komi": (range(0, 6), 0, 0),
    "fields": (range(1, 5), 3, 3),
    "jokers": (range(0, 3), 2, 2),
    "boss": (("after", "before"), "after", "before"),
    "close": (("empty", "open", "never"), "empty", "open"),
    "closer": (("draws", "wins"), "draws", "wins"),
    "chance": (YES_NO, "yes", "yes"),
    "chance-card": (("under", "over"), "under", "over"),
    "field-points": (range(0, 4), 1, 1),
    "boss-points": (range(0, 4), 1, 1),
    "round-points": (range(0, 4), 1, 1),
    "hand-points": (range(0, 4), 1, 1),
    "starvation": (YES_NO, "yes", "yes"),
}


def all_options(edition: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """M25  Every option of a game: the given ones, and what the edition says of the others."""
    assert given.get("edition", edition) == edition, f"{given['edition']!r} is not the edition {edition!r}"
    column = {"standard": 1, "classic": 2}[edition]
    options: dict[str, Any] = {name: row[column] for name, row in HOUSE.items()}
    for name, value in given.items():
        if name != "edition":
            assert name in HOUSE, f"M25: there is no option {name!r}"
            assert value in HOUSE[name][0], f"M25: {name} cannot be {value!r}"
            options[name] = value
    assert options["komi"] < options["goal"], "M25: komi is less than goal"
    return options


def pack(jokers: int) -> list[str]:
    """M1, M25  52 and the jokers; a single joker is X1."""
    return SUITED + ["X1", "X2"][:jokers]


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
    """One game of Madness from a shuffled deck, top card first; `options` as a record has them (M25)."""

    def __init__(self, edition: str, deck: list[str], options: Mapping[str, Any] | None = None) -> None:
        self.edition = edition
        self.options = all_options(edition, options or {})
        assert sorted(deck) == sorted(pack(self.options["jokers"])), "M1: not the cards of this game"
        self.deck = list(deck)
        self.discard: list[str] = []  # bottom first, as are all piles
        self.boss: list[str] = []
        self.hands: list[list[str]] = [[], []]
        self.fields = self._new_fields()
        self.lead = -self.options["komi"]  # M9, positive for seat 0
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
        """Every card in every zone; the same distinct ones at any time (M1)."""
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
        """M14  Only an empty field (standard), or any open one (classic), or none."""
        may = {"empty": f.empty(), "open": not f.closed, "never": False}
        return may[self.options["close"]]

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
        """M11  The Boss after (standard) or before (classic) the hands; seat 0 takes its cards first."""
        if self.options["boss"] == "before":
            self._push()
        for seat, extra in ((0, 0), (1, self.options["extra"])):
            for _ in range(self.options["hand"] + extra):
                self._draw(seat)
        if self.options["boss"] == "after":
            self._push()

    def _new_fields(self) -> list[Field]:
        """M5"""
        return [Field() for _ in range(self.options["fields"])]

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
            self._points("field-points", winner)
        self._check_round(winner, f.top(self.player) or "")

    def _after_settling(self) -> None:
        """M13  Starvation, then the main action."""
        starving = not self.hands[self.player] and self.deck
        if starving and self.options["starvation"] == "yes":
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
            self._points("boss-points", self.player)
        if self.phase != "coyote":
            self._after_main()

    def _attack(self, f: Field, card: str) -> None:
        self._take_from_hand(self.player, card)
        f.sides[self.player].append(card)  # M7
        f.last = self.player

    def _close_by_hand(self, f: Field, card: str) -> None:
        """M14, M17  Nobody wins the field; who closes the last one may win the round (classic)."""
        self._take_from_hand(self.player, card)
        f.marker = card
        f.closed = True
        self.resume = "tut"
        self._check_round(self.player if self.options["closer"] == "wins" else None, card)

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
        """M16, M17  The moment all fields are closed, the round ends."""
        if not all(f.closed for f in self.fields):
            return
        if winner is None:
            self._sweep()
        elif self.options["chance"] == "yes" and self.hands[1 - winner]:  # M18: while there is any card
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
        """M19, M20, M21  Where the card of the Chance lies over the fields (classic), they are cleared first.

        Where it lies under them (standard), they are cleared last.
        """
        if self.options["chance-card"] == "over":
            self._sweep()
        if stolen_with:
            self.discard.append(stolen_with)
        self._points("round-points", takes_point)  # M19
        self._hand_points()
        if self.options["chance-card"] == "under":
            self._sweep()

    def _hand_points(self) -> None:
        """M20  On equal hands nobody."""
        sizes = [len(hand) for hand in self.hands]
        if sizes[0] != sizes[1]:
            self._points("hand-points", 0 if sizes[0] < sizes[1] else 1)

    def _sweep(self) -> None:
        """M21"""
        for f in self.fields:
            self.discard += self._in_sweeping_order(f)
        self.fields = self._new_fields()

    def _in_sweeping_order(self, f: Field) -> list[str]:
        """M21  The covered stack first; a marker laid by Close lies on both."""
        if f.marker is not None:
            return f.sides[0] + f.sides[1] + [f.marker]
        under = f.last if f.winner is None else 1 - f.winner
        assert under is not None
        return f.sides[under] + f.sides[1 - under]

    # Points and endings

    def _points(self, option: str, seat: int) -> None:
        """M25  As many points as the option says."""
        for _ in range(self.options[option]):
            self._point(seat)

    def _point(self, seat: int) -> None:
        """M9, M10  One point at a time, and the main victory at once."""
        self.lead += 1 if seat == 0 else -1
        if abs(self.lead) == self.options["goal"]:
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
    edition = record["options"].get("edition", "standard")
    game = SlowMadness(edition, record["deck"], record["options"])
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
