"""The luck of Madness, exactly: every card that might have come is tried."""

from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from coyote.analysis.luck import Fate, Luck, Moment
from coyote.analysis.madness import luck
from coyote.bots.madness import games
from coyote.bots.madness.mind import learned
from coyote.bots.madness.nets import nets, set_biases
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
    """What was learned of the edition, or of the first one (`docs/bots.md`), for the goal of this game."""
    edition = game.edition if game.edition in learned() else next(iter(learned()))
    eye = new(luck.EYE)
    eye.weights[:] = learned()[edition]["signs"]
    eye.scale = int(EDITIONS[edition]["goal"]) / int(game.row.goal)
    made, numbers = nets()
    if edition in numbers:
        eye.has_net = 1
        eye.net = made[numbers[edition]]
        set_biases(eye, eye.net, game.row)
    return eye


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
        draws, swing, result = (float(found[name]) for name in ("draws", "swing", "result"))
        return Luck(deal, draws, decided, rest, result, moments=moments or (), swing=swing)

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
    """One number for all games of a variant, from deals that no game is played with.

    Whatever it is off, in a pair of games with the seats swapped it falls out.
    """
    x = scratch()
    total, squares = luck.mean_deal(
        new(STATE), game.row, x.log, seed_words(seed_from("what a deal is worth")), x.words, x.dice, DEALS,
        new_eye(game), x.room, x.tables,
    )  # fmt: skip
    mean = total / DEALS
    return mean, sqrt((squares / DEALS - mean * mean) / DEALS)
