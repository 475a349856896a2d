"""One seat of a game for Gymnasium, against one of Coyote's own bots.

>>> import gymnasium, coyote.envs
>>> env = gymnasium.make("coyote/Madness-v1", opponent="greedy", options={"goal": 7})
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(observation["action_mask"].argmax())
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import InvalidAction, ResetNeeded

from coyote.envs.against import Against, check_opponent
from coyote.envs.single import Single
from coyote.envs.spaces import Seen, action_space, observation_space
from coyote.text import Refused

RENDER_MODES = ["human", "ansi"]
ONE = np.ones(1, np.bool_)


def register() -> None:
    """`coyote/Madness-v1` and `coyote/Duel-v1`, for `gymnasium.make` and `make_vec`."""
    for name, game in (("Madness", "madness"), ("Duel", "duel")):
        gymnasium.register(
            f"coyote/{name}-v1",
            entry_point="coyote.envs.gymnasium_env:SeatEnv",
            vector_entry_point="coyote.envs.vector_env:SeatVectorEnv",
            kwargs={"game": game},
        )


class SeatEnv(gymnasium.Env[Any, Any]):
    """The other seat answers at once, so whenever `step` returns the choice is ours or the game is over.

    An action that is not legal loses the game, and `info["illegal"]` says why.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponent: str = "greedy",
        seat: int | None = None,
        options: Mapping[str, Any] | None = None,
        decks: Sequence[Any] = (),
        card_set: Any = None,
        first: int = 0,
        every: int = 1,
        render_mode: str | None = None,
    ) -> None:
        """`seat` None changes the seat with every game; `first` and `every` say which games of a seed."""
        self._games = Single(game, options, decks, card_set, first, every)
        check_opponent(opponent, seat)
        self._opponent, self._seat = opponent, seat
        self._against: Against | None = None
        self.render_mode = render_mode
        self.observation_space = observation_space(self._games.features)
        self.action_space = action_space(self._games.features)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """The first game of a seed, or without one the next; `options` of a reset mean nothing here."""
        super().reset(seed=seed)
        self._games.deal(seed)
        if self._against is None or self._against.batch is not self._games.batch:
            self._against = Against(self._games.batch, self._opponent, self._seat)
        else:
            self._against.sit_down(ONE)
        while self._against.ended[0]:  # before we have chosen anything: such games are passed over
            self._games.deal(None)
            self._against.sit_down(ONE)
        self._drawn()
        return self._seen(), {"number": self._games.number, "seat": int(self._against.mine[0])}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        game = self._against
        if game is None or game.ended[0]:
            raise ResetNeeded(str(Refused("envs.reset_needed")))
        try:
            game.step(np.asarray(action)[np.newaxis])
        except Refused as refused:
            raise InvalidAction(str(refused)) from None
        self._drawn()
        info = {"illegal": game.illegal[0]} if game.illegal else {}
        return self._seen(), float(game.rewards[0]), bool(game.ended[0]), False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions as truths, where libraries ask for them so."""
        assert self._against is not None
        found: npt.NDArray[np.bool_] = self._against.seen()[1][0] != 0
        return found

    def _seen(self) -> Seen:
        assert self._against is not None
        obs, mask = self._against.seen()
        return {"observation": obs[0], "action_mask": mask[0]}

    def render(self) -> str | None:
        """The whole table, what is hidden too, as one line."""
        picture = self._games.picture()
        if self.render_mode == "human":
            print(picture)
        return picture if self.render_mode == "ansi" else None

    def _drawn(self) -> None:
        if self.render_mode == "human":
            self.render()
