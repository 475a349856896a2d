"""What was found, as it was told to programs, for those who make a report of it."""

from coyote.games.game import Game, Json
from coyote.games.registry import GAMES
from coyote.lab.figures import Link, Measure
from coyote.lab.report import Facts, play_link
from coyote.lab.stats import Interval
from coyote.text import Words, game_title


def interval_of(found: Json | None) -> Interval | None:
    """None where there was nothing to measure."""
    return Interval(found["mean"], found["low"], found["high"]) if found else None


def in_words(found: Json, measure: Measure, words: Words) -> str:
    """A number with its interval, in a sentence."""
    return measure.whole(Interval(found["mean"], found["low"], found["high"]), words)


def facts_of(found: Json, words: Words, *more: tuple[str, str]) -> Facts:
    """How a report came about."""
    name = words(f"{found['game']}.name")
    rules = {name: GAMES[found["game"]].RULES[-1]}
    return Facts(found["command"], found["seed"], found["seconds"], rules, more)


def links_to(games: list[Game], found: Json, words: Words) -> list[Link]:
    """Where each variant can be played, if a table was named."""
    if "table" not in found:
        return []
    return [Link(game_title(game, words.lang), play_link(found["table"], game)) for game in games]
