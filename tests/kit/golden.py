"""Golden playthroughs: one whole game of every edition, every answer at every step, as text to review.

`make golden` writes them anew; a change of behaviour is a diff that somebody looks at.
"""

import json
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any

from coyote.games.events import Event
from coyote.games.game import Result
from coyote.match import Match
from coyote.text import LANGUAGES, Words
from kit.play import choose

FOLDER = Path(__file__).parent.parent / "golden"
WIDTH = 108
GLUE = "~"  # a space at which no line is broken

# The game that is shown: game, options, seed text and style of play, chosen for how much happens in it.
SHOWN: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "madness-standard": ("madness", {"edition": "standard"}, "golden 1305", "fighter"),
    "madness-classic": ("madness", {"edition": "classic"}, "golden 1691", "fighter"),
    "duel-core": ("duel", {}, "golden", "uniform"),
}


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.playthrough"


def playthrough(name: str) -> str:
    game, options, seed, style = SHOWN[name]
    match = Match(game, seed=seed, **options)
    return "\n".join([*head(name, match, seed), *story(match, style), *tail(match)]) + "\n"


def head(name: str, match: Match, seed: str) -> list[str]:
    deal = {key: match.record()[key] for key in match.game.DEAL_KEYS if key in ("deck", "decks", "super")}
    return [
        f"# {name}: a whole game, every answer at every step. Written by `make golden`.",
        "# A line `en 0` is what seat 0 is told in English; `ru 1` what seat 1 is told in Russian.",
        f"game     {match.game.name}",
        f"rules    {match.game.rules_version}",
        f"options  {json.dumps(match.game.options)}",
        f"seed     {seed} = {match.seed}",
        *(line for key, value in deal.items() for line in labelled(key, json.dumps(value))),
        *told(match, 0),
    ]


def labelled(label: str, text: str) -> list[str]:
    lines = wrap(text, WIDTH - 9, break_long_words=False, break_on_hyphens=False) or [""]
    rows = zip_longest([label], lines, fillvalue="")
    return [f"{start:9}{line}".replace(GLUE, " ").rstrip() for start, line in rows]


def story(match: Match, style: str) -> Iterator[str]:
    random = Random(match.seed)
    number = 0
    while actors := match.actors:
        number += 1
        moves = {seat: move_of(match, seat, style, random) for seat in actors}
        yield from ("", f"--- {number}. " + ", ".join(f"seat {seat}: {move}" for seat, move in moves.items()))
        yield from situation(match)
        before = len(match.events())
        for seat, move in moves.items():
            match.play(move, seat)
        yield from told(match, before)


def move_of(match: Match, seat: int, style: str, random: Random) -> str:
    return choose(style, random, match.legal(seat), match.view_json(seat)["deck"] == 0)


def situation(match: Match) -> Iterator[str]:
    """The position, the legal moves, and the parts of the views in which seat 0, seat 1 and others differ."""
    yield from labelled("position", match.position())
    for seat in match.actors:
        legal = [move.replace(" ", GLUE) for move in match.legal(seat)]
        yield from labelled(f"legal {seat}", f"{len(legal)}: " + ", ".join(legal))
    views: list[dict[str, Any]] = [match.view_json(viewer) for viewer in (0, 1, -1)]
    for key, common in views[2].items():
        if any(view[key] != common for view in views):
            yield from labelled(f" {key}", " / ".join(json.dumps(view[key]) for view in views))
        elif key in ("outlook", "memory", "closing") and common:
            yield from labelled(f" {key}", json.dumps(common))


def told(match: Match, since: int) -> Iterator[str]:
    """What each seat is told of what happened, in both languages."""
    stories = [match.events(None, since), *(match.game.told(match.events(seat, since)) for seat in (0, 1))]
    for plain, *heard in zip(*stories, strict=True):
        yield f" * {described(plain)}"
        for lang in LANGUAGES:
            words = Words(lang)
            names = words.find("play.players")
            for viewer, event in enumerate(heard):
                said = words.event(match.game.name, event, viewer, names, match.game.title)
                yield f"   {lang} {viewer}  {said}".rstrip()


def described(event: Event) -> str:
    seat = "" if event.seat is None else f" seat {event.seat}"
    return f"{event.kind}{seat}" + "".join(f" {slot}={value}" for slot, value in event.values.items())


def tail(match: Match) -> list[str]:
    result: Result | None = match.result
    assert result is not None
    return [
        "",
        "--- over",
        *labelled("position", match.position()),
        f"result   {json.dumps(result.as_json())}",
    ]


def write_all() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in SHOWN:
        path_of(name).write_text(playthrough(name), encoding="utf-8")
