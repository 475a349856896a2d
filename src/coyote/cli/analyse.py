"""`coyote analyse`: what each decision of a finished game was worth, what was luck, what could be known."""

import json
from itertools import islice

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from coyote.analysis.analyse import FEWEST, MOST, SIMULATIONS, analyse, check
from coyote.cli.common import WORDS, console, json_option, lang_option, place_of, words_for
from coyote.cli.faults import Fault
from coyote.cli.terminals import typing_for
from coyote.cli.verify import records_of
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.game import Game, Json
from coyote.games.registry import GAMES
from coyote.records import Difference, open_record
from coyote.text import Words, game_title

STYLES = {
    "inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "bold red", "unknowable": "cyan",
    "lucky": "green", "unlucky": "magenta",
}  # fmt: skip
LEVELS = "▁▂▃▄▅▆▇█"
CURVE = 60  # letters at most


@click.command(help=WORDS("cli.analyse"))
@click.argument("source", metavar="FILE|URL")
@click.option(
    "--game", "number", type=click.IntRange(1), default=1, show_default=True, help=WORDS("cli.game_number")
)
@click.option(
    "--simulations",
    type=click.IntRange(FEWEST, MOST),
    default=SIMULATIONS,
    show_default=True,
    help=WORDS("cli.analyse_simulations"),
)
@click.option("--all", "everything", is_flag=True, help=WORDS("cli.analyse_all"))
@json_option
@lang_option
def command(
    source: str, number: int, simulations: int, everything: bool, as_json: bool, lang: str | None
) -> None:
    words = words_for(lang)
    record = picked(source, number, words)
    check(record)
    try:
        game = open_record(record).game
        warm_up(game, words)
        warm_bots(game, ("search:1",), words)
        found = with_progress(record, simulations, words)
    except Difference as error:
        raise place_of(error, number, words) from None
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        Drawing(game, found, words, everything).draw()


def picked(source: str, number: int, words: Words) -> Json:
    """Game `number` of a file or a link."""
    record = next(islice(records_of(source), number - 1, None), None)
    if record is None:
        games = sum(1 for _ in records_of(source))
        raise Fault("fault.no_game", games=words("count.games", n=games), game=number)
    if record.get("game") not in GAMES:
        check(record)
    return record


def with_progress(record: Json, simulations: int, words: Words) -> Json:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(words("analysis.busy"), total=len(record["moves"]))
        return analyse(record, simulations, lambda done, _: bar.update(task, completed=done))


class Drawing:
    """An analysis for people."""

    def __init__(self, game: Game, found: Json, words: Words, everything: bool) -> None:
        self.game, self.found, self.words, self.everything = game, found, words, everything
        self.out: Console = console()
        self.typing = typing_for(game, words)
        self.names = [
            f"{title} ({player})"
            for title, player in zip(words.find("play.players"), found["players"], strict=True)
        ]

    def draw(self) -> None:
        title = f"{self.words('analysis.title')}: {game_title(self.game, self.words.lang)}"
        self.out.print(Text(title, "bold"))
        self.out.print(Text(self.outcome()))
        self.out.print()
        self.out.print(Text(self.words("analysis.curve", name=self.names[0]), "dim"))
        self.out.print(Text(drawn(self.found["curve"]), "green"))
        self.out.print()
        self.out.print(self.sums())
        self.out.print()
        self.out.print(self.decisions())
        simulations = self.words("analysis.simulations", n=self.found["simulations"])
        self.out.print(Text(simulations, "dim"))

    def outcome(self) -> str:
        result = self.found["result"]
        reason = self.words(f"reason.{result['reason']}")
        if result["winner"] is None:
            return self.words("replay.drawn", reason=reason)
        return self.words("replay.won", name=self.names[result["winner"]], reason=reason)

    def sums(self) -> Table:
        """Both players side by side."""
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
        table.add_column("")
        for name in self.names:
            table.add_column(Text(name), justify="right")
        seats = self.found["seats"]
        self.row(table, "analysis.decisions", [self.words.number(seat["decisions"]) for seat in seats])
        self.row(
            table,
            "analysis.accuracy",
            [f"{self.words.number(100 * seat['accuracy'], '.1f')} %" for seat in seats],
        )
        self.row(table, "analysis.lost", [self.points(-seat["lost"]) for seat in seats])
        self.row(table, "analysis.luck_deal", [self.points(seat["luck"]["deal"]) for seat in seats])
        self.row(table, "analysis.luck_later", [self.points(seat["luck"]["later"]) for seat in seats])
        for label in ("inaccuracy", "mistake", "blunder", "unknowable"):
            counts = [self.words.number(seat["labels"][label]) for seat in seats]
            table.add_row(Text(self.words(f"analysis.label.{label}"), STYLES[label]), *counts)
        for kind in seats[0]["habit"] | seats[1]["habit"]:
            self.habit(table, kind, [seat["habit"].get(kind) for seat in seats])
        return table

    def habit(self, table: Table, kind: str, found: list[Json | None]) -> None:
        """How often a kind was chosen, and how often a good player would have chosen it."""
        cells = [
            f"{one['chosen']} ({self.words.number(one['usual'], '.1f')})" if one else "0" for one in found
        ]
        name = self.words(f"analysis.habit.{kind}")
        table.add_row(f"{self.words('analysis.habit.title')}: {name}", *cells)

    def row(self, table: Table, key: str, cells: list[str]) -> None:
        table.add_row(self.words(key), *cells)

    def points(self, chance: float) -> str:
        """`+12.3`: points of the chance to win."""
        return self.words.number(100 * chance, "+.1f").replace("-", "−")

    def decisions(self) -> Table | Text:
        shown = [entry for entry in self.found["decisions"] if self.everything or stands_out(entry)]
        if not shown:
            return Text(self.words("analysis.none"))
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
        for heading in ("", "analysis.made", "analysis.chances", "analysis.labels", "analysis.told"):
            table.add_column(self.words(heading) if heading else "")
        for entry in shown:
            label = entry["fortune"] or entry["label"]
            style = STYLES.get(label, "")
            table.add_row(
                Text(str(entry["move"]), "dim"),
                Text(f"{self.words.find('play.players')[entry['seat']]}: {self.typing.write(entry['made'])}"),
                Text(self.chances(entry["known"]), "dim"),
                Text(self.words(f"analysis.label.{label}"), style),
                Text(entry["words"][self.words.lang]),
            )
        return table

    def chances(self, known: Json | None) -> str:
        if known is None:
            return ""
        made, best = (self.words.number(100 * known[key], ".0f") for key in ("made", "best"))
        return f"{made} → {best} %"


def stands_out(entry: Json) -> bool:
    return entry["label"] not in ("fine", "forced") or entry["fortune"] is not None


def drawn(curve: list[float]) -> str:
    """A curve from 0 to 1 in one line.

    >>> drawn([0.0, 0.25, 0.5, 0.75, 1.0])
    '▁▃▅▇█'
    """
    step = max(1.0, len(curve) / CURVE)
    picked_places = [curve[min(len(curve) - 1, round(k * step))] for k in range(round(len(curve) / step))]
    return "".join(LEVELS[min(len(LEVELS) - 1, int(chance * len(LEVELS)))] for chance in picked_places)
