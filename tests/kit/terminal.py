"""`coyote` as a user runs it: as a command with its output caught, or in a real terminal (a pty)."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

import pyte

from kit import forks

COYOTE = Path(sys.executable).parent / "coyote"
ENGLISH, RUSSIAN = "C.UTF-8", "ru_RU.UTF-8"
PATIENCE = 40.0  # seconds to wait for what must come; generous, since a first run compiles

CLEAR = "\f"  # what `screen_text` makes of a cleared screen
_CLEARING = re.compile(r"\x1b\[[23]?J")
_ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[=>()][A-Z0-9]?)")


LARGE, SMALL = (60, 140), (24, 80)  # lines and columns


def environment(data: Path, locale: str = ENGLISH) -> dict[str, str]:
    """The user's environment with games kept in `data`; compiled rules come from the usual cache."""
    drop = ("LC_", "LANG", "NUMBA_", "COYOTE_DATA", "COYOTE_DEBUG")
    env = {key: value for key, value in os.environ.items() if not key.startswith(drop)}
    size = {"COLUMNS": "140", "LINES": "60"}
    return {**env, **size, "LC_ALL": locale, "COYOTE_DATA": str(data), "TERM": "xterm", "PYTHONUTF8": "1"}


def coyote(
    *arguments: str | Path, data: Path, locale: str = ENGLISH, cwd: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, not at a terminal."""
    command = [str(COYOTE), *map(str, arguments)]
    code, said, faults = forks.run(command, environment(data, locale), cwd, 10 * PATIENCE)
    text = [part.decode().replace("\r\n", "\n") for part in (said, faults)]
    return subprocess.CompletedProcess(command, code, *text)


def screen_text(raw: str) -> str:
    """What was written, without colours; a cleared screen is CLEAR."""
    return _ESCAPE.sub("", _CLEARING.sub(CLEAR, raw)).replace("\r", "")


class Terminal:
    """A command in a terminal of its own. Everything waits with a limit, and nothing waits in vain."""

    def __init__(
        self,
        *arguments: str | Path,
        data: Path,
        locale: str = ENGLISH,
        size: tuple[int, int] = LARGE,
        cache: Path | None = None,
    ) -> None:
        self.master, slave = pty.openpty()
        lines, columns = size
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._display = pyte.Screen(columns, lines)
        self._stream, self._drawn = pyte.ByteStream(self._display), 0
        env = {**environment(data, locale), "LINES": str(lines), "COLUMNS": str(columns)}
        env |= {} if cache is None else {"COYOTE_CACHE": str(cache)}
        self.process = forks.at_terminal([str(COYOTE), *map(str, arguments)], env, slave)
        os.close(slave)
        self.raw = b""
        self.seen = 0  # how much of the text has been expected already
        self.closed = False

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.close()

    @property
    def text(self) -> str:
        return screen_text(self.raw.decode("utf-8", errors="replace"))

    def screen(self) -> list[str]:
        """The lines that stand on the screen now, as an emulator shows them."""
        self._stream.feed(self.raw[self._drawn :])
        self._drawn = len(self.raw)
        return [line.rstrip() for line in self._display.display]

    def _read(self, seconds: float) -> bool:
        """Take what there is; False when the other side is gone."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says so when the last process has closed its side
            return False
        self.raw += data
        return bool(data)

    def expect(self, pattern: str) -> "re.Match[str]":
        """Wait until the pattern comes, after what was expected before; its match."""
        limit = time.monotonic() + PATIENCE
        alive = True
        while True:
            if found := re.compile(pattern).search(self.text, self.seen):
                self.seen = found.end()
                return found
            if not alive or time.monotonic() > limit:
                raise AssertionError(f"no {pattern!r} in {self.text[self.seen :]!r}")
            alive = self._read(0.2)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def enter(self, line: str = "") -> None:
        self.type(line + "\n")

    def press(self, key: str) -> None:
        """A key, once the program reads single keys: what comes before that it throws away."""
        limit = time.monotonic() + PATIENCE
        while termios.tcgetattr(self.master)[3] & termios.ICANON:
            assert time.monotonic() < limit, "the program does not read keys"
            time.sleep(0.01)
        self.type(key)

    def interrupt(self) -> None:
        """Ctrl-C, as a key."""
        self.type("\x03")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def close(self) -> None:
        """Close the window: the program gets SIGHUP."""
        if not self.closed:
            os.close(self.master)
            self.closed = True

    def wait(self) -> int:
        """Read on to the end; the exit code."""
        limit = time.monotonic() + PATIENCE
        while self._read(0.2) and time.monotonic() < limit:
            if self.process.poll() is not None and not select.select([self.master], [], [], 0)[0]:
                break
        return self.process.wait(PATIENCE)
