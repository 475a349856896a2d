"""A backup is one SQLite file, whichever database it was made from, and is restored into either."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa
from alembic.util import CommandError

from coyote.table.database import OWNER_ONLY, DatabaseError, check_version, file_of, without_password
from coyote.table.store import guests, halls, make_engine, metadata, migrate, rooms, settings

AT_ONCE = 1000  # rows
COPIED = [table for table in metadata.sorted_tables if table is not halls]  # but who is alive now
COUNTED = ("rooms", "guests")


@contextmanager
def opened(url: str) -> Iterator[sa.Engine]:
    engine = make_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def back_up(url: str, path: Path) -> dict[str, int]:
    """The whole database as it is at one moment, while the table is open; how much it has of what.

    The file appears when it is complete, for its owner's eyes only.
    """
    if path.exists():
        raise DatabaseError("admin.exists", path=path)
    unfinished = path.with_name(f"{path.name}.part")
    os.close(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, OWNER_ONLY))
    try:
        if source := file_of(url):
            _copy_file(source, unfinished)
        else:
            with opened(url) as database, opened(f"sqlite:///{unfinished}") as copy:
                check_version(database, url)
                _copy_rows(database, copy)
        _seal(unfinished)
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return counted(path)


def _copy_file(source: Path, target: Path) -> None:
    if not source.exists():
        raise DatabaseError("admin.no_file", path=source)
    with closing(reading(source)) as database, closing(sqlite3.connect(target)) as copy:
        database.backup(copy)


def reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _seal(path: Path) -> None:
    """One plain file without a journal beside it, on the disk for good."""
    with closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA journal_mode=DELETE")
        (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise DatabaseError("admin.no_backup", path=path, why=found)
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _copy_rows(source: sa.Engine, target: sa.Engine) -> None:
    """All tables as they are at one moment, into empty ones."""
    migrate(target)
    if source.dialect.name == "postgresql":
        source = source.execution_options(isolation_level="REPEATABLE READ", stream_results=True)
    with source.connect() as there, target.begin() as writing:
        for table in COPIED:
            for some in there.execute(sa.select(table)).mappings().partitions(AT_ONCE):
                writing.execute(sa.insert(table), [dict(row) for row in some])
        writing.execute(sa.update(rooms).values(owner=""))


def counted(path: Path) -> dict[str, int]:
    with closing(reading(path)) as copy:
        return {name: copy.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in COUNTED}


def restore(path: Path, url: str) -> dict[str, int]:
    """Into a database that is empty, or not there yet. Backups of older versions are brought up to date."""
    with tempfile.TemporaryDirectory() as folder, opened(url) as target:
        copy = Path(folder) / "backup.sqlite3"  # what is restored stays as it is
        try:
            _copy_file(path, copy)
            with closing(reading(copy)) as found:
                found.execute("SELECT version_num FROM alembic_version")  # of any version, but of ours
            with opened(f"sqlite:///{copy}") as source:
                migrate(source)
                migrate(target)
                _check_empty(target, url)
                _copy_rows(source, target)
        except (sqlite3.DatabaseError, sa.exc.DatabaseError, CommandError) as error:
            raise DatabaseError("admin.no_backup", path=path, why=str(error).partition("\n")[0]) from None
        return counted(copy)


def _check_empty(target: sa.Engine, url: str) -> None:
    with target.connect() as there:
        for table in (rooms, guests, settings):
            if there.execute(sa.select(table).limit(1)).first():
                raise DatabaseError("admin.not_empty", url=without_password(url))
