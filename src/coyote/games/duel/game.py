"""The duel as a `Game`: the compiled rules with their words and numbers for people and files."""

import hashlib
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.games.duel import events as ev
from coyote.games.duel import many, position, records, rules, sight, unsight
from coyote.games.duel.cards import ZONE_NAMES, card_table
from coyote.games.duel.decks import Deck, faults, random_deck, ready_decks
from coyote.games.duel.luck import REAL_CHANCE, left_over, misfits
from coyote.games.duel.sets import CardSet, core_set
from coyote.games.duel.state import MOST_CARDS, MOST_HAND, REASONS, STATE
from coyote.games.game import Event, Game, Json, OptionError, Record, RecordError, Refusal, Result, Words64
from coyote.kernel.chance import game_words
from coyote.kernel.events import LogFull, new_log, overflowed, silent_log
from coyote.kernel.record import new, plain
from coyote.kernel.seats import NONE

ROOM = 8192  # events of one turn: a card may make a player draw 99 times, and shuffle as often
RANDOM = "random"
DEFAULT_DECKS = ("pack", "oasis")
TRACE_RULES = {
    "seat": "D6", "turn": "D4", "legal": "D6", "health": "D9", "max": "D14", "hands": "D12", "deck": "D13",
    "deck_number": "D13", "discard": "D11", "play": "D11", "aside": "D16",
}  # fmt: skip


class Duel(Game):
    """
    >>> game = Duel(decks=("pack", "oasis"))
    >>> s = game.deal(np.array([1, 2], np.uint64))
    >>> game.actors(s), len(game.legal(s, 0)) > 1
    (3, True)
    """

    name = "duel"
    rules_version = 1
    STATE = STATE
    ROOM = ROOM
    DEAL_KEYS = ("set", "decks", "super")
    DEAL_RULE = "D2"
    REASONS = REASONS
    SOURCES = ev.SOURCES
    OPTIONS = ("open-lists",)

    def __init__(
        self,
        *,
        decks: Sequence[Deck | str] = DEFAULT_DECKS,
        card_set: CardSet | None = None,
        **options: Any,
    ) -> None:
        self.card_set = core_set() if card_set is None else card_set
        self.open_lists = _open_lists(options)
        self.options = {"open-lists": True} if self.open_lists else {}
        self.decks = tuple(self._deck(deck) for deck in decks)
        self.luck = REAL_CHANCE
        self._legal = np.zeros(1 + MOST_HAND, np.int16)

    def _deck(self, deck: Deck | str) -> Deck | None:
        """A deck, or a ready one by its name; refused where it breaks D19. None is drawn for each deal."""
        if deck == RANDOM:
            self._try_random()
            return None
        if isinstance(deck, str):
            if deck not in ready_decks():
                known = ", ".join([*ready_decks(), RANDOM])
                raise OptionError("option.value", name="deck", value=deck, known=known)
            deck = ready_decks()[deck]
        if broken := faults(deck, self.card_set):
            reasons = {lang: "; ".join(fault.message(lang) for fault in broken) for lang in ("en", "ru")}
            raise OptionError("option.deck", name=deck.id or "?", reasons=reasons)
        return deck

    def _try_random(self) -> None:
        try:
            random_deck(self.card_set, Random(0))
        except ValueError:
            raise OptionError("option.small_set", name=self.card_set.name) from None

    @property
    def deck_names(self) -> list[str]:
        return [RANDOM if deck is None else deck.id for deck in self.decks]

    # ------------------------------------------------------------ the set as numbers

    @cached_property
    def table(self) -> npt.NDArray[np.int16]:
        return card_table(self.card_set)

    @cached_property
    def ids(self) -> list[str]:
        return [card.id for card in self.card_set.cards]

    @cached_property
    def kinds(self) -> dict[str, int]:
        return {card_id: kind for kind, card_id in enumerate(self.ids)}

    def list_row(self, deck: Deck | None, seed: Words64, seat: int) -> list[int]:
        """A deck list as numbers; a random deck follows from the seed, apart from the deal."""
        if deck is None:
            text = f"deck {seat} {seed.astype('<u8').tobytes().hex()}"
            deck = random_deck(self.card_set, Random(hashlib.sha256(text.encode()).digest()))
        kinds = sorted(self.kinds[card_id] for card_id in deck.ids())
        return kinds + [int(NONE)] * (MOST_CARDS - len(kinds))

    def lists(self, seed: Words64) -> npt.NDArray[np.int16]:
        return np.array([[self.list_row(deck, seed, seat) for seat, deck in enumerate(self.decks)]], np.int16)

    # ------------------------------------------------------------ the rules

    def deal(self, seed: Words64, log: Record | None = None) -> Record:
        s = new(STATE)
        s.open_lists = self.open_lists
        many.bring_lists(s, self.lists(seed), 0)
        rules.deal(s, self.table, REAL_CHANCE, silent_log(ROOM) if log is None else log, seed)
        return s

    def actors(self, s: Record) -> int:
        return int(rules.actors(s))

    def legal(self, s: Record, seat: int) -> list[int]:
        n = rules.legal(s, seat, self._legal)
        return self._legal[:n].tolist()  # type: ignore[no-any-return]

    def act(self, s: Record, seat: int, action: int, log: Record) -> None:
        before, luck_before = s.copy(), self.luck.copy()
        rules.act(s, self.table, self.luck, log, seat, action)
        if overflowed(log):
            for name in s.dtype.names:
                s[name] = before[name]
            self.luck[:] = luck_before
            raise LogFull

    def sealed(self, s: Record) -> bool:
        return bool((s["choice"] != NONE).any())

    def view(self, s: Record, seat: int) -> Record:
        out = np.zeros(1, STATE)
        sight.view(s, self.table, seat, out)
        return out[0]

    def imagine(self, v: Record, seat: int, seed: Words64) -> Record:
        out = np.zeros(1, STATE)
        sight.imagine(v, self.table, len(self.ids), seat, seed, out)
        return out[0]

    def result(self, s: Record) -> Result | None:
        if not s.over:
            return None
        winner = rules.winner(s)
        return Result(None if winner == NONE else int(winner), REASONS[0], self.score(s))

    def score(self, s: Record) -> list[int]:
        return s["health"].tolist()  # type: ignore[no-any-return]

    def random_games(self, source: Words64, first: int, n: int, points: bool = True) -> Record:
        tally = new(many.TALLY)
        log = new_log(ROOM) if points else silent_log(ROOM)
        out = np.zeros(1 + MOST_HAND, np.int16)
        seed, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        lists = self.series_lists(source, first, n)
        s = new(STATE)
        many.random_games(s, self.table, lists, REAL_CHANCE, log, out, source, seed, dice, first, n, tally)
        return tally

    def series_lists(self, source: Words64, first: int, n: int) -> npt.NDArray[np.int16]:
        """The deck lists of a series: the same for every game, unless a deck is random."""
        if None not in self.decks:
            return self.lists(source)
        seed, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        rows = []
        for game in range(first, first + n):
            game_words(source, game, seed, dice)
            rows.append(self.lists(seed)[0])
        return np.array(rows, np.int16)

    # ------------------------------------------------------------ words and numbers

    def move_text(self, action: int) -> str:
        return "hold" if action == rules.HOLD else f"play {self.ids[action - rules.FIRST_PLAY]}"

    def read_move(self, text: str) -> int | None:
        words = text.lower().split()
        if words == ["hold"]:
            return rules.HOLD
        if len(words) == 2 and words[0] == "play" and words[1] in self.kinds:
            return rules.FIRST_PLAY + self.kinds[words[1]]
        return None

    def why_not(self, v: Record, seat: int, text: str) -> Refusal:
        if v.over:
            return Refusal("refusal.over", "")
        if v.choice[seat] != NONE:
            return Refusal("refusal.chosen", "D6")
        if (action := self.read_move(text)) is None:
            return Refusal("refusal.no_choice", "D6", {"text": text.strip()[:40]})
        return Refusal("refusal.not_held", "D6", {"name": self.ids[action - rules.FIRST_PLAY]})

    def event(self, row: Any, viewer: int | None) -> Event:
        kind, seat, *pair = (int(number) for number in row)
        hidden = viewer is not None and (kind == ev.ORDER or (kind == ev.DRAW and viewer != seat))
        values = {
            slot: None if hidden and slot == "title" else self._value(slot, number)
            for slot, number in zip(ev.SLOTS[kind], pair, strict=False)
        }
        return Event(ev.KINDS[kind], None if seat == NONE else seat, values)

    def wanted(self, s: Record) -> str:
        return "choose"

    def event_rule(self, event: Event) -> str:
        return ev.RULES[event.key]

    def _value(self, slot: str, number: int) -> Any:
        if slot == "title":
            return self.ids[number]
        if slot == "zone":
            return ZONE_NAMES[number]
        if slot == "goes":
            return "aside" if number else "discard"
        return REASONS[number] if slot == "reason" else number

    def situation(self, s: Record, seat: int, legal: list[str]) -> Json:
        p = plain(s)
        return {
            "seat": seat,
            "turn": p.turn,
            "legal": legal,
            "health": p.health,
            "max": p.top,
            "hands": [sorted(self._names(p.hand[i], p.in_hand[i])) for i in range(2)],
            "deck": p.in_deck,
            "deck_number": p.deck_number,
            **self._open(p),
        }

    def own_sight(self, v: Record, seat: int) -> Json:
        p = plain(v)
        known = [seat == owner or self.open_lists for owner in range(2)]
        return {
            "seat": seat,
            "hand": self._names(p.hand[seat], p.in_hand[seat]) if seat >= 0 else [],
            "lists": [
                self._names(p.listed[owner], p.n_listed[owner]) if known[owner] else None
                for owner in range(2)
            ],
            "chosen": None if seat < 0 or p.choice[seat] == NONE else self.move_text(p.choice[seat]),
        }

    def open_sight(self, v: Record) -> Json:
        """All that may be known (D18), so that `view_from_sight` is the way back.

        `super` names the Super that waits for the third deck; `shown` are the cards that everybody has
        seen, also those that were shuffled into a new deck since. All zones are in the order of coming.
        """
        p = plain(v)
        return {
            "game": self.name,
            "options": self.options,
            "turn": p.turn,
            "health": p.health,
            "max": p.top,
            "held": p.in_hand,
            "deck": p.in_deck,
            "deck_number": p.deck_number,
            "discard": [self._names(p.discard[owner], p.in_discard[owner]) for owner in range(2)],
            "play": self._play(p),
            "aside": [self._names(p.aside[owner], p.in_aside[owner]) for owner in range(2)],
            "shown": [self._names(p.shown[owner], p.n_shown[owner]) for owner in range(2)],
            "super": [None if kind == NONE else self.ids[kind] for kind in p.super],
            "over": bool(p.over),
        }

    def view_from_sight(self, shown: Json, seat: int) -> Record:
        return unsight.view_from_sight(shown, seat, self.kinds)

    def _names(self, kinds: list[int], n: int) -> list[str]:
        return [self.ids[kind] for kind in kinds[:n]]

    def _open(self, p: SimpleNamespace) -> Json:
        return {
            "discard": [sorted(self._names(p.discard[i], p.in_discard[i])) for i in range(2)],
            "play": self._play(p),
            "aside": [sorted(self._names(p.aside[i], p.in_aside[i])) for i in range(2)],
        }

    def _play(self, p: SimpleNamespace) -> list[list[list[Any]]]:
        return [
            [[self.ids[kind], age] for kind, age in zip(p.play[i][: p.in_play[i]], p.age[i], strict=False)]
            for i in range(2)
        ]

    def position(self, s: Record) -> str:
        return position.write_position(s, self.card_set)

    @classmethod
    def at_position(cls, text: str, card_set: CardSet | None = None) -> "tuple[Game, Record]":
        cards = core_set() if card_set is None else card_set
        s, lists = position.read_position(text, cards)
        decks = [records.deck_of(cards, ids) for ids in lists]
        return cls(card_set=cards, decks=decks, **{"open-lists": bool(s.open_lists)}), s

    def trace_rule(self, key: str, situation: Json) -> str:
        return TRACE_RULES.get(key, "")

    def end_rule(self, result: Result) -> str:
        return ev.RULES[f"end.{result.reason}"]

    def title(self, card_id: str, lang: str) -> str:
        return self.card_set.by_id[card_id].name("ru" if lang == "ru" else "en")

    # ------------------------------------------------------------ records

    def setup(self) -> Json:
        return {
            "set": records.write_set(self.card_set),
            "decks": [RANDOM if deck is None else deck.ids() for deck in self.decks],
        }

    @classmethod
    def from_setup(cls, options: Json, setup: Json) -> "Duel":
        card_set = records.read_cards(setup["set"])
        decks = [RANDOM if ids == RANDOM else records.deck_of(card_set, ids) for ids in setup["decks"]]
        return cls(card_set=card_set, decks=decks, **cls.known(options))

    def record_deal(self, s: Record) -> Json:
        fresh = s.copy()
        rules.shuffle_decks(fresh, self.table, s.key)
        return records.write_deal(fresh, self.card_set)

    def record_chance(self, rows: list[list[int]]) -> Json:
        return {"chance": records.write_chance(rows, self.ids)}

    @classmethod
    def from_record(cls, record: Json) -> "Duel":
        card_set, decks = records.read_frame(record)
        game = cls(card_set=card_set, decks=decks, **cls.known(record["options"]))
        game.luck = records.read_chance(record, game.kinds)
        return game

    def read_deal(self, record: Json, log: Record | None = None) -> Record:
        s = new(STATE)
        s.open_lists = self.open_lists
        many.bring_lists(s, self.lists(np.zeros(2, np.uint64)), 0)
        rules.clear_table(s)
        for seat in range(2):
            rules.bring_deck(s, self.table, seat)
            s.deck[seat, : s.in_deck[seat]] = [self.kinds[i] for i in reversed(record["decks"][seat])]
        rules.begin(s, self.table, self.luck, silent_log(ROOM) if log is None else log)
        return s

    def fresh(self) -> "Duel":
        decks = [RANDOM if deck is None else deck for deck in self.decks]
        return Duel(decks=decks, card_set=self.card_set, **self.options)

    def branch(self) -> "Duel":
        twin = copy(self)
        twin.luck = self.luck.copy()
        return twin

    def check_chance(self, over: bool) -> None:
        """What a record says of chance must fit what the rules asked for, and no more be said."""
        if misfits(self.luck):
            raise RecordError("record.chance", "D15")
        if over and left_over(self.luck):
            raise RecordError("record.chance_left", "D15")


def _open_lists(options: dict[str, Any]) -> bool:
    value = options.pop("open-lists", False)
    if options:
        raise OptionError("option.unknown", name=min(options), known="open-lists")
    if value in (True, "true", "yes", "1"):
        return True
    if value in (False, "false", "no", "0"):
        return False
    raise OptionError("option.value", name="open-lists", value=str(value), known="true, false")
