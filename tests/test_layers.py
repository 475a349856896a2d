"""Who may import whom: kernel, text ← games ← match, records ← bots ← lab ← cli. And no foreign paths."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "coyote"
FILES = sorted(PACKAGE.rglob("*.py"))

FACE = ("match", "records", "seeds", "fairness")
GROUND = ("kernel", "games", "text", *FACE)
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "kernel": ("kernel",),
    "games": ("kernel", "text", "games"),
    "text": ("text",),
    "match": GROUND,
    "records": GROUND,
    "seeds": ("kernel", "games", "text"),
    "fairness": GROUND,
    "bots": (*GROUND, "bots"),
    "lab": (*GROUND, "bots", "lab"),
    "table": (*GROUND, "bots", "table", "__init__"),
    "cli": (*GROUND, "bots", "lab", "cli", "__init__"),
    "cli.table": (*GROUND, "bots", "lab", "cli", "table", "__init__"),  # nobody else imports the table
    "__init__": (*FACE, "games.game"),
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
    for path in FILES:
        module = module_of(path)
        if module.startswith("games.") and module.count(".") > 1:
            game = module.split(".")[1]
            others = [
                name
                for name in imports(path)
                if name.startswith("games.") and name.split(".")[1] not in (game, "game")
            ]
            assert others == [], module


def test_only_the_kernel_names_numba() -> None:
    """`rule` is the one decorator; no other module has an option of Numba's in it."""
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = [
            alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        ]
        named += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        if any(name.split(".")[0] in ("numba", "llvmlite") for name in named):
            assert module_of(path) == "kernel.jit"


def test_the_kernel_has_no_words() -> None:
    for path in (PACKAGE / "kernel").glob("*.py"):
        assert "text" not in {layer_of(name) for name in imports(path)}


def test_no_source_reads_the_shared_folder() -> None:
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml")]:
        assert "shared/" not in path.read_text(encoding="utf-8"), path


def test_no_tracked_file_names_a_place_on_somebodys_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    foreign = [b"/work" + b"/", b"/ro" + b"ot/", b"/Us" + b"ers/", b"C:" + b"\\"]
    for name in listed.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file():
            content = path.read_bytes()
            assert [place for place in foreign if place in content] == [], name
