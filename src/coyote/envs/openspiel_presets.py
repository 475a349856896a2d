"""Games small enough to be solved exactly, by the game and the name of the preset."""

from coyote.games.game import Json

DUEL: Json = {"chance": "explicit", "health": 20, "wear": 50, "wear_from": 2, "open_lists": "yes"}
MADNESS: Json = {"chance": "explicit", "fields": 2, "hand": 1, "goal": 1}

PRESETS: dict[str, dict[str, Json]] = {
    "madness": {
        "tiny": {**MADNESS, "cards": "2C 3C 4C"},
        "small": {**MADNESS, "cards": "2C 3C 4C 5C"},
    },
    "duel": {
        "tiny": {**DUEL, "cards": "ember ember ambush ambush thorns thorns", "hand": 5},
        "small": {**DUEL, "cards": "ember ember ambush ambush thorns thorns", "hand": 4},
        "wary": {**DUEL, "cards": "ember ember rattle scorpion burrow siesta", "hand": 5},
    },
}
