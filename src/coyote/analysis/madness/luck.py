"""What the deal and each card of the deck did for seat 0, exactly (M1, M11, M15).

Chance deals, and turns up the top card of the deck for a draw or a push; each card that is left is as likely
as another. So the luck of a card is how the game stands with it, less the mean over all cards that might have
come. Suits never matter (M1): fourteen ranks are all there is to try. The rest of the way from the deal to
the result is what the players decided.
"""

import numpy as np

from coyote.analysis.madness.judge import JUDGE, PAPER, WIDE
from coyote.bots.deciding import one_of_equals
from coyote.bots.madness.ending import step
from coyote.bots.madness.fold import N_RANKS
from coyote.bots.madness.judge import N_SIGNS, judge
from coyote.bots.madness.nets import judge_by_net
from coyote.bots.madness.thumb import think
from coyote.games.madness.actions import DECLINE, DRAW, STEAL
from coyote.games.madness.cards import STRONGER, rank_of
from coyote.games.madness.rules import deal, decider, legal, result
from coyote.games.madness.state import COYOTE, OVER, TUT
from coyote.games.madness.view import view
from coyote.kernel.bits import lowest, without_lowest
from coyote.kernel.chance import game_words
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE

MOST_MOVES = 1024  # of one game; what comes later is not told apart
TABLES = 4  # states to try things on

LUCK = record_dtype(
    [
        ("dealt", np.float64),  # how it stood after the deal, for seat 0
        ("draws", np.float64),  # what all cards of the deck did
        ("decided", np.float64, 2),  # [seat] what its decisions did, for seat 0
        ("result", np.float64),  # how it stood at the end: 1, ½ or 0 where the rules ended the game
    ]
)

# By move how the game stood: before it, after it as far as the player decided, and after chance.
STEP = record_dtype([("before", np.float64), ("decided", np.float64), ("after", np.float64)])

EYE = record_dtype(  # what a game is judged by
    [
        ("weights", np.float64, N_SIGNS),  # of the signs, where there is no judge
        ("scale", np.float64),
        ("signs", np.float64, N_SIGNS),
        ("has_judge", np.int64),
        ("judge", JUDGE),
        ("bias", np.float32, WIDE),
        *PAPER,
    ]
)

ROOM = record_dtype(
    [
        ("place", np.int64, N_RANKS),  # where in the deck a card of the rank lies
        ("number", np.int64, N_RANKS),  # and how many there are
        ("moves", np.int16, MOST_MOVES),
    ]
)


@big_rule
def stands(s, ed, eye):
    """Seat 0's chance to win where a main action is due, or what it won: all that luck knows of playing.

    It is the one place to put another judge: luck is nothing on average, however good or bad this is.
    """
    if s.phase == OVER:
        winner, _, _ = result(s)
        return 0.5 if winner == NONE else 1.0 - winner
    if eye.has_judge:
        return np.float64(judge_by_net(s, ed, eye.judge, eye, eye))
    return judge(s, ed, eye.weights, eye.scale, eye.signs)


# ---------------------------------------------------------------- the cards that might come


@rule
def count_ranks(s, room):
    """Of each rank one place in the deck, and how many cards; of the top card's rank, the top."""
    for rank in range(N_RANKS):
        room.number[rank] = 0
    for i in range(s.left):
        rank = rank_of(np.int64(s.deck[i]))
        room.place[rank] = i
        room.number[rank] += 1


@rule
def bring_up(s, place):
    """The card from this place of the deck comes to its top."""
    top = s.left - 1
    card = s.deck[place]
    s.deck[place] = s.deck[top]
    s.deck[top] = card


@rule
def best_for(seat, one, two):
    """The better of two standings, for a seat; NONE is no standing."""
    if one < 0.0:
        return two
    return max(one, two) if seat == 0 else min(one, two)


@big_rule
def after_chance_to_steal(s, ed, log, eye, tables, spare):
    """M18  How a game stands when a Chance is due as a turn begins: the best of what may be done with it.

    `spare` is the number of a table to try it on.
    """
    seat = decider(s)
    t = tables[spare]
    tables[spare] = s
    step(t, ed, log, seat, np.int64(DECLINE))
    best = stands(t, ed, eye)
    cards = s.hands[seat] & STRONGER[s.marker[s.closing]]
    while cards:
        tables[spare] = s
        step(t, ed, log, seat, STEAL + lowest(cards))
        best = best_for(seat, best, stands(t, ed, eye))
        cards = without_lowest(cards)
    return best


@rule
def begun(s, ed, log, eye, tables, spare):
    """How a game stands at the beginning of a turn, or when it is over."""
    if s.phase == COYOTE:
        return after_chance_to_steal(s, ed, log, eye, tables, spare)
    return stands(s, ed, eye)


@big_rule
def on_average(s, ed, log, seat, action, eye, room, tables):
    """M15  How a game stands after a TUT action, on average over the cards that may come."""
    t = tables[0]
    if s.left == 0:
        tables[0] = s
        step(t, ed, log, seat, action)
        return begun(t, ed, log, eye, tables, 1)
    count_ranks(s, room)
    total = 0.0
    for rank in range(N_RANKS):
        if room.number[rank]:
            tables[0] = s
            bring_up(t, room.place[rank])
            step(t, ed, log, seat, action)
            total += room.number[rank] * begun(t, ed, log, eye, tables, 1)
    return total / s.left


# ---------------------------------------------------------------- how a game stands in any phase


@rule
def to_draw(s, ed, log, eye, room, tables):
    """Where a TUT action is due: as after a draw, which is the usual one."""
    return on_average(s, ed, log, decider(s), np.int64(DRAW), eye, room, tables)


@rule
def begun_or_tut(s, ed, log, eye, room, tables):
    if s.phase == TUT:
        return to_draw(s, ed, log, eye, room, tables)
    return stands(s, ed, eye)


@big_rule
def stands_anywhere(s, ed, log, eye, room, tables):
    """Seat 0's chance to win in any phase."""
    if s.phase != COYOTE:
        return begun_or_tut(s, ed, log, eye, room, tables)
    seat = decider(s)
    t = tables[2]
    tables[2] = s
    step(t, ed, log, seat, np.int64(DECLINE))
    best = begun_or_tut(t, ed, log, eye, room, tables)
    cards = s.hands[seat] & STRONGER[s.marker[s.closing]]
    while cards:
        tables[2] = s
        step(t, ed, log, seat, STEAL + lowest(cards))
        best = best_for(seat, best, begun_or_tut(t, ed, log, eye, room, tables))
        cards = without_lowest(cards)
    return best


# ---------------------------------------------------------------- a whole game


@big_rule
def follow(s, ed, log, actions, n, eye, room, tables, luck, steps):
    """From a fresh deal through n moves: what chance did, and what each seat decided.

    Each move changes how the game stands by the mean over the cards that might come, which is the player's
    doing, and from there to the card that came, which is luck. So all of it together is the result.
    """
    luck.draws = luck.decided[0] = luck.decided[1] = 0.0
    now = stands_anywhere(s, ed, log, eye, room, tables)
    luck.dealt = now
    for i in range(n):
        seat, action = decider(s), np.int64(actions[i])
        steps[i].before = now
        draws = (s.phase == TUT) & (s.left > 0)
        decided = on_average(s, ed, log, seat, action, eye, room, tables) if draws else 0.0
        step(s, ed, log, seat, action)
        now = stands_anywhere(s, ed, log, eye, room, tables)
        decided = decided if draws else now
        steps[i].decided, steps[i].after = decided, now
        luck.decided[seat] += decided - steps[i].before
        luck.draws += now - decided
    luck.result = now


@big_rule
def mean_deal(s, ed, log, source, words, dice, n, eye, room, tables):
    """How n deals of a series stand: the sum, and that of the squares."""
    total = squares = 0.0
    for game in range(n):
        game_words(source, game, words, dice)
        deal(s, ed, words)
        now = stands(s, ed, eye)
        total += now
        squares += now * now
    return total, squares


@big_rule
def play_by_thumb(s, views, ed, log, dice, t, moves, tables):
    """A dealt game to its end by rules of thumb; how many moves it took."""
    n = 0
    while s.phase != OVER and n < len(moves):
        seat = decider(s)
        t.n = legal(s, ed, seat, t.legal)
        view(s, seat, views)
        think(views[0], ed, seat, t, tables, log)
        moves[n] = t.legal[one_of_equals(t, dice)]
        step(s, ed, log, seat, np.int64(moves[n]))
        n += 1
    return n


@big_rule
def games_by_thumb(table, views, ed, log, source, words, dice, t, first, eye, room, tables, lucks, steps):
    """The luck of games first, first + 1, … of a series between two who go by rules of thumb."""
    s = table[0]
    for k in range(len(lucks)):
        game_words(source, first + k, words, dice)
        deal(s, ed, words)
        n = play_by_thumb(s, views, ed, log, dice, t, room.moves, tables)
        deal(s, ed, words)
        follow(s, ed, log, room.moves, n, eye, room, tables, lucks[k], steps)
