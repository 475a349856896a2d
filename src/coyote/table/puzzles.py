"""Puzzles: tables on which one move does what is asked for; one for every day, and all of them by level."""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from coyote.analysis import puzzles
from coyote.analysis.puzzles import FILES, Puzzle
from coyote.bots.hints import move_words
from coyote.games.game import Json
from coyote.table.bodies import Strict
from coyote.table.limits import Denied
from coyote.text import LANGUAGES, Lang, Words, titles

router = APIRouter()
PuzzleId = Annotated[str, Path(max_length=40, pattern=r"^[a-z0-9-]+$")]
Both = dict[Lang, str]


class PuzzleListed(BaseModel):
    id: str
    kind: str
    level: int


class PuzzleFile(BaseModel):
    """The puzzles of a game or an edition, the easy ones first; `today` is the one of this day."""

    name: str
    title: Both
    today: str
    puzzles: list[PuzzleListed]


class PuzzleFiles(BaseModel):
    files: list[PuzzleFile]


class PuzzleShown(BaseModel):
    """What the one who solves it may know. `words`: what each legal move is called.

    `checked`: how many cards or hands the proof has gone through.
    """

    id: str
    file: str
    game: str
    kind: str
    level: int
    seat: int
    view: Json
    legal: list[str]
    words: dict[str, Both]
    names: list[str]
    asked: Both
    checked: int
    next: str | None


class PuzzleMove(Strict):
    move: str = Field(max_length=60)


class HandsProof(BaseModel):
    """Every hand that they could have, and by move the chance to win against each of them."""

    hands: list[str]
    moves: dict[str, list[float]]


class PuzzleAnswer(BaseModel):
    """Whether the move solves it; if not, the reply or the hand by which it fails, "" where none is needed.
    `proof` comes with the solution, where it is a table of hands."""

    right: bool
    refuted_by: str | None
    text: Both
    solution: str | None
    proof: HandsProof | None


@router.get("/api/puzzles")
def listed() -> PuzzleFiles:
    day = datetime.now(UTC).date()
    return PuzzleFiles(
        files=[
            PuzzleFile(
                name=name,
                title=titles(found[0].match().game),
                today=puzzles.of_day(name, day).id,
                puzzles=[PuzzleListed(id=one.id, kind=one.kind, level=one.level) for one in found],
            )
            for name in FILES
            if (found := puzzles.read_file(name))
        ]
    )


@router.get("/api/puzzles/{id}")
def shown(id: PuzzleId) -> PuzzleShown:
    puzzle = find(id)
    match = puzzle.match()
    legal = match.legal(puzzle.seat)
    ids = [one.id for one in puzzles.read_file(puzzle.file)]
    following = ids[ids.index(puzzle.id) + 1 :]
    return PuzzleShown(
        id=puzzle.id,
        file=puzzle.file,
        game=match.game.name,
        kind=puzzle.kind,
        level=puzzle.level,
        seat=puzzle.seat,
        view=match.view_json(puzzle.seat),
        legal=legal,
        words={
            move: {lang: move_words(match.game, move, Words(lang)) for lang in LANGUAGES} for move in legal
        },
        names=["", ""],
        asked=said(f"analysis.puzzle.{match.game.name}.{puzzle.kind}"),
        checked=puzzle.checked,
        next=following[0] if following else None,
    )


@router.post("/api/puzzles/{id}")
def tried(id: PuzzleId, asked: PuzzleMove) -> PuzzleAnswer:
    """Whether a move solves it, and if not, what refutes it."""
    puzzle = find(id)
    match = puzzle.match()
    if refusal := match.refuses(asked.move, puzzle.seat):
        raise Denied(422, refusal)
    found = puzzles.judge(puzzle, asked.move)
    right = found["right"]
    return PuzzleAnswer(
        **found,
        text=verdict(puzzle, found),
        solution=puzzle.solution if right else None,
        proof=HandsProof(**puzzle.proof) if right and puzzle.proof else None,
    )


def find(id: str) -> Puzzle:
    puzzle = puzzles.find(id)
    if puzzle is None:
        raise Denied(404, "room.no_puzzle")
    return puzzle


def verdict(puzzle: Puzzle, found: Json) -> Both:
    if found["right"]:
        key = "analysis.puzzle.right_best" if puzzle.kind == "best" else "analysis.puzzle.right"
        return said(key, n=puzzle.checked)
    if not found["refuted_by"]:
        return said(f"analysis.puzzle.at_once_{puzzle.kind}")
    if puzzle.kind == "best":
        return said("analysis.puzzle.worse", hand=found["refuted_by"])
    game = puzzle.match().game
    replies = {lang: move_words(game, found["refuted_by"], Words(lang), "reply") for lang in LANGUAGES}
    return {lang: Words(lang)("analysis.puzzle.refuted", reply=replies[lang]) for lang in LANGUAGES}


def said(key: str, **slots: Any) -> Both:
    return {lang: Words(lang)(key, **slots) for lang in LANGUAGES}
