"""Madness for PettingZoo. One agent chooses at a time: `env()` and `raw_env()` are AEC environments.

>>> from coyote.envs import madness_v1
>>> env = madness_v1.env(options={"edition": "classic"})
>>> env.reset(seed=7)
>>> observation, reward, termination, truncation, info = env.last()
>>> env.step(observation["action_mask"].argmax())
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from coyote.envs.features import Bytes
from coyote.envs.pettingzoo_parts import AGENTS, RENDER_MODES, SEATS, AECEnv, EnvLogger, illegal, shown
from coyote.envs.single import Single, whole
from coyote.envs.spaces import Seen, action_space, observation_space, state_space
from coyote.match import IllegalMove
from coyote.text import Refused


class raw_env(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """Trusts its caller: an action that is not legal raises IllegalMove, and nothing has changed."""

    metadata: dict[str, Any] = {
        "name": "madness_v1",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
    }

    def __init__(self, options: Mapping[str, Any] | None = None, render_mode: str | None = None) -> None:
        """`options` are the edition and house rules (M25); OptionError tells what is wrong with them."""
        self._games = Single("madness", options, (), None)
        self.features = self._games.features
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._spaces = [observation_space(self.features) for _ in AGENTS]
        self._choices = [action_space(self.features) for _ in AGENTS]
        self.state_space = state_space(self.features)
        self._chosen = np.zeros(1, np.int64)

    def observation_space(self, agent: str) -> Any:
        return self._spaces[SEATS[agent]]

    def action_space(self, agent: str) -> Any:
        return self._choices[SEATS[agent]]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """The first game of a seed, or without one the next; `options` of a reset mean nothing here."""
        self._games.deal(seed)
        self._batch = self._games.batch
        self.agents = list(AGENTS)
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self.agent_selection = AGENTS[self._batch.seat[0]]
        self._drawn()

    def observe(self, agent: str) -> Seen:
        batch, seat = self._batch, SEATS[agent]
        if seat == batch.seat[0] and self.agents:
            return {"observation": batch.obs[0].copy(), "action_mask": batch.mask[0].copy()}
        nothing = np.zeros(self.features.actions, np.int8)
        return {"observation": batch.observe(seat)[0], "action_mask": nothing}

    def state(self) -> Bytes:
        """Everything, what is hidden too: for critics, never for players."""
        found: Bytes = self._batch.privilege()[0]
        return found

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._chosen[0] = whole(action, self.features.actions - 1)
        self._batch.step(self._chosen)
        if self._batch.done[0]:
            self._end()
        else:
            self.agent_selection = AGENTS[self._batch.seat[0]]
        self._drawn()

    def _end(self) -> None:
        self.terminations = dict.fromkeys(AGENTS, True)
        self.rewards = dict(zip(AGENTS, self._batch.reward[0].tolist(), strict=True))
        self._accumulate_rewards()
        self.agent_selection = AGENTS[0]

    def render(self) -> str | None:
        """The whole table, what is hidden too, as one line."""
        return shown(self._games.picture(), self.render_mode)

    def _drawn(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """There is nothing to give back."""


class CheckedEnv(raw_env):
    """With PettingZoo's customary checks, here in one layer: each of its wrappers would cost a third.

    Calls out of order, and actions out of their space, fail as there. An action that is not legal loses:
    -1, the game is over, and `info["illegal"]` says why.
    """

    _was_reset = False

    def __getattr__(self, name: str) -> Any:
        """What there is only from a reset on."""
        if self._was_reset:
            raise AttributeError(name)
        raise AttributeError(f"{name} cannot be accessed before reset")

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        self._was_reset = True
        super().reset(seed, options)

    def observe(self, agent: str) -> Seen:
        if not self._was_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> Bytes:
        if not self._was_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> str | None:
        if not self._was_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        if not self._was_reset:
            EnvLogger.error_agent_iter_before_reset()
        return super().agent_iter(max_iter)

    def step(self, action: Any) -> None:
        if not self._was_reset:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        try:
            super().step(action)
        except IllegalMove as refused:
            self._lose(illegal(refused))
        except Refused as refused:
            raise AssertionError(str(refused)) from None

    def _lose(self, why: str) -> None:
        EnvLogger.warn_on_illegal_move()
        loser = self.agent_selection
        self.terminations = dict.fromkeys(AGENTS, True)
        self.truncations = dict.fromkeys(AGENTS, True)
        self.rewards = {**dict.fromkeys(AGENTS, 0.0), loser: -1.0}
        self.infos[loser] = {"illegal": why}
        self._accumulate_rewards()
        self.agent_selection = AGENTS[0]


def env(options: Mapping[str, Any] | None = None, render_mode: str | None = None) -> CheckedEnv:
    """Checked as PettingZoo's own environments are."""
    return CheckedEnv(options, render_mode)
