"""What can happen in a duel, and who may know it."""

from coyote.games.events import Kind, Kinds

SOURCES = ("damage", "blocked", "healed", "wear")  # what changes health, in a series

KINDS = Kinds(
    Kind("turn", "D4", "turn:all"),
    Kind("draw", "D4", "title:owner", "number:all"),  # the card, and from which deck
    Kind("no_draw", "D13"),
    Kind("burn", "D12", "title:all"),  # drawn into a full hand
    Kind("wear", "D14", "max:all"),
    Kind("new_deck", "D13", "n:all", "number:all"),
    Kind("order", "D13", "title", "place"),  # of a new deck, top first: nobody may know it
    Kind("auto", "D5", "title:all"),
    Kind("reveal", "D7", "title:all"),
    Kind("hold", "D6"),
    Kind("strike", "D9", "title:all", "points:all"),  # what a card adds to the Attack of this turn
    Kind("guard", "D9", "title:all", "points:all"),  # to the Block
    Kind("guard_all", "D9", "title:all"),
    Kind("mend", "D9", "title:all", "points:all"),  # to the Heal
    Kind("work", "D10", "title:all"),  # a card moves cards: those that follow
    Kind("damage", "D9", "damage:all", "blocked:all"),
    Kind("heal", "D9", "healed:all"),
    Kind("health", "D9", "health:all", "max:all"),
    Kind("discard", "D15", "title:all", "zone:all"),
    Kind("aside", "D16", "title:all", "zone:all"),
    Kind("leave", {"discard": "D11", "aside": "D16"}, "title:all", "goes:all"),
    Kind("end", {"health": "D3"}, "reason:all"),
)
(TURN, DRAW, NO_DRAW, BURN, WEAR, NEW_DECK, ORDER, AUTO, REVEAL, HOLD,
 STRIKE, GUARD, GUARD_ALL, MEND, WORK,
 DAMAGE, HEAL, HEALTH, DISCARD, ASIDE, LEAVE, END) = KINDS.numbers  # fmt: skip
