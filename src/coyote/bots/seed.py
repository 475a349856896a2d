"""Where a bot's dice come from: its own seed and all that it was asked, and nothing else."""

import hashlib

import numpy as np

from coyote.games.game import Words64
from coyote.questions import Question


def dice_for(seed: str, question: Question) -> Words64:
    """Two words for the dice of one answer. A budget in simulations and the view settle the rest."""
    asked = hashlib.sha256(f"bot {seed} {question.seat} ".encode())
    asked.update(question.view.tobytes())
    return np.frombuffer(asked.digest()[:16], "<u8").astype(np.uint64)
