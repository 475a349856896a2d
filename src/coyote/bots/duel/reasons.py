"""Why a move of a duel is good, in one clause: a key of the words and what to fill in."""

from collections.abc import Iterator
from typing import Any

from coyote.bots.reasons import Reason
from coyote.games.duel import cards as c
from coyote.games.duel import rules
from coyote.games.duel.game import Duel
from coyote.games.duel.language import POINTS, Action, Condition, Effect, Zone
from coyote.games.game import Record
from coyote.text import LANGUAGES

# What a card in hand, in play and in the deck is worth beside points of health; only to tell which part
# of a card's text is its point.
IN_HAND, IN_PLAY, IN_DECK = 3.0, 11.0, 0.5
LATER, IF_SO = 0.9, 0.6  # what comes later, and what is for an attack that may not come, weighs less


class DuelReasons:
    """Asks the rules, on a copy of the view in which both have picked a card that does nothing."""

    def __init__(self, game: Duel, view: Record, seat: int) -> None:
        self.game, self.me, self.they = game, seat, 1 - seat
        self.s = view.copy()
        for owner in range(2):
            self.s.in_hand[owner] = max(0, self.s.in_hand[owner] - 1)
            rules.remember(self.s, owner)
        self.shown = game.view_json(view, seat)
        self.due = [dict.fromkeys(POINTS, 0) for _ in range(2)]
        self.add_up()

    def add_up(self) -> None:
        """D8  The Attack, Heal and Block that cards in play are sure to do this turn, by the one acting."""
        for owner in range(2):
            for kind, age in zip(
                self.s.play[owner][: self.s.in_play[owner]], self.s.age[owner], strict=False
            ):
                for row, effect in self.effects(int(kind)):
                    is_due = rules.is_due(self.game.table, row, age)
                    if is_due and effect.action in POINTS and self.is_sure(row, effect, owner):
                        actor = int(rules.actor(self.game.table, row, owner))
                        self.due[actor][effect.action] += self.amount(row, actor)

    def effects(self, kind: int) -> list[tuple[int, Effect]]:
        """Each with its row in the card table."""
        rows = range(self.game.table[kind, c.FROM], self.game.table[kind, c.UNTIL])
        return list(zip(rows, self.game.card_set.cards[kind].program.effects, strict=True))

    def is_sure(self, row: int, effect: Effect, owner: int) -> bool:
        """D23  Whether it works whatever the players choose."""
        if effect.condition not in (None, Condition.HEALTH):
            return False
        return bool(rules.holds(self.s, self.game.table, row, owner))

    def amount(self, row: int, actor: int) -> int:
        """D24"""
        if self.game.table[row, c.AMOUNT] == c.BLOCK_ALL:
            return 999
        return int(rules.amount(self.s, self.game.table, row, actor))

    def why(self, move: str) -> Reason | None:
        _, _, card_id = move.partition(" ")
        if not card_id:
            return "hint.duel.hold", {}
        title = {"title": {lang: self.game.title(card_id, lang) for lang in LANGUAGES}}
        effects = self.effects(self.game.kinds[card_id])
        if urgent := self.urgent(effects):
            return urgent[0], {**urgent[1], **title}
        weighed = sorted(self.points(effects), key=lambda point: -point[0])
        if not weighed or weighed[0][0] <= 0:
            return None
        _, key, values = weighed[0]
        return key, {**values, **title}

    def now(self, effects: list[tuple[int, Effect]], action: Action) -> int:
        """What a card is sure to do for its owner in the turn in which it is played."""
        return sum(
            self.amount(row, self.me)
            for row, effect in effects
            if effect.action is action
            and rules.is_due(self.game.table, row, 0)
            and not effect.opponent
            and self.is_sure(row, effect, self.me)
        )

    def urgent(self, effects: list[tuple[int, Effect]]) -> Reason | None:
        """The last blow, and what is sure to come this turn (D9)."""
        mine, theirs, health = self.due[self.me], self.due[self.they], self.shown["health"]
        blow, block = self.now(effects, Action.ATTACK), self.now(effects, Action.BLOCK)
        stands = health[self.they] + theirs[Action.BLOCK] + theirs[Action.HEAL]
        if blow and blow + mine[Action.ATTACK] >= stands:
            return "hint.duel.finish", {}
        coming = max(0, theirs[Action.ATTACK] - mine[Action.BLOCK])
        saved = min(coming, block)
        left = health[self.me] + mine[Action.HEAL] - coming
        if left <= 0 < left + saved + self.now(effects, Action.HEAL):
            return "hint.duel.rescue", {}
        if saved:
            return "hint.duel.block_due", {"n": saved, "due": coming}
        return None

    def points(self, effects: list[tuple[int, Effect]]) -> Iterator[tuple[float, str, dict[str, Any]]]:
        """What each effect is good for, with its weight; what only may come is no reason, answers apart."""
        for row, effect in effects:
            answers = effect.condition is Condition.ATTACKED and effect.action in (
                Action.ATTACK,
                Action.BLOCK,
            )
            if effect.opponent:
                yield self.harm(effect)
            elif not answers and not self.is_sure(row, effect, self.me):
                continue
            elif effect.action is Action.ATTACK:
                yield self.blow(row, effect, effects)
            elif effect.action is Action.HEAL:
                yield self.cure(row, effect)
            elif effect.action is Action.BLOCK:
                yield self.shield(row, effect)
            elif effect.action is Action.DRAW:
                yield IN_HAND * effect.amount, "hint.duel.draw", {}

    def blow(
        self, row: int, effect: Effect, effects: list[tuple[int, Effect]]
    ) -> tuple[float, str, dict[str, Any]]:
        amount = self.amount(row, self.me)
        if effect.condition is Condition.ATTACKED:
            return IF_SO * amount * effect.turns, "hint.duel.counter", {"n": amount}
        weight = float(amount * effect.turns)
        again = any(other.action is Action.ATTACK and other.first != effect.first for _, other in effects)
        if effect.turns > 1 or again:
            return weight, "hint.duel.lasting", {}
        if effect.first > 0:
            return LATER * weight, "hint.duel.later", {}
        if self.shown["held"][self.they] == 0:
            return weight, "hint.duel.attack_free", {}
        return weight, "hint.duel.attack", {"n": amount}

    def cure(self, row: int, effect: Effect) -> tuple[float, str, dict[str, Any]]:
        missing = self.shown["max"][self.me] - self.shown["health"][self.me]
        amount = self.amount(row, self.me)
        healed = min(missing, amount * effect.turns)
        if healed == 0 and effect.first == 0:  # D9: it is not wasted where a blow comes in the same turn
            return IF_SO * amount, "hint.duel.heal_ahead", {"n": amount}
        return float(healed), "hint.duel.heal", {"n": healed}

    def shield(self, row: int, effect: Effect) -> tuple[float, str, dict[str, Any]]:
        amount = self.amount(row, self.me)
        if effect.amount == c.BLOCK_ALL:
            return IF_SO * 20, "hint.duel.block_all", {}
        if effect.turns > 1:
            return IF_SO * amount * effect.turns, "hint.duel.lasting", {}
        return IF_SO * amount, "hint.duel.block", {"n": amount}

    def harm(self, effect: Effect) -> tuple[float, str, dict[str, Any]]:
        """What the opponent has to do: only the loss of cards is good for us."""
        n = effect.amount * effect.turns
        if effect.action not in (Action.DISCARD, Action.SET_ASIDE):
            return 0.0, "", {}
        match effect.zone:
            case Zone.HAND:
                return IN_HAND * min(n, self.shown["held"][self.they]), "hint.duel.strip_hand", {}
            case Zone.PLAY:
                return IN_PLAY * min(n, len(self.shown["play"][self.they])), "hint.duel.strip_play", {}
            case _:
                return IN_DECK * n, "hint.duel.strip_deck", {}
