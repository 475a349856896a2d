"""A sweep: what becomes of a game when options are varied. Every variant is played on the same deals.

Game number k of the series has the same seed and the same dice in every variant, so much of the luck is
the same too, and differences are known better than the values themselves. At the looks (`stats.looks`),
when all variants have played the same games, it is seen whether all differences are known well enough.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from random import Random

import numpy as np

from coyote.bots.bot import Answer
from coyote.bots.names import SIMULATIONS, make_bot
from coyote.bots.search import USUAL
from coyote.games.game import Game, Json, Setup
from coyote.lab.games import Crew, ask
from coyote.lab.measures import halves, measures, ratio, sums, tally
from coyote.lab.play import play_games
from coyote.lab.series import seated, series, words_of
from coyote.lab.stats import Interval, difference, looks, mean, narrow_enough, ranges
from coyote.lab.variants import base_of, described, made
from coyote.match import Match
from coyote.questions import Budget, Question

Run = Callable[[Callable[[Json], Json], Iterable[Json]], Generator[tuple[Json, Json], None, None]]
Tell = Callable[[str, int, int], None]

WEIGHED_BY = f"search:{USUAL}"
WEIGHED_AT_ONCE = 10
MILLIONTHS = 10**6  # chances of winning as whole numbers


@dataclass(frozen=True)
class Sweep:
    """What is varied, who plays, and how well it shall be known."""

    base: Game
    variants: Sequence[tuple[Game, Setup]]
    bots: Sequence[str]
    seed: str
    most: int  # games of each variant
    within: float | None  # how far the interval of each difference may reach; None: play `most` games
    weighed: int  # decisions of each variant whose moves are weighed

    @property
    def compared_with(self) -> int:
        return base_of(self.base, [game for game, _ in self.variants])

    def ask(self, run: Run, tell: Tell) -> Json:
        tallies = self._play(run, tell)
        weights = self._weigh(run, tell)
        differences = self._differences(tallies)
        found = [
            {
                "options": game.options,
                **measures(game, tallies[number]),
                "difference": differences[number].as_json(),
                **({"matters": matters(weights[number])} if self.weighed else {}),
            }
            for number, (game, _) in enumerate(self.variants)
        ]
        settled = self.within is None or narrow_enough(differences, self.within)
        return {"base": self.compared_with, "settled": settled, "variants": found}

    # ------------------------------------------------------------ playing

    def _play(self, run: Run, tell: Tell) -> list[list[Json]]:
        """The tallies of each variant, piece by piece, until all differences are known well enough."""
        tallies: list[list[Json]] = [[] for _ in self.variants]
        size, wanted, likely = games_at_once(self.bots), set(looks(self.most)), self.most
        with closing(run(play_piece, self._pieces(size))) as pieces:
            for piece, found in pieces:
                tallies[piece["number"]].append(found)
                upto = piece["first"] + piece["n"]
                if piece["number"] == len(self.variants) - 1 and upto in wanted:
                    if self._is_enough(tallies):
                        break
                    likely = self._likely(tallies, upto)
                tell("lab.sweep.playing", min(upto, likely), likely)
        return tallies

    def _pieces(self, size: int) -> Iterator[Json]:
        for first, last in ranges(self.most, size):
            for number in range(len(self.variants)):
                yield {**self._common(number), "first": first, "n": last - first + 1}

    def _common(self, number: int) -> Json:
        variant = described(*self.variants[number])
        return {"number": number, "variant": variant, "bots": list(self.bots), "seed": self.seed}

    def _is_enough(self, tallies: list[list[Json]]) -> bool:
        return self.within is not None and narrow_enough(self._asked(tallies), self.within)

    def _asked(self, tallies: list[list[Json]]) -> list[Interval]:
        """What shall be known so well: the differences; of a single variant the first seat's share."""
        if len(self.variants) == 1:
            return [mean(halves(tallies[0]) / 2)]
        return self._differences(tallies)

    def _differences(self, tallies: list[list[Json]]) -> list[Interval]:
        """Of the first seat's share, to the variant that the others are compared with."""
        shares = [halves(one) / 2 for one in tallies]
        base = self.compared_with
        return [
            Interval(0, 0, 0) if number == base else difference(one, shares[base])
            for number, one in enumerate(shares)
        ]

    def _likely(self, tallies: list[list[Json]], played: int) -> int:
        """How many games it will take, as far as one can see."""
        if self.within is None:
            return self.most
        reach = max(one.reach for one in self._asked(tallies))
        return min(self.most, max(played, round(played * (reach / self.within) ** 2)))

    # ------------------------------------------------------------ weighing

    def _weigh(self, run: Run, tell: Tell) -> list[list[Json]]:
        """For each variant what was found by weighing, piece by piece."""
        weights: list[list[Json]] = [[] for _ in self.variants]
        pieces = [
            {**self._common(number), "first": first, "n": min(WEIGHED_AT_ONCE, self.weighed - first)}
            for first in range(0, self.weighed, WEIGHED_AT_ONCE)
            for number in range(len(self.variants))
        ]
        with closing(run(weigh_piece, pieces)) as found:
            for done, (piece, weight) in enumerate(found, 1):
                weights[piece["number"]].append(weight)
                tell("lab.sweep.weighing", done, len(pieces))
        return weights


def games_at_once(bots: Sequence[str]) -> int:
    """About a quarter of a second's work for one core, by the slower bot's name alone."""
    return min(map(_at_once, bots))


def _at_once(bot: str) -> int:
    kind, _, rest = bot.partition(":")
    if kind in ("random", "greedy"):
        return 4000
    if kind == "search" and (found := SIMULATIONS.fullmatch(rest or str(USUAL))):
        return max(1, 2000 // int(found[1]))
    return 1


def play_piece(piece: Json) -> Json:
    """The task: games of one variant, counted."""
    game, setup = made(piece["variant"])
    rows = play_games(game, setup, piece["bots"], piece["seed"], piece["first"], piece["n"])
    return tally(game, rows)


# ---------------------------------------------------------------- how much choices matter


def weigh_piece(piece: Json) -> Json:
    """The task: from each game one decision with a choice, and what the search thinks of its moves."""
    game, setup = made(piece["variant"])
    seconds, means = [], []
    with closing(Crew()) as crew:
        for number in range(piece["first"], piece["first"] + piece["n"]):
            question = any_question(game, setup, piece["bots"], piece["seed"], number, crew)
            if question and (gaps := weigh(game, question, f"{piece['seed']} {number}")):
                seconds.append(gaps[0])
                means.append(gaps[1])
    one = np.ones(len(seconds), np.int64)
    return {"second": sums(np.array(seconds, np.int64), one), "mean": sums(np.array(means, np.int64), one)}


def any_question(
    game: Game, setup: Setup, bots: Sequence[str], seed: str, number: int, crew: Crew
) -> Question | None:
    """A question of this game of the series, each that leaves a choice as likely as any other."""
    deal, dice = words_of(series(seed), number)
    match, chance = Match(game, setup, seed=deal, players=bots), Random(f"weigh {seed} {number}")
    players, heard = seated(game, bots, dice, crew.programs), [0, 0]
    chosen, met = None, 0
    while actors := match.actors:
        for seat in actors:
            if len(match.legal_actions(seat)) > 1:
                met += 1
                if chance.randrange(met) == 0:
                    chosen = match.question(seat)
            match.play_action(ask(match, seat, players[seat], heard, Budget()), seat)
    return chosen


def weigh(game: Game, question: Question, seed: str) -> tuple[int, int] | None:
    """By how much the best move is better than the second best, and than all on average, in millionths."""
    answer: Answer = make_bot(WEIGHED_BY, game, seed).answer(question)
    chances = sorted(
        (thought.chance for thought in answer.thoughts if thought.chance is not None), reverse=True
    )
    if len(chances) < 2:
        return None
    gaps = chances[0] - chances[1], chances[0] - sum(chances) / len(chances)
    return round(gaps[0] * MILLIONTHS), round(gaps[1] * MILLIONTHS)


def matters(weights: Sequence[Json]) -> Json:
    """How much choices matter: by how much the best move raises the chance of winning."""
    added = {
        name: [sum(column) for column in zip(*(one[name] for one in weights), strict=True)]
        for name in weights[0]
    }
    found: Json = {"decisions": added["second"][0]}
    for name, numbers in added.items():
        known = ratio(numbers)
        found[name] = known and {end: value / MILLIONTHS for end, value in known.items()}
    return found
