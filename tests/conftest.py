"""Settings for all tests: the same examples in every run, and no example fails for being slow."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("kit")

settings.register_profile("coyote", deadline=None, derandomize=True)
settings.load_profile("coyote")

# A shell that starts the tests in the background has Ctrl-C ignored, and whatever they start would too.
signal.signal(signal.SIGINT, signal.default_int_handler)


WARM = """
import sys
from coyote.cli.warm import warm_bots, warm_games, warm_up
from coyote.games.registry import GAMES
from coyote.text import Words
game, words = GAMES[sys.argv[1]](), Words("en")
for series in (False, True):
    warm_up(game, words, series)
warm_bots(game, ["greedy", "search:1"], words)
warm_games(game, ["greedy", "greedy"], words)
"""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Before tests run side by side: each game is compiled once, and not by all of them at the same time."""
    command = [sys.executable, "-c", WARM]
    games = [subprocess.Popen([*command, name], stderr=subprocess.DEVNULL) for name in ("madness", "duel")]
    for one in games:
        one.wait()  # where it fails, the tests will tell


@pytest.fixture(scope="module")
def third_game() -> Iterator[None]:
    """Goofspiel is there, for the tests of one file: nobody else knows it."""
    from kit.with_goofspiel import registered

    with registered():
        yield
