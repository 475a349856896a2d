"""Settings for all tests: the same examples in every run, and no example fails for being slow."""

from hypothesis import settings

settings.register_profile("coyote", deadline=None, derandomize=True)
settings.load_profile("coyote")
