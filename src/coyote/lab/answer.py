"""The best answer to a mix of decks, looked for among all decks that the house rules allow (D19, D26).

Decks are changed a little or crossed, and race: all begin with few games, and only the better half goes on
to more. The best of many looks better than it is, so the number that is told comes from games of its own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import sqrt
from random import Random

import numpy as np

from coyote.games.duel.decks import Deck, deck_of, faults, random_deck
from coyote.games.duel.game import Duel
from coyote.lab.matrix import (
    Counts,
    Meeting,
    Players,
    Run,
    Tell,
    Wanted,
    no_games,
    play_meetings,
    share_of,
    spans,
)
from coyote.lab.stats import Interval

CROWD = 24  # decks that begin a race
RUNGS = (16, 32, 64, 128)  # games of those that are still in it
A_RACE = sum(
    (CROWD >> rung) * (games - before)
    for rung, (before, games) in enumerate(zip((0, *RUNGS), RUNGS, strict=False))
)
PARENTS = 6
TRIES = 50 * CROWD  # of breeding decks that have not run: a small set may have few
FINALISTS = 4
CROSSED = 0.25  # of the decks that begin a race
NEW = 0.1  # of them that are any decks at all
DOUBT = 32  # games that every deck is thought to have drawn: few games prove little
GOLDEN = (sqrt(5) - 1) / 2


@dataclass
class Runner:
    """A deck in the race."""

    deck: Deck
    counts: Counts = field(default_factory=no_games)

    @property
    def games(self) -> int:
        return int(self.counts.sum())

    @property
    def promise(self) -> float:
        """The share of points, the nearer to ½ the fewer games there were."""
        won, drawn, _ = self.counts
        return float((won + drawn / 2 + DOUBT / 2) / (self.games + DOUBT))


@dataclass(frozen=True)
class Answer:
    """The best deck found: its share in games of its own, and what it seemed to be in the races."""

    deck: Deck
    counts: Counts
    seemed: float
    tried: int
    games: int  # of the search

    @property
    def share(self) -> Interval:
        return share_of(self.counts)


@dataclass
class Search:
    """The hunt for one answer; `mix` has the decks of the opponent with their weights."""

    players: Players
    mix: Sequence[tuple[Deck, float]]
    run: Run
    tell: Tell
    known: dict[tuple[tuple[str, int], ...], Runner] = field(default_factory=dict)
    spent: int = 0

    def best(self, games: int, wanted: Wanted) -> Answer:
        """The best of all decks that races of so many games have brought up."""
        rng = Random(f"{self.players.seed} search")
        while self.spent == 0 or self.spent + A_RACE <= games:
            self.race(list(self.crowd(rng)))
            self.tell("lab.decks.search", min(self.spent, games), games)
        final = self.leaders(FINALISTS)
        seemed = final[0].promise
        self.bring(final, 2 * RUNGS[-1], "final")
        best = max(final, key=lambda runner: runner.promise)
        return Answer(best.deck, self.checked(best.deck, wanted), seemed, len(self.known), self.spent)

    # ------------------------------------------------------------ races

    def race(self, crowd: list[Runner]) -> None:
        for games in RUNGS:
            self.bring(crowd, games, "race")
            crowd = sorted(crowd, key=lambda runner: -runner.promise)[: (len(crowd) + 1) // 2]

    def bring(self, runners: Sequence[Runner], games: int, stage: str) -> None:
        """Let each play until it has so many games: all meet the same opponents in the same deals."""
        short = [runner for runner in runners if runner.games < games]
        pieces = [
            self.players.piece(runner.deck, self.meetings(stage, runner.games, games)) for runner in short
        ]
        for runner, (_, found) in zip(short, self.run(play_meetings, pieces), strict=True):
            self.spent += sum(found["counts"])
            runner.counts = runner.counts + found["counts"]

    def meetings(self, stage: str, first: int, last: int) -> Iterator[Meeting]:
        """Games first … last - 1 against the mix: each opponent as often as its weight says, in any part."""
        before, after = (self.met(n) for n in (first, last))
        for place, (deck, _) in enumerate(self.mix):
            if after[place] > before[place]:
                seed = f"{self.players.seed} {stage} {place}"
                yield Meeting(deck.ids(), seed, before[place], after[place])

    def met(self, games: int) -> Counter[int]:
        """How often each opponent was met in so many games. Steps of the golden ratio are spread evenly."""
        bounds = list(accumulate(weight for _, weight in self.mix))
        places = [np.searchsorted(bounds, bounds[-1] * (k * GOLDEN % 1), side="right") for k in range(games)]
        return Counter(int(place) for place in places)

    def checked(self, deck: Deck, wanted: Wanted) -> Counts:
        """Games that had no part in the choice of the deck."""
        counts = no_games()
        while not wanted.is_enough(counts):
            done = int(counts.sum())
            parts = [self.meetings("check", *part) for part in spans(done, wanted.goal(done))]
            for _, found in self.run(play_meetings, [self.players.piece(deck, part) for part in parts]):
                counts = counts + found["counts"]
                self.tell("lab.decks.check", int(counts.sum()), wanted.most)
        return counts

    # ------------------------------------------------------------ who runs

    def leaders(self, n: int) -> list[Runner]:
        return sorted(self.known.values(), key=lambda runner: -runner.promise)[:n]

    def crowd(self, rng: Random) -> Iterator[Runner]:
        """Decks that have not run yet; the first time also those of the mix."""
        game, parents = self.players.game, [runner.deck for runner in self.leaders(PARENTS)]
        begin = len(self.known)
        if not parents:
            parents = [deck for deck, _ in self.mix]
            yield from (self.entered(deck) for deck in parents[: CROWD // 2])
        for _ in range(TRIES):
            if len(self.known) == begin + CROWD:
                return
            deck = bred(game, parents, rng)
            if deck.cards not in self.known:
                yield self.entered(deck)

    def entered(self, deck: Deck) -> Runner:
        return self.known.setdefault(deck.cards, Runner(deck))


# ---------------------------------------------------------------- decks made of decks


def bred(game: Duel, parents: Sequence[Deck], rng: Random) -> Deck:
    """A legal deck that comes of the parents, the better ones more often; rarely any at all."""
    if rng.random() < NEW:
        return random_deck(game.card_set, rng, game.limits)
    for _ in range(TRIES):
        first, second = (parents[int(len(parents) * rng.random() ** 2)] for _ in range(2))
        ids = crossed(first, second, rng) if rng.random() < CROSSED else changed(first, game, rng)
        deck = deck_of(game.card_set.name, ids)
        if not faults(deck, game.card_set, game.limits):
            return deck
    return parents[0]


def changed(deck: Deck, game: Duel, rng: Random) -> list[str]:
    """One to three cards are exchanged; now and then there is one more or one less."""
    ids, n = deck.ids(), rng.choice((1, 1, 2, 3))
    rng.shuffle(ids)
    return ids[n:] + rng.choices(game.ids, k=max(0, n + rng.choice((-1, 0, 0, 0, 0, 1))))


def crossed(first: Deck, second: Deck, rng: Random) -> list[str]:
    """What both have, and of the rest as many as the first one has."""
    mine, theirs = Counter(first.ids()), Counter(second.ids())
    common, rest = mine & theirs, list(((mine - theirs) + (theirs - mine)).elements())
    rng.shuffle(rest)
    return [*common.elements(), *rest[: first.size - common.total()]]
