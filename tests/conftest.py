"""Settings for all tests: the same examples in every run, and no example fails for being slow."""

import signal

from hypothesis import settings

settings.register_profile("coyote", deadline=None, derandomize=True)
settings.load_profile("coyote")

# A shell that starts the tests in the background has Ctrl-C ignored, and whatever they start would too.
signal.signal(signal.SIGINT, signal.default_int_handler)
