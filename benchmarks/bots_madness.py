"""The numbers of Madness's bots: simulations a second, and how ways of searching do against each other.

    python benchmarks/bots_madness.py speed
    python benchmarks/bots_madness.py learned --edition classic --games 400 --ms 10
    python benchmarks/bots_madness.py alone --games 600
    python benchmarks/bots_madness.py nets --other former.npz --games 400 --simulations 1000
    python benchmarks/bots_madness.py hands --games 400 --simulations 2000
    python benchmarks/bots_madness.py more --games 400
    python benchmarks/bots_madness.py variants --games 400
    python benchmarks/bots_madness.py sparring --games 400

`learned` is the search with its nets against the same search by habits and signs, both with so many
milliseconds a move of the time of their thread, whatever else the machine does. `alone` is the move that the
policy likes best, without a search, against 150 simulations by habits and signs, which level 4 had before
there were nets. `nets` is the nets of the package against those of another file, `hands` the search that
weighs the other's hands by what they did against one to which all are alike, `more` ten times the
simulations, `variants` the search without nets against itself with one thing changed. `sparring` is the
search against determinised search with the same simulations: 20 tables are imagined, each is searched as if
all its cards lay open, and the move tried most in all of them is made. It is played plain, with the light
policy to the end and no habits, and with all that our search has learned.

Every deal is played twice, with the seats swapped. Told is the share of the points, with its 95 % interval,
and the same less the luck of the cards (docs/analysis.md), which has the same mean and less noise. Bots by
name play each other with `coyote match`.
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.progress import track

from coyote.analysis.luck import luck_of
from coyote.bots.bot import Answer
from coyote.bots.madness.mind import AT_ONCE, USUAL_SPEED, MadnessMind, scratch, use_nets
from coyote.bots.madness.nets import NET
from coyote.bots.madness.tree import TO_THE_END
from coyote.bots.net import fill, load
from coyote.bots.seed import dice_for
from coyote.games.game import NO_SETUP, Json, Words64
from coyote.games.madness.game import Madness
from coyote.lab.contest import Standing
from coyote.lab.games import Played, play_out
from coyote.lab.series import series, words_of
from coyote.match import Match
from coyote.questions import Budget, Question

Player = Callable[[Question, Words64], int]
Change = Callable[[MadnessMind], None]
ROUNDS, SIMULATIONS, WORLDS = 7, 1000, 20

VARIANTS: dict[str, Change] = {
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


def as_it_is(mind: MadnessMind) -> None:
    """With the nets of the package."""


def former(mind: MadnessMind) -> None:
    """By habits and signs."""
    use_nets(mind, None)


def all_alike(mind: MadnessMind) -> None:
    """Any hand is as likely as any other."""
    mind.weighs = False


def without_nets(change: Change) -> Change:
    def both(mind: MadnessMind) -> None:
        former(mind)
        change(mind)

    return both


def with_nets(path: Path) -> Change:
    """Of another file."""

    def change(mind: MadnessMind) -> None:
        nets = np.zeros(1, NET)
        fill(nets[0], load(path)[0])
        use_nets(mind, nets)

    return change


def searching(game: Madness, simulations: int, change: Change = as_it_is) -> Player:
    mind = MadnessMind(game)
    change(mind)
    return lambda question, dice: mind.search(question, dice, Budget(simulations=simulations)).action


def searching_for(game: Madness, seconds: float, change: Change) -> Player:
    """So long by the clock of the thread, which stands still while others have the processor."""
    mind = MadnessMind(game)
    change(mind)

    def choose(question: Question, dice: Words64) -> int:
        if len(question.legal) == 1:
            return question.legal[0]
        stop = time.thread_time() + seconds
        mind.begin(dice)
        mind.weigh_hands(question, int(seconds * USUAL_SPEED))
        while time.thread_time() < stop:
            mind.grow(question, AT_ONCE)
        return mind.conclude(question).action

    return choose


def determinised(game: Madness, simulations: int, change: Change) -> Player:
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


@dataclass
class Named:
    """A player as a bot."""

    player: Player
    seed: str
    name: str = "search"

    def answer(self, question: Question) -> Answer:
        return Answer(self.player(question, dice_for(self.seed, question)))

    def close(self, result: Json | None = None) -> None:
        pass


def match(name: str, game: Madness, players: list[Player], games: int, deals: str = "contest") -> str:
    """The first player's share of the points, and that less its luck, with their intervals."""
    standing, source = Standing(), series(deals)

    def play(number: int, *seats: int) -> Played:
        """`seats` says which player sits in which seat."""
        seed, _ = words_of(source, number)
        bots = [Named(players[one], f"{number} {one} {seat}") for seat, one in enumerate(seats)]
        return play_out(Match(game, NO_SETUP, seed=seed), bots)

    for number in track(range(games // 2), name, transient=True):
        pair = play(number, 0, 1), play(number, 1, 0)
        standing.add(pair)
        standing.adjusted.add(pair, [luck_of(played.match) for played in pair])
    found = standing.as_json(None)
    shares = [
        f"{100 * score['share']:5.1f} %  [{100 * score['low']:.1f} – {100 * score['high']:.1f}]"
        for score in (found["score"], found["luck"]["score"])
    ]
    return f"{game.edition:9} {name:45} {shares[0]}  less luck {shares[1]}  {games} games"


def speed(game: Madness) -> str:
    """Simulations a second of the thread, over the decisions of whole games, with 1,000 a move; the other's
    hands are weighed as in play."""
    mind, asked = MadnessMind(game), []
    for deal in range(5):
        match = Match(game, NO_SETUP, seed=f"speed {deal}")
        while match.actors:
            (seat,) = match.actors
            question = match.question(seat)
            if len(question.legal) > 1:
                asked.append(question)
            match.play_action(mind.thumb(question, dice_for("speed", question)).action, seat)
    rates = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        for question in asked:
            mind.search(question, dice_for("speed", question), Budget(simulations=SIMULATIONS))
        rates.append(SIMULATIONS * len(asked) / (time.thread_time() - start))
    rate = f"{statistics.median(rates):,.0f} simulations a second ({min(rates):,.0f} to {max(rates):,.0f})"
    return f"{game.edition:9} {rate}; {scratch().nodes.nbytes / 1e6:.0f} MB of nodes at most"


def matches(asked: argparse.Namespace, game: Madness) -> list[tuple[str, Player, Player]]:
    """What is to be played: its name, and the two players."""
    n, net = asked.simulations, searching(game, asked.simulations)
    if asked.what == "learned":
        seconds = asked.ms / 1000
        signs = searching_for(game, seconds, former)
        return [(f"nets against signs, {asked.ms:g} ms", searching_for(game, seconds, as_it_is), signs)]
    if asked.what == "alone":
        return [
            ("the policy alone against 150 simulations", searching(game, 1), searching(game, 150, former))
        ]
    if asked.what == "nets":
        other = searching(game, n, with_nets(asked.other))
        return [(f"against {asked.other}, {n:,} simulations", net, other)]
    if asked.what == "hands":
        return [(f"hands weighed, {n:,} simulations", net, searching(game, n, all_alike))]
    if asked.what == "more":
        return [(f"{10 * n:,} simulations against {n:,}", searching(game, 10 * n), net)]
    if asked.what == "sparring":
        return [
            (f"against determinised search, {name}", net, determinised(game, n, change))
            for name, change in (("plain", plain), ("with all that was learned", as_it_is))
        ]
    signs = searching(game, n, former)
    return [(name, searching(game, n, without_nets(change)), signs) for name, change in VARIANTS.items()]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument(
        "what", choices=["speed", "learned", "alone", "nets", "hands", "more", "variants", "sparring"]
    )
    arguments.add_argument("--edition", choices=["standard", "classic"], default="standard")
    arguments.add_argument("--games", type=int, default=400)
    arguments.add_argument("--simulations", type=int, default=SIMULATIONS)
    arguments.add_argument("--ms", type=float, default=10.0, help="of `learned`: milliseconds a move")
    arguments.add_argument("--other", type=Path, help="of `nets`: another file of nets")
    arguments.add_argument("--deals", default="contest", help="the seed of the deals")
    asked = arguments.parse_args()
    game = Madness(edition=asked.edition)
    if asked.what == "speed":
        print(speed(game))
        return
    for name, *players in matches(asked, game):
        print(match(name, game, players, asked.games, asked.deals), flush=True)


if __name__ == "__main__":
    main()
