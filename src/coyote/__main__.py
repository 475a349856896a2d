"""`python -m coyote` is the command `coyote`."""

from coyote.cli.main import main

main()
