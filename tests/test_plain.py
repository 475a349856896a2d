"""While one thread compiles, the others play on in plain Python, and play the same games."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import threading
from random import Random
from coyote.kernel.jit import compiling_here
from coyote.match import Match

def game(name, number):
    match, dice = Match(name, seed=f"game {number}"), Random(number)
    while actors := match.actors:
        for seat in actors:
            match.play(dice.choice(match.legal(seat)), seat)
    return match.record()

go, found = threading.Event(), []

def play():
    found.extend(game(name, number) for number in range(3) for name in ("madness", "duel"))
    go.set()

with compiling_here():  # this thread does not come to it before the other one is done
    other = threading.Thread(target=play)
    other.start()
    assert go.wait(300)
    plain = [name for name, module in (("act", "madness"), ("act", "duel"))
             if not __import__(f"coyote.games.{module}.rules", fromlist=[name]).act.signatures]
    assert len(plain) == 2, "the other thread compiled"
    again = [game(name, number) for number in range(3) for name in ("madness", "duel")]
assert again == found
print(len(found), "games the same")
"""


def test_games_in_plain_python_are_the_same(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "6 games the same", done.stderr[-2000:]
