"""What is compiled, loaded once by the process that becomes programs: half a second of each of them was that.

Nothing is compiled here: of a game that is not ready in the folder of this process nothing is called.
"""

import sys

from coyote.cli.warm import GAMES, SAMPLES, touch, touch_bots, touch_games
from coyote.games.registry import GAMES as NAMES
from coyote.games.registry import make_game
from coyote.kernel import jit
from coyote.table.thinking import warm_rules


def load(name: str) -> None:
    rules, mind = NAMES[name].__module__, f"coyote.bots.{name}.mind"
    parts = [(rules, "table"), (rules, "series"), *((mind, part) for part in (*SAMPLES, GAMES))]
    if not jit.COMPILED or not all(jit.is_ready(*part) for part in parts):
        return
    game = make_game(name)
    touch(game, series=True)
    touch_bots(game, list(SAMPLES))
    touch_games(game)
    warm_rules(name)


def load_all() -> None:
    """The command line is forgotten again: it asks for the language when it is imported."""
    for name in NAMES:
        load(name)
    for name in [
        name for name in sys.modules if name.split(".")[0] == "kit" or name.startswith("coyote.cli")
    ]:
        del sys.modules[name]
