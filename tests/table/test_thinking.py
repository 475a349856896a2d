"""Bots' threads are shared fairly, and a bot that fails does not stop its game."""

import asyncio
import logging
import threading
from collections.abc import Callable

import pytest

from coyote.bots.bot import Answer
from coyote.match import Match
from coyote.questions import Question
from coyote.table import thinking
from coyote.table.limits import Denied, Limits
from coyote.table.metrics import Metrics
from coyote.table.thinking import Line, Thinkers

PATIENCE = 60.0


class Work:
    """Questions that take as long as the test wants, and note when they are thought about."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.go = threading.Semaphore(0)

    def __call__(self, name: str) -> Callable[[], str]:
        def work() -> str:
            self.begun.append(name)
            assert self.go.acquire(timeout=PATIENCE)
            return name

        return work


async def until(wanted: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not wanted():
            await asyncio.sleep(0.005)


def test_one_guests_questions_hold_another_up_for_one_of_them() -> None:
    async def play() -> list[str]:
        line, work = Line("move", 1, 0), Work()
        asked = [asyncio.create_task(line.ask("eve", "level:5", work(f"eve {n}"))) for n in range(24)]
        await until(lambda: len(work.begun) == 1)
        asked.append(asyncio.create_task(line.ask("anna", "level:1", work("anna"))))
        await asyncio.sleep(0)
        for _ in asked:
            work.go.release()
        await asyncio.gather(*asked)
        line.close()
        assert line.waiting == 0 and not line._askers
        return work.begun

    begun = asyncio.run(play())
    assert begun[1] == "anna"
    assert begun[2:] == [f"eve {n}" for n in range(1, 24)]


def test_one_guest_has_one_question_at_work_whatever_threads_there_are() -> None:
    async def play() -> None:
        line, work = Line("move", 3, 0), Work()
        asked = [asyncio.create_task(line.ask("eve", "level:5", work("eve"))) for _ in range(10)]
        await until(lambda: len(work.begun) == 1)
        asked.append(asyncio.create_task(line.ask("anna", "level:5", work("anna"))))
        asked.append(asyncio.create_task(line.ask("boris", "level:5", work("boris"))))
        await until(lambda: len(work.begun) == 3)
        assert sorted(work.begun) == ["anna", "boris", "eve"]
        for _ in asked:
            work.go.release()
        await asyncio.gather(*asked)
        line.close()

    asyncio.run(play())


def test_quick_bots_wait_for_no_queue_of_many_guests_slow_ones() -> None:
    async def play() -> list[str]:
        line, work = Line("move", 1, 0), Work()
        line._takes = {"level:5": 1.0, "level:1": 0.01}  # as it was lately
        asked = [asyncio.create_task(line.ask(f"eve {n}", "level:5", work(f"eve {n}"))) for n in range(24)]
        await until(lambda: len(work.begun) == 1)
        asked.append(asyncio.create_task(line.ask("anna", "level:1", work("anna"))))
        await asyncio.sleep(0)
        for _ in asked:
            work.go.release()
        await asyncio.gather(*asked)
        line.close()
        return work.begun

    assert asyncio.run(play())[1] == "anna"


def test_slow_bots_are_not_put_off_for_ever() -> None:
    """However many quick questions come: what is usual grows until the slow one is next."""

    async def play() -> int:
        line = Line("move", 1, 0)
        line._takes = {"slow": 0.02}
        answered = 0

        async def newcomers(family: int) -> None:
            nonlocal answered
            while not slow.done():
                await line.ask(f"{family} {answered}", "quick", lambda: threading.Event().wait(0.002))
                answered += 1

        hold = asyncio.create_task(line.ask("first", "quick", lambda: threading.Event().wait(0.05)))
        await asyncio.sleep(0)
        slow = asyncio.create_task(line.ask("anna", "slow", lambda: None))
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(hold, *(newcomers(family) for family in range(4)))
        line.close()
        return answered

    assert asyncio.run(play()) > 0


def test_who_has_gone_is_not_thought_for_and_is_forgotten() -> None:
    async def play() -> None:
        line, work = Line("move", 1, 0), Work()
        first = asyncio.create_task(line.ask("anna", "level:1", work("anna")))
        await until(lambda: bool(work.begun))
        gone = [asyncio.create_task(line.ask(f"eve {n}", "level:1", work("eve"))) for n in range(500)]
        await asyncio.sleep(0)
        for task in gone:
            task.cancel()
        await asyncio.gather(*gone, return_exceptions=True)
        work.go.release()
        assert await first == "anna"
        assert work.begun == ["anna"] and line.waiting == 0
        await until(lambda: not line._askers)
        line.close()

    asyncio.run(play())


def test_guests_of_a_busy_line_are_forgotten_by_and_by() -> None:
    async def play() -> int:
        line, most = Line("move", 2, 0), 0
        ends = asyncio.Event()

        async def always() -> None:
            while not ends.is_set():
                await line.ask("anna", "level:1", lambda: None)

        busy = asyncio.create_task(always())
        for number in range(3000):
            await line.ask(f"guest {number}", "level:1", lambda: None)
            most = max(most, len(line._askers))
        ends.set()
        await busy
        line.close()
        return most

    assert asyncio.run(play()) < 1000


# ---------------------------------------------------------------- hints


def question() -> tuple[Match, Question]:
    match = Match("madness", seed="a")
    return match, match.question(match.actors[0])


def test_hints_of_one_guest_are_not_in_the_way_of_anothers_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """24 hints at once: two are taken, the others are told when to come again; the bot answers at once."""
    work, limits = Work(), Limits(hints_per_minute=1000)

    async def play() -> None:
        thinkers, (match, asked) = Thinkers(1, limits), question()
        monkeypatch.setattr(thinkers, "_advice", lambda *_: work("hint")())
        hints = [
            asyncio.create_task(thinkers.advise("a", match.game, asked, "en", who="eve")) for _ in range(24)
        ]
        await until(lambda: bool(work.begun))
        async with asyncio.timeout(PATIENCE):
            move = await thinkers.think("level:1", "dice", match.game, asked, who="anna")
        assert move in match.legal(match.actors[0])
        work.go.release(24)
        found = await asyncio.gather(*hints, return_exceptions=True)
        denied = [one for one in found if isinstance(one, Denied)]
        assert len(denied) == 22 and found.count("hint") == 2  # type: ignore[arg-type]
        assert all(one.status == 429 and one.retry_after and one.retry_after >= 1 for one in denied)
        thinkers.close()

    asyncio.run(play())


def test_hints_have_a_number_in_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        thinkers, (match, asked) = Thinkers(1, Limits(hints_per_minute=2)), question()
        monkeypatch.setattr(thinkers, "_advice", lambda *_: {})
        for _ in range(2):
            await thinkers.advise("a", match.game, asked, "en", who="eve")
        with pytest.raises(Denied) as denied:
            await thinkers.advise("a", match.game, asked, "en", who="eve")
        assert denied.value.retry_after and denied.value.retry_after > 10
        await thinkers.advise("a", match.game, asked, "en", who="anna")
        thinkers.close()

    asyncio.run(play())


# ---------------------------------------------------------------- bots that fail


class Broken:
    """Raises so many times."""

    name = "broken"
    left = 0

    def __init__(self, seeds: list[str], seed: str) -> None:
        seeds.append(seed)

    def answer(self, question: Question) -> Answer:
        Broken.left -= 1
        if Broken.left >= 0:
            raise ZeroDivisionError("a bot's own fault")
        return Answer(question.legal[-1])

    def close(self, result: object = None) -> None:
        pass


@pytest.mark.parametrize("times", [1, 100])
def test_a_bot_that_fails_is_asked_again_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, times: int
) -> None:
    seeds: list[str] = []
    Broken.left = times
    monkeypatch.setattr(thinking, "make_bot", lambda _bot, _game, seed: Broken(seeds, seed))
    metrics = Metrics()

    async def play() -> str:
        thinkers, (match, asked) = Thinkers(1, metrics=metrics), question()
        move = await thinkers.think("level:1", "dice", match.game, asked, who="anna")
        legal = match.legal(match.actors[0])
        assert move == (legal[-1] if times == 1 else match.game.move_text(asked.legal[0]))
        thinkers.close()
        return move

    with caplog.at_level(logging.ERROR, "coyote.table"):
        asyncio.run(play())
    assert len(seeds) == min(times + 1, thinking.TRIES) == len(set(seeds)), "each time with other dice"
    assert len(caplog.records) == min(times, thinking.TRIES)
    assert "coyote_errors_total" in metrics.text() and "coyote_bot_wait_seconds_count" in metrics.text()
