"""A whole duel in one line; `docs/positions.md` explains it.

duel core turn=3 health=100/92 hands=ember,spark/wall deck=cactus/mirage discard=-/spark play=vine@1/- …
"""

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from coyote.games.duel.cards import LAST
from coyote.games.duel.decks import deck_of, faults
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.rules import FIRST_PLAY, HOLD, clear_table
from coyote.games.duel.sets import CardSet
from coyote.games.duel.setup import Decks
from coyote.games.duel.state import STATE
from coyote.games.game import Game, PositionError, Setup
from coyote.games.positions import PositionReader, house_rules
from coyote.kernel.record import new
from coyote.kernel.seats import NONE

if TYPE_CHECKING:
    from coyote.games.duel.game import Duel

ZONES = {"hands": ("hand", "in_hand"), "deck": ("deck", "in_deck"), "discard": ("discard", "in_discard")}
KEYS = (
    "rules",
    "turn",
    "health",
    "max",
    "hands",
    "deck",
    "number",
    "discard",
    "play",
    "aside",
    "super",
    "shown",
    "choice",
)
CARD_IN_PLAY = re.compile(r"(?P<id>[a-z0-9-]+)@(?P<age>\d{1,2})(?P<leaves>!?)")


# ---------------------------------------------------------------- writing


def write_position(s: Any, game: "Duel") -> str:
    card_set, ids = game.card_set, game.ids

    def both(name: str, size: str, backwards: bool = False) -> str:
        zones = [[ids[kind] for kind in s[name][seat][: s[size][seat]]] for seat in range(2)]
        return "/".join(_list(zone[::-1] if backwards else zone) for zone in zones)

    parts = [
        "duel",
        card_set.name,
        *house_rules(game),
        f"turn={s.turn}",
        f"health={s.health[0]}/{s.health[1]}",
    ]
    if (s.max_health != game.row.health).any():
        parts.append(f"max={s.max_health[0]}/{s.max_health[1]}")
    parts.append(f"hands={both('hand', 'in_hand')}")
    parts.append(f"deck={both('deck', 'in_deck', backwards=True)}")
    if (s.deck_number != 1).any():
        parts.append(f"number={s.deck_number[0]}/{s.deck_number[1]}")
    if s.in_discard.any():
        parts.append(f"discard={both('discard', 'in_discard')}")
    if s.in_play.any():
        parts.append("play=" + "/".join(_write_play(s, ids, seat) for seat in range(2)))
    if s.in_aside.any():
        parts.append(f"aside={both('aside', 'in_aside')}")
    if (s.super != NONE).any():
        parts.append("super=" + "/".join("-" if kind == NONE else ids[kind] for kind in s.super))
    if any(_shown(s, seat) != seen_at_least(s, card_set, seat) for seat in range(2)):
        parts.append(f"shown={both('shown', 'n_shown')}")
    if (s.choice != NONE).any():
        parts.append("choice=" + "/".join(_write_choice(choice, ids) for choice in s.choice))
    return " ".join(parts)


def _shown(s: Any, seat: int) -> list[int]:
    return [int(kind) for kind in s.shown[seat][: s.n_shown[seat]]]


def seen_at_least(s: Any, card_set: CardSet, seat: int) -> list[int]:
    """The cards that must have been shown: those in sight, and a Super wherever it is (D2)."""
    zones = ((s.aside, s.in_aside), (s.discard, s.in_discard), (s.play, s.in_play))
    kinds = [int(kind) for zone, sizes in zones for kind in zone[seat][: sizes[seat]]]
    listed = [int(kind) for kind in s.listed[seat][: s.n_listed[seat]]]
    return [kind for kind in listed if card_set.cards[kind].program.super and kind not in kinds] + kinds


def _list(names: list[str]) -> str:
    return ",".join(names) or "-"


def _write_play(s: Any, ids: list[str], seat: int) -> str:
    cards = range(s.in_play[seat])
    marks = ["!" if s.leaves[seat, i] else "" for i in cards]
    return _list([f"{ids[s.play[seat, i]]}@{s.age[seat, i]}{marks[i]}" for i in cards])


def _write_choice(choice: int, ids: list[str]) -> str:
    if choice == NONE:
        return "-"
    return "hold" if choice == HOLD else ids[choice - FIRST_PLAY]


# ---------------------------------------------------------------- reading


def read_position(text: str, kind: "type[Duel]", card_set: CardSet) -> tuple[Game, Setup, Any]:
    """The game, the decks and the state of a text; PositionError tells everything that is wrong with it."""
    reader = _Reader(text, kind, card_set)
    if not reader.faults:
        reader.check()
    if reader.faults:
        raise PositionError(reader.faults)
    decks = tuple(deck_of(card_set.name, ids) for ids in reader.lists)
    return reader.settled, Decks(card_set, reader.settled.limits, decks), reader.s


class _Reader(PositionReader):
    settled: "Duel"

    def __init__(self, text: str, kind: "type[Duel]", card_set: CardSet) -> None:
        super().__init__(text, KEYS)
        self.card_set, self.kinds = card_set, card_set.kinds
        if self.head != ["duel", card_set.name]:
            self.fault("duel_head", text=" ".join(self.head), name=card_set.name)
        self.settled = self.game(kind, card_set=card_set)  # type: ignore[assignment]
        self.ed = self.settled.row
        self.lists: list[list[str]] = [[], []]
        self.s = new(STATE)
        clear_table(self.s)
        given = self.given
        self._numbers(given)
        for key, (zone, size) in ZONES.items():
            self._zone(key, given.get(key), zone, size)
        self._zone("aside", given.get("aside"), "aside", "in_aside")
        self._play(given.get("play"))
        self._super(given.get("super"))
        self._choice(given.get("choice"))
        halves = self._pair("shown", given.get("shown"), "-/-")
        self.shown = [[] if half == "-" else half.split(",") for half in halves]

    def _pair(self, key: str, text: str | None, default: str) -> list[str]:
        parts = (default if text is None else text).split("/")
        if len(parts) == 2:
            return parts
        self.fault("pair", key=key, text=str(text)[:60])
        return default.split("/")

    def _numbers(self, given: dict[str, str]) -> None:
        s = self.s
        s.turn = self.number("turn", given.get("turn"), 1, 1, 9999)
        full = int(self.ed.health)
        limits = (
            ("health", "health", full, -(10**12), full),
            ("max", "max_health", full, -(10**12), full),
            ("number", "deck_number", 1, 1, 10**9),
        )
        for key, name, usual, least, most in limits:
            for seat, text in enumerate(self._pair(key, given.get(key), f"{usual}/{usual}")):
                s[name][seat] = self.number(key, text, usual, least, most)

    def _kind(self, card_id: str, place: str, seat: int) -> int | None:
        if card_id not in self.kinds:
            self.fault("no_card", name=card_id[:40], place=place)
            return None
        self.lists[seat].append(card_id)
        return self.kinds[card_id]

    def _fill(self, seat: int, zone: str, size: str, kinds: list[int]) -> None:
        most = int(self.ed.hand_limit) if zone == "hand" else MOST_CARDS
        if len(kinds) > most:
            self.fault("zone_full", "D12" if zone == "hand" else "D19", key=zone, most=most)
            return
        self.s[zone][seat, : len(kinds)] = kinds
        self.s[size][seat] = len(kinds)

    def _zone(self, key: str, text: str | None, zone: str, size: str) -> None:
        for seat, part in enumerate(self._pair(key, text, "-/-")):
            names = [] if part == "-" else part.split(",")
            kinds = [kind for kind in (self._kind(name, key, seat) for name in names) if kind is not None]
            self._fill(seat, zone, size, kinds[::-1] if zone == "deck" else kinds)

    def _play(self, text: str | None) -> None:
        for seat, part in enumerate(self._pair("play", text, "-/-")):
            parsed = [] if part == "-" else [CARD_IN_PLAY.fullmatch(card) for card in part.split(",")]
            if None in parsed:
                self.fault("in_play", text=part[:60])
                continue
            cards = [match.groupdict() for match in parsed if match]
            kinds = [self._kind(card["id"], "play", seat) for card in cards]
            if None in kinds:
                continue
            self._fill(seat, "play", "in_play", [kind for kind in kinds if kind is not None])
            for i, card in enumerate(cards[:MOST_CARDS]):
                self.s.age[seat, i] = int(card["age"])
                self.s.leaves[seat, i] = bool(card["leaves"])

    def _super(self, text: str | None) -> None:
        for seat, part in enumerate(self._pair("super", text, "-/-")):
            if part == "-":
                continue
            if part not in self.kinds or self.kinds[part] not in self.s.aside[seat]:
                self.fault("super", "D17", name=part[:40])
            else:
                self.s.super[seat] = self.kinds[part]

    def _choice(self, text: str | None) -> None:
        for seat, part in enumerate(self._pair("choice", text, "-/-")):
            if part == "hold":
                self.s.choice[seat] = HOLD
            elif part in self.kinds and self.kinds[part] in self.s.hand[seat]:
                self.s.choice[seat] = FIRST_PLAY + self.kinds[part]
            elif part != "-":
                self.fault("choice", "D6", text=part[:40])

    # ------------------------------------------------------------ what cannot be

    def check(self) -> None:
        s = self.s
        for seat in range(2):
            self._check_list(seat)
            self._check_shown(seat, self.shown[seat])
            self._check_super(seat)
            self._check_cards(seat)
            if s.health[seat] > s.max_health[seat]:
                self.fault("health", "D9", seat=seat)
            if s.max_health[seat] < self.ed.health and s.deck_number[seat] < self.ed.wear_from:
                self.fault("worn_early", "D14", seat=seat, deck=int(self.ed.wear_from))
        if (s.choice != NONE).all():
            self.fault("both_chosen", "D7")
        s.over = bool((s.health <= 0).any())

    def _check_list(self, seat: int) -> None:
        """All cards of a player together are a deck that D19 allows."""
        ids = self.lists[seat]
        for broken in faults(deck_of(self.card_set.name, ids), self.card_set, self.settled.limits):
            self.fault("deck", "D19", seat=seat, why=broken)
        kinds = sorted(self.kinds[card_id] for card_id in ids)[:MOST_CARDS]
        self.s.listed[seat] = kinds + [NONE] * (MOST_CARDS - len(kinds))
        self.s.n_listed[seat] = len(kinds)

    def _check_shown(self, seat: int, names: list[str]) -> None:
        """D18  Cards of the player in the order of being seen first; those in sight follow by themselves."""
        s = self.s
        left = Counter(self.lists[seat])
        for name in names:
            if not left[name]:
                self.fault("no_card", "D18", name=name[:40], place=f"shown, {seat}")
                return
            left[name] -= 1
        kinds = [self.kinds[name] for name in names]
        least = seen_at_least(s, self.card_set, seat)
        for kind in least:
            if kinds.count(kind) < least.count(kind):
                kinds.append(kind)
        kinds = kinds[:MOST_CARDS]
        s.shown[seat, : len(kinds)] = kinds
        s.n_shown[seat] = len(kinds)

    def _check_super(self, seat: int) -> None:
        """D17  Until its deck the Super lies aside and waits, and from then on it does not."""
        s = self.s
        waits = s.super[seat] != NONE
        has = any(self.card_set.by_id[card_id].program.super for card_id in self.lists[seat])
        if waits and not self.card_set.cards[s.super[seat]].program.super:
            self.fault("super", "D17", name=self.card_set.cards[s.super[seat]].id)
        elif waits and s.deck_number[seat] >= self.ed.super_deck:
            self.fault("super_late", "D17", seat=seat, deck=int(self.ed.super_deck))
        elif has and not waits and s.deck_number[seat] < self.ed.super_deck:
            self.fault("super_early", "D17", seat=seat, deck=int(self.ed.super_deck))

    def _check_cards(self, seat: int) -> None:
        s, cards = self.s, self.card_set.cards
        alive = s.health.min() > 0
        for i in range(s.in_hand[seat]):
            if cards[s.hand[seat, i]].program.auto and alive:
                self.fault("auto_in_hand", "D5", seat=seat, name=cards[s.hand[seat, i]].id)
        for i in range(s.in_play[seat]):
            card = cards[s.play[seat, i]]
            if s.age[seat, i] == 0 and not card.program.auto and alive:
                self.fault("too_young", "D11", seat=seat, name=card.id)
            if s.age[seat, i] > self.settled.table[s.play[seat, i], LAST]:
                self.fault("too_old", "D11", seat=seat, name=card.id)
