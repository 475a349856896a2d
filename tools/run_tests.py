"""Types and all tests, side by side; what fails beside others is run once more by itself.

    python tools/run_tests.py [--workers 4] [options and files of pytest]

While the types are checked the rules are compiled, each game in a process of its own, and the tests are
collected once: what Python and pytest make of a source is kept for the workers and for all that they start.

A test that fails twice fails. One that fails only where others want the same processor may have been held
up by the machine, and passes the second time; both are printed. Nothing else is tried again: not a file that
cannot be loaded, a process that dies, tests that are not found, or more failures than a stall makes.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent.parent / "tests"
MOST = 20  # tests that fail by chance; where there are more, something is broken
FAILED = int(pytest.ExitCode.TESTS_FAILED)
COLLECTING = ["pytest", "--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider", "-W", "ignore"]


class Listener:
    """What went wrong, and whether it was the tests alone."""

    def __init__(self) -> None:
        self.failed: dict[str, None] = {}
        self.dead: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed[report.nodeid] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.dead.append(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        if error:
            self.dead.append(node.gateway.id)


def is_tried_again(code: int, heard: Listener) -> bool:
    return code == FAILED and not heard.dead and 0 < len(heard.failed) <= MOST


def in_background(*arguments: str, **env: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=TESTS if arguments[0].startswith("kit.") else TESTS.parent,
        env={**os.environ, **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def prepare(options: list[str]) -> int:
    """What the type checker says."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes would read all sources anew
    beside = [in_background("kit.warm", name) for name in ("duel", "madness")]
    beside.append(in_background(*COLLECTING, *options, NUMBA_DISABLE_JIT="1"))  # or it would compile, too
    code = subprocess.run([sys.executable, "-m", "mypy"], cwd=TESTS.parent).returncode
    for one in beside:
        if code:
            one.kill()
        one.wait()  # where it fails, the tests will tell
    os.environ["COYOTE_COMPILED"] = "1"
    return code


def main(workers: int, options: list[str]) -> int:
    if code := prepare(options):
        return code
    heard = Listener()
    code = int(pytest.main(["-q", "-n", str(workers), "--dist", "worksteal", *options], plugins=[heard]))
    if not is_tried_again(code, heard):
        return code
    failed = list(heard.failed)
    print(f"\nOnce more, each by itself: {len(failed)}", *failed, sep="\n  ", flush=True)
    return subprocess.run([sys.executable, "-m", "pytest", "-n", "0", "-q", "-rfEp", *failed]).returncode


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--workers", type=int, default=4)  # many of the tests wait for something
    known, others = parser.parse_known_args()
    sys.exit(main(known.workers, others))
