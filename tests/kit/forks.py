"""Commands as processes of their own that need not import Numba first.

A process imports `coyote`, the rules and all that they need, and becomes one command after the other by
`fork`: each with its own environment, folder, files and end, and the command line itself imported anew.
Terminals (`kit.terminal.Terminal`) and servers are started as a user starts them.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, Any

_CHILD = """
import gc, json, os, socket, sys
import coyote
asked = socket.socket(fileno=int(sys.argv[1]))
gc.freeze()
while True:
    text, files, _, _ = socket.recv_fds(asked, 1_000_000, 3)
    if not text:
        os._exit(0)
    if (child := os.fork()) == 0:
        break
    for file in files:
        os.close(file)
    asked.sendall(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
asked.close()
order = json.loads(text)
for number, file in enumerate(files):
    os.dup2(file, number)
    os.close(file)
os.environ.clear()
os.environ.update(order["env"])
os.chdir(order["cwd"])
sys.argv = order["command"]
from coyote.cli.main import main
sys.exit(main())
"""


class Forks:
    """The process that becomes them."""

    def __init__(self, env: dict[str, str]) -> None:
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _CHILD, str(theirs.fileno())],
                env=env,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        atexit.register(self.end)

    def run(self, order: dict[str, Any], files: list[IO[bytes]], timeout: float) -> int:
        """The exit code."""
        self.socket.settimeout(timeout)
        socket.send_fds(self.socket, [json.dumps(order).encode()], [one.fileno() for one in files])
        code = self.socket.recv(100)
        assert code, "the process that becomes commands has ended"
        return int(code)

    def end(self) -> None:
        self.socket.close()
        self.process.kill()
        self.process.wait()


_forks: dict[str, Forks] = {}  # by the folder of compiled rules, which is looked for at once
_lock = threading.Lock()


def run(
    command: list[str], env: dict[str, str], cwd: Path | None, timeout: float
) -> tuple[int, bytes, bytes]:
    """The exit code, and what was written to both outputs."""
    with (
        _lock,
        open(os.devnull, "rb") as nothing,
        tempfile.TemporaryFile() as said,
        tempfile.TemporaryFile() as faults,
    ):
        place = env.get("COYOTE_CACHE", "")
        forks = _forks.get(place) or _forks.setdefault(place, Forks(env))
        order = {"command": command, "env": env, "cwd": str(cwd or Path.cwd())}
        try:
            code = forks.run(order, [nothing, said, faults], timeout)
        except BaseException:
            _forks.pop(place).end()
            raise
        said.seek(0)
        faults.seek(0)
        return code, said.read(), faults.read()
