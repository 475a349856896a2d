"""The numbers of the duel's bots: simulations a second, and how the bots do against each other.

    python benchmarks/bots_duel.py speed
    python benchmarks/bots_duel.py match search:1000 greedy --decks ready --deals 10 --first 100
    python benchmarks/bots_duel.py match search:100ms former:100ms --decks new --deals 50

Every deal is played twice, with the seats changed, and both players have the same deck. `knowing:1000` is
a search that is shown the other's deck list, for comparison with one that must guess it; `former:1000` judges
without the net, as the search did before there was one. Time is that of the thread, so that it is the same
for both on a busy machine. With `--decks new` each deal has a set of cards that nobody has seen. Settings
were tried out on the deals from number 0 on, so strength is measured on those from number 100 on.
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

from coyote.bots.duel.course import new_set
from coyote.bots.duel.mind import DuelMind, Learned
from coyote.bots.names import read_budget
from coyote.bots.seed import dice_for
from coyote.games.duel.decks import random_deck, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.game import Chance, Setup
from coyote.kernel.dice import roll
from coyote.kernel.events import silent_log
from coyote.questions import Budget, Question
from coyote.seeds import seed_from, seed_words

Player = Callable[[Question, Any], int]
ROUNDS = 7
VIEWS = 40
GAME = Duel()


@dataclass(frozen=True)
class Deal:
    name: str
    game: Duel
    setup: Setup


def player(name: str, game: Duel, **settings: Any) -> Player:
    """`random`, `greedy`, `search:1000`, `search:100ms`; settings change a search for comparisons."""
    kind, _, rest = name.partition(":")
    if kind == "random":
        return lambda question, dice: question.legal[int(roll(dice, np.int64(0), len(question.legal)))]
    mind = DuelMind(game, Learned({}) if kind == "former" else None)
    mind.clock = time.thread_time
    for key, value in settings.items():
        assert hasattr(mind, key), key
        setattr(mind, key, value)
    if kind == "greedy":
        return lambda question, dice: mind.thumb(question, dice).action
    budget = read_budget(rest)
    return lambda question, dice: mind.search(question, dice, budget).action


def play(deal: Deal, players: list[Player], knowing: list[bool]) -> float:
    """What seat 0 gets: 1, 0, or a half for a draw."""
    game = deal.game
    s = game.deal(deal.setup, seed_words(seed_from(deal.name)))
    log = silent_log(game.EVENTS)
    while game.actors(s):
        moves = []
        for seat in range(2):
            question = question_for(game, s, seat, knowing[seat])
            moves.append(players[seat](question, dice_for(f"{deal.name} {seat}", question)))
        for seat, move in enumerate(moves):
            game.act(s, seat, move, log, Chance())
    result = game.result(s)
    assert result is not None
    return 0.5 if result.winner is None else 1.0 - result.winner


def question_for(game: Duel, s: Any, seat: int, knowing: bool = False) -> Question:
    """What the seat is asked; one that knows the lists sees the table as if they lay open."""
    view = (with_open_lists(game) if knowing else game).view(s, seat)
    return Question(view, seat, game.legal(s, seat))


@cache
def with_open_lists(game: Duel) -> Duel:
    options: Any = {"open-lists": "yes"}
    return Duel(card_set=game.card_set, **options)


def deals_of(decks: str, deals: int, first: int = 0) -> Iterator[Deal]:
    """Named deals, and the decks that each is played with."""
    for number in range(first, first + deals):
        if decks == "ready":
            for name in ready_decks():
                yield Deal(f"{name} {number}", GAME, GAME.settle((name, name)))
            continue
        rng = Random(f"bots {number}" if decks == "random" else f"never seen {number}")
        game = GAME if decks == "random" else Duel(card_set=new_set(rng))
        deck = random_deck(game.card_set, rng)
        yield Deal(f"{decks} {number}", game, game.settle((deck, deck)))


def match(
    names: list[str], decks: str, deals: int, first: int = 0, settings: tuple[dict[str, Any], ...] = ({}, {})
) -> str:
    """What the first of two players gets of all games, with the standard error of it."""
    knowing = [name.startswith("knowing") for name in names]
    pairs: list[float] = []
    for deal in deals_of(decks, deals, first):
        players = [player(name, deal.game, **changed) for name, changed in zip(names, settings, strict=True)]
        won = play(deal, players, knowing)
        lost = play(deal, players[::-1], knowing[::-1])
        pairs.append((won + 1 - lost) / 2)
    share, error = statistics.mean(pairs), statistics.stdev(pairs) / math.sqrt(len(pairs))
    result = f"{2 * len(pairs):5} games  {100 * share:5.1f} % ± {100 * error:.1f}"
    return f"{names[0]:14} {names[1]:14} {decks:7} {result}"


def views() -> Iterator[Question]:
    """Questions from the middle of games of the rules of thumb."""
    greedy = player("greedy", GAME)
    for deal in deals_of("ready", VIEWS // 10):
        s, log = GAME.deal(deal.setup, seed_words(seed_from(deal.name))), silent_log(GAME.EVENTS)
        asked: list[Question] = []
        while GAME.actors(s):
            both = [question_for(GAME, s, seat) for seat in range(2)]
            asked.append(both[len(asked) % 2])
            for question in both:
                GAME.act(s, question.seat, greedy(question, dice_for(deal.name, question)), log, Chance())
        yield asked[len(asked) // 2]


def speed(simulations: int = 1000) -> str:
    """Simulations a second from the middle of games, with so many a move."""
    mind = DuelMind(GAME)
    asked = [question for question in views() if len(question.legal) > 1]
    mind.search(asked[0], dice_for("warm", asked[0]), Budget(simulations=10))
    rates = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        for question in asked:
            mind.search(question, dice_for("speed", question), Budget(simulations=simulations))
        rates.append(simulations * len(asked) / (time.thread_time() - start))
    return f"{statistics.median(rates):,.0f} simulations a second ({min(rates):,.0f} to {max(rates):,.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("speed", "match"))
    parser.add_argument("players", nargs="*", default=[])
    parser.add_argument("--decks", choices=("ready", "random", "new"), default="ready")
    parser.add_argument("--deals", type=int, default=10, help="for each ready deck, or in all")
    parser.add_argument("--first", type=int, default=100, help="number of the first deal")
    given = parser.parse_args()
    if given.what == "speed":
        print(speed())
    else:
        print(match(given.players, given.decks, given.deals, given.first))


if __name__ == "__main__":
    main()
