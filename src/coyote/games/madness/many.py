"""Many games of uniform random play in one compiled loop, counted as they end."""

from coyote.games.madness import events as ev
from coyote.games.madness.rules import act, deal, decider, legal, result
from coyote.games.madness.state import OVER, REASONS
from coyote.games.madness.usual import is_usual, usual_row
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.tally import count_game, tally_dtype

TALLY = tally_dtype(REASONS, ev.SOURCES)


@rule
def count_points(log, tally):
    for i in range(min(log.n, log.capacity)):
        if log.rows[i, 0] == ev.POINT:
            tally.points[log.rows[i, 1], log.rows[i, 2]] += 1


@rule
def random_game(s, ed, log, out, dice, tally):
    """Play a dealt game to its end: every choice evenly from the full list of legal moves."""
    decisions = 0
    while s.phase != OVER:
        seat = decider(s)
        n = legal(s, ed, seat, out)
        log.n = 0
        act(s, ed, log, seat, out[roll(dice, seat, n)])
        count_points(log, tally)
        decisions += 1
    return decisions


@rule
def series(s, ed, log, out, source, words, dice, first, n, tally):
    for game in range(first, first + n):
        game_words(source, game, words, dice)
        deal(s, ed, words)
        tally.decisions += random_game(s, ed, log, out, dice, tally)
        winner, reason, _ = result(s)
        count_game(tally, winner, reason, s.turn)


@big_rule
def usual_games(s, ed, log, out, source, words, dice, first, n, tally):
    series(s, usual_row(ed), log, out, source, words, dice, first, n, tally)


@big_rule
def house_games(s, ed, log, out, source, words, dice, first, n, tally):
    series(s, ed, log, out, source, words, dice, first, n, tally)


@rule
def random_games(s, ed, log, out, source, words, dice, first, n, tally):
    """Games number first, first + 1, …; `source` is the stream that all their seeds come from."""
    if is_usual(ed):
        usual_games(s, ed, log, out, source, words, dice, first, n, tally)
    else:
        house_games(s, ed, log, out, source, words, dice, first, n, tally)
