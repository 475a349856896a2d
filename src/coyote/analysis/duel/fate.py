"""The luck of a duel, by sampling, with its standard error."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from coyote.analysis.duel import luck
from coyote.analysis.duel.luck import DEALT_ANEW, NOT_CHOSEN
from coyote.analysis.luck import Fate, Luck, Moment
from coyote.bots.duel.mind import DuelMind, scratch
from coyote.bots.minds import mind_of
from coyote.games.duel.game import Duel
from coyote.games.game import Game, Json, Record
from coyote.kernel.luck import REAL_CHANCE
from coyote.match import Match
from coyote.seeds import seed_from, seed_words

SAMPLES = 128  # of each standing
DEALS = 512


@dataclass(frozen=True)
class Standing:
    """Seat 0's chance to win, and the variance of the sampled mean."""

    chance: float
    doubt: float = 0.0


class DuelFate(Fate):
    EXACT = False

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Duel)

    def of(self, match: Match) -> Luck:
        record = match.record()
        return Followed(record, seed_from(f"luck {record['decks']} {record['moves']}")).luck()


class Samples:
    """How a duel stands, by sampling. Records number cards in their own way, so the game is theirs."""

    def __init__(self, game: Duel, samples: int = SAMPLES) -> None:
        self.game, self.samples = game, samples
        mind = mind_of(game)
        assert isinstance(mind, DuelMind)
        self.mind = mind
        mind.settle()

    def stands(
        self, s: Record, seed: str, first: int = NOT_CHOSEN, second: int = NOT_CHOSEN, n: int = 0
    ) -> Standing:
        """After these choices, where there are some; from the same seed always the same."""
        x = scratch()
        found = luck.stands(
            s, self.game.table, self.mind.net, self.game.row, first, second, n or self.samples, x.tree,
            REAL_CHANCE, x.log, np.zeros(2, np.uint64), x.world, seed_words(seed_from(seed)),
        )  # fmt: skip
        return Standing(*map(float, found))

    def usual_choice(self, s: Record, seat: int) -> int:
        return int(luck.usual_choice(s, self.game.table, self.game.row, scratch().tree, np.int64(seat)))


class Followed:
    """A record on its way from the deal to the end, and what was found so far."""

    def __init__(self, record: Json, seed: str) -> None:
        self.record, self.seed = record, seed
        game, setup, self.chance = Duel.from_record(record)
        assert isinstance(game, Duel)
        self.game, self.samples, self.log = game, Samples(game), scratch().log
        self.s = game.read_deal(record, setup, self.chance, self.log)
        self.later = self.doubt = self.rest = 0.0
        self.decisions = [0.0, 0.0]
        self.moments: list[Moment] = []

    def luck(self) -> Luck:
        usual = self.samples.stands(self.s, f"deals {self.seed}", DEALT_ANEW, DEALT_ANEW, DEALS)
        dealt = now = self.standing(0)
        actions = [self.game.read_move(move) or 0 for _, move in self.record["moves"]]
        for number in range(len(actions) // 2):  # a choice without its answer was never turned up (D6)
            now = self.turn(number + 1, now, actions[2 * number], actions[2 * number + 1])
        return Luck(
            dealt.chance - usual.chance,
            self.later,
            (self.decisions[0], self.decisions[1]),
            usual.chance + self.rest,
            now.chance,
            sqrt(usual.doubt + dealt.doubt + self.doubt),
            moments=self.moments,
        )

    def standing(self, number: int) -> Standing:
        """After so many turns: the result, or what samples say."""
        result = self.game.result(self.s)
        if result is not None:
            return Standing(0.5 if result.winner is None else 1.0 - result.winner)
        return self.samples.stands(self.s, f"after {number} {self.seed}")

    def turn(self, number: int, now: Standing, mine: int, yours: int) -> Standing:
        """What the two choices did, what chance made of them, and what would have come of the usual ones.

        What a seat decided is measured by what rules of thumb would have chosen: half against what the other
        chose, half against what rules of thumb would have chosen there. What these alone do is the rest.
        """
        usual = [self.samples.usual_choice(self.s, seat) for seat in range(2)]
        seed = f"turn {number} {self.seed}"
        found = {
            pair: self.samples.stands(self.s, seed, *pair)
            for pair in {(mine, yours), (mine, usual[1]), (usual[0], yours), (usual[0], usual[1])}
        }
        both, neither = found[mine, yours], found[usual[0], usual[1]].chance
        first, second = found[mine, usual[1]].chance, found[usual[0], yours].chance
        self.decisions[0] += (first - neither + both.chance - second) / 2
        self.decisions[1] += (second - neither + both.chance - first) / 2
        self.rest += neither - now.chance
        for seat, choice in enumerate((mine, yours)):
            self.game.act(self.s, seat, choice, self.log, self.chance)
        after = self.standing(number)
        self.later += after.chance - both.chance
        self.doubt += both.doubt + after.doubt
        self.moments += [Moment(now.chance, both.chance, after.chance)] * 2
        return after
