"""House rules as data (M25, D26): what a match may change, within which bounds, and how it is said.

An edition is a whole row of these; whatever is not given keeps the edition's value.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from coyote.kernel.record import first, record_dtype
from coyote.text.refusals import Refusal

Value = int | str
Values = Mapping[str, Value]

SAME_WORD = {True: "yes", False: "no", "true": "yes", "false": "no", "1": "yes", "0": "no"}


@dataclass(frozen=True)
class Option:
    """A number within bounds, or one of a few words. In the kernel's row a word is its place."""

    name: str  # as people write it: `chance-card`
    rule: str  # that it changes
    allowed: range | tuple[str, ...]

    @property
    def field(self) -> str:
        return self.name.replace("-", "_")

    @property
    def is_switch(self) -> bool:
        return self.allowed == NO_OR_YES

    def read(self, given: Any) -> Value | None:
        """The value that is meant, or None where it is out of bounds."""
        if isinstance(self.allowed, range):
            number = _whole(given)
            return number if number is not None and number in self.allowed else None
        word = SAME_WORD.get(given, given) if self.is_switch and isinstance(given, str | bool) else given
        return word if isinstance(word, str) and word in self.allowed else None

    def number(self, value: Value) -> int:
        """The value as the kernel's row has it."""
        return int(value) if isinstance(self.allowed, range) else self.allowed.index(str(value))

    def refusal(self, given: Any) -> Refusal:
        if isinstance(self.allowed, range):
            least, most = self.allowed[0], self.allowed[-1]
            values = {"name": self.name, "value": str(given)[:40], "least": least, "most": most}
            return Refusal("option.range", self.rule, values)
        known = ", ".join(self.allowed)
        return Refusal(
            "option.value", self.rule, {"name": self.name, "value": str(given)[:40], "known": known}
        )


NO_OR_YES = ("no", "yes")


def _whole(given: Any) -> int | None:
    if isinstance(given, bool):
        return None
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 10:
        return int(given)
    return given if isinstance(given, int) else None


def row_dtype(options: Iterable[Option]) -> np.dtype[Any]:
    """The kernel's row: one number for each option, and the version of the rules."""
    return record_dtype([*((option.field, np.int16) for option in options), ("version", np.int16)])


def make_row(options: Iterable[Option], values: Values, version: int) -> Any:
    """Nobody can write to it any more."""
    rows = np.zeros(1, row_dtype(options))
    rows[0]["version"] = version
    for option in options:
        rows[0][option.field] = option.number(values[option.name])
    rows.flags.writeable = False
    return first(rows)


def settle(
    options: tuple[Option, ...],
    editions: Mapping[str, Values],
    given: Mapping[str, Any],
    contradictions: Callable[[Values], list[Refusal]],
) -> tuple[str, dict[str, Value], list[Refusal]]:
    """The edition, the value of every option, and every reason why they cannot be."""
    refusals = []
    edition, usual = next(iter(editions.items()))
    if "edition" in given and edition:
        if given["edition"] in list(editions):
            edition, usual = given["edition"], editions[given["edition"]]
        else:
            values = {"name": "edition", "value": str(given["edition"])[:40], "known": ", ".join(editions)}
            refusals.append(Refusal("option.value", "", values))
    settled = dict(usual)
    known = {option.name: option for option in options}
    for name, value in given.items():
        if name == "edition" and edition:
            continue
        if name not in known:
            refusals.append(unknown(name, [*(["edition"] if edition else []), *known]))
        elif (meant := known[name].read(value)) is None:
            refusals.append(known[name].refusal(value))
        else:
            settled[name] = meant
    refused = {refusal.values["name"] for refusal in refusals}
    apart = [
        one for one in contradictions(settled) if refused.isdisjoint({*one.values, *one.values.values()})
    ]
    return edition, settled, refusals + apart


def unknown(name: str, known: list[str]) -> Refusal:
    near = get_close_matches(str(name), known, n=1)
    values = {"name": str(name)[:40], "known": ", ".join(known)}
    if near:
        return Refusal("option.unknown_near", "", {**values, "near": near[0]})
    return Refusal("option.unknown", "", values)
