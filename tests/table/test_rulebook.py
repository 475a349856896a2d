"""The rulebooks as pages get them: all rules, all editions, every link leads somewhere."""

from collections.abc import Iterator
from typing import Any

import pytest

from coyote.table.rulebook import book
from coyote.text.rulebook import rulebook, rules_of

Json = dict[str, Any]
BOOKS = pytest.mark.parametrize(
    ("game", "lang"), [(game, lang) for game in ("madness", "duel") for lang in ("en", "ru")]
)


def blocks(found: Json) -> Iterator[Any]:
    yield from found["intro"]
    for chapter in found["chapters"]:
        yield from chapter["blocks"]
        for rule in chapter["rules"]:
            yield from rule["blocks"]


def walk(tree: Any) -> Iterator[Json]:
    if isinstance(tree, dict):
        yield tree
        for kid in tree["kids"]:
            yield from walk(kid)


def text(tree: Any) -> str:
    return tree if isinstance(tree, str) else "".join(map(text, tree["kids"]))


@BOOKS
def test_every_rule_is_there_in_its_order(game: str, lang: str) -> None:
    found = book(game, lang)
    ids = [rule["id"] for chapter in found["chapters"] for rule in chapter["rules"]]
    assert ids == list(rules_of(rulebook(game, lang)))
    assert all(rule["blocks"] for chapter in found["chapters"] for rule in chapter["rules"])


@BOOKS
def test_every_link_leads_to_a_rule(game: str, lang: str) -> None:
    nodes = [node for block in blocks(book(game, lang)) for node in walk(block)]
    links = {node["rule"] for node in nodes if node["tag"] == "a"}
    assert links and links <= set(rules_of(rulebook(game, lang)))


@BOOKS
def test_no_word_of_the_book_is_lost(game: str, lang: str) -> None:
    """Every line of the file without its marks stands in the tree."""
    found = book(game, lang)
    titles = [chapter["title"] for chapter in found["chapters"]]
    titles += [rule["title"] for chapter in found["chapters"] for rule in chapter["rules"]]
    ids = [rule["id"] for chapter in found["chapters"] for rule in chapter["rules"]]
    said = letters("".join([found["title"], *titles, *ids, *map(text, blocks(found))]))
    fenceless = [line for line in rulebook(game, lang).splitlines() if not line.startswith("```")]
    assert said == letters("".join(fenceless))


def letters(words: str) -> list[str]:
    """Without the marks of Markdown, in whatever order."""
    return sorted(letter for letter in words if letter.isalpha())


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_editions_are_told_apart(lang: str) -> None:
    found = book("madness", lang)
    kinds = [node.get("kind") for block in blocks(found) for node in walk(block)]
    assert found["editions"] == ["standard", "classic"]
    assert kinds.count("standard") == kinds.count("classic") > 5
    assert kinds.count("example") > 20
    assert book("duel", lang)["editions"] == []
