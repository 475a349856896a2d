"""`docs/adding-a-game.md` names what a game must bring, and nothing that is not there."""

import importlib
import re
from pathlib import Path

import pytest

from coyote.games import game as g
from coyote.games.game import Game
from coyote.games.registry import GAMES
from coyote.text import LANGUAGES, Words

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
PARTS = (g.Rules, g.Notation, g.Shown, g.Kept, g.Series, Game)

pytestmark = pytest.mark.usefixtures("third_game")


def section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def rows(text: str, heading: str) -> list[tuple[str, str]]:
    """The first two cells of each row of the table with this heading."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n?)+)", text, re.MULTILINE)
    assert table, heading
    cells = [line.strip("|").split("|") for line in table[1].strip().splitlines()]
    return [(first.strip(), second.strip()) for first, second, *_ in cells]


def names(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


def methods() -> set[str]:
    return {name for part in PARTS for name in vars(part) if not name.startswith("_") and name.islower()}


def attributes(required: bool) -> set[str]:
    """What the parts of `Game` declare: those without a value must be given."""
    declared = {name: part for part in PARTS for name in vars(part).get("__annotations__", {})}
    return {name for name, part in declared.items() if (name not in vars(part)) == required}


def test_it_is_one_page() -> None:
    assert len(PAGE.splitlines()) < 120


def test_every_method_that_a_game_must_bring_is_named_and_no_other() -> None:
    named = [name for cell, _ in rows(section("In this order"), "method") for name in names(cell)]
    assert sorted(named) == sorted(Game.__abstractmethods__)


def test_every_attribute_is_named_and_those_that_must_be_given_first() -> None:
    given, usual = [], []
    for _, cell in rows(section("In this order"), "part"):
        first, _, rest = cell.partition("besides")
        given += names(first)
        usual += names(rest)
    assert sorted(given) == sorted(attributes(required=True))
    assert sorted(usual) == sorted(attributes(required=False))


def test_what_is_optional_is_there_and_can_be_left_out() -> None:
    optional = {
        name
        for cell, _ in rows(section("What is optional"), "what")
        if cell.startswith("`")
        for name in names(cell)
    }
    rest = methods() - Game.__abstractmethods__ - attributes(True) - {"view_json", "known", "key"}
    assert optional == rest, "all that a game may change"


def test_the_tables_are_all_there_are() -> None:
    named = re.findall(r"`(coyote(?:\.[a-z_]+)+)\.(\w+)(?:\(\))?`", PAGE)
    assert len(named) >= 8
    for module, name in named:
        assert hasattr(importlib.import_module(module), name), (module, name)
    registries = [cell.strip("`") for cell, _ in rows(section("In this order"), "table")]
    assert len(registries) == 5
    for registry in registries:
        module, _, name = registry.rpartition(".")
        assert list(getattr(importlib.import_module(module), name)) == list(GAMES), registry


def test_every_file_that_is_named_is_there() -> None:
    files = re.findall(r"`((?:src|tests|docs)/[^`]+)`", PAGE)
    assert len(files) > 8
    for file in files:
        found = [file.replace("<game>", game).replace("<lang>", "en") for game in ("madness", "duel")]
        assert any((ROOT / one).exists() for one in found), file
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / link).exists(), link


@pytest.mark.parametrize("game", ["madness", "duel", "goofspiel"])
def test_every_key_of_the_words_is_one_that_games_have(game: str) -> None:
    kind = GAMES[game]
    fills = {
        "<game>": [game],
        "<event>": [row.name for row in kind.KINDS.rows],
        "<choice>": list(kind.WANTED),
        "<option>": [option.name for option in kind.OPTIONS],
        "<reason>": list(kind.REASONS),
        "<source>": list(kind.SOURCES),
    }
    keys = [key for cell, _ in rows(section("Words"), "key") for key in re.findall(r"`([^`]+)`", cell)]
    assert len(keys) == 10
    for pattern in keys:
        found = [pattern]
        for slot, values in fills.items():
            found = [key.replace(slot, value) for key in found for value in values]
        assert found and all(Words(lang).find(key) for lang in LANGUAGES for key in set(found))
