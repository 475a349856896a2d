"""The games by name. Every layer above has a table with the same names."""

from typing import Any

from coyote.games.duel.game import Duel
from coyote.games.game import Game, OptionError, Record, Setup
from coyote.games.madness.game import Madness

GAMES: dict[str, type[Game]] = {"madness": Madness, "duel": Duel}


def make_game(name: str, **given: Any) -> Game:
    """The game of that name with its options; OptionError where there is none such."""
    if name not in GAMES:
        raise OptionError("record.game", found=name, known=", ".join(GAMES))
    return GAMES[name](**given)


def game_at(position: str) -> tuple[Game, Setup, Record]:
    """The game, setup and state of a position: its first word names the game."""
    name = position.split(maxsplit=1)[0] if position.strip() else ""
    return GAMES.get(name, next(iter(GAMES.values()))).at_position(position)
