"""Why something is not allowed, and the one kind of exception that says so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Refusal:
    """Why something is not allowed: a key of the words, the rule behind it, and what to fill in.

    Where it is about a place in a file, the values have `file`, `line` and `column` (0: the whole of it); in
    a text without a file, `line` and `column`. Of several things in one file `about`, a refusal, names one.
    A value may be a refusal (its sentence is filled in), a `Refused` (its whole message), or a list.
    """

    code: str
    rule: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


class Refused(ValueError):
    """Something that cannot be done, with every reason; nothing has changed.

    >>> str(Refused("refusal.field_closed", "M6", field=2))
    'field 2 is closed (M6)'
    """

    BETWEEN: ClassVar[str] = "; "  # the reasons, in a message

    def __init__(self, why: str | Refusal | Sequence[Refusal], rule: str = "", /, **values: Any) -> None:
        """Reasons, or the words' key of the only one, with its rule and what to fill in."""
        if isinstance(why, str):
            why = Refusal(why, rule, values)
        self.refusals = [why] if isinstance(why, Refusal) else list(why)
        super().__init__(*(refusal.code for refusal in self.refusals))

    @property
    def refusal(self) -> Refusal:
        """The first reason."""
        return self.refusals[0]

    @property
    def code(self) -> str:
        return self.refusal.code

    @property
    def values(self) -> Mapping[str, Any]:
        return self.refusal.values

    def message(self, lang: str) -> str:
        from coyote.text.words import Words

        return self.BETWEEN.join(map(Words(lang).refusal, self.refusals))

    def __str__(self) -> str:
        return self.message("en")
