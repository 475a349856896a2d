"""What a seat may suppose of the cards that it does not see: its own deck, the other's hand and deck.

`imagine` of the rules fills an unknown list with any cards; players bring decks with a plan. So a list is
thought to be a ready deck, the likelier the better it fits the cards shown (D18), or else any legal one.
"""

import numpy as np

from coyote.games.duel import cards as c
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.rules import lying
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import HIDDEN, NONE, other

MOST_DECKS = 32  # decks that may be expected, one more row is for a list that is known
MOST_POOL = 512  # copies of cards to fill a list with; of a larger set a random part
SURE, POOL = MOST_DECKS, MOST_DECKS + 1  # rows of `weight` after the decks: the known list, any cards

SWAPPED = 0.03  # how likely a shown card is none of the deck that one thinks of
OTHER_SIZE = 0.1  # how likely a deck comes in another size than expected
ANY_DECK = 0.3  # how likely a deck is none of the expected, before a card was shown
ANY_DECK_STAYS = 0.04  # and the least that remains of it, whatever was shown
CHUNK = np.int64(1 << 20)  # chances are rolled as whole numbers below this

BELIEF = record_dtype(
    [
        ("own", np.int16, MOST_CARDS),  # one's own cards out of sight
        ("n_own", np.int64),
        ("back", np.int16, MOST_CARDS),  # the other's cards that were shown and are out of sight again
        ("n_back", np.int64),
        ("unknown", np.int64),  # how many of the other's cards were never shown
        ("autos", np.int64),  # Autos among those shown
        ("held", np.int64),  # 1: it is inferred which cards are surely held
        ("left", np.int16, (MOST_DECKS + 1, MOST_CARDS)),  # for each deck what of it was not shown yet
        ("n_left", np.int64, MOST_DECKS + 1),
        ("pool", np.int16, MOST_POOL),  # copies that may fill a list (D19), none of them Super
        ("n_pool", np.int64),
        ("weight", np.float64, MOST_DECKS + 2),
        ("bound", np.int64, MOST_DECKS + 2),  # running sums of the weights, as whole numbers
    ]
)


@big_rule
def believe(v, cards, ed, n_kinds, decks, seat, count, b):
    """Prepare to suppose: all that follows from the view. `count` is scratch for a number of each kind."""
    they = other(seat)
    gather_own(v, seat, n_kinds, count, b)
    gather_back(v, they, n_kinds, count, b)
    b.unknown = v.n_listed[they] - v.n_shown[they]
    b.autos = 0
    for i in range(v.n_shown[they]):
        b.autos += cards[v.shown[they, i], c.AUTO]
    for d in range(MOST_DECKS + 2):
        b.weight[d] = 0.0
    if v.listed[they, 0] != HIDDEN:
        b.weight[SURE] = 1.0
        b.n_left[SURE] = leave(v, they, v.listed[they], v.n_listed[they], n_kinds, count, b.left[SURE])
    else:
        weigh_decks(v, cards, they, n_kinds, decks, count, b)
    fill_pool(v, cards, ed, they, n_kinds, count, b)
    bind(b)


@rule
def blank(count):
    for kind in range(len(count)):
        count[kind] = 0


@rule
def tell(kinds, n, count, sign):
    for i in range(n):
        count[kinds[i]] += sign


@rule
def tell_lying(v, owner, count, sign):
    tell(v.play[owner], v.in_play[owner], count, sign)
    tell(v.discard[owner], v.in_discard[owner], count, sign)
    tell(v.aside[owner], v.in_aside[owner], count, sign)


@rule
def gather(count, n_kinds, out):
    """Write out as many of each kind as were counted; how many they are."""
    n = 0
    for kind in range(n_kinds):
        for _ in range(count[kind]):
            out[n] = kind
            n += 1
    return n


@rule
def gather_own(v, seat, n_kinds, count, b):
    blank(count)
    tell(v.listed[seat], v.n_listed[seat], count, 1)
    tell(v.hand[seat], v.in_hand[seat], count, -1)
    tell_lying(v, seat, count, -1)
    b.n_own = gather(count, n_kinds, b.own)


@rule
def gather_back(v, they, n_kinds, count, b):
    blank(count)
    tell(v.shown[they], v.n_shown[they], count, 1)
    tell_lying(v, they, count, -1)
    b.n_back = gather(count, n_kinds, b.back)


@big_rule
def leave(v, they, kinds, n, n_kinds, count, out):
    """The cards of a deck that were not shown yet."""
    blank(count)
    tell(kinds, n, count, 1)
    tell(v.shown[they], v.n_shown[they], count, -1)
    return gather(count, n_kinds, out)


@rule
def weigh_decks(v, cards, they, n_kinds, decks, count, b):
    """How well each deck fits, against any cards at all: card by card, as if they were drawn one by one."""
    for d in range(len(decks)):
        n = 0
        for i in range(MOST_CARDS):
            n += decks[d, i] != NONE
        b.n_left[d] = leave(v, they, decks[d], n, n_kinds, count, b.left[d])
        b.weight[d] = (1.0 - ANY_DECK) / len(decks) * fit(v, cards, they, decks[d], n, n_kinds, count)
    b.weight[POOL] = ANY_DECK if len(decks) else 1.0
    total = b.weight[POOL]
    for d in range(len(decks)):
        total += b.weight[d]
    for d in range(len(decks)):
        b.weight[d] *= (1.0 - ANY_DECK_STAYS) / total
    b.weight[POOL] = b.weight[POOL] / total * (1.0 - ANY_DECK_STAYS) + ANY_DECK_STAYS


@big_rule
def fit(v, cards, they, deck, n, n_kinds, count):
    """How much likelier the cards shown are from this deck than from all there are."""
    blank(count)
    tell(deck, n, count, 1)
    odds = 1.0 if n == v.n_listed[they] else OTHER_SIZE
    left = n * 1.0
    for i in range(v.n_shown[they]):
        kind = v.shown[they, i]
        if cards[kind, c.SUPER]:
            odds *= 8.0 if count[kind] > 0 else SWAPPED
        elif count[kind] > 0:
            odds *= count[kind] / max(left, 1.0) * (1.5 * n_kinds)
            count[kind] -= 1
            left -= 1.0
        else:
            odds *= SWAPPED
    if has_super(cards, deck, n) and not has_super(cards, v.shown[they], v.n_shown[they]):
        odds *= SWAPPED  # it would lie open from the beginning (D2)
    return odds


@rule
def has_super(cards, kinds, n):
    some = False
    for i in range(n):
        some |= cards[kinds[i], c.SUPER] != 0
    return some


@rule
def fill_pool(v, cards, ed, they, n_kinds, count, b):
    """D19  All copies that the list may still have; Supers were seen before the game (D2)."""
    blank(count)
    tell(v.shown[they], v.n_shown[they], count, 1)
    n = 0
    for kind in range(n_kinds):
        for _ in range((ed.rare_copies if cards[kind, c.RARE] else ed.copies) - count[kind]):
            if n < MOST_POOL and not cards[kind, c.SUPER]:
                b.pool[n] = kind
                n += 1
    b.n_pool = n


@rule
def bind(b):
    total = 0.0
    for d in range(MOST_DECKS + 2):
        total += b.weight[d]
        b.bound[d] = np.int64(total * CHUNK)


# ---------------------------------------------------------------- supposing


@big_rule
def suppose(v, cards, ed, b, seat, dice, out):
    """Write to out[0] a whole state that the seat cannot tell from the real one, likely ones more often."""
    out[0] = v
    s = out[0]
    they = other(seat)
    for i in range(2):
        s.key[i] = dice[0] + np.uint64(i)
    s.counter = 0
    for i in range(b.n_own):
        s.deck[seat, i] = b.own[i]
    mix(s.deck[seat], b.n_own, b.n_own, dice)
    for i in range(b.n_back):
        s.deck[they, i] = b.back[i]
    n = invent(s.deck[they], b.n_back, cards, ed, b, dice)
    loose = n - held_surely(s, cards, b, they, n)
    mix(s.deck[they], loose, loose, dice)
    deal_hand(s, cards, they, n)


@rule
def mix(kinds, n, wanted, dice):
    """Bring so many random cards to the front."""
    for i in range(min(wanted, n)):
        pull(kinds, i, n, dice)


@rule
def pull(kinds, i, n, dice):
    """Change the card at i with a random one from there on, and say what it is."""
    j = i + roll(dice, 0, n - i)
    kind = np.int64(kinds[j])
    kinds[j] = kinds[i]
    kinds[i] = kind
    return kind


@rule
def invent(deck, n, cards, ed, b, dice):
    """The cards that were never shown: of a deck that was thought of, and what it lacks from the pool."""
    last = n + b.unknown
    d = think_of(b, dice)
    if d < POOL:
        mix(b.left[d], b.n_left[d], b.unknown, dice)
        for i in range(min(b.n_left[d], b.unknown)):
            deck[n] = b.left[d, i]
            n += 1
    autos = b.autos if d == POOL else ed.autos
    for i in range(b.n_pool):
        if n == last:
            break
        kind = pull(b.pool, i, b.n_pool, dice)
        if not cards[kind, c.AUTO] or autos < ed.autos:
            autos += cards[kind, c.AUTO]
            deck[n] = kind
            n += 1
    return n


@rule
def held_surely(s, cards, b, they, n):
    """D13  Whoever draws from a second deck has drawn the whole first one: what was never shown is held since
    then. Such cards are brought to the top; how many they are."""
    if not b.held or s.deck_number[they] == 1:
        return 0
    top = n
    for i in range(n - 1, b.n_back - 1, -1):
        kind = np.int64(s.deck[they, i])
        if not cards[kind, c.AUTO] and not may_be_back(s, b, they, kind):
            top -= 1
            s.deck[they, i] = s.deck[they, top]
            s.deck[they, top] = kind
    held = n - top
    return held if held <= s.in_hand[they] else 0


@rule
def may_be_back(s, b, they, kind):
    """Whether this copy may have been played and shuffled in again, taken for another one of its kind."""
    shown = False
    for i in range(b.n_back):
        shown |= b.back[i] == kind
    return shown and (s.deck_number[they] > 2 or lying(s, they, kind) > 0)


@rule
def think_of(b, dice):
    """One of the decks, or POOL."""
    at = roll(dice, 0, CHUNK)
    d = 0
    while d < POOL and b.bound[d] <= at:
        d += 1
    return d


@rule
def deal_hand(s, cards, they, n):
    """The hand gets the cards nearest the top that are no Autos: those would be in play (D5)."""
    wanted = np.int64(s.in_hand[they])
    held = 0
    top = n
    for i in range(n - 1, -1, -1):
        kind = s.deck[they, i]
        if held < wanted and not cards[kind, c.AUTO]:
            top -= 1
            s.deck[they, i] = s.deck[they, top]  # only Autos lie between
            s.hand[they, held] = kind
            held += 1
    s.in_hand[they] = held
    s.in_deck[they] = top
    for i in range(top, MOST_CARDS):
        s.deck[they, i] = NONE
