"""`coyote bench`: how fast uniform random play is, on one thread."""

import json
import time
from pathlib import Path

import click

from coyote.cli.common import (
    WORDS,
    edition_option,
    game_argument,
    game_with,
    json_option,
    lang_option,
    set_option,
    two_decks,
    words_for,
)
from coyote.cli.warm import warm_up
from coyote.games.game import Game
from coyote.lab.simulate import GAMES_AT_ONCE, series


@click.command(help=WORDS("cli.bench"))
@game_argument
@edition_option
@click.option("--decks", help=WORDS("cli.decks"))
@set_option
@click.option(
    "--seconds", type=click.FloatRange(0.1, 3600), default=5.0, show_default=True, help=WORDS("cli.seconds")
)
@json_option
@lang_option
def command(
    game: str,
    edition: str | None,
    decks: str | None,
    set_file: Path | None,
    seconds: float,
    as_json: bool,
    lang: str | None,
) -> None:
    words = words_for(lang)
    chosen = game_with(game, edition, decks=two_decks(decks), set_file=set_file)
    warm_up(chosen, words, series=True)
    found = measure(chosen, seconds)
    if as_json:
        click.echo(json.dumps(found))
    else:
        click.echo(words("bench.result", **found))


def measure(game: Game, seconds: float) -> dict[str, float]:
    """Decisions and games a second, every decision from the full list of legal moves."""
    source = series("bench")
    game.random_games(source, 0, 100, points=False)
    decisions = games = 0
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        tally = game.random_games(source, games, GAMES_AT_ONCE, points=False)
        decisions += int(tally.decisions)
        games += int(tally.games)
    return {"decisions_per_s": decisions / passed, "games_per_s": games / passed}
