"""Every move as one number.

from   to    move
-----  ----  --------------------------------------------------
    0   215  attack: field * 54 + card          main (M14)
  216   431  close:  field * 54 + card          main
  432   485  beat the Boss: card                main
  486        pass                               main
  487        draw                               tut (M15)
  488   541  drop: card                         tut
  542        drop with an empty hand            tut
  543        push                               tut
  544   597  steal: card                        coyote (M18)
  598        decline                            coyote
"""

import numpy as np

from coyote.games.madness.cards import N_CARDS
from coyote.games.madness.editions import MOST_FIELDS
from coyote.kernel.jit import rule

ATTACK = 0
CLOSE = ATTACK + MOST_FIELDS * N_CARDS
BEAT = CLOSE + MOST_FIELDS * N_CARDS
PASS = BEAT + N_CARDS
DRAW = PASS + 1
DROP = DRAW + 1
DROP_NOTHING = DROP + N_CARDS
PUSH = DROP_NOTHING + 1
STEAL = PUSH + 1
DECLINE = STEAL + N_CARDS
N_ACTIONS = DECLINE + 1

MOST_LEGAL = N_ACTIONS  # any list of legal moves fits in

MOVE_KINDS = ("attack", "close", "beat", "pass", "draw", "drop", "push", "steal", "decline")
_SIZES = (CLOSE - ATTACK, BEAT - CLOSE, PASS - BEAT, 1, 1, PUSH - DROP, 1, DECLINE - STEAL, 1)
KIND_OF = np.repeat(np.arange(len(MOVE_KINDS), dtype=np.int8), _SIZES)  # by action


@rule
def laid_field(action):
    """The field of an attack or a close."""
    return action // N_CARDS % MOST_FIELDS


@rule
def laid_card(action):
    """The card of an attack, a close or a beat."""
    return action % N_CARDS
