"""Teach the nets of Madness from nothing: rounds of games that the search plays with itself, and training.

    python tools/train_madness.py --folder lessons --rounds 4

In the first round the search plays by habits and signs (`learned.json`), in the later ones by the net of the
round before. In each round a net learns for each edition: the judgement anew from all lessons so far, the
policy from those of this round and the one before. At the end the judgement learns from the lessons of both
editions, and then goes on with those of its own. The last nets come into src/coyote/bots/madness/nets.npz, as
float16, with this command, the seed and the commit. The folder keeps lessons and nets; a run that was
stopped, at any moment, goes on where it was. The curves are in the folder too: `curves.csv`.

The nets are small and most of their inputs are not set, so the training is compiled like the rules
(`bots/madness/study.py`) and no framework is needed.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
    fresh_net,
    games_of,
    load_lessons,
    play_lessons,
    train,
    with_policy,
)
from coyote.bots.net import Weights, as_weights, fill, load, save
from coyote.games.madness.editions import EDITIONS

SHIPPED = Path(madness_nets.__file__).with_name("nets.npz")
ALL = "all"  # the editions
COLUMNS = "round,edition,epoch,judgement,policy,judgement unseen,policy unseen\n"


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

    def pieces(self, number: int, edition: str) -> list[Path]:
        return sorted(self.folder.glob(f"lessons-{number}-{edition}-*.npz"))

    def net_file(self, number: int, edition: str) -> Path:
        return self.folder / f"net-{number}-{edition}.npz"

    def net_of(self, number: int, edition: str) -> Any | None:
        """The net that a round was left with; None before the first."""
        if number < 0:
            return None
        nets = np.zeros(1, NET)
        fill(nets[0], load(self.net_file(number, edition))[0])
        return nets[0]

    # ------------------------------------------------------------ lessons

    def play(self, number: int, edition: str) -> None:
        """As many lessons as are asked for; pieces that are there already are not played again."""
        net, done = self.net_of(number - 1, edition), 0
        with ThreadPoolExecutor(self.asked.threads) as pool:
            for batch in self.batches():
                done += sum(pool.map(lambda piece: self.piece(number, edition, piece, net), batch))
                print(f"round {number}, {edition}: {done:,} lessons", flush=True)
                if done >= (self.asked.later if number else self.asked.lessons):
                    return

    def batches(self) -> Iterator[range]:
        first = 0
        while True:
            yield range(first, first + self.asked.threads)
            first += self.asked.threads

    def piece(self, number: int, edition: str, piece: int, net: Any | None) -> int:
        path = self.folder / f"lessons-{number}-{edition}-{piece:05}.npz"
        if not path.exists():
            seed = f"{self.asked.seed} {number} {edition} {piece}"
            games = games_of(edition, piece, seed, {})
            each = OWN_GAMES if len(games) == 1 else HOUSE_GAMES
            play_lessons(games, seed, self.asked.simulations, net, each).save(path)
        return len(load_lessons([path]).lessons)

    # ------------------------------------------------------------ training

    def tell(self, *found: str | float) -> None:
        """A line of the curves."""
        line = ",".join(f"{each:.4f}" if isinstance(each, float) else str(each) for each in found)
        print(f"learned: {line}", flush=True)
        with self.curves.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def train(self, number: int, edition: str) -> None:
        if self.net_file(number, edition).exists():
            return
        seen = load_lessons([path for n in range(number + 1) for path in self.pieces(n, edition)])
        early = [path for n in range(number - 1) for path in self.pieces(n, edition)]
        seen.since = len(load_lessons(early).lessons) if early else 0
        before, seed = self.net_of(number - 1, edition), self.asked.number + number
        nets = fresh_net(edition, seed) if before is None else with_policy(fresh_net(edition, seed), before)
        kept = self.folder / f"training-{number}-{edition}.npz"

        def tell(epoch: int, learned: Losses, unseen: Losses) -> None:
            self.tell(number, edition, epoch, *learned, *unseen)

        made = train(seen, nets, Course(epochs=self.asked.epochs), seed, kept, tell)
        save(self.net_file(number, edition), as_weights(made), {})

    def finish(self) -> Iterator[tuple[str, Any]]:
        """At last a judgement learns from the lessons of all editions, which have much in common, and goes on
        from there with those of each; the policies stay as they are. The net of each edition."""
        last, seed = self.asked.rounds - 1, self.asked.number + self.asked.rounds
        shared = self.judge(ALL, fresh_net(next(iter(EDITIONS)), seed), Course(epochs=3))
        for edition in EDITIONS:
            nets = with_policy(np.array([shared], NET), self.net_of(last, edition))
            yield edition, self.judge(edition, nets, Course(epochs=1, rate=1e-3))

    def judge(self, edition: str, nets: Any, course: Course) -> Any:
        """The net with a judgement from all lessons of an edition, or of all of them."""
        editions = EDITIONS if edition == ALL else [edition]
        rounds = range(self.asked.rounds)
        seen = load_lessons([path for one in editions for n in rounds for path in self.pieces(n, one)])
        seen.since = len(seen.lessons)  # the policy learns from none

        def tell(epoch: int, learned: Losses, _: Losses) -> None:
            self.tell("last", edition, epoch, learned[0], "", "", "")  # what one keeps back another has seen

        return train(seen, nets, course, self.asked.number + self.asked.rounds, None, tell)

    def ship(self) -> None:
        """The nets as the package has them."""
        weights: Weights = {}
        for edition, net in self.finish():
            weights |= as_weights(net, f"{edition}.")
        command = " ".join(["python", "tools/train_madness.py", *sys.argv[1:]])
        story = {
            "editions": list(EDITIONS),
            "command": command,
            "seed": self.asked.seed,
            "commit": self.begun.read_text(encoding="utf-8").strip(),
        }
        save(Path(self.asked.out), weights, story)

    def go(self) -> None:
        for number in range(self.asked.rounds):
            for edition in EDITIONS:
                if not self.net_file(number, edition).exists():
                    self.play(number, edition)
            with ThreadPoolExecutor(self.asked.threads) as pool:
                list(pool.map(lambda edition: self.train(number, edition), EDITIONS))  # noqa: B023
        self.ship()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--folder", required=True, help="where lessons and nets are kept")
    arguments.add_argument("--rounds", type=int, default=4)
    arguments.add_argument("--lessons", type=int, default=400_000, help="of the first round, each edition")
    arguments.add_argument("--later", type=int, default=250_000, help="of each later round, each edition")
    arguments.add_argument("--simulations", type=int, default=128, help="of each decision, 255 at most")
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--seed", default="coyote")
    arguments.add_argument(
        "--number", type=int, default=1, help="the seed of the first weights and the order"
    )
    arguments.add_argument("--out", default=str(SHIPPED))
    Run(arguments.parse_args()).go()


if __name__ == "__main__":
    main()
