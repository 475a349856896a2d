"""Set files as files: a first one for whoever begins; one card's text changed, and all else left as it is."""

import json
import os
import tempfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from coyote.text import Lang, Refusal, Refused
from coyote.text.tomlfile import Document, fault, load, parse

from .sets import LONGEST_NAME, MOST_BYTES, SetError, is_plain, parse_set

BOM = "\ufeff"


def first_set(name: str, lang: Lang) -> str:
    """A set of eight cards with a word on each thing; `name` where a set may be called so, else "mine"."""
    text = resources.files(__package__).joinpath(f"first-set.{lang}.toml").read_text(encoding="utf-8")
    called = name[:LONGEST_NAME]
    return text.replace('"mine"', json.dumps(called, ensure_ascii=False)) if is_plain(called) else text


def write_new(path: Path, text: str) -> None:
    """A set in a file that was not there; refused where the text is no set."""
    parse_set(text, str(path))
    with path.open("x", encoding="utf-8", newline="") as out:
        out.write(text)


class SetFile:
    """A set file as it stands, whatever is wrong with its cards; its TOML must be whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = load(path, MOST_BYTES)
        if isinstance(text, Refusal):
            raise SetError([text])
        self.text = text
        documents, faults = parse(str(path), text)
        if not documents:
            raise SetError(faults)
        self.document: Document = documents[0]

    def card_text(self, card_id: str) -> str:
        text: str = self._cards()[self._number(card_id)]["text"]
        return text

    def with_text(self, card_id: str, text: str) -> str:
        """The file with another text for this card: every other letter stays, comments and line ends too."""
        return self.with_texts({card_id: text})

    def with_texts(self, texts: Mapping[str, str], name: str = "") -> str:
        """The same for several cards, and with another name of the set where one is given."""
        pieces = [(self._span(card_id), " ".join(text.split())) for card_id, text in texts.items()]
        named = self.document.span(("name",))
        if name and named:
            pieces.append((named, name))
        text = self.text
        for span, value in sorted(pieces, reverse=True):  # from the end, so that places stay
            start, end = (_in_original(self.text, at) for at in span)
            text = text[:start] + json.dumps(value, ensure_ascii=False) + text[end:]
        return text if named or not name else f"name = {json.dumps(name, ensure_ascii=False)}\n\n{text}"

    def _span(self, card_id: str) -> tuple[int, int]:
        number = self._number(card_id)
        span = self.document.span(("card", number, "text"))
        if span is None:
            raise self._no_text(card_id, number)
        return span

    def write(self, text: str) -> None:
        """The whole file or nothing: it is written beside the old one and then takes its place."""
        raw = self.path.read_bytes()
        mark = BOM if raw.startswith(BOM.encode()) else ""
        target = self.path.resolve()
        handle, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
                out.write(mark + text)
                out.flush()
                os.fsync(out.fileno())
            os.chmod(beside, target.stat().st_mode & 0o7777)
            os.replace(beside, target)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise

    def _cards(self) -> list[dict[str, Any]]:
        found = self.document.data.get("card", [])
        return [card for card in found if isinstance(card, dict)] if isinstance(found, list) else []

    def _number(self, card_id: str) -> int:
        cards = self._cards()
        number = next((number for number, card in enumerate(cards) if card.get("id") == card_id), None)
        if number is None:
            raise Refused("fault.no_such_card", name=card_id, set=str(self.path))
        if not isinstance(cards[number].get("text"), str):
            raise self._no_text(card_id, number)
        return number

    def _no_text(self, card_id: str, number: int) -> SetError:
        line = self.document.place(("card", number))["line"]
        about = Refusal("set.card", "", {"id": card_id})
        return SetError([fault(str(self.path), "file.no_key", line, key="text", about=about)])


def _in_original(text: str, at: int) -> int:
    r"""Where a letter stands that is at this place when all line ends are `\n`.

    >>> text = "a\r\nb\nc\r\nd"
    >>> text.replace("\r\n", "\n").index("d"), text[_in_original(text, 6)]
    (6, 'd')
    """
    begin = 0
    for piece in text.split("\r\n"):
        if at <= len(piece):
            break
        at -= len(piece) + 1
        begin += len(piece) + 2
    return begin + at
