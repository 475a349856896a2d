"""Who may import whom, and who may ask which game it is. And no foreign paths.

kernel, text ← games ← seeds, questions ← match ← records ← fairness ← bots ← analysis
← lab, envs, table ← cli
"""

import ast
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from coyote.bots.minds import MINDS
from coyote.cli.terminals import TERMINALS
from coyote.games.duel import state as duel_state
from coyote.games.madness import state as madness_state
from coyote.games.registry import GAMES
from coyote.table.parts import PARTS
from coyote.text import GAME_WORDS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "coyote"
FILES = sorted(PACKAGE.rglob("*.py"))

GROUND = ("kernel", "text", "games")
FACE = ("seeds", "questions", "match", "records", "fairness")
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "kernel": ("kernel",),
    "text": ("text",),
    "games": GROUND,
    "seeds": GROUND,
    "questions": GROUND,
    "match": (*GROUND, "seeds", "questions"),
    "records": (*GROUND, "seeds", "questions", "match"),
    "fairness": (*GROUND, "seeds", "questions", "match", "records"),
    "bots": (*GROUND, "questions", "bots"),  # no match: what a bot may know is its question
    "analysis": (*GROUND, *FACE, "bots", "analysis"),
    "lab": (*GROUND, *FACE, "bots", "analysis", "lab"),
    "envs": (*GROUND, *FACE, "bots", "envs", "__init__"),
    "table": (*GROUND, *FACE, "bots", "table", "__init__"),
    "table.analyst": (*GROUND, *FACE, "bots", "analysis", "table"),  # a process of its own
    "table.puzzles": (*GROUND, *FACE, "bots", "analysis", "table"),
    "table.weigher": (*GROUND, *FACE, "bots", "lab", "table"),  # a process of its own
    "cli": (*GROUND, *FACE, "bots", "analysis", "lab", "envs", "cli", "__init__"),
    "cli.table": (*GROUND, *FACE, "bots", "lab", "cli", "table", "__init__"),  # nobody else imports the table
    "cli.cards_print": (*GROUND, "cli", "table"),  # which dresses cards on paper as on the page
    "cli.cards_weigh": (*GROUND, "cli", "table"),  # and weighs them as the workshop does
    "cli.table_admin": (*GROUND, *FACE, "cli", "table"),  # but this part of it
    "__init__": (*FACE, "games.game", "games.registry", "text"),
    "__main__": ("cli",),
}


def module_of(path: Path) -> str:
    """`games.madness.rules` for src/coyote/games/madness/rules.py."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts if parts[-1] != "__init__" or len(parts) == 1 else parts[:-1])


MODULES = {module_of(path) for path in FILES}


def imports(path: Path) -> Iterator[str]:
    """Every module of coyote that a file imports, without the leading `coyote.`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = ("coyote", *path.relative_to(PACKAGE).parts)[: -node.level] if node.level else ()
            base = ".".join([*package, *([node.module] if node.module else [])])
            inner = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if name.removeprefix("coyote.") in MODULES else base for name in inner]
        else:
            continue
        for name in names:
            if name == "coyote":
                yield "__init__"
            elif name.startswith("coyote."):
                yield name.removeprefix("coyote.")


def layer_of(module: str) -> str:
    return module.split(".")[0]


def is_allowed(module: str, imported: str) -> bool:
    allowed = MAY_IMPORT.get(module) or MAY_IMPORT[layer_of(module)]
    return any(imported == name or imported.startswith(f"{name}.") for name in allowed)


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_imports_go_one_way(path: Path) -> None:
    module = module_of(path)
    assert layer_of(module) in MAY_IMPORT, "a new layer needs its line in MAY_IMPORT and in the architecture"
    assert [name for name in imports(path) if not is_allowed(module, name)] == []


def test_the_test_sees_imports() -> None:
    """Lest the rule above hold because nothing was found."""
    seen = {(layer_of(module_of(path)), layer_of(name)) for path in FILES for name in imports(path)}
    assert {
        ("games", "kernel"),
        ("match", "games"),
        ("cli", "match"),
        ("cli", "lab"),
        ("lab", "bots"),
    } <= seen
    assert not is_allowed("kernel.bits", "games.game")
    assert not is_allowed("text.words", "games.game")


def test_games_do_not_import_each_other() -> None:
    """What they share is in games/*.py, which itself knows no game but in the registry."""
    for path in FILES:
        module = module_of(path)
        if module.startswith("games."):
            own = module.split(".")[1]
            found = {game for name in imports(path) if (game := game_of(name)) and game != own}
            assert found == (set(GAMES) if module == "games.registry" else set()), module


def game_of(module: str) -> str | None:
    """The game whose module this is: of `games.duel.rules` the duel."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "games" and parts[1] in GAMES else None


# ---------------------------------------------------------------- one table by game in each layer

REGISTRIES: dict[str, Mapping[str, Any]] = {
    "GAMES": GAMES,
    "GAME_WORDS": GAME_WORDS,
    "MINDS": MINDS,
    "TERMINALS": TERMINALS,
    "PARTS": PARTS,
}
# These know single games: the registries, the types of views, and what only the duel has, cards and decks.
BY_GAME = {
    "games.registry",
    "analysis.puzzles.madness",
    "analysis.puzzles.duel",
    "analysis.puzzles.mining",
    "bots.minds",
    "cli.terminals",
    "table.parts",
    "cli.cards",
    "cli.cards_print",
    "cli.cards_weigh",
    "cli.deck",
    "cli.lab_decks",
    "envs.registry",
    "lab.amounts",
    "lab.answer",
    "lab.cards",
    "lab.decklists",
    "lab.decks",
    "lab.decks_report",
    "lab.matrix",
    "table.set_trial",
    "table.library",
    "table.view_types",
    "table.card_sets",
    "table.weigher",
    "table.weighing",
    "table.workshop",
    "table.writing",
}


def knows_a_game(module: str) -> bool:
    """`games.duel.view`, `bots.duel.tree`, `cli.duel_table`, `cli.duel_typed`, and the few named above."""
    parts = module.split(".")
    tables = {f"cli.{game}_{what}" for game in GAMES for what in ("table", "typed")}
    return module in BY_GAME | tables or (
        parts[0] in ("games", "bots", "analysis", "envs") and parts[1:2] in [[g] for g in GAMES]
    )


@pytest.mark.parametrize("name", REGISTRIES)
def test_every_layer_has_every_game_and_no_other(name: str) -> None:
    assert sorted(REGISTRIES[name]) == sorted(GAMES)


def test_a_game_is_registered_under_its_name() -> None:
    assert {name: game.name for name, game in GAMES.items()} == {name: name for name in GAMES}
    assert len({game.LETTER for game in GAMES.values()}) == len(GAMES)


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_nobody_else_imports_a_single_game(path: Path) -> None:
    if not knows_a_game(module_of(path)):
        assert [name for name in imports(path) if game_of(name)] == []


def asks_which_game(source: str) -> list[int]:
    """The lines in which something is asked for being a single game: by its class or by its name."""
    names, classes = set(GAMES), {game.__name__ for game in GAMES.values()}
    lines = []
    for node in ast.walk(ast.parse(source)):
        inner = list(ast.walk(node))
        named = any(isinstance(part, ast.Constant) and part.value in names for part in inner)
        if isinstance(node, ast.Compare | ast.MatchValue) and named:
            lines.append(node.lineno)
        mentioned = {getattr(part, "id", getattr(part, "attr", "")) for part in inner}
        asks = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass")
        if isinstance(node, ast.Call) and asks and classes & mentioned:
            lines.append(node.lineno)
    return lines


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_nobody_else_asks_which_game_it_is(path: Path) -> None:
    if not knows_a_game(module_of(path)):
        assert asks_which_game(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(game, Duel)",
        "isinstance(game, (Madness, Duel))",
        "issubclass(kind, games.Duel)",
        "game.name == 'duel'",
        "'madness' != name",
        "name in ('duel', 'madness')",
        "match name:\n    case 'duel': pass",
    ],
)
def test_the_test_sees_who_asks(source: str) -> None:
    assert asks_which_game(source)
    assert not asks_which_game("Match('madness')\nisinstance(game, Game)\nname in GAMES")


def test_the_list_of_those_who_know_a_game_is_not_stale() -> None:
    assert {module for module in BY_GAME if module in MODULES} == BY_GAME
    for module in BY_GAME:
        path = next(path for path in FILES if module_of(path) == module)
        assert any(game_of(name) or name.split(".")[1:2] in [[g] for g in GAMES] for name in imports(path)), (
            module
        )


# ---------------------------------------------------------------- states


@pytest.mark.parametrize("module", [madness_state, duel_state], ids=GAMES)
def test_a_state_has_the_same_fields_for_editors_and_for_the_kernel(module: ModuleType) -> None:
    """In the same order, so that a missing one is seen at once."""
    assert list(module.State.__annotations__) == list(module.STATE.names)
    described = (module.__doc__ or "").replace(",", " ").split()
    left_out = {name for name in module.STATE.names if name not in described}
    assert left_out <= {"in_discard", "in_play", "in_aside"}, "`in_deck, in_hand …` stands for them"


# ---------------------------------------------------------------- other borders


def test_only_the_kernel_names_numba() -> None:
    """`rule` is the one decorator, and instructions are written in one more module; no other names Numba."""
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = [
            alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        ]
        named += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        if any(name.split(".")[0] in ("numba", "llvmlite") for name in named):
            assert module_of(path) in ("kernel.jit", "kernel.lanes")


def test_the_kernel_has_no_words() -> None:
    for path in (PACKAGE / "kernel").glob("*.py"):
        assert "text" not in {layer_of(name) for name in imports(path)}


def test_no_source_reads_the_shared_folder() -> None:
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml")]:
        assert "shared/" not in path.read_text(encoding="utf-8"), path


def test_no_tracked_file_names_a_place_on_somebodys_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    # With letters behind them: the bytes of a picture may have the rest by chance.
    places = [r"/work" r"/\w\w", r"/ro" r"ot/\w\w", r"/Us" r"ers/\w\w", r"C:" r"\\\w\w"]
    foreign = re.compile("|".join(places).encode())
    for name in listed.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file():
            assert foreign.findall(path.read_bytes()) == [], name
