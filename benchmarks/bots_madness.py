"""The numbers of Madness's bots: simulations a second, and how ways of searching do against each other.

    python benchmarks/bots_madness.py speed
    python benchmarks/bots_madness.py sparring --games 400
    python benchmarks/bots_madness.py variants --games 400
    python benchmarks/bots_madness.py learned --games 400 --simulations 1000

`sparring` is the search against determinised search with the same simulations: 20 tables are imagined,
each is searched as if all its cards lay open, and the move tried most in all of them is made. It is played
plain, with the light policy to the end and no habits, and with all that our search has learned. `variants`
is the search without nets against itself with one thing changed. `learned` is the search with its nets
against the same search by habits and signs: both are timed first, in processor time and in the same run, and
the search with nets gets as many simulations as it makes in the time of the other one's. Every deal is played
twice, with the seats swapped. Bots by name play each other with `coyote match`.
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.progress import track

from coyote.bots.deciding import BY_SEARCH, PLAN
from coyote.bots.madness.mind import MadnessMind, scratch, use_net
from coyote.bots.madness.tree import MANNER, TO_THE_END
from coyote.bots.seed import dice_for
from coyote.games.game import NO_SETUP, Chance, Words64
from coyote.games.madness.game import Madness
from coyote.kernel.events import silent_log
from coyote.lab.play import scores
from coyote.lab.series import series
from coyote.lab.stats import mean_score, pair_interval
from coyote.questions import Budget, Question
from coyote.seeds import seed_from, seed_words

Player = Callable[[Question, Words64], int]
ROUNDS, SIMULATIONS, WORLDS = 7, 1000, 20

VARIANTS: dict[str, Callable[[MadnessMind], None]] = {
    "no habits": lambda mind: mind.manner.habits.fill(1.0),
    "played on by the light policy, 4 turns": lambda mind: mind.manner.__setitem__("turns", 4),
    "played on by the light policy, to the end": lambda mind: mind.manner.__setitem__("turns", TO_THE_END),
    "played on at random, to the end": lambda mind: played_at_random(mind),
    "a pushed Boss not told apart": lambda mind: mind.manner.__setitem__("blind_push", 1),
    "explores half as much": lambda mind: mind.manner.__setitem__("explore", 0.25),
    "explores twice as much": lambda mind: mind.manner.__setitem__("explore", 1.0),
}


def plain(mind: MadnessMind) -> None:
    """Nothing learned."""
    former(mind)
    mind.manner.habits.fill(1.0)
    mind.manner.turns = TO_THE_END


def played_at_random(mind: MadnessMind) -> None:
    mind.manner.turns, mind.manner.at_random = TO_THE_END, 1


def searching(game: Madness, simulations: int, change: Callable[[MadnessMind], None] | None = None) -> Player:
    mind = MadnessMind(game)
    if change is not None:
        change(mind)
    return lambda question, dice: mind.search(question, dice, Budget(simulations=simulations)).action


def determinised(game: Madness, simulations: int, change: Callable[[MadnessMind], None]) -> Player:
    """Votes of searches in imagined tables, each with a share of the simulations."""
    mind = MadnessMind(game)
    change(mind)
    mind.manner.one_world = 1
    share = Budget(simulations=simulations // WORLDS)

    def choose(question: Question, dice: Words64) -> int:
        votes: Counter[int] = Counter()
        for world in range(WORLDS):
            words = dice + np.array([world, 1000 * world], np.uint64)
            for thought in mind.search(question, words, share).thoughts:
                votes[thought.action] += thought.examined
        return votes.most_common(1)[0][0]

    return choose


def play(game: Madness, players: list[Player], deal: str) -> float:
    """What seat 0 gets."""
    s, log = game.deal(NO_SETUP, seed_words(seed_from(deal))), silent_log()
    while actors := game.actors(s):
        seat = 0 if actors & 1 else 1
        question = Question(game.view(s, seat), seat, game.legal(s, seat))
        game.act(s, seat, players[seat](question, dice_for(f"{deal} {seat}", question)), log, Chance())
    result = game.result(s)
    assert result is not None
    return 0.5 if result.winner is None else 1.0 - result.winner


def match(name: str, game: Madness, first: Player, second: Player, games: int) -> str:
    """The first player's share of the points, with its interval."""
    scores = [0] * 5
    for number in track(range(games // 2), name, transient=True):
        won = play(game, [first, second], f"deal {number}")
        won += 1 - play(game, [second, first], f"deal {number}")
        scores[round(2 * won)] += 1
    low, high = pair_interval(scores)
    share = f"{100 * mean_score(scores):5.1f} %  [{100 * low:.1f} – {100 * high:.1f}]"
    return f"{game.edition:9} {name:45} {share}  {games} games"


class Contest:
    """Two manners of searching against each other, whole games compiled."""

    def __init__(self, game: Madness, changes: list[Callable[[MadnessMind], None]]) -> None:
        self.game, self.mind = game, MadnessMind(game)
        self.manners = np.zeros(2, MANNER)
        for number, change in enumerate(changes):
            mind = MadnessMind(game)
            change(mind)
            self.manners[number] = mind.manners[0]

    def play(self, manners: Any, simulations: list[int], first: int, deals: int) -> Any:
        self.mind.manners, plans = manners, np.zeros(2, PLAN)
        plans["way"], plans["simulations"] = BY_SEARCH, simulations
        rows = np.zeros((deals, 2), self.game.ROW)
        self.mind.play(NO_SETUP, plans, series("contest"), first, rows)
        return rows

    def rate(self, number: int) -> float:
        """Simulations a second of processor time, in games with itself."""
        both, start = np.array([self.manners[number]] * 2, MANNER), time.process_time()
        rows = self.play(both, [SIMULATIONS] * 2, 10**6, 2)
        return SIMULATIONS * int((rows["decisions"] - rows["forced"]).sum()) / (time.process_time() - start)

    def rates(self) -> list[float]:
        """The medians of some rounds, taken in turn."""
        self.play(self.manners, [1, 1], 0, 1)  # compiles
        rounds = [[self.rate(0), self.rate(1)] for _ in range(ROUNDS)]
        return [statistics.median(column) for column in zip(*rounds, strict=True)]

    def match(self, simulations: list[int], games: int) -> list[int]:
        """How often a deal brought the first one 0, ¼, … of its points."""
        counts = [0] * 5
        for deal in track(range(games // 2), "playing", transient=True):
            counts[int(scores(self.play(self.manners, simulations, deal, 1))[0])] += 1
        return counts


def former(mind: MadnessMind) -> None:
    """By habits and signs."""
    use_net(mind, None)


def without_nets(change: Callable[[MadnessMind], None]) -> Callable[[MadnessMind], None]:
    def both(mind: MadnessMind) -> None:
        former(mind)
        change(mind)

    return both


def learned(game: Madness, simulations: int, games: int) -> str:
    """The search with its nets against the former judge, in equal time."""
    contest = Contest(game, [lambda mind: None, former])
    new, old = contest.rates()
    scaled = [round(simulations * new / old), simulations]
    counts = contest.match(scaled, games)
    low, high = pair_interval(counts)
    share = f"{100 * mean_score(counts):5.1f} %  [{100 * low:.1f} – {100 * high:.1f}]"
    rates = f"{new:,.0f} and {old:,.0f} simulations a second"
    return f"{game.edition:9} {share}  {games} games, {scaled[0]:,} against {simulations:,}; {rates}"


def speed(game: Madness) -> str:
    """Simulations a second over the decisions of whole games, with 1,000 a move."""
    mind, asked, log = MadnessMind(game), [], silent_log()
    for deal in range(5):
        s = game.deal(NO_SETUP, seed_words(seed_from(f"speed {deal}")))
        while actors := game.actors(s):
            seat = 0 if actors & 1 else 1
            question = Question(game.view(s, seat), seat, game.legal(s, seat))
            if len(question.legal) > 1:
                asked.append(question)
            game.act(s, seat, mind.thumb(question, dice_for("speed", question)).action, log, Chance())
    rates = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for question in asked:
            mind.search(question, dice_for("speed", question), Budget(simulations=SIMULATIONS))
        rates.append(SIMULATIONS * len(asked) / (time.perf_counter() - start))
    rate = f"{statistics.median(rates):,.0f} simulations a second ({min(rates):,.0f} to {max(rates):,.0f})"
    return f"{game.edition:9} {rate}; {scratch().nodes.nbytes / 1e6:.0f} MB of nodes at most"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("what", choices=["speed", "sparring", "variants", "learned"])
    arguments.add_argument("--edition", choices=["standard", "classic"], default="standard")
    arguments.add_argument("--games", type=int, default=400)
    arguments.add_argument("--simulations", type=int, default=SIMULATIONS, help="of the former judge")
    asked = arguments.parse_args()
    game = Madness(edition=asked.edition)
    if asked.what == "speed":
        print(speed(game))
    elif asked.what == "learned":
        print(learned(game, asked.simulations, asked.games))
    elif asked.what == "sparring":
        for name, change in (("plain", plain), ("with all that was learned", lambda mind: None)):
            sparring = determinised(game, SIMULATIONS, change)
            name = f"against determinised search, {name}"
            print(match(name, game, searching(game, SIMULATIONS), sparring, asked.games), flush=True)
    else:
        for name, change in VARIANTS.items():
            changed = searching(game, SIMULATIONS, without_nets(change))
            print(match(name, game, changed, searching(game, SIMULATIONS, former), asked.games), flush=True)


if __name__ == "__main__":
    main()
