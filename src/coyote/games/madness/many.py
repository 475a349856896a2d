"""Many games of uniform random play in one compiled loop, counted as they end."""

import numpy as np

from coyote.games.madness import events as ev
from coyote.games.madness.rules import act, deal, legal, result
from coyote.games.madness.state import COYOTE, OVER, REASONS
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import other

MOST_TURNS = 256  # every game is shorter: a TUT shortens the deck, and M24 bounds the rest
DRAWN = 2  # index of the draws in `wins`

TALLY = record_dtype(
    [
        ("games", np.int64),
        ("decisions", np.int64),
        ("wins", np.int64, 3),
        ("ends", np.int64, len(REASONS)),
        ("points", np.int64, (2, len(ev.SOURCES))),
        ("turns", np.int64, MOST_TURNS),
    ]
)


@rule
def count_points(log, tally):
    for i in range(min(log.n, log.room)):
        if log.rows[i, 0] == ev.POINT:
            tally.points[log.rows[i, 1], log.rows[i, 2]] += 1


@rule
def count_end(s, tally):
    winner, reason, _ = result(s)
    tally.games += 1
    tally.wins[winner if winner >= 0 else DRAWN] += 1
    tally.ends[reason] += 1
    tally.turns[min(s.turn, MOST_TURNS - 1)] += 1


@rule
def random_game(s, ed, log, out, dice, tally):
    """Play a dealt game to its end: every choice evenly from the full list of legal moves."""
    decisions = 0
    while s.phase != OVER:
        seat = other(s.mover) if s.phase == COYOTE else s.mover
        n = legal(s, ed, seat, out)
        log.n = 0
        act(s, ed, log, seat, out[roll(dice, seat, n)])
        count_points(log, tally)
        decisions += 1
    return decisions


@rule
def random_games(s, ed, log, out, source, words, dice, first, n, tally):
    """Games number first, first + 1, …; `source` is the stream that all their seeds come from."""
    for game in range(first, first + n):
        game_words(source, game, words, dice)
        deal(s, ed, words)
        tally.decisions += random_game(s, ed, log, out, dice, tally)
        count_end(s, tally)
