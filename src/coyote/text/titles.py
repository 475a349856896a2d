"""What a game is called, with whatever differs from its edition (M25, D26)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from coyote.text.words import LANGUAGES, Lang, Words


class Named(Protocol):
    """A game with its options settled."""

    @property
    def name(self) -> str: ...
    @property
    def edition(self) -> str: ...
    @property
    def differences(self) -> Mapping[str, Any]: ...


def game_title(game: Named, lang: str) -> str:
    """`Madness · standard · goal 7 · 2 fields`"""
    return " · ".join(_parts(game.name, game.edition, game.differences, Words(lang)))


@lru_cache(maxsize=256)
def titles(game: Named) -> dict[Lang, str]:
    """In both languages; games of one key are called the same."""
    return {lang: game_title(game, lang) for lang in LANGUAGES}


def titles_of(name: str, options: Mapping[str, Any]) -> dict[Lang, str]:
    """The same where only the options are at hand, as a record has them."""
    rest = {option: value for option, value in options.items() if option != "edition"}
    edition = options.get("edition", "")
    return {lang: " · ".join(_parts(name, edition, rest, Words(lang))) for lang in LANGUAGES}


def _parts(name: str, edition: str, differences: Mapping[str, Any], words: Words) -> list[str]:
    said = [words(f"{name}.name")]
    if edition:
        said.append(words(f"{name}.edition.{edition}"))
    return said + [option_said(name, option, value, words) for option, value in differences.items()]


def option_said(game: str, option: str, value: Any, words: Words) -> str:
    """`goal 7`, `2 fields`, `no Coyote's Chance`"""
    key = f"{game}.option.{option}.said"
    if isinstance(value, int) and not isinstance(value, bool):
        return words(key, n=value)
    word = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
    return words(f"{key}.{word}")
