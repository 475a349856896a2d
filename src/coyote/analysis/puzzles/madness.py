"""Judging puzzles of Madness."""

from coyote.analysis.madness import puzzle as rules
from coyote.analysis.madness.solve import MOST_KNOWN
from coyote.analysis.puzzles import Puzzle
from coyote.games.game import Game, Record
from coyote.games.madness.game import Madness


class MadnessJudge:
    def stands_for(self, game: Game, view: Record, move: str, moves: list[str]) -> str:
        assert isinstance(game, Madness)
        return rules.stands_for(game, view, move, moves)

    def prove(self, puzzle: Puzzle) -> bool:
        match = puzzle.match()
        game, view = match.game, match.view(puzzle.seat)
        assert isinstance(game, Madness)
        if puzzle.kind == "best":
            found = rules.find_best(game, view, puzzle.seat, MOST_KNOWN)
        else:
            found = rules.Turn(game, view, puzzle.seat).find(puzzle.kind)
        return found is not None and (found.solution, found.refutes, found.proof) == (
            puzzle.solution,
            puzzle.refutes,
            puzzle.proof,
        )
