"""The document's numbers as data (D26). The duel has one edition; a match may change what is named here."""

from coyote.games.options import NO_OR_YES, Option, Values
from coyote.text.refusals import Refusal

MOST_CARDS = 40  # of a deck that any house rule allows
MOST_HAND = 10

OPTIONS = (
    Option("health", "D1", range(1, 501)),  # and its maximum, at the start
    Option("hand", "D2", range(8)),  # the cards taken before the first turn
    Option("hand-limit", "D12", range(1, MOST_HAND + 1)),
    Option("wear", "D14", range(1, 51)),  # by how much a late draw lowers the maximum
    Option("wear-from", "D14", range(2, 10)),  # and from which deck on
    Option("super-deck", "D17", range(2, 10)),  # into which deck the Super is shuffled
    Option("deck-min", "D19", range(9, MOST_CARDS + 1)),
    Option("deck-max", "D19", range(9, MOST_CARDS + 1)),
    Option("copies", "D19", range(1, 5)),
    Option("rare-copies", "D19", range(1, 5)),
    Option("autos", "D19", range(11)),
    Option("supers", "D19", range(2)),
    Option("open-lists", "D18", NO_OR_YES),
)
DOCUMENT: Values = {
    "health": 100, "hand": 3, "hand-limit": 7, "wear": 5, "wear-from": 5, "super-deck": 3,
    "deck-min": 15, "deck-max": 20, "copies": 2, "rare-copies": 1, "autos": 2, "supers": 1,
    "open-lists": "no",
}  # fmt: skip

EDITIONS = {"": DOCUMENT}


def contradictions(values: Values) -> list[Refusal]:
    """D26  A hand that cannot be dealt, decks that cannot be."""
    pairs = (("hand", "hand-limit", 0), ("hand", "deck-min", 1), ("deck-min", "deck-max", 0))
    return [
        Refusal(
            "option.not_below" if gap else "option.above",
            "D26",
            {"name": low, "value": values[low], "other": high, "limit": values[high]},
        )
        for low, high, gap in pairs
        if int(values[low]) + gap > int(values[high])
    ]
