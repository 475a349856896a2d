"""Positions in one line: read, written, and refused with every reason."""

import inspect
import re

import pytest

from coyote import Match
from coyote.games import positions
from coyote.games.game import PositionError
from coyote.games.madness import position
from coyote.games.madness.cards import NAMES
from madness.kit_madness import both_editions, played, result

# ---------------------------------------------------------------- there and back

WRITTEN = [
    "madness standard 0 main turn=1 hands=QC/KC boss=8D fields=-/-|-/-|-/- deck=4C",
    "madness classic 1 main turn=2 hands=QC/KC boss=8D fields=-/-|-/-|-/- deck=4C,4D,2C",
    "madness standard 0 tut turn=7 lead=+2 hands=8S/2H boss=QH fields=JD*2!/9C|KD*2/KS!=draw|-/-=3H deck=AS"
    " moved=1",
    "madness classic 1 tut turn=8 lead=-5 hands=8S/- boss=X1 discard=X2 fields=7S!/-=3H|-/9C!|-/- deck=-",
    "madness standard 0 main turn=3 hands=QC/KC boss=8D fields=7S/9C!|-/9H!|7D!/-=0 deck=4C",
    "madness standard 0 coyote turn=5 hands=-/KC boss=8D fields=3C!/-=0|3D!/-=0|7S/5H!=0 closing=3 deck=4C",
    "madness classic 1 coyote turn=6 hands=KC/- boss=8D fields=3C!/-=0|3D/9D!=2S|7S/5H!=0 closing=2 deck=-",
    "madness standard 0 main turn=41 hands=QC/KC boss=8D fields=-/-|-/-|-/- deck=- idle=1",
    "madness standard 0 tut turn=41 hands=QC/KC boss=8D fields=-/-|-/-|-/- deck=- dry=0 moved=1",
    "madness standard 0 over turn=9 lead=+5 hands=QC/KC boss=8D fields=-/-|-/-|-/- deck=4C reason=lead",
    "madness classic 1 over turn=8 lead=+5 hands=QC/- boss=8D fields=-/-|-/-|-/- deck=4C reason=starvation",
    "madness standard 0 over turn=61 hands=-/- boss=8D fields=7S!/-|-/-|-/- deck=- moved=1 reason=endurance",
    "madness classic 1 over turn=62 hands=QC/KC boss=8D fields=-/-|-/-|-/- deck=- idle=2 reason=stall",
    "madness standard 0 main rules=goal:7,fields:2,jokers:1 turn=1 lead=+6 hands=QC/KC boss=8D"
    " fields=-/9H!|-/- deck=4C",
    "madness classic 1 coyote rules=fields:1,close:never turn=6 hands=KC/2D boss=8D fields=-/5H!=1 closing=1"
    " deck=4C",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_position_is_written_as_it_was_read(text: str) -> None:
    assert Match.from_position(text).position() == text


@pytest.mark.parametrize("text", WRITTEN)
def test_position_goes_on_in_the_same_way_after_it_was_read_again(text: str) -> None:
    match = Match.from_position(text)
    for move in match.legal():
        one, two = Match.from_position(text), Match.from_position(match.position())
        assert played(one, move).position() == played(two, move).position()
        assert one.events() == two.events()


def test_position_parts_may_come_in_any_order() -> None:
    words = WRITTEN[2].split()
    assert Match.from_position(" ".join(words[:4] + words[:3:-1])).position() == WRITTEN[2]


def test_position_spaces_do_not_matter() -> None:
    assert Match.from_position("  " + WRITTEN[2].replace(" ", "\t \n") + "\n").position() == WRITTEN[2]


@both_editions
def test_position_says_everything_a_situation_has(edition: str) -> None:
    match = Match.from_position(
        f"madness {edition} 1 main turn=8 lead=-2 hands=8S,JD/2H boss=QH discard=6S "
        "fields=9S!/7C|KD*2/KS!=draw|-/-=3H deck=AS,2C"
    )
    assert match.game.options == {"edition": edition}
    situation = match.situation()
    legal = situation.pop("legal")
    assert "a1 2H" in legal
    assert situation == {
        "seat": 1,
        "phase": "main",
        "turn": 8,
        "lead": -2,
        "hands": [["8S", "JD"], ["2H"]],
        "deck": 2,
        "boss": "QH",
        "discard": "6S",
        "fields": [
            {"tops": ["9S", "7C"], "heights": [1, 1], "last": 0, "closed": False},
            {"tops": ["KD", "KS"], "heights": [2, 1], "last": 1, "closed": True},
            {"tops": [None, None], "heights": [0, 0], "last": None, "closed": True},
        ],
    }


def test_position_the_deck_is_written_top_card_first() -> None:
    match = Match.from_position("madness standard 0 tut hands=QC/KC boss=8D deck=AS,2C")
    assert played(match, "push").situation()["boss"] == "AS"


@pytest.mark.parametrize(("seat", "turn"), [(0, 1), (1, 2)])
def test_position_what_may_be_left_out(seat: int, turn: int) -> None:
    match = Match.from_position(f"madness standard {seat} main hands=QC/KC boss=8D")
    assert match.position() == (
        f"madness standard {seat} main turn={turn} hands=QC/KC boss=8D fields=-/-|-/-|-/- deck=-"
    )


def test_position_the_last_mark_may_be_left_out_where_one_side_has_cards() -> None:
    match = Match.from_position("madness standard 0 main hands=QC/KC boss=8D fields=-/9C|7S/-=0|-/-")
    assert "fields=-/9C!|7S!/-=0|-/-" in match.position()


def test_position_cards_named_nowhere_lie_out_of_sight() -> None:
    match = Match.from_position("madness standard 0 main hands=QC/KC boss=8D deck=4C")
    assert match.view_json(0)["memory"] == sorted(set(NAMES) - {"QC", "KC", "8D", "4C"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (WRITTEN[9], (0, "lead", 5)),
        (WRITTEN[10], (0, "starvation", 5)),
        (WRITTEN[11], (None, "endurance", 0)),
        (WRITTEN[12], (None, "stall", 0)),
    ],
)
def test_position_m10_m13_m22_m24_a_game_that_is_over(
    text: str, expected: tuple[int | None, str, int]
) -> None:
    assert result(Match.from_position(text)) == expected


def test_position_m24_dry_and_moved_are_kept() -> None:
    head = "madness standard 1 tut hands=QC/KC boss=8D"
    assert result(played(Match.from_position(f"{head} idle=1"), "draw")) == (None, "stall", 0)
    assert result(played(Match.from_position(f"{head} dry=0"), "draw", "pass", "draw")) is None
    assert result(played(Match.from_position(f"{head} idle=1 moved=1"), "draw")) is None


def test_position_a_match_from_one_has_no_record() -> None:
    with pytest.raises(ValueError, match="no deal"):
        Match.from_position(WRITTEN[0]).record()


# ---------------------------------------------------------------- every fault

MAIN = "madness standard 0 main hands=QC/KC boss=8D deck=4C"
CHANCE = "madness standard 0 coyote hands=QC/KC boss=8D deck=4C fields="
KEYS = "rules, turn, lead, hands, boss, discard, fields, closing, deck, idle, dry, moved, reason"
ENDS = "a game that is over, and no other, has one of: lead, starvation, endurance, stall"
RULES = "rules={} is not house rules such as goal:7,fields:2"
BEGINNING = (
    "a position begins like “madness standard 0 main”, not like “{}”; "
    "editions: standard, classic; seats: 0, 1; phases: main, tut, coyote, over"
)

FAULTS = [
    ("head", MAIN.replace("standard", "third"), BEGINNING.format("madness third 0 main")),
    ("head", MAIN.replace("madness", "chess"), BEGINNING.format("chess standard 0 main")),
    ("head", MAIN.replace(" 0 ", " 2 "), BEGINNING.format("madness standard 2 main")),
    ("head", MAIN.replace(" main", " pause"), BEGINNING.format("madness standard 0 pause")),
    ("head", f"{MAIN} more", BEGINNING.format("madness standard 0 main more")),
    ("unknown_key", f"{MAIN} colour=red", f"there is no key colour; the keys are {KEYS}"),
    ("twice", f"{MAIN} deck=4D", "deck is given twice"),
    ("twice", f"{MAIN} rules=goal:7,goal:7", "goal is given twice"),
    ("rules", f"{MAIN} rules=goal", RULES.format("goal")),
    ("rules", f"{MAIN} rules=goal:", RULES.format("goal:")),
    ("rules", f"{MAIN} rules=goal:7,", RULES.format("goal:7,")),
    ("rules", f"{MAIN} rules=", RULES.format("")),
    ("number", f"{MAIN} lead=many", "lead is “many”, not a number from -99 to 99"),
    ("number", f"{MAIN} turn=0", "turn is “0”, not a number from 1 to 999"),
    ("number", f"{MAIN} turn=1000", "turn is “1000”, not a number from 1 to 999"),
    ("number", f"{MAIN} idle=3", "idle is “3”, not a number from 0 to 2"),
    ("number", f"{MAIN} dry=2", "dry is “2”, not a number from 0 to 1"),
    ("number", f"{MAIN} moved=-1", "moved is “-1”, not a number from 0 to 1"),
    ("no_card", MAIN.replace("8D", "1D"), "“1D” (boss) is no card"),
    ("no_card", MAIN.replace("8D", "8d"), "“8d” (boss) is no card"),
    ("no_card", MAIN.replace("QC", "QC,"), "“” (hands) is no card"),
    ("no_card", f"{MAIN} discard=X3", "“X3” (discard) is no card"),
    ("no_card", f"{MAIN} fields=-/-=all|-/-|-/-", "“all” (field 1) is no card"),
    ("card_twice", MAIN.replace("4C", "QC"), "Q♣ is in two places: hands and deck (M1)"),
    ("card_twice", f"{MAIN} fields=-/-|-/8D|-/-", "8♦ is in two places: boss and field 2 (M1)"),
    ("hands", MAIN.replace("QC/KC", "QC"), "“QC” is not two hands with a / between them"),
    ("hands", MAIN.replace("QC/KC", "QC/KC/-"), "“QC/KC/-” is not two hands with a / between them"),
    ("no_boss", MAIN.replace("boss=8D ", ""), "there is no Boss (M11)"),
    ("fields", f"{MAIN} fields=-/-|-/-", "“-/-|-/-” is not 3 fields with | between them (M5)"),
    ("side", f"{MAIN} fields=-/9H|7S|-/-", "field 2: “7S” is not two sides such as 7S*2!/-"),
    ("side", f"{MAIN} fields=-/9H|-/7S*0|-/-", "field 2: “-/7S*0” is not two sides such as 7S*2!/-"),
    ("last", f"{MAIN} fields=7S/9H|-/-|-/-", "field 1: mark with ! the one side that was laid on last"),
    ("last", f"{MAIN} fields=7S!/9H!|-/-|-/-", "field 1: mark with ! the one side that was laid on last"),
    ("last", f"{MAIN} fields=-!/9H|-/-|-/-", "field 1: mark with ! the one side that was laid on last"),
    (
        "won_with_nothing",
        f"{MAIN} fields=-/-|7S/-=1|-/-",
        "field 2 cannot be won by seat 1 with no card there (M12)",
    ),
    (
        "drawn_with_nothing",
        f"{MAIN} fields=7S/-=draw|-/-|-/-",
        "field 1 cannot be drawn without a card on each side (M12)",
    ),
    (
        "drawn_with_nothing",
        f"{MAIN} fields=-/-=draw|-/-|-/-",
        "field 1 cannot be drawn without a card on each side (M12)",
    ),
    ("closing", f"{MAIN} closing=1", "closing=1 is for the phase coyote only (M18)"),
    (
        "no_closing",
        f"{CHANCE}3C/-=0|3D/-=0|7S/-=0",
        "the phase coyote needs closing=, the number of the field that closed last (M18)",
    ),
    ("reason", f"{MAIN} reason=lead", f"reason=lead: {ENDS}"),
    ("reason", MAIN.replace("main", "over"), f"reason=-: {ENDS}"),
    ("reason", MAIN.replace("main", "over") + " reason=boredom", f"reason=boredom: {ENDS}"),
    ("turn_seat", f"{MAIN} turn=2", "turn 2 is the turn of seat 1 (M11)"),
    (
        "heights",
        f"{MAIN} fields=7S*60/9H!|-/-|-/-",
        "the stacks cover 59 cards, but only 48 are not accounted for (M7)",
    ),
    (
        "deck_size",
        MAIN.replace("deck=4C", "deck=" + ",".join(sorted(set(NAMES) - {"QC", "KC", "8D"}))),
        "the deck cannot hold 51 cards after the deal (M11)",
    ),
    ("dry", f"{MAIN} dry=1", "the turn cannot have begun with an empty deck that is not empty now (M24)"),
    ("idle", f"{MAIN} idle=1", "idle turns need an empty deck (M24)"),
    (
        "close_on_cards",
        f"{MAIN} fields=7S/-=2S|-/-|-/-",
        "field 1 cannot be closed with a card from hand while cards lie on its sides (M14)",
    ),
    (
        "close_never",
        f"{MAIN} rules=close:never fields=-/-=2S|-/-|-/-",
        "field 1 cannot be closed with a card from hand: in this game no field can (M14)",
    ),
    (
        "no_draw",
        f"{MAIN} fields=7S/9H!=draw|-/-|-/-",
        "field 1 cannot be drawn: its top cards are not equal (M12)",
    ),
    (
        "no_draw",
        f"{MAIN} fields=X1/X2!=draw|-/-|-/-",
        "field 1 cannot be drawn: its top cards are not equal (M12)",
    ),
    (
        "no_win",
        f"{MAIN} fields=7S/9H!=0|-/-|-/-",
        "field 1 cannot be won by seat 0: its card is not the stronger one (M12)",
    ),
    (
        "no_win",
        f"{MAIN} fields=X1/X2!=0|-/-|-/-",
        "field 1 cannot be won by seat 0: its card is not the stronger one (M12)",
    ),
    ("won", f"{MAIN} lead=5", "with the lead at 5 the game is over: 5 wins (M10)"),
    ("won", f"{MAIN} lead=-7", "with the lead at -7 the game is over: 5 wins (M10)"),
    (
        "won",
        f"{MAIN} lead=6".replace("standard", "classic"),
        "with the lead at 6 the game is over: 6 wins (M10)",
    ),
    (
        "spent",
        "madness standard 0 main hands=-/- boss=8D deck=-",
        "the deck and both hands are empty, so the game is over (M22)",
    ),
    ("stalled", MAIN.replace("4C", "-") + " idle=2", "after two idle turns the game is over (M24)"),
    (
        "all_closed",
        f"{MAIN} fields=3C/-=0|3D/-=0|7S/-=0",
        "all fields are closed, so the round is over (M16)",
    ),
    (
        "starved",
        MAIN.replace("QC/KC", "-/KC"),
        "seat 0 has no card while the deck has some, so it has starved (M13)",
    ),
    ("unsettled", f"{MAIN} fields=-/-|7S/-|-/-", "field 2 would have been settled before (M12)"),
    ("unsettled", f"{MAIN} fields=-/-|7S!/7H|-/-", "field 2 would have been settled before (M12)"),
    (
        "no_chance",
        f"{CHANCE}3C/-=0|3D/-=0|7S/-=0 closing=3 rules=chance:no",
        "there is no Coyote's Chance in this game (M18)",
    ),
    (
        "not_closed",
        f"{CHANCE}3C/-=0|3D/-=0|-/- closing=2",
        "the Coyote's Chance needs all fields closed (M16)",
    ),
    (
        "no_winner",
        f"{CHANCE}3C/-=0|3D/-=0|7S!/7H=draw closing=3",
        "field 3 has no winner who is on the move, so there is no Coyote's Chance (M17)",
    ),
    (
        "no_winner",
        f"{CHANCE}3C/-=0|3D/-=0|-/-=7S closing=3",
        "field 3 has no winner who is on the move, so there is no Coyote's Chance (M17)",
    ),
    (
        "no_winner",
        f"{CHANCE}3C/-=0|3D/-=0|-/7S=1 closing=3",
        "field 3 has no winner who is on the move, so there is no Coyote's Chance (M17)",
    ),
    (
        "no_hand",
        f"{CHANCE}3C/-=0|3D/-=0|7S/-=0 closing=3".replace("QC/KC", "QC/-"),
        "seat 1 has no card, so there is no Coyote's Chance (M18)",
    ),
    ("no_such_end", MAIN.replace("main", "over") + " reason=lead", "this is no end by lead (M10)"),
    (
        "no_such_end",
        MAIN.replace("main", "over") + " reason=starvation",
        "this is no end by starvation (M13)",
    ),
    ("no_such_end", MAIN.replace("main", "over") + " reason=endurance", "this is no end by endurance (M22)"),
    ("no_such_end", MAIN.replace("main", "over") + " reason=stall", "this is no end by stall (M24)"),
]


def refused(text: str) -> PositionError:
    with pytest.raises(PositionError) as raised:
        Match.from_position(text)
    return raised.value


@pytest.mark.parametrize(("code", "text", "sentence"), FAULTS)
def test_position_every_fault_is_told(code: str, text: str, sentence: str) -> None:
    error = refused(text)
    assert [refusal.code for refusal in error.refusals] == [f"position.{code}"]
    assert str(error) == error.message("en") == sentence
    assert error.message("ru").strip()


def test_position_every_fault_there_is_has_a_case() -> None:
    source = inspect.getsource(position) + inspect.getsource(positions)
    assert {code for code, _, _ in FAULTS} == set(re.findall(r'fault\(\s*"(\w+)"', source))


def test_position_m14_classic_may_close_over_cards() -> None:
    text = f"{MAIN} fields=7S/-=2S|-/-|-/-".replace("standard", "classic")
    assert Match.from_position(text).view_json(0)["fields"][0]["marker"] == "2S"


def test_position_m17_classic_a_close_may_bring_the_chance() -> None:
    text = f"{CHANCE}3C/-=0|3D/-=0|-/-=7S closing=3".replace("standard", "classic")
    assert Match.from_position(text).actors == [1]


@pytest.mark.parametrize("closing", ["0", "4", "x", "-1"])
def test_position_closing_must_be_a_field(closing: str) -> None:
    error = refused(f"{CHANCE}3C/-=0|3D/-=0|7S/-=0 closing={closing}")
    assert f"closing is “{closing}”, not a number from 1 to 3" in str(error)


def test_position_faults_of_the_text_are_told_together() -> None:
    text = "madness standard 0 main hands=QC boss=1D fields=7S/9H|-/- deck=4C,4C"
    assert str(refused(text)).split("; ") == [
        "“QC” is not two hands with a / between them",
        "“1D” (boss) is no card",
        "“7S/9H|-/-” is not 3 fields with | between them (M5)",
        "4♣ is in two places: deck and deck (M1)",
    ]


def test_position_faults_of_the_game_are_told_together() -> None:
    text = "madness standard 0 main turn=4 hands=-/8S boss=QH lead=9 fields=7C/-|3S/5S!=0|-/- deck=2C"
    assert str(refused(text)).split("; ") == [
        "turn 4 is the turn of seat 1 (M11)",
        "field 2 cannot be won by seat 0: its card is not the stronger one (M12)",
        "with the lead at 9 the game is over: 5 wins (M10)",
        "seat 0 has no card while the deck has some, so it has starved (M13)",
        "field 1 would have been settled before (M12)",
    ]


# ---------------------------------------------------------------- odd input

ODD = [
    "",
    " ",
    "\n\t",
    "=",
    "==",
    "/",
    "|",
    "\x00",
    "madness",
    "madness standard",
    "madness standard 0 main",
    "MADNESS STANDARD 0 MAIN boss=8D hands=QC/KC",
    "мэднесс стандарт 0 main",
    "♥♦♣♠ 🃏 =🃏",
    "{} {0} {text} {key.__class__} %s %d",
    "madness standard ٠ main hands=QC/KC boss=8D",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "{'game': 'madness'}",
    "x" * 100_000,
    "x=y " * 1_000,
    MAIN + " lead=" + "9" * 10_000,
    MAIN + " lead=1e1",
    MAIN + " lead=0x1",
    MAIN + " lead=",
    MAIN + " lead=+-1",
    MAIN + " deck=" + ",".join(NAMES) * 50,
    MAIN + " fields=" + "|" * 10_000,
    MAIN + " fields=" + "/" * 10_000 + "|-/-|-/-",
    MAIN.replace("QC", "QC" * 10_000),
    MAIN.replace("8D", "８Ｄ"),
    MAIN.replace("8D", "-"),
    MAIN.replace("boss=8D", "boss="),
    MAIN.replace("deck=4C", "deck="),
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_position_odd_input_is_refused_with_a_message(text: str) -> None:
    error = refused(text)
    assert error.message("en").strip()
    assert error.message("ru").strip()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{MAIN} fields=-*3/-|-/-|-/-", id="a stack of no card"),
        pytest.param(f"{MAIN} fields=-/7S=|-/-|-/-", id="closed with nothing"),
        pytest.param(f"{MAIN} fields=", id="empty fields"),
        pytest.param(MAIN.replace("QC/KC", "").replace("main", "tut"), id="empty hands"),
        pytest.param(f"{MAIN} turn=٣", id="digits of another alphabet"),
        pytest.param(f"{MAIN} fields=-/7S*1٣|-/-|-/-", id="a height in another alphabet"),
    ],
)
def test_position_what_the_notation_does_not_have_is_not_passed_over(text: str) -> None:
    assert refused(text).message("en").strip()


@pytest.mark.parametrize("text", WRITTEN)
def test_position_one_wrong_letter_is_refused_with_a_message_or_read_for_what_it_says(text: str) -> None:
    for place in range(len(text)):
        for letter in ("", " ", "-", "/", "|", "=", "!", "*", ",", "2", "X", "ё"):
            changed = text[:place] + letter + text[place + 1 :]
            try:
                match = Match.from_position(changed)
            except PositionError as error:
                assert error.message("en") and error.message("ru")
            else:
                written = match.position()
                assert Match.from_position(written).position() == written
