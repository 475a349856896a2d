"""Glicko-2: the worked example of its author, and what is ours beside it."""

import math
import sys
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from coyote.table import glicko
from coyote.table.glicko import DAY, Met, Strength, expected, settle, step

YEAR = 365 * DAY


def test_the_worked_example_of_glickman(monkeypatch: pytest.MonkeyPatch) -> None:
    """1500 ± 200 beats 1400 ± 30, and loses to 1550 ± 100 and 1700 ± 300, in one period; tau is 0.5 there."""
    monkeypatch.setattr(glicko, "TAU", 0.5)
    games = [Met(Strength(1400, 30), 1), Met(Strength(1550, 100), 0), Met(Strength(1700, 300), 0)]
    after = step(Strength(1500, 200, 0.06), games, 1.0)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_only_makes_less_sure() -> None:
    after = step(Strength(1500, 200, 0.06), [], 1.0)
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(math.hypot(200, 0.06 * glicko.SCALE))


def test_a_year_away_makes_a_sure_rating_provisional() -> None:
    sure = Strength(1700, 60, 0.06, at=1)
    away = sure.at_time(1 + YEAR)
    assert not sure.provisional and away.rating == 1700
    assert away.deviation == pytest.approx(110, abs=1) and sure.at_time(1) == sure
    assert Strength(1700, 60, 0.09, at=1).at_time(1 + 100 * YEAR).deviation == glicko.MOST_DEVIATION


def test_the_seat_is_part_of_what_was_expected() -> None:
    """With 73 points for the first seat it takes 60.4 %; whoever wins from the second seat gains more."""
    one = other = Strength(1500, 60, 0.06, at=1)
    assert expected(Strength(1500, 0), Strength(1500, 0), 73) == pytest.approx(0.604, abs=0.001)
    by_first, _ = settle(one, other, 1.0, 1, 73)
    _, by_second = settle(one, other, 0.0, 1, 73)
    assert 0 < by_first.rating - 1500 < by_second.rating - 1500


def test_a_draw_costs_the_first_seat() -> None:
    first, second = settle(Strength(at=1), Strength(at=1), 0.5, 1, 73)
    assert first.rating < 1500 < second.rating
    even = settle(Strength(at=1), Strength(at=1), 0.5, 1, 0)
    assert even[0].rating == even[1].rating == 1500


def test_seats_are_mirrored() -> None:
    strong, weak = Strength(1700, 80, 0.07, 5), Strength(1400, 120, 0.09, 9)
    assert settle(strong, weak, 0.0, DAY, 47) == settle(weak, strong, 1.0, DAY, -47)[::-1]


def test_numbers_keep_to_their_bounds() -> None:
    low = high = Strength()
    for number in range(200):
        high, _ = settle(high, Strength(3990, 45, 0.06, 1), 1.0, 1 + number, 0)
        _, low = settle(Strength(410, 45, 0.06, 1), low, 1.0, 1 + number, 0)
    for found in (low, high):
        assert glicko.LOWEST <= found.rating <= glicko.HIGHEST
        assert found.deviation >= glicko.LEAST_DEVIATION and found.volatility <= glicko.MOST_VOLATILITY
    first, _ = settle(Strength(), Strength(4000, 45, 0.06, 1), 1.0, 1, 0)
    assert first.rating - 1500 <= glicko.MOST_AT_ONCE


def test_a_fixed_strength_is_found_ever_better_and_forgets_nothing() -> None:
    """Volatility 0: no time makes it less sure, and it has no least deviation."""
    bot = Strength(1386, 150, 0.0)
    for number in range(400):
        person = Strength(1600, 60, 0.06, 1)
        bot, _ = settle(bot, person, float(number % 2), 1 + number * DAY, 0)
    assert bot.volatility == 0 and bot.deviation < 30
    assert bot.rating == pytest.approx(1600, abs=20)
    assert bot.at_time(bot.at + 10 * YEAR).deviation == bot.deviation


def test_between_equals_a_result_with_half_the_noise_counts_as_two_games() -> None:
    even, other = Strength(1500, 150, 0.0), Strength(1500, 80)
    once, twice = step(even, [Met(other, 1, 0, 0.2, 0.5)], 0.0), step(even, [Met(other, 0.8)] * 2, 0.0)
    assert (once.rating, once.deviation) == pytest.approx((twice.rating, twice.deviation), abs=3)
    assert once.deviation < step(even, [Met(other, 0.8)], 0.0).deviation - 5


def test_luck_counts_for_less_where_a_game_is_more_certain_and_nothing_is_cut_off() -> None:
    """A win against somebody much weaker says little, and so does the luck that went with it."""
    other = Strength(1500, 80)
    shares = []
    for rating in (1500, 1900):
        bot = Strength(rating, 150, 0.0)
        unlucky, bare, lucky = (
            settle(bot, other, 1.0, 1, 0, luck, 0.5)[0].rating for luck in (-0.7, 0.0, 0.7)
        )
        assert lucky < bare < unlucky and unlucky - bare == pytest.approx(bare - lucky)
        shares.append(unlucky - bare)
    assert shares[1] < 0.4 * shares[0]
    surer = [step(Strength(rating, 150, 0.0), [Met(other, 1, 0, 0.1, 0.4)], 0.0) for rating in (1500, 2300)]
    plain = step(Strength(2300, 150, 0.0), [Met(other, 1)], 0.0)
    assert surer[0].deviation < 0.9 * 150 < surer[1].deviation < plain.deviation


def test_time_does_not_run_backwards() -> None:
    one = Strength(1500, 60, 0.06, at=10 * DAY)
    first, _ = settle(one, Strength(at=1), 1.0, DAY, 0)
    assert first.at == 10 * DAY and one.at_time(DAY) == one


# ---------------------------------------------------------------- made-up players


def test_made_up_players_are_foretold_better_with_the_seat() -> None:
    """A short form of `tools/simulate_ratings.py`: less log-loss than without the seat, and than Elo."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
    try:
        tool = import_module("simulate_ratings")
    finally:
        sys.path.pop(0)
    games = list(tool.play_all(20_000, 150, 73.0, Random("club"), noise=0.4))
    with_seat, skill, without, elo = (tool.examine(model, games, 10_000) for model in tool.models(73.0, 0.4))
    assert with_seat.loss < without.loss - 0.005 and with_seat.loss < elo.loss - 0.02
    assert tool.worst(with_seat) < 4 < tool.worst(without) and tool.worst(with_seat) < tool.worst(elo)
    assert skill.loss < with_seat.loss and tool.worst(skill) < 4
    assert skill.sure < with_seat.sure
    assert all(skill.after[n][1] < 0.95 * with_seat.after[n][1] for n in (10, 20))
