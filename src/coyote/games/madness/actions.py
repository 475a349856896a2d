"""Every move as one number.

from   to    move
-----  ----  --------------------------------------------------
    0   161  attack: field * 54 + card          main (M14)
  162   323  close:  field * 54 + card          main
  324   377  beat the Boss: card                main
  378        pass                               main
  379        draw                               tut (M15)
  380   433  drop: card                         tut
  434        drop with an empty hand            tut
  435        push                               tut
  436   489  steal: card                        coyote (M18)
  490        decline                            coyote
"""

from coyote.games.madness.cards import N_CARDS
from coyote.games.madness.state import N_FIELDS
from coyote.kernel.jit import rule

ATTACK = 0
CLOSE = ATTACK + N_FIELDS * N_CARDS
BEAT = CLOSE + N_FIELDS * N_CARDS
PASS = BEAT + N_CARDS
DRAW = PASS + 1
DROP = DRAW + 1
DROP_NOTHING = DROP + N_CARDS
PUSH = DROP_NOTHING + 1
STEAL = PUSH + 1
DECLINE = STEAL + N_CARDS
N_ACTIONS = DECLINE + 1

MOST_LEGAL = N_ACTIONS  # room that any list of legal moves fits in


@rule
def laid_field(action):
    """The field of an attack or a close."""
    return action // N_CARDS % N_FIELDS


@rule
def laid_card(action):
    """The card of an attack, a close or a beat."""
    return action % N_CARDS
