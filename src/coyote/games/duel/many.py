"""Many duels of uniform random play in one compiled loop, counted as they end."""

import numpy as np

from coyote.games.duel import events as ev
from coyote.games.duel.rules import act, deal, legal, winner
from coyote.games.duel.state import MOST_CARDS, REASONS
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import rule
from coyote.kernel.record import record_dtype

MOST_TURNS = 256
DRAWN = 2  # index of the draws in `wins`
DAMAGE, BLOCKED, HEALED, WEAR = range(4)

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
    """Damage and what was blocked, healing, and what the fifth deck took."""
    for i in range(min(log.n, log.room)):
        kind, seat = log.rows[i, 0], log.rows[i, 1]
        if kind == ev.DAMAGE:
            tally.points[1 - seat, DAMAGE] += log.rows[i, 2]
            tally.points[seat, BLOCKED] += log.rows[i, 3]
        elif kind == ev.HEAL:
            tally.points[seat, HEALED] += log.rows[i, 2]
        elif kind == ev.WEAR:
            tally.points[seat, WEAR] += 5


@rule
def count_end(s, tally):
    found = winner(s)
    tally.games += 1
    tally.wins[found if found >= 0 else DRAWN] += 1
    tally.ends[0] += 1
    tally.turns[min(s.turn, MOST_TURNS - 1)] += 1


@rule
def random_game(s, cards, luck, log, out, dice, tally):
    """Play a dealt duel to its end: every choice evenly from the full list of legal moves."""
    while not s.over:
        log.n = 0
        for seat in range(2):
            n = legal(s, seat, out)
            act(s, cards, luck, log, seat, out[roll(dice, seat, n)])
        count_points(log, tally)
        tally.decisions += 2


@rule
def random_games(s, cards, lists, luck, log, out, source, seed, dice, first, n, tally):
    """Games number first, first + 1, …; `lists` are the deck lists, of one game or of each."""
    for game in range(first, first + n):
        game_words(source, game, seed, dice)
        bring_lists(s, lists, (game - first) % len(lists))
        deal(s, cards, luck, log, seed)
        random_game(s, cards, luck, log, out, dice, tally)
        count_end(s, tally)


@rule
def bring_lists(s, lists, i):
    for seat in range(2):
        s.n_listed[seat] = 0
        for place in range(MOST_CARDS):
            s.listed[seat, place] = lists[i, seat, place]
            s.n_listed[seat] += lists[i, seat, place] >= 0
