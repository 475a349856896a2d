"""A player from an environment at the table: the same choices as a program and in the same process."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coyote import Match
from coyote.bots.bot import BotFailure
from coyote.bots.names import make_bot
from coyote.envs import features_of
from coyote.envs.as_bot import AsBot
from coyote.games.registry import make_game
from coyote.text import Refused

PROGRAM = """
import sys
from coyote.envs.as_bot import AsBot

def choose(observation, mask, dice):
    weight = observation.astype(int).sum() % 7 + dice.random(len(mask))
    return (mask * weight).argmax()

if __name__ == "__main__":
    AsBot("mine", sys.argv[1], choose, version=1).serve()
"""
HOUSE: dict[str, Any] = {"madness": {"fields": 4}, "duel": {"open-lists": "yes"}}


@pytest.mark.parametrize("name", HOUSE)
def test_a_program_makes_the_same_choices(name: str, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(PROGRAM, encoding="utf-8")
    there: dict[str, Any] = {}
    exec(PROGRAM, {**there, "__name__": "mine"}, there)
    game = make_game(name, **HOUSE[name])
    program = make_bot(f"cmd:{sys.executable} {script} {name}", game, "dice")
    inside = AsBot("mine", name, there["choose"]).make(game, "dice")
    match, other = Match(game, seed="1"), make_bot("random", game, "x")
    asked = 0
    try:
        while not match.over:
            for seat in list(match.actors):
                question = match.question(seat)
                answer = (program if seat == 0 else other).answer(question)
                if seat == 0:
                    assert answer.action == inside.answer(question).action
                    asked += 1
                match.play_action(answer.action, seat)
    finally:
        program.close()
    assert asked > 5


def test_it_sees_what_the_environment_shows() -> None:
    seen: list[Any] = []

    def choose(observation: Any, mask: Any, dice: Any) -> int:
        seen.append((observation.copy(), mask.copy()))
        return int(mask.argmax())

    game = make_game("duel")
    bot = AsBot("mine", "duel", choose).make(game, "")
    match, features = Match(game, seed="1"), features_of("duel")
    bot.answer(match.question(1))
    assert np.array_equal(seen[-1][0], features.observe(match, 1))
    assert np.array_equal(seen[-1][1], features.mask(match, 1))


@pytest.mark.parametrize(("action", "why"), [(487, "M14"), (599, "from 0 to 598"), (-1, "from 0 to 598")])
def test_an_action_that_is_not_legal_is_told(action: int, why: str) -> None:
    with pytest.raises(Refused, match=why):
        AsBot("mine", "madness", lambda *_: action).make(make_game("madness"), "")


def test_a_player_of_other_observations_does_not_play() -> None:
    with pytest.raises(BotFailure, match="version 99 of the observations of madness"):
        AsBot("mine", "madness", lambda o, m, d: m.argmax(), version=99).make(make_game("madness"), "")
