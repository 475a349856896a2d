"""A real pack, judged: what is said of a game is enough to follow it, and nothing else is ever known."""

from random import Random

import pytest

from coyote.games.madness.game import Madness
from coyote.games.madness.judged import Judged
from coyote.match import Match
from coyote.records import follow
from coyote.text import Refused

VARIANTS = [
    {"edition": "standard"},
    {"edition": "classic"},
    {"edition": "standard", "goal": 7, "fields": 2, "jokers": 0, "extra": 1},
    {"edition": "classic", "fields": 4, "hand": 3, "chance": "no", "komi": 2, "jokers": 1},
]


def shown_card(match: Match, events: int) -> str:
    """The card that a push has turned up, as everybody saw it."""
    return next((str(e["card"]) for e in map(dict, told(match, events)) if e["kind"] == "push"), "")


def told(match: Match, events: int) -> list[dict[str, object]]:
    return [{"kind": event.kind, **event.values} for event in match.events(-1, events)]


def judge_of(match: Match) -> Judged:
    return Judged(match.game, str(match.view_json(-1)["boss"]))


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("number", range(6))
def test_a_judged_game_is_the_game(options: dict[str, object], number: int) -> None:
    """Said move by move by somebody who sees the table alone: everybody's view is the same at every step."""
    dice = Random(f"{options} {number}")
    match = Match("madness", seed=f"judge {number}", **options)  # type: ignore[arg-type]
    judge = judge_of(match)
    while not match.over:
        seat = match.actors[0]
        assert judge.decider == seat and set(match.legal(seat)) <= set(judge.legal())
        assert set(match.hands[0]) | set(match.hands[1]) <= set(judge.hidden)
        move, before = dice.choice(match.legal(seat)), len(match.rows)
        match.play(move, seat)
        assert judge.say(move, shown_card(match, before)) is None
        assert judge.game.view_json(judge.game.view(judge.state, -1), -1) == match.view_json(-1)
    assert judge.decider is None and judge.legal() == []
    record = judge.record(["Anna", "Boris"])
    followed = follow(record)
    assert followed.result == match.result and followed.view_json(-1) == match.view_json(-1)
    assert [move for _, move in match.moves] == [move for _, move in followed.moves]


@pytest.mark.parametrize("options", VARIANTS[:2], ids=str)
def test_a_game_that_is_broken_off_is_a_record_too(options: dict[str, object]) -> None:
    match = Match("madness", seed="half", **options)  # type: ignore[arg-type]
    judge = judge_of(match)
    for _ in range(9):
        move, before = match.legal()[0], len(match.rows)
        match.play(move)
        judge.say(move, shown_card(match, before))
    record = judge.record(["?", "?"])
    assert follow(record).view_json(-1) == match.view_json(-1)
    assert record["result"]["reason"] == "aborted" and record["unseen"] == sorted(record["unseen"])


def test_what_is_said_wrong_is_refused_and_changes_nothing() -> None:
    judge = Judged(Madness(edition="standard"), "7H")
    deck = list(judge.deck)
    for move, shows, code in (
        ("a1 7H", "", "judging.seen"),
        ("b 5C", "", "refusal.boss_too_strong"),
        ("a9 8C", "", "refusal.no_move"),
        ("draw", "", "refusal.main_now"),
        ("steal 8C", "", "refusal.main_now"),
        ("pass", "8C", "judging.shows_nothing"),
        ("nonsense", "", "refusal.no_move"),
        ("pass", "ZZ", "judging.no_card"),
    ):
        refusal = judge.say(move, shows)
        assert refusal is not None and refusal.code == code, (move, refusal)
    assert judge.deck == deck and not judge.moves
    assert judge.say("b 9C") is None  # it counts as held, whatever the deal had been thought to be
    for move, shows, code in (
        ("push", "", "judging.shows"),
        ("push", "9C", "judging.seen"),
        ("drop 9C", "", "judging.seen"),
        ("pass", "", "refusal.tut_now"),
    ):
        refusal = judge.say(move, shows)
        assert refusal is not None and refusal.code == code, (move, refusal)
    assert judge.say("push", "2C") is None
    assert judge.game.view_json(judge.game.view(judge.state, -1), -1)["boss"] == "2C"


def test_a_card_that_is_not_in_the_pack_is_no_boss() -> None:
    with pytest.raises(Refused, match="pack"):
        Judged(Madness(edition="standard", jokers=0), "X1")


def test_with_an_empty_hand_no_card_can_be_played() -> None:
    judge = Judged(Madness(edition="standard", hand=1), "7H")
    assert judge.say("a1 8C") is None and judge.legal()
    assert not any(move.startswith("drop ") for move in judge.legal())
    refusal = judge.say("drop 9C")
    assert refusal is not None and refusal.code == "refusal.not_in_hand"
