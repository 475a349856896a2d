"""The rulebooks as data for a page: chapters and rules, whose text is a small tree of known tags.

A page builds its elements from this tree itself, so nothing that stands in a text can become markup.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from starlette.exceptions import HTTPException

from coyote.games.game import Json
from coyote.games.registry import GAMES
from coyote.table.lessons import GameName
from coyote.table.parts import PARTS
from coyote.text import Lang, Words
from coyote.text.rulebook import edition_marks, rulebook

Tree = str | Json  # a text, or {"tag": …, "kids": […]} with, where it helps, "kind" and "rule"

TAGS = {
    "paragraph": "p", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "strong": "strong",
    "em": "em", "table": "table", "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
}  # fmt: skip
LETTERS = "".join(game.LETTER for game in GAMES.values())
HEADING = re.compile(rf"([{LETTERS}]\d+) · (.+)")
RULE = re.compile(rf"(?<![\w·])([{LETTERS}]\d{{1,2}})(?!\w)")

router = APIRouter()


@router.get("/api/rules/{game}")
def read_rules(game: GameName, lang: Annotated[Lang, Query()] = "en") -> Json:
    """The rulebook of a game: its chapters, its rules by number, and which editions it tells of."""
    if game not in PARTS or not PARTS[game].rulebook:
        raise HTTPException(404)
    return book(game, lang)


@cache
def book(game: str, lang: str) -> Json:
    """
    >>> found = book("madness", "en")
    >>> found["title"], [chapter["title"] for chapter in found["chapters"]][:3]
    ('Madness', ['Glossary', 'Cards', 'The table'])
    >>> [rule["id"] for rule in found["chapters"][1]["rules"]]
    ['M1', 'M2', 'M3', 'M4']
    """
    root = SyntaxTreeNode(
        MarkdownIt("commonmark", {"html": False}).enable("table").parse(rulebook(game, lang))
    )
    editions = edition_marks(game, lang)
    words = Words(lang)
    reader = Reader({f"{name}.": key for key, name in editions.items()}, words("rulebook.example"))
    found: Json = {"game": game, "lang": lang, "editions": list(editions), "intro": [], "chapters": []}
    blocks = found["intro"]
    for node in root.children:
        if node.type != "heading":
            blocks.append(reader.block(node))
        elif node.tag == "h1":
            found["title"] = plain(node)
        else:
            blocks = begin(found["chapters"], plain(node), node.tag)
    return found


def begin(chapters: list[Json], title: str, tag: str) -> list[Tree]:
    """A new chapter, or a rule in the last one; the list that its text goes to."""
    numbered = HEADING.fullmatch(title)
    if tag == "h2":
        chapters.append({"id": f"part-{len(chapters) + 1}", "title": title, "blocks": [], "rules": []})
        blocks: list[Tree] = chapters[-1]["blocks"]
        return blocks
    if numbered is None:
        raise ValueError(f"a rule without a number: {title}")
    chapters[-1]["rules"].append({"id": numbered[1], "title": numbered[2], "blocks": []})
    blocks = chapters[-1]["rules"][-1]["blocks"]
    return blocks


def plain(node: SyntaxTreeNode) -> str:
    return "".join(part.content for part in node.walk() if part.type in ("text", "code_inline"))


class Reader:
    """From Markdown to the tree. `editions`: by the bold words that begin a passage, whose it is."""

    def __init__(self, editions: dict[str, str], example: str) -> None:
        self.editions, self.example = editions, example

    def block(self, node: SyntaxTreeNode) -> Json:
        if node.type == "fence":
            return {"tag": "pre", "kids": [node.content.rstrip("\n")]}
        made: Json = {"tag": TAGS[node.type], "kids": self.kids(node)}
        if kind := self.kind(node):
            made["kind"] = kind
        return made

    def kids(self, node: SyntaxTreeNode) -> list[Tree]:
        """A list's items stand close together, so a paragraph that is alone in one is left out."""
        alone = node.type == "list_item" and len(node.children) == 1
        inner = node.children[0].children if alone else node.children
        return list(self.joined(kid for child in inner for kid in self.inline(child)))

    def inline(self, node: SyntaxTreeNode) -> Iterator[Tree]:
        if node.type == "inline":
            for child in node.children:
                yield from self.inline(child)
        elif node.type == "text":
            yield from linked(node.content)
        elif node.type == "softbreak":
            yield " "
        elif node.type == "code_inline":
            yield {"tag": "code", "kids": [node.content]}
        else:
            yield self.block(node)

    def joined(self, kids: Iterable[Tree]) -> Iterator[Tree]:
        """Texts side by side are one."""
        text = ""
        for kid in kids:
            if isinstance(kid, str):
                text += kid
                continue
            if text:
                yield text
            text = ""
            yield kid
        if text:
            yield text

    def kind(self, node: SyntaxTreeNode) -> str:
        """Whether a passage is an example, or for one edition only: its first bold words say so."""
        if node.type not in ("paragraph", "list_item"):
            return ""
        first = node
        while first.type != "strong" and (said := [child for child in first.children if not is_empty(child)]):
            first = said[0]
        words = plain(first) if first.type == "strong" else ""
        return "example" if words == self.example else self.editions.get(words, "")


def is_empty(node: SyntaxTreeNode) -> bool:
    """The parser puts a text of no letters before what is bold."""
    return node.type == "text" and not node.content


def linked(text: str) -> Iterator[Tree]:
    """
    >>> list(linked("see M12, not M123"))
    ['see ', {'tag': 'a', 'rule': 'M12', 'kids': ['M12']}, ', not M123']
    """
    for number, part in enumerate(RULE.split(text)):
        if number % 2:
            yield {"tag": "a", "rule": part, "kids": [part]}
        elif part:
            yield part
