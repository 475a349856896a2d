"""The games by name."""

from typing import Any

from coyote.games.duel.game import Duel
from coyote.games.game import Game, OptionError, Record
from coyote.games.madness.game import Madness

GAMES: dict[str, type[Game]] = {"madness": Madness, "duel": Duel}


def make_game(name: str, **options: Any) -> Game:
    """The game of that name with its options; OptionError where there is none such."""
    if name not in GAMES:
        raise OptionError("record.game", found=name, known=", ".join(GAMES))
    return GAMES[name](**options)


def game_at(position: str) -> tuple[Game, Record]:
    """The game and state of a position: its first word names the game."""
    name = position.split(maxsplit=1)[0] if position.strip() else "madness"
    return GAMES.get(name, Madness).at_position(position)
