"""The games that rooms are played in, made once for each way to play them; all threads share them."""

import threading
from collections import OrderedDict
from functools import lru_cache
from random import Random
from typing import NamedTuple

import msgspec

from coyote.games.game import Game, Json, OptionError
from coyote.games.registry import GAMES
from coyote.table.inputs import Terms
from coyote.table.parts import core_written, too_much

MOST_GAMES = 64
MOST_SETS = 32


class GameKey(NamedTuple):
    """What tells one game from another."""

    name: str
    rules: int
    options: bytes
    set: str


class Games:
    """Games and card sets, those that were used last; the store has all sets that rooms are played with."""

    def __init__(self, sets: dict[str, Json] | None = None) -> None:
        self._games: OrderedDict[GameKey, Game] = OrderedDict()
        self._sets: OrderedDict[str, Json] = OrderedDict(sets or {})
        self._lock = threading.Lock()  # games are made in threads, too

    def get(self, terms: Terms) -> Game:
        """The game of a room, with the version of the rules that it was made with; OptionError.

        A card set must be there already. Reading a large one takes a while: see `knows`.
        """
        key = key_of(terms)
        found = self._games.get(key) or made(terms, self._sets.get(terms.set))
        self.add(terms, found)
        return found

    def knows(self, terms: Terms) -> bool:
        return key_of(terms) in self._games

    def add(self, terms: Terms, game: Game) -> None:
        with self._lock:
            self._games[key_of(terms)] = game
            self._games.move_to_end(key_of(terms))
            if len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)

    def knows_set(self, digest: str) -> bool:
        return digest in self._sets

    def add_set(self, digest: str, cards: Json) -> None:
        with self._lock:
            self._sets[digest] = cards
            self._sets.move_to_end(digest)
            if len(self._sets) > MOST_SETS:
                self._sets.popitem(last=False)


def key_of(terms: Terms) -> GameKey:
    return GameKey(terms.game, terms.rules, msgspec.json.encode(terms.options, order="sorted"), terms.set)


def made(terms: Terms, cards: Json | None) -> Game:
    """OptionError where it is more than a server plays."""
    public = {"set": cards} if terms.set and terms.set != core_written()[0] else {}
    game = kind_of(terms.game).from_public(terms.options, public, terms.rules)
    if refusal := too_much(game):
        raise OptionError([refusal])
    return game


@lru_cache(maxsize=MOST_SETS)
def set_text(game: Game) -> str:
    """The cards of a game as the store keeps them."""
    return msgspec.json.encode(game.public()["set"]).decode()


def kind_of(name: str) -> type[Game]:
    if name not in GAMES:
        raise OptionError("record.game", found=name[:40], known=", ".join(GAMES))
    return GAMES[name]


def chosen_deck(game: Game, text: str | None, party: int, dice: Random) -> list[str] | None:
    """The cards of a deck by its name or code, or of a random one; None where the game has no decks."""
    wanted: list[str | None] = [None, None]
    wanted[party] = text
    try:
        deck: list[str] | None = game.settle(wanted, dice).for_seat(party).get("deck")
    except OptionError as error:
        if error.code == "fault.no_deck":  # which speaks of files
            raise OptionError("room.no_deck", name=error.values["name"]) from None
        raise
    return deck
