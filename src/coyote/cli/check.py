"""`coyote check`: follows every record of a file by the rules."""

from pathlib import Path

import click

from coyote.cli.common import WORDS, console, file_argument, lang_option, place_of, words_for
from coyote.records import Difference, follow, read_records


@click.command(help=WORDS("cli.check"))
@file_argument
@lang_option
def command(file: Path, lang: str | None) -> None:
    words = words_for(lang)
    moves = games = 0
    out = console(stderr=True)
    with out.status(words("check.busy")) as status:
        for games, record in enumerate(read_records(file), 1):
            try:
                moves += len(follow(record).moves)
            except Difference as error:
                raise place_of(error, games, words) from None
            if games % 100 == 0:
                status.update(words("check.so_far", n=games))
    click.echo(words("check.good", games=words("count.games", n=games), moves=moves))
