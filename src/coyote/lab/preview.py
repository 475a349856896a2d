"""A preview: finished games with the same deals and the same choices, under changed rules or cards.

Each game is followed twice, side by side: as it was, and with the change. Up to the first difference both
are the same game. After it the players might have chosen otherwise, so what becomes of the game is only
what becomes of these choices; and where a choice is not allowed any more, nothing can be said.
"""

import hashlib
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path

from coyote.games.events import Event
from coyote.games.game import Json, OptionError, RecordError
from coyote.games.registry import GAMES
from coyote.lab.measures import share
from coyote.lab.sweep import Run, Tell
from coyote.match import IllegalMove, Match
from coyote.records import open_record, parse_record, read_entry
from coyote.text import LANGUAGES, Refused

AT_ONCE = 20  # records in a piece
PLAYERS = ("0", "1")  # how sentences call the seats

# What becomes of a game.
SAME = "same"  # nothing differs
SAME_WINNER = "same_winner"  # it goes differently, and the same seat wins, or nobody again
OTHER_WINNER = "other_winner"
NOT_OVER = "not_over"  # all choices are made, and the game goes on
ILLEGAL = "illegal"  # a choice is not allowed any more, or is somebody else's
NO_CHANCE = "no_chance"  # chance is asked for what the record does not tell
IMPOSSIBLE = "impossible"  # it cannot be dealt
UNREADABLE = "unreadable"  # it does not follow its own rules
VERDICTS = (SAME, SAME_WINNER, OTHER_WINNER, NOT_OVER, ILLEGAL, NO_CHANCE, IMPOSSIBLE, UNREADABLE)
KNOWN = (SAME, SAME_WINNER, OTHER_WINNER)  # how it ends can be said


@dataclass(frozen=True)
class Preview:
    """Which games, and what is changed: options, and cards where there is a `public`."""

    path: Path
    game: str
    options: Json
    public: Json

    def ask(self, run: Run, tell: Tell) -> Json:
        digest, total = digest_and_size(self.path)
        frame = {"file": str(self.path), "digest": digest, "game": self.game}
        change = {"options": self.options, "public": self.public}
        pieces = [
            {**frame, **change, "first": first, "n": min(AT_ONCE, total - first)}
            for first in range(0, total, AT_ONCE)
        ]
        games: list[Json] = []
        with closing(run(preview_piece, pieces)) as found:
            for piece, part in found:
                games += part["games"]
                tell("lab.preview.following", piece["first"] + piece["n"], total)
        return {"games": games, **summary(games)}


def digest_and_size(path: Path) -> tuple[str, int]:
    """What tells this file from another, and how many records it has."""
    hashed, lines = hashlib.sha256(), 0
    with path.open("rb") as file:
        for line in file:
            hashed.update(line)
            lines += bool(line.strip())
    if not lines:
        raise RecordError("record.empty", path=str(path))
    return hashed.hexdigest()[:16], lines


def preview_piece(piece: Json) -> Json:
    """The task: some records of the file, each with the change."""
    found = []
    with Path(piece["file"]).open(encoding="utf-8") as file:
        lines = (line for line in file if line.strip())
        for number, line in enumerate(
            islice(lines, piece["first"], piece["first"] + piece["n"]), piece["first"] + 1
        ):
            found.append({"game": number, **preview(line, number, piece)})
    return {"games": found}


# ---------------------------------------------------------------- one game


def preview(line: str, number: int, change: Json) -> Json:
    """What becomes of one game."""
    try:
        record = parse_record(line, number)
        was = open_record(record)
        if was.game.name != change["game"]:
            raise RecordError("lab.preview.other_game", name=was.game.name)
    except RecordError as error:
        return {"verdict": UNREADABLE, "why": in_words(error)}
    try:
        altered = GAMES[record["game"]].altered(record, change["options"], change["public"])
        now = Match.from_record(altered)
    except (RecordError, OptionError) as error:
        return {"verdict": IMPOSSIBLE, "why": in_words(error)}
    return Sides(was, now, record).follow()


class Sides:
    """A game as it was, and as it is now, move by move."""

    def __init__(self, was: Match, now: Match, record: Json) -> None:
        self.was, self.now, self.record = was, now, record
        self.found: Json = {}

    def follow(self) -> Json:
        for number, entry in enumerate(self.record["moves"], 1):
            try:
                seat, move = read_entry(entry)
                self._look(number, seat)
                self.was.play(move, seat)
            except (RecordError, IllegalMove) as error:
                return {"verdict": UNREADABLE, "why": in_words(error)}
            if not self.now.over and (verdict := self._play(number, seat, move)):
                return self._told(verdict)
        self._look_back()
        return self._told(self._end())

    def _look(self, number: int, seat: int) -> None:
        """Note from which move on things are different, and from which on a player has other choices."""
        if "choices_from" in self.found:
            return
        if self.now.over:
            before, after = {}, {"over": True}
        else:
            before, after = self.was.situation(seat), self.now.situation(seat)
        differs = [key for key in after if before.get(key) != after[key]]
        if differs and "from" not in self.found:
            what = next((key for key in differs if key != "legal"), "legal")
            self.found |= {"from": number, "turn": self.was.turn, "what": what}
        if "legal" in differs:
            self.found["choices_from"] = number

    def _look_back(self) -> None:
        """The last move may be the first to do something else."""
        if "from" not in self.found and self.was.events() != self.now.events():
            what = "over" if self.was.over != self.now.over else "events"
            self.found |= {"from": len(self.was.moves), "turn": self.was.turn, "what": what}

    def _play(self, number: int, seat: int, move: str) -> str | None:
        """Make the same choice; why that cannot be, where it cannot."""
        try:
            if seat not in self.now.actors:
                wanted = self.now.actors[0]
                raise RecordError(
                    "record.wrong_seat", self.now.game.trace_rule("seat", {}), found=seat, wanted=wanted
                )
            self.now.play(move, seat)
            self.now.check_chance()
        except IllegalMove as error:
            self.found |= {"stopped": number, "why": in_words(error), "rule": error.refusal.rule}
            return ILLEGAL
        except RecordError as error:
            self.found |= {"stopped": number, "why": in_words(error), "rule": error.refusal.rule}
            return ILLEGAL if error.code == "record.wrong_seat" else NO_CHANCE
        return None

    def _end(self) -> str:
        result, now = self.record.get("result") or {}, self.now.result
        self.found["was"] = {key: result.get(key) for key in ("winner", "reason")}
        if now is None:
            ended_by_players = self.was.result is None
            return SAME if ended_by_players and "from" not in self.found else NOT_OVER
        self.found["now"] = {"winner": now.winner, "reason": now.reason}
        if result.get("winner") != now.winner:
            return OTHER_WINNER
        return SAME_WINNER if "from" in self.found else SAME

    def _told(self, verdict: str) -> Json:
        return {"verdict": verdict, **self.found, **self._event()}

    def _event(self) -> Json:
        """The first event that is not the same, as it was and as it is now."""
        was, now = self.was.events(), self.now.events()
        for number, (before, after) in enumerate(zip_longest(was, now), 1):
            if before != after and (after is not None or "stopped" not in self.found):
                told = {"was": self._said(self.was, before), "now": self._said(self.now, after)}
                return {"event": {"number": number, **{side: text for side, text in told.items() if text}}}
        return {}

    def _said(self, match: Match, event: Event | None) -> Json | None:
        if event is None:
            return None
        return {
            lang: " ".join(text for text, _ in match.sentences([event], None, PLAYERS, lang))
            for lang in LANGUAGES
        }


def in_words(error: Refused) -> Json:
    return {lang: error.message(lang) for lang in LANGUAGES}


# ---------------------------------------------------------------- all of them


def summary(games: list[Json]) -> Json:
    """How many games fared how; of which the end is known; and how winners changed."""
    verdicts = Counter(game["verdict"] for game in games)
    known = sum(verdicts[verdict] for verdict in KNOWN)
    whole = len(games) - verdicts[UNREADABLE]
    winners = Counter(
        (side(game["was"]["winner"]), side(game["now"]["winner"])) for game in games if "now" in game
    )
    return {
        "total": len(games),
        "verdicts": {verdict: verdicts[verdict] for verdict in VERDICTS},
        "shares": {verdict: share(verdicts[verdict], whole) for verdict in VERDICTS[:-1]},
        "winner_changes": share(verdicts[OTHER_WINNER], known),
        "winners": [[winners[before, after] for after in range(3)] for before in range(3)],
        "first": dict(Counter(game["what"] for game in games if "what" in game).most_common()),
        "turns": sorted(Counter(game["turn"] for game in games if "turn" in game).items()),
        "rules": dict(Counter(game["rule"] for game in games if game["verdict"] == ILLEGAL).most_common()),
    }


def side(winner: int | None) -> int:
    """A place in the table of winners: the last one is for draws."""
    return 2 if winner is None else winner
