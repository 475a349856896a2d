"""Judging puzzles of the duel."""

from coyote.analysis.duel.puzzle import find
from coyote.analysis.puzzles import Puzzle
from coyote.games.duel.game import Duel
from coyote.games.game import Game, Record


class DuelJudge:
    def stands_for(self, game: Game, view: Record, move: str, moves: list[str]) -> str:
        return move

    def prove(self, puzzle: Puzzle) -> bool:
        match = puzzle.match()
        assert isinstance(match.game, Duel)
        found = find(match.game, match.table(), puzzle.seat, puzzle.kind)
        return found is not None and (found.solution, found.refutes) == (puzzle.solution, puzzle.refutes)
