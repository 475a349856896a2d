"""`coyote bench`: how fast uniform random play is, on one thread."""

import json
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import click

from coyote.cli.common import (
    WORDS,
    edition_option,
    game_argument,
    game_with,
    house_rules_option,
    json_option,
    lang_option,
    set_option,
    setup_with,
    two_decks,
    words_for,
)
from coyote.cli.warm import warm_up
from coyote.games.game import Game, Setup
from coyote.lab.series import series
from coyote.lab.simulate import GAMES_AT_ONCE


@click.command(help=WORDS("cli.bench"))
@game_argument
@edition_option
@house_rules_option
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
    options: tuple[str, ...],
    decks: str | None,
    set_file: Path | None,
    seconds: float,
    as_json: bool,
    lang: str | None,
) -> None:
    words = words_for(lang)
    chosen = game_with(game, edition, options, set_file)
    setups = [setup_with(chosen, two_decks(decks))] if decks else chosen.samples()
    warm_up(chosen, words, series=True)
    found = measure(chosen, setups, seconds)
    if as_json:
        click.echo(json.dumps(found))
    else:
        click.echo(words("bench.result", **found))


def measure(game: Game, setups: Sequence[Setup], seconds: float) -> dict[str, float]:
    """Decisions and games a second, every decision from the full list of legal moves."""
    source = series("bench")
    for setup in setups:
        game.random_games(setup, source, 0, 100, points=False)
    decisions = played = 0
    turn = cycle(setups)
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        tally = game.random_games(next(turn), source, played, GAMES_AT_ONCE // len(setups), points=False)
        decisions += int(tally.decisions)
        played += int(tally.games)
    found = {"decisions_per_s": decisions / passed, "games_per_s": played / passed}
    if game.SIMULTANEOUS:
        found["turns_per_s"] = decisions / 2 / passed
    return found
