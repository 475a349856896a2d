"""What each game has of its own in the terminal, by its name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rich.console import Group, RenderableType
from rich.text import Text

from coyote.cli.duel_table import DuelTable
from coyote.cli.duel_typed import DuelTyping
from coyote.cli.faults import Fault
from coyote.cli.madness_table import MadnessTable
from coyote.cli.madness_typed import MadnessTyping
from coyote.cli.typed import PlainTyping, Typing
from coyote.games.duel.decks import read_deck, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import read_set
from coyote.games.game import Game, Json
from coyote.text import Words, game_title


class Drawing(Protocol):
    def draw(self, view: Json, hands: Sequence[Sequence[str]] | None = None, size: int = 0) -> RenderableType:
        """0 is the largest size; the smallest fits with news and prompt into a small terminal."""


class PlainTable:
    """For a game without a drawing of its own: what the view says, line by line."""

    def __init__(self, words: Words, names: Sequence[str], game: Game) -> None:
        self.words, self.names, self.game = words, names, game

    def draw(self, view: Json, hands: Sequence[Sequence[str]] | None = None, size: int = 0) -> RenderableType:
        shown = {**view, **({"hands": hands} if hands else {})}
        lines = [
            Text(f"{key:>12}  {value}") for key, value in shown.items() if key not in ("game", "options")
        ]
        return Group(Text(game_title(self.game, self.words.lang), "bold"), *lines)


def no_set(name: str) -> Callable[[Path | None], Json]:
    """For a game without cards of one's own."""

    def refuse(set_file: Path | None) -> Json:
        if set_file:
            raise Fault("fault.no_decks", name=name)
        return {}

    return refuse


@dataclass(frozen=True)
class Terminal:
    drawing: Callable[[Words, Sequence[str], Any], Drawing]
    read_set: Callable[[Path | None], Json]  # from a file, as an argument of the game
    typing: Callable[[Words, Any], Typing] = PlainTyping  # how people type its moves
    read_deck: Callable[[Any, str], Any] = lambda game, text: text


def duel_set(set_file: Path | None) -> Json:
    return {"card_set": read_set(set_file)} if set_file else {}


def duel_deck(game: Duel, text: str) -> Any:
    """A file is read here; all other names are the game's own business."""
    if text not in ready_decks() and Path(text).exists():
        return read_deck(text, game.card_set, game.limits)
    return text


TERMINALS = {
    "madness": Terminal(MadnessTable, no_set("madness"), MadnessTyping),
    "duel": Terminal(DuelTable, duel_set, DuelTyping, duel_deck),
}


def typing_for(game: Game, words: Words) -> Typing:
    return TERMINALS[game.name].typing(words, game)


def table_for(game: Game, words: Words, names: Sequence[str]) -> Drawing:
    return TERMINALS[game.name].drawing(words, names, game)
