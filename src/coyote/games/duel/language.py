"""The card language (D20–D25): a card's text, Russian or English, read into its effects and printed back.

The grammar is the table `language.toml`, which both `read` and `write` follow. What effects do is not here.

>>> program = read("Auto. Next turn: if attacked: attack 12, draw a card.")
>>> write(program, "ru")
'Авто. В следующий ход: если тебя атаковали: атака 12, возьми карту.'

Written by hand and not with Lark: its parser for half of this grammar took 50–70 ms to build and its import
as much again, where 100 ms are there for the whole core set. This reader takes 4 ms to build for both
languages, knows in the languages of the cards what it expected, and its table prints, too.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from coyote.text import LANGUAGES, Lang, Refusal, Refused
from coyote.text.harmless import harmless, one_line
from coyote.text.words import plural_form

ALL: Final = -1
"""The amount of "block all"."""

NUMBER: Final = "<number>"
"""Stands for a number among what a `CardTextError` expected."""

LIMITS: Final = {"n": (0, 999), "cards": (1, 99), "turns": (1, 99)}
"""D20, D22: the least and the greatest value of each kind of number in a text."""


# ------------------------------------------------------------------------------
# What a card does


class Action(StrEnum):
    """D20: what is done."""

    ATTACK = "attack"
    HEAL = "heal"
    BLOCK = "block"
    DRAW = "draw"
    DISCARD = "discard"
    SET_ASIDE = "set_aside"
    SET_ASIDE_THIS = "set_aside_this"


class Per(StrEnum):
    """D24: what the amount is multiplied by, seen from the one acting."""

    HAND = "hand"
    OPPONENT_HAND = "opponent_hand"
    DISCARD = "discard"


class Zone(StrEnum):
    """D15, D16: where cards are taken from."""

    HAND = "hand"
    DECK = "deck"
    DISCARD = "discard"
    PLAY = "play"


class Condition(StrEnum):
    """D23: what must be true of the card's owner."""

    ATTACKED = "attacked"
    NOT_ATTACKED = "not_attacked"
    HEALTH = "health"
    NO_CARD = "no_card"


class Look(StrEnum):
    """What an action looks like, wherever cards are drawn: its colour, its sign, its column of a chart."""

    ATTACK = "attack"
    HEAL = "heal"
    BLOCK = "block"
    DRAW = "draw"
    STRIP = "strip"


class ActionKind(NamedTuple):
    """All that must be known of an action besides its words (`language.toml`) and its work (`rules.py`)."""

    look: Look
    points: bool = (
        False  # it changes health (D9), and its amount may be counted (D24); else it moves cards (D10)
    )
    zones: tuple[Zone, ...] = ()  # D20: that it may name
    is_loss: bool = False  # whoever acts has fewer cards of it
    counts: bool = True  # it has an amount


ACTIONS: Final = {
    Action.ATTACK: ActionKind(Look.ATTACK, points=True),
    Action.HEAL: ActionKind(Look.HEAL, points=True),
    Action.BLOCK: ActionKind(Look.BLOCK, points=True),
    Action.DRAW: ActionKind(Look.DRAW),
    Action.DISCARD: ActionKind(Look.STRIP, zones=(Zone.HAND, Zone.DECK, Zone.PLAY), is_loss=True),
    Action.SET_ASIDE: ActionKind(
        Look.STRIP, zones=(Zone.HAND, Zone.DECK, Zone.DISCARD, Zone.PLAY), is_loss=True
    ),
    Action.SET_ASIDE_THIS: ActionKind(Look.STRIP, counts=False),
}
POINTS: Final = frozenset(action for action, kind in ACTIONS.items() if kind.points)
ZONES: Final = {action: kind.zones for action, kind in ACTIONS.items() if kind.zones}


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of a card. Only an effect that the language can say can be made; others raise ValueError.

    `amount` is points or cards, `ALL` for "block all", 0 for "set aside this card". `first` is the age at
    which the effect is due for the first time and `turns` for how many turns (D22). `threshold` belongs to
    `Condition.HEALTH`.
    """

    action: Action
    amount: int = 0
    per: Per | None = None
    zone: Zone | None = None
    opponent: bool = False
    first: int = 0
    turns: int = 1
    condition: Condition | None = None
    threshold: int = 0

    def __post_init__(self) -> None:
        fault = next(_effect_faults(self), None)
        if fault:
            raise ValueError(f"no card can say this: {fault} in {self!r}")

    @property
    def last(self) -> int:
        """The age at which the effect is due for the last time."""
        return self.first + self.turns - 1


@dataclass(frozen=True, slots=True)
class Program:
    """What a card is and does: its traits and at least one effect, in printed order (D10)."""

    auto: bool
    super: bool
    effects: tuple[Effect, ...]

    def __post_init__(self) -> None:
        if not self.effects:
            raise ValueError("a card needs at least one effect")


def _effect_faults(effect: Effect) -> Iterator[str]:
    """What of the effect cannot be said."""
    if not _amount_is_sayable(effect):
        yield "amount"
    if effect.per is not None and (effect.action not in POINTS or effect.amount == ALL):
        yield "per"
    if effect.zone not in ZONES.get(effect.action, (None,)):
        yield "zone"
    if not _time_is_sayable(effect.first, effect.turns):
        yield "first, turns"
    if not _within("n", effect.threshold) or (effect.threshold and effect.condition is not Condition.HEALTH):
        yield "threshold"
    if effect.opponent and effect.action is Action.SET_ASIDE_THIS:
        yield "opponent"


def _amount_is_sayable(effect: Effect) -> bool:
    if effect.action is Action.SET_ASIDE_THIS:
        return effect.amount == 0
    if effect.action is Action.BLOCK and effect.amount == ALL:
        return True
    return _within("n" if effect.action in POINTS else "cards", effect.amount)


def _time_is_sayable(first: int, turns: int) -> bool:
    """D22: several turns begin now or with the next one; a single turn may be any."""
    return first >= 0 and _within("turns", turns) and (first <= 1 or (turns == 1 and _within("turns", first)))


def _within(kind: str, value: int) -> bool:
    low, high = LIMITS[kind]
    return low <= value <= high


# ------------------------------------------------------------------------------
# The table


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("language.toml").read_text(encoding="utf-8"))


def _phrase(table: str, key: str, lang: Lang) -> str:
    phrase: str = _table()[table][key][lang]
    return phrase


def _counted(kind: str, n: int, lang: Lang) -> str:
    """The number with its noun: "a card", "2 cards", "21 карту"."""
    forms = _table()["forms"][kind][lang]
    if n == 1 and "alone" in forms:
        return str(forms["alone"])
    return f"{n} {forms[plural_form(lang, n)]}"


# ------------------------------------------------------------------------------
# Printing


def write(program: Program, lang: Lang) -> str:
    """The canonical text of a card (D25). Reading it gives the same program.

    Neighbouring effects that share when, condition and who stand in one sentence; the order is kept.
    """
    traits = [_phrase("trait", trait, lang) for trait in ("auto", "super") if getattr(program, trait)]
    sentences = [_sentence(list(effects), lang) for _, effects in groupby(program.effects, _opening)]
    return " ".join(traits + sentences)


def _opening(effect: Effect) -> tuple[object, ...]:
    """What the effects of one sentence have in common."""
    return effect.first, effect.turns, effect.condition, effect.threshold, effect.opponent


def _sentence(effects: Sequence[Effect], lang: Lang) -> str:
    head = effects[0]
    pieces = [*_write_when(head, lang), *_write_condition(head, lang)]
    if head.opponent:
        pieces.append(_phrase("who", "opponent", lang))
    pieces.append(", ".join(_write_action(effect, lang).lower() for effect in effects) + ".")
    first, *rest = pieces
    return " ".join([first[0].upper() + first[1:], *(_uncapitalised(piece) for piece in rest)])


def _uncapitalised(piece: str) -> str:
    return piece[0].lower() + piece[1:]


def _write_when(effect: Effect, lang: Lang) -> Iterator[str]:
    key, turns = _when_key(effect.first, effect.turns)
    if key:
        yield _phrase("when", key, lang).replace("{turns}", _counted("turns", turns, lang))


def _when_key(first: int, turns: int) -> tuple[str, int]:
    """D25: one row of the table for each time: "In 1 turn" is "Next turn", "For 1 turn" is left out."""
    if first == 0:
        return ("", 1) if turns == 1 else ("for", turns)
    if first == 1:
        return ("next", 1) if turns == 1 else ("for_next", turns)
    return "in", first


def _write_condition(effect: Effect, lang: Lang) -> Iterator[str]:
    if effect.condition is not None:
        yield _phrase("condition", effect.condition, lang).replace("{n}", str(effect.threshold))


def _write_action(effect: Effect, lang: Lang) -> str:
    key = "block_all" if effect.amount == ALL else effect.action
    said = _phrase("action", key, lang).replace("{n}", str(effect.amount))
    if "{cards}" in said:
        said = said.replace("{cards}", _counted("cards", effect.amount, lang))
    if effect.per is not None:
        said += " " + _phrase("per", effect.per, lang)
    if effect.zone is not None and not _goes_unsaid(effect):
        said += " " + _phrase("zone", effect.zone, lang)
    return said


def _goes_unsaid(effect: Effect) -> bool:
    """The table of the rules has "Discard a card." but "Set aside a card from hand."; all forms are read."""
    return effect.action is Action.DISCARD and effect.zone is Zone.HAND


# ------------------------------------------------------------------------------
# Faults of a text


class CardTextError(Refused):
    """A card text that cannot be read: where, what stands there, what could, and the nearest keyword.

    Its values: `line` and `column` count from 1, `offset` from 0; `found` is the word there, `around` those
    about it; `expected` are keywords and signs in the language of the text, and `NUMBER`, for a sentence in
    `wanted`; `nearest` is a keyword or None; `low` and `high` are the bounds of a number.
    """


def _alternatives(expected: Sequence[str]) -> Refusal | str:
    """«a», «b» or a number."""
    words = [Refusal("duel.text.a_number") if word == NUMBER else f"«{word}»" for word in expected]
    return Refusal("duel.text.or", "", {"words": words[:-1], "last": words[-1]}) if words[1:] else words[0]


# ------------------------------------------------------------------------------
# Reading: the table as a tree of words


class Piece(NamedTuple):
    """A phrase, read: its table and row, what follows an action, and an amount that is no number."""

    table: str
    key: str
    per: Per | None = None
    zone: Zone | None = None
    amount: int = 0


@dataclass(slots=True)
class _Node:
    """A place in a phrase: the words that may follow (with how to show them), a number, the end."""

    words: dict[str, tuple[str, _Node]] = field(default_factory=dict)
    number: tuple[str, _Node] | None = None
    piece: Piece | None = None

    def expected(self) -> tuple[str, ...]:
        shown = tuple(label for label, _ in self.words.values())
        return (*shown, NUMBER) if self.number else shown

    def phrases(self) -> list[str]:
        """The words that may follow, each with those that must come after it."""
        return [label + after.rest() for label, after in self.words.values() if label not in _SIGNS]

    def rest(self) -> str:
        if self.piece or self.number or len(self.words) != 1:
            return ""
        (label, after), *_ = self.words.values()
        return (label if label in _SIGNS else f" {label}") + after.rest()


_ORDER: Final = ("trait", "when", "condition", "who", "action")
"""D25: the order of the pieces of a text."""

_LONGEST: Final = 40
"""How much of a word is looked at when it is not known."""

_WORD = re.compile(r"[\w\u0300-\u036f]+(?:['’]\w+)*|\S")
_SIGNS: Final = frozenset(".,:")
_ALIKE: Final = str.maketrans({"\u0451": "\u0435", "’": "'"})  # ё is read as е
_LETTERS: Final[dict[Lang, str]] = {"en": "[a-z]", "ru": "[\u0430-\u044f\u0451]"}  # а to я, and ё


class _Grammar:
    """The table in one language, ready for reading."""

    def __init__(self, lang: Lang) -> None:
        self.lang = lang
        self.heads = _heads(lang)
        self.labels: dict[str, str] = {}
        self.starts = {name: _Node() for name in _ORDER}
        """For each kind of piece the tree of all that may stand in its place: its own and the later ones."""
        for place, name in enumerate(_ORDER):
            for words, piece in self._phrases(name):
                for start in _ORDER[: place + 1]:
                    self._plant(self.starts[start], words, piece)

    def key(self, word: str) -> str:
        """What a word is compared by: no case, no ё, any form of a word with forms the same."""
        folded = unicodedata.normalize("NFC", word).casefold().translate(_ALIKE)
        return self.heads.get(folded, folded)

    def knows(self, word: str) -> bool:
        return self.key(word) in self.labels

    def _phrases(self, name: str) -> Iterator[tuple[str, Piece]]:
        for key in _table()[name]:
            phrase = _phrase(name, key, self.lang)
            if name == "action":
                yield from self._actions(key, phrase)
            else:
                yield phrase, Piece(name, key)

    def _actions(self, key: str, phrase: str) -> Iterator[tuple[str, Piece]]:
        """An action by itself, with each `per` and with each zone it may have."""
        if key == "block_all":
            yield phrase, Piece("action", Action.BLOCK, amount=ALL)
            return
        action = Action(key)
        zones = ZONES.get(action, ())
        yield from self._amounts(phrase, Piece("action", action, zone=Zone.HAND if zones else None))
        for zone in zones:
            yield from self._amounts(
                f"{phrase} {_phrase('zone', zone, self.lang)}", Piece("action", action, zone=zone)
            )
        for per in Per if action in POINTS else ():
            yield f"{phrase} {_phrase('per', per, self.lang)}", Piece("action", action, per=per)

    def _amounts(self, phrase: str, piece: Piece) -> Iterator[tuple[str, Piece]]:
        """The phrase with a number and, where one may be said without it, without."""
        yield phrase, piece
        if "{cards}" in phrase:
            yield phrase.replace("{cards}", _counted("cards", 1, self.lang)), piece._replace(amount=1)

    def _plant(self, node: _Node, phrase: str, piece: Piece) -> None:
        for word in re.findall(r"\{\w+\}|[^\s.,:{]+|[.,:]", phrase):
            if word.startswith("{"):
                node = self._plant_number(node, word[1:-1])
            else:
                node = self._plant_word(node, word)
        node.piece = piece

    def _plant_word(self, node: _Node, word: str) -> _Node:
        key = self.key(word)
        if key not in _SIGNS:
            self.labels.setdefault(key, word)
        return node.words.setdefault(key, (word, _Node()))[1]

    def _plant_number(self, node: _Node, kind: str) -> _Node:
        if node.number is None:
            node.number = kind, _Node()
        after = node.number[1]
        forms = _table()["forms"].get(kind)
        return self._plant_word(after, forms[self.lang]["many"]) if forms else after


@cache
def _grammar(lang: Lang) -> _Grammar:
    return _Grammar(lang)


def _heads(lang: Lang) -> dict[str, str]:
    """Every form of a word with forms, to the one that stands for all of them."""
    heads = {}
    for forms in _table()["forms"].values():
        named = forms[lang]
        for form in (named["one"], named["few"], named["many"], *named["also"]):
            heads[form] = named["one"]
    return heads


# ------------------------------------------------------------------------------
# Reading: a text


class Token(NamedTuple):
    word: str
    key: str
    offset: int


def read(text: str) -> Program:
    """The program of a card text in either language; raises `CardTextError`."""
    return _Reader(text).program()


def language_of(text: str) -> Lang:
    """The language that most letters of the text belong to."""
    return max(LANGUAGES, key=lambda lang: len(re.findall(_LETTERS[lang], text, re.IGNORECASE)))


def continuations(text: str, lang: Lang | None = None) -> list[str]:
    """What may follow a text that is right so far: words, as far as they are sure to follow each other, and
    signs; nothing where something is wrong before. Numbers are not guessed.

    >>> continuations("Next turn: set")
    ['aside']
    >>> continuations("Attack 3")
    ['for each card in', ',', '.']
    """
    reader = _Reader(text, lang)
    try:
        reader.program()
    except CardTextError as error:
        if error.code == "duel.text.empty":
            return reader.grammar.starts["trait"].phrases()
        if error.code != "duel.text.end":
            return []
        signs = [word for word in error.values["expected"] if word in _SIGNS]
        return list(dict.fromkeys([*reader.node.phrases(), *signs]))
    return reader.grammar.starts["when"].phrases()


class _Reader:
    """One text being read, word by word and without going back: each phrase is known by its first word."""

    def __init__(self, text: str, lang: Lang | None = None) -> None:
        self.text = text
        self.grammar = _grammar(lang or language_of(text))
        self.tokens = [Token(m[0], self.grammar.key(m[0]), m.start()) for m in _WORD.finditer(text)]
        self.tokens.append(Token("", "", len(text.rstrip())))
        self.at = 0
        self.began = 0
        """Where the last phrase began."""
        self.node = _Node()
        """How it ended: what could still have followed."""

    def program(self) -> Program:
        if len(self.tokens) == 1:
            raise self.fault("duel.text.empty", self.tokens[0])
        traits = self.traits()
        effects = list(self.sentence("when" if traits else "trait"))
        while self.at < len(self.tokens) - 1:
            effects += self.sentence("when")
        return Program("auto" in traits, "super" in traits, tuple(effects))

    def traits(self) -> set[str]:
        """D25: traits stand first."""
        traits: set[str] = set()
        while self.tokens[self.at].key in _trait_words(self.grammar.lang):
            token = self.tokens[self.at]
            trait = self.piece("trait")[0].key
            if trait in traits:
                raise self.fault("duel.text.twice", token)
            traits.add(trait)
        return traits

    def sentence(self, start: str) -> Iterator[Effect]:
        """D25: [when] [condition] [Opponent:] action[, action…]."""
        shared: dict[str, Any] = {}
        piece, number = self.piece(start)
        while piece.table != "action":
            shared |= _meaning(piece, number)
            piece, number = self.piece(_ORDER[_ORDER.index(piece.table) + 1])
        yield self.effect(piece, number, shared)
        while self.comma():
            piece, number = self.piece("action")
            yield self.effect(piece, number, shared)

    def effect(self, piece: Piece, number: int, shared: dict[str, Any]) -> Effect:
        action = Action(piece.key)
        if action is Action.SET_ASIDE_THIS and "opponent" in shared:
            raise self.fault("duel.text.this_card", self.tokens[self.began])
        return Effect(action, piece.amount or number, piece.per, piece.zone, **shared)

    def piece(self, start: str) -> tuple[Piece, int]:
        """The longest phrase that stands here, and its number."""
        node, number = self.grammar.starts[start], 0
        self.began = self.at
        while True:
            token = self.tokens[self.at]
            if token.key in node.words:
                node = node.words[token.key][1]
            elif node.number and token.word.isascii() and token.word.isdigit():
                number = self.number(token, *LIMITS[node.number[0]])
                node = node.number[1]
            elif node.piece:
                self.node = node
                return node.piece, number
            else:
                self.node = node
                raise self.unexpected(token, node.expected())
            self.at += 1

    def number(self, token: Token, low: int, high: int) -> int:
        digits = token.word.lstrip("0") or "0"
        if len(digits) > len(str(high)) or not low <= int(digits) <= high:
            raise self.fault("duel.text.range", token, low=low, high=high)
        return int(digits)

    def comma(self) -> bool:
        """Whether another action follows; if not, the sentence ends here."""
        token = self.tokens[self.at]
        if token.word not in (",", "."):
            raise self.unexpected(token, (*self.node.expected(), ",", "."))
        self.at += 1
        return token.word == ","

    def unexpected(self, token: Token, expected: tuple[str, ...]) -> CardTextError:
        if not token.word:
            return self.fault("duel.text.end", token, expected)
        if _other(self.grammar).knows(token.word):
            nearest = _translations(self.grammar.lang).get(_other(self.grammar).key(token.word))
            code = "duel.text.language_near" if nearest else "duel.text.language"
        else:
            nearest = self.nearest(token, expected)
            code = "duel.text.unexpected_near" if nearest else "duel.text.unexpected"
        return self.fault(code, token, expected, nearest)

    def nearest(self, token: Token, expected: Iterable[str]) -> str | None:
        """The keyword most like the word: of those that may stand here or, for an unknown word, of all."""
        labels = {self.grammar.key(word): word for word in expected if word != NUMBER and word not in _SIGNS}
        close = get_close_matches(token.key[:_LONGEST], labels, n=1)
        if not close and not self.grammar.knows(token.word):
            labels = self.grammar.labels
            close = get_close_matches(token.key[:_LONGEST], labels, n=1)
        return labels[close[0]] if close else None

    def fault(
        self,
        code: str,
        token: Token,
        expected: Sequence[str] = (),
        nearest: str | None = None,
        low: int = 0,
        high: int = 0,
    ) -> CardTextError:
        before = self.text[: token.offset]
        return CardTextError(
            code,
            offset=token.offset,
            line=before.count("\n") + 1,
            column=token.offset - before.rfind("\n"),
            found=harmless(token.word),
            around=self.around(token),
            expected=tuple(expected),
            wanted=_alternatives(expected) if expected else "",
            nearest=nearest,
            low=low,
            high=high,
        )

    def around(self, token: Token) -> str:
        """The words around the place, cut out of the text as it stands."""
        place, end = self.tokens.index(token), len(self.tokens) - 1
        first, last = max(place - 4, 0), min(place + 4, end)
        while first > 0 and self.tokens[first].word in _SIGNS:
            first -= 1
        while last < end and self.tokens[last].word in _SIGNS:
            last += 1
        cut = one_line(self.text[self.tokens[first].offset : self.tokens[last].offset], 4 * _LONGEST)
        return ("… " if first else "") + cut + (" …" if last < end else "")


def _meaning(piece: Piece, number: int) -> dict[str, Any]:
    """What a piece before the action says about the effects of its sentence."""
    match piece.table, piece.key:
        case "when", "next":
            return {"first": 1}
        case "when", "in":
            return {"first": number}
        case "when", "for":
            return {"turns": number}
        case "when", "for_next":
            return {"first": 1, "turns": number}
        case "condition", key:
            return {"condition": Condition(key), "threshold": number}
        case _:
            return {"opponent": True}


@cache
def _trait_words(lang: Lang) -> frozenset[str]:
    grammar = _grammar(lang)
    return frozenset(grammar.key(row[lang].rstrip(".")) for row in _table()["trait"].values())


def _other(grammar: _Grammar) -> _Grammar:
    return _grammar(next(lang for lang in LANGUAGES if lang != grammar.lang))


@cache
def _translations(lang: Lang) -> dict[str, str]:
    """Words that open a phrase in the other language, to those that open the same phrase in this one."""
    other = _other(_grammar(lang))
    rows = [row for name in _ORDER for row in _table()[name].values()]
    opening = {other.key(_first_word(row[other.lang])): _first_word(row[lang]) for row in rows}
    return {word: shown for word, shown in opening.items() if "{" not in word + shown}


def _first_word(phrase: str) -> str:
    return re.split(r"[\s.:]", phrase, maxsplit=1)[0]
