"""Single choices of a bot without a search in many games of Madness, compiled."""

from coyote.bots.deciding import make_seed
from coyote.bots.madness.games import decide_at_once
from coyote.games.madness.rules import legal
from coyote.games.madness.view import view
from coyote.kernel.chance import game_words
from coyote.kernel.jit import big_rule
from coyote.kernel.seats import NONE


@big_rule
def choose(states, seats, numbers, moves, views, seen, ed, t, box, world, silent, plan, source, words, dice):
    """A move for each state; `numbers` are those of the games in their series."""
    for k in range(len(states)):
        s, seat = states[k], seats[k]
        t.n = legal(s, ed, seat, t.legal)
        view(s, seat, views)
        game_words(source, numbers[k], words, dice)
        make_seed(box, dice, NONE, seat)
        moves[k] = t.legal[decide_at_once(plan, views[0], seen, seat, ed, t, box, world, silent)]
