"""What each game has of its own at the table, by its name: cards of guests, a first game, a rulebook."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from coyote.games.duel import records
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import core_set, parse_set
from coyote.games.game import Game, Json, OptionError
from coyote.table.library import card_shown
from coyote.text import Refusal, Refused
from coyote.text.tomlfile import FileError


def no_set(text: str | None) -> tuple[str, Json]:
    """For a game without cards of one's own."""
    if text:
        raise OptionError("room.no_set")
    return "", {}


def no_cards(game: Game) -> list[Json]:
    return []


def as_they_are(game: Game) -> Json:
    return game.options


@dataclass(frozen=True)
class Part:
    read_set: Callable[[str | None], tuple[str, Json]] = no_set  # from a set's text: its digest, and itself
    strange_cards: Callable[[Game], list[Json]] = no_cards  # that the pages do not know
    options: Callable[[Game], Json] = as_they_are  # as rooms and records of that version write them
    lesson: bool = False
    rulebook: bool = False


def written_set(text: str | None) -> tuple[str, Json]:
    """A card set, the core one where none is given, and its digest; OptionError tells all that is wrong."""
    try:
        cards = core_set() if text is None else parse_set(text)
    except FileError as error:
        raise OptionError([unreadable(refusal) for refusal in error.refusals]) from None
    return cards.digest, records.write_set(cards)


def unreadable(refusal: Refusal) -> Refusal:
    return Refusal("room.set", refusal.rule, {"why": Refused(replace(refusal, rule=""))})


def strange_cards(game: Game) -> list[Json]:
    """The cards as the page shows them, where they are not those of the core set."""
    assert isinstance(game, Duel)
    known = core_set()
    if all((own := known.get(card.id)) and own.program == card.program for card in game.card_set.cards):
        return []
    return [card_shown(card).model_dump() for card in game.card_set.cards]


def options_of_duel(game: Game) -> Json:
    """Version 1 wrote open lists as `true`, and the deals of its rooms hang on every letter."""
    if game.rules_version > 1 or "open-lists" not in game.options:
        return game.options
    return {**game.options, "open-lists": True}


PARTS = {
    "madness": Part(lesson=True, rulebook=True),
    "duel": Part(written_set, strange_cards, options_of_duel, lesson=True, rulebook=True),
}
