"""Variants: what may be varied, which games come of it, and each as JSON."""

import pytest

from coyote.games.duel.sets import CardSet, core_set
from coyote.games.game import OptionError
from coyote.games.registry import make_game
from coyote.lab.variants import base_of, changed, described, grid, label, made, read_vary
from coyote.text import Refused, Words


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("goal=3..5", ("goal", [3, 4, 5])),
        ("goal=7,3..4, 7", ("goal", [7, 3, 4])),
        ("close=empty,never", ("close", ["empty", "never"])),
        ("starvation=yes,no", ("starvation", ["yes", "no"])),
        ("edition=standard,classic", ("edition", ["standard", "classic"])),
    ],
)
def test_values_are_listed_or_reach_from_one_to_another(text: str, values: tuple[str, list[object]]) -> None:
    assert read_vary("madness", text) == values


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        ("madness", "goal", "--vary takes KEY=VALUES such as goal=3..9 or komi=0,1,2, not “goal”"),
        ("madness", "goal=9..3", "9..3 has no number in it: the first one is above the last"),
        ("madness", "goal=0..3", "goal cannot be 0..3: it is a number from 1 to 20 (M10)"),
        ("madness", "close=maybe", "close cannot be maybe; choose from: empty, open, never (M14)"),
        (
            "madness",
            "close=empty..open",
            "close cannot be empty..open; choose from: empty, open, never (M14)",
        ),
        ("duel", "healht=50", "there is no option healht; did you mean health?"),
        ("duel", "edition=classic", "there is no option edition;"),
    ],
)
def test_what_cannot_be_varied_is_refused_with_its_rule(game: str, text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read_vary(game, text)
    assert refused.value.message("en").startswith(sentence)
    assert refused.value.message("ru")


def test_a_grid_is_every_combination_in_order() -> None:
    games = grid(make_game("madness"), {}, {"edition": ["standard", "classic"], "komi": [0, 2]})
    assert [(game.edition, game.values["komi"]) for game in games] == [
        ("standard", 0), ("standard", 2), ("classic", 0), ("classic", 2),
    ]  # fmt: skip
    assert base_of(make_game("madness", edition="classic"), games) == 2
    assert base_of(make_game("madness", goal=9), games) == 0
    assert label(games[3], ["edition", "komi"], Words("en")) == "classic · head start of 2 points"


def test_an_option_that_is_given_holds_in_every_edition() -> None:
    """Even where it is what one of them has anyway."""
    games = grid(make_game("madness", goal=5), {"goal": 5}, {"edition": ["standard", "classic"]})
    assert [game.values["goal"] for game in games] == [5, 5]


def test_m25_an_impossible_variant_is_named() -> None:
    with pytest.raises(OptionError, match=r"goal=3, komi=3 is no variant: .* \(M25\)"):
        grid(make_game("madness"), {}, {"goal": [5, 3], "komi": [0, 3]})


def test_d26_an_impossible_variant_is_named() -> None:
    with pytest.raises(OptionError, match=r"deck-min=25 is no variant: .* \(D26\)"):
        changed(make_game("duel"), {}, {"deck-min": 25})


def test_variants_have_a_number() -> None:
    with pytest.raises(Refused, match="these are 400 variants; at most 40"):
        grid(make_game("madness"), {}, {"goal": list(range(1, 21)), "hand": list(range(20))})


def test_a_variant_comes_back_from_json() -> None:
    madness = make_game("madness", edition="classic", goal=4)
    assert made(described(madness, madness.settle()))[0] == madness
    duel = make_game("duel", health=60)
    setup = duel.settle(["oasis", "random"])
    again, brought = made(described(duel, setup))
    assert again == duel and brought.sealed() == setup.sealed()
    assert "public" not in described(duel, setup)


def test_a_set_of_ones_own_goes_along() -> None:
    cards = CardSet("mine", core_set().cards[:40])
    duel = make_game("duel", card_set=cards)
    setup = duel.settle(["random", "random"])
    again, brought = made(described(duel, setup))
    assert again == duel and brought.names() == ["random", "random"]
