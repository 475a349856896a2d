"""Where puzzles come from: games that bots play with each other, looked through table by table.

Everything follows from the number of games and the seed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from coyote.analysis.duel.puzzle import find_in_duel
from coyote.analysis.madness import lessons, luck
from coyote.analysis.madness.fate import scratch
from coyote.analysis.madness.puzzle import Found, Turn, find_best, is_solved_by
from coyote.bots.madness.ending import step
from coyote.bots.madness.mind import MadnessMind
from coyote.bots.madness.mind import scratch as search_scratch
from coyote.bots.minds import mind_of
from coyote.games.duel.decks import ready_decks
from coyote.games.duel.game import Duel
from coyote.games.game import Chance, Game, Json, Record, Words64
from coyote.games.madness.actions import MOST_LEGAL
from coyote.games.madness.game import Madness
from coyote.games.madness.rules import deal, decider
from coyote.games.madness.state import MAIN, STATE
from coyote.kernel.chance import game_words
from coyote.kernel.dice import roll
from coyote.kernel.events import silent_log
from coyote.questions import Budget, Question
from coyote.seeds import seed_from, seed_words

SHORT = Budget(simulations=150)  # of a search that finds what is of the second level
PER_GAME = 1  # puzzles of one game, of win and save, and of best: those that follow each other are much alike
SEARCHED = 5  # times as many games of a short search, which come to an empty deck more often
AT_ONCE = 250  # of them
FEW_LEFT, FEW_HELD = 2, 3  # cards of the deck and of a hand, where a table is small enough to be solved
TABLES_KNOWN = 20_000  # a table that needs more is left


@dataclass(frozen=True)
class Mined:
    """A puzzle without its number."""

    kind: str
    level: int
    position: str
    seat: int
    solution: str
    refutes: dict[str, str]
    checked: int
    proof: Json | None = None

    def as_json(self) -> Json:
        return {key: value for key, value in self.__dict__.items() if value is not None}


def mined(game: Game, table: Record, seat: int, found: Found, level: int) -> Mined:
    return Mined(
        found.kind, level, game.position(table), seat, found.solution, found.refutes, found.checked,
        found.proof,
    )  # fmt: skip


# ---------------------------------------------------------------- Madness


def from_madness(edition: str) -> Callable[[int, str], Iterator[Mined]]:
    def mine(games: int, seed: str) -> Iterator[Mined]:
        game = Madness(edition=edition)
        source = seed_words(seed_from(f"{seed} {edition}"))
        for number in range(games):
            tables = by_thumb(game, source, number)
            yield from islice((one for table in reversed(tables) for one in at_table(game, table)), PER_GAME)
        for tables in by_search(game, source, SEARCHED * games):
            yield from islice((one for table in tables for one in at_small_table(game, table)), PER_GAME)

    return mine


def by_thumb(game: Madness, source: Words64, number: int) -> list[Record]:
    """The tables of a game by rules of thumb where a main action is due."""
    x = scratch()
    table = x.table[0]
    game_words(source, number, x.words, x.dice)
    deal(table, game.row, x.words)
    n = luck.play_by_thumb(table, x.views, game.row, x.log, x.dice, x.thoughts, x.room.moves, x.tables)
    actions = x.room.moves[:n].tolist()
    deal(table, game.row, x.words)
    tables = []
    for action in actions:
        if int(table.phase) == MAIN:
            tables.append(table.copy())
        step(table, game.row, x.log, decider(table), action)
    return tables


def by_search(game: Madness, source: Words64, games: int) -> Iterator[list[Record]]:
    """The same, game by game, of a short search with itself."""
    mind, x, y = mind_of(game), search_scratch(), scratch()
    assert isinstance(mind, MadnessMind)
    room = lessons.LONGEST + 130 * AT_ONCE
    played, told = np.zeros(room, STATE), np.zeros(room, lessons.LESSON)
    moves, simulations = np.zeros(MOST_LEGAL, np.int16), np.full(2, 32)
    for first in range(0, games, AT_ONCE):
        n = lessons.play_lessons(
            y.table, y.views, game.row, mind.manner, mind.nets, x.nodes, x.work, x.world, x.log, moves,
            source, y.words, y.dice, first, AT_ONCE, simulations, played, told,
        )  # fmt: skip
        for number in np.unique(told["game"][:n]):
            own = (told["game"][:n] == number) & (played["phase"][:n] == MAIN)
            yield [table.copy() for table in played[:n][own]]


def at_table(game: Madness, table: Record) -> Iterator[Mined]:
    """What a lead makes likely is looked for: to win, or not to lose."""
    seat, goal = int(decider(table)), int(game.row.goal)
    ahead = int(table.lead) if seat == 0 else -int(table.lead)
    kinds = (("win", ahead >= goal - 3), ("save", -ahead >= goal - 2))
    if int(table.turn) < 3 or int(table.held[1 - seat]) == 0:
        return
    for kind, likely in kinds:
        if likely and (found := Turn(game, game.view(table, seat), seat).find(kind)):
            yield mined(game, table, seat, found, level_of(game, table, seat, found))


def at_small_table(game: Madness, table: Record) -> Iterator[Mined]:
    """The best answer against every hand, each line played to its end."""
    seat = int(decider(table))
    mine, theirs = int(table.held[seat]), int(table.held[1 - seat])
    if 0 < int(table.left) <= FEW_LEFT and 0 < mine <= FEW_HELD and 0 < theirs <= FEW_HELD:
        found = find_best(game, game.view(table, seat), seat, TABLES_KNOWN)
        if found is not None:
            yield mined(game, table, seat, found, level_of(game, table, seat, found))


def level_of(game: Madness, table: Record, seat: int, found: Found) -> int:
    """1: rules of thumb find it, 2: a short search does, 3: neither."""
    view, mind = game.view(table, seat), mind_of(game)
    question = Question(view, seat, game.legal(table, seat))
    dice = seed_words(seed_from("level"))
    if is_solved_by(game, view, seat, game.move_text(mind.thumb(question, dice).action), found.solution):
        return 1
    answer = mind.search(question, dice, SHORT).action
    return 2 if is_solved_by(game, view, seat, game.move_text(answer), found.solution) else 3


# ---------------------------------------------------------------- the duel


def from_duel(games: int, seed: str) -> Iterator[Mined]:
    """Lists lie open (D26), so that it is known what the other could hold."""
    options: dict[str, Any] = {"open-lists": "yes"}
    game = Duel(**options)
    names = list(ready_decks())
    source, log = seed_words(seed_from(f"{seed} duel")), silent_log(game.EVENTS)
    words, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    for number in range(games):
        game_words(source, number, words, dice)
        pair = [names[int(roll(dice, seat, len(names)))] for seat in range(2)]
        table = game.deal(game.settle(pair), words, log)
        yield from islice(in_duel(game, table, dice, log), PER_GAME)


def in_duel(game: Duel, table: Record, dice: Record, log: Record) -> Iterator[Mined]:
    mind = mind_of(game)
    while game.actors(table):
        for seat in range(2):
            if found := find_in_duel(game, table, seat):
                question = Question(game.view(table, seat), seat, game.legal(table, seat))
                easy = game.move_text(mind.thumb(question, dice).action) == found.solution
                yield mined(game, table, seat, found, 1 if easy else 2)
        for seat in range(2):
            question = Question(game.view(table, seat), seat, game.legal(table, seat))
            action = mind.thumb(question, dice).action
            game.act(table, seat, action, log, Chance())


MINERS: dict[str, Callable[[int, str], Iterator[Mined]]] = {
    "madness-standard": from_madness("standard"),
    "madness-classic": from_madness("classic"),
    "duel": from_duel,
}
