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
import subprocess
from pathlib import Path

import coyote.bots.madness.nets as madness_nets
from coyote.bots.madness.school import Class, Course, Found, fresh_nets, train
from coyote.bots.net import as_weights, save

SHIPPED = Path(madness_nets.__file__).with_name("nets.npz")
COLUMNS = "step,loss of the judgement,behind the best move\n"
OFTEN = 1000  # steps


def commit() -> str:
    git = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return git.stdout.strip()


def kept_commit(folder: Path) -> str:
    """The code that the run began with."""
    path = folder / "commit.txt"
    if not path.exists():
        path.write_text(commit(), encoding="utf-8")
    return path.read_text(encoding="utf-8")


def teach(asked: argparse.Namespace) -> None:
    folder = Path(asked.folder)
    folder.mkdir(parents=True, exist_ok=True)
    course, curves, begun = Course(steps=asked.steps), folder / "curves.csv", kept_commit(folder)
    if not curves.exists():
        curves.write_text(COLUMNS, encoding="utf-8")

    def tell(step: int, found: Found) -> None:
        line = f"{step},{found[0]:.4f},{found[1]:.4f}"
        print(line, flush=True)
        with curves.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    pupils = Class(fresh_nets(asked.number), course, asked.seed)
    made = train(pupils, asked.threads, folder / "training.npz", OFTEN, tell)
    command = "python tools/train_madness.py --folder lessons"
    if course.steps != Course().steps:
        command += f" --steps {course.steps}"
    save(Path(asked.out), as_weights(made[0]), {"command": command, "seed": asked.seed, "commit": begun})


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--folder", required=True, help="where what has been reached is kept")
    arguments.add_argument("--steps", type=int, default=Course().steps, help="fewer for a quick try")
    arguments.add_argument("--threads", type=int, default=2, help="they change nothing in what is learned")
    arguments.add_argument("--seed", default="coyote")
    arguments.add_argument("--number", type=int, default=1, help="the seed of the first weights")
    arguments.add_argument("--out", default=str(SHIPPED))
    teach(arguments.parse_args())


if __name__ == "__main__":
    main()
