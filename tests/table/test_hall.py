"""Rooms in memory and out of it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from coyote.games.game import Game
from coyote.questions import Question
from coyote.table import hall as module
from coyote.table import inputs
from coyote.table.hall import Hall
from coyote.table.parts import written_set
from coyote.table.store import Store
from table.kit_table import sqlite_in

TERMS = inputs.Terms("madness", {"edition": "standard"}, "", inputs.ClockTerms(0, 0, 0), "host", "open")
ANNA, BORIS = inputs.Player("a", "Anna"), inputs.Player("b", "Boris")


async def dealt(hall: Hall) -> Any:
    live = await hall.make(TERMS, ANNA, BORIS, (None, None))
    for party, nonce in ((0, "a" * 32), (1, "b" * 32)):
        await hall.submit(live, lambda at, by=party, nonce=nonce: inputs.Ready(at, by, f"r{by}", nonce))  # type: ignore[misc]
    return live


def test_a_room_that_nobody_uses_leaves_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINGER", 0.02)

    async def course() -> None:
        hall = Hall(Store(sqlite_in(tmp_path)))
        live = await dealt(hall)
        before, id = live.room.match.view_json(0), live.room.id
        async with hall.visit(id):
            tidying = asyncio.create_task(hall._tidy())
            await asyncio.sleep(0.2)
            assert id in hall.rooms, "it is in use"
        while id in hall.rooms:
            await asyncio.sleep(0.01)
        tidying.cancel()
        again = await hall.enter(id)
        assert again is not live and again.room.match and again.room.match.view_json(0) == before
        await hall.close()

    asyncio.run(asyncio.wait_for(course(), 60))


def test_one_input_at_a_time(tmp_path: Path) -> None:
    """Two requests at the same moment: the second one is judged by what the first one did."""

    async def course() -> None:
        hall = Hall(Store(sqlite_in(tmp_path)))
        live = await dealt(hall)
        move = live.room.legal(0)[0]
        asked = [hall.submit(live, lambda at, id=id: inputs.Move(at, 0, id, move)) for id in ("1", "2")]  # type: ignore[misc]
        found = await asyncio.gather(*asked)
        assert found[0] is None and found[1] is not None
        await hall.close()

    asyncio.run(asyncio.wait_for(course(), 60))


def test_a_bot_hears_what_is_new_to_it_and_after_an_undo_what_is_true_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = inputs.Terms("madness", begins="host", opponent="bot")
    robot = inputs.Player("", "greedy", "greedy")
    heard: list[tuple[int, list[Any]]] = []  # how many events there were, and those that it was told

    async def course() -> None:
        hall = Hall(Store(sqlite_in(tmp_path)))
        live = await hall.make(terms, ANNA, robot, (None, None))

        async def think(_bot: str, _seed: str, game: Game, asked: Question, _who: str) -> str:
            assert live.room.match is not None
            heard.append((len(live.room.match.rows), list(asked.events)))
            told = live.room.match.events(1)[len(live.room.match.rows) - len(asked.events) :]
            assert list(asked.events) == told
            return game.move_text(asked.legal[0])

        monkeypatch.setattr(hall.thinkers, "think", think)

        async def do(kind: Any, *values: Any) -> None:
            assert await hall.submit(live, lambda at: kind(at, 0, *values)) is None

        async def turn() -> None:
            while 0 not in live.room.thinking():
                await asyncio.sleep(0.001)

        await do(inputs.Ready, "", "a" * 32)
        for move in ("pass", "push"):
            await do(inputs.Move, "", move)
        await turn()
        before = len(heard)
        await do(inputs.Offer, "", "undo")
        while live.room.offers:
            await asyncio.sleep(0.001)
        assert live.room.match is not None
        kept = len(live.room.match.rows)
        await do(inputs.Move, "", "draw")
        await turn()
        assert [n for n, _ in heard[:1]] == [len(events) for _, events in heard[:1]], "at first, everything"
        n, events = heard[before]
        assert n - len(events) <= kept < heard[before - 1][0], "nothing of what is true now was left out"
        await hall.close()

    asyncio.run(asyncio.wait_for(course(), 60))


def test_a_rematch_is_of_the_newest_rules_with_the_same_options(tmp_path: Path) -> None:
    """Both rooms are kept in one transaction; the first one goes on as it was made."""
    digest, written = written_set(None)
    terms = inputs.Terms("duel", {"health": 30}, digest, begins="host", opponent="open", rules=1)

    async def course() -> None:
        hall = Hall(Store(sqlite_in(tmp_path)))
        hall.games.add_set(digest, written)
        live = await hall.make(terms, ANNA, BORIS, (None, None))
        for party, nonce in ((0, "a" * 32), (1, "b" * 32)):
            await hall.submit(live, lambda at, by=party, nonce=nonce: inputs.Ready(at, by, "", nonce))  # type: ignore[misc]
        early = await hall.submit(live, lambda at: inputs.Answer(at, 0, "", "rematch", True))
        assert early and early.code == "room.not_over" and len(hall.rooms) == 1
        await hall.submit(live, lambda at: inputs.Resign(at, 0))
        unasked = await hall.submit(live, lambda at: inputs.Answer(at, 0, "", "rematch", True))
        assert unasked and unasked.code == "room.no_offer" and len(hall.rooms) == 1
        await hall.submit(live, lambda at: inputs.Offer(at, 0, "o", "rematch"))
        for _ in range(2):  # the second time it has counted already
            assert await hall.submit(live, lambda at: inputs.Answer(at, 1, "y", "rematch", True)) is None
        assert set(hall.rooms) == {live.room.id, live.room.next}
        following = hall.rooms[live.room.next].room
        assert (live.room.game.rules_version, following.game.rules_version) == (1, 2)
        assert following.terms.options == live.room.terms.options == {"health": 30}
        assert following.players == live.room.players and following.terms.begins == "other"
        await hall.close()

    asyncio.run(asyncio.wait_for(course(), 60))
