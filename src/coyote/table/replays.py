"""A finished game, step by step, as one of its players or a bystander with all cards open sees it.

Everything here follows from the record alone: the same record gives the same steps on any machine.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from coyote.games.duel.game import Duel
from coyote.games.duel.sets import core_set
from coyote.games.game import Game, Json
from coyote.match import Match
from coyote.records import open_record
from coyote.table.library import card_shown
from coyote.text import Words

BYSTANDER = -1
OPEN = "open"
Viewer = Literal["0", "1", "open"]


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
        "viewer": viewer,
        "names": names,
        "cards": strange_cards(teller.match.game),
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
        if not match.pending:
            yield shown
            shown = []


class Teller:
    """A match and one who looks at it; None sees all cards."""

    def __init__(self, match: Match, viewer: int | None, names: list[str], lang: str) -> None:
        self.match, self.viewer, self.names, self.lang = match, viewer, names, lang
        self.told = 0  # events
        self.turn = 1

    def step(self, moves: Sequence[tuple[int, str]]) -> Json:
        """How things stand now, and what happened since the last step."""
        match, since = self.match, self.told
        events = match.events(self.viewer, since)
        self.told += len(events)
        story = match.told(self.viewer, self.names, self.lang, since)
        view = match.view(BYSTANDER if self.viewer is None else self.viewer)
        made_in, self.turn = self.turn, view["turn"]
        return {
            "moves": [{"seat": seat, "move": move} for seat, move in moves],
            "turn": made_in,
            "actors": match.actors,
            "view": view,
            "events": [event.as_json() for event in events],
            "story": [{"text": text, "rule": match.game.event_rule(event)} for text, event in story],
            "open": {"hands": match.situation(0)["hands"]} if self.viewer is None else None,
        }


def strange_cards(game: Game) -> list[Json]:
    """The cards of a duel as the page shows them, where they are not those of the core set."""
    if not isinstance(game, Duel):
        return []
    cards = game.card_set.cards
    known = core_set()
    if all((own := known.get(card.id)) and own.program == card.program for card in cards):
        return []
    return [card_shown(card).model_dump() for card in cards]


def how_it_ended(result: Json, names: Sequence[str], words: Words) -> str:
    reason = words(f"reason.{result['reason']}")
    if result["winner"] is None:
        return words("replay.drawn", reason=reason)
    return words("replay.won", name=names[result["winner"]], reason=reason)
