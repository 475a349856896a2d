"""Groups of commands that import each command when it is called, so that their help is quick."""

from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """`modules` has the module of `coyote.cli` for the name of each command."""

    def __init__(self, *args: Any, modules: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.modules:
            return None
        module = __import__(f"coyote.cli.{self.modules[name]}", fromlist=["command"])
        command: click.Command = module.command
        return command
