"""The program with a third game: `cd tests && python -m kit.with_goofspiel simulate goofspiel --games 9`."""

from collections.abc import Iterator
from contextlib import contextmanager

from coyote.bots.minds import MINDS
from coyote.cli.terminals import TERMINALS
from coyote.games.registry import GAMES
from coyote.table.parts import PARTS
from coyote.text.words import GAME_WORDS
from kit.brisk import be_brisk
from kit.goofspiel import register


@contextmanager
def registered() -> Iterator[None]:
    """The game is there for a while: other tests of the same process do not know it."""
    register()
    try:
        yield
    finally:
        for table in (GAMES, MINDS, TERMINALS, PARTS, GAME_WORDS):
            del table["goofspiel"]


if __name__ == "__main__":
    be_brisk()
    register()  # before the commands are loaded: they list the games there are
    from coyote.cli.main import main

    main()
