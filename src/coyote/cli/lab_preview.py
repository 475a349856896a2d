"""`coyote lab preview`: finished games under changed rules or cards."""

from pathlib import Path
from typing import Any

import click

from coyote.cli.common import WORDS, edition_option, house_rules_option, read_options, set_option
from coyote.cli.faults import Fault
from coyote.cli.lab_common import Common, Question, answer, common_options, placed, read_spec
from coyote.cli.terminals import TERMINALS
from coyote.cli.warm import warm_up
from coyote.games.game import Game, Json
from coyote.games.registry import GAMES
from coyote.lab import preview_report
from coyote.lab.preview import Preview
from coyote.records import open_record, read_records
from coyote.text import Refused


def records_or_spec(ctx: click.Context, param: click.Parameter, about: str | None) -> None:
    if about is not None and not about.endswith(".toml"):
        ctx.default_map = {"records": about}
    else:
        read_spec(ctx, param, about)


@click.command(help=WORDS("cli.preview"))
@click.argument(
    "spec",
    required=False,
    is_eager=True,
    expose_value=False,
    metavar="[GAMES.jsonl|SPEC.toml]",
    callback=records_or_spec,
)
@click.option("--records", type=click.Path(path_type=Path), help=WORDS("cli.preview_records"))
@edition_option
@house_rules_option
@set_option
@common_options
def command(
    common: Common, records: Path | None, edition: str | None, options: tuple[str, ...], set_file: Path | None
) -> None:
    if records is None:
        raise Fault("fault.lab_no_records")
    given, refusals = read_options(edition, options)
    if refusals:
        raise Fault(refusals)
    if not given and set_file is None:
        raise Fault("fault.lab_nothing_changes")
    first = open_record(next(read_records(records))).game
    public = TERMINALS[first.name].read_set(set_file)
    changed = game_after(first, given, public)
    asked = Preview(records, first.name, given, changed.public() if public else {})
    warm_up(first, common.words)
    arguments = {
        "records": str(records),
        "game": first.name,
        "rules": first.rules_version,
        "options": {name: changed.options.get(name, changed.values.get(name)) for name in given},
        **({"set": changed.public_key()} if public else {}),
    }
    answer(common, Question("preview", arguments, asked.ask, preview_report.report))


def game_after(first: Game, given: Json, public: dict[str, Any]) -> Game:
    """The game of the first record with the change: what cannot be is refused before any is followed."""
    try:
        return GAMES[first.name](**GAMES[first.name].known({**first.options, **given}), **public)
    except Refused as error:
        raise Fault(
            [placed(one, "options", str(one.values.get("name", ""))) for one in error.refusals]
        ) from None
