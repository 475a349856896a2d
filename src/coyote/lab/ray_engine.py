"""The engine that works on a Ray cluster, or on one of its own on this computer.

A piece is a task without a state: whoever dies with one in hand, a worker or a whole computer, another one
does it again, and finds the same.
"""

import logging
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from coyote.games.game import Json
from coyote.lab.engines import AHEAD, Engine, EngineFault, Task, in_order

# Ray reads these when it is imported: it tells nobody that it is used, and prints nothing among our results.
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS_SKIP_REGEX": "^"}

import ray
from ray._private import ray_constants
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

RETRIES = 3  # of a piece whose worker has died
OWN = "local"  # what Ray calls a cluster that it begins for this process
AUTO = "auto"  # the cluster that this computer is a part of
STORE = 100 * 2**20  # bytes for results, which are small
TO_ANSWER = 5.0  # seconds for a cluster to show that it is there
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])  # then one's settings
SETTINGS = 4  # the kind of what the other one says first
LOOK_AGAIN = 1.0  # seconds after which the cluster may have grown


class RayEngine(Engine):
    """Without an address it begins a cluster on this computer, which ends with it."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._warm: set[Task] = set()
        self._ahead, self._looked = 0, 0.0
        self._begun_here = not ray.is_initialized()  # else it is the caller's
        if self._begun_here:
            connect(address, workers or os.cpu_count() or 1)

    def map(self, task: Task, pieces: Iterable[Json]) -> Generator[Json, None, None]:
        remote = ray.remote(num_cpus=1, max_retries=RETRIES)(task)
        pieces, begun = iter(pieces), deque[Any]()
        try:
            if task not in self._warm:
                begun.extend(compiled_everywhere(remote, pieces))
                self._warm.add(task)
            yield from in_order(begun, remote.remote, found, pieces, self.ahead)
        finally:
            for reference in begun:
                ray.cancel(reference)

    def ahead(self) -> int:
        """As much as the cluster has hands for now; it may grow and shrink."""
        if time.monotonic() > self._looked + LOOK_AGAIN:
            self._ahead = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            self._looked = time.monotonic()
        return self._ahead

    def close(self) -> None:
        if self._begun_here:
            ray.shutdown()


def connect(address: str | None, workers: int) -> None:
    """Join the cluster at this address, or begin one with so many workers that nobody else can reach."""
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        with same_signals():
            if address is None:
                begin(workers)
            else:
                join(address)
    except BaseException as error:
        ray.shutdown()
        if not isinstance(error, OSError | RuntimeError | ValueError | RayError):
            raise
        code = "engine.not_begun" if address is None else "engine.no_cluster"
        raise EngineFault(code, address=address, what=first_line(error)) from None


def begin(workers: int) -> None:
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))  # else Ray leaves one in the home folder
    modules = os.pathsep.join(entry for entry in sys.path if entry)
    with on_the_loopback():
        ray.init(
            OWN,
            num_cpus=workers,
            object_store_memory=STORE,
            include_dashboard=False,
            log_to_driver=False,
            configure_logging=False,
            runtime_env={"env_vars": {"PYTHONPATH": modules}},
        )


def join(address: str) -> None:
    if address != AUTO:
        greet(address)
    cache = os.environ.get("COYOTE_CACHE")
    ray.init(
        address,
        log_to_driver=False,
        configure_logging=False,
        runtime_env={"env_vars": {"COYOTE_CACHE": cache}} if cache else None,
    )


def greet(address: str) -> None:
    """OSError where nobody answers as a cluster would; Ray itself would try for many minutes."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal():
        raise ValueError("HOST:PORT")
    with socket.create_connection((host, int(port)), TO_ANSWER) as there:
        there.sendall(HELLO)
        if there.recv(9)[3:4] != bytes([SETTINGS]):
            raise ConnectionError


@contextmanager
def on_the_loopback() -> Iterator[None]:
    """Ray would listen to the whole network, as one computer of many."""
    before = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = before


@contextmanager
def same_signals() -> Iterator[None]:
    """Ray would have a SIGTERM end this process in its own way."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def compiled_everywhere(remote: Any, pieces: Iterator[Json]) -> list[Any]:
    """One piece for each computer, finished before there are more: what it compiles is kept there for all."""
    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    begun = [
        remote.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True)).remote(piece)
        for node, piece in zip(nodes, islice(pieces, len(nodes)), strict=False)
    ]
    if begun:
        ray.wait(begun, num_returns=len(begun), fetch_local=False)
    return begun


def found(reference: Any) -> Json:
    try:
        result: Json = ray.get(reference)
    except RayTaskError as error:
        raise error.cause from None  # as if it had happened here
    except RayError as error:
        raise EngineFault("engine.crashed", times=RETRIES + 1, what=first_line(error)) from None
    return result


def first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
