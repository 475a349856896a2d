"""What is counted over a series of games, the same for every game."""

import numpy as np

from coyote.kernel.jit import rule
from coyote.kernel.record import record_dtype

MOST_TURNS = 256  # longer games are counted with the longest
DRAWN = 2  # index of the draws in `wins`


def tally_dtype(reasons, sources):
    """`wins` by seat and the draws, `ends` by reason, `points` by seat and source, `turns` by length."""
    return record_dtype(
        [
            ("games", np.int64),
            ("decisions", np.int64),
            ("wins", np.int64, 3),
            ("ends", np.int64, len(reasons)),
            ("points", np.int64, (2, len(sources))),
            ("turns", np.int64, MOST_TURNS),
        ]
    )


@rule
def count_game(tally, winner, reason, turns):
    tally.games += 1
    tally.wins[winner if winner >= 0 else DRAWN] += 1
    tally.ends[reason] += 1
    tally.turns[min(turns, MOST_TURNS - 1)] += 1
