"""Replays: each viewer gets what they could know, step by step, and nothing that came later."""

import json
from pathlib import Path
from typing import Any

import pytest

from coyote import Match
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import parse_set
from coyote.table.replays import replay

Json = dict[str, Any]
DATA = Path(__file__).parents[1] / "data" / "fairness.json"
RECORDS: list[Json] = [vector["record"] for vector in json.loads(DATA.read_text())["vectors"]]
VIEWERS = ("0", "1", "open")
BOTH_GAMES = pytest.mark.parametrize("record", RECORDS[:2], ids=["madness", "duel"])


@BOTH_GAMES
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_steps_are_the_game(record: Json, viewer: str) -> None:
    found = replay(record, viewer, "en")
    made = [[move["seat"], move["move"]] for step in found["steps"] for move in step["moves"]]
    assert made == record["moves"]
    assert found["steps"][0]["moves"] == [] and found["steps"][0]["view"]["turn"] == 1
    assert found["steps"][-1]["view"]["over"] and found["steps"][-1]["actors"] == []
    assert found["result"] == record["result"]
    assert all(line["text"] and line["rule"] for step in found["steps"] for line in step["story"])


def test_choices_of_a_duel_come_to_light_together() -> None:
    steps = replay(RECORDS[1], "0", "en")["steps"][1:]
    assert {tuple(move["seat"] for move in step["moves"]) for step in steps} == {(0, 1)}
    assert [step["turn"] for step in steps] == list(range(1, len(steps) + 1))


@BOTH_GAMES
def test_a_player_sees_what_that_seat_saw(record: Json) -> None:
    """The views and events are those of the seat; the cards of the other hand are in none of them."""
    for seat in (0, 1):
        match, shown = Match.from_record(record), replay(record, str(seat), "en")["steps"]
        seen: list[Json] = []
        for step in shown:
            for move in step["moves"]:
                match.play(move["move"], move["seat"])
            assert step["view"] == match.view_json(seat)
            assert step["open"] is None
            seen += step["events"]
        assert seen == [event.as_json() for event in match.events(seat)]
        drawn = [event for event in seen if event["kind"] == "draw" and event["seat"] != seat]
        assert drawn and all(event.get("card", event.get("title")) is None for event in drawn)


@BOTH_GAMES
def test_open_shows_both_hands(record: Json) -> None:
    match, shown = Match.from_record(record), replay(record, "open", "en")["steps"]
    for step in shown:
        for move in step["moves"]:
            match.play(move["move"], move["seat"])
        assert step["open"]["hands"] == match.hands
        assert [sorted(hand) for hand in match.hands] == match.situation(0)["hands"]
        assert step["view"]["seat"] == -1


def test_names_and_ends_are_told_in_both_languages() -> None:
    match = Match("madness", seed="a bot", players=["level:5", "Анна"])
    record = {**match.record(), "result": {"winner": 1, "reason": "resignation", "score": 0}}
    english, russian = replay(record, "open", "en"), replay(record, "1", "ru")
    assert english["names"] == ["Scout", "Анна"] and russian["names"] == ["Следопыт", "Анна"]
    assert english["ended"] == "Анна wins. Resignation." and "Анна" in russian["ended"]
    assert len(english["steps"]) == 1


def test_cards_of_another_set_come_with_the_replay() -> None:
    name = '{ ru = "К", en = "C" }'
    cards = "".join(
        f'[[card]]\nid = "c{n}"\nname = {name}\nrarity = "common"\ntext = "Attack {n}."\n' for n in range(8)
    )
    harbour = parse_set(f'name = "harbour"\n{cards}')
    game = Duel(card_set=harbour)
    match = Match(game, decks=("random", "random"), seed="strange", players=["a", "b"])
    record = {**match.record(), "result": {"winner": 0, "reason": "resignation", "score": [100, 100]}}
    shown = replay(record, "0", "ru")["cards"]
    assert {card["id"] for card in shown} == {card["id"] for card in record["set"]["cards"]}
    assert shown[0]["text"]["ru"].startswith("Атака")
    assert replay(RECORDS[1], "0", "en")["cards"] == []
