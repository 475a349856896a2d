"""The same games four ways: by the rules alone, in PettingZoo, in Gymnasium and in OpenSpiel.

    .venv/bin/python tools/four_ways.py madness --games 100000
    .venv/bin/python tools/four_ways.py duel --games 1000 --seed 7

Game number k of a seed is dealt in all four, under the editions and under house rules. Seat k mod 2 plays by
the series' dice, the other one is the bot `greedy`. Each choice is made in all four; whoever is to choose,
what they see, what they may do, and what the game is worth in the end must be the same, number by number.
In Gymnasium the bot is not told what it did: it must do the same by itself.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
import numpy.typing as npt
import pyspiel
from rich.progress import Progress

import coyote.envs  # noqa: F401  registers the environments
from coyote.envs import duel_v1, features_of, madness_v1
from coyote.envs.openspiel import parameter_of
from coyote.games.game import Json
from coyote.games.registry import GAMES, make_game
from coyote.lab.games import ask
from coyote.lab.series import seated, series, words_of
from coyote.match import Match
from coyote.questions import Budget

BOT = "greedy"


@dataclass(frozen=True)
class Variant:
    game: str
    options: Json = field(default_factory=dict)
    decks: Sequence[str] = ()

    def __str__(self) -> str:
        said = [*(f"{key}={value}" for key, value in self.options.items()), *self.decks]
        return " ".join([self.game, *said])


VARIANTS = {
    "madness": (
        Variant("madness"),
        Variant("madness", {"edition": "classic"}),
        Variant("madness", {"goal": 3, "hand": 7, "extra": 1, "fields": 4, "jokers": 1, "chance": "no"}),
        Variant("madness", {"fields": 2, "close": "never", "starvation": "no", "boss-points": 3, "komi": 2}),
    ),
    "duel": (
        Variant("duel"),
        Variant("duel", {}, ("magpies", "boneyard")),
        Variant("duel", {"open-lists": "yes", "health": 60, "hand": 5, "hand-limit": 5}, ("briar", "oasis")),
        Variant("duel", {"wear-from": 2, "wear": 20, "super-deck": 2, "copies": 3}, ("random", "random")),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """Who chooses, what they see, what they may do, and what they do."""

    seat: int
    observation: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.int8]
    action: int = -1


@dataclass(frozen=True)
class Story:
    turns: list[list[Choice]]  # of those who choose at once
    rewards: list[float]


# ---------------------------------------------------------------- by the rules


class Native:
    def __init__(self, variant: Variant, seed: int) -> None:
        self.game = make_game(variant.game, **variant.options)
        self.setup = self.game.settle(variant.decks)
        self.features, self.source = features_of(self.game), series(str(seed))

    def play(self, number: int) -> Story:
        seed, dice = words_of(self.source, number)
        match, heard, turns = Match(self.game, self.setup, seed=seed), [0, 0], []
        names = ("random", BOT) if number % 2 == 0 else (BOT, "random")
        players = seated(self.game, names, dice, None)
        while actors := list(match.actors):
            turn = [self._choice(match, seat, players[seat], heard) for seat in actors]
            for choice in turn:
                match.play_action(
                    self.features.move(match.view(choice.seat), choice.seat, choice.action), choice.seat
                )
            turns.append(turn)
        assert match.result is not None
        winner = match.result.winner
        return Story(turns, [0.0, 0.0] if winner is None else [1.0 - 2 * winner, 2.0 * winner - 1])

    def _choice(self, match: Match, seat: int, player: Any, heard: list[int]) -> Choice:
        move = ask(match, seat, player, heard, Budget())
        action = self.features.action(match.view(seat), seat, move)
        return Choice(seat, self.features.observe(match, seat), self.features.mask(match, seat), action)


# ---------------------------------------------------------------- the other three


class Madness:
    """PettingZoo, one agent after the other."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.env = madness_v1.raw_env(options=variant.options)
        self.seed: int | None = seed

    def play(self, story: Story, differ: "Differ") -> None:
        self.env.reset(seed=self.seed)
        self.seed = None
        for turn in story.turns:
            seen, *_ = self.env.last()
            seat = int(self.env.agent_selection[-1])
            differ(turn[0], seat, seen["observation"], seen["action_mask"])
            self.env.step(turn[0].action)
        differ.end(story, [self.env.rewards[agent] for agent in self.env.possible_agents])
        differ.over(all(self.env.terminations.values()))


class Duel:
    """PettingZoo, both agents at once."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.env = duel_v1.parallel_env(options=variant.options, decks=variant.decks)
        self.seed: int | None = seed

    def play(self, story: Story, differ: "Differ") -> None:
        seen, _ = self.env.reset(seed=self.seed)
        self.seed, agents = None, self.env.possible_agents
        rewards: dict[str, float] = {}
        over: dict[str, bool] = {}
        for turn in story.turns:
            for choice, agent in zip(turn, agents, strict=True):
                differ(choice, choice.seat, seen[agent]["observation"], seen[agent]["action_mask"])
            chosen = {agent: choice.action for choice, agent in zip(turn, agents, strict=True)}
            seen, rewards, over, *_ = self.env.step(chosen)
        differ.end(story, [rewards[agent] for agent in agents])
        differ.over(all(over.values()))


PETTINGZOO: dict[str, Callable[[Variant, int], Any]] = {"madness": Madness, "duel": Duel}


class Gymnasium:
    """One seat; the bot in the other plays by itself."""

    def __init__(self, variant: Variant, seed: int) -> None:
        name = f"coyote/{variant.game.title()}-v1"
        self.env = gymnasium.make(
            name, opponent=BOT, options=variant.options, decks=variant.decks, disable_env_checker=True
        )
        self.seed: int | None = seed

    def play(self, story: Story, differ: "Differ") -> None:
        seen, info = self.env.reset(seed=self.seed)
        self.seed, over = None, False
        reward: SupportsFloat = 0.0
        mine = [choice for turn in story.turns for choice in turn if choice.seat == info["seat"]]
        for choice in mine:
            differ(choice, info["seat"], seen["observation"], seen["action_mask"])
            seen, reward, over, *_ = self.env.step(choice.action)
        if mine:
            differ.end(story, [float(reward), -float(reward)][:: 1 - 2 * info["seat"]])
            differ.over(over)


class OpenSpiel:
    def __init__(self, variant: Variant, seed: int) -> None:
        names = {option.name: parameter_of(option) for option in GAMES[variant.game].OPTIONS}
        given = {names.get(key, key): value for key, value in variant.options.items()}
        given |= {f"deck_{seat}": deck for seat, deck in enumerate(variant.decks)}
        self.game = pyspiel.load_game(f"coyote_{variant.game}", {**given, "seed": seed})
        self.observer, self.number = self.game.make_py_observer(), 0

    def play(self, story: Story, differ: "Differ") -> None:
        state = self.game.dealt(self.number)
        self.number += 1
        for turn in story.turns:
            for choice in turn:
                seat = choice.seat if state.is_simultaneous_node() else state.current_player()
                self.observer.set_from(state, seat)
                differ(choice, seat, self.observer.tensor, state.legal_actions_mask(seat))
            if state.is_simultaneous_node():
                state.apply_actions([choice.action for choice in turn])
            else:
                state.apply_action(turn[0].action)
        differ.end(story, state.returns())
        differ.over(state.is_terminal())


# ---------------------------------------------------------------- compared


class Difference(Exception):
    """Where a way does not go as the rules do."""


class Differ:
    def __init__(self, variant: Variant, way: str) -> None:
        self.variant, self.way, self.choices, self.number = variant, way, 0, 0

    def __call__(self, choice: Choice, seat: int, observation: Any, mask: Any) -> None:
        self._same("seat", seat, choice.seat)
        self._same("observation", np.asarray(observation), choice.observation)
        self._same("mask", np.asarray(mask), choice.mask)
        self.choices += 1

    def end(self, story: Story, rewards: Sequence[float]) -> None:
        self._same("reward", np.asarray(rewards), np.asarray(story.rewards))

    def over(self, over: bool) -> None:
        self._same("end", over, True)
        self.number += 1

    def _same(self, what: str, found: Any, wanted: Any) -> None:
        if not np.array_equal(found, wanted):
            raise Difference(
                f"{self.variant}, game {self.number}, {self.way}: another {what}: {found}, not {wanted}"
            )


def compare(
    variant: Variant, games: int, seed: int, tell: Callable[[], None] = lambda: None
) -> dict[str, int]:
    """By way how many choices were the same; Difference where one was not."""
    native = Native(variant, seed)
    ways = {
        "PettingZoo": PETTINGZOO[variant.game](variant, seed),
        "Gymnasium": Gymnasium(variant, seed),
        "OpenSpiel": OpenSpiel(variant, seed),
    }
    differs = {name: Differ(variant, name) for name in ways}
    for number in range(games):
        story = native.play(number)
        for name, way in ways.items():
            way.play(story, differs[name])
        tell()
    return {name: differ.choices for name, differ in differs.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=list(VARIANTS))
    parser.add_argument("--games", type=int, default=1000, help="in all, shared by the variants")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    variants, start = VARIANTS[asked.game], time.perf_counter()
    with Progress(transient=True) as bar:
        task = bar.add_task(asked.game, total=asked.games)
        for i, variant in enumerate(variants):
            games = asked.games * (i + 1) // len(variants) - asked.games * i // len(variants)
            found = compare(variant, games, asked.seed, lambda: bar.advance(task))
            counts = ", ".join(f"{name} {n:,}" for name, n in found.items())
            bar.console.print(f"{variant}: {games:,} games, the same choices: {counts}", highlight=False)
    print(f"{asked.games:,} games four ways in {time.perf_counter() - start:,.0f} s: no difference")


if __name__ == "__main__":
    main()
