"""A whole situation in one line, as FEN is for chess; `docs/positions.md` explains it.

madness standard 0 main turn=7 lead=+2 hands=7S,KD/2H boss=QH fields=7S/9C!|KD*2/KS!=draw|-/-=3H deck=AS
"""

import re
from typing import TYPE_CHECKING, Any

from coyote.games.game import NO_SETUP, Game, PositionError, Setup
from coyote.games.madness.cards import N_PLAIN, NUMBERS, all_cards, equal
from coyote.games.madness.editions import EDITIONS, NO_FIELD, OPEN_ONES
from coyote.games.madness.events import KINDS
from coyote.games.madness.notation import card_name, card_names
from coyote.games.madness.rules import any_open, clear_table, decider, stronger_on_field, verdict
from coyote.games.madness.state import (
    COYOTE,
    LEAD,
    MAIN,
    OVER,
    PHASES,
    REASONS,
    STALL,
    STARVATION,
    STATE,
    STAYS_OPEN,
    TUT,
)
from coyote.games.madness.view import seen
from coyote.games.positions import PositionReader, house_rules
from coyote.kernel.record import new
from coyote.kernel.seats import NONE
from coyote.text.refusals import Refusal

if TYPE_CHECKING:
    from coyote.games.madness.game import Madness

KEYS = (
    "rules",
    "turn",
    "lead",
    "hands",
    "boss",
    "discard",
    "fields",
    "closing",
    "deck",
    "idle",
    "dry",
    "moved",
    "reason",
)
SIDE = re.compile(r"(?:-|(?P<top>[2-9TJQKA][CDHS]|X[12])(?:\*(?P<height>[1-9][0-9]?))?)(?P<last>!?)")


# ---------------------------------------------------------------- writing


def write_position(s: Any, game: "Madness") -> str:
    """The situation as text. What follows from the rest is left out."""
    parts = ["madness", game.edition, str(s.mover), PHASES[s.phase], *house_rules(game), f"turn={s.turn}"]
    if s.lead:
        parts.append(f"lead={int(s.lead):+d}")
    parts.append("hands=" + "/".join(_list(card_names(hand)) for hand in s.hands.tolist()))
    parts.append(f"boss={card_name(s.boss)}")
    if s.discard != NONE:
        parts.append(f"discard={card_name(s.discard)}")
    parts.append("fields=" + "|".join(_write_field(s, field) for field in range(game.row.fields)))
    if s.phase == COYOTE:
        parts.append(f"closing={s.closing + 1}")
    parts.append("deck=" + _list([str(card_name(card)) for card in s.deck[: s.left][::-1]]))
    if s.idle:
        parts.append(f"idle={s.idle}")
    if s.began_dry != (s.left == 0):
        parts.append(f"dry={s.began_dry}")
    if s.moved:
        parts.append("moved=1")
    if s.phase == OVER:
        parts.append(f"reason={REASONS[s.reason]}")
    return " ".join(parts)


def _list(names: list[str]) -> str:
    return ",".join(names) or "-"


def _write_field(s: Any, field: int) -> str:
    text = "/".join(_write_side(s, field, seat) for seat in range(2))
    marker, winner = s.marker[field], s.winner[field]
    if marker == NONE:
        return text
    if marker not in s.tops[field]:
        return f"{text}={card_name(marker)}"
    return f"{text}={'draw' if winner == NONE else winner}"


def _write_side(s: Any, field: int, seat: int) -> str:
    if s.tops[field, seat] == NONE:
        return "-"
    height = s.heights[field, seat]
    times = f"*{height}" if height > 1 else ""
    return f"{card_name(s.tops[field, seat])}{times}{'!' if s.last[field] == seat else ''}"


# ---------------------------------------------------------------- reading


def read_position(text: str, kind: "type[Madness]") -> tuple[Game, Setup, Any]:
    """The game and the state of a text; PositionError tells everything that is wrong with it."""
    reader = _Reader(text, kind)
    faults = reader.faults or impossible(reader.s, reader.ed)
    if faults:
        raise PositionError(faults)
    return reader.settled, NO_SETUP, reader.s


class _Reader(PositionReader):
    def __init__(self, text: str, kind: "type[Madness]") -> None:
        super().__init__(text, KEYS)
        self.used: dict[str, str] = {}
        self.s = new(STATE)
        self.s.left = 0
        self.s.deck[:] = NONE
        clear_table(self.s)
        self.settled = self.game(kind, edition=self._edition())
        self.ed = self.settled.row
        self._read_parts()

    def _read_parts(self) -> None:
        """The phase needs nothing else, closing needs the fields, dry needs the deck: hence the order."""
        given = self.given.get
        self.s.turn = self.number("turn", given("turn"), 1 + self.s.mover, 1, 999)
        self.s.lead = self.number("lead", given("lead"), 0, -99, 99)
        self._hands(given("hands"))
        self._boss(given("boss"))
        self._discard(given("discard"))
        self._fields(given("fields"))
        self._closing(given("closing"))
        self._deck(given("deck"))
        self.s.idle = self.number("idle", given("idle"), 0, 0, 2)
        self.s.began_dry = self.number("dry", given("dry"), int(self.s.left == 0), 0, 1)
        self.s.moved = self.number("moved", given("moved"), 0, 0, 1)
        self._reason(given("reason"))
        deck = sum(1 << int(card) for card in self.s.deck[: self.s.left])
        self.s.gone = int(all_cards(self.ed.jokers)) & ~int(seen(self.s)) & ~deck

    def _edition(self) -> str:
        """`madness`, the edition, whose turn it is, the phase."""
        allowed = (("madness",), tuple(EDITIONS), ("0", "1"), PHASES)
        head = self.head
        if len(head) != 4 or any(word not in words for word, words in zip(head, allowed, strict=True)):
            self.fault("head", text=" ".join(head), editions=", ".join(EDITIONS), phases=", ".join(PHASES))
            return next(iter(EDITIONS))
        self.s.mover = int(head[2])
        self.s.phase = PHASES.index(head[3])
        return head[1]

    def _card(self, name: str, place: str) -> int:
        """A card that lies nowhere else yet (M1)."""
        if NUMBERS.get(name, N_PLAIN + self.ed.jokers) >= N_PLAIN + self.ed.jokers:
            self.fault("no_card", name=name, place=place)
            return NONE
        if name in self.used:
            self.fault("card_twice", "M1", card=name, first=self.used[name], second=place)
            return NONE
        self.used[name] = place
        return NUMBERS[name]

    def _cards(self, text: str | None, place: str) -> list[int]:
        names = [] if text in (None, "-") else str(text).split(",")
        return [card for card in (self._card(name, place) for name in names) if card != NONE]

    def _hands(self, text: str | None) -> None:
        hands = ("-/-" if text is None else text).split("/")
        if len(hands) != 2:
            self.fault("hands", text=text)
            return
        for seat, hand in enumerate(hands):
            cards = self._cards(hand, "hands")
            self.s.hands[seat] = sum(1 << card for card in cards)
            self.s.held[seat] = len(cards)

    def _boss(self, text: str | None) -> None:
        if text is None:
            self.fault("no_boss", "M11")
        else:
            self.s.boss = self._card(text, "boss")

    def _discard(self, text: str | None) -> None:
        if text not in (None, "-"):
            self.s.discard = self._card(str(text), "discard")

    def _fields(self, text: str | None) -> None:
        fields = (["-/-"] * int(self.ed.fields)) if text is None else text.split("|")
        if len(fields) != self.ed.fields:
            self.fault("fields", "M5", text=text, n=int(self.ed.fields))
            return
        for field, described in enumerate(fields):
            sides, equals, closing = described.partition("=")
            self._sides(field, sides)
            if equals:
                self._closed(field, closing)

    def _sides(self, field: int, text: str) -> None:
        parsed = [SIDE.fullmatch(side) for side in text.split("/")]
        if len(parsed) != 2 or None in parsed:
            self.fault("side", field=field + 1, text=text)
            return
        sides = [match.groupdict() for match in parsed if match]
        for seat, side in enumerate(sides):
            if side["top"]:
                self.s.tops[field, seat] = self._card(side["top"], f"field {field + 1}")
                self.s.heights[field, seat] = int(side["height"] or 1)
        self.s.last[field] = self._last(field, sides)

    def _last(self, field: int, sides: list[dict[str, str]]) -> int:
        """Who laid last: marked with !, and plain where only one side has cards."""
        laid = [seat for seat, side in enumerate(sides) if side["top"]]
        marked = [seat for seat, side in enumerate(sides) if side["last"]]
        if len(laid) == 2 and len(marked) != 1 or any(seat not in laid for seat in marked):
            self.fault("last", field=field + 1)
            return NONE
        return marked[0] if marked else (laid[0] if laid else NONE)

    def _closed(self, field: int, text: str) -> None:
        s = self.s
        if text in ("0", "1"):
            s.winner[field] = int(text)
            s.marker[field] = s.tops[field, int(text)]
            if s.marker[field] == NONE:
                self.fault("won_with_nothing", "M12", field=field + 1, seat=text)
        elif text == "draw":
            s.marker[field] = s.tops[field, 1 - s.last[field]] if s.last[field] != NONE else NONE
            if s.marker[field] == NONE:
                self.fault("drawn_with_nothing", "M12", field=field + 1)
        else:
            s.marker[field] = self._card(text, f"field {field + 1}")

    def _closing(self, text: str | None) -> None:
        s = self.s
        if s.phase != COYOTE:
            if text is not None:
                self.fault("closing", "M18", text=text)
            return
        if text is None:
            self.fault("no_closing", "M18")
            return
        s.closing = self.number("closing", text, 1, 1, int(self.ed.fields)) - 1
        by_close = s.marker[s.closing] not in s.tops[s.closing]
        s.back_to = TUT if by_close else MAIN

    def _deck(self, text: str | None) -> None:
        cards = self._cards(text, "deck")
        self.s.left = len(cards)
        self.s.deck[: len(cards)] = cards[::-1]

    def _reason(self, text: str | None) -> None:
        if (text is not None) != (self.s.phase == OVER) or (text is not None and text not in REASONS):
            self.fault("reason", text=text or "-", reasons=", ".join(REASONS))
        elif text is not None:
            self.s.reason = REASONS.index(text)


# ---------------------------------------------------------------- what cannot be


def impossible(s: Any, ed: Any) -> list[Refusal]:
    """Every reason why no game comes to this situation; a short list of what the rules exclude."""
    fields = [fault for field in range(ed.fields) for fault in _field_faults(s, ed, field)]
    return [
        *_table_faults(s, ed),
        *fields,
        *(_end_faults(s, ed) if s.phase == OVER else _phase_faults(s, ed)),
    ]


def _fault(code: str, rule: str, **values: Any) -> Refusal:
    return Refusal(f"position.{code}", rule, values)


def _table_faults(s: Any, ed: Any) -> list[Refusal]:
    faults = []
    if s.mover != (s.turn - 1) % 2:
        faults.append(_fault("turn_seat", "M11", turn=int(s.turn), seat=int((s.turn - 1) % 2)))
    covered = int((s.heights - 1).clip(0).sum())
    gone = int(s.gone).bit_count()
    if covered > gone:
        faults.append(_fault("heights", "M7", covered=covered, gone=gone))
    if s.left > N_PLAIN + ed.jokers - 2 * ed.hand - ed.extra - 1:
        faults.append(_fault("deck_size", "M11", left=int(s.left)))
    if s.began_dry and s.left:
        faults.append(_fault("dry", "M24"))
    if s.idle and not s.began_dry:
        faults.append(_fault("idle", "M24"))
    return faults


def _field_faults(s: Any, ed: Any, field: int) -> list[Refusal]:
    marker, winner, number = s.marker[field], s.winner[field], field + 1
    zero, one = s.tops[field]
    if marker == NONE:
        return []
    if marker not in (zero, one):
        if ed.close == NO_FIELD:
            return [_fault("close_never", "M14", field=number)]
        if ed.close != OPEN_ONES and (zero != NONE or one != NONE):
            return [_fault("close_on_cards", "M14", field=number)]
    elif winner == NONE:
        if not (zero != NONE and one != NONE and equal(zero, one)):
            return [_fault("no_draw", "M12", field=number)]
    else:
        theirs = s.tops[field, 1 - winner]
        if theirs != NONE and not stronger_on_field(marker, theirs, s.last[field] == winner):
            return [_fault("no_win", "M12", field=number, seat=int(winner))]
    return []


def _phase_faults(s: Any, ed: Any) -> list[Refusal]:
    """What cannot be while the game goes on."""
    faults = []
    if abs(int(s.lead)) >= ed.goal:
        faults.append(_fault("won", "M10", lead=int(s.lead), goal=int(ed.goal)))
    if s.left == 0 and not s.held.any():
        faults.append(_fault("spent", "M22"))
    if s.idle > 1:
        faults.append(_fault("stalled", "M24"))
    if s.phase == COYOTE:
        return faults + _coyote_faults(s, ed)
    if not any_open(s, ed):
        faults.append(_fault("all_closed", "M16"))
    if s.phase == MAIN and s.held[s.mover] == 0 and s.left and ed.starvation:
        faults.append(_fault("starved", "M13", seat=int(s.mover)))
    unsettled = [field for field in range(ed.fields) if verdict(s, field, s.mover) != STAYS_OPEN]
    if s.phase == MAIN or len(unsettled) > 1:  # an attack of this very turn is settled later
        faults += [_fault("unsettled", "M12", field=field + 1) for field in unsettled]
    return faults


def _coyote_faults(s: Any, ed: Any) -> list[Refusal]:
    faults = []
    if not ed.chance:
        faults.append(_fault("no_chance", "M18"))
    if any_open(s, ed):
        faults.append(_fault("not_closed", "M16"))
    elif s.marker[s.closing] not in s.tops[s.closing]:
        if not ed.closer:
            faults.append(_fault("no_winner", "M17", field=int(s.closing) + 1))
    elif s.winner[s.closing] != s.mover:
        faults.append(_fault("no_winner", "M17", field=int(s.closing) + 1))
    if s.held[decider(s)] == 0:
        faults.append(_fault("no_hand", "M18", seat=int(decider(s))))
    return faults


def _end_faults(s: Any, ed: Any) -> list[Refusal]:
    """Whether the reason given is one that this situation can have ended for."""
    fits = {
        LEAD: abs(int(s.lead)) == ed.goal,
        STARVATION: s.held[s.mover] == 0 and s.left > 0 and ed.starvation,
        STALL: s.idle == 2 and s.left == 0,
    }.get(int(s.reason), s.left == 0 and not s.held.any())
    reason = REASONS[s.reason]
    return [] if fits else [_fault("no_such_end", KINDS.end_rule(reason), reason=reason)]
