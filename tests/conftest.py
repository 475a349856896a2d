"""Settings for all tests: the same examples in every run, and no example fails for being slow."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # several wait for each other by working, and others wait

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("kit")

TESTS = Path(__file__).parent

settings.register_profile("coyote", deadline=None, derandomize=True)
settings.load_profile("coyote")

# A shell that starts the tests in the background has Ctrl-C ignored, and whatever they start would too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Before tests run side by side: each game is compiled once, and not by all of them at the same time."""
    if not os.environ.get("COYOTE_COMPILED"):  # tools/run_tests.py has done it
        command = [sys.executable, "-m", "kit.warm"]
        games = [
            subprocess.Popen([*command, name], cwd=TESTS, stderr=subprocess.DEVNULL)
            for name in ("duel", "madness")
        ]
        for one in games:
            one.wait()  # where it fails, the tests will tell


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests and modules stay to the end: nobody looks again and again for garbage in them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def a_loop_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has opened a browser has its loop in this thread to the end: others run theirs in another."""
    run: Any = asyncio.run

    def run_apart(main: Coroutine[Any, Any, Any], **options: Any) -> Any:
        if asyncio._get_running_loop() is None:
            return run(main, **options)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(run, main, **options).result()

    monkeypatch.setattr(asyncio, "run", run_apart)


@pytest.fixture(scope="module")
def third_game() -> Iterator[None]:
    """Goofspiel is there, for the tests of one file: nobody else knows it."""
    from kit.with_goofspiel import registered

    with registered():
        yield
