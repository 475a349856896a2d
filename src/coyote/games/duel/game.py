"""The duel as a `Game`: the compiled rules with their words and numbers for people and files."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

import numpy as np

from coyote.games.duel import editions, many, position, records, rules, setup, telling, view, view_json
from coyote.games.duel import events as ev
from coyote.games.duel.cards import ZONE_NAMES, Table, card_table
from coyote.games.duel.decks import DeckLimits, faults, ready_decks
from coyote.games.duel.editions import MOST_HAND
from coyote.games.duel.sets import CardSet, core_set
from coyote.games.duel.setup import Decks
from coyote.games.duel.state import REASONS, STATE
from coyote.games.events import Event
from coyote.games.game import Chance, Game, Json, Record, RecordError, Result, Setup, Words64
from coyote.games.options import Value
from coyote.kernel.events import LogFull, new_log, overflowed, silent_log
from coyote.kernel.luck import REAL_CHANCE
from coyote.kernel.record import blank, new, plain
from coyote.kernel.seats import NONE
from coyote.text.refusals import Refusal

EVENTS = 8192  # of one turn: a card may make a player draw 99 times, and shuffle as often


class Duel(Game):
    """
    >>> game = Duel(health=60)
    >>> s = game.deal(game.settle(("pack", "oasis")), np.array([1, 2], np.uint64))
    >>> game.actors(s), len(game.legal(s, 0)) > 1, game.options
    (3, True, {'health': 60})
    """

    name = "duel"
    LETTER = "D"
    RULES = (1, 2)
    OPTIONS = editions.OPTIONS
    EDITIONS = editions.EDITIONS
    STATE = STATE
    EVENTS = EVENTS
    REASONS = REASONS
    SIMULTANEOUS = True
    KINDS = ev.KINDS
    DEAL_KEYS = ("set", "decks", "super")
    DEAL_RULE = "D2"
    CHANCE_RULE = "D15"
    NEEDS_DECKS = True
    DRAWS_LOT = False  # it treats both seats alike
    SOURCES = ev.SOURCES
    TALLY = many.TALLY
    MOVE_KINDS = many.MOVE_KINDS
    KIND_OF = many.KIND_OF
    WANTED = {"choose": "D6"}
    TRACE_RULES = {
        "seat": "D6", "turn": "D4", "legal": "D6", "health": "D9", "max": "D14", "hands": "D12",
        "deck": "D13", "deck_number": "D13", "discard": "D11", "play": "D11", "aside": "D16",
    }  # fmt: skip

    def __init__(self, *, card_set: CardSet | None = None, rules: int | None = None, **options: Any) -> None:
        super().__init__(rules=rules, **options)
        self.card_set = core_set() if card_set is None else card_set

    @classmethod
    def contradictions(cls, values: Mapping[str, Value]) -> list[Refusal]:
        return editions.contradictions(values)

    # ------------------------------------------------------------ the set as numbers

    @cached_property
    def table(self) -> Table:
        return card_table(self.card_set)

    @property
    def ids(self) -> list[str]:
        return self.card_set.ids

    @property
    def kinds(self) -> dict[str, int]:
        return self.card_set.kinds

    @cached_property
    def limits(self) -> DeckLimits:
        """D19, as this match has it."""
        row = self.row
        return DeckLimits(
            int(row.deck_min), int(row.deck_max), int(row.copies), int(row.rare_copies), int(row.autos),
            int(row.supers),
        )  # fmt: skip

    # ------------------------------------------------------------ the rules

    def deal(self, setup: Setup, seed: Words64, log: Record | None = None) -> Record:
        s = new(STATE)
        many.bring_lists(s, decks_of(setup).lists(seed), 0)
        log = silent_log(EVENTS) if log is None else log
        rules.deal(s, self.table, self.row, REAL_CHANCE, log, seed)
        return s

    def actors(self, s: Record) -> int:
        return int(rules.actors(s))

    def legal(self, s: Record, seat: int) -> list[int]:
        if seat < 0:  # a bystander; the kernel would take it for the last seat
            return []
        out = np.empty(1 + MOST_HAND, np.int16)
        return out[: rules.legal(s, seat, out)].tolist()  # type: ignore[no-any-return]

    def act(self, s: Record, seat: int, action: int, log: Record, chance: Chance) -> None:
        before, luck_before = s.tobytes(), chance.luck.copy()
        rules.act(s, self.table, self.row, chance.luck, log, seat, action)
        if overflowed(log):
            was = np.frombuffer(before, STATE)[0]
            for name in s.dtype.names:
                s[name] = was[name]
            chance.luck[:] = luck_before
            raise LogFull

    def sealed(self, s: Record) -> dict[int, int]:
        return {seat: choice for seat, choice in enumerate(s["choice"].tolist()) if choice != NONE}

    def unseal(self, s: Record, seat: int) -> None:
        s["choice"][seat] = NONE

    def view(self, s: Record, seat: int) -> Record:
        out, record = blank(STATE)
        view.view(s, self.row, seat, out)
        return record

    def imagine(self, v: Record, seat: int, seed: Words64) -> Record:
        out, record = blank(STATE)
        view.imagine(v, self.table, self.row, len(self.ids), seat, seed, out)
        return record

    def result(self, s: Record) -> Result | None:
        if not s.over:
            return None
        winner = rules.winner(s)
        return Result(None if winner == NONE else int(winner), REASONS[0], self.score(s))

    def score(self, s: Record) -> list[int]:
        return s["health"].tolist()  # type: ignore[no-any-return]

    # ------------------------------------------------------------ notation

    def move_text(self, action: int) -> str:
        return view_json.choice_text(action, self.ids)

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

    def position(self, s: Record) -> str:
        return position.write_position(s, self)

    @classmethod
    def at_position(cls, text: str, card_set: CardSet | None = None) -> "tuple[Game, Setup, Record]":
        return position.read_position(text, cls, core_set() if card_set is None else card_set)

    # ------------------------------------------------------------ what is shown

    def open_json(self, v: Record) -> Json:
        return view_json.open_json(v, self.table, self.row, self.ids, self.options)

    def own_json(self, v: Record, seat: int) -> Json:
        return view_json.own_json(v, seat, self.ids)

    def read_view(self, shown: Json, seat: int) -> Record:
        return view_json.read_view(shown, seat, self.kinds)

    def hands(self, s: Record) -> list[list[str]]:
        p = plain(s)
        return [sorted(view_json.names(self.ids, p.hand[seat], p.in_hand[seat])) for seat in range(2)]

    @cached_property
    def _read(self) -> Mapping[str, Callable[[int], Any]]:
        return {
            "title": lambda kind: self.ids[kind],
            "zone": lambda zone: ZONE_NAMES[zone],
            "goes": lambda aside: "aside" if aside else "discard",
            "reason": lambda reason: REASONS[reason],
        }

    def event(self, row: Sequence[int], viewer: int | None) -> Event:
        return ev.KINDS.event(row, viewer, self._read)

    def situation(self, s: Record, seat: int, legal: list[str]) -> Json:
        p = plain(s)
        return {
            "seat": seat,
            "turn": p.turn,
            "legal": legal,
            "health": p.health,
            "max": p.max_health,
            "hands": self.hands(s),
            "deck": p.in_deck,
            "deck_number": p.deck_number,
            "discard": [sorted(view_json.names(self.ids, p.discard[i], p.in_discard[i])) for i in range(2)],
            "play": view_json.in_play(p, self.ids),
            "aside": [sorted(view_json.names(self.ids, p.aside[i], p.in_aside[i])) for i in range(2)],
        }

    def title(self, card_id: str, lang: str) -> str:
        return self.card_set.by_id[card_id].name("ru" if lang == "ru" else "en")

    def told(self, events: Sequence[Event]) -> Iterable[Event]:
        return telling.told(events, self.title)

    # ------------------------------------------------------------ setup and records

    def settle(self, wanted: Sequence[Any] = (), dice: Random | None = None) -> Setup:
        return setup.settle(self.card_set, self.limits, wanted, dice)

    def samples(self) -> list[Setup]:
        """Each ready deck against the next one, where they may be played."""
        names = [name for name, deck in ready_decks().items() if not faults(deck, self.card_set, self.limits)]
        pairs = zip(names, names[1:] + names[:1], strict=True)
        return [self.settle(pair) for pair in pairs] or [self.settle()]

    def read_setup(self, sealed: Json) -> Setup:
        return self.settle(sealed["decks"])

    def brought(self, v: Record, seat: int) -> Json:
        return {"deck": self.own_json(v, seat)["lists"][seat]}

    def public(self) -> Json:
        return {"set": records.write_set(self.card_set)}

    def public_key(self) -> str:
        return self.card_set.digest

    @classmethod
    def from_public(cls, given: Json, public: Json, rules: int | None = None) -> Self:
        cards = records.read_cards(public["set"]) if "set" in public else None
        return cls(card_set=cards, rules=rules, **cls.known(given))

    @classmethod
    def from_record(cls, record: Json) -> tuple[Game, Setup, Chance]:
        game = cls.from_public(record["options"], {"set": record.get("set")}, record.get("rules", 1))
        decks = records.read_decks(record, game.card_set, game.limits)
        return game, decks, Chance(records.read_chance(record, game.kinds))

    @classmethod
    def altered(cls, record: Json, given: Json, public: Json) -> Json:
        """Each card of the decks has its text from the other set."""
        made = super().altered(record, given, public)
        if "set" not in public:
            return made
        texts = {card["id"]: card for card in public["set"]["cards"]}
        ids = [card["id"] for card in record["set"]["cards"]]
        if gone := [card_id for card_id in ids if card_id not in texts]:
            raise RecordError("record.not_in_set", "D20", name=gone[0], set=public["set"]["name"])
        return {**made, "set": {**public["set"], "cards": [texts[card_id] for card_id in ids]}}

    def record_deal(self, s: Record) -> Json:
        fresh = s.copy()
        rules.shuffle_decks(fresh, self.table, self.row, s.key)
        return records.write_deal(fresh, self.card_set)

    def read_deal(self, record: Json, setup: Setup, chance: Chance, log: Record) -> Record:
        s = new(STATE)
        many.bring_lists(s, decks_of(setup).lists(np.zeros(2, np.uint64)), 0)
        rules.clear_table(s)
        for seat in range(2):
            rules.bring_deck(s, self.table, self.row, seat)
            s.deck[seat, : s.in_deck[seat]] = [self.kinds[i] for i in reversed(record["decks"][seat])]
        rules.begin(s, self.table, self.row, chance.luck, log)
        return s

    def record_chance(self, rows: list[list[int]]) -> Json:
        return {"chance": records.write_chance(rows, self.ids)}

    # ------------------------------------------------------------ series

    def random_games(self, setup: Setup, source: Words64, first: int, n: int, points: bool = True) -> Record:
        tally = new(many.TALLY)
        log = new_log(EVENTS) if points else silent_log(EVENTS)
        out = np.zeros(1 + MOST_HAND, np.int16)
        seed, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        lists = decks_of(setup).series_lists(source, first, n)
        many.random_games(
            new(STATE),
            self.table,
            self.row,
            lists,
            REAL_CHANCE,
            log,
            out,
            source,
            seed,
            dice,
            first,
            n,
            tally,
        )
        return tally

    def count_points(self, log: Record, tally: Record) -> None:
        many.count_points(log, self.row, tally)

    def count_log(self, s: Record, log: Record, row: Record) -> None:
        many.count_log(s, self.row, log, row)


def decks_of(setup: Setup) -> Decks:
    assert isinstance(setup, Decks), "a duel needs decks: Game.settle makes them"
    return setup
