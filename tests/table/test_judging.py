"""The judge over HTTP: nothing is kept, everything is bounded, and what it says is what the rules say."""

import json
from pathlib import Path
from random import Random

import pytest

from coyote.cli.main import main
from coyote.match import Match
from coyote.records import follow, parse_record
from coyote.table.judging import MOST_SAID
from coyote.text import LANGUAGES
from madness.test_judged import VARIANTS, shown_card
from table.kit_inside import Inside
from table.kit_table import Json, sqlite_in


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    with Inside(sqlite_in(tmp_path_factory.mktemp("judge"))).running() as running:
        yield running


def asked(options: Json, boss: str, said: list[str], lang: str = "en") -> Json:
    return {"options": options, "boss": boss, "said": said, "names": ["Anna", "Boris"], "lang": lang}


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_a_whole_game_is_said(server: Inside, options: Json) -> None:
    match, dice = Match("madness", seed="said", **options), Random(str(options))
    boss, said = str(match.view_json(-1)["boss"]), list[str]()
    guest = server.guest("Anna")
    while not match.over:
        move, before = dice.choice(match.legal()), len(match.rows)
        match.play(move)
        said.append(f"{move} {shown_card(match, before)}".strip() if move == "push" else move)
        if len(said) % 15 and not match.over:
            continue
        found = guest.ask("POST", "/api/judge", asked(options, boss, said))
        assert found["refused"] is None and found["counts"] == len(said)
        assert found["view"] == match.view_json(-1)
        assert [line["text"] for line in found["story"]] == match.story(-1, ["Anna", "Boris"], "en")
    assert found["legal"] == [] and found["result"] == (match.result and match.result.as_json())
    assert follow(parse_record(found["record"], 1)).result == match.result


@pytest.mark.parametrize("edition", ["standard", "classic"])
def test_a_game_that_is_not_over_is_a_record_that_check_follows(
    server: Inside, tmp_path: Path, edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match, dice = Match("madness", seed="part", edition=edition), Random(edition)
    boss, said = str(match.view_json(-1)["boss"]), list[str]()
    for _ in range(9):
        move, before = dice.choice(match.legal()), len(match.rows)
        match.play(move)
        said.append(f"{move} {shown_card(match, before)}".strip() if move == "push" else move)
    found = server.guest("Anna").ask("POST", "/api/judge", asked({"edition": edition}, boss, said))
    assert found["result"] is None and found["unseen"]
    file = tmp_path / "part.jsonl"
    file.write_text(found["record"] + "\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["check", str(file), "--lang", "en"])
    assert ended.value.code == 0 and "1 " in capsys.readouterr().out
    record = json.loads(found["record"])
    assert record["result"]["reason"] == "aborted" and len(record["moves"]) == 9
    file.write_text(json.dumps({**record, "moves": [*record["moves"], [0, "a9 2C"]]}), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["check", str(file), "--lang", "en"])
    assert ended.value.code and "move 10" in capsys.readouterr().err


def test_what_is_refused_does_not_count(server: Inside) -> None:
    guest = server.guest("Anna")
    for lang in LANGUAGES:
        found = guest.ask("POST", "/api/judge", asked({}, "9H", ["pass", "pass", "draw"], lang))
        assert (found["counts"], found["refused"]["at"], found["refused"]["rule"]) == (1, 1, "M15")
    assert guest.ask("POST", "/api/judge", asked({}, "9H", ["pass", "push 9H"]))["refused"]["at"] == 1


def test_before_the_deal_any_card_may_be_the_boss(server: Inside) -> None:
    found = server.guest("Anna").ask("POST", "/api/judge", asked({"jokers": 1}, "", []))
    assert found["view"] is None and len(found["unseen"]) == 53


@pytest.mark.parametrize(
    "wrong",
    [
        {"boss": "1H"},
        {"boss": "9H", "game": "duel"},
        {"boss": "9H", "options": {"goal": 999}},
        {"boss": "9H", "said": ["pass"] * (MOST_SAID + 1)},
        {"boss": "9H", "said": ["a1 " + "9" * 20]},
        {"boss": "9H", "names": ["Anna"]},
    ],
    ids=str,
)
def test_nonsense_is_refused(server: Inside, wrong: Json) -> None:
    status, problem = server.guest("Anna").try_to("POST", "/api/judge", {"names": ["A", "B"], **wrong})
    assert status in (413, 422) and problem["text"], (status, problem)
