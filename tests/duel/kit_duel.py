"""Short words for the tests of the duel: made-up cards, random sets, random play. No rules here."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from coyote.games.duel.decks import USUAL, Deck, faults
from coyote.games.duel.game import Duel
from coyote.games.duel.language import ALL, POINTS, ZONES, Action, Condition, Effect, Per, Program, read
from coyote.games.duel.records import read_chance, write_chance
from coyote.games.duel.sets import Card, CardSet, Rarity
from coyote.games.events import Event
from coyote.games.game import Chance, Json, Setup
from coyote.kernel.events import new_log, take_rows
from coyote.match import Match
from coyote.seeds import seed_from, seed_words

FILLER = "Heal 0."  # does nothing, and is no attack
FILLERS = [f"sand{number}" for number in range(1, 11)]  # two copies of each: a whole deck
LEAST = 15  # D19
PLACES = ("hands", "deck", "discard", "play", "aside")


# ---------------------------------------------------------------- made-up sets


def made_set(cards: Mapping[str, str], rare: Sequence[str] = ()) -> CardSet:
    """A set of these texts, and of filler cards that do nothing. The set is called `made`."""
    texts = {**cards, **dict.fromkeys(FILLERS, FILLER)}
    return CardSet(
        "made",
        tuple(
            Card(card_id, card_id, card_id, "rare" if card_id in rare else "common", read(text))
            for card_id, text in texts.items()
        ),
    )


def fillers(n: int, used: Sequence[str] = ()) -> list[str]:
    """So many filler cards that, with those used already, no card is there three times."""
    taken = Counter(used)
    free = [card_id for card_id in FILLERS for _ in range(2 - taken[card_id])]
    return free[:n]


# ---------------------------------------------------------------- a table at a position


@dataclass
class Table:
    """A duel at some point. `chance` is what chance will decide; without it, it decides by itself."""

    game: Duel
    s: Any
    chance: Chance = field(default_factory=Chance)

    def __post_init__(self) -> None:
        self.log = new_log(self.game.EVENTS)
        self.rows: list[list[int]] = []

    def turn(self, first: str = "hold", second: str = "hold") -> "Table":
        """Both choose, and the turn is settled. A card's id means to play it."""
        for seat, move in enumerate((first, second)):
            self.choose(seat, move)
        return self

    def turns(self, n: int) -> "Table":
        """Both hold for so many turns."""
        for _ in range(n):
            self.turn()
        return self

    def choose(self, seat: int, move: str) -> None:
        action = self.game.read_move(move if move == "hold" else f"play {move}")
        assert action in self.game.legal(self.s, seat), (move, self.game.legal(self.s, seat))
        assert action is not None
        self.game.act(self.s, seat, action, self.log, self.chance)
        self.rows += take_rows(self.log)

    @property
    def now(self) -> Json:
        """The whole situation."""
        return self.game.situation(self.s, 0, [])

    @property
    def health(self) -> list[int]:
        return list(self.now["health"])

    @property
    def max_health(self) -> list[int]:
        return list(self.now["max"])

    @property
    def over(self) -> bool:
        return bool(self.s.over)

    @property
    def result(self) -> Any:
        """The winner and the score; None while the duel goes on."""
        ended = self.game.result(self.s)
        return None if ended is None else (ended.winner, ended.score)

    def hand(self, seat: int = 0) -> list[str]:
        """In the order in which the cards came."""
        return [self.game.ids[kind] for kind in self.s.hand[seat][: self.s.in_hand[seat]]]

    def deck(self, seat: int = 0) -> list[str]:
        """Top first."""
        return [self.game.ids[kind] for kind in self.s.deck[seat][: self.s.in_deck[seat]][::-1]]

    def discard(self, seat: int = 0) -> list[str]:
        return list(self.now["discard"][seat])

    def play(self, seat: int = 0) -> list[list[Any]]:
        """Cards in play with their ages."""
        return list(self.now["play"][seat])

    def aside(self, seat: int = 0) -> list[str]:
        """Cards out of the game, without those that only make the deck legal."""
        return [card for card in self.now["aside"][seat] if card not in FILLERS]

    def number(self, seat: int = 0) -> int:
        return int(self.now["deck_number"][seat])

    def events(self, viewer: int | None = None) -> list[Event]:
        return [self.game.event(row, viewer) for row in self.rows]

    def happened(self, kind: str, seat: int | None = None) -> list[Mapping[str, Any]]:
        """What the events of one kind tell; with a seat, those of that seat."""
        return [event.values for event in self.events() if event.kind == kind and seat in (None, event.seat)]

    def decided(self) -> list[list[Any]]:
        """What chance has decided so far, as records have it."""
        return write_chance(self.rows, self.game.ids)


def at(
    cards: Mapping[str, str],
    position: str = "",
    chance: Sequence[Sequence[Any]] | None = None,
    rules: int = Duel.RULES[-1],
) -> Table:
    """A table with these cards. Not said otherwise it is turn 3, and decks hold six cards that do nothing.

    What is missing to a legal deck (D19) is set aside, where it does nothing either.
    """
    given = dict(part.split("=", 1) for part in position.split())
    given.setdefault("turn", "3")
    if "deck" not in given:
        given["deck"] = "/".join(",".join(fillers(6, used)) for used in named(given))
    asides = given.pop("aside", "-/-").split("/")
    least = deck_min(given.get("rules", ""))
    for seat, used in enumerate(named({**given, "aside": "/".join(asides)})):
        more = fillers(max(0, least - len(used)), used)
        asides[seat] = ",".join([*([] if asides[seat] == "-" else [asides[seat]]), *more]) or "-"
    text = " ".join(f"{key}={value}" for key, value in {**given, "aside": "/".join(asides)}.items())
    found, _, s = Duel.at_position(f"duel made {text}", made_set(cards))
    assert isinstance(found, Duel)
    game = Duel(card_set=found.card_set, rules=rules, **found.options)
    known = () if chance is None else (read_chance({"chance": list(chance)}, game.kinds),)
    return Table(game, s, Chance(*known))


def deck_min(rules: str) -> int:
    """How many cards a deck has at least by the house rules of a position."""
    return next((int(part[9:]) for part in rules.split(",") if part.startswith("deck-min:")), LEAST)


def named(given: Mapping[str, str]) -> list[list[str]]:
    """The ids of each seat that a position names."""
    found: list[list[str]] = [[], []]
    for place in PLACES:
        for seat, part in enumerate(given.get(place, "-/-").split("/")):
            found[seat] += [] if part == "-" else [card.split("@")[0] for card in part.split(",")]
    return found


def settled(
    cards: Mapping[str, str], first: str, second: str, position: str = "", rules: int = Duel.RULES[-1]
) -> Table:
    """One turn from hands that hold only what is picked."""
    hands = "/".join("-" if pick == "hold" else pick for pick in (first, second))
    return at(cards, f"hands={hands} {position}", rules=rules).turn(first, second)


# ---------------------------------------------------------------- a deal that is given


def dealt(
    cards: Mapping[str, str],
    mine: Sequence[str],
    theirs: Sequence[str] = (),
    *,
    supers: Sequence[str | None] = (None, None),
    chance: Sequence[Sequence[Any]] = (),
    rules: int | None = Duel.RULES[-1],
    **options: Any,
) -> Match:
    """A new duel from decks in a given order, top first, filled up with cards that do nothing."""
    decks = [[*deck, *fillers(LEAST - len(deck) - (super_ is not None), deck)]
             for deck, super_ in zip((mine, theirs), supers, strict=True)]  # fmt: skip
    made = made_set(cards)
    return Match.from_record(
        {
            "format": "coyote-record/1",
            "game": "duel",
            **({} if rules is None else {"rules": rules}),
            "options": options,
            "players": ["?", "?"],
            "set": {
                "name": made.name,
                "cards": [
                    {"id": card.id, "rarity": card.rarity, "text": card.text("en")} for card in made.cards
                ],
            },
            "decks": decks,
            "super": list(supers),
            "chance": list(chance),
        }
    )


def both(match: Match, first: str = "hold", second: str = "hold") -> Match:
    """Both choose; a card's id means to play it."""
    for seat, move in enumerate((first, second)):
        match.play(move if move == "hold" else f"play {move}", seat)
    return match


# ---------------------------------------------------------------- random sets


@dataclass(frozen=True)
class Flavour:
    """What kind of cards a random set has: how large amounts are, and how often which action comes."""

    points: tuple[int, int]
    cards: tuple[int, int]
    attack: int  # weight, beside 3 for each other action


FLAVOURS = {
    "mild": Flavour((0, 5), (1, 2), 2),  # games that go on to the fifth deck and beyond
    "even": Flavour((0, 12), (1, 3), 5),
    "sharp": Flavour((0, 30), (1, 4), 8),
    "wild": Flavour((0, 999), (1, 99), 3),  # everything the language can say
}


def random_amount(rng: Random, action: Action, flavour: Flavour) -> int:
    if action is Action.SET_ASIDE_THIS:
        return 0
    if action is Action.BLOCK and rng.random() < 0.15:
        return ALL
    return rng.randint(*(flavour.points if action in POINTS else flavour.cards))


def random_time(rng: Random) -> tuple[int, int]:
    """First due turn and how many: now, next turn, in K turns, for K turns, for K turns from the next."""
    k = rng.choice((2, 2, 3, 3, 4, 5, 8, 99))
    return rng.choice(((0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (1, 1), (k, 1), (0, k), (1, k)))


def random_effect(rng: Random, flavour: Flavour) -> Effect:
    weights = [flavour.attack if action is Action.ATTACK else 3 for action in Action]
    (action,) = rng.choices(list(Action), weights)
    amount = random_amount(rng, action, flavour)
    countable = action in POINTS and amount != ALL
    first, turns = random_time(rng)
    condition = rng.choice((None, None, None, *Condition))
    return Effect(
        action,
        amount,
        per=rng.choice((None, None, None, None, *Per)) if countable else None,
        zone=rng.choice(ZONES[action]) if action in ZONES else None,
        opponent=action is not Action.SET_ASIDE_THIS and rng.random() < 0.25,
        first=first,
        turns=turns,
        condition=condition,
        threshold=rng.randint(0, 110) if condition is Condition.HEALTH else 0,
    )


def random_program(rng: Random, flavour: Flavour, plain: bool = False) -> Program:
    trait = 1.0 if plain else rng.random()
    effects = tuple(random_effect(rng, flavour) for _ in range(rng.choice((1, 1, 2, 2, 3, 4))))
    return Program(trait < 0.25, trait < 0.03 or 0.25 <= trait < 0.4, effects)


PLAIN = 13  # cards of a random set that are neither Auto nor Super, at least: a deck is always to be had


def random_set(rng: Random, flavour: str | None = None) -> CardSet:
    """Any set: every action, amount, time and condition may come, on any kind of card."""
    taste = FLAVOURS[flavour or rng.choice(list(FLAVOURS))]
    cards = []
    for number in range(rng.randint(PLAIN + 5, 32)):
        plain = number < PLAIN
        rarity: Rarity = "common" if plain or rng.random() < 0.7 else "rare"
        cards.append(
            Card(f"c{number}", f"к{number}", f"c{number}", rarity, random_program(rng, taste, plain))
        )
    rng.shuffle(cards)
    return CardSet("random-set", tuple(cards))


def random_list(card_set: CardSet, rng: Random) -> Deck:
    """A legal deck (D19), and often with as much Auto and Super as there may be."""
    cards = list(card_set.cards)
    rng.shuffle(cards)
    if rng.random() < 0.7:
        cards.sort(key=lambda card: not (card.program.auto or card.program.super))
    size = rng.randint(LEAST, 20)
    chosen: Counter[str] = Counter()
    for card in cards:
        for _ in range(rng.randint(1, USUAL.copies_of(card))):
            more = Deck(card_set.name, tuple((chosen + Counter([card.id])).items()))
            if more.size <= size and all(fault.code == "deck.small" for fault in faults(more, card_set)):
                chosen[card.id] += 1
    for card in cards:  # what random copies left open
        while chosen.total() < LEAST and not (card.program.auto or card.program.super):
            if chosen[card.id] == USUAL.copies_of(card):
                break
            chosen[card.id] += 1
    deck = Deck(card_set.name, tuple(chosen.items()))
    assert not faults(deck, card_set)
    return deck


def random_duel(rng: Random, flavour: str | None = None, **options: Any) -> tuple[Duel, Setup]:
    """Any set, and two decks of it."""
    game = Duel(card_set=random_set(rng, flavour), **options)
    return game, game.settle([random_list(game.card_set, rng) for _ in range(2)])


# ---------------------------------------------------------------- random play


@dataclass
class Step:
    """One choice of a duel: the state before it, the state and the rows after it."""

    before: Any
    seat: int
    legal: list[int]
    action: int
    after: Any
    rows: list[list[int]]


def words(text: str) -> Any:
    """Two words of chance from any text."""
    return seed_words(seed_from(text))


def copy_state(s: Any) -> Any:
    """The same state, every byte of it, to be changed separately."""
    twin = np.zeros(1, s.dtype)
    twin[0] = s
    return twin[0]


def pick(rng: Random, legal: Sequence[int], eager: float) -> int:
    """A player who would rather play a card than hold."""
    return rng.choice(legal[1:]) if len(legal) > 1 and rng.random() < eager else rng.choice(legal)


def steps(game: Duel, s: Any, rng: Random) -> Iterator[Step]:
    """Play on from a state to the end, either seat first; the choices follow from the generator."""
    log, chance = new_log(game.EVENTS), Chance()
    eager = [rng.choice((0.0, 0.5, 1.0)) for _ in range(2)]
    while mask := game.actors(s):
        seat = rng.choice([seat for seat in range(2) if mask >> seat & 1])
        legal = game.legal(s, seat)
        action = pick(rng, legal, eager[seat])
        before = copy_state(s)
        game.act(s, seat, action, log, chance)
        yield Step(before, seat, legal, action, copy_state(s), take_rows(log))
