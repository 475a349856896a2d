"""Why a move of Madness is good, in one clause: a key of the words and what to fill in."""

from typing import Any

from coyote.bots.reasons import Reason
from coyote.games.game import Record
from coyote.games.madness import cards
from coyote.games.madness.cards import N_CARDS, NUMBERS, all_cards, is_stronger
from coyote.games.madness.game import Madness
from coyote.games.madness.notation import card_names
from coyote.games.madness.view import seen

HARD, EASY = 0.15, 0.45  # the part of the unseen cards that beat a card
SHORT_HAND = 2


class MadnessReasons:
    def __init__(self, game: Madness, view: Record, seat: int) -> None:
        self.shown, self.row = game.view_json(view, seat), game.row
        self.me, self.they = seat, 1 - seat
        self.ahead = self.shown["lead"] if self.me == 0 else -self.shown["lead"]
        self.unseen = card_names(int(all_cards(game.row.jokers)) & ~int(seen(view)))  # M8

    def why(self, move: str) -> Reason | None:
        """The sentences speak of one point; where house rules give another number, none of them is said."""
        verb, _, card = move.partition(" ")
        if self.points_of(verb) != 1:
            return None
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

    def points_of(self, verb: str) -> int:
        """What a move is made for, in points."""
        row = self.row
        played_for = {"a": row.field_points, "b": row.boss_points, "steal": row.round_points}
        played_for |= {"decline": row.round_points, "drop": row.hand_points, "push": row.hand_points}
        return int(played_for.get(verb if verb in played_for else verb[0], 1))

    # ------------------------------------------------------------ what is so

    def wins_with(self, points: int) -> bool:
        """M10"""
        return bool(self.ahead + points >= self.row.goal)

    def loses_with(self, points: int) -> bool:
        return bool(points - self.ahead >= self.row.goal)

    def open_fields(self) -> int:
        return sum(not field["closed"] for field in self.shown["fields"])

    def beaters(self, laid: str) -> list[str]:
        """The cards of the hand that beat a card, the weakest first."""
        beating = [card for card in self.shown["hand"] if stronger(card, laid)]
        return sorted(beating, key=weakness, reverse=True)

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
        if outlook == "won" and holds and self.loses_with(self.row.field_points):
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
        if self.wins_with(self.row.field_points):
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
            return ("hint.madness.close_round" if self.row.closer else "hint.madness.close_end"), {}
        if self.shown["outlook"][field - 1][self.they] == "won":
            return "hint.madness.close_stop", {"field": field}
        return "hint.madness.close", {"field": field}

    def beat(self, card: str) -> Reason:
        values = {"card": card}
        if self.wins_with(self.row.boss_points):
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
        if self.wins_with(self.row.round_points):
            return "hint.madness.steal_wins", values
        if self.loses_with(self.row.round_points):
            return "hint.madness.steal_saves", values
        if self.is_weakest(card, self.closing_card()):
            return "hint.madness.steal_weakest", values
        return "hint.madness.steal", values

    def decline(self) -> Reason:
        if len(self.shown["hand"]) == 1 and self.shown["deck"] > 0 and self.row.starvation:
            return "hint.madness.decline_starve", {}  # M13
        return "hint.madness.decline_keep", {}


def stronger(card: str, laid: str) -> bool:
    return is_stronger(NUMBERS[card], NUMBERS[laid])


def equal(card: str, laid: str) -> bool:
    return bool(cards.equal(NUMBERS[card], NUMBERS[laid]))


def weakness(card: str) -> float:
    """The part of all cards that beat this one."""
    return sum(is_stronger(other, NUMBERS[card]) for other in range(N_CARDS)) / N_CARDS
