"""`coyote cards`: the set as a table, one card drawn, a set file checked."""

from pathlib import Path

import click
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from coyote.cli.common import WORDS, console, lang_option, set_option, words_for
from coyote.cli.duel_table import style_of
from coyote.cli.faults import Fault
from coyote.games.duel.sets import Card, CardSet, core_set, read_set
from coyote.text import Lang, Words


def card_set(path: Path | None) -> CardSet:
    return core_set() if path is None else read_set(path)


@click.group(help=WORDS("cli.cards"))
def command() -> None:
    pass


@command.command("list", help=WORDS("cli.cards_list"))
@set_option
@lang_option
def list_cards(set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    cards = card_set(set_file)
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("id", "name", "rarity", "text"):
        table.add_column(words(f"cards.{heading}"))
    for card in cards.cards:
        name = Text(card.name(speech(words)), style_of(card.program))
        table.add_row(card.id, name, words(f"cards.{card.rarity}"), card.text(speech(words)))
    out = console()
    out.print(table)
    out.print(count(cards, words), style="dim")


@command.command("show", help=WORDS("cli.cards_show"))
@click.argument("card_id", metavar="ID")
@set_option
@lang_option
def show(card_id: str, set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    cards = card_set(set_file)
    card = cards.get(card_id)
    if card is None:
        raise Fault("fault.no_such_card", name=card_id, set=cards.name)
    console().print(drawn(card, words))


@command.command("check", help=WORDS("cli.cards_check"))
@click.argument("file", type=click.Path(path_type=Path))
@lang_option
def check(file: Path, lang: str | None) -> None:
    words = words_for(lang)
    cards = read_set(file)
    click.echo(words("cards.good", path=file, cards=words("count.cards", n=len(cards.cards))))


def speech(words: Words) -> Lang:
    return "ru" if words.lang == "ru" else "en"


def count(cards: CardSet, words: Words) -> str:
    kinds = [card.rarity for card in cards.cards]
    return words(
        "cards.count",
        cards=words("count.cards", n=len(cards.cards)),
        name=cards.name,
        common=kinds.count("common"),
        rare=kinds.count("rare"),
        auto=sum(card.program.auto for card in cards.cards),
        super=sum(card.program.super for card in cards.cards),
    )


def drawn(card: Card, words: Words) -> Panel:
    """One card: its name, its text as the engine reads it, its rarity as a gem."""
    lang = speech(words)
    gem = "◆" if card.rarity == "rare" else "◇"
    style = style_of(card.program)
    return Panel(
        Text(f"\n{card.text(lang)}\n"),
        title=Text(card.name(lang), f"bold {style}"),
        subtitle=Text(f"{gem} {words(f'cards.{card.rarity}')} · {card.id}", "dim"),
        border_style=style,
        width=36,
        padding=(0, 2),
    )
