"""Messages by key, with slots filled in, Russian plurals and the names of cards."""

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal, Protocol

from coyote.text.refusals import Refusal

Lang = Literal["en", "ru"]
LANGUAGES: tuple[Lang, ...] = ("en", "ru")
CARD_SLOTS = ("card", "laid")
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
JOKER_SIGNS = {"1": "★", "2": "☆"}  # red, black


class Event(Protocol):
    """Something that happened, as a game tells it."""

    @property
    def kind(self) -> str: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def values(self) -> Mapping[str, Any]: ...


def language_of_locale() -> str:
    """Russian where the environment says so, otherwise English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "ru" if value.lower().startswith("ru") else "en"
    return "en"


@cache
def messages(lang: str) -> Mapping[str, Any]:
    text = resources.files("coyote.text").joinpath(f"{lang}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def plural_form(lang: str, n: int) -> str:
    """Which form of a word stands after a number: 1 карта, 2 карты, 5 карт."""
    n = abs(n)
    if lang == "en":
        return "one" if n == 1 else "many"
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else "many"


class Words:
    """The messages of one language.

    >>> Words("en")("count.cards", n=1), Words("ru")("count.cards", n=22)
    ('1 card', '22 карты')
    """

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._messages = messages(lang)

    def find(self, key: str) -> Any:
        found: Any = self._messages
        for part in key.split("."):
            if not isinstance(found, Mapping) or part not in found:
                raise KeyError(f"no message {key!r} in {self.lang}.toml")
            found = found[part]
        return found

    def __call__(self, key: str, /, **slots: Any) -> str:
        message = self.find(key)
        if isinstance(message, Mapping):
            message = message[plural_form(self.lang, slots["n"])]
        return str(message).format_map(self._fill(slots))

    def _fill(self, slots: Mapping[str, Any]) -> dict[str, Any]:
        """Cards by their signs, and beside them their names in the cases a sentence may need."""
        filled = {slot: self._value(value) for slot, value in slots.items()}
        for slot in CARD_SLOTS:
            if name := slots.get(slot):
                filled[slot] = self.card(name)
                filled[f"{slot}_name"] = self.find(f"rank.{name[0]}.name")
                filled[f"{slot}_object"] = self.find(f"rank.{name[0]}.object")
        return filled

    def _value(self, value: Any) -> Any:
        """A refusal inside a sentence, or something said in both languages already."""
        if isinstance(value, Refusal):
            return self(value.code, **value.values)
        return value[self.lang] if isinstance(value, Mapping) else value

    def card(self, name: str) -> str:
        """`QH` as Q♥, in Russian Д♥; `TD` as 10♦; the jokers as a star."""
        if name[0] == "X":
            return f"{self.find('rank.X.sign')}{JOKER_SIGNS[name[1]]}"
        return f"{self.find(f'rank.{name[0]}.sign')}{SUIT_SIGNS[name[1]]}"

    def bot(self, name: str) -> str:
        """What people call a bot of ours; "" for any other name.

        >>> Words("en").bot("level:3"), Words("en").bot("greedy"), Words("en").bot("Anna")
        ('Scout', 'Greedy', '')
        """
        kind, _, rest = name.partition(":")
        found = self.find("level").get(rest, "") if kind == "level" else self.find("bot.names").get(kind, "")
        return str(found) if isinstance(found, str) else ""

    def refusal(self, refusal: Refusal) -> str:
        """`field 2 is closed (M6)`"""
        sentence = self(refusal.code, **refusal.values)
        return f"{sentence} ({refusal.rule})" if refusal.rule else sentence

    def event(
        self,
        game: str,
        event: Event,
        viewer: int | None,
        names: Sequence[str],
        title: Callable[[str, str], str] | None = None,
    ) -> str:
        """What happened, said to the viewer (None: to nobody in particular); "" for what goes unsaid.

        `title` gives the names of cards that have names of their own.
        """
        key = f"{game}.event.{event.kind}"
        for chosen in ("source", "reason", "goes"):
            if chosen in event.values:
                key += f".{event.values[chosen]}"
        forms = self.find(key)
        name = "" if event.seat is None else names[event.seat]
        other = "" if event.seat is None else names[1 - event.seat]
        slots = {**event.values, "name": name, "other": other}
        if title and event.values.get("title"):
            slots["title"] = title(event.values["title"], self.lang)
        if "zone" in event.values:
            slots["zone"] = self(f"zone.{event.values['zone']}")
        return str(forms[self._form(event, viewer)]).format_map(self._fill(slots))

    def _form(self, event: Event, viewer: int | None) -> str:
        if event.seat is None:
            return "nobody"
        if event.seat == viewer:
            return "you"
        return "hidden" if None in event.values.values() else "they"
