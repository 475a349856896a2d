"""The luck of Madness, exactly: every card that might have come is tried."""

from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from coyote.analysis.luck import Fate, Luck, Moment
from coyote.analysis.madness import luck
from coyote.analysis.madness.judge import bias_of, shipped
from coyote.bots.madness import games
from coyote.bots.madness.mind import learned
from coyote.bots.minds import per_thread
from coyote.games.game import Chance, Game, Words64
from coyote.games.madness.editions import EDITIONS
from coyote.games.madness.game import Madness
from coyote.games.madness.state import STATE
from coyote.kernel.events import silent_log
from coyote.kernel.record import first, new
from coyote.match import Match
from coyote.seeds import seed_from, seed_words

DEALS = 1 << 18  # from which it is estimated what a deal is worth on average


class Scratch:
    """What luck is worked out in; one for each thread."""

    def __init__(self) -> None:
        self.room = new(luck.ROOM)
        self.tables, self.table = np.zeros(luck.TABLES, STATE), np.zeros(1, STATE)
        self.views, self.log = np.zeros(1, STATE), silent_log()
        self.steps = np.zeros(luck.MOST_MOVES, luck.STEP)
        self.thoughts = new(games.THOUGHTS)
        self.words, self.dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)


scratch = per_thread(Scratch)


def new_eye(game: Madness) -> Any:
    """The judge for the options of this game; beside it the signs of its edition, or of the first one."""
    edition = game.edition if game.edition in learned() else next(iter(learned()))
    eye = new(luck.EYE)
    eye.weights[:] = learned()[edition]["signs"]
    eye.scale = int(EDITIONS[edition]["goal"]) / int(game.row.goal)
    if found := shipped():
        set_judge(eye, found[0], game)
    return eye


def set_judge(eye: Any, judge: Any, game: Madness) -> None:
    eye.has_judge = 1
    eye.judge = judge
    eye.bias[:] = bias_of(judge, game.row)


class MadnessFate(Fate):
    EXACT = True

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Madness)
        self.game, self.eye = game, new_eye(game)

    def of(self, match: Match) -> Luck:
        x = scratch()
        actions = np.array([self.game.read_move(move) for _, move in match.moves], np.int16)
        found = np.zeros(1, luck.LUCK)
        luck.follow(
            self.game.read_deal(match.record(), match.setup, Chance(), x.log), self.game.row, x.log, actions,
            len(actions), self.eye, x.room, x.tables, first(found), x.steps,
        )  # fmt: skip
        return self.told(found[0], [Moment(*step) for step in x.steps[: len(actions)].tolist()])

    def told(self, found: Any, moments: list[Moment] | None = None) -> Luck:
        rest = self.usual()[0]
        decided = (float(found["decided"][0]), float(found["decided"][1]))
        deal = float(found["dealt"]) - rest
        draws, result = float(found["draws"]), float(found["result"])
        return Luck(deal, draws, decided, rest, result, moments=moments or ())

    def usual(self) -> tuple[float, float]:
        """What a deal is worth to seat 0 on average, with its standard error."""
        return usual_deal(self.game)

    def by_thumb(self, source: Words64, first_game: int, n: int) -> Any:
        """The luck of games of a series between two who go by rules of thumb, compiled."""
        x, found = scratch(), np.zeros(n, luck.LUCK)
        luck.games_by_thumb(
            x.table, x.views, self.game.row, x.log, source, x.words, x.dice, x.thoughts, first_game, self.eye,
            x.room, x.tables, found, x.steps,
        )  # fmt: skip
        return found


@lru_cache(maxsize=64)
def usual_deal(game: Madness) -> tuple[float, float]:
    """One number for all games of a variant, from deals that no game is played with; the judge's file has
    those of the editions.

    Whatever it is off, in a pair of games with the seats swapped it falls out.
    """
    found = shipped()
    if found and game == Madness(edition=game.edition):
        mean, error = found[1]["usual"][game.edition]
        return mean, error
    return mean_deal(game, new_eye(game), DEALS)


def mean_deal(game: Madness, eye: Any, deals: int) -> tuple[float, float]:
    """What deals are worth to seat 0 on average, with its standard error."""
    x = scratch()
    total, squares = luck.mean_deal(
        new(STATE), game.row, x.log, seed_words(seed_from("what a deal is worth")), x.words, x.dice, deals,
        eye, x.room, x.tables,
    )  # fmt: skip
    mean = total / deals
    return mean, sqrt((squares / deals - mean * mean) / deals)
