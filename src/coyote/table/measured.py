"""What the lab has measured of single house rules (`measured.toml`), for whoever asks what one changes."""

import tomllib
from functools import cache
from importlib import resources

from pydantic import BaseModel

from coyote.games.game import Game, Json

Reach = tuple[float, float]
"""A value and how far its 95 % interval reaches."""
AS_IT_IS = "as-it-is"


class Measured(BaseModel):
    """`option` is null for the edition as it is; shares are percent, `difference` is that of the first seat's
    points against the edition."""

    option: str | None
    value: str
    first: Reach
    difference: Reach | None
    draws: float | None
    turns: float | None


@cache
def tables() -> Json:
    text = resources.files("coyote.table").joinpath("measured.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def measured(game: Game) -> list[Measured]:
    """The edition and each of its changes by itself, as far as they are known; nothing where no change is."""
    known = tables().get(game.name, {}).get(game.edition, {})
    found = [
        row(option, str(value), known[option][str(value)])
        for option, value in game.differences.items()
        if str(value) in known.get(option, {})
    ]
    return [row(None, "", known[AS_IT_IS]), *found] if found else []


def row(option: str | None, value: str, told: Json) -> Measured:
    numbers: Json = {"difference": None, "draws": None, "turns": None, **told}
    return Measured(option=option, value=value, **numbers)
