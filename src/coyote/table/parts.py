"""What each game has of its own at the table, by its name: cards of guests, a first game, a rulebook."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Protocol

from coyote.games.duel import records
from coyote.games.duel.bounds import MOST_EVENTS, most_events
from coyote.games.duel.decks import deck_of, encode, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import LONGEST_ID, LONGEST_NAME, LONGEST_TEXT, MOST_CARDS, MOST_EFFECTS, core_set
from coyote.games.game import Game, Json, OptionError
from coyote.games.madness.judged import Judged
from coyote.table.library import card_json
from coyote.table.set_trial import tried_set
from coyote.text import Refusal, Refused


class Judge(Protocol):
    """Follows a game with a real pack, of which it is told what lies open (`games/madness/judged.py`)."""

    moves: list[tuple[int, str]]

    @property
    def hidden(self) -> list[str]: ...

    @property
    def turns_up(self) -> bool: ...

    def legal(self) -> list[str]: ...

    def say(self, move: str, shows: str = "") -> Refusal | None: ...

    def record(self, players: list[str]) -> Json: ...


MOST_LETTERS = 4 * 60_000
"""Of a set as it is kept; a set that guests may bring takes half of it at most."""


def no_set(text: str | None) -> tuple[str, Json]:
    """For a game without cards of one's own."""
    if text:
        raise OptionError("room.no_set")
    return "", {}


def no_cards(game: Game) -> list[Json]:
    return []


def as_they_are(game: Game) -> Json:
    return game.options


def no_deck(game: Game, cards: list[str] | None) -> str:
    return ""


def margin_of(score: Any) -> int:
    """By how much seat 0 is ahead at the end: the score itself, or the difference of both seats' own.

    >>> margin_of(-3), margin_of([12, 7])
    (-3, 5)
    """
    return int(score[0]) - int(score[1]) if isinstance(score, list) else int(score)


@dataclass(frozen=True)
class Part:
    read_set: Callable[[str | None], tuple[str, Json]] = no_set  # from a set's text: its digest, and itself
    strange_cards: Callable[[Game], list[Json]] = no_cards  # that the pages do not know
    options: Callable[[Game], Json] = as_they_are  # as rooms and records of that version write them
    deck_called: Callable[[Game, list[str] | None], str] = no_deck  # a ready one's name, or a code
    own_sets: bool = False  # guests may bring some
    judge: Callable[[Game, str], Judge] | None = (
        None  # of a game with real cards; the text is the first that lies open
    )
    edges: Mapping[str, float] = field(
        default_factory=dict
    )  # by edition: what the first seat is worth, in rating points
    noises: Mapping[str, float] = field(
        default_factory=dict
    )  # what is left of the variance of a result between equals without its luck
    levels: Mapping[str, tuple[float, ...]] = field(
        default_factory=dict
    )  # and about how strong our levels are
    lesson: bool = False
    rulebook: bool = False


def written_set(text: str | None) -> tuple[str, Json]:
    """A card set, the core one where none is given, and its digest; OptionError tells all that is wrong."""
    return core_written() if text is None else tried_set(text)


@cache
def core_written() -> tuple[str, Json]:
    return core_set().digest, records.write_set(core_set())


def set_shown(game: Game) -> Json | None:
    """Which cards a game is played with; `core` only where they are those of the core set."""
    if not isinstance(game, Duel):
        return None
    cards = game.card_set
    return {"name": cards.name, "digest": cards.digest, "core": cards.digest == core_set().digest}


def too_much(game: Game) -> Refusal | None:
    """Why a server does not play this: cards and house rules that let more happen in a turn than it tells.

    With the core set no house rules do.
    """
    if not isinstance(game, Duel) or game.card_set.digest == core_set().digest:
        return None
    events = most_events(game)
    if events <= MOST_EVENTS:
        return None
    return Refusal("room.set_wild", "D10", {"events": events, "most": MOST_EVENTS})


def within_bounds(written: Any) -> Refusal | None:
    """Why a set that was kept is not played with any more: it is larger than guests may bring today."""
    cards = written.get("cards") if isinstance(written, dict) else None
    if not isinstance(cards, list) or not all(isinstance(card, dict) for card in cards):
        return Refusal("record.set", "D20")
    letters = sum(len(text) for card in cards for text in card.values() if isinstance(text, str))
    for what, number, most in (
        ("cards", len(cards), MOST_CARDS),
        ("letters", letters, MOST_LETTERS),
        ("name", len(str(written.get("name", ""))), LONGEST_NAME),
        ("id", _longest(cards, "id"), LONGEST_ID),
        ("names", max(_longest(cards, "ru"), _longest(cards, "en")), LONGEST_NAME),
        ("text", _longest(cards, "text"), 2 * LONGEST_TEXT),  # another language may need more letters
        ("effects", max(map(_effects, cards), default=0), MOST_EFFECTS + 2),  # and the traits
    ):
        if number > most:
            return Refusal("room.set_bounds", "D20", {"what": what, "number": number, "most": most})
    return None


def _longest(cards: list[Json], key: str) -> int:
    return max((len(str(card.get(key, ""))) for card in cards), default=0)


def _effects(card: Json) -> int:
    """At least as many as the card has: each ends with one of these, as do the traits."""
    text = str(card.get("text", ""))
    return text.count(",") + text.count(".")


def strange_cards(game: Game) -> list[Json]:
    """The cards as the page shows them, where they are not those of the core set."""
    assert isinstance(game, Duel)
    known = core_set()
    if all((own := known.get(card.id)) and own.program == card.program for card in game.card_set.cards):
        return []
    return [card_json(card) for card in game.card_set.cards]


def options_of_duel(game: Game) -> Json:
    """Version 1 wrote open lists as `true`, and the deals of its rooms hang on every letter."""
    if game.rules_version > 1 or "open-lists" not in game.options:
        return game.options
    return {**game.options, "open-lists": True}


def deck_called(game: Game, cards: list[str] | None) -> str:
    """Nothing where there is no such word: a code tells only so many copies."""
    assert isinstance(game, Duel)
    return _deck_called(game, tuple(cards)) if cards else ""


@lru_cache(maxsize=1000)
def _deck_called(game: Duel, cards: tuple[str, ...]) -> str:
    deck = deck_of(game.card_set.name, cards)
    ready = next(
        (one.id for one in ready_decks().values() if (one.set, one.cards) == (deck.set, deck.cards)), ""
    )
    try:
        return ready or encode(deck, game.card_set, game.limits)
    except Refused:
        return ""


# Edges as `docs/games/madness-balance.md` has measured them: 56.7 % and 60.4 % of the points. Noises as
# `docs/ratings.md` has.
# Levels as `docs/bots.md` has, from games among themselves: people correct them (`table/ladder.py`).
PARTS = {
    "madness": Part(
        judge=Judged,
        lesson=True,
        rulebook=True,
        edges={"standard": 47.0, "classic": 73.0},
        noises={"standard": 0.5, "classic": 0.8},
        levels={
            "standard": (1000, 1138, 1273, 1394, 1516, 1641, 1735),
            "classic": (1000, 1232, 1432, 1568, 1740, 1889, 2111),
        },
    ),
    "duel": Part(
        written_set,
        strange_cards,
        options_of_duel,
        deck_called,
        own_sets=True,
        lesson=True,
        rulebook=True,
        noises={"": 0.85},
        levels={"": (1000, 1150, 1250, 1340, 1429, 1511, 1620)},
    ),
}
