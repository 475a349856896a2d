"""Why a move is good, in one clause: a key of the words and what to fill in.

Everything here is read from a view, so that no reason can give away what its seat may not know. Where
no reason of a player's fits, the search itself is the reason.
"""

from collections.abc import Iterator
from typing import Any

from coyote.bots.bot import Answer, Thought
from coyote.games.duel.game import Duel
from coyote.games.duel.language import ALL, Action, Condition, Effect, Per, Zone
from coyote.games.game import Game, Json, Record
from coyote.games.madness.cards import N_CARDS, NAMES, NUMBERS, is_stronger
from coyote.games.madness.editions import EDITIONS

Reason = tuple[str, dict[str, Any]]

MOST_OTHERS = 2  # moves named besides the best one
GOOD = 0.1  # a move is still good with a chance so much below that of the best
CLOSE = 0.02  # and as good as the best with so much
LOOKED_AT = 0.05  # a chance counts where the search went there this part as often as to the best


def reason(game: Game, view: Record, seat: int, answer: Answer) -> Reason:
    """Why the move of an answer is good, as far as the seat may know."""
    if len(answer.thoughts) == 1:
        return "hint.only", {}
    shown = game.sight(view, seat)
    move = game.move_text(answer.action)
    found = DuelReasons(game, shown).why(move) if isinstance(game, Duel) else MadnessReasons(shown).why(move)
    return found or ("hint.imagined", {"n": sum(thought.examined for thought in distinct(answer))})


def also_good(answer: Answer) -> list[Thought]:
    """Other moves worth naming, the best first: those about as good, or else those not much worse."""
    best, *rest = distinct(answer)
    least = LOOKED_AT * best.examined
    looked_at = [thought for thought in rest if thought.chance is not None and thought.examined >= least]
    found = [thought for thought in looked_at if shortfall(best, thought) <= CLOSE]
    found = found or [thought for thought in looked_at if shortfall(best, thought) <= GOOD]
    return sorted(found, key=lambda thought: -(thought.chance or 0.0))[:MOST_OTHERS]


def is_close(answer: Answer, thought: Thought) -> bool:
    return shortfall(distinct(answer)[0], thought) <= CLOSE


def shortfall(best: Thought, thought: Thought) -> float:
    return (best.chance or 0.0) - (thought.chance or 0.0)


def distinct(answer: Answer) -> list[Thought]:
    """The thoughts, that of the answer first. Moves that come to the same share one, which is here once."""
    found: dict[tuple[float | None, int], Thought] = {}
    for thought in sorted(answer.thoughts, key=lambda thought: thought.action != answer.action):
        found.setdefault((thought.chance, thought.examined), thought)
    return list(found.values())


# ---------------------------------------------------------------- Madness

HARD, EASY = 0.15, 0.45  # the part of the unseen cards that beat a card
SHORT_HAND = 2


class MadnessReasons:
    def __init__(self, shown: Json) -> None:
        self.shown, self.me = shown, shown["seat"]
        self.they = 1 - self.me
        self.edition = EDITIONS[shown["options"]["edition"]]
        self.ahead = shown["lead"] if self.me == 0 else -shown["lead"]
        self.unseen = self.find_unseen()

    def find_unseen(self) -> list[str]:
        """M8  The cards that may be in the deck or in the other hand."""
        shown = self.shown
        seen = {*shown["hand"], *shown["memory"], shown["boss"], shown["discard"]}
        for field in shown["fields"]:
            seen |= {*field["tops"], field["marker"]}
        return [name for name in NAMES if name not in seen]

    def why(self, move: str) -> Reason | None:
        verb, _, card = move.partition(" ")
        match verb[0], verb:
            case "a", _:
                return self.attack(int(verb[1]), card)
            case "c", _:
                return self.close(int(verb[1]), card)
            case "b", _:
                return self.beat(card)
            case _, "pass":
                return "hint.madness.pass", {}
            case _, "steal":
                return self.steal(card)
            case _, "decline":
                return self.decline()
            case _:
                return self.tut(verb, card)

    # ------------------------------------------------------------ what is so

    def wins_with_a_point(self) -> bool:
        """M10"""
        return bool(self.ahead + 1 >= self.edition.goal)

    def loses_with_a_point(self) -> bool:
        return bool(1 - self.ahead >= self.edition.goal)

    def open_fields(self) -> int:
        return sum(not field["closed"] for field in self.shown["fields"])

    def beaters(self, laid: str) -> list[str]:
        """The cards of the hand that beat a card, the weakest first."""
        found = [card for card in self.shown["hand"] if stronger(card, laid)]
        return sorted(found, key=weakness, reverse=True)

    def is_weakest(self, card: str, laid: str) -> bool:
        """Whether another card could have done it as well, at a higher price."""
        others = self.beaters(laid)
        return len(others) > 1 and weakness(card) == weakness(others[0])

    def threats(self, card: str) -> int:
        """How many cards the opponent may have that beat this one."""
        return sum(stronger(other, card) for other in self.unseen)

    def share(self, card: str) -> float:
        return self.threats(card) / max(1, len(self.unseen))

    # ------------------------------------------------------------ M14

    def attack(self, field: int, card: str) -> Reason | None:
        place = self.shown["fields"][field - 1]
        mine, theirs = place["tops"][self.me], place["tops"][self.they]
        if theirs is not None:
            outlook = self.shown["outlook"][field - 1][self.they]
            return self.answer_attack(field, card, theirs, outlook)
        return self.open_attack(field, card) if mine is None else None

    def answer_attack(self, field: int, card: str, laid: str, outlook: str) -> Reason | None:
        values = {"field": field, "card": card, "laid": laid}
        holds = stronger(card, laid) or equal(card, laid)
        if outlook == "won" and holds and self.loses_with_a_point():
            return "hint.madness.attack_saves", values
        if outlook == "won" and stronger(card, laid):
            return "hint.madness.attack_answer", values
        if outlook == "won" and holds:
            return "hint.madness.attack_equal", values
        if outlook == "drawn" and stronger(card, laid):
            return "hint.madness.attack_retake", values
        return None

    def open_attack(self, field: int, card: str) -> Reason:
        """On a field where nobody is."""
        values: dict[str, Any] = {"field": field, "card": card}
        if self.wins_with_a_point():
            return "hint.madness.attack_goal", values
        if self.shown["held"][self.they] == 0:
            return "hint.madness.attack_free", {"field": field}
        threats = self.threats(card)
        if threats == 0:
            return "hint.madness.attack_unbeatable", values
        if self.share(card) <= HARD:
            return "hint.madness.attack_hard", {**values, "n": threats}
        return "hint.madness.attack_bait", values

    def close(self, field: int, card: str) -> Reason:
        """M17  The last field decides the round: in classic for the one who closes it, else for nobody."""
        if self.open_fields() == 1:
            return ("hint.madness.close_round" if self.edition.closer_wins else "hint.madness.close_end"), {}
        if self.shown["outlook"][field - 1][self.they] == "won":
            return "hint.madness.close_stop", {"field": field}
        return "hint.madness.close", {"field": field}

    def beat(self, card: str) -> Reason:
        values = {"card": card}
        if self.wins_with_a_point():
            return "hint.madness.boss_wins", values
        if self.is_weakest(card, self.shown["boss"]):
            return "hint.madness.boss_weakest", values
        if self.share(card) <= HARD:
            return "hint.madness.boss_hard", values
        return "hint.madness.boss", values

    # ------------------------------------------------------------ M15

    def tut(self, verb: str, card: str) -> Reason:
        if self.shown["deck"] == 0:
            return ("hint.madness.drop_dry" if card else "hint.madness.tut_nothing"), {}
        if verb == "push":
            return self.push()
        if card:
            weakest = max(map(weakness, self.shown["hand"]))
            is_weakest = weakness(card) == weakest
            return ("hint.madness.drop_weakest" if is_weakest else "hint.madness.drop"), {"card": card}
        held = len(self.shown["hand"])
        if held == 0:
            return "hint.madness.draw_starve", {}
        return ("hint.madness.draw_short" if held <= SHORT_HAND else "hint.madness.draw"), {}

    def push(self) -> Reason:
        boss = self.shown["boss"]
        if self.share(boss) >= EASY:
            return "hint.madness.push_easy", {"laid": boss}
        if not self.beaters(boss):
            return "hint.madness.push_stuck", {"laid": boss}
        return "hint.madness.push_light", {}

    # ------------------------------------------------------------ M18

    def closing_card(self) -> str:
        marker: str = self.shown["fields"][self.shown["closing"] - 1]["marker"]
        return marker

    def steal(self, card: str) -> Reason:
        values = {"card": card}
        if self.wins_with_a_point():
            return "hint.madness.steal_wins", values
        if self.loses_with_a_point():
            return "hint.madness.steal_saves", values
        if self.is_weakest(card, self.closing_card()):
            return "hint.madness.steal_weakest", values
        return "hint.madness.steal", values

    def decline(self) -> Reason:
        if len(self.shown["hand"]) == 1 and self.shown["deck"] > 0:
            return "hint.madness.decline_starve", {}  # M13
        return "hint.madness.decline_keep", {}


def stronger(card: str, laid: str) -> bool:
    return is_stronger(NUMBERS[card], NUMBERS[laid])


def equal(card: str, laid: str) -> bool:
    """M4"""
    return card[0] == laid[0] != "X"


def weakness(card: str) -> float:
    """The part of all cards that beat this one."""
    return sum(is_stronger(other, NUMBERS[card]) for other in range(N_CARDS)) / N_CARDS


# ---------------------------------------------------------------- the duel

POINTS = (Action.ATTACK, Action.HEAL, Action.BLOCK)
# What a card in hand, in play and in the deck is worth beside points of health; only to tell which part
# of a card's text is its point.
IN_HAND, IN_PLAY, IN_DECK = 3.0, 11.0, 0.5
LATER, IF_SO = 0.9, 0.6  # what comes later, and what is for an attack that may not come, weighs less


class DuelReasons:
    def __init__(self, game: Duel, shown: Json) -> None:
        self.game, self.shown, self.me = game, shown, shown["seat"]
        self.they = 1 - self.me
        self.due = [dict.fromkeys(POINTS, 0) for _ in range(2)]
        self.add_up()

    def add_up(self) -> None:
        """D8  The Attack, Heal and Block that cards in play are sure to do this turn, by the one acting."""
        for owner in range(2):
            for card_id, age in self.shown["play"][owner]:
                for effect in self.effects(card_id):
                    is_due = effect.first <= age <= effect.last
                    if is_due and effect.action in POINTS and self.is_sure(effect, owner):
                        actor = 1 - owner if effect.opponent else owner
                        self.due[actor][effect.action] += self.amount(effect, actor)

    def effects(self, card_id: str) -> tuple[Effect, ...]:
        return self.game.card_set.by_id[card_id].program.effects

    def is_sure(self, effect: Effect, owner: int) -> bool:
        """D23  Whether its condition does not depend on what the players choose."""
        if effect.condition is Condition.HEALTH:
            return bool(self.shown["health"][owner] <= effect.threshold)
        return effect.condition is None

    def amount(self, effect: Effect, actor: int) -> int:
        """D24  Both may still play a card, so hands are counted with one card less."""
        if effect.amount == ALL:
            return 999
        held = [max(0, n - 1) for n in self.shown["held"]]
        times = {
            None: 1,
            Per.HAND: held[actor],
            Per.OPPONENT_HAND: held[1 - actor],
            Per.DISCARD: len(self.shown["discard"][actor]),
        }
        return int(effect.amount * times[effect.per])

    def why(self, move: str) -> Reason | None:
        _, _, card_id = move.partition(" ")
        if not card_id:
            return "hint.duel.hold", {}
        title = {"title": {lang: self.game.title(card_id, lang) for lang in ("en", "ru")}}
        effects = self.effects(card_id)
        if urgent := self.urgent(effects):
            return urgent[0], {**urgent[1], **title}
        weighed = sorted(self.points(effects), key=lambda found: -found[0])
        if not weighed or weighed[0][0] <= 0:
            return None
        _, key, values = weighed[0]
        return key, {**values, **title}

    def now(self, effects: tuple[Effect, ...], action: Action) -> int:
        """What a card is sure to do for its owner in the turn in which it is played."""
        return sum(
            self.amount(effect, self.me)
            for effect in effects
            if effect.action is action
            and effect.first == 0
            and not effect.opponent
            and self.is_sure(effect, self.me)
        )

    def urgent(self, effects: tuple[Effect, ...]) -> Reason | None:
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

    def points(self, effects: tuple[Effect, ...]) -> Iterator[tuple[float, str, dict[str, Any]]]:
        """What each effect is good for, with its weight; what only may come is no reason, answers apart."""
        for effect in effects:
            answers = effect.condition is Condition.ATTACKED and effect.action in (
                Action.ATTACK,
                Action.BLOCK,
            )
            if effect.opponent:
                yield self.harm(effect)
            elif not answers and not self.is_sure(effect, self.me):
                continue
            elif effect.action is Action.ATTACK:
                yield self.blow(effect, effects)
            elif effect.action is Action.HEAL:
                yield self.cure(effect)
            elif effect.action is Action.BLOCK:
                yield self.shield(effect)
            elif effect.action is Action.DRAW:
                yield IN_HAND * effect.amount, "hint.duel.draw", {}

    def blow(self, effect: Effect, effects: tuple[Effect, ...]) -> tuple[float, str, dict[str, Any]]:
        amount = self.amount(effect, self.me)
        if effect.condition is Condition.ATTACKED:
            return IF_SO * amount * effect.turns, "hint.duel.counter", {"n": amount}
        weight = float(amount * effect.turns)
        again = any(other.action is Action.ATTACK and other.first != effect.first for other in effects)
        if effect.turns > 1 or again:
            return weight, "hint.duel.lasting", {}
        if effect.first > 0:
            return LATER * weight, "hint.duel.later", {}
        if self.shown["held"][self.they] == 0:
            return weight, "hint.duel.attack_free", {}
        return weight, "hint.duel.attack", {"n": amount}

    def cure(self, effect: Effect) -> tuple[float, str, dict[str, Any]]:
        missing = self.shown["max"][self.me] - self.shown["health"][self.me]
        amount = self.amount(effect, self.me)
        healed = min(missing, amount * effect.turns)
        if healed == 0 and effect.first == 0:  # D9: it is not wasted where a blow comes in the same turn
            return IF_SO * amount, "hint.duel.heal_ahead", {"n": amount}
        return float(healed), "hint.duel.heal", {"n": healed, "missing": missing}

    def shield(self, effect: Effect) -> tuple[float, str, dict[str, Any]]:
        amount = self.amount(effect, self.me)
        if effect.amount == ALL:
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
