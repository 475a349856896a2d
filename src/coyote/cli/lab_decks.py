"""`coyote lab decks`: how decks stand against each other, and how far above half a new one can get."""

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import click

from coyote.bots.names import kind_of
from coyote.cli.common import WORDS, house_rules_option, plain_text, set_option
from coyote.cli.deck import duel_with, one_deck
from coyote.cli.faults import Fault
from coyote.cli.lab_common import Common, Question, answer, common_options, spec_argument
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.duel.decks import Deck, faults, random_deck, ready_decks
from coyote.games.duel.game import Duel
from coyote.lab import decks_report
from coyote.lab.decks import DeckQuestion
from coyote.lab.matrix import Wanted

MOST_GAMES = 10**6


def deck_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of both questions about decks."""
    options = (
        click.option("--deck", "decks", multiple=True, metavar="DECK", help=WORDS("cli.lab_deck")),
        click.option("--random", "random_decks", type=click.IntRange(1, 100), help=WORDS("cli.lab_random")),
        click.option(
            "--bot", default="search:100", show_default=True, callback=plain_text, help=WORDS("cli.lab_bot")
        ),
        click.option("--within", type=click.FloatRange(0.1, 50), help=WORDS("cli.lab_within")),
        house_rules_option,
        set_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command(help=WORDS("cli.decks_question"))
@spec_argument
@deck_options
@click.option(
    "--games",
    type=click.IntRange(1, MOST_GAMES),
    default=200,
    show_default=True,
    help=WORDS("cli.pairing_games"),
)
@click.option("--search", type=click.IntRange(1, 10**8), help=WORDS("cli.search_games"))
@click.option("--oracle", type=click.IntRange(1, 100), help=WORDS("cli.oracle"))
@common_options
def command(
    common: Common,
    decks: tuple[str, ...],
    random_decks: int | None,
    bot: str,
    within: float | None,
    options: tuple[str, ...],
    set_file: Path | None,
    games: int,
    search: int | None,
    oracle: int | None,
) -> None:
    game = duel_with(options, set_file)
    kind_of(bot)
    met = chosen_decks(game, decks, random_decks, common.seed)
    if len(met) < 2:
        raise Fault("lab.decks.few")
    if oracle and not search:
        raise Fault("lab.decks.oracle_alone")
    wanted = Wanted(games, within and within / 100)
    asked = DeckQuestion(game, met, bot, common.seed, wanted, search or 0, oracle or 0)
    warm_up(game, common.words)
    warm_bots(game, [bot], common.words)
    answer(common, Question("decks", asked.arguments, asked.find, decks_report.report))


def chosen_decks(game: Duel, names: Iterable[str], random_decks: int | None, seed: str) -> dict[str, Deck]:
    """The decks that are asked about, by their names; without any, the ready ones that may be played."""
    found: dict[str, Deck] = {}
    for number, name in enumerate(names, 1):
        deck = one_deck(name, game)
        called = deck.id or f"deck {number}"
        if called in found:
            raise Fault("lab.decks.twice", name=called)
        found[called] = deck
    dice = Random(f"{seed} decks")
    for number in range(1, (random_decks or 0) + 1):
        found[f"random {number}"] = random_deck(game.card_set, dice, game.limits)
    return found or ready(game)


def ready(game: Duel) -> dict[str, Deck]:
    """The ready decks that this game allows."""
    found = {
        name: deck for name, deck in ready_decks().items() if not faults(deck, game.card_set, game.limits)
    }
    if not found:
        raise Fault("lab.decks.none")
    return found
