"""What could they hold? The cards that may be in the other hand, from what a seat may know."""

from collections.abc import Callable

from coyote.games.game import Json
from coyote.match import Match


def madness_hand(match: Match, seat: int) -> Json:
    from coyote.analysis.madness.hidden import hidden_hand

    return hidden_hand(match.game, match.view(seat), seat)


def duel_hand(match: Match, seat: int) -> Json:
    from coyote.analysis.duel.hidden import hidden_hand

    return hidden_hand(match.game, match.view(seat), seat)


HANDS: dict[str, Callable[[Match, int], Json]] = {"madness": madness_hand, "duel": duel_hand}


def can_tell(match: Match) -> bool:
    return match.game.name in HANDS


def hidden_hand(match: Match, seat: int) -> Json:
    """How many cards are `held`, and which, with their chances.

    Where every unseen card is as likely as another, that is told exactly: `chance` of each card `unseen`, and
    in `ranks` of at least one of a rank. Otherwise `cards` has those that the bots think likely.
    """
    return HANDS[match.game.name](match, seat)
