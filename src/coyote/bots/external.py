"""Bots that are programs of their own: started, asked, watched and ended. `protocol` is what is said.

Nothing that such a program does can hold up or break the one who asks: its output is read by one
thread, its complaints by another, its input is written by a third, and every wait has a limit.
"""

import os
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Full, Queue
from typing import IO

from coyote.bots import protocol
from coyote.bots.bot import Answer, BotFailure
from coyote.bots.protocol import tame
from coyote.games.game import Game, Json
from coyote.questions import Question

LONGEST_LINE = 1_000_000  # bytes
AT_ONCE = 65536  # bytes read at once
MOST_WAITING = 16  # messages; a program that says more has to wait until some are read
LAST_WORDS = 3  # lines of its complaints that are told when it fails
MOST_STARTS = 3  # in vain, one after the other; then a command is not tried again
TO_LEAVE = 0.5  # seconds that a program has to end by itself when told to quit


@dataclass(frozen=True)
class Patience:
    """Seconds until a program is late."""

    hello: float = 30.0  # from its start to its first word
    ready: float = 120.0  # to prepare for a game: Coyote's own bots may have to be compiled
    move: float = 10.0  # for an answer, where the budget names no time
    grace: float = 2.0  # for an answer, beyond the time that the budget names

    def for_move(self, question: Question) -> float:
        seconds = question.budget.seconds
        return self.move if seconds is None else seconds + self.grace


USUAL = Patience()


class TooLong(Exception):
    """A line without an end."""


def lines_of(pipe: IO[bytes]) -> Iterator[bytes]:
    """The lines of a pipe to its end; TooLong for one that does not end in time."""
    rest = b""
    while chunk := os.read(pipe.fileno(), AT_ONCE):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if len(line) > LONGEST_LINE:
                raise TooLong
            yield line
        if len(rest) > LONGEST_LINE:
            raise TooLong
    if rest:
        yield rest


class Program:
    """A running program that speaks the protocol. It plays one game at a time, and many in a row."""

    def __init__(self, command: str, patience: Patience) -> None:
        self.command, self.patience = command, patience
        self.name = ""  # as it calls itself
        self.games = 0  # that it has begun
        self.asked = 0  # questions: their number is never used twice
        self.process = launch(command)
        self.end = weakref.finalize(self, end_process, self.process)  # at the latest when Coyote ends
        self.inbox: Queue[bytes | type[TooLong] | None] = Queue(MOST_WAITING)  # None: its output is closed
        self.outbox: Queue[bytes | None] = Queue()
        self.last_words: deque[str] = deque(maxlen=LAST_WORDS)
        self.closed = threading.Event()
        self.threads = [
            threading.Thread(target=work, daemon=True) for work in (self.hear, self.drain, self.say)
        ]
        for thread in self.threads:
            thread.start()

    # ------------------------------------------------------------ the three threads

    def hear(self) -> None:
        assert self.process.stdout
        try:
            for line in lines_of(self.process.stdout):
                if line.strip() and not self.keep(line):
                    break
        except TooLong:
            self.keep(TooLong)
        if not self.keep(None):
            self.give_up()
        self.process.stdout.close()

    def keep(self, heard: bytes | type[TooLong] | None) -> bool:
        """Into the inbox when there is space; False where nobody will read it any more."""
        while not self.closed.is_set():
            with suppress(Full):
                self.inbox.put(heard, timeout=0.1)
                return True
        return False

    def give_up(self) -> None:
        """It was ended: whoever still waits for a word hears that, before anything that was said."""
        while True:
            with suppress(Full):
                return self.inbox.put_nowait(None)
            with suppress(Empty):
                self.inbox.get_nowait()

    def drain(self) -> None:
        """Complaints are read to the end, so that no program waits for a reader; the last are kept."""
        assert self.process.stderr
        rest = b""
        while chunk := os.read(self.process.stderr.fileno(), AT_ONCE):
            *lines, rest = (rest + chunk).split(b"\n")
            self.last_words += [tame(text) for line in lines if (text := plain_text(line))]
            rest = rest[-AT_ONCE:]
        if text := plain_text(rest):
            self.last_words.append(tame(text))
        self.process.stderr.close()

    def say(self) -> None:
        """Write what is to be said; a program that does not read holds up only this thread."""
        assert self.process.stdin
        with suppress(BrokenPipeError):  # it has ended, as whoever waits for an answer will hear
            while (line := self.outbox.get()) is not None:
                unsaid = memoryview(line)
                while unsaid:
                    unsaid = unsaid[os.write(self.process.stdin.fileno(), unsaid) :]
        self.process.stdin.close()

    # ------------------------------------------------------------ talking

    def send(self, message: Json) -> None:
        self.outbox.put(protocol.line_of(message))

    def wait_for(self, kind: str, seconds: float) -> Json:
        """The next message of a kind; others may be of a later protocol and are passed over."""
        limit = time.monotonic() + seconds
        while (left := limit - time.monotonic()) > 0:
            try:
                heard = self.inbox.get(timeout=left)
            except Empty:
                break
            if heard is None:
                raise self.crash()
            if heard is TooLong:
                raise BotFailure("bot.too_long", most=LONGEST_LINE)
            assert isinstance(heard, bytes)
            message = protocol.message_of(heard)
            if message["type"] == kind:
                return message
        raise BotFailure("bot.late", seconds=seconds)

    def crash(self) -> BotFailure:
        """How it ended, and what it complained of last."""
        code = exit_code(self.process)
        self.threads[1].join(0.5)  # its last words are on the way
        ended = "?" if code is None else str(code)
        if not self.last_words:
            return BotFailure("bot.crashed_silent", status=ended)
        return BotFailure("bot.crashed", status=ended, said=" / ".join(self.last_words))

    def greet(self) -> None:
        self.send(protocol.hello())
        name = self.wait_for("hello", self.patience.hello).get("name")
        self.name = tame(name) if isinstance(name, str) else ""

    def begin(self, game: Game, seed: str, question: Question) -> None:
        self.send(protocol.start(game, seed, question))
        self.wait_for("ready", self.patience.ready)
        self.games += 1

    def ask(self, game: Game, question: Question) -> Answer:
        self.asked += 1
        seconds = self.patience.for_move(question)
        self.send(protocol.ask(game, self.asked, question, seconds))
        message = self.wait_for("move", seconds)
        return protocol.read_answer(game, self.asked, question, message)

    def close(self, wait: float = 0) -> None:
        """End it, after so many seconds in which it may end by itself."""
        self.threads[0].join(wait)  # its output is closed when it has ended
        self.closed.set()
        self.outbox.put(None)
        self.end()


def plain_text(line: bytes) -> str:
    return line.decode(errors="replace").strip()


def launch(command: str) -> "subprocess.Popen[bytes]":
    """Start a program, without a shell, in a group of its own that can be ended as a whole."""
    try:
        return subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise BotFailure("bot.no_start", command=tame(command), why=error.strerror or "?") from None
    except (ValueError, IndexError) as error:  # quotes that do not close, nothing at all
        raise BotFailure("bot.no_start", command=tame(command), why=tame(str(error))) from None


def exit_code(process: "subprocess.Popen[bytes]") -> int | None:
    """The code of a program that has just closed its output; None where it runs on without one.

    It is looked at without being taken: as long as it is not, nobody else gets its number.
    """
    for _ in range(20):
        found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is not None:
            return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        time.sleep(0.05)
    return None


def end_process(process: "subprocess.Popen[bytes]") -> None:
    """End a program with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Programs:
    """Running programs by their command, for many games one after the other and at the same time.

    A program that has failed is ended, and the next game gets a new one. Where no new one starts,
    three times in a row, the command fails at once from then on.
    """

    def __init__(self, patience: Patience = USUAL) -> None:
        self.patience = patience
        self._lock = threading.Lock()
        self._closed = False
        self._free: defaultdict[str, list[Program]] = defaultdict(list)
        self._all: set[Program] = set()
        self._vain: defaultdict[str, list[BotFailure]] = defaultdict(list)

    def begin(self, command: str, game: Game, seed: str, question: Question) -> Program:
        """A program that is ready for a game."""
        while True:
            program = self._take(command)
            try:
                program.begin(game, seed, question)
            except BotFailure as failure:
                self.end(program)
                if program.games:  # it had played before and has left: any program may
                    continue
                self._vain[command].append(failure)
                raise
            self._vain[command].clear()
            return program

    def _take(self, command: str) -> Program:
        with self._lock:
            if self._free[command]:
                return self._free[command].pop()
            vain = self._vain[command]
            if len(vain) >= MOST_STARTS:
                raise BotFailure(vain[-1].refusals)
        try:
            return self._start(command)
        except BotFailure as failure:
            self._vain[command].append(failure)
            raise

    def _start(self, command: str) -> Program:
        program = Program(command, self.patience)
        with self._lock:
            self._all.add(program)
            late = self._closed  # somebody ended them all just now
        try:
            if late:
                raise BotFailure("bot.crashed_silent", status="?")
            program.greet()
        except BotFailure:
            self.end(program)
            raise
        return program

    def give_back(self, program: Program) -> None:
        with self._lock:
            self._free[program.command].append(program)

    def end(self, program: Program) -> None:
        program.close()
        with self._lock:
            self._all.discard(program)

    def close(self) -> None:
        """End them all; whoever still waits for one hears that it has ended."""
        with self._lock:
            self._closed = True
            programs = list(self._all)
            self._all.clear()
            self._free.clear()
        for program in programs:
            program.send(protocol.quit_())
        for program in programs:
            program.close(TO_LEAVE)


class ExternalBot:
    """A player that is another program. It is started when it is asked first."""

    def __init__(self, game: Game, seed: str, command: str, programs: Programs | None = None) -> None:
        """With `programs` the program may have played before, and plays again; otherwise it is its own."""
        self.game, self.seed, self.command = game, seed, command
        self.name = f"cmd:{command}"
        self._own = programs is None
        self._programs = Programs() if programs is None else programs
        self._program: Program | None = None

    def answer(self, question: Question) -> Answer:
        if self._program is None:
            self._program = self._programs.begin(self.command, self.game, self.seed, question)
            self.name = self._program.name or self.name
        try:
            return self._program.ask(self.game, question)
        except BotFailure:
            self._programs.end(self._program)
            self._program = None
            raise

    def close(self, result: Json | None = None) -> None:
        if self._program is not None:
            self._program.send(protocol.end(result))
            self._programs.give_back(self._program)
            self._program = None
        if self._own:
            self._programs.close()
