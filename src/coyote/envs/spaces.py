"""Gymnasium's spaces of a game's arrays, for PettingZoo too."""

import numpy as np

from coyote.envs.features import Bytes, Features, Flags
from coyote.envs.layout import most_of
from coyote.text import Refused

try:
    from gymnasium import spaces
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(str(Refused("envs.no_library", name="Gymnasium")), name=missing.name) from None

Seen = dict[str, Bytes | Flags]  # an observation and the mask of its legal actions


def observation_space(of: Features) -> spaces.Dict:
    """What a seat may know, and which actions are legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(of.most), of.most, dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (of.actions,), np.int8),
        }
    )


def action_space(of: Features) -> spaces.Discrete:
    return spaces.Discrete(of.actions)


def state_space(of: Features) -> spaces.Box:
    """Everything, what is hidden too: for critics."""
    most = most_of(of.privileged_table)
    return spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
