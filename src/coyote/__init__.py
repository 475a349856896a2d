"""Coyote: three card games for two, exactly and fast.

>>> from coyote import Match
>>> match = Match("madness", seed="friday")
>>> match.play(match.legal()[0])
"""

from coyote.games.game import PositionError
from coyote.match import IllegalMove, Match

__all__ = ["IllegalMove", "Match", "PositionError"]
__version__ = "0.1.0"
