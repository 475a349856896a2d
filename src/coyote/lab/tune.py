"""Tuning: variants that come near to what a designer wants, with as few and small changes as possible.

What may change are options of a game, and amounts on cards. Optuna proposes variants, each is played on the
same deals, and those that nothing else beats in both, distance and size of changes, are the trade-offs. They
were chosen because they looked good, so part of that is luck (the winner's curse): what is told of them is
measured anew, on games that chose nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import inf, isinf
from typing import Any

from coyote.games.game import Game, Json, OptionError
from coyote.games.options import Value
from coyote.lab.amounts import told_cards, tuned
from coyote.lab.found import interval_of
from coyote.lab.measures import halves, measures, tally
from coyote.lab.play import play_games
from coyote.lab.stats import Interval, mean
from coyote.lab.sweep import Run, Tell, games_at_once
from coyote.lab.variants import EDITION, changed, changes_of, described, made
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
    "best-pairing",
)
OF_DECKS = ("best-deck", "worst-deck", "best-pairing")  # what a field of decks is needed for
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
        elif game.NEEDS_DECKS or name not in OF_DECKS:
            names.append(name)
    return names


# ---------------------------------------------------------------- variants


@dataclass
class Variant:
    """A variant that was tried: the game with its options, and the amounts that its cards have instead."""

    game: Game
    amounts: Mapping[str, int]
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
    amounts: Mapping[str, Sequence[int]] = field(default_factory=dict)  # on cards, and what they may be
    most_changed: int = 3  # of the amounts, in one variant
    lists: Mapping[str, Any] = field(
        default_factory=dict
    )  # decks by their names, where they are no ready ones
    tried: dict[Game, Variant] = field(default_factory=dict)  # by what is played

    def ask(self, run: Run, tell: Tell) -> Json:
        self._try(self.base, {}, run)
        for done, (game, amounts) in enumerate(self._proposals(run), 1):
            tell("lab.tune.trying", done, self.trials)
            self._try(game, amounts, run)
        front = self._front()
        told = []
        for done, variant in enumerate(front, 1):
            tell("lab.tune.fresh", done, len(front))
            told.append(self._told(variant, run))
        return {"tried": [self._short(variant) for variant in self.tried.values()], "front": told}

    # ------------------------------------------------------------ trying

    def _proposals(self, run: Run) -> Iterator[tuple[Game, dict[str, int]]]:
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
            changes = {name: suggested(trial, name, values) for name, values in self.vary.items()}
            amounts = self._suggested_amounts(trial)
            try:
                game = changed(self.base, self.given, changes)
            except OptionError:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
                continue
            played = tuned(game, amounts)
            if played not in self.tried:
                made += 1
                yield game, amounts
            variant = self.tried[played]
            study.tell(trial, [variant.distance, variant.size])

    def _suggested_amounts(self, trial: Any) -> dict[str, int]:
        """All of them, if they are few; otherwise how many are changed, then which, and then to what."""
        if len(self.amounts) <= self.most_changed:
            return {name: suggested(trial, name, values) for name, values in self.amounts.items()}
        n = trial.suggest_int("changes", 0 if self.vary else 1, self.most_changed)
        names = [trial.suggest_categorical(f"change {k}", list(self.amounts)) for k in range(n)]
        return {name: suggested(trial, name, self.amounts[name]) for name in dict.fromkeys(names)}

    def _try(self, game: Game, amounts: Mapping[str, int], run: Run) -> None:
        measured = self._measure(game, amounts, 0, self.games, run)
        played = tuned(game, amounts)
        size = size_of(self.base, game) + size_of_amounts(told_cards(game, played))
        self.tried[played] = Variant(game, amounts, size, measured, self.distance(measured))

    def distance(self, measured: Json) -> float:
        return sum(target.distance(target.of(measured)) for target in self.targets)

    def _measure(self, game: Game, amounts: Mapping[str, int], first: int, n: int, run: Run) -> Json:
        """Play games from this number on, with each pair of decks as many."""
        size, each = games_at_once(self.bots), -(-n // len(self.decks))
        setups = [game.settle([self.lists.get(name, name) for name in pair]) for pair in self.decks]
        pieces = [
            {
                "number": number,
                "variant": described(game, setup),
                "amounts": dict(amounts),
                "bots": list(self.bots),
                "seed": self.seed,
                "first": start,
                "n": min(size, first + each - start),
            }
            for number, setup in enumerate(setups)
            for start in range(first, first + each, size)
        ]
        tallies: list[list[Json]] = [[] for _ in self.decks]
        with closing(run(play_tuned, pieces)) as found:
            for piece, tally in found:
                tallies[piece["number"]].append(tally)
        measured = measures(game, [tally for one in tallies for tally in one])
        return {**measured, **by_deck(self.decks, tallies)} if len(self.decks) > 1 else measured

    # ------------------------------------------------------------ telling

    def _front(self) -> list[Variant]:
        """Those that no other beats or equals in both; the smallest changes first."""
        front: list[Variant] = []
        for variant in sorted(self.tried.values(), key=lambda one: (one.size, one.distance)):
            if not front or variant.distance < front[-1].distance:
                front.append(variant)
        return front

    def _told(self, variant: Variant, run: Run) -> Json:
        measured = self._measure(variant.game, variant.amounts, self.games, self.fresh, run)
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
        played = tuned(variant.game, variant.amounts)
        return {
            "options": variant.game.options,
            "changes": changes_of(self.base, variant.game),
            **(
                {"amounts": variant.amounts, "cards": told_cards(variant.game, played)}
                if self.amounts
                else {}
            ),
            "size": round(variant.size, 6),
            "distance": variant.distance,
            "values": [value and value.as_json() for value in values],
        }


def play_tuned(piece: Json) -> Json:
    """The task: games of one variant, with these amounts on its cards, counted."""
    game, setup = made(piece["variant"])
    played = tuned(game, piece["amounts"])
    if played is not game:
        setup = played.settle(setup.sealed()["decks"])
    return tally(played, play_games(played, setup, piece["bots"], piece["seed"], piece["first"], piece["n"]))


def suggested(trial: Any, name: str, values: Sequence[Any]) -> Any:
    """Numbers are in their order, words are not."""
    ranked = sorted(values, key=lambda value: (isinstance(value, str), value))
    if all(isinstance(value, int) for value in ranked):
        return ranked[trial.suggest_int(name, 0, len(ranked) - 1)]
    return trial.suggest_categorical(name, ranked)


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


def size_of_amounts(cards: Sequence[Json]) -> float:
    """The same for amounts on cards."""
    pairs = [pair for card in cards for pair in zip(*card["amounts"], strict=True)]
    steps = [abs(after - before) for before, after in pairs if after != before]
    return float(sum(1 + STEP * (one - 1) for one in steps))


def by_deck(pairs: Sequence[Sequence[Any]], tallies: Sequence[Sequence[Json]]) -> Json:
    """What each deck makes of its games against the others, the best and the worst; the steepest pairing."""
    scores: dict[str, list[float]] = {}
    steepest: list[Interval] = []
    for (first, second), found in zip(pairs, tallies, strict=True):
        shares = (halves(found) / 2).tolist()
        scores.setdefault(first, []).extend(shares)
        others = [1 - share for share in shares]
        scores.setdefault(second, []).extend(others)
        steepest.append(mean(max(shares, others, key=sum)))
    known = {name: mean(found).as_json() for name, found in scores.items()}
    ranked = sorted(known.values(), key=lambda one: one["mean"])
    return {
        "decks": known,
        "best_deck": ranked[-1],
        "worst_deck": ranked[0],
        "best_pairing": max(steepest, key=lambda one: one.mean).as_json(),
    }
