"""`coyote match`: two bots against each other, and how sure one may be of who is stronger."""

import json
import signal
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from coyote.analysis.luck import fate_of
from coyote.bots.names import kind_of, read_budget
from coyote.cli.common import (
    WORDS,
    console,
    edition_option,
    game_argument,
    game_with,
    house_rules_option,
    json_option,
    lang_option,
    plain_text,
    set_option,
    setup_with,
    two_decks,
    words_for,
)
from coyote.cli.faults import INTERRUPTED, Fault
from coyote.cli.warm import warm_bots, warm_games, warm_up
from coyote.games.game import Json
from coyote.lab.contest import Contest, Standing
from coyote.questions import Budget
from coyote.records import record_line, written_whole
from coyote.seeds import new_seed
from coyote.text import Words, game_title

WIDTH = 50  # letters of the picture of an interval


@click.command(help=WORDS("cli.match"))
@game_argument
@click.argument("first", callback=plain_text, metavar="A")
@click.argument("second", callback=plain_text, metavar="B")
@click.option(
    "--games", type=click.IntRange(1, 10**7), default=100, show_default=True, help=WORDS("cli.games")
)
@click.option("--budget", callback=plain_text, help=WORDS("cli.budget"))
@house_rules_option
@edition_option
@click.option("--decks", help=WORDS("cli.decks"))
@set_option
@click.option("--seed", callback=plain_text, help=WORDS("cli.series_seed"))
@click.option("--until", type=click.FloatRange(0.5, 0.9999), help=WORDS("cli.until"))
@click.option("--luck", is_flag=True, help=WORDS("cli.match_luck"))
@click.option("--records", type=click.Path(path_type=Path), help=WORDS("cli.match_records"))
@json_option
@lang_option
def command(
    game: str,
    first: str,
    second: str,
    games: int,
    budget: str | None,
    options: tuple[str, ...],
    edition: str | None,
    decks: str | None,
    set_file: Path | None,
    seed: str | None,
    until: float | None,
    luck: bool,
    records: Path | None,
    as_json: bool,
    lang: str | None,
) -> None:
    words = words_for(lang)
    bots = (first, second)
    for name in bots:
        kind_of(name)
    if luck and until is not None:
        raise Fault("fault.luck_until")
    chosen = game_with(game, edition, options, set_file)
    if games % 2:
        click.echo(words("match.odd", games=words("count.games", n=games + 1)), err=True)
    if luck:
        fate_of(chosen)
    contest = Contest(
        game=chosen,
        setup=setup_with(chosen, two_decks(decks)),
        bots=bots,
        pairs=(games + 1) // 2,
        seed=new_seed() if seed is None else seed,
        budget=budget_of(budget),
        until=until,
        luck=luck,
    )
    if records or luck:
        warm_up(chosen, words)
        warm_bots(chosen, bots, words)
    else:
        warm_games(chosen, bots, words, contest.budget)
    hold(contest, records, as_json, words)


def budget_of(text: str | None) -> Budget:
    if text is None:
        return Budget()
    try:
        return read_budget(text)
    except ValueError:
        raise Fault("fault.budget", text=text) from None


# ---------------------------------------------------------------- the match


def hold(contest: Contest, records: Path | None, as_json: bool, words: Words) -> None:
    """Play it, and tell the result; when it is interrupted, the result so far."""
    standing, start = Standing(), time.perf_counter()
    with written_whole(records) if records else nullcontext() as file:
        interrupted = play(contest, standing, file, words)
        if not standing.pairs:
            raise click.Abort  # nothing to tell, and no file to write
    found = {**frame(contest), **standing.as_json(contest.until)}
    found |= {"settled": settled(contest, standing), "interrupted": interrupted}
    found["seconds"] = time.perf_counter() - start
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        Drawing(contest, standing, found, words).draw()
        if records:
            click.echo(
                words("match.written", games=words("count.games", n=standing.games), path=records), err=True
            )
    if interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def play(contest: Contest, standing: Standing, file: IO[str] | None, words: Words) -> bool:
    """Whether somebody interrupted it. All that was played until then counts."""
    try:
        with (
            interruptible(),
            progress_bar(contest) as advance,
            closing(deals(contest, standing, file)) as more,
        ):
            for number in more:
                advance(score_line(contest, standing, words), 2 * number)
    except KeyboardInterrupt:
        return True
    return False


def deals(contest: Contest, standing: Standing, file: IO[str] | None) -> Generator[int, None, None]:
    """How many more deals are played, each time; their games go into the file."""
    if file is None:
        yield from contest.count(standing)
        return
    with closing(contest.play(standing)) as pairs:
        for pair in pairs:
            file.writelines(record_line(played.record()) for played in pair)
            yield 1


@contextmanager
def interruptible() -> Iterator[None]:
    """Being told to end is like Ctrl-C: no program is left running, and the result so far is told."""
    kinds = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(kind, signal.default_int_handler) for kind in kinds]
    try:
        yield
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)


@contextmanager
def progress_bar(contest: Contest) -> Iterator[Any]:
    """A bar on standard error with the score so far."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("0 : 0", total=2 * contest.pairs)
        yield lambda score, games: bar.update(task, description=score, advance=games)


def score_line(contest: Contest, standing: Standing, words: Words) -> str:
    first, second = (
        f"{short(contest.bots[bot])} {words.number(standing.points(bot), 'g')}" for bot in range(2)
    )
    return escape(words("match.busy", first=first, second=second))


def short(name: str) -> str:
    """A bot's name for a narrow place: of a command the end, which tells most."""
    return name if len(name) <= 24 else f"…{name[-23:]}"


def settled(contest: Contest, standing: Standing) -> Json | None:
    """Which bot is stronger, where that was asked for."""
    if contest.until is None:
        return None
    return {"confidence": contest.until, "stronger": standing.stronger(contest.until)}


def frame(contest: Contest) -> Json:
    game, budget = contest.game, contest.budget
    return {
        "game": game.name,
        "options": game.options,
        **({"decks": contest.setup.names()} if contest.setup.names() else {}),
        "seed": contest.seed,
        "bots": list(contest.bots),
        "budget": {"simulations": budget.simulations, "seconds": budget.seconds},
    }


# ---------------------------------------------------------------- the result


class Drawing:
    """The result for people."""

    def __init__(self, contest: Contest, standing: Standing, found: Json, words: Words) -> None:
        self.contest, self.standing, self.found, self.words = contest, standing, found, words
        self.out: Console = console()

    def draw(self) -> None:
        if self.found["interrupted"]:
            self.line("match.stopped", style="yellow")
        self.out.print(Text(self.title(), "bold"))
        self.out.print(self.scores())
        self.out.print()
        self.score()
        if "luck" in self.found:
            self.luck(self.found["luck"])
        self.line("match.first_seat", **percents(self.found["first_seat"]))
        self.line("match.length", turns=self.found["turns"], decisions=self.found["decisions"])
        self.out.print()
        self.out.print(self.ends())
        for bot in range(2):
            self.failures(bot)
        self.verdict()

    def line(self, key: str, style: str = "", **slots: Any) -> None:
        """One sentence; what strangers have put into it is no markup."""
        self.out.print(Text(self.words(key, **slots), style), soft_wrap=True)

    def title(self) -> str:
        parts = [game_title(self.contest.game, self.words.lang)]
        if "decks" in self.found:
            parts.append(" – ".join(self.found["decks"]))
        games = self.words("count.games", n=self.found["games"])
        return " · ".join([", ".join(parts), games, self.words("simulate.seed", seed=self.found["seed"])])

    def scores(self) -> Table:
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
        headings = ("match.bot", "match.won", "match.drawn", "match.lost", "match.score")
        for i, heading in enumerate(headings):
            table.add_column(self.words(heading), justify="left" if i == 0 else "right")
        for bot in range(2):
            share = 100 * self.standing.points(bot) / self.standing.games
            numbers = (self.standing.won[bot], self.standing.drawn, self.standing.won[1 - bot])
            shown = [*map(self.words.number, numbers), f"{self.words.number(share, '.1f')} %"]
            table.add_row(Text(self.contest.bots[bot]), *shown)
        return table

    def score(self) -> None:
        """The score of the first bot with its interval, in numbers and as a picture."""
        score, elo = self.found["score"], self.found["elo"]
        self.out.print(picture(**score))
        key = "match.interval" if self.contest.until is None else "match.steady"
        confidence = self.contest.until
        self.line(key, bot=short(self.contest.bots[0]), confidence=confidence, **percents(score))
        sign = 1 if score["share"] > 0.5 else -1
        self.line(
            "match.elo",
            difference=rating(elo["difference"], sign),
            low=rating(elo["low"], -1),
            high=rating(elo["high"], 1),
        )

    def luck(self, found: Json) -> None:
        """The same less what was luck, and how much narrower that makes it."""
        spread = found["deviation"]
        self.out.print(picture(**clipped(found["score"])))
        self.line("match.adjusted", bot=short(self.contest.bots[0]), **percents(found["score"]))
        for kind in ("game", "pair"):
            self.line(
                f"match.spread_{kind}",
                plain=100 * spread[kind],
                adjusted=100 * spread[f"{kind}_adjusted"],
                less=100 - 100 * spread[f"{kind}_adjusted"] / (spread["game"] or 1.0),
            )
        luck = {name: 100 * value for name, value in found["luck"].items()}
        self.line("match.luck", bot=short(self.contest.bots[0]), **luck)
        if found["error"]:
            self.line("match.sampled", error=100 * found["error"])

    def ends(self) -> Table:
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
        table.add_column(self.words("simulate.end"))
        table.add_column(self.words("simulate.won"), justify="right")
        for reason, number in self.found["ends"].items():
            table.add_row(self.words(f"reason.{reason}"), self.words.number(number))
        return table

    def failures(self, bot: int) -> None:
        """How often a bot failed, by kind, each with an example in words."""
        kinds = [(code, n) for (who, code), n in sorted(self.standing.failures.items()) if who == bot]
        if not kinds:
            return
        self.out.print()
        heading = f"{self.contest.bots[bot]}: {self.words('match.failure')}"
        self.out.print(Text(heading, "red"), soft_wrap=True)
        for code, number in kinds:
            example = self.standing.examples[bot, code]
            self.out.print(
                Text(f"{self.words.number(number):>7}  {example.message(self.words.lang)}"), soft_wrap=True
            )

    def verdict(self) -> None:
        if self.contest.until is None:
            return
        bot = self.found["settled"]["stronger"]
        self.out.print()
        if bot is None:
            self.line("match.open", confidence=self.contest.until, style="yellow")
        else:
            name = short(self.contest.bots[bot])
            self.line("match.settled", confidence=self.contest.until, bot=name, style="bold green")


def clipped(score: Json) -> Json:
    """Within a picture from 0 to 100 %; a score less its luck may lie beyond."""
    return {name: min(1.0, max(0.0, value)) for name, value in score.items()}


def percents(found: Json) -> Json:
    return {name: 100 * value for name, value in found.items()}


def rating(difference: float | None, sign: int) -> str:
    """`+85`; JSON's null is infinite.

    >>> rating(84.7, 1), rating(None, -1), rating(-0.2, 1)
    ('+85', '−∞', '0')
    """
    if difference is None:
        return "+∞" if sign > 0 else "−∞"
    whole = round(difference)
    return f"{whole:+d}".replace("-", "−") if whole else "0"


def picture(share: float, low: float, high: float) -> Text:
    """The interval on a line from 0 to 100 %, with a mark in the middle.

    >>> picture(0.6, 0.52, 0.68).plain
    '0 ─────────────────────────┼━━━━●━━━━──────────────── 100 %'
    """
    line = ["─"] * (WIDTH + 1)
    first, last = round(WIDTH * low), round(WIDTH * high)
    line[first : last + 1] = ["━"] * (last + 1 - first)
    line[WIDTH // 2] = "┼"
    line[round(WIDTH * share)] = "●"
    drawn = Text("0 ", "dim")
    for place, sign in enumerate(line):
        drawn.append(sign, "bold green" if first <= place <= last else "dim")
    return drawn.append(" 100 %", "dim")
