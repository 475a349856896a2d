"""What the other hand of Madness holds, as far as their play tells: the bots' belief.

Every unseen card is as likely as another to be in the other hand (M8), before it is asked how they played.
Here many hands are imagined, and each is followed back through their last decisions: the card of a draw is
any of the hand after it, a card that was played comes back. A hand counts as much as the policy of the bots
would have made these moves with it. Only what the seat itself could see is asked for. Of those who play quite
otherwise than the bots this says less than counting does (`docs/analysis.md`).
"""

import numpy as np
import numpy.typing as npt

from coyote.bots.madness.fold import first_bare, folded
from coyote.bots.madness.mind import MadnessMind, scratch
from coyote.bots.madness.nets import weigh_moves
from coyote.bots.madness.tree import list_moves
from coyote.bots.minds import mind_of
from coyote.games.game import Json, Record
from coyote.games.madness.actions import DRAW, DROP, DROP_NOTHING, PASS, PUSH, STEAL, laid_card
from coyote.games.madness.game import Madness
from coyote.games.madness.view import imagine
from coyote.kernel.bits import EMPTY, ONE, count, lowest, only, without_lowest
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.seats import other
from coyote.records import open_record
from coyote.seeds import seed_from, seed_words

HANDS = 400  # that are imagined
BACK = 8  # decisions of the other that are looked back on
ANY_MOVE = 0.1  # of their moves, taken to be made at random: nobody plays quite as the policy does

Hands = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
Seen = list[tuple[int, Record, int]]


@rule
def spent(action):
    """The card that a move takes from the hand, as a set."""
    if action < PASS:
        return only(laid_card(action))
    if DROP <= action < DROP_NOTHING:
        return only(action - DROP)
    if STEAL <= action < STEAL + (DROP_NOTHING - DROP):
        return only(action - STEAL)
    return EMPTY


@rule
def any_of(hand, dice):
    """One card of a hand, as a set."""
    left = hand
    for _ in range(roll(dice, 0, count(hand))):
        left = without_lowest(left)
    return only(lowest(left))


@rule
def likelihood(s, ed, seat, action, net, biases, x):
    """How likely the policy is to make a move."""
    n = list_moves(s, ed, seat, x)
    if n == 1:
        return 1.0
    weigh_moves(s, ed, seat, net, biases, x, n)
    fold = folded(s, first_bare(s, ed), DRAW if action == DROP_NOTHING else action)
    found = 0.0
    for i in range(n):
        if x.folds[i] == fold:
            found = x.weights[i]
    return (1.0 - ANY_MOVE) * found + ANY_MOVE / n


@big_rule
def weigh_hands(v, seat, ed, diary, actions, n, net, biases, x, world, dice, seed, hands, weights):
    """Imagine as many hands as there is room for, and write how much each counts.

    `diary` has what the seat saw before each of their last n decisions, and `actions` what they did.
    """
    they = other(seat)
    s = world[0]
    for k in range(len(hands)):
        seed[1] += ONE
        imagine(v, ed, seat, seed, world)
        hand = s.hands[they]
        hands[k] = hand
        weight = 1.0
        for i in range(n - 1, -1, -1):
            action = np.int64(actions[i])
            if DRAW <= action < PUSH and diary[i].left > 0 and hand:
                hand &= ~any_of(hand, dice)
            hand |= spent(action)
            world[0] = diary[i]
            s.hands[they] = hand
            weight *= likelihood(s, ed, they, action, net, biases, x)
        weights[k] = weight


class Belief:
    """Hands that the other could have, and how much each counts."""

    def __init__(self, hands: Hands, weights: Floats) -> None:
        self.sharp = float(weights.sum() ** 2 / (weights**2).sum())  # how many hands they are worth
        self.hands, self.weights = hands, weights / weights.sum()

    def has(self, cards: int) -> float:
        """How likely the hand has one of these cards."""
        return float(self.weights @ ((self.hands & np.uint64(cards)) != 0))


class Diary:
    """Of a record: what each seat saw before every decision of the other, and what the other did."""

    def __init__(self, record: Json) -> None:
        match = open_record(record)
        assert isinstance(match.game, Madness)
        self.game = match.game
        self.seen: tuple[Seen, Seen] = ([], [])
        for number, (mover, move) in enumerate(record["moves"], 1):
            action = self.game.read_move(move)
            self.seen[1 - mover].append((number, match.view(1 - mover), action or 0))
            match.play(move, mover)

    def belief(self, view: Record, seat: int, number: int, seed: str) -> Belief | None:
        """Before move `number`; None where there is nothing to go by, or nothing to guess."""
        last = [one for one in self.seen[seat] if one[0] < number][-BACK:]
        mind = mind_of(self.game)
        assert isinstance(mind, MadnessMind)
        if not last or not mind.manner.has_nets or not int(view.held[1 - seat]) or not int(view.left):
            return None
        x, hands, weights = scratch(), np.zeros(HANDS, np.uint64), np.zeros(HANDS)
        dice, words = seed_words(seed_from(f"draws {seed}")), seed_words(seed_from(f"hands {seed}"))
        weigh_hands(
            view, seat, self.game.row, np.array([one[1] for one in last]),
            np.array([one[2] for one in last], np.int16), len(last), mind.nets[0], mind.manner, x.work,
            x.world, dice, words, hands, weights,
        )  # fmt: skip
        return Belief(hands, weights)
