"""The games of a series one by one, each from the series' seed and its number.

Game number k takes words 4k … 4k + 3 of the stream whose key comes from the series' seed: two for the
game's own seed, two for its players' dice.
"""

from collections.abc import Sequence

import numpy as np

from coyote.bots.bot import Bot
from coyote.bots.external import Programs
from coyote.bots.names import make_bot
from coyote.games.game import Game, Setup, Words64
from coyote.kernel.chance import game_words
from coyote.lab.games import Crew, DiceBot, Played, play_out, say_goodbye
from coyote.match import Match
from coyote.questions import Budget
from coyote.seeds import bot_seed, seed_from, seed_text, seed_words

RANDOM = "random"
AT_RANDOM = (RANDOM, RANDOM)

Pair = tuple[Played, Played]  # the first bot in seat 0, then in seat 1


def series(seed: str) -> Words64:
    """The key of a series, from any text."""
    return seed_words(seed_from(f"series {seed}"))


def words_of(source: Words64, number: int) -> tuple[str, Words64]:
    """The seed of a game of a series, and its players' dice."""
    key, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    game_words(source, number, key, dice)
    return seed_text(key), dice


def play_one(
    game: Game,
    setup: Setup,
    bots: Sequence[str],
    source: Words64,
    number: int,
    crew: Crew,
    trace: bool = False,
    count: bool = False,
) -> Played:
    """A game as `simulate` plays it: each bot has its seat."""
    seed, dice = words_of(source, number)
    match = Match(game, setup, seed=seed, players=bots)
    if trace:
        match.trace()
    return played(match, seated(game, bots, dice, crew.programs), Budget(), crew, count)


def seated(game: Game, bots: Sequence[str], dice: Words64, programs: Programs | None) -> list[Bot]:
    """The players of a game of a series; their seeds come from the game's dice, read before any is rolled."""
    seeds = [bot_seed(dice, f"seat {seat}") for seat in range(2)]
    return [
        DiceBot(dice) if name == RANDOM else make_bot(name, game, own, programs)
        for name, own in zip(bots, seeds, strict=True)
    ]


def play_twice(
    game: Game,
    setup: Setup,
    bots: Sequence[str],
    source: Words64,
    number: int,
    crew: Crew,
    budget: Budget,
    count: bool = False,
) -> Pair:
    """A deal as `match` plays it, with either bot in either seat; the decks of a duel stay where they are."""
    seed, dice = words_of(source, number)

    def play(*seats: int) -> Played:
        """`seats` says which bot sits in which seat."""
        match = Match(game, setup, seed=seed, players=[bots[bot] for bot in seats])
        players = [
            make_bot(bots[bot], game, bot_seed(dice, f"bot {bot} seat {seat}"), crew.programs)
            for seat, bot in enumerate(seats)
        ]
        return played(match, players, budget, crew, count)

    return play(0, 1), play(1, 0)


def played(match: Match, players: Sequence[Bot], budget: Budget, crew: Crew, count: bool) -> Played:
    """A dealt game to its end."""
    if count:
        match.count()
    found = None
    try:
        found = play_out(match, players, budget, crew.stop)
    finally:
        say_goodbye(players, found.result.as_json() if found else None)
    return found
