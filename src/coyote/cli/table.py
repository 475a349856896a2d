"""`coyote table`: the server for games between people, and between people and bots."""

import ipaddress
import os
import socket
import webbrowser
from dataclasses import fields, replace

import click

from coyote.cli.common import WORDS, lang_option, words_for
from coyote.cli.faults import Fault
from coyote.cli.table_admin import admin, default_database
from coyote.table.limits import Limits

PORT = 8000


@click.group(invoke_without_command=True, help=WORDS("cli.table"))
@click.option("--host", default="127.0.0.1", show_default=True, help=WORDS("cli.host"))
@click.option("--port", type=click.IntRange(0, 65535), help=WORDS("cli.port"))
@click.option("--open", "opens", is_flag=True, help=WORDS("cli.open"))
@click.option("--db", "url", envvar="COYOTE_DB", help=WORDS("cli.db"))
@click.option("--name", "names", multiple=True, help=WORDS("cli.name"))
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS", help=WORDS("cli.proxy"))
@click.option("--limit", "limits", multiple=True, help=WORDS("cli.limit"))
@click.option("--bot-threads", type=click.IntRange(1, 64), help=WORDS("cli.bot_threads"))
@click.option("--metrics", metavar="HOST:PORT", help=WORDS("cli.metrics"))
@click.option("--workers", type=click.IntRange(1, 64), default=1, help=WORDS("cli.workers"))
@click.option("--inner", metavar="HOST:PORT", default="127.0.0.1:0", help=WORDS("cli.inner"))
@click.option("--access-log/--no-access-log", default=False, help=WORDS("cli.access_log"))
@lang_option
@click.pass_context
def command(
    context: click.Context,
    host: str,
    port: int | None,
    opens: bool,
    url: str | None,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    limits: tuple[str, ...],
    bot_threads: int | None,
    metrics: str | None,
    workers: int,
    inner: str,
    access_log: bool,
    lang: str | None,
) -> None:
    words = words_for(lang)
    if context.invoked_subcommand:
        context.obj = url
        return
    settled = read_limits(limits)
    from coyote.table.run import Settings, serve  # only now: `--help` need not wait for the server's parts

    def listening(address: str) -> None:
        click.echo(words("room.listening", address=address))
        if opens:
            webbrowser.open(address)

    port = usual_port(host) if port is None else port
    settings = Settings(
        url=url or default_database(),
        host=host,
        port=port,
        names=names,
        proxies=read_proxies(proxies),
        limits=settled,
        bot_threads=bot_threads or threads_for(workers),
        metrics=read_address(metrics, "--metrics") if metrics else None,
        access_log=access_log,
        inner=read_inner(inner),
    )
    if workers > 1:
        from coyote.table.workers import serve_by

        serve_by(workers, settings, listening)
    serve(settings, listening)
    raise Fault("room.no_start", host=host, port=port)


command.add_command(admin)


def usual_port(host: str) -> int:
    """The usual one, or any where that is taken: another table may be open."""
    try:
        with socket.create_server((host, PORT)):
            return PORT
    except OSError:
        return 0


def threads_for(workers: int) -> int:
    """For bots: several processes share the cores, one alone leaves a core to all else."""
    cores = os.cpu_count() or 1
    return max(1, cores // workers if workers > 1 else cores - 1)


def read_inner(text: str) -> tuple[str, int]:
    """An address that means something to others."""
    host, port = read_address(text, "--inner")
    if host in ("0.0.0.0", "::"):
        raise Fault("room.inner", host=host)
    return host, port


def read_address(text: str, option: str) -> tuple[str, int]:
    """`127.0.0.1:9100`, `[::1]:9100`"""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise Fault("fault.bad_value", name=option, what=text)
    return host.strip("[]"), int(port)


def read_proxies(given: tuple[str, ...]) -> tuple[str, ...]:
    """`--proxy 127.0.0.1 --proxy 10.0.0.0/8`"""
    for text in given:
        try:
            ipaddress.ip_network(text, strict=False)
        except ValueError:
            raise Fault("fault.bad_value", name="--proxy", what=text) from None
    return given


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
