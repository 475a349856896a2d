"""The editions as data: one row of options each (M25). A new one is a new row, and its name in the words."""

from coyote.games.options import NO_OR_YES, Option, Values
from coyote.text.refusals import Refusal

EMPTY_ONES, OPEN_ONES, NO_FIELD = range(3)  # what Close may take, as `close` says it
MOST_FIELDS = 4

OPTIONS = (
    Option("goal", "M10", range(1, 21)),  # the lead that wins at once
    Option("hand", "M11", range(1, 11)),  # the cards dealt to each
    Option("extra", "M11", range(4)),  # and so many more to seat 1
    Option("komi", "M9", range(6)),  # the lead that seat 1 begins with
    Option("fields", "M5", range(1, MOST_FIELDS + 1)),
    Option("jokers", "M1", range(3)),
    Option("boss", "M11", ("after", "before")),  # when the first Boss is turned up: after the hands or before
    Option("close", "M14", ("empty", "open", "never")),  # the fields that Close may take
    Option("closer", "M17", ("draws", "wins")),  # what closing the last field with Close makes of the round
    Option("chance", "M18", NO_OR_YES),
    Option("chance-card", "M21", ("under", "over")),  # the card of the Chance and the cleared fields
    Option("field-points", "M12", range(4)),
    Option("boss-points", "M14", range(4)),
    Option("round-points", "M19", range(4)),
    Option("hand-points", "M20", range(4)),
    Option("starvation", "M13", NO_OR_YES),
)

STANDARD: Values = {
    "goal": 5, "hand": 5, "extra": 0, "komi": 0, "fields": 3, "jokers": 2,
    "boss": "after", "close": "empty", "closer": "draws", "chance": "yes", "chance-card": "under",
    "field-points": 1, "boss-points": 1, "round-points": 1, "hand-points": 1, "starvation": "yes",
}  # fmt: skip
CLASSIC: Values = {
    **STANDARD, "goal": 6, "boss": "before", "close": "open", "closer": "wins", "chance-card": "over",
}  # fmt: skip

EDITIONS = {"standard": STANDARD, "classic": CLASSIC}


def contradictions(values: Values) -> list[Refusal]:
    """M25  Seat 1 must not have won before the game begins."""
    if int(values["komi"]) < int(values["goal"]):
        return []
    return [Refusal("option.komi", "M25", {"komi": values["komi"], "goal": values["goal"]})]
