"""Puzzles of the duel: one choice ends it, or survives the turn, whatever the other picks (D6).

win    the duel is won this turn
save   one lives when the turn is over
Lists lie open (D26): the other may pick any card of theirs that is not in sight, or none.
"""

from collections.abc import Iterator

import numpy as np

from coyote.analysis.madness.puzzle import Found
from coyote.games.duel import cards as c
from coyote.games.duel.game import Duel
from coyote.games.duel.rules import FIRST_PLAY, HOLD
from coyote.games.game import Chance, Record
from coyote.kernel.events import silent_log
from coyote.kernel.record import same
from coyote.kernel.seats import NONE

LOW = 40  # health of one of them, from which a turn may decide
CHANCES = 3  # how often a turn is settled, where chance has a part in it


def find_in_duel(game: Duel, table: Record, seat: int) -> Found | None:
    """A puzzle for the seat, where there is one."""
    for kind, weak in (("win", 1 - seat), ("save", seat)):
        if int(table.health[weak]) <= LOW and (found := find(game, table, seat, kind)):
            return found
    return None


def find(game: Duel, table: Record, seat: int, kind: str) -> Found | None:
    legal, answers = game.legal(table, seat), answers_of(game, table, 1 - seat)
    if len(legal) < 3:
        return None
    failing = {choice: fails_by(game, table, seat, kind, choice, answers) for choice in legal}
    good = [choice for choice, answer in failing.items() if answer is None]
    if len(good) != 1:
        return None
    refutes = {
        game.move_text(choice): game.move_text(answer)
        for choice, answer in failing.items()
        if answer is not None
    }
    return Found(kind, game.move_text(good[0]), refutes, len(answers))


def answers_of(game: Duel, table: Record, seat: int) -> list[int]:
    """What the seat may pick, for all that the other knows: none, or a card of its list out of sight."""
    listed = table.listed[seat, : table.n_listed[seat]].tolist()
    for zone, size in (("play", "in_play"), ("discard", "in_discard"), ("aside", "in_aside")):
        for kind in table[zone][seat, : table[size][seat]].tolist():
            listed.remove(kind)
    if int(table.in_hand[seat]) == 0:
        return [HOLD]
    kinds = [kind for kind in dict.fromkeys(listed) if not game.table[kind, c.AUTO]]
    return [HOLD, *(FIRST_PLAY + kind for kind in kinds)]


def fails_by(game: Duel, table: Record, seat: int, kind: str, choice: int, answers: list[int]) -> int | None:
    """The first answer after which a choice does not do what is asked for."""
    return next((one for one in answers if not all(outcomes(game, table, seat, kind, choice, one))), None)


def outcomes(game: Duel, table: Record, seat: int, kind: str, choice: int, answer: int) -> Iterator[bool]:
    they = 1 - seat
    for number in range(CHANCES):
        twin = same(table)
        twin.key[:] = np.array([number, 7], np.uint64)
        twin.choice[:] = NONE
        if answer != HOLD and answer - FIRST_PLAY not in twin.hand[they, : twin.in_hand[they]].tolist():
            twin.hand[they, 0] = answer - FIRST_PLAY
        for who, what in sorted(((seat, choice), (they, answer))):
            game.act(twin, who, what, silent_log(game.EVENTS), Chance())
        alive = int(twin.health[seat]) > 0
        yield (alive and int(twin.health[they]) <= 0) if kind == "win" else alive
