"""The store by itself: what is kept is kept whole, together, and in order."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from coyote.table import inputs
from coyote.table.ladder import shown_as
from coyote.table.store import (
    SCHEMA,
    Stale,
    Store,
    Write,
    make_engine,
    metadata,
    migrate,
    schema_of,
)
from table.kit_table import sqlite_in


def write(room: str, number: int) -> Write:
    found = Write()
    found.add_input(room, number, inputs.Resign(7, number % 2))
    return found


def test_the_migrations_make_what_the_code_expects(tmp_path: Path) -> None:
    engine = make_engine(sqlite_in(tmp_path))
    for _ in range(2):
        migrate(engine)
    assert schema_of(engine) == SCHEMA
    found = sa.inspect(engine)
    for table in metadata.sorted_tables:
        there = {column["name"]: str(column["type"]) for column in found.get_columns(table.name)}
        assert there == {column.name: str(column.type) for column in table.columns}
        assert {one["name"] for one in found.get_indexes(table.name)} == {one.name for one in table.indexes}
    engine.dispose()


def test_the_five_levels_of_before_have_their_new_numbers(tmp_path: Path) -> None:
    renumbered(sqlite_in(tmp_path))


def renumbered(url: str) -> None:
    """There were five levels; now there are seven, and the five have kept their names."""
    engine, now = make_engine(url), {1: 1, 2: 3, 3: 5, 4: 6, 5: 7}
    migrate(engine, "0009")
    tables = metadata.tables
    pool = {"game": "madness", "edition": "classic", "clock": "free"}
    strength = {"rating": 1.0, "deviation": 1.0, "volatility": 0.0, "at": 1}
    with engine.begin() as connection:

        def add(table: str, **row: Any) -> None:
            connection.execute(tables[table].insert().values(**row))

        for n in now:
            room, bot, told = f"room {n}", f"bot:level:{n}", f'{{"bot":"level:{n}","name":"level:{n}"}}'
            add("inputs", room=room, number=0, at=1, body=told)
            add("records", room=room, body=f'{{"players":["Anna","level:{n}"]}}')
            add("players", guest="anna", room=room, against=f"level:{n}")
            both = {"first": "anna", "second": bot, "aborted_by": bot}
            add("rated_games", room=room, **pool, **both, score=1.0, ended_at=1)
            add("ratings", who=bot, **pool, **strength, games=1, shown=shown_as(bot))
        add("players", guest="boris", room="other", against="greedy")
    migrate(engine)
    with engine.connect() as connection:

        def column(table: str, name: str) -> list[str]:
            by = tables[table].c.get("room", tables[table].c.get("rating"))
            return list(connection.execute(sa.select(tables[table].c[name]).order_by(by)).scalars())

        bots = [f"bot:level:{n}" for n in now.values()]
        assert column("inputs", "body") == [f'{{"bot":"level:{n}","name":"level:{n}"}}' for n in now.values()]
        assert column("records", "body") == [f'{{"players":["Anna","level:{n}"]}}' for n in now.values()]
        assert column("players", "against") == ["greedy", *(f"level:{n}" for n in now.values())]
        assert column("rated_games", "first") == ["anna"] * 5
        assert column("rated_games", "second") == column("rated_games", "aborted_by") == bots
        assert sorted(column("ratings", "who")) == bots
        shown = connection.execute(sa.select(tables["ratings"].c.who, tables["ratings"].c.shown))
        assert all(shown_as(who) == by for who, by in shown)
    engine.dispose()


def test_sqlite_flushes_every_transaction(tmp_path: Path) -> None:
    engine = make_engine(sqlite_in(tmp_path))
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
    engine.dispose()


def test_many_rooms_share_a_transaction(tmp_path: Path) -> None:
    store = Store(sqlite_in(tmp_path))

    async def all_at_once() -> None:
        await asyncio.gather(*(store.keep(write(f"room {n}", 0)) for n in range(500)))

    asyncio.run(all_at_once())
    assert store.kept == 500
    assert store.commits < 100
    assert store.inputs_of("room 499") == [inputs.Resign(7, 0)]
    store.close()


def test_one_that_cannot_be_kept_takes_no_other_with_it(tmp_path: Path) -> None:
    store = Store(sqlite_in(tmp_path))

    async def one_is_wrong() -> list[BaseException | None]:
        await store.keep(write("a", 0))
        writes = [write("b", 0), write("a", 0), write("c", 0)]
        return await asyncio.gather(*map(store.keep, writes), return_exceptions=True)

    found = asyncio.run(one_is_wrong())
    assert [type(one) for one in found] == [type(None), Stale, type(None)]
    assert store.inputs_of("b") == store.inputs_of("c") == [inputs.Resign(7, 0)]
    assert len(store.inputs_of("a")) == 1
    store.close()


def test_a_store_that_was_closed_has_kept_what_waited(tmp_path: Path) -> None:
    store = Store(sqlite_in(tmp_path))
    for number in range(50):
        store._queue.put(write("a", number))
    store.close()
    again = Store(sqlite_in(tmp_path))
    assert len(again.inputs_of("a")) == 50
    again.close()


@pytest.mark.parametrize(
    "given", [inputs.Wake(3, 5), inputs.Move(3, 1, "id", "a1 7C"), inputs.Flag(9), inputs.Next(1, 0, "", "r")]
)
def test_inputs_come_back_as_they_were(given: inputs.AnyInput) -> None:
    assert inputs.read_input(inputs.write_input(given)) == given
