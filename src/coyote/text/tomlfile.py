"""A TOML file read with the places of everything in it, so that each fault can name file, line and reason.

`tomllib` gives values but no lines; the small scan here finds them in text that `tomllib` has accepted.
What a file must hold is not here. The time for any text grows with its length alone: what would take more,
keys of many parts and deep nesting, is refused before `tomllib` sees it, and faults beyond the first ones
are not looked for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, Final, Protocol

from coyote.text.harmless import harmless, visible
from coyote.text.refusals import Refusal, Refused
from coyote.text.words import LANGUAGES, Lang

Where = tuple[str | int, ...]
"""The way to a value: keys of tables and numbers in arrays, as in ("card", 3, "name", "ru")."""

MOST_FAULTS: Final = 20
"""Of one file: nobody reads more at once, and finding each takes its time."""

MOST_DOTS: Final = 8
"""Of one key. `tomllib` keeps each beginning of a dotted key: time and memory grow in the square."""

LONGEST_KNOWN: Final = 40
"""A longer key is like none that is known."""

MOST_DEPTH: Final = 8
"""Of arrays and tables in one another. Each level is a level of calls, and a longer way to each value."""


class FileError(Refused):
    """A file that is refused, with its faults in the order of their lines, the first `MOST_FAULTS` of them.

    The values of each have `file`, `line` and `column`, which count from 1; 0 means the whole file or line.
    """

    BETWEEN = "\n"

    def __init__(self, faults: Iterable[Refusal]) -> None:
        super().__init__(told_faults(faults))


class Faults(list[Refusal]):
    """What is wrong with a file, as it is found; beyond the first `most` nothing is looked for."""

    def __init__(self, found: Iterable[Refusal] = (), most: int = MOST_FAULTS) -> None:
        super().__init__(found)
        self.most = most

    @property
    def enough(self) -> bool:
        """Whether there are more than are told."""
        return len(self) > self.most


def told_faults(faults: Iterable[Refusal]) -> list[Refusal]:
    """In the order of their lines, as many as are told."""
    most = faults.most if isinstance(faults, Faults) else MOST_FAULTS
    told = sorted(faults, key=lambda fault: (fault.values["line"], fault.values["column"]))
    if len(told) > most:
        told[most:] = [fault(told[0].values["file"], "file.more", most=most)]
    return told


def fault(file: str, code: str, line: int = 0, column: int = 0, /, **values: Any) -> Refusal:
    return Refusal(code, "", {"file": file, "line": line, "column": column, **values})


class Places(Protocol):
    """A file of which is known where its values stand."""

    def place(self, where: Where) -> dict[str, Any]: ...

    def place_inside(self, where: Where, offset: int) -> dict[str, Any]: ...


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

    def place(self, where: Where) -> dict[str, Any]:
        """Where a key stands or, if it is not there, the table that should have held it."""
        while where and where not in self.places.keys:
            where = where[:-1]
        return {"file": self.file, "line": self._line(self.places.keys.get(where, 0)), "column": 0}

    def place_inside(self, where: Where, offset: int) -> dict[str, Any]:
        """Where one letter of a text value stands."""
        if where not in self.places.values:
            return self.place(where)
        start = self.places.values[where]
        at = start + _place_in_source(_string_at(self.text, start), offset)
        return {"file": self.file, "line": self._line(at), "column": at - self.text.rfind("\n", 0, at)}

    def span(self, where: Where) -> tuple[int, int] | None:
        """From where to where a text value stands in the document, with its quotes; None if none does."""
        start = self.places.values.get(where)
        source = "" if start is None else _string_at(self.text, start)
        return None if start is None or not source else (start, start + len(source))

    def _line(self, offset: int) -> int:
        return self.above + self.text.count("\n", 0, offset) + 1


class Table:
    """One table of a document being checked: what it should hold is asked for, what is wrong is gathered.

    `about` names the thing that the table describes, once that is known.
    """

    def __init__(self, document: Places, where: Where, data: dict[str, Any], faults: Faults) -> None:
        self.document = document
        self.where = where
        self.data = data
        self.faults = faults
        self.about: Refusal | None = None

    def refuse(
        self, at: str, code: str, rule: str = "", /, *, offset: int | None = None, **values: Any
    ) -> None:
        """Note a fault at a key ("": at the table itself), or at one letter of its text."""
        if self.has_enough:
            return
        where = (*self.where, at)
        place = self.document.place(where) if offset is None else self.document.place_inside(where, offset)
        about = {"about": self.about} if self.about else {}
        self.faults.append(Refusal(code, rule, {**place, **about, **values}))

    @property
    def has_enough(self) -> bool:
        """Whether there are more faults than are told."""
        return self.faults.enough

    def refuse_unknown(self, *known: str) -> None:
        for key in self.data:
            if self.has_enough:
                return
            if key not in known:
                near = get_close_matches(key, known, n=1) if len(key) <= LONGEST_KNOWN else []
                self.refuse(
                    key, "file.unknown_near" if near else "file.unknown", key=harmless(key), near=near
                )

    def line(self, key: str) -> int:
        line: int = self.document.place((*self.where, key))["line"]
        return line

    def text(self, key: str, longest: int | None = None) -> str | None:
        """A text that must be there and say something, in no more characters than `longest`."""
        value = self.data.get(key)
        if not isinstance(value, str):
            wrong = "file.not_text" if key in self.data else "file.no_key"
        elif not value.strip():
            wrong = "file.empty"
        elif longest is not None and len(value) > longest:
            wrong = "file.long"
        else:
            return value
        self.refuse(key, wrong, key=self._full(key), most=longest)
        return None

    def title(self, key: str, longest: int | None = None) -> str | None:
        """A text of one line, without anything that a terminal would obey."""
        value = self.text(key, longest)
        if value is None:
            return None
        if not value.isprintable():
            self.refuse(key, "file.unprintable", key=self._full(key))
        elif not visible(value):
            self.refuse(key, "file.empty", key=self._full(key))
        else:
            return value
        return None

    def table(self, key: str) -> Table | None:
        """A table inside this one."""
        value = self.data.get(key)
        if isinstance(value, dict):
            inner = Table(self.document, (*self.where, key), value, self.faults)
            inner.about = self.about
            return inner
        self.refuse(key, "file.not_table" if key in self.data else "file.no_key", key=self._full(key))
        return None

    def titles(self, key: str, longest: int | None = None) -> dict[Lang, str] | None:
        """A title in every language, `key.ru` and `key.en`."""
        table = self.table(key)
        if table is None:
            return None
        table.refuse_unknown(*LANGUAGES)
        both = {lang: title for lang in LANGUAGES if (title := table.title(lang, longest)) is not None}
        return both if len(both) == len(LANGUAGES) else None

    def _full(self, key: str) -> str:
        """The key as it stands in its card or deck: "name.ru"."""
        names = [name for name in self.where if isinstance(name, str)]
        return ".".join([*names[1 if any(isinstance(name, int) for name in self.where) else 0 :], key])


def load(path: str | PathLike[str], most: int) -> str | Refusal:
    """The text of a file, or why there is none; never raises for what a file may be."""
    file = str(path)
    try:
        with Path(path).open("rb") as source:
            raw = source.read(most + 1)
    except FileNotFoundError:
        return fault(file, "file.missing")
    except (OSError, ValueError) as error:
        return fault(file, "file.closed", why=getattr(error, "strerror", None) or error)
    if len(raw) > most:
        return fault(file, "file.large", most=most)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return fault(file, "file.encoding", raw.count(b"\n", 0, error.start) + 1)


def parse(file: str, text: str, table: str = "", most: int = MOST_FAULTS) -> tuple[list[Document], Faults]:
    """The documents of a text and the faults met on the way, of which the first `most` are looked for.

    A whole text is one document. If it is broken TOML and `table` names an array of tables, each `[[table]]`
    is read by itself, so that one broken piece does not hide the faults of the others.
    """
    text = text.replace("\r\n", "\n")
    whole = _document(file, text, 0)
    if isinstance(whole, Document):
        return [whole], Faults(most=most)
    documents: list[Document] = []
    faults = Faults(most=most)
    for piece, above in _pieces(text, table):
        one = _document(file, piece, above)
        if isinstance(one, Document):
            documents.append(one)
        else:
            faults.append(one)
        if faults.enough:
            break
    return documents, faults or Faults([whole], most)


def headers(text: str, table: str) -> list[int]:
    """Where each `[[table]]` begins, seen without reading the text."""
    headers = re.finditer(rf"^[ \t]*\[\[[ \t]*{table}[ \t]*\]\]", text, re.MULTILINE)
    return [header.start() for header in headers]


def _document(file: str, text: str, above: int) -> Document | Refusal:
    if costly := _costly(file, text, above):
        return costly
    try:
        return Document(file, text, above)
    except RecursionError:
        return fault(file, "file.deep", above + 1, most=MOST_DEPTH)
    except ValueError as error:  # TOMLDecodeError, and plain ValueError for numbers beyond all bounds
        return _broken(file, text, above, str(error))


def _broken(file: str, text: str, above: int, message: str) -> Refusal:
    place = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if place:
        why, line, column = message[: place.start()], int(place[1]), int(place[2])
    else:
        why, line, column = message, text.rstrip().count("\n") + 1, 0
    return fault(file, "file.toml", above + line, column, why=why)


def _pieces(text: str, table: str) -> list[tuple[str, int]]:
    """The text cut before each `[[table]]`, with the number of lines above each piece."""
    cuts = [0, *(headers(text, table) if table else ()), len(text)]
    pieces, above = [], 0
    for a, b in pairwise(cuts):
        if a < b:
            pieces.append((text[a:b], above))
            above += text.count("\n", a, b)
    return pieces


# ------------------------------------------------------------------------------
# What would take too long

_SIGN = re.compile(r"""[^"'#.\n,={}\[\]]*([."'#\n,={}\[\]])""")
_WHOLE_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?""""{0,2}' r"|'''.*?''''{0,2}" r'|"(?!"")(?:[^"\\\n]|\\.)*"' r"|'(?!'')[^'\n]*'",
    re.DOTALL,
)
_COMMENT = re.compile(r"[^\n]*")


def _costly(file: str, text: str, above: int) -> Refusal | None:
    """A key of too many parts, or too deep nesting, outside of strings and comments.

    Where a string has no end there is nothing more to look for: `tomllib` goes no further either.
    """
    dots = depth = at = 0
    while found := _SIGN.match(text, at):
        at, sign = found.end(), found[1]
        if sign == ".":
            dots += 1
        elif sign in "\"'":
            string = _WHOLE_STRING.match(text, at - 1)
            if not string:
                return None
            at = string.end()
        elif sign == "#":
            at = _end(_COMMENT, text, at)
        else:
            dots = 0
            depth += (sign in "[{") - (sign in "]}")
        if dots > MOST_DOTS or depth > MOST_DEPTH:
            line = above + text.count("\n", 0, at) + 1
            code, most = ("file.dots", MOST_DOTS + 1) if dots > MOST_DOTS else ("file.deep", MOST_DEPTH)
            return fault(file, code, line, most=most)
    return None


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
        match = pattern.match(self.text, self._at)
        return match.end() if match else self._at

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
    match = _STRING.match(text, start)
    return match[0] if match else ""


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
    match = pattern.match(source, at)
    return match.end() if match else at
