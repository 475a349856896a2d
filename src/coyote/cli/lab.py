"""`coyote lab`: what a designer wants to know about rules, cards and decks. Each question is a module."""

import click

from coyote.cli.common import WORDS
from coyote.cli.groups import LazyGroup

QUESTIONS = {  # the module of each, in the order of the help
    "sweep": "lab_sweep",
    "decks": "lab_decks",
    "cards": "lab_cards",
    "tune": "lab_tune",
    "preview": "lab_preview",
}


@click.command(cls=LazyGroup, modules=QUESTIONS, help=WORDS("cli.lab"))
def command() -> None:
    pass
