"""Where guests' card sets are read: one process apart, one set at a time, within limits (`set_trial`).

The process starts with the first set and stays. A set that takes too long, or too much, ends it; the next one
starts it anew. Nobody has two sets waiting, and only so many guests wait.
"""

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process

import msgspec

from coyote.games.game import Json, OptionError
from coyote.table.limits import Denied, Limits
from coyote.table.parts import written_set
from coyote.table.set_trial import Format, as_said

log = logging.getLogger("coyote.table")

STARTING = 30.0  # seconds that the process has until it listens
GOING = 1.0  # and until it has ended by itself
MOST_WAITING = 8  # guests
SECONDS = 5.0  # for one set; the worst that is known takes a fraction
MEGABYTES = 256  # for one set, besides what the process has anyway
LONGEST_ANSWER = 10_000_000  # bytes
PROGRAM: tuple[str, ...] = ("-m", "coyote.table.set_trial")
KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")  # of the environment: nothing secret


class SetReader:
    def __init__(
        self,
        limits: Limits = Limits(),  # noqa: B008
        seconds: float = SECONDS,
        megabytes: int = MEGABYTES,
    ) -> None:
        self.most_bytes, self.seconds, self.megabytes = limits.set_bytes, seconds, megabytes
        self._turn = asyncio.Lock()
        self._waiting: set[str] = set()
        self._process: Process | None = None

    async def read(self, text: str | None, who: str, name: str = "") -> tuple[str, Json]:
        """The digest of a set and the set, the core one where there is no text; OptionError, Denied.

        `name` is what it is called if it does not say.
        """
        if text is None:
            return written_set(None)
        match await self._ask(text, who, {"name": name}):
            case {"digest": str(digest), "set": dict(cards)}:
                return digest, cards
        raise self._too_slow()

    async def look(
        self, text: str, who: str, name: str = "", format: Format = "toml", into: Format | None = None
    ) -> Json:
        """All that can be said of a set's text, right or wrong; OptionError, Denied."""
        match await self._ask(text, who, {"look": True, "name": name, "format": format, "into": into}):
            case {"looked": dict(found)}:
                return found
        raise self._too_slow()

    async def _ask(self, text: str, who: str, rest: Json) -> Json:
        """What the process says of a text, in its turn."""
        if len(text) > self.most_bytes or len(text.encode(errors="replace")) > self.most_bytes:
            raise OptionError("room.set_large", most=self.most_bytes)
        body = msgspec.json.encode({"text": text.encode(errors="replace").decode(), **rest})
        if who in self._waiting:
            raise Denied(429, "room.set_waiting", retry_after=self.seconds)
        if len(self._waiting) >= MOST_WAITING:
            raise Denied(429, "room.sets_busy", retry_after=self.seconds)
        self._waiting.add(who)
        try:
            async with self._turn:
                return self._result(await self._answer(body))
        finally:
            self._waiting.discard(who)

    async def close(self) -> None:
        """The process ends when nobody talks to it any more; if it does not, it is ended."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), GOING)
        except TimeoutError:
            await self._end(process)

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    # ------------------------------------------------------------ the process

    async def _answer(self, body: bytes) -> bytes:
        """Whatever goes wrong on the way, nobody hears the rest of an answer to somebody else."""
        process = self._process
        if process is None or process.returncode is not None:
            process = await self._start()
        try:
            async with asyncio.timeout(self.seconds):
                assert process.stdin is not None
                process.stdin.write(len(body).to_bytes(4, "big") + body)
                await process.stdin.drain()
                return await self._hear(process)
        except BaseException as error:
            self._process = None
            await asyncio.shield(self._end(process))
            if isinstance(error, TimeoutError | OSError | asyncio.IncompleteReadError):
                raise self._too_slow() from None
            raise

    async def _start(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-W", "ignore", *PROGRAM,
            str(max(1, int(self.seconds))), str(self.megabytes),
            stdin=PIPE, stdout=PIPE, start_new_session=True, env=environment(),
        )  # fmt: skip
        try:
            async with asyncio.timeout(STARTING):
                await self._hear(process)
        except BaseException as error:
            await asyncio.shield(self._end(process))
            if isinstance(error, TimeoutError | asyncio.IncompleteReadError):
                log.error("sets cannot be read", extra={"code": process.returncode})
                raise Denied(503, "room.sets_busy", retry_after=STARTING) from None
            raise
        self._process = process
        return process

    async def _hear(self, process: Process) -> bytes:
        assert process.stdout is not None
        length = int.from_bytes(await process.stdout.readexactly(4), "big")
        if length > LONGEST_ANSWER:
            raise OSError("too long an answer")
        return await process.stdout.readexactly(length)

    async def _end(self, process: Process) -> None:
        if process.returncode is None:
            process.kill()
        await process.wait()

    def _result(self, body: bytes) -> Json:
        match msgspec.json.decode(body):
            case {"refused": list(refusals)}:
                raise OptionError([as_said(refusal) for refusal in refusals])
            case dict(found):
                return found
        raise self._too_slow()

    def _too_slow(self) -> Denied:
        return Denied(422, "room.set_slow", seconds=int(self.seconds))


def environment() -> dict[str, str]:
    """The rules run there as plain Python: nothing is compiled, and no file is written."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {**kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_DISABLE_JIT": "1"}
