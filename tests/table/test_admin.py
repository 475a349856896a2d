"""`coyote table admin` on files that a real server has made, and on PostgreSQL."""

import io
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from coyote.cli.main import main
from coyote.table import admin, retention
from coyote.table.backup import COPIED, back_up, restore
from coyote.table.database import DatabaseError
from coyote.table.logs import short
from coyote.table.store import Store, card_sets, guests, make_engine, players, rooms
from coyote.text.words import LANGUAGES
from table.kit_table import PATIENCE, Server, seat_two, sqlite_in
from table.test_table import postgres  # noqa: F401 - a fixture

DAY = retention.DAY


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game, one that goes on, a room that waits, and a guest with a bot and without a game."""
    folder = tmp_path_factory.mktemp("played")
    with Server(sqlite_in(folder)) as server:
        for resigns in (True, False):
            first, second = seat_two(server, game="madness", opponent="link")
            if resigns:
                first.do("resign")
                second.wait(lambda update: update["phase"] == "over")
            for seat in (first, second):
                seat.close()
        server.guest("Vera").make(game="duel", opponent="open")
        server.guest("Idle").ask("POST", "/api/tokens", {"name": "Robot"})
        server.stop()
    return folder / "table.sqlite3"


@pytest.fixture
def file(played: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of it for each test, and the process as private as it was."""
    before = os.umask(0o022)
    path = tmp_path / "table.sqlite3"
    with sqlite3.connect(played) as source, sqlite3.connect(path) as copy:
        source.backup(copy)
    yield path
    os.umask(before)


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    found = Store(f"sqlite:///{file}")
    yield found
    found.close()


class Said:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def rows(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Say something to `coyote table admin`."""

    def say(*words: str, url: str = f"sqlite:///{file}") -> Said:
        monkeypatch.setenv("COYOTE_DB", url)
        monkeypatch.setattr(sys, "stdin", io.StringIO())  # nobody answers
        with pytest.raises(SystemExit) as ended:
            main(["table", "admin", *words])
        found = capsys.readouterr()
        assert "Traceback" not in found.err
        return Said(int(ended.value.code or 0), found.out, found.err)

    return say


def everything(url: str) -> dict[str, list[tuple[Any, ...]]]:
    engine = make_engine(url)
    with engine.connect() as connection:
        found = {
            table.name: sorted(tuple(row) for row in connection.execute(sa.select(table))) for table in COPIED
        }
    engine.dispose()
    return found


# ---------------------------------------------------------------- looking


def test_rooms_guests_and_tokens_are_listed(run: Any) -> None:
    found = run("rooms", "--json").rows
    assert sorted(row["phase"] for row in found) == ["over", "playing", "waiting"]
    assert {row["names"] for row in found} == {"Anna, Boris", "Vera, …"}
    assert [row["phase"] for row in run("rooms", "--json", "--phase", "over").rows] == ["over"]
    people = run("guests", "--json").rows
    assert sorted(row["name"] for row in people) == ["Anna", "Anna", "Boris", "Boris", "Idle", "Vera"]
    assert {row["name"]: row["games"] for row in people} == {"Anna": 1, "Boris": 1, "Idle": 0, "Vera": 1}
    (robot,) = run("tokens", "--json").rows
    assert robot["name"] == "Robot" and robot["owner"] in [row["id"] for row in people]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["rooms", "guests", "tokens", "check", "prune"])
def test_everything_is_said_in_both_languages(run: Any, command: str, lang: str) -> None:
    said = run(command, "--lang", lang)
    assert said.code == 0 and said.out and "{" not in said.out
    assert any("а" <= letter <= "я" for letter in said.out.lower()) == (lang == "ru")


def test_a_mistyped_database_is_not_made(run: Any, tmp_path: Path) -> None:
    missing = tmp_path / "tabel.sqlite3"
    for words in (["rooms"], ["prune"], ["backup", str(tmp_path / "b")], ["rotate-key", "--yes"]):
        said = run(*words, url=f"sqlite:///{missing}")
        assert said.code == 2 and "tabel.sqlite3" in said.err
    assert not missing.exists() and not (tmp_path / "b").exists()
    assert "no address" in run("rooms", "--lang", "en", url="nonsense").err
    said = run("rooms", "--lang", "en", url="postgresql+psycopg://anna:secret@127.0.0.1:1/none")
    assert said.code == 2 and "cannot be read" in said.err and "secret" not in said.err


def test_the_url_may_stand_before_or_behind(file: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "COYOTE_DB"}
    for words in (
        ["--db", f"sqlite:///{file}", "admin", "tokens"],
        ["admin", "tokens", "--db", f"sqlite:///{file}"],
    ):
        command = [sys.executable, "-m", "coyote", "table", *words]
        assert b"Robot" in subprocess.run(command, capture_output=True, env=env, timeout=PATIENCE).stdout


# ---------------------------------------------------------------- one guest


def test_ban_unban_and_revoke(run: Any, store: Store) -> None:
    idle = next(row["id"] for row in run("guests", "--json").rows if row["name"] == "Idle")
    assert run("ban", idle).code == 0
    assert {row["name"]: row["banned"] for row in run("tokens", "--json").rows} == {"Robot": True}
    assert run("unban", idle).code == 0
    (robot,) = run("tokens", "--json").rows
    assert not robot["banned"] and run("revoke", robot["id"]).code == 0
    assert run("tokens", "--json").rows[0]["revoked"]
    run("unban", idle)  # which does not bring back a token
    assert run("tokens", "--json").rows[0]["revoked"]
    assert (
        run("revoke", idle, "--lang", "en").err
        == "coyote: Idle is no bot: people have no token, but can be banned\n"
    )
    assert "no guest nobody" in run("ban", "nobody", "--lang", "en").err


def test_delete_and_export(run: Any, store: Store) -> None:
    idle = next(row["id"] for row in run("guests", "--json").rows if row["name"] == "Idle")
    told = json.loads(run("export", idle).out)
    assert (
        told["name"] == "Idle" and [bot["name"] for bot in told["bots"]] == ["Robot"] and told["rooms"] == []
    )
    said = run("delete", idle, "--lang", "en")
    assert said.code == 130 and admin.find_guest(store, idle)  # nobody said yes
    assert run("delete", idle, "--yes").code == 0
    assert "Idle" not in run("guests").out and "Robot" not in run("tokens").out
    vera = next(row["id"] for row in run("guests", "--json").rows if row["name"] == "Vera")
    refused = run("delete", vera, "--yes", "--lang", "en")
    assert refused.code == 2 and "unfinished" in refused.err and "Vera" in run("guests").out


def test_a_guest_may_be_gone_from_a_finished_game_of_two_alike(store: Store) -> None:
    """Both are called Anna: the right one of them goes, by the nonces."""
    (room,) = [row["id"] for row in admin.list_rooms(store, "over")]
    made = json.loads(first_input(store, room))
    before = admin.rows(store, sa.select(rooms.c.about).where(rooms.c.id == room))[0]["about"]
    with admin.changing(store) as connection:
        connection.execute(sa.text("UPDATE inputs SET body = replace(body, '\"Boris\"', '\"Anna\"')"))
        connection.execute(sa.text("UPDATE records SET body = replace(body, '\"Boris\"', '\"Anna\"')"))
        connection.execute(sa.text("UPDATE rooms SET about = replace(about, '\"Boris\"', '\"Anna\"')"))
    assert before != admin.rows(store, sa.select(rooms.c.about).where(rooms.c.id == room))[0]["about"]
    admin.delete_guest(store, made["host"]["guest"])
    about = json.loads(admin.rows(store, sa.select(rooms.c.about).where(rooms.c.id == room))[0]["about"])
    assert about["names"] == ["—", "Anna"]
    inputs_left = store.inputs_of(room)
    from coyote.table.games import Games
    from coyote.table.room import replay

    record = replay(inputs_left, Games()).record()
    kept = store.record(room)
    if kept:  # written by the server after the end
        assert json.loads(kept)["players"] == record["players"]
    assert sorted(record["players"]) == ["Anna", "—"]


def first_input(store: Store, room: str) -> str:
    query = sa.text("SELECT body FROM inputs WHERE room = :room AND number = 0")
    with store.engine.connect() as connection:
        return str(connection.execute(query, {"room": room}).scalar_one())


# ---------------------------------------------------------------- retention


def age(store: Store, days: int) -> None:
    """As if all of it had happened so many days ago."""
    with admin.changing(store) as connection:
        for table, column in (
            ("rooms", "made_at"),
            ("rooms", "touched_at"),
            ("guests", "made_at"),
            ("guests", "seen_at"),
            ("inputs", "at"),
        ):
            connection.execute(sa.text(f"UPDATE {table} SET {column} = max(0, {column} - {days * DAY})"))


def phases(store: Store) -> list[str]:
    return sorted(row["phase"] for row in admin.list_rooms(store))


def prune(store: Store, **terms: Any) -> dict[str, int]:
    return retention.prune(store, admin.milliseconds(), **terms)


def test_only_what_is_old_goes(store: Store) -> None:
    age(store, 6)
    assert prune(store) == {"rooms": 0, "guests": 0, "sets": 0}
    age(store, 2)
    assert prune(store, dry_run=True) == {"rooms": 1, "guests": 0, "sets": 0}
    assert phases(store) == ["over", "playing", "waiting"]
    assert prune(store)["rooms"] == 1
    assert phases(store) == ["over", "playing"]
    age(store, 83)  # 91: the game that nobody ends, and those who have none
    assert prune(store) == {"rooms": 1, "guests": 4, "sets": 0}  # Vera, the robot, and two of that game
    assert phases(store) == ["over"]
    names = sorted(row["name"] for row in admin.rows(store, sa.select(guests.c.name)))
    assert names == ["Anna", "Boris", "Idle"]
    assert prune(store)["guests"] == 1  # whose bot went
    (over,) = admin.list_rooms(store)
    assert store.inputs_of(over["id"]) and len(admin.rows(store, sa.select(players))) == 2
    assert prune(store, terms=retention.Terms(finished=30))["rooms"] == 1
    left = everything(str(store.engine.url))
    assert {name for name, found in left.items() if found} == {"settings"}


def test_a_room_that_is_used_stays(store: Store) -> None:
    age(store, 100)
    ids = {row["id"] for row in admin.list_rooms(store)}
    assert prune(store, in_use=ids)["rooms"] == 0
    (playing,) = [row["id"] for row in admin.list_rooms(store, "playing")]
    with admin.changing(store) as connection:  # a move of yesterday
        last = "(SELECT max(number) FROM inputs WHERE room = :room)"
        values = {"room": playing, "at": admin.milliseconds() - DAY}
        connection.execute(
            sa.text(f"UPDATE inputs SET at = :at WHERE room = :room AND number = {last}"), values
        )
    prune(store)
    assert phases(store) == ["over", "playing"]


def test_card_sets_go_that_no_room_has(store: Store) -> None:
    (over,) = [row["id"] for row in admin.list_rooms(store, "over")]
    with admin.changing(store) as connection:
        for digest in ("used", "unused"):
            connection.execute(sa.insert(card_sets), {"digest": digest, "body": "{}"})
        made = json.loads(first_input(store, over))
        made["terms"]["set"] = "used"
        query = sa.text("UPDATE inputs SET body = :body WHERE room = :room AND number = 0")
        connection.execute(query, {"body": json.dumps(made), "room": over})
    assert prune(store, dry_run=True)["sets"] == 1
    assert prune(store)["sets"] == 1
    left = {row["digest"] for row in admin.rows(store, sa.select(card_sets))}
    assert "used" in left and "unused" not in left and len(left) == 2  # and that of the duel


# ---------------------------------------------------------------- backup and restore


def test_a_backup_is_one_private_file_and_comes_back_whole(run: Any, file: Path, tmp_path: Path) -> None:
    copy, again = tmp_path / "copy.sqlite3", tmp_path / "again.sqlite3"
    assert run("backup", str(copy)).code == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert not [
        one for one in tmp_path.iterdir() if one.name.startswith("copy.sqlite3-") or one.suffix == ".part"
    ]
    assert "there already" in run("backup", str(copy), "--lang", "en").err
    before = copy.read_bytes()
    assert run("restore", str(copy), url=f"sqlite:///{again}").code == 0
    assert without_owners(everything(f"sqlite:///{again}")) == without_owners(everything(f"sqlite:///{file}"))
    assert stat.S_IMODE(again.stat().st_mode) == 0o600 and copy.read_bytes() == before
    said = run("restore", str(copy), "--lang", "en", url=f"sqlite:///{again}")
    assert said.code == 2 and "empty database only" in said.err
    assert run("check", url=f"sqlite:///{again}").code == 0


def test_what_is_no_backup_is_refused(run: Any, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path}/new.sqlite3"
    (tmp_path / "text").write_text("hello, this is no database at all, whatever its name may say")
    with sqlite3.connect(tmp_path / "foreign") as foreign:
        foreign.execute("CREATE TABLE rooms (id)")
    shutil.copy(tmp_path / "table.sqlite3", tmp_path / "newer")
    with sqlite3.connect(tmp_path / "newer") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    for name in ("text", "foreign", "newer", "missing"):
        said = run("restore", str(tmp_path / name), "--lang", "en", url=target)
        assert said.code == 2 and name in said.err, said.err


def test_a_backup_of_an_open_table_has_all_that_was_acknowledged(tmp_path: Path) -> None:
    with Server(sqlite_in(tmp_path)) as server:
        anna = server.guest("Anna")
        made: list[str] = []
        stop = threading.Event()

        def make_rooms() -> None:
            while not stop.is_set():
                made.append(anna.make(game="madness", opponent="self")["room"])

        maker = threading.Thread(target=make_rooms)
        maker.start()
        try:
            while len(made) < 5:
                time.sleep(0.01)
            before = list(made)
            back_up(sqlite_in(tmp_path), tmp_path / "copy.sqlite3")
        finally:
            stop.set()
            maker.join()
    with sqlite3.connect(tmp_path / "copy.sqlite3") as copy:
        kept = {row[0] for row in copy.execute("SELECT room FROM inputs WHERE number = 0")}
    assert set(before) <= kept <= set(made)


def test_from_one_kind_of_database_to_the_other_and_back(
    run: Any,
    file: Path,
    tmp_path: Path,
    postgres: str,  # noqa: F811
) -> None:
    first, second, third = (tmp_path / f"{name}.sqlite3" for name in ("first", "second", "third"))
    back_up(f"sqlite:///{file}", first)
    engine = make_engine(postgres)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE; CREATE SCHEMA public"))
    engine.dispose()
    with pytest.raises(DatabaseError):
        back_up(postgres, second)  # nothing there yet
    assert not second.exists()
    assert restore(first, postgres) == {"rooms": 3, "guests": 7}
    back_up(postgres, second)
    assert stat.S_IMODE(second.stat().st_mode) == 0o600
    restore(second, f"sqlite:///{third}")
    assert without_owners(everything(f"sqlite:///{third}")) == without_owners(everything(f"sqlite:///{file}"))

    assert sorted(row["phase"] for row in run("rooms", "--json", url=postgres).rows) == [
        "over",
        "playing",
        "waiting",
    ]
    idle = next(row["id"] for row in run("guests", "--json", url=postgres).rows if row["name"] == "Idle")
    assert run("ban", idle, url=postgres).code == 0 and run("check", url=postgres).code == 0
    assert json.loads(run("prune", "--json", url=postgres).out) == {"rooms": 0, "guests": 0, "sets": 0}
    assert run("delete", idle, "--yes", url=postgres).code == 0
    assert len(run("guests", "--json", url=postgres).rows) == 5


def without_owners(found: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    owner = list(rooms.c).index(rooms.c.owner)
    return {**found, "rooms": [(*row[:owner], "", *row[owner + 1 :]) for row in found["rooms"]]}


# ---------------------------------------------------------------- the key, and rooms that do not load


def test_a_new_key_signs_everybody_out(run: Any, file: Path) -> None:
    before = Store(f"sqlite:///{file}")
    key = before.signing_key()
    before.close()
    assert run("rotate-key").code == 130  # nobody said yes
    assert run("rotate-key", "--yes").code == 0
    after = Store(f"sqlite:///{file}")
    assert after.signing_key() != key
    after.close()


def test_not_under_a_table_that_is_open(tmp_path: Path, run: Any) -> None:
    with Server(f"sqlite:///{tmp_path}/open.sqlite3") as server:
        url = f"sqlite:///{tmp_path}/open.sqlite3"
        for words in (["rotate-key", "--yes"], ["restore", str(tmp_path / "table.sqlite3")]):
            said = run(*words, "--lang", "en", url=url)
            assert said.code == 2 and f"http://{server.host}/" in said.err
        assert run("rooms", url=url).code == 0  # looking is free


def test_rooms_that_cannot_be_loaded_are_named(run: Any, store: Store) -> None:
    assert run("check").code == 0
    (waiting,) = [row["id"] for row in admin.list_rooms(store, "waiting")]
    with admin.changing(store) as connection:
        query = sa.text("UPDATE inputs SET body = replace(body, '\"duel\"', '\"whist\"') WHERE room = :room")
        connection.execute(query, {"room": waiting})
    said = run("check", "--json", "--lang", "en")
    assert said.code == 2 and "1 room" in said.err
    (broken,) = said.rows
    assert broken["id"] == waiting and "whist" in broken["why"]


def test_a_short_id_is_enough(store: Store) -> None:
    (one, *_) = admin.rows(store, sa.select(guests))
    assert admin.find_guest(store, short(one["id"])) == admin.find_guest(store, one["id"]) == one
    with pytest.raises(admin.NoGuest):
        admin.find_guest(store, one["name"])  # of which there may be many
