"""Teach the net of the duel from nothing: it plays with itself and learns from it, millions of games.

    python tools/train_duel.py --folder lessons

Each step is a hundred games: half of them with the ready decks, a quarter with other decks of the core set, a
quarter with cards that are made up, and a quarter of all under house rules. In each turn the net says what
every move was worth against the choice that the other made, since it sees the whole table. It learns to make
the better ones, by what a seat may know, and what came of it all. The last net comes into
src/coyote/bots/duel/judge.npz, as float16, with this command, the seed and the commit. A run that was
stopped, at any moment, goes on from the last thousand steps that are in the folder, to the same net. The
curves are in the folder too: `curves.csv`.
"""

import argparse
import os
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # there is a thread for each pupil already

import numpy as np

import coyote.bots.duel.mind as duel_mind
from coyote.bots.duel.course import piece_of
from coyote.bots.duel.school import COURSE, Class, new_net
from coyote.bots.net import save
from coyote.bots.training import begun_with, train_in

SHIPPED = Path(duel_mind.__file__).with_name("judge.npz")
PIECES, GAMES = 400, 48  # sets of cards, house rules and decks that come again and again, with new deals


def teach(asked: argparse.Namespace) -> None:
    asked.folder.mkdir(parents=True, exist_ok=True)
    begun = begun_with(asked.folder)
    pieces = [piece_of(asked.seed, number, GAMES) for number in range(PIECES)]
    w = new_net(np.random.default_rng(list(asked.seed.encode())))
    train_in(asked.folder, Class(w, replace(COURSE, steps=asked.steps), pieces, asked.seed), asked.threads)
    command = "python tools/train_duel.py --folder lessons"
    if asked.steps != COURSE.steps:
        command += f" --steps {asked.steps}"
    save(asked.out, w, {"command": command, "seed": asked.seed, "commit": begun})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="where what has been reached is kept")
    parser.add_argument("--steps", type=int, default=COURSE.steps, help="fewer for a quick try")
    parser.add_argument("--threads", type=int, default=2, help="they change nothing in what is learned")
    parser.add_argument("--seed", default="duel")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    teach(parser.parse_args())


if __name__ == "__main__":
    main()
