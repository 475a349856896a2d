"""Coyote: three card games for two, exactly and fast. `docs/api.md` shows every name with an example.

>>> from coyote import Match
>>> match = Match("madness", seed="friday")
>>> match.play(match.legal()[0])
"""

from coyote.games.game import Game, OptionError, PositionError, RecordError
from coyote.games.registry import GAMES, make_game
from coyote.match import IllegalMove, Match
from coyote.questions import Budget, Question
from coyote.records import follow, read_records, write_records
from coyote.text import Refusal, Refused, game_title

__all__ = [
    "GAMES",
    "Budget",
    "Game",
    "IllegalMove",
    "Match",
    "OptionError",
    "PositionError",
    "Question",
    "RecordError",
    "Refusal",
    "Refused",
    "follow",
    "game_title",
    "make_game",
    "read_records",
    "write_records",
]
__version__ = "0.2.0"
