"""What went wrong, as one sentence on standard error."""

import errno
import os
import sys
import traceback

import click

from coyote.text import Refused, Words, language_of_locale

USER_FAULT = 2
INTERRUPTED = 130

spoken = Words(language_of_locale())  # until a command is told another language


class Fault(Refused):
    """A mistake of the user's."""


def report(error: Exception) -> int:
    """Say what is wrong; the exit code."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.Abort):
        click.echo(err=True)
        return INTERRUPTED
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return USER_FAULT
    click.echo(f"coyote: {sentence(error, spoken)}", err=True)
    if os.environ.get("COYOTE_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    return USER_FAULT


def sentence(error: Exception, words: Words) -> str:
    if isinstance(error, click.ClickException):
        return usage(error, words)
    if isinstance(error, Refused):
        return error.message(words.lang)
    if isinstance(error, OSError):
        return file_fault(error, words)
    return words("fault.internal", what=f"{type(error).__name__}: {error}")


def usage(error: click.ClickException, words: Words) -> str:
    """Click's own complaints, in our words."""
    match error:
        case click.NoSuchOption():
            near = ", ".join(error.possibilities or [])
            return words(
                "fault.no_option_near" if near else "fault.no_option", name=error.option_name, near=near
            )
        case click.exceptions.NoSuchCommand():
            group = error.ctx.command if error.ctx else None
            known = group.list_commands(error.ctx) if error.ctx and isinstance(group, click.Group) else []
            return words("fault.no_command", name=error.command_name, known=", ".join(known))
        case click.BadOptionUsage():
            return words("fault.needs_value", name=error.option_name)
        case click.MissingParameter():
            name = error.param.human_readable_name if error.param else ""
            return words("fault.missing", name=name)
        case click.BadParameter():
            return bad_value(error, words)
        case _ if "unexpected extra argument" in error.message:
            return words("fault.too_many", what=error.message.partition("(")[2].rstrip(")"))
        case _:
            return error.format_message()


def bad_value(error: click.BadParameter, words: Words) -> str:
    name = error.param.opts[0] if isinstance(error.param, click.Option) else ""
    if error.param and not name:
        name = error.param.human_readable_name
    match error.param and error.param.type:
        case click.Choice() as kind:
            return words("fault.choice", name=name, known=", ".join(map(str, kind.choices)))
        case click.IntRange() | click.FloatRange() as kind:
            bounds = [str(bound) for bound in (kind.min, kind.max) if bound is not None]
            return words(f"fault.range_{len(bounds)}", name=name, least=bounds[0], most=bounds[-1])
        case _:
            return words("fault.bad_value", name=name, what=error.message)


def file_fault(error: OSError, words: Words) -> str:
    name = errno.errorcode.get(error.errno or 0, "")
    try:
        why = words(f"fault.os.{name}")
    except KeyError:
        why = error.strerror or str(error)
    return words("fault.file", path=error.filename or "?", why=why)
