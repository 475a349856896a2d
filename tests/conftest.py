"""Settings for all tests: the same examples in every run, and no example fails for being slow."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("kit")

settings.register_profile("coyote", deadline=None, derandomize=True)
settings.load_profile("coyote")

# A shell that starts the tests in the background has Ctrl-C ignored, and whatever they start would too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def third_game() -> Iterator[None]:
    """Goofspiel is there, for the tests of one file: nobody else knows it."""
    from kit.with_goofspiel import registered

    with registered():
        yield
