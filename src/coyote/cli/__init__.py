"""The command `coyote`: each command in a module of its own."""
