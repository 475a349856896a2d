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

from coyote.bots.names import kind_of
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
from coyote.cli.faults import Fault
from coyote.cli.warm import warm_bots, warm_games, warm_up
from coyote.games.game import Game, Json, Setup
from coyote.lab import simulate
from coyote.lab.series import AT_RANDOM
from coyote.records import record_line, written_whole
from coyote.seeds import new_seed
from coyote.text import Words, game_title


@click.command(help=WORDS("cli.simulate"))
@game_argument
@click.option(
    "--games", type=click.IntRange(1, 10**9), default=1000, show_default=True, help=WORDS("cli.games")
)
@click.option("--seed", callback=plain_text, help=WORDS("cli.series_seed"))
@click.option("--bots", default="random,random", show_default=True, help=WORDS("cli.bots"))
@house_rules_option
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
    chosen = game_with(game, edition, options, set_file)
    setup = setup_with(chosen, two_decks(decks))
    players = two_bots(bots)
    seed = new_seed() if seed is None else seed
    if trace and records is None:
        raise Fault("fault.trace_needs_records")
    if records is not None:
        write(chosen, setup, players, games, seed, trace, records, words)
    else:
        tell(chosen, setup, players, games, seed, as_json, words)


def two_bots(text: str) -> list[str]:
    names = text.split(",")
    if len(names) != 2:
        raise Fault("fault.two_bots", text=text)
    for name in names:
        kind_of(name)
    return names


@contextmanager
def progress_bar(words: Words, games: int) -> Iterator[Any]:
    """A bar on standard error that goes away when the work is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(words("simulate.busy"), total=games)
        yield lambda done: bar.advance(task, done)


def write(
    game: Game, setup: Setup, bots: list[str], games: int, seed: str, trace: bool, path: Path, words: Words
) -> None:
    with written_whole(path) as file:
        warm_up(game, words)
        warm_bots(game, bots, words)
        with progress_bar(words, games) as advance:
            for record in simulate.records(game, setup, bots, games, seed, trace):
                file.write(record_line(record))
                advance(1)
    click.echo(words("simulate.written", games=words("count.games", n=games), path=path), err=True)


def tell(
    game: Game, setup: Setup, bots: list[str], games: int, seed: str, as_json: bool, words: Words
) -> None:
    if tuple(bots) == AT_RANDOM:
        warm_up(game, words, series=True)
    else:
        warm_games(game, bots, words)
    with progress_bar(words, games) as advance:
        start = time.perf_counter()
        tally = simulate.count(game, setup, games, seed, advance, bots)
        seconds = time.perf_counter() - start
    found = {
        "game": game.name,
        "options": game.options,
        "seed": seed,
        "bots": bots,
        **({"decks": setup.names()} if setup.names() else {}),
        **simulate.summary(game, tally),
        "seconds": seconds,
    }
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        draw(game, found, words)


def percent(found: Json, words: Words) -> str:
    share, low, high = (words.number(100 * found[key], ".2f") for key in ("share", "low", "high"))
    return f"{share} %  [{low} – {high}]"


def draw(game: Game, found: Json, words: Words) -> None:
    out, games = console(), found["games"]
    played, seed = words("count.games", n=games), words("simulate.seed", seed=found["seed"])
    out.print(f"[bold]{game_title(game, words.lang)}[/] · {played} · {seed}")
    out.print(_wins(found, words), _ends(found, words), _points(found, words))
    turns = found["turns"]
    out.print(words("simulate.length", decisions=found["decisions"] / games, **turns))
    out.print(words("simulate.speed", seconds=found["seconds"], speed=games / found["seconds"]))


def seat_name(found: Json, seat: int, words: Words) -> str:
    """`Seat 0 · random`, and the deck where there is one."""
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
        table.add_row(seat_name(found, seat, words), words.number(won["games"]), percent(won, words))
    drawn = found["draws"]
    table.add_row(words("simulate.draw"), words.number(drawn["games"]), percent(drawn, words))
    return table


def _ends(found: Json, words: Words) -> Table:
    table = _table(words("simulate.end"), words("simulate.won"), words("simulate.share"))
    for reason, number in found["ends"].items():
        share = simulate.share(number, found["games"])
        table.add_row(words(f"reason.{reason}"), words.number(number), percent(share, words))
    if failed := found.get("failures"):
        share = simulate.share(failed, found["games"])
        table.add_row(words("simulate.failed"), words.number(failed), percent(share, words))
    return table


def _points(found: Json, words: Words) -> Table:
    table = _table(words("simulate.points"), *(seat_name(found, seat, words) for seat in range(2)))
    for source, numbers in found["points"].items():
        means = [words.number(number / found["games"], ".3f") for number in numbers]
        table.add_row(words(f"source.{source}"), *means)
    return table
