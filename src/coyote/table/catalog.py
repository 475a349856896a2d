"""What can be played here, with every house rule (M25, D26): the pages are drawn from it."""

from functools import cache
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from coyote.games.game import Game
from coyote.games.options import Option
from coyote.games.registry import GAMES
from coyote.table.pages import KINDS, Served
from coyote.table.parts import PARTS
from coyote.text import LANGUAGES, Lang, Words

Both = dict[Lang, str]

router = APIRouter()


class EditionShown(BaseModel):
    name: str
    title: Both


class OptionShown(BaseModel):
    """`values` are the editions' own, by their names; a game without editions has one without a name."""

    name: str
    rule: str
    kind: Literal["number", "choice"]
    least: int | None
    most: int | None
    choices: list[str]
    values: dict[str, int | str]
    title: Both
    about: Both
    choice_titles: dict[str, Both]


class GameShown(BaseModel):
    name: str
    title: Both
    letter: str = Field(description="that the numbers of its rules begin with")
    editions: list[EditionShown]
    options: list[OptionShown]
    needs_decks: bool
    own_sets: bool = Field(description="whether guests may bring cards of their own")
    lot: bool = Field(description="whether it matters who begins")
    rulebook: bool
    lesson: bool
    judge: bool = Field(description="whether a game of it with real cards can be judged")


class Catalog(BaseModel):
    games: list[GameShown]


@router.get("/api/games", response_model=Catalog)
async def games(request: Request) -> Response:
    """What can be played here, and what may be changed about it. Every page asks for it: browsers keep it."""
    return served(tuple(GAMES.values())).answer(request)


@cache
def served(kinds: tuple[type[Game], ...]) -> Served:
    return Served.of(catalog(kinds).model_dump_json().encode(), KINDS["json"])


@cache
def catalog(kinds: tuple[type[Game], ...]) -> Catalog:
    return Catalog(games=[game_shown(kind) for kind in kinds])


def both(key: str) -> Both:
    return {lang: Words(lang)(key) for lang in LANGUAGES}


def game_shown(kind: type[Game]) -> GameShown:
    name, part = kind.name, PARTS[kind.name]
    return GameShown(
        name=name,
        title=both(f"{name}.name"),
        letter=kind.LETTER,
        editions=[
            EditionShown(name=edition, title=both(f"{name}.edition.{edition}"))
            for edition in kind.EDITIONS
            if edition
        ],
        options=[option_shown(kind, option) for option in kind.OPTIONS],
        needs_decks=kind.NEEDS_DECKS,
        own_sets=part.own_sets,
        lot=kind.DRAWS_LOT,
        rulebook=part.rulebook,
        lesson=part.lesson,
        judge=part.judge is not None,
    )


def option_shown(kind: type[Game], option: Option) -> OptionShown:
    words = f"{kind.name}.option.{option.name}"
    numbers = option.allowed if isinstance(option.allowed, range) else None
    choices = [] if isinstance(option.allowed, range) else list(option.allowed)
    return OptionShown(
        name=option.name,
        rule=option.rule,
        kind="number" if numbers else "choice",
        least=numbers[0] if numbers else None,
        most=numbers[-1] if numbers else None,
        choices=choices,
        values={edition: values[option.name] for edition, values in kind.EDITIONS.items()},
        title=both(f"{words}.title"),
        about=both(f"{words}.about"),
        choice_titles={choice: both(f"{words}.choice.{choice}") for choice in choices},
    )
