"""`coyote lab tune`: variants that come near to what a designer wants, with few and small changes."""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from coyote.cli.common import WORDS, edition_option, house_rules_option, set_option, setup_with
from coyote.cli.faults import Fault
from coyote.cli.lab_common import (
    Common,
    Question,
    Run,
    Tell,
    answer,
    common_options,
    game_or_spec_argument,
    placed,
)
from coyote.cli.lab_sweep import base_game, bots_option, frame, varied_options, vary_option
from coyote.cli.simulate import two_bots
from coyote.cli.terminals import TERMINALS
from coyote.cli.warm import warm_bots, warm_up
from coyote.games.game import Game, Json
from coyote.lab import tune_report
from coyote.lab.amounts import MOST_AMOUNTS, varied_amounts, write_set
from coyote.lab.tune import OF_DECKS, Target, Tuning, optuna_here, read_target
from coyote.text import Refusal, Refused


@click.command(help=WORDS("cli.tune"))
@game_or_spec_argument
@vary_option
@click.option("--amounts", multiple=True, metavar="CARD.NUMBER=VALUES", help=WORDS("cli.amounts"))
@click.option(
    "--changes", type=click.IntRange(1, 20), default=3, show_default=True, help=WORDS("cli.most_changed")
)
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
@click.option("--sets", type=click.Path(path_type=Path), metavar="FOLDER", help=WORDS("cli.tuned_sets"))
@common_options
def command(
    common: Common,
    game: str | None,
    vary: tuple[str, ...],
    amounts: tuple[str, ...],
    changes: int,
    targets: tuple[str, ...],
    bots: str,
    trials: int,
    games: int,
    fresh: int,
    edition: str | None,
    options: tuple[str, ...],
    decks: str | None,
    set_file: Path | None,
    sets: Path | None,
) -> None:
    base, given = base_game(game, edition, options, set_file)
    varied, lists = varied_options(base, vary), lists_of(base, decks)
    on_cards = on_cards_of(base, amounts, lists)
    if not (varied or on_cards) or not targets:
        raise Fault("fault.lab_nothing_to_tune")
    pairs: list[tuple[str, ...]] = list(combinations(lists, 2)) or [()]
    wanted = wanted_of(base, targets, len(pairs) > 1)
    players = two_bots(bots)
    optuna_here()
    warm_up(base, common.words)
    warm_bots(base, players, common.words)
    tuning = Tuning(
        base,
        given,
        varied,
        pairs,
        wanted,
        players,
        common.seed,
        trials,
        games,
        fresh,
        on_cards,
        changes,
        lists,
    )
    arguments = {
        **frame(base, setup_with(base, list(pairs[0]) or None), players),
        **({"decks": list(lists), "lists": told_lists(base, lists)} if lists else {}),
        "vary": varied,
        **({"amounts": on_cards, "changes": changes} if on_cards else {}),
        "targets_wanted": [target.as_json() for target in wanted],
        "trials": trials,
        "games": games,
        "fresh": fresh,
    }

    def ask(run: Run, tell: Tell) -> Json:
        found = tuning.ask(run, tell)
        return {**found, "front": with_sets(tuning, found["front"], common.report, sets, set_file)}

    answer(common, Question("tune", arguments, ask, tune_report.report))


# ---------------------------------------------------------------- what is asked


def on_cards_of(base: Game, amounts: tuple[str, ...], decks: Mapping[str, Any]) -> dict[str, list[int]]:
    """Which amounts on cards may change, and to what; every reason why they cannot."""
    found: dict[str, list[int]] = {}
    refusals: list[Refusal] = []
    for text in amounts:
        try:
            found |= varied_amounts(base, text, decks)  # what is named later counts for more
        except Refused as error:
            refusals += [placed(one, "amounts", text.partition("=")[0]) for one in error.refusals]
    if len(found) > MOST_AMOUNTS:
        refusals.append(Refusal("lab.amounts.many", values={"found": len(found), "most": MOST_AMOUNTS}))
    if refusals:
        raise Fault(refusals)
    return found


def lists_of(base: Game, decks: str | None) -> dict[str, Any]:
    """The decks that are named, ready ones, codes and files; where none is, what is usual."""
    if decks is None:
        return {}
    names = decks.split(",")
    if len(names) < 2 or len(set(names)) < len(names):
        raise Fault("fault.lab_decks", text=decks)
    found = {name: TERMINALS[base.name].read_deck(base, name) for name in names}
    for pair in combinations(found.values(), 2):
        base.settle(pair)
    return found


def told_lists(base: Game, lists: Mapping[str, Any]) -> Json:
    """All cards of each deck: a file may have others when a run goes on."""
    return {name: base.settle([deck, deck]).for_seat(0)["deck"] for name, deck in lists.items()}


def wanted_of(base: Game, targets: tuple[str, ...], has_field: bool) -> list[Target]:
    found: list[Target] = []
    refusals: list[Refusal] = []
    for text in targets:
        try:
            target = read_target(base, text)
        except Refused as error:
            refusals += [placed(one, "targets", text.partition("=")[0]) for one in error.refusals]
            continue
        if target.name in OF_DECKS and not has_field:
            refusals.append(placed(Refusal("lab.target.decks", values={"name": target.name}), "targets"))
        found.append(target)
    if refusals:
        raise Fault(refusals)
    return found


# ---------------------------------------------------------------- sets as files


def with_sets(
    tuning: Tuning, front: list[Json], report: Path | None, folder: Path | None, source: Path | None
) -> list[Json]:
    """The trade-offs with the sets that they are played with, written beside the report or into a folder."""
    place = folder or (report and report.parent)
    if place is None or not any(one.get("cards") for one in front):
        return front
    place.mkdir(parents=True, exist_ok=True)
    stem = report.stem if report else "tuned"
    found = []
    for number, one in enumerate(front, 1):
        path = place / f"{stem}-{number}.toml"
        written = (
            {"set": write_set(tuning.base, one["amounts"], number, path, source, tuning.lists)}
            if one["cards"]
            else {}
        )
        found.append({**one, **written})
    return found
