"""Counts of legal continuations ("perft"): the file format, and counting by the slow reading.

A line of a .perft file:

    SEED TEXT | SIT + SKIP | n1 n2 n3 …

The deal of the seed text; then SIT decisions in which the players only sit there and change a card
(`pass`, and in TUT the first `drop` of the sorted legal list): after 86 of them the deck is empty. Then
SKIP decisions, of which number k (from 1) takes move number k * k mod n of the n moves in the sorted
legal list. From there, n_d is how many ways there are to make d more decisions. A game that is over
has no continuation.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from kit.slow_chance import deck_of
from kit.slow_madness import Field, SlowMadness

FOLDER = Path(__file__).parent.parent / "perft"


@dataclass(frozen=True)
class Count:
    """One line of a file."""

    edition: str
    seed: str
    sit: int
    skip: int
    counts: tuple[int, ...]

    def line(self) -> str:
        return f"{self.seed} | {self.sit} + {self.skip} | {' '.join(map(str, self.counts))}"


def path_of(edition: str) -> Path:
    return FOLDER / f"madness-{edition}.perft"


def read_counts(edition: str) -> Iterator[Count]:
    for line in path_of(edition).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            seed, skip, counts = (part.strip() for part in line.split("|"))
            sit, plus = map(int, skip.split("+"))
            yield Count(edition, seed, sit, plus, tuple(map(int, counts.split())))


def early_move(legal: list[str], sit: int, k: int) -> str:
    """The move of decision k, from 1, on the way to the start of a count."""
    legal = sorted(legal)
    if k <= sit:
        return next(move for move in legal if move == "pass" or move.startswith("drop"))
    return legal[(k - sit) ** 2 % len(legal)]


# ---------------------------------------------------------------- by the slow reading


def clone(game: SlowMadness) -> SlowMadness:
    twin = copy(game)
    twin.deck, twin.discard, twin.boss = list(game.deck), list(game.discard), list(game.boss)
    twin.hands = [list(hand) for hand in game.hands]
    twin.fields = [clone_field(field) for field in game.fields]
    return twin


def clone_field(field: Field) -> Field:
    sides = [list(side) for side in field.sides]
    return Field(sides, field.marker, field.last, field.closed, field.winner)


def slow_start(edition: str, seed: str, sit: int, skip: int) -> SlowMadness:
    game = SlowMadness(edition, deck_of(seed))
    for k in range(1, sit + skip + 1):
        if not game.over:
            game.play(early_move(game.legal(), sit, k))
    return game


def slow_split(game: SlowMadness, depth: int) -> dict[str, int]:
    """How many continuations each legal move has: of `depth` decisions, the move being the first."""
    return {move: slow_count(after(game, move), depth - 1) for move in game.legal()}


def after(game: SlowMadness, move: str) -> SlowMadness:
    twin = clone(game)
    twin.play(move)
    return twin


def slow_count(game: SlowMadness, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.legal())
    return sum(slow_split(game, depth).values())
