"""What several commands share: options, progress, the console."""

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from coyote.cli import faults
from coyote.cli.faults import Fault
from coyote.games.game import Game
from coyote.games.registry import GAMES, make_game
from coyote.text import LANGUAGES, Words, language_of_locale

WORDS = Words(language_of_locale())


def console(**settings: Any) -> Console:
    return Console(highlight=False, **settings)


def words_for(lang: str | None) -> Words:
    """The words of a command; a fault of the same run is told in them too."""
    faults.spoken = Words(lang or language_of_locale())
    return faults.spoken


lang_option = click.option("--lang", type=click.Choice(LANGUAGES), help=WORDS("cli.lang"))
edition_option = click.option(
    "--edition", type=click.Choice(["standard", "classic"]), default=None, help=WORDS("cli.edition")
)
json_option = click.option("--json", "as_json", is_flag=True, help=WORDS("cli.json"))
game_argument = click.argument("game", type=click.Choice(list(GAMES)))
file_argument = click.argument("file", type=click.Path(path_type=Path))


def game_with(name: str, edition: str | None, options: tuple[str, ...] = ()) -> Game:
    """The game with the options of the command line: `--edition classic`, `--option key=value`."""
    settled: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise Fault("fault.key_value", text=option)
        if key in settled:
            raise Fault("fault.option_twice", name=key)
        settled[key] = value
    if edition is not None:
        if settled.get("edition", edition) != edition:
            raise Fault("fault.option_twice", name="edition")
        settled["edition"] = edition
    return make_game(name, **settled)
