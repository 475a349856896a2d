"""`coyote lab cards`: what each card of a deck is worth."""

from pathlib import Path

import click

from coyote.bots.names import kind_of
from coyote.cli.common import WORDS
from coyote.cli.deck import duel_with
from coyote.cli.lab_common import Common, Question, answer, common_options, deck_or_spec_argument
from coyote.cli.lab_decks import MOST_GAMES, chosen_decks, deck_options
from coyote.cli.warm import warm_bots, warm_up
from coyote.lab import cards_report
from coyote.lab.cards import CardQuestion
from coyote.lab.matrix import Wanted


@click.command(help=WORDS("cli.cards_question"))
@deck_or_spec_argument
@deck_options
@click.option("--against", multiple=True, metavar="DECK", help=WORDS("cli.lab_against"))
@click.option(
    "--games",
    type=click.IntRange(1, MOST_GAMES),
    default=400,
    show_default=True,
    help=WORDS("cli.card_games"),
)
@click.option(
    "--neighbours", type=click.IntRange(0, 20), default=1, show_default=True, help=WORDS("cli.neighbours")
)
@common_options
def command(
    common: Common,
    decks: tuple[str, ...],
    random_decks: int | None,
    bot: str,
    within: float | None,
    options: tuple[str, ...],
    set_file: Path | None,
    against: tuple[str, ...],
    games: int,
    neighbours: int,
) -> None:
    game = duel_with(options, set_file)
    kind_of(bot)
    mine = chosen_decks(game, decks, random_decks, common.seed)
    theirs = chosen_decks(game, against, None, common.seed) if against or not random_decks else mine
    wanted = Wanted(games, within and within / 100)
    asked = CardQuestion(game, mine, theirs, bot, common.seed, wanted, neighbours)
    warm_up(game, common.words)
    warm_bots(game, [bot], common.words)
    answer(common, Question("cards", asked.arguments, asked.find, cards_report.report))
