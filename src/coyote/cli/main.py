"""The door: commands are found here, and every fault leaves as one sentence with exit code 2."""

import os
import sys
from collections.abc import Iterable
from typing import Any

import click

from coyote import __version__
from coyote.cli import faults
from coyote.cli.groups import LazyGroup
from coyote.text import Words, language_of_locale

COMMANDS = (
    "play",
    "simulate",
    "match",
    "bot",
    "replay",
    "analyse",
    "check",
    "export",
    "verify",
    "rules",
    "options",
    "cards",
    "deck",
    "bench",
    "lab",
    "table",
)


WORDS = Words(language_of_locale())


class Help(click.HelpFormatter):
    """Click's frame around the help of a command, in our words."""

    FRAME = {
        "Options": "cli.frame.options",
        "Commands": "cli.frame.commands",
        "Show this message and exit.": "cli.frame.help",
        "Show the version and exit.": "cli.frame.version",
    }

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, f"{WORDS('cli.frame.usage')}: " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        super().write_heading(self.in_our_words(heading))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl([(name, self.in_our_words(text)) for name, text in rows], col_max, col_spacing)

    def in_our_words(self, text: str) -> str:
        return WORDS(self.FRAME[text]) if text in self.FRAME else text


click.Context.formatter_class = Help


@click.command(
    cls=LazyGroup,
    modules={name: name for name in COMMANDS},
    help=WORDS("cli.help"),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="coyote")
def coyote() -> None:
    pass


def main(arguments: list[str] | None = None) -> Any:
    """Run a command. No fault of a user's making ever shows a traceback."""
    try:
        code = coyote.main(arguments, prog_name="coyote", standalone_mode=False)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        code = faults.report(error)
    sys.exit(code if isinstance(code, int) else 0)
