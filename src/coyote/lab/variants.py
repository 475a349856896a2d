"""Variants of a game: what is varied, the games that come of it, and each as JSON for those who play it."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product

from coyote.games import options
from coyote.games.game import Game, Json, OptionError, Setup
from coyote.games.options import Option, Value
from coyote.games.registry import GAMES, make_game
from coyote.text import Refusal, Refused, Words
from coyote.text.titles import option_said

EDITION = "edition"
MOST_VARIANTS = 40


class Impossible(OptionError):
    """A variant that the rules do not allow."""


# ---------------------------------------------------------------- what is varied


def read_vary(game: str, text: str) -> tuple[str, list[Value]]:
    """`goal=3..9`, `komi=0,1,2`, `edition=standard,classic`: an option and its values.

    >>> read_vary("madness", "goal=3..5,9"), read_vary("madness", "chance=no,yes")
    (('goal', [3, 4, 5, 9]), ('chance', ['no', 'yes']))
    """
    name, equals, listed = text.partition("=")
    if not equals or not listed.strip():
        raise Refused("lab.vary.form", text=text[:60])
    option = _option(game, name)
    values = [value for part in listed.split(",") for value in _values(option, part.strip())]
    return name, list(dict.fromkeys(values))


def _option(game: str, name: str) -> Option:
    kind = GAMES[game]
    editions = () if "" in kind.EDITIONS else (Option(EDITION, "", tuple(kind.EDITIONS)),)
    known: dict[str, Option] = {option.name: option for option in (*editions, *kind.OPTIONS)}
    if name not in known:
        raise OptionError(options.unknown(name, list(known)))
    return known[name]


def _values(option: Option, part: str) -> list[Value]:
    """One value, or all whole numbers from one to another."""
    first, dots, last = part.partition("..")
    ends = [option.read(end.strip()) for end in ((first, last) if dots else (part,))]
    if None in ends or dots and not all(isinstance(end, int) for end in ends):
        raise OptionError(option.refusal(part))
    if not dots:
        return [ends[0]]  # type: ignore[list-item]
    return list(range(int(ends[0]), int(ends[1]) + 1)) or _backwards(part)  # type: ignore[arg-type]


def _backwards(part: str) -> list[Value]:
    raise Refused("lab.vary.backwards", text=part)


# ---------------------------------------------------------------- the games that come of it


def grid(base: Game, given: Json, vary: Mapping[str, Sequence[Value]]) -> list[Game]:
    """Every combination, the last option changing first. Impossible names the first that cannot be.

    `given` are the options that were asked for, also where they are what an edition has anyway.
    """
    combinations = list(product(*vary.values()))
    if len(combinations) > MOST_VARIANTS:
        raise Refused("lab.vary.many", found=len(combinations), most=MOST_VARIANTS)
    return [changed(base, given, dict(zip(vary, values, strict=True))) for values in combinations]


def one_by_one(base: Game, given: Json, vary: Mapping[str, Sequence[Value]]) -> list[Game]:
    """The game as it is, and with each value of each option by itself."""
    games = [changed(base, given, {name: value}) for name, values in vary.items() for value in values]
    return list(dict.fromkeys([base, *games]))


def changed(base: Game, given: Json, changes: Mapping[str, Value]) -> Game:
    """The same game with other options."""
    try:
        return type(base).from_public({**given, **changes}, base.public(), base.rules_version)
    except OptionError as error:
        named = ", ".join(f"{name}={value}" for name, value in changes.items())
        why = [
            Refusal(
                "lab.vary.impossible", one.rule, {"variant": named, "why": Refusal(one.code, "", one.values)}
            )
            for one in error.refusals
        ]
        raise Impossible(why) from None


def base_of(base: Game, games: Sequence[Game]) -> int:
    """Which of the variants the others are compared with: the game as it was, or the first."""
    return next((number for number, game in enumerate(games) if game == base), 0)


def changes_of(base: Game, game: Game) -> dict[str, Value]:
    """What differs; of another edition that, and what differs from it."""
    if base.edition != game.edition:
        return {EDITION: game.edition, **game.differences}
    return {name: value for name, value in game.values.items() if base.values[name] != value}


def change_said(base: Game, game: Game, words: Words) -> str:
    """`goal 7 · 2 fields`, or that nothing differs."""
    return label(game, list(changes_of(base, game)), words) or words("lab.unchanged")


def label(game: Game, varied: Sequence[str], words: Words) -> str:
    """What tells a variant from the others of its grid: `classic · goal 7`."""
    return " · ".join(said(game, name, words) for name in varied)


def said(game: Game, name: str, words: Words) -> str:
    if name == EDITION:
        return words(f"{game.name}.edition.{game.edition}")
    return option_said(game.name, name, game.values[name], words)


def option_title(game: str, name: str, words: Words) -> str:
    """What an option is called."""
    return words("lab.edition") if name == EDITION else words(f"{game}.option.{name}.title")


# ---------------------------------------------------------------- as JSON


def described(game: Game, setup: Setup) -> Json:
    """All that another process needs to play this; the set only where it is not the program's own."""
    own_set = game.public_key() != make_game(game.name).public_key()
    return {
        "game": game.name,
        "rules": game.rules_version,
        "options": game.options,
        **({"public": game.public()} if own_set else {}),
        **({"decks": setup.sealed()["decks"]} if setup.names() else {}),
    }


def made(description: Json) -> tuple[Game, Setup]:
    """The game and setup that this describes."""
    return _made(json.dumps(description, sort_keys=True))


@lru_cache(maxsize=2 * MOST_VARIANTS)
def _made(text: str) -> tuple[Game, Setup]:
    told = json.loads(text)
    kind = GAMES[told["game"]]
    game = kind.from_public(told["options"], told.get("public", {}), told["rules"])
    return game, game.read_setup(told) if "decks" in told else game.settle()


def command_flags(game: Game) -> str:
    """How this variant is said on a command line: `--edition classic --option goal=7`."""
    parts = [f"--edition {game.edition}"] if game.edition else []
    return " ".join([*parts, *(f"--option {name}={value}" for name, value in game.differences.items())])
