"""The Russian of everything: one word for one thing (docs/vocabulary.md), and its typography."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "coyote"
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


def strings(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    for part in found.values() if isinstance(found, Mapping) else found if isinstance(found, list) else ():
        yield from strings(part)


def paragraphs(path: Path) -> list[str]:
    """The prose of a rulebook: without blocks of code."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return text.splitlines()


@cache
def said() -> list[tuple[str, str]]:
    """Every Russian text with the folder and file it is in; what stands between ` ` is code."""
    files = [*(SOURCES / "text").rglob("*.toml"), *(SOURCES / "table" / "lessons").glob("*.toml")]
    files += [
        SOURCES / "games" / "duel" / "core.toml",
        *(SOURCES / "games" / "duel" / "decks").glob("*.toml"),
    ]
    texts = [(path, text) for path in files for text in strings(tomllib.loads(path.read_text("utf-8")))]
    texts += [(path, line) for path in (ROOT / "docs" / "games").glob("*.ru.md") for line in paragraphs(path)]
    plain = [(f"{path.parent.name}/{path.name}", re.sub("`[^`]*`", "`", text)) for path, text in texts]
    return [(place, text) for place, text in plain if CYRILLIC.search(text)]


@cache
def discarded() -> list[str]:
    """What the last column of the vocabulary has between ` `."""
    rows = [
        line.strip("|").split("|")
        for line in (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and CYRILLIC.search(line)
    ]
    assert {len(row) for row in rows} == {4}
    return [word for row in rows[1:] for word in re.findall("`([^`]+)`", row[3])]


def found(pattern: str, flags: int = 0) -> list[tuple[str, str]]:
    return [(place, text) for place, text in said() if re.search(pattern, text, flags)]


def test_all_russian_texts_are_read() -> None:
    assert len(said()) > 1500
    folders = {place.split("/")[0] for place, _ in said()}
    assert folders == {"text", "pages", "lessons", "duel", "decks", "games"}


@pytest.mark.parametrize("word", discarded())
def test_a_discarded_word_is_said_nowhere(word: str) -> None:
    start = r"\b" if word[0].isalnum() else ""
    assert found(start + re.escape(word), re.IGNORECASE) == []


def test_rules_speak_of_the_opponent_as_the_cards_do() -> None:
    places = ("text/madness.ru.toml", "text/duel.ru.toml", "lessons/", "games/")
    assert [text for place, text in found("соперник", re.IGNORECASE) if place.startswith(places)] == []


TYPOGRAPHY = {
    "a space before …": r"\s…(?![){])",  # "(a1 …)" and "…7f" leave something out
    "three dots for …": r"\.\.\.",
    "straight or English quotes": '["“”„]',
    "a hyphen for a dash": r"(\s-\s|—-|--\s)",
    "a short dash between words": r"[а-яё»,]\s–\s[а-яё«]",
    "a dash without its spaces": r"[а-яё»]—|—[а-яё«]",
    "a hyphen between numbers": r"(?<!-)\b\d+-\d",
    "a percent sign without its space": r"[\d}]%",
    "a space before a comma or a full stop": r"\s[,;]|\s\.(\s|$)",
    "a space inside of quotes": r"«\s|\s»",
    "«вы» with a capital letter": r"[а-яё,;] (Вы|Вас|Вам|Вами|Ваш|Ваша|Ваше|Ваши)\b",
    "Latin and Cyrillic letters in one word": r"[а-яё][a-z]|[a-z][а-яё]",
}


@pytest.mark.parametrize("fault", TYPOGRAPHY)
def test_typography(fault: str) -> None:
    assert found(TYPOGRAPHY[fault], re.IGNORECASE if "Latin" in fault else 0) == []


def test_quotes_come_in_pairs() -> None:
    assert [(place, text) for place, text in said() if text.count("«") != text.count("»")] == []


OTHER_WORDS = {"все", "узнает", "чем", "е"}  # with dots they are something else
WITH_DOTS = "ещё её неё моё твоё своё чьё вперёд четвёрка пятёрка шестёрка счёт бьёт ждёт"


def test_yo_is_written_where_it_is_said() -> None:
    """A word that has its dots in one place has them in all."""
    words = {word for _, text in said() for word in re.findall("[а-яё]+", text.lower())}
    dotted = {word for word in words if "ё" in word}.union(WITH_DOTS.split())
    assert len(dotted) > 90
    assert sorted({word.replace("ё", "е") for word in dotted} & words - OTHER_WORDS) == []
