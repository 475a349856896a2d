"""Equilibria: compared with two other methods, and with tables whose answer is known."""

import json

import numpy as np
import pytest
from scipy.optimize import linprog

from coyote.lab.equilibrium import likely_tables, sampled, solve
from coyote.lab.stats import Floats


def by_highs(gains: Floats) -> float:
    """The value, by the linear program as it stands in textbooks, solved by somebody else."""
    n, m = gains.shape
    least = [*np.zeros(n), -1.0]
    found = linprog(
        least,
        A_ub=np.hstack([-gains.T, np.ones((m, 1))]), b_ub=np.zeros(m),
        A_eq=[[*np.ones(n), 0.0]], b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
    )  # fmt: skip
    return float(found.x[-1])


def by_regret(gains: Floats, rounds: int) -> tuple[Floats, Floats]:
    """What two players end up with who more often choose what they regret not having chosen."""
    sums = [np.zeros(gains.shape[0]), np.zeros(gains.shape[1])]
    regrets = [np.zeros(gains.shape[0]), np.zeros(gains.shape[1])]
    for number in range(1, rounds + 1):
        for seat, table in enumerate([gains, -gains.T]):
            mixes = [
                part / part.sum() if part.sum() else np.full(part.shape, 1 / part.size) for part in regrets
            ]
            worth = table @ mixes[1 - seat]
            regrets[seat] = np.maximum(regrets[seat] + worth - mixes[seat] @ worth, 0)
            sums[seat] += number * mixes[seat]
    return sums[0] / sums[0].sum(), sums[1] / sums[1].sum()


def tables() -> list[Floats]:
    random = np.random.default_rng(1)
    square = [random.normal(size=(n, n)) for n in (1, 2, 3, 5, 10, 30)]
    flat = [random.random((3, 8)), random.random((8, 3))]
    even = [table - table.T for table in (random.normal(size=(n, n)) for n in (2, 5, 10))]
    with_ties = [random.integers(-1, 2, size=(n, n)).astype(float) for n in (3, 6, 10, 10, 10)]
    return [*square, *flat, *even, *with_ties, np.zeros((4, 4)), np.ones((3, 2)) * 7]


@pytest.mark.parametrize("number", range(len(tables())))
def test_nobody_gains_by_another_choice_and_the_value_is_that_of_another_solver(number: int) -> None:
    gains = tables()[number]
    found = solve(gains)
    for mix in (found.mix, found.against):
        assert mix.min() >= -1e-9 and mix.sum() == pytest.approx(1)
    assert (gains @ found.against).max() == pytest.approx(found.value, abs=1e-7)
    assert (found.mix @ gains).min() == pytest.approx(found.value, abs=1e-7)
    assert found.value == pytest.approx(by_highs(gains), abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_players_who_learn_end_up_there(seed: int) -> None:
    gains = np.random.default_rng(seed).normal(size=(6, 6))
    rows, columns = by_regret(gains, 2000)
    assert solve(gains).mix == pytest.approx(rows, abs=0.02)
    assert solve(gains).against == pytest.approx(columns, abs=0.02)


def test_known_games() -> None:
    weighted = solve([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])  # rock that breaks scissors counts twice
    assert weighted.mix == pytest.approx([1 / 4, 1 / 2, 1 / 4])
    assert weighted.value == pytest.approx(0)
    saddle = solve([[3, 5], [1, 9]])
    assert [*saddle.mix, saddle.value] == pytest.approx([1, 0, 3])
    pennies = solve([[2, -1], [-1, 1]])
    assert [*pennies.mix, pennies.value] == pytest.approx([0.4, 0.6, 0.2])


# ---------------------------------------------------------------- what is known of a table


CYCLE = np.array([[0.5, 0.7, 0.3, 0.9], [0.3, 0.5, 0.7, 0.9], [0.7, 0.3, 0.5, 0.9], [0.1, 0.1, 0.1, 0.5]])


def games_of(table: Floats, games: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """A fifth of them drawn. Wins of one are losses of the other."""
    random = np.random.default_rng(seed)
    wins, draws, losses = np.zeros((3, *table.shape))
    for i in range(len(table)):
        for j in range(i):
            chances = [table[i, j] - 0.1, 0.2, 0.9 - table[i, j]]
            wins[i, j], draws[i, j], losses[i, j] = random.multinomial(games, np.maximum(chances, 0))
            wins[j, i], draws[j, i], losses[j, i] = losses[i, j], draws[i, j], wins[i, j]
    return wins, draws, losses


def test_a_cycle_is_played_in_equal_parts_and_the_bad_deck_never() -> None:
    found = sampled(*games_of(CYCLE, 1000, 3), samples=300, seed=1)
    for weight, share in zip(found.weights[:3], found.support[:3], strict=True):
        assert weight.low < 1 / 3 < weight.high < 0.5
        assert share == 1
    assert (found.weights[3].high, found.support[3]) == (0, 0)
    assert found.scores[3].high < 0.2
    assert found.variety.low > 2.5 and found.variety.high <= 3
    assert sum(found.mix) == pytest.approx(1)
    assert 0 <= found.exploitability.low < found.exploitability.high < 0.05


def test_more_games_say_it_more_exactly() -> None:
    few, many = (sampled(*games_of(CYCLE, games, 3), samples=200, seed=1) for games in (100, 10_000))
    assert many.weights[0].reach < few.weights[0].reach / 5
    assert many.exploitability.mean < few.exploitability.mean / 5


def test_without_games_every_deck_may_be_the_best() -> None:
    nothing = np.zeros((3, 3))
    found = sampled(nothing, nothing, nothing, samples=400, seed=1)
    for weight in found.weights:
        assert weight.mean == pytest.approx(1 / 3, abs=0.06)
        assert (weight.low, weight.high) == (0, 1)


def test_weights_hold_the_truth() -> None:
    """In 95 of 100 series of games the interval of a weight has the weight of the true table in it."""
    truth = solve(CYCLE - 0.5).mix[0]
    hits = 0
    for seed in range(100):
        weight = sampled(*games_of(CYCLE[:3, :3], 400, seed), samples=200, seed=seed).weights[0]
        hits += weight.low <= truth <= weight.high
    assert hits >= 89  # 95 less three standard errors


def test_likely_tables_are_fair_to_both_and_as_wide_as_an_interval() -> None:
    counts = np.zeros((2, 2, 3))
    counts[0, 1] = [400, 0, 600]
    tables = likely_tables(counts, 4000, np.random.default_rng(1))
    assert tables[:, 0, 1] + tables[:, 1, 0] == pytest.approx(1)
    assert (tables[:, 0, 0] == 0.5).all()
    assert tables[:, 0, 1].mean() == pytest.approx(0.6, abs=0.002)
    assert tables[:, 0, 1].std() == pytest.approx((0.6 * 0.4 / 1000) ** 0.5, rel=0.05)


def test_the_same_seed_gives_the_same_mixes_and_json_can_hold_them() -> None:
    games = games_of(CYCLE, 200, 3)
    found, again = (sampled(*games, samples=50, seed=8).as_json() for _ in range(2))
    assert json.loads(json.dumps(found)) == again
