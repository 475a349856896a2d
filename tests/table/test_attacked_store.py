"""What was done around the table, done again in other words: its files, its clock, its database, its process.

Nobody pays with thinking time for what is not their thinking, and nothing that was called done is lost.
"""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from kit.terminal import coyote
from table.kit_attack import Visitor, fair_time
from table.kit_table import PATIENCE, Seat, Server, sqlite_in

POSTGRES = Path("/usr/lib/postgresql/15/bin")
FULL = 300_000  # milliseconds of the clock in these games


def needs(there: bool, package: str) -> None:
    if not there and os.environ.get("CI") == "true":
        pytest.fail(f"the tests need {package}: apt-get install {package}")
    if not there:
        pytest.skip(f"{package} is not installed")


def timed_game(server: Server, game: str = "madness", **terms: Any) -> tuple[Seat, Seat]:
    """The first is to move."""
    anna, boris = Visitor(server, "Anna"), Visitor(server, "Boris")
    made = anna.make(game=game, begins="host", clock={"minutes": FULL / 60_000}, **terms)
    boris.join(made)
    seats = anna.sit(made["room"]), boris.sit(made["room"])
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.wait(lambda update: update["phase"] == "playing")
    return seats


class Jumping(Server):
    module = "table.kit_jumping"


def spent(server: Server, room: str) -> list[int]:
    """Milliseconds by seat, as anybody sees them now."""
    clocks = Visitor(server, "Vera").ask("GET", f"/api/rooms/{room}")["update"]["clocks"]
    return [FULL - left for left in clocks]


# ---------------------------------------------------------------- B5, C1: one server, and its files


def test_b5_a_second_server_on_the_same_file_by_any_name(tmp_path: Path) -> None:
    file = tmp_path / "table.sqlite3"
    folder, link = tmp_path / "elsewhere", tmp_path / "link.sqlite3"
    with Server(f"sqlite:///{file}"):
        folder.symlink_to(tmp_path)
        link.symlink_to(file)
        urls = [f"sqlite:///{folder}/table.sqlite3", f"sqlite:///{link}", "sqlite:///table.sqlite3"]
        urls += [f"sqlite:///file:{file}?uri=true"]
        for url in urls:
            second = coyote("table", "--port", "0", "--db", url, data=tmp_path / "data", cwd=tmp_path)
            assert second.returncode == 2, (url, second)
            assert "a table is open" in second.stderr and "http://" in second.stderr, second.stderr


def test_c1_nobody_else_can_read_what_is_kept(tmp_path: Path) -> None:
    """Whatever the umask is, and also of files that were there before."""
    before = os.umask(0)
    try:
        file = tmp_path / "table.sqlite3"
        file.touch(0o666)
        with Server(f"sqlite:///{file}") as running:
            seat = timed_game(running)[0]
            seat.do("move", move="pass")
            modes = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert {"table.sqlite3", "table.sqlite3-wal"} <= set(modes)
    assert not any(modes.values()), modes


# ---------------------------------------------------------------- C2, C3: whose time it is


def test_c2_a_locked_database_is_nobodys_thinking(tmp_path: Path) -> None:
    url = sqlite_in(tmp_path)
    with Server(url) as running:
        first, second = timed_game(running)
        start, before = time.monotonic(), spent(running, first.room)
        with sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None) as lock:
            lock.execute("BEGIN IMMEDIATE")
            id = "while-locked"
            first.send(type="move", id=id, move="pass")
            time.sleep(4)
            lock.execute("ROLLBACK")
        lock.close()
        while first.request("move", id=id, move="pass")["type"] == "error":
            time.sleep(0.2)
        second.catch_up()
        after = spent(running, first.room)
        ran = 1000 * (time.monotonic() - start - 4)
        assert after[0] - before[0] < ran + 2500, "the mover waited for the disk, too"
        assert min(after) >= 0, "nobody is given time"


def test_c3_a_stopped_process_is_nobodys_thinking(tmp_path: Path) -> None:
    """As a machine that was suspended."""
    with Server(sqlite_in(tmp_path)) as running:
        first, _ = timed_game(running)
        duel, _ = timed_game(running, "duel")
        start = time.monotonic()
        before = spent(running, first.room), spent(running, duel.room)
        running.process.send_signal(signal.SIGSTOP)
        time.sleep(6)
        running.process.send_signal(signal.SIGCONT)
        after = spent(running, first.room), spent(running, duel.room)
        most = 1000 * (time.monotonic() - start - 6) + 4000
        for old, new in zip(before, after, strict=True):
            assert all(-50 <= now - then < most for then, now in zip(old, new, strict=True)), (before, after)


@pytest.mark.parametrize("jump", ["+3600", "-3600", "+864000"])
def test_c3_the_wall_clock_may_jump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: str) -> None:
    now = tmp_path / "now"
    now.write_text("0")
    monkeypatch.setenv("JUMP", str(now))
    with Jumping(sqlite_in(tmp_path)) as running:
        first, second = timed_game(running)
        now.write_text(jump)
        assert first.guest.ask("GET", "/api/me")["name"] == "Anna", "who somebody is has no hour"
        end = time.monotonic() + PATIENCE
        while (used := spent(running, first.room))[0] <= 1000:
            assert time.monotonic() < end, "the clock stands"
            time.sleep(0.2)
        assert used[0] < 120_000 and -50 <= used[1] < 1000, used
        first.do("move", move="pass")
        second.catch_up()
        first.do("move", move="draw")
        second.wait(lambda update: bool(update["legal"]))
        second.do("move", move="pass")
        assert max(spent(running, first.room)) < 240_000


# ---------------------------------------------------------------- C7: lists after a fall


def test_c7_lists_are_right_after_a_fall(tmp_path: Path) -> None:
    """What was called done is in the lists of the next server, before anybody visits the rooms."""
    with Server(sqlite_in(tmp_path)) as running:
        anna = Visitor(running, "Anna")
        over = anna.make(game="madness", opponent="self")["room"]
        seat = anna.sit(over)
        seat.ready()
        seat.wait(lambda update: update["phase"] == "playing", 1)
        waiting = anna.make(game="madness", opponent="open")
        taken = anna.make(game="madness", opponent="open")
        Visitor(running, "Boris").join({"room": taken["room"]})
        seat.do("resign", party=0)
        running.kill()
        running.start()
        phases = {row["room"]: row["phase"] for row in anna.ask("GET", "/api/mine")}
        listed = [row["room"] for row in anna.ask("GET", "/api/waiting")]
    assert phases == {over: "over", waiting["room"]: "waiting", taken["room"]: "seated"}
    assert listed == [waiting["room"]]


# ---------------------------------------------------------------- B3: an answer that is lost


class Between:
    """Stands between the table and its database, and can lose the answer to a COMMIT."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.armed, self.lost = threading.Event(), 0
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                database = socket.socket(socket.AF_UNIX)
                database.connect(self.target)
                cut = threading.Event()
                for way in ((client, database, True), (database, client, False)):
                    threading.Thread(target=self.pass_on, args=(*way, cut), daemon=True).start()

    def pass_on(self, source: socket.socket, target: socket.socket, asks: bool, cut: threading.Event) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if asks and b"COMMIT" in data.upper() and self.armed.is_set():
                    self.armed.clear()
                    self.lost += 1
                    cut.set()
                if not asks and cut.is_set():
                    break  # it is done, and nobody learns of it
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
        source.close()  # the other way is the other thread's to close


@contextmanager
def postgres() -> Iterator[str]:
    """The socket of a cluster of our own."""
    needs(POSTGRES.exists(), "postgresql-15")
    folder = Path(tempfile.mkdtemp(prefix="coyote-pg-"))
    as_user: list[str | Path] = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres")
    data = folder / "data"
    quiet: Any = {"check": True, "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(
        [*as_user, POSTGRES / "initdb", "-D", data, "-A", "trust", "-U", "postgres", "-N"], **quiet
    )
    control = [*as_user, POSTGRES / "pg_ctl", "-D", data, "-w"]
    subprocess.run(
        [*control, "-o", f"-k {folder} -c listen_addresses=''", "-l", folder / "log", "start"], **quiet
    )
    try:
        yield str(folder / ".s.PGSQL.5432")
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
        shutil.rmtree(folder)


def test_b3_a_commit_whose_answer_is_lost() -> None:
    """It was kept: so the same request is done, once; the game goes on, and no other game notices."""
    with ExitStack() as stack:
        between = Between(stack.enter_context(postgres()))
        stack.callback(between.listening.close)
        url = f"postgresql+psycopg://postgres@127.0.0.1:{between.port}/postgres?sslmode=disable"
        running = stack.enter_context(Server(url))
        first, second = timed_game(running)
        other, _ = timed_game(running)
        start, before = fair_time(running), spent(running, other.room)
        for n, move in enumerate(("pass", "draw")):
            between.armed.set()
            while (answer := answered(first, f"lost-{n}", move)) == "room.not_kept":
                time.sleep(0.2)
            assert answer == "", answer
        assert between.lost >= 1
        second.close()
        second.open()
        second.wait(lambda update: bool(update["legal"]))
        second.do("move", move="pass")
        used = spent(running, other.room)[0] - before[0]
        passed = 1000 * (fair_time(running) - start)
        assert used > 0.4 * passed - 1000, "the clock of a game that was not concerned stood"
        kept = [event for event in second.events[second.viewer] if event.get("kind") == "pass"]
        assert len(kept) <= 2
        assert running.process.poll() is None


def answered(seat: Seat, id: str, move: str) -> str:
    """The code of the refusal, or nothing where it is done; whoever is sent away comes again."""
    from websockets.exceptions import ConnectionClosed

    try:
        answer = seat.request("move", id=id, move=move)
    except ConnectionClosed:
        seat.reopen()
        return "room.not_kept"
    return str(answer.get("code", ""))
