"""What the questions of the lab share: the spec file, the options, progress, and how an answer is told.

A spec file has the flags of its question by their names: `games = 20000`, `bots = ["greedy", "greedy"]`,
and those that may stand several times as tables, `[vary]` with `goal = "3..9"` for `--vary goal=3..9`.
A flag on the command line counts for more than the file.
"""

import json
import shlex
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Protocol, cast

import click
from click.core import ParameterSource
from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from coyote.cli import faults
from coyote.cli.common import WORDS, console, json_option, lang_option, plain_text, words_for
from coyote.cli.faults import INTERRUPTED, Fault
from coyote.cli.match import interruptible
from coyote.cli.warm import interruption_kept
from coyote.games.game import Json
from coyote.games.registry import GAMES
from coyote.lab import figures
from coyote.lab.engines import ENGINES, Task, engine_named
from coyote.lab.figures import mean_of
from coyote.lab.kept import kept_in, parsed, run, spec_of
from coyote.lab.picture_files import write_pictures
from coyote.lab.report import Report, write_report
from coyote.seeds import new_seed
from coyote.text import Lang, Refusal, Words
from coyote.text.tomlfile import Document, Faults, FileError, load, parse
from coyote.text.tomlfile import Table as TomlTable

LONGEST_SPEC = 100_000  # bytes
WIDE = 6  # columns
PLACES = "coyote.lab.spec"  # the spec file's document, among what a context carries

Run = Callable[[Task, Iterable[Json]], Generator[tuple[Json, Json], None, None]]


class Tell(Protocol):
    """How far the work is; `what` is a key of the words."""

    def __call__(self, what: str, done: int, total: int) -> None: ...


# ---------------------------------------------------------------- the spec file


def spec_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """`SPEC.toml`, or nothing."""
    return click.argument(
        "spec", required=False, is_eager=True, expose_value=False, metavar="[SPEC.toml]", callback=read_spec
    )(command)


def game_or_spec_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """The name of a game, or `SPEC.toml`, which names it."""
    named = click.option("--game", type=click.Choice(list(GAMES)), help=WORDS("cli.lab_game"))(command)
    return click.argument(
        "spec", required=False, is_eager=True, expose_value=False, metavar="[GAME|SPEC.toml]", callback=_about
    )(named)


def _about(ctx: click.Context, param: click.Parameter, about: str | None) -> None:
    if about in GAMES:
        ctx.default_map = {"game": about}
    elif about is not None and not Path(about).exists() and not about.endswith(".toml"):
        raise Fault("fault.lab_about", name=about, known=", ".join(GAMES))
    else:
        read_spec(ctx, param, about)


def deck_or_spec_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """A deck's name, code or file, or `SPEC.toml`, which is a file without a list of cards."""
    return click.argument(
        "spec", required=False, is_eager=True, expose_value=False, metavar="[DECK|SPEC.toml]", callback=_deck
    )(command)


def _deck(ctx: click.Context, param: click.Parameter, about: str | None) -> None:
    is_file = about is not None and (about.endswith(".toml") or Path(about).is_file())
    if about is None or (is_file and "cards" not in _open(about, Faults()).data):
        read_spec(ctx, param, about)
    else:
        ctx.default_map = {"decks": [about]}


def read_spec(ctx: click.Context, _param: click.Parameter, path: str | None) -> None:
    """Put what the file says where a flag that is not given looks for its value."""
    if path is None:
        return
    faults = Faults()
    table = _open(path, faults)
    flags = {_key(param): param for param in ctx.command.params if isinstance(param, click.Option)}
    table.refuse_unknown(*flags)
    values = {
        str(flags[key].name): _flag_value(ctx, flags[key], key, table) for key in table.data if key in flags
    }
    if faults:
        raise FileError(faults)
    ctx.default_map = values
    ctx.meta[PLACES] = table.document


def _open(path: str, faults: Faults) -> TomlTable:
    text = load(path, LONGEST_SPEC)
    if isinstance(text, Refusal):
        raise FileError([text])
    documents, broken = parse(path, text)
    if broken:
        raise FileError(broken)
    return TomlTable(documents[0], (), documents[0].data, faults)


def _key(param: click.Option) -> str:
    """What a flag is called in a spec file: `option` for `--option`."""
    return max(param.opts, key=len).lstrip("-")


def _flag_value(ctx: click.Context, param: click.Option, key: str, table: TomlTable) -> Any:
    """A value of the file as the command line would have it; a fault is noted where it stands."""
    value = table.data[key]
    try:
        given = _as_flag(param, value)
        param.type_cast_value(ctx, given)
    except TypeError:
        several = "lab.spec.several" if param.multiple else "lab.spec.plain"
        table.refuse(key, "lab.spec.flag" if param.is_flag else several, key=key)
    except click.BadParameter as error:
        error.param = param
        table.refuse(key, "lab.spec.value", key=key, what=faults.bad_value(error, faults.spoken))
    else:
        return given
    return None


def _as_flag(param: click.Option, value: Any) -> Any:
    if param.is_flag:
        if not isinstance(value, bool):
            raise TypeError
        return value
    if not param.multiple:
        return _text(value)
    if isinstance(value, dict):
        return [f"{name}={_text(one)}" for name, one in _flat(value)]
    if isinstance(value, list):
        return [_text(one) for one in value]
    raise TypeError


def _flat(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """`ends.lead = 5` is a table in a table; as a flag it is one name."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{rest}", one) for rest, one in _flat(value))
        else:
            yield name, value


def _text(value: Any) -> str:
    """A number or a word; several with commas between them."""
    if isinstance(value, list):
        return ",".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return str(value)
    raise TypeError


def placed(refusal: Refusal, parameter: str, key: str = "") -> Refusal:
    """The refusal of a value with its place in the spec file, where the value is from there.

    `parameter` is the argument of the command, `key` what stands before `=` in one that has several.
    """
    ctx = click.get_current_context()
    document: Document | None = ctx.meta.get(PLACES)
    if document is None or ctx.get_parameter_source(parameter) is not ParameterSource.DEFAULT_MAP:
        return refusal
    flag = next(_key(one) for one in ctx.command.params if one.name == parameter)  # type: ignore[arg-type]
    whole = (flag, key) if key else (flag,)
    place = document.place(whole if whole in document.places.keys else (flag, *key.split(".")))
    return Refusal(refusal.code, refusal.rule, {**refusal.values, **place})


# ---------------------------------------------------------------- the options


@dataclass(frozen=True)
class Common:
    """What every question is told."""

    engine: str
    address: str | None
    out: Path | None
    report: Path | None
    pictures: Path | None
    as_json: bool
    seed: str
    table: str | None
    words: Words


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every question; the command gets them as `common`."""

    @wraps(command)
    def with_common(
        engine: str,
        address: str | None,
        out: Path | None,
        report: Path | None,
        pictures: Path | None,
        as_json: bool,
        seed: str | None,
        table: str | None,
        lang: str | None,
        **others: Any,
    ) -> None:
        seed = _kept_seed(out) if seed is None else seed
        words = words_for(lang)
        command(common=Common(engine, address, out, report, pictures, as_json, seed, table, words), **others)

    options = (
        click.option("--seed", callback=plain_text, help=WORDS("cli.series_seed")),
        click.option(
            "--engine",
            type=click.Choice(list(ENGINES)),
            default="local",
            show_default=True,
            help=WORDS("cli.engine"),
        ),
        click.option("--address", callback=plain_text, help=WORDS("cli.address")),
        click.option("--out", type=click.Path(path_type=Path), help=WORDS("cli.out")),
        click.option("--report", type=click.Path(path_type=Path), help=WORDS("cli.report")),
        click.option(
            "--pictures", type=click.Path(path_type=Path), metavar="FOLDER", help=WORDS("cli.pictures")
        ),
        click.option("--table", callback=plain_text, metavar="ADDRESS", help=WORDS("cli.lab_table")),
        json_option,
        lang_option,
    )
    for option in reversed(options):
        with_common = option(with_common)
    return with_common


def _kept_seed(out: Path | None) -> str:
    """A run that is resumed without a seed goes on with its own."""
    if out is None or not out.is_file():
        return new_seed()
    with out.open("rb") as file:
        frame = parsed(file.readline()) or {}
    spec = frame.get("spec")
    return str(spec["seed"]) if isinstance(spec, dict) and "seed" in spec else new_seed()


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class Question:
    """What is asked, how the answer is found, and how it is told.

    What is told has everything that was found and asked, and besides `command`, `seconds` and, where one
    was named, the address of a `table`.
    """

    name: str
    arguments: Json  # with the seed, all that the answer follows from
    ask: Callable[[Run, Tell], Json]
    report: Callable[[Json, Words], Report]


def answer(common: Common, question: Question) -> None:
    """Find the answer and tell it, as JSON or drawn, and as a report where one is wanted."""
    start = time.perf_counter()
    found = {
        "question": question.name,
        "seed": common.seed,
        **question.arguments,
        **_find(common, question),
        "command": command_line(),
        **({"table": common.table} if common.table else {}),
        "seconds": time.perf_counter() - start,
    }
    report = question.report(found, common.words)
    if common.report:
        write_report(report, common.report, cast(Lang, common.words.lang))
    if common.pictures:
        write_pictures(report, common.pictures, common.words)
    if common.as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        console().print(*drawn(report, common.words), sep="\n")
    if common.report:
        click.echo(common.words("lab.written", path=common.report), err=True)


def _find(common: Common, question: Question) -> Json:
    spec = spec_of(question.name, question.arguments, common.seed)
    with ExitStack() as stack:
        kept = stack.enter_context(kept_in(common.out, spec)) if common.out else None
        try:
            stack.enter_context(interruptible())
            engine = stack.enter_context(engine_named(common.engine, common.address))
            tell = stack.enter_context(progress_bar(common.words))
            with interruption_kept():
                return question.ask(lambda task, pieces: run(engine, task, pieces, kept), tell)
        except KeyboardInterrupt:
            key = "lab.interrupted_kept" if common.out else "lab.interrupted"
            click.echo(common.words(key, path=common.out), err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None


def drawn(report: Report, words: Words) -> Iterator[RenderableType]:
    """A report in the terminal: its sentences, and the tables of its figures; histograms are too long."""
    yield Text(report.title, "bold")
    yield from map(Text, report.lead)
    for section in report.sections:
        yield Text(f"\n{section.title}", "bold")
        yield from map(Text, section.paragraphs)
        for figure in section.figures:
            if isinstance(figure, figures.Histogram):
                continue
            yield _table(figure.table(words), words)
        yield from (Text(f"{link.text}: {link.address}") for link in section.links)


def _table(shown: figures.Table, words: Words) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for number, column in enumerate(shown.columns):
        table.add_column(Text(column.title), justify="right" if number else "left", overflow="fold")
    in_short = len(shown.columns) > WIDE
    for row in shown.rows:
        cells = zip(shown.columns, row, strict=True)
        table.add_row(*(Text(_cell(column, cell, words, in_short)) for column, cell in cells))
    return table


def _cell(column: figures.Column, cell: figures.Cell, words: Words, in_short: bool) -> str:
    """In a wide table numbers stand without their intervals."""
    if cell is None:
        return "–"
    if isinstance(cell, figures.Link):
        return cell.address
    if isinstance(cell, str):
        return cell
    return column.measure.say(mean_of(cell), words) if in_short else column.measure.whole(cell, words)


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["coyote", *sys.argv[1:]])


@contextmanager
def progress_bar(words: Words) -> Iterator[Tell]:
    """A bar on standard error that goes away when the work is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=words(what), completed=done, total=total)

        yield tell
