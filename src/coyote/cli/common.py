"""What several commands share: options, progress, the console."""

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from coyote.cli import faults
from coyote.cli.faults import Fault
from coyote.games.duel.decks import Deck, DeckCodeError, decode, read_deck, ready_decks
from coyote.games.duel.decks import faults as faults_of
from coyote.games.duel.game import RANDOM
from coyote.games.duel.sets import CardSet, core_set, read_set
from coyote.games.game import Game, OptionError
from coyote.games.registry import GAMES, make_game
from coyote.text import LANGUAGES, Words, language_of_locale

WORDS = Words(language_of_locale())


def console(**settings: Any) -> Console:
    return Console(highlight=False, **settings)


def words_for(lang: str | None) -> Words:
    """The words of a command; a fault of the same run is told in them too."""
    faults.spoken = Words(lang or language_of_locale())
    return faults.spoken


lang_option = click.option("--lang", type=click.Choice(LANGUAGES), help=WORDS("cli.lang"))
edition_option = click.option(
    "--edition", type=click.Choice(["standard", "classic"]), default=None, help=WORDS("cli.edition")
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


def legal_deck(deck: Deck, cards: CardSet) -> Deck:
    """The deck itself; what breaks D19 is refused with every reason."""
    if broken := faults_of(deck, cards):
        reasons = {lang: "; ".join(fault.message(lang) for fault in broken) for lang in ("en", "ru")}
        raise OptionError("option.deck", name=deck.id or "?", reasons=reasons)
    return deck


def card_set(path: Path | None) -> CardSet:
    return core_set() if path is None else read_set(path)


def find_deck(text: str, cards: CardSet) -> Deck | str:
    """A ready deck by its name, a file, a deck code, or `random`."""
    if text == RANDOM:
        return text
    if text in ready_decks():
        return legal_deck(ready_decks()[text], cards)
    if Path(text).exists():
        return read_deck(text, cards)
    try:
        return legal_deck(decode(text, cards), cards)
    except DeckCodeError as error:
        if error.why != "damaged":
            raise
        raise Fault("fault.no_deck", name=text, known=", ".join([*ready_decks(), RANDOM])) from None


def two_decks(text: str | None) -> list[str] | None:
    if text is None:
        return None
    decks = text.split(",")
    if len(decks) != 2:
        raise Fault("fault.two_decks", text=text)
    return decks


def duel_parts(decks: list[str] | None, set_file: Path | None) -> dict[str, Any]:
    """What makes a duel besides its options."""
    cards = card_set(set_file)
    chosen = decks or ([RANDOM, RANDOM] if set_file else None)
    found: dict[str, Any] = {"card_set": cards}
    if chosen:
        found["decks"] = [find_deck(deck, cards) for deck in chosen]
    return found


def game_with(
    name: str,
    edition: str | None,
    options: tuple[str, ...] = (),
    decks: list[str] | None = None,
    set_file: Path | None = None,
) -> Game:
    """The game with the options of the command line: `--edition classic`, `--option key=value`, decks."""
    settled: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise Fault("fault.key_value", text=option)
        if key in settled:
            raise Fault("fault.option_twice", name=key)
        settled[key] = value
    if edition is not None:
        if settled.get("edition", edition) != edition:
            raise Fault("fault.option_twice", name="edition")
        settled["edition"] = edition
    if name == "duel":
        return make_game(name, **settled, **duel_parts(decks, set_file))
    if decks or set_file:
        raise Fault("fault.no_decks", name=name)
    return make_game(name, **settled)
