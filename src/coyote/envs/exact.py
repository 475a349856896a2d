"""How much a bot can lose to somebody who knows it through and through: exactly, in games small enough.

The game is walked once (`walk`). What is kept of it are the choices of each seat, one after the other, and
the ends: which choices of either seat lead there, and what chance and the result make of it. The bot is
asked in every situation that a seat can tell from others (`ask`), and the best answer to what it does is
found from the last choices to the first. OpenSpiel has the same by another way: `as_spiel`.

>>> import coyote.envs, pyspiel
>>> tree = walk(pyspiel.load_game("coyote_madness(preset=tiny)"))
>>> len({*tree.seats[0].keys, *tree.seats[1].keys})
1848
>>> 0.2 < tree.exploitability(tree.uniform()) < 2
True
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from coyote.bots.names import make_bot
from coyote.games.game import Game
from coyote.kernel.record import over
from coyote.questions import Question

Floats = npt.NDArray[np.float64]
Policies = tuple[Floats, Floats]
"""Of each seat, the chance of every choice; by its place among the seat's choices."""

STAKES = 2.0  # from a loss, -1, to a win, 1
START = 0  # in place of a choice: none was made yet


@dataclass
class Seat:
    """All situations that a seat can tell apart, each after those that lead to it."""

    keys: list[str] = field(default_factory=list)  # OpenSpiel's information states
    views: list[bytes] = field(default_factory=list)  # what a bot is told there
    legal: list[list[int]] = field(default_factory=list)
    before: list[int] = field(default_factory=list)  # the place of the seat's own last choice
    first: list[int] = field(default_factory=lambda: [START + 1])  # the places of its choices; one more
    number: dict[tuple[str, int], int] = field(default_factory=dict)  # by key and own last choice

    def find(self, key: str, view: bytes, legal: list[int], before: int) -> int:
        """The number of a situation; what must be the same whenever a seat cannot tell is compared.

        A seat remembers its own choices, also where two come to the same and OpenSpiel's key is one: with
        an empty hand and an empty deck, to draw and to drop.
        """
        at = self.number.setdefault((key, before), len(self.keys))
        if at == len(self.keys):
            self.keys.append(key)
            self.views.append(view)
            self.legal.append(legal)
            self.before.append(before)
            self.first.append(self.first[-1] + len(legal))
        assert (self.views[at], self.legal[at]) == (view, legal), key
        return at

    @property
    def choices(self) -> int:
        return self.first[-1]

    def slices(self) -> Iterable[tuple[int, slice]]:
        """For each situation the place of the choice before, and where its own ones are."""
        return zip(self.before, map(slice, self.first, self.first[1:]), strict=True)


@dataclass
class Tree:
    game: Game
    features: Any
    seats: tuple[Seat, Seat]
    last: npt.NDArray[np.int64]  # by end and seat, the place of the last choice
    worth: Floats  # by end, what seat 0 gets, times the chance of all that chance did

    def uniform(self) -> Policies:
        return self.policies(lambda legal: [1 / len(legal)] * len(legal))

    def policies(self, chances: Any) -> Policies:
        """From a function of what is legal in a situation."""
        made = tuple(
            np.array([1.0, *(x for legal in seat.legal for x in chances(legal))]) for seat in self.seats
        )
        return made[0], made[1]

    def reach(self, seat: int, policy: Floats) -> Floats:
        """The chance that a seat makes a choice and all its choices before, if it is given the occasion."""
        found = policy.copy()
        for before, own in self.seats[seat].slices():
            found[own] *= found[before]
        return found

    def value(self, policies: Policies) -> float:
        """What seat 0 gets."""
        reach = [self.reach(seat, policy)[self.last[:, seat]] for seat, policy in enumerate(policies)]
        return float((self.worth * reach[0] * reach[1]).sum())

    def best_answer(self, seat: int, policies: Policies) -> float:
        """What a seat gets at most against the policy of the other."""
        other = 1 - seat
        worth = self.worth * self.reach(other, policies[other])[self.last[:, other]]
        gains = np.bincount(self.last[:, seat], worth, self.seats[seat].choices) * (1 - 2 * seat)
        for before, own in reversed(list(self.seats[seat].slices())):
            gains[before] += gains[own].max()
        return float(gains[START])

    def exploitability(self, policies: Policies) -> float:
        """What a best answer wins more than the game is worth, on average of both seats."""
        return sum(self.best_answer(seat, policies) for seat in range(2)) / 2


def walk(game: Any) -> Tree:
    """The whole of one of our games in OpenSpiel, whose choices are made one after the other."""
    seats, last, worth = (Seat(), Seat()), [], []
    shared = game.shared
    todo: list[tuple[Any, tuple[int, int], float]] = [(game.new_initial_state(), (START, START), 1.0)]
    while todo:
        state, made, chance = todo.pop()
        if state.is_terminal():
            last.append(made)
            worth.append(chance * state.returns()[0])
        elif state.is_chance_node():
            todo += [(state.child(outcome), made, chance * p) for outcome, p in state.chance_outcomes()]
        else:
            who, legal = int(state.current_player()), state.legal_actions()
            view = shared.game.view(shared.table(state), who).tobytes()
            at = seats[who].find(state.information_state_string(who), view, legal, made[who])
            place = seats[who].first[at]
            for i, action in enumerate(legal):
                after = (place + i, made[1]) if who == 0 else (made[0], place + i)
                todo.append((state.child(action), after, chance))
    return Tree(shared.game, shared.features, seats, np.array(last), np.array(worth))


def ask(tree: Tree, bot: str, seeds: int) -> Policies:
    """How often a bot makes each choice: in each situation it is asked with so many seeds.

    It is told what its seat may know, so it is asked once where that is the same.
    """
    known: dict[tuple[int, bytes], list[float]] = {}
    made = []
    for who, seat in enumerate(tree.seats):
        chances = [1.0]
        for view, legal in zip(seat.views, seat.legal, strict=True):
            if (who, view) not in known:
                known[who, view] = asked(tree, bot, who, view, legal, seeds)
            chances += known[who, view]
        made.append(np.array(chances))
    return made[0], made[1]


def asked(tree: Tree, bot: str, who: int, kept: bytes, legal: Sequence[int], seeds: int) -> list[float]:
    if len(legal) == 1:
        return [1.0]
    counts = dict.fromkeys(legal, 0)
    view = over(bytearray(kept), tree.game.STATE)
    moves = [tree.features.move(view, who, action) for action in legal]
    question = Question(view, who, moves)
    for seed in range(seeds):
        move = make_bot(bot, tree.game, f"exact {seed}").answer(question).action
        counts[legal[moves.index(move)]] += 1
    return [n / seeds for n in counts.values()]


def as_spiel(tree: Tree, policies: Policies) -> Any:
    """The same policy as OpenSpiel takes it, for its own `exploitability`."""
    table = {
        key: list(zip(legal, policy[own].tolist(), strict=True))
        for seat, policy in zip(tree.seats, policies, strict=True)
        for key, legal, (_, own) in zip(seat.keys, seat.legal, seat.slices(), strict=True)
    }
    return pyspiel.TabularPolicy(table)
