"""A TOML file read with the places of everything in it, so that each fault can name file, line and reason.

`tomllib` gives values but no lines; the small scan here finds them in text that `tomllib` has accepted.
What a set or a deck must hold is not here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, Final

from .language import Lang

Where = tuple[str | int, ...]
"""The way to a value: keys of tables and numbers in arrays, as in ("card", 3, "name", "ru")."""

Said = Mapping[Lang, str]
"""One thing said in every language."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a file. Lines and columns count from 1; 0 means the whole file or line."""

    file: str
    line: int
    column: int
    reason: Said

    def message(self, lang: Lang) -> str:
        place = [self.file, *(str(number) for number in (self.line, self.column) if number)]
        return f"{':'.join(place)}: {self.reason[lang]}"

    def __str__(self) -> str:
        return self.message("en")


class FileError(ValueError):
    """A file that is refused, with all its faults in the order of their lines."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = sorted(faults, key=lambda fault: (fault.line, fault.column))
        super().__init__(self.message("en"))

    def message(self, lang: Lang) -> str:
        return "\n".join(fault.message(lang) for fault in self.faults)


def say(words: Mapping[str, Said], key: str, /, **values: object) -> Said:
    """A reason from a table of sentences, with its slots filled."""
    return {lang: sentence.format(**values) for lang, sentence in words[key].items()}


_WORDS: Final[dict[str, dict[Lang, str]]] = {
    "missing": {"en": "there is no such file", "ru": "такого файла нет"},
    "closed": {"en": "the file cannot be read ({why})", "ru": "файл не читается ({why})"},
    "large": {"en": "the file is larger than {most} bytes", "ru": "файл больше {most} байт"},
    "encoding": {"en": "the file is not UTF-8", "ru": "файл не в UTF-8"},
    "toml": {"en": "broken TOML: {why}", "ru": "TOML не читается: {why}"},
    "deep": {"en": "broken TOML: nested too deeply", "ru": "TOML не читается: слишком глубокая вложенность"},
    "no key": {"en": "«{key}» is missing", "ru": "не хватает «{key}»"},
    "not text": {"en": "«{key}» must be text in quotes", "ru": "«{key}» должно быть текстом в кавычках"},
    "not table": {"en": "«{key}» must be a table", "ru": "«{key}» должно быть таблицей"},
    "empty": {"en": "«{key}» is empty", "ru": "«{key}» пусто"},
    "unprintable": {
        "en": "«{key}» must be one line without control characters",
        "ru": "«{key}» должно быть одной строкой без управляющих знаков",
    },
    "unknown": {"en": "unknown key «{key}»{near}", "ru": "неизвестный ключ «{key}»{near}"},
}
_NEAR: Final[dict[Lang, str]] = {"en": " — did you mean «{}»?", "ru": " — может быть, «{}»?"}


class Document:
    """The values of a TOML text and where they stand. `above` counts the lines before it in the file."""

    def __init__(self, file: str, text: str, above: int = 0) -> None:
        self.file = file
        self.text = text
        self.above = above
        self.data: dict[str, Any] = tomllib.loads(text)

    @cached_property
    def places(self) -> _Places:
        return _Places(self.text)

    def fault(self, where: Where, reason: Said) -> Fault:
        """A fault at a key or, if it is not there, at the table that should have held it."""
        while where and where not in self.places.keys:
            where = where[:-1]
        return Fault(self.file, self._line(self.places.keys.get(where, 0)), 0, reason)

    def fault_inside(self, where: Where, offset: int, reason: Said) -> Fault:
        """A fault at one letter of a text value."""
        if where not in self.places.values:
            return self.fault(where, reason)
        start = self.places.values[where]
        at = start + _place_in_source(_string_at(self.text, start), offset)
        return Fault(self.file, self._line(at), at - self.text.rfind("\n", 0, at), reason)

    def _line(self, offset: int) -> int:
        return self.above + self.text.count("\n", 0, offset) + 1


class Table:
    """One table of a document being checked: what it should hold is asked for, what is wrong is gathered.

    `label` is put before the reasons, to name the thing that the table describes.
    """

    def __init__(self, document: Document, where: Where, data: dict[str, Any], faults: list[Fault]) -> None:
        self.document = document
        self.where = where
        self.data = data
        self.faults = faults
        self.label: Said = {}

    def refuse(self, key: str, reason: Said, offset: int | None = None) -> None:
        """Note a fault at a key, or at one letter of its text."""
        named = {lang: f"{self.label.get(lang, '')}{said}" for lang, said in reason.items()}
        where = (*self.where, key)
        if offset is None:
            self.faults.append(self.document.fault(where, named))
        else:
            self.faults.append(self.document.fault_inside(where, offset, named))

    def refuse_unknown(self, *known: str) -> None:
        for key in self.data:
            if key not in known:
                self.refuse(key, _unknown(key, known))

    def line(self, key: str) -> int:
        return self.document.fault((*self.where, key), {}).line

    def text(self, key: str) -> str | None:
        """A text that must be there and say something."""
        value = self.data.get(key)
        if isinstance(value, str) and value.strip():
            return value
        wrong = "no key" if key not in self.data else "empty" if isinstance(value, str) else "not text"
        self.refuse(key, say(_WORDS, wrong, key=self._full(key)))
        return None

    def title(self, key: str) -> str | None:
        """A text of one line, without anything that a terminal would obey."""
        value = self.text(key)
        if value is None or value.isprintable():
            return value
        self.refuse(key, say(_WORDS, "unprintable", key=self._full(key)))
        return None

    def table(self, key: str) -> Table | None:
        """A table inside this one."""
        value = self.data.get(key)
        if isinstance(value, dict):
            inner = Table(self.document, (*self.where, key), value, self.faults)
            inner.label = self.label
            return inner
        self.refuse(key, say(_WORDS, "not table" if key in self.data else "no key", key=self._full(key)))
        return None

    def titles(self, key: str) -> tuple[str, str] | None:
        """A title in both languages, `key.ru` and `key.en`."""
        table = self.table(key)
        if table is None:
            return None
        table.refuse_unknown("ru", "en")
        ru, en = table.title("ru"), table.title("en")
        return (ru, en) if ru is not None and en is not None else None

    def _full(self, key: str) -> str:
        """The key as it stands in its card or deck: "name.ru"."""
        names = [name for name in self.where if isinstance(name, str)]
        return ".".join([*names[1 if any(isinstance(name, int) for name in self.where) else 0 :], key])


def _unknown(key: str, known: tuple[str, ...]) -> Said:
    close = get_close_matches(key, known, n=1)
    near = {lang: said.format(close[0]) if close else "" for lang, said in _NEAR.items()}
    return {lang: said.format(key=shown(key), near=near[lang]) for lang, said in _WORDS["unknown"].items()}


def shown(text: str, most: int = 40) -> str:
    """Text of a file fit for a message: not too long, and nothing that a terminal would obey."""
    clean = text if text.isprintable() else ascii(text)[1:-1]
    return clean if len(clean) <= most else clean[: most - 1] + "…"


def load(path: str | PathLike[str], most: int, table: str = "") -> tuple[list[Document], list[Fault]]:
    """The documents of a file and the faults met on the way; never raises for what a file may be.

    A whole file is one document. If it is broken TOML and `table` names an array of tables, each `[[table]]`
    is read by itself, so that one broken piece does not hide the faults of the others.
    """
    file = str(path)
    try:
        with Path(path).open("rb") as source:
            raw = source.read(most + 1)
    except FileNotFoundError:
        return [], [Fault(file, 0, 0, say(_WORDS, "missing"))]
    except (OSError, ValueError) as error:
        return [], [Fault(file, 0, 0, say(_WORDS, "closed", why=getattr(error, "strerror", None) or error))]
    if len(raw) > most:
        return [], [Fault(file, 0, 0, say(_WORDS, "large", most=most))]
    return _decode(file, raw, table)


def _decode(file: str, raw: bytes, table: str) -> tuple[list[Document], list[Fault]]:
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        return [], [Fault(file, raw.count(b"\n", 0, error.start) + 1, 0, say(_WORDS, "encoding"))]
    return parse(file, text, table)


def parse(file: str, text: str, table: str = "") -> tuple[list[Document], list[Fault]]:
    """As `load`, from text."""
    whole = _document(file, text, 0)
    if isinstance(whole, Document):
        return [whole], []
    read = [_document(file, piece, above) for piece, above in _pieces(text, table)]
    documents = [one for one in read if isinstance(one, Document)]
    faults = [one for one in read if isinstance(one, Fault)]
    return documents, faults or [whole]


def _document(file: str, text: str, above: int) -> Document | Fault:
    try:
        return Document(file, text, above)
    except RecursionError:
        return Fault(file, above + 1, 0, say(_WORDS, "deep"))
    except ValueError as error:  # TOMLDecodeError, and plain ValueError for numbers beyond all bounds
        return _broken(file, text, above, str(error))


def _broken(file: str, text: str, above: int, message: str) -> Fault:
    found = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if found:
        why, line, column = message[: found.start()], int(found[1]), int(found[2])
    else:
        why, line, column = message, text.rstrip().count("\n") + 1, 0
    return Fault(file, above + line, column, say(_WORDS, "toml", why=why))


def _pieces(text: str, table: str) -> list[tuple[str, int]]:
    """The text cut before each `[[table]]`, with the number of lines above each piece."""
    headers = re.finditer(rf"^[ \t]*\[\[[ \t]*{table}[ \t]*\]\]", text, re.MULTILINE) if table else ()
    cuts = [0, *(header.start() for header in headers), len(text)]
    return [(text[a:b], text.count("\n", 0, a)) for a, b in pairwise(cuts) if a < b]


# ------------------------------------------------------------------------------
# Where things stand

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_BARE_KEY = re.compile(r"[\w-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?""""{0,2}' r"|'''.*?''''{0,2}" r'|"(?:[^"\\]|\\.)*"' r"|'[^']*'",
    re.DOTALL,
)
_OTHER_VALUE = re.compile(r"[^,\]}#\n]+")
_FOLDED_LINE = re.compile(r"\\[ \t]*\n\s*")
_LETTER = re.compile(r"\\u.{4}|\\U.{8}|\\.|.", re.DOTALL)


class _Places:
    """Where the keys and values of a TOML text stand. The text must be one that `tomllib` accepts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.keys: dict[Where, int] = {}
        self.values: dict[Where, int] = {}
        self._at = 0
        self._tables: dict[Where, int] = {}
        """The number of the last table of each array of tables."""
        base: Where = ()
        while self._skip_blank() < len(text):
            if text[self._at] == "[":
                base = self._header()
            else:
                self._pair(base)

    def _skip_blank(self) -> int:
        self._at = self._match(_BLANK)
        return self._at

    def _match(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self._at)
        return found.end() if found else self._at

    def _header(self) -> Where:
        """`[table]` or `[[table]]`."""
        begin = self._at
        brackets = 2 if self.text.startswith("[[", begin) else 1
        self._at += brackets
        names = self._names()
        self._at += brackets
        if brackets == 2:
            array = (*self._resolve(names[:-1]), names[-1])
            self._tables[array] = self._tables.get(array, -1) + 1
        where = self._resolve(names)
        self.keys[where] = begin
        return where

    def _resolve(self, names: list[str]) -> Where:
        """The full way of a dotted name: inside an array of tables it means the last of them."""
        where: Where = ()
        for name in names:
            where = (*where, name)
            if where in self._tables:
                where = (*where, self._tables[where])
        return where

    def _pair(self, base: Where) -> None:
        """`key = value`; of a dotted key, the tables it goes through stand there too."""
        begin = self._at
        where = base
        for name in self._names():
            where = (*where, name)
            self.keys.setdefault(where, begin)
        self._at += 1
        self._value(where)

    def _names(self) -> list[str]:
        names = []
        while True:
            self._skip_blank()
            begin = self._at
            if self.text[begin] in "\"'":
                self._at = self._match(_STRING)
                names.append(str(tomllib.loads(f"key = {self.text[begin : self._at]}")["key"]))
            else:
                self._at = self._match(_BARE_KEY)
                names.append(self.text[begin : self._at])
            if self.text[self._skip_blank()] != ".":
                return names
            self._at += 1

    def _value(self, where: Where) -> None:
        begin = self.values[where] = self._skip_blank()
        opening = self.text[begin]
        if opening == "[":
            self._array(where)
        elif opening == "{":
            self._inline_table(where)
        else:
            self._at = self._match(_STRING if opening in "\"'" else _OTHER_VALUE)

    def _array(self, where: Where) -> None:
        self._at += 1
        number = 0
        while self.text[self._skip_blank()] != "]":
            self.keys[*where, number] = self._at
            self._value((*where, number))
            number += 1
            if self.text[self._skip_blank()] == ",":
                self._at += 1
        self._at += 1

    def _inline_table(self, where: Where) -> None:
        self._at += 1
        while self.text[self._skip_blank()] != "}":
            self._pair(where)
            if self.text[self._skip_blank()] == ",":
                self._at += 1
        self._at += 1


def _string_at(text: str, start: int) -> str:
    found = _STRING.match(text, start)
    return found[0] if found else ""


def _place_in_source(source: str, offset: int) -> int:
    """Where a letter of a string stands in the string as written, with its quotes and escapes."""
    at = 3 if source.startswith(('"""', "'''")) else 1
    if at == 3 and source.startswith("\n", at):
        at += 1
    if source.startswith("'"):
        return at + offset
    for _ in range(offset):
        at = _end(_LETTER, source, _end(_FOLDED_LINE, source, at))
    return _end(_FOLDED_LINE, source, at)


def _end(pattern: re.Pattern[str], source: str, at: int) -> int:
    found = pattern.match(source, at)
    return found.end() if found else at
