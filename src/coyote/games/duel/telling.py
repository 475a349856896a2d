"""A turn of a duel in few sentences: damage, block and healing with the cards that they come from (D9)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from coyote.games.events import Event
from coyote.text.refusals import Refusal

Title = Callable[[str, str], str]
Sums = dict[tuple[str, int], dict[str, int | None]]  # by what was done and for whom: points by card

OF_CARDS = ("strike", "guard", "guard_all", "mend")
HOW = ("hit", "part", "none")  # an attack: all of it hits, a part, or nothing


def told(events: Sequence[Event], title: Title) -> Iterator[Event]:
    """The same events; what cards added to a sum is told with the sum."""
    sums: Sums = defaultdict(dict)
    for event in events:
        if event.kind in ("reveal", "hold"):
            sums.clear()
        if event.seat is None or event.kind not in (*OF_CARDS, "damage", "heal"):
            yield event
        elif event.kind in OF_CARDS:
            add(sums, event, event.seat)
            yield event
        else:
            yield explained(event, event.seat, sums, title)


def add(sums: Sums, event: Event, seat: int) -> None:
    """A card may add several times, and a second copy of it, too."""
    card, points = event.values["title"], event.values.get("points")
    found = sums[event.kind.removesuffix("_all"), seat]
    found[card] = None if points is None else (found.get(card, 0) or 0) + points


def explained(event: Event, seat: int, sums: Sums, title: Title) -> Event:
    if event.kind == "heal":
        return replace(event, values={**event.values, "cards": named(sums["mend", seat], title)})
    hits, blocked = event.values["damage"] > 0, event.values["blocked"] > 0
    cards, guards = named(sums["strike", 1 - seat], title), named(sums["guard", seat], title)
    how = "none" if not hits else "part" if blocked else "hit"
    return replace(event, values={**event.values, "how": how, "cards": cards, "guards": guards})


def named(points: dict[str, int | None], title: Title) -> list[Refusal]:
    """Parts of a sentence; cards that add nothing are no part of it."""
    return [
        Refusal(
            "duel.by.all" if n is None else "duel.by.points",
            values={"title": {lang: title(card, lang) for lang in ("en", "ru")}, "points": n},
        )
        for card, n in points.items()
        if n != 0
    ]
