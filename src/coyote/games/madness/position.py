"""A whole situation in one line, as FEN is for chess; `docs/positions.md` explains it.

madness standard 0 main turn=7 lead=+2 hands=7S,KD/2H boss=QH fields=7S/9C!|KD*2/KS!=draw|-/-=3H deck=AS
"""

import re
from typing import Any

from coyote.games.game import PositionError, Refusal
from coyote.games.madness.cards import ALL_CARDS, N_CARDS, NUMBERS, equal
from coyote.games.madness.editions import EDITIONS
from coyote.games.madness.notation import card_name, card_names
from coyote.games.madness.rules import clear_table, stronger_on_field, verdict
from coyote.games.madness.sight import seen
from coyote.games.madness.state import (
    COYOTE,
    LEAD,
    MAIN,
    N_FIELDS,
    OVER,
    PHASES,
    REASONS,
    STALL,
    STARVATION,
    STATE,
    STAYS_OPEN,
    TUT,
)
from coyote.kernel.record import new
from coyote.kernel.seats import NONE

KEYS = (
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
MOST_QUOTED = 60  # letters of a faulty text that a message repeats


# ---------------------------------------------------------------- writing


def write_position(s: Any, edition: str) -> str:
    """The situation as text. What follows from the rest is left out."""
    parts = ["madness", edition, str(s.mover), PHASES[s.phase], f"turn={s.turn}"]
    if s.lead:
        parts.append(f"lead={int(s.lead):+d}")
    parts.append("hands=" + "/".join(_list(card_names(hand)) for hand in s.hands.tolist()))
    parts.append(f"boss={card_name(s.boss)}")
    if s.discard != NONE:
        parts.append(f"discard={card_name(s.discard)}")
    parts.append("fields=" + "|".join(_write_field(s, field) for field in range(N_FIELDS)))
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


def read_position(text: str) -> tuple[str, Any]:
    """The edition and the state of a text; PositionError tells everything that is wrong with it."""
    reader = _Reader(text)
    if reader.faults:
        raise PositionError(reader.faults)
    if faults := impossible(reader.s, reader.edition):
        raise PositionError(faults)
    return reader.edition, reader.s


class _Reader:
    """Reads the parts of a text one by one and collects the faults."""

    def __init__(self, text: str) -> None:
        self.faults: list[Refusal] = []
        self.used: dict[str, str] = {}
        self.s = new(STATE)
        self.s.left = 0
        self.s.deck[:] = NONE
        clear_table(self.s)
        head, given = self._split(text)
        self.edition = self._head(head)
        for key in KEYS:
            getattr(self, f"_{key}")(given.get(key))
        deck = sum(1 << int(card) for card in self.s.deck[: self.s.left])
        self.s.gone = int(ALL_CARDS) & ~int(seen(self.s)) & ~deck

    def fault(self, code: str, rule: str = "", **values: Any) -> None:
        quoted = {k: v[:MOST_QUOTED] if k in ("text", "name", "key") else v for k, v in values.items()}
        self.faults.append(Refusal(f"position.{code}", rule, quoted))

    def _split(self, text: str) -> tuple[list[str], dict[str, str]]:
        head: list[str] = []
        given: dict[str, str] = {}
        for part in text.split():
            key, equals, value = part.partition("=")
            if not equals:
                head.append(part)
            elif key not in KEYS:
                self.fault("unknown_key", key=key, known=", ".join(KEYS))
            elif key in given:
                self.fault("twice", key=key)
            else:
                given[key] = value
        return head, given

    def _head(self, head: list[str]) -> str:
        """`madness`, the edition, whose turn it is, the phase."""
        allowed = (("madness",), tuple(EDITIONS), ("0", "1"), PHASES)
        if len(head) != 4 or any(word not in words for word, words in zip(head, allowed, strict=True)):
            self.fault("head", text=" ".join(head), editions=", ".join(EDITIONS), phases=", ".join(PHASES))
            return "standard"
        self.s.mover = int(head[2])
        self.s.phase = PHASES.index(head[3])
        return head[1]

    def _number(self, key: str, text: str | None, default: int, least: int, most: int) -> int:
        if text is None:
            return default
        if not re.fullmatch(r"[+-]?[0-9]{1,4}", text) or not least <= int(text) <= most:
            self.fault("number", key=key, text=text, least=least, most=most)
            return default
        return int(text)

    def _card(self, name: str, place: str) -> int:
        """A card that lies nowhere else yet (M1)."""
        if name not in NUMBERS:
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

    def _turn(self, text: str | None) -> None:
        self.s.turn = self._number("turn", text, 1 + self.s.mover, 1, 999)

    def _lead(self, text: str | None) -> None:
        self.s.lead = self._number("lead", text, 0, -99, 99)

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
        fields = ("-/-|-/-|-/-" if text is None else text).split("|")
        if len(fields) != N_FIELDS:
            self.fault("fields", text=text)
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
        s.closing = self._number("closing", text, 1, 1, N_FIELDS) - 1
        by_close = s.marker[s.closing] not in s.tops[s.closing]
        s.back_to = TUT if by_close else MAIN

    def _deck(self, text: str | None) -> None:
        cards = self._cards(text, "deck")
        self.s.left = len(cards)
        self.s.deck[: len(cards)] = cards[::-1]

    def _idle(self, text: str | None) -> None:
        self.s.idle = self._number("idle", text, 0, 0, 2)

    def _dry(self, text: str | None) -> None:
        self.s.began_dry = self._number("dry", text, int(self.s.left == 0), 0, 1)

    def _moved(self, text: str | None) -> None:
        self.s.moved = self._number("moved", text, 0, 0, 1)

    def _reason(self, text: str | None) -> None:
        if (text is not None) != (self.s.phase == OVER) or (text is not None and text not in REASONS):
            self.fault("reason", text=text or "-", reasons=", ".join(REASONS))
        elif text is not None:
            self.s.reason = REASONS.index(text)


# ---------------------------------------------------------------- what cannot be


def impossible(s: Any, edition: str) -> list[Refusal]:
    """Every reason why no game comes to this situation; a short list of what the rules exclude."""
    faults = [*_table_faults(s), *(f for field in range(N_FIELDS) for f in _field_faults(s, edition, field))]
    if s.phase == OVER:
        return faults + _end_faults(s, edition)
    return faults + _phase_faults(s, edition)


def _fault(code: str, rule: str, **values: Any) -> Refusal:
    return Refusal(f"position.{code}", rule, values)


def _table_faults(s: Any) -> list[Refusal]:
    faults = []
    if s.mover != (s.turn - 1) % 2:
        faults.append(_fault("turn_seat", "M11", turn=int(s.turn), seat=int((s.turn - 1) % 2)))
    covered = int((s.heights - 1).clip(0).sum())
    gone = int(s.gone).bit_count()
    if covered > gone:
        faults.append(_fault("heights", "M7", covered=covered, gone=gone))
    dealt = N_CARDS - s.left
    if dealt < 11:
        faults.append(_fault("deck_size", "M11", left=int(s.left)))
    if s.began_dry and s.left:
        faults.append(_fault("dry", "M24"))
    if s.idle and not s.began_dry:
        faults.append(_fault("idle", "M24"))
    return faults


def _field_faults(s: Any, edition: str, field: int) -> list[Refusal]:
    marker, winner, number = s.marker[field], s.winner[field], field + 1
    zero, one = s.tops[field]
    if marker == NONE:
        return []
    if marker not in (zero, one):
        if edition == "standard" and (zero != NONE or one != NONE):
            return [_fault("close_on_cards", "M14", field=number)]
    elif winner == NONE:
        if not (zero != NONE and one != NONE and equal(zero, one)):
            return [_fault("no_draw", "M12", field=number)]
    else:
        theirs = s.tops[field, 1 - winner]
        if theirs != NONE and not stronger_on_field(marker, theirs, s.last[field] == winner):
            return [_fault("no_win", "M12", field=number, seat=int(winner))]
    return []


def _closed_fields(s: Any) -> int:
    return int((s.marker != NONE).sum())


def _phase_faults(s: Any, edition: str) -> list[Refusal]:
    """What cannot be while the game goes on."""
    faults = []
    goal = int(EDITIONS[edition].goal)
    if abs(int(s.lead)) >= goal:
        faults.append(_fault("won", "M10", lead=int(s.lead), goal=goal))
    if s.left == 0 and not s.held.any():
        faults.append(_fault("spent", "M22"))
    if s.idle > 1:
        faults.append(_fault("stalled", "M24"))
    if s.phase == COYOTE:
        return faults + _coyote_faults(s, edition)
    if _closed_fields(s) == N_FIELDS:
        faults.append(_fault("all_closed", "M16"))
    if s.phase == MAIN and s.held[s.mover] == 0 and s.left:
        faults.append(_fault("starved", "M13", seat=int(s.mover)))
    unsettled = [field for field in range(N_FIELDS) if verdict(s, field, s.mover) != STAYS_OPEN]
    if s.phase == MAIN or len(unsettled) > 1:  # an attack of this very turn is settled later
        faults += [_fault("unsettled", "M12", field=field + 1) for field in unsettled]
    return faults


def _coyote_faults(s: Any, edition: str) -> list[Refusal]:
    faults = []
    if _closed_fields(s) != N_FIELDS:
        faults.append(_fault("not_closed", "M16"))
    elif s.marker[s.closing] not in s.tops[s.closing]:
        if not EDITIONS[edition].closer_wins:
            faults.append(_fault("no_winner", "M17", field=int(s.closing) + 1))
    elif s.winner[s.closing] != s.mover:
        faults.append(_fault("no_winner", "M17", field=int(s.closing) + 1))
    if s.held[1 - s.mover] == 0:
        faults.append(_fault("no_hand", "M18", seat=int(1 - s.mover)))
    return faults


def _end_faults(s: Any, edition: str) -> list[Refusal]:
    """Whether the reason given is one that this situation can have ended for."""
    goal = int(EDITIONS[edition].goal)
    held = {
        LEAD: abs(int(s.lead)) == goal,
        STARVATION: s.held[s.mover] == 0 and s.left > 0,
        STALL: s.idle == 2 and s.left == 0,
    }.get(int(s.reason), s.left == 0 and not s.held.any())
    rule = ("M10", "M13", "M22", "M24")[s.reason]
    return [] if held else [_fault("no_such_end", rule, reason=REASONS[s.reason])]
