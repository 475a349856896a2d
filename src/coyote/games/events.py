"""What can happen in a game: one row for each kind, from which all else follows.

A kind is noted by the kernel as a row of four numbers: kind, seat, a, b. Its row here names the rule
behind it and what `a` and `b` are, each with who may know it: `card:all`, `card:owner` (the event's own
seat). A slot that says nothing is hidden from everybody: it is secret until somebody decides otherwise.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypedDict

import msgspec
import numpy as np

from coyote.kernel.seats import NONE

WHAT_FOR = ("source", "reason", "goes")  # slots that tell kinds of a kind apart, in rules and in words


class EventJson(TypedDict):
    """An event for programs; besides these its slots, where what is hidden is null."""

    kind: str
    seat: int | None


@dataclass(frozen=True)
class Event:
    """Something that happened, as one seat may know it. A hidden value is None."""

    kind: str
    seat: int | None
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The kind, and what for: `point.boss`, `end.lead`."""
        return ".".join([self.kind, *(str(self.values[slot]) for slot in WHAT_FOR if slot in self.values)])

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "seat": self.seat, **self.values}

    @cached_property
    def text(self) -> Any:
        """The same, written: not to be written again."""
        return msgspec.Raw(msgspec.json.encode(self.as_json()))


class Slot(NamedTuple):
    name: str
    seen_by: str  # all, owner or nobody


class Kind:
    """One row: its name, the rule behind it (or one for each `source`, `reason`, …), and its slots."""

    def __init__(self, name: str, rule: str | Mapping[str, str], *slots: str) -> None:
        self.name, self.rule = name, rule
        self.slots = [self._slot(text) for text in slots]

    def _slot(self, text: str) -> Slot:
        name, _, seen_by = text.partition(":")
        if seen_by not in ("", "all", "owner"):
            raise ValueError(f"{self.name}: nobody knows who {seen_by!r} is")
        return Slot(name, seen_by or "nobody")


class Kinds:
    """All kinds of a game. They are numbered in their order, for the kernel."""

    def __init__(self, *kinds: Kind) -> None:
        self.rows = kinds
        self.names = tuple(kind.name for kind in kinds)
        self.numbers = np.arange(len(kinds))

    def event(
        self, row: Sequence[int], viewer: int | None, read: Mapping[str, Callable[[int], Any]]
    ) -> Event:
        """A row of the log as a seat may know it; None sees all. `read` has the meaning of numbers."""
        number, seat, *pair = (int(part) for part in row)
        kind = self.rows[number]
        values = {
            slot.name: read.get(slot.name, int)(value) if is_seen(slot, seat, viewer) else None
            for slot, value in zip(kind.slots, pair, strict=False)
        }
        return Event(kind.name, None if seat == NONE else seat, values)

    def rule_of(self, event: Event) -> str:
        rule = self.rows[self.names.index(event.kind)].rule
        return rule if isinstance(rule, str) else rule[event.key.removeprefix(f"{event.kind}.")]

    def end_rule(self, reason: str) -> str:
        return self.rule_of(Event("end", None, {"reason": reason}))

    def keys(self) -> list[str]:
        """Every key that an event can have: all of them need words."""
        return [
            f"{kind.name}.{what}" if what else kind.name
            for kind in self.rows
            for what in ([""] if isinstance(kind.rule, str) else kind.rule)
        ]


def is_seen(slot: Slot, seat: int, viewer: int | None) -> bool:
    return viewer is None or slot.seen_by == "all" or (slot.seen_by == "owner" and viewer == seat)
