"""Who plays whom, in both systems."""

from itertools import combinations
from random import Random

import pytest

from coyote.table.pairing import BYE, Game, circle, points, standings, swiss, usual_rounds


@pytest.mark.parametrize("n", range(2, 13))
def test_everybody_meets_everybody_once(n: int) -> None:
    rounds = circle(n)
    assert len(rounds) == n - 1 + n % 2
    for pairs in rounds:
        inside = [player for pair in pairs for player in pair]
        assert sorted(inside) == ([BYE] if n % 2 else []) + list(range(n))
    met = [frozenset(pair) for pairs in rounds for pair in pairs if BYE not in pair]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(range(n), 2)))
    for player in range(n):
        first = sum(pair[0] == player for pairs in rounds for pair in pairs if BYE not in pair)
        assert abs(2 * first - (n - 1)) <= 2, (player, first)


@pytest.mark.parametrize("n", range(2, 17))
@pytest.mark.parametrize("seed", range(5))
def test_a_swiss_tournament(n: int, seed: int) -> None:
    """Nobody meets anybody twice, nobody has two byes, and those who meet have about the same points."""
    dice, games = Random(f"{n} {seed}"), list[Game]()
    for _ in range(usual_rounds(n)):
        pairs = swiss(range(n), games)
        assert sorted(one for pair in pairs for one in pair if one != BYE) == list(range(n))
        for first, second in pairs:
            score = 1.0 if second == BYE else dice.choice((0.0, 0.5, 1.0, 1.0))
            games.append(Game(first, second, score))
    met = [frozenset((game.first, game.second)) for game in games]
    assert len(met) == len(set(met))
    for player in range(n):
        first = sum(game.first == player and game.second != BYE for game in games)
        second = sum(game.second == player for game in games)
        assert abs(first - second) <= 3
    assert sum(points(games, player) for player in range(n)) == len(games)


def test_equal_points_are_told_apart_by_whom_one_has_met() -> None:
    games = [Game(0, 1, 1.0), Game(2, 3, 1.0), Game(0, 2, 0.0), Game(1, 3, 1.0)]
    table = standings(range(4), games)
    assert [(one.player, one.points) for one in table] == [(2, 2.0), (0, 1.0), (1, 1.0), (3, 0.0)]
    assert table[1].against == 3.0 and table[2].against == 1.0


def test_who_does_not_come_has_no_points() -> None:
    games = [Game(0, 1, 0.5, void=True), Game(2, BYE, 1.0)]
    assert [(one.player, one.points, one.games) for one in standings(range(3), games)] == [
        (2, 1.0, 0),
        (0, 0.0, 1),
        (1, 0.0, 1),
    ]
