"""What the readers of positions share: words first, then parts `key=value`, and all faults at once."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from coyote.games.game import Game, OptionError
from coyote.games.options import unknown
from coyote.text.refusals import Refusal

MOST_QUOTED = 60  # letters of a faulty text that a message repeats


class PositionReader:
    """Takes a text apart and collects what is wrong with it."""

    def __init__(self, text: str, keys: Sequence[str]) -> None:
        self.faults: list[Refusal] = []
        self.head = [part for part in text.split() if "=" not in part]
        self.given: dict[str, str] = {}
        for part in text.split():
            key, equals, value = part.partition("=")
            if not equals:
                continue
            if key not in keys:
                self.fault("unknown_key", key=key, known=", ".join(keys))
            elif key in self.given:
                self.fault("twice", key=key)
            else:
                self.given[key] = value

    def fault(self, code: str, rule: str = "", **values: Any) -> None:
        quoted = {k: v[:MOST_QUOTED] if k in ("text", "name", "key") else v for k, v in values.items()}
        self.faults.append(Refusal(f"position.{code}", rule, quoted))

    def number(self, key: str, text: str | None, default: int, least: int, most: int) -> int:
        if text is None:
            return default
        if not re.fullmatch(r"[+-]?[0-9]{1,13}", text) or not least <= int(text) <= most:
            self.fault("number", key=key, text=text, least=least, most=most)
            return default
        return int(text)

    def game(self, kind: type[Game], **given: Any) -> Game:
        """The game with the house rules of `rules=goal:7,fields:2`; where they are faulty, without."""
        asked, known = self._house_rules(), [option.name for option in kind.OPTIONS]
        self.faults += [unknown(name, known) for name in asked if name not in known]
        try:
            options: dict[str, Any] = {name: value for name, value in asked.items() if name in known}
            return kind(**given, **options)
        except OptionError as error:
            self.faults += error.refusals
            return kind(**{name: value for name, value in given.items() if name == "card_set"})

    def _house_rules(self) -> dict[str, str]:
        text = self.given.get("rules", "-")
        parts = [] if text == "-" else [part.partition(":") for part in text.split(",")]
        if not all(name and value for name, _, value in parts):
            self.fault("rules", text=text)
            return {}
        rules: dict[str, str] = {}
        for name, _, value in parts:
            if name in rules:
                self.fault("twice", key=name)
            rules[name] = value
        return rules


def house_rules(game: Game) -> list[str]:
    """The part of a position that tells what differs from the edition; none where nothing does."""
    differences: Mapping[str, Any] = game.differences
    said = ",".join(f"{name}:{value}" for name, value in differences.items())
    return [f"rules={said}"] if said else []
