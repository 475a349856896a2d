"""`coyote simulate`: many games from one seed, as a summary or as records."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from coyote.bots.names import check_bot
from coyote.cli.common import (
    WORDS,
    console,
    edition_option,
    game_argument,
    game_with,
    json_option,
    lang_option,
    plain_text,
    set_option,
    two_decks,
    words_for,
)
from coyote.cli.faults import Fault
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.duel.game import Duel
from coyote.games.game import Game, Json
from coyote.lab import simulate
from coyote.records import record_line, written_whole
from coyote.seeds import new_seed
from coyote.text import Words


@click.command(help=WORDS("cli.simulate"))
@game_argument
@click.option(
    "--games", type=click.IntRange(1, 10**9), default=1000, show_default=True, help=WORDS("cli.games")
)
@click.option("--seed", callback=plain_text, help=WORDS("cli.series_seed"))
@click.option("--bots", default="random,random", show_default=True, help=WORDS("cli.bots"))
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help=WORDS("cli.option"))
@edition_option
@click.option("--decks", help=WORDS("cli.decks"))
@set_option
@click.option("--trace", is_flag=True, help=WORDS("cli.trace"))
@click.option("--records", type=click.Path(path_type=Path), help=WORDS("cli.records"))
@json_option
@lang_option
def command(
    game: str,
    games: int,
    seed: str | None,
    bots: str,
    options: tuple[str, ...],
    edition: str | None,
    decks: str | None,
    set_file: Path | None,
    trace: bool,
    records: Path | None,
    as_json: bool,
    lang: str | None,
) -> None:
    words = words_for(lang)
    chosen = game_with(game, edition, options, two_decks(decks), set_file)
    players = two_bots(bots)
    seed = new_seed() if seed is None else seed
    if trace and records is None:
        raise Fault("fault.trace_needs_records")
    if records is not None:
        write(chosen, players, games, seed, trace, records, words)
    else:
        tell(chosen, players, games, seed, as_json, words)


def two_bots(text: str) -> list[str]:
    names = text.split(",")
    if len(names) != 2:
        raise Fault("fault.two_bots", text=text)
    for name in names:
        check_bot(name)
    return names


@contextmanager
def progress_bar(words: Words, games: int) -> Iterator[Any]:
    """A bar on standard error that goes away when the work is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(words("simulate.busy"), total=games)
        yield lambda done: bar.advance(task, done)


def write(game: Game, bots: list[str], games: int, seed: str, trace: bool, path: Path, words: Words) -> None:
    with written_whole(path) as file:
        warm_up(game, words)
        warm_bots(game, bots, words)
        with progress_bar(words, games) as advance:
            for record in simulate.records(game, bots, games, seed, trace):
                file.write(record_line(record))
                advance(1)
    click.echo(words("simulate.written", games=words("count.games", n=games), path=path), err=True)


def tell(game: Game, bots: list[str], games: int, seed: str, as_json: bool, words: Words) -> None:
    warm_up(game, words, series=True)
    warm_bots(game, bots, words)
    with progress_bar(words, games) as advance:
        start = time.perf_counter()
        tally = simulate.count(game, games, seed, advance, bots)
        seconds = time.perf_counter() - start
    found = {
        "game": game.name,
        "options": game.options,
        "seed": seed,
        "bots": bots,
        **({"decks": game.deck_names} if isinstance(game, Duel) else {}),
        **simulate.summary(game, tally),
        "seconds": seconds,
    }
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        draw(found, words)


def percent(found: Json) -> str:
    return f"{100 * found['share']:.2f} %  [{100 * found['low']:.2f} – {100 * found['high']:.2f}]"


def draw(found: Json, words: Words) -> None:
    out = console()
    game, games = found["game"], found["games"]
    edition = found["options"].get("edition")
    title = ", ".join([words(f"{game}.name"), *([words(f"madness.edition.{edition}")] if edition else [])])
    out.print(
        f"[bold]{title}[/] · {words('count.games', n=games)} · {words('simulate.seed', seed=found['seed'])}"
    )
    out.print(_wins(found, words), _ends(found, words), _points(found, words))
    turns = found["turns"]
    out.print(words("simulate.length", decisions=found["decisions"] / games, **turns))
    out.print(words("simulate.speed", seconds=found["seconds"], speed=games / found["seconds"]))


def seat_name(found: Json, seat: int, words: Words) -> str:
    """`Seat 0 · random`, in a duel with the deck."""
    parts = [words("simulate.seat", seat=seat, bot=escape(found["bots"][seat]))]
    if "decks" in found:
        parts.append(found["decks"][seat])
    return " · ".join(parts)


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="left" if i == 0 else "right")
    return table


def _wins(found: Json, words: Words) -> Table:
    table = _table(words("simulate.winner"), words("simulate.won"), words("simulate.share"))
    for seat in range(2):
        won = found["wins"][seat]
        table.add_row(seat_name(found, seat, words), f"{won['games']:,}", percent(won))
    table.add_row(words("simulate.draw"), f"{found['draws']['games']:,}", percent(found["draws"]))
    return table


def _ends(found: Json, words: Words) -> Table:
    table = _table(words("simulate.end"), words("simulate.won"), words("simulate.share"))
    for reason, number in found["ends"].items():
        share = simulate.share(number, found["games"])
        table.add_row(words(f"reason.{reason}"), f"{number:,}", percent(share))
    if failed := found.get("failures"):
        table.add_row(
            words("simulate.failed"), f"{failed:,}", percent(simulate.share(failed, found["games"]))
        )
    return table


def _points(found: Json, words: Words) -> Table:
    table = _table(words("simulate.points"), *(seat_name(found, seat, words) for seat in range(2)))
    for source, numbers in found["points"].items():
        table.add_row(words(f"source.{source}"), *(f"{number / found['games']:.3f}" for number in numbers))
    return table
