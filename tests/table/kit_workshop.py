"""Sets of guests for the tests: a small one that can be played, and its pieces."""

from typing import Any

from coyote.games.duel.set_formats import Entry, write_toml
from table.kit_table import Guest

Json = dict[str, Any]
NAME = "Пустыня 2"


def small_set(name: str = NAME, attack: int = 12, cards: int = 10) -> str:
    """Enough cards for a deck."""
    entries = [
        Entry(f"card-{n}", f"Карта {n}", f"Card {n}", "common", f"Attack {attack + n}.") for n in range(cards)
    ]
    return write_toml(name, entries)


DECK = [f"card-{n}" for n in range(8) for _ in range(2)]
OTHER = [f"card-{n}" for n in range(2, 10) for _ in range(2)]


def make_set(guest: Guest, text: str | None = None, **more: Any) -> Json:
    made: Json = guest.ask("POST", "/api/sets", {"text": small_set() if text is None else text})
    if more:
        made = guest.ask("PUT", f"/api/sets/{made['id']}", {"revision": made["revision"], **more})
    return made


def publish(guest: Guest, made: Json) -> Json:
    version: Json = guest.ask("POST", f"/api/sets/{made['id']}/versions", {})
    return version
