"""A guest's card set, read and tried; and the process that does it, one set after another, within limits.

Nothing of the server is imported here: the process has no key, no store and no socket. `set_reader` starts it
with the limits as arguments, and says a set's text; the answer is JSON, both with their length before them.
"""

import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any, BinaryIO, Literal

import msgspec

from coyote.games.duel import records
from coyote.games.duel.game import Duel
from coyote.games.duel.set_formats import check_csv, entry_in, spans, write_csv, write_toml
from coyote.games.duel.sets import CardSet, check_set, core_set, parse_set
from coyote.games.game import Json, OptionError
from coyote.match import Match
from coyote.text import Refusal, Refused
from coyote.text.tomlfile import FileError, told_faults

WIDEST = {"deck-min": 9, "deck-max": 40, "copies": 4, "rare-copies": 4, "autos": 10}  # any deck that may be
TURNS = 8
MOST_TOLD = 300  # faults of a set that is being written
KINDNESS = 10  # how far the process stands back behind the one that answers people
FILES = 16  # that it may have open

Format = Literal["toml", "csv"]


def tried_set(text: str, name: str = "") -> tuple[str, Json]:
    """The digest of a set and the set, once a game was begun with it; OptionError tells all that is wrong.

    `name` is what it is called if it does not say.
    """
    try:
        cards = parse_set(text, name=name)
    except FileError as error:
        raise OptionError([unreadable(refusal) for refusal in error.refusals]) from None
    play_some(cards)
    return cards.digest, records.write_set(cards)


def unreadable(refusal: Refusal) -> Refusal:
    return Refusal("room.set", refusal.rule, {"why": Refused(replace(refusal, rule=""))})


def play_some(cards: CardSet) -> None:
    """A deal and some turns. What fails here would fail in a room, where it is too late."""
    game = Duel(card_set=cards, **WIDEST)
    try:
        match = Match(game, game.settle(("random", "random"), Random(0)), seed="trial")
        for _ in range(TURNS):
            for seat in match.actors:
                match.play(match.legal(seat)[-1], seat)
            match.view_json(0)
    except (OptionError, MemoryError):
        raise
    except Exception as error:
        raise OptionError("room.set_unplayable", what=type(error).__name__) from error


def looked_at(text: str, name: str = "", format: Format = "toml", into: Format | None = None) -> Json:
    """All that can be said of a set's text, whatever is wrong with it: its cards, where they stand, faults.

    `whole` is the set as it is kept, if nothing is wrong; `into`: the same cards written as such a file.
    """
    found = (check_set if format == "toml" else check_csv)(text, f"set.{format}", name, MOST_TOLD)
    entries = [entry_in(table.data) for table in found.tables]
    lines = [table.line("") for table in found.tables]
    ends = [last for _, last in spans(text, lines)] if format == "toml" and rising(lines) else lines
    good = {card.id for card in found.cards}
    return {
        "name": found.name,
        "digest": None if found.faults else found.whole().digest,
        "cards": [
            {**entry._asdict(), "good": entry.id in good, "first": first, "last": last}
            for entry, first, last in zip(entries, lines, ends, strict=True)
        ],
        "faults": [written(refusal) for refusal in told_faults(found.faults)],
        "written": into and (write_csv(entries) if into == "csv" else write_toml(found.name, entries)),
    }


def rising(lines: list[int]) -> bool:
    return all(a < b for a, b in pairwise(lines))


# ---------------------------------------------------------------- answers


def answer(asked: Json) -> Json:
    """What the process says: a set, or why there is none; or all about one."""
    try:
        if asked.pop("look", False):
            return {"looked": looked_at(**asked)}
        digest, cards = tried_set(**asked)
    except Refused as error:
        return {"refused": [written(refusal) for refusal in error.refusals]}
    except MemoryError:
        return {"heavy": True}
    return {"digest": digest, "set": cards}


def written(value: Any) -> Any:
    """A value of a refusal as JSON has it."""
    match value:
        case Refusal():
            return {"code": value.code, "rule": value.rule, "values": written(dict(value.values))}
        case Refused():
            return {"refusals": [written(refusal) for refusal in value.refusals]}
        case dict():
            return {key: written(inner) for key, inner in value.items()}
        case list() | tuple():
            return [written(inner) for inner in value]
        case str() | int() | float() | None:
            return value
    return str(value)


def as_said(value: Any) -> Any:
    """The other way round."""
    match value:
        case {"code": str(code), "rule": str(rule), "values": dict(values)}:
            return Refusal(code, rule, {key: as_said(inner) for key, inner in values.items()})
        case {"refusals": list(refusals)}:
            return Refused([as_said(refusal) for refusal in refusals])
        case list():
            return [as_said(inner) for inner in value]
    return value


# ---------------------------------------------------------------- the process


def stand_back(megabytes: int) -> None:
    """No more memory, files or priority than sets need. Where a system knows no limits there are none."""
    with suppress(OSError, AttributeError):
        os.nice(KINDNESS)
    for what, most in (
        ("RLIMIT_AS", address_space() + megabytes * 2**20),
        ("RLIMIT_NOFILE", FILES),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_CORE", 0),
    ):
        limit(what, most, most)


def allow(seconds: int) -> None:
    """So much more time of a processor; then the system ends the process."""
    limit("RLIMIT_CPU", int(time.process_time()) + 1 + seconds)


def limit(what: str, most: int, for_ever: int = -1) -> None:
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        resource.setrlimit(getattr(resource, what), (most, for_ever))


def address_space() -> int:
    """Bytes that the process has now; 2 GiB where that cannot be asked."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 2**31


def say(out: BinaryIO, body: bytes) -> None:
    out.write(len(body).to_bytes(4, "big") + body)
    out.flush()


def hear(source: BinaryIO) -> bytes | None:
    """What is said next; None when nobody is there any more."""
    length = source.read(4)
    return source.read(int.from_bytes(length, "big")) if length else None


def main() -> None:
    seconds, megabytes = map(int, sys.argv[1:])
    source, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr  # nothing but answers goes the way of answers
    play_some(core_set())  # whatever is made once is made now
    stand_back(megabytes)
    say(out, b"ready")
    while (body := hear(source)) is not None:
        allow(seconds)
        say(out, msgspec.json.encode(answer(msgspec.json.decode(body))))


if __name__ == "__main__":
    main()
