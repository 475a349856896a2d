"""What the worst card sets cost that a guest may bring: reading, a turn, a load, a view, an update.

Each card has 16 effects, an id and names of the greatest length; decks are as large as the house rules allow.
The figures are for the one who plays and for the loop that all share: milliseconds, events, bytes.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec

from coyote.games.duel.bounds import most_events
from coyote.games.duel.game import Duel
from coyote.games.game import OptionError
from coyote.kernel.jit import on_compiled
from coyote.table import inputs, library, parts, wire
from coyote.table.games import Games, chosen_deck
from coyote.table.limits import Limits
from coyote.table.room import replay
from coyote.table.set_reader import SetReader

DIGGING = ["discard 99 cards from deck", "draw a card"]
TEXTS = {
    "digs": ("For 99 turns: {}.", DIGGING * 8),
    "digs, both": ("For 99 turns: {}. For 99 turns: opponent: {}.", DIGGING * 4),
    "digs late": (
        "For 99 turns: if health is at most 60: {}.",
        ["discard 99 cards from in play", *DIGGING * 7],
    ),
    "draws": ("For 99 turns: {}.", ["draw 99 cards"] * 16),
    "clears": ("For 99 turns: {}.", ["discard 99 cards from in play", "draw 99 cards"] * 8),
    "goes round": ("For 99 turns: {}.", ["discard 99 cards", "draw 9 cards"] * 8),
    "sets aside": ("For 99 turns: {}.", ["set aside 9 cards from deck", "draw 9 cards"] * 8),
}
AUTOS = 2  # cards of each set that do nothing but attack, so that health comes below any threshold
HOUSES: dict[str, dict[str, Any]] = {
    "": {},
    "40 cards": {"deck-min": 40, "deck-max": 40, "copies": 4},
    "80 draws": {"health": 80, "wear": 1},
}
PIECES = ("view", "legal", "events", "story")
HOST, OTHER = inputs.Player("guest", "A" * 24), inputs.Player("guest", "B" * 24)


def set_text(name: str, opening: str, effects: list[str]) -> str:
    """As many cards as a table takes."""
    said = opening.format(*[", ".join(effects)] * opening.count("{}"))
    size, cards = 0, [f'name = "{name}"\n']
    while True:
        number = len(cards)
        text = "Auto. For 99 turns: attack 1." if number <= AUTOS else said
        names = "".join(
            f'name.{lang} = "{letter * 58}{number:02x}"\n' for lang, letter in (("ru", "Щ"), ("en", "W"))
        )
        card = f'[[card]]\nid = "{number:x>40}"\n{names}rarity = "common"\ntext = "{text}"\n'
        size += len(card.encode())
        if size > Limits().set_bytes - 200:
            return "".join(cards)
        cards.append(card)


def took(work: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds of a processor, whatever else the machine does."""
    start = time.process_time()
    found = work()
    return 1000 * (time.process_time() - start), found


def play(games: Games, digest: str, options: dict[str, Any]) -> dict[str, float]:
    """One game to its end, each turn timed; then its load, and all that can be asked for."""
    terms = inputs.Terms("duel", options, digest, opponent="self", rules=Duel.RULES[-1])
    first, second = (chosen_deck(games.get(terms), None, party, Random(party)) for party in range(2))
    made = inputs.Make(0, "worst", terms, HOST, "00" * 32, OTHER, (first, second))
    given: list[inputs.AnyInput] = [made, inputs.Ready(0, 0, "", "5" * 32)]
    room = replay(given, games)
    worst = dict.fromkeys(("turn", "events", "view", "update", "bytes"), 0.0)
    while not room.over:
        for seat in room.deciders:
            party, move = room.party(seat), room.legal(seat)[-1]
            given.append(inputs.Move(0, party, "", move))
            before, seen = len(room.match.rows) if room.match else 0, room.updates[0]
            spent, (room, _) = took(lambda: room.after(given[-1]))  # noqa: B023
            assert room.match is not None
            events = len(room.match.rows) - before
            view, _ = took(partial(room.match.view_json, 0))
            update, body = took(lambda: msgspec.json.encode(wire.update(room, 0, seen, 0, PIECES, "ru")))  # noqa: B023
            for key, value in zip(worst, (spent, events, view, update, len(body)), strict=True):
                worst[key] = max(worst[key], value)
    loading, room = took(lambda: replay(given, games))
    whole, body = took(lambda: msgspec.json.encode(wire.update(room, 0, 0, 0, PIECES, "ru")))
    record, line = took(lambda: msgspec.json.encode(room.record()))
    return {
        **worst, "turns": room.match.turn if room.match else 0, "load": loading, "hello": whole,
        "hello bytes": len(body), "record": record, "record bytes": len(line),
    }  # fmt: skip


async def main() -> None:
    reader = SetReader()
    start = time.perf_counter()
    await reader.read(set_text("first", *TEXTS["draws"]), "bench")
    print(f"the first set, with the process started for it: {time.perf_counter() - start:.2f} s\n")
    columns = (
        "turn",
        "events",
        "most",
        "view",
        "update",
        "bytes",
        "turns",
        "load",
        "hello",
        "hello bytes",
        "record bytes",
    )
    print(f"{'set, house rules':24}{'read':>7}{'make':>7}{'cards':>7}" + "".join(f"{c:>13}" for c in columns))
    for name, (opening, effects) in TEXTS.items():
        text = set_text("worst", opening, effects)
        start = time.perf_counter()
        digest, cards = await reader.read(text, "bench")
        reading = 1000 * (time.perf_counter() - start)
        for house, options in HOUSES.items():
            games = Games({digest: cards})
            terms = inputs.Terms("duel", options, digest, opponent="self", rules=Duel.RULES[-1])
            making, game = took(lambda: games.get(terms))  # noqa: B023
            assert isinstance(game, Duel)
            shown, _ = took(lambda: library.cards_json(game))  # noqa: B023
            if refusal := parts.too_much(game):
                raise OptionError([refusal])
            row = {**play(games, digest, options), "most": most_events(game)}
            print(
                f"{f'{name}, {house}':24}{reading:7.0f}{making:7.0f}{shown:7.0f}"
                + "".join(
                    f"{row[c]:13,.{1 if c in ('turn', 'view', 'update', 'load', 'hello') else 0}f}"
                    for c in columns
                )
            )
    await reader.close()
    print("\nread, make, cards, turn, view, update, load, hello in ms; make and cards happen in a thread")


if __name__ == "__main__":
    compiled: list[int] = []
    games = Games({parts.written_set(None)[0]: parts.written_set(None)[1]})
    play(games, parts.written_set(None)[0], {})
    with on_compiled(lambda: compiled.append(1)):
        asyncio.run(main())
    print(f"compiled meanwhile: {len(compiled)} functions")
