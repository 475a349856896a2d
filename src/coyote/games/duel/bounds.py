"""How much can happen in one turn of a duel, from its cards and house rules alone, without playing."""

from coyote.games.duel.game import Duel
from coyote.games.duel.language import Action, Effect
from coyote.games.duel.sets import Card

MOST_EVENTS = 8192
"""Of one turn, where a server plays for many: telling them takes less than a tenth of a second."""


def most_events(game: Duel) -> int:
    """No turn has more events that cards cause; mostly it has far fewer."""
    by_cards = _by_cards(game)
    return by_cards if game.rules_version == 1 else min(by_cards, _by_health(game))


def _by_health(game: Duel) -> int:
    """D10, D14  Who has no health left moves no card, and from some deck on each draw costs health.

    So there are only so many decks, and between two of them a card is drawn once and discarded once.
    """
    row, cards = game.row, int(game.row.deck_max)
    costly = -(-int(row.health) // int(row.wear)) + 1  # the draws that a player can pay for, and that of D4
    free = int(row.wear_from) * cards
    decks = int(row.wear_from) + costly
    seat = decks * (1 + 2 * cards) + 2 * (costly + free)
    return 2 * seat


def _by_cards(game: Duel) -> int:
    """D10  What all cards that can be in play together make two players draw and lose.

    A draw is at most a new deck, the order of its cards, the wear and the card.
    """
    row, cards = game.row, game.card_set.cards
    longest = max(effect.last for card in cards for effect in card.program.effects)
    in_play = 2 * min(int(row.deck_max), int(row.autos) + longest + 1)
    draws = max(_picks(card, True) for card in cards)
    losses = max(_picks(card, False) for card in cards)
    return in_play * (draws * (int(row.deck_max) + 3) + losses)


def _picks(card: Card, draws: bool) -> int:
    """The most cards that one card lets draw, or lose, in a turn."""
    chosen = [effect for effect in card.program.effects if _moves(effect, draws)]
    return max(
        (sum(e.amount for e in chosen if e.first <= age <= e.last) for age in _ages(chosen)), default=0
    )


def _moves(effect: Effect, draws: bool) -> bool:
    return effect.action is Action.DRAW if draws else effect.action in (Action.DISCARD, Action.SET_ASIDE)


def _ages(effects: list[Effect]) -> set[int]:
    """Where most is due together, some effect has just begun."""
    return {effect.first for effect in effects}
