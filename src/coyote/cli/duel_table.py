"""The duel's table drawn with characters, from a view: it can show no more than the view has."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from coyote.games.duel.game import Duel
from coyote.games.duel.language import ACTIONS, POINTS, Look, Program
from coyote.games.game import Json
from coyote.text import Words, game_title

BAR = 40  # characters for full health
STYLES = {
    Look.ATTACK: "red",
    Look.HEAL: "green",
    Look.BLOCK: "blue",
    Look.DRAW: "yellow",
    Look.STRIP: "magenta",
}


class DuelTable:
    """Draws views for one watcher; `names` are the players as the watcher calls them."""

    def __init__(self, words: Words, names: Sequence[str], game: Duel) -> None:
        self.words, self.names, self.game = words, names, game
        self.lang = "ru" if words.lang == "ru" else "en"

    def draw(self, view: Json, hands: Sequence[Sequence[str]] | None = None) -> RenderableType:
        """The table seen from the view's seat, at the bottom; `hands` shows both (an open replay)."""
        near = max(view["seat"], 0)
        parts: list[RenderableType] = [self._title(view)]
        for seat in (1 - near, near):
            parts += [self._player(view, seat), *self._in_play(view, seat)]
            if hands:
                parts.append(self._hand(hands[seat], numbered=False))
        if not hands and view["hand"]:
            parts.append(self._hand(view["hand"], numbered=not view["over"]))
        return Group(*parts)

    def _title(self, view: Json) -> Text:
        game, name = game_title(self.game, self.words.lang), self.game.card_set.name
        return Text(self.words("duel.table.title", game=game, set=name, turn=view["turn"]), "bold")

    def _player(self, view: Json, seat: int) -> Group:
        sizes = {"hand": view["held"][seat], "deck": view["deck"][seat], "number": view["deck_number"][seat]}
        piles = self.words("duel.table.piles", **sizes, discard=len(view["discard"][seat]))
        health, most = view["health"][seat], view["max"][seat]
        name = self.names[seat].ljust(max(map(len, self.names)))
        lines = [
            Text.assemble((name, "bold cyan"), "  ", bar(health, most, view["full"]), f" {health}/{most}"),
            Text(f"  {piles}", "dim"),
        ]
        if view["aside"][seat]:
            cards = ", ".join(self._name(card) for card in view["aside"][seat])
            lines.append(Text(f"  {self.words('duel.table.aside', cards=cards)}", "dim"))
        return Group(*lines)

    def _in_play(self, view: Json, seat: int) -> list[RenderableType]:
        """Cards that work on, with how long."""
        rows = []
        for (card_id, _), (_, turns) in zip(view["play"][seat], view["due"][seat], strict=True):
            program, left = self._program(card_id), turns - 1
            count = (
                self.words("duel.table.turns_left", n=left) if left else self.words("duel.table.last_turn")
            )
            rows.append(
                (Text(self._name(card_id), style_of(program)), self._text(card_id), Text(count, "dim"))
            )
        if not rows:
            return []
        grid = Table.grid(padding=(0, 2))
        for row in rows:
            grid.add_row(Text(f"  {self.words('duel.table.in_play')}:", "dim"), *row)
        return [grid]

    def _hand(self, cards: Sequence[str], numbered: bool) -> Padding:
        """The hand with numbers to choose by: 1 is to hold, as in the list of moves."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(justify="right")
        if numbered:
            grid.add_row("1", Text(self.words("duel.table.hold"), "dim"), "", "")
        for number, card_id in enumerate(dict.fromkeys(cards), 2):
            copies = f" ×{cards.count(card_id)}" if cards.count(card_id) > 1 else ""
            title = Text(self._name(card_id) + copies, f"bold {style_of(self._program(card_id))}")
            gem = "◆ " if self.game.card_set.by_id[card_id].rarity == "rare" else "  "
            grid.add_row(str(number) if numbered else "", gem + card_id, title, self._text(card_id))
        return Padding(grid, (1, 0, 0, 0))

    def _program(self, card_id: str) -> Program:
        return self.game.card_set.by_id[card_id].program

    def _name(self, card_id: str) -> str:
        return self.game.title(card_id, self.lang)

    def _text(self, card_id: str) -> str:
        return self.game.card_set.by_id[card_id].text("ru" if self.lang == "ru" else "en")


def style_of(program: Program) -> str:
    """A card's colour is that of what it does first; blows, cures and shields before the rest."""
    first = next((effect for effect in program.effects if effect.action in POINTS), program.effects[0])
    return STYLES[ACTIONS[first.action].look]


def bar(health: int, most: int, full: int) -> Text:
    """Health, what is missing of it, and what the maximum has lost, of what there was to begin with."""
    here = max(0, min(BAR, round(BAR * health / full)))
    missing = max(0, min(BAR, round(BAR * most / full)) - here)
    style = "green" if 2 * health > full else "yellow" if 4 * health > full else "red"
    return Text.assemble(("█" * here, style), ("░" * missing, "dim"), (" " * (BAR - here - missing), ""))
