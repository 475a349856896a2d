"""Games at the terminal are saved after every move: one file a game, whole at every moment."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from coyote.bots.names import UnknownBot
from coyote.cli.faults import Fault
from coyote.games.game import Game, Json
from coyote.games.registry import GAMES
from coyote.match import IllegalMove, Match
from coyote.records import write_records, written_whole

FORMAT = "coyote-save/1"


def folder() -> Path:
    """COYOTE_DATA, or the user's data folder."""
    if given := os.environ.get("COYOTE_DATA"):
        return Path(given)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "coyote"


def public_of(saved: Json) -> Json:
    """What the first version kept with the setup is public now."""
    return saved["public"] if "public" in saved else saved["setup"]  # type: ignore[no-any-return]


class Save:
    """A game in its file: `<when>.game.json` while it goes on, `<when>.record.jsonl` when it is over."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def new(cls) -> "Save":
        games = folder() / "games"
        games.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y-%m-%d-%H%M%S")
        return cls(games / f"{stamp}-{os.getpid()}.game.json")

    @classmethod
    def latest(cls) -> "Save":
        """The unfinished game that was played last."""
        found = sorted((folder() / "games").glob("*.game.json"), key=lambda path: path.stat().st_mtime)
        if not found:
            raise Fault("fault.nothing_saved")
        return cls(found[-1])

    def write(self, match: Match, table: Json) -> None:
        """`table` is how the match is played: opponent, language."""
        saved = {
            "format": FORMAT,
            "game": match.game.name,
            "rules": match.game.rules_version,
            "options": match.game.options,
            "public": match.game.public(),
            "setup": match.setup.sealed(),
            "seed": match.seed,
            "players": match.players,
            "moves": [*match.moves, *match.sealed.items()],
            "table": table,
        }
        with written_whole(self.path) as file:
            json.dump(saved, file, ensure_ascii=False)

    def read(self, prepare: Callable[[Game, list[str]], None]) -> tuple[Match, Json]:
        """The match and how it is played; `prepare` gets game and players ready before the moves are made."""
        try:
            saved: Any = json.loads(self.path.read_text(encoding="utf-8"))
            game = GAMES[saved["game"]].from_public(saved["options"], public_of(saved), saved.get("rules", 1))
            players = [str(player) for player in saved["players"]]
            prepare(game, players)
            match = Match(game, game.read_setup(saved["setup"]), seed=saved["seed"], players=players)
            for seat, move in saved["moves"]:
                match.play(move, seat)
            return match, saved["table"]
        except UnknownBot:  # of another version of the program, perhaps: say which
            raise
        except (ValueError, KeyError, TypeError, IllegalMove) as error:
            raise Fault("fault.broken_save", path=self.path, what=error) from None

    def finish(self, record: Json) -> Path:
        """Keep the finished game as a record; the save goes."""
        path = self.path.with_name(self.path.name.replace(".game.json", ".record.jsonl"))
        write_records(path, [record])
        self.path.unlink(missing_ok=True)
        return path
