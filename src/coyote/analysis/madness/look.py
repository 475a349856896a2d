"""What moves of Madness are worth: by what their seat could know, and by what was.

A move is made, and the search goes on from there. Where a card comes from the deck with it (M15), every rank
that may come is tried, as often as it is likely: so luck has no part in what a decision was worth. By what
could be known, that are all cards that the seat had not seen; by what was, both hands lie open and only the
order of the deck is unknown.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from coyote.analysis.values import BATCHES, Floats, Values
from coyote.bots.bot import Answer
from coyote.bots.madness.fold import first_bare, folded
from coyote.bots.madness.mind import MadnessMind, scratch
from coyote.bots.reasons import distinct
from coyote.games.game import Chance, Record, Words64
from coyote.games.madness.actions import DRAW, DROP_NOTHING
from coyote.games.madness.cards import all_cards, rank_of
from coyote.games.madness.game import Madness
from coyote.games.madness.rules import decider
from coyote.games.madness.state import OVER, TUT
from coyote.games.madness.view import seen
from coyote.kernel.events import silent_log
from coyote.kernel.jit import big_rule
from coyote.kernel.record import same
from coyote.questions import Budget, Question
from coyote.seeds import seed_from, seed_words

# How the simulations of a decision are spent, of a hundred: on finding moves that are worth a look, on each
# of these, and the same with open hands.
FIND, LOOK, FIND_OPEN, LOOK_OPEN = 28, 14, 12, 6
CANDIDATES = 2  # besides the move that was made
FEWEST = 4  # simulations of a batch


@big_rule
def root_mean(nodes):
    """What whoever moves at the root won, on average; ½ where nothing was tried."""
    visits = 0
    won = 0.0
    child = nodes[0].child
    while child:
        visits += nodes[child].visits
        won += nodes[child].won
        child = nodes[child].beside
    return won / visits if visits else 0.5


@cache
def quiet() -> Record:
    return silent_log()


class Look:
    """One decision: a seat, and what it may go by."""

    def __init__(self, game: Madness, mind: MadnessMind, table: Record, view: Record, seat: int) -> None:
        """`view` is what the seat knew, or the table with open hands; `table` is one that fits it."""
        self.game, self.mind, self.table, self.view, self.seat = game, mind, table, view, seat
        self.is_open = bool(view.hands[1 - seat]) or int(view.held[1 - seat]) == 0

    def find(self, legal: Sequence[int], simulations: int, dice: Words64) -> Answer:
        """The moves that the search likes."""
        question = Question(self.view, self.seat, legal)
        return self.mind.search(question, dice, Budget(simulations=simulations))

    def values(self, actions: Sequence[int], simulations: int, seed: str) -> Values:
        """What each of these moves is worth to the seat; the same dice for all."""
        return Values({action: self.value(action, simulations, seed) for action in actions})

    def value(self, action: int, simulations: int, seed: str) -> Floats:
        outcomes = self.outcomes(action)
        each = max(FEWEST, simulations // (BATCHES * len(outcomes)))
        found = np.zeros(BATCHES)
        for number, (share, after, shown) in enumerate(outcomes):
            for batch in range(BATCHES):
                dice = seed_words(seed_from(f"{seed} {batch} {number}"))
                found[batch] += share * self.chance(after, shown, each, dice)
        return found

    def chance(self, after: Record, shown: Record, simulations: int, dice: Words64) -> float:
        """The seat's chance to win from a table after its move, as `shown`."""
        if int(after.phase) == OVER:
            result = self.game.result(after)
            assert result is not None
            return 0.5 if result.winner is None else float(result.winner == self.seat)
        self.mind.begin(dice)
        self.mind.grow(Question(shown, self.seat, ()), simulations)
        mean = float(root_mean(scratch().nodes))
        return mean if int(decider(after)) == self.seat else 1.0 - mean

    def outcomes(self, action: int) -> list[tuple[float, Record, Record]]:
        """What may come of a move, with how likely that is: the table, and what is shown of it."""
        cards = self.cards_to_come()
        if not cards:
            return [(1.0, *self.after(same(self.table), action))]
        ranks: dict[int, list[int]] = {}
        for card in cards:
            ranks.setdefault(int(rank_of(card)), []).append(card)
        return [
            (len(alike) / len(cards), *self.after(with_top(self.table, alike[0]), action))
            for alike in ranks.values()
        ]

    def after(self, table: Record, action: int) -> tuple[Record, Record]:
        self.game.act(table, self.seat, action, quiet(), Chance())
        return table, open_view(self.game, table) if self.is_open else self.game.view(table, self.seat)

    def cards_to_come(self) -> list[int]:
        """M15  The cards that may come from the deck with a TUT action; none elsewhere."""
        if int(self.table.phase) != TUT or int(self.table.left) == 0:
            return []
        unseen = int(all_cards(self.game.row.jokers)) & ~int(seen(self.view))
        return [card for card in range(unseen.bit_length()) if unseen >> card & 1]


def open_view(game: Madness, table: Record) -> Record:
    """What everybody knows when both hands lie open, and only the deck is face down."""
    view = game.view(table, 0)
    view.hands[:] = table.hands
    return view


def with_top(table: Record, card: int) -> Record:
    """A copy with this card on top of the deck. Where another place has it, that is out of sight as well."""
    twin = same(table)
    top = int(twin.left) - 1
    places = np.flatnonzero(twin.deck[: top + 1] == card)
    if len(places):
        twin.deck[places[0]] = twin.deck[top]
    twin.deck[top] = card
    return twin


def candidates(answer: Answer, made: int, folds: dict[int, int]) -> list[int]:
    """The moves worth a look: the one that was made, and those that the search went for most. Moves that come
    to the same are one."""
    liked = sorted(distinct(answer), key=lambda thought: -thought.examined)
    found = [made]
    for thought in liked:
        usual = DRAW if thought.action == DROP_NOTHING else thought.action
        if folds[usual] not in {folds[action] for action in found}:
            found.append(usual)
    return found[: 1 + CANDIDATES]


def folds_of(game: Madness, view: Record, legal: Sequence[int]) -> dict[int, int]:
    """By move its number among moves that come to the same (`bots.madness.fold`). To drop with an empty hand
    is to draw (M15)."""
    bare = first_bare(view, game.row)
    return {action: int(folded(view, bare, DRAW if action == DROP_NOTHING else action)) for action in legal}
