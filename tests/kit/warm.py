"""Has compiled what the tests call of a game, before they do: `cd tests && python -m kit.warm duel`.

Each game in a process of its own, so that no two of them compile the same.
"""

import gc
import sys

import numpy as np

from coyote.bots.minds import MINDS
from coyote.cli.warm import warm_bots, warm_games, warm_up
from coyote.envs import Batch
from coyote.games.registry import make_game
from coyote.kernel import jit
from coyote.match import Match
from coyote.table.analyst import prepare
from coyote.table.thinking import warm_rules
from coyote.text import Words


def main(name: str) -> None:
    game, words = make_game(name), Words("en")
    for series in (False, True):
        warm_up(game, words, series)
    warm_bots(game, ["greedy", "search:1"], words)
    warm_games(game, ["greedy", "greedy"], words)
    batch = Batch(game, 1)
    batch.step(batch.mask.argmax(axis=1))
    warm_rules(name)
    prepare(name)
    match = Match(name, seed="warm")
    seat = match.actors[0]
    game.imagine(match.question(seat).view, seat, np.array([1, 2], np.uint64))
    for part in (type(game), MINDS[name]):  # so that no server has it compiled elsewhere first
        jit.mark_ready(part.__module__, "server")


if __name__ == "__main__":
    gc.disable()  # a compiler makes little garbage, and looks for it all the time
    main(sys.argv[1])
