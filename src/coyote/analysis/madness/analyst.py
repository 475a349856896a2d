"""The analyst of Madness."""

from functools import cached_property

from coyote.analysis.analyst import Analyst, Judged, Said
from coyote.analysis.hidden import hidden_hand
from coyote.analysis.madness.belief import Belief, Diary
from coyote.analysis.madness.hidden import believed_ranks
from coyote.analysis.madness.look import (
    FIND,
    FIND_OPEN,
    LOOK,
    LOOK_OPEN,
    Look,
    candidates,
    folds_of,
    open_view,
)
from coyote.analysis.values import Values
from coyote.bots.madness.mind import MadnessMind
from coyote.bots.madness.reasons import MadnessReasons, equal, stronger
from coyote.bots.minds import mind_of
from coyote.games.game import Json, Record
from coyote.games.madness.game import Madness
from coyote.match import Match
from coyote.records import open_record
from coyote.seeds import seed_from, seed_words

RULES = {
    "a": "M14", "c": "M14", "b": "M14", "pass": "M14", "draw": "M15", "drop": "M15", "push": "M15",
    "steal": "M18", "decline": "M18",
}  # fmt: skip


class MadnessAnalyst(Analyst):
    def __init__(self, record: Json, simulations: int) -> None:
        self.record, self.simulations = record, simulations

    @cached_property
    def match(self) -> Match:
        return open_record(self.record)

    @cached_property
    def diary(self) -> Diary | None:
        return Diary(self.record) if self.record else None

    def belief(self, match: Match, seat: int, number: int) -> Belief | None:
        """What the play of the other told the seat before a move; nothing where there is no record of it."""
        if self.diary is None:
            return None
        return self.diary.belief(match.view(seat), seat, number, f"{number} {seat}")

    def judge(self, match: Match, number: int, seat: int, made: int) -> Judged:
        game, mind = match.game, mind_of(match.game)
        view, legal = match.view(seat), match.legal_actions(seat)
        assert isinstance(game, Madness) and isinstance(mind, MadnessMind)
        folds = folds_of(game, view, legal)
        if len(set(folds.values())) == 1:
            return Judged()
        guess = game.imagine(view, seat, seed_words(seed_from(f"table {number}")))
        known = self.look(Look(game, mind, guess, view, seat), legal, made, folds, number, FIND, LOOK)
        table = match.table()
        shown = open_view(game, table)
        real = self.look(
            Look(game, mind, table, shown, seat), legal, made, folds, number, FIND_OPEN, LOOK_OPEN
        )
        return Judged(known, real)

    def look(
        self,
        look: Look,
        legal: list[int],
        made: int,
        folds: dict[int, int],
        number: int,
        find: int,
        each: int,
    ) -> Values:
        dice = seed_words(seed_from(f"find {number}"))
        answer = look.find(legal, max(50, self.simulations * find // 100), dice)
        return look.values(candidates(answer, made, folds), self.simulations * each // 100, f"look {number}")

    # ------------------------------------------------------------ in words

    def rule(self, move: str) -> str:
        return RULES[verb_of(move)]

    def fault(self, match: Match, seat: int, made: str, best: str) -> tuple[Said, str]:
        game = match.game
        assert isinstance(game, Madness)
        return Faults(game, match.view(seat), seat).of(made, best)

    def hidden(self, match: Match, seat: int, number: int) -> Json:
        found, belief = hidden_hand(match, seat), self.belief(match, seat, number)
        if belief is None:
            return found
        return {**found, "believed": believed_ranks(match.game, match.view(seat), seat, belief)}


def verb_of(move: str) -> str:
    """`a1 9D` is an attack, `drop 3C` drops."""
    verb = move.partition(" ")[0]
    return verb if verb in RULES else verb[0]


class Faults:
    """What a move leaves undone, from what its seat could know."""

    def __init__(self, game: Madness, view: Record, seat: int) -> None:
        self.reasons, self.row = MadnessReasons(game, view, seat), game.row
        self.they = 1 - seat

    def of(self, made: str, best: str) -> tuple[Said, str]:
        did, should = verb_of(made), verb_of(best)
        card, field = best.partition(" ")[2], best[1:2]
        if did == should and made.partition(" ")[0] == best.partition(" ")[0] and card:
            return ("analysis.madness.other_card", {}), RULES[should]
        if made == "push" and not self.reasons.shown["hand"] and self.row.starvation:
            return ("analysis.madness.starves", {}), "M13"
        match should:
            case "a" if self.saves(int(field), card):
                return ("analysis.madness.leaves_field", {"field": field}), "M12"
            case "a":
                return ("analysis.madness.no_attack", {"field": field, "card": card}), "M14"
            case "c" if self.reasons.open_fields() == 1:
                return ("analysis.madness.no_last_close", {}), "M17"
            case "c":
                return ("analysis.madness.no_close", {"field": field}), "M14"
            case "b":
                return ("analysis.madness.leaves_boss", {"card": card}), "M14"
            case "pass":
                return ("analysis.madness.spends", {"card": made.partition(" ")[2]}), "M14"
            case "steal":
                return ("analysis.madness.leaves_round", {"card": card}), "M18"
            case "decline":
                return ("analysis.madness.spends_on_round", {"card": made.partition(" ")[2]}), "M18"
            case "push":
                return ("analysis.madness.no_push", {"laid": self.reasons.shown["boss"]}), "M15"
            case "drop" if card:
                return ("analysis.madness.no_drop", {"card": card}), "M15"
            case "draw" if did == "drop":
                return ("analysis.madness.no_drop_now", {"card": made.partition(" ")[2]}), "M15"
        return ("analysis.madness.no_draw", {}), "M15"

    def saves(self, field: int, card: str) -> bool:
        """M12  Whether this card keeps the opponent from winning a field."""
        shown = self.reasons.shown
        laid = shown["fields"][field - 1]["tops"][self.they]
        lost = shown["outlook"][field - 1][self.they] == "won"
        return lost and (stronger(card, laid) or equal(card, laid))
