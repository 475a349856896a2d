"""The games that rooms are played in, made once for each way to play them; all threads share them."""

from collections import OrderedDict
from random import Random
from typing import NamedTuple

import msgspec

from coyote.games.game import Game, Json, OptionError
from coyote.games.registry import GAMES
from coyote.table.inputs import Terms

MOST_GAMES = 256


class GameKey(NamedTuple):
    """What tells one game from another."""

    name: str
    rules: int
    options: bytes
    set: str


class Games:
    """`sets` are the card sets by their digest; nobody changes them."""

    def __init__(self, sets: dict[str, Json]) -> None:
        self.sets = sets
        self._games: OrderedDict[GameKey, Game] = OrderedDict()

    def get(self, terms: Terms) -> Game:
        """The game of a room, with the version of the rules that it was made with; OptionError."""
        options = msgspec.json.encode(terms.options, order="sorted")
        key = GameKey(terms.game, terms.rules, options, terms.set)
        if key not in self._games:
            public = {"set": self.sets[terms.set]} if terms.set else {}
            self._games[key] = kind_of(terms.game).from_public(terms.options, public, terms.rules)
            if len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        return self._games[key]


def kind_of(name: str) -> type[Game]:
    if name not in GAMES:
        raise OptionError("record.game", found=name[:40], known=", ".join(GAMES))
    return GAMES[name]


def chosen_deck(game: Game, text: str | None, party: int, dice: Random) -> list[str] | None:
    """The cards of a deck by its name or code, or of a random one; None where the game has no decks."""
    wanted: list[str | None] = [None, None]
    wanted[party] = text
    deck: list[str] | None = game.settle(wanted, dice).for_seat(party).get("deck")
    return deck
