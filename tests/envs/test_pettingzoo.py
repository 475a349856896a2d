"""PettingZoo: its own suites, as they are, and what they do not look at."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_test,
)

from coyote import Match
from coyote.envs import Batch, duel_v1, madness_v1
from coyote.games.game import OptionError
from coyote.games.registry import make_game
from coyote.lab.series import series, words_of
from coyote.match import IllegalMove

# What the suite says of every environment with a mask that is not one of PettingZoo's own.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]
AEC = [madness_v1.env, madness_v1.raw_env, duel_v1.env, duel_v1.raw_env]
aec = pytest.mark.parametrize(
    "make", AEC, ids=lambda make: f"{make.__module__.split('.')[-1]}.{make.__name__}"
)
MODULES: list[Any] = [madness_v1, duel_v1]

# ---------------------------------------------------------------- the suites


@aec
def test_api(make: Any) -> None:
    api_test(make(), num_cycles=300)


@pytest.mark.parametrize(
    ("make", "given"),
    [
        (madness_v1.env, {"options": {"edition": "classic", "fields": 4, "goal": 2, "hand": 10}}),
        (duel_v1.env, {"options": {"health": 30, "open-lists": "yes"}, "decks": ["random", "random"]}),
    ],
)
def test_api_of_house_rules(make: Any, given: Any) -> None:
    api_test(make(**given), num_cycles=300)


@aec
def test_seeds(make: Any) -> None:
    seed_test(make, num_cycles=100)


@aec
def test_rendering(make: Any) -> None:
    render_test(make)


def test_parallel() -> None:
    parallel_api_test(duel_v1.parallel_env(), num_cycles=200)
    parallel_seed_test(duel_v1.parallel_env)


def test_cycles() -> None:
    max_cycles_test(duel_v1)


def test_the_test_of_cycles_is_sound() -> None:
    """It wants four turns of any play; no duel of the usual decks is over so soon, whatever is played."""
    batch, rng = Batch("duel", 500, autoreset=False), np.random.default_rng(1)
    for _ in range(4):
        batch.step((batch.mask * rng.random(batch.mask.shape)).argmax(axis=1))
    assert not batch.done.any()
    assert batch.states["health"].min() > 20


@pytest.mark.parametrize("module", MODULES)
def test_states(module: Any) -> None:
    state_test(module.env(), duel_v1.parallel_env())


def test_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(madness_v1.env())
    assert "turns per second" in capsys.readouterr().out


# ---------------------------------------------------------------- whole games


def whole_game(env: Any, seed: int | None, rng: np.random.Generator) -> list[Any]:
    """Everything that is told, from the deal to the end."""
    env.reset(seed=seed)
    told = []
    for agent in env.agent_iter():
        seen, reward, over, cut, info = env.last()
        told.append((agent, seen["observation"], seen["action_mask"], reward, over, cut, info, env.state()))
        env.step(None if over or cut else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return told


def same(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all(
        all(np.array_equal(p, q) for p, q in zip(x, y, strict=True)) for x, y in zip(a, b, strict=True)
    )


@pytest.mark.parametrize("module", MODULES)
def test_the_same_seed_is_the_same_game_to_its_end(module: Any) -> None:
    one, two = module.env(), module.env()
    games = [[whole_game(env, 7, np.random.default_rng(3)) for _ in range(2)] for env in (one, two)]
    assert same(games[0][0], games[1][0])
    assert same(games[0][0], games[0][1])
    assert not same(games[0][0], whole_game(one, 8, np.random.default_rng(3)))


@pytest.mark.parametrize("module", MODULES)
def test_without_a_seed_the_next_game_of_the_last_one_comes(module: Any) -> None:
    name = module.__name__.split(".")[-1].removesuffix("_v1")
    env, game = module.env(), make_game(name)
    env.reset(seed=7)
    for number in range(3):
        seed, _ = words_of(series("7"), number)
        match = Match(game, seed=seed)
        for seat, agent in enumerate(env.possible_agents):
            found = env.unwrapped.features.observe(match, seat)
            assert np.array_equal(env.observe(agent)["observation"], found)
        env.reset()


def test_a_game_without_any_seed_is_another_each_time() -> None:
    one, two = madness_v1.env(), madness_v1.env()
    one.reset()
    two.reset()
    assert not np.array_equal(one.state(), two.state())


def test_each_agent_has_its_own_view_and_no_mask_while_it_waits() -> None:
    env = madness_v1.env()
    env.reset(seed=1)
    waits = env.observe("player_1")
    assert not waits["action_mask"].any()
    assert waits["observation"][env.features.table[-2].start] == 1  # its seat
    hands = [env.observe(agent)["observation"][:54] for agent in env.possible_agents]
    assert [hand.sum() for hand in hands] == [5, 5]
    assert not (hands[0] & hands[1]).any()


def test_what_is_observed_stays_as_it_was() -> None:
    env = madness_v1.env()
    env.reset(seed=1)
    seen = env.observe("player_0")
    kept = {name: array.copy() for name, array in seen.items()}
    env.step(seen["action_mask"].argmax())
    assert all(np.array_equal(kept[name], seen[name]) for name in seen)


# ---------------------------------------------------------------- what is refused


def illegal_action(env: Any) -> int:
    return int(env.last()[0]["action_mask"].argmin())


def test_an_illegal_action_loses_and_it_is_said_why() -> None:
    env = madness_v1.env()
    env.reset(seed=1)
    env.step(487)  # draw, which is TUT
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}
    assert "(M1" in env.infos["player_0"]["illegal"]
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


def test_the_raw_environment_raises_and_nothing_has_changed() -> None:
    env = madness_v1.raw_env()
    env.reset(seed=1)
    before = env.state()
    with pytest.raises(IllegalMove, match=r"\(M1"):
        env.step(487)
    assert np.array_equal(env.state(), before)
    assert env.agent_selection == "player_0"


def test_an_illegal_choice_in_a_duel_holds() -> None:
    env, twin = duel_v1.parallel_env(), duel_v1.parallel_env()
    env.reset(seed=1)
    twin.reset(seed=1)
    seen, _, over, _, infos = env.step({"player_0": 10, "player_1": 0})
    held, *_ = twin.step({"player_0": 0, "player_1": 0})
    assert infos == {
        "player_0": {"illegal": "the hand has no card 10: it has 3, counted from 1 (D6)"},
        "player_1": {},
    }
    assert not any(over.values())
    assert np.array_equal(seen["player_0"]["observation"], held["player_0"]["observation"])


@pytest.mark.parametrize("action", [599, -1, 1.5, None, "pass", np.array([1])])
def test_what_is_no_action_fails_as_in_pettingzoo(action: Any) -> None:
    env = madness_v1.env()
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="an action is a whole number from 0 to 598"):
        env.step(action)
    assert env.agents == ["player_0", "player_1"]


@pytest.mark.parametrize(
    "actions", [{"player_0": 0}, {"player_0": 0, "player_1": 11}, {"player_0": 0, "player_1": 0.5}]
)
def test_what_is_no_action_of_a_duel(actions: Any) -> None:
    env = duel_v1.parallel_env()
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="player_1: an action is a whole number from 0 to 10"):
        env.step(actions)


def test_options_are_refused_with_their_rule() -> None:
    with pytest.raises(OptionError, match="M10"):
        madness_v1.env(options={"goal": 99})
    with pytest.raises(OptionError, match="D1"):
        duel_v1.env(options={"health": 0})
    with pytest.raises(OptionError, match="nowhere"):
        duel_v1.parallel_env(decks=["nowhere"])


@pytest.mark.parametrize("name", ["last", "state", "render", "agent_iter", "step"])
def test_nothing_is_asked_before_a_reset(name: str) -> None:
    with pytest.raises((AssertionError, AttributeError), match="reset"):
        getattr(madness_v1.env(), name)(*([0] if name == "step" else []))


def test_a_step_after_the_end_changes_nothing() -> None:
    env = madness_v1.env()
    whole_game(env, 1, np.random.default_rng(1))
    env.step(0)
    assert env.agents == []
    parallel = duel_v1.parallel_env(max_cycles=1)
    parallel.reset(seed=1)
    *_, cut, _ = parallel.step(dict.fromkeys(parallel.agents, 0))
    assert cut == {"player_0": True, "player_1": True}
    assert parallel.step({}) == ({}, {}, {}, {}, {})


def without(*libraries: str) -> str:
    return f"import sys; sys.modules.update(dict.fromkeys({libraries!r}))"


def test_what_is_missing_is_named() -> None:
    code = without("pettingzoo") + "; from coyote.envs import madness_v1"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stderr.endswith("this needs PettingZoo: pip install 'coyote[envs]'\n")


def test_batch_needs_none_of_the_libraries() -> None:
    code = (
        without("pettingzoo", "gymnasium", "pyspiel") + "; from coyote.envs import Batch; Batch('madness', 1)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
