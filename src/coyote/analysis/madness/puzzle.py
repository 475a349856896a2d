"""Puzzles of Madness: one main action does what is asked for, whatever the other holds.

win    the game is won when one's next turn begins, or before
save   the game is not lost before one's next decision
best   it is the best one against every hand that the other could hold, each line played to its end
"""

from dataclasses import dataclass

import numpy as np

from coyote.analysis.madness import horizon, proof
from coyote.analysis.madness.look import folds_of
from coyote.bots.madness.ending import step
from coyote.bots.minds import per_thread
from coyote.games.game import Json, Record
from coyote.games.madness.cards import all_cards
from coyote.games.madness.game import Madness
from coyote.games.madness.state import MAIN, OVER, STATE
from coyote.games.madness.view import seen
from coyote.kernel.events import silent_log
from coyote.kernel.record import new, same

ASKED = {"win": horizon.TO_WIN, "save": horizon.TO_LIVE}
AT_ONCE = ""  # in place of a reply: none is needed


class Scratch:
    def __init__(self) -> None:
        self.way, self.log = new(horizon.WAY), silent_log()
        self.tables = np.zeros(horizon.MOST_DEEP, STATE)


scratch = per_thread(Scratch)


@dataclass(frozen=True)
class Found:
    """A puzzle with its proof: for each wrong move what refutes it."""

    kind: str
    solution: str
    refutes: dict[str, str]  # by wrong move: the other's reply, or the hand, by which it fails
    checked: int  # cards, or hands, that the other could have
    proof: Json | None = None  # of the best answer: every hand, and what each move is worth against it


class Turn:
    """A main action that is due, and all that could come of it until the next one."""

    def __init__(self, game: Madness, view: Record, seat: int) -> None:
        self.game, self.view, self.seat = game, view, seat
        self.unseen = int(all_cards(game.row.jokers)) & ~int(seen(view))
        self.table = game.imagine(view, seat, np.array([1, 2], np.uint64))
        self.table.hands[1 - seat] = int(horizon.ghosts(np.uint64(self.unseen)))
        legal = game.legal(self.table, seat)
        folds = folds_of(game, view, legal)
        self.moves = [
            action for k, action in enumerate(legal) if folds[action] not in [folds[a] for a in legal[:k]]
        ]

    def holds(self, kind: str, action: int, reply: int = horizon.ANY) -> bool:
        x = scratch()
        x.tables[0] = self.table
        row, asked = self.game.row, ASKED[kind]
        return bool(horizon.holds(x.tables, row, x.log, x.way, self.seat, asked, action, reply))

    def find(self, kind: str) -> Found | None:
        """Where one move alone holds, and does not just end the game."""
        good = [action for action in self.moves if self.holds(kind, action)]
        if len(good) != 1 or len(self.moves) < 3 or self.ends_at_once(good[0]):
            return None
        text = self.game.move_text
        refutes = {text(action): self.refutation(kind, action) for action in self.moves if action != good[0]}
        return Found(kind, text(good[0]), refutes, self.unseen.bit_count())

    def ends_at_once(self, action: int) -> bool:
        return int(self.after(action).phase) == OVER

    def after(self, action: int) -> Record:
        x, twin = scratch(), same(self.table)
        step(twin, self.game.row, x.log, self.seat, action)
        return twin

    def refutation(self, kind: str, action: int) -> str:
        """The first reply after which a move does not hold, a pass before all others; none where it fails
        before the other can reply."""
        for reply in self.replies(action):
            if not self.holds(kind, action, reply):
                return self.game.move_text(reply)
        return AT_ONCE

    def replies(self, action: int) -> list[int]:
        """The other's main actions, with any card that they may hold, after a move and a draw."""
        twin, x = self.after(action), scratch()
        while int(twin.phase) not in (MAIN, OVER):
            mover = 0 if self.game.actors(twin) & 1 else 1
            step(twin, self.game.row, x.log, mover, self.game.legal(twin, mover)[0])
        if int(twin.phase) == OVER or int(twin.mover) == self.seat:
            return []
        return sorted(self.game.legal(twin, 1 - self.seat), reverse=True)


def find_best(game: Madness, view: Record, seat: int, most: int) -> Found | None:
    """A move that is the best one against every hand, by every line to its end."""
    proved = proof.prove(game, view, seat, most)
    found = proved.kind() if proved else None
    if proved is None or found is None or len(proved.worth) < 3:
        return None
    _, solution = found
    if not proved.is_best(solution):  # it may win or save, and another do more against some hand
        return None
    hands = {
        game.move_text(move): " ".join(proved.hands[proved.refutes(move, solution)])
        for move in proved.worth
        if move != solution
    }
    return Found("best", game.move_text(solution), hands, len(proved.hands), proved.as_json(game))


def is_solved_by(game: Madness, view: Record, seat: int, move: str, solution: str) -> bool:
    """Moves that come to the same are as good as each other."""
    actions = [game.read_move(text) for text in (move, solution)]
    if None in actions:
        return False
    folds = folds_of(game, view, [action for action in actions if action is not None])
    return len(set(folds.values())) == 1


def stands_for(game: Madness, view: Record, move: str, moves: list[str]) -> str:
    """The one of these moves that comes to the same as a move."""
    action = game.read_move(move)
    known = [one for text in moves if (one := game.read_move(text)) is not None]
    if action is None:
        return move
    folds = folds_of(game, view, [action, *known])
    return next((game.move_text(one) for one in known if folds[one] == folds[action]), move)
