"""First games: every lesson goes through by the rules, in both languages, and teaches what is so."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from coyote import Match
from coyote.games.duel.decks import decode
from coyote.games.duel.sets import core_set
from coyote.table.lessons import lesson, make, script
from coyote.text import Lang
from coyote.text.rulebook import rulebook, rules_of

Json = dict[str, Any]
GAMES = ("madness", "duel")
LANGS: tuple[Lang, ...] = ("en", "ru")
KING_AND_ACE = {"14"}  # M2
FITS = 270  # characters: what can be read on a phone at one step


def parts(game: str) -> list[Json]:
    found: list[Json] = script(game)["part"]
    return found


def brought_about(part: Json) -> Iterator[tuple[Json, list[Json]]]:
    """Every entry with the events that its moves led to, as the learner is told them."""
    match, seen = Match.from_position(part["position"]), 0
    for entry in part["step"]:
        make(match, entry)
        yield entry, [event.as_json() for event in match.events(0, seen)]
        seen = len(match.rows)


def all_events(game: str) -> list[Json]:
    return [event for part in parts(game) for _, events in brought_about(part) for event in events]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGS)
def test_every_step_can_be_made(game: str, lang: str) -> None:
    steps = lesson(game, lang)["steps"]
    wanted = [step for step in steps if step["want"]]
    assert 8 <= len(wanted) <= 20
    for step in wanted:
        assert step["want"] in step["legal"] and len(step["legal"]) > 1
        assert step["say"]
    assert not any(step["legal"] for step in steps if not step["want"])


@pytest.mark.parametrize("game", GAMES)
def test_what_a_step_claims_is_what_the_rules_do(game: str) -> None:
    """`damage 1 damage=12`: the kind, the seat, and any of the values."""
    claims = 0
    for part in parts(game):
        for entry, events in brought_about(part):
            for claim in entry.get("shows", []):
                kind, seat, *values = claim.split()
                wanted = {"kind": kind, "seat": None if seat == "-" else int(seat)}
                told = dict(value.split("=") for value in values)
                found = [
                    event
                    for event in events
                    if wanted.items() <= event.items() and told == {key: str(event.get(key)) for key in told}
                ]
                assert found, (claim, events)
                claims += 1
            moves = [key for key in ("you", "they") if key in entry]
            silent = entry.get("they") == "draw"
            assert ("shows" in entry) == bool(moves) or silent, entry
    assert claims >= 20


@pytest.mark.parametrize("game", GAMES)
def test_every_number_that_is_told_was_shown(game: str) -> None:
    """A number about what has happened is one of the claims, or stands on a card that was played."""
    cards = {card.id: card.text("en") for card in core_set().cards}
    for part in parts(game):
        for entry in part["step"]:
            played = [cards.get(entry.get(key, "").removeprefix("play "), "") for key in ("you", "they")]
            known = set(re.findall(r"\d+", " ".join([*entry.get("shows", []), *played])))
            for lang in LANGS:
                told = re.sub(r"\([MD\d, ]+\)", "", entry.get("then", {}).get(lang, ""))
                assert set(re.findall(r"\d+", told)) - KING_AND_ACE <= known, told


def test_what_a_card_of_the_duel_says_is_quoted_to_the_letter() -> None:
    quotes = {"en": r"“([^”]*\d[^”]*)”", "ru": r"«([^»]*\d[^»]*)»"}
    for lang in LANGS:
        texts = {card.text(lang) for card in core_set().cards}
        said = [step["say"] for step in lesson("duel", lang)["steps"] if step["say"]]
        found = [quote for text in said for quote in re.findall(quotes[lang], text)]
        assert len(found) == 7 and set(found) <= texts


def test_the_deck_to_go_on_with_is_the_one_of_the_lesson() -> None:
    learned = Match.from_position(parts("duel")[0]["position"]).view_json(0)["lists"][0]
    deck = decode(lesson("duel", "en")["deck"], core_set())
    assert deck.ids() == sorted(learned)
    assert lesson("madness", "en")["deck"] is None


@pytest.mark.parametrize("game", GAMES)
def test_the_learner_wins(game: str) -> None:
    last = lesson(game, "en")["steps"][-1]
    assert last["want"] is None and last["view"]["over"] and last["say"]
    ends = [event for event in all_events(game) if event["kind"] == "end"]
    assert ends and {event["seat"] for event in ends} == {0}


@pytest.mark.parametrize("game", GAMES)
def test_all_is_said_in_both_languages_and_names_real_rules(game: str) -> None:
    for part in parts(game):
        texts = [entry[key] for entry in part["step"] for key in ("say", "then") if key in entry]
        for said in [*texts, part["end"], part["title"]]:
            assert set(said) == set(LANGS)
            rules = [re.findall(r"\b[MD]\d+\b", said[lang]) for lang in LANGS]
            assert rules[0] == rules[1], said["en"]
            assert set(rules[0]) <= set(rules_of(rulebook(game, "en")))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGS)
def test_what_is_read_at_once_is_short(game: str, lang: str) -> None:
    """All that was told since the learner last went on, and what is wanted now."""
    told = ""
    for step in lesson(game, lang)["steps"]:
        told += (step["told"] or "") + (step["say"] or "")
        assert len(told) <= FITS, told
        if step["want"] or step["say"]:
            told = ""


@pytest.mark.parametrize("game", GAMES)
def test_the_positions_are_such_as_a_game_can_come_to(game: str) -> None:
    """`from_position` refuses any other; and it is the learner's choice."""
    for part in parts(game):
        assert 0 in Match.from_position(part["position"]).actors


def test_madness_shows_every_kind_of_move_and_both_kinds_of_end() -> None:
    wanted = [step["want"] for step in lesson("madness", "en")["steps"] if step["want"]]
    verbs = {move.split()[0] for move in wanted}
    assert {"a", "c", "b"} <= {verb[0] for verb in verbs}
    assert {"draw", "drop", "push", "steal", "pass"} <= verbs
    events = all_events("madness")
    assert {event["source"] for event in events if event["kind"] == "point"} == {
        "field",
        "boss",
        "round",
        "hand",
    }
    assert {event["reason"] for event in events if event["kind"] == "end"} == {"lead", "endurance"}


def test_madness_shows_equal_cards_and_a_joker_on_a_joker() -> None:
    events = all_events("madness")
    drawn = [event for event in events if event["kind"] == "field" and event["seat"] is None]
    assert [event["field"] for event in drawn] == [1]
    attacks = [event["card"] for event in events if event["kind"] == "attack" and event["field"] == 2]
    place = attacks.index("X1")
    assert attacks[place + 1] == "X2"
    assert any(event["kind"] == "field" and event["seat"] == 0 and event["card"] == "X2" for event in events)


def test_the_duel_shows_block_healing_time_conditions_and_a_new_deck() -> None:
    happened = all_events("duel")
    kinds = {event["kind"] for event in happened}
    assert {"damage", "heal", "new_deck", "end"} <= kinds
    assert any(event["kind"] == "damage" and event["blocked"] and not event["damage"] for event in happened)
    played = {step["want"].removeprefix("play ") for step in lesson("duel", "en")["steps"] if step["want"]}
    assert {"stalk", "thorns", "siesta", "brushfire"} <= played
