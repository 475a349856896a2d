"""`coyote replay`: steps through a recorded game, forward and back."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import click
from rich.markup import escape

from coyote.analysis.hidden import can_tell, hidden_hand
from coyote.cli.common import WORDS, console, file_argument, lang_option, place_of, words_for
from coyote.cli.faults import Fault
from coyote.cli.terminals import table_for
from coyote.games.game import Json
from coyote.kernel.seats import SPECTATOR
from coyote.match import Match
from coyote.records import Difference, open_record, read_records
from coyote.records import follow as follow_record
from coyote.text import Words

FORWARD = ("", "n", "\r", "\n", " ", "\x1b[C", "\x1b[B", "l", "j")
BACK = ("p", "b", "\x1b[D", "\x1b[A", "h", "k")


@click.command(help=WORDS("cli.replay"))
@file_argument
@click.option(
    "--game", "number", type=click.IntRange(1), default=1, show_default=True, help=WORDS("cli.game_number")
)
@click.option(
    "--view", type=click.Choice(["0", "1", "all"]), default="all", show_default=True, help=WORDS("cli.view")
)
@lang_option
def command(file: Path, number: int, view: str, lang: str | None) -> None:
    words = words_for(lang)
    record = pick(file, number, words)
    viewer = None if view == "all" else int(view)
    Replay(record, viewer, words).run()


def pick(file: Path, number: int, words: Words) -> Json:
    """Game `number` of the file, followed by the rules before anything is shown."""
    records = read_records(file)
    record = next(islice(records, number - 1, None), None)
    if record is None:
        games = sum(1 for _ in read_records(file))
        raise Fault("fault.no_game", games=words("count.games", n=games), game=number)
    try:
        follow_record(record)
    except Difference as error:
        raise place_of(error, number, words) from None
    return record


class Replay:
    """A record and a place in it; place k is the situation after k moves."""

    def __init__(self, record: Json, viewer: int | None, words: Words) -> None:
        self.record, self.viewer, self.words = record, viewer, words
        self.out = console()
        self.last = len(record["moves"])
        self.place = 0
        self.names = [
            f"{title} ({player})"
            for title, player in zip(words.find("play.players"), record["players"], strict=True)
        ]

    def at(self, place: int) -> tuple[Match, int]:
        """The match after so many moves, and how many events it had before the last of them."""
        match = open_record(self.record)
        before = 0
        for seat, move in self.record["moves"][:place]:
            before = len(match.rows)
            match.play(move, seat)
        return match, before

    def run(self) -> None:
        if not self.out.is_terminal:
            self.print_all()
            return
        while True:
            self.draw()
            key = click.getchar()
            if key in ("q", "\x1b", "\x03", "\x04"):
                return
            self.place = self.step(key)

    def step(self, key: str) -> int:
        if key in FORWARD:
            return min(self.place + 1, self.last)
        if key in BACK:
            return max(self.place - 1, 0)
        if key in ("g", "0", "\x1b[H"):
            return 0
        return self.last if key in ("G", "$", "\x1b[F") else self.place

    def print_all(self) -> None:
        """Not at a terminal: every step, one after the other."""
        for place in range(self.last + 1):
            self.place = place
            self.draw()

    def draw(self) -> None:
        match, before = self.at(self.place)
        if self.out.is_terminal:
            self.out.clear()
        seat = SPECTATOR if self.viewer is None else self.viewer
        hands = match.hands if self.viewer is None else None
        self.out.print(self.words("replay.place", place=self.place, last=self.last), style="dim")
        self.out.print(table_for(match.game, self.words, self.names).draw(match.view_json(seat), hands))
        if self.viewer is not None and self.place < self.last and can_tell(match):
            self.out.print(hold_line(match, self.viewer, self.names, self.words), style="dim")
        for said in match.story(self.viewer, self.names, self.words.lang, before):
            self.out.print(f"  {escape(said)}")
        if self.place == self.last and (result := self.record["result"]):
            self.out.print(self.outcome(result), style="bold")
        if self.out.is_terminal:
            self.out.print(self.words("replay.keys"), style="dim")

    def outcome(self, result: Json) -> str:
        reason = self.words(f"reason.{result['reason']}")
        if result["winner"] is None:
            return self.words("replay.drawn", reason=reason)
        return self.words("replay.won", name=self.names[result["winner"]], reason=reason)


def hold_line(match: Match, seat: int, names: Sequence[str], words: Words) -> str:
    """What the other hand could hold, from what the seat could know."""
    found = hidden_hand(match, seat)
    if "ranks" in found:
        likely = found["ranks"].items()
        told = ", ".join(
            f"{words.find(f'rank.{rank}.sign')} {percent(chance, words)}" for rank, chance in likely
        )
    else:
        likely = found["cards"].items()
        told = ", ".join(
            f"{match.game.title(card, words.lang)} {percent(chance, words)}" for card, chance in likely
        )
    return words("analysis.hold", name=names[1 - seat], cards=told)


def percent(chance: float, words: Words) -> str:
    return f"{words.number(100 * chance, '.0f')} %"
