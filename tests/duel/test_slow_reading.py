"""The kernel against a second, slow reading of the rules (`kit/slow_duel.py`), turn by turn.

Sets and decks are random and legal; of every kind of set there are many, and much must happen in each.
`tools/duel_soak.py` does the same for 100,000 duels.
"""

from collections import Counter
from random import Random

import pytest

from coyote.games.duel.decks import ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import core_set
from duel.kit_duel import FLAVOURS, random_list, random_set
from duel.kit_readings import play_both, slow_cards

CHUNKS = 4  # of each flavour
SETS, DUELS = 30, 5  # in each chunk; 2,400 duels in all

# How often at least, in a chunk. Wild cards kill too early for much else.
LEAST = {
    "mild": {
        "wear": 500,
        "no_draw": 20,
        "burn": 50,
        "auto": 100,
        "aside": 200,
        "discard": 200,
        "fifth deck": 40,
    },
    "even": {
        "wear": 100,
        "no_draw": 10,
        "burn": 50,
        "auto": 100,
        "aside": 200,
        "discard": 200,
        "fifth deck": 20,
    },
    "sharp": {"burn": 10, "auto": 50, "aside": 50, "discard": 50, "new_deck": 20},
    "wild": {
        "wear": 500,
        "no_draw": 100,
        "burn": 50,
        "aside": 20,
        "discard": 20,
        "fifth deck": 20,
        "drawn": 1,
    },
}


def play_set(name: str, flavour: str, duels: int) -> Counter[str]:
    """Duels of one random set, each with decks of its own."""
    rng = Random(name)
    card_set = random_set(rng, flavour)
    seen: Counter[str] = Counter()
    cards = None
    for number in range(duels):
        game = Duel(card_set=card_set, decks=[random_list(card_set, rng) for _ in range(2)])
        cards = cards or slow_cards(game)
        seen += play_both(game, cards, f"{name} {number}", rng)
    return seen


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("flavour", FLAVOURS)
def test_both_readings_agree_in_every_turn(flavour: str, chunk: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(SETS):
        seen += play_set(f"slow reading {flavour} {chunk} {number}", flavour, DUELS)
    assert seen["games"] == SETS * DUELS
    few = {what: seen[what] for what, least in LEAST[flavour].items() if seen[what] < least}
    assert not few, few


def test_both_readings_agree_on_the_ready_decks() -> None:
    names = list(ready_decks())
    cards = slow_cards(Duel())
    seen: Counter[str] = Counter()
    for first in names:
        for second in names:
            place = f"ready {first} {second}"
            seen += play_both(Duel(decks=(first, second)), cards, place, Random(place))
    assert seen["games"] == len(names) ** 2


def test_every_card_of_the_core_set_is_played_by_both_readings() -> None:
    """Random decks of the core set, until every card that can be played was in a deck many times."""
    rng, core = Random("core"), core_set()
    cards = slow_cards(Duel())
    listed: Counter[str] = Counter()
    for number in range(150):
        decks = [random_list(core, rng) for _ in range(2)]
        listed.update(card_id for deck in decks for card_id in deck.ids())
        play_both(Duel(decks=decks), cards, f"core {number}", rng)
    assert min(listed[card.id] for card in core.cards) >= 3, listed
