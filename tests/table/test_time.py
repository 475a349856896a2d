"""The time that games are played by: it only goes on, and stands while nobody could have moved.

`test_attacked_store.py` has it from outside: a locked database, a stopped process, a wall clock that jumps.
"""

import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from coyote.table.gametime import MOST, PATIENCE, TICK, GameTime
from coyote.table.hall import Hall
from coyote.table.store import Store
from table import kit_table
from table.kit_table import Seat, Server, seat_two, sqlite_in

FULL = 5 * 60_000


class Ticking:
    """Game time over a clock that the test has in hand."""

    def __init__(self) -> None:
        self.passed = 1000.0
        self.time = GameTime(5_000_000, lambda: self.passed)

    def go(self, seconds: float, busy_since: float | None = None, failing: bool = False) -> None:
        """As the hall does, tick by tick."""
        for _ in range(round(seconds / TICK)):
            self.passed += TICK
            self.time.tick(busy_since, failing)

    @property
    def at(self) -> int:
        return self.time.now() - 5_000_000


def test_it_goes_on_as_time_does() -> None:
    ticking = Ticking()
    ticking.go(60)
    assert ticking.at == pytest.approx(60_000, abs=2)
    ticking.passed += 0.1  # between two ticks
    assert ticking.at == pytest.approx(60_100, abs=2)


def test_it_does_not_ask_what_time_of_day_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was told once."""

    def never() -> float:
        raise AssertionError

    found = GameTime(7_000)
    for name in ("time", "time_ns"):
        monkeypatch.setattr(time, name, never)
    found.tick()
    assert 7_000 <= found.now() < 60_000


@pytest.mark.parametrize("hours", [0.01, 1, 1000])
def test_a_long_stop_costs_at_most_a_moment(hours: float) -> None:
    ticking = Ticking()
    ticking.go(10)
    ticking.passed += 3600 * hours
    assert ticking.at <= 10_000 + 1000 * MOST
    late = ticking.time.tick()
    assert late > 3600 * hours - 1
    assert ticking.at <= 10_000 + 1000 * MOST
    ticking.go(5)
    assert ticking.at == pytest.approx(15_000 + 1000 * MOST, abs=2), "and then it goes on"


def test_it_stands_while_something_is_not_kept() -> None:
    ticking = Ticking()
    ticking.go(10)
    since = ticking.passed
    ticking.go(30, busy_since=since)
    assert 10_000 <= ticking.at <= 10_000 + 1000 * (PATIENCE + 2 * TICK)
    stood = ticking.at
    ticking.go(TICK)
    ticking.go(10)
    assert ticking.at == pytest.approx(stood + 10_000, abs=1000 * TICK + 2)


def test_it_stands_while_what_comes_is_refused_at_once() -> None:
    ticking = Ticking()
    ticking.go(10)
    ticking.go(30, failing=True)
    assert ticking.at <= 10_000 + 1000 * 2 * TICK
    ticking.go(10)
    assert ticking.at <= 20_000 + 1000 * 2 * TICK


def test_what_is_kept_soon_costs_no_time_and_gives_none() -> None:
    ticking = Ticking()
    for _ in range(100):
        ticking.go(TICK, busy_since=ticking.passed)
    assert ticking.at == pytest.approx(100_000 * TICK, abs=2)


def test_it_never_goes_back() -> None:
    ticking, seen = Ticking(), 0
    for n in range(2000):
        ticking.passed += (0.0, 0.07, 0.3, 5.0, 0.001)[n % 5]
        if n % 3:
            ticking.time.tick(ticking.passed - (n % 4), n % 7 == 0)
        assert ticking.at >= seen
        seen = ticking.at


def test_a_new_start_is_never_before_the_last_one(tmp_path: Path) -> None:
    """The wall clock may have been set back in between."""
    store = Store(sqlite_in(tmp_path))
    ahead = store.now() + 3_600_000
    store.say_alive("", ahead)
    hall = Hall(store)
    assert hall.now() >= ahead
    store.close()


# ---------------------------------------------------------------- on a server


def spent(seat: Seat) -> list[float]:
    """Seconds of each seat's time that are gone now."""
    seat.reopen()
    clocks = seat.state["clocks"]
    assert all(left <= FULL for left in clocks), clocks
    return [(FULL - left) / 1000 for left in clocks]


def until(wanted: Callable[[], bool]) -> None:
    """How soon it is so depends on the machine; that it is so at some time does not."""
    end = time.monotonic() + kit_table.PATIENCE
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_disk_that_refuses_costs_nobody_anything(tmp_path: Path) -> None:
    """It says so at once, so nothing hangs: the time stands all the same, and goes on afterwards."""
    with Server(sqlite_in(tmp_path)) as running:
        first, second = seat_two(running, game="madness", begins="host", clock={"minutes": 5})
        limit = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
        start, before = time.monotonic(), spent(first)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (0, limit[1]))
        assert first.refused("move", id="stay", move="pass") == "room.not_kept"
        refused = time.monotonic()
        time.sleep(4)
        stood = time.monotonic() - refused
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, limit)
        first.do("move", id="stay", move="pass")
        after, passed = spent(first), time.monotonic() - start
        assert sum(after) - sum(before) < passed - stood + 1.5, (before, after, passed, stood)
        until(lambda: sum(spent(second)) > sum(after) + 0.7)  # it goes on


def test_a_fall_costs_nobody_anything(tmp_path: Path) -> None:
    with Server(sqlite_in(tmp_path)) as running:
        first, second = seat_two(running, game="madness", begins="host", clock={"minutes": 5})
        until(lambda: spent(first)[0] > 1.5)  # that is thought
        start, before = time.monotonic(), spent(first)
        running.kill()
        fallen = time.monotonic()
        time.sleep(3)
        running.start()
        away = time.monotonic() - fallen
        after, passed = spent(first), time.monotonic() - start
        assert before[0] > 1.5 and after[1] == before[1] == 0
        assert after[0] - before[0] < passed - away + 1.0, (before, after, passed, away)
        assert after[0] > before[0] - 2.5, "what was thought before it stays spent, but for the last moment"
        second.reopen()
        first.do("move", move="pass")
        second.wait(lambda update: update["view"]["phase"] == "tut")
