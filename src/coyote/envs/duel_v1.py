"""The duel for PettingZoo. Both agents choose at once: `parallel_env()`; `env()` and `raw_env()` ask in turn.

>>> from coyote.envs import duel_v1
>>> env = duel_v1.parallel_env(decks=["wildfire", "random"])
>>> observations, infos = env.reset(seed=7)
>>> actions = {agent: seen["action_mask"].argmax() for agent, seen in observations.items()}
>>> observations, rewards, terminations, truncations, infos = env.step(actions)
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coyote.envs.features import Bytes
from coyote.envs.pettingzoo_parts import (
    AGENTS,
    RENDER_MODES,
    SEATS,
    AECEnv,
    ParallelEnv,
    parallel_to_aec,
    shown,
    wrappers,
)
from coyote.envs.single import Single, whole
from coyote.envs.spaces import Seen, action_space, observation_space, state_space
from coyote.text import Refused

HOLD = 0  # the action that is always legal (D6)

Stepped = tuple[
    dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class parallel_env(ParallelEnv):  # type: ignore[misc] # PettingZoo has no types
    """A choice that is not legal is `hold`, and `info["illegal"]` says why."""

    metadata: dict[str, Any] = {"name": "duel_v1", "render_modes": RENDER_MODES, "is_parallelizable": True}

    def __init__(
        self,
        options: Mapping[str, Any] | None = None,
        decks: Sequence[Any] = (),
        card_set: Any = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`options` are house rules (D26), `decks` by seat; after `max_cycles` turns a game is truncated."""
        self._games = Single("duel", options, decks, card_set)
        self.features = self._games.features
        self.max_cycles, self.render_mode = max_cycles, render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._spaces = [observation_space(self.features) for _ in AGENTS]
        self._choices = [action_space(self.features) for _ in AGENTS]
        self.state_space = state_space(self.features)

    def observation_space(self, agent: str) -> Any:
        return self._spaces[SEATS[agent]]

    def action_space(self, agent: str) -> Any:
        return self._choices[SEATS[agent]]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """The first game of a seed, or without one the next; `options` of a reset mean nothing here."""
        self._games.deal(seed)
        self.agents, self._cycles = list(AGENTS), 0
        self._drawn()
        return self._seen(), {agent: {} for agent in AGENTS}

    def step(self, actions: Mapping[str, Any]) -> Stepped:
        if not self.agents:
            return {}, {}, {}, {}, {}
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        chosen = [self._choice(actions, agent, infos[agent]) for agent in AGENTS]
        batch = self._games.batch
        batch.step(np.array(chosen))
        self._cycles += 1
        over = bool(batch.done[0])
        truncated = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        rewards = dict(zip(AGENTS, batch.reward[0].tolist(), strict=True))
        if over or truncated:
            self.agents = []
        self._drawn()
        return (
            self._seen(),
            rewards,
            dict.fromkeys(AGENTS, over),
            dict.fromkeys(AGENTS, truncated),
            infos,
        )

    def _choice(self, actions: Mapping[str, Any], agent: str, info: dict[str, Any]) -> int:
        """The action of an agent; AssertionError where there is none, `hold` where it is not legal."""
        seat, batch = SEATS[agent], self._games.batch
        try:
            action = whole(actions.get(agent), self.features.actions - 1)
        except Refused as refused:
            raise AssertionError(f"{agent}: {refused}") from None
        if batch.mask[seat, action]:
            return action
        info["illegal"] = str(Refused(self.features.why_not(batch.states[0], seat, action)))
        return HOLD

    def _seen(self) -> dict[str, Seen]:
        batch = self._games.batch
        return {
            agent: {"observation": batch.obs[seat].copy(), "action_mask": batch.mask[seat].copy()}
            for agent, seat in SEATS.items()
        }

    def state(self) -> Bytes:
        """Everything, what is hidden too: for critics, never for players."""
        found: Bytes = self._games.batch.privilege()[0]
        return found

    def render(self) -> str | None:
        """The whole table, what is hidden too, as one line."""
        return shown(self._games.picture(), self.render_mode)

    def _drawn(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """There is nothing to give back."""


def raw_env(**given: Any) -> AECEnv:
    """The same with one agent asked after the other: neither knows what the other has chosen."""
    return parallel_to_aec(parallel_env(**given))


def env(**given: Any) -> AECEnv:
    """Checked as PettingZoo's own environments are."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**given)))
