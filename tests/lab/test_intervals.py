"""Intervals of means and differences: checked against chance of a known kind, with fixed seeds."""

import json

import numpy as np
import pytest

from coyote.lab.stats import (
    Floats,
    Interval,
    difference,
    interval,
    looks,
    mean,
    mean_intervals,
    narrow_enough,
    ranges,
)

REPETITIONS = 2000
SERIES = 5000  # that are stopped
QUARTERS = [quarter / 4 for quarter in range(-4, 5)]
Known = dict[str, tuple[list[float], list[float]]]

# Values of a difference, and how often each comes. The first and the last one may come, if only in principle.
ORDINARY: Known = {
    "wins and losses": ([-1, 0, 1], [0.3, 0.4, 0.3]),
    "one is better": ([-1, 0, 1], [0.1, 0.6, 0.3]),
    "pairs of games": (QUARTERS, [0.05, 0.1, 0.1, 0.15, 0.2, 0.15, 0.1, 0.1, 0.05]),
    "two values": ([-1, 0, 0.25, 1], [0, 0.5, 0.5, 0]),
    "one deal in twenty differs": ([-1, -0.5, 0, 0.5, 1], [0, 0.025, 0.95, 0.025, 0]),
    "one deal in fifty, to one side": ([-1, -0.5, 0, 0.5, 1], [0, 0, 0.98, 0.02, 0]),
}
RARE: Known = {
    "hardly ever": ([-1, 0, 1], [0.001, 0.998, 0.001]),
    "hardly ever, to one side": ([-1, 0, 1], [0, 0.998, 0.002]),
    "one in a hundred": ([-1, 0, 1], [0.005, 0.99, 0.005]),
    "never": ([-1, 0, 1], [0, 1, 0]),
    "always the same": ([-1, 0.25, 1], [0, 1, 0]),
    "always the most": ([-1, 0, 1], [0, 0, 1]),
}


def coverage(values: Floats, chances: list[float], deals: int) -> float:
    """How often the interval holds the truth."""
    random = np.random.default_rng(5)
    low, high = mean_intervals(values, random.multinomial(deals, chances, size=REPETITIONS))
    truth = values @ chances
    return float(((low <= truth + 1e-9) & (truth - 1e-9 <= high)).mean())


@pytest.mark.parametrize("deals", [1500, 6000])
@pytest.mark.parametrize("kind", ORDINARY)
def test_intervals_hold_the_truth_in_95_percent(kind: str, deals: int) -> None:
    values, chances = ORDINARY[kind]
    assert coverage(np.array(values, float), chances, deals) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("deals", [10, 100, 400, 1500])
@pytest.mark.parametrize("kind", RARE)
def test_intervals_of_what_is_rare_hold_the_truth_at_least_that_often(kind: str, deals: int) -> None:
    values, chances = RARE[kind]
    assert coverage(np.array(values, float), chances, deals) >= 0.94


@pytest.mark.parametrize("likeness", [0.0, 0.5, 0.95])
def test_differences_of_scores_from_the_same_deals(likeness: float) -> None:
    """The more the deal decides, the more alike two scores are, and the narrower the interval is."""
    random = np.random.default_rng(9)
    shape = (REPETITIONS, 1000)
    first = random.random(shape) < 0.5
    second = np.where(random.random(shape) < likeness, first, random.random(shape) < 0.45)
    truth = (1 - likeness) * 0.05
    counts = np.stack([(first.astype(int) - second == value).sum(axis=1) for value in (-1, 0, 1)], axis=-1)
    low, high = mean_intervals(np.array([-1.0, 0, 1]), counts)
    assert ((low <= truth) & (truth <= high)).mean() == pytest.approx(0.95, abs=0.01)
    one = difference(first[0], second[0])
    assert (one.low, one.high) == pytest.approx((low[0], high[0]), abs=1e-6)
    if likeness > 0.9:
        apart = mean(first[0]).reach + mean(second[0]).reach
        assert one.reach < apart / 3


def test_numbers_without_bounds() -> None:
    """Lengths of games, say: skewed, with a long tail."""
    random = np.random.default_rng(2)
    found = [mean(random.geometric(0.2, 800), bounds=None) for _ in range(REPETITIONS)]
    assert np.mean([one.low <= 5 <= one.high for one in found]) == pytest.approx(0.95, abs=0.01)


def test_the_interval_of_a_share_is_wilsons() -> None:
    for hits, trials in [(0, 10), (3, 10), (50, 100), (99, 100), (7, 7)]:
        found = mean([1] * hits + [0] * (trials - hits))
        assert (found.low, found.high) == pytest.approx(interval(hits, trials), abs=1e-5)


def test_an_interval_mirrors() -> None:
    random = np.random.default_rng(4)
    a, b = random.choice([0, 0.5, 1], (2, 300), p=[0.5, 0.1, 0.4])
    there, back = difference(a, b), difference(b, a)
    assert (there.mean, there.low, there.high) == pytest.approx((-back.mean, -back.high, -back.low))


@pytest.mark.parametrize("values", [[], [0.5], [0.5] * 1000, [0], [1, 1], [0, 1]])
def test_an_interval_is_sane_for_few_and_for_equal_numbers(values: list[float]) -> None:
    found = mean(values)
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.high - found.low > 1e-3


def test_an_interval_in_other_units_and_as_json() -> None:
    found = Interval(0.5, 0.4, 0.625)
    assert found.reach == pytest.approx(0.125)
    assert found.times(100) == Interval(50, 40, 62.5)
    assert Interval(**json.loads(json.dumps(found.as_json()))) == found


# ---------------------------------------------------------------- stopping


def stopped(values: Floats, chances: Floats, reach: float, most: int) -> tuple[float, Floats]:
    """Many series at once, each until its own interval is narrow: how often it holds the truth; the deals."""
    random = np.random.default_rng(6)
    counts = np.zeros((SERIES, len(values)), int)
    running = np.ones(SERIES, bool)
    deals, before = np.zeros(SERIES), 0
    for look in looks(most):
        counts[running] += random.multinomial(look - before, chances, size=running.sum())
        deals[running], before = look, look
        low, high = mean_intervals(values, counts)
        means = counts @ values / counts.sum(axis=1)
        running &= np.maximum(high - means, means - low) > reach
        if not running.any():
            break
    truth = values @ chances
    return float(((low <= truth) & (truth <= high)).mean()), deals


STOPPING: Known = {
    "wins and losses": ([-1, 0, 1], [0.3, 0.4, 0.3]),
    "one is better": ([-1, 0, 1], [0.1, 0.6, 0.3]),
    "one deal in ten differs": ([-1, -0.5, 0, 0.5, 1], [0, 0.02, 0.9, 0.08, 0]),
    "a share": ([0, 1], [0.4, 0.6]),
    "a small share": ([0, 1], [0.97, 0.03]),
}


def reach_after(values: Floats, chances: Floats, deals: int) -> float:
    """The ± that so many deals should give."""
    return float(1.96 * ((values**2 @ chances - (values @ chances) ** 2) / deals) ** 0.5)


@pytest.mark.parametrize("needed", [1100, 6500])
@pytest.mark.parametrize("kind", STOPPING)
def test_stopping_when_it_is_narrow_enough_keeps_the_promise(kind: str, needed: int) -> None:
    values, chances = (np.array(part, float) for part in STOPPING[kind])
    share, deals = stopped(values, chances, reach_after(values, chances, needed), 100_000)
    assert share == pytest.approx(0.95, abs=0.01)
    assert 0.9 * needed <= np.median(deals) <= 1.6 * needed, "neither too early nor much too late"


@pytest.mark.parametrize("kind", STOPPING)
def test_stopping_costs_at_most_a_point_where_what_is_seen_decides_it(kind: str) -> None:
    """The worst case: just at a look half of the series are narrow enough, those with the extremer shares."""
    values, chances = (np.array(part, float) for part in STOPPING[kind])
    share, deals = stopped(values, chances, reach_after(values, chances, 6191), 100_000)
    assert 6191 in list(looks(100_000)) and len(set(deals)) > 1
    assert share >= 0.93


def test_the_truth_is_held_where_the_last_deal_ends_it() -> None:
    share, deals = stopped(np.array([-1.0, 0, 1]), np.array([0.3, 0.4, 0.3]), 0.001, 2000)
    assert share == pytest.approx(0.95, abs=0.01)
    assert set(deals) == {2000}


@pytest.mark.parametrize("size", [1, 7, 100, 1000, 10**6])
def test_ranges_have_every_deal_once_and_end_at_every_look(size: int) -> None:
    found = list(ranges(3000, size))
    assert [deal for first, last in found for deal in range(first, last + 1)] == list(range(3000))
    assert {last + 1 for _, last in found} >= set(looks(3000))
    assert max(last - first + 1 for first, last in found) <= size


def test_narrow_enough_asks_for_all() -> None:
    wide, narrow = mean([0, 1] * 50), mean([0, 1] * 5000)
    assert narrow_enough([narrow, narrow], 0.01)
    assert not narrow_enough([narrow, wide], 0.01)
