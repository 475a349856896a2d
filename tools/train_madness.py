"""Teach the nets of Madness from nothing: they play with themselves and learn from it, 300 million decisions.

    python tools/train_madness.py --folder lessons

Each step is 64 games of all editions, one in five under house rules, which the policy plays with itself; at
each decision the judgement says what every move was worth, since it sees both hands. The policy learns to
make the better ones, by the view alone, and the judgement learns what came of it all. The last nets come into
src/coyote/bots/madness/nets.npz, as float16, with this command, the seed and the commit. A run that was
stopped, at any moment, goes on from the last thousand steps that are in the folder, to the same nets. The
curves are in the folder too: `curves.csv`.

The nets are small and most of their inputs are not set, so both the playing and the learning are compiled
like the rules (`bots/madness/practice.py`, `bots/madness/study.py`) and no framework is needed.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import coyote.bots.madness.nets as madness_nets
from coyote.bots.madness.school import COURSE, Class, fresh_nets
from coyote.bots.net import as_weights, save
from coyote.bots.training import begun_with, train_in

SHIPPED = Path(madness_nets.__file__).with_name("nets.npz")


def teach(asked: argparse.Namespace) -> None:
    asked.folder.mkdir(parents=True, exist_ok=True)
    begun = begun_with(asked.folder)
    pupils = Class(fresh_nets(asked.number), replace(COURSE, steps=asked.steps), asked.seed)
    train_in(asked.folder, pupils, asked.threads)
    command = "python tools/train_madness.py --folder lessons"
    if asked.steps != COURSE.steps:
        command += f" --steps {asked.steps}"
    save(asked.out, as_weights(pupils.nets[0]), {"command": command, "seed": asked.seed, "commit": begun})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="where what has been reached is kept")
    parser.add_argument("--steps", type=int, default=COURSE.steps, help="fewer for a quick try")
    parser.add_argument("--threads", type=int, default=2, help="they change nothing in what is learned")
    parser.add_argument("--seed", default="coyote")
    parser.add_argument("--number", type=int, default=1, help="the seed of the first weights")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    teach(parser.parse_args())


if __name__ == "__main__":
    main()
