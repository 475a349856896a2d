"""Results that are kept while they are made, so that a run which was ended goes on where it was.

A result file is JSON lines. The first one has the spec, which says all that the results follow from, and its
digest; then one line for each finished piece. A line is on the disk before anybody hears of its piece.
"""

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from coyote.games.game import Json
from coyote.kernel.jit import PACKAGE
from coyote.lab.engines import Engine, Task
from coyote.records import written_whole
from coyote.text import Refused

try:
    import fcntl
except ImportError:  # a system without such locks: nobody watches that one run writes at a time
    fcntl = None  # type: ignore[assignment]

FORMAT = "coyote lab 1"
PLAYED_BY = ("kernel", "games", "bots")  # the folders that decide how a game of bots goes


class KeptFault(Refused):
    """A file that is no place for these results."""


def spec_of(question: str, arguments: Json, seed: str) -> Json:
    """All that the results of a question follow from."""
    return {"question": question, "arguments": arguments, "seed": seed, "program": program_digest()}


@cache
def program_digest() -> str:
    """A hash of all rules, cards and bots: other ones would play other games."""
    hashed = hashlib.sha256()
    for folder in PLAYED_BY:
        for path in sorted(path for kind in ("py", "toml") for path in (PACKAGE / folder).rglob(f"*.{kind}")):
            hashed.update(f"{path.relative_to(PACKAGE).as_posix()}\n".encode())
            hashed.update(path.read_bytes())
    return hashed.hexdigest()[:16]


def line_of(content: Any) -> str:
    """As a line of the file; equal contents are equal lines."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest_of(content: Any) -> str:
    return hashlib.sha256(line_of(content).encode()).hexdigest()[:16]


class Kept:
    """An open result file: what it has, and the place for more."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle
        self._found: dict[str, Json] = {}

    def __len__(self) -> int:
        return len(self._found)

    def find(self, task: Task, piece: Json) -> Json | None:
        return self._found.get(key_of(task, piece))

    def add(self, task: Task, piece: Json, found: Json) -> None:
        """Whole and on the disk, or not at all."""
        line = line_of({"task": name_of(task), "piece": piece, "found": found})
        append_whole(self._handle, f"{line}\n".encode(), self.path)
        self._found[key_of(task, piece)] = found

    def read(self, spec: Json) -> None:
        """Take in what is there; a last line that was not finished goes away."""
        content = self.path.read_bytes()
        *lines, torn = content.split(b"\n")
        check_frame(lines[0] if lines else torn, spec, self.path)
        for number, line in enumerate(lines[1:], 2):
            entry = parsed(line)
            if entry is None or entry.keys() != {"task", "piece", "found"}:
                raise KeptFault("kept.broken", path=self.path, line=number)
            self._found[line_of([entry["task"], entry["piece"]])] = entry["found"]
        os.truncate(self._handle, len(content) - len(torn))


def name_of(task: Task) -> str:
    return f"{task.__module__}.{task.__qualname__}"


def key_of(task: Task, piece: Json) -> str:
    return line_of([name_of(task), piece])


def parsed(line: bytes) -> Json | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def check_frame(line: bytes, spec: Json, path: Path) -> None:
    """KeptFault unless the file is one of results, and of these."""
    frame = parsed(line)
    if frame is None or frame.get("format") != FORMAT or not isinstance(frame.get("spec"), dict):
        raise KeptFault("kept.foreign", path=path)
    if frame.get("digest") != digest_of(spec):
        other = [name for name in spec if line_of(frame["spec"].get(name)) != line_of(spec[name])]
        raise KeptFault("kept.other", path=path, what=", ".join(other))


@contextmanager
def kept_in(path: Path, spec: Json) -> Iterator[Kept]:
    """The result file of this spec, made where it is missing. KeptFault where something else is there."""
    if not path.exists():
        begin(path, spec)
    if not path.is_file():
        raise KeptFault("kept.foreign", path=path)
    handle = os.open(path, os.O_RDWR | os.O_APPEND)
    try:
        claim(handle, path)
        kept = Kept(path, handle)
        kept.read(spec)
        yield kept
    finally:
        os.close(handle)


def begin(path: Path, spec: Json) -> None:
    try:
        with written_whole(path) as file:
            file.write(line_of({"format": FORMAT, "digest": digest_of(spec), "spec": spec}) + "\n")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def claim(handle: int, path: Path) -> None:
    """No second run may write to the file at the same time."""
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise KeptFault("kept.busy", path=path) from None


def append_whole(handle: int, content: bytes, path: Path) -> None:
    """Add this to a file, on the disk; where there is no room for it, the file stays as it was."""
    before = os.fstat(handle).st_size
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    except OSError as error:
        with suppress(OSError):  # what is left of the line is dropped by whoever reads it
            os.truncate(handle, before)
        raise OSError(error.errno, error.strerror, str(path)) from None


# ---------------------------------------------------------------- doing what is missing


def run(
    engine: Engine,
    task: Task,
    pieces: Iterable[Json],
    kept: Kept | None = None,
    progress: Callable[[Json], None] = lambda piece: None,
) -> Generator[tuple[Json, Json], None, None]:
    """Every piece with what was found in it, in order. What the file has is not done again.

    Whoever has seen enough closes this; as the pieces come in order, when that is does not depend on the
    engine. `progress` hears of each piece that is there.
    """
    waiting: deque[tuple[Json, Json | None]] = deque()

    def missing(rest: Iterable[Json]) -> Iterator[Json]:
        for piece in rest:
            found = kept.find(task, piece) if kept is not None else None
            waiting.append((piece, found))
            if found is None:
                yield piece

    def ready() -> Iterator[tuple[Json, Json]]:
        """The first of those that wait, as far as they are known."""
        while waiting and (found := waiting[0][1]) is not None:
            piece, _ = waiting.popleft()
            progress(piece)
            yield piece, found

    rest = iter(pieces)
    for piece in rest:  # what is known needs no engine
        found = kept.find(task, piece) if kept is not None else None
        if found is None:
            rest = chain([piece], rest)
            break
        progress(piece)
        yield piece, found
    with closing(engine.map(task, missing(rest))) as made:
        for found in made:
            yield from ready()
            piece, _ = waiting.popleft()
            found = json.loads(line_of(found))  # just what will be read from the file
            if kept is not None:
                kept.add(task, piece, found)
            progress(piece)
            yield piece, found
    yield from ready()
