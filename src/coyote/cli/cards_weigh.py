"""Cards weighed by playing, as the workshop does it: in a deck with the card, and with another instead."""

import json

import click
from rich.table import Table
from rich.text import Text

from coyote.cli.cards import speech
from coyote.cli.common import console
from coyote.cli.duel_table import style_of
from coyote.cli.lab_common import progress_bar
from coyote.cli.match import interruptible
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import Card, CardSet
from coyote.games.game import Json
from coyote.table.weigher import scale_for, weigh_there
from coyote.text import Words


def weigh_cards(cards: CardSet, chosen: list[Card], games: int, as_json: bool, words: Words) -> None:
    """Until so many games of each way are played."""
    game = Duel(card_set=cards)
    warm_up(game, words)
    warm_bots(game, sorted({scale_for(card).bot for card in chosen}), words)
    with interruptible(), progress_bar(words) as tell:
        found = []
        for number, card in enumerate(chosen):
            tell("lab.cards.playing", number, len(chosen))
            found.append(weighed(card, cards, games))
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    console().print(drawn(chosen, found, words))
    console().print(words("cards.weigh_note"), style="dim")


def weighed(card: Card, cards: CardSet, games: int) -> Json:
    """What is known of a card after so many games of each of the three ways."""
    known: Json = {}
    for known in weigh_there(card, cards, {}, {}):
        if known["games"] >= 3 * games:
            break
    return {"id": card.id, **{key: known[key] for key in ("worth", "more", "usual", "says", "games")}}


def drawn(chosen: list[Card], found: list[Json], words: Words) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("id", "name", "worth", "more", "verdict", "text"):
        table.add_column(words(f"cards.{heading}"))
    lang = speech(words)
    for card, told in zip(chosen, found, strict=True):
        name = Text(card.name(lang), style_of(card.program))
        shares = (share(told[key], words) for key in ("worth", "more"))
        table.add_row(card.id, name, *shares, words(f"cards.{told['says']}"), card.text(lang))
    return table


def share(worth: Json, words: Words) -> str:
    mean, low, high = (words.number(100 * worth[key], "+.1f") for key in ("mean", "low", "high"))
    return f"{mean} % ({low} … {high})"
