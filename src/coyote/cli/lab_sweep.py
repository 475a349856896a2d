"""`coyote lab sweep`: what becomes of a game when its options are varied."""

from pathlib import Path

import click

from coyote.cli.common import (
    WORDS,
    edition_option,
    game_with,
    house_rules_option,
    read_options,
    set_option,
    setup_with,
    two_decks,
)
from coyote.cli.faults import Fault
from coyote.cli.lab_common import (
    Common,
    Question,
    answer,
    common_options,
    game_or_spec_argument,
    placed,
)
from coyote.cli.simulate import two_bots
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.game import Game, Json, Setup
from coyote.games.options import Value
from coyote.lab import sweep_report
from coyote.lab.sweep import WEIGHED_BY, Sweep
from coyote.lab.variants import grid, one_by_one, read_vary
from coyote.text import Refusal, Refused

vary_option = click.option("--vary", multiple=True, metavar="KEY=VALUES", help=WORDS("cli.vary"))
bots_option = click.option("--bots", default="greedy,greedy", show_default=True, help=WORDS("cli.bots"))


@click.command(help=WORDS("cli.sweep"))
@game_or_spec_argument
@vary_option
@click.option("--each", is_flag=True, help=WORDS("cli.each"))
@bots_option
@click.option("--within", type=click.FloatRange(0.01, 50), help=WORDS("cli.within"))
@click.option(
    "--games", type=click.IntRange(1, 10**8), default=100_000, show_default=True, help=WORDS("cli.most_games")
)
@click.option(
    "--weigh", type=click.IntRange(0, 10**6), default=100, show_default=True, help=WORDS("cli.weigh")
)
@edition_option
@house_rules_option
@click.option("--decks", help=WORDS("cli.decks"))
@set_option
@common_options
def command(
    common: Common,
    game: str | None,
    vary: tuple[str, ...],
    each: bool,
    bots: str,
    within: float | None,
    games: int,
    weigh: int,
    edition: str | None,
    options: tuple[str, ...],
    decks: str | None,
    set_file: Path | None,
) -> None:
    base, given = base_game(game, edition, options, set_file)
    varied = varied_options(base, vary)
    players = two_bots(bots)
    variants = [(one, setup_with(one, two_decks(decks))) for one in variants_of(base, given, varied, each)]
    asked = Sweep(
        base, variants, players, common.seed, games, None if within is None else within / 100, weigh
    )
    warm_up(base, common.words)
    warm_bots(base, [*players, *([WEIGHED_BY] if weigh else [])], common.words)
    arguments = {
        **frame(base, variants[0][1], players),
        "vary": varied,
        "each": each,
        "most": games,
        "within": asked.within,
        "weighed": weigh,
    }
    answer(common, Question("sweep", arguments, asked.ask, sweep_report.report))


# ---------------------------------------------------------------- what is asked


def base_game(
    name: str | None, edition: str | None, options: tuple[str, ...], set_file: Path | None
) -> tuple[Game, Json]:
    """The game that variants are made of, and the options that were asked for."""
    if name is None:
        raise Fault("fault.lab_no_game")
    given, _ = read_options(edition, options)
    try:
        return game_with(name, edition, options, set_file), given
    except Fault as error:
        raise Fault(
            [placed(one, "options", str(one.values.get("name", ""))) for one in error.refusals]
        ) from None


def varied_options(base: Game, vary: tuple[str, ...]) -> dict[str, list[Value]]:
    """What is varied, in the order given; every reason why it cannot be."""
    found: dict[str, list[Value]] = {}
    refusals: list[Refusal] = []
    for text in vary:
        key = text.partition("=")[0]
        try:
            name, values = read_vary(base.name, text)
        except Refused as error:
            refusals += [placed(one, "vary", key) for one in error.refusals]
            continue
        if name in found:
            refusals.append(placed(Refusal("fault.option_twice", values={"name": name}), "vary", key))
        found[name] = values
    if refusals:
        raise Fault(refusals)
    return found


def variants_of(base: Game, given: Json, varied: dict[str, list[Value]], each: bool) -> list[Game]:
    try:
        return one_by_one(base, given, varied) if each else grid(base, given, varied)
    except Refused as error:
        raise Fault([placed(one, "vary") for one in error.refusals]) from None


def frame(base: Game, setup: Setup, bots: list[str]) -> Json:
    """What is asked about."""
    return {
        "game": base.name,
        "rules": base.rules_version,
        "options": base.options,
        **({"set": base.public_key()} if base.public_key() else {}),
        **({"decks": setup.names()} if setup.names() else {}),
        "bots": bots,
    }
