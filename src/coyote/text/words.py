"""Messages by key, with slots filled in, Russian plurals and the names of cards."""

import os
import tomllib
from collections import UserDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal, Protocol

from coyote.text.refusals import Refusal, Refused

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


def language_of_header(accepted: str) -> Lang:
    """The first of our languages that a browser names in `Accept-Language`, otherwise English.

    >>> language_of_header("uk, ru;q=0.9, en;q=0.8"), language_of_header("de-AT"), language_of_header("")
    ('ru', 'en', 'en')
    """
    asked = [part.strip()[:2].lower() for part in accepted.split(",")]
    return next((lang for name in asked for lang in LANGUAGES if lang == name), "en")


@cache
def messages(lang: str) -> Mapping[str, Any]:
    """The words of a language: everybody's, those of some layers, each game's. No key stands twice."""
    joined: dict[str, Any] = {}
    files = (_read(f"{name}{lang}.toml") for name in ("", "lab.", "analysis.", "envs."))
    for words in (*files, *(words[lang] for words in GAME_WORDS.values())):
        _merge(joined, words)
    return joined


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("coyote.text").joinpath(name).read_text(encoding="utf-8"))


def _merge(joined: dict[str, Any], words: Mapping[str, Any], section: str = "") -> None:
    for key, value in words.items():
        if isinstance(value, Mapping) and isinstance(joined.setdefault(key, {}), dict):
            _merge(joined[key], value, f"{section}{key}.")
        elif key in joined:
            raise ValueError(f"two messages {section + key!r}")
        else:
            joined[key] = value


class _Files(Mapping[str, Mapping[str, Any]]):
    """The words of a game that comes with the program, by language: `duel.en.toml`, `duel.ru.toml`."""

    def __init__(self, game: str) -> None:
        self.game = game

    def __getitem__(self, lang: str) -> Mapping[str, Any]:
        return _read(f"{self.game}.{lang}.toml")

    def __iter__(self) -> Iterator[str]:
        return iter(LANGUAGES)

    def __len__(self) -> int:
        return len(LANGUAGES)


class GameWords(UserDict[str, Mapping[str, Mapping[str, Any]]]):
    """The words of every game by its name, then by language, then under the keys by which they are asked for.

    A game from elsewhere brings its own; whoever has asked for words before finds them too:
    `GAME_WORDS["goofspiel"] = {"en": {"goofspiel": {"name": "Goofspiel"}}, "ru": …}`
    """

    def __setitem__(self, game: str, words: Mapping[str, Mapping[str, Any]]) -> None:
        super().__setitem__(game, words)
        messages.cache_clear()

    def __delitem__(self, game: str) -> None:
        super().__delitem__(game)
        messages.cache_clear()


GAME_WORDS = GameWords({game: _Files(game) for game in ("madness", "duel")})


class _Decimal(float):
    """A number that says its point and its thousands as Russian does: 1 234,5."""

    def __format__(self, spec: str) -> str:
        return _in_russian(float.__format__(self, spec))


class _Whole(int):
    def __format__(self, spec: str) -> str:
        return _in_russian(int.__format__(self, spec)) if "," in spec else int.__format__(self, spec)


def _in_russian(number: str) -> str:
    """The space does not break."""
    return number.replace(",", "\u00a0").replace(".", ",")


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

    def find(self, key: str) -> Any:
        message: Any = messages(self.lang)
        for part in key.split("."):
            if not isinstance(message, Mapping) or part not in message:
                raise KeyError(f"no message {key!r} in the language {self.lang}")
            message = message[part]
        return message

    def knows(self, key: str) -> bool:
        try:
            self.find(key)
        except KeyError:
            return False
        return True

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
        """A part of a sentence may be a sentence itself, a list, or said in both languages already."""
        if isinstance(value, int | float):
            return self._number(value)
        if isinstance(value, Refusal):
            return self(value.code, **value.values)
        if isinstance(value, Refused):
            return value.message(self.lang)
        if isinstance(value, list | tuple):
            return ", ".join(str(self._value(item)) for item in value)
        return value[self.lang] if isinstance(value, Mapping) else value

    def _number(self, value: float) -> float:
        if self.lang != "ru" or isinstance(value, bool):
            return value
        return _Decimal(value) if isinstance(value, float) else _Whole(value)

    def number(self, value: float, form: str = ",") -> str:
        """A number by itself.

        >>> Words("en").number(2000), Words("ru").number(2000), Words("ru").number(45, ".2f")
        ('2,000', '2\xa0000', '45,00')
        """
        return format(self._number(float(value) if "f" in form else value), form)

    def card(self, name: str) -> str:
        """`QH` as Q♥, in Russian Д♥; `TD` as 10♦; the jokers as a star."""
        if name[0] == "X":
            return f"{self.find('rank.X.sign')}{JOKER_SIGNS[name[1]]}"
        return f"{self.find(f'rank.{name[0]}.sign')}{SUIT_SIGNS[name[1]]}"

    def card_typed(self, name: str) -> str:
        """A card as people type it: `QH`, in Russian ДЧ. There ten is 10, since T looks like the Ace's Т.

        >>> [Words("ru").card_typed(card) for card in ("TC", "AC", "X1")]
        ['10Т', 'ТТ', 'Дж1']
        """
        rank, suit = self.find("typed.rank"), self.find("typed.suit")
        return f"{rank.get(name[0], name[0])}{suit.get(name[1], name[1])}"

    def bot(self, name: str) -> str:
        """What people call a bot of ours; "" for any other name.

        >>> Words("en").bot("level:5"), Words("en").bot("greedy"), Words("en").bot("Anna")
        ('Scout', 'Greedy', '')
        """
        kind, _, rest = name.partition(":")
        called = self.find("level").get(rest, "") if kind == "level" else self.find("bot.names").get(kind, "")
        return str(called) if isinstance(called, str) else ""

    def refusal(self, refusal: Refusal) -> str:
        """`field 2 is closed (M6)`, `mine.toml:5:3: «name» is missing`"""
        parts = [*self._place(refusal.values), self(refusal.code, **refusal.values)]
        return ": ".join(parts) + (f" ({refusal.rule})" if refusal.rule else "")

    def _place(self, values: Mapping[str, Any]) -> Iterator[str]:
        """Where it is: in which file or in a text without one, and about which of the things there."""
        if "file" in values:
            numbers = [values[key] for key in ("line", "column") if values.get(key)]
            yield ":".join(map(str, [values["file"], *numbers]))
        elif "column" in values:
            yield self("file.place", line=values["line"], column=values["column"])
        if values.get("about"):
            yield str(self._value(values["about"]))

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
        for chosen in ("source", "reason", "goes", "how"):
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
        return str(forms[self._form(event, viewer, forms)]).format_map(self._fill(slots))

    def _form(self, event: Event, viewer: int | None, forms: Mapping[str, Any]) -> str:
        if event.seat is None:
            return "nobody"
        if event.seat == viewer:
            return "you"
        if viewer == 1 - event.seat and "lost" in forms:
            return "lost"
        return "hidden" if None in event.values.values() else "they"
