"""`coyote options`: what a game may change (M25, D26), in plain words, with its bounds and what is usual."""

import json

import click
from rich.table import Table
from rich.text import Text

from coyote.cli.common import (
    WORDS,
    console,
    edition_option,
    game_argument,
    game_with,
    json_option,
    lang_option,
    words_for,
)
from coyote.games.game import Game, Json
from coyote.games.options import Option
from coyote.games.registry import GAMES
from coyote.text import Words


@click.command(help=WORDS("cli.options"))
@game_argument
@edition_option
@json_option
@lang_option
def command(game: str, edition: str | None, as_json: bool, lang: str | None) -> None:
    words = words_for(lang)
    kind = GAMES[game]
    editions = list(kind.EDITIONS) if edition is None else [game_with(game, edition).edition]
    if as_json:
        found = [described(kind, option, editions, words) for option in kind.OPTIONS]
        click.echo(json.dumps({"game": game, "options": found}, ensure_ascii=False))
    elif kind.OPTIONS:
        draw(kind, editions, words)


def described(kind: type[Game], option: Option, editions: list[str], words: Words) -> Json:
    """One option for programs; a game without editions has its values under an empty name."""
    key, allowed = f"{kind.name}.option.{option.name}", option.allowed
    return {
        "name": option.name,
        "rule": option.rule,
        **(
            {"least": allowed[0], "most": allowed[-1]}
            if isinstance(allowed, range)
            else {"choices": {choice: words(f"{key}.choice.{choice}") for choice in allowed}}
        ),
        "usual": {edition: kind.EDITIONS[edition][option.name] for edition in editions},
        "title": words(f"{key}.title"),
        "about": words(f"{key}.about"),
    }


def draw(kind: type[Game], editions: list[str], words: Words) -> None:
    out, first = console(), kind.OPTIONS[0]
    example = first.allowed[len(first.allowed) // 3]
    title = words("options.title", game=words(f"{kind.name}.name"), name=first.name, value=example)
    out.print(Text(title, "bold"))
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    usual = [words(f"{kind.name}.edition.{name}") if name else words("options.usual") for name in editions]
    for heading in (words("options.name"), words("options.values"), *usual):
        table.add_column(heading, no_wrap=True)
    table.add_column(words("options.meaning"))
    for option in kind.OPTIONS:
        table.add_row(*row(kind, option, editions, words))
    out.print(table)


def row(kind: type[Game], option: Option, editions: list[str], words: Words) -> list[Text]:
    said = described(kind, option, editions, words)
    choices = said.get("choices", {})
    values = "\n".join(choices) if choices else f"{said['least']}–{said['most']}"
    meaning = Text.assemble((said["title"], "bold"), (f" ({option.rule})", "dim"), f"\n{said['about']}")
    for choice, name in choices.items():
        if not option.is_switch:
            meaning.append(f"\n{choice}: {name}", "dim")
    return [
        Text(option.name, "bold cyan"),
        Text(values),
        *(Text(str(value)) for value in said["usual"].values()),
        meaning,
    ]
