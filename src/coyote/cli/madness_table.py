"""The Madness table drawn with characters, from a view: it can show no more than the view has."""

from collections.abc import Sequence
from functools import partial

from rich.align import Align
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from coyote.games.game import Json
from coyote.games.madness.game import Madness
from coyote.text import Words, game_title

SUIT_STYLES = {
    "S": "bold",
    "H": "bold red",
    "D": "bold blue",
    "C": "bold green",
    "1": "bold magenta",
    "2": "bold magenta",
}
WIDTH = 78
NARROW, WIDE, SMALL = 6, 8, 6  # a card's box, with the space beside it; a card without one
LONGEST_NAME = 16  # on a small table
FIELD, SLIM_FIELD = 18, 15  # four fields have to be slim
SLIM_FROM = 4


class MadnessTable:
    """Draws views for one watcher; `names` are the players as the watcher calls them."""

    def __init__(self, words: Words, names: Sequence[str], game: Madness) -> None:
        self.words, self.names, self.game = words, names, game

    def draw(self, view: Json, hands: Sequence[Sequence[str]] | None = None, size: int = 0) -> RenderableType:
        """The table seen from the view's seat, at the bottom; `hands` shows both (an open replay)."""
        near = max(view["seat"], 0)
        hand = hands[near] if hands else view["hand"]
        if size:
            return self._small(view, near, hands, hand)
        far = 1 - near
        parts: list[RenderableType] = [
            self._title(view),
            self._rope(view, near),
            self._holder(view, far, hands),
            self._middle(view, near),
            self._holder(view, near, hands),
        ]
        if hand:
            parts.append(self._hand(hand))
        return Constrain(Group(*parts), WIDTH)

    def _small(
        self, view: Json, near: int, hands: Sequence[Sequence[str]] | None, hand: Sequence[str]
    ) -> RenderableType:
        """The same with cards of one line: with the news and the prompt it fits into 24."""
        table = MadnessTable(self.words, [cut(name, LONGEST_NAME) for name in self.names], self.game)
        return Constrain(
            Group(
                table._title(view),
                table._rope(view, near),
                table._holder(view, 1 - near, hands),
                table._middle(view, near, small=True),
                table._holder(view, near, hands),
                *([table._small_hand(hand)] if hand else []),
            ),
            WIDTH,
        )

    def _title(self, view: Json) -> Text:
        phase = self.words(f"madness.phase.{view['phase']}")
        title = self.words("table.title", game=game_title(self.game, self.words.lang), turn=view["turn"])
        return Text.assemble((title, "bold"), "  ·  ", (phase, "bold yellow"))

    def _rope(self, view: Json, near: int) -> Text:
        """The sugar as a rope between the two names: the lead's cubes lie on the leader's side."""
        goal = view["goal"]
        lead = view["lead"] if near == 0 else -view["lead"]
        mine = "■" * max(lead, 0) + "□" * (goal - max(lead, 0))
        theirs = "■" * max(-lead, 0) + "□" * (goal - max(-lead, 0))
        rope = Text.assemble((mine[::-1], "yellow"), ("┃", "dim"), (theirs, "yellow"))
        sugar = Text(f"   {self.words('table.sugar', lead=abs(lead), goal=goal)}", "dim")
        ours, other = (Text(self.names[seat], "bold cyan") for seat in (near, 1 - near))
        whole = Text.assemble(ours, " ", rope, " ", other, sugar)
        if whole.cell_len <= WIDTH:
            return whole
        return Text.assemble(ours, ("  ┃  ", "dim"), other, "\n", rope, sugar)

    def _holder(self, view: Json, seat: int, hands: Sequence[Sequence[str]] | None) -> Text:
        held = view["held"][seat]
        text = Text.assemble((self.names[seat], "bold cyan"), f": {self.words('count.cards', n=held)}  ")
        if seat != max(view["seat"], 0):
            if hands:
                for card in hands[seat]:
                    text.append_text(self.card(card)).append(" ")
            else:
                text.append("▒" * held, "dim")
        if seat == view["mover"] and not view["over"]:
            text.append(f" ← {self.words('table.turn')}", "yellow")
        return text

    def _middle(self, view: Json, near: int, small: bool = False) -> Table:
        fields = [self._field(view, i, near, small) for i in range(len(view["fields"]))]
        grid = Table.grid(padding=(0, 1))
        for field in fields:
            grid.add_column(width=field.width)
        grid.add_row(*fields, self._small_piles(view) if small else self._piles(view))
        return grid

    def _field(self, view: Json, i: int, near: int, small: bool) -> Panel:
        field = view["fields"][i]
        far = 1 - near
        outlook = self._outlook(view, i, near)
        slim = len(view["fields"]) >= SLIM_FROM
        if slim and not field["closed"]:
            outlook.plain = outlook.plain.replace("\n", " ")  # it has to be broken elsewhere
        outlook.justify, outlook.overflow = "center", "fold"  # a long name is broken, not cut
        body = Group(
            self._stack(field["tops"][far], field["heights"][far], small),
            Align.center(outlook, height=2 if small else 3, vertical="middle"),
            self._stack(field["tops"][near], field["heights"][near], small),
        )
        title = self.words("table.field", field=i + 1)
        return Panel(
            body,
            title=title,
            width=SLIM_FIELD if slim else FIELD,
            padding=(0, 0),
            border_style="dim" if field["closed"] else "none",
        )

    def _stack(self, card: str | None, height: int, small: bool) -> Align:
        label = self.card(card) if card else Text("·" if small else " ", "dim")
        if height > 1:
            label = Text.assemble(label, (f" ×{height}", "dim"))
        return Align.center(label if small else box(label, empty=card is None))

    def _outlook(self, view: Json, i: int, near: int) -> Text:
        """What becomes of the field if nobody acts, in one short phrase."""
        field, names, far = view["fields"][i], self.names, 1 - near
        if field["closed"]:
            return self._closing(field)
        if field["last"] is None:
            return Text(self.words("outlook.empty"), "dim")
        for seat, style in ((near, "green"), (far, "red")):
            found = view["outlook"][i][seat]
            if found != "open":
                key = f"outlook.{found}_{self._person(seat, view)}"
                said = self.words(key, name=names[seat], n=self.game.values["field-points"])
                return Text(said, "yellow" if found == "drawn" else style)
        return Text(self.words("outlook.open"), "dim")

    def _closing(self, field: Json) -> Text:
        """The marker, and whose field it is."""
        winner = field["winner"]
        whose = self.words("outlook.nobodys") if winner is None else self.names[winner]
        return Text.assemble(
            (self.words("outlook.closed"), "dim"), "\n", self.card(field["marker"]), f" · {whose}"
        )

    def _person(self, seat: int, view: Json) -> str:
        return "you" if seat == view["seat"] else "they"

    def _piles(self, view: Json) -> Group:
        discard = self.card(view["discard"]) if view["discard"] else Text(" ")
        return Group(
            Text(self.words("table.boss"), "bold"),
            box(self.card(view["boss"])),
            Text.assemble(f"{self.words('table.deck')}: ", (str(view["deck"]), "bold")),
            Text(self.words("table.discard")),
            box(discard, empty=view["discard"] is None),
        )

    def _small_piles(self, view: Json) -> Group:
        piles = [("boss", self.card(view["boss"])), ("deck", Text(str(view["deck"]), "bold"))]
        if view["discard"]:
            piles.append(("discard", self.card(view["discard"])))
        return Group("", *(Text.assemble(f"{self.words(f'table.{name}')}: ", what) for name, what in piles))

    def _hand(self, cards: Sequence[str]) -> Group:
        """The hand in order of strength, below each card what to type, in rows that fit."""
        drawn = [[box(self.card(card)) for card in row] for row in rows(cards, WIDE)]
        return Group(*map(partial(self._hand_row, WIDE), drawn, rows(cards, WIDE)))

    def _small_hand(self, cards: Sequence[str]) -> Group:
        drawn = [[Text("  ") + self.card(card) for card in row] for row in rows(cards, SMALL)]
        return Group(*map(partial(self._hand_row, SMALL), drawn, rows(cards, SMALL)))

    def _hand_row(self, width: int, drawn: Sequence[Text], cards: Sequence[str]) -> Table:
        grid = Table.grid()
        for _ in cards:
            grid.add_column(width=width, justify="left")
        grid.add_row(*drawn)
        grid.add_row(*(Text(f"  {self.words.card_typed(card)}", "dim") for card in cards))
        return grid

    def card(self, name: str) -> Text:
        return Text(self.words.card(name), SUIT_STYLES[name[1]])


def rows(cards: Sequence[str], width: int) -> list[Sequence[str]]:
    """Cards in rows that fit, each card so wide."""
    most = WIDTH // width
    return [cards[i : i + most] for i in range(0, len(cards), most)]


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def box(label: Text, empty: bool = False) -> Text:
    """A card of three lines; dotted where there is none."""
    inside = max(label.cell_len, NARROW - 2)
    top, side, bottom = ("╌", "┊", "╌") if empty else ("─", "│", "─")
    corners = "╭╮╰╯"
    style = "dim" if empty else ""
    left = (inside - label.cell_len) // 2
    right = inside - label.cell_len - left
    return Text.assemble(
        (f"{corners[0]}{top * inside}{corners[1]}\n{side}{' ' * left}", style),
        label,
        (f"{' ' * right}{side}\n{corners[2]}{bottom * inside}{corners[3]}", style),
    )
