"""A second, slow reading of the Duel (spec D1-D26), for tests only. No deck building (D19), no Russian.

Rules version 2; version 1 knew no end of D10 for a player without health.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

RULES = 2  # the version of today

# D26  The document's numbers: option, its values, what the document says.
HOUSE: dict[str, tuple[range, int]] = {
    "health": (range(1, 501), 100),
    "hand": (range(0, 8), 3),
    "hand-limit": (range(1, 11), 7),
    "wear": (range(1, 51), 5),
    "wear-from": (range(2, 10), 5),
    "super-deck": (range(2, 10), 3),
    "deck-min": (range(9, 41), 15),
    "deck-max": (range(9, 41), 20),
    "copies": (range(1, 5), 2),
    "rare-copies": (range(1, 5), 1),
    "autos": (range(0, 11), 2),
    "supers": (range(0, 2), 1),
}
OTHER_OPTIONS = ("open-lists",)  # D18: what is seen, not what happens


def all_options(given: Mapping[str, Any]) -> dict[str, int]:
    """D26  Every number of a duel: the given ones, and what the document says of the others."""
    options = {name: default for name, (_, default) in HOUSE.items()}
    for name, value in given.items():
        if name not in OTHER_OPTIONS:
            assert name in HOUSE, f"D26: there is no option {name!r}"
            assert value in HOUSE[name][0], f"D26: {name} cannot be {value!r}"
            options[name] = value
    assert options["hand"] <= options["hand-limit"], "D26: hand is not more than hand-limit"
    assert options["hand"] < options["deck-min"], "D26: hand is less than deck-min"
    assert options["deck-min"] <= options["deck-max"], "D26: deck-min is not above deck-max"
    return options


# Reading cards (D20-D25)


class Effect(NamedTuple):
    """One effect: an action tuple, whose it is, when it is due, and under which condition."""

    action: tuple[Any, ...]
    opponent: bool  # D21: the owner's opponent is the one acting
    first: int  # D22: age of the first due turn
    last: int  # D22: age of the last due turn
    condition: tuple[Any, ...] | None  # D23


class Card(NamedTuple):
    auto: bool
    super: bool
    effects: tuple[Effect, ...]

    def last_age(self) -> int:
        """D11  The age at which the card's last effect is due."""
        return max(effect.last for effect in self.effects)


ZONES = {None: "hand", "hand": "hand", "deck": "deck", "discard": "discard", "in play": "play"}
NUMBER = r"(\d{1,3})"
COUNTED = r"(?: for each card in (hand|the opponent's hand|the discard))?"
CARDS = r"(?:a card|([1-9]\d?) cards?)"
TURNS = r"([1-9]\d?) turns?"


def read_card(text: str) -> Card:
    """D25  Traits first, then sentences."""
    sentences = [s.strip() for s in text.lower().split(".") if s.strip()]
    traits = []
    while sentences and sentences[0] in ("auto", "super"):
        traits.append(sentences.pop(0))
    effects = [effect for sentence in sentences for effect in read_sentence(sentence)]
    assert effects, f"no effect in {text!r}"
    return Card("auto" in traits, "super" in traits, tuple(effects))


def read_set(cards: list[dict[str, str]]) -> dict[str, Card]:
    """The `cards` of a record's set."""
    return {card["id"]: read_card(card["text"]) for card in cards}


def read_sentence(sentence: str) -> list[Effect]:
    """D25  `[when] [condition] [Opponent:] action[, action…]`."""
    *heads, body = [part.strip() for part in sentence.split(":")]
    first, last = 0, 0
    if heads and (when := read_when(heads[0])):
        first, last = when
        heads.pop(0)
    condition = None
    if heads and (condition := read_condition(heads[0])):
        heads.pop(0)
    opponent = heads == ["opponent"]
    assert opponent or not heads, f"cannot read {heads} in {sentence!r}"
    actions = [read_action(part.strip()) for part in body.split(",")]
    assert not (opponent and ("aside this",) in actions), "D16: cannot stand after Opponent"
    return [Effect(action, opponent, first, last, condition) for action in actions]


def read_when(text: str) -> tuple[int, int] | None:
    """D22  First and last due age."""
    if text == "next turn":
        return 1, 1
    if found := re.fullmatch(rf"in {TURNS}", text):
        return int(found[1]), int(found[1])
    if found := re.fullmatch(rf"for {TURNS}", text):
        return 0, int(found[1]) - 1
    if found := re.fullmatch(rf"for {TURNS} from the next", text):
        return 1, int(found[1])
    return None


def read_condition(text: str) -> tuple[Any, ...] | None:
    """D23"""
    if found := re.fullmatch(r"if health is at most (\d+)", text):
        return "health", int(found[1])
    fixed = {
        "if attacked": ("attacked",),
        "if not attacked": ("not attacked",),
        "if the opponent played no card": ("held",),
    }
    return fixed.get(text)


def read_action(text: str) -> tuple[Any, ...]:
    """D20, D24  ("attack", 3, None | counted zone), ("block all",), ("draw", 2), ("discard", 1, zone)…"""
    if text == "block all":
        return ("block all",)
    if text == "set aside this card":
        return ("aside this",)
    if found := re.fullmatch(rf"(attack|heal|block) {NUMBER}{COUNTED}", text):
        return found[1], int(found[2]), found[3]
    if found := re.fullmatch(rf"draw {CARDS}", text):
        return "draw", int(found[1] or 1)
    if found := re.fullmatch(rf"discard {CARDS}(?: from (hand|deck|in play))?", text):
        return "discard", int(found[1] or 1), ZONES[found[2]]
    if found := re.fullmatch(rf"set aside {CARDS}(?: from (hand|deck|discard|in play))?", text):
        return "aside", int(found[1] or 1), ZONES[found[2]]
    raise AssertionError(f"cannot read the action {text!r}")


# Chance


class Chance(Protocol):
    def shuffle(self, seat: int, ids: list[str]) -> list[str]: ...

    def pick(self, kind: str, seat: int, zone: str, ids: list[str]) -> str: ...


class RecordedChance:
    """Replays the `chance` list of a record, and refuses what could not have happened."""

    def __init__(self, entries: list[list[Any]]) -> None:
        self.entries = entries
        self.used = 0

    def shuffle(self, seat: int, ids: list[str]) -> list[str]:
        (order,) = self._next("shuffle", seat)
        assert sorted(order) == sorted(ids), f"{self._place()}: the cards to shuffle are {sorted(ids)}"
        return list(order)

    def pick(self, kind: str, seat: int, zone: str, ids: list[str]) -> str:
        (card,) = self._next(kind, seat, zone)
        assert card in ids, f"{self._place()}: the cards to pick from are {sorted(ids)}"
        return str(card)

    def finished(self) -> bool:
        return self.used == len(self.entries)

    def _next(self, *expected: Any) -> list[Any]:
        assert not self.finished(), f"chance is used up, but {list(expected)} is due"
        entry = self.entries[self.used]
        self.used += 1
        found = entry[: len(expected)]
        assert found == list(expected), f"{self._place()}: {list(expected)} is due"
        return entry[len(expected) :]

    def _place(self) -> str:
        return f"chance {self.used - 1} {self.entries[self.used - 1]}"


class RandomChance:
    """Decides by a random generator and keeps the `entries` of a record."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.entries: list[list[Any]] = []

    def shuffle(self, seat: int, ids: list[str]) -> list[str]:
        order = self.rng.sample(ids, len(ids))
        self.entries.append(["shuffle", seat, list(order)])
        return order

    def pick(self, kind: str, seat: int, zone: str, ids: list[str]) -> str:
        card = self.rng.choice(ids)
        self.entries.append([kind, seat, zone, card])
        return card


# The game


@dataclass(eq=False)
class InPlay:
    """One card in play; two copies are two objects."""

    id: str
    age: int = 0  # D22: 0 in the turn of the reveal
    goes_aside: bool = False  # D16: "Set aside this card" has worked


@dataclass
class Player:
    """D1  A player's health and zones."""

    deck: list[str]  # top first
    super: str | None
    health: int
    max: int
    hand: list[str] = field(default_factory=list)  # in the order the cards came (D5)
    discard: list[str] = field(default_factory=list)
    play: list[InPlay] = field(default_factory=list)  # in the order of entering
    aside: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)  # D18: what of this deck everybody has seen
    deck_number: int = 1
    choice: str | None = None

    def notice(self) -> None:
        """D18  Everybody looks at what lies open: of a kind, the most that ever lay there together."""
        lying = self.discard + [card.id for card in self.play] + self.aside
        for card in lying:
            if lying.count(card) > self.shown.count(card):
                self.shown.append(card)


class Work(NamedTuple):
    """An effect that is due this turn: whose card it stands on, and who acts (D21)."""

    owner: int
    actor: int
    card: InPlay
    effect: Effect


class SlowDuel:
    """One duel from two shuffled decks, top first, Super cards apart; `options` as in records (D26)."""

    def __init__(
        self,
        cards: dict[str, Card],
        decks: list[list[str]],
        supers: list[str | None],
        chance: Chance,
        options: Mapping[str, Any] | None = None,
        rules: int = RULES,
    ) -> None:
        assert rules in (1, 2), f"there is no rules version {rules}"
        self.cards = cards
        self.chance = chance
        self.options = all_options(options or {})
        self.rules = rules
        health = self.options["health"]  # D1
        self.players = [
            Player(list(deck), super_, health, health) for deck, super_ in zip(decks, supers, strict=True)
        ]
        self.turn = 0
        self.over = False
        self._set_up()
        self._begin_turn()

    # What there is to see

    def legal(self, seat: int) -> list[str]:
        """D6  A card from hand, or none; two copies stand once. Nothing for a seat that owes no choice."""
        player = self.players[seat]
        if self.over or player.choice is not None:
            return []
        return sorted({"hold"} | {f"play {card}" for card in player.hand})

    def situation(self, seat: int) -> dict[str, Any]:
        """The trace entry of records.md."""
        players = self.players
        return {
            "seat": seat,
            "turn": self.turn,
            "legal": self.legal(seat),
            "health": [p.health for p in players],
            "max": [p.max for p in players],
            "hands": [sorted(p.hand) for p in players],
            "deck": [len(p.deck) for p in players],
            "deck_number": [p.deck_number for p in players],
            "discard": [sorted(p.discard) for p in players],
            "play": [[[card.id, card.age] for card in p.play] for p in players],
            "aside": [sorted(p.aside) for p in players],
        }

    def all_cards(self, seat: int) -> list[str]:
        """Every card in every zone of a player; the same ones at any time."""
        p = self.players[seat]
        return p.hand + p.deck + p.discard + [card.id for card in p.play] + p.aside

    def result(self) -> dict[str, Any]:
        """D3  Health at 0 or below loses; both at once is a draw."""
        assert self.over, "the game is not over"
        alive = [seat for seat in (0, 1) if self.players[seat].health > 0]
        winner = alive[0] if alive else None
        return {"winner": winner, "reason": "health", "score": [p.health for p in self.players]}

    # A turn

    def choose(self, seat: int, move: str) -> None:
        """D6  Store the choice; when both have chosen, the turn is settled and the next begins."""
        assert not self.over, "the game is over"
        assert move in self.legal(seat), f"seat {seat}: {move!r} is not legal: {self.legal(seat)}"
        self.players[seat].choice = move
        if all(p.choice is not None for p in self.players):
            self._settle()

    def _set_up(self) -> None:
        """D2"""
        for seat, p in enumerate(self.players):
            if p.super is not None:
                p.aside.append(p.super)
                p.notice()
            for _ in range(self.options["hand"]):
                self._draw(seat)

    def _begin_turn(self) -> None:
        self.turn += 1
        if self.turn > 1:  # D4
            self._draw(0)
            self._draw(1)
        self._check_health()
        if not self.over:
            self._enter_autos()

    def _enter_autos(self) -> None:
        """D5  In the order in which they came to the hand."""
        for p in self.players:
            for card in [c for c in p.hand if self.cards[c].auto]:
                p.hand.remove(card)
                p.play.append(InPlay(card))
                p.notice()

    def _settle(self) -> None:
        held = [p.choice == "hold" for p in self.players]
        self._reveal()  # D7
        works = self._works(held)  # D8
        self._change_health(works)  # D9
        self._check_health()
        if not self.over:
            self._move_cards(works)  # D10
            self._check_health()
        if not self.over:
            self._end_turn(works)  # D11
            self._begin_turn()

    def _reveal(self) -> None:
        """D7"""
        for p in self.players:
            assert p.choice is not None
            if p.choice != "hold":
                card = p.choice.removeprefix("play ")
                p.hand.remove(card)
                p.play.append(InPlay(card))
                p.notice()
            p.choice = None

    def _check_health(self) -> None:
        """D3  Both players together."""
        if any(p.health <= 0 for p in self.players):
            self.over = True

    # Which effects work (D8)

    def _works(self, held: list[bool]) -> list[Work]:
        """D8, D23  Settled once, from the state just after the reveal."""
        due = self._due()
        certain = [w for w in due if not about_attacks(w) and self._holds(w, held)]
        attacked = [any(strikes(w, seat) for w in certain) for seat in (0, 1)]
        return [w for w in due if w in certain or (about_attacks(w) and attack_condition(w, attacked))]

    def _due(self) -> list[Work]:
        """D22  Own order of entering play, printed order on a card."""
        return [
            Work(owner, 1 - owner if effect.opponent else owner, card, effect)
            for owner in (0, 1)
            for card in self.players[owner].play
            for effect in self.cards[card.id].effects
            if effect.first <= card.age <= effect.last
        ]

    def _holds(self, work: Work, held: list[bool]) -> bool:
        """D23  The conditions about the owner that do not ask about attacks."""
        condition = work.effect.condition
        if condition is None:
            return True
        if condition[0] == "health":
            return self.players[work.owner].health <= int(condition[1])
        return held[1 - work.owner]

    # Health (D9)

    def _change_health(self, works: list[Work]) -> None:
        """D9  Damage after Block, then Heal, in one step."""
        for seat, p in enumerate(self.players):
            attack = self._sum(works, "attack", 1 - seat)
            block = self._sum(works, "block", seat)
            damage = max(0, attack - block)
            if any(w.actor == seat and w.effect.action == ("block all",) for w in works):
                damage = 0
            p.health = min(p.max, p.health - damage + self._sum(works, "heal", seat))

    def _sum(self, works: list[Work], kind: str, actor: int) -> int:
        return sum(self._amount(w) for w in works if w.actor == actor and w.effect.action[0] == kind)

    def _amount(self, work: Work) -> int:
        """D24  Counted from the one acting."""
        _, number, counted = work.effect.action
        me, other = self.players[work.actor], self.players[1 - work.actor]
        zones = {"hand": me.hand, "the opponent's hand": other.hand, "the discard": me.discard}
        return int(number) * (1 if counted is None else len(zones[counted]))

    # Cards (D10, D12-D17)

    def _move_cards(self, works: list[Work]) -> None:
        """D10  For each player: effects of their own cards, then what the opponent's put on them."""
        for seat in (0, 1):
            for owner in (seat, 1 - seat):
                for work in works:
                    if work.owner == owner and work.actor == seat:
                        self._move(work)

    def _move(self, work: Work) -> None:
        """D10, D15  N cards are N draws or N picks, one after the other."""
        kind, *rest = work.effect.action
        if kind not in ("draw", "discard", "aside"):
            return
        for _ in range(rest[0]):
            if self.rules >= 2 and self.players[work.actor].health <= 0:
                return  # D10: the rest is passed over for a player without health
            if kind == "draw":
                self._draw(work.actor)
            else:
                self._remove(kind, work.actor, rest[1], work.card)

    def _draw(self, seat: int) -> None:
        """D12, D13, D14"""
        p = self.players[seat]
        if not p.deck:
            self._new_deck(seat)
        card = p.deck.pop(0) if p.deck else None
        if p.deck_number >= self.options["wear-from"]:  # D14: also when nothing was found
            p.max -= self.options["wear"]
            p.health = min(p.health, p.max)
        if card is not None:
            (p.hand if len(p.hand) < self.options["hand-limit"] else p.discard).append(card)
            p.notice()

    def _new_deck(self, seat: int) -> None:
        """D13, D17  The Super is shuffled into the third deck, or the one that the option names."""
        p = self.players[seat]
        p.deck_number += 1
        cards, p.discard = p.discard, []
        if p.deck_number == self.options["super-deck"] and p.super is not None:
            p.aside.remove(p.super)
            cards = [*cards, p.super]
        p.deck = self.chance.shuffle(seat, cards) if cards else []

    def _remove(self, kind: str, seat: int, zone: str, source: InPlay) -> None:
        """D15, D16  One card of the zone goes to the discard or aside; an empty zone gives nothing."""
        p = self.players[seat]
        goes_to = p.discard if kind == "discard" else p.aside
        if zone == "deck":
            if p.deck:
                goes_to.append(p.deck.pop(0))
        elif zone == "play":
            self._remove_from_play(kind, seat, source, goes_to)
        else:
            cards = p.hand if zone == "hand" else p.discard
            if cards:
                card = self.chance.pick(kind, seat, zone, list(cards))
                cards.remove(card)
                goes_to.append(card)
        p.notice()

    def _remove_from_play(self, kind: str, seat: int, source: InPlay, goes_to: list[str]) -> None:
        """D15  Any card in play but the one whose effect this is; of several copies the first to enter."""
        p = self.players[seat]
        others = [card for card in p.play if card is not source]
        if others:
            picked = self.chance.pick(kind, seat, "play", [card.id for card in others])
            leaves = next(card for card in others if card.id == picked)
            p.play.remove(leaves)
            goes_to.append(picked)

    def _end_turn(self, works: list[Work]) -> None:
        """D11, D16"""
        for work in works:
            if work.effect.action == ("aside this",):
                work.card.goes_aside = True
        for p in self.players:
            for card in [c for c in p.play if c.age == self.cards[c.id].last_age()]:
                p.play.remove(card)
                (p.aside if card.goes_aside else p.discard).append(card.id)
            for card in p.play:
                card.age += 1


def about_attacks(work: Work) -> bool:
    """D23  Effects under these conditions are left out of the count of attacks."""
    return work.effect.condition in (("attacked",), ("not attacked",))


def attack_condition(work: Work, attacked: list[bool]) -> bool:
    """D23  Always about the card's owner."""
    return attacked[work.owner] == (work.effect.condition == ("attacked",))


def strikes(work: Work, seat: int) -> bool:
    """D21, D23  An attack by the other one, whatever its amount."""
    return work.effect.action[0] == "attack" and work.actor == 1 - seat


def follow(record: dict[str, Any]) -> SlowDuel:
    """Play a whole record, with its trace if it has one; AssertionError says where it differs.

    By the rules version it names; a record without one is of version 1 (records.md).
    """
    chance = RecordedChance(record["chance"])
    name = f"duel {record['set']['name']}"
    cards, rules = read_set(record["set"]["cards"]), record.get("rules", 1)
    game = SlowDuel(cards, record["decks"], record["super"], chance, record["options"], rules)
    moves, trace = record["moves"], record.get("trace")
    assert len(moves) % 2 == 0, f"{name}: the choices do not come in pairs"
    assert trace is None or len(trace) == len(moves), f"{name}: trace and moves differ in length"
    for number in range(0, len(moves), 2):
        assert not game.over, f"{name}, move {number}: the game is already over, {game.result()}"
        for seat in (0, 1):  # both entries of a turn show the same situation
            if trace:
                where = f"{name}, move {number + seat} {moves[number + seat]}"
                assert_same(where, game.situation(seat), trace[number + seat])
        choose_both(f"{name}, move {number}", game, moves[number : number + 2])
    assert game.over, f"{name}: not over after {len(moves)} moves"
    assert_same(f"{name}, result", game.result(), record["result"])
    assert chance.finished(), f"{name}: chance entries left over: {chance.entries[chance.used :]}"
    return game


def choose_both(where: str, game: SlowDuel, pair: list[list[Any]]) -> None:
    """The two choices of a turn stand in seat order."""
    assert [seat for seat, _ in pair] == [0, 1], f"{where}: {pair} is not in seat order"
    try:
        for seat, move in pair:
            game.choose(seat, move)
    except AssertionError as wrong:
        raise AssertionError(f"{where} {pair}: {wrong}") from wrong


def assert_same(where: str, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Name every key in which a situation or result differs from the record's."""
    wrong = [
        f"{key} is {ours.get(key)!r}, the record has {theirs.get(key)!r}"
        for key in sorted(ours.keys() | theirs.keys())
        if key not in ours or key not in theirs or ours[key] != theirs[key]
    ]
    assert not wrong, f"{where}: " + "; ".join(wrong)
