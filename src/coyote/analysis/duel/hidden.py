"""What the other hand of a duel could hold, by what the bots suppose."""

from coyote.bots.duel.mind import DuelMind
from coyote.bots.minds import mind_of
from coyote.games.game import Game, Json, Record
from coyote.kernel.record import same
from coyote.questions import Question
from coyote.seeds import seed_from, seed_words

HANDS = 200
MOST_NAMED = 12  # cards that are likely to be there


def supposed(game: Game, view: Record, seat: int, n: int, seed: str) -> list[Record]:
    """D18  Tables that the seat cannot tell from the real one, likely ones more often."""
    mind = mind_of(game)
    assert isinstance(mind, DuelMind)
    mind.begin(Question(view, seat, ()))
    dice = seed_words(seed_from(f"worlds {seed}"))
    return [same(mind.suppose(view, seat, dice)) for _ in range(n)]


def hidden_hand(game: Game, view: Record, seat: int) -> Json:
    """How often each card is in the other hand."""
    found: dict[str, int] = {}
    for table in supposed(game, view, seat, HANDS, f"hands {int(view.turn)} {seat}"):
        for card in set(game.hands(table)[1 - seat]):
            found[card] = found.get(card, 0) + 1
    likely = sorted(found.items(), key=lambda one: (-one[1], one[0]))[:MOST_NAMED]
    return {
        "held": int(view.in_hand[1 - seat]),
        "exact": False,
        "cards": {card: round(times / HANDS, 4) for card, times in likely},
    }
