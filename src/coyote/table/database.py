"""Where games are kept: the file is its owner's alone to read, and one process's at a time to play on."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import sqlalchemy as sa

from coyote.table.store import SCHEMA, schema_of
from coyote.text import Refused
from coyote.text.harmless import one_line

try:
    import fcntl
except ImportError:  # a system without such locks: nobody watches that there is one server only
    fcntl = None  # type: ignore[assignment]

PARTS = ("", "-wal", "-shm", "-journal")  # of an SQLite database
OWNER_ONLY = 0o600


class DatabaseError(Refused):
    """A database that cannot be used now, or not in this way."""


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; None where there is no file, or another program keeps it.

    >>> file_of("sqlite:////srv/table.sqlite3").as_posix(), file_of("sqlite://"), file_of("postgresql://x/y")
    ('/srv/table.sqlite3', None, None)
    """
    try:
        read = sa.make_url(url)
    except sa.exc.ArgumentError:
        raise DatabaseError("admin.no_url", url=without_password(url)) from None
    if read.get_backend_name() != "sqlite" or read.database in (None, "", ":memory:"):
        return None
    name = str(read.database)
    if name.startswith("file:"):
        name = urlsplit(name).path
        if not name or name == ":memory:" or read.query.get("mode") == "memory":
            return None
    return Path(name).absolute()


def without_password(url: str) -> str:
    """To be shown.

    >>> without_password("postgresql://anna:secret@host/db"), without_password("nonsense")
    ('postgresql://anna:***@host/db', 'nonsense')
    """
    with suppress(sa.exc.ArgumentError, ValueError):
        return sa.make_url(url).render_as_string(hide_password=True)
    return "…" if "@" in url else url[:80]


def check_version(engine: sa.Engine, url: str) -> None:
    """DatabaseError where another version of the program has made the tables, or nobody has."""
    try:
        found = schema_of(engine)
    except sa.exc.SQLAlchemyError as error:
        raise DatabaseError(
            "admin.no_database", url=without_password(url), why=one_line(str(error), 200)
        ) from None
    if found != SCHEMA:
        raise DatabaseError("admin.other_version", url=without_password(url))


def keep_private(url: str) -> None:
    """What this process makes from now on, and the database's files that are there, only its owner may read.

    The signing key is in the file, and the secrets and invitations of games that go on.
    """
    os.umask(0o077)
    path = file_of(url)
    if path is None:
        return
    for part in PARTS:
        with suppress(FileNotFoundError):
            _restrict(path.with_name(path.name + part))


def _restrict(path: Path) -> None:
    mode = path.stat().st_mode & 0o777
    if mode & ~OWNER_ONLY:
        try:
            path.chmod(mode & OWNER_ONLY)
        except PermissionError:
            raise DatabaseError("admin.not_private", path=path) from None


def private_folder(path: Path) -> None:
    """A folder of ours, made where it is missing."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.stat().st_mode & 0o077:
        path.chmod(0o700)


@dataclass
class Claim:
    """The right to play on an SQLite file, for the life of this process. `<file>.lock` has the address."""

    file: int | None = None

    @classmethod
    def of(cls, url: str) -> Self:
        """DatabaseError where another process has it. PostgreSQL needs none: there rooms have owners."""
        path = file_of(url)
        if path is None or fcntl is None:
            return cls()
        lock = os.open(lock_of(path), os.O_RDWR | os.O_CREAT, OWNER_ONLY)
        try:
            # Of the process, not of the file: no child inherits it, or could outlive us with it.
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            address = os.read(lock, 200).decode(errors="replace").strip()
            os.close(lock)
            raise DatabaseError(
                "admin.taken" if address else "admin.taken_by", path=path, address=address
            ) from None
        os.truncate(lock, 0)
        return cls(lock)

    def tell(self, address: str) -> None:
        """Where the server is to be found, for whoever comes second."""
        if self.file is not None:
            os.pwrite(self.file, f"{address}\n".encode(), 0)

    def release(self) -> None:
        if self.file is not None:
            os.truncate(self.file, 0)
            os.close(self.file)
            self.file = None


def lock_of(path: Path) -> Path:
    """By whichever name the file is called."""
    real = path.resolve()
    return real.with_name(f"{real.name}.lock")


@contextmanager
def claimed(url: str) -> Iterator[Claim]:
    claim = Claim.of(url)
    try:
        yield claim
    finally:
        claim.release()
