"""Rooms in memory and out of it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from coyote.table import hall as module
from coyote.table import inputs
from coyote.table.hall import Hall
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
