"""First games: set positions and a line of moves for both seats in each, made by the real rules.

A lesson is a file of moves and sentences, in one or more parts. Nothing in it says what the moves do: the
views and events of its steps come from a `Match`, so a lesson cannot teach what the rules do not bear out.
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
    """The steps of all parts, each as the table stands before its move; the last of a part shows its end."""
    written = script(game)
    return {
        "game": game,
        "names": [Words(lang)("lesson.you"), Words(lang)("level.7")],
        "parts": [part["title"][lang] for part in written["part"]],
        "deck": written.get("deck"),
        "steps": [
            {"part": number, **step}
            for number, part in enumerate(written["part"])
            for step in steps(part, lang)
        ],
    }


def steps(part: Json, lang: str) -> Iterator[Json]:
    """`told` is about what just happened, `say` about what comes now: the move that is wanted.

    Without one the learner reads and goes on; where nothing is said either, the next step follows by itself.
    """
    match, seen, then = Match.from_position(part["position"]), 0, None
    for entry in [*part["step"], {"say": part["end"]}]:
        want = entry.get("you")
        yield {
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
