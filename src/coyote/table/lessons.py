"""First games: a set position and a line of moves for both seats, made by the real rules.

A lesson is a file of moves and sentences. Nothing in it says what the moves do: the views and events of
its steps come from a `Match`, so a lesson cannot teach what the rules do not bear out.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.exceptions import HTTPException

from coyote.games.game import Json
from coyote.match import Match
from coyote.table.parts import PARTS
from coyote.text import Lang, Words

LEARNER = 0
GameName = Annotated[str, Path(max_length=40)]

router = APIRouter()


@router.get("/api/lessons/{game}")
def learn(game: GameName, lang: Annotated[Lang, Query()] = "en") -> Json:
    """A first game for somebody who knows nothing: every step with the move that is wanted."""
    if game not in PARTS or not PARTS[game].lesson:
        raise HTTPException(404)
    return lesson(game, lang)


@cache
def script(game: str) -> Json:
    text = resources.files("coyote.table").joinpath("lessons", f"{game}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def lesson(game: str, lang: str) -> Json:
    """The steps, each as the table stands before its move; the last one shows the end."""
    return {
        "game": game,
        "names": [Words(lang)("lesson.you"), Words(lang)("level.5")],
        "steps": list(steps(script(game), lang)),
    }


def steps(written: Json, lang: str) -> Iterator[Json]:
    """`told` is about what just happened, `say` about the move that is wanted now.

    Where `want` is null the other seat moves, and the next step follows by itself.
    """
    match, seen, then = Match.from_position(written["position"]), 0, None
    for entry in [*written["step"], {"say": written["end"]}]:
        want = entry.get("you")
        yield {
            "mover": match.actors[0] if match.actors else None,
            "want": want,
            "view": match.view_json(LEARNER),
            "legal": match.legal(LEARNER) if want else [],
            "events": [event.as_json() for event in match.events(LEARNER, seen)],
            "told": then,
            "say": in_language(entry, "say", lang),
        }
        seen = len(match.rows)
        make(match, entry)
        then = in_language(entry, "then", lang)


def in_language(entry: Json, key: str, lang: str) -> str | None:
    said: str | None = entry.get(key, {}).get(lang)
    return said


def make(match: Match, entry: Json) -> None:
    """In a duel both choose at the same time; in Madness one of the two."""
    for seat, key in enumerate(("you", "they")):
        if key in entry:
            match.play(entry[key], seat)
