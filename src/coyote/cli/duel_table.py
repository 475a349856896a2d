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

BAR, SMALL_BAR = 40, 12  # characters for full health
LONGEST_NAME = 14  # on a small table
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

    def draw(self, view: Json, hands: Sequence[Sequence[str]] | None = None, size: int = 0) -> RenderableType:
        """The table seen from the view's seat, at the bottom; `hands` shows both (an open replay).
        Of the sizes 1 has one line for everything but the cards in hand, and 2 for those too."""
        near = max(view["seat"], 0)
        if size:
            return self._small(view, near, hands, whole_texts=size == 1)
        parts: list[RenderableType] = [self._title(view)]
        for seat in (1 - near, near):
            parts += [self._player(view, seat), *self._in_play(view, seat)]
            if hands:
                parts.append(self._hand(hands[seat], numbered=False))
        if not hands and view["hand"]:
            parts.append(self._hand(view["hand"], numbered=not view["over"]))
        return Group(*parts)

    def _small(
        self, view: Json, near: int, hands: Sequence[Sequence[str]] | None, whole_texts: bool
    ) -> RenderableType:
        parts: list[RenderableType] = [self._title(view)]
        for seat in (1 - near, near):
            parts += [self._small_player(view, seat), *self._small_in_play(view, seat)]
            if hands:
                parts.append(one_line(Text(f"  {', '.join(map(self._name, hands[seat]))}")))
        if not hands and view["hand"]:
            parts.append(self._small_hand(view["hand"], not view["over"], whole_texts))
        return Group(*parts)

    def _small_player(self, view: Json, seat: int) -> Text:
        names = [name[:LONGEST_NAME] for name in self.names]
        health, most = view["health"][seat], view["max"][seat]
        return one_line(
            Text.assemble(
                (names[seat].ljust(max(map(len, names))), "bold cyan"), " ",
                bar(health, most, view["full"], SMALL_BAR), f" {health}/{most}  ",
                (self._piles(view, seat), "dim"),
            )
        )  # fmt: skip

    def _small_in_play(self, view: Json, seat: int) -> list[RenderableType]:
        working = [
            Text.assemble((self._name(card), style_of(self._program(card))), f" ({self._left(turns)})")
            for (card, _), (_, turns) in zip(view["play"][seat], view["due"][seat], strict=True)
        ]
        lines = []
        if working:
            lines.append(Text(f"  {self.words('duel.table.in_play')}: ") + Text(", ").join(working))
        if view["aside"][seat]:
            lines.append(Text(f"  {self._aside(view, seat)}", "dim"))
        return [one_line(line) for line in lines]

    def _small_hand(self, cards: Sequence[str], numbered: bool, whole_texts: bool) -> Table:
        grid = Table.grid(padding=(0, 2), expand=True)
        grid.add_column(justify="right", width=2)
        grid.add_column(no_wrap=True)
        grid.add_column(ratio=1, no_wrap=not whole_texts, overflow="ellipsis")
        if numbered:
            grid.add_row("1", Text(self.words("duel.table.hold"), "dim"), "")
        for number, card_id in enumerate(dict.fromkeys(cards), 2):
            grid.add_row(str(number) if numbered else "", self._card(cards, card_id), self._text(card_id))
        return grid

    def _title(self, view: Json) -> Text:
        game, name = game_title(self.game, self.words.lang), self.game.card_set.name
        return Text(self.words("duel.table.title", game=game, set=name, turn=view["turn"]), "bold")

    def _player(self, view: Json, seat: int) -> Group:
        health, most = view["health"][seat], view["max"][seat]
        name = self.names[seat].ljust(max(map(len, self.names)))
        lines = [
            Text.assemble((name, "bold cyan"), "  ", bar(health, most, view["full"]), f" {health}/{most}"),
            Text(f"  {self._piles(view, seat)}", "dim"),
        ]
        if view["aside"][seat]:
            lines.append(Text(f"  {self._aside(view, seat)}", "dim"))
        return Group(*lines)

    def _piles(self, view: Json, seat: int) -> str:
        sizes = {"hand": view["held"][seat], "deck": view["deck"][seat], "number": view["deck_number"][seat]}
        return self.words("duel.table.piles", **sizes, discard=len(view["discard"][seat]))

    def _aside(self, view: Json, seat: int) -> str:
        return self.words("duel.table.aside", cards=", ".join(map(self._name, view["aside"][seat])))

    def _left(self, turns: int) -> str:
        """How long a card in play works on."""
        left = turns - 1
        return self.words("duel.table.turns_left", n=left) if left else self.words("duel.table.last_turn")

    def _card(self, cards: Sequence[str], card_id: str) -> Text:
        """Its name, and how many of it there are in the hand."""
        copies = f" ×{cards.count(card_id)}" if cards.count(card_id) > 1 else ""
        return Text(self._name(card_id) + copies, f"bold {style_of(self._program(card_id))}")

    def _in_play(self, view: Json, seat: int) -> list[RenderableType]:
        """Cards that work on, with how long."""
        rows = []
        for (card_id, _), (_, turns) in zip(view["play"][seat], view["due"][seat], strict=True):
            name = Text(self._name(card_id), style_of(self._program(card_id)))
            rows.append((name, self._text(card_id), Text(self._left(turns), "dim")))
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
            title = self._card(cards, card_id)
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


def one_line(text: Text) -> Text:
    """Cut where the line ends."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def bar(health: int, most: int, full: int, length: int = BAR) -> Text:
    """Health, what is missing of it, and what the maximum has lost, of what there was to begin with."""
    here = max(0, min(length, round(length * health / full)))
    missing = max(0, min(length, round(length * most / full)) - here)
    style = "green" if 2 * health > full else "yellow" if 4 * health > full else "red"
    return Text.assemble(("█" * here, style), ("░" * missing, "dim"), (" " * (length - here - missing), ""))
