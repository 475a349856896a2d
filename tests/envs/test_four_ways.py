"""The same games by the rules, in PettingZoo, in Gymnasium and in OpenSpiel: some hundreds of each."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

TOOL = Path(__file__).parents[2] / "tools" / "four_ways.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("four_ways", TOOL)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


four_ways = load()
VARIANTS = [variant for variants in four_ways.VARIANTS.values() for variant in variants]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_game_is_the_same_four_ways(variant: object) -> None:
    same = four_ways.compare(variant, 60, seed=2026)
    assert same["PettingZoo"] == same["OpenSpiel"] > same["Gymnasium"] > 60


def test_the_tool_sees_a_difference() -> None:
    """Of one place of an observation, of the mask, of who is to choose, of the result."""
    variant = VARIANTS[0]
    native = four_ways.Native(variant, 1)
    choice = native.play(0).turns[0][0]
    seen, mask = choice.observation.copy(), choice.mask.copy()
    differ = four_ways.Differ(variant, "here")
    differ(choice, choice.seat, seen, mask)
    seen[100] += 1
    for wrong in (
        (choice.seat, seen, mask),
        (1, choice.observation, mask),
        (0, choice.observation, 1 - mask),
    ):
        with pytest.raises(four_ways.Difference, match="madness, game 0, here"):
            differ(choice, *wrong)
    with pytest.raises(four_ways.Difference, match="another reward"):
        differ.end(four_ways.Story([], [1.0, -1.0]), np.array([-1.0, 1.0]))


def test_other_deals_are_other_games() -> None:
    """Lest the games be the same because they are always the same."""
    stories = [four_ways.Native(VARIANTS[0], seed).play(number) for seed in (1, 2) for number in (0, 1)]
    assert len({story.turns[0][0].observation.tobytes() for story in stories}) == 4
