"""Coyote: three card games for two, exactly and fast.

>>> from coyote import Match
>>> match = Match("madness", seed="friday")
>>> match.play(match.legal()[0])
"""

from coyote.match import IllegalMove, ImpossiblePosition, Match

__all__ = ["IllegalMove", "ImpossiblePosition", "Match"]
__version__ = "0.1.0"
