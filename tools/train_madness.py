"""Teach the nets of Madness from nothing: rounds of games that the search plays with itself, and training.

    python tools/train_madness.py --folder lessons

In the first round the search plays by habits and signs (`learned.json`), in the later ones by the nets of the
round before; the games are of all editions, and one in five of house rules. After each round the judgement
learns anew from all lessons so far, and the policy goes on with those of this round. The last nets come into
src/coyote/bots/madness/nets.npz, as float16, with this command, the seed and the commit. The folder keeps
lessons and nets; a run that was stopped, at any moment, goes on where it was. The curves are in the folder
too: `curves.csv`.

The nets are small and most of their inputs are not set, so the training is compiled like the rules
(`bots/madness/study.py`) and no framework is needed.
"""

import argparse
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import coyote.bots.madness.nets as madness_nets
from coyote.bots.madness.nets import NET
from coyote.bots.madness.school import (
    HOUSE_GAMES,
    OWN_GAMES,
    Course,
    Losses,
    fresh_nets,
    games_of,
    load_lessons,
    play_lessons,
    train,
    with_policy,
)
from coyote.bots.net import as_weights, fill, load, save
from coyote.games.madness.editions import EDITIONS

SHIPPED = Path(madness_nets.__file__).with_name("nets.npz")
COLUMNS = "round,epoch,judgement,policy,judgement unseen,policy unseen\n"


@dataclass(frozen=True)
class Round:
    lessons: int  # of each edition
    simulations: int  # of each decision
    slips: int  # of 1,000 moves
    epochs: int


ROUNDS = (
    Round(lessons=400_000, simulations=128, slips=50, epochs=4),
    Round(lessons=800_000, simulations=128, slips=50, epochs=4),
    Round(lessons=800_000, simulations=128, slips=20, epochs=4),
    Round(lessons=500_000, simulations=600, slips=20, epochs=6),
)


class Run:
    """One run, in its folder."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked, self.folder = asked, Path(asked.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.curves = self.folder / "curves.csv"
        if not self.curves.exists():
            self.curves.write_text(COLUMNS, encoding="utf-8")
        self.begun = self.folder / "commit.txt"  # the code that the run began with
        if not self.begun.exists():
            git = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
            self.begun.write_text(git.stdout, encoding="utf-8")

    def go(self) -> None:
        for number in range(len(ROUNDS)):
            if not self.nets_file(number).exists():
                for edition in EDITIONS:
                    self.play(number, edition)
                self.train(number)
        self.ship()

    def nets_file(self, number: int) -> Path:
        return self.folder / f"nets-{number}.npz"

    def nets_of(self, number: int) -> Any | None:
        """The nets that a round was left with; None before the first."""
        if number < 0:
            return None
        nets = np.zeros(1, NET)
        fill(nets[0], load(self.nets_file(number))[0])
        return nets

    # ------------------------------------------------------------ lessons

    def play(self, number: int, edition: str) -> None:
        """As many lessons as are asked for; pieces that are there already are not played again."""
        nets, done = self.nets_of(number - 1), 0
        with ThreadPoolExecutor(self.asked.threads) as pool:
            for batch in self.batches():
                done += sum(pool.map(lambda piece: self.piece(number, edition, piece, nets), batch))
                print(f"round {number}, {edition}: {done:,} lessons", flush=True)
                if done >= self.asked.share * ROUNDS[number].lessons:
                    return

    def batches(self) -> Iterator[range]:
        first = 0
        while True:
            yield range(first, first + self.asked.threads)
            first += self.asked.threads

    def piece(self, number: int, edition: str, piece: int, nets: Any | None) -> int:
        path, asked = self.folder / f"lessons-{number}-{edition}-{piece:05}.npz", ROUNDS[number]
        if not path.exists():
            seed = f"{self.asked.seed} {number} {edition} {piece}"
            games = games_of(edition, piece, seed, {})
            each = OWN_GAMES if len(games) == 1 else HOUSE_GAMES
            play_lessons(games, seed, asked.simulations, asked.slips, nets, each).save(path)
        return len(load_lessons([path]).lessons)

    def pieces(self, number: int) -> list[Path]:
        """Editions by turns, so that the last ones, by which it is seen what was learned, are of all."""
        return sorted(self.folder.glob(f"lessons-{number}-*.npz"), key=lambda path: path.stem[-5:])

    # ------------------------------------------------------------ training

    def train(self, number: int) -> None:
        seen = load_lessons([path for n in range(number + 1) for path in self.pieces(n)])
        seen.since = len(seen.lessons) - len(load_lessons(self.pieces(number)).lessons)
        before, seed = self.nets_of(number - 1), self.asked.number + number
        nets = fresh_nets(seed) if before is None else with_policy(fresh_nets(seed), before)
        kept = self.folder / f"training-{number}.npz"

        def tell(epoch: int, learned: Losses, unseen: Losses) -> None:
            self.tell(number, epoch, *learned, *unseen)

        made = train(seen, nets, Course(epochs=ROUNDS[number].epochs), seed, kept, tell)
        unfinished = self.nets_file(number).with_suffix(".part")
        save(unfinished, as_weights(made[0]), self.story())
        unfinished.replace(self.nets_file(number))

    def tell(self, *found: float) -> None:
        """A line of the curves."""
        line = ",".join(f"{each:.4f}" if isinstance(each, float) else str(each) for each in found)
        print(f"learned: {line}", flush=True)
        with self.curves.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def story(self) -> dict[str, str]:
        """What made the nets; the folder changes nothing in them."""
        command = f"python tools/train_madness.py --folder lessons --threads {self.asked.threads}"
        return {
            "command": command if self.asked.share == 1.0 else f"{command} --share {self.asked.share:g}",
            "seed": self.asked.seed,
            "commit": self.begun.read_text(encoding="utf-8").strip(),
        }

    def ship(self) -> None:
        """The nets as the package has them."""
        Path(self.asked.out).write_bytes(self.nets_file(len(ROUNDS) - 1).read_bytes())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--folder", required=True, help="where lessons and nets are kept")
    arguments.add_argument("--share", type=float, default=1.0, help="of all lessons, for a quick try")
    arguments.add_argument("--threads", type=int, default=1, help="others may play a few more lessons")
    arguments.add_argument("--seed", default="coyote")
    arguments.add_argument(
        "--number", type=int, default=1, help="the seed of the first weights and the order"
    )
    arguments.add_argument("--out", default=str(SHIPPED))
    Run(arguments.parse_args()).go()


if __name__ == "__main__":
    main()
