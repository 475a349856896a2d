"""Gymnasium: its checker as it is; many games at once are the same as one by one, and as native play."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

import coyote.envs  # noqa: F401 - registers them
from coyote import Match
from coyote.bots.names import make_bot
from coyote.envs import against
from coyote.games.game import OptionError
from coyote.games.registry import make_game
from coyote.lab.play import play_games
from coyote.lab.series import series, words_of
from coyote.seeds import bot_seed
from coyote.text import Refused

GAMES = {"madness": "coyote/Madness-v1", "duel": "coyote/Duel-v1"}
games = pytest.mark.parametrize("name", GAMES)
DECKS: dict[str, Any] = {"madness": {}, "duel": {"decks": ["random", "pack"]}}


def same(one: Any, other: Any) -> bool:
    return data_equivalence(one, other, exact=True)


def any_legal(mask: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0


# ---------------------------------------------------------------- the checker


@games
@pytest.mark.parametrize("opponent", ["random", "greedy", "level:2"])
def test_the_checker(name: str, opponent: str) -> None:
    check_env(gymnasium.make(GAMES[name], opponent=opponent).unwrapped)


def test_the_checker_with_house_rules_and_a_search() -> None:
    made = gymnasium.make("coyote/Madness-v1", opponent="search:5", seat=1, options={"edition": "classic"})
    check_env(made.unwrapped)


@games
def test_a_whole_game_is_in_its_spaces(name: str) -> None:
    env, rng = gymnasium.make(GAMES[name], opponent="random"), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    over = False
    while not over:
        assert env.observation_space.contains(seen)
        assert env.unwrapped.action_masks().tolist() == (seen["action_mask"] != 0).tolist()  # type: ignore[attr-defined]
        seen, reward, over, _, _ = env.step(any_legal(seen["action_mask"], rng))
    assert env.observation_space.contains(seen)
    assert reward in (-1, 0, 1)
    assert not seen["action_mask"].any()


# ---------------------------------------------------------------- the same games as elsewhere


@games
@pytest.mark.parametrize("bot", ["greedy", "search:130"])  # so many are enough to weigh hands of Madness
def test_a_learner_that_plays_as_a_bot_plays_the_games_of_the_lab(name: str, bot: str) -> None:
    """Which game it is, whose seat, and what the opponent does: all as `coyote simulate` has it."""
    game = make_game(name)
    setup = game.settle()
    env = gymnasium.make(GAMES[name], opponent=bot)
    rows = play_games(game, setup, [bot, bot], "7", 0, 6)
    for number in range(6):
        seen, info = env.reset(seed=7 if number == 0 else None)
        seat = info["seat"]
        assert info == {"number": number, "seat": number % 2}
        seed, dice = words_of(series("7"), number)
        match = Match(game, setup, seed=seed)
        bots = [make_bot(bot, game, bot_seed(dice, f"seat {each}")) for each in range(2)]
        features = env.unwrapped._games.features  # type: ignore[attr-defined]
        over = False
        while not over:
            while seat not in match.actors:
                match.play_action(bots[1 - seat].answer(match.question(1 - seat)).action, 1 - seat)
            assert np.array_equal(seen["observation"], features.observe(match, seat))
            answers = {each: bots[each].answer(match.question(each)).action for each in match.actors}
            action = features.action(match.view(seat), seat, answers[seat])
            for each, move in answers.items():
                match.play_action(move, each)
            seen, reward, over, _, info = env.step(action)
            assert info == {}
        winner = int(rows[number]["winner"])
        assert reward == (0 if winner < 0 else 1 if winner == seat else -1)


@games
@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_bots_choose_the_same_compiled_and_asked(
    name: str, opponent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played() -> list[Any]:
        envs = gymnasium.make_vec(GAMES[name], num_envs=5, opponent=opponent, **DECKS[name])
        rng, told = np.random.default_rng(1), [envs.reset(seed=1)]
        for _ in range(40):
            actions = [any_legal(mask, rng) for mask in told[-1][0]["action_mask"]]
            told.append(envs.step(np.array(actions)))  # type: ignore[arg-type]
        return told

    compiled = played()
    monkeypatch.setattr(against, "AT_ONCE", ())
    assert same(compiled, played())


# ---------------------------------------------------------------- many at once


def both(
    name: str, mode: AutoresetMode, n: int, **given: Any
) -> tuple[VectorEnv[Any, Any, Any], SyncVectorEnv]:
    """Ours, and Gymnasium's own of so many single ones."""
    ours = gymnasium.make_vec(GAMES[name], num_envs=n, autoreset_mode=mode, **given)
    made = [
        lambda first=first: gymnasium.make(GAMES[name], first=first, every=n, **given) for first in range(n)
    ]
    return ours, SyncVectorEnv(made, autoreset_mode=mode)


@games
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("opponent", ["greedy", "level:1"])
def test_many_games_are_the_same_as_one_by_one(name: str, mode: AutoresetMode, opponent: str) -> None:
    n = 5
    ours, single = both(name, mode, n, opponent=opponent, **DECKS[name])
    assert ours.metadata["autoreset_mode"] is mode
    assert (ours.observation_space, ours.action_space) == (single.observation_space, single.action_space)
    told: Any = ours.reset(seed=3)
    assert same(told, single.reset(seed=[3] * n))
    rng, ended, illegal = np.random.default_rng(5), 0, 0
    for _ in range(120):
        masks = told[0]["action_mask"]
        sure = rng.random(n) < 0.97
        actions = np.array(
            [any_legal(m, rng) if s else rng.integers(m.size) for m, s in zip(masks, sure, strict=True)]
        )
        step = ours.step(actions)
        assert same(step, single.step(actions))
        told, ended = step[:1], ended + int(step[2].sum())
        illegal += "illegal" in step[4] or "illegal" in step[4].get("final_info", {})
        if mode is AutoresetMode.DISABLED and step[2].any():
            told = ours.reset(options={"reset_mask": step[2]})
            assert same(told, single.reset(options={"reset_mask": step[2]}))
    assert ended > 10
    assert illegal > 2


def test_seats_change_with_the_games_unless_one_is_named() -> None:
    _, infos = gymnasium.make_vec("coyote/Duel-v1", num_envs=4).reset(seed=1)
    assert infos["seat"].tolist() == [0, 1, 0, 1]
    _, infos = gymnasium.make_vec("coyote/Duel-v1", num_envs=4, seat=1).reset(seed=1)
    assert infos["seat"].tolist() == [1, 1, 1, 1]


def test_games_that_are_over_before_a_choice_are_passed_over() -> None:
    """With one point to win, whoever begins often has won before the other one was asked (M10)."""
    given: Any = {"opponent": "greedy", "seat": 1, "options": {"goal": 1}}
    ours, single = both("madness", AutoresetMode.SAME_STEP, 4, **given)
    told, other = ours.reset(seed=1), single.reset(seed=[1] * 4)
    assert same(told, other)
    assert (told[1]["number"] > 3).any()
    assert told[0]["action_mask"].any(axis=1).all()
    env = gymnasium.make("coyote/Madness-v1", **given)
    numbers = [env.reset(seed=1)[1]["number"], *(env.reset()[1]["number"] for _ in range(9))]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] > 9


def test_a_reset_without_a_seed_deals_the_next_games() -> None:
    envs = gymnasium.make_vec("coyote/Madness-v1", num_envs=3)
    envs.reset(seed=1)
    _, infos = envs.reset()
    assert infos["number"].tolist() == [3, 4, 5]
    other = gymnasium.make_vec("coyote/Madness-v1", num_envs=3)
    assert not same(other.reset(), envs.reset(seed=1))


# ---------------------------------------------------------------- what is refused


def test_an_illegal_action_loses_and_it_is_said_why() -> None:
    env = gymnasium.make("coyote/Madness-v1", seat=0)
    env.reset(seed=1)
    seen, reward, over, cut, info = env.step(487)  # draw, which is TUT
    assert (reward, over, cut) == (-1.0, True, False)
    assert info["illegal"].endswith("(M14)")
    assert not seen["action_mask"].any()


@pytest.mark.parametrize("action", [11, -1, 0.5, "hold", [0]])
def test_what_is_no_action_fails_as_in_gymnasium(action: Any) -> None:
    env = gymnasium.make("coyote/Duel-v1").unwrapped
    env.reset(seed=1)
    with pytest.raises(InvalidAction):
        env.step(action)
    env.step(0)
    envs = gymnasium.make_vec("coyote/Duel-v1", num_envs=1)
    envs.reset(seed=1)
    with pytest.raises(InvalidAction):
        envs.step([action])


@games
def test_nothing_is_stepped_that_does_not_go_on(name: str) -> None:
    env = gymnasium.make(GAMES[name]).unwrapped
    with pytest.raises(ResetNeeded, match=r"reset\(\) deals one"):
        env.step(0)
    envs = gymnasium.make_vec(GAMES[name], num_envs=2, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ResetNeeded):
        envs.step(np.array([0, 0]))
    envs.reset(seed=1)
    wrong = envs.single_action_space.n - 1  # type: ignore[attr-defined]
    envs.step(np.array([wrong, wrong]))
    with pytest.raises(ResetNeeded):
        envs.step(np.array([0, 0]))


def test_options_bots_and_seats_are_refused_by_name() -> None:
    with pytest.raises(OptionError, match="M10"):
        gymnasium.make("coyote/Madness-v1", options={"goal": 99})
    with pytest.raises(OptionError, match="there is no bot alphazero"):
        gymnasium.make("coyote/Madness-v1", opponent="alphazero")
    with pytest.raises(OptionError, match="cmd:true"):
        gymnasium.make_vec("coyote/Madness-v1", opponent="cmd:true")
    with pytest.raises(OptionError, match="seats are 0 and 1"):
        gymnasium.make("coyote/Duel-v1", seat=2)
    envs = gymnasium.make_vec("coyote/Duel-v1", num_envs=2)
    with pytest.raises(Refused, match="a seed is for all games"):
        envs.reset(seed=1, options={"reset_mask": np.array([True, False])})
