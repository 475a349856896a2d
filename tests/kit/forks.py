"""Commands, terminals and servers as processes of their own that need not import Numba first.

A process imports `coyote`, the rules and all that they need, loads what is compiled (`kit.loaded`), and
becomes one program after the other by `fork`: each with its own environment, folder, files, terminal and end,
and the command line itself imported anew.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import IO, Any

TESTS = Path(__file__).parent.parent
USUAL = ("coyote",)
SERVER = ("coyote.table.run", "coyote.table.server", "alembic.command", "alembic.context")

# It tells the number of each process that it becomes, and of each that has ended how. At its end a program
# does what Python does (threads, `atexit`, what is still to be written), but does not take apart all modules
# first: that took longer than most commands. The programs of `test_package` do.
_CHILD = """
import atexit, fcntl, gc, importlib, json, os, runpy, select, signal, socket, sys, termios, threading
asked = socket.socket(fileno=int(sys.argv[1]))
for name in sys.argv[3:]:
    importlib.import_module(name)
usual = sys.path[:]
sys.path.insert(0, sys.argv[2])
importlib.import_module("kit.loaded").load_all()
sys.path[:] = usual
gc.freeze()
heard, wakes = os.pipe()
os.set_blocking(wakes, False)
signal.signal(signal.SIGCHLD, lambda *_: None)
signal.set_wakeup_fd(wakes)
while True:
    ready = select.select([asked, heard], [], [])[0]
    if heard in ready:
        os.read(heard, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if not pid:
                break
            asked.sendall(json.dumps({"pid": pid, "code": os.waitstatus_to_exitcode(status)}).encode())
    if asked not in ready:
        continue
    text, files, _, _ = socket.recv_fds(asked, 1_000_000, 3)
    if not text:
        os._exit(0)
    if (child := os.fork()) == 0:
        break
    for file in files:
        os.close(file)
    asked.sendall(json.dumps({"pid": child, "code": None}).encode())
signal.set_wakeup_fd(-1)
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
for one in (heard, wakes):
    os.close(one)
asked.close()
order = json.loads(text)
if order["terminal"]:
    os.setsid()
for number, file in enumerate(files):
    os.dup2(file, number)
    os.close(file)
if order["terminal"]:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
ways = ("r", None), ("w", None), ("w", "backslashreplace")
sys.stdin, sys.stdout, sys.stderr = (
    open(number, way, encoding="utf-8", errors=errors, closefd=False,
         buffering=1 if number == 2 or os.isatty(number) else -1)
    for number, (way, errors) in enumerate(ways)
)
os.environ.clear()
os.environ.update(order["env"])
os.chdir(order["cwd"])
sys.argv = order["command"]
try:
    if order["module"]:
        runpy.run_module(order["module"], run_name="__main__", alter_sys=True)
        code = 0
    else:
        from coyote.cli.main import main
        code = main()
except SystemExit as end:
    code = end.code
if isinstance(code or 0, int):
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code or 0)
    except OSError:
        pass
sys.exit(code)
"""


class Forks:
    """The process that becomes them."""

    def __init__(self, env: dict[str, str], modules: tuple[str, ...]) -> None:
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _CHILD, str(theirs.fileno()), str(TESTS), *modules],
                env=env,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        self.started = threading.Semaphore(0)
        self.newest = 0
        self.codes: dict[int, int] = {}
        self.news = threading.Condition()
        self.lock = threading.Lock()
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()
        atexit.register(self.end)

    def listen(self) -> None:
        while text := self.socket.recv(1000):
            told = json.loads(text)
            if told["code"] is None:
                self.newest = told["pid"]
                self.started.release()
                continue
            with self.news:
                self.codes[told["pid"]] = told["code"]
                self.news.notify_all()

    def start(self, order: dict[str, Any], files: list[int]) -> int:
        """The number of the process."""
        with self.lock:
            socket.send_fds(self.socket, [json.dumps(order).encode()], files)
            assert self.started.acquire(timeout=60), "the process that becomes programs has ended"
            return self.newest

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.listener.join()
        self.socket.close()


class Forked:
    """A program, as `subprocess.Popen` has it, of what tests ask for."""

    def __init__(
        self, forks: Forks, order: dict[str, Any], files: list[int], outputs: list[IO[bytes] | None]
    ) -> None:
        self.forks = forks
        self.pid = forks.start(order, files)
        self.args = order["command"]
        self.stdout, self.stderr = outputs
        self.returncode: int | None = None

    def poll(self) -> int | None:
        self.returncode = self.forks.codes.get(self.pid)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        with self.forks.news:
            if not self.forks.news.wait_for(lambda: self.pid in self.forks.codes, timeout):
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
        self.returncode = self.forks.codes[self.pid]
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[bytes, bytes]:
        """What it has written to its end, or to now: whoever it has started may go on."""
        with ThreadPoolExecutor(2) as pool:
            reading = [pool.submit(file.read) if file else None for file in (self.stdout, self.stderr)]
            said, faults = (one.result(timeout) if one else b"" for one in reading)
        for file in (self.stdout, self.stderr):
            if file:
                file.close()
        self.wait(timeout)
        return said, faults

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(SIGTERM)

    def kill(self) -> None:
        self.send_signal(SIGKILL)


_lock = threading.Lock()
_NOTHING = os.open(os.devnull, os.O_RDWR)


@cache
def _forks(modules: tuple[str, ...], env: tuple[tuple[str, str], ...]) -> Forks:
    return Forks(dict(env), modules)


def _forks_for(env: dict[str, str], modules: tuple[str, ...]) -> Forks:
    """One for each folder of compiled rules and each way to run them, which are looked at at once."""
    early = ("COYOTE_CACHE", "NUMBA_", "PYTHON", "PATH", "HOME", "XDG_")
    kept = {key: value for key, value in env.items() if key.startswith(early)}
    with _lock:
        return _forks(modules, tuple(sorted({**kept, "PYTHONUTF8": "1"}.items())))


def _order(command: list[str], env: dict[str, str], cwd: Path | None, **how: Any) -> dict[str, Any]:
    return {
        "command": command,
        "env": env,
        "cwd": str(cwd or Path.cwd()),
        "terminal": False,
        "module": "",
    } | how


def at_terminal(command: list[str], env: dict[str, str], slave: int) -> Forked:
    """A command in a terminal, which is its own."""
    order = _order(command, env, None, terminal=True)
    return Forked(_forks_for(env, USUAL), order, [slave] * 3, [None, None])


def serve(module: str, arguments: list[str], env: dict[str, str]) -> Forked:
    """`python -m module` with the server's modules imported, both its outputs piped."""
    pipes = [os.pipe(), os.pipe()]
    order = _order([module, *arguments], env, None, module=module)
    try:
        outputs: list[IO[bytes] | None] = [os.fdopen(read, "rb") for read, _ in pipes]
        return Forked(_forks_for(env, SERVER), order, [_NOTHING, pipes[0][1], pipes[1][1]], outputs)
    finally:
        for _, write in pipes:
            os.close(write)


def run(
    command: list[str],
    env: dict[str, str],
    cwd: Path | None,
    timeout: float,
    module: str = "",
    typed: bytes = b"",
) -> tuple[int, bytes, bytes]:
    """The exit code, and what was written to both outputs; of `python -m module` where one is named."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as said,
        tempfile.TemporaryFile() as faults,
    ):
        given.write(typed)
        given.seek(0)
        files = [one.fileno() for one in (given, said, faults)]
        one = Forked(_forks_for(env, USUAL), _order(command, env, cwd, module=module), files, [None, None])
        try:
            code = one.wait(timeout)
        except BaseException:
            one.kill()
            raise
        said.seek(0)
        faults.seek(0)
        return code, said.read(), faults.read()
