"""First games: every lesson goes through by the rules, in both languages, and teaches what it should."""

import re
from typing import Any

import pytest

from coyote import Match
from coyote.table.lessons import lesson, script
from coyote.text.rulebook import rulebook, rules_of

Json = dict[str, Any]
GAMES = ("madness", "duel")
LANGS = ("en", "ru")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGS)
def test_every_step_can_be_made(game: str, lang: str) -> None:
    steps = lesson(game, lang)["steps"]
    wanted = [step for step in steps if step["want"]]
    assert 8 <= len(wanted) <= 12
    for step in wanted:
        assert step["want"] in step["legal"] and len(step["legal"]) > 1
        assert step["say"]
    assert not any(step["legal"] for step in steps if not step["want"])


@pytest.mark.parametrize("game", GAMES)
def test_the_learner_wins(game: str) -> None:
    last = lesson(game, "en")["steps"][-1]
    assert last["want"] is None and last["mover"] is None and last["view"]["over"]
    assert last["events"][-1]["kind"] == "end" and last["events"][-1]["seat"] == 0
    assert last["say"]


@pytest.mark.parametrize("game", GAMES)
def test_all_is_said_in_both_languages_and_names_real_rules(game: str) -> None:
    written = script(game)
    texts = [entry[key] for entry in written["step"] for key in ("say", "then") if key in entry]
    for said in [*texts, written["end"]]:
        assert set(said) == set(LANGS)
        rules = [re.findall(r"\b[MD]\d+\b", said[lang]) for lang in LANGS]
        assert rules[0] == rules[1], said["en"]
        assert set(rules[0]) <= set(rules_of(rulebook(game, "en")))


@pytest.mark.parametrize("game", GAMES)
def test_the_position_is_one_that_a_game_can_come_to(game: str) -> None:
    """`from_position` refuses any other; and it is the learner's choice."""
    assert 0 in Match.from_position(script(game)["position"]).actors


def test_madness_shows_every_kind_of_move() -> None:
    made = {step["want"].split()[0][0] for step in lesson("madness", "en")["steps"] if step["want"]}
    verbs = {step["want"].split()[0] for step in lesson("madness", "en")["steps"] if step["want"]}
    assert {"a", "c", "b"} <= made and {"draw", "drop", "push", "steal"} <= verbs
    points = [event["source"] for event in events("madness") if event["kind"] == "point"]
    assert set(points) == {"field", "boss", "round", "hand"}


def test_the_duel_shows_block_healing_time_conditions_and_a_new_deck() -> None:
    happened = events("duel")
    kinds = {event["kind"] for event in happened}
    assert {"damage", "heal", "new_deck", "end"} <= kinds
    assert any(event["kind"] == "damage" and event["blocked"] and not event["damage"] for event in happened)
    played = {step["want"].removeprefix("play ") for step in lesson("duel", "en")["steps"] if step["want"]}
    assert {"stalk", "thorns", "siesta", "brushfire"} <= played


def events(game: str) -> list[Json]:
    return [event for step in lesson(game, "en")["steps"] for event in step["events"]]
