"""`coyote bot`: a bot of ours for other programs, as `docs/bot-protocol.md` says."""

import click

from coyote.bots import protocol
from coyote.bots.bot import Bot
from coyote.bots.names import kind_of, make_bot
from coyote.cli.common import WORDS, game_argument, lang_option, plain_text, words_for
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.game import Game
from coyote.text import Words


@click.command(help=WORDS("cli.bot"))
@game_argument
@click.argument("name")
@click.option("--seed", callback=plain_text, help=WORDS("cli.bot_seed"))
@lang_option
def command(game: str, name: str, seed: str | None, lang: str | None) -> None:
    words = words_for(lang)
    kind_of(name)

    def make(chosen: Game, given_seed: str) -> Bot:
        prepare(chosen, name, words)
        return make_bot(name, chosen, given_seed if seed is None else seed)

    protocol.Server(name, make, [game]).serve()


def prepare(game: Game, name: str, words: Words) -> None:
    """What has to be compiled is compiled before we say that we are ready."""
    warm_up(game, words)
    warm_bots(game, [name], words)
