"""OpenSpiel's search against ours at equal simulations, on our games.

    .venv/bin/python tools/spiel_match.py madness --pairs 20 --simulations 100

Each deal is played twice, with the seats swapped. OpenSpiel's is its Python `ISMCTSBot` with random playouts,
which guesses hidden cards by `imagine`; ours is `search`. The game is played in OpenSpiel and as a match of
ours side by side, so that both are asked about the same situation.
"""

import argparse
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from rich.progress import track

from coyote.bots.names import make_bot
from coyote.envs.openspiel import resampler
from coyote.lab.series import series, words_of
from coyote.lab.stats import mean_score, pair_interval
from coyote.match import Match
from coyote.seeds import bot_seed

UCT = 2.0  # how much their search explores: results are from -1 to 1
SEED = 0  # of the series of deals
LOADED = {"madness": "coyote_madness", "duel": "coyote_duel(dynamics=sequential)"}


class Theirs:
    def __init__(self, game: Any, simulations: int, seed: str) -> None:
        dice = np.random.RandomState(int(seed[:8], 16))
        evaluator = mcts.RandomRolloutEvaluator(1, dice)
        self.bot = ismcts.ISMCTSBot(
            game, evaluator, UCT, simulations, random_state=dice, use_observation_string=True
        )
        self.bot.set_resampler(resampler(seed))

    def action(self, state: Any, match: Match, seat: int) -> int:
        return int(self.bot.step(state))


class Ours:
    def __init__(self, game: Any, simulations: int, seed: str) -> None:
        self.features = game.shared.features
        self.bot, self.heard = make_bot(f"search:{simulations}", game.shared.game, seed), 0

    def action(self, state: Any, match: Match, seat: int) -> int:
        question = match.question(seat, self.heard)
        self.heard += len(question.events)
        return int(self.features.action(question.view, seat, self.bot.answer(question).action))


def play(game: Any, number: int, simulations: int, theirs: int) -> float:
    """The score of OpenSpiel's search, which sits in the seat `theirs`: 1 for a win, ½ for a draw."""
    shared = game.shared
    seed, dice = words_of(series(str(SEED)), number)
    state, match = game.dealt(number), Match(shared.game, shared.setup, seed=seed)
    makers = (Theirs, Ours) if theirs == 0 else (Ours, Theirs)
    players = [make(game, simulations, bot_seed(dice, f"seat {seat}")) for seat, make in enumerate(makers)]
    while not state.is_terminal():
        seat = state.current_player()
        action = players[seat].action(state, match, seat)
        match.play_action(shared.features.move(match.view(seat), seat, action), seat)
        state.apply_action(action)
    assert match.over
    return float(0.5 + state.returns()[theirs] / 2)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=list(LOADED))
    parser.add_argument("--pairs", type=int, default=10, help="deals, each played twice")
    parser.add_argument("--simulations", type=int, default=100)
    asked = parser.parse_args()
    game, start = pyspiel.load_game(LOADED[asked.game]), time.perf_counter()
    pairs = [0] * 5  # by points, in halves
    for number in track(range(asked.pairs), transient=True):
        score = sum(play(game, number, asked.simulations, seat) for seat in (0, 1))
        pairs[round(2 * score)] += 1
    low, high = pair_interval(pairs)
    print(
        f"{asked.game}, {asked.simulations} simulations a choice, {2 * asked.pairs} games: "
        f"OpenSpiel's ISMCTS scores {mean_score(pairs):.1%} against search, 95 % {low:.1%} to {high:.1%}; "
        f"{time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
