"""The engine against a second, slow reading of the rules (`kit/slow_madness.py`), decision by decision.

Deals, and what the players like, are chosen game by game so that every kind of ending comes often.
"""

from collections import Counter
from random import Random

import pytest

from coyote.games.madness.game import Madness
from coyote.match import Match
from kit.play import EDITIONS, STYLES, choose
from kit.slow_madness import SlowMadness

CHUNKS = 8
GAMES = 260  # in each chunk: 2,080 games of an edition
LEAST = 10  # of every ending, in each chunk
PAIRS = [(mine, yours) for mine in STYLES for yours in STYLES]


def pairing(number: int) -> tuple[str, str]:
    """The styles of the two seats: every pair in turn, and the same style against itself more often."""
    if number % 2:
        return PAIRS[number // 2 % len(PAIRS)]
    style = list(STYLES)[number // 2 % len(STYLES)]
    return style, style


def play_both(edition: str, chunk: int, number: int) -> str:
    """One game by both readings; why it ended."""
    random = Random(f"{edition} {chunk} {number}")
    styles = pairing(number)
    match = Match(Madness(edition=edition), seed=f"slow reading {edition} {chunk} {number}")
    slow = SlowMadness(edition, match.record()["deck"])
    while not slow.over:
        situation = slow.situation()
        assert match.situation() == situation, (match.record()["moves"], match.seed)
        seat, legal = situation["seat"], situation["legal"]
        assert match.actors == [seat]
        assert match.legal(1 - seat) == []
        move = choose(styles[seat], random, legal, situation["deck"] == 0)
        match.play(move, seat)
        slow.play(move)
    assert match.over
    assert match.result is not None
    assert match.result.as_json() == slow.result(), match.record()
    return match.result.reason


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("edition", EDITIONS)
def test_both_readings_agree_in_every_decision(edition: str, chunk: int) -> None:
    ends = Counter(play_both(edition, chunk, number) for number in range(GAMES))
    assert ends.total() == GAMES
    assert min(ends[reason] for reason in Madness.REASONS) >= LEAST, ends
