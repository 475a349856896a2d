"""Why a move is not allowed: the sentence, its rule, and that nothing has changed."""

import inspect
import re

import pytest

from coyote import Match
from coyote.games.madness import refusals
from coyote.games.madness.cards import NAMES
from coyote.games.madness.notation import MOVES
from coyote.match import IllegalMove
from madness.kit_madness import EDITIONS, GOALS, at, both_editions

CHANCE = "0 coyote hands=QC/2H,7H,6H fields=3C/-=0|3D/-=0|{closing}/-=0 closing=3"
NO_MOVE = (
    "“{}” is no move; write a1 7S, c2 KD, b QH or pass, then draw, drop 5C or push; "
    "for the Coyote's Chance steal KH or decline ({})"
)
FIRST_MAIN = "the main action comes first: attack, close a field, beat the Boss or pass (M14)"
NOW_TUT = "the main action is done, now it is TUT: draw, drop or push (M15)"
NOW_COYOTE = "this is the Coyote's Chance: steal with a stronger card, or decline (M18)"

# Position, move, the code of the refusal, the whole English sentence. In both editions.
CASES = [
    ("0 over hands=QC/KC lead={goal} reason=lead", "pass", "over", "the game is over"),
    ("0 over hands=QC/KC lead={goal} reason=lead", "rubbish", "over", "the game is over"),
    ("0 main hands=QC/KC", "castle", "no_move", NO_MOVE.format("castle", "M14")),
    ("0 main hands=QC/KC", "", "no_move", NO_MOVE.format("", "M14")),
    ("0 main hands=QC/KC", "a5 QC", "no_move", NO_MOVE.format("a5 QC", "M14")),
    ("0 main hands=QC/KC", "a0 QC", "no_move", NO_MOVE.format("a0 QC", "M14")),
    ("0 main hands=QC/KC", "a1", "no_move", NO_MOVE.format("a1", "M14")),
    ("0 main hands=QC/KC", "a1 1C", "no_move", NO_MOVE.format("a1 1C", "M14")),
    ("0 main hands=QC/KC", "a1 QC QC", "no_move", NO_MOVE.format("a1 QC QC", "M14")),
    ("0 main hands=QC/KC", "{text} %s", "no_move", NO_MOVE.format("{text} %s", "M14")),
    ("0 main hands=QC/KC", "ход♥", "no_move", NO_MOVE.format("ход♥", "M14")),
    ("0 main hands=QC/KC", "x" * 10_000, "no_move", NO_MOVE.format("x" * 40, "M14")),
    ("0 tut hands=QC/KC", "castle", "no_move", NO_MOVE.format("castle", "M15")),
    (CHANCE.format(closing="7S"), "castle", "no_move", NO_MOVE.format("castle", "M18")),
    ("0 main hands=QC/KC", "draw", "main_now", FIRST_MAIN),
    ("0 main hands=QC/KC", "drop QC", "main_now", FIRST_MAIN),
    ("0 main hands=QC/KC", "drop", "main_now", FIRST_MAIN),
    ("0 main hands=QC/KC", "push", "main_now", FIRST_MAIN),
    ("0 main hands=QC/KC", "steal QC", "main_now", FIRST_MAIN),
    ("0 main hands=QC/KC", "decline", "main_now", FIRST_MAIN),
    ("0 tut hands=QC/KC", "a1 QC", "tut_now", NOW_TUT),
    ("0 tut hands=QC/KC", "c1 QC", "tut_now", NOW_TUT),
    ("0 tut hands=QC/KC", "b QC", "tut_now", NOW_TUT),
    ("0 tut hands=QC/KC", "pass", "tut_now", NOW_TUT),
    ("0 tut hands=QC/KC", "decline", "tut_now", NOW_TUT),
    (CHANCE.format(closing="7S"), "pass", "coyote_now", NOW_COYOTE),
    (CHANCE.format(closing="7S"), "draw", "coyote_now", NOW_COYOTE),
    (CHANCE.format(closing="7S"), "a1 2H", "coyote_now", NOW_COYOTE),
    (
        "0 tut hands=QC/KC",
        "drop",
        "drop_what",
        "say which card to drop; a bare drop is for an empty hand (M15)",
    ),
    ("0 main hands=QC/KC", "a1 TD", "not_in_hand", "10♦ is not in your hand (M5)"),
    ("0 main hands=QC/KC", "a1 KC", "not_in_hand", "K♣ is not in your hand (M5)"),
    ("0 main hands=QC/KC", "c1 X1", "not_in_hand", "Jk★ is not in your hand (M5)"),
    ("0 main hands=QC/KC", "b KC", "not_in_hand", "K♣ is not in your hand (M5)"),
    ("0 tut hands=QC/KC", "drop KC", "not_in_hand", "K♣ is not in your hand (M5)"),
    ("0 tut hands=-/KC", "drop QC", "not_in_hand", "Q♣ is not in your hand (M5)"),
    (CHANCE.format(closing="7S"), "steal QC", "not_in_hand", "Q♣ is not in your hand (M5)"),
    ("0 main hands=QC/KC fields=-/-|7S/-=0|-/-", "a2 QC", "field_closed", "field 2 is closed (M6)"),
    ("0 main hands=QC/KC fields=-/-|7S/-=0|-/-", "c2 QC", "field_closed", "field 2 is closed (M6)"),
    ("0 main hands=QC/KC fields=-/-|-/-|-/-=3H", "a3 QC", "field_closed", "field 3 is closed (M6)"),
    ("0 main hands=QC/KC", "a4 QC", "no_such_field", "there is no field 4: the fields are 1 to 3 (M5)"),
    ("0 main hands=QC/KC", "c4 QC", "no_such_field", "there is no field 4: the fields are 1 to 3 (M5)"),
    (
        "0 main hands=QC/KC rules=close:never",
        "c1 QC",
        "no_closing",
        "in this game no field can be closed with a card from hand (M14)",
    ),
    ("0 main hands=QC/KC rules=jokers:1", "a1 X2", "no_such_card", "Jk☆ is not in this game (M1)"),
    ("0 tut hands=QC/KC rules=jokers:0", "drop X1", "no_such_card", "Jk★ is not in this game (M1)"),
    ("0 main hands=KS/KC boss=AD", "b KS", "boss_too_strong", "a King does not beat an Ace Boss (M2)"),
    ("0 main hands=AS/KC boss=8D", "b AS", "boss_too_strong", "an Ace does not beat an 8 Boss (M2)"),
    ("0 main hands=7S/KC boss=8D", "b 7S", "boss_too_strong", "a 7 does not beat an 8 Boss (M2)"),
    ("0 main hands=KS/KC boss=X1", "b KS", "boss_too_strong", "a King does not beat a Joker Boss (M3)"),
    ("0 main hands=8S/KC boss=8D", "b 8S", "boss_equal", "an 8 does not beat an 8 Boss: they are equal (M4)"),
    (
        "0 main hands=AS/KC boss=AD",
        "b AS",
        "boss_equal",
        "an Ace does not beat an Ace Boss: they are equal (M4)",
    ),
    (
        CHANCE.format(closing="7S"),
        "steal 6H",
        "steal_too_weak",
        "a 6 is not stronger than a 7, which closed the round (M18)",
    ),
    (
        CHANCE.format(closing="7S"),
        "steal 7H",
        "steal_too_weak",
        "a 7 is not stronger than a 7, which closed the round (M18)",
    ),
    (
        CHANCE.format(closing="X1"),
        "steal 7H",
        "steal_too_weak",
        "a 7 is not stronger than a Joker, which closed the round (M18)",
    ),
]
BY_EDITION = {"field_not_empty"}  # M14: a refusal of the standard edition only
BY_SEAT = {"not_your_turn"}


def refused(match: Match, move: str, seat: int | None = None) -> IllegalMove:
    """The refusal of a move, after which nothing has changed."""
    before = (match.position(), match.events(), list(match.moves), match.legal(), match.result)
    with pytest.raises(IllegalMove) as raised:
        match.play(move, seat)
    assert before == (match.position(), match.events(), list(match.moves), match.legal(), match.result)
    return raised.value


@both_editions
@pytest.mark.parametrize(("text", "move", "code", "sentence"), CASES)
def test_m14_m15_m18_every_refusal_says_why_and_changes_nothing(
    edition: str, text: str, move: str, code: str, sentence: str
) -> None:
    error = refused(at(edition, text.format(goal=GOALS[edition])), move)
    assert error.refusal.code == f"refusal.{code}"
    assert str(error) == error.message("en") == sentence
    russian = error.message("ru")
    assert russian.strip()
    assert russian != sentence


def test_m14_every_refusal_there_is_has_a_case() -> None:
    source = inspect.getsource(refusals)
    codes = {code for _, _, code, _ in CASES} | BY_EDITION | BY_SEAT
    assert codes == set(re.findall(r'"refusal\.(\w+)"', source))


@pytest.mark.parametrize("fields", ["7S/9H!|-/-|-/-", "-/9H|-/-|-/-"])
def test_m14_standard_only_an_empty_field_can_be_closed(fields: str) -> None:
    error = refused(at("standard", f"0 main hands=QC/KC fields={fields}"), "c1 QC")
    assert str(error) == "field 1 is not empty, and only an empty field can be closed (M14)"
    assert error.message("ru").strip()
    assert "c1 QC" in at("classic", f"0 main hands=QC/KC fields={fields}").legal()


@both_editions
@pytest.mark.parametrize(
    ("text", "seat", "rule"),
    [
        ("0 main hands=QC/KC", 1, "M14"),
        ("1 main hands=QC/KC", 0, "M14"),
        ("0 tut hands=QC/KC", 1, "M15"),
        (CHANCE.format(closing="7S"), 0, "M18"),
    ],
)
@pytest.mark.parametrize("move", ["pass", "draw", "decline", "a1 KC", "rubbish"])
def test_m14_m15_m18_the_other_one_has_to_wait(
    edition: str, text: str, seat: int, rule: str, move: str
) -> None:
    error = refused(at(edition, text), move, seat)
    assert str(error) == f"it is the other player's decision now ({rule})"
    assert error.message("ru").strip()


@both_editions
@pytest.mark.parametrize("seat", (-1, 2))
def test_m14_who_has_no_seat_has_no_moves(edition: str, seat: int) -> None:
    match = at(edition, "0 main hands=QC/KC")
    assert match.legal(seat) == []
    assert refused(match, "pass", seat).refusal.code == "refusal.not_your_turn"


@both_editions
def test_m14_a_refused_move_does_not_enter_the_record(edition: str) -> None:
    match = Match.from_record(
        {"game": "madness", "options": {"edition": edition}, "players": ["?", "?"], "deck": list(NAMES)}
    )
    match.play("a1 3C")
    before = match.record()
    for move in ("a1 3C", "drop X1", "rubbish"):
        refused(match, move)
    assert match.record() == before
    assert before["moves"] == [[0, "a1 3C"]]


@both_editions
def test_m8_a_refusal_tells_nothing_of_the_other_hand(edition: str) -> None:
    for hands, deck in (("QC/KC", "4C"), ("QC/4C", "KC")):
        match = at(edition, f"0 main hands={hands} deck={deck}")
        assert str(refused(match, "a1 KC")) == "K♣ is not in your hand (M5)"


# ---------------------------------------------------------------- all 491 moves

EVERYWHERE = [
    "0 main hands=QC,9S,X1/KC,2H",
    "1 main hands=QC,9S,X1/KC,2H fields=7S/5H!|-/-|-/-=3H",
    "0 main hands=AS,5S/KC boss=KD fields=7S/9H!|-/KH|5D/-=0",
    "0 main hands=-/KC deck=-",
    "0 tut hands=QC,9S/KC",
    "1 tut hands=QC/-",
    "0 tut hands=-/KC deck=- idle=1",
    CHANCE.format(closing="7S"),
    CHANCE.format(closing="X1"),
    "1 coyote hands=AC,X2,2C/QC fields=-/3C=1|-/3D=1|-/KS=1 closing=1",
    "0 over hands=-/KC reason=starvation",
]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("text", EVERYWHERE)
def test_m14_m15_m18_every_move_is_played_or_refused_with_a_reason(edition: str, text: str) -> None:
    match = at(edition, text)
    position, legal = match.position(), match.legal()
    for move in MOVES:
        if move in legal:
            twin = Match.from_position(position)
            twin.play(move)
            assert twin.moves == [(match.actors[0], move)]
            assert twin.position() != position
        else:
            with pytest.raises(IllegalMove) as raised:
                match.play(move)
            assert raised.value.message("en") and raised.value.message("ru")
    assert match.position() == position
    assert match.events() == []


@both_editions
def test_m14_a_copy_plays_on_by_itself(edition: str) -> None:
    match = at(edition, "0 main hands=QC,9S/KC")
    twin = match.copy()
    twin.play("b 9S")
    assert match.position() == at(edition, "0 main hands=QC,9S/KC").position()
    assert (list(match.moves), match.events()) == ([], [])
    assert twin.situation()["boss"] == "9S"
