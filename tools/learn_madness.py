"""Learn what the search of Madness goes by, from games that it plays with itself.

    python tools/learn_madness.py --edition classic --games 1000 --simulations 1000

From how the games ended: the weights of the signs by which a table is judged. From which moves the
searches looked at: the habits, which say where to look first. Both come into
src/coyote/bots/madness/learned.json; the games are played with what stands there already, so a second
run learns from stronger games than the first. Takes some minutes.
"""

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.progress import track

import coyote.bots.madness.mind as madness_mind
from coyote.bots.madness.fold import first_bare, folded
from coyote.bots.madness.habits import N_HABITS, habit_row, surroundings
from coyote.bots.madness.judge import N_SIGNS, list_signs
from coyote.games.game import NO_SETUP, Chance
from coyote.games.madness.game import Madness
from coyote.games.madness.state import MAIN
from coyote.kernel.events import silent_log
from coyote.questions import Budget, Question
from coyote.seeds import seed_from, seed_words

LEARNED = Path(madness_mind.__file__).with_name("learned.json")
SLIPS = 0.05  # moves made at random, so that the games come to other tables too
RIDGE = 3.0
Floats = npt.NDArray[np.float64]


class Lessons:
    """What was seen in the games."""

    def __init__(self) -> None:
        self.signs: list[Floats] = []
        self.won: list[float] = []
        self.rows: list[list[int]] = []  # for each decision the habit rows of its moves
        self.shares: list[list[float]] = []  # and how much of the search each got


def play(
    game: Madness, mind: madness_mind.MadnessMind, simulations: int, dice: Random, seen: Lessons
) -> None:
    s, log = game.deal(NO_SETUP, seed_words(seed_from(f"lesson {dice.random()}"))), silent_log()
    movers = []
    while actors := game.actors(s):
        seat = 0 if actors & 1 else 1
        if s.phase == MAIN:
            signs = np.zeros(N_SIGNS)
            list_signs(s, game.row, 1.0, signs)
            seen.signs.append(signs)
            movers.append(seat)
        game.act(s, seat, decide(game, mind, s, seat, simulations, dice, seen), log, Chance())
    result = game.result(s)
    assert result is not None
    seen.won += [0.5 if result.winner is None else float(result.winner == seat) for seat in movers]


def decide(
    game: Madness,
    mind: madness_mind.MadnessMind,
    s: Any,
    seat: int,
    simulations: int,
    dice: Random,
    seen: Lessons,
) -> int:
    legal, view = game.legal(s, seat), game.view(s, seat)
    if len(legal) == 1:
        return legal[0]
    words = np.array([dice.getrandbits(64), dice.getrandbits(64)], np.uint64)
    answer = mind.search(Question(view, seat, legal), words, Budget(simulations=simulations))
    bare, around = first_bare(view, game.row), surroundings(view, game.row, np.int64(seat))
    looked = {
        int(folded(view, bare, np.int64(thought.action))): (
            int(habit_row(view, game.row, np.int64(seat), *around, np.int64(thought.action))),
            thought.examined / simulations,
        )
        for thought in answer.thoughts
    }
    seen.rows.append([row for row, _ in looked.values()])
    seen.shares.append([share for _, share in looked.values()])
    return answer.action if dice.random() >= SLIPS else dice.choice(legal)


def fit_signs(signs: Floats, won: Floats) -> Floats:
    """Logistic regression with a ridge, by Newton's method."""
    weights = np.zeros(N_SIGNS)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-signs @ weights))
        slope = signs.T @ (chance - won) + RIDGE * weights
        bend = (signs * (chance * (1 - chance))[:, None]).T @ signs + RIDGE * np.eye(N_SIGNS)
        weights -= np.linalg.solve(bend, slope)
    return weights


def fit_habits(rows: list[list[int]], shares: list[list[float]]) -> Floats:
    """Weights that, among the moves of each decision, give each the share that the search gave it."""
    flat, share = np.concatenate(rows).astype(np.int64), np.concatenate(shares)
    decision = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
    logs = np.zeros(N_HABITS)
    for _ in range(400):
        weights = np.exp(logs[flat])
        given = weights / np.bincount(decision, weights)[decision]
        slope = np.bincount(flat, given - share, minlength=N_HABITS) + 0.5 * logs
        bend = np.bincount(flat, given * (1 - given), minlength=N_HABITS) + 2.5
        logs -= 0.5 * slope / bend
    return np.exp(logs)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--edition", choices=["standard", "classic"], required=True)
    arguments.add_argument("--games", type=int, default=1000)
    arguments.add_argument("--simulations", type=int, default=1000)
    arguments.add_argument("--seed", default="lessons")
    asked = arguments.parse_args()
    game = Madness(edition=asked.edition)
    mind, dice, seen = madness_mind.MadnessMind(game), Random(asked.seed), Lessons()
    for _ in track(range(asked.games), "playing"):
        play(game, mind, asked.simulations, dice, seen)
    learned = json.loads(LEARNED.read_text(encoding="utf-8"))
    learned[asked.edition] = {
        "signs": [round(float(w), 3) for w in fit_signs(np.array(seen.signs), np.array(seen.won))],
        "habits": [round(float(w), 3) for w in fit_habits(seen.rows, seen.shares)],
    }
    LEARNED.write_text(json.dumps(learned) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
