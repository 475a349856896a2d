"""Who plays whom: a round robin by the circle, a Swiss system by points. No I/O."""

from collections.abc import Sequence
from typing import NamedTuple

BYE = -1  # instead of an opponent: whoever has it gets the point


class Game(NamedTuple):
    """`score` is of the first: 1, 0.5 or 0; None while it goes on. `void`: neither came."""

    first: int
    second: int
    score: float | None
    void: bool = False


class Standing(NamedTuple):
    """`against` is the sum of the points of all whom one has met, which tells equal ones apart."""

    player: int
    points: float
    against: float
    won: int
    games: int


def points(games: Sequence[Game], player: int) -> float:
    total = 0.0
    for game in games:
        if game.score is None or game.void:
            continue
        if game.first == player:
            total += game.score
        elif game.second == player:
            total += 1 - game.score
    return total


def standings(players: Sequence[int], games: Sequence[Game]) -> list[Standing]:
    """The best first; equal ones stay in the order in which they came."""
    by_player = {player: points(games, player) for player in players}
    found = []
    for player in players:
        mine = [game for game in games if player in (game.first, game.second) and game.score is not None]
        others = [game.second if game.first == player else game.first for game in mine]
        won = sum(
            not game.void and game.score == (1 if game.first == player else 0)
            for game in mine
            if game.second != BYE
        )
        against = sum(by_player.get(other, 0.0) for other in others)
        met = sum(other != BYE for other in others)
        found.append(Standing(player, by_player[player], against, won, met))
    return sorted(found, key=lambda one: (-one.points, -one.against, -one.won))


# ---------------------------------------------------------------- round robin


def circle(n: int) -> list[list[tuple[int, int]]]:
    """All rounds of n players, each against each once, everybody first about as often as second.

    >>> circle(4)
    [[(0, 3), (1, 2)], [(1, 0), (2, 3)], [(0, 2), (3, 1)]]
    """
    ring = [*range(n), *([BYE] if n % 2 else [])]
    half, rounds = len(ring) // 2, []
    for number in range(len(ring) - 1):
        pairs = [(ring[i], ring[-1 - i]) for i in range(half)]
        if number % 2:  # whoever stands still would always be first
            pairs[0] = pairs[0][::-1]
        rounds.append([pair if pair[0] != BYE else pair[::-1] for pair in pairs])
        ring = [ring[0], *ring[2:], ring[1]]
    return rounds


# ---------------------------------------------------------------- Swiss


def swiss(players: Sequence[int], games: Sequence[Game]) -> list[tuple[int, int]]:
    """The next round: those of equal points together, nobody twice against the same one while that can be
    avoided, and the bye to the last who has not had it."""
    order = [standing.player for standing in standings(players, games)]
    met = {frozenset((game.first, game.second)) for game in games}
    bye: list[tuple[int, int]] = []
    if len(order) % 2:
        without = [player for player in order if frozenset((player, BYE)) not in met]
        last = (without or order)[-1]
        order.remove(last)
        bye = [(last, BYE)]
    pairs = _paired(order, met) or list(zip(order[::2], order[1::2], strict=True))
    return [_seated(pair, games) for pair in pairs] + bye


def _paired(order: list[int], met: set[frozenset[int]]) -> list[tuple[int, int]] | None:
    """Each with the next one that is left and was not met; None where that does not work out."""
    if not order:
        return []
    first, rest = order[0], order[1:]
    for n, other in enumerate(rest):
        if frozenset((first, other)) not in met:
            found = _paired(rest[:n] + rest[n + 1 :], met)
            if found is not None:
                return [(first, other), *found]
    return None


def _seated(pair: tuple[int, int], games: Sequence[Game]) -> tuple[int, int]:
    """Whoever has begun less often begins, beside how often they did not."""
    played = [game for game in games if game.second != BYE]
    more = [sum((game.first == who) - (game.second == who) for game in played) for who in pair]
    return pair[::-1] if more[0] > more[1] else pair


def usual_rounds(n: int) -> int:
    """Of a Swiss tournament: enough that only one can have won them all, and one more where many play.

    >>> usual_rounds(8), usual_rounds(5), usual_rounds(2)
    (4, 3, 1)
    """
    return (n - 1).bit_length() + (n >= 8)
