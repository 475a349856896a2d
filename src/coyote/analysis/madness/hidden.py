"""What the other hand of Madness could hold."""

from math import comb

from coyote.analysis.madness.belief import Belief
from coyote.games.game import Game, Json, Record
from coyote.games.madness.cards import RANKS, all_cards
from coyote.games.madness.notation import card_names
from coyote.games.madness.view import seen

FEW = 4.0  # hands of which nothing is known but the exact chances, beside those that were weighed


def believed_ranks(game: Game, view: Record, seat: int, belief: Belief) -> Json:
    """How likely the hand has at least one of a rank, as their play tells."""
    exact = hidden_hand(game, view, seat)["ranks"]
    unseen = int(all_cards(game.row.jokers)) & ~int(seen(view))
    found = {}
    for rank, chance in exact.items():
        share = belief.has(unseen & (15 << 4 * (*RANKS, "X").index(rank)))
        found[rank] = round((belief.sharp * share + FEW * chance) / (belief.sharp + FEW), 4)
    return found


def hidden_hand(game: Game, view: Record, seat: int) -> Json:
    """M8  Every card that the seat has not seen is as likely as another to be in the other hand: exactly."""
    unseen = card_names(int(all_cards(game.row.jokers)) & ~int(seen(view)))
    n, held = len(unseen), int(view.held[1 - seat])
    left = {rank: sum(card[0] == rank for card in unseen) for rank in (*RANKS, "X")}
    return {
        "held": held,
        "exact": True,
        "unseen": unseen,
        "chance": round(held / n, 4) if n else 0.0,
        "ranks": {
            rank: round(1 - comb(n - some, held) / comb(n, held), 4) for rank, some in left.items() if some
        },
    }
