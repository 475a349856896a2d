"""Teach the judge of luck: games that the search plays with itself, and rounds of training on how they ended.

    python tools/train_luck.py --folder lessons

Of eight pieces of games five are of standard, two of classic and one of house rules. In the first round the
judge learns the results; in each later one the results less the luck as it has learned to tell it, with some
of what it thought of the later turns (`analysis/madness/lessons.py`, `foresee`). The last one comes into
src/coyote/analysis/madness/judge.npz, as float16, with this command, the seed and the commit. The folder
keeps the games: a run that was stopped goes on where it was.
"""

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

import coyote.analysis.madness.judge as luck_judge
from coyote.analysis.madness import lessons, luck
from coyote.analysis.madness.fate import mean_deal, new_eye, scratch, set_judge
from coyote.analysis.madness.study import Pupil, train
from coyote.bots.madness.mind import MadnessMind
from coyote.bots.madness.mind import scratch as search_scratch
from coyote.bots.madness.school import house_rules
from coyote.bots.net import Weights, as_weights, fill, save
from coyote.games.madness.actions import MOST_LEGAL
from coyote.games.madness.editions import EDITIONS
from coyote.games.madness.game import Madness
from coyote.games.madness.state import MAIN, STATE
from coyote.kernel.record import new

SHIPPED = Path(luck_judge.__file__).with_name("judge.npz")
PIECES = (*["standard"] * 5, *["classic"] * 2, "house rules")
GAMES, HOUSES = 2000, 20  # of a piece; and so many house rules share one
REACH = (1.0, 0.95, 0.9)  # by round; in the first there is no judge yet
USUAL_DEALS = 1 << 20
ROOM = 130  # lessons of a game, on average at most


@dataclass
class Piece:
    """Games one after the other, of one set of options or of several."""

    tables: npt.NDArray[Any]
    lessons: npt.NDArray[Any]
    which: npt.NDArray[np.int64]
    games: list[Madness]


def as_bytes(records: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(records).view(np.uint8).reshape(len(records), -1)


def from_bytes(plain: npt.NDArray[np.uint8], dtype: Any) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = np.ascontiguousarray(plain).view(dtype).reshape(-1)
    return found


def games_of(number: int, seed: str) -> list[Madness]:
    kind = PIECES[number % len(PIECES)]
    if kind != "house rules":
        return [Madness(edition=kind)]
    dice = Random(f"{seed} {number}")
    return [house_rules(("standard", "classic")[k % 2], dice) for k in range(HOUSES)]


def play(number: int, seed: str, simulations: int) -> Piece:
    games = games_of(number, seed)
    each = GAMES // len(games)
    found = []
    for k, game in enumerate(games):
        tables = np.zeros(lessons.LONGEST + ROOM * each, STATE)
        told = np.zeros(len(tables), lessons.LESSON)
        n = play_game(game, Random(f"{seed} {number} {k}"), each, simulations, tables, told)
        told["game"] += k * each
        found.append((tables[:n], told[:n], np.full(n, k)))
    parts = [np.concatenate(one) for one in zip(*found, strict=True)]
    return Piece(parts[0], parts[1], parts[2], games)


def play_game(game: Madness, chance: Random, each: int, simulations: int, tables: Any, told: Any) -> int:
    mind, x, y = MadnessMind(game), search_scratch(), scratch()
    source = np.array([chance.getrandbits(64), chance.getrandbits(64)], np.uint64)
    moves, both = np.zeros(MOST_LEGAL, np.int16), np.full(2, simulations)
    return int(
        lessons.play_lessons(
            y.table, y.views, game.row, mind.manner, mind.nets, x.nodes, x.work, x.world, x.log, moves,
            source, y.words, y.dice, 0, each, both, tables, told,
        )
    )  # fmt: skip


def load(path: Path, number: int, seed: str) -> Piece:
    with np.load(path) as found:
        return Piece(
            from_bytes(found["tables"], STATE),
            from_bytes(found["lessons"], lessons.LESSON),
            found["which"].astype(np.int64),
            games_of(number, seed),
        )


def piece(folder: Path, number: int, seed: str, simulations: int) -> Piece:
    path = folder / f"games-{number:03}.npz"
    if not path.exists():
        made = play(number, seed, simulations)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, tables=as_bytes(made.tables), lessons=as_bytes(made.lessons), which=made.which)
        part.rename(path)
        print(f"piece {number}: {len(made.tables):,} tables", flush=True)
    return load(path, number, seed)


def joined(pieces: list[Piece]) -> Piece:
    """All pieces as one; options and games get numbers of their own."""
    games: list[Madness] = []
    first = 0
    for one in pieces:
        one.which += len(games)
        one.lessons["game"] += first
        first = int(one.lessons["game"].max()) + 1
        games += one.games
    return Piece(
        np.concatenate([one.tables for one in pieces]),
        np.concatenate([one.lessons for one in pieces]),
        np.concatenate([one.which for one in pieces]),
        games,
    )


def rows_of(games: list[Madness]) -> Any:
    rows = np.zeros(len(games), games[0].row.dtype)
    for number, game in enumerate(games):
        rows[number] = game.row
    return rows


def foreseen(all_games: Piece, judge: Any, reach: float) -> npt.NDArray[np.float64]:
    """What is to be learned of each table, by the judge that there is."""
    x, targets = scratch(), np.zeros(len(all_games.tables))
    eyes = np.zeros(len(all_games.games), luck.EYE)
    for number, game in enumerate(all_games.games):
        eye = new_eye(game)
        set_judge(eye, judge, game)
        eyes[number] = eye
    lessons.foresee(
        all_games.tables, all_games.lessons, rows_of(all_games.games), all_games.which, eyes, reach, x.log,
        x.room, x.tables, targets,
    )  # fmt: skip
    return targets


def teach(all_games: Piece, epochs: int, seed: int) -> Any:
    """The judge after all rounds; it is asked where a main action is due, so it learns from these."""
    pupil = Pupil(seed)
    rows = rows_of(all_games.games)
    main = np.flatnonzero(all_games.tables["phase"] == MAIN)
    since = all_games.lessons["game"][main[int(len(main) * 0.97)]]
    check = main[all_games.lessons["game"][main] >= since]
    learn = main[all_games.lessons["game"][main] < since]
    for number, reach in enumerate(REACH):
        targets = (
            foreseen(all_games, pupil.nets[0], reach) if number else all_games.lessons["won"].astype(float)
        )

        def tell(epoch: int, learned: float, unseen: float, number: int = number) -> None:
            print(f"round {number}, epoch {epoch}: {learned:.4f}, unseen {unseen:.4f}", flush=True)

        pupil.rest()
        known = (all_games.tables, targets, rows, all_games.which)
        train(pupil, known, learn, check, epochs, seed + number, tell, rate=1e-3 if number else 2e-3)
    return pupil.nets[0]


def ship(out: Path, weights: Weights, command: str, seed: str, commit: str) -> None:
    """Write the file, with what a deal of each edition is worth on average, by the judge as it is there."""
    judge = new(luck_judge.JUDGE)
    fill(judge, {name: table.astype(np.float16).astype(np.float32) for name, table in weights.items()})
    usual = {}
    for edition in EDITIONS:
        game = Madness(edition=edition)
        eye = new_eye(game)
        set_judge(eye, judge, game)
        usual[edition] = mean_deal(game, eye, USUAL_DEALS)
    save(out, weights, {"command": command, "seed": seed, "commit": commit, "usual": usual})


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--folder", required=True, help="where games are kept")
    arguments.add_argument("--pieces", type=int, default=20, help="of 2,000 games")
    arguments.add_argument("--simulations", type=int, default=32, help="of each decision")
    arguments.add_argument("--epochs", type=int, default=3, help="of each round")
    arguments.add_argument("--seed", default="luck")
    arguments.add_argument("--number", type=int, default=1, help="the seed of the weights and the order")
    arguments.add_argument("--out", default=str(SHIPPED))
    asked = arguments.parse_args()
    folder = Path(asked.folder)
    folder.mkdir(parents=True, exist_ok=True)
    pieces = [piece(folder, number, asked.seed, asked.simulations) for number in range(asked.pieces)]
    judge = teach(joined(pieces), asked.epochs, asked.number)
    git = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    command = " ".join(["python", "tools/train_luck.py", *sys.argv[1:]])
    ship(Path(asked.out), as_weights(judge), command, asked.seed, git.stdout.strip())


if __name__ == "__main__":
    main()
