"""A finished game, step by step, as one of its players or a bystander with all cards open sees it.

Everything here follows from the record alone: the same record gives the same steps on any machine.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from coyote.games.game import Json
from coyote.kernel.seats import SPECTATOR
from coyote.match import Match
from coyote.records import open_record
from coyote.table.parts import PARTS
from coyote.text import Words, titles

OPEN = "open"
Viewer = Literal["0", "1", "open"]


def replay_text(record: str, viewer: str, lang: str) -> bytes:
    """As JSON, from a record's line: for a thread, and nothing is left to do for the one that answers."""
    return msgspec.json.encode(replay(msgspec.json.decode(record), viewer, lang))


def replay(record: Json, viewer: str, lang: str) -> Json:
    """Step 0 is the deal; each later one what came of one choice, in a duel of two at the same time."""
    words = Words(lang)
    names = [words.bot(name) or name for name in record["players"]]  # bots of ours are in records as such
    teller = Teller(open_record(record), None if viewer == OPEN else int(viewer), names, lang)
    steps = [teller.step([])]
    for moves in settled(teller.match, record["moves"]):
        steps.append(teller.step(moves))
    return {
        "game": record["game"],
        "options": record["options"],
        "title": titles(teller.match.game),
        "viewer": viewer,
        "names": names,
        "cards": PARTS[record["game"]].strange_cards(teller.match.game),
        "steps": steps,
        "result": record["result"],
        "ended": how_it_ended(record["result"], names, words),
    }


def settled(match: Match, moves: Sequence[Any]) -> Iterator[list[tuple[int, str]]]:
    """Make the moves; each time nothing is sealed any more, the ones that came to light together."""
    shown: list[tuple[int, str]] = []
    for seat, move in moves:
        match.play(move, seat)
        shown.append((seat, move))
        if not match.sealed:
            yield shown
            shown = []


class Teller:
    """A match and one who looks at it; None sees all cards."""

    def __init__(self, match: Match, viewer: int | None, names: list[str], lang: str) -> None:
        self.match, self.viewer, self.names, self.lang = match, viewer, names, lang
        self.heard = 0  # events
        self.turn = 1

    def step(self, moves: Sequence[tuple[int, str]]) -> Json:
        """How things stand now, and what happened since the last step."""
        match, since = self.match, self.heard
        events = match.events(self.viewer, since)
        self.heard += len(events)
        story = match.lines(self.viewer, self.names, self.lang, since)
        view = match.view_json(SPECTATOR if self.viewer is None else self.viewer)
        made_in, self.turn = self.turn, match.turn
        return {
            "moves": [{"seat": seat, "move": move} for seat, move in moves],
            "turn": made_in,
            "actors": match.actors,
            "view": view,
            "events": [event.as_json() for event in events],
            "story": [{"text": text, "rule": match.game.event_rule(event)} for text, event in story],
            "open": {"hands": match.hands} if self.viewer is None else None,
        }


def how_it_ended(result: Json, names: Sequence[str], words: Words) -> str:
    reason = words(f"reason.{result['reason']}")
    if result["winner"] is None:
        return words("replay.drawn", reason=reason)
    return words("replay.won", name=names[result["winner"]], reason=reason)
