"""`coyote lab tune`: variants that come near to what a designer wants, with few and small changes."""

from itertools import combinations
from pathlib import Path

import click

from coyote.cli.common import WORDS, edition_option, house_rules_option, set_option, setup_with
from coyote.cli.faults import Fault
from coyote.cli.lab_common import (
    Common,
    Question,
    answer,
    common_options,
    game_or_spec_argument,
    placed,
)
from coyote.cli.lab_sweep import base_game, bots_option, frame, varied_options, vary_option
from coyote.cli.simulate import two_bots
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.game import Game
from coyote.lab import tune_report
from coyote.lab.tune import Target, Tuning, optuna_here, read_target
from coyote.text import Refusal, Refused


@click.command(help=WORDS("cli.tune"))
@game_or_spec_argument
@vary_option
@click.option("--target", "targets", multiple=True, metavar="NAME=LOW..HIGH", help=WORDS("cli.target"))
@bots_option
@click.option(
    "--trials", type=click.IntRange(1, 10_000), default=40, show_default=True, help=WORDS("cli.trials")
)
@click.option(
    "--games", type=click.IntRange(1, 10**8), default=2000, show_default=True, help=WORDS("cli.trial_games")
)
@click.option(
    "--fresh", type=click.IntRange(1, 10**8), default=10_000, show_default=True, help=WORDS("cli.fresh")
)
@edition_option
@house_rules_option
@click.option("--decks", help=WORDS("cli.lab_decks"))
@set_option
@common_options
def command(
    common: Common,
    game: str | None,
    vary: tuple[str, ...],
    targets: tuple[str, ...],
    bots: str,
    trials: int,
    games: int,
    fresh: int,
    edition: str | None,
    options: tuple[str, ...],
    decks: str | None,
    set_file: Path | None,
) -> None:
    base, given = base_game(game, edition, options, set_file)
    varied = varied_options(base, vary)
    if not varied or not targets:
        raise Fault("fault.lab_nothing_to_tune")
    pairs = pairs_of(base, decks)
    wanted = wanted_of(base, targets, len(pairs) > 1)
    players = two_bots(bots)
    optuna_here()
    warm_up(base, common.words)
    warm_bots(base, players, common.words)
    tuning = Tuning(base, given, varied, pairs, wanted, players, common.seed, trials, games, fresh)
    arguments = {
        **frame(base, setup_with(base, pairs[0] or None), players),
        **({"decks": decks.split(",")} if decks else {}),
        "vary": varied,
        "targets_wanted": [target.as_json() for target in wanted],
        "trials": trials,
        "games": games,
        "fresh": fresh,
    }
    answer(common, Question("tune", arguments, tuning.ask, tune_report.report))


def pairs_of(base: Game, decks: str | None) -> list[tuple[str, ...]]:
    """Every two of the decks that are named; where none is, what is usual."""
    if decks is None:
        return [()]
    names = decks.split(",")
    if len(names) < 2 or len(set(names)) < len(names):
        raise Fault("fault.lab_decks", text=decks)
    pairs: list[tuple[str, ...]] = list(combinations(names, 2))
    for pair in pairs:
        base.settle(pair)
    return pairs


def wanted_of(base: Game, targets: tuple[str, ...], has_field: bool) -> list[Target]:
    found: list[Target] = []
    refusals: list[Refusal] = []
    for text in targets:
        try:
            target = read_target(base, text)
        except Refused as error:
            refusals += [placed(one, "targets", text.partition("=")[0]) for one in error.refusals]
            continue
        if target.name.endswith("-deck") and not has_field:
            refusals.append(placed(Refusal("lab.target.decks", values={"name": target.name}), "targets"))
        found.append(target)
    if refusals:
        raise Fault(refusals)
    return found
