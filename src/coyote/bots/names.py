"""Bots by name: `random`, `greedy`, `search`, `search:2000`, `search:100ms`, `level:3`, `cmd:COMMAND`.

To add one, write its class and its row in BOTS; what people call it is `bot.names.<kind>` in the words.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from coyote.bots.bot import Bot
from coyote.bots.deciding import ANY_MOVE, BY_LEVEL, BY_SEARCH, BY_THUMB, PLAN
from coyote.bots.external import ExternalBot, Programs
from coyote.bots.level_bot import LevelBot
from coyote.bots.levels import NUMBERS, Level
from coyote.bots.minds import mind_of
from coyote.bots.plain import GreedyBot, RandomBot
from coyote.bots.search import SearchBot
from coyote.games.game import Game, OptionError, Record
from coyote.kernel.record import new
from coyote.questions import Budget

THUMB, SEARCH = "thumb", "search"  # what of a game's mind a bot uses
NO_LOOKS = Budget(simulations=0)
SIMULATIONS = re.compile(r"([1-9]\d{0,8})s?")
MILLISECONDS = re.compile(r"([1-9]\d{0,6})ms")


class UnknownBot(OptionError):
    """A name that no bot has."""

    def __init__(self, name: str) -> None:
        known = ", ".join(example for kind in BOTS.values() for example in kind.examples)
        super().__init__("fault.no_bot", name=name, known=known)


@dataclass(frozen=True)
class Kind:
    """One row: how a bot is made from game, seed, what stands behind the colon, and running programs."""

    make: Callable[[Game, str, str, Programs | None], Bot]
    after: str  # what may follow its name, as a regular expression
    uses: tuple[str, ...]  # of the game's mind, at most
    examples: tuple[str, ...]
    at_table: tuple[str, ...] = ()  # the names by which it is let to the table


LEVEL_NAMES = tuple(f"level:{number}" for number in NUMBERS)
BOTS = {
    "random": Kind(lambda game, seed, _, __: RandomBot(game, seed), "", (), ("random",), ("random",)),
    "greedy": Kind(lambda game, seed, _, __: GreedyBot(game, seed), "", (THUMB,), ("greedy",), ("greedy",)),
    "search": Kind(
        lambda game, seed, rest, _: SearchBot(game, seed, read_budget(rest) if rest else None),
        rf"(:({SIMULATIONS.pattern}|{MILLISECONDS.pattern}))?",
        (THUMB, SEARCH),
        ("search", "search:2000", "search:100ms"),
    ),
    "level": Kind(
        lambda game, seed, rest, _: LevelBot(game, seed, int(rest)),
        rf":[{NUMBERS[0]}-{NUMBERS[-1]}]",
        (THUMB, SEARCH),
        (f"{LEVEL_NAMES[0]} … {LEVEL_NAMES[-1]}",),
        LEVEL_NAMES,
    ),
    "cmd": Kind(
        lambda game, seed, rest, programs: ExternalBot(game, seed, rest, programs),
        r"(?s::.*\S.*)",
        (),
        ("cmd:COMMAND",),
    ),
}
AT_TABLE = tuple(name for kind in BOTS.values() for name in kind.at_table)


def read_budget(text: str) -> Budget:
    """A number of simulations, or of milliseconds.

    >>> read_budget("2000s"), read_budget("100ms")
    (Budget(simulations=2000, seconds=None), Budget(simulations=None, seconds=0.1))
    """
    if match := MILLISECONDS.fullmatch(text):
        return Budget(seconds=int(match[1]) / 1000)
    if match := SIMULATIONS.fullmatch(text):
        return Budget(simulations=int(match[1]))
    raise ValueError(text)


def kind_of(name: str) -> Kind:
    """The row of a bot; UnknownBot for a name that none has.

    >>> kind_of("search:100ms").uses
    ('thumb', 'search')
    """
    word, _, _ = name.partition(":")
    kind = BOTS.get(word)
    if kind is None or not re.fullmatch(kind.after, name.removeprefix(word)):
        raise UnknownBot(name)
    return kind


def uses(name: str, game: Game) -> tuple[str, ...]:
    """What of the game's mind this bot uses: a level that looks nowhere needs no search."""
    kind = kind_of(name)
    if kind is BOTS["level"] and mind_of(game).LEVELS[int(name.rpartition(":")[2]) - 1].budget is None:
        return (THUMB,)
    return kind.uses


def make_bot(name: str, game: Game, seed: str, programs: Programs | None = None) -> Bot:
    """The bot of that name for one game; its choices follow from the seed.

    `programs` are other people's programs that run already and may be asked again.
    """
    return kind_of(name).make(game, seed, name.partition(":")[2], programs)


def plan_of(name: str, game: Game, allowed: Budget) -> Record | None:
    """How a bot decides, where it can in compiled games: one of ours that needs no clock."""
    match make_bot(name, game, ""):
        case RandomBot():
            return plan(ANY_MOVE)
        case GreedyBot():
            return plan(BY_THUMB)
        case SearchBot() as bot:
            budget = bot.budget_for(allowed)
            return plan(BY_SEARCH, budget) if budget.seconds is None else None
        case LevelBot(level=level):
            budget = level.budget or NO_LOOKS
            return plan(BY_LEVEL, budget, level) if budget.seconds is None else None
    return None


def plan(way: int, budget: Budget = NO_LOOKS, level: Level | None = None) -> Record:
    made = new(PLAN)
    made.way, made.simulations = way, budget.simulations
    if level:
        made.misses, made.overlooks, made.hurries = level.misses, level.overlooks, level.hurries
    return made
