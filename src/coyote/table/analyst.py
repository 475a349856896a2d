"""The process that analyses finished games: one after another, behind all that people wait for.

`analyses` starts it. A job is a record; the answers are how far it is, and the last one is the analysis. Or
it is `luck_of` a record, and the answer is what of the score was luck, which nobody waits for.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from coyote.analysis.analyse import SIMULATIONS, step_by_step
from coyote.analysis.analyst import ANALYSTS
from coyote.analysis.luck import luck_of_record
from coyote.games.game import Json
from coyote.games.registry import make_game
from coyote.kernel import jit
from coyote.match import Match
from coyote.table.set_trial import hear, say
from coyote.text import LANGUAGES, Refused

KINDNESS = 5  # how far the process stands back: somebody waits for it
OFTEN = 4  # moves between two answers
FEW = 200  # simulations, to have everything compiled


def main() -> None:
    source, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr  # nothing but answers goes the way of answers
    with suppress(OSError, AttributeError):
        os.nice(KINDNESS)
    say(out, b"ready")
    ready: set[str] = set()
    while (body := hear(source)) is not None:
        asked = msgspec.json.decode(body)
        for told in luck(asked["luck_of"]) if "luck_of" in asked else answers(asked, ready):
            say(out, msgspec.json.encode(told))
            if hear(source) != b"on":
                break


def answers(record: Json, ready: set[str]) -> Iterator[Json]:
    """How far it is, and at last what was found or why nothing was. Names are not part of it.

    The first game of a kind has everything compiled; until that is done, nothing is told but that it goes on.
    """
    moves = len(record["moves"])
    try:
        if record["game"] not in ready:
            yield {"progress": 0.0, "last": False}
            prepare(record["game"])
            ready.add(record["game"])
        working = step_by_step(record, SIMULATIONS)
        while True:
            try:
                done = next(working)
            except StopIteration as end:
                found = {key: value for key, value in end.value.items() if key != "players"}
                yield {"progress": 1.0, "found": found, "last": True}
                return
            if done % OFTEN == 0:
                yield {"progress": done / moves, "last": False}
    except Refused as error:
        yield {"refused": {lang: error.message(lang) for lang in LANGUAGES}, "last": True}


def luck(record: Json) -> Iterator[Json]:
    """What was seat 0's luck in a finished game; null where nobody can tell."""
    try:
        yield {"luck": round(luck_of_record(record), 9), "last": True}
    except Refused:
        yield {"luck": None, "last": True}


def prepare(name: str) -> None:
    """Whatever is compiled is compiled now."""
    game = make_game(name)
    match = Match(game, game.samples()[0], seed="ready")
    for _ in range(4):
        seat = match.actors[0]
        match.play_action(match.legal_actions(seat)[0], seat)
    result = {"winner": None, "reason": "agreement", "score": match.score}
    for _ in step_by_step({**match.record(), "result": result}, FEW):
        pass
    jit.mark_ready(f"coyote.analysis.{name}.analyst", "analysis")


def unprepared() -> list[str]:
    """The games of which it is still to be done."""
    return [name for name in ANALYSTS if not jit.is_ready(f"coyote.analysis.{name}.analyst", "analysis")]


if __name__ == "__main__":
    main()
