"""Tuning: variants that come near to what a designer wants, with as few and small changes as possible.

Optuna proposes variants, each is played on the same deals, and those that nothing else beats in both,
distance and size of changes, are the trade-offs. They were chosen because they looked good, so part of
that is luck (the winner's curse): what is told of them is measured anew, on games that chose nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import inf, isinf
from typing import Any

from coyote.games.game import Game, Json, OptionError, Setup
from coyote.games.options import Value
from coyote.lab.found import interval_of
from coyote.lab.measures import halves, measures
from coyote.lab.stats import Interval, mean
from coyote.lab.sweep import Run, Tell, games_at_once, play_piece
from coyote.lab.variants import EDITION, changed, changes_of, described
from coyote.seeds import seed_from
from coyote.text import Refused

SHARES = (
    "first-seat",
    "draws",
    "comebacks",
    "half-time",
    "forced",
    "ends",
    "moves",
    "best-deck",
    "worst-deck",
)
NUMBERS = ("turns", "lead-changes", "behind", "decisions", "choices", "points")
FAMILIES = ("ends", "moves", "points")  # of several: `ends.endurance`
ASKS = 20  # proposals for each variant that is to be tried: many of them were made before
STEP = 0.1  # the size of each further step of a number, where a change by one is 1
UNIT = 0.01  # of distance: a percentage point, or a hundredth of what a number should be


# ---------------------------------------------------------------- what is wanted


@dataclass(frozen=True)
class Target:
    """A measure and where it should be; shares as shares."""

    name: str
    low: float
    high: float

    @property
    def is_share(self) -> bool:
        return self.name.partition(".")[0] in SHARES

    @property
    def middle(self) -> float:
        """Of a target with one end, that end."""
        if isinf(self.low) or isinf(self.high):
            return self.high if isinf(self.low) else self.low
        return (self.low + self.high) / 2

    def of(self, measured: Json) -> Interval | None:
        family, _, member = self.name.partition(".")
        found = measured[family.replace("-", "_")]
        if member:
            found = found[member]
        return interval_of(found["share"] if family == "moves" else found)

    def distance(self, value: Interval | None) -> float:
        """How far outside, in points or hundredths; what could not be measured is as far as can be."""
        if value is None:
            return 100.0
        outside = max(0.0, self.low - value.mean, value.mean - self.high)
        bound = self.low if value.mean < self.low else self.high
        return outside / (UNIT if self.is_share else UNIT * max(abs(bound), UNIT))

    def verdict(self, value: Interval | None) -> str:
        """Whether it is there, as far as the interval tells."""
        if value is None or value.high < self.low or value.low > self.high:
            return "missed"
        return "met" if self.low <= value.low and value.high <= self.high else "open"

    def as_json(self) -> Json:
        ends = {"low": self.low, "high": self.high}
        return {"name": self.name, **{name: end for name, end in ends.items() if not isinf(end)}}


def read_target(game: Game, text: str) -> Target:
    """`first-seat=49..51`, `draws=..5`, `turns=12..20`, `moves.push=5..`; shares are in percent.

    >>> from coyote.games.registry import make_game
    >>> read_target(make_game("madness"), "draws=..5")
    Target(name='draws', low=-inf, high=0.05)
    """
    name, equals, ends = text.partition("=")
    low, dots, high = ends.partition("..")
    try:
        numbers = (float(low) if low else -inf, float(high) if high else inf)
    except ValueError:
        numbers = (1.0, 0.0)
    if not (equals and dots and (low or high) and numbers[0] <= numbers[1]):
        raise Refused("lab.target.form", text=text[:60])
    known = names_of(game)
    if name not in known:
        raise Refused("lab.target.unknown", name=name[:40], known=", ".join(known))
    target = Target(name, *numbers)
    return Target(name, numbers[0] / 100, numbers[1] / 100) if target.is_share else target


def names_of(game: Game) -> list[str]:
    """What may be a target."""
    members = {"ends": game.REASONS, "moves": game.MOVE_KINDS, "points": game.SOURCES}
    names: list[str] = []
    for name in (*SHARES, *NUMBERS):
        if name in FAMILIES:
            names += [f"{name}.{member}" for member in members[name]]
        elif game.NEEDS_DECKS or not name.endswith("-deck"):
            names.append(name)
    return names


# ---------------------------------------------------------------- variants


@dataclass
class Variant:
    """A variant that was tried."""

    game: Game
    size: float  # of its changes
    measured: Json
    distance: float


@dataclass
class Tuning:
    base: Game
    given: Json  # the options that were asked for
    vary: Mapping[str, Sequence[Value]]
    decks: Sequence[Sequence[Any]]  # pairs that are played, one after the other; one empty pair for no decks
    targets: Sequence[Target]
    bots: Sequence[str]
    seed: str
    trials: int  # variants that are tried
    games: int  # of each
    fresh: int  # of each that is told
    tried: dict[Game, Variant] = field(default_factory=dict)

    def ask(self, run: Run, tell: Tell) -> Json:
        self._try(self.base, run)
        for done, game in enumerate(self._proposals(run), 1):
            tell("lab.tune.trying", done, self.trials)
            self._try(game, run)
        front = self._front()
        told = []
        for done, variant in enumerate(front, 1):
            tell("lab.tune.fresh", done, len(front))
            told.append(self._told(variant, run))
        return {"tried": [self._short(variant) for variant in self.tried.values()], "front": told}

    # ------------------------------------------------------------ trying

    def _proposals(self, run: Run) -> Iterator[Game]:
        """New variants, one at a time: each depends on what was found of those before."""
        optuna = optuna_here()
        sampler = optuna.samplers.TPESampler(
            seed=int(seed_from(f"tune {self.seed}")[:8], 16), n_startup_trials=8
        )
        study = optuna.create_study(directions=["minimize", "minimize"], sampler=sampler)
        made = 0
        for _ in range(ASKS * self.trials):
            if made == self.trials:
                return
            trial = study.ask()
            changes = {name: self._suggested(trial, name) for name in self.vary}
            try:
                game = changed(self.base, self.given, changes)
            except OptionError:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
                continue
            if game not in self.tried:
                made += 1
                yield game
            variant = self.tried[game]
            study.tell(trial, [variant.distance, variant.size])

    def _suggested(self, trial: Any, name: str) -> Value:
        """Numbers are in their order, words are not."""
        values = sorted(self.vary[name], key=lambda value: (isinstance(value, str), value))
        if all(isinstance(value, int) for value in values):
            place: int = trial.suggest_int(name, 0, len(values) - 1)
            return values[place]
        word: str = trial.suggest_categorical(name, values)
        return word

    def _try(self, game: Game, run: Run) -> None:
        measured = self._measure(game, 0, self.games, run)
        self.tried[game] = Variant(game, size_of(self.base, game), measured, self.distance(measured))

    def distance(self, measured: Json) -> float:
        return sum(target.distance(target.of(measured)) for target in self.targets)

    def _measure(self, game: Game, first: int, n: int, run: Run) -> Json:
        """Play games from this number on, with each pair of decks as many."""
        size, each = games_at_once(self.bots), -(-n // len(self.decks))
        setups = [self._setup(game, pair) for pair in self.decks]
        pieces = [
            {
                "number": number,
                "variant": described(game, setup),
                "bots": list(self.bots),
                "seed": self.seed,
                "first": start,
                "n": min(size, first + each - start),
            }
            for number, setup in enumerate(setups)
            for start in range(first, first + each, size)
        ]
        tallies: list[list[Json]] = [[] for _ in self.decks]
        with closing(run(play_piece, pieces)) as found:
            for piece, tally in found:
                tallies[piece["number"]].append(tally)
        measured = measures(game, [tally for one in tallies for tally in one])
        return {**measured, **by_deck(self.decks, tallies)} if len(self.decks) > 1 else measured

    def _setup(self, game: Game, pair: Sequence[Any]) -> Setup:
        return game.settle(pair)

    # ------------------------------------------------------------ telling

    def _front(self) -> list[Variant]:
        """Those that no other beats or equals in both; the smallest changes first."""
        front: list[Variant] = []
        for variant in sorted(self.tried.values(), key=lambda one: (one.size, one.distance)):
            if not front or variant.distance < front[-1].distance:
                front.append(variant)
        return front

    def _told(self, variant: Variant, run: Run) -> Json:
        measured = self._measure(variant.game, self.games, self.fresh, run)
        values = [target.of(measured) for target in self.targets]
        return {
            **self._short(variant),
            "fresh": {"distance": self.distance(measured), **measured},
            "targets": [
                {"value": value and value.as_json(), "verdict": target.verdict(value)}
                for target, value in zip(self.targets, values, strict=True)
            ],
        }

    def _short(self, variant: Variant) -> Json:
        values = [target.of(variant.measured) for target in self.targets]
        return {
            "options": variant.game.options,
            "changes": changes_of(self.base, variant.game),
            "size": round(variant.size, 6),
            "distance": variant.distance,
            "values": [value and value.as_json() for value in values],
        }


def optuna_here() -> Any:
    try:
        import optuna
    except ModuleNotFoundError:
        raise Refused("lab.tune.no_optuna") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


def size_of(base: Game, game: Game) -> float:
    """1 for each option that is changed, and a little for each step beyond the first."""
    size = 0.0
    for name, value in changes_of(base, game).items():
        before = base.edition if name == EDITION else base.values[name]
        steps = abs(value - before) if isinstance(value, int) and isinstance(before, int) else 1
        size += 1 + STEP * max(0, steps - 1)
    return size


def by_deck(pairs: Sequence[Sequence[Any]], tallies: Sequence[Sequence[Json]]) -> Json:
    """What each deck makes of its games against the others, and the best and the worst of them."""
    scores: dict[str, list[float]] = {}
    for (first, second), found in zip(pairs, tallies, strict=True):
        shares = (halves(found) / 2).tolist()
        scores.setdefault(first, []).extend(shares)
        scores.setdefault(second, []).extend(1 - share for share in shares)
    known = {name: mean(found).as_json() for name, found in scores.items()}
    ranked = sorted(known.values(), key=lambda one: one["mean"])
    return {"decks": known, "best_deck": ranked[-1], "worst_deck": ranked[0]}
