"""Who does the work of the lab: this thread, all cores of this computer, or a cluster.

A question is cut into pieces. A piece is a dictionary that JSON can hold: what to play, from which deal to
which. A task is a function that stands in a module, takes a piece and returns what it found, again for JSON;
all that it does follows from the piece. So it does not matter who does which piece, when, or how often.
"""

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Self, TypeVar

from coyote.games.game import Json
from coyote.text import Refused

Task = Callable[[Json], Json]
Begun = TypeVar("Begun")

ENGINES = ("serial", "local", "ray")
AHEAD = 3  # pieces for each worker that are begun before the first of them is needed


class EngineFault(Refused):
    """An engine that cannot be had here, or that has failed."""


class Engine(ABC):
    """Work goes on between `with` and its end; afterwards nothing is left running."""

    @abstractmethod
    def map(self, task: Task, pieces: Iterable[Json]) -> Generator[Json, None, None]:
        """What the task finds in each piece, in the order of the pieces, whoever is ready first.

        Pieces are taken as they are needed, a few ahead. When this is closed early, what has been begun
        ahead is given up.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Leave nothing running."""


class SerialEngine(Engine):
    """One piece after another, here and now: to look for faults with."""

    def map(self, task: Task, pieces: Iterable[Json]) -> Generator[Json, None, None]:
        yield from map(task, pieces)

    def close(self) -> None:
        pass


class LocalEngine(Engine):
    """Threads: compiled games run on all cores at once."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.threads)

    def map(self, task: Task, pieces: Iterable[Json]) -> Generator[Json, None, None]:
        begun: deque[Future[Json]] = deque()
        try:
            yield from in_order(
                begun, lambda piece: self._pool.submit(task, piece), Future.result, pieces, self._ahead
            )
        finally:
            for future in begun:
                future.cancel()
            wait(begun)

    def _ahead(self) -> int:
        return AHEAD * self.threads

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


def in_order(
    begun: deque[Begun],
    begin: Callable[[Json], Begun],
    finish: Callable[[Begun], Json],
    pieces: Iterable[Json],
    ahead: Callable[[], int],
) -> Generator[Json, None, None]:
    """Begin pieces until so many are `begun`; then finish the first one before the next is begun."""
    for piece in pieces:
        begun.append(begin(piece))
        while len(begun) >= ahead():
            yield finish(begun.popleft())
    while begun:
        yield finish(begun.popleft())


def engine_named(name: str, address: str | None = None) -> Engine:
    """The engine that people call so; `address` is that of a running Ray cluster."""
    if address is not None and name != "ray":
        raise EngineFault("engine.address", name=name)
    match name:
        case "serial":
            return SerialEngine()
        case "local":
            return LocalEngine()
        case "ray":
            return _ray_engine(address)
        case _:
            raise EngineFault("engine.unknown", name=name, known=", ".join(ENGINES))


def _ray_engine(address: str | None) -> Engine:
    try:
        from coyote.lab.ray_engine import RayEngine
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "ray":
            raise
        raise EngineFault("engine.no_ray") from None
    return RayEngine(address)
