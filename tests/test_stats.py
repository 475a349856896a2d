"""The statistics of matches: checked against chance of a known kind, with fixed seeds."""

from math import inf

import numpy as np
import pytest

from coyote.lab.stats import (
    PAIR_SCORES,
    elo,
    mean_score,
    pair_interval,
    steady_interval,
    stronger,
)

# How often each score of a pair comes, for bots that are equally strong.
EQUAL = {
    "two games that know nothing of each other": [0.25, 0, 0.5, 0, 0.25],
    "the deal decides both": [0.01, 0, 0.98, 0, 0.01],
    "the bot decides both": [0.5, 0, 0, 0, 0.5],
    "many draws": [0.1, 0.2, 0.4, 0.2, 0.1],
}
SIXTY_TO_FORTY = [0.16, 0, 0.48, 0, 0.36]


def verdict(chances: list[float], limit: int, random: np.random.Generator) -> tuple[int | None, int]:
    """Look after every pair: which bot is called stronger, and after how many pairs."""
    counts = [0] * 5
    for pair, score in enumerate(random.choice(5, size=limit, p=chances), 1):
        counts[score] += 1
        if (found := stronger(counts, 0.95)) is not None:
            return found, pair
    return None, limit


@pytest.mark.parametrize("chances", EQUAL.values(), ids=EQUAL)
def test_equal_bots_are_rarely_called_unequal_though_one_looks_after_every_pair(chances: list[float]) -> None:
    random = np.random.default_rng(7)
    verdicts = [verdict(chances, 150, random)[0] for _ in range(60)]
    assert sum(found is not None for found in verdicts) <= 3  # 5 % of 60


def test_sixty_to_forty_is_settled_in_a_few_hundred_pairs_and_rightly() -> None:
    random = np.random.default_rng(7)
    verdicts = [verdict(SIXTY_TO_FORTY, 1000, random) for _ in range(25)]
    assert all(found == 0 for found, _ in verdicts)
    assert np.median([pairs for _, pairs in verdicts]) < 200


def test_the_weaker_bot_may_be_either() -> None:
    assert stronger([30, 0, 10, 0, 2], 0.95) == 1
    assert stronger([2, 0, 10, 0, 30], 0.95) == 0
    assert stronger([0, 0, 1000, 0, 0], 0.95) is None
    assert stronger([0, 0, 0, 0, 0], 0.95) is None


@pytest.mark.parametrize("pairs", [1, 2, 5, 20, 100])
@pytest.mark.parametrize("chances", [*EQUAL.values(), SIXTY_TO_FORTY, [0, 0, 0.1, 0, 0.9]])
def test_the_interval_holds_the_truth_as_often_as_it_says(chances: list[float], pairs: int) -> None:
    random = np.random.default_rng(11)
    truth = float(np.dot(chances, PAIR_SCORES))
    hits = 0
    for _ in range(200):
        low, high = pair_interval(random.multinomial(pairs, chances).tolist())
        hits += low <= truth <= high
    assert hits / 200 > 0.90  # 95 % less three standard errors of this count


@pytest.mark.parametrize(
    "counts", [[0] * 5, [1, 0, 0, 0, 0], [0, 0, 50, 0, 0], [0, 0, 0, 0, 3], [0, 7, 0, 0, 0]]
)
def test_the_interval_is_sane_for_few_pairs_and_for_equal_scores(counts: list[int]) -> None:
    for low, high in (pair_interval(counts), steady_interval(counts, 0.95)):
        assert 0 <= low <= mean_score(counts) <= high <= 1
        assert high - low > 0.01


def test_the_interval_mirrors() -> None:
    low, high = pair_interval([3, 1, 4, 1, 5])
    assert pair_interval([5, 1, 4, 1, 3]) == pytest.approx((1 - high, 1 - low))


def test_the_steady_interval_leaves_out_one_half_just_when_it_is_settled() -> None:
    random = np.random.default_rng(3)
    settled = 0
    for _ in range(30):
        counts = random.multinomial(random.integers(1, 150), SIXTY_TO_FORTY).tolist()
        low, high = steady_interval(counts, 0.95)
        found = stronger(counts, 0.95)
        assert (low > 0.5, high < 0.5) == (found == 0, found == 1)
        settled += found is not None
        assert low <= pair_interval(counts)[0] + 0.001, "looking has its price"
    assert 2 < settled < 28


def test_elo_is_odd_and_infinite_at_the_edges() -> None:
    assert (elo(0.5), elo(1.0), elo(0.0)) == (0.0, inf, -inf)
    assert elo(0.75) == pytest.approx(-elo(0.25)) == pytest.approx(190.8, abs=0.1)
