"""Bots by name: `random`, `greedy`, `search`, `search:2000`, `search:100ms`, `level:3`, `cmd:COMMAND`."""

import re

from coyote.bots.bot import Bot, Budget
from coyote.bots.external import ExternalBot, Programs
from coyote.bots.levels import LevelBot
from coyote.bots.plain import GreedyBot, RandomBot
from coyote.bots.search import SearchBot
from coyote.games.game import Game, OptionError

KNOWN = ("random", "greedy", "search", "search:2000", "search:100ms", "level:1 … level:5", "cmd:COMMAND")
NAME = re.compile(r"random|greedy|search(:.*)?|level:[1-5]|cmd:.*\S.*", re.DOTALL)
SIMULATIONS = re.compile(r"([1-9]\d{0,8})s?")
MILLISECONDS = re.compile(r"([1-9]\d{0,6})ms")


class UnknownBot(OptionError):
    """A name that no bot has."""

    def __init__(self, name: str) -> None:
        super().__init__("fault.no_bot", name=name, known=", ".join(KNOWN))


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


def make_bot(name: str, game: Game, seed: str, programs: Programs | None = None) -> Bot:
    """The bot of that name for one game; its choices follow from the seed. UnknownBot where there is none.

    `programs` are other people's programs that run already and may be asked again.
    """
    check_bot(name)
    kind, colon, rest = name.partition(":")
    match kind:
        case "random":
            return RandomBot(game, seed)
        case "greedy":
            return GreedyBot(game, seed)
        case "search":
            return SearchBot(game, seed, read_budget(rest) if colon else None)
        case "level":
            return LevelBot(game, seed, int(rest))
        case _:
            return ExternalBot(game, seed, rest, programs)


def check_bot(name: str) -> None:
    """UnknownBot for a name that no bot has.

    >>> check_bot("search:100ms")
    >>> check_bot("search:fast")
    Traceback (most recent call last):
    coyote.bots.names.UnknownBot: fault.no_bot
    """
    kind, colon, rest = name.partition(":")
    if not NAME.fullmatch(name):
        raise UnknownBot(name)
    if kind == "search" and colon:
        try:
            read_budget(rest)
        except ValueError:
            raise UnknownBot(name) from None
