"""The analyst of the duel: both choose at once, so a turn is a matrix, and a good player mixes.

The other's cards are supposed as the bots suppose them (D18). In each of these worlds every choice of the one
meets every choice of the other, and the duel is played on; from all of that comes a mixture in equilibrium,
and what a choice is worth against players who mix so; and against one who is used to choose as the other did
in the turns before (`habit`). By what was, it meets what the other really chose.
"""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from coyote.analysis.analyst import Analyst, Judged, Said
from coyote.analysis.duel.fate import Samples
from coyote.analysis.duel.habit import Habit
from coyote.analysis.duel.hidden import supposed
from coyote.analysis.hidden import hidden_hand
from coyote.analysis.values import BATCHES, Values
from coyote.bots.duel.mind import DuelMind
from coyote.bots.minds import mind_of
from coyote.games.duel.game import Duel
from coyote.games.duel.records import read_cards, write_set
from coyote.games.duel.sets import core_set
from coyote.games.game import Json, Record
from coyote.match import Match
from coyote.records import open_record

WORLDS = 3 * BATCHES
AGAIN = 400  # rounds of learning the mixture
PLAYED_ON = 3  # simulations are dearer than in Madness by so much
FEWEST = 2  # samples of a pair of choices
MOST = 64

Floats = npt.NDArray[np.float64]


class DuelAnalyst(Analyst):
    def __init__(self, record: Json, simulations: int) -> None:
        self.record, self.simulations = record, simulations

    @cached_property
    def match(self) -> Match:
        return open_record(widened(self.record))

    @cached_property
    def game(self) -> Duel:
        game = self.match.game
        assert isinstance(game, Duel)
        return game

    @cached_property
    def habits(self) -> tuple[Habit, Habit]:
        """Of each seat, in the eyes of the other."""
        return Habit(self.game), Habit(self.game)

    @cached_property
    def mind(self) -> DuelMind:
        mind = mind_of(self.game)
        assert isinstance(mind, DuelMind)
        return mind

    def judge(self, match: Match, number: int, seat: int, made: int) -> Judged:
        legal, view = match.legal_actions(seat), match.view(seat)
        if len(legal) == 1:
            return Judged()
        seed = f"turn {match.turn} {seat}"
        worlds = supposed(self.game, view, seat, WORLDS, seed)
        matrices = [self.matrix(world, seat, legal, f"{seed} {k}") for k, world in enumerate(worlds)]
        mine, theirs = equilibrium(matrices)
        mixture = {action: float(mine[place]) for place, action in enumerate(legal)}
        return Judged(
            by_worlds(matrices, theirs, legal),
            self.real(match.table(), number, seat, legal, seed),
            mixture,
            self.by_habit(match.turn, number, seat, legal, worlds, matrices, theirs),
        )

    def by_habit(
        self,
        turn: int,
        number: int,
        seat: int,
        legal: list[int],
        worlds: list[Record],
        matrices: list[Floats],
        theirs: list[Floats],
    ) -> Values | None:
        """Against how the other has chosen in the turns before; None in the first."""
        habit, choices = self.habits[1 - seat], [self.game.legal(world, 1 - seat) for world in worlds]
        expected = [habit.shares(*one) for one in zip(choices, theirs, strict=True)]
        habit.note(turn, np.mean(expected, axis=0), self.answer(number, seat))
        if not habit.is_known(turn):
            return None
        bent = [habit.bent(turn, *one) for one in zip(choices, theirs, strict=True)]
        return by_worlds(matrices, bent, legal)

    def answer(self, number: int, seat: int) -> int | None:
        """What the other chose in the turn of a move; None where the game ended before."""
        place = number - 1 + (1 if seat == 0 else -1)
        if place >= len(self.record["moves"]):
            return None
        return self.game.read_move(self.record["moves"][place][1]) or 0

    def matrix(self, world: Record, seat: int, legal: list[int], seed: str) -> Floats:
        """What each choice is worth to the seat against each of the other's, all with the same chance."""
        samples, answers = Samples(self.game), self.game.legal(world, 1 - seat)
        each = min(MOST, max(FEWEST, self.simulations // (PLAYED_ON * WORLDS * len(legal) * len(answers))))
        return np.array(
            [[chance(samples, world, seat, mine, other, seed, each) for other in answers] for mine in legal]
        )

    def real(self, table: Record, number: int, seat: int, legal: list[int], seed: str) -> Values | None:
        """With the cards that were there, against what the other chose."""
        other = self.answer(number, seat)
        if other is None:
            return None
        table.choice[:] = -1
        each = min(MOST, max(FEWEST, self.simulations // (PLAYED_ON * BATCHES * len(legal))))
        samples = Samples(self.game)
        return Values(
            {
                action: np.array(
                    [chance(samples, table, seat, action, other, f"{seed} {k}", each) for k in range(BATCHES)]
                )
                for action in legal
            }
        )

    # ------------------------------------------------------------ in words

    def rule(self, move: str) -> str:
        return "D6"

    def fault(self, match: Match, seat: int, made: str, best: str) -> tuple[Said, str]:
        why = self.mind.reason(match.view(seat), seat, best)
        return why or ("analysis.duel.other_card", {}), "D6"

    def hidden(self, match: Match, seat: int, number: int) -> Json:
        return hidden_hand(match, seat)

    def habit(self, seat: int) -> Json:
        return self.habits[seat].as_json()


def by_worlds(matrices: list[Floats], answers: list[Floats], legal: list[int]) -> Values:
    """What each choice is worth against a mixture of answers in each world."""
    found = np.array([matrix @ answer for matrix, answer in zip(matrices, answers, strict=True)])
    batches = found.reshape(BATCHES, -1, len(legal)).mean(axis=1)
    return Values({action: batches[:, place] for place, action in enumerate(legal)})


def chance(samples: Samples, table: Record, seat: int, mine: int, other: int, seed: str, n: int) -> float:
    """The seat's chance to win after both choices."""
    first, second = (mine, other) if seat == 0 else (other, mine)
    found = samples.stands(table, seed, first, second, n).chance
    return found if seat == 0 else 1.0 - found


def widened(record: Json) -> Json:
    """The record with the whole core set where its cards come from there: what players know is all of it, and
    not only the cards that the two decks have. The seed is of no use beside that."""
    core = core_set()
    known = all(
        (found := core.get(card.id)) is not None and found.program == card.program
        for card in read_cards(record.get("set")).cards
    )
    kept = {key: value for key, value in record.items() if key != "seed"}
    return {**kept, "set": write_set(core)} if known else kept


def equilibrium(matrices: list[Floats]) -> tuple[Floats, list[Floats]]:
    """A mixture that cannot be exploited, and the other's in each world: both learn by regret.

    >>> paper = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])
    >>> mine, theirs = equilibrium([paper, paper])
    >>> bool(np.abs(mine - 1 / 3).max() < 0.05 and np.abs(theirs[1] - 1 / 3).max() < 0.05)
    True
    """
    worlds, moves, answers = len(matrices), len(matrices[0]), max(one.shape[1] for one in matrices)
    table = np.zeros((worlds, moves, answers))
    there = np.zeros((worlds, answers))
    for k, one in enumerate(matrices):
        table[k, :, : one.shape[1]] = one
        there[k, : one.shape[1]] = 1.0
    regret, theirs = np.full(moves, 1e-9), there * 1e-9
    sums = np.zeros(moves), np.zeros((worlds, answers))
    for again in range(1, AGAIN + 1):
        x = regret / regret.sum() if regret.sum() > 0 else np.full(moves, 1 / moves)
        total = theirs.sum(axis=1, keepdims=True)
        y = np.where(total > 0, theirs / np.maximum(total, 1e-30), there / there.sum(axis=1, keepdims=True))
        mine = np.einsum("kij,kj->i", table, y) / worlds
        losses = np.einsum("kij,i->kj", table, x)
        regret = np.maximum(regret + mine - x @ mine, 0.0)
        usual = (y * losses).sum(axis=1, keepdims=True)
        theirs = np.maximum(theirs + (usual - losses), 0.0) * there
        sums[0][:] += again * x
        sums[1][:] += again * y
    mixtures = sums[1] / sums[1].sum(axis=1, keepdims=True)
    return sums[0] / sums[0].sum(), [mixtures[k, : one.shape[1]] for k, one in enumerate(matrices)]
