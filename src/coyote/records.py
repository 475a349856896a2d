"""Records: games as lines of a file, written whole or not at all, and followed move by move."""

import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from coyote.games.game import Json, OptionError, RecordError, Result
from coyote.games.registry import GAMES
from coyote.match import FORMAT, IllegalMove, Match
from coyote.seeds import HEX_SEED

# Ends that players decide, not the rules.
TABLE_REASONS = ("resignation", "timeout", "agreement", "aborted", "left")


# ---------------------------------------------------------------- files


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """A text file that appears complete when the block ends, and not at all if it fails."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        with path.open("w", encoding="utf-8") as device:  # a pipe or /dev/null has no halves
            yield device
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def record_line(record: Json) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def write_records(path: Path, records: Iterable[Json]) -> None:
    with written_whole(path) as file:
        file.writelines(record_line(record) for record in records)


def read_records(path: Path) -> Iterator[Json]:
    """The records of a file; RecordError for what is not a record at all."""
    any_line = False
    with path.open(encoding="utf-8") as file:
        try:
            for number, line in enumerate(file, 1):
                if line.strip():
                    any_line = True
                    yield parse_record(line, number)
        except UnicodeDecodeError:
            raise RecordError("record.not_utf8", path=str(path)) from None
    if not any_line:
        raise RecordError("record.empty", path=str(path))


def parse_record(line: str, number: int) -> Json:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        what = getattr(error, "msg", type(error).__name__)
        raise RecordError("record.not_json", line=number, what=what) from None
    if not isinstance(record, dict):
        raise RecordError("record.not_object", line=number)
    return record


# ---------------------------------------------------------------- following


class Difference(RecordError):
    """Where a record leaves the rules: move number `move` (from 1), or None for the frame."""

    def __init__(self, move: int | None, error: RecordError) -> None:
        super().__init__(error.refusals)
        self.move = move


def follow(record: Json, look: Callable[[Match, int, str], None] | None = None) -> Match:
    """Play a record by the rules; Difference names the first thing that they do not bear out.

    `look` is shown the match before each move, with the seat and the move, which may not be legal.
    """
    move: int | None = None
    try:
        match = open_record(record)
        for move, entry in enumerate(record["moves"], 1):
            _follow_move(match, record, move - 1, entry, look)
        move = None
        _check_result(match, record.get("result"))
        match.check_chance(at_end=True)
        match.check_seed()
    except RecordError as error:
        raise Difference(move, error) from None
    return match


def open_record(record: Json) -> Match:
    """The match of a record, dealt and not yet played, after a look at the record's frame."""
    if record.get("format") != FORMAT:
        raise RecordError("record.format", found=short(record.get("format")), wanted=FORMAT)
    name = record.get("game")
    if not isinstance(name, str) or name not in GAMES:
        raise RecordError("record.game", found=short(name), known=", ".join(GAMES))
    if type(version := record.get("rules", 1)) is not int or version not in GAMES[name].RULES:
        known = ", ".join(map(str, GAMES[name].RULES))
        raise RecordError("record.rules", found=short(version), known=known)
    if not isinstance(record.get("options"), dict):
        raise RecordError("record.options")
    _check_lists(record)
    _check_seed(record.get("seed"))
    try:
        match = Match.from_record(record)
    except OptionError as error:
        raise RecordError(error.refusals) from None
    match.check_seed()  # the deal; what chance did later is looked at when the moves are made
    return match


def _check_lists(record: Json) -> None:
    players, moves, trace = record.get("players"), record.get("moves"), record.get("trace")
    if (
        not isinstance(players, list)
        or len(players) != 2
        or not all(isinstance(name, str) for name in players)
    ):
        raise RecordError("record.players")
    if not isinstance(moves, list):
        raise RecordError("record.moves")
    if trace is not None and (not isinstance(trace, list) or len(trace) != len(moves)):
        found = len(trace) if isinstance(trace, list) else short(trace)
        raise RecordError("record.trace_length", found=found, wanted=len(moves))


def _check_seed(seed: Any) -> None:
    if seed is not None and (not isinstance(seed, str) or not HEX_SEED.fullmatch(seed)):
        raise RecordError("record.seed")


def _follow_move(
    match: Match, record: Json, index: int, entry: Any, look: Callable[[Match, int, str], None] | None
) -> None:
    seat, move = read_entry(entry)
    if match.over:
        reason = match.result.reason if match.result else ""
        raise RecordError("record.after_end", _end_rule(match), reason=reason)
    if seat != match.actors[0]:  # the choices of a turn stand in the order of the seats
        rule = match.game.trace_rule("seat", {})
        raise RecordError("record.wrong_seat", rule, found=seat, wanted=match.actors[0])
    if record.get("trace") is not None:
        _check_trace(match, seat, record["trace"][index])
    if look is not None:
        look(match, seat, move)
    try:
        match.play(move, seat)
    except IllegalMove as error:
        refusal = error.refusal
        raise RecordError("record.illegal", refusal.rule, move=short(move), why=refusal) from None
    match.check_chance()


def read_entry(entry: Any) -> tuple[int, str]:
    if isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int and isinstance(entry[1], str):
        return entry[0], entry[1]
    raise RecordError("record.move")


def _check_trace(match: Match, seat: int, traced: Any) -> None:
    if not isinstance(traced, dict):
        raise RecordError("record.trace_entry")
    situation = match.situation(seat)
    for key in [*situation, *(key for key in traced if key not in situation)]:
        if key not in traced or not same(traced[key], situation.get(key)):
            rule = match.game.trace_rule(key, situation)
            found, wanted = first_difference(traced.get(key), situation.get(key))
            raise RecordError("record.trace", rule, key=short(key), found=found, wanted=wanted)


def same(found: Any, wanted: Any) -> bool:
    """Equal, and of one kind: in a file `true` is not 1."""
    if type(found) is not type(wanted):
        return False
    if isinstance(found, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(found, dict):
        return found.keys() == wanted.keys() and all(same(found[key], wanted[key]) for key in found)
    return bool(found == wanted)


def first_difference(found: Any, wanted: Any) -> tuple[str, str]:
    """The part of two lists in which they differ, so that the message stays short."""
    if isinstance(found, list) and isinstance(wanted, list):
        if len(found) == len(wanted):
            for ours, theirs in zip(found, wanted, strict=True):
                if not same(ours, theirs):
                    return first_difference(ours, theirs)
        elif all(isinstance(item, str) for item in found + wanted):
            extra, missing = [x for x in found if x not in wanted], [x for x in wanted if x not in found]
            return f"{len(found)} {short(extra)}", f"{len(wanted)} {short(missing)}"
    return short(found), short(wanted)


def _check_result(match: Match, result: Any) -> None:
    if not isinstance(result, dict) or not {"winner", "reason", "score"} <= set(result):
        raise RecordError("record.result")
    actual = match.result
    if actual is None:
        if result["reason"] not in TABLE_REASONS:
            raise RecordError("record.not_over")
        _compare_result(result, {"score": match.score}, "")
        if result["winner"] not in (0, 1, None) or isinstance(result["winner"], bool):
            raise RecordError("record.result")
        return
    _compare_result(result, actual.as_json(), match.game.end_rule(actual))


def _compare_result(found: Json, wanted: Json, rule: str) -> None:
    for key, value in wanted.items():
        if not same(found[key], value):
            raise RecordError("record.outcome", rule, key=key, found=short(found[key]), wanted=short(value))


def _end_rule(match: Match) -> str:
    result: Result | None = match.result
    return match.game.end_rule(result) if result else ""


def short(value: Any) -> str:
    """A value as it stands in the file, cut where it gets long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:77] + "…"
