"""Puzzles of Madness and their proof: every hand that the other could hold, and what each move is worth then.

win    one move wins against every hand, if one plays on right; after any other some hand holds
save   one move does not lose against any hand; after any other some hand wins
best   one move is the best one against every hand; any other is worse against some
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from coyote.analysis.madness import solve
from coyote.analysis.madness.look import folds_of
from coyote.bots.minds import per_thread
from coyote.games.game import Json, Record
from coyote.games.madness.actions import DROP_NOTHING
from coyote.games.madness.cards import all_cards, rank_of
from coyote.games.madness.game import Madness
from coyote.games.madness.notation import card_names
from coyote.games.madness.state import STATE
from coyote.games.madness.view import seen
from coyote.kernel.events import silent_log
from coyote.kernel.record import new, same

KINDS = ("win", "save", "best")
MOST_HANDS = 200
SURE = 1e-6
CLEARLY = 0.1  # by which the best move must be better than any other, against some hand


class Scratch:
    def __init__(self) -> None:
        self.memory, self.log = new(solve.MEMORY), silent_log()
        self.tables = np.zeros(solve.MOST_DEEP, STATE)


scratch = per_thread(Scratch)


@dataclass(frozen=True)
class Proof:
    """By hand of the other what each move is worth to the seat."""

    hands: list[list[str]]
    worth: dict[int, list[float]]  # by move, of those that come to the same the first

    def kind(self) -> tuple[str, int] | None:
        """What kind of puzzle it is, and the move that solves it; None where it is none."""
        for kind, good in (("win", 1.0), ("save", 0.5)):
            holds = [move for move, worth in self.worth.items() if min(worth) >= good - SURE]
            if len(holds) == 1 and (kind == "win" or self.is_lost_without(holds[0])):
                return kind, holds[0]
            if holds:
                break
        best = max(self.worth, key=lambda move: sum(self.worth[move]))
        return ("best", best) if self.is_best(best) else None

    def is_lost_without(self, move: int) -> bool:
        """Whether any other move loses against some hand."""
        return all(min(worth) <= SURE for other, worth in self.worth.items() if other != move)

    def is_best(self, move: int) -> bool:
        mine = self.worth[move]
        others = [worth for other, worth in self.worth.items() if other != move]
        never_worse = all(a >= b - SURE for worth in others for a, b in zip(mine, worth, strict=True))
        return never_worse and all(
            max(a - b for a, b in zip(mine, worth, strict=True)) >= CLEARLY for worth in others
        )

    def refutes(self, move: int, solution: int) -> int:
        """The number of the hand against which a move falls shortest of the solution."""
        short = [a - b for a, b in zip(self.worth[solution], self.worth[move], strict=True)]
        return int(np.argmax(short))

    def as_json(self, game: Madness) -> Json:
        """The table of hands, the best moves first."""
        in_order = sorted(self.worth, key=lambda move: -sum(self.worth[move]))
        return {
            "hands": [" ".join(hand) for hand in self.hands],
            "moves": {game.move_text(move): [round(one, 3) for one in self.worth[move]] for move in in_order},
        }


def prove(game: Madness, view: Record, seat: int, most: int = solve.MOST_KNOWN) -> Proof | None:
    """Every hand and every move, each line to its end; None where that is too much."""
    tables = list(possible_tables(game, view, seat))
    if not 1 < len(tables) <= MOST_HANDS:
        return None
    x = scratch()
    x.memory.most = most
    legal = [action for action in game.legal(tables[0], seat) if action != DROP_NOTHING]
    folds = folds_of(game, view, legal)
    moves = [action for k, action in enumerate(legal) if folds[action] not in [folds[a] for a in legal[:k]]]
    worth: dict[int, list[float]] = {move: [] for move in moves}
    solve.forget(x.memory)
    for table in tables:
        for move in moves:
            x.tables[0] = table
            found = float(solve.value_after(x.tables, game.row, x.log, x.memory, move))
            if found == solve.GIVEN_UP:
                return None
            worth[move].append(found if seat == 0 else 1.0 - found)
    return Proof([card_names(int(table.hands[1 - seat])) for table in tables], worth)


def possible_tables(game: Madness, view: Record, seat: int) -> Iterator[Record]:
    """One table for each set of ranks that the other could hold; which of equal cards it is never matters."""
    unseen = int(all_cards(game.row.jokers)) & ~int(seen(view))
    cards = [card for card in range(unseen.bit_length()) if unseen >> card & 1]
    known = set()
    guess = game.imagine(view, seat, np.array([1, 2], np.uint64))
    for hand in combinations(cards, int(view.held[1 - seat])):
        ranks = tuple(int(rank_of(card)) for card in hand)
        if ranks not in known:
            known.add(ranks)
            yield with_hand(guess, 1 - seat, hand, [card for card in cards if card not in hand])


def with_hand(table: Record, seat: int, hand: Sequence[int], deck: Sequence[int]) -> Record:
    twin = same(table)
    twin.hands[seat] = sum(1 << card for card in hand)
    twin.deck[: len(deck)] = deck
    return twin
