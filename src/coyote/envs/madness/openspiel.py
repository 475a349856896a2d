"""Madness for OpenSpiel: chance card by card, and what the story of a game begins with."""

from collections.abc import Sequence
from math import comb
from typing import ClassVar

from coyote.envs.openspiel_chance import Choices, Dealer, Open, Part, Rows, Settled, evenly, table_from
from coyote.games.game import Chance, Game, Json, OptionError, Record
from coyote.games.madness import events as ev
from coyote.games.madness import rules
from coyote.games.madness.cards import N_PLAIN, NAMES, NUMBERS
from coyote.games.madness.game import Madness
from coyote.games.madness.notation import hand_names
from coyote.games.madness.state import STATE
from coyote.kernel.record import new
from coyote.kernel.seats import NONE
from coyote.match import noted

BOSS = 2  # whose a card of the deal is: a seat's, or the Boss's


class MadnessPart(Part):
    PARAMETERS: ClassVar[Json] = {"cards": ""}
    STORY = (
        "attack", "close", "beat", "pass", "draw", "no_draw", "drop", "push", "no_push", "steal", "decline",
    )  # fmt: skip

    def __init__(self, options: Json, given: Json) -> None:
        self.game = Madness(**options)
        self.setup = self.game.settle()
        self.cards = given["cards"].split()
        n = len(self.cards) or len(NAMES)
        self.most_choices = 4 * most_turns(n)  # M14, M15, and two Chances (M18): after settling, after Close
        self.most_steps = n + 5 * most_turns(n)  # a drop is two

    def dealer(self) -> Dealer:
        return MadnessDealer(self.game, self.cards)

    def opening(self, s: Record) -> Rows:
        """Cards drawn, and a Boss turned up by nobody."""
        hands = [(seat, NUMBERS[card]) for seat in range(2) for card in hand_names(int(s.hands[seat]))]
        drawn = [[int(ev.DRAW), seat, card, int(NONE)] for seat, card in hands]
        return [*drawn, [int(ev.PUSH), int(NONE), int(s.boss), int(NONE)]]


def most_turns(cards: int) -> int:
    """M15  Each turn takes a card from the deck, as long as it has any. M24  After that no two turns in a row
    go by without a card from a hand."""
    return 3 * cards + 2


class MadnessDealer:
    """Each card that leaves the deck is one question. `cards` are those in the game, where not all are."""

    def __init__(self, game: Game, cards: Sequence[str]) -> None:
        self.game = game
        known = NAMES[: N_PLAIN + int(game.row.jokers)]
        if strange := [card for card in cards if card not in known]:
            raise OptionError("envs.spiel.no_card", "M1", name=strange[0][:20])
        self.cards = sorted({NUMBERS[card] for card in cards or known})
        least = 2 * int(game.row.hand) + int(game.row.extra) + 1
        if len(self.cards) < least:
            raise OptionError("envs.spiel.few_cards", "M11", cards=len(self.cards), least=least)
        self.absent = sum(1 << NUMBERS[card] for card in known if NUMBERS[card] not in self.cards)
        self.owners = self._owners()
        self.most_outcomes = len(NAMES)
        self.most_questions = len(self.cards)

    def deal(self, decided: Sequence[int]) -> Settled | Open:
        """Whoever holds a hand does not know in which order it came: it is asked from the lowest card up."""
        n = len(decided)
        if n < len(self.owners):
            return self._next_dealt(decided)
        s = self._fresh(decided)
        rules.lay_out(s, self.game.row)
        s.gone = self.absent
        tidy(s)
        return Settled(s, [])

    def act(self, table: bytes, choices: Choices, decided: Sequence[int]) -> Settled | Open:
        s = table_from(self.game, table)
        undecided = [card for card in sorted_deck(s) if card not in decided]
        put_on_top(s, decided)
        ((seat, action),) = choices
        rows = noted(self.game, s, seat, action, Chance())
        if int(s.left) < len(undecided) > 1:  # of one card there is nothing to ask
            return evenly(undecided)
        tidy(s)
        return Settled(s, rows)

    def outcome_text(self, outcome: int) -> str:
        return NAMES[outcome]

    # ------------------------------------------------------------ the deal

    def _fresh(self, top: Sequence[int]) -> Record:
        """A whole deck with these cards on top."""
        s = new(STATE)
        s.left = len(self.cards)
        s.deck[:] = NONE
        s.deck[: s.left] = self.cards
        put_on_top(s, top)
        return s

    def _owners(self) -> list[int]:
        """Whose each card of the deal is, the top one first."""
        s = self._fresh(())
        deck = s.deck[: s.left].tolist()[::-1]
        rules.lay_out(s, self.game.row)
        owners = {int(s.boss): BOSS}
        for seat in range(2):
            owners |= {NUMBERS[card]: seat for card in hand_names(int(s.hands[seat]))}
        return [owners[card] for card in deck[: len(owners)]]

    def _next_dealt(self, decided: Sequence[int]) -> Open:
        """The next card of a hand of which these were dealt: every hand is as likely as another."""
        n = len(decided)
        first = self.owners.index(self.owners[n])
        wanted = self.owners.count(self.owners[n]) - (n - first)
        above = decided[n - 1] if n > first else -1
        free = [card for card in self.cards if card > above and card not in decided]
        ways = comb(len(free), wanted)
        hands = [comb(len(free) - 1 - i, wanted - 1) for i in range(len(free))]
        return Open([(card, k / ways) for card, k in zip(free, hands, strict=True) if k])


def put_on_top(s: Record, cards: Sequence[int]) -> None:
    """These cards on top of the deck, the first one first; the rest of it in order."""
    rest = [card for card in sorted_deck(s) if card not in cards]
    s.deck[: s.left] = [*rest, *reversed(cards)]


def tidy(s: Record) -> None:
    """Nobody knows the order of the deck, and it is not decided yet."""
    put_on_top(s, ())


def sorted_deck(s: Record) -> list[int]:
    return sorted(s.deck[: s.left].tolist())
