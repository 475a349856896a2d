"""What several commands share: options, progress, the console."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from coyote.cli import faults
from coyote.cli.faults import Fault
from coyote.cli.terminals import TERMINALS
from coyote.games.game import Game, OptionError, Setup
from coyote.games.registry import GAMES, make_game
from coyote.records import Difference
from coyote.text import LANGUAGES, Refusal, Words, language_of_locale

WORDS = Words(language_of_locale())


def console(**settings: Any) -> Console:
    return Console(highlight=False, **settings)


def words_for(lang: str | None) -> Words:
    """The words of a command; a fault of the same run is told in them too."""
    faults.spoken = Words(lang or language_of_locale())
    return faults.spoken


lang_option = click.option("--lang", type=click.Choice(LANGUAGES), help=WORDS("cli.lang"))
EDITIONS = dict.fromkeys(name for game in GAMES.values() for name in game.EDITIONS if name)
edition_option = click.option("--edition", type=click.Choice(list(EDITIONS)), help=WORDS("cli.edition"))
house_rules_option = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help=WORDS("cli.option")
)
json_option = click.option("--json", "as_json", is_flag=True, help=WORDS("cli.json"))
set_option = click.option("--set", "set_file", type=click.Path(path_type=Path), help=WORDS("cli.set"))
game_argument = click.argument("game", type=click.Choice(list(GAMES)))
file_argument = click.argument("file", type=click.Path(path_type=Path))


def plain_text(_ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """A value that is text in UTF-8; a terminal can send other bytes too."""
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        raise Fault("fault.not_text", name=param.opts[0]) from None
    return text


def place_of(error: Difference, game: int, words: Words) -> Fault:
    """Where in a file of records the rules do not bear one out."""
    what = words.refusal(error.refusal)
    if error.move is None:
        return Fault("record.place_game", game=game, what=what)
    return Fault("record.place_move", game=game, move=error.move, what=what)


def two_decks(text: str | None) -> list[str] | None:
    if text is None:
        return None
    decks = text.split(",")
    if len(decks) != 2:
        raise Fault("fault.two_decks", text=text)
    return decks


def game_with(
    name: str, edition: str | None, options: tuple[str, ...] = (), set_file: Path | None = None
) -> Game:
    """The game with the options of the command line: `--edition classic`, `--option key=value`."""
    settled, refusals = read_options(edition, options)
    try:
        game = make_game(name, **GAMES[name].known(settled), **TERMINALS[name].read_set(set_file))
    except OptionError as error:
        refusals += error.refusals
    if refusals:
        raise Fault(refusals)
    return game


def read_options(edition: str | None, options: Iterable[str]) -> tuple[dict[str, Any], list[Refusal]]:
    """What the command line says of options, and every reason why it cannot be read."""
    settled: dict[str, Any] = {} if edition is None else {"edition": edition}
    refusals = []
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            refusals.append(Refusal("fault.key_value", values={"text": option}))
        elif settled.get(key, value) != value or (key in settled and key != "edition"):
            refusals.append(Refusal("fault.option_twice", values={"name": key}))
        else:
            settled[key] = value
    return settled, refusals


def setup_with(game: Game, decks: Sequence[str | None] | None) -> Setup:
    """What the seats bring: ready decks by their names, files, deck codes, or `random`."""
    read = TERMINALS[game.name].read_deck
    return game.settle([None if deck is None else read(game, deck) for deck in decks or ()])
