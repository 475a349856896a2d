"""Puzzles: tables on which one move does what is asked for, with the proof of it.

`tools/make_puzzles.py` mines them from self-played games and proves them; here they are read, and answers are
judged. Every file has a table a line, the easy ones first.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Protocol

from coyote.games.game import Game, Json, Record
from coyote.match import Match

FILES = {"madness-standard": 260, "madness-classic": 259, "duel": 100}  # and how many there are to be


@dataclass(frozen=True)
class Puzzle:
    id: str
    kind: str
    level: int  # 1: rules of thumb find it, 2: a short search does, 3: neither
    position: str
    seat: int
    solution: str
    refutes: dict[str, str]  # by wrong move what it fails by; "" where it fails by itself
    checked: int  # cards or hands of the other that were tried
    proof: Json | None = None  # where it is a table of hands: each of them, and what every move is worth

    @property
    def file(self) -> str:
        return self.id.rpartition("-")[0]

    def match(self) -> Match:
        return Match.from_position(self.position)


class Judge(Protocol):
    """What a game must say of its puzzles."""

    def stands_for(self, game: Game, view: Record, move: str, moves: list[str]) -> str:
        """The one of these moves that comes to the same as a move."""

    def prove(self, puzzle: Puzzle) -> bool:
        """Once more, from the position alone."""


def madness_judge() -> Judge:
    from coyote.analysis.puzzles.madness import MadnessJudge

    return MadnessJudge()


def duel_judge() -> Judge:
    from coyote.analysis.puzzles.duel import DuelJudge

    return DuelJudge()


JUDGES: dict[str, Callable[[], Judge]] = {"madness": madness_judge, "duel": duel_judge}


@cache
def read_file(name: str) -> tuple[Puzzle, ...]:
    text = files(__package__).joinpath(f"{name}.jsonl").read_text(encoding="utf-8")
    return tuple(Puzzle(**json.loads(line)) for line in text.splitlines())


def find(id: str) -> Puzzle | None:
    name = id.rpartition("-")[0]
    return next((one for one in read_file(name) if one.id == id), None) if name in FILES else None


def of_day(name: str, day: date) -> Puzzle:
    """The one of that day: any of the file, the same for everybody."""
    puzzles = read_file(name)
    number = int.from_bytes(sha256(f"{name} {day.isoformat()}".encode()).digest()[:8], "big")
    return puzzles[number % len(puzzles)]


def judge(puzzle: Puzzle, move: str) -> Json:
    """Whether a legal move solves it; if not, by what it fails."""
    match = puzzle.match()
    moves = [puzzle.solution, *puzzle.refutes]
    found = JUDGES[match.game.name]().stands_for(match.game, match.view(puzzle.seat), move, moves)
    if found == puzzle.solution:
        return {"right": True, "refuted_by": None}
    return {"right": False, "refuted_by": puzzle.refutes.get(found, "")}


def prove_again(puzzle: Puzzle) -> bool:
    return JUDGES[puzzle.match().game.name]().prove(puzzle)
