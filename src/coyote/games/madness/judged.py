"""A game with a real pack, of which only what is laid open is known.

Somebody says which card was the first Boss, and then what was played, card by card. All other cards are in
some order that fits what was said so far, as in `view.imagine`: a card that turns up changes places with one
that nobody has seen, wherever it was thought to be, so nothing that happened before is different by it. What
is allowed and what comes of it the rules say, as always.
"""

from typing import Any

from coyote.games.game import Chance, Json, Refusal, Setup
from coyote.games.madness.cards import N_PLAIN, NAMES, NUMBERS, all_cards
from coyote.games.madness.notation import ACTIONS, card_names, read_move
from coyote.games.madness.rules import decider
from coyote.games.madness.state import OVER
from coyote.games.madness.view import seen
from coyote.kernel.bits import has, only
from coyote.kernel.events import silent_log
from coyote.kernel.record import same
from coyote.kernel.seats import SPECTATOR
from coyote.text import Refused

PUSH = ACTIONS["push"]


class Judged:
    """`deck` is a whole deal that fits all that is known, top first, as records have it."""

    def __init__(self, game: Any, boss: str) -> None:
        """Refused where that cannot be the first Boss; "" where nobody has said which it is."""
        self.game, self.log = game, silent_log(game.EVENTS)
        self.deck = list(NAMES[: N_PLAIN + int(game.row.jokers)])
        self.moves: list[tuple[int, str]] = []
        if boss and boss not in self.deck:
            raise Refused("judging.no_card", "M1", name=boss[:4])
        if boss:
            self._change(boss, NAMES[int(self._dealt().boss)])
        self.state, self.known = self._dealt(), bool(boss)

    def _dealt(self) -> Any:
        return self.game.read_deal({"deck": self.deck}, Setup(), Chance(), self.log)

    def _change(self, one: str, other: str) -> None:
        """Two cards of the deal change places."""
        first, second = self.deck.index(one), self.deck.index(other)
        self.deck[first], self.deck[second] = other, one

    # ------------------------------------------------------------ what is known

    @property
    def decider(self) -> int | None:
        return None if self.state.phase == OVER else int(decider(self.state))

    @property
    def unseen(self) -> int:
        """The cards that nobody has seen yet, as a set."""
        shown = self.game.view(self.state, SPECTATOR)
        if not self.known:
            return int(all_cards(self.game.row.jokers))
        return int(all_cards(self.game.row.jokers)) & ~int(seen(shown))

    @property
    def hidden(self) -> list[str]:
        return card_names(self.unseen)

    def legal(self) -> list[str]:
        """What may be said next: with a card in hand, it may be any that nobody has seen."""
        seat = self.decider
        if seat is None:
            return []
        supposed = same(self.state)
        supposed.hands[seat] = self.unseen if self.state.held[seat] else 0
        return [self.game.move_text(action) for action in self.game.legal(supposed, seat)]

    @property
    def turns_up(self) -> bool:
        """Whether a push would show a card."""
        return bool(self.state.left > 0)

    # ------------------------------------------------------------ what is said

    def say(self, move: str, shows: str = "") -> Refusal | None:
        """What was done, and the card that was turned up by it; why not, where it is not allowed."""
        if refusal := self._refuses(move, shows):
            return refusal
        seat, action = self.decider, read_move(move)
        assert seat is not None and action is not None
        text = self.game.move_text(action)
        _, _, card = text.partition(" ")
        if card:
            self._to_hand(seat, NUMBERS[card])
        if shows:
            self._swap(NUMBERS[shows], int(self.state.deck[self.state.left - 1]))
        self.game.act(self.state, seat, action, self.log, Chance())
        self.moves.append((seat, text))
        return None

    def _refuses(self, move: str, shows: str) -> Refusal | None:
        seat, action = self.decider, read_move(move)
        if seat is None or action is None:
            return self.game.why_not(self.state, seat or 0, move)  # type: ignore[no-any-return]
        text = self.game.move_text(action)
        _, _, card = text.partition(" ")
        for one in filter(None, (card, shows)):
            if one not in self.deck:
                return Refusal("judging.no_card", "M1", {"name": one[:4]})
            if not has(self.unseen, NUMBERS[one]):
                return Refusal("judging.seen", "M1", {"card": one})
        turns_up = action == PUSH and self.turns_up
        if bool(shows) != turns_up:
            return Refusal("judging.shows" if turns_up else "judging.shows_nothing", "M15")
        if text in self.legal():
            return None
        supposed = same(self.state)
        if card and self.state.held[seat]:
            supposed.hands[seat] = only(NUMBERS[card])
        return self.game.why_not(supposed, seat, text)  # type: ignore[no-any-return]

    def _to_hand(self, seat: int, card: int) -> None:
        """It was in that hand: some card there that nobody knows was thought to be it."""
        hand = int(self.state.hands[seat])
        if not has(hand, card):
            self._swap(card, NUMBERS[card_names(hand)[0]])

    def _swap(self, one: int, other: int) -> None:
        """Two cards that nobody has seen change places, in the hands, in the deck and in the deal."""
        if one == other:
            return
        state, both = self.state, int(only(one)) | int(only(other))
        for seat in range(2):
            if has(state.hands[seat], one) != has(state.hands[seat], other):
                state.hands[seat] = int(state.hands[seat]) ^ both
        for place in range(int(state.left)):
            if state.deck[place] in (one, other):
                state.deck[place] = one + other - state.deck[place]
        self._change(NAMES[one], NAMES[other])

    # ------------------------------------------------------------ what is kept

    def record(self, players: list[str]) -> Json:
        """The game so far; `unseen` are the cards that stand where they might have been."""
        over = self.game.result(self.state)
        result = (
            over.as_json() if over else {"winner": None, "reason": "aborted", "score": int(self.state.lead)}
        )
        return {
            "format": "coyote-record/1",
            "game": self.game.name,
            "rules": self.game.rules_version,
            "options": self.game.options,
            "players": players,
            "deck": self.deck,
            "moves": [list(move) for move in self.moves],
            "result": result,
            "unseen": self.hidden,
        }
