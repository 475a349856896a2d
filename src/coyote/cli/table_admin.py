"""`coyote table admin`: what whoever runs a table does now and then."""

import json
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from coyote.cli.common import WORDS, console, file_argument, json_option, lang_option, words_for
from coyote.cli.faults import Fault
from coyote.cli.saves import folder
from coyote.text import Words

if TYPE_CHECKING:
    from coyote.table.store import Store

PHASES = ("waiting", "seated", "playing", "over", "closed", "ended")
MOST = 100
Row = dict[str, Any]


@click.group(help=WORDS("cli.admin"))
def admin() -> None:
    pass


def db_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--db", "url", envvar="COYOTE_DB", callback=_database, help=WORDS("cli.db"))(command)


def _database(context: click.Context, _param: click.Parameter, url: str | None) -> str:
    """Also `coyote table --db … admin …`."""
    return str(url or context.find_object(str) or default_database())


def default_database() -> str:
    from coyote.table.database import private_folder

    private_folder(folder())
    return f"sqlite:///{(folder() / 'table.sqlite3').absolute()}"


most_option = click.option(
    "--most", type=click.IntRange(1), default=MOST, show_default=True, help=WORDS("cli.most")
)
yes_option = click.option("--yes", is_flag=True, help=WORDS("cli.yes"))
who_argument = click.argument("id")


@contextmanager
def opened(url: str) -> "Iterator[Store]":
    """A database that is there and of this version: whoever mistypes its name shall not make a new one."""
    from coyote.table.backup import opened as opened_engine
    from coyote.table.database import DatabaseError, check_version, file_of, keep_private
    from coyote.table.store import Store

    path = file_of(url)
    if path and not path.exists():
        raise DatabaseError("admin.no_file", path=path)
    keep_private(url)
    with opened_engine(url) as engine:
        check_version(engine, url)
    store = Store(url)
    try:
        yield store
    finally:
        store.close()


def moment(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at / 1000)) if at else ""


def show(words: Words, as_json: bool, found: Sequence[Row], columns: Sequence[str]) -> None:
    """As a table, or as lines of JSON."""
    if as_json:
        for row in found:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(words(f"admin.column.{name}"), no_wrap=name == "id")
    for row in found:
        table.add_row(*(cell(name, row[name]) for name in columns))
    console().print(table)


def cell(name: str, value: Any) -> str:
    if name.endswith("_at"):
        return moment(value)
    return ("✓" if value else "") if isinstance(value, bool) else str(value)


# ---------------------------------------------------------------- looking


@admin.command("rooms", help=WORDS("cli.admin_rooms"))
@click.option("--phase", type=click.Choice(PHASES), help=WORDS("cli.phase"))
@most_option
@db_option
@json_option
@lang_option
def rooms(phase: str | None, most: int, url: str, as_json: bool, lang: str | None) -> None:
    from coyote.table.admin import list_rooms

    words = words_for(lang)
    with opened(url) as store:
        found = [shown_room(row) for row in list_rooms(store, phase or "", most)]
    show(words, as_json, found, ("id", "phase", "game", "names", "made_at", "touched_at"))


def shown_room(row: Row) -> Row:
    about = json.loads(row["about"])
    names = ", ".join(name or "…" for name in about["names"])
    told = {key: row[key] for key in ("id", "phase", "made_at", "touched_at", "owner")}
    return {**told, "game": about["game"], "opponent": about["opponent"], "names": names}


@admin.command("guests", help=WORDS("cli.admin_guests"))
@most_option
@db_option
@json_option
@lang_option
def guests(most: int, url: str, as_json: bool, lang: str | None) -> None:
    show_guests(url, False, most, as_json, lang, ("id", "name", "games", "made_at", "seen_at", "banned"))


@admin.command("tokens", help=WORDS("cli.admin_tokens"))
@most_option
@db_option
@json_option
@lang_option
def tokens(most: int, url: str, as_json: bool, lang: str | None) -> None:
    columns = ("id", "name", "owner", "games", "made_at", "seen_at", "banned", "revoked")
    show_guests(url, True, most, as_json, lang, columns)


def show_guests(
    url: str, bots: bool, most: int, as_json: bool, lang: str | None, columns: Sequence[str]
) -> None:
    from coyote.table.admin import NEVER, list_guests
    from coyote.table.logs import short

    words = words_for(lang)
    with opened(url) as store:
        found = [
            {
                **{key: row[key] for key in ("name", "games", "made_at", "seen_at", "banned")},
                "id": short(row["id"]),
                "owner": short(row["owner"]),
                "revoked": row["valid_from"] == NEVER,
            }
            for row in list_guests(store, bots, most)
        ]
    show(words, as_json, found, columns)


# ---------------------------------------------------------------- one guest


@admin.command("ban", help=WORDS("cli.admin_ban"))
@who_argument
@db_option
@lang_option
def ban(id: str, url: str, lang: str | None) -> None:
    _ban(id, url, lang, True)


@admin.command("unban", help=WORDS("cli.admin_unban"))
@who_argument
@db_option
@lang_option
def unban(id: str, url: str, lang: str | None) -> None:
    _ban(id, url, lang, False)


def _ban(id: str, url: str, lang: str | None, banned: bool) -> None:
    from coyote.table import admin as people

    words = words_for(lang)
    with opened(url) as store:
        guest = people.find_guest(store, id)
        people.ban(store, guest["id"], banned)
    click.echo(words("admin.banned" if banned else "admin.unbanned", name=guest["name"]))


@admin.command("revoke", help=WORDS("cli.admin_revoke"))
@who_argument
@db_option
@lang_option
def revoke(id: str, url: str, lang: str | None) -> None:
    from coyote.table import admin as people

    words = words_for(lang)
    with opened(url) as store:
        bot = people.find_guest(store, id)
        if not bot["owner"]:
            raise Fault("admin.no_bot", name=bot["name"])
        people.revoke(store, bot["id"])
    click.echo(words("admin.revoked", name=bot["name"]))


@admin.command("delete", help=WORDS("cli.admin_delete"))
@who_argument
@yes_option
@db_option
@lang_option
def delete(id: str, yes: bool, url: str, lang: str | None) -> None:
    from coyote.table import admin as people

    words = words_for(lang)
    with opened(url) as store:
        guest = people.find_guest(store, id)
        ask(yes, words("admin.ask_delete", name=guest["name"]))
        try:
            changed = people.delete_guest(store, guest["id"])
        except people.Unfinished as error:
            raise Fault("admin.unfinished", name=guest["name"], rooms=", ".join(error.rooms)) from None
    click.echo(words("admin.deleted", name=guest["name"], rooms=words("count.rooms", n=len(changed))))


@admin.command("export", help=WORDS("cli.admin_export"))
@who_argument
@db_option
@lang_option
def export(id: str, url: str, lang: str | None) -> None:
    from coyote.table import admin as people

    words_for(lang)
    with opened(url) as store:
        for piece in people.export_guest(store, people.find_guest(store, id)["id"]):
            click.echo(piece, nl=False)


def ask(yes: bool, question: str) -> None:
    if not yes:
        click.confirm(question, abort=True, err=True)


# ---------------------------------------------------------------- all of it


@admin.command("prune", help=WORDS("cli.admin_prune"))
@click.option("--dry-run", is_flag=True, help=WORDS("cli.dry_run"))
@click.option("--waiting", type=click.IntRange(1), help=WORDS("cli.days_waiting"))
@click.option("--games", type=click.IntRange(1), help=WORDS("cli.days_games"))
@click.option("--guests", "guests_", type=click.IntRange(1), help=WORDS("cli.days_guests"))
@click.option("--finished", type=click.IntRange(1), help=WORDS("cli.days_finished"))
@db_option
@json_option
@lang_option
def prune(dry_run: bool, url: str, as_json: bool, lang: str | None, **days: int | None) -> None:
    from coyote.table.admin import milliseconds
    from coyote.table.retention import Terms
    from coyote.table.retention import prune as prune_store

    words = words_for(lang)
    terms = replace(Terms(), **{name.strip("_"): n for name, n in days.items() if n is not None})
    with opened(url) as store:
        counts = prune_store(store, milliseconds(), terms, dry_run=dry_run)
    if as_json:
        return click.echo(json.dumps(counts))
    told = {name: words(f"count.{name}", n=n) for name, n in counts.items()}
    click.echo(words("admin.would_prune" if dry_run else "admin.pruned", **told))


@admin.command("backup", help=WORDS("cli.admin_backup"))
@file_argument
@db_option
@lang_option
def backup(file: Path, url: str, lang: str | None) -> None:
    from coyote.table.backup import back_up

    words = words_for(lang)
    counts = back_up(url, file)
    click.echo(words("admin.backed_up", path=file, **counted(words, counts)))


@admin.command("restore", help=WORDS("cli.admin_restore"))
@file_argument
@db_option
@lang_option
def restore(file: Path, url: str, lang: str | None) -> None:
    from coyote.table.backup import restore as restore_file
    from coyote.table.database import claimed, keep_private, without_password

    words = words_for(lang)
    keep_private(url)
    with claimed(url):
        counts = restore_file(file, url)
    click.echo(words("admin.restored", url=without_password(url), **counted(words, counts)))


def counted(words: Words, counts: dict[str, int]) -> dict[str, str]:
    return {name: words(f"count.{name}", n=n) for name, n in counts.items()}


@admin.command("rotate-key", help=WORDS("cli.admin_rotate_key"))
@yes_option
@db_option
@lang_option
def rotate_key(yes: bool, url: str, lang: str | None) -> None:
    from coyote.table import admin as people
    from coyote.table.database import claimed

    words = words_for(lang)
    with opened(url) as store, claimed(url):
        ask(yes, words("admin.ask_rotate"))
        people.rotate_key(store, secrets.token_hex(32))
    click.echo(words("admin.rotated"))


@admin.command("ratings", help=WORDS("cli.admin_ratings"))
@click.option("--recompute", is_flag=True, help=WORDS("cli.recompute"))
@db_option
@json_option
@lang_option
def ratings(recompute: bool, url: str, as_json: bool, lang: str | None) -> None:
    from coyote.table import ladder

    words = words_for(lang)
    with opened(url) as store:
        if not recompute:
            return show(words, as_json, ladder.pools(store), ("game", "edition", "clock", "players"))
        found = ladder.recompute(store)
    if as_json:
        return click.echo(json.dumps(found._asdict()))
    told = {"games": words("count.games", n=found.games), "guests": words("count.ratings", n=found.players)}
    click.echo(words("admin.recomputed", n=found.changed, **told))


@admin.command("check", help=WORDS("cli.admin_check"))
@db_option
@json_option
@lang_option
def check(url: str, as_json: bool, lang: str | None) -> None:
    from coyote.table.admin import broken_rooms

    words = words_for(lang)
    with opened(url) as store:
        found = list(broken_rooms(store))
    for id, phase, why in found:
        click.echo(json.dumps({"id": id, "phase": phase, "why": why}) if as_json else f"{id}  {phase}  {why}")
    if found:
        raise Fault("admin.broken", rooms=words("count.rooms", n=len(found)))
    if not as_json:
        click.echo(words("admin.sound"))
