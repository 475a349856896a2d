"""Many duels of uniform random play in one compiled loop, counted as they end."""

import numpy as np

from coyote.games.duel import events as ev
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.rules import BY_HEALTH, act, deal, legal, winner
from coyote.games.duel.state import REASONS
from coyote.kernel.bits import ONE
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import rule
from coyote.kernel.tally import count_game, tally_dtype

DAMAGE, BLOCKED, HEALED, WEAR = range(4)  # as in ev.SOURCES
MOVE_KINDS = ("hold", "play")
KIND_OF = np.arange(2, dtype=np.int8)  # HOLD, and all others

TALLY = tally_dtype(REASONS, ev.SOURCES)


@rule
def count_points(log, ed, tally):
    """Damage and what was blocked, healing, and what the fifth deck took."""
    for i in range(min(log.n, log.capacity)):
        kind, seat = log.rows[i, 0], log.rows[i, 1]
        if kind == ev.DAMAGE:
            tally.points[1 - seat, DAMAGE] += log.rows[i, 2]
            tally.points[seat, BLOCKED] += log.rows[i, 3]
        elif kind == ev.HEAL:
            tally.points[seat, HEALED] += log.rows[i, 2]
        elif kind == ev.WEAR:
            tally.points[seat, WEAR] += ed.wear


@rule
def bit_of(s, seat, kind):
    """The bit of a kind in sets of the seat's cards: by its place among the kinds of the list."""
    place = 0
    for i in range(1, s.n_listed[seat]):
        if s.listed[seat, i - 1] == kind:
            break
        place += s.listed[seat, i] != s.listed[seat, i - 1]
    return ONE << np.uint64(place)


@rule
def count_cards(s, log, row):
    """The cards drawn (D12), into the hand or past a full one, and those that came into play (D5, D7)."""
    for i in range(min(log.n, log.capacity)):
        what, seat, kind = log.rows[i, 0], log.rows[i, 1], log.rows[i, 2]
        if (what == ev.DRAW) | (what == ev.BURN):
            row.drawn[seat] |= bit_of(s, seat, kind)
        elif (what == ev.REVEAL) | (what == ev.AUTO):
            row.played[seat] |= bit_of(s, seat, kind)


@rule
def count_log(s, ed, log, row):
    count_points(log, ed, row)
    count_cards(s, log, row)


@rule
def lead(s):
    """How much healthier seat 0 is."""
    return s.health[0] - s.health[1]


@rule
def random_game(s, cards, ed, luck, log, out, dice, tally):
    """Play a dealt duel to its end: every choice evenly from the full list of legal moves."""
    while not s.over:
        log.n = 0
        for seat in range(2):
            n = legal(s, seat, out)
            act(s, cards, ed, luck, log, seat, out[roll(dice, seat, n)])
        count_points(log, ed, tally)
        tally.decisions += 2


@rule
def random_games(s, cards, ed, lists, luck, log, out, source, seed, dice, first, n, tally):
    """Games number first, first + 1, …; `lists` are the deck lists, of one game or of each."""
    for game in range(first, first + n):
        game_words(source, game, seed, dice)
        bring_lists(s, lists, (game - first) % len(lists))
        deal(s, cards, ed, luck, log, seed)
        random_game(s, cards, ed, luck, log, out, dice, tally)
        count_game(tally, winner(s), BY_HEALTH, s.turn)


@rule
def bring_lists(s, lists, i):
    for seat in range(2):
        s.n_listed[seat] = 0
        for place in range(MOST_CARDS):
            s.listed[seat, place] = lists[i, seat, place]
            s.n_listed[seat] += lists[i, seat, place] >= 0
