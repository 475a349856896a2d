"""One seat of many games at once for Gymnasium, against Coyote's own bots.

>>> import gymnasium, coyote.envs
>>> envs = gymnasium.make_vec("coyote/Duel-v1", num_envs=8, opponent="random")
>>> observations, infos = envs.reset(seed=7)
>>> actions = observations["action_mask"].argmax(axis=1)
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from coyote.envs.against import Against, check_opponent
from coyote.envs.batch import Batch
from coyote.envs.features import Truths
from coyote.envs.registry import features_for, game_of
from coyote.envs.spaces import Seen, action_space, observation_space
from coyote.seeds import new_seed
from coyote.text import Refused

Infos = dict[str, Any]
Stepped = tuple[Seen, npt.NDArray[np.float64], Truths, Truths, Infos]


class SeatVectorEnv(gymnasium.vector.VectorEnv[Seen, Any, Any]):
    """The same as n of `SeatEnv` that share a seed: place k plays games k, k + n, k + 2n, … of it."""

    def __init__(
        self,
        game: str,
        num_envs: int,
        opponent: str = "greedy",
        seat: int | None = None,
        options: Mapping[str, Any] | None = None,
        decks: Sequence[Any] = (),
        card_set: Any = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self._game = game_of(game, options, card_set)
        check_opponent(opponent, seat)
        self._opponent, self._seat, self._decks = opponent, seat, decks
        self._mode, self.num_envs = AutoresetMode(autoreset_mode), num_envs
        self._all: Truths = np.ones(num_envs, np.bool_)
        self._is_new = True
        self.metadata = {"autoreset_mode": self._mode}
        features = features_for(self._game)
        self.single_observation_space = observation_space(features)
        self.single_action_space = action_space(features)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _begin(self, seed: str) -> None:
        self._batch = Batch(self._game, self.num_envs, decks=self._decks, seed=seed, autoreset=False)
        self._against = Against(self._batch, self._opponent, self._seat)
        self._next(self._against.ended.copy())

    def _next(self, places: Truths) -> None:
        """The next games of these places; those that end before there was a choice are passed over."""
        while places.any():
            self._batch.deal(places)
            self._against.sit_down(places)
            places = places & self._against.ended

    def reset(self, *, seed: int | None = None, options: Infos | None = None) -> tuple[Seen, Infos]:
        """The first games of a seed, or without one the next.

        With `options={"reset_mask": truths}` the next ones of these places; a seed is for all of them.
        """
        super().reset(seed=seed)
        places = (options or {}).get("reset_mask")
        if seed is not None and places is not None:
            raise Refused("envs.seed_for_all")
        if seed is not None or self._is_new:
            self._begin(new_seed() if seed is None else str(seed))
        else:
            self._next(self._all if places is None else places)
        self._is_new = False
        return self._seen(), self._dealt({}, self._all if places is None else places)

    def step(self, actions: npt.ArrayLike) -> Stepped:
        """One action for each place. Where the next game is only dealt in this step, it means nothing."""
        waits = self._mode is AutoresetMode.DISABLED
        if self._is_new or (waits and self._against.ended.any()):
            raise ResetNeeded(str(Refused("envs.reset_needed")))
        game, over = self._against, self._against.ended.copy()
        try:
            game.step(actions)
        except Refused as refused:
            raise InvalidAction(str(refused)) from None
        ended, rewards = game.ended & ~over, game.rewards.copy()
        infos: Infos = {}
        if self._mode is AutoresetMode.SAME_STEP:
            self._finish(infos, ended)
        else:
            self._next(over)  # in mode DISABLED there are none
            self._dealt(infos, over)
            for place, why in game.illegal.items():
                self._add_info(infos, {"illegal": why}, place)
        return self._seen(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _finish(self, infos: Infos, ended: Truths) -> None:
        """Deal the next games at once; how the last ones ended is told beside."""
        seen, illegal = self._seen(), self._against.illegal
        for place in np.flatnonzero(ended).tolist():
            last = {name: array[place] for name, array in seen.items()}
            info = {"illegal": illegal[place]} if place in illegal else {}
            self._add_info(infos, {"final_obs": last, "final_info": info}, place)
        self._next(ended)
        self._dealt(infos, ended)

    def _dealt(self, infos: Infos, places: Truths) -> Infos:
        """What there is to say of new games."""
        for place in np.flatnonzero(places).tolist():
            info = {"number": int(self._batch.number[place]), "seat": int(self._against.mine[place])}
            self._add_info(infos, info, place)
        return infos

    def _seen(self) -> Seen:
        obs, mask = self._against.seen()
        return {"observation": obs, "action_mask": mask}
