"""`coyote export`: the games of a file of records as a dataset, a row for each decision."""

from pathlib import Path

import click

from coyote.cli.common import WORDS, console, file_argument, lang_option, place_of, words_for
from coyote.cli.faults import Fault
from coyote.envs.dataset import FORMATS, dataset, games_of
from coyote.records import Difference, read_records


@click.command(help=WORDS("cli.export"))
@file_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="npz",
    show_default=True,
    help=WORDS("cli.export_format"),
)
@click.option("--out", type=click.Path(path_type=Path), help=WORDS("cli.export_out"))
@lang_option
def command(file: Path, form: str, out: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    path = file.with_suffix(f".{form}") if out is None else out
    if path.resolve() == file.resolve():
        raise Fault("envs.export.same_file", path=path)
    games = rows = 0
    with console(stderr=True).status(words("check.busy")) as status, dataset(path, form) as made:
        try:
            for about, columns in games_of(read_records(file)):
                made.add(about, columns)
                games, rows = games + 1, rows + len(columns["seat"])
                if games % 100 == 0:
                    status.update(words("check.so_far", n=games))
        except Difference as error:
            raise place_of(error, games + 1, words) from None
    click.echo(
        words("envs.export.written", games=words("count.games", n=games), rows=rows, path=path), err=True
    )
