"""Short words for the tests by rule: arrange a position, act, ask about one thing. No rules here."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from coyote import Match

EDITIONS = ("standard", "classic")
GOALS = {"standard": 5, "classic": 6}  # M10

both_editions = pytest.mark.parametrize("edition", EDITIONS)
both_seats = pytest.mark.parametrize("seat", (0, 1))

CARD = re.compile(r"\b(?:[2-9TJQKA][CDHS]|X[12])\b")


def at(edition: str, text: str) -> Match:
    """A match at a position. Unless the text says otherwise the Boss is 8D and the deck 4C, 4D, 4H, 4S."""
    boss = "" if "boss=" in text else " boss=8D"
    deck = "" if "deck=" in text else " deck=4C,4D,4H,4S"
    return Match.from_position(f"madness {edition} {text}{boss}{deck}")


def played(match: Match, *moves: str) -> Match:
    """The same match after these moves of whoever owes one."""
    for move in moves:
        match.play(move)
    return match


def settled(edition: str, seat: int, fields: str, rest: str = "hands=QC,QD/KC,KD") -> Match:
    """The other seat passes the turn on, so that the fields are settled for this one (M12)."""
    return played(at(edition, f"{1 - seat} tut {rest} fields={fields}"), "push")


def mirrored(fields: str) -> str:
    """The same three fields with the seats changed over."""
    swapped = []
    for field in fields.split("|"):
        sides, equals, closed = field.partition("=")
        closed = {"0": "1", "1": "0"}.get(closed, closed)
        swapped.append("/".join(reversed(sides.split("/"))) + equals + closed)
    return "|".join(swapped)


def lead(match: Match) -> int:
    return int(match.situation()["lead"])


def phase(match: Match) -> str:
    return str(match.situation()["phase"])


def boss(match: Match) -> Any:
    return match.situation()["boss"]


def discard(match: Match) -> Any:
    return match.situation()["discard"]


def deck(match: Match) -> int:
    return int(match.situation()["deck"])


def hand(match: Match, seat: int) -> list[str]:
    return list(match.situation()["hands"][seat])


def turn(match: Match) -> tuple[int, int, str]:
    """The number of the turn, whose it is, and its phase."""
    view = match.view_json(-1)
    return view["turn"], view["mover"], view["phase"]


def field(match: Match, number: int) -> Any:
    """A field as every seat sees it: tops, heights, last, closed, marker, winner."""
    return match.view_json(-1)["fields"][number - 1]


def how_closed(match: Match, number: int) -> tuple[str | None, int | None] | None:
    """The marker and the winner of a field; None while it is open."""
    shown = field(match, number)
    return (shown["marker"], shown["winner"]) if shown["closed"] else None


def result(match: Match) -> tuple[int | None, str, int] | None:
    """The winner, the reason and the lead; None while the game goes on."""
    ended = match.result
    return (ended.winner, ended.reason, ended.score) if ended else None


def happened(
    match: Match, kind: str, viewer: int | None = None
) -> list[tuple[int | None, Mapping[str, Any]]]:
    """The events of one kind: of whom, and what."""
    return [(event.seat, event.values) for event in match.events(viewer) if event.kind == kind]


def kinds(match: Match) -> list[str]:
    return [event.kind for event in match.events()]


def points(match: Match) -> list[tuple[int | None, str, int]]:
    """Every point: to whom, what for, the lead after it."""
    return [(seat, what["source"], what["lead"]) for seat, what in happened(match, "point")]


def cards_told(told: object) -> set[str]:
    """Every card that is named anywhere in what a seat is told."""
    return set(CARD.findall(repr(told)))
