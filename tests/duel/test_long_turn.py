"""A turn with more events than a log has room for is noted whole all the same."""

import os
import subprocess
import sys

from coyote import Match
from coyote.games.duel.game import Duel
from coyote.games.duel.language import read
from coyote.games.duel.sets import Card, CardSet
from coyote.kernel.jit import on_compiled

SCRIPT = """
from coyote import Match
from coyote.games.duel.game import Duel

def play():
    match = Match("duel", seed="long", decks=("drought", "magpies"))
    while actors := match.actors:
        for seat in actors:
            match.play(match.legal(seat)[-1], seat)
    return match.record(), match.events()

whole = play()
Duel.EVENTS = 16
assert play() == whole
print(len(whole[1]))
"""


def test_a_turn_of_many_events_is_noted_whole() -> None:
    """Uncompiled, because every size of a log is a type of its own to the compiler."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def test_a_longer_turn_compiles_nothing() -> None:
    """A server that compiled in the middle of a turn would stand still for everybody."""
    long, short = CardSet("long", drawing(30)), CardSet("short", drawing(1))
    turn(short)
    compiled: list[int] = []
    with on_compiled(lambda: compiled.append(1)):
        rows = turn(long)
    assert len(rows) > Duel.EVENTS and not compiled


def drawing(times: int) -> tuple[Card, ...]:
    names = [f"c{number}" for number in range(20)]
    return tuple(Card(id, id, id, "common", read("Draw 99 cards. " * times)) for id in names)


def turn(cards: CardSet) -> list[list[int]]:
    """What the first turn of version 1 brings, in which the dead go on drawing."""
    match = Match(Duel(card_set=cards, rules=1), seed="long", decks=([card.id for card in cards.cards],) * 2)
    for seat in range(2):
        match.play(match.legal(seat)[1], seat)
    return list(match.rows)
