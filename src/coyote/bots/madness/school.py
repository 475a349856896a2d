"""Where the nets of Madness are taught: lessons played and kept, nets made and trained.

`tools/train_madness.py` does all of it with one command. Everything follows from a seed; whatever is finished
is kept in a folder, so that a run which was stopped goes on where it was.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.bots.madness import lessons, study, tree
from coyote.bots.madness.habits import N_HABITS
from coyote.bots.madness.lessons import LESSON, LONGEST
from coyote.bots.madness.mind import MadnessMind, learned, scratch, use_nets
from coyote.bots.madness.nets import NET
from coyote.games.game import OptionError
from coyote.games.madness.actions import MOST_LEGAL
from coyote.games.madness.game import Madness
from coyote.games.madness.state import STATE
from coyote.kernel.record import first, new

CHANGED = 0.3  # chance that an option is another one under house rules
OWN_GAMES, HOUSE_GAMES = 64, 8  # games of a piece: of the edition itself, or of each of HOUSES house rules
HOUSES = 8
EVERY = 5  # pieces, of which the last is of house rules
JUDGEMENT = int(NET.fields["look"][1]) // 4  # type: ignore[index]  # its numbers; the rest is the policy
POLICY = ("look", "look_bias", "moves", "moves_bias")
Order = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Losses = tuple[float, float]
Tell = Callable[[int, Losses, Losses], None]


# ---------------------------------------------------------------- lessons


def house_rules(edition: str, dice: Random) -> Madness:
    """An edition with some options changed, within M25."""
    while True:
        given: dict[str, Any] = {
            option.name: dice.choice(list(option.allowed))
            for option in Madness.OPTIONS
            if dice.random() < CHANGED
        }
        try:
            return Madness(edition=edition, **given)
        except OptionError:
            continue


def games_of(edition: str, number: int, seed: str, given: dict[str, Any]) -> list[Madness]:
    """The games that a piece of lessons is played of."""
    if given or (number + 1) % EVERY:
        return [Madness(edition=edition, **given)]
    dice = Random(f"{seed} {edition} {number}")
    return [house_rules(edition, dice) for _ in range(HOUSES)]


@dataclass
class Lessons:
    """Lessons in the order in which they were played. `which` is the row of options of each; the policy
    learns from those from number `since` on, which the last searches have played."""

    tables: npt.NDArray[Any]
    lessons: npt.NDArray[Any]
    which: npt.NDArray[np.int64]
    options: list[dict[str, Any]]
    since: int = 0

    def foreseen(self, reach: float) -> Floats:
        """What a judgement learns of each."""
        out = np.zeros(len(self.tables))
        study.foresee(self.tables, self.lessons, reach, out)
        return out

    @property
    def rows(self) -> npt.NDArray[Any]:
        """The options as the rules have them."""
        rows = [Madness(**given).row for given in self.options]
        return np.frombuffer(b"".join(row.tobytes() for row in rows), rows[0].dtype).copy()

    def save(self, path: Path) -> None:
        """Half of a file is no file."""
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez_compressed(
                file,
                tables=as_bytes(self.tables),
                lessons=as_bytes(self.lessons),
                which=self.which.astype(np.int16),
                options=np.array(json.dumps(self.options)),
            )
        part.rename(path)


def as_bytes(records: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(records).view(np.uint8).reshape(len(records), -1)


def from_bytes(plain: npt.NDArray[np.uint8], dtype: Any) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = np.ascontiguousarray(plain).view(dtype).reshape(-1)
    return found


def load_lessons(paths: Sequence[Path]) -> Lessons:
    """All of these files, one after the other."""
    tables, told, which = [], [], []
    options: list[dict[str, Any]] = []
    for path in paths:
        with np.load(path) as found:
            which.append(found["which"].astype(np.int64) + len(options))
            tables.append(found["tables"])
            told.append(found["lessons"])
            options += json.loads(str(found["options"]))
    return Lessons(
        from_bytes(np.concatenate(tables), STATE),
        from_bytes(np.concatenate(told), LESSON),
        np.concatenate(which),
        options,
    )


def play_lessons(
    games: Sequence[Madness], seed: str, simulations: int, slips: int, nets: Any | None, each: int
) -> Lessons:
    """Games of the search with itself, by nets, or by habits and signs where there are none. `slips` of 1,000
    moves are made at random, so that the games come to other tables too."""
    table, views = np.zeros(1, STATE), np.zeros(1, STATE)
    words, dice, luck = (np.zeros(2, np.uint64) for _ in range(3))
    moves = np.zeros(MOST_LEGAL, np.int16)
    room = LONGEST + 140 * each
    found = Lessons(np.zeros(0, STATE), np.zeros(0, LESSON), np.zeros(0, np.int64), [])
    for number, game in enumerate(games):
        mind, x = MadnessMind(game), scratch()
        use_nets(mind, nets)
        tables, told = np.zeros(room, STATE), np.zeros(room, LESSON)
        chance = Random(f"{seed} {number}")
        source = np.array([chance.getrandbits(64), chance.getrandbits(64)], np.uint64)
        n = lessons.play_lessons(
            table, views, game.row, mind.manner, mind.nets, x.nodes, x.work, x.world, x.log, moves, source,
            words, dice, luck, 0, each, simulations, slips, tables, told,
        )  # fmt: skip
        found.tables = np.concatenate([found.tables, tables[:n]])
        found.lessons = np.concatenate([found.lessons, told[:n]])
        found.which = np.concatenate([found.which, np.full(n, number)])
        found.options.append(dict(game.options))
    return found


# ---------------------------------------------------------------- a net that learns


def fresh_nets(seed: int) -> npt.NDArray[Any]:
    """Small random weights; the policy begins as the habits, which are the same everywhere."""
    nets = np.zeros(1, NET)
    net, luck = nets[0], np.random.default_rng(seed)
    for name, size in (("first", 0.15), ("second", 0.2), ("last", 0.1), ("look", 0.15)):
        net[name][...] = size * luck.normal(size=net[name].shape)
    net.moves_bias[:N_HABITS] = np.mean([np.log(table["habits"]) for table in learned().values()], axis=0)
    return nets


def with_policy(nets: npt.NDArray[Any], before: Any) -> npt.NDArray[Any]:
    """The policy goes on from the nets before. The judgement begins anew in each round: it learns from all
    lessons so far, and would know those of the first rounds by heart."""
    for name in POLICY:
        nets[name] = before[name]
    return nets


@dataclass(frozen=True)
class Course:
    """How a net is trained."""

    epochs: int = 6
    batch: int = 512
    rate: float = 4e-3
    decay: float = 0.2  # of the judgement's weights, which would learn the games by heart
    reach: float = 0.97  # of what came later, as `study.foresee` has it
    warm: int = 200  # steps at the beginning, with a smaller rate

    def rate_at(self, step: int, steps: int) -> float:
        return (
            self.rate * min(1.0, step / self.warm) * (0.5 + 0.5 * float(np.cos(np.pi * step / steps)) + 0.01)
        )


class Pupil:
    """A net that learns, with what Adam remembers."""

    def __init__(self, nets: npt.NDArray[Any]) -> None:
        self.nets, self.slopes = nets, np.zeros(1, NET)
        self.net, self.slope = first(self.nets), first(self.slopes)
        self.desk, self.work = new(study.DESK), new(tree.WORK)
        self.flat = [self.nets.view(np.float32), self.slopes.view(np.float32)]
        self.flat += [np.zeros_like(self.flat[0]), np.zeros_like(self.flat[0])]
        self.steps = 0

    def losses(self, seen: Lessons, rows: Any, foreseen: Floats, order: Order, learns: bool) -> Losses:
        """Of the judgement and of the policy, over these lessons."""
        nets, late = (self.net, self.slope), order[order >= seen.since]
        return (
            study.study_judgement(seen.tables, foreseen, rows, seen.which, order, *nets, self.desk, learns),
            study.study_policy(
                seen.tables, seen.lessons, rows, seen.which, late, *nets, self.work, self.desk, learns
            ),
        )

    def step(self, rate: float, decay: float) -> None:
        """What seldom comes up fades in the judgement; in the policy it stays as habit has it."""
        self.steps += 1
        for part, fades in ((slice(JUDGEMENT), decay), (slice(JUDGEMENT, None), 0.0)):
            flat = [each[part] for each in self.flat]
            study.step_by_adam(*flat, self.steps, np.float32(rate), np.float32(fades))

    def epoch(
        self, seen: Lessons, rows: Any, foreseen: Floats, order: Order, course: Course, steps: int
    ) -> Losses:
        """Once through these lessons in this order; the mean losses."""
        losses = []
        for start in range(0, len(order) - course.batch + 1, course.batch):
            losses.append(self.losses(seen, rows, foreseen, order[start : start + course.batch], learns=True))
            self.step(course.rate_at(self.steps + 1, steps), course.decay)
        judged, policy = np.nanmean(losses, axis=0)
        return float(judged), float(policy)

    def put_down(self, kept: Path | None, epochs: int) -> None:
        """Write everything down that going on needs."""
        if kept is not None:
            part = kept.with_suffix(".part")
            with part.open("wb") as file:
                np.savez(file, epochs=epochs, steps=self.steps, flat=np.array(self.flat))
            part.rename(kept)

    def take_up(self, kept: Path | None) -> int:
        """Go on from what was written down; after how many epochs that was."""
        if kept is None or not kept.exists():
            return 0
        with np.load(kept) as found:
            for mine, theirs in zip(self.flat, found["flat"], strict=True):
                mine[:] = theirs
            self.steps = int(found["steps"])
            return int(found["epochs"])


# ---------------------------------------------------------------- a course, from its beginning to its end


def split(n: int) -> tuple[Order, Order]:
    """The lessons to learn from, and the last twentieth, whole games by which it is seen what was learned."""
    kept = min(n // 20, 40_000)
    return np.arange(n - kept), np.arange(n - kept, n)


def train(seen: Lessons, nets: Any, course: Course, seed: int, kept: Path | None, tell: Tell) -> Any:
    """The nets after the course. `kept` is where what has been reached is written down after every epoch."""
    pupil, rows, foreseen = Pupil(nets), seen.rows, seen.foreseen(course.reach)
    learn, check = split(len(seen.tables))
    steps = course.epochs * (len(learn) // course.batch)
    begun = pupil.take_up(kept)
    for epoch in range(begun, course.epochs):
        order = np.random.default_rng([seed, epoch]).permutation(learn)
        learned_by = pupil.epoch(seen, rows, foreseen, order, course, steps)
        tell(epoch, learned_by, pupil.losses(seen, rows, foreseen, check, learns=False))
        pupil.put_down(kept, epoch + 1)
    return pupil.nets
