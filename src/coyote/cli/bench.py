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
    json_option,
    lang_option,
    set_option,
    two_decks,
    words_for,
)
from coyote.cli.warm import warm_up
from coyote.games.duel.decks import ready_decks
from coyote.games.duel.game import Duel
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
    games = ready_duels() if isinstance(chosen, Duel) and decks is None and set_file is None else [chosen]
    found = measure(games, seconds)
    if as_json:
        click.echo(json.dumps(found))
    else:
        click.echo(words("bench.result", **found))


def ready_duels() -> list[Game]:
    """Each ready deck against the next one."""
    names = list(ready_decks())
    return [Duel(decks=(deck, other)) for deck, other in zip(names, names[1:] + names[:1], strict=True)]


def measure(games: Sequence[Game], seconds: float) -> dict[str, float]:
    """Decisions and games a second, every decision from the full list of legal moves."""
    source = series("bench")
    for game in games:
        game.random_games(source, 0, 100, points=False)
    decisions = played = 0
    turn = cycle(games)
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        tally = next(turn).random_games(source, played, GAMES_AT_ONCE // len(games), points=False)
        decisions += int(tally.decisions)
        played += int(tally.games)
    found = {"decisions_per_s": decisions / passed, "games_per_s": played / passed}
    if isinstance(games[0], Duel):
        found["turns_per_s"] = decisions / 2 / passed
    return found
