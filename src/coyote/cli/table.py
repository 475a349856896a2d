"""`coyote table`: the server for games between people, and between people and bots."""

import os
import socket
import webbrowser
from dataclasses import fields, replace
from pathlib import Path

import click

from coyote.cli.common import WORDS, lang_option, words_for
from coyote.cli.faults import Fault
from coyote.cli.saves import folder
from coyote.table.limits import Limits

PORT = 8000


@click.command(help=WORDS("cli.table"))
@click.option("--host", default="127.0.0.1", show_default=True, help=WORDS("cli.host"))
@click.option("--port", type=click.IntRange(0, 65535), help=WORDS("cli.port"))
@click.option("--open", "opens", is_flag=True, help=WORDS("cli.open"))
@click.option("--db", "url", help=WORDS("cli.db"))
@click.option("--name", "names", multiple=True, help=WORDS("cli.name"))
@click.option("--limit", "limits", multiple=True, help=WORDS("cli.limit"))
@click.option("--bot-threads", type=click.IntRange(1, 64), help=WORDS("cli.bot_threads"))
@lang_option
def command(
    host: str,
    port: int | None,
    opens: bool,
    url: str | None,
    names: tuple[str, ...],
    limits: tuple[str, ...],
    bot_threads: int | None,
    lang: str | None,
) -> None:
    words = words_for(lang)
    settled = read_limits(limits)
    from coyote.table.run import serve  # only now: `--help` need not wait for the server's parts

    def listening(address: str) -> None:
        click.echo(words("room.listening", address=address))
        if opens:
            webbrowser.open(address)

    threads = bot_threads or max(1, (os.cpu_count() or 1) - 1)
    port = usual_port(host) if port is None else port
    serve(url or default_database(), host, port, listening, names, settled, threads)
    raise Fault("room.no_start", host=host, port=port)


def usual_port(host: str) -> int:
    """The usual one, or any where that is taken: another table may be open."""
    try:
        with socket.create_server((host, PORT)):
            return PORT
    except OSError:
        return 0


def default_database() -> str:
    folder().mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{Path(folder() / 'table.sqlite3').absolute()}"


def read_limits(given: tuple[str, ...]) -> Limits:
    """`--limit rooms_per_guest=10`"""
    known = [one.name for one in fields(Limits)]
    limits = Limits()
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise Fault("fault.key_value", text=text)
        if name not in known:
            raise Fault("room.no_limit", name=name, known=", ".join(known))
        if not value.isdecimal() or int(value) < 1:
            raise Fault("fault.bad_value", name=name, what=value)
        limits = replace(limits, **{name: int(value)})
    return limits
