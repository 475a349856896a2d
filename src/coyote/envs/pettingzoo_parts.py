"""What the environments for PettingZoo share."""

from coyote.match import IllegalMove
from coyote.text import Refused

try:
    from pettingzoo import AECEnv as AECEnv
    from pettingzoo import ParallelEnv as ParallelEnv
    from pettingzoo.utils import parallel_to_aec as parallel_to_aec
    from pettingzoo.utils import wrappers as wrappers
    from pettingzoo.utils.env_logger import EnvLogger as EnvLogger
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(str(Refused("envs.no_library", name="PettingZoo")), name=missing.name) from None

AGENTS = ("player_0", "player_1")  # by seat
SEATS = {agent: seat for seat, agent in enumerate(AGENTS)}
RENDER_MODES = ["human", "ansi"]


def shown(picture: str, mode: str | None) -> str | None:
    """What `render` returns."""
    if mode == "human":
        print(picture)
    return picture if mode == "ansi" else None


def illegal(refused: IllegalMove) -> str:
    """Why a batch of one does not allow an action."""
    return str(Refused(refused.values["why"]))
