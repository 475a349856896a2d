"""Train the judge of the duel from nothing.

    python tools/train_duel.py --folder lessons --seed duel

Round 0 is played by rules of thumb, the later ones by the search with the net of the round before; half of
all games is with the ready decks, a quarter with cards that nobody has seen.
After each round the net learns: in round 0 from nothing, then on from where it was, from the games of all
searches so far. From round 1 on it learns to propose moves, too, and the games of the next round are played
with these. The last net comes into src/coyote/bots/duel/judge.npz, as float16, with this command, the seed
and the commit. Everything follows from the seed; the folder keeps what is finished, so that a run that was
stopped at any moment goes on where it was. The curves are there too: `curves.csv`.
"""

import argparse
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import coyote.bots.duel.mind as duel_mind
from coyote.bots.duel.cardnet import PROPOSES
from coyote.bots.duel.course import keep, play_piece
from coyote.bots.duel.mind import DuelMind, Learned
from coyote.bots.duel.school import Shelf, learn, new_net
from coyote.bots.net import Weights, load, save
from coyote.games.duel.game import Duel

SHIPPED = Path(duel_mind.__file__).with_name("judge.npz")
COLUMNS = "round,epoch,error,error unseen,error of the result unseen\n"


@dataclass(frozen=True)
class Round:
    pieces: int
    games: int  # of a piece
    simulations: int  # a move; 0: rules of thumb
    slips: int  # one move of so many is any
    epochs: int
    trust: float  # how much later turns count
    pace: float


ROUNDS = (
    Round(pieces=800, games=48, simulations=0, slips=4, epochs=2, trust=1.0, pace=0.005),
    Round(pieces=160, games=96, simulations=32, slips=15, epochs=4, trust=0.95, pace=0.003),
    Round(pieces=240, games=96, simulations=48, slips=20, epochs=4, trust=0.95, pace=0.003),
    Round(pieces=300, games=96, simulations=64, slips=25, epochs=4, trust=0.95, pace=0.003),
    Round(pieces=240, games=96, simulations=80, slips=25, epochs=4, trust=0.95, pace=0.003),
    Round(pieces=200, games=96, simulations=100, slips=25, epochs=4, trust=0.95, pace=0.003),
)


class Run:
    """One run, in its folder."""

    def __init__(self, folder: Path, seed: str, share: float, threads: int) -> None:
        self.folder, self.seed, self.share, self.threads = folder, seed, share, threads
        self.folder.mkdir(parents=True, exist_ok=True)
        self.curves = folder / "curves.csv"
        if not self.curves.exists():
            self.curves.write_text(COLUMNS, encoding="utf-8")

    def go_on(self, out: Path) -> None:
        """All that is not finished yet, to the net of the last round."""
        for number in range(len(ROUNDS)):
            if not self.net_file(number).exists():
                self.play(number)
                self.teach(number)
        out.write_bytes(self.net_file(len(ROUNDS) - 1).read_bytes())

    def net_file(self, number: int) -> Path:
        return self.folder / f"net-{number}.npz"

    def pieces(self, number: int) -> list[Path]:
        count = max(2, round(self.share * ROUNDS[number].pieces))
        return [self.folder / f"round-{number}" / f"{piece:05}.npz" for piece in range(count)]

    def weights(self, number: int) -> Weights:
        return load(self.net_file(number))[0]

    def play(self, number: int) -> None:
        """The pieces of a round that are not there yet."""
        todo = [path for path in self.pieces(number) if not path.exists()]
        if todo:
            todo[0].parent.mkdir(exist_ok=True)
            learned = Learned(self.weights(number - 1) if number else {})
            with ThreadPoolExecutor(self.threads) as pool:
                for done, _ in enumerate(pool.map(lambda path: self.piece(number, path, learned), todo), 1):
                    print(f"round {number}: {done} of {len(todo)} pieces", end="\r", flush=True)
            print()

    def piece(self, number: int, path: Path, learned: Learned) -> None:
        asked = ROUNDS[number]

        def mind(game: Duel) -> DuelMind:
            return DuelMind(game, learned)

        seed = f"{self.seed} {number}"
        keep(path, *play_piece(seed, int(path.stem), asked.games, asked.simulations, asked.slips, mind))

    def teach(self, number: int) -> None:
        asked, shelf = ROUNDS[number], Shelf()
        self.forget_curve(number)
        for path in self.lessons(number):
            shelf.add(path)
        dice = np.random.default_rng([number, *self.seed.encode()])
        w = new_net(dice) | (self.weights(number - 1) if number else {})

        def tell(epoch: int, *errors: float) -> None:
            line = f"{number},{epoch}," + ",".join(f"{error:.4f}" for error in errors)
            print(line)
            with self.curves.open("a", encoding="utf-8") as file:
                file.write(line + "\n")

        learn(shelf, w, asked.epochs, asked.trust, asked.pace, dice, tell)
        if not asked.simulations:  # rules of thumb have weighed no moves, so there are none to propose
            w = {name: table for name, table in w.items() if name not in PROPOSES}
        unfinished = self.net_file(number).with_suffix(".part")
        save(unfinished, w, self.story())
        unfinished.replace(self.net_file(number))

    def forget_curve(self, number: int) -> None:
        """A round whose learning was stopped is learned again from its beginning."""
        lines = self.curves.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(f"{number},")]
        self.curves.write_text("".join(kept), encoding="utf-8")

    def lessons(self, number: int) -> Iterator[Path]:
        """Rules of thumb are forgotten as soon as a search has played."""
        for each in range(1, number + 1) if number else range(1):
            yield from self.pieces(each)

    def story(self) -> dict[str, str]:
        """What made the net; the folder and how many threads there are change nothing in it."""
        commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True)
        share = "" if self.share == 1.0 else f" --share {self.share:g}"
        return {
            "command": f"python tools/train_duel.py --folder lessons --seed {self.seed}{share}",
            "seed": self.seed,
            "commit": commit.stdout.strip(),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seed", default="duel")
    parser.add_argument("--share", type=float, default=1.0, help="of all games, for a quick try")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    asked = parser.parse_args()
    Run(asked.folder, asked.seed, asked.share, asked.threads).go_on(asked.out)


if __name__ == "__main__":
    main()
