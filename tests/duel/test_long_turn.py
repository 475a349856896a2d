"""A turn with more events than a log has room for is noted whole all the same."""

import os
import subprocess
import sys

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
