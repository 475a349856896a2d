"""`coyote deck`: ready decks, deck files and deck codes."""

from collections import Counter
from pathlib import Path
from random import Random

import click
from rich.table import Table
from rich.text import Text

from coyote.cli.cards import card_set, speech
from coyote.cli.common import (
    WORDS,
    console,
    game_with,
    house_rules_option,
    lang_option,
    plain_text,
    set_option,
    words_for,
)
from coyote.cli.duel_table import STYLES, style_of
from coyote.cli.faults import Fault
from coyote.cli.terminals import duel_deck
from coyote.games.duel.decks import Deck, decode, encode, random_deck, read_deck, ready_decks
from coyote.games.duel.game import Duel, decks_of
from coyote.games.duel.language import ACTIONS, ALL, Action
from coyote.games.duel.sets import CardSet
from coyote.seeds import new_seed
from coyote.text import Words
from coyote.text.tomlfile import FileError

BAR = 30
BLOCK_ALL_IS = 20  # what "block all" counts for in the curve


@click.group(help=WORDS("cli.deck_group"))
def command() -> None:
    pass


@command.command("list", help=WORDS("cli.deck_list"))
@set_option
@lang_option
def list_decks(set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    out = console()
    cards = card_set(set_file)
    decks = ready_decks() if set_file is None else decks_beside(set_file, cards)
    for name, deck in decks.items():
        out.print(Text.assemble((name, "bold cyan"), f"  {deck.name(speech(words))}"))
        if deck.description(speech(words)):
            out.print(f"    {deck.description(speech(words))}")
        out.print(f"    {summary(deck, cards, words)}", style="dim")
    if not decks:
        out.print(words("deck.none_beside", set=cards.name, path=str(set_file)))


def decks_beside(set_file: Path, cards: CardSet) -> dict[str, Deck]:
    """The legal decks of a set that lie in its folder, by the files they are in."""
    found = {}
    for path in sorted(set_file.parent.glob("*.toml")):
        try:
            found[str(path)] = read_deck(path, cards)
        except FileError:  # the set itself, decks of other sets, any other file
            continue
    return found


@command.command("show", help=WORDS("cli.deck_show"))
@click.argument("name")
@house_rules_option
@set_option
@lang_option
def show(name: str, options: tuple[str, ...], set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    game = duel_with(options, set_file)
    draw(one_deck(name, game), game, words)


@command.command("check", help=WORDS("cli.deck_check"))
@click.argument("file", type=click.Path(path_type=Path))
@house_rules_option
@set_option
@lang_option
def check(file: Path, options: tuple[str, ...], set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    game = duel_with(options, set_file)
    deck = read_deck(file, game.card_set, game.limits)
    click.echo(words("deck.good", path=file, cards=words("count.cards", n=deck.size)))


@command.command("code", help=WORDS("cli.deck_code"))
@click.argument("file")
@house_rules_option
@set_option
@lang_option
def code(file: str, options: tuple[str, ...], set_file: Path | None, lang: str | None) -> None:
    words_for(lang)
    game = duel_with(options, set_file)
    is_ready = file in ready_decks()
    deck = one_deck(file, game) if is_ready else read_deck(file, game.card_set, game.limits)
    click.echo(encode(deck, game.card_set, game.limits))


@command.command("decode", help=WORDS("cli.deck_decode"))
@click.argument("code")
@house_rules_option
@set_option
@lang_option
def decode_code(code: str, options: tuple[str, ...], set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    game = duel_with(options, set_file)
    draw(legal(decode(code, game.card_set), game), game, words)


@command.command("random", help=WORDS("cli.deck_random"))
@click.option("--seed", callback=plain_text, help=WORDS("cli.seed"))
@house_rules_option
@set_option
@lang_option
def show_random(seed: str | None, options: tuple[str, ...], set_file: Path | None, lang: str | None) -> None:
    words = words_for(lang)
    game = duel_with(options, set_file)
    draw(random_deck(game.card_set, Random(seed or new_seed()), game.limits), game, words)


def duel_with(options: tuple[str, ...], set_file: Path | None) -> Duel:
    """D26  Decks are judged by the numbers of the match that they are for."""
    game = game_with("duel", None, options, set_file)
    assert isinstance(game, Duel)
    return game


def one_deck(name: str, game: Duel) -> Deck:
    return legal(duel_deck(game, name), game)


def legal(asked: str | Deck, game: Duel) -> Deck:
    """The deck that is meant, where the set has it and D19 allows it."""
    deck = decks_of(game.settle([asked])).decks[0]
    if deck is None:  # `random` is another deck each time
        raise Fault("fault.random_deck", name=str(asked))
    return deck


def summary(deck: Deck, cards: CardSet, words: Words) -> str:
    listed = [cards.by_id[card_id] for card_id in deck.ids()]
    return words(
        "deck.list",
        cards=words("count.cards", n=deck.size),
        common=sum(card.rarity == "common" for card in listed),
        rare=sum(card.rarity == "rare" for card in listed),
        auto=sum(card.program.auto for card in listed),
        super=sum(card.program.super for card in listed),
    )


def draw(deck: Deck, game: Duel, words: Words) -> None:
    out, cards = console(), game.card_set
    lang = speech(words)
    if deck.name(lang):
        out.print(Text(deck.name(lang), "bold"))
    if deck.description(lang):
        out.print(deck.description(lang))
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("deck.copies", "cards.id", "cards.name", "cards.rarity", "cards.text"):
        table.add_column(words(heading))
    for card_id, copies in deck.cards:
        card = cards.by_id[card_id]
        name = Text(card.name(lang), style_of(card.program))
        table.add_row(str(copies), card_id, name, words(f"cards.{card.rarity}"), card.text(lang))
    out.print(table)
    out.print(summary(deck, cards, words), style="dim")
    out.print(words("deck.curve"))
    out.print(curve(deck, cards, words))
    out.print(words("deck.code.shown", code=encode(deck, cards, game.limits)))


def curve(deck: Deck, cards: CardSet, words: Words) -> Table:
    """How much of each action all the cards together have, every due turn counted."""
    sums: Counter[Action] = Counter()
    for card_id in deck.ids():
        for effect in cards.by_id[card_id].program.effects:
            amount = BLOCK_ALL_IS if effect.amount == ALL else max(effect.amount, 1)
            sums[effect.action] += amount * effect.turns
    most = max(sums.values(), default=1)
    grid = Table.grid(padding=(0, 2))
    for action in Action:
        if sums[action]:
            length = max(1, round(BAR * sums[action] / most))
            grid.add_row(
                words(f"action.{action}"), Text("█" * length, STYLES[ACTIONS[action].look]), str(sums[action])
            )
    return grid
