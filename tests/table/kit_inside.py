"""The server in this process, on a real socket, with a clock and chance that the test has in hand."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from coyote.table.hall import Hall
from coyote.table.limits import Limits
from coyote.table.run import make_server
from coyote.table.server import make_app
from coyote.table.store import Store
from table.kit_table import PATIENCE, RATES, Guest

OPEN = replace(Limits(), **dict.fromkeys(RATES, 1_000_000))


class Inside:
    """A server in this process: its time stands still unless the test moves it."""

    def __init__(self, database: str, limits: Limits = OPEN) -> None:
        self.at, self.count = 1_700_000_000_000, 0
        self.hall = Hall(Store(database), 1, lambda: self.at, self.token, limits)
        self.host = ""
        self.listening = threading.Event()
        self.server = make_server(make_app(self.hall, limits), "127.0.0.1", 0, self.note)
        self.thread = threading.Thread(target=self.server.run)

    def token(self, n: int) -> bytes:
        self.count += 1
        return hashlib.shake_128(str(self.count).encode()).digest(n)

    def note(self, address: str) -> None:
        self.host = address.removeprefix("http://").rstrip("/")
        self.listening.set()

    def guest(self, name: str) -> Guest:
        return Guest(self, name)  # type: ignore[arg-type]

    @contextmanager
    def running(self) -> Iterator["Inside"]:
        self.thread.start()
        try:
            assert self.listening.wait(PATIENCE)
            yield self
        finally:
            self.server.should_exit = True
            self.thread.join(PATIENCE)
