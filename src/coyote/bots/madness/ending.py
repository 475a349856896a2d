"""What a move comes to at once: whether it wins the game, whatever the hidden cards are."""

from coyote.games.madness import rules
from coyote.games.madness.state import OVER
from coyote.kernel.jit import big_rule, rule


@big_rule
def step(s, ed, log, seat, action):
    """One copy of the rules for the whole search."""
    rules.act(s, ed, log, seat, action)


@rule
def wins_at_once(v, ed, seat, action, world, log):
    """Whether the game is over with this move, and won. `world` is room for one state.

    What ends a game (points, empty hands, an empty deck) lies open, so a view is enough: a card that is
    drawn from a hidden deck stays hidden.
    """
    world[0] = v
    s = world[0]
    step(s, ed, log, seat, action)
    winner, _, _ = rules.result(s)
    return (s.phase == OVER) & (winner == seat)


@rule
def may_win_now(v, ed, seat):
    """Whether any move could: near the goal, near the end of the cards, or against an empty hand."""
    lead = v.lead if seat == 0 else -v.lead
    points = ed.boss_points + ed.round_points + ed.hand_points
    return (lead + points >= ed.goal) | (v.left <= 1) | (v.held[1 - seat] == 0)
