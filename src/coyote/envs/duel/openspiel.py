"""The duel for OpenSpiel: chance card by card.

What lies where when chance is asked is followed in what the rules note: every card that moves is told there.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb, prod
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from coyote.envs.openspiel_chance import Choices, Dealer, Open, Part, Rows, Settled, table_from
from coyote.games.duel import cards as c
from coyote.games.duel import events as ev
from coyote.games.duel import many, rules
from coyote.games.duel.decks import deck_of
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.game import Duel, decks_of
from coyote.games.duel.sets import read_set
from coyote.games.duel.setup import Decks
from coyote.games.duel.state import STATE
from coyote.games.game import Chance, Game, Json, OptionError, Record, Setup
from coyote.kernel.events import take_rows
from coyote.kernel.luck import SHUFFLE, START, heading
from coyote.kernel.record import new
from coyote.match import LOGS, noted

NO_KEY = np.zeros(2, np.uint64)
Kinds = Counter[int]
REMEMBERED = 10_000  # questions, so that an answer goes on where its question was asked
ZONES = {
    c.FROM_DECK: ("deck", "in_deck"),
    c.FROM_HAND: ("hand", "in_hand"),
    c.FROM_DISCARD: ("discard", "in_discard"),
    c.FROM_PLAY: ("play", "in_play"),
}


class DuelPart(Part):
    PARAMETERS: ClassVar[Json] = {"cards": "", "deck_0": "", "deck_1": "", "card_set": ""}
    STORY = ("draw", "no_draw", "burn", "auto", "reveal", "hold", "discard", "aside")
    game: Duel

    def __init__(self, options: Json, given: Json) -> None:
        card_set = read_set(Path(given["card_set"])) if given["card_set"] else None
        self.game = Duel(card_set=card_set, **options)
        cards = given["cards"].split()
        wanted = [given["deck_0"] or None, given["deck_1"] or None]
        self.setup = with_cards(self.game, cards) if cards else self.game.settle(wanted)
        decks = decks_of(self.setup)
        self.most_choices = 2 * most_turns(self.game, decks)
        self.most_steps = self.most_choices + 2 * most_moved(self.game, decks)

    def dealer(self) -> Dealer:
        return DuelDealer(self.game, self.setup)


class DuelDealer:
    """Each card that is drawn, and each that is picked at random, is one question: of which kind it is."""

    def __init__(self, game: Duel, setup: Setup) -> None:
        self.game, self.setup = game, decks_of(setup)
        if not setup.is_drawn:
            raise OptionError("envs.spiel.random_deck", "D2")
        for deck in self.setup.decks:
            refuse_unclear(game, deck.ids() if deck else [])
        self.lists = self.setup.lists(NO_KEY)
        self.undealt = self._undealt()
        self._reach = lru_cache(REMEMBERED)(self._go_on)
        autos = {kind for kind in self.lists.flat if kind >= 0 and game.table[kind, c.AUTO]}
        self.is_sorted = len(autos) < 2  # D5: of two Autos in a hand, the one that came first works first
        self.most_outcomes = len(game.ids)
        self.most_questions = 2 * most_moved(game, self.setup)

    def deal(self, decided: Sequence[int]) -> Settled | Open:
        return self._decide(self.undealt, None, decided)

    def act(self, table: bytes, choices: Choices, decided: Sequence[int]) -> Settled | Open:
        return self._decide(table, choices, decided)

    def outcome_text(self, outcome: int) -> str:
        return self.game.ids[outcome]

    def _undealt(self) -> bytes:
        s = new(STATE)
        many.bring_lists(s, self.lists, 0)
        rules.shuffle_decks(s, self.game.table, self.game.row, NO_KEY)
        return bytes(s.tobytes())

    def _decide(self, table: bytes, choices: Choices | None, decided: Sequence[int]) -> Settled | Open:
        found = self._reach(table, choices, tuple(decided))
        return found if isinstance(found, Settled) else Open(found.outcomes)

    def _go_on(self, table: bytes, choices: Choices | None, decided: tuple[int, ...]) -> "Settled | Pause":
        """Try with what is known, see what is asked next, answer it, and try again."""
        known = Known()
        if decided:
            pause = self._reach(table, choices, decided[:-1])
            assert isinstance(pause, Pause), "chance decided more than the rules asked for"
            known = self._answered(table, pause, decided[-1])
        while True:
            s, rows = self._try(table, choices, known)
            known, asked = self._follow(table, rows, known.answers)
            if asked is None:
                return Settled(tidied(s), rows)
            outcomes = self._dealt(known) if choices is None and self.is_sorted else asked.outcomes()
            if len(outcomes) > 1:
                return Pause(rows, known.answers, outcomes)
            known.answer(asked, outcomes[0][0])

    def _answered(self, table: bytes, pause: "Pause", kind: int) -> "Known":
        known, asked = self._follow(table, pause.rows, pause.answers)
        assert asked is not None
        known.answer(asked, kind)
        return known

    def _follow(self, table: bytes, rows: Rows, answers: int) -> "tuple[Known, Asked | None]":
        return follow(table_from(self.game, table), rows, answers)

    def _dealt(self, known: "Known") -> list[tuple[int, float]]:
        """The next card of a hand at the deal."""
        s, hand = table_from(self.game, self.undealt), int(self.game.row.hand)
        seat = 0 if len(known.tops[0]) < hand else 1
        return next_in_order(Zones(s)[c.FROM_DECK, seat], known.tops[seat], hand)

    def _try(self, table: bytes, choices: Choices | None, known: "Known") -> tuple[Record, Rows]:
        s, luck = table_from(self.game, table), known.luck()
        for seat in range(2):
            put_on_top(s, seat, known.tops[seat])
        if choices is None:
            log = LOGS.of(self.game.EVENTS)
            rules.begin(s, self.game.table, self.game.row, luck, log)
            return s, take_rows(log)
        rows: Rows = []
        for seat, action in choices:
            rows += noted(self.game, s, seat, action, Chance(luck))
        return s, rows


# ---------------------------------------------------------------- what chance is known to do


@dataclass
class Shuffled:
    """A new deck: the cards drawn from it, the first one first, and all that were in it."""

    seat: int
    drawn: list[int] = field(default_factory=list)
    cards: Kinds = field(default_factory=Counter)

    def numbers(self) -> list[int]:
        order = [*self.drawn, *sorted((self.cards - Counter(self.drawn)).elements())]
        return [int(heading(self.seat, SHUFFLE, 0)), len(order), *order]


@dataclass
class Picked:
    heading: int
    kind: int = -1

    def numbers(self) -> list[int]:
        return [self.heading, self.kind]


@dataclass
class Asked:
    """What chance must decide next: a card from a pile, or one picked."""

    kinds: Kinds
    pile: list[int] | None = None
    pick: Picked | None = None

    def outcomes(self) -> list[tuple[int, float]]:
        n = self.kinds.total()
        return [(kind, self.kinds[kind] / n) for kind in sorted(self.kinds)]


@dataclass(frozen=True)
class Pause:
    """Where a question is open: what happened with so many answers, and how it may be answered."""

    rows: Rows
    answers: int
    outcomes: list[tuple[int, float]]


@dataclass
class Known:
    """What is decided within one turn, in the order in which the rules ask."""

    tops: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))  # of the decks as they lay
    entries: list[Shuffled | Picked] = field(default_factory=list)
    answers: int = 0

    def answer(self, asked: Asked, kind: int) -> None:
        self.answers += 1
        if asked.pile is not None:
            asked.pile.append(kind)
        elif asked.pick is not None:
            asked.pick.kind = kind
            self.entries.append(asked.pick)

    def shuffled(self) -> Shuffled:
        """The deck that was made last."""
        return next(entry for entry in reversed(self.entries) if isinstance(entry, Shuffled))

    def luck(self) -> npt.NDArray[np.int16]:
        """As the kernel takes it; never empty, so that it asks."""
        numbers = [number for entry in self.entries for number in entry.numbers()]
        return np.array([START, 0, *numbers], np.int16)


def next_in_order(deck: Kinds, begun: Sequence[int], size: int) -> list[tuple[int, float]]:
    """The next card of a hand that is dealt from its lowest kind up: so each hand is dealt in one way only.

    >>> next_in_order(Counter({3: 1, 5: 2}), [], 2)
    [(3, 0.6666666666666666), (5, 0.3333333333333333)]
    """
    ways = {
        kind: hands_from(deck, [*begun, kind], size)
        for kind in sorted(deck)
        if kind >= max(begun, default=-1)
    }
    return [(kind, n / hands_from(deck, begun, size)) for kind, n in ways.items() if n]


def hands_from(deck: Kinds, begun: Sequence[int], size: int) -> int:
    """In how many ways a hand of this size, in order, begins so."""
    have = Counter(begun)
    highest = max(begun, default=-1)
    ways = prod(comb(deck[kind], n) for kind, n in have.items() if kind < highest)
    above = sum(n for kind, n in deck.items() if kind > highest)
    more = size - len(begun)
    same = range(have[highest], have[highest] + more + 1)
    return ways * sum(comb(deck[highest], n) * comb(above, more + have[highest] - n) for n in same)


class Zones(dict[tuple[int, int], Kinds]):
    """By zone and seat how many cards of each kind are there, from a table on, as cards move."""

    def __init__(self, s: Record) -> None:
        super().__init__()
        self.s = s

    def __missing__(self, key: tuple[int, int]) -> Kinds:
        """As the table has it: until now no card has moved there."""
        zone, seat = key
        name, size = ZONES[zone]
        self[key] = Counter(self.s[name][seat][: self.s[size][seat]].tolist())
        return self[key]

    def move(self, seat: int, kind: int, start: int, end: int) -> None:
        if self[start, seat][kind] > 1:
            self[start, seat][kind] -= 1
        else:
            del self[start, seat][kind]
        if end != ELSEWHERE:
            self[end, seat][kind] += 1


ELSEWHERE = -1  # a zone that is not followed, or one that the row names in its slot b
MOVES = {  # from where to where a card goes, by what is noted then
    int(ev.DRAW): (c.FROM_DECK, c.FROM_HAND),
    int(ev.BURN): (c.FROM_DECK, c.FROM_DISCARD),
    int(ev.AUTO): (c.FROM_HAND, c.FROM_PLAY),
    int(ev.REVEAL): (c.FROM_HAND, c.FROM_PLAY),
    int(ev.DISCARD): (ELSEWHERE, c.FROM_DISCARD),
    int(ev.ASIDE): (ELSEWHERE, ELSEWHERE),
    int(ev.LEAVE): (c.FROM_PLAY, c.FROM_DISCARD),
}
PICKS = {int(ev.DISCARD): c.DISCARD, int(ev.ASIDE): c.ASIDE}


class Course:
    """What happened, row by row: where the cards are by now, and what chance is known to have done."""

    def __init__(self, s: Record) -> None:
        self.zones, self.known = Zones(s), Known()
        self.piles = list(self.known.tops)  # by seat, the cards drawn from its deck
        self.source = (-1, -1)  # whose card moves cards, and which

    def asked(self, what: int, seat: int, a: int, b: int) -> Asked | None:
        """What chance was asked for this to happen; None where it follows from the rules."""
        if what not in MOVES:
            return None
        start = b if what in PICKS else MOVES[what][0]
        if start == c.FROM_DECK:
            return Asked(self.zones[start, seat].copy(), pile=self.piles[seat])
        if what not in PICKS:
            return None
        pick = Picked(int(heading(seat, PICKS[what], start)))
        return Asked(
            self._others(seat) if start == c.FROM_PLAY else self.zones[start, seat].copy(), pick=pick
        )

    def _others(self, seat: int) -> Kinds:
        """D15  Any card in play but the one whose effect this is."""
        owner, kind = self.source
        return self.zones[c.FROM_PLAY, seat] - Counter([kind] if owner == seat else [])

    def take(self, what: int, seat: int, a: int, b: int) -> None:
        """Let it happen."""
        if what == ev.WORK:
            self.source = (seat, a)
        elif what == ev.NEW_DECK:
            self._new_deck(seat, a)
        elif what == ev.ORDER:
            self.zones[c.FROM_DECK, seat][a] += 1
            self.known.shuffled().cards[a] += 1
        elif what in MOVES:
            start, end = MOVES[what]
            goes_aside = what == ev.LEAVE and b
            self.zones.move(seat, a, b if what in PICKS else start, ELSEWHERE if goes_aside else end)

    def _new_deck(self, seat: int, n: int) -> None:
        self.zones[c.FROM_DECK, seat], self.zones[c.FROM_DISCARD, seat] = Counter(), Counter()
        if n > 0:
            self.known.entries.append(Shuffled(seat))
            self.piles[seat] = self.known.shuffled().drawn


def follow(s: Record, rows: Rows, answers: int) -> tuple[Known, Asked | None]:
    """Go from a table through what happened, up to the first thing that chance did without an answer."""
    course = Course(s)
    for row in rows:
        what, seat, a, b = row
        asked = course.asked(what, seat, a, b)
        if asked and course.known.answers == answers:
            return course.known, asked
        if asked:
            course.known.answer(asked, a)
        course.take(what, seat, a, b)
    return course.known, None


# ---------------------------------------------------------------- the table


def put_on_top(s: Record, seat: int, cards: Sequence[int]) -> None:
    """These cards on top of a deck, the first one first; the rest of it in order."""
    n = int(s.in_deck[seat])
    rest = Counter(s.deck[seat, :n].tolist()) - Counter(cards)
    s.deck[seat, :n] = [*sorted(rest.elements()), *reversed(cards)]


def tidied(s: Record) -> Record:
    """Nobody knows the order of the decks, and it is not decided yet."""
    for seat in range(2):
        put_on_top(s, seat, ())
    s.key[:] = 0
    s.counter = 0
    return s


def refuse_unclear(game: Duel, ids: Sequence[str]) -> None:
    """Of two copies in play nobody is told which one picks, and so not which one it may not pick (D15)."""
    for card_id, n in Counter(ids).items():
        effects = game.card_set.by_id[card_id].program.effects
        picks = [row for row in map(c.effect_row, effects) if row[c.ACTION] in PICKS.values()]
        if n > 1 and any(row[c.ZONE] == c.FROM_PLAY and not row[c.OPPONENT] for row in picks):
            raise OptionError("envs.spiel.unclear_pick", "D15", name=card_id)


def with_cards(game: Duel, ids: Sequence[str]) -> Setup:
    """Both players bring exactly these cards, however few: D19 is not asked."""
    if strange := [card_id for card_id in ids if card_id not in game.kinds]:
        raise OptionError("envs.spiel.no_card", "D20", name=strange[0][:20])
    plain = [card_id for card_id in ids if not game.card_set.by_id[card_id].program.super]
    if len(plain) < (least := int(game.row.hand)):
        raise OptionError("envs.spiel.few_cards", "D2", cards=len(plain), least=least)
    if len(ids) > MOST_CARDS or len(ids) - len(plain) > 1:
        raise OptionError("envs.spiel.many_cards", "D19", most=MOST_CARDS)
    deck = deck_of(game.card_set.name, list(ids))
    return Decks(game.card_set, game.limits, (deck, deck))


def longest(game: Duel, setup: Decks) -> int:
    return max(int(game.row.deck_max) if deck is None else len(deck.ids()) for deck in setup.decks)


def costly_draws(game: Game) -> int:
    """D14  The draws that a player can pay for."""
    return -(-int(game.row.health) // int(game.row.wear)) + 1


def most_turns(game: Duel, setup: Decks) -> int:
    """D4, D13, D14  Each turn has a draw; those of the first decks are free, one from an empty deck too."""
    return int(game.row.wear_from) * (longest(game, setup) + 1) + costly_draws(game)


def most_moved(game: Duel, setup: Decks) -> int:
    """How often a card of one player can leave a zone. A deck has only so many cards, and there are only so
    many decks (D14); each card then goes from hand to play, from there to the discard, from there aside."""
    decks = int(game.row.wear_from) + costly_draws(game)
    return 4 * decks * longest(game, setup)
