"""A turn in sentences: what was dealt, blocked and healed, each with the cards behind it (D9)."""

import pytest

from coyote.text import Words
from duel.kit_duel import Table, at

CARDS = {
    "hit": "Attack 10.",
    "rain": "For 3 turns: attack 5.",
    "storm": "Attack 5, attack 4, heal 3.",
    "wall": "Block 6.",
    "shell": "Block all.",
}
# In sets of tests the cards are called as their ids.
TURNS = [
    ("hands=hit/sand1 play=rain@1/-", "hit", "hold", "Boris takes 15 damage: rain 5, hit 10."),
    ("hands=storm/sand1", "storm", "hold", "Boris takes 9 damage: storm 9."),
    ("hands=hit/wall", "hit", "wall", "Boris takes 4 damage: hit 10. Blocked 6: wall 6."),
    ("hands=hit/shell", "hit", "shell", "Boris takes no damage: attack hit 10, block shell."),
    ("hands=storm/sand1 health=40/100", "storm", "hold", "You heal 3: storm 3."),
]


def story(table: Table, lang: str = "en") -> list[str]:
    game, names, words = table.game, ["Anna", "Boris"], Words(lang)
    lines = [words.event("duel", event, 0, names, game.title) for event in game.told(table.events(0))]
    return [line for line in lines if line]


@pytest.mark.parametrize(("position", "first", "second", "sentence"), TURNS)
def test_d9_a_sum_is_told_with_its_cards(position: str, first: str, second: str, sentence: str) -> None:
    told = story(at(CARDS, position).turn(first, second))
    assert sentence in told
    assert sum("damage" in line for line in told) <= 1, (
        "what a card adds is told with the sum, and only there"
    )


def test_d9_in_russian_a_sum_is_told_with_its_cards() -> None:
    told = story(at(CARDS, "hands=hit/wall").turn("hit", "wall"), "ru")
    assert "Boris получает 4 урона: «hit» 10. Заблокировано 6: «wall» 6." in told
