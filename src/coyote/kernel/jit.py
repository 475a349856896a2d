"""`rule`, the one decorator of the kernel, and the folder that keeps what it compiled.

No other module names a Numba option (`lanes` writes instructions of its own). Set NUMBA_DISABLE_JIT=1 to run
the same source as plain Python, NUMBA_BOUNDSCHECK=1 to have every index checked.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dis import get_instructions
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import event, types
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic, intrinsic

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED = not numba.config.DISABLE_JIT
KEEP_DAYS = 30
# A method of Numba's own: without it other threads wait until the rules are compiled, and that is all.
CAN_STAND_IN = COMPILED and callable(getattr(Dispatcher, "_compile_for_args", None))


IMPORTS = re.compile(r"^from coyote\.([\w.]+) import (.+(?:\n    .+)*)", re.MULTILINE)
COMPILED_FROM = (
    "kernel",
    "games",
    "bots",
    "analysis",
    "envs",
)  # the layers whose code a compiled function may hold a copy of


@cache
def sources_of(module: str) -> tuple[Path, ...]:
    """The files of a module and of all that it imports, as far as rules and their numbers may be there.

    >>> [path.stem for path in sources_of("coyote.kernel.luck")]
    ['jit', 'luck']
    """
    files: set[Path] = set()
    waiting = [PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")]
    while waiting:
        path = waiting.pop()
        if path not in files and path.is_file():
            files.add(path)
            waiting += imported_by(path)
    return tuple(sorted(files))


@cache
def imported_by(path: Path) -> tuple[Path, ...]:
    """The files of the same layers that a file imports; a name may be a module itself."""
    files = []
    for base, names in IMPORTS.findall(path.read_text(encoding="utf-8")):
        if base.split(".")[0] in COMPILED_FROM:
            folder = PACKAGE.joinpath(*base.split("."))
            files += [
                folder.with_suffix(".py"),
                *(folder / f"{name}.py" for name in re.findall(r"\w+", names)),
            ]
    return tuple(files)


@cache
def digest(sources: tuple[Path, ...]) -> str:
    """A hash of these files.

    Numba looks only at the file of the function it loads: a cached caller would keep the old
    rules of a callee in another file. So each state of the sources gets a folder of its own.
    """
    hashed = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    for path in sources:
        hashed.update(f"{path.relative_to(PACKAGE)}\n".encode())
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:16]


def cache_home() -> Path:
    """The folder for compiled rules: COYOTE_CACHE, or the user's cache folder."""
    if given := os.environ.get("COYOTE_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "coyote"


@cache
def cache_folder(sources: tuple[Path, ...]) -> Path | None:
    """The folder for what is compiled from these sources; None where none can be written."""
    home = cache_home()
    folder = home / f"rules-{digest(sources)}"
    try:
        fresh = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        if fresh:
            forget_old(home)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def forget_old(home: Path) -> None:
    """Remove the folders of sources that nobody has run for a month."""
    limit = time.time() - KEEP_DAYS * 86400
    for folder in home.glob("rules-*"):
        if folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def rule(function: Callable[..., Any]) -> Any:
    """Compile a rule of a game; uncompiled it is the function itself.

    It becomes part of the rules that call it, which makes one piece of code of a whole turn: half
    as fast again as calls. What is large and called from many places is a `big_rule` instead.
    """
    return _compile(function, inlined=True)


def big_rule(function: Callable[..., Any]) -> Any:
    """A rule that stays a function of its own when compiled, so that the code does not swell."""
    return _compile(function, inlined=False)


_rules: list[str] = []  # the module of each rule


def count_rules(*modules: str) -> int:
    """How many rules the modules have whose names begin so: about as many are compiled at the first start."""
    return sum(module.startswith(modules) for module in _rules)


def _compile(function: Callable[..., Any], inlined: bool) -> Any:
    """The options besides `forceinline` drop what is never used, and a third of the compiling time. `_nrt`
    counts who holds an array, at every call: rules make no arrays, so there is nothing to be given back."""
    _rules.append(function.__module__)
    folder = cache_folder(sources_of(function.__module__)) if COMPILED else None
    numba.config.CACHE_DIR = str(folder or "")
    compiled = numba.njit(
        cache=folder is not None,
        nogil=True,
        error_model="numpy",
        forceinline=inlined,
        no_rewrites=True,
        no_cfunc_wrapper=True,
        _nrt=False,
    )
    made = compiled(function)
    if CAN_STAND_IN:
        compile_now = made._compile_for_args
        # Numba asks this what to call with arguments that it has nothing compiled for yet.
        made._compile_for_args = lambda *given: in_plain(made) if _leaves_it() else compile_now(*given)
    return made


# ---------------------------------------------------------------- while another thread compiles

_compilers: set[int] = set()  # threads that compile; while there are some, no other thread does


@contextmanager
def compiling_here() -> Iterator[None]:
    """Within this, the other threads run as plain Python whatever this one has not compiled yet."""
    me = threading.get_ident()
    _compilers.add(me)
    try:
        yield
    finally:
        _compilers.discard(me)


def runs_plain() -> bool:
    """Whether the rules run as plain Python here and now, a thousand times as slow."""
    return not COMPILED or _leaves_it()


def _leaves_it() -> bool:
    return bool(_compilers) and threading.get_ident() not in _compilers


@cache
def in_plain(made: Any) -> Callable[..., Any]:
    """The same, for Python to call."""

    def call(*given: Any) -> Any:
        with np.errstate(over="ignore"):  # compiled, a hash runs over without a word
            return plain(made)(*given)

    return call


@cache
def plain(made: Any) -> Callable[..., Any]:
    """A compiled function as the Python that it was written in, with all that it calls."""
    if made in _IN_PYTHON:
        return _IN_PYTHON[made]
    function = made.py_func
    names = {name: function.__globals__.get(name) for name in _globals_named(function)}
    calls = {name: plain(value) for name, value in names.items() if _is_compiled(value)}
    around = {**function.__globals__, **calls}
    return FunctionType(function.__code__, around, function.__name__, function.__defaults__)


def _globals_named(function: Any) -> set[str]:
    """Not its attributes: the rule `wear` asks for `ed.wear`, which is a number."""
    return {step.argval for step in get_instructions(function) if step.opname == "LOAD_GLOBAL"}


def _is_compiled(value: Any) -> bool:
    return isinstance(value, Dispatcher | _Intrinsic)


# Two machine instructions that Numba has no name for, each with its meaning in plain Python.


def _high_word(a: Any, b: Any) -> Any:
    """The upper 64 bits of the product of two uint64."""
    return np.uint64(int(a) * int(b) >> 64)


def _emit_high_word(_typing: Any, _a: Any, _b: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), emit


def _bit_count(cards: Any) -> Any:
    """How many bits of a uint64 are set."""
    return int(cards).bit_count()


def _emit_bit_count(_typing: Any, _cards: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit


_IN_PYTHON: dict[Any, Callable[..., Any]] = {}


def emitted(emit: Callable[..., Any], meaning: Callable[..., Any]) -> Any:
    """A function that is written as instructions, beside its meaning in plain Python."""
    made = intrinsic(emit) if COMPILED else meaning
    _IN_PYTHON[made] = meaning
    return made


high_word = emitted(_emit_high_word, _high_word)
bit_count = emitted(_emit_bit_count, _bit_count)


def run_elsewhere(statement: str) -> "subprocess.Popen[bytes]":
    """Run it in a process of its own, which ends with this one: a compiler would leave hundreds of megabytes
    here. What it compiles is kept for all."""
    script = "import os, sys, threading; watch = lambda: (sys.stdin.read(), os._exit(1)); "
    script += f"threading.Thread(target=watch, daemon=True).start(); {statement}"
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", script],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


class _Compiled(event.Listener):  # type: ignore[misc]
    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell = tell

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        self.tell()


def on_compiled(tell: Callable[[], None]) -> AbstractContextManager[Any]:
    """Within this, `tell` is called after each function that had to be compiled."""
    return event.install_listener("numba:compile", _Compiled(tell))  # type: ignore[no-any-return]


def _ready_file(module: str, part: str) -> Path | None:
    """What is compiled is kept by its place, too: another copy of the same sources has it to do again."""
    folder = cache_folder(sources_of(module))
    place = hashlib.sha256(__file__.encode()).hexdigest()[:8]
    return folder / f"ready-{part}-{place}" if folder else None


def is_ready(module: str, part: str) -> bool:
    """Whether this part of a module's rules was compiled before and is in the cache."""
    file = _ready_file(module, part)
    return file is not None and file.exists()


def mark_ready(module: str, part: str) -> None:
    if file := _ready_file(module, part):
        file.touch()
