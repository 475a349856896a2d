"""The package as others use it: built, installed where nothing else is, and asked for what it promises."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import coyote

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "coyote"
CALLED = {
    "markdown_it": "markdown-it-py",
    "pydantic_core": "pydantic-core",
    "pyspiel": "open-spiel",
    "yaml": "pyyaml",
}  # where a package is not called as it is imported


def imported() -> set[str]:
    """The first names of all packages that the sources import."""
    found = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"coyote"}


def test_every_imported_package_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [
        name for kind, names in project["optional-dependencies"].items() if kind != "dev" for name in names
    ]
    declared = {re.split(r"[^\w-]", name)[0].lower() for name in project["dependencies"] + extras}
    assert {CALLED.get(name, name) for name in imported()} <= declared


def test_numba_has_an_upper_bound() -> None:
    """A private method of it is replaced (kernel/jit.py): a newer one is looked at before it is allowed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (numba,) = [dependency for dependency in project["dependencies"] if dependency.startswith("numba")]
    assert "<" in numba


def test_every_public_name_is_documented_with_an_example() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    chapters = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert set(chapters) == set(coyote.__all__)
    for name, text in chapters.items():
        assert ">>> " in text, name
        assert hasattr(coyote, name)


# ---------------------------------------------------------------- the wheel


def run(*command: str | Path, **around: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COYOTE"))}
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd="/", env={**clean, **around}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that has the wheel, and what it asks for, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder / "dist", ROOT)
    (wheel,) = (folder / "dist").glob("coyote-*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "env")
    bin_folder = folder / "env" / "bin"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(bin_folder / "python"),
        "install",
        "-q",
        "--no-compile",
    ]
    run(*pip, wheel, PIP_CONSTRAINT=str(ROOT / "constraints.txt"))
    return bin_folder


def test_the_installed_package_is_whole(installed: Path) -> None:
    told = run(
        installed / "python", "-c", "import coyote; print(coyote.__version__, coyote.__file__, end='')"
    )
    version, file = told.split(" ", 1)
    assert version == coyote.__version__
    assert not Path(file).is_relative_to(ROOT)
    assert (Path(file).parent / "py.typed").exists()


def test_the_installed_program_plays_in_the_terminal(installed: Path, tmp_path: Path) -> None:
    env = {"COYOTE_DATA": str(tmp_path), "LANG": "ru_RU.UTF-8"}
    assert "M18" in run(installed / "coyote", "rules", "madness", "M18", **env)
    done = subprocess.run(
        [str(installed / "coyote"), "play", "madness", "--against", "human", "--seed", "x"],
        input="\npass\nquit\n",
        capture_output=True,
        text=True,
        cwd="/",
        env={**os.environ, **env, "PYTHONPATH": ""},
    )
    assert done.returncode == 0, done.stderr
    assert "Мэднесс" in done.stdout


def lines_of(process: "subprocess.Popen[str]") -> Iterator[str]:
    assert process.stdout
    yield from process.stdout


def test_the_installed_program_serves_the_table(installed: Path, tmp_path: Path) -> None:
    command = [installed / "coyote", "table", "--port", "0", "--lang", "en"]
    process = subprocess.Popen(
        [*map(str, command), "--db", f"sqlite:///{tmp_path / 'table.db'}"],
        stdout=subprocess.PIPE,
        text=True,
        cwd="/",
        env={**os.environ, "PYTHONPATH": ""},
    )
    try:
        address = re.search(r"http://\S+/", next(lines_of(process)))
        assert address
        for path in (
            "",
            "static/now/words/ru.json",
            "static/now/base.css",
            "api/games",
            "api/rules/duel",
            "api/lessons/madness",
        ):
            with urllib.request.urlopen(address[0] + path, timeout=300) as answer:
                assert answer.status == 200 and answer.read()
    finally:
        process.terminate()
        process.wait()
