"""`coyote rules`: the rulebook in the terminal."""

import click
from rich.markdown import Markdown

from coyote.cli.common import WORDS, console, edition_option, game_argument, lang_option, words_for
from coyote.cli.faults import Fault
from coyote.text.rulebook import rulebook, rules_of


@click.command(help=WORDS("cli.rules"))
@game_argument
@click.argument("rule", required=False)
@edition_option
@lang_option
def command(game: str, rule: str | None, edition: str | None, lang: str | None) -> None:
    words = words_for(lang)
    text = rulebook(game, words.lang, edition)
    if rule is not None:
        rules = rules_of(text)
        if rule.upper() not in rules:
            raise Fault("fault.no_rule", rule=rule, first=next(iter(rules)), last=list(rules)[-1])
        text = rules[rule.upper()]
    out = console()
    if out.is_terminal and rule is None:
        with out.pager(styles=True):
            out.print(Markdown(text))
    else:
        out.print(Markdown(text))
