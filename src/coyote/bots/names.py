"""Bots by name: `random`, `greedy`, `search`, `search:2000`, `search:100ms`, `level:3`, `cmd:COMMAND`."""

import re

from coyote.bots.bot import Bot, Budget
from coyote.bots.external import ExternalBot
from coyote.bots.levels import LEVELS, LevelBot
from coyote.bots.plain import GreedyBot, RandomBot
from coyote.bots.search import SearchBot
from coyote.games.game import Game

KNOWN = ("random", "greedy", "search", "search:2000", "search:100ms", "level:1 … level:5", "cmd:COMMAND")
SIMULATIONS = re.compile(r"([1-9]\d{0,8})s?")
MILLISECONDS = re.compile(r"([1-9]\d{0,6})ms")


class UnknownBot(ValueError):
    """A name that no bot has."""


def read_budget(text: str) -> Budget:
    """A number of simulations, or of milliseconds.

    >>> read_budget("2000s"), read_budget("100ms")
    (Budget(simulations=2000, seconds=None), Budget(simulations=None, seconds=0.1))
    """
    if found := MILLISECONDS.fullmatch(text):
        return Budget(seconds=int(found[1]) / 1000)
    if found := SIMULATIONS.fullmatch(text):
        return Budget(simulations=int(found[1]))
    raise ValueError(text)


def make_bot(name: str, game: Game, seed: str) -> Bot:
    """The bot of that name for one game; its choices follow from the seed. UnknownBot where there is none."""
    kind, colon, rest = name.partition(":")
    match kind, rest:
        case "random", "" if not colon:
            return RandomBot(game, seed)
        case "greedy", "" if not colon:
            return GreedyBot(game, seed)
        case "search", _:
            return SearchBot(game, seed, own_budget(name, rest) if colon else None)
        case "level", "1" | "2" | "3" | "4" | "5":
            return LevelBot(game, seed, LEVELS[int(rest) - 1])
        case "cmd", _ if rest.strip():
            return ExternalBot(game, seed, rest)
    raise UnknownBot(name)


def own_budget(name: str, text: str) -> Budget:
    try:
        return read_budget(text)
    except ValueError:
        raise UnknownBot(name) from None
