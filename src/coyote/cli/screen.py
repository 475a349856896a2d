"""One screen: the table, what has happened, what is asked. At a terminal nothing of it scrolls away."""

from collections.abc import Callable, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

ROOM = (10, 4, 0)  # lines that each size must leave for the news, or else a smaller one is drawn
PROMPT = 2  # the line that is typed in, and the one that the cursor goes to then
HOME_AND_CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # the scrollback too: it may hold the other player's hand


class Screen:
    def __init__(self, out: Console) -> None:
        self.out = out

    def clear(self) -> None:
        if self.out.is_terminal:
            self.out.file.write(HOME_AND_CLEAR)

    def show(
        self, table: Callable[[int], RenderableType], news: Sequence[str], asked: Sequence[RenderableType]
    ) -> None:
        """`table` draws it in a size. News that are too many for their lines run on in a paragraph, and
        of those that are too many even so the last ones are seen."""
        self.clear()
        left = self.out.height - PROMPT - self._lines(*asked)
        drawn = self._fitting(table, left, ROOM)
        told = fitted(self.out, news, left - self._lines(drawn)) if self.out.is_terminal else news
        self._print([drawn, *(Text(f"  {line}") for line in told), *asked])

    def note(
        self, table: Callable[[int], RenderableType], said: RenderableType, asked: Sequence[RenderableType]
    ) -> None:
        """An answer to what was asked instead of the news; a long one has the screen for itself."""
        if self.out.is_terminal:
            self.clear()
            left = self.out.height - PROMPT - self._lines(said, *asked)
            drawn = self._fitting(table, left, (0, 0, 0))
            if self._lines(drawn) <= left:
                self.out.print(drawn)
        self._print([said, *asked])

    def _fitting(
        self, table: Callable[[int], RenderableType], lines: int, room: Sequence[int]
    ) -> RenderableType:
        """The largest drawing that leaves its room, or the smallest that there is."""
        if not self.out.is_terminal:
            return table(0)
        drawn = [table(size) for size in range(len(room))]
        fitting = (each for each, rest in zip(drawn, room, strict=True) if self._lines(each) + rest <= lines)
        return next(fitting, drawn[-1])

    def _print(self, parts: Sequence[RenderableType]) -> None:
        for part in parts:
            self.out.print(part)

    def _lines(self, *parts: RenderableType) -> int:
        """How many lines these take."""
        return sum(len(self.out.render_lines(part, pad=False)) for part in parts)


def fitted(out: Console, news: Sequence[str], lines: int) -> list[str]:
    """The news in no more lines than there are."""
    width = out.width - 4

    def wrapped(text: str) -> list[str]:
        return [line.plain.rstrip() for line in Text(text).wrap(out, width)]

    each = [line for text in news for line in wrapped(text)]
    if len(each) <= lines:
        return each
    whole = wrapped(" ".join(news))
    if len(whole) <= lines:
        return whole
    rest = whole[len(whole) - max(lines, 0) :]
    return [f"… {line}" if place == 0 else line for place, line in enumerate(rest)]
