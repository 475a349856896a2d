"""Several processes at one address: started together, looked after, and started again where one dies.

They share nothing but the database and the socket that they all listen at, which is open as long as this
process is: whoever comes while one of them is stopped or dead is let in by another.
"""

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NoReturn

import sqlalchemy as sa

from coyote.table import run
from coyote.table.database import keep_private
from coyote.table.logs import log_to_stderr
from coyote.table.run import Place, Settings, listen
from coyote.table.store import LEASE, Store, StoreError, expire
from coyote.text import Refused

log = logging.getLogger("coyote.table")

HEARD = {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT}
FIRST_WAIT = 0.2  # seconds until one that died is started again; twice as long each time
LONGEST_WAIT = 30.0
HEALTHY = 10.0  # seconds that one must have lived to begin with the first wait again
TO_END = run.TO_FINISH + 5.0  # seconds that all have when this process is told to stop
LOOK = 0.1  # seconds between two looks whether all are there, at the start
BEAT = 1.0  # seconds between two looks later on, and between two signs of life
STALLED = LEASE / 1000 + 2.0  # seconds without a sign of life, after which others have the rooms anyway


def serve_by(number: int, settings: Settings, listening: Callable[[str], None]) -> NoReturn:
    """So many processes, until somebody stops this one; Refused."""
    if not sa.make_url(settings.url).get_backend_name().startswith("postgres"):
        raise Refused("room.workers_sqlite")
    log_to_stderr(settings.access_log, worker="supervisor")
    keep_private(settings.url)
    prepare(settings.url)
    with listen(settings.host, settings.port) as public:
        public.listen(1024)
        sys.exit(Workers(settings, number, public, listening).run())


def prepare(url: str) -> None:
    """What only one of them can do: the tables, the key."""
    store = Store(url)
    try:
        store.signing_key()
    finally:
        store.close()


@dataclass
class Worker:
    """One place among the processes, and who has it now."""

    number: int
    pid: int = 0
    hall: str = ""
    born: float = 0.0
    due: float = 0.0  # when it is to be started again
    wait: float = FIRST_WAIT
    ready: bool = False
    heard: float = 0.0  # when it gave a sign of life


class Workers:
    def __init__(
        self, settings: Settings, number: int, public: socket.socket, listening: Callable[[str], None]
    ) -> None:
        self.settings, self.public, self.listening = settings, public, listening
        self.all = [Worker(k) for k in range(number)]
        self.life, self._alive = os.pipe()  # the second end is this process's alone
        self.told, self.told_by = os.pipe()  # who is ready
        os.set_blocking(self.told, False)
        os.set_blocking(self.told_by, False)
        self.looked = 0.0
        self.announced = self.stopping = False
        self.failed = 0

    def run(self) -> int:
        """Until it is told to stop, or none of them can start; the code to exit with."""
        signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
        for worker in self.all:
            self.start(worker)
        while not self.stopping:
            got = signal.sigtimedwait(HEARD, self.until_next())
            if got and got.si_signo != signal.SIGCHLD:
                break
            self.collect()
            self.listen()
            self.end_stalled()
            for worker in self.all:
                if not worker.pid and time.monotonic() >= worker.due and not self.stopping:
                    self.start(worker)
        return self.stop()

    def until_next(self) -> float:
        """Seconds until there is something to do without a signal."""
        due = [worker.due - time.monotonic() for worker in self.all if not worker.pid]
        return max(0.0, min([*due, BEAT if self.announced else LOOK]))

    # ------------------------------------------------------------ starting

    def start(self, worker: Worker) -> None:
        worker.hall, worker.ready = secrets.token_hex(8), False
        worker.born = worker.heard = time.monotonic()
        worker.pid = os.fork()
        if not worker.pid:
            self.work(worker)
        log.info("worker started", extra={"of": worker.number + 1, "pid": worker.pid})

    def work(self, worker: Worker) -> None:
        """In the new process."""
        code = 1
        try:
            os.close(self._alive)
            for number in HEARD:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
            place = Place(self.public, worker.hall, self.life, self.say_alive(worker.number))
            run.serve(self.settings_of(worker), lambda _: None, place)
        except Refused as error:
            log.error("cannot start", extra={"why": error.message("en")})
        except sa.exc.SQLAlchemyError as error:  # the database is away: it will be tried again
            log.error("cannot start", extra={"why": type(error).__name__})
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except BaseException as error:
            log.error("cannot start", exc_info=error)
        finally:
            os._exit(code)

    def settings_of(self, worker: Worker) -> Settings:
        """Each has ports of its own, one after the other, where they are given."""
        host, port = self.settings.inner
        inner = host, port + worker.number if port else 0
        metrics = self.settings.metrics
        if metrics and metrics[1]:
            metrics = metrics[0], metrics[1] + worker.number
        return replace(self.settings, inner=inner, metrics=metrics, worker=str(worker.number + 1))

    async def say_alive(self, number: int) -> None:
        """From the event loop, once it is there: so it is heard as long as that goes on."""
        while True:
            with suppress(BlockingIOError):  # nobody listens just now
                os.write(self.told_by, bytes([number]))
            await asyncio.sleep(BEAT)

    def listen(self) -> None:
        """To signs of life. The first says that a process is ready."""
        with suppress(BlockingIOError):
            for number in os.read(self.told, 1000):
                self.all[number].ready, self.all[number].heard = True, time.monotonic()
        if not self.announced and all(worker.ready for worker in self.all):
            self.announced = True
            self.listening(f"http://{run.address_of(*self.public.getsockname()[:2])}/")

    # ------------------------------------------------------------ ending

    def end_stalled(self) -> None:
        """One that stands still keeps those who are connected to it waiting, who would be let in elsewhere.
        Where this process itself stood still, nobody has been slow."""
        now = time.monotonic()
        stood, self.looked = now - self.looked > 3 * BEAT, now
        for worker in self.all:
            if stood:
                worker.heard = now
            if worker.pid and worker.ready and now - worker.heard > STALLED:
                log.error("worker stands still", extra={"of": worker.number + 1})
                os.kill(worker.pid, signal.SIGKILL)

    def collect(self) -> None:
        """Those who have died: others may have their rooms at once."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            for worker in self.all:
                if worker.pid == pid:
                    self.died(worker, os.waitstatus_to_exitcode(status))

    def died(self, worker: Worker, code: int) -> None:
        worker.pid = 0
        self.failed = self.failed or (1 if code else 0)
        if self.stopping:
            return
        lived = time.monotonic() - worker.born
        worker.wait = FIRST_WAIT if lived > HEALTHY else min(LONGEST_WAIT, 2 * worker.wait)
        worker.due = time.monotonic() + worker.wait
        log.error("worker died", extra={"of": worker.number + 1, "code": code, "again_in": worker.wait})
        try:
            expire(self.settings.url, worker.hall)
        except StoreError as error:  # then they wait until its time is over
            log.warning("not expired", extra={"why": error.why})
        if not self.announced and not any(one.pid or one.ready for one in self.all):
            self.stopping = True  # it is not this one that is at fault

    def stop(self) -> int:
        """In order; whoever does not come to an end is ended."""
        self.stopping, self.failed = True, 0 if self.announced else 1
        self.send(signal.SIGTERM)
        end = time.monotonic() + TO_END
        while any(worker.pid for worker in self.all):
            signal.sigtimedwait({signal.SIGCHLD}, max(0.0, end - time.monotonic()))
            self.collect()
            if time.monotonic() >= end:
                self.send(signal.SIGKILL)
                end += TO_END
        return self.failed

    def send(self, number: signal.Signals) -> None:
        for worker in self.all:
            if worker.pid:
                os.kill(worker.pid, number)
